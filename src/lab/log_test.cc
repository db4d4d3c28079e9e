// log_test.cc: records to the byte, and what becomes of lines that are no JSON.
#include "lab/log.h"

#include <gtest/gtest.h>

namespace cutline::lab {
namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

LogEntry entry(Direction direction) {
  return {.time = system_clock::time_point(milliseconds(1'796'083'200'042)),  // 2026-12-01
          .pid = 4711,
          .parent_pid = 1,
          .direction = direction};
}

TEST(Log, KeepsMessagesAsJson) {
  EXPECT_EQ(log_records(entry(Direction::kReceived), R"({"id": 1.0, "id":"\u0041"})"
                                                     "\r\n"),
            R"({"time":"2026-12-01T00:00:00.042Z","pid":4711,"ppid":1,"direction":"received",)"
            R"("bytes":26,"message":{"id": 1.0, "id":"\u0041"}})"
            "\n");
}

TEST(Log, GivesEveryLineItsRecord) {
  EXPECT_EQ(log_records(entry(Direction::kSent), "The lab is open.\n\n{}\n5"),
            R"({"time":"2026-12-01T00:00:00.042Z","pid":4711,"ppid":1,"direction":"sent",)"
            R"("bytes":16,"text":"The lab is open."})"
            "\n"
            R"({"time":"2026-12-01T00:00:00.042Z","pid":4711,"ppid":1,"direction":"sent",)"
            R"("bytes":0,"text":""})"
            "\n"
            R"({"time":"2026-12-01T00:00:00.042Z","pid":4711,"ppid":1,"direction":"sent",)"
            R"("bytes":2,"message":{}})"
            "\n"
            R"({"time":"2026-12-01T00:00:00.042Z","pid":4711,"ppid":1,"direction":"sent",)"
            R"("bytes":1,"message":5})"
            "\n");
  EXPECT_EQ(log_records(entry(Direction::kSent), ""), "");
}

TEST(Log, IsValidWhateverWasSaid) {
  EXPECT_EQ(log_records(entry(Direction::kSent), "{\"a\":\"x\xff\"}\n"),
            R"({"time":"2026-12-01T00:00:00.042Z","pid":4711,"ppid":1,"direction":"sent",)"
            "\"bytes\":10,\"invalid_utf8_at\":7,\"message\":{\"a\":\"x\xef\xbf\xbd\"}}\n");
}

TEST(Log, CountsTimeFromTheEpoch) {
  const LogEntry leap = {.time = system_clock::time_point(milliseconds(1'709'251'199'999)),
                         .pid = 1,
                         .parent_pid = 0,
                         .direction = Direction::kSent};
  EXPECT_EQ(log_records(leap, "1\n"),
            R"({"time":"2024-02-29T23:59:59.999Z","pid":1,"ppid":0,"direction":"sent",)"
            R"("bytes":1,"message":1})"
            "\n");
}

}  // namespace
}  // namespace cutline::lab
