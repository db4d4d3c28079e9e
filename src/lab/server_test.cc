// server_test.cc: what the lab answers, by era, method, setting and fault. The right answers are
// the protocol's and those of the official TypeScript servers, run with the same messages.
#include "lab/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "json/document.h"
#include "lab/limits.h"
#include "text/sample.h"

namespace cutline::lab {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kEnvelope =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{},)"
    R"("io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}})";

/// `params` are members, without braces.
std::string request(std::string_view method, std::string_view params = "",
                    std::string_view id = "1") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) +
         R"(","params":{)" + std::string(params) + "}}";
}

std::string modern(std::string_view method, std::string_view more = "", std::string_view id = "1") {
  return request(method, std::string(kEnvelope) + (more.empty() ? "" : ",") + std::string(more),
                 id);
}

std::string legacy_initialize(std::string_view version) {
  return request("initialize",
                 R"("protocolVersion":")" + std::string(version) +
                     R"(","capabilities":{},"clientInfo":{"name":"t","version":"1"})");
}

std::string notification(std::string_view method) {
  return R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"("})";
}

Result<std::string> no_files(const std::string& path) {
  return fail(Problem{.code = "sys.file.read", .message = "no file", .place = path, .hint = {}});
}

using Flags = std::vector<std::pair<std::string, std::string>>;

Server server(const Flags& flags,
              const std::function<Result<std::string>(const std::string&)>& read = no_files) {
  Settings settings;
  for (const auto& [key, value] : flags) {
    const Result<void> done = set(settings, key, value);
    EXPECT_TRUE(done) << to_text(done.error());
  }
  Result<Texts> texts = load_texts(settings, read);
  EXPECT_TRUE(texts) << to_text(texts.error());
  return Server(settings, texts.value_or(Texts{}));
}

/// A parsed answer line with short ways to its members: text("|result|tools|0|name").
class Reply {
 public:
  explicit Reply(std::string line) : line_(std::move(line)) {
    Result<json::Document> parsed = json::Document::parse(line_);
    EXPECT_TRUE(parsed) << line_.substr(0, 300);
    if (parsed) document_ = std::make_shared<json::Document>(*std::move(parsed));
  }

  std::optional<json::Value> find(std::string_view path) const {
    if (!document_) return std::nullopt;
    std::optional<json::Value> at = document_->root();
    while (!path.empty() && at) {
      path.remove_prefix(1);
      const std::size_t end = std::min(path.find('|'), path.size());
      const std::string_view name = path.substr(0, end);
      if (at->is(json::Type::kArray)) {
        const std::size_t index = std::stoul(std::string(name));
        at = index < at->size() ? std::optional(at->elements()[index]) : std::nullopt;
      } else {
        at = at->find(name);
      }
      path.remove_prefix(end);
    }
    return at;
  }
  /// Raw JSON of the member; "absent" if there is none. Names are set apart by '|'.
  std::string raw(std::string_view path) const {
    const std::optional<json::Value> value = find(path);
    return std::string(value ? value->raw() : "absent");
  }
  std::string text(std::string_view path) const {
    const std::optional<json::Value> value = find(path);
    return value && value->is(json::Type::kString) ? value->string().value : raw(path);
  }
  std::size_t size(std::string_view path) const {
    const std::optional<json::Value> value = find(path);
    return value ? value->size() : 0;
  }

 private:
  std::string line_;
  std::shared_ptr<json::Document> document_;
};

/// The one line that is sent at once in answer to `line`.
Reply ask(Server& lab, std::string_view line) {
  const std::vector<Action> actions = lab.receive(line);
  EXPECT_EQ(actions.size(), 1u) << line;
  if (actions.size() != 1) return Reply("{}");
  EXPECT_EQ(actions[0].kind, Action::Kind::kSend);
  EXPECT_EQ(actions[0].after, milliseconds(0));
  EXPECT_EQ(actions[0].bytes.find('\n'), actions[0].bytes.size() - 1) << "one line";
  return Reply(actions[0].bytes);
}

std::string sample(std::size_t units, std::string_view salt) {
  return text::sample(text::SampleKind::kEnglish, units, salt).value();
}

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

TEST(Delays, HoldOneAnswerAndNoOther) {
  Server lab = server({{"delay", "initialize=8000"}, {"delay", "ping=0"}});
  const std::vector<Action> held = lab.receive(legacy_initialize("2025-11-25"));
  ASSERT_EQ(held.size(), 1u);
  EXPECT_EQ(held[0].after, milliseconds(8000));
  EXPECT_EQ(ask(lab, request("tools/list")).size("|result|tools"), 3u);
  EXPECT_EQ(ask(lab, request("ping")).raw("|result"), "{}");
}

TEST(Faults, ExitEndsWithCodeOne) {
  Server lab = server({{"fault", "server/discover=exit"}, {"delay", "server/discover=40"}});
  const std::vector<Action> actions = lab.receive(modern("server/discover"));
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].kind, Action::Kind::kExit);
  EXPECT_EQ(actions[0].exit_code, 1);
  EXPECT_EQ(actions[0].after, milliseconds(40));
}

TEST(Faults, HangNeverAnswersThisMethodAlone) {
  Server lab = server({{"fault", "tools/list=hang"}, {"exit-after", "tools/list"}});
  EXPECT_TRUE(lab.receive(request("tools/list")).empty());
  EXPECT_EQ(ask(lab, request("ping")).raw("|result"), "{}");
}

TEST(Faults, MalformedIsALineThatIsNoJson) {
  Server lab = server({{"fault", "initialize=malformed"}, {"instructions", "english:500"}});
  const std::vector<Action> actions = lab.receive(legacy_initialize("2025-11-25"));
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].bytes.find('\n'), actions[0].bytes.size() - 1);
  EXPECT_THAT(actions[0].bytes, HasSubstr("BEGIN codeword"));
  EXPECT_FALSE(json::Document::parse(actions[0].bytes));
}

TEST(Faults, NoiseComesBeforeTheRightAnswer) {
  Server lab = server({{"fault", "initialize=noise"}});
  const std::vector<Action> actions = lab.receive(legacy_initialize("2025-11-25"));
  ASSERT_EQ(actions.size(), 1u);
  std::vector<std::string> lines;
  for (std::string_view rest = actions[0].bytes; !rest.empty();) {
    lines.emplace_back(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(lines.back().size() + 1);
  }
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_FALSE(json::Document::parse(lines[0]));
  EXPECT_FALSE(json::Document::parse(lines[1]));
  EXPECT_TRUE(json::Document::parse(lines[2]));
  EXPECT_EQ(Reply(lines[3]).text("|result|protocolVersion"), "2025-11-25");
}

TEST(Faults, WrongIdIsNeverTheRightOne) {
  Server lab = server({{"fault", "ping=wrong-id"}});
  for (const char* id : {"1", "\"a\"", "999999999", "999999998"}) {
    const Reply reply = ask(lab, request("ping", "", id));
    EXPECT_EQ(reply.raw("|result"), "{}");
    EXPECT_NE(reply.raw("|id"), id);
  }
}

TEST(Faults, NullIdIsAnErrorWithoutOne) {
  Server lab = server({{"fault", "initialize=null-id"}, {"exit-after", "initialize"}});
  const std::vector<Action> actions = lab.receive(legacy_initialize("2025-11-25"));
  ASSERT_EQ(actions.size(), 2u);
  const Reply reply(actions[0].bytes);
  EXPECT_EQ(reply.raw("|id"), "null");
  EXPECT_EQ(reply.raw("|error|code"), "-32600");
  EXPECT_EQ(actions[1].kind, Action::Kind::kExit);
  EXPECT_EQ(actions[1].exit_code, 0);
}

TEST(Faults, HugeIsTheRightAnswerInTenMegabytes) {
  for (const char* era : {"legacy", "modern"}) {
    Server lab = server({{"era", era},
                         {"instructions", "english:100"},
                         {"fault", "initialize=huge"},
                         {"fault", "server/discover=huge"}});
    for (const std::string& line : {legacy_initialize("2025-11-25"), modern("server/discover")}) {
      const std::vector<Action> actions = lab.receive(line);
      ASSERT_EQ(actions.size(), 1u);
      EXPECT_EQ(actions[0].bytes.size(), kHugeLineBytes);
      const Reply reply(actions[0].bytes);
      EXPECT_EQ(reply.raw("|id"), "1");
      const bool right_era = (line == modern("server/discover")) == (std::string(era) == "modern");
      if (right_era) {
        EXPECT_EQ(reply.text("|result|instructions"), sample(100, ""));
        EXPECT_GT(reply.text("|result|_meta|lab/padding").size(), 9'990'000u);
      } else {
        EXPECT_GT(reply.text("|error|data|lab/padding").size(), 9'990'000u);
      }
    }
  }
}

TEST(Faults, ErrorHasTheCodeThatWasAskedFor) {
  Server lab = server({{"fault", "initialize=error:-32000"},
                       {"fault", "tools/list=error:7"},
                       {"fault", "server/discover=error:-32022"}});
  EXPECT_EQ(ask(lab, legacy_initialize("2025-11-25")).raw("|error|code"), "-32000");
  EXPECT_EQ(ask(lab, request("tools/list")).raw("|error|code"), "7");
  const Reply versions = ask(lab, modern("server/discover"));
  EXPECT_EQ(versions.raw("|error|code"), "-32022");
  EXPECT_EQ(versions.raw("|error|data|supported"), R"(["2025-11-25"])");
  EXPECT_EQ(versions.text("|error|data|requested"), "2026-07-28");
}

TEST(Faults, UnknownFirstIsTheFirstMessageUnlessInitialize) {
  const Flags flags = {{"fault", "unknown-first=exit"}, {"fault", "tools/list=error:-1"}};
  Server probed = server(flags);
  EXPECT_EQ(probed.receive(modern("server/discover"))[0].kind, Action::Kind::kExit);
  Server listed = server(flags);
  EXPECT_EQ(listed.receive(request("tools/list"))[0].kind, Action::Kind::kExit);
  Server noisy = server(flags);
  EXPECT_TRUE(noisy.receive("no JSON").empty());
  EXPECT_EQ(noisy.receive(notification("notifications/initialized"))[0].kind, Action::Kind::kExit);
  Server proper = server(flags);
  EXPECT_EQ(ask(proper, legacy_initialize("2025-11-25")).raw("|id"), "1");
  EXPECT_EQ(ask(proper, modern("server/discover")).raw("|error|code"), "-32601");
  EXPECT_EQ(ask(proper, request("tools/list")).raw("|error|code"), "-1");
}

TEST(Faults, UnknownFirstMayHangAndThenServe) {
  Server lab = server({{"fault", "unknown-first=hang"}});
  EXPECT_TRUE(lab.receive(modern("server/discover")).empty());
  EXPECT_EQ(ask(lab, legacy_initialize("2025-11-25")).raw("|id"), "1");
}

TEST(Faults, ANotificationCanOnlyEndTheServer) {
  Server lab = server({{"fault", "notifications/initialized=noise"},
                       {"fault", "notifications/cancelled=exit"},
                       {"exit-after", "notifications/progress"}});
  EXPECT_TRUE(lab.receive(notification("notifications/initialized")).empty());
  EXPECT_EQ(lab.receive(notification("notifications/cancelled"))[0].exit_code, 1);
  EXPECT_EQ(lab.receive(notification("notifications/progress"))[0].exit_code, 0);
}

TEST(ExitAfter, FollowsTheAnswer) {
  Server lab = server({{"exit-after", "server/discover"}, {"delay", "server/discover=30"}});
  const std::vector<Action> actions = lab.receive(modern("server/discover"));
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_EQ(actions[0].kind, Action::Kind::kSend);
  EXPECT_EQ(actions[1].kind, Action::Kind::kExit);
  EXPECT_EQ(actions[1].exit_code, 0);
  EXPECT_EQ(actions[0].after, actions[1].after);
}

TEST(BadBytes, ArriveAsTheyWere) {
  const std::string bytes = "ok \xff\xc3( \xed\xa0\x80 \"q\" \\ \n\t\x01 \xe2\x80";
  Server lab = server({{"instructions", "file:bad"}, {"tool-description", "file:bad"}},
                      [&](const std::string& path) -> Result<std::string> {
                        EXPECT_EQ(path, "bad");
                        return bytes;
                      });
  const std::string escaped = "ok \xff\xc3( \xed\xa0\x80 \\\"q\\\" \\\\ \\n\\t\\u0001 \xe2\x80\"";
  for (const std::string& line : {legacy_initialize("2025-11-25"), request("tools/list")}) {
    const std::vector<Action> actions = lab.receive(line);
    ASSERT_EQ(actions.size(), 1u);
    EXPECT_THAT(actions[0].bytes, HasSubstr(escaped));
    EXPECT_EQ(actions[0].bytes.find('\n'), actions[0].bytes.size() - 1);
  }
}

TEST(Texts, HaveTheirOwnSalts) {
  Settings settings;
  for (const auto& [key, value] : Flags{{"instructions", "english:1000"},
                                        {"discover-instructions", "english:1000"},
                                        {"tool-description", "english:1000"}})
    ASSERT_TRUE(set(settings, key, value));
  const Result<Texts> texts = load_texts(settings, no_files);
  ASSERT_TRUE(texts);
  EXPECT_EQ(texts->instructions, sample(1000, ""));
  EXPECT_EQ(texts->discover_instructions, sample(1000, "discover"));
  EXPECT_THAT(texts->tool_names, ElementsAre("lookup_part", "list_bins", "lab_ping"));
  EXPECT_THAT(texts->tool_descriptions,
              ElementsAre(sample(1000, "lookup_part"), sample(1000, "list_bins"),
                          sample(1000, "lab_ping")));
}

TEST(Texts, AFileIsReadOncePerSetting) {
  Settings settings;
  for (const auto& [key, value] :
       Flags{{"instructions", "file:i"}, {"tool-description", "file:t"}, {"tools", "50"}})
    ASSERT_TRUE(set(settings, key, value));
  std::vector<std::string> reads;
  const Result<Texts> texts =
      load_texts(settings, [&](const std::string& path) -> Result<std::string> {
        reads.push_back(path);
        return path == "i" ? std::string() : "text of " + path;
      });
  ASSERT_TRUE(texts);
  EXPECT_THAT(reads, ElementsAre("i", "t"));
  EXPECT_EQ(texts->instructions, "");  // an empty file is an empty text, not none
  EXPECT_EQ(texts->discover_instructions, "");
  EXPECT_EQ(texts->tool_descriptions[49], "text of t");
}

TEST(Texts, DescriptionsMayBeLeftOut) {
  Server lab = server({{"tool-description", "none"}});
  EXPECT_EQ(ask(lab, request("tools/list")).raw("|result|tools|0|description"), "absent");
}

TEST(Texts, FailWithTheSettingThatIsToBlame) {
  struct Case {
    Flags flags;
    const char *code, *place;
  };
  for (const Case& c : {
           Case{{{"instructions", "english:10"}}, "text.sample.too_short", "instructions"},
           Case{{{"tool-description", "emoji:9"}}, "text.sample.too_short", "tool-description"},
           Case{{{"instructions", "file:gone"}}, "sys.file.read", "gone"},
           Case{{{"tools", "100000"}, {"tool-description", "english:60000"}},
                "lab.too_large",
                "tool-description"},
       }) {
    SCOPED_TRACE(c.place);
    Settings settings;
    for (const auto& [key, value] : c.flags) ASSERT_TRUE(set(settings, key, value));
    const Result<Texts> texts = load_texts(settings, no_files);
    ASSERT_FALSE(texts);
    EXPECT_EQ(texts.error().code, c.code);
    EXPECT_EQ(texts.error().place, c.place);
  }
}

}  // namespace
}  // namespace cutline::lab
