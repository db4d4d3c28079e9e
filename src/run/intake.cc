// intake.cc: a Reader that is put away for as long as too much waits, and then made anew.
#include "run/intake.h"

#include <chrono>
#include <utility>

namespace cutline::run {
namespace {

using namespace std::chrono_literals;

/// Going on earlier would mean to stop again at once.
constexpr std::size_t kUnwrittenBytesLow = kUnwrittenBytesMax / 2;
/// A writer does not tell when it has room again, so we look. In that time no pipe takes the rest.
constexpr std::chrono::milliseconds kLookAgain = 2ms;

}  // namespace

Intake::Intake(sys::Loop& loop, sys::Fd fd, sys::Reader::Callbacks callbacks,
               std::function<std::size_t()> unwritten)
    : loop_(loop),
      fd_(std::move(fd)),
      callbacks_(std::move(callbacks)),
      unwritten_(std::move(unwritten)),
      again_(loop) {
  open();
}

void Intake::open() {
  if (unwritten_() > kUnwrittenBytesLow) return look_again();
  Result<sys::Fd> copy = sys::duplicate(fd_.get());
  if (!copy) return look_again();  // somebody may close one meanwhile
  reader_.emplace(loop_, *std::move(copy),
                  sys::Reader::Callbacks{
                      .bytes = [this](std::string_view bytes) { hear(bytes); },
                      .end = [this] { end(); },
                  });
}

void Intake::look_again() {
  again_.at(loop_.now() + kLookAgain, [this] { open(); });
}

void Intake::hear(std::string_view bytes) {
  callbacks_.bytes(bytes);
  if (unwritten_() <= kUnwrittenBytesMax) return;
  reader_.reset();
  look_again();
}

void Intake::end() {
  fd_.reset();
  callbacks_.end();
}

}  // namespace cutline::run
