// settings_test.cc: every setting, every way to get one wrong, and that flags and TOML agree.
#include "lab/settings.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/limits.h"

namespace cutline::lab {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

Settings settings_of(const std::vector<std::pair<std::string, std::string>>& flags) {
  Settings settings;
  for (const auto& [key, value] : flags) {
    const Result<void> done = set(settings, key, value);
    EXPECT_TRUE(done) << key << "=" << value << ": " << to_text(done.error());
  }
  return settings;
}

std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(TextSource, HasThreeForms) {
  EXPECT_EQ(parse_text_source("none")->kind, TextSource::Kind::kNone);
  EXPECT_EQ(*parse_text_source("japanese:3000"),
            (TextSource{TextSource::Kind::kSample, "japanese", 3000, {}}));
  EXPECT_EQ(*parse_text_source("file:a:b.txt"),
            (TextSource{TextSource::Kind::kFile, {}, 0, "a:b.txt"}));
}

TEST(Settings, DefaultsAreTheReferenceLab) {
  const Settings settings;
  EXPECT_EQ(settings.name, "lab");
  EXPECT_EQ(settings.eras, Eras::kLegacy);
  EXPECT_EQ(settings.instructions.kind, TextSource::Kind::kNone);
  EXPECT_FALSE(settings.discover_instructions || settings.tool_description || settings.tools);
}

TEST(Settings, EveryOneCanBeSet) {
  const Settings settings = settings_of({{"name", "shelf"},
                                         {"instructions", "english:5000"},
                                         {"discover-instructions", "none"},
                                         {"tool-description", "file:words.txt"},
                                         {"tools", "0"},
                                         {"era", "dual"},
                                         {"delay", "initialize=8000"},
                                         {"delay", "tools/list=0"},
                                         {"delay", "initialize=8001"},
                                         {"fault", "unknown-first=exit"},
                                         {"fault", "tools/list=error:-32000"},
                                         {"exit-after", "notifications/initialized"},
                                         {"page-size", "7"},
                                         {"log", "log.jsonl"}});
  EXPECT_EQ(settings.name, "shelf");
  EXPECT_EQ(settings.instructions.utf16_units, 5000u);
  EXPECT_EQ(settings.discover_instructions->kind, TextSource::Kind::kNone);
  EXPECT_EQ(settings.tool_description->path, "words.txt");
  EXPECT_EQ(settings.tools, 0u);
  EXPECT_EQ(settings.eras, Eras::kDual);
  EXPECT_EQ(settings.delays.size(), 2u);
  EXPECT_EQ(settings.delays.at("initialize"), milliseconds(8001));
  EXPECT_EQ(settings.faults.at("unknown-first").kind, FaultKind::kExit);
  EXPECT_EQ(settings.faults.at("tools/list").kind, FaultKind::kError);
  EXPECT_EQ(settings.faults.at("tools/list").error_code, -32000);
  EXPECT_EQ(settings.exit_after, "notifications/initialized");
  EXPECT_EQ(settings.page_size, 7u);
  EXPECT_EQ(settings.log_file, "log.jsonl");
}

TEST(Settings, KnowsAllFaults) {
  const std::pair<const char*, FaultKind> faults[] = {
      {"exit", FaultKind::kExit},           {"hang", FaultKind::kHang},
      {"malformed", FaultKind::kMalformed}, {"noise", FaultKind::kNoise},
      {"wrong-id", FaultKind::kWrongId},    {"null-id", FaultKind::kNullId},
      {"huge", FaultKind::kHuge},           {"error:-1", FaultKind::kError},
  };
  for (const auto& [word, kind] : faults) {
    const Settings settings = settings_of({{"fault", std::string("ping=") + word}});
    EXPECT_EQ(settings.faults.at("ping").kind, kind) << word;
  }
}

TEST(Settings, MethodsOfExtensionsAreTaken) {
  const Settings settings = settings_of({{"delay", "com.example/anything=5"}});
  EXPECT_EQ(settings.delays.at("com.example/anything"), milliseconds(5));
}

TEST(Settings, MistakesAreNamedAndTheNearestWordIsSaid) {
  struct Case {
    const char *key, *value, *message, *hint;
  };
  for (const Case& c : {
           Case{"instructons", "none", "'instructons' is no setting", "'instructions'"},
           Case{"colour", "none", "'colour' is no setting", "there are name, instructions"},
           Case{"name", "", "the name is empty", ""},
           Case{"instructions", "non", "'non' is not none, KIND:N", "'none'"},
           Case{"instructions", "", "'' is not none, KIND:N", ""},
           Case{"instructions", "englsh:100", "names no kind", "'english'"},
           Case{"instructions", "klingon:100", "english, japanese", "KIND:N"},
           Case{"instructions", "fil:a.txt", "names no kind", "'file'"},
           Case{"instructions", "file:", "names no file", ""},
           Case{"instructions", "english:", "'' is not a whole number", "plain digits"},
           Case{"instructions", "english:25,000", "'25,000' is not a whole", "plain digits"},
           Case{"instructions", "english:-1", "'-1' is not a whole number", ""},
           Case{"instructions", "english:0", "from 1 to 67,108,864", ""},
           Case{"instructions", "english:99999999999999999999", "is not a whole number", ""},
           Case{"discover-instructions", "engish:5", "names no kind", "'english'"},
           Case{"tool-description", "5", "'5' is not none", ""},
           Case{"tools", "three", "'three' is not a whole number from 0 to 100,000", ""},
           Case{"tools", "100001", "from 0 to 100,000", ""},
           Case{"era", "legcy", "'legcy' is not legacy, modern or dual", "'legacy'"},
           Case{"era", "", "'' is not legacy, modern or dual", ""},
           Case{"delay", "initialize", "has no equals sign", "METHOD=MS"},
           Case{"delay", "initialize=8s", "'8s' is not a whole number", ""},
           Case{"delay", "initialise=8", "'initialise' is no method", "'initialize'"},
           Case{"delay", "=8", "'' is no method", "tools/list"},
           Case{"delay", "unknown-first=8", "is only for faults", "name a method"},
           Case{"delay", "ping=86400001", "from 0 to 86,400,000", ""},
           Case{"fault", "tools/list", "has no equals sign", "METHOD=FAULT"},
           Case{"fault", "tools/lst=exit", "'tools/lst' is no method", "'tools/list'"},
           Case{"fault", "unknown-frist=exit", "is no method", "'unknown-first'"},
           Case{"fault", "ping=hnag", "'hnag' is not exit, hang", "'hang'"},
           Case{"fault", "ping=error", "'error' is not exit", ""},
           Case{"fault", "ping=error:", "no error code", "error:-32601"},
           Case{"fault", "ping=error:x", "no error code", "error:-32601"},
           Case{"exit-after", "tools/cal", "'tools/cal' is no method", "'tools/call'"},
           Case{"exit-after", "tools list", "is no method", "'tools/list'"},
           Case{"page-size", "0", "from 1 to 100,000", ""},
           Case{"tool-schema", "{", "it is no JSON", ""},
           Case{"tool-schema", "[]", "the list is empty", ""},
           Case{"log", "", "the path is empty", ""},
       }) {
    SCOPED_TRACE(std::string(c.key) + "=" + c.value);
    Settings settings;
    const Result<void> done = set(settings, c.key, c.value);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, "lab.setting");
    EXPECT_EQ(done.error().blame, Blame::kUsage);
    EXPECT_THAT(done.error().message, HasSubstr(c.message));
    EXPECT_THAT(done.error().message, HasSubstr(c.key));
    EXPECT_THAT(done.error().hint, HasSubstr(c.hint));
  }
}

TEST(SettingsToml, TheExampleInTheDocumentationHolds) {
  const std::string path = std::string(CUTLINE_SOURCE_DIR) + "/docs/lab-example.toml";
  Settings settings;
  const Result<void> done = apply_toml(settings, file_text(path), path);
  ASSERT_TRUE(done) << to_text(done.error());
  EXPECT_EQ(settings.name, "shelf");
  EXPECT_EQ(settings.instructions, (TextSource{TextSource::Kind::kSample, "english", 5000, {}}));
  EXPECT_EQ(settings.discover_instructions,
            (TextSource{TextSource::Kind::kSample, "japanese", 3000, {}}));
  EXPECT_EQ(settings.tool_description, (TextSource{TextSource::Kind::kSample, "mixed", 2100, {}}));
  EXPECT_EQ(settings.eras, Eras::kDual);
  EXPECT_EQ(settings.tools, 40u);
  EXPECT_EQ(settings.page_size, 16u);
  EXPECT_EQ(settings.log_file, "/tmp/shelf-log.jsonl");
  EXPECT_EQ(settings.delays.at("initialize"), milliseconds(8000));
  EXPECT_EQ(settings.delays.at("tools/list"), milliseconds(250));
  EXPECT_EQ(settings.faults.at("server/discover").kind, FaultKind::kNoise);
  EXPECT_EQ(settings.faults.at("prompts/list").error_code, -32000);
}

TEST(SettingsToml, IsReadOverWhatIsThere) {
  Settings settings = settings_of({{"era", "dual"}, {"tools", "5"}, {"delay", "ping=1"}});
  ASSERT_TRUE(apply_toml(settings, "tools = 6\n[delay]\ninitialize = 2\n", "a.toml"));
  EXPECT_EQ(settings.eras, Eras::kDual);
  EXPECT_EQ(settings.tools, 6u);
  EXPECT_EQ(settings.delays.size(), 2u);
}

TEST(SettingsToml, PathsAreMeantFromTheFile) {
  Settings settings;
  ASSERT_TRUE(apply_toml(settings,
                         "instructions = 'file:a.txt'\ntool-description = 'file:/b.txt'\n"
                         "log = '../log.jsonl'",
                         "some/where/lab.toml"));
  EXPECT_EQ(settings.instructions.path, "some/where/a.txt");
  EXPECT_EQ(settings.tool_description->path, "/b.txt");
  EXPECT_EQ(settings.log_file, "some/where/../log.jsonl");
}

TEST(SettingsToml, MistakesHaveAPlace) {
  struct Case {
    const char *toml, *code, *place, *says;
  };
  for (const Case& c : {
           Case{"tools = 3\nera = 'modrn'", "lab.setting", "lab.toml:2:", "'modern'"},
           Case{"\n\ninstructons = 'none'", "config.unknown_key", "lab.toml:3:", "instructions"},
           Case{"tools = true", "lab.setting", "lab.toml:1:", "a string or an integer"},
           Case{"delay = 5", "lab.setting", "lab.toml:1:", "a table of METHOD = VALUE"},
           Case{"[delay]\ninitialize = 1.5", "lab.setting", "lab.toml:2:", "an integer"},
           Case{"[delay]\ninitialize = -5", "lab.setting", "lab.toml:2:", "'-5'"},
           Case{"[fault]\n'tools/list' = 'hng'", "lab.setting", "lab.toml:2:", "'hang'"},
           Case{"[fault]\ntools.list = 'hang'", "lab.setting", "lab.toml:2:", "not a table"},
           Case{"tools = = 3", "config.toml.syntax", "lab.toml:1:", ""},
           Case{"instructions = 'file:'", "lab.setting", "lab.toml:1:", "names no file"},
       }) {
    SCOPED_TRACE(c.toml);
    Settings settings;
    const Result<void> done = apply_toml(settings, c.toml, "lab.toml");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, c.code);
    EXPECT_THAT(done.error().place, HasSubstr(c.place));
    EXPECT_THAT(to_text(done.error()), HasSubstr(c.says));
  }
}

TEST(Settings, KeysAreTheFlags) {
  EXPECT_THAT(setting_keys(),
              ElementsAre("name", "instructions", "discover-instructions", "tool-description",
                          "tool-members", "tools", "tool-names", "tool-schema", "era", "delay",
                          "fault", "exit-after", "page-size", "log"));
}

}  // namespace
}  // namespace cutline::lab
