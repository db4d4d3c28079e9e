// interview_cases_test.cc: tests/cases/probe.json: what a correct client makes of each answer to
// server/discover.
#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/scripted_server.h"

namespace cutline::mcp {
namespace {

using scripted::Reaction;
using scripted::Server;

std::string member(const json::Value& object, std::string_view key) {
  return json::string_member(object, key).value_or("");
}

std::string raw_member(const json::Value& object, std::string_view key) {
  const auto value = object.find(key);
  return value ? std::string(value->raw()) : std::string();
}

std::int64_t integer_member(const json::Value& object, std::string_view key) {
  return object.find(key)->int64().value();
}

std::string text_if(const json::Value& object, std::string_view text) {
  const auto wanted = object.find("instructions");
  return wanted && wanted->boolean() ? '"' + std::string(text) + '"' : std::string();
}

Reaction first_answer(const json::Value& answer) {
  const std::string kind = member(answer, "kind");
  if (kind == "error")
    return scripted::error(integer_member(answer, "code"), raw_member(answer, "data"));
  if (kind == "silence") return scripted::silence();
  if (kind == "exit") return scripted::exits(static_cast<int>(integer_member(answer, "exit_code")));
  EXPECT_EQ(kind, "result") << "a kind that this test does not know";
  if (answer.find("body")) return scripted::result(raw_member(answer, "body"));
  return scripted::result(scripted::discover_result(raw_member(answer, "supportedVersions"),
                                                    text_if(answer, "from server/discover")));
}

Reaction initialize_answer(const json::Value& answer) {
  if (const auto code = answer.find("error")) return scripted::error(code->int64().value());
  return scripted::result(
      scripted::initialize_result(member(answer, "ok"), text_if(answer, "from initialize")));
}

/// The method of the second message, or "fail" if there was none.
std::string next_method(const std::vector<std::string>& sent) {
  return sent.size() < 2 ? "fail" : sent[1].substr(2);
}

void check(const cases::Case& c, const json::Value& expect) {
  Server server;
  server.on["server/discover"] = first_answer(*c.input.find("first_answer"));
  server.on["initialize"] = initialize_answer(*c.input.find("initialize"));
  server.on["tools/list"] = scripted::result(std::string(scripted::kTools));

  const scripted::Held held = scripted::hold(server, {.era = EraWish::kAuto, .limits = {}});
  const Offer& offer = held.offer;
  const std::string era = member(expect, "era");
  const std::string from = member(expect, "text_from");
  const std::optional<json::Value> connected = expect.find("connected");

  EXPECT_EQ(next_method(held.sent), member(expect, "next"));
  EXPECT_EQ(offer.times.process_starts, integer_member(expect, "process_starts"));
  // "modern" with next "fail" is a server of an era that nobody speaks yet.
  const bool serves = member(expect, "next") != "fail" && !(connected && !connected->boolean());
  EXPECT_EQ(offer.outcome == Outcome::kServes, serves) << offer.outcome_detail;
  EXPECT_EQ(offer.legacy.has_value(), serves && era == "legacy");
  EXPECT_EQ(offer.modern.has_value(), serves && era == "modern");
  if (!serves) {
    EXPECT_EQ(offer.outcome, Outcome::kRefuses);
  }

  const EraOffer* any = offer.any();
  if (from == "none") {
    EXPECT_FALSE(any && any->instructions);
  } else {
    ASSERT_TRUE(any && any->instructions);
    EXPECT_EQ(any->instructions->value, "from " + from);
  }
  if (const std::string finding = member(expect, "finding"); !finding.empty()) {
    ASSERT_EQ(offer.incidents.size(), 1u);
    EXPECT_EQ(offer.incidents[0].code, finding);
  }
}

TEST(InterviewCases, ACorrectClient) {
  const cases::File file("probe.json");
  std::size_t checked = 0;
  for (const cases::Case& c : file.cases()) {
    const auto expect = c.expect.find("correct_client");
    if (!expect) continue;
    SCOPED_TRACE(c.id);
    check(c, *expect);
    ++checked;
  }
  EXPECT_EQ(checked, 12u);
}

}  // namespace
}  // namespace cutline::mcp
