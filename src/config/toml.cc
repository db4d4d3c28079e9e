// toml.cc: toml++'s tree as ours; the only file that knows toml++.
//
// toml++ 3.3 sorts tables by key, so members are put back into the order of the file. It bounds
// nested values but not the parts of a dotted key, and destroys its tables by recursion: a header
// of 100,000 parts would end the program. Keys are therefore counted out before it sees them.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include "config/toml.h"

#include <algorithm>
#include <sstream>

#include <toml++/toml.h>

#include "base/number.h"

namespace cutline::config {
namespace {

Source place(const std::string& file, const toml::source_region& region) {
  return {.file = file, .line = region.begin.line, .column = region.begin.column};
}

/// Walks over a text just finely enough to know what stands outside strings and comments.
class KeyCounter {
 public:
  explicit KeyCounter(std::string_view text) : text_(text) {}

  /// The offset of the dot that makes a key too long, if there is one.
  std::optional<std::size_t> too_long() {
    std::size_t parts = 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (c == '.' && ++parts > kKeyPartsMax) return at_;
      if (std::string_view("\n#=,[]{}").find(c) != std::string_view::npos) parts = 1;
      ++at_;
    }
    return std::nullopt;
  }

 private:
  void skip_string(char quote) {
    const std::string_view three = quote == '"' ? R"(""")" : "'''";
    const bool multi_line = text_.substr(at_).starts_with(three);
    const std::string_view end = multi_line ? three : three.substr(0, 1);
    for (at_ += end.size(); at_ < text_.size(); ++at_) {
      if (quote == '"' && text_[at_] == '\\') {
        ++at_;
      } else if (text_.substr(at_).starts_with(end)) {
        at_ += end.size();
        // Up to two more quotes may belong to the text before the three that end it.
        while (multi_line && at_ < text_.size() && text_[at_] == quote) ++at_;
        return;
      } else if (!multi_line && text_[at_] == '\n') {
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

template <class T>
std::string iso_text(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

Node converted(const toml::node& from, const std::string& file);

/// Members in the order in which their keys stand in the file.
void add_members(const toml::table& table, const std::string& file, Node& node) {
  std::vector<std::pair<const toml::key*, const toml::node*>> members;
  for (const auto& [key, value] : table) members.emplace_back(&key, &value);
  std::ranges::sort(members, [](const auto& a, const auto& b) {
    const toml::source_position left = a.first->source().begin, right = b.first->source().begin;
    return std::pair(left.line, left.column) < std::pair(right.line, right.column);
  });
  for (const auto& [key, value] : members)
    node.members.push_back({std::string(key->str()), converted(*value, file)});
}

Node converted(const toml::node& from, const std::string& file) {
  Node node;
  node.source = place(file, from.source());
  switch (from.type()) {
    case toml::node_type::table:
      node.kind = Kind::kTable;
      add_members(*from.as_table(), file, node);
      break;
    case toml::node_type::array:
      node.kind = Kind::kArray;
      for (const toml::node& element : *from.as_array())
        node.elements.push_back(converted(element, file));
      break;
    case toml::node_type::string:
      node.kind = Kind::kString;
      node.string = from.as_string()->get();
      break;
    case toml::node_type::integer:
      node.kind = Kind::kInteger;
      node.integer = from.as_integer()->get();
      break;
    case toml::node_type::floating_point:
      node.kind = Kind::kFloat;
      node.number = from.as_floating_point()->get();
      break;
    case toml::node_type::boolean:
      node.kind = Kind::kBoolean;
      node.boolean = from.as_boolean()->get();
      break;
    case toml::node_type::date:
      node.kind = Kind::kDate;
      node.string = iso_text(from.as_date()->get());
      break;
    case toml::node_type::time:
      node.kind = Kind::kDate;
      node.string = iso_text(from.as_time()->get());
      break;
    case toml::node_type::date_time:
      node.kind = Kind::kDate;
      node.string = iso_text(from.as_date_time()->get());
      break;
    case toml::node_type::none:
      break;
  }
  return node;
}

Source place_of_offset(std::string_view text, std::size_t offset, std::string file) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 where there is none
  return {.file = std::move(file), .line = lines + 1, .column = offset - line_begin + 1};
}

}  // namespace

Result<Node> parse_toml(std::string_view text, std::string file) {
  if (text.size() > kFileBytesMax) {
    return fail({.code = "config.toml.too_large",
                 .message = "longer than " + count(kFileBytesMax, "byte"),
                 .place = std::move(file),
                 .hint = {}});
  }
  if (const std::optional<std::size_t> dot = KeyCounter(text).too_long()) {
    return fail({.code = "config.toml.too_deep",
                 .message = "a key of more than " + count(kKeyPartsMax, "part"),
                 .place = place_of_offset(text, *dot, std::move(file)).text(),
                 .hint = {}});
  }
  const toml::parse_result parsed = toml::parse(text);
  if (parsed) return converted(parsed.table(), file);

  std::string message(parsed.error().description());
  // A Problem's message goes on in a sentence: "Error while parsing …" without the capital.
  const bool capital = message.size() > 1 && message[0] >= 'A' && message[0] <= 'Z' &&
                       message[1] >= 'a' && message[1] <= 'z';
  if (capital) message[0] = static_cast<char>(message[0] - 'A' + 'a');
  return fail({.code = "config.toml.syntax",
               .message = std::move(message),
               .place = place(file, parsed.error().source()).text(),
               .hint = {}});
}

}  // namespace cutline::config
