// occurrences.h: where a text stands in the requests, and which of the places counts. Internal to
// this room.
//
// An occurrence is a head of the text with something behind it. One in its predicted frame that
// ends as a delivery ends (whole, with a marker, or where the frame goes on) is taken before any
// other, in the earliest request that has one; without such, the longest head that stands
// anywhere. The frame tells servers with equal texts apart, and short texts from chance.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "delivery/locating.h"

namespace cutline::delivery {

enum class Ending { kWhole, kMarker, kFrame, kOther };

struct Occurrence {
  std::size_t spot = 0, start = 0;
  std::size_t kept = 0;  // bytes of the text
  std::size_t end = 0;   // behind the marker, in the spot
  std::string_view marker;
  Ending ending = Ending::kOther;
  bool framed = false;
  std::size_t context = 0;  // how much of the rest of the frame stands there, too

  bool clean() const { return ending != Ending::kOther; }
  bool sure() const { return framed && clean(); }
};

bool before_in_order(const Occurrence& a, const Occurrence& b);

/// What is looked for around the text of one server.
struct Frames {
  std::string before;
  std::vector<std::string> openings, tails;
};

/// Looks everywhere at once. What it is given must outlive it.
class OccurrenceFinder {
 public:
  OccurrenceFinder(const std::vector<Spot>& spots, const std::vector<std::string>& markers,
                   const Frames& frames, std::string_view text, std::size_t predicted_kept);

  /// Nothing if all that there is may be chance.
  std::optional<Occurrence> best() const;
  /// All that are in their frame or long enough by themselves, the best among them.
  const std::vector<Occurrence>& others() const { return others_; }

 private:
  void look(std::size_t spot, std::size_t start, std::size_t length);
  void look_behind_frames(std::size_t spot);
  bool may_be_framed(std::size_t spot) const;
  bool is_alone(std::size_t spot, std::size_t start, std::size_t length) const;
  void find_ending(Occurrence& found, std::string_view in, std::size_t length) const;
  void try_end(Occurrence& found, std::string_view in, std::size_t length, std::string_view what,
               Ending ending) const;
  std::size_t context_of(const Occurrence& found, std::string_view in) const;
  bool better(const Occurrence& a, const Occurrence& b) const;

  const std::vector<Spot>& spots_;
  const std::vector<std::string>& markers_;
  const Frames& frames_;
  std::string_view text_;
  std::size_t hint_;
  std::optional<Occurrence> best_;
  std::vector<Occurrence> others_;
};

}  // namespace cutline::delivery
