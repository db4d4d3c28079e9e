// occurrences.cc: judging every head that the automaton reports.
#include "delivery/occurrences.h"

#include <algorithm>
#include <utility>

namespace cutline::delivery {
namespace {

/// A head that nothing known surrounds or ends counts from here on, or from a quarter of the text.
constexpr std::size_t kBareHeadBytes = 64;

}  // namespace

bool before_in_order(const Occurrence& a, const Occurrence& b) {
  return std::pair(a.spot, a.start) < std::pair(b.spot, b.start);
}

OccurrenceFinder::OccurrenceFinder(const std::vector<Spot>& spots,
                                   const std::vector<std::string>& markers, const Frames& frames,
                                   std::string_view text, std::size_t predicted_kept)
    : spots_(spots), markers_(markers), frames_(frames), text_(text), hint_(predicted_kept) {
  std::size_t longest = 0;
  for (const Spot& spot : spots_) longest = std::max(longest, spot.text.size());
  const HeadFinder heads(text_, longest);
  for (std::size_t i = 0; i < spots_.size(); ++i) {
    heads.each(spots_[i].text,
               [&](std::size_t start, std::size_t length) { look(i, start, length); });
    if (may_be_framed(i)) look_behind_frames(i);
  }
}

/// The automaton reports the longer of two heads that overlap, and a short one may be hidden by one
/// that begins within its frame.
void OccurrenceFinder::look_behind_frames(std::size_t spot) {
  const std::string_view in = spots_[spot].text, before = frames_.before;
  for (std::size_t at = in.find(before); at != in.npos; at = in.find(before, at + 1)) {
    const std::size_t start = at + before.size();
    const std::string_view rest = in.substr(start, kHeadBytesMin);
    const auto [differs, unused] = std::ranges::mismatch(rest, text_);
    const auto length = static_cast<std::size_t>(differs - rest.begin());
    if (length > 0 && length < kHeadBytesMin) look(spot, start, length);
  }
}

std::optional<Occurrence> OccurrenceFinder::best() const {
  if (!best_) return std::nullopt;
  const std::size_t kept = best_->kept;
  const bool long_enough =
      kept >= kBareHeadBytes || (kept >= kHeadBytesMin && kept >= text_.size() / 4);
  const bool taken = best_->sure() || (best_->framed && kept >= kHeadBytesMin / 2) ||
                     (best_->clean() && kept >= kHeadBytesMin) || long_enough;
  return taken ? best_ : std::nullopt;
}

void OccurrenceFinder::look(std::size_t spot, std::size_t start, std::size_t length) {
  const std::string_view in = spots_[spot].text;
  Occurrence found = {
      .spot = spot,
      .start = start,
      .kept = length,
      .end = start + length,
      .marker = {},
      .framed = is_alone(spot, start, length) ||
                (may_be_framed(spot) && in.substr(0, start).ends_with(frames_.before))};
  if (!found.framed && length < kHeadBytesMin) return;
  find_ending(found, in, length);
  if (found.framed && !is_alone(spot, start, length)) found.context = context_of(found, in);
  const bool counts = found.sure() || (found.clean() && found.kept >= kHeadBytesMin);
  if (counts && others_.size() < kOccurrencesMax) others_.push_back(found);
  if (!best_ || better(found, *best_)) best_ = found;
}

/// The description of a namespace of tools is a frame by itself.
bool OccurrenceFinder::is_alone(std::size_t spot, std::size_t start, std::size_t length) const {
  return spots_[spot].role == llm::Role::kNamespace && start == 0 && length == text_.size() &&
         spots_[spot].text.size() == length;
}

/// What looks like a frame in a tool's description was written by a server.
bool OccurrenceFinder::may_be_framed(std::size_t spot) const {
  return !frames_.before.empty() && spots_[spot].role != llm::Role::kTool;
}

/// The client's marker or frame may happen to begin as the text goes on, or as it ends.
void OccurrenceFinder::find_ending(Occurrence& found, std::string_view in,
                                   std::size_t length) const {
  const bool whole = length == text_.size();
  if (whole) found.ending = Ending::kWhole;
  for (const std::string& marker : markers_) try_end(found, in, length, marker, Ending::kMarker);
  if (!found.framed || found.clean()) return;
  for (const std::string& tail : frames_.tails) try_end(found, in, length, tail, Ending::kFrame);
}

/// Does `what` stand behind the head, or from some way before its end?
void OccurrenceFinder::try_end(Occurrence& found, std::string_view in, std::size_t length,
                               std::string_view what, Ending ending) const {
  const std::size_t end = found.start + length;
  const bool whole = length == text_.size();
  // All of it may be part of the text, unless the text ends with it.
  const std::size_t furthest = std::min(length, whole ? what.size() - 1 : what.size());
  for (std::size_t back = whole ? 1 : 0; back <= furthest; ++back) {
    const bool fits = back == what.size() || (end < in.size() && in[end] == what[back]);
    if (!fits || in[end - back] != what[0]) continue;
    if (!in.substr(end - back).starts_with(what)) continue;
    const std::size_t kept = length - back;
    const bool first = found.ending == Ending::kOther || found.ending == Ending::kWhole;
    if (!first && (kept != hint_ || found.kept == hint_)) continue;
    found.kept = kept;
    found.ending = ending;
    found.marker = ending == Ending::kMarker ? what : std::string_view();
    found.end = found.start + kept + found.marker.size();
  }
}

std::size_t OccurrenceFinder::context_of(const Occurrence& found, std::string_view in) const {
  const std::string_view head = in.substr(0, found.start - frames_.before.size());
  const std::string_view rest = in.substr(found.end);
  const bool opened = std::ranges::any_of(
      frames_.openings, [&](const std::string& opening) { return head.ends_with(opening); });
  const bool closed =
      rest.empty() || std::ranges::any_of(frames_.tails, [&](const std::string& tail) {
        return rest.starts_with(tail);
      });
  return (opened ? 1U : 0U) + (closed ? 1U : 0U);
}

bool OccurrenceFinder::better(const Occurrence& a, const Occurrence& b) const {
  if (a.sure() != b.sure()) return a.sure();
  const std::size_t a_request = spots_[a.spot].request, b_request = spots_[b.spot].request;
  if (a.sure() && a_request != b_request) return a_request < b_request;
  if (a.kept != b.kept) return a.kept > b.kept;
  if (a.framed != b.framed) return a.framed;
  if (a.clean() != b.clean()) return a.clean();
  if (a.context != b.context) return a.context > b.context;
  return before_in_order(a, b);
}

}  // namespace cutline::delivery
