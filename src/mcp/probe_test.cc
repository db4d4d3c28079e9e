// probe_test.cc: what follows from each answer to server/discover.
#include "mcp/probe.h"

#include <gtest/gtest.h>

namespace cutline::mcp {
namespace {

ProbeVerdict judge(std::string_view rest) {
  const std::string line = R"({"jsonrpc":"2.0","id":1,)" + std::string(rest) + "}";
  return judge_probe(wire::parse_line(line).at(0));
}

std::string error(std::int64_t code, std::string_view data = {}) {
  std::string json = R"("error":{"code":)" + std::to_string(code) + R"(,"message":"no")";
  if (!data.empty()) json += R"(,"data":)" + std::string(data);
  return json + "}";
}

std::string versions(std::string_view array) {
  return R"("result":{"supportedVersions":)" + std::string(array) + "}";
}

TEST(JudgeProbe, TellsModernFromTheRest) {
  struct Case {
    std::string answer;
    ProbeAnswer expected;
  };
  using enum ProbeAnswer;
  const std::string ours = R"({"supported":["2026-07-28"]})";
  const std::string legacy = R"({"supported":["2024-11-05","2025-11-25"]})";
  const std::string future = R"({"supported":["2027-01-01"]})";
  for (const Case& c : std::vector<Case>{
           // Which of the versions comes first says nothing.
           {versions(R"(["2026-07-28"])"), kModern},
           {versions(R"(["2024-11-05","2026-07-28"])"), kModern},
           {versions(R"(["2027-01-01","2026-07-28"])"), kModern},
           {versions(R"(["2025-06-18"])"), kLegacyOnly},
           {versions(R"(["2027-01-01","2025-11-25"])"), kLegacyOnly},
           {versions(R"(["2027-01-01"])"), kOtherVersion},
           {versions(R"([""])"), kOtherVersion},
           {versions("[]"), kWrongShape},
           {versions(R"("2026-07-28")"), kWrongShape},
           {versions(R"(["2026-07-28",null])"), kWrongShape},
           {R"("result":{})", kWrongShape},
           {R"("result":[])", kWrongShape},
           {R"("result":"2026-07-28")", kWrongShape},
           {R"("result":null)", kWrongShape},
           {R"("result":{"protocolVersions":["2026-07-28"]})", kWrongShape},

           {error(-32601), kError},
           {error(-32602), kError},
           {error(-32600), kError},
           {error(-32000), kError},
           {error(-32021), kError},
           {error(0), kError},
           {error(-32022, ours), kModern},
           {error(-32022, legacy), kLegacyOnly},
           {error(-32022, future), kOtherVersion},
           {error(-32022), kError},
           {error(-32022, R"({"supported":"2026-07-28"})"), kError},
           {error(-32022, R"({"supported":[1]})"), kError},
           {error(-32022, R"({"supported":[]})"), kError},
           {error(-32022, "7"), kError},
           // The draft's numbers mean other things elsewhere.
           {error(-32004), kError},
           {error(-32001, R"({"timeout":true})"), kError},
           {error(-32004, legacy), kLegacyOnly},
           {error(-32001, future), kOtherVersion},
           {error(-32003, ours), kModern},
           // Versions alone make no refusal.
           {error(-32602, ours), kError},
       }) {
    EXPECT_EQ(name(judge(c.answer).answer), name(c.expected)) << c.answer;
  }
}

TEST(JudgeProbe, KeepsWhatTheAnswerSaid) {
  const ProbeVerdict refusal = judge(error(-32022, R"({"supported":["2027-01-01"]})"));
  EXPECT_EQ(refusal.error_code, -32022);
  EXPECT_EQ(refusal.versions, std::vector<std::string>{"2027-01-01"});
  EXPECT_EQ(refusal.flaw, "");
  EXPECT_EQ(judge(R"("result":"x")").flaw, "it is a string, not an object");
  EXPECT_EQ(judge(R"("result":"x")").error_code, std::nullopt);
}

}  // namespace
}  // namespace cutline::mcp
