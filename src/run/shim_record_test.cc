// shim_record_test.cc: the offer that was recorded is the offer that an audit takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mcp/requests.h"
#include "run/audit.h"
#include "run/shim.h"
#include "run/shim_fixture.h"

namespace cutline::run {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Recorded : public ShimTest {
 protected:
  static mcp::Offer audited(const sys::Command& command) {
    AuditOptions options;
    options.interview.limits.probe_timeout = 2s;
    return audit(command, options).value().offer;
  }
};

TEST_F(Recorded, OfferIsThatOfAnAudit) {
  const std::vector<std::vector<std::string>> labs = {
      {"instructions=english:5859"},
      {"instructions=japanese:3000", "era=modern"},
      {"instructions=emoji:500", "discover-instructions=mixed:700", "era=dual", "tools=25",
       "page-size=10"},
      {"instructions=none", "tools=0"},
      {"fault=server/discover=exit"},
  };
  for (const std::vector<std::string>& settings : labs) {
    SCOPED_TRACE(testing::PrintToString(settings));
    std::filesystem::remove(log_path());
    sys::Command bare;
    bare.argv = lab(settings);
    const mcp::Offer without = audited(bare);
    const mcp::Offer with = audited(shim(lab(settings)));
    EXPECT_EQ(with.outcome, without.outcome);
    EXPECT_EQ(with.legacy, without.legacy);
    EXPECT_EQ(with.modern, without.modern);
    EXPECT_EQ(with.incidents, without.incidents);
    EXPECT_EQ(with.exit, without.exit);
    EXPECT_EQ(with.probe.answer, without.probe.answer);

    const mcp::Offer recorded = recorded_offer(log(), "lab").value();
    EXPECT_EQ(recorded.outcome, with.outcome);
    EXPECT_EQ(recorded.legacy, with.legacy);
    EXPECT_EQ(recorded.modern, with.modern);
    EXPECT_EQ(recorded.probe.answer, with.probe.answer);
    EXPECT_EQ(recorded.probe.error_code, with.probe.error_code);
    EXPECT_EQ(recorded.times.process_starts, with.times.process_starts);
  }
}

TEST_F(Recorded, TellsThatAServerWasNeverStarted) {
  audited(shim(lab({})));
  EXPECT_EQ(recorded_offer(log(), "other").error().code, "run.not_started");
  EXPECT_EQ(recorded_handshake(log(), "other").process_starts, 0U);
}

// --- Conversations as clients have them ----------------------------------------------------------

constexpr std::string_view kInitializeAnswer =
    R"("result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
    R"("serverInfo":{"name":"s","version":"1"},"instructions":"Legacy."}})";
constexpr std::string_view kDiscoverAnswer =
    R"("result":{"resultType":"complete","supportedVersions":["2026-07-28"],)"
    R"("capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":)"
    R"({"name":"s","version":"1"}},"serverInfo":{"name":"s","version":"1"},)"
    R"("instructions":"Modern."}})";

class Talk {
 public:
  Talk& start() {
    ++process_;
    return add("started", "");
  }
  Talk& ask(int id, std::string_view method, std::string_view params = "{}") {
    return add("client", R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" +
                             std::string(method) + R"(","params":)" + std::string(params) + "}");
  }
  Talk& answer(int id, std::string_view rest) {
    return add("server",
               R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + "," + std::string(rest));
  }
  Talk& tools(int id, std::string_view names, std::string_view more = "") {
    return answer(id,
                  R"("result":{"tools":[)" + std::string(names) + "]" + std::string(more) + "}}");
  }
  const std::vector<store::Message>& messages() const { return messages_; }

 private:
  Talk& add(std::string_view direction, std::string line) {
    messages_.push_back({.at_us = at_us_ += 1'000,
                         .server = "s",
                         .process = process_,
                         .direction = std::string(direction),
                         .line = std::move(line)});
    return *this;
  }

  std::vector<store::Message> messages_;
  std::int64_t at_us_ = 0, process_ = 0;
};

TEST(RecordedHandshake, IsWhatTheClientDid) {
  const Talk modern = Talk().start().ask(1, "server/discover").answer(1, kDiscoverAnswer);
  EXPECT_EQ(recorded_handshake(modern.messages(), "s").handshake, "server/discover");
  EXPECT_EQ(recorded_handshake(modern.messages(), "s").era, mcp::Era::kModern);
  EXPECT_EQ(recorded_handshake(modern.messages(), "s").ready_us, 3'000);

  const Talk refused = Talk()
                           .start()
                           .ask(1, "server/discover")
                           .answer(1, R"("error":{"code":-32601,"message":"no"}})")
                           .ask(2, "initialize")
                           .answer(2, kInitializeAnswer);
  EXPECT_EQ(recorded_handshake(refused.messages(), "s").handshake,
            "server/discover, then initialize");
  EXPECT_EQ(recorded_handshake(refused.messages(), "s").era, mcp::Era::kLegacy);
  EXPECT_EQ(recorded_handshake(refused.messages(), "s").ready_us, 5'000);
  const mcp::Offer offer = recorded_offer(refused.messages(), "s").value();
  EXPECT_EQ(offer.probe.answer, mcp::ProbeAnswer::kError);
  EXPECT_EQ(offer.probe.error_code, -32601);
  EXPECT_FALSE(offer.modern);
  EXPECT_EQ(offer.times.handshake, 4ms);

  const Talk restarted = Talk()
                             .start()
                             .ask(1, "server/discover")
                             .start()
                             .ask(1, "initialize")
                             .answer(1, kInitializeAnswer);
  EXPECT_EQ(recorded_handshake(restarted.messages(), "s").process_starts, 2U);
  EXPECT_EQ(recorded_offer(restarted.messages(), "s")->probe.answer, mcp::ProbeAnswer::kExit);

  const Talk hangs = Talk().start().ask(1, "server/discover").ask(2, "initialize");
  EXPECT_EQ(recorded_handshake(hangs.messages(), "s").era, std::nullopt);
  const mcp::Offer none = recorded_offer(hangs.messages(), "s").value();
  EXPECT_EQ(none.any(), nullptr);
  EXPECT_EQ(none.probe.answer, mcp::ProbeAnswer::kSilence);
  EXPECT_THAT(none.outcome_detail, HasSubstr("neither"));
}

TEST(RecordedOffer, TakesWhatWasSaidLast) {
  const Talk talk = Talk()
                        .start()
                        .ask(1, "initialize")
                        .answer(1, kInitializeAnswer)
                        .ask(2, "tools/list")
                        .tools(2, R"({"name":"old"})", R"(,"nextCursor":"x")")
                        .ask(3, "tools/list", R"({"cursor":"x"})")
                        .tools(3, R"({"name":"older"})")
                        .ask(4, "tools/list")
                        .tools(4, R"({"name":"a"})", R"(,"nextCursor":"y")")
                        .answer(99, R"("result":{"tools":[{"name":"asked by nobody"}]}})")
                        .ask(5, "tools/list", R"({"cursor":"y"})")
                        .tools(5, R"({"name":"b"})");
  const mcp::Offer offer = recorded_offer(talk.messages(), "s").value();
  ASSERT_EQ(offer.legacy->tools.size(), 2U);
  EXPECT_EQ(offer.legacy->tools[0].name, "a");
  EXPECT_EQ(offer.legacy->tools[1].name, "b");
  EXPECT_EQ(offer.legacy->instructions->value, "Legacy.");
  EXPECT_FALSE(offer.legacy->tools_problem);
}

TEST(RecordedOffer, KeepsErasApart) {
  const std::string modern_params = mcp::list_params(mcp::Era::kModern, "");
  const Talk talk = Talk()
                        .start()
                        .ask(1, "server/discover")
                        .answer(1, kDiscoverAnswer)
                        .ask(2, "tools/list", modern_params)
                        .tools(2, R"({"name":"new"})", R"(,"resultType":"complete")")
                        .start()
                        .ask(1, "initialize")
                        .answer(1, kInitializeAnswer)
                        .ask(2, "tools/list")
                        .tools(2, R"({"name":"old"})");
  const mcp::Offer offer = recorded_offer(talk.messages(), "s").value();
  EXPECT_EQ(offer.modern->tools.at(0).name, "new");
  EXPECT_EQ(offer.legacy->tools.at(0).name, "old");
  EXPECT_EQ(offer.modern->instructions->value, "Modern.");
}

}  // namespace
}  // namespace cutline::run
