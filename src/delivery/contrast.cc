// contrast.cc: two predictions, piece by piece.
#include "delivery/contrast.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/number.h"
#include "delivery/difference_words.h"

namespace cutline::delivery {
namespace {

constexpr std::string_view kNotKnown = "not known";

std::string known_or(const std::string& words) {
  return words.empty() ? std::string(kNotKnown) : words;
}

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

/// "2,048 of 12,098 characters, 10,050 lost"
std::string kept_words(const Delivered& piece) {
  const text::Unit unit = piece.budget ? piece.budget->unit : text::Unit::kUtf16;
  const bool characters = (unit == text::Unit::kUtf16 || unit == text::Unit::kCodePoints) &&
                          piece.whole.utf16.value == piece.whole.code_points.value;
  std::string words =
      fmt::format("{} of {} {}", number(piece.kept_units()), number(piece.whole_units()),
                  characters ? std::string_view("characters") : text::noun(unit));
  if (piece.lost_units() != 0) words += fmt::format(", {} lost", number(piece.lost_units()));
  return words;
}

bool is_unsure(const std::string& handshake) {
  return handshake.empty() || handshake.find("perhaps") != std::string::npos;
}

bool same_arrival(const Delivered& a, const Delivered& b) {
  return a.state == b.state && (a.state != State::kInRequest || a.request == b.request) &&
         (a.state != State::kNever || a.never == b.never);
}

/// One of the two ways on one side, and one of the same two on the other: they may be the same.
bool may_be_same(const Delivered& either, const Delivered& other) {
  return either.state == State::kAtStartOrDeferred &&
         (other.state == State::kAtStart || other.state == State::kDeferred);
}

class Contraster {
 public:
  Contraster(const Delivery& first, const Delivery& second) : first_(first), second_(second) {}

  Contrasted run() {
    contrast_connections();
    contrast_kind(PieceId::Kind::kInstructions);
    contrast_kind(PieceId::Kind::kTool);
    return std::move(result_);
  }

 private:
  using Key = std::tuple<std::string_view, std::string_view>;

  static Key key(const Delivered& piece) { return {piece.piece.server, piece.piece.tool}; }

  void differ(const PieceId& piece, std::string what, std::string first, std::string second) {
    result_.differences.push_back({piece, std::move(what), std::move(first), std::move(second)});
  }
  void unknown(const PieceId& piece, std::string what, std::string first, std::string second) {
    result_.unknown.push_back({piece, std::move(what), std::move(first), std::move(second)});
  }

  void contrast_connections() {
    if (is_unsure(first_.handshake) || is_unsure(second_.handshake)) {
      unknown({}, "handshake", known_or(first_.handshake), known_or(second_.handshake));
      return;
    }
    if (first_.handshake != second_.handshake)
      differ({}, "handshake", first_.handshake, second_.handshake);
    if (first_.process_starts != second_.process_starts)
      differ({}, "process-starts", std::to_string(first_.process_starts),
             std::to_string(second_.process_starts));
    const auto words = [](bool connected) { return connected ? "connected" : "not connected"; };
    if (first_.connected != second_.connected)
      differ({}, "connection", words(first_.connected), words(second_.connected));
  }

  /// Pieces of one name are taken in their order.
  void contrast_kind(PieceId::Kind kind) {
    std::map<Key, std::vector<const Delivered*>> found;
    for (const Delivered& piece : second_.pieces)
      if (piece.piece.kind == kind) found[key(piece)].push_back(&piece);
    std::map<Key, std::size_t> used;
    for (const Delivered& piece : first_.pieces) {
      if (piece.piece.kind != kind) continue;
      const std::vector<const Delivered*>& same = found[key(piece)];
      const std::size_t at = used[key(piece)]++;
      contrast_one(&piece, at < same.size() ? same[at] : nullptr);
    }
    for (const Delivered& piece : second_.pieces) {
      if (piece.piece.kind != kind) continue;
      std::vector<const Delivered*>& same = found[key(piece)];
      const std::size_t taken = used[key(piece)];
      if (taken < same.size() && same[taken] == &piece) {
        ++used[key(piece)];
        contrast_one(nullptr, &piece);
      }
    }
  }

  /// Null: the other era's answer, which that client uses, has no such piece.
  void contrast_one(const Delivered* first, const Delivered* second) {
    ++result_.pieces;
    const std::size_t before = result_.differences.size() + result_.unknown.size();
    if (first && second) {
      contrast_pieces(*first, *second);
    } else {
      const auto words = [](const Delivered* piece) {
        return piece ? arrival_words(*piece) : std::string("not offered");
      };
      differ((first ? first : second)->piece, "arrival", words(first), words(second));
    }
    if (result_.differences.size() + result_.unknown.size() == before) ++result_.alike;
  }

  void contrast_pieces(const Delivered& a, const Delivered& b) {
    if (a.state == State::kUnknown || b.state == State::kUnknown || may_be_same(a, b) ||
        may_be_same(b, a)) {
      unknown(a.piece, "arrival", arrival_words(a), arrival_words(b));
      return;
    }
    if (!same_arrival(a, b)) differ(a.piece, "arrival", arrival_words(a), arrival_words(b));
    if (!a.arrives() || !b.arrives()) return;
    contrast_texts(a, b);
    contrast_places(a, b);
    contrast_second_ways(a, b);
    if (a.piece.kind == PieceId::Kind::kInstructions)
      contrast_frames(a, b);
    else
      contrast_names(a, b);
  }

  void contrast_texts(const Delivered& a, const Delivered& b) {
    const bool same_length =
        a.kept.size() == b.kept.size() && a.whole.bytes.value == b.whole.bytes.value;
    if (!same_length) differ(a.piece, "kept", kept_words(a), kept_words(b));
    const std::string ours = a.text(), theirs = b.text();
    if (ours == theirs) return;
    const std::size_t at = first_difference(ours, theirs);
    differ(a.piece, "text", text_words(ours, at), text_words(theirs, at));
  }

  /// What is not known of a place is empty; so is a form that does not matter.
  void contrast_places(const Delivered& a, const Delivered& b) {
    const Placement& ours = a.where;
    const Placement& theirs = b.where;
    const auto differs = [](const std::string& one, const std::string& other) {
      return !one.empty() && !other.empty() && one != other;
    };
    if (differs(ours.role, theirs.role) || differs(ours.path, theirs.path) ||
        differs(ours.form, theirs.form)) {
      differ(a.piece, "place", place_words(ours), place_words(theirs));
    } else if (ours.role.empty() || theirs.role.empty() ||
               ours.path.empty() != theirs.path.empty()) {
      unknown(a.piece, "place", known_or(place_words(ours)), known_or(place_words(theirs)));
    }
  }

  void contrast_second_ways(const Delivered& a, const Delivered& b) {
    if (!a.also || !b.also) return;
    if (a.also->says == b.also->says && a.also->text == b.also->text) return;
    const std::size_t at = first_difference(a.also->text, b.also->text);
    differ(a.piece, a.piece.kind == PieceId::Kind::kTool ? "announcement" : "search",
           second_way_words(*a.also, at), second_way_words(*b.also, at));
  }

  void contrast_frames(const Delivered& a, const Delivered& b) {
    if (a.frame == Frame{} || b.frame == Frame{}) {
      const auto words = [](const Frame& frame) { return frame == Frame{} ? kNotKnown : "known"; };
      unknown(a.piece, "frame", std::string(words(a.frame)), std::string(words(b.frame)));
      return;
    }
    const auto contrast_part = [&](std::string_view part, const std::string& ours,
                                   const std::string& theirs) {
      if (ours == theirs) return;
      const std::size_t at = first_difference(ours, theirs);
      differ(a.piece, fmt::format("frame ({})", part), context_words(ours, at),
             context_words(theirs, at));
    };
    contrast_part("opening", a.frame.opening, b.frame.opening);
    contrast_part("before", a.frame.before, b.frame.before);
    contrast_part("after", a.frame.after, b.frame.after);
    contrast_part("closing", a.frame.closing, b.frame.closing);
  }

  void contrast_names(const Delivered& a, const Delivered& b) {
    if (a.full_name == b.full_name) return;
    if (a.full_name.empty() || b.full_name.empty())
      unknown(a.piece, "name", known_or(a.full_name), known_or(b.full_name));
    else
      differ(a.piece, "name", a.full_name, b.full_name);
  }

  const Delivery& first_;
  const Delivery& second_;
  Contrasted result_;
};

}  // namespace

Contrasted contrast(const Delivery& first, const Delivery& second) {
  return Contraster(first, second).run();
}

}  // namespace cutline::delivery
