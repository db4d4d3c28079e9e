// terminal.h: what standard output and standard error are connected to.
#pragma once

#include "cli/options.h"
#include "report/style.h"

namespace cutline::cli {

enum class Stream { kOutput, kError };

bool is_terminal(Stream stream);

/// Width and colours for a stream. Colours: as `color` says; kAuto means on a terminal that can do
/// them, unless NO_COLOR is set to anything. Width: the terminal's, within bounds; 80 for a file.
report::Style style_of(Stream stream, Color color);

/// "cutline: …" on standard error, sanitised.
void print_problem(const Problem& problem);

/// Text that takes as long as the object lives: shown on standard error if that is a terminal, and
/// wiped out again.
class Notice {
 public:
  explicit Notice(std::string_view text);
  ~Notice();
  Notice(const Notice&) = delete;
  Notice& operator=(const Notice&) = delete;

 private:
  bool shown_ = false;
};

}  // namespace cutline::cli
