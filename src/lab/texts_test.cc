// texts_test.cc: which text is said where, with which salt, and to the byte.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/asking.h"
#include "lab/server.h"

namespace cutline::lab {
namespace {

using namespace asking;
using testing::ElementsAre;
using testing::HasSubstr;

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

TEST(Texts, MembersOfToolsHaveCodewordsOfTheirOwn) {
  Server lab = server({{"tool-members", "english:80"}, {"tools", "2"}});
  const Reply list = ask(lab, request("tools/list"));
  EXPECT_EQ(list.text("|result|tools|1|title"), sample(80, "tool_002 title"));
  EXPECT_EQ(list.text("|result|tools|1|annotations|title"),
            sample(80, "tool_002 annotations.title"));
  EXPECT_EQ(list.text("|result|tools|1|outputSchema|properties|text|description"),
            sample(80, "tool_002 outputSchema"));
  EXPECT_EQ(list.raw("|result|tools|1|outputSchema|required"), R"(["text"])");
}

TEST(Texts, AToolWithAnOutputSchemaKeepsToIt) {
  const std::string call = request("tools/call", R"("name":"lab_ping","arguments":{})");
  Server lab = server({{"tool-members", "english:80"}});
  EXPECT_EQ(ask(lab, call).raw("|result|structuredContent"), R"({"text":"pong"})");
  Server plain = server({});
  EXPECT_EQ(ask(plain, call).raw("|result|structuredContent"), "absent");
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
           Case{{{"tool-members", "english:9"}}, "text.sample.too_short", "tool-members"},
           Case{{{"tools", "100000"}, {"tool-members", "english:60000"}},
                "lab.too_large",
                "tool-members"},
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
