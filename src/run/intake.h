// intake.h: reading only as fast as somebody takes what is read.
//
// A stream that is handed on must not pile up in memory: who writes faster than the other side
// reads has to wait, as he would without us in between.
#pragma once

#include <functional>
#include <optional>

#include "sys/fd.h"
#include "sys/loop.h"

namespace cutline::run {

/// So much may wait to be written before we stop to read what goes there.
inline constexpr std::size_t kUnwrittenBytesMax = std::size_t{8} << 20;

class Intake {
 public:
  /// `unwritten` tells how many bytes wait where these go. The callbacks must not destroy this.
  Intake(sys::Loop& loop, sys::Fd fd, sys::Reader::Callbacks callbacks,
         std::function<std::size_t()> unwritten);

 private:
  void open();
  void look_again();
  void hear(std::string_view bytes);
  void end();

  sys::Loop& loop_;
  sys::Fd fd_;  // kept, because a Reader closes its own
  sys::Reader::Callbacks callbacks_;
  std::function<std::size_t()> unwritten_;
  sys::Timer again_;
  std::optional<sys::Reader> reader_;
};

}  // namespace cutline::run
