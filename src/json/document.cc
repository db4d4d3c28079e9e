// document.cc: handles on the tree, and the repair of bytes that are not UTF-8 before it is built.
#include "json/document.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>

#include "base/assert.h"
#include "base/number.h"
#include "base/utf8.h"
#include "json/string.h"
#include "json/tree.h"

namespace cutline::json {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kOffsetsMax =
    0xFFFF'FFFF - kPadding;  // simdjson's and the nodes' are 32 bits

tl::unexpected<Problem> no_memory() {
  return fail({.code = "json.too_large",
               .message = "there is not enough memory for this text",
               .place = {},
               .hint = {},
               .blame = Blame::kMissing});
}

tl::unexpected<Problem> too_large(std::string message) {
  return fail({.code = "json.too_large", .message = std::move(message), .place = {}, .hint = {}});
}

/// Whether there is more structure in the text than `values_max` values can have: each is a key, a
/// scalar or two brackets, with a comma or colon before it. simdjson notes all of it, at 4 bytes
/// each, before we see the first value. Strings are found as it finds them.
bool has_too_much_structure(std::string_view bytes, std::size_t values_max) {
  constexpr std::string_view kMarks = "[]{},:";
  constexpr std::size_t kOfAValue = 3;
  if (bytes.size() / kOfAValue <= values_max) return false;
  std::size_t structure = 0;
  bool in_scalar = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    const bool mark = kMarks.find(c) != kMarks.npos, quote = c == '"';
    const bool scalar = !mark && !quote && c != ' ' && c != '\t' && c != '\n' && c != '\r';
    if (mark || quote || (scalar && !in_scalar)) ++structure;
    in_scalar = scalar;
    if (c == '\\') ++i;
    if (!quote) continue;
    for (++i; i < bytes.size() && bytes[i] != '"'; ++i)
      if (bytes[i] == '\\') ++i;
  }
  return structure / kOfAValue > values_max;
}

/// Puts the repaired `bytes` into the tree.
Result<void> repair(std::string_view bytes, const Limits& limits, Tree& tree) {
  tree.bytes.clear();
  std::size_t at = 0;
  while (true) {
    const std::size_t valid = valid_utf8_prefix(bytes.substr(at));
    tree.bytes.append(bytes, at, valid);
    at += valid;
    if (tree.bytes.size() > kOffsetsMax) return too_large("longer than 4 GiB after replacement");
    if (at == bytes.size()) break;
    if (tree.replaced_at.size() == limits.repairs_max)
      return too_large("more than " + count(limits.repairs_max, "part") + " that are not UTF-8");
    tree.replaced_at.push_back(static_cast<std::uint32_t>(tree.bytes.size()));
    tree.bytes += kReplacementCharacter;
    at += ill_formed_prefix(bytes.substr(at));
  }
  tree.bytes.reserve(tree.bytes.size() + kPadding);
  return {};
}

/// The offset in `bytes` of what stands at `repaired` in their repaired form.
std::size_t offset_as_given(std::string_view bytes, const Tree& tree, std::size_t repaired) {
  std::size_t given = 0, passed = 0;
  for (const std::uint32_t replaced : tree.replaced_at) {
    if (replaced >= repaired) break;
    given += replaced - passed;
    given += ill_formed_prefix(bytes.substr(given));
    passed = replaced + kReplacementCharacter.size();
  }
  return given + (repaired - passed);
}

bool same_key(const Tree& tree, const Node& key, std::string_view wanted) {
  const std::string_view raw =
      std::string_view(tree.bytes).substr(key.begin + 1, key.end - key.begin - 2);
  if (raw.find('\\') == std::string_view::npos) return raw == wanted;
  return decode_string(tree, key).value == wanted;
}

}  // namespace

std::string_view name(Type type) {
  switch (type) {
    case Type::kNull:
      return "null";
    case Type::kBool:
      return "boolean";
    case Type::kNumber:
      return "number";
    case Type::kString:
      return "string";
    case Type::kArray:
      return "array";
    case Type::kObject:
      return "object";
  }
  return "";
}

// --- Values ------------------------------------------------------------------------------------

Type Value::type() const {
  switch (raw()[0]) {
    case '{':
      return Type::kObject;
    case '[':
      return Type::kArray;
    case '"':
      return Type::kString;
    case 'n':
      return Type::kNull;
    case 't':
    case 'f':
      return Type::kBool;
    default:
      return Type::kNumber;
  }
}

std::string_view Value::raw() const {
  const Node& node = tree_->nodes[node_];
  return std::string_view(tree_->bytes).substr(node.begin, node.end - node.begin);
}

std::size_t Value::offset() const { return tree_->nodes[node_].begin; }

std::size_t Value::compact_size() const {
  std::size_t bytes = 0;
  for (std::uint32_t i = node_; i < tree_->nodes[node_].after; ++i) {
    const Node& node = tree_->nodes[i];
    const char first = tree_->bytes[node.begin];
    const bool object = first == '{';
    if (!object && first != '[') {
      bytes += node.end - node.begin;
      continue;
    }
    constexpr std::size_t kBrackets = 2;
    const std::size_t colons = object ? node.size : 0;
    const std::size_t commas = node.size > 0 ? node.size - 1 : 0;
    bytes += kBrackets + colons + commas;
  }
  return bytes;
}

Text Value::string() const {
  CUTLINE_ASSERT(is(Type::kString));
  return decode_string(*tree_, tree_->nodes[node_]);
}

bool Value::boolean() const {
  CUTLINE_ASSERT(is(Type::kBool));
  return raw()[0] == 't';
}

std::optional<std::int64_t> Value::int64() const {
  if (!is(Type::kNumber)) return std::nullopt;
  const std::string_view text = raw();
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (end == text.data() + text.size())
    return error == std::errc{} ? std::optional(integer) : std::nullopt;
  constexpr double kExactMax = 9007199254740992.0;  // 2^53
  const std::optional<double> real = number();
  if (!real || std::trunc(*real) != *real || std::fabs(*real) > kExactMax) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

std::optional<double> Value::number() const {
  if (!is(Type::kNumber)) return std::nullopt;
  const std::string_view text = raw();
  double real = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), real);
  return error == std::errc{} ? std::optional(real) : std::nullopt;
}

std::size_t Value::size() const { return tree_->nodes[node_].size; }

std::vector<Value::Member> Value::members() const {
  std::vector<Member> found;
  if (!is(Type::kObject)) return found;
  found.reserve(size());
  const std::uint32_t after = tree_->nodes[node_].after;
  for (std::uint32_t key = node_ + 1; key < after; key = tree_->nodes[key + 1].after)
    found.push_back({decode_string(*tree_, tree_->nodes[key]).value, Value(tree_, key + 1)});
  return found;
}

std::vector<Value> Value::elements() const {
  std::vector<Value> found;
  if (!is(Type::kArray)) return found;
  found.reserve(size());
  const std::uint32_t after = tree_->nodes[node_].after;
  for (std::uint32_t element = node_ + 1; element < after; element = tree_->nodes[element].after)
    found.push_back(Value(tree_, element));
  return found;
}

std::optional<Value> Value::find(std::string_view key) const {
  std::optional<Value> found;
  if (!is(Type::kObject)) return found;
  const std::uint32_t after = tree_->nodes[node_].after;
  for (std::uint32_t at = node_ + 1; at < after; at = tree_->nodes[at + 1].after)
    if (same_key(*tree_, tree_->nodes[at], key)) found = Value(tree_, at + 1);
  return found;
}

std::optional<std::string> string_member(const Value& object, std::string_view key) {
  const std::optional<Value> value = object.find(key);
  if (!value || !value->is(Type::kString)) return std::nullopt;
  return value->string().value;
}

// --- Documents ---------------------------------------------------------------------------------

Document::Document(std::unique_ptr<Tree> tree) : tree_(std::move(tree)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Value Document::root() const { return Value(tree_.get(), 0); }
std::string_view Document::bytes() const { return tree_->bytes; }

Result<Document> Document::parse(std::string_view bytes, const Limits& limits) try {
  const std::size_t bytes_max = std::min(limits.bytes_max, kOffsetsMax);
  if (bytes.size() > bytes_max) return too_large("longer than " + count(bytes_max, "byte"));
  if (has_too_much_structure(bytes, limits.values_max))
    return too_large("more than " + count(limits.values_max, "value"));

  auto tree = std::make_unique<Tree>();
  tree->bytes.reserve(bytes.size() + kPadding);
  tree->bytes = bytes;
  std::size_t problem_at = 0;
  Result<Built> built = build(*tree, limits, &problem_at);
  if (built && *built == Built::kNotUtf8) {
    CUTLINE_TRY(repair(bytes, limits, *tree));
    built = build(*tree, limits, &problem_at);
    if (!built) problem_at = offset_as_given(bytes, *tree, problem_at);
  }
  if (built) return Document(std::move(tree));

  Problem problem = std::move(built).error();
  if (problem.code == "json.syntax") problem.place = "byte " + std::to_string(problem_at);
  if (bytes.starts_with(kByteOrderMark))
    problem.message = "a byte order mark stands before the text";
  return fail(std::move(problem));
} catch (const std::bad_alloc&) {
  return no_memory();
}

}  // namespace cutline::json
