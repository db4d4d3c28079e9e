// server_test.cc: what the lab answers, by era, method and setting. The right answers are the
// protocol's and those of the official TypeScript servers, run with the same messages.
#include "lab/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "lab/asking.h"

namespace cutline::lab {
namespace {

using namespace asking;
using testing::HasSubstr;
using testing::StartsWith;

TEST(LegacyEra, AnswersInitialize) {
  Server lab = server({{"instructions", "english:1000"}});
  const Reply reply = ask(lab, legacy_initialize("2025-06-18"));
  EXPECT_EQ(reply.raw("|jsonrpc"), "\"2.0\"");
  EXPECT_EQ(reply.raw("|id"), "1");
  EXPECT_EQ(reply.text("|result|protocolVersion"), "2025-06-18");
  EXPECT_EQ(reply.text("|result|serverInfo|name"), "lab");
  EXPECT_EQ(reply.raw("|result|capabilities"), R"({"tools":{}})");
  EXPECT_EQ(reply.text("|result|instructions"), sample(1000, ""));
  EXPECT_EQ(reply.raw("|result|resultType"), "absent");
  EXPECT_EQ(reply.raw("|result|_meta"), "absent");
}

TEST(LegacyEra, NegotiatesTheVersion) {
  const std::pair<const char*, const char*> versions[] = {
      {"2024-11-05", "2024-11-05"}, {"2025-03-26", "2025-03-26"}, {"2025-06-18", "2025-06-18"},
      {"2025-11-25", "2025-11-25"}, {"2026-07-28", "2025-11-25"}, {"1", "2025-11-25"},
      {"", "2025-11-25"},
  };
  for (const char* era : {"legacy", "dual"}) {
    for (const auto& [asked, answered] : versions) {
      Server lab = server({{"era", era}});
      EXPECT_EQ(ask(lab, legacy_initialize(asked)).text("|result|protocolVersion"), answered);
    }
  }
  Server lab = server({});
  EXPECT_EQ(ask(lab, request("initialize")).text("|result|protocolVersion"), "2025-11-25");
}

TEST(LegacyEra, LeavesTheFieldOutWithoutInstructions) {
  Server lab = server({});
  EXPECT_EQ(ask(lab, legacy_initialize("2025-11-25")).raw("|result|instructions"), "absent");
}

TEST(LegacyEra, KnowsNoModernMethod) {
  Server lab = server({{"instructions", "english:1000"}});
  for (const std::string& line : {modern("server/discover"), request("server/discover"),
                                  request("prompts/list"), request("no/such"), modern("no/such")})
    EXPECT_EQ(ask(lab, line).raw("|error|code"), "-32601") << line;
}

TEST(LegacyEra, ServesBeforeInitializeAndIgnoresTheEnvelope) {
  Server lab = server({});
  EXPECT_EQ(ask(lab, request("tools/list")).size("|result|tools"), 3u);
  EXPECT_EQ(ask(lab, request("ping")).raw("|result"), "{}");
  const Reply enveloped = ask(lab, modern("tools/list"));
  EXPECT_EQ(enveloped.size("|result|tools"), 3u);
  EXPECT_EQ(enveloped.raw("|result|resultType"), "absent");
  EXPECT_EQ(enveloped.raw("|result|ttlMs"), "absent");
  EXPECT_EQ(ask(lab, modern("initialize", R"("protocolVersion":"2025-03-26")"))
                .text("|result|protocolVersion"),
            "2025-03-26");
}

TEST(ModernEra, DiscoversInFull) {
  Server lab = server({{"era", "modern"}, {"instructions", "english:1000"}, {"name", "shelf"}});
  const Reply reply = ask(lab, modern("server/discover", "", "\"server-discover-probe-1\""));
  EXPECT_EQ(reply.text("|id"), "server-discover-probe-1");
  EXPECT_EQ(reply.text("|result|resultType"), "complete");
  EXPECT_EQ(reply.raw("|result|supportedVersions"), R"(["2026-07-28"])");
  EXPECT_EQ(reply.raw("|result|capabilities"), R"({"tools":{}})");
  EXPECT_EQ(reply.raw("|result|ttlMs"), "0");
  EXPECT_EQ(reply.text("|result|cacheScope"), "private");
  EXPECT_EQ(reply.text("|result|instructions"), sample(1000, ""));
  EXPECT_EQ(reply.text("|result|_meta|io.modelcontextprotocol/serverInfo|name"), "shelf");
}

TEST(ModernEra, RefusesInitialize) {
  Server lab = server({{"era", "modern"}});
  const Reply bare = ask(lab, legacy_initialize("2025-11-25"));
  EXPECT_EQ(bare.raw("|error|code"), "-32022");
  EXPECT_EQ(bare.raw("|error|data|supported"), R"(["2026-07-28"])");
  EXPECT_EQ(bare.text("|error|data|requested"), "2025-11-25");
  EXPECT_EQ(ask(lab, modern("initialize")).raw("|error|code"), "-32601");
}

TEST(ModernEra, WantsTheWholeEnvelope) {
  struct Case {
    const char *params, *names, *names_not;
  };
  const char* const kVersion = "io.modelcontextprotocol/protocolVersion";
  const char* const kCapabilities = "io.modelcontextprotocol/clientCapabilities";
  for (const Case& c : {
           Case{"", kVersion, "clientInfo"},
           Case{"", kCapabilities, "clientInfo"},
           Case{R"("_meta":{})", kVersion, "clientInfo"},
           Case{R"("_meta":5)", kVersion, "clientInfo"},
           Case{R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})",
                kCapabilities, kVersion},
           Case{R"("_meta":{"io.modelcontextprotocol/clientCapabilities":{}})", kVersion,
                kCapabilities},
           Case{R"("_meta":{"io.modelcontextprotocol/protocolVersion":7,)"
                R"("io.modelcontextprotocol/clientCapabilities":{}})",
                kVersion, kCapabilities},
       }) {
    SCOPED_TRACE(c.params);
    Server lab = server({{"era", "modern"}});
    for (const char* method : {"server/discover", "tools/list", "tools/call", "ping"}) {
      const Reply reply = ask(lab, request(method, c.params));
      EXPECT_EQ(reply.raw("|error|code"), "-32602");
      EXPECT_THAT(reply.text("|error|message"), HasSubstr(c.names));
      EXPECT_THAT(reply.text("|error|message"), testing::Not(HasSubstr(c.names_not)));
    }
  }
}

TEST(ModernEra, ClientInfoIsNotRequired) {
  Server lab = server({{"era", "modern"}});
  const std::string line =
      request("tools/list", R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                            R"("io.modelcontextprotocol/clientCapabilities":{}})");
  EXPECT_EQ(ask(lab, line).size("|result|tools"), 3u);
}

TEST(ModernEra, RefusesUnknownVersions) {
  for (const char* era : {"modern", "dual"}) {
    Server lab = server({{"era", era}});
    const Reply reply =
        ask(lab, request("server/discover",
                         R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01",)"
                         R"("io.modelcontextprotocol/clientCapabilities":{}})"));
    EXPECT_EQ(reply.raw("|error|code"), "-32022");
    EXPECT_EQ(reply.raw("|error|data|supported"), R"(["2026-07-28"])");
    EXPECT_EQ(reply.text("|error|data|requested"), "2027-01-01");
  }
}

TEST(ModernEra, EveryResultSaysThatItIsComplete) {
  Server lab = server({{"era", "modern"}});
  const Reply list = ask(lab, modern("tools/list"));
  EXPECT_EQ(list.text("|result|resultType"), "complete");
  EXPECT_EQ(list.raw("|result|ttlMs"), "0");
  EXPECT_EQ(list.text("|result|cacheScope"), "private");
  const Reply call = ask(lab, modern("tools/call", R"("name":"lab_ping")"));
  EXPECT_EQ(call.text("|result|resultType"), "complete");
  EXPECT_EQ(call.text("|result|content|0|text"), "pong");
  EXPECT_EQ(ask(lab, modern("ping")).raw("|error|code"), "-32601");
}

TEST(DualEra, IsNeverLocked) {
  Server lab = server({{"era", "dual"},
                       {"instructions", "english:1000"},
                       {"discover-instructions", "english:1000"}});
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(ask(lab, modern("server/discover")).text("|result|instructions"),
              sample(1000, "discover"));
    EXPECT_EQ(ask(lab, legacy_initialize("2025-11-25")).text("|result|instructions"),
              sample(1000, ""));
    EXPECT_EQ(ask(lab, modern("tools/list")).text("|result|resultType"), "complete");
    EXPECT_EQ(ask(lab, request("tools/list")).raw("|result|resultType"), "absent");
    EXPECT_EQ(ask(lab, modern("initialize")).raw("|error|code"), "-32601");
    EXPECT_EQ(ask(lab, request("server/discover")).raw("|error|code"), "-32601");
    EXPECT_EQ(ask(lab, request("ping")).raw("|result"), "{}");
    EXPECT_EQ(ask(lab, modern("ping")).raw("|error|code"), "-32601");
  }
}

TEST(DualEra, SaysTheSameInBothUnlessTold) {
  Server lab = server({{"era", "dual"}, {"instructions", "english:1000"}});
  EXPECT_EQ(ask(lab, modern("server/discover")).text("|result|instructions"), sample(1000, ""));
}

TEST(DualEra, EitherMayBeSilent) {
  Server lab = server(
      {{"era", "dual"}, {"instructions", "english:1000"}, {"discover-instructions", "none"}});
  EXPECT_EQ(ask(lab, modern("server/discover")).raw("|result|instructions"), "absent");
  EXPECT_EQ(ask(lab, legacy_initialize("2025-11-25")).text("|result|instructions"),
            sample(1000, ""));
}

TEST(Messages, NothingAnswersWhatIsNoRequest) {
  Server lab = server({{"era", "dual"}});
  for (const char* line :
       {"", " ", "hello", "{", R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
        R"({"jsonrpc":"2.0","method":"ping"})", R"({"jsonrpc":"2.0","id":1,"result":{}})",
        R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}})", "5", "null", "[]",
        "\xff\xfe"})
    EXPECT_TRUE(lab.receive(line).empty()) << line;
}

TEST(Messages, IdsComeBackAsTheyWere) {
  Server lab = server({});
  for (const char* id : {"0", "-7", "\"a\\\"b\"", "\"\"", "12345678901234567890"})
    EXPECT_EQ(ask(lab, request("ping", "", id)).raw("|id"), id);
}

TEST(Messages, EachOfABatchIsAnswered) {
  Server lab = server({});
  const std::vector<Action> actions = lab.receive(
      "[" + request("ping", "", "1") + "," + notification("x") + "," + request("x", "", "2") + "]");
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_EQ(Reply(actions[0].bytes).raw("|result"), "{}");
  EXPECT_EQ(Reply(actions[1].bytes).raw("|error|code"), "-32601");
}

TEST(Messages, AnythingIsAnsweredInWholeLinesOrNotAtAll) {
  rc::check([](const std::string& junk, unsigned cut, bool is_modern) {
    Server lab = server({{"era", "dual"}, {"page-size", "1"}});
    std::string line =
        is_modern ? modern("tools/list", R"("cursor":"x")") : legacy_initialize("2025-11-25");
    line.replace(cut % line.size(), junk.size(), junk);
    for (const Action& action : lab.receive(line)) {
      RC_ASSERT(action.kind == Action::Kind::kSend);
      RC_ASSERT(action.bytes.find('\n') == action.bytes.size() - 1);
    }
  });
}

TEST(Tools, AreTheThreeOfTheReferenceLab) {
  Server lab = server({});
  const Reply reply = ask(lab, request("tools/list"));
  ASSERT_EQ(reply.size("|result|tools"), 3u);
  const char* const names[] = {"lookup_part", "list_bins", "lab_ping"};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string tool = "|result|tools|" + std::to_string(i);
    EXPECT_EQ(reply.text(tool + "|name"), names[i]);
    EXPECT_EQ(reply.text(tool + "|inputSchema|type"), "object");
    EXPECT_EQ(reply.raw(tool + "|annotations|readOnlyHint"), "true");
    EXPECT_GT(reply.text(tool + "|title").size(), 5u);
    EXPECT_GT(reply.text(tool + "|description").size(), 20u);
    EXPECT_LT(reply.text(tool + "|description").size(), 120u);
  }
  EXPECT_EQ(reply.raw("|result|tools|0|inputSchema|required"), R"(["part"])");
  EXPECT_EQ(reply.raw("|result|nextCursor"), "absent");
}

TEST(Tools, WorkWhenCalled) {
  struct Case {
    const char *params, *text, *is_error;
  };
  for (const Case& c : {
           Case{R"("name":"lab_ping")", "pong", "false"},
           Case{R"("name":"lab_ping","arguments":{"x":1})", "pong", "false"},
           Case{R"("name":"lookup_part","arguments":{"part":"BR-0420"})",
                "BR-0420: brass screw, short, 412 in bin 7", "false"},
           Case{R"("name":"lookup_part","arguments":{"part":"x\"y"})", "x\"y: no such part",
                "false"},
           Case{R"("name":"lookup_part","arguments":{"part":5})",
                "lookup_part needs the argument \"part\", a string", "true"},
           Case{R"("name":"lookup_part")", "lookup_part needs the argument \"part\", a string",
                "true"},
       }) {
    Server lab = server({});
    const Reply reply = ask(lab, request("tools/call", c.params));
    EXPECT_EQ(reply.text("|result|content|0|type"), "text");
    EXPECT_EQ(reply.text("|result|content|0|text"), c.text);
    EXPECT_EQ(reply.raw("|result|isError"), c.is_error);
  }
  Server lab = server({});
  EXPECT_THAT(
      ask(lab, request("tools/call", R"("name":"list_bins")")).text("|result|content|0|text"),
      StartsWith("bin 7: BR-0420"));
  for (const char* params : {"", R"("name":"lookup_prt")", R"("name":5)"})
    EXPECT_EQ(ask(lab, request("tools/call", params)).raw("|error|code"), "-32602") << params;
}

TEST(Tools, ThereMayBeAnyNumber) {
  Server lab = server({{"tools", "1200"}, {"tool-description", "english:300"}});
  const Reply reply = ask(lab, request("tools/list"));
  ASSERT_EQ(reply.size("|result|tools"), 1200u);
  EXPECT_EQ(reply.text("|result|tools|0|name"), "tool_001");
  EXPECT_EQ(reply.text("|result|tools|1199|name"), "tool_1200");
  EXPECT_EQ(reply.text("|result|tools|41|description"), sample(300, "tool_042"));
  EXPECT_EQ(reply.raw("|result|tools|0|inputSchema|required"), R"(["text"])");
  EXPECT_EQ(ask(lab, request("tools/call", R"("name":"tool_007","arguments":{"text":"hi"})"))
                .text("|result|content|0|text"),
            "tool_007: hi");
  Server none = server({{"tools", "0"}});
  EXPECT_EQ(ask(none, request("tools/list")).raw("|result|tools"), "[]");
}

TEST(Tools, GetTheSchemasThatTheyAreTold) {
  const auto schema = [](Server& lab, const char* tool) {
    return ask(lab, request("tools/list"))
        .raw(std::string("|result|tools|") + tool + "|inputSchema");
  };
  Server one = server({{"tools", "2"}, {"tool-schema", "{\n  \"type\": 7\n}"}});
  EXPECT_EQ(schema(one, "0"), R"({"type":7})");
  EXPECT_EQ(schema(one, "1"), R"({"type":7})");
  Server three = server({{"tools", "3"}, {"tool-schema", R"([{},true])"}});
  EXPECT_EQ(schema(three, "0"), "{}");
  EXPECT_EQ(schema(three, "1"), "true");
  EXPECT_EQ(schema(three, "2"), "{}");
}

TEST(Paging, GivesEveryToolOnce) {
  for (const char* size : {"1", "3", "7", "10", "11"}) {
    for (const char* era : {"legacy", "modern"}) {
      Server lab = server({{"era", era}, {"tools", "10"}, {"page-size", size}});
      std::vector<std::string> names;
      std::string cursor;
      std::size_t pages = 0;
      do {
        const std::string params = cursor.empty() ? "" : R"("cursor":")" + cursor + "\"";
        const Reply page =
            ask(lab, std::string_view(era) == "legacy" ? request("tools/list", params)
                                                       : modern("tools/list", params));
        const std::size_t tools = page.size("|result|tools");
        EXPECT_LE(tools, std::stoul(size));
        for (std::size_t i = 0; i < tools; ++i)
          names.push_back(page.text("|result|tools|" + std::to_string(i) + "|name"));
        cursor = page.text("|result|nextCursor");
      } while (cursor != "absent" && ++pages < 20);
      EXPECT_EQ(names.size(), 10u);
      EXPECT_EQ(names.front(), "tool_001");
      EXPECT_EQ(names.back(), "tool_010");
    }
  }
}

TEST(Paging, RefusesCursorsThatItDidNotGive) {
  Server lab = server({{"tools", "10"}, {"page-size", "4"}});
  for (const char* cursor : {R"("")", R"("x")", "4", "null", R"("page-00000000")",
                             R"("page-00000003")", R"("page-0000000c")", R"("page-4")",
                             R"("page-00000004 ")", R"("page-ffffffffffffffffff")", R"("-")"}) {
    const Reply reply = ask(lab, request("tools/list", R"("cursor":)" + std::string(cursor)));
    EXPECT_EQ(reply.raw("|error|code"), "-32602") << cursor;
  }
  Server whole = server({});
  EXPECT_EQ(ask(whole, request("tools/list", R"("cursor":"page-00000001")")).raw("|error|code"),
            "-32602");
}

}  // namespace
}  // namespace cutline::lab
