// interview_faults_test.cc: servers that do it wrong; each has its name in the offer, and a
// sentence.
//
// Every case is held twice: with whole messages, and with one byte at a time, which must come to
// the same offer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scripted_server.h"

namespace cutline::mcp {
namespace {

using namespace scripted;
using testing::HasSubstr;

/// The legacy server, which then does something else.
Server legacy_but(std::string_view method, const Reaction& reaction) {
  Server server = legacy_server();
  server.on.insert_or_assign(std::string(method), reaction);
  return server;
}

Server modern_but(std::string_view method, const Reaction& reaction) {
  Server server = modern_server();
  server.on.insert_or_assign(std::string(method), reaction);
  return server;
}

Server before(std::string at_start, Server server) {
  server.at_start = std::move(at_start);
  return server;
}

Server deaf(std::string at_start, std::optional<Exit> dead = {}) {
  Server server;
  server.otherwise = silence();
  server.at_start = std::move(at_start);
  server.dead = dead;
  return server;
}

Server echo() {
  Server server;
  server.echoes = true;
  return server;
}

/// Answers everything under a wrong id.
Reaction wrong_id(std::string_view json) {
  return line(R"({"jsonrpc":"2.0","id":99,"result":)" + std::string(json) + "}");
}

std::string times(std::string_view text, int count) {
  std::string all;
  while (count-- > 0) all += text;
  return all;
}

const std::string kServesLegacy = "it speaks 2025-11-25 (initialize)";
const std::string kServesModern = "it speaks 2026-07-28 (server/discover)";

struct Fault {
  const char* what;
  Server server;
  Outcome outcome;
  std::string detail;                  // all of it, or the beginning if it ends in "…"
  std::vector<std::string> incidents;  // codes, in order
  double seconds_max = 1;
};

void check(const Fault& c, const Offer& offer) {
  EXPECT_EQ(name(offer.outcome), name(c.outcome)) << offer.outcome_detail;
  constexpr std::string_view kAndSoOn = "…";
  if (c.detail.ends_with(kAndSoOn)) {
    const std::string begin = c.detail.substr(0, c.detail.size() - kAndSoOn.size());
    EXPECT_THAT(offer.outcome_detail, testing::StartsWith(begin));
  } else {
    EXPECT_EQ(offer.outcome_detail, c.detail);
  }
  std::vector<std::string> codes;
  for (const Incident& incident : offer.incidents) {
    codes.push_back(incident.code);
    EXPECT_FALSE(incident.message.empty());
  }
  EXPECT_EQ(codes, c.incidents);
  EXPECT_LE(offer.times.total.count(), c.seconds_max * 1000);
  if (offer.outcome == Outcome::kServes) {
    EXPECT_TRUE(offer.any());
  }
}

void check_all(const std::vector<Fault>& faults, const InterviewOptions& options) {
  for (const Fault& c : faults) {
    SCOPED_TRACE(c.what);
    const Held whole = hold(c.server, options);
    EXPECT_TRUE(whole.finished);
    check(c, whole.offer);
    const Held bytewise = hold(c.server, options, true);
    EXPECT_EQ(bytewise.offer, whole.offer);
    EXPECT_EQ(bytewise.lines, whole.lines);
  }
}

TEST(InterviewFaults, Starting) {
  using enum Outcome;
  const Exit one{.code = 1, .signal = {}};
  const Exit killed{.code = {}, .signal = 9};
  check_all(
      {
          {"ends at once",
           deaf("", one),
           kDidNotStart,
           "it ended (exit code 1) before it answered anything, also when it was started again",
           {}},
          {"is killed",
           deaf("", killed),
           kDidNotStart,
           "it ended (signal 9 (SIGKILL)) before it answered anything, also when it was started "
           "again",
           {}},
          {"prints its error and ends",
           deaf("Error: no API key\n", one),
           kDidNotStart,
           "it ended (exit code 1) before it answered anything, also when it was started again; it "
           "wrote 1 line that is no JSON-RPC (first: “Error: no API key”)",
           {"noise-on-stdout"}},
          {"ends in the middle of a line",
           deaf("{\"jsonrpc\":\"2.0\",\"id\":1,", one),
           kDidNotStart,
           "it ended (exit code 1) before it answered anything, also when it was started again; it "
           "wrote…",
           {"partial-line"}},
          {"dies after the probe and of initialize",
           legacy_but("initialize", exits(3)),
           kBroke,
           "it ended (exit code 3) instead of answering initialize",
           {"died-after-probe"}},
      },
      {});
  check_all({{"once is enough where there is no probe",
              deaf("", one),
              kDidNotStart,
              "it ended (exit code 1) before it answered anything",
              {}}},
            {.era = EraWish::kLegacy, .limits = {}});
}

TEST(InterviewFaults, NoServersAtAll) {
  using enum Outcome;
  check_all(
      {{"sleep",
        deaf(""),
        kHangs,
        "no answer to server/discover within 10.0 s, nor to initialize within 50.0 s more; "
        "nothing came on its standard output",
        {},
        60},
       {"a banner, then nothing",
        deaf("Starting…\nReady on \x1b[1mstdio\x1b[0m\n"),
        kHangs,
        "no answer to server/discover within 10.0 s, nor to initialize within 50.0 s more; it "
        "wrote 2 lines that are no JSON-RPC (first: “Starting…”)",
        {"noise-on-stdout"},
        60},
       {"a prompt",
        deaf("> "),
        kHangs,
        "no answer to server/discover within 10.0 s, nor to initialize within 50.0 s more; it "
        "wrote 2 bytes without a line feed",
        {},
        60},
       {"cat",
        echo(),
        kBroke,
        "it sends back what it is sent, so it is no MCP server",
        {"echo"},
        2},
       {"yes",
        deaf(times("y\n", 20'000) + "y"),
        kBroke,
        "it writes without end while server/discover is waited for; it wrote 10,001 lines that "
        "are no JSON-RPC (first: “y”)",
        {"noise-on-stdout", "flood"}},
       {"notifications without end",
        deaf(times("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n", 10'001)),
        kBroke,
        "it writes without end while server/discover is waited for; it sent 10,001 other "
        "messages",
        {"flood"}}},
      {});
}

TEST(InterviewFaults, AnEchoingTerminalIsNotTheEnd) {
  // Every line comes back before the server sees it, as behind a terminal.
  const auto echoed = [](const Reaction& reaction) {
    return [reaction](const Call& call) { return then(line(call.line), reaction)(call); };
  };
  Server server = legacy_server();
  server.on["server/discover"] = echoed(late(milliseconds(1'500), error(-32601)));
  server.on["initialize"] = echoed(server.on["initialize"]);
  server.on["tools/list"] = echoed(server.on["tools/list"]);
  check_all({{"echo", server, Outcome::kServes, kServesLegacy, {"echo"}, 2}}, {});
}

TEST(InterviewFaults, TooMuchAtOnce) {
  using enum Outcome;
  InterviewOptions options;
  options.limits.message_bytes_max = 1'000;
  options.limits.noise_bytes_max = 5'000;
  const std::string long_text = '"' + std::string(2'000, 'x') + '"';
  const Reaction long_initialize = result(initialize_result("2025-11-25", long_text));
  check_all({{"no line feed ever",
              deaf(std::string(10'000, 'y')),
              kBroke,
              "a message of more than 1,000 bytes came while server/discover was waited for…",
              {"line-too-long"}},
             {"the probe",
              legacy_but("server/discover", result(long_text)),
              kBroke,
              "a message of more than 1,000 bytes came while server/discover was waited for…",
              {"line-too-long"}},
             {"initialize",
              legacy_but("initialize", long_initialize),
              kBroke,
              "a message of more than 1,000 bytes came while initialize was waited for…",
              {"line-too-long"}},
             {"tools/list",
              legacy_but("tools/list", result(long_text)),
              kBroke,
              "a message of more than 1,000 bytes came while tools/list was waited for…",
              {"line-too-long", "list-unanswered"}},
             {"the second handshake",
              modern_but("initialize", long_initialize),
              kServes,
              kServesModern,
              {"line-too-long"}},
             {"long noise",
              deaf(times(std::string(900, 'n') + "\n", 6)),
              kBroke,
              "it writes without end while server/discover is waited for; it wrote 6 lines…",
              {"noise-on-stdout", "flood"}}},
            options);
}

TEST(InterviewFaults, TooComplex) {
  using enum Outcome;
  InterviewOptions options;
  options.limits.message_levels_max = 8;
  options.limits.message_values_max = 100;
  std::string many = "[0";
  for (int i = 0; i < 100; ++i) many += ",0";
  many += ']';
  const auto deep_tool = [](int levels) {
    return result(R"({"tools":[{"name":"a","inputSchema":)" + times(R"({"a":)", levels) + "1" +
                  times("}", levels) + "}]}");
  };
  check_all({{"tools/list, as deep as may be",
              legacy_but("tools/list", deep_tool(4)),
              kServes,
              kServesLegacy,
              {}},
             {"tools/list, deeper",
              legacy_but("tools/list", deep_tool(5)),
              kBroke,
              "a message over a limit (nested deeper than 8 levels) came while tools/list was "
              "waited for",
              {"message-too-complex", "list-unanswered"}},
             {"tools/list of many values",
              legacy_but("tools/list", result(many)),
              kBroke,
              "a message over a limit (more than 100 values) came while tools/list was waited for",
              {"message-too-complex", "list-unanswered"}},
             {"initialize",
              legacy_but("initialize", result(many)),
              kBroke,
              "a message over a limit (more than 100 values) came while initialize was waited "
              "for",
              {"message-too-complex"}},
             {"the probe",
              legacy_but("server/discover", result(many)),
              kBroke,
              "a message over a limit (more than 100 values) came while server/discover was "
              "waited for",
              {"message-too-complex"}},
             {"the second handshake",
              modern_but("initialize", result(many)),
              kServes,
              kServesModern,
              {"message-too-complex"}}},
            options);
}

TEST(InterviewFaults, NothingIsReadAfterTheEnd) {
  Interview interview({}, Time{});
  const Time end = Time{} + InterviewOptions{}.limits.total_timeout;
  interview.received(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}})"
                     "\n",
                     end);
  EXPECT_EQ(interview.wants(), Interview::Wants::kDone);
  const Offer offer = interview.take_offer(end);
  EXPECT_EQ(name(offer.outcome), "hangs");
  EXPECT_EQ(offer.times.first_answer, std::nullopt);
}

TEST(InterviewFaults, WhoItIs) {
  struct Case {
    std::string info, message;
  };
  const std::string refuses = "; strict clients refuse the answer";
  const std::string in = "serverInfo in the answer to initialize ";
  const auto missing = [&](std::string_view what) {
    return in + "has no " + std::string(what) + ", which must be there" + refuses;
  };
  const auto wrong = [&](std::string_view what) {
    return in + "is " + std::string(what) + "; it must be an object, and strict clients refuse " +
           "the answer";
  };
  for (const Case& c : std::vector<Case>{
           {R"({"name":"n","version":"1"})", ""},
           {R"("n")", wrong("a string")},
           {"5", wrong("a number")},
           {"[]", wrong("an array")},
           {"null", wrong("null")},
           {"true", wrong("a boolean")},
           {"{}", missing("name and version")},
           {R"({"version":"1"})", missing("name")},
           {R"({"name":"n","title":"t"})", missing("version")},
           {R"({"name":"n","version":null})",
            "the version of serverInfo in the answer to initialize is null; it must be a string"},
       }) {
    SCOPED_TRACE(c.info);
    const Offer offer =
        hold(legacy_but("initialize", result(R"({"protocolVersion":"2025-11-25","capabilities":)"
                                             R"({"tools":{}},"serverInfo":)" +
                                             c.info + "}")))
            .offer;
    EXPECT_EQ(name(offer.outcome), "serves") << offer.outcome_detail;
    EXPECT_EQ(offer.incidents.empty(), c.message.empty());
    if (offer.incidents.empty()) continue;
    EXPECT_EQ(offer.incidents[0].code, "identity-shape");
    EXPECT_EQ(offer.incidents[0].message, c.message);
  }
}

TEST(InterviewFaults, OddAnswersToTheProbe) {
  using enum Outcome;
  const Reaction good = legacy_server().on["initialize"];
  check_all(
      {
          {"silence", legacy_but("server/discover", silence()), kServes, kServesLegacy, {}, 10.1},
          {"noise, then an error",
           legacy_but("server/discover", then(line("Listening…"), error(1))),
           kServes,
           kServesLegacy,
           {"noise-on-stdout"}},
          {"a wrong id",
           legacy_but("server/discover", wrong_id("{}")),
           kServes,
           kServesLegacy,
           {"wrong-id"}},
          {"an error without id",
           legacy_but(
               "server/discover",
               line(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}})")),
           kServes,
           kServesLegacy,
           {"null-id"}},
          {"broken JSON",
           legacy_but("server/discover", line(R"({"jsonrpc":"2.0","id":1,"res)")),
           kServes,
           kServesLegacy,
           {"malformed-message"}},
          {"neither result nor error",
           legacy_but("server/discover", line(R"({"jsonrpc":"2.0","id":1})")),
           kServes,
           kServesLegacy,
           {"malformed-message"}},
          {"a string",
           legacy_but("server/discover", result(R"("hello")")),
           kServes,
           kServesLegacy,
           {"discover-shape"}},
          {"null",
           legacy_but("server/discover", result("null")),
           kServes,
           kServesLegacy,
           {"discover-shape"}},
          {"versions that are numbers",
           legacy_but("server/discover", result(R"({"supportedVersions":[1]})")),
           kServes,
           kServesLegacy,
           {"discover-shape"}},
          {"more versions than there can be",
           legacy_but("server/discover", result(R"({"supportedVersions":["2026-07-28")" +
                                                times(R"(,"a")", 1'000) + "]}")),
           kServes,
           kServesLegacy,
           {"discover-shape"}},
          {"no versions",
           legacy_but("server/discover", result(discover_result("[]", ""))),
           kServes,
           kServesLegacy,
           {"discover-shape"}},
          {"an unknown resultType",
           legacy_but("server/discover",
                      result(R"({"resultType":"later","supportedVersions":["2026-07-28"]})")),
           kServes,
           kServesLegacy,
           {"discover-shape"}},
          {"a refusal without versions",
           legacy_but("server/discover", error(-32022)),
           kServes,
           kServesLegacy,
           {"version-error-shape"}},
          {"a draft's refusal",
           legacy_but("server/discover", error(-32004, R"({"supported":["2025-11-25"]})")),
           kServes,
           kServesLegacy,
           {}},
          {"nothing but the versions",
           modern_but("server/discover", result(R"({"supportedVersions":["2026-07-28"]})")),
           kServes,
           kServesModern,
           {"discover-incomplete", "tools-not-declared"}},
          {"a good answer in the wake of a bad one",
           modern_but("server/discover",
                      then(wrong_id("{}"),
                           late(milliseconds(400), modern_server().on["server/discover"]))),
           kServes,
           kServesModern,
           {"wrong-id"}},
      },
      {});
}

TEST(InterviewFaults, OddAnswersToInitialize) {
  using enum Outcome;
  check_all(
      {
          {"silence",
           legacy_but("initialize", silence()),
           kHangs,
           "no answer to initialize within 60.0 s; it answers server/discover with error -32601 "
           "(“no”)",
           {},
           60},
          {"an error",
           legacy_but("initialize", error(-32000, "", "no key")),
           kRefuses,
           "it answers server/discover with error -32601 (“no”), and it answers initialize with "
           "error -32000 (“no key”)",
           {}},
          {"a wrong id",
           legacy_but("initialize", wrong_id("{}")),
           kBroke,
           "it sent an answer with the id “99” instead of the answer to initialize",
           {"wrong-id"}},
          {"a wrong id in the second life",
           [&] {
             Server server = legacy_but("initialize", wrong_id("{}"));
             server.on["server/discover"] = exits(1);
             return server;
           }(),
           kBroke,
           "it sent an answer with the id “99” instead of the answer to initialize",
           {"wrong-id"}},
          {"broken JSON",
           legacy_but("initialize", line(R"({"jsonrpc": oops)")),
           kBroke,
           "it sent a broken message…",
           {"malformed-message"}},
          {"a string",
           legacy_but("initialize", result(R"("hi")")),
           kBroke,
           "its answer to initialize is no InitializeResult: it is a string, not an object",
           {"initialize-shape"}},
          {"no version",
           legacy_but("initialize", result(R"({"capabilities":{}})")),
           kBroke,
           "its answer to initialize is no InitializeResult: it has no protocolVersion",
           {"initialize-shape"}},
          {"a version that is a number",
           legacy_but("initialize", result(R"({"protocolVersion":1})")),
           kBroke,
           "its answer to initialize is no InitializeResult: its protocolVersion is a number",
           {"initialize-shape"}},
          {"nothing but the version",
           legacy_but("initialize", result(R"({"protocolVersion":"2025-11-25"})")),
           kServes,
           kServesLegacy,
           {"initialize-incomplete", "tools-not-declared"}},
          {"instructions that are a number",
           legacy_but("initialize", result(initialize_result("2025-11-25", "17"))),
           kServes,
           kServesLegacy,
           {"instructions-type"}},
          {"twice",
           legacy_but("initialize",
                      then(legacy_server().on["initialize"], legacy_server().on["initialize"])),
           kServes,
           kServesLegacy,
           {"duplicate-answer"}},
          {"the id as a string",
           legacy_but("initialize",
                      [](const Call& call) {
                        return result(initialize_result("2025-11-25", ""))(
                            {.id = '"' + call.id + '"', .method = {}, .line = {}});
                      }),
           kServes,
           kServesLegacy,
           {"wrong-id"}},
          {"without jsonrpc",
           legacy_but("initialize",
                      [](const Call& call) {
                        return line(R"({"id":)" + call.id + R"(,"result":)" +
                                    initialize_result("2025-11-25", "") + "}")(call);
                      }),
           kServes,
           kServesLegacy,
           {"loose-json-rpc"}},
      },
      {});
}

TEST(InterviewFaults, AroundTheAnswers) {
  using enum Outcome;
  const std::string early = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"
                            "\n";
  const std::string log = R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})"
                          "\n";
  const std::string ask = R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})"
                          "\n";
  const auto with_crlf = [](const Reaction& reaction) {
    return [reaction](const Call& call) {
      Actions actions = reaction(call);
      for (Action& action : actions) action.bytes.insert(action.bytes.size() - 1, "\r");
      return actions;
    };
  };
  const auto as_batch = [](const Reaction& reaction) {
    return [reaction](const Call& call) {
      Actions actions = reaction(call);
      for (Action& action : actions)
        action.bytes = "[" + action.bytes.substr(0, action.bytes.size() - 1) + "]\n";
      return actions;
    };
  };
  Server batches = legacy_but("tools/list", as_batch(legacy_server().on["tools/list"]));
  Server old_batches = batches;
  old_batches.on["initialize"] = result(initialize_result("2025-03-26", ""));
  check_all(
      {
          {"noise before",
           before("npm warn\n\n{\"level\":30}\n", legacy_server()),
           kServes,
           kServesLegacy,
           {"noise-on-stdout", "not-json-rpc"}},
          {"noise between",
           legacy_but("tools/list", then(line("listing…"), legacy_server().on["tools/list"])),
           kServes,
           kServesLegacy,
           {"noise-on-stdout"}},
          {"an early notification",
           before(early, legacy_server()),
           kServes,
           kServesLegacy,
           {"early-notification"}},
          {"early logging is allowed", before(log, legacy_server()), kServes, kServesLegacy, {}},
          {"an early request",
           before(ask, legacy_server()),
           kServes,
           kServesLegacy,
           {"early-request"}},
          {"CR LF",
           legacy_but("initialize", with_crlf(legacy_server().on["initialize"])),
           kServes,
           kServesLegacy,
           {"crlf"}},
          {"batches", batches, kServes, kServesLegacy, {"batch"}},
          {"batches when they were allowed",
           old_batches,
           kServes,
           "it speaks 2025-03-26 (initialize)",
           {}},
          {"an error for a notification",
           legacy_but(
               "tools/list",
               then(line(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":""}})"),
                    late(milliseconds(5'000), legacy_server().on["tools/list"]))),
           kServes,
           kServesLegacy,
           {"null-id"},
           6},
          {"an answer nobody asked for",
           legacy_but("tools/list", then(wrong_id("{}"), legacy_server().on["tools/list"])),
           kServes,
           kServesLegacy,
           {"wrong-id"}},
          {"not UTF-8",
           legacy_but("initialize", result(initialize_result("2025-11-25", "\"a\xff\xfe z\""))),
           kServes,
           kServesLegacy,
           {"invalid-utf8"}},
          {"half a surrogate pair",
           legacy_but("initialize", result(initialize_result("2025-11-25", R"("a\ud83d")"))),
           kServes,
           kServesLegacy,
           {"lone-surrogate"}},
      },
      {});
}

TEST(InterviewFaults, DeathInTheMiddle) {
  using enum Outcome;
  check_all(
      {
          {"of tools/list",
           legacy_but("tools/list", exits(2)),
           kBroke,
           "it ended (exit code 2) before it answered tools/list",
           {"list-unanswered"}},
          {"closes its output",
           legacy_but("tools/list", closes()),
           kBroke,
           "it closed its standard output before it answered tools/list",
           {"list-unanswered"}},
          {"in the middle of a message",
           legacy_but("tools/list", then(raw(R"({"jsonrpc":"2.0","id":3,"resu)"), exits(1))),
           kBroke,
           "it ended (exit code 1) before it answered tools/list; it wrote 29 bytes without a line "
           "feed",
           {"partial-line", "list-unanswered"}},
          {"of modern lists",
           modern_but("tools/list", exits(2)),
           kBroke,
           "it ended (exit code 2) before it answered tools/list",
           {"list-unanswered"}},
          {"never lists",
           legacy_but("tools/list", silence()),
           kHangs,
           "no answer to tools/list within 60.0 s",
           {"list-unanswered"},
           60},
      },
      {});
  // The other era is asked all the same.
  Server server = dual_server();
  server.on["tools/list"] = in_first_life(exits(2), server.on["tools/list"]);
  const Offer offer = hold(server).offer;
  EXPECT_EQ(offer.outcome, kServes);
  EXPECT_EQ(
      offer.outcome_detail,
      "it speaks 2026-07-28 (server/discover, but the tools are not all listed) and 2025-11-25 "
      "(initialize)");
  EXPECT_EQ(offer.modern->tools_problem,
            "tools/list: it ended (exit code 2) before it answered tools/list");
  EXPECT_EQ(offer.exit, (Exit{.code = 2, .signal = {}}));
}

TEST(InterviewFaults, NeverReads) {
  const Time begin{};
  Interview interview({.era = EraWish::kLegacy, .limits = {}}, begin);
  EXPECT_FALSE(interview.take_output().empty());
  interview.blocked(163);
  interview.tick(interview.deadline());
  ASSERT_EQ(interview.wants(), Interview::Wants::kDone);
  const Offer offer = interview.take_offer(interview.deadline());
  EXPECT_EQ(offer.outcome, Outcome::kHangs);
  EXPECT_EQ(offer.outcome_detail,
            "no answer to initialize within 60.0 s; it has not read 163 bytes of what it was sent");
  ASSERT_EQ(offer.incidents.size(), 1u);
  EXPECT_EQ(offer.incidents[0].code, "never-reads");
}

TEST(InterviewFaults, IncidentsAreSafeForATerminal) {
  const Offer offer =
      hold(before("{\"jsonrpc\":\"2.0\",\"id\":[\"\u202E\x7f\xff\"]}\n\x1b[2J\n", legacy_server()))
          .offer;
  ASSERT_EQ(offer.incidents.size(), 2u);
  for (const Incident& incident : offer.incidents) {
    EXPECT_EQ(incident.message.find_first_of("\x1b\x7f\xff"), std::string::npos);
    EXPECT_EQ(incident.message.find("\u202E"), std::string::npos);
  }
}

TEST(InterviewFaults, WordsAreSafeForATerminal) {
  const Offer offer =
      hold(
          legacy_but("initialize", error(-32000, "", "\x1b[2J\u202Eevil " + std::string(500, 'x'))))
          .offer;
  EXPECT_EQ(offer.outcome_detail.find('\x1b'), std::string::npos);
  EXPECT_EQ(offer.outcome_detail.find("\u202E"), std::string::npos);
  EXPECT_LT(offer.outcome_detail.size(), 250u);
  EXPECT_THAT(offer.outcome_detail, HasSubstr("…”"));
}

}  // namespace
}  // namespace cutline::mcp
