// profile_test.cc: profiles are read strictly, and the right fact is found.
#include "delivery/profile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cutline::delivery {
namespace {

constexpr std::string_view kHead = R"(id = "c"
title = "C"
package = "c"
first = "1.0.0"
last = "1.9.0"
)";

std::string fact(std::string_view versions, std::string_view rest = "value = { on = true }") {
  return fmt::format(R"([[fact]]
name = "tool_search.default"
versions = "{}"
{}
evidence = [{{ kind = "measured", date = 2026-12-01, how = "seen" }}]
)",
                     versions, rest);
}

Result<Profile> read(const std::string& facts) {
  return read_profile(std::string(kHead) + facts, "c.toml");
}

Version version(std::string_view text) { return Version::parse(text).value(); }

TEST(ReadProfile, RefusesWhatIsMalformedWithItsPlace) {
  struct Case {
    std::string facts;
    std::string_view code, place, part;
  };
  const Case cases[] = {
      {fact("1.0.0..1.5.0") + fact("1.5.0.."), "profile.overlap", "c.toml:11:1", "c.toml:6:1"},
      {fact("1.0.0", "value = { on = 1 }"), "profile.shape", "c.toml:9:16", "a boolean"},
      {fact("1.0.0", "value = { off = true }"), "config.unknown_key", "c.toml:9", "off"},
      {fact("1.0.0", "value = { }"), "profile.shape", "c.toml:9", "has no on"},
      {fact("1.0.0", ""), "profile.shape", "c.toml:6", "either a value"},
      {fact("1.x"), "version.syntax", "c.toml:8", "'1.x'"},
      {fact("1.2.0..1.1.0"), "version.range", "c.toml:8", "ends before"},
      {fact("1.0.0", "value = { on = true }\nsession = \"mine\""), "profile.shape", "c.toml:10",
       "'mine'"},
      {"[[fact]]\nname = \"tool_search.defalt\"\nversions = \"1.0.0\"\n", "profile.unknown_fact",
       "c.toml:7", "tool_search.defalt"},
      {"[[fact]]\nname = \"tool_search.default\"\nversions = \"1.0.0\"\nvalue = { on = true }\n",
       "profile.no_evidence", "c.toml:6", "no evidence"},
      {"fact = 3\n", "profile.shape", "c.toml:6", "[[fact]]"},
      {"[[fact]\n", "config.toml.syntax", "c.toml:6", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.facts);
    const Result<Profile> profile = read(c.facts);
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().code, c.code);
    EXPECT_TRUE(profile.error().place.starts_with(c.place)) << profile.error().place;
    EXPECT_NE(profile.error().message.find(c.part), std::string::npos) << profile.error().message;
  }
}

TEST(ReadProfile, RefusesValuesThatSayNothing) {
  struct Case {
    std::string_view name, value, part;
  };
  for (const Case& c : {
           Case{"tool.refused", "{}", "says nothing"},
           Case{"tool.refused", "{ parameter_longest = 9_007_199_254_740_993 }", "expected 0 to"},
           Case{"tool.schema", "[{ step = \"keep\" }]", "has no members"},
           Case{"tool.schema", "[{ step = \"drop\", members = [] }]", "at least one"},
           Case{"tool.schema", "[{ step = \"drop\", members = [1] }]", "an array of strings"},
           Case{"tool.schema", "[{ step = \"rewrite\", members = [\"a\"] }]", "members"},
           Case{"tool.schema", "[{ step = \"set\", member = \"a\", value = \"{\" }]", "no JSON"},
           Case{"tool.announced", "{ says = \"first-line\", role = \"tool\" }", "has no path"},
           Case{"tool.announced", "{ says = \"nothing\", size = 9 }", "size"},
           Case{"tool.rewrite", "{ as = \"replaced\", what = \"a\" }", "has no with"},
           Case{"tool.rewrite", "{ as = \"indented\" }", "has no by"},
           Case{"wait.startup", "{ first_request_waits = true, sure_ms = 1, gives_up_ms = [] }",
                "no range"},
           Case{"wait.startup", "{ first_request_waits = true, sure_ms = 1, gives_up_ms = [3, 2] }",
                "no range"},
           Case{"wait.startup",
                "{ first_request_waits = true, sure_ms = 1, gives_up_ms = [-1, 2] }", "expected 0"},
           Case{"instructions.shared", "{ size = -1, unit = \"bytes\", by = \"code_points\" }",
                "expected 0"},
       }) {
    SCOPED_TRACE(c.value);
    const Result<Profile> profile =
        read("[[fact]]\nname = \"" + std::string(c.name) +
             "\"\nversions = \"1.0.0\"\nvalue = " + std::string(c.value) + "\n");
    ASSERT_FALSE(profile);
    EXPECT_NE(profile.error().message.find(c.part), std::string::npos) << profile.error().message;
    EXPECT_TRUE(profile.error().place.starts_with("c.toml:9:")) << profile.error().place;
  }
}

TEST(ReadProfile, SuggestsTheNearestFact) {
  const Result<Profile> profile =
      read("[[fact]]\nname = \"tool_search.defalt\"\nversions = \"1.0.0\"\n");
  EXPECT_EQ(profile.error().hint, "did you mean 'tool_search.default'?");
}

TEST(ReadProfile, EveryBuiltinProfileIsWellFormed) {
  ASSERT_FALSE(builtin_profiles().empty());
  for (const BuiltinProfile& builtin : builtin_profiles()) {
    const Result<Profile> profile = read_profile(builtin.toml, std::string(builtin.file));
    ASSERT_TRUE(profile) << to_text(profile.error());
    EXPECT_EQ(profile->id + ".toml", builtin.file);
  }
}

TEST(ReadProfile, KeepsEvidenceThatDisagrees) {
  const Result<Profile> profile = read(R"([[fact]]
name = "tool_search.default"
versions = "1.0.0"
value = { on = true }
evidence = [
  { kind = "documented", date = 2026-09-30, url = "https://example.org", says = "off" },
  { kind = "measured", date = 2026-12-01, how = "seen" },
]
)");
  ASSERT_TRUE(profile) << to_text(profile.error());
  EXPECT_EQ(profile->facts[0].evidence[0].kind, EvidenceKind::kMeasured);
  ASSERT_EQ(profile->facts[0].conflicts().size(), 1u);
  EXPECT_EQ(profile->facts[0].conflicts()[0]->says, "off");
  EXPECT_EQ(profile->measured_on, "2026-12-01");
}

TEST(FindFact, MoreConditionsWinAndOutsideIsExtrapolated) {
  const std::string on = "value = { on = true }\n", off = "value = { on = false }\n";
  const Result<Profile> profile = read(fact("1.0.0..1.4.0", on) + fact("1.6.0..1.9.0", off) +
                                       fact("1.0.0..1.4.0", off + "session = \"custom-endpoint\"") +
                                       fact("1.0.0..1.4.0", on + "models = [\"old-*\"]"));
  ASSERT_TRUE(profile) << to_text(profile.error());
  struct Case {
    std::string_view at, model;
    Session session;
    int fact;  // -1: none
    bool extrapolated;
  };
  const Case cases[] = {
      {"1.2.0", "new", Session::kFirstParty, 0, false},
      {"1.2.0", "new", Session::kCustomEndpoint, 2, false},
      {"1.2.0", "old-1", Session::kCustomEndpoint, 3, false},
      {"1.5.0", "new", Session::kFirstParty, -1, false},  // a gap inside is not known
      {"2.0.0", "new", Session::kFirstParty, 1, true},
      {"0.9.0", "new", Session::kFirstParty, 0, true},
      {"0.9.0", "old-1", Session::kFirstParty, 3, true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.at) + " " + std::string(c.model));
    const Found found = find_fact(*profile, "tool_search.default", version(c.at),
                                  {.model = std::string(c.model), .session = c.session});
    const Fact* expected = c.fact < 0 ? nullptr : &profile->facts[static_cast<std::size_t>(c.fact)];
    EXPECT_EQ(found.fact, expected);
    EXPECT_EQ(found.extrapolated, c.extrapolated);
  }
}

TEST(ChangePoints, BeginRangesAndFollowTheirEnds) {
  const Result<Profile> profile = read(fact("1.0.0..1.4.0") + fact("1.6.0..1.9.0"));
  ASSERT_TRUE(profile);
  std::vector<std::string> points;
  for (const Version& point : change_points(*profile)) points.push_back(point.text());
  EXPECT_EQ(points, (std::vector<std::string>{"1.0.0", "1.4.1", "1.6.0"}));
}

TEST(Glob, KnowsTheStar) {
  EXPECT_TRUE(glob_matches("claude-opus-4-5*", "claude-opus-4-5-20251101"));
  EXPECT_TRUE(glob_matches("claude-opus-4-5*", "claude-opus-4-5"));
  EXPECT_FALSE(glob_matches("claude-opus-4-5*", "claude-opus-5-5"));
  EXPECT_TRUE(glob_matches("*a*b", "xxaxxbxb"));
  EXPECT_FALSE(glob_matches("", "x"));
  EXPECT_TRUE(glob_matches("*", ""));
}

}  // namespace
}  // namespace cutline::delivery
