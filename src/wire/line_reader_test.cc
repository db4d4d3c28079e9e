// line_reader_test.cc: every stream is chopped in every way; the lines must be the same.
#include "wire/line_reader.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "support/cases.h"

namespace cutline::wire {
namespace {

/// "[bytes]" per line, "[bytes\r]" where it ended with CRLF, "[>LENGTH]" if too long, then the
/// rest.
std::string shown(const std::vector<Line>& lines, std::string_view rest) {
  std::string out;
  for (const Line& line : lines) {
    if (line.too_long) {
      EXPECT_TRUE(line.bytes.empty());
      out += "[>" + std::to_string(line.length) + "]";
    } else {
      EXPECT_EQ(line.length, line.bytes.size());
      out += "[" + line.bytes + (line.crlf ? "\\r]" : "]");
    }
  }
  return out + std::string(rest);
}

TEST(LineReader, FindsTheSameLinesHoweverTheBytesArrive) {
  struct Case {
    std::string_view bytes;
    std::size_t line_bytes_max;
    std::string_view lines;
  };
  using namespace std::string_view_literals;
  for (const Case& c : std::vector<Case>{
           {"", 9, ""},
           {"\n", 9, "[]"},
           {"\r\n", 9, "[\\r]"},
           {"{}\n{}\n", 9, "[{}][{}]"},
           {"a\r\nb\nc", 9, "[a\\r][b]c"},
           {"a\rb\r\r\nc\r", 9, "[a\rb\r\\r]c\r"},  // one CR belongs to the ending, no more
           {"\n\n\na", 9, "[][][]a"},
           {"\0\n"sv, 9, "[\0]"sv},
           {"1234\n", 4, "[1234]"},
           {"1234\r\n", 4, "[1234\\r]"},
           {"12345\n1\n", 4, "[>5][1]"},
           {"12345\r\n1\n", 4, "[>5][1]"},
           {"1234\r5\n1\n", 4, "[>5][1]"},
           {"1234\r\r\n1\n", 4, "[>5][1]"},
           {"1234\r", 4, "1234\r"},
           {"123456789", 4, "[>5]"},
           {"123456789\n", 4, "[>5]"},
           {"123456789\n123456789\nab\r\nc", 4, "[>5][>5][ab\\r]c"},
           {"\n\r\na\n", 0, "[][\\r][>1]"},
       }) {
    SCOPED_TRACE(c.bytes);
    std::optional<LineReader> reader;
    std::vector<Line> lines;
    const auto check = [&] {
      if (reader) {
        EXPECT_EQ(shown(lines, reader->rest()), c.lines);
      }
    };
    cases::for_each_chopping(
        c.bytes,
        [&] {
          check();
          reader.emplace(c.line_bytes_max);
          lines.clear();
        },
        [&](std::string_view part) {
          for (Line& line : reader->feed(part)) lines.push_back(std::move(line));
        });
    check();
  }
}

TEST(LineReader, ReportsATooLongLineBeforeItEnds) {
  LineReader reader(4);
  EXPECT_TRUE(reader.feed("1234").empty());
  ASSERT_EQ(reader.feed("5").size(), 1u);
  EXPECT_TRUE(reader.feed("678").empty());
  EXPECT_EQ(reader.rest(), "");
  EXPECT_TRUE(reader.feed("9\n").empty());
  EXPECT_EQ(shown(reader.feed("a\n"), ""), "[a]");
}

TEST(LineReader, DoesNotKeepWhatIsTooLong) {
  LineReader reader(1000);
  const std::string chunk(1 << 20, 'x');
  for (int i = 0; i < 100; ++i) {
    reader.feed(chunk);
    EXPECT_EQ(reader.rest(), "");
  }
}

TEST(LineReaderProperty, LosesNoByteOfLinesThatFit) {
  EXPECT_TRUE(rc::check("lines joined are the stream", [] {
    std::string bytes;
    for (const std::string& part : *rc::gen::container<std::vector<std::string>>(
             rc::gen::element<std::string>("a", "bc", "\r", "\n", "\r\n", "é")))
      bytes += part;
    LineReader reader(bytes.size());
    std::string joined;
    for (const Line& line : reader.feed(bytes)) joined += line.bytes + (line.crlf ? "\r\n" : "\n");
    RC_ASSERT(joined + std::string(reader.rest()) == bytes);
  }));
}

}  // namespace
}  // namespace cutline::wire
