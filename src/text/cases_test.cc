// cases_test.cc: the measured cuts and encodings (tests/cases/cuts.json and encoding.json): all of
// them that a text alone decides.
#include "support/cases.h"

#include <map>

#include <gtest/gtest.h>

#include "text/cut.h"
#include "text/sample.h"
#include "text/utf8.h"

namespace cutline::text {
namespace {

const std::string kClaudeMarker = "… [truncated]";

std::optional<std::string> string_at(const json::Value& object, std::string_view key) {
  return json::string_member(object, key);
}

std::optional<std::size_t> number_at(const json::Value& object, std::string_view key) {
  const std::optional<json::Value> value = object.find(key);
  const std::optional<std::int64_t> number = value ? value->int64() : std::nullopt;
  return number ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

std::optional<bool> bool_at(const json::Value& object, std::string_view key) {
  const std::optional<json::Value> value = object.find(key);
  return value ? std::optional(value->boolean()) : std::nullopt;
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

std::string_view name(Split split) {
  switch (split) {
    case Split::kNone:
      return "none";
    case Split::kGrapheme:
      return "grapheme";
    case Split::kCrLf:
      return "crlf";
  }
  return "";
}

Place place_in(const json::Value& object) {
  return {ByteOffset{number_at(object, "bytes").value()},
          CodePointOffset{number_at(object, "code_points").value()},
          Utf16Offset{number_at(object, "utf16_units").value()}};
}

/// The text of a case, after comparing it with its sizes and its hash.
std::string text_of(const json::Value& input) {
  const json::Value rule = input.find("text").value();
  std::string text = cases::text(rule);
  EXPECT_EQ(measure(text), place_in(rule));
  EXPECT_EQ(cases::sha256(text), string_at(rule, "sha256"));
  return text;
}

Budget budget_of(const json::Value& input) {
  const json::Value budget = input.find("budget").value();
  return {.size = number_at(budget, "size").value(),
          .unit = unit_named(string_at(budget, "unit").value()).value(),
          .marker = string_at(budget, "marker").value(),
          .marker_inside = bool_at(budget, "marker_inside").value(),
          .first_line_only = bool_at(budget, "first_line_only").value_or(false)};
}

std::size_t in_unit(const Place& place, Unit unit) {
  switch (unit) {
    case Unit::kBytes:
      return place.bytes.value;
    case Unit::kCodePoints:
      return place.code_points.value;
    default:
      return place.utf16.value;
  }
}

/// `percent` is of the budget's unit, or of UTF-16 units where that is clusters.
void expect_lost(const json::Value& expect, const Place& lost, const Place& whole, Unit unit) {
  EXPECT_EQ(lost, place_in(expect));
  const double percent =
      100.0 * static_cast<double>(in_unit(lost, unit)) / static_cast<double>(in_unit(whole, unit));
  EXPECT_NEAR(percent, expect.find("percent").value().number().value(), 0.05001);
}

/// A member that is absent from `expect` is not known.
template <class Value, class Known>
void expect_if_known(const Value& value, const std::optional<Known>& known, const char* what) {
  if (known) {
    EXPECT_EQ(value, *known) << what;
  }
}

void expect_samples(const json::Value& expect, std::string_view kept) {
  const Seen seen = find_samples(kept);
  const auto in = [&expect](std::string_view key) { return bool_at(expect, key); };
  expect_if_known(!seen.begins.empty(), in("begin_codeword_arrives"), "begin codeword");
  expect_if_known(!seen.ends.empty(), in("end_codeword_arrives"), "end codeword");
  expect_if_known(seen.last_marker.value_or(Utf16Offset{}).value, number_at(expect, "last_marker"),
                  "last marker");
}

void expect_delivered(const json::Value& expect, std::string_view delivered) {
  expect_if_known(cases::sha256(delivered), string_at(expect, "delivered_sha256"), "hash");
  expect_if_known(measure(delivered).utf16.value, number_at(expect, "delivered_utf16_units"),
                  "length");
  expect_if_known(delivered, string_at(expect, "delivered_text"), "text");
}

TEST(Cases, Cuts) {
  const cases::File file("cuts.json");
  EXPECT_EQ(file.cases().size(), 17U);
  for (const cases::Case& c : file.cases()) {
    SCOPED_TRACE(c.id + ": " + c.about);
    const std::string text = text_of(c.input);
    const Budget budget = budget_of(c.input);
    const Place whole = measure(text);
    const std::optional<Cut> cut_of = cut(text, whole, budget);
    EXPECT_EQ(cut_of.has_value(), bool_at(c.expect, "cut"));

    const Place at = cut_of ? cut_of->at : whole;
    const std::string_view kept = std::string_view(text).substr(0, at.bytes.value);
    const std::string_view lost = std::string_view(text).substr(at.bytes.value);
    EXPECT_EQ(at, place_in(c.expect.find("kept").value()));
    if (const auto expected = c.expect.find("lost"))
      expect_lost(*expected, cut_of ? cut_of->lost : Place{}, whole, budget.unit);
    EXPECT_EQ(cut_of && cut_of->marker, string_at(c.expect, "marker").has_value());
    EXPECT_EQ(cut_of && cut_of->pair_protected, bool_at(c.expect, "pair_protected"));
    EXPECT_TRUE(kept.ends_with(string_at(c.expect, "kept_ends_with").value_or("")));
    EXPECT_TRUE(lost.starts_with(string_at(c.expect, "lost_begins_with").value_or("")));
    expect_delivered(c.expect, delivered(text, cut_of, budget));
    expect_samples(c.expect, kept);
  }
}

/// Those with a text and a limit; what comes as JSON belongs to the reader of JSON.
TEST(Cases, EncodingOfTexts) {
  const cases::File file("encoding.json");
  std::map<std::string, int> seen;
  for (const cases::Case& c : file.cases()) {
    if (!c.input.find("text")) continue;
    SCOPED_TRACE(c.id + ": " + c.about);
    const std::string text = text_of(c.input);
    const Budget budget{.size = number_at(c.input, "limit").value(), .marker = kClaudeMarker};
    const std::optional<Cut> cut_of = cut(text, measure(text), budget);
    const std::string arrives = string_at(c.expect, "arrives").value();
    ++seen[arrives];
    EXPECT_EQ(cut_of.has_value(), arrives == "cut");
    expect_delivered(c.expect, delivered(text, cut_of, budget));
    if (!cut_of) continue;
    EXPECT_EQ(cut_of->at.utf16.value, number_at(c.expect, "kept_utf16_units"));
    EXPECT_EQ(name(cut_of->splits), string_at(c.expect, "splits"));
    const std::string_view kept = std::string_view(text).substr(0, cut_of->at.bytes.value);
    const std::string_view lost = std::string_view(text).substr(cut_of->at.bytes.value);
    EXPECT_TRUE(kept.ends_with(from_hex(*string_at(c.expect, "kept_ends_with_hex"))));
    EXPECT_TRUE(lost.starts_with(from_hex(*string_at(c.expect, "lost_begins_with_hex"))));
  }
  EXPECT_EQ(seen, (std::map<std::string, int>{{"cut", 3}, {"unchanged", 3}}));
}

TEST(Cases, InvalidUtf8) {
  const cases::File file("encoding.json");
  int seen = 0;
  for (const cases::Case& c : file.cases()) {
    const std::optional<std::string> hex = string_at(c.input, "hex");
    if (!hex) continue;
    SCOPED_TRACE(c.id + ": " + c.about);
    ++seen;
    const Repaired repaired = repair_utf8(from_hex(*hex));
    ASSERT_FALSE(repaired.invalid_at.empty());
    EXPECT_EQ(repaired.invalid_at[0].value, number_at(c.expect, "invalid_at_byte"));
    EXPECT_EQ(repaired.text, string_at(c.expect, "repaired"));
  }
  EXPECT_EQ(seen, 1);
}

/// Compares every text below `value` that has a hash beside it; returns how many there are.
std::size_t expect_hashes(const json::Value& value) {
  std::size_t texts = 0;
  if (value.is(json::Type::kArray))
    for (const json::Value& element : value.elements()) texts += expect_hashes(element);
  if (!value.is(json::Type::kObject)) return texts;
  if (value.find("sha256") && (value.find("generate") || value.find("literal"))) {
    EXPECT_EQ(cases::sha256(cases::text(value)), string_at(value, "sha256"));
    return 1;
  }
  for (const json::Value::Member& member : value.members()) texts += expect_hashes(member.value);
  return texts;
}

TEST(Cases, AllTextsHaveTheirHashes) {
  std::size_t texts = 0;
  for (const char* name : {"channels.json", "cuts.json", "encoding.json", "limit-variable.json",
                           "names.json", "placement.json", "probe.json", "real-servers.json",
                           "rules.json", "schemas.json", "servers.json", "timing.json"}) {
    const cases::File file(name);
    for (const cases::Case& c : file.cases()) {
      SCOPED_TRACE(std::string(name) + " " + c.id);
      texts += expect_hashes(c.input);
    }
  }
  EXPECT_EQ(texts, 64U);
}

}  // namespace
}  // namespace cutline::text
