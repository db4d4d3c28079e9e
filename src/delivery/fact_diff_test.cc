// fact_diff_test.cc: which facts of two versions are put beside each other.
#include "delivery/fact_diff.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutline::delivery {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Version version(std::string_view text) { return Version::parse(text).value(); }

/// A profile of versions 1.0.0 to 3.0.0 with facts that all have the same evidence.
Profile profile_of(const std::vector<std::string>& facts) {
  std::string toml = "id = 'c'\ntitle = 'C'\npackage = 'c'\nfirst = '1.0.0'\nlast = '3.0.0'\n";
  for (const std::string& fact : facts)
    toml += "[[fact]]\n" + fact +
            "\nevidence = [{ kind = 'measured', date = 2026-12-01, how = 'seen' }]\n";
  Result<Profile> profile = read_profile(toml, "c.toml");
  EXPECT_TRUE(profile) << (profile ? "" : to_text(profile.error()));
  return profile.value_or(Profile{});
}

std::string budget(std::string_view versions, std::string_view rest) {
  return fmt::format("name = 'instructions.budget'\nversions = '{}'\n{}", versions, rest);
}
std::string size(int size) {
  return fmt::format("value = {{ size = {}, unit = 'utf16', marker = '', marker_inside = false }}",
                     size);
}

std::vector<std::string> names(const std::vector<FactPair>& pairs) {
  std::vector<std::string> names;
  for (const FactPair& pair : pairs) names.push_back(pair.about->name);
  return names;
}

TEST(FactDiff, IsOfTwoVersions) {
  const Profile profile =
      profile_of({budget("1.0.0..1.9.0", "value = 'none'"), budget("2.0.0..3.0.0", size(2048)),
                  "name = 'model.default'\nversions = '..'\nunknown = true"});
  const FactDiff diff = diff_facts(profile, version("1.5.0"), profile, version("2.5.0"));
  ASSERT_THAT(names(diff.different), ElementsAre("instructions.budget"));
  EXPECT_EQ(diff.different[0].first->value.string, "none");
  EXPECT_EQ(diff.different[0].second->value.find("size")->integer, 2048);
  EXPECT_THAT(names(diff.unknown), ElementsAre("model.default"));
  EXPECT_FALSE(diff.alike());
  const FactDiff same = diff_facts(profile, version("2.0.0"), profile, version("9.0.0"));
  EXPECT_TRUE(same.alike());
  EXPECT_EQ(same.equal, 1U);
}

TEST(FactDiff, TellsWhatIsKnownOfOnlyOne) {
  const Profile one = profile_of({budget("1.0.0..3.0.0", size(10))});
  const Profile other = profile_of({budget("1.0.0..3.0.0", "unknown = true")});
  EXPECT_THAT(names(diff_facts(one, version("3.0.0"), other, version("3.0.0")).only_first),
              ElementsAre("instructions.budget"));
  const FactDiff diff = diff_facts(other, version("3.0.0"), one, version("3.0.0"));
  EXPECT_THAT(names(diff.only_second), ElementsAre("instructions.budget"));
  EXPECT_EQ(diff.only_second[0].first, nullptr);
}

TEST(FactDiff, AsksTheOtherWhatItDoesUnderTheSameConditions) {
  const Profile always = profile_of({budget("1.0.0..3.0.0", size(10))});
  const Profile by_model = profile_of(
      {budget("1.0.0..3.0.0", size(10)), budget("1.0.0..3.0.0", "models = ['big-*']\n" + size(20)),
       budget("1.0.0..3.0.0", "session = 'custom-endpoint'\n" + size(10))});
  const FactDiff diff = diff_facts(always, version("3.0.0"), by_model, version("3.0.0"));
  ASSERT_THAT(names(diff.different), ElementsAre("instructions.budget"));
  EXPECT_THAT(diff.different[0].about->models, ElementsAre("big-*"));
  EXPECT_EQ(diff.different[0].first->value.find("size")->integer, 10);
  EXPECT_EQ(diff.different[0].second->value.find("size")->integer, 20);
  EXPECT_EQ(diff.equal, 2U);
  EXPECT_THAT(diff.only_second, IsEmpty());
}

TEST(FactDiff, DoesNotMindTheOrderOfMembers) {
  const Profile one = profile_of({budget(
      "1.0.0..3.0.0", "value = { size = 1, unit = 'utf16', marker = 'm', marker_inside = true }")});
  const Profile other = profile_of({budget(
      "1.0.0..3.0.0", "value = { marker_inside = true, marker = 'm', unit = 'utf16', size = 1 }")});
  EXPECT_EQ(diff_facts(one, version("3.0.0"), other, version("3.0.0")).equal, 1U);
}

}  // namespace
}  // namespace cutline::delivery
