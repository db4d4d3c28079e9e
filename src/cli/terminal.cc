// terminal.cc: asking the terminal.
#include "cli/terminal.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include "text/terminal.h"

namespace cutline::cli {
namespace {

constexpr std::size_t kDefaultColumns = 80;
constexpr std::size_t kFewestColumns = 40;  // tables need that much
constexpr std::size_t kMostColumns = 110;   // longer lines are hard to read

int descriptor(Stream stream) { return stream == Stream::kOutput ? STDOUT_FILENO : STDERR_FILENO; }

std::size_t columns_of(Stream stream) {
  winsize size{};
  if (ioctl(descriptor(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefaultColumns;
  return std::clamp<std::size_t>(size.ws_col, kFewestColumns, kMostColumns);
}

bool wants_colour(Stream stream, Color color) {
  if (color != Color::kAuto) return color == Color::kAlways;
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color && *no_color) return false;
  const char* term = std::getenv("TERM");
  return is_terminal(stream) && term && std::string_view(term) != "dumb";
}

}  // namespace

bool is_terminal(Stream stream) { return isatty(descriptor(stream)) == 1; }

report::Style style_of(Stream stream, Color color) {
  return {.colour = wants_colour(stream, color), .columns = columns_of(stream)};
}

void print_problem(const Problem& problem) {
  const std::string text = "cutline: " + text::sanitise(to_text(problem)) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

Notice::Notice(std::string_view text) {
  const char* term = std::getenv("TERM");
  shown_ = is_terminal(Stream::kError) && term && std::string_view(term) != "dumb";
  if (!shown_) return;
  const std::string line = text::sanitise_line(text);
  const std::string_view head = text::head_columns(line, columns_of(Stream::kError) - 1);
  std::fwrite(head.data(), 1, head.size(), stderr);
  std::fflush(stderr);
}

Notice::~Notice() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace cutline::cli
