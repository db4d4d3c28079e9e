// show.cc: one piece as the model gets it.
#include "report/show.h"

#include <fmt/format.h>

#include "base/number.h"
#include "report/words.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::State;

std::string kept_text(const Delivered& piece) {
  return piece.changed.empty() ? std::string(piece.kept) : piece.changed;
}

std::string lost_text(const Delivered& piece) {
  if (piece.state == State::kUnknown) return {};
  if (!piece.arrives()) return std::string(piece.original);
  return piece.cut ? std::string(piece.original.substr(piece.cut->at.bytes.value)) : std::string();
}

/// Line by line, as pagers forget colours at the end of a line.
std::string painted(std::string_view text, Ink ink, const Style& style) {
  const std::string safe_text = text::sanitise(text);
  std::string out;
  for (std::size_t at = 0; at < safe_text.size();) {
    const std::size_t end = std::min(safe_text.find('\n', at), safe_text.size());
    out += paint(std::string_view(safe_text).substr(at, end - at), ink, style);
    if (end < safe_text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::string kept_screen(const Delivered& piece, const Style& style) {
  std::string out = painted(kept_text(piece), Ink::kPlain, style);
  if (piece.cut) out += paint("✂", Ink::kBad, style);
  return out + painted(piece.marker, Ink::kWarning, style);
}

}  // namespace

std::string show_bytes(const Delivered& piece, Shown shown) {
  if (shown == Shown::kLost) return lost_text(piece);
  std::string text = piece.text();
  if (shown == Shown::kBare || !piece.arrives()) return text;
  return piece.frame.opening + piece.frame.before + text + piece.frame.after + piece.frame.closing;
}

std::string show_screen(const Delivered& piece, Shown shown, const Style& style) {
  std::string out;
  if (shown == Shown::kLost) {
    out = painted(lost_text(piece), Ink::kPlain, style);
  } else if (piece.arrives()) {
    const bool framed = shown == Shown::kFramed;
    if (framed) out += painted(piece.frame.opening + piece.frame.before, Ink::kDim, style);
    out += kept_screen(piece, style);
    if (framed) out += painted(piece.frame.after + piece.frame.closing, Ink::kDim, style);
  }
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  return out;
}

std::string show_heading(const delivery::Profile& profile, const delivery::Delivery& delivery,
                         const Delivered& piece, const Style& style) {
  std::string words = delivery::program_name(profile, delivery.version);
  if (delivery.extrapolated) words += " (extrapolated)";
  words += ", ";
  words += piece.piece.tool.empty()
               ? "instructions of " + safe(piece.piece.server)
               : "tool " + safe(piece.full_name.empty() ? piece.piece.tool : piece.full_name);
  if (piece.state == State::kUnknown) {
    words += ": not known: " + absence_words(piece, delivery.version);
  } else if (!piece.arrives()) {
    words += ": nothing arrives: " + absence_words(piece, delivery.version);
  } else {
    if (piece.piece.tool.empty()) words += ": " + role_words(piece.where.role);
    if (piece.state == State::kDeferred) words += ", when the model asks for it";
    if (piece.state == State::kInRequest)
      words += fmt::format(", from request {} on", piece.request);
    const bool at_most = piece.state == State::kAtStartOrDeferred && piece.cut;
    words += fmt::format(", {}{} of {} {}", at_most ? "at most " : "",
                         with_separators(static_cast<std::int64_t>(piece.kept_units())),
                         with_separators(static_cast<std::int64_t>(piece.whole_units())),
                         unit_noun(piece, piece.whole_units()));
  }
  return paragraph({}, words, style, Ink::kDim);
}

}  // namespace cutline::report
