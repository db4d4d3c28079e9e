// offer.cc: the names of things in an offer, and its texts.
#include "mcp/offer.h"

#include <array>
#include <csignal>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"

namespace cutline::mcp {
namespace {

constexpr std::array kSignalNames = std::to_array<std::pair<int, std::string_view>>({
    {SIGHUP, "SIGHUP"},
    {SIGINT, "SIGINT"},
    {SIGQUIT, "SIGQUIT"},
    {SIGILL, "SIGILL"},
    {SIGTRAP, "SIGTRAP"},
    {SIGABRT, "SIGABRT"},
    {SIGBUS, "SIGBUS"},
    {SIGFPE, "SIGFPE"},
    {SIGKILL, "SIGKILL"},
    {SIGUSR1, "SIGUSR1"},
    {SIGSEGV, "SIGSEGV"},
    {SIGUSR2, "SIGUSR2"},
    {SIGPIPE, "SIGPIPE"},
    {SIGALRM, "SIGALRM"},
    {SIGTERM, "SIGTERM"},
    {SIGXCPU, "SIGXCPU"},
});

}  // namespace

std::string_view name(Era era) { return era == Era::kLegacy ? "legacy" : "modern"; }

std::string_view name(ProbeAnswer answer) {
  switch (answer) {
    case ProbeAnswer::kNotAsked:
      return "not-asked";
    case ProbeAnswer::kModern:
      return "modern";
    case ProbeAnswer::kOtherVersion:
      return "other-version";
    case ProbeAnswer::kLegacyOnly:
      return "legacy-only";
    case ProbeAnswer::kError:
      return "error";
    case ProbeAnswer::kWrongShape:
      return "wrong-shape";
    case ProbeAnswer::kSilence:
      return "silence";
    case ProbeAnswer::kExit:
      return "exit";
    case ProbeAnswer::kNonsense:
      return "nonsense";
  }
  return {};
}

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kServes:
      return "serves";
    case Outcome::kDidNotStart:
      return "did-not-start";
    case Outcome::kRefuses:
      return "refuses";
    case Outcome::kHangs:
      return "hangs";
    case Outcome::kBroke:
      return "broke";
  }
  return {};
}

std::string to_text(const Exit& exit) {
  if (exit.code) return fmt::format("exit code {}", *exit.code);
  if (!exit.signal) return "exit code unknown";
  for (const auto& [number, signal_name] : kSignalNames) {
    if (number == *exit.signal) return fmt::format("signal {} ({})", number, signal_name);
  }
  return fmt::format("signal {}", *exit.signal);
}

ServerText server_text(std::string_view bytes) {
  Utf8Repair repaired = repair_utf8(bytes);
  ServerText text{.value = std::move(repaired.text), .length = {}, .first_invalid_byte = {}};
  text.length = text::measure(text.value);
  text.replaced = repaired.invalid_at.size();
  if (text.replaced > 0) text.first_invalid_byte = repaired.invalid_at.front();
  return text;
}

const EraOffer* Offer::era(Era wanted) const {
  const std::optional<EraOffer>& offer = wanted == Era::kLegacy ? legacy : modern;
  return offer ? &*offer : nullptr;
}

const EraOffer* Offer::any() const { return modern ? &*modern : era(Era::kLegacy); }

}  // namespace cutline::mcp
