// sse_test.cc: the standard's own examples, chopped in every way.
#include "wire/sse.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "support/cases.h"

namespace cutline::wire {
namespace {

using namespace std::string_view_literals;

std::string shown(const std::vector<SseEvent>& events) {
  std::string out;
  for (const SseEvent& e : events) out += "[" + e.event + "|" + e.data + "|" + e.id + "]";
  return out;
}

TEST(SseReader, FindsTheSameEventsHoweverTheBytesArrive) {
  struct Case {
    std::string_view bytes, events;
  };
  for (const Case& c : std::vector<Case>{
           {"", ""},
           {"data: YHOO\ndata: +2\ndata: 10\n\n", "[|YHOO\n+2\n10|]"},
           {": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third "
            "event\n\n",
            "[|first event|1][|second event|][| third event|]"},
           {"data\n\ndata\ndata\n\ndata:", "[||][|\n|]"},
           {"data:test\n\ndata: test\n\n", "[|test|][|test|]"},
           {"event: add\ndata: 1\n\nevent: remove\ndata: 2\n\n", "[add|1|][remove|2|]"},
           {"event: lost\n\ndata: x\n\n", "[|x|]"},  // no data, no event, and its name is forgotten
           {"data: a\r\n\r\ndata: b\r\rdata: c\n\r", "[|a|][|b|][|c|]"},
           {"data: a\r\ndata: b\r\n\r\n", "[|a\nb|]"},
           {"\xEF\xBB\xBF"
            "data: a\n\n\xEF\xBB\xBF"
            "data: b\n\n",
            "[|a|]"},
           {"id: 7\ndata: a\n\ndata: b\n\n", "[|a|7][|b|7]"},
           {"id: a\0b\ndata: a\n\n"sv, "[|a|]"},
           {"retry: 10\nfoo: bar\nDATA: x\ndata: {\"a\": \"b: c\"}\n\n", "[|{\"a\": \"b: c\"}|]"},
       }) {
    SCOPED_TRACE(c.bytes);
    std::optional<SseReader> reader;
    std::vector<SseEvent> events;
    const auto check = [&] {
      if (reader) {
        EXPECT_EQ(shown(events), c.events);
      }
    };
    cases::for_each_chopping(
        c.bytes,
        [&] {
          check();
          reader.emplace(1'000);
          events.clear();
        },
        [&](std::string_view part) { EXPECT_TRUE(reader->feed(part, events)); });
    check();
  }
}

TEST(SseReader, RefusesAnEventThatIsTooLarge) {
  struct Case {
    std::string_view bytes, events;
  };
  for (const Case& c : std::vector<Case>{
           {"data: 12345\n\ndata: 123456\n\n", "[|12345|]"},
           {":3456789012\n", ""},
           {"data\ndata\ndata\ndata\ndata\ndata\ndata\ndata\ndata\ndata\n", ""},
       }) {
    SCOPED_TRACE(c.bytes);
    std::optional<SseReader> reader;
    std::vector<SseEvent> events;
    Result<void> fed;
    const auto check = [&] {
      if (!reader) return;
      ASSERT_FALSE(fed);
      EXPECT_EQ(fed.error().code, "wire.sse.event_too_large");
      EXPECT_EQ(shown(events), c.events);
    };
    cases::for_each_chopping(
        c.bytes,
        [&] {
          check();
          reader.emplace(11 - (c.events.empty() ? 1 : 0));
          events.clear();
          fed = {};
        },
        [&](std::string_view part) {
          if (fed) fed = reader->feed(part, events);
        });
    check();
  }
}

TEST(SseProperty, WhatIsWrittenIsReadBack) {
  EXPECT_TRUE(rc::check("events come back, with line breaks as LF", [] {
    std::string data;
    std::string expected;
    for (const std::string& part : *rc::gen::container<std::vector<std::string>>(
             rc::gen::element<std::string>("a", " b", ":", "\r\n", "\n", "\r ", "é"))) {
      data += part;
      expected += part == "\r\n" ? "\n" : part == "\r " ? "\n " : part;
    }
    std::string bytes;
    append_event(bytes, "message_start", data);
    append_event(bytes, "", "x");
    std::vector<SseEvent> events;
    SseReader reader(10'000);
    RC_ASSERT(reader.feed(bytes, events).has_value());
    RC_ASSERT(shown(events) == "[message_start|" + expected + "|][|x|]");
  }));
}

}  // namespace
}  // namespace cutline::wire
