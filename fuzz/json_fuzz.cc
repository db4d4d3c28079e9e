// json_fuzz.cc: what json::Document accepts is walked to the last node, and written again.
#include "base/assert.h"
#include "base/utf8.h"
#include "json/document.h"
#include "json/writer.h"

namespace {

using namespace cutline;
using json::Type;
using json::Value;

void write_again(json::Writer& writer, const Value& value);

void write_members(json::Writer& writer, const Value& object) {
  const std::vector<Value::Member> members = object.members();
  CUTLINE_ASSERT(members.size() == object.size());
  writer.begin_object();
  for (const Value::Member& member : members) {
    CUTLINE_ASSERT(is_valid_utf8(member.key));
    CUTLINE_ASSERT(object.find(member.key).has_value());
    writer.key(member.key);
    write_again(writer, member.value);
  }
  writer.end_object();
}

void write_elements(json::Writer& writer, const Value& array) {
  const std::vector<Value> elements = array.elements();
  CUTLINE_ASSERT(elements.size() == array.size());
  std::size_t end = array.offset() + 1;
  writer.begin_array();
  for (const Value& element : elements) {
    CUTLINE_ASSERT(element.offset() >= end);
    end = element.offset() + element.raw().size();
    write_again(writer, element);
  }
  CUTLINE_ASSERT(end < array.offset() + array.raw().size());
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
