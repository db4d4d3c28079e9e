// agreement_test.cc: evidence beside the wire that says the same, says something else, or nothing.
#include "run/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/evidence_fixture.h"
#include "text/sample.h"

namespace cutline::run {
namespace {

using testing::Optional;

class AgreementTest : public testing::Test {
 protected:
  static HandMade made() {
    return HandMade(text::sample(text::SampleKind::kEnglish, 5'000, "").value());
  }
  Agreement agreement() const { return agreement_of(*given_.evaluation()); }

  Given given_{made()};
  std::vector<store::File>& files_ = given_.files;
};

TEST_F(AgreementTest, OfWhatIsAsPredicted) {
  const Agreement all = agreement();
  EXPECT_TRUE(all.ideal_reader);
  EXPECT_THAT(all.transcript, Optional(true));
  EXPECT_EQ(all.debug_log, std::nullopt) << "there is none";
  EXPECT_TRUE(all.server_log);
}

TEST_F(AgreementTest, TheTranscriptHasAnotherText) {
  std::string& transcript = files_.back().bytes;
  transcript.replace(transcript.find("## lab\\n") + 8, 1, "#");
  EXPECT_THAT(agreement().transcript, Optional(false));
}

TEST_F(AgreementTest, TheTranscriptIsNotThere) {
  files_.clear();
  EXPECT_EQ(agreement().transcript, std::nullopt);
}

TEST_F(AgreementTest, TheDebugLogSpeaksOfTheCutAndOfTheEra) {
  constexpr std::string_view kEra = R"(MCP server "lab": connected {"protocolEra":"legacy"})"
                                    "\n";
  constexpr std::string_view kCut = R"(MCP server "lab": instructions truncated from 5000 to 2048)"
                                    "\n";
  files_.push_back({.name = "debug.log", .bytes = std::string(kEra)});
  EXPECT_THAT(agreement().debug_log, Optional(false)) << "it was cut, and the log is silent";
  files_.back().bytes += kCut;
  EXPECT_THAT(agreement().debug_log, Optional(true));
  std::string& log = files_.back().bytes;
  log.replace(log.find("legacy"), 6, "modern");
  EXPECT_THAT(agreement().debug_log, Optional(false));
}

TEST_F(AgreementTest, AnIdealReaderOfSomethingElse) {
  given_.requests = made().arrives_as("not a word").requests();
  const Agreement nothing = agreement();
  EXPECT_TRUE(nothing.ideal_reader) << "neither sees a codeword";
  EXPECT_THAT(nothing.transcript, Optional(false));
  EXPECT_TRUE(nothing.server_log) << "nothing arrived that it would not have sent";
}

}  // namespace
}  // namespace cutline::run
