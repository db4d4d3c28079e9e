// instructions_words.cc: wording of lengths, places and losses of instructions.
#include "report/instructions_words.h"

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/eras.h"
#include "report/verdict.h"
#include "report/words.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::State;

constexpr std::size_t kNamesShown = 4;

std::string sent_words(const mcp::Offer& offer) {
  if (!compare_eras(offer).instructions_differ) {
    const mcp::EraOffer* any = offer.any();
    return any ? instructions_words(*any) : "none";
  }
  return fmt::format("{} in initialize, {} in server/discover", instructions_words(*offer.legacy),
                     instructions_words(*offer.modern));
}

std::string repairs(const mcp::Offer& offer, const Style& style) {
  const mcp::EraOffer* era = offer.any();
  if (!era || !era->instructions || !era->instructions->first_invalid_byte) return "";
  return paragraph(
      {std::string(kPartColumns, ' ')},
      fmt::format(
          "not UTF-8 from byte {} on: {} replaced by U+FFFD",
          with_separators(static_cast<std::int64_t>(*era->instructions->first_invalid_byte)),
          count(era->instructions->replaced, "part")),
      style, Ink::kWarning);
}

/// What a row says of the way that the text came, where that matters for this server.
std::string handshake_words(const CheckedGroup& group, const Delivered& piece, bool eras_differ) {
  std::string words;
  if (eras_differ && piece.era)
    words += *piece.era == mcp::Era::kModern ? " (discover)" : " (initialize)";
  if (group.group.delivery.process_starts > 1) words += ", started twice";
  return words;
}

}  // namespace

std::string instructions_head(const Check& check, const Style& style) {
  std::string out = paragraph(part_lead("INSTRUCTIONS"), sent_words(*check.offer), style);
  if (check.draft) out += repairs(*check.offer, style);  // a server's stands under NOTICED
  return out;
}

bool anything_sent(const mcp::Offer& offer) {
  for (const std::optional<mcp::EraOffer>* era : {&offer.legacy, &offer.modern})
    if (*era && ((*era)->instructions || (*era)->instructions_wrong_type)) return true;
  return false;
}

std::string lands_words(const CheckedGroup& group, const Delivered& piece, bool eras_differ) {
  std::string words;
  if (piece.state == State::kDeferred) words += "on demand, ";
  words += role_words(piece.where.role);
  if (piece.state == State::kInRequest) words += fmt::format(", from request {} on", piece.request);
  words += handshake_words(group, piece, eras_differ);
  if (group.group.extrapolated) words += ", extrapolated";
  return words;
}

std::string cut_manner_words(const text::Cut& cut, const text::Loss& loss) {
  std::string words;
  if (!loss.in_sentence) words += ", between two sentences";
  if (loss.in_code_fence) words += ", in a code block";
  if (cut.splits == text::Split::kGrapheme) words += ", inside one written character";
  if (cut.splits == text::Split::kCrLf) words += ", between CR and LF";
  return words;
}

std::string unsaid_words(const text::Loss& loss, bool named) {
  std::vector<std::string> parts;
  const auto add = [&](const std::vector<std::string>& items, std::string_view noun, bool name) {
    if (items.empty()) return;
    std::string part = unbroken(count(items.size(), noun));
    if (name) part += " (" + some_of(items, kNamesShown) + ")";
    parts.push_back(std::move(part));
  };
  add(loss.headings, "heading", named);
  add(loss.items, "list item", false);
  add(loss.names, "tool name", named);
  return fmt::format("{}", fmt::join(parts, ", "));
}

text::Loss loss_of(const CheckedGroup& group, const Delivered& piece) {
  std::vector<std::string> names;
  for (const Delivered* tool : tools_in(group)) names.push_back(tool->piece.tool);
  return text::loss_at(piece.original, piece.cut->at.bytes, names);
}

}  // namespace cutline::report
