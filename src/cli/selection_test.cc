// selection_test.cc
#include "cli/selection.h"

#include <gtest/gtest.h>

namespace cutline::cli {
namespace {

delivery::Profile profile() {
  delivery::Profile profile;
  profile.title = "Some Client";
  profile.first = Version::parse("2.0.77").value();
  profile.last = Version::parse("2.1.332").value();
  delivery::Fact fact;
  fact.versions = VersionRange::parse("2.1.84..2.1.332").value();
  profile.facts = {fact};
  return profile;
}

/// "2.0.77..2.1.332 [2.1.285]": what was named stands in brackets.
std::string selected(const std::vector<std::string>& texts) {
  std::vector<ClientWish> wishes;
  for (const std::string& text : texts) wishes.push_back(parse_client(text).value());
  const Result<std::vector<Selected>> selection = select(profile(), wishes);
  if (!selection) return selection.error().code;
  std::string out;
  for (const Selected& one : *selection) {
    out += out.empty() ? "" : " ";
    out += one.named ? "[" + one.range.text() + "]" : one.range.text();
  }
  return out;
}

TEST(Select, TakesEveryVersionOnce) {
  struct Case {
    std::vector<std::string> wishes;
    const char* selection;
  };
  for (const Case& c : {
           Case{{"c"}, "2.0.77..2.1.332"},
           Case{{"c", "c"}, "2.0.77..2.1.332"},
           Case{{"c@2.1.285"}, "[2.1.285]"},
           Case{{"c@2.1.285", "c@2.1.285"}, "[2.1.285]"},
           Case{{"c@2.1.285", "c@2.1.200"}, "[2.1.200] [2.1.285]"},
           Case{{"c@2.1.200..2.1.300", "c@2.1.250..2.1.310"}, "[2.1.200..2.1.310]"},
           Case{{"c@2.1.200..2.1.300", "c@2.1.250"}, "[2.1.200..2.1.300]"},
           Case{{"c@2.1.300..", "c@latest"}, "[2.1.300..2.1.332]"},
           Case{{"c@..2.1.90"}, "[2.0.77..2.1.90]"},
           Case{{"c@2.1.330..2.2.0"}, "[2.1.330..2.2.0]"},
           Case{{"c", "c@2.1.285"}, "2.0.77..2.1.284 [2.1.285] 2.1.286..2.1.332"},
           Case{{"c", "c@latest"}, "2.0.77..2.1.331 [2.1.332]"},
           Case{{"c", "c@2.2.0"}, "2.0.77..2.1.332 [2.2.0]"},
           Case{{"c", "c@1.0.0..2.1.5"}, "[1.0.0..2.1.5] 2.1.6..2.1.332"},
           Case{{"c@2.1.333.."}, "cli.client"},
           Case{{"c@..2.0.76"}, "cli.client"},
       })
    EXPECT_EQ(selected(c.wishes), c.selection) << testing::PrintToString(c.wishes);
}

TEST(Select, EndsBeforeAMinorVersionAtWhatIsKnown) {
  EXPECT_EQ(selected({"c", "c@2.1.0"}), "2.0.77 [2.1.0] 2.1.1..2.1.332");
}

}  // namespace
}  // namespace cutline::cli
