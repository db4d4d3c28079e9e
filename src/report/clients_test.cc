// clients_test.cc
#include "report/clients.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/toml.h"
#include "json/document.h"
#include "report/fixture.h"

namespace cutline::report {
namespace {

using testing::HasSubstr;

const Style kPlain = {.colour = false, .columns = 80};

delivery::Profile profile_with_facts() {
  Fixture fixture("x");
  delivery::Profile profile = fixture.profile();
  delivery::Fact budget;
  budget.name = "instructions.budget";
  budget.versions = VersionRange::parse("1.0.0..2.0.0").value();
  budget.session = delivery::Session::kFirstParty;
  budget.models = {"big-*", "small"};
  budget.value = config::parse_toml(
                     "value = { size = 2048, unit = \"utf16\", list = [\"a\", 1, true] }", "p.toml")
                     .value()
                     .members.front()
                     .second;
  budget.evidence = {
      evidence(delivery::EvidenceKind::kMeasured, "2026-12-01", "lengths around it", "1.0.0"),
      evidence(delivery::EvidenceKind::kReported, "2026-01-02", "", "", "https://example.org",
               "4,096")};
  delivery::Fact unknown;
  unknown.name = "instructions.budget";
  unknown.versions = VersionRange::parse("2.0.1..3.0.0").value();
  unknown.unknown = true;
  profile.facts = {budget, unknown};
  return profile;
}

TEST(ClientsText, IsOneLineAProfile) {
  const std::vector<delivery::Profile> profiles = {profile_with_facts()};
  EXPECT_EQ(clients_text(profiles, kPlain),
            "client       npm package   versions       measured\n"
            "some-client  @some/client  1.0.0 – 3.0.0  2026-12-01\n");
}

TEST(ClientsText, ShowsTheDateWhereThereAreNoVersions) {
  delivery::Profile profile = profile_with_facts();
  profile.unversioned = true;
  profile.as_of = "2026-11-30";
  profile.package = profile.measured_on = "";
  profile.facts.resize(1);
  profile.facts[0].versions = {};
  const std::vector<delivery::Profile> profiles = {profile};
  EXPECT_EQ(clients_text(profiles, kPlain),
            "client       npm package  versions          measured\n"
            "some-client  –            as of 2026-11-30  never\n");
  const std::string text = client_text(profile, kPlain);
  EXPECT_TRUE(
      text.starts_with("Some Client (not on npm)\nwhat is known as of 2026-11-30, not told "
                       "apart by versions, never measured\n"))
      << text;
  EXPECT_THAT(text, HasSubstr("  any version, session first-party"));
  const std::string json = clients_json(profiles, true);
  EXPECT_THAT(json, HasSubstr("\"last_version\": null"));
  EXPECT_THAT(json, HasSubstr("\"as_of\": \"2026-11-30\""));
  EXPECT_THAT(json, HasSubstr("\"package\": null"));
}

TEST(ClientText, ShowsFactsWithEvidenceAndConflicts) {
  EXPECT_EQ(client_text(profile_with_facts(), kPlain), R"(Some Client (@some/client)
looked at 1.0.0 – 3.0.0, last measured 2026-12-01

instructions.budget
  1.0.0..2.0.0, session first-party, models big-* and small
    { size = 2048, unit = "utf16", list = ["a", 1, true] }
    · measured 2026-12-01 with 1.0.0: lengths around it
    ! reported 2026-01-02: https://example.org; it says otherwise: 4,096
  2.0.1..3.0.0
    unknown
)");
}

TEST(ClientsJson, HasTheFactsWhereTheyAreAskedFor) {
  const std::vector<delivery::Profile> profiles = {profile_with_facts()};
  const std::string text = clients_json(profiles, true);
  const json::Document document = json::Document::parse(text).value();
  const json::Value client = document.root().find("clients")->elements().front();
  EXPECT_EQ(json::string_member(client, "id"), "some-client");
  const std::vector<json::Value> facts = client.find("facts")->elements();
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[0].find("value")->find("size")->int64(), 2048);
  EXPECT_EQ(facts[0].find("value")->find("list")->elements()[2].boolean(), true);
  EXPECT_EQ(json::string_member(facts[0].find("evidence")->elements()[1], "contradicts_with"),
            "4,096");
  EXPECT_TRUE(facts[1].find("value")->is(json::Type::kNull));
  EXPECT_THAT(clients_json(profiles, false), testing::Not(HasSubstr("\"facts\"")));
}

}  // namespace
}  // namespace cutline::report
