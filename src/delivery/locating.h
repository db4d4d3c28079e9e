// locating.h: the parts that locate() is made of. Internal to this room.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "delivery/behaviour.h"
#include "delivery/locate.h"

namespace cutline::delivery {

/// A shorter head tells nothing by itself: it needs the frame, or a marker behind it.
inline constexpr std::size_t kHeadBytesMin = 16;
/// What follows a cut and is no marker that is known is shown up to here.
inline constexpr std::size_t kMarkerBytesMax = 64;
/// What arrives otherwise than it was sent is kept up to here.
inline constexpr std::size_t kChangedBytesMax = std::size_t{16} << 20;
/// Further occurrences of a text that are looked at, and that are told.
inline constexpr std::size_t kOccurrencesMax = 1024;
inline constexpr std::size_t kOccurrencesToldMax = 8;
/// Descriptions that are compared to find tools under other names.
inline constexpr std::size_t kRenamedComparedMax = 100'000;

/// The heads of a text that stand in another one: Knuth-Morris-Pratt, which keeps, byte for byte,
/// the longest head that ends there.
class HeadFinder {
 public:
  /// No head longer than `longest` can stand anywhere.
  HeadFinder(std::string_view text, std::size_t longest);

  /// Calls found(start, length) for every head that ends where the next byte does not go on with
  /// it, and for every whole text. Linear.
  template <class Found>
  void each(std::string_view in, Found&& found) const {
    if (text_.empty()) return;
    std::size_t matched = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (matched == 0) {
        const void* next = std::memchr(in.data() + i, text_[0], in.size() - i);
        if (!next) return;
        i = static_cast<std::size_t>(static_cast<const char*>(next) - in.data());
      }
      while (matched > 0 && (matched == text_.size() || in[i] != text_[matched])) {
        if (matched != text_.size()) found(i - matched, matched);
        matched = border_[matched];
      }
      if (in[i] == text_[matched]) ++matched;
      if (matched == text_.size()) found(i + 1 - matched, matched);
    }
    for (; matched > 0; matched = border_[matched])
      if (matched != text_.size()) found(in.size() - matched, matched);
  }

 private:
  std::string_view text_;
  std::vector<std::uint32_t> border_;  // of the head of that length: its longest end that is a head
};

/// A piece of a request's text with its place.
struct Spot {
  std::size_t request = 0;  // from 0
  llm::Role role = llm::Role::kUser;
  std::string_view text;
  std::string path;  // as a profile writes it: without ".text"
  std::size_t turn = 0;
};
/// In the order of the requests; in one request the descriptions of tools come last.
std::vector<Spot> spots_of(std::span<const llm::Request> requests);

/// Do the two show the same place of a conversation, in the same request or a later one?
bool same_place(const Spot& a, const Spot& b);

/// The word of profiles for a part of that role; a reminder stands within a message or a result.
std::string role_word(llm::Role role, bool in_reminder);

/// Every marker that the profile knows in any version.
std::vector<std::string> known_markers(const Behaviour& behaviour);

/// `original` arrives up to `kept` with `marker` behind it or, unless it is empty, as `changed`.
/// What is as predicted gets the prediction's notion of it (units, what was split).
struct Arrived {
  std::size_t kept = 0;
  std::string marker, changed;
};
void put_arrived(Delivered& piece, const Delivered& predicted, Arrived arrived);

/// A piece with nothing but what is known without looking into the requests.
Delivered not_arrived(const Delivered& predicted);

/// Why nothing was found, for a piece that the server did send; unknown where the requests end
/// before the one that is predicted to carry it.
void put_missing(Delivered& piece, const Delivered& predicted, std::size_t requests);

void locate_instructions(const Behaviour& behaviour, const Delivery& predicted,
                         const Captured& captured, Delivery& delivery);
void locate_tools(const Behaviour& behaviour, const Delivery& predicted, const Captured& captured,
                  Delivery& delivery);
/// Fills in `also` of the pieces that were found.
void locate_second_ways(const Behaviour& behaviour, const Delivery& predicted,
                        const Captured& captured, Delivery& delivery);

}  // namespace cutline::delivery
