// incidents_test.cc: what is kept of many incidents.
#include "mcp/incidents.h"

#include <gtest/gtest.h>

namespace cutline::mcp {
namespace {

TEST(IncidentLog, CountsByCodeAndSubject) {
  IncidentLog log;
  log.note("noise", "", "the first");
  log.note("noise", "", "the second");
  log.note("shape", "a", "of a");
  log.note("shape", "b", "of b");
  log.note("shape", "a", "of a again");
  ASSERT_EQ(log.all().size(), 3u);
  EXPECT_EQ(log.all()[0], (Incident{.code = "noise", .message = "the first", .times = 2}));
  EXPECT_EQ(log.all()[1], (Incident{.code = "shape", .message = "of a", .times = 2}));
  EXPECT_EQ(log.all()[2], (Incident{.code = "shape", .message = "of b", .times = 1}));
}

TEST(IncidentLog, IsBounded) {
  IncidentLog log;
  for (int i = 0; i < 1'000; ++i) log.note("shape", std::to_string(i), std::to_string(i));
  ASSERT_EQ(log.all().size(), IncidentLog::kSubjectsMax);
  EXPECT_EQ(log.all().back().times, 1'000 - IncidentLog::kSubjectsMax + 1);
  EXPECT_EQ(log.take().size(), IncidentLog::kSubjectsMax);
  EXPECT_TRUE(log.all().empty());

  const std::string name(IncidentLog::kSubjectBytesMax, 'n');
  log.note("tool", name + "a", "of a long name");
  log.note("tool", name + "b", "of one that begins alike");
  ASSERT_EQ(log.all().size(), 1u);
  EXPECT_EQ(log.all()[0].times, 2u);
}

}  // namespace
}  // namespace cutline::mcp
