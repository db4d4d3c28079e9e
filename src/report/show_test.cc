// show_test.cc
#include "report/show.h"

#include <gtest/gtest.h>

#include "report/fixture.h"

namespace cutline::report {
namespace {

const Style kPlain = {.colour = false, .columns = 80};
const Style kColour = {.colour = true, .columns = 80};

delivery::Delivered framed(std::string_view text, std::size_t limit) {
  delivery::Delivered piece = instructions_of(text, budget_of(limit), "user-reminder");
  piece.frame = {
      .opening = "<r>\n# Head\n\n", .before = "## srv\n", .after = "\n", .closing = "</r>"};
  return piece;
}

TEST(ShowBytes, AreExactlyWhatArrives) {
  const std::string text = "one two three\r\n\x1b[31m";
  const delivery::Delivered piece = framed(text, 8);
  EXPECT_EQ(show_bytes(piece, Shown::kFramed),
            "<r>\n# Head\n\n## srv\none two … [truncated]\n</r>");
  EXPECT_EQ(show_bytes(piece, Shown::kBare), "one two … [truncated]");
  EXPECT_EQ(show_bytes(piece, Shown::kLost), "three\r\n\x1b[31m");
  EXPECT_EQ(show_bytes(framed(text, 100), Shown::kBare), text);
  EXPECT_EQ(show_bytes(framed(text, 100), Shown::kLost), "");
}

TEST(ShowBytes, OfWhatNeverArrivesAreAllLost) {
  const delivery::Delivered piece = never(framed("abc", 100), delivery::Never::kTooLate);
  EXPECT_EQ(show_bytes(piece, Shown::kFramed), "");
  EXPECT_EQ(show_bytes(piece, Shown::kBare), "");
  EXPECT_EQ(show_bytes(piece, Shown::kLost), "abc");
  delivery::Delivered unknown = framed("abc", 100);
  unknown.state = delivery::State::kUnknown;
  EXPECT_EQ(show_bytes(unknown, Shown::kFramed), "");
  EXPECT_EQ(show_bytes(unknown, Shown::kLost), "");
}

TEST(ShowBytes, FollowWhatTheClientChanged) {
  delivery::Delivered piece = framed("a\nb", 100);
  piece.changed = "a\n    b";
  EXPECT_EQ(show_bytes(piece, Shown::kBare), "a\n    b");
}

TEST(ShowScreen, MarksTheCutAndDisarms) {
  const std::string text = "one \x1b[31mtwo three";
  EXPECT_EQ(show_screen(framed(text, 12), Shown::kFramed, kPlain),
            "<r>\n# Head\n\n## srv\none ␛[31mtwo✂… [truncated]\n</r>\n");
  EXPECT_EQ(show_screen(framed(text, 12), Shown::kLost, kPlain), " three\n");
  EXPECT_EQ(show_screen(framed(text, 100), Shown::kLost, kPlain), "");
}

TEST(ShowScreen, DimsTheFrameLineByLine) {
  EXPECT_EQ(show_screen(framed("one two", 4), Shown::kFramed, kColour),
            "\x1b[2m<r>\x1b[0m\n\x1b[2m# Head\x1b[0m\n\n\x1b[2m## srv\x1b[0m\none "
            "\x1b[31m✂\x1b[0m\x1b[33m… [truncated]\x1b[0m\n\x1b[2m</r>\x1b[0m\n");
}

TEST(ShowHeading, SaysWhatIsShown) {
  Fixture fixture("x");
  delivery::Delivery delivery;
  delivery.version = version("3.0.0");
  EXPECT_EQ(show_heading(fixture.profile(), delivery, framed("one two three", 8), kPlain),
            "Some Client 3.0.0, instructions of srv: reminder in a user message, 8 of 13\n"
            "characters\n");
  EXPECT_EQ(show_heading(fixture.profile(), delivery,
                         tool_of("t", "abc", {}, delivery::Channel::kDeferredTool), kPlain),
            "Some Client 3.0.0, tool mcp__srv__t, when the model asks for it, 3 of 3\n"
            "characters\n");
  EXPECT_EQ(show_heading(fixture.profile(), delivery,
                         never(framed("abc", 100), delivery::Never::kTooLate), kPlain),
            "Some Client 3.0.0, instructions of srv: nothing arrives: the client does not\n"
            "wait that long\n");
}

}  // namespace
}  // namespace cutline::report
