// interview_test.cc: the ways through both eras, on a scripted server and clock.
#include "mcp/interview.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scripted_server.h"

namespace cutline::mcp {
namespace {

using namespace scripted;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

InterviewOptions in(EraWish era) { return {.era = era, .limits = {}}; }

std::vector<std::string> codes(const Offer& offer) {
  std::vector<std::string> all;
  for (const Incident& incident : offer.incidents) all.push_back(incident.code);
  return all;
}

std::string instructions(const std::optional<EraOffer>& era) {
  return era && era->instructions ? era->instructions->value : "";
}

TEST(Interview, SaysWhoItIsInBothEras) {
  const Held held = hold(dual_server());
  ASSERT_GE(held.lines.size(), 4u);
  EXPECT_EQ(held.lines[0],
            R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{)"
            R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
            R"("io.modelcontextprotocol/clientInfo":{"name":"cutline","version":"0.1.0"},)"
            R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
  EXPECT_THAT(held.lines[1], HasSubstr(R"("id":2,"method":"tools/list","params":{"_meta":{"io.)"));
  EXPECT_EQ(held.lines[2], R"({"jsonrpc":"2.0","id":3,"method":"initialize","params":{)"
                           R"("protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"cutline","version":"0.1.0"}}})");
  EXPECT_EQ(held.lines[3], R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  EXPECT_EQ(held.lines[4], R"({"jsonrpc":"2.0","id":4,"method":"tools/list"})");
}

TEST(Interview, TakesBothTextsOfADualServer) {
  const Held held = hold(dual_server());
  EXPECT_THAT(held.sent, ElementsAre("1:server/discover", "1:tools/list", "1:initialize",
                                     "1:notifications/initialized", "1:tools/list"));
  EXPECT_EQ(held.offer.outcome, Outcome::kServes);
  EXPECT_EQ(held.offer.outcome_detail,
            "it speaks 2026-07-28 (server/discover) and 2025-11-25 (initialize)");
  EXPECT_EQ(instructions(held.offer.modern), "the modern text");
  EXPECT_EQ(instructions(held.offer.legacy), "the legacy text");
  EXPECT_EQ(held.offer.modern->tools.size(), 1u);
  EXPECT_EQ(held.offer.legacy->tools.size(), 1u);
  EXPECT_EQ(held.offer.modern->server, (Identity{.name = "shelf", .version = "1.2", .title = {}}));
  EXPECT_EQ(held.offer.probe.answer, ProbeAnswer::kModern);
  EXPECT_THAT(held.offer.incidents, IsEmpty());
}

/// How a server that answered server/discover takes initialize, by life.
struct Second {
  const char* what;
  Reaction initialize;
  std::vector<std::string> sent_after_lists;
  std::string legacy_text;
  std::vector<std::string> incidents;
};

TEST(Interview, AsksTheSecondEraInAProcessOfItsOwnWhereItMust) {
  const Reaction good = legacy_server().on["initialize"];
  const Reaction locked = error(-32022, R"({"supported":["2026-07-28"]})");
  const std::vector<std::string> in_second = {"1:initialize", "2:initialize",
                                              "2:notifications/initialized", "2:tools/list"};
  const std::vector<std::string> in_vain = {"1:initialize", "2:initialize"};
  for (const Second& c : std::vector<Second>{
           {"locked", in_first_life(locked, good), in_second, "the legacy text", {}},
           {"silent", in_first_life(silence(), good), in_second, "the legacy text", {}},
           {"dies", in_first_life(exits(1), good), in_second, "the legacy text", {}},
           {"other error", in_first_life(error(-32000), good), in_second, "the legacy text", {}},
           {"modern only", locked, in_vain, "", {}},
           {"method not found", error(-32601), in_vain, "", {}},
           {"always silent", silence(), in_vain, "", {"initialize-unanswered"}},
           {"always dies", exits(1), in_vain, "", {"initialize-unanswered"}},
       }) {
    SCOPED_TRACE(c.what);
    Server server = modern_server();
    server.on["initialize"] = c.initialize;
    const Held held = hold(server);
    EXPECT_EQ(std::vector<std::string>(held.sent.begin() + 2, held.sent.end()), c.sent_after_lists);
    EXPECT_EQ(held.offer.outcome, Outcome::kServes);
    EXPECT_EQ(instructions(held.offer.modern), "the modern text");
    EXPECT_EQ(instructions(held.offer.legacy), c.legacy_text);
    EXPECT_EQ(codes(held.offer), c.incidents);
    EXPECT_EQ(held.offer.times.process_starts, 2u);
    EXPECT_LT(held.offer.times.total, std::chrono::seconds(14));
  }
}

TEST(Interview, AsksOnlyWhatIsWished) {
  const Held automatic = hold(dual_server(), in(EraWish::kAuto));
  EXPECT_THAT(automatic.sent, ElementsAre("1:server/discover", "1:tools/list"));
  const Held legacy = hold(dual_server(), in(EraWish::kLegacy));
  EXPECT_THAT(legacy.sent,
              ElementsAre("1:initialize", "1:notifications/initialized", "1:tools/list"));
  EXPECT_EQ(legacy.offer.probe.answer, ProbeAnswer::kNotAsked);
  const Held modern = hold(dual_server(), in(EraWish::kModern));
  EXPECT_THAT(modern.sent, ElementsAre("1:server/discover", "1:tools/list"));

  const Held refused = hold(legacy_server(), in(EraWish::kModern));
  EXPECT_EQ(refused.offer.outcome, Outcome::kRefuses);
  EXPECT_EQ(refused.offer.outcome_detail, "it answers server/discover with error -32601 (“no”)");
  const Held old = hold(modern_server(), in(EraWish::kLegacy));
  EXPECT_EQ(old.offer.outcome, Outcome::kRefuses);
  EXPECT_EQ(old.offer.outcome_detail, "it answers initialize with error -32022 (“no”)");
  EXPECT_THAT(old.sent, ElementsAre("1:initialize"));
}

TEST(Interview, KModernGivesAllTheTimeThereIs) {
  Server server = modern_server();
  server.on["server/discover"] = late(milliseconds(30'000), server.on["server/discover"]);
  EXPECT_EQ(hold(server, in(EraWish::kModern)).offer.outcome, Outcome::kServes);
}

TEST(Interview, KnowsTheLegacyVersionsAndNoOthers) {
  for (const char* version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    Server server = legacy_server();
    server.on["initialize"] = result(initialize_result(version, R"("x")"));
    const Held held = hold(server);
    ASSERT_TRUE(held.offer.legacy) << version;
    EXPECT_EQ(held.offer.legacy->protocol_version, version);
    EXPECT_THAT(held.offer.incidents, IsEmpty());
  }
  for (const char* version : {"2027-01-01", "2026-07-28", "", "1"}) {
    Server server = legacy_server();
    server.on["initialize"] = result(initialize_result(version, R"("x")"));
    const Held held = hold(server);
    EXPECT_FALSE(held.offer.legacy) << version;
    EXPECT_EQ(held.offer.outcome, Outcome::kRefuses);
    EXPECT_THAT(held.offer.outcome_detail,
                StartsWith("it answers initialize with protocol version"));
    EXPECT_THAT(codes(held.offer), ElementsAre("version-unknown"));
  }
}

TEST(Interview, ProbesAgainWhenInitializeIsRefusedForItsVersion) {
  Server server = modern_server();
  // Answers the first request with an error, whatever it is.
  server.on["server/discover"] = [good = server.on["server/discover"]](const Call& call) {
    return call.position == 1 ? error(-32600)(call) : good(call);
  };
  const Held held = hold(server);
  EXPECT_THAT(held.sent, ElementsAre("1:server/discover", "1:initialize", "1:server/discover",
                                     "1:tools/list", "2:initialize"));
  EXPECT_EQ(held.offer.outcome, Outcome::kServes);
  EXPECT_EQ(held.offer.probe.answer, ProbeAnswer::kError);

  server.on["server/discover"] = error(-32600);
  const Held in_vain = hold(server);
  EXPECT_EQ(in_vain.offer.outcome, Outcome::kRefuses);
  EXPECT_EQ(in_vain.offer.outcome_detail,
            "it answers initialize with error -32022 (“no”), and it answers server/discover with "
            "error -32600 (“no”)");
}

TEST(Interview, SaysWhatWasRefusedWhereTheSecondProbeIsNotAnswered) {
  Server server = modern_server();
  server.on["server/discover"] = in_first_life(
      [](const Call& call) { return call.position == 1 ? error(-32600)(call) : Actions{}; },
      silence());
  const Held held = hold(server);
  EXPECT_EQ(held.offer.outcome, Outcome::kRefuses);
  EXPECT_EQ(
      held.offer.outcome_detail,
      "it answers initialize with error -32022 (“no”), and no answer to server/discover within "
      "10.0 s");
}

TEST(Interview, LearnsTheLegacyTextOfAServerWithAVersionFromTheFuture) {
  for (const Reaction& probe : {error(-32022, R"({"supported":["2027-01-01"]})"),
                                result(discover_result(R"(["2027-01-01"])", R"("future")"))}) {
    Server server = legacy_server();
    server.on["server/discover"] = probe;
    const Held both = hold(server);
    EXPECT_EQ(both.offer.outcome, Outcome::kServes);
    EXPECT_EQ(both.offer.probe.answer, ProbeAnswer::kOtherVersion);
    EXPECT_THAT(both.offer.probe.versions, ElementsAre("2027-01-01"));
    EXPECT_EQ(instructions(both.offer.legacy), "the legacy text");
    EXPECT_FALSE(both.offer.modern);
    const Held automatic = hold(server, in(EraWish::kAuto));
    EXPECT_THAT(automatic.sent, ElementsAre("1:server/discover"));
    EXPECT_EQ(automatic.offer.outcome, Outcome::kRefuses);
  }
}

TEST(Interview, TriesOnceMoreWhereARefusalNamesOurVersion) {
  const Reaction refusal = error(-32022, R"({"supported":["2026-07-28","2025-11-25"]})");
  Server server = dual_server();
  server.on["server/discover"] = [good = server.on["server/discover"], refusal](const Call& call) {
    return call.position == 1 ? refusal(call) : good(call);
  };
  EXPECT_THAT(hold(server, in(EraWish::kAuto)).sent,
              ElementsAre("1:server/discover", "1:server/discover", "1:tools/list"));
  server.on["server/discover"] = refusal;
  const Held held = hold(server, in(EraWish::kAuto));
  EXPECT_THAT(held.sent, ElementsAre("1:server/discover", "1:server/discover"));
  EXPECT_EQ(held.offer.outcome, Outcome::kRefuses);
}

TEST(Interview, AcceptsALateAnswerToTheProbe) {
  Server server = dual_server();
  server.on["server/discover"] = late(milliseconds(12'000), server.on["server/discover"]);
  server.on["tools/list"] = late(milliseconds(3'000), server.on["tools/list"]);
  const Held automatic = hold(server, in(EraWish::kAuto));
  EXPECT_TRUE(automatic.offer.legacy);
  EXPECT_FALSE(automatic.offer.modern);
  EXPECT_EQ(automatic.offer.probe.answer, ProbeAnswer::kSilence);
  EXPECT_EQ(automatic.offer.probe.elapsed, std::chrono::seconds(10));
  EXPECT_THAT(codes(automatic.offer), ElementsAre("late-discover"));

  const Held both = hold(server);
  EXPECT_EQ(instructions(both.offer.modern), "the modern text");
  EXPECT_EQ(instructions(both.offer.legacy), "the legacy text");

  // Where initialize comes to nothing it is all there is.
  for (const Reaction& initialize : {silence(), error(-32601), error(-32022)}) {
    server.on["initialize"] = initialize;
    const Held modern = hold(server, in(EraWish::kAuto));
    EXPECT_EQ(modern.offer.outcome, Outcome::kServes) << modern.offer.outcome_detail;
    EXPECT_EQ(instructions(modern.offer.modern), "the modern text");
  }
}

TEST(Interview, StartsAServerAnewThatDiesOfTheProbe) {
  struct Case {
    const char* what;
    Reaction probe;
    ProbeAnswer answer;
    std::vector<std::string> incidents;
  };
  const Reaction nameless =
      line(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no"}})");
  for (const Case& c : std::vector<Case>{
           {"exit", exits(1), ProbeAnswer::kExit, {}},
           {"closed output", closes(), ProbeAnswer::kExit, {}},
           {"error and exit",
            then(error(-32602), exits(0)),
            ProbeAnswer::kError,
            {"died-after-probe"}},
           {"error without id and exit", then(nameless, exits(1)), ProbeAnswer::kExit, {"null-id"}},
           {"error without id, later exit",
            then(nameless, late(milliseconds(2'000), exits(1))),
            ProbeAnswer::kExit,
            {"null-id"}},
           {"late exit", late(milliseconds(9'000), exits(1)), ProbeAnswer::kExit, {}},
       }) {
    SCOPED_TRACE(c.what);
    Server server = legacy_server();
    server.on["server/discover"] = c.probe;
    server.on["initialize"] = in_first_life(silence(), server.on["initialize"]);
    const Held held = hold(server);
    EXPECT_EQ(held.offer.outcome, Outcome::kServes) << held.offer.outcome_detail;
    EXPECT_EQ(held.offer.times.process_starts, 2u);
    EXPECT_EQ(held.offer.probe.answer, c.answer);
    EXPECT_EQ(codes(held.offer), c.incidents);
    EXPECT_EQ(std::ranges::count(held.sent, "2:server/discover"), 0);
    EXPECT_EQ(instructions(held.offer.legacy), "the legacy text");
  }
}

TEST(Interview, AnswersTheServer) {
  Server server = legacy_server();
  server.on["initialize"] =
      then(line(R"({"jsonrpc":"2.0","id":"p","method":"ping"})"), server.on["initialize"]);
  server.on["tools/list"] =
      then(line(R"({"jsonrpc":"2.0","id":7,"method":"roots/list"})"), server.on["tools/list"]);
  // One page more, so that there is time to answer.
  server.on["tools/list"] = [good = server.on["tools/list"]](const Call& call) {
    if (call.line.find("cursor") != std::string::npos) return result(R"({"tools":[]})")(call);
    Actions actions = good(call);
    actions.back().bytes = wire::result_line(call.id, R"({"tools":[],"nextCursor":""})");
    return actions;
  };
  const Held held = hold(server);
  EXPECT_THAT(held.lines, testing::Contains(R"({"jsonrpc":"2.0","id":"p","result":{}})"));
  EXPECT_THAT(
      held.lines,
      testing::Contains(
          R"({"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found"}})"));
  EXPECT_THAT(held.offer.incidents, IsEmpty());
}

TEST(Interview, SaysNothingToAModernServerThatAsks) {
  Server server = modern_server();
  server.on["tools/list"] =
      then(line(R"({"jsonrpc":"2.0","id":"p","method":"ping"})"
                "\n"
                R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})"),
           server.on["tools/list"]);
  const Held held = hold(server, in(EraWish::kAuto));
  EXPECT_THAT(held.sent, ElementsAre("1:server/discover", "1:tools/list"));
  EXPECT_THAT(codes(held.offer), ElementsAre("server-request", "unasked-notification"));
}

TEST(Interview, MeasuresFromTheStartOfTheProcessThatAnswers) {
  Server server = dual_server();
  server.on["server/discover"] = late(milliseconds(300), server.on["server/discover"]);
  server.on["initialize"] = late(milliseconds(40), server.on["initialize"]);
  server.on["tools/list"] = late(milliseconds(500), server.on["tools/list"]);
  const Times dual = hold(server).offer.times;
  EXPECT_EQ(dual.first_answer, milliseconds(300));
  EXPECT_EQ(dual.probe, milliseconds(300));
  EXPECT_EQ(dual.handshake, milliseconds(340));  // without the modern lists
  EXPECT_EQ(dual.lists, milliseconds(800));
  EXPECT_EQ(dual.total, milliseconds(300 + 500 + 40 + 500));

  server.on["server/discover"] = late(milliseconds(100), exits(1));
  const Offer second = hold(server).offer;
  EXPECT_EQ(second.probe.elapsed, milliseconds(100));
  EXPECT_EQ(second.times.probe, std::nullopt);
  EXPECT_EQ(second.times.first_answer, milliseconds(40));
  EXPECT_EQ(second.times.handshake, milliseconds(40));
  EXPECT_EQ(second.times.total, milliseconds(100 + 7 + 40 + 500));
}

TEST(Interview, ATotalTimeHoldsOverAllLives) {
  InterviewOptions options;
  options.limits.total_timeout = milliseconds(15'000);
  Server server = legacy_server();
  server.on["server/discover"] = late(milliseconds(9'000), exits(1));
  server.on["initialize"] = silence();
  const Held held = hold(server, options);
  EXPECT_EQ(held.offer.outcome, Outcome::kHangs);
  EXPECT_EQ(held.offer.times.total, milliseconds(15'000));
  EXPECT_EQ(held.offer.outcome_detail,
            "no answer to initialize within 6.0 s; nothing came on its standard output");
}

TEST(Interview, MayBeInterrupted) {
  Interview interview({}, Time{});
  interview.received("hello\n", Time{});
  const Offer offer = interview.take_offer(Time{} + milliseconds(2'100));
  EXPECT_EQ(offer.outcome, Outcome::kHangs);
  EXPECT_EQ(offer.outcome_detail, "interrupted after 2.1 s while server/discover was waited for");
  EXPECT_EQ(offer.times.process_starts, 1u);
  EXPECT_THAT(codes(offer), ElementsAre("noise-on-stdout"));
}

TEST(EraWish, HasNames) {
  for (const EraWish wish : {EraWish::kAuto, EraWish::kBoth, EraWish::kLegacy, EraWish::kModern})
    EXPECT_EQ(era_wish_named(name(wish)), wish);
  EXPECT_EQ(era_wish_named("dual"), std::nullopt);
}

}  // namespace
}  // namespace cutline::mcp
