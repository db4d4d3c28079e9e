// json_fuzz.cc: what json::Document accepts is walked to the last node, and written again. Between
// the nodes nothing may stand but the punctuation that belongs there.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/utf8.h"
#include "json/document.h"
#include "json/writer.h"

namespace {

using namespace cutline;
using json::Type;
using json::Value;

void write_again(json::Writer& writer, const Value& value);

/// Hands out what stands between the children of a container, without the white space around.
class Gaps {
 public:
  explicit Gaps(const Value& container) : container_(container) {}

  std::string_view before(const Value& child) {
    const std::size_t from = std::exchange(end_, child.offset() + child.raw().size());
    return between(from, child.offset());
  }
  std::string_view at_end() const {
    return between(end_, container_.offset() + container_.raw().size() - 1);
  }

 private:
  std::string_view between(std::size_t from, std::size_t to) const {
    CUTLINE_ASSERT(from <= to);
    std::string_view gap = container_.raw().substr(from - container_.offset(), to - from);
    const std::size_t begin = std::min(gap.find_first_not_of(" \t\n\r"), gap.size());
    gap.remove_prefix(begin);
    return gap.substr(0, gap.find_last_not_of(" \t\n\r") + 1);
  }

  const Value& container_;
  std::size_t end_ = container_.offset() + 1;
};

void write_members(json::Writer& writer, const Value& object) {
  const std::vector<Value::Member> members = object.members();
  CUTLINE_ASSERT(members.size() == object.size());
  Gaps gaps(object);
  bool first = true;
  writer.begin_object();
  for (const Value::Member& member : members) {
    CUTLINE_ASSERT(is_valid_utf8(member.key));
    CUTLINE_ASSERT(object.find(member.key).has_value());
    std::string_view gap = gaps.before(member.value);
    CUTLINE_ASSERT(gap.ends_with(':') && gap.starts_with(',') != first);
    gap.remove_suffix(1);
    if (!std::exchange(first, false)) gap.remove_prefix(1);
    const Result<json::Document> key = json::Document::parse(gap);
    CUTLINE_ASSERT(key.has_value() && key->root().string().value == member.key);
    writer.key(member.key);
    write_again(writer, member.value);
  }
  CUTLINE_ASSERT(gaps.at_end().empty());
  writer.end_object();
}

void write_elements(json::Writer& writer, const Value& array) {
  const std::vector<Value> elements = array.elements();
  CUTLINE_ASSERT(elements.size() == array.size());
  Gaps gaps(array);
  bool first = true;
  writer.begin_array();
  for (const Value& element : elements) {
    CUTLINE_ASSERT(gaps.before(element) == (std::exchange(first, false) ? "" : ","));
    write_again(writer, element);
  }
  CUTLINE_ASSERT(gaps.at_end().empty());
  writer.end_array();
}

void write_again(json::Writer& writer, const Value& value) {
  switch (value.type()) {
    case Type::kObject:
      return write_members(writer, value);
    case Type::kArray:
      return write_elements(writer, value);
    case Type::kString: {
      const json::Text text = value.string();
      CUTLINE_ASSERT(is_valid_utf8(text.value));
      CUTLINE_ASSERT(!text.first_invalid_byte || *text.first_invalid_byte < text.value.size());
      writer.string(text.value);
      return;
    }
    case Type::kNumber:
      CUTLINE_ASSERT(!value.int64() || value.number());
      [[fallthrough]];
    default:
      writer.raw(value.raw());
  }
}

std::string written(const Value& value) {
  json::Writer writer;
  write_again(writer, value);
  return writer.take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Result<json::Document> document =
      json::Document::parse(bytes, {.depth_max = 100, .values_max = 10'000});
  if (!document) return 0;
  CUTLINE_ASSERT(is_valid_utf8(document->bytes()));
  const std::string text = written(document->root());
  const Result<json::Document> again = json::Document::parse(text);
  CUTLINE_ASSERT(again.has_value());
  CUTLINE_ASSERT(written(again->root()) == text);
  return 0;
}
