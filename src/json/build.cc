// build.cc: from bytes to nodes; the only file that knows simdjson.
//
// simdjson's first stage checks the UTF-8 and finds strings and structure at memory speed; its
// on-demand iterators then check commas, colons and brackets, but leave every value that nobody
// asks for unread. We ask for all of them, and check what the iterators do not: the grammar of
// numbers and literals, escapes, depth, and that nothing follows the text. An iterator that fails
// does not say well where; as we know how far we were, we look ourselves.
#include <algorithm>
#include <cstring>

#include <simdjson.h>

#include "base/assert.h"
#include "base/number.h"
#include "json/document.h"
#include "json/tree.h"

namespace cutline::json {
namespace {

namespace ondemand = simdjson::ondemand;

static_assert(kPadding >= simdjson::SIMDJSON_PADDING);

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// RFC 8259, section 6: [ minus ] int [ frac ] [ exp ].
bool is_number(std::string_view text) {
  const auto digits = [&text] {
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count])) ++count;
    text.remove_prefix(count);
    return count > 0;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.starts_with('0')) {
    text.remove_prefix(1);
  } else if (!digits()) {
    return false;
  }
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!digits()) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (!digits()) return false;
  }
  return text.empty();
}

class Builder {
 public:
  Builder(Tree& tree, const Limits& limits)
      : tree_(tree), limits_(limits), text_(tree.bytes.data(), tree.bytes.size()) {}

  bool root(ondemand::document& document);
  bool first_stage_failed(simdjson::error_code error);
  Problem problem;
  std::size_t problem_at = 0;

 private:
  /// Each reads one node that begins at text_[at_] and leaves at_ behind it.
  bool value(ondemand::value value);
  bool array(ondemand::array array);
  bool object(ondemand::object object);
  bool scalar(std::string_view token);
  bool string();

  bool open(std::size_t begin);
  bool close(std::size_t node, std::size_t size);
  bool leaf(std::size_t end);
  bool room_for_one_more();
  bool element_failed();
  bool member_failed(bool first);
  bool syntax(std::size_t at, std::string message);

  char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  std::size_t skip_space(std::size_t from) const {
    while (is_space(at(from))) ++from;
    return from;
  }
  std::size_t offset_of(const char* pointer) const {
    return static_cast<std::size_t>(pointer - text_.data());
  }

  Tree& tree_;
  const Limits& limits_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

bool Builder::syntax(std::size_t at, std::string message) {
  problem = {.code = "json.syntax", .message = std::move(message), .place = {}, .hint = {}};
  problem_at = std::min(at, text_.size());
  return false;
}

bool Builder::room_for_one_more() {
  if (tree_.nodes.size() < limits_.values_max) return true;
  problem = {.code = "json.too_large",
             .message = "more than " + count(limits_.values_max, "value"),
             .place = {},
             .hint = {}};
  return false;
}

bool Builder::open(std::size_t begin) {
  if (!room_for_one_more()) return false;
  const std::size_t depth_max = std::min(limits_.depth_max, kDepthCeiling);
  if (++depth_ > depth_max) {
    problem = {.code = "json.too_deep",
               .message = "nested deeper than " + count(depth_max, "level"),
               .place = {},
               .hint = {}};
    return false;
  }
  tree_.nodes.push_back({.begin = static_cast<std::uint32_t>(begin)});
  at_ = begin + 1;
  return true;
}

/// The iterator has seen the closing bracket: it is the next thing in the text.
bool Builder::close(std::size_t node, std::size_t size) {
  at_ = skip_space(at_) + 1;
  tree_.nodes[node].end = static_cast<std::uint32_t>(at_);
  tree_.nodes[node].after = static_cast<std::uint32_t>(tree_.nodes.size());
  tree_.nodes[node].size = static_cast<std::uint32_t>(size);
  --depth_;
  return true;
}

bool Builder::leaf(std::size_t end) {
  if (!room_for_one_more()) return false;
  tree_.nodes.push_back({.begin = static_cast<std::uint32_t>(at_),
                         .end = static_cast<std::uint32_t>(end),
                         .after = static_cast<std::uint32_t>(tree_.nodes.size() + 1)});
  at_ = end;
  return true;
}

/// A string that the first stage has found to be closed and free of control characters.
bool Builder::string() {
  const char* const end = text_.data() + text_.size();
  const auto find = [end](const char* from, char wanted, const char* to) {
    const void* found = std::memchr(from, wanted, static_cast<std::size_t>(to - from));
    return found == nullptr ? end : static_cast<const char*>(found);
  };
  const char* cursor = text_.data() + at_ + 1;
  // The quote is looked for again only when an escape went past it: `\n` a million times stays
  // linear.
  const char* quote = find(cursor, '"', end);
  while (true) {
    if (quote == end) return syntax(at_, "this string does not end");
    const char* const backslash = find(cursor, '\\', quote);
    if (backslash == end) return leaf(offset_of(quote) + 1);
    const std::size_t escape = offset_of(backslash);
    const char kind = at(escape + 1);
    std::size_t length = 2;
    if (kind == 'u') {
      for (; length < 6; ++length)
        if (!is_hex_digit(at(escape + length))) return syntax(escape, "\\u needs four hex digits");
    } else if (std::string_view("\"\\/bfnrt").find(kind) == std::string_view::npos) {
      return syntax(escape, "JSON has no such escape");
    }
    cursor = backslash + length;
    if (cursor > quote) quote = find(cursor, '"', end);
  }
}

/// `token` reaches up to the next structural character.
bool Builder::scalar(std::string_view token) {
  while (!token.empty() && is_space(token.back())) token.remove_suffix(1);
  at_ = offset_of(token.data());
  const std::size_t end = at_ + token.size();
  if (token.starts_with('"')) {
    if (!string()) return false;
    return at_ == end || syntax(at_, "expected the string to be the whole value");
  }
  const bool literal = token == "null" || token == "true" || token == "false";
  if (literal) return leaf(end);
  if (!token.empty() && (token[0] == '-' || is_digit(token[0])))
    return is_number(token) ? leaf(end) : syntax(at_, "this is not how JSON writes a number");
  return syntax(at_, "expected a value");
}

bool Builder::value(ondemand::value value) {
  const std::string_view token = value.raw_json_token();
  if (token.starts_with('[') || token.starts_with('{')) {
    if (!open(offset_of(token.data()))) return false;
    ondemand::array elements;
    ondemand::object members;
    if (token[0] == '[')
      return !value.get_array().get(elements) ? array(elements) : element_failed();
    return !value.get_object().get(members) ? object(members) : member_failed(true);
  }
  // Left to the iterator to skip, a string with a colon behind it would pass for a key, even in an
  // array; so we take it.
  ondemand::raw_json_string taken;
  if (token.starts_with('"') && value.get_raw_json_string().get(taken))
    return syntax(offset_of(token.data()), "expected a value");
  return scalar(token);
}

bool Builder::array(ondemand::array array) {
  const std::size_t node = tree_.nodes.size() - 1;
  std::size_t size = 0;
  for (simdjson::simdjson_result<ondemand::value> element : array) {
    ondemand::value read;
    if (std::move(element).get(read)) return element_failed();
    if (!value(read)) return false;
    ++size;
  }
  return at(skip_space(at_)) == ']' ? close(node, size) : element_failed();
}

bool Builder::object(ondemand::object object) {
  const std::size_t node = tree_.nodes.size() - 1;
  std::size_t size = 0;
  for (simdjson::simdjson_result<ondemand::field> member : object) {
    ondemand::field read;
    if (std::move(member).get(read)) return member_failed(size == 0);
    at_ = offset_of(read.key().raw()) - 1;
    if (!string()) return false;
    if (!value(read.value())) return false;
    ++size;
  }
  return at(skip_space(at_)) == '}' ? close(node, size) : member_failed(size == 0);
}

/// at_ is behind the opening bracket or the element before.
bool Builder::element_failed() { return syntax(skip_space(at_), "expected ',' or ']'"); }

/// The same for an object.
bool Builder::member_failed(bool first) {
  std::size_t next = skip_space(at_);
  if (!first) {
    if (at(next) != ',') return syntax(next, "expected ',' or '}'");
    next = skip_space(next + 1);
  }
  if (at(next) != '"') return syntax(next, first ? "expected a key or '}'" : "expected a key");
  at_ = next;
  if (!string()) return false;
  return syntax(skip_space(at_), "expected ':'");
}

bool Builder::root(ondemand::document& document) {
  const std::size_t begin = skip_space(0);
  if (at(begin) == '[') {
    ondemand::array elements;
    if (!open(begin)) return false;
    if (document.get_array().get(elements))
      return syntax(text_.size(), "what begins with '[' has to end with ']'");
    if (!array(elements)) return false;
  } else if (at(begin) == '{') {
    ondemand::object members;
    if (!open(begin)) return false;
    if (document.get_object().get(members))
      return syntax(text_.size(), "what begins with '{' has to end with '}'");
    if (!object(members)) return false;
  } else {
    std::string_view token;
    if (document.raw_json_token().get(token)) return syntax(begin, "expected a value");
    if (!scalar(token)) return false;
  }
  const std::size_t end = skip_space(at_);
  return end == text_.size() || syntax(end, "expected the end of the text");
}

/// The first stage names no place: walk over the strings as it does (it lets a backslash escape a
/// quote outside strings, too).
bool Builder::first_stage_failed(simdjson::error_code error) {
  if (error == simdjson::EMPTY) return syntax(text_.size(), "expected a value, found nothing");
  if (error != simdjson::UNCLOSED_STRING && error != simdjson::UNESCAPED_CHARS) {
    problem = {.code = "json.too_large",
               .message = "there is not enough memory for this text",
               .place = {},
               .hint = {},
               .blame = Blame::kMissing};
    return false;
  }
  bool inside = false;
  std::size_t opened = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (text_[i] == '"') {
      inside = !inside;
      opened = i;
    }
    if (inside && i < text_.size() && static_cast<unsigned char>(text_[i]) < 0x20)
      return syntax(i, "a control character in a string has to be escaped");
  }
  return syntax(opened, "this string does not end");
}

}  // namespace

Result<Built> build(Tree& tree, const Limits& limits, std::size_t* problem_at) {
  tree.nodes.clear();
  ondemand::parser parser;
  ondemand::document document;
  Builder builder(tree, limits);
  simdjson::error_code error =
      parser.allocate(tree.bytes.size(), std::min(limits.depth_max, kDepthCeiling) + 2);
  if (!error) {
    error =
        parser.iterate(tree.bytes.data(), tree.bytes.size(), tree.bytes.capacity()).get(document);
  }
  if (error == simdjson::UTF8_ERROR) return Built::kNotUtf8;
  const bool whole = error ? builder.first_stage_failed(error) : builder.root(document);
  if (whole) return Built::kWhole;
  *problem_at = builder.problem_at;
  return fail(std::move(builder.problem));
}

std::string compacted(std::string_view json) {
  std::string out(json.size() + kPadding, '\0');
  std::size_t size = 0;
  const auto error = simdjson::minify(json.data(), json.size(), out.data(), size);
  CUTLINE_ASSERT(!error);
  out.resize(size);
  return out;
}

}  // namespace cutline::json
