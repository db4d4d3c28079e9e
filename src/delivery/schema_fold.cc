// schema_fold.cc: constraints that become words of the description.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "delivery/schema_steps.h"

namespace cutline::delivery {
namespace {

using json::Data;
using json::Type;

/// The shortest digits that read back to the same double, where JavaScript puts the point.
std::string javascript_number(const std::string& written) {
  const double value = std::strtod(written.c_str(), nullptr);
  if (!std::isfinite(value)) return "null";
  if (value == 0) return "0";
  std::array<char, 32> buffer = {};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                          std::abs(value), std::chars_format::scientific);
  const std::string_view scientific(buffer.data(), end);
  const std::size_t e = scientific.find('e');
  std::string digits(scientific.substr(0, e));
  std::erase(digits, '.');
  const int point = std::atoi(std::string(scientific.substr(e + 1)).c_str()) + 1;
  const int count = static_cast<int>(digits.size());
  const std::string_view sign = value < 0 ? "-" : "";
  constexpr int kLongestWhole = 21, kSmallest = -6;
  if (point > kLongestWhole || point <= kSmallest) {
    if (count > 1) digits.insert(1, ".");
    return fmt::format("{}{}e{:+}", sign, digits, point - 1);
  }
  if (point <= 0) return fmt::format("{}0.{:0>{}}", sign, digits, count - point);
  if (count <= point) return fmt::format("{}{:0<{}}", sign, digits, point);
  digits.insert(static_cast<std::size_t>(point), ".");
  return fmt::format("{}{}", sign, digits);
}

/// As JavaScript writes it after reading it: numbers as doubles, members by name.
Data as_javascript(const Data& value) {
  Data out = value;
  if (out.type == Type::kNumber) out.text = javascript_number(out.text);
  for (Data& element : out.elements) element = as_javascript(element);
  for (Data::Member& member : out.members) member.value = as_javascript(member.value);
  std::ranges::sort(out.members, {}, &Data::Member::key);
  return out;
}

/// Boolean schemas have nothing to fold into: true says nothing, false is said in words.
void spell_out(Data& schema) {
  const bool says_no = schema.text == "false";
  schema = json::object();
  if (says_no) schema.set("description", json::string("{schema: false}"));
}

void fold_one(Data& schema, const std::vector<std::string>& members) {
  std::vector<std::string> folded;
  for (const std::string& key : members) {
    const Data* value = schema.find(key);
    if (!value) continue;
    folded.push_back(fmt::format("{}: {}", key, json::text(as_javascript(*value))));
    schema.erase(key);
  }
  if (folded.empty()) return;
  const Data* before = schema.find("description");
  const bool has_words = before && before->type == Type::kString && !before->text.empty();
  schema.set("description",
             json::string(fmt::format("{}{{{}}}", has_words ? before->text + "\n\n" : "",
                                      fmt::join(folded, ", "))));
}

/// A list of items is said as branches, and an array without items has any.
void settle_items(Data& schema) {
  Data* items = schema.find("items");
  const Data* type = schema.find("type");
  if (!items && type && type->is_text("array")) schema.set("items", json::object());
  if (!items || items->type != Type::kArray) return;
  Data branches = json::object();
  branches.set("anyOf", *items);
  *items = std::move(branches);
}

}  // namespace

void fold(Data& schema, const std::vector<std::string>& members) {
  for_each_schema(schema, [&](Data& one) {
    if (one.type == Type::kBool) {
      spell_out(one);
      return;
    }
    fold_one(one, members);
    settle_items(one);
  });
}

}  // namespace cutline::delivery
