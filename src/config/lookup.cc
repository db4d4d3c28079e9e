// lookup.cc: asking a tree for what is expected, with a problem that says what was found instead.
#include <algorithm>

#include <fmt/format.h>

#include "base/nearest.h"
#include "config/toml.h"
#include "json/writer.h"

namespace cutline::config {
namespace {

/// "an integer (25)": the kind, and of a short value what it is.
std::string description(const Node& node) {
  constexpr std::size_t kShownMax = 40;
  std::string value;
  switch (node.kind) {
    case Kind::kString:
      json::append_string(value, node.string);
      break;
    case Kind::kInteger:
      value = std::to_string(node.integer);
      break;
    case Kind::kFloat:
      value = fmt::format("{}", node.number);
      break;
    case Kind::kBoolean:
      value = node.boolean ? "true" : "false";
      break;
    case Kind::kDate:
      value = node.string;
      break;
    case Kind::kArray:
    case Kind::kTable:
      break;
  }
  if (value.empty() || value.size() > kShownMax) return std::string(name(node.kind));
  return fmt::format("{} ({})", name(node.kind), value);
}

tl::unexpected<Problem> wrong_kind(std::string_view what, const Node& found,
                                   std::string_view wanted) {
  return fail(
      {.code = "config.type",
       .message = fmt::format("{} has to be {}, but is {}", what, wanted, description(found)),
       .place = found.source.text(),
       .hint = {}});
}

/// The value of `field` in the member, if the member is there and of that kind.
template <class T>
Result<std::optional<T>> find_value(const Node& table, std::string_view key, Kind kind,
                                    T Node::* field) {
  const Node* node = table.find(key);
  if (node == nullptr) return std::nullopt;
  if (node->kind != kind) return wrong_kind(fmt::format("'{}'", key), *node, name(kind));
  return node->*field;
}

template <class T>
Result<T> required(Result<std::optional<T>> found, const Node& table, std::string_view key,
                   Kind kind) {
  if (!found) return fail(std::move(found).error());
  if (*found) return **std::move(found);
  return fail({.code = "config.missing",
               .message = fmt::format("'{}' is missing; {} is expected", key, name(kind)),
               .place = table.source.text(),
               .hint = {}});
}

}  // namespace

std::string Source::text() const { return fmt::format("{}:{}:{}", file, line, column); }

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::kString:
      return "a string";
    case Kind::kInteger:
      return "an integer";
    case Kind::kFloat:
      return "a floating-point number";
    case Kind::kBoolean:
      return "a boolean";
    case Kind::kDate:
      return "a date or time";
    case Kind::kArray:
      return "an array";
    case Kind::kTable:
      return "a table";
  }
  return "";
}

const Node* Node::find(std::string_view key) const {
  const auto found = std::ranges::find(members, key, &Member::first);
  return found == members.end() ? nullptr : &found->second;
}

Result<std::optional<std::string>> find_string(const Node& table, std::string_view key) {
  return find_value(table, key, Kind::kString, &Node::string);
}

Result<std::optional<std::int64_t>> find_integer(const Node& table, std::string_view key) {
  return find_value(table, key, Kind::kInteger, &Node::integer);
}

Result<std::optional<bool>> find_boolean(const Node& table, std::string_view key) {
  return find_value(table, key, Kind::kBoolean, &Node::boolean);
}

Result<std::optional<std::vector<std::string>>> find_strings(const Node& table,
                                                             std::string_view key) {
  const Node* node = table.find(key);
  if (node == nullptr) return std::nullopt;
  std::vector<std::string> strings;
  if (node->kind == Kind::kString) {
    strings.push_back(node->string);
    return strings;
  }
  if (node->kind != Kind::kArray)
    return wrong_kind(fmt::format("'{}'", key), *node, "a string or an array of strings");
  for (const Node& element : node->elements) {
    if (element.kind != Kind::kString)
      return wrong_kind(fmt::format("every element of '{}'", key), element, name(Kind::kString));
    strings.push_back(element.string);
  }
  return strings;
}

Result<std::string> get_string(const Node& table, std::string_view key) {
  return required(find_string(table, key), table, key, Kind::kString);
}

Result<std::int64_t> get_integer(const Node& table, std::string_view key) {
  return required(find_integer(table, key), table, key, Kind::kInteger);
}

Result<bool> get_boolean(const Node& table, std::string_view key) {
  return required(find_boolean(table, key), table, key, Kind::kBoolean);
}

Result<void> only_keys(const Node& table, std::span<const std::string> allowed) {
  for (const auto& [key, node] : table.members) {
    if (std::ranges::find(allowed, key) != allowed.end()) continue;
    const std::optional<std::string> meant = nearest(key, allowed);
    return fail({.code = "config.unknown_key",
                 .message = fmt::format("nothing here is called '{}'", key),
                 .place = node.source.text(),
                 .hint = meant ? fmt::format("did you mean '{}'?", *meant)
                               : fmt::format("known are: {}", fmt::join(allowed, ", "))});
  }
  return {};
}

}  // namespace cutline::config
