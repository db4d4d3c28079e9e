// faults_test.cc: answers that come late, come wrong, or never come.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/asking.h"
#include "lab/limits.h"
#include "lab/server.h"

namespace cutline::lab {
namespace {

using namespace asking;
using std::chrono::milliseconds;
using testing::HasSubstr;

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

}  // namespace
}  // namespace cutline::lab
