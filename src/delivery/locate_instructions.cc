// locate_instructions.cc: where servers' instructions stand, and what of them.
//
// Each text is looked for by itself (occurrences.h). Then what they have to do with each other:
// which section was forged by another server, what stands between them, where the block begins and
// ends.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/number.h"
#include "delivery/locating.h"
#include "delivery/occurrences.h"

namespace cutline::delivery {
namespace {

/// A section may be followed by so much before the next one begins.
constexpr std::size_t kGapBytesMax = 256;
std::size_t floor_to_character(std::string_view text, std::size_t at) {
  return text::prefix(text, text::Unit::kBytes, at).value;
}

/// What follows, as far as it could be a marker.
std::string_view unknown_marker(std::string_view rest) {
  rest = rest.substr(0, floor_to_character(rest, kMarkerBytesMax));
  return rest.substr(0, rest.find('\n'));
}

/// One server on its way.
struct Server {
  const Delivered* predicted = nullptr;
  Delivered piece;
  Frames frames;
  std::optional<Occurrence> found;
  std::vector<Occurrence> others;
};

class InstructionsLocator {
 public:
  InstructionsLocator(const Behaviour& behaviour, const Delivery& predicted,
                      const Captured& captured)
      : behaviour_(behaviour),
        captured_(captured),
        spots_(spots_of(captured.requests)),
        markers_(known_markers(behaviour)),
        base_(frame_of(behaviour, {}, {})),
        separator_(behaviour.text("instructions.frame", "separator")) {
    for (const Delivered& piece : predicted.pieces)
      if (piece.piece.kind == PieceId::Kind::kInstructions) add(piece);
    for (Server& server : servers_) server.frames = frames_of(server);
  }

  void run(Delivery& delivery) {
    for (Server& server : servers_) find(server);
    leave_forged_sections();
    for (Server& server : servers_) find_otherwise(server);
    measure_frames();
    std::ranges::stable_sort(servers_, [](const Server& a, const Server& b) {
      if (!a.found || !b.found) return a.found.has_value() && !b.found;
      return before_in_order(*a.found, *b.found);
    });
    for (Server& server : servers_) tell_others(server, delivery.notes);
    for (Server& server : servers_) delivery.pieces.push_back(std::move(server.piece));
  }

 private:
  void add(const Delivered& predicted) {
    Server server;
    server.predicted = &predicted;
    server.piece = not_arrived(predicted);
    servers_.push_back(std::move(server));
  }

  Frame full_frame(std::string_view server, std::string_view role) const {
    return frame_of(behaviour_, server, role);
  }

  std::string after_of(const Server& server) const {
    return full_frame(server.piece.piece.server, {}).after;
  }

  Frames frames_of(const Server& server) const {
    const std::string& name = server.piece.piece.server;
    Frames frames;
    frames.before = full_frame(name, {}).before;
    for (const char* role : {"", "user-reminder"}) {
      const Frame frame = full_frame(name, role);
      if (!frame.opening.empty()) frames.openings.push_back(frame.opening);
      const std::string tail = frame.after + frame.closing;
      if (!tail.empty()) frames.tails.push_back(tail);
    }
    for (const Server& other : servers_) {
      if (&other == &server || frames.before.empty()) continue;
      const Frame theirs = full_frame(other.piece.piece.server, {});
      frames.tails.push_back(after_of(server) + separator_ + theirs.before);
      if (!separator_.empty()) frames.openings.push_back(theirs.after + separator_);
    }
    return frames;
  }

  // --- One server

  void find(Server& server) {
    for (const mcp::EraOffer* era : eras_of(server))
      if (era->instructions) find_text(server, *era);
  }

  /// Sections come after texts: a heading inside of a text that was found is part of that text.
  void find_otherwise(Server& server) {
    if (server.found) return;
    bool sent = false, said = false;
    for (const mcp::EraOffer* era : eras_of(server)) {
      sent = sent || era->instructions;
      said = said || (era->instructions && !era->instructions->value.empty());
    }
    if (sent) find_section(server);
    if (server.found) return;
    if (said) {
      put_missing(server.piece, *server.predicted, captured_.requests.size());
      return;
    }
    server.piece.never = sent ? Never::kEmpty : Never::kNotOffered;
    server.piece.reason = sent ? "the server sends an empty text" : "the server sends none";
  }

  /// The one whose answers the client is predicted to use first.
  std::vector<const mcp::EraOffer*> eras_of(const Server& server) const {
    const auto configured =
        std::ranges::find(captured_.servers, server.piece.piece.server, &Configured::name);
    const mcp::Offer* offer = configured == captured_.servers.end() ? nullptr : configured->offer;
    const std::optional<mcp::Era> first = server.predicted->era;
    std::vector<const mcp::EraOffer*> eras;
    if (!offer) return eras;
    for (const mcp::Era era : {mcp::Era::kModern, mcp::Era::kLegacy})
      if (offer->era(era)) eras.push_back(offer->era(era));
    std::ranges::stable_partition(
        eras, [&](const mcp::EraOffer* era) { return first && era->era == *first; });
    return eras;
  }

  /// As the client is predicted to write it anew, and else as the server sent it.
  void find_text(Server& server, const mcp::EraOffer& era) {
    const std::optional<std::string> anew =
        rewritten(behaviour_, "instructions.rewrite", era.instructions->value);
    if (anew) {
      const auto held = std::make_shared<const std::string>(*anew);
      if (find_as(server, era, *held, text::measure(*held))) {
        server.piece.rewriting = {.as = std::string(behaviour_.text("instructions.rewrite", "as")),
                                  .text = held,
                                  .sent = era.instructions->length};
        return;
      }
    }
    if (find_as(server, era, era.instructions->value, era.instructions->length))
      server.piece.rewriting.reset();
  }

  /// `text` outlives the delivery. Whether it is what the server is now taken to have said.
  bool find_as(Server& server, const mcp::EraOffer& era, std::string_view text,
               const text::Place& length) {
    const std::size_t hint = server.predicted->arrives() ? server.predicted->kept.size()
                                                         : std::numeric_limits<std::size_t>::max();
    const OccurrenceFinder finder(spots_, markers_, server.frames, text, hint);
    const std::optional<Occurrence> best = finder.best();
    if (!best || (server.found && !beats(*best, *server.found))) return false;
    server.found = best;
    server.others = finder.others();
    server.piece.era = era.era;
    server.piece.original = text;
    server.piece.whole = length;
    put_found(server);
    return true;
  }

  /// Between the texts of two eras: the same place, and more of it.
  bool beats(const Occurrence& a, const Occurrence& b) const {
    if (a.sure() != b.sure()) return a.sure();
    if (spots_[a.spot].request != spots_[b.spot].request)
      return spots_[a.spot].request < spots_[b.spot].request;
    if (a.kept != b.kept) return a.kept > b.kept;
    return a.ending == Ending::kWhole && b.ending != Ending::kWhole;
  }

  /// A server may write another one's heading and text into its own: then the other's own section
  /// counts, if there is one.
  void leave_forged_sections() {
    for (Server& server : servers_) {
      if (!server.found || !inside_another(server, *server.found)) continue;
      for (const Occurrence& other : server.others) {
        const bool as_good = other.sure() && other.kept >= server.found->kept &&
                             spots_[other.spot].request == spots_[server.found->spot].request;
        if (!as_good || inside_another(server, other)) continue;
        server.found = other;
        server.piece.reason.clear();
        put_found(server);
        break;
      }
    }
  }

  /// Does its frame begin in another server's text?
  bool inside_another(const Server& server, const Occurrence& found) const {
    return std::ranges::any_of(servers_, [&](const Server& other) {
      return &other != &server && other.found && other.found->spot == found.spot &&
             other.found->start < found.start &&
             found.start < other.found->end + (found.framed ? server.frames.before.size() : 1);
    });
  }

  void put_found(Server& server) {
    Delivered& piece = server.piece;
    Occurrence& found = *server.found;
    const Spot& spot = spots_[found.spot];
    put_place(piece, found);
    Arrived arrived = {.kept = found.kept, .marker = std::string(found.marker), .changed = {}};
    if (!found.clean()) {
      found.kept = floor_to_character(piece.original, found.kept);
      arrived = otherwise(server, spot.text.substr(found.start), found.kept);
      found.end =
          found.start + std::max(arrived.changed.size(), found.kept) + arrived.marker.size();
    }
    put_arrived(piece, *server.predicted, std::move(arrived));
  }

  void put_place(Delivered& piece, const Occurrence& found) const {
    const Spot& spot = spots_[found.spot];
    piece.request = spot.request + 1;
    piece.state = spot.request == 0 ? State::kAtStart : State::kInRequest;
    piece.never = Never::kNo;
    piece.reason = spot.request == 0 ? "" : fmt::format("first in request {}", piece.request);
    piece.where = place_of(spot, found.start);
  }

  /// What stands in the place of a text from which it differs after `kept` bytes.
  Arrived otherwise(Server& server, std::string_view section, std::size_t kept) const {
    const std::size_t end = section_end(server, section, kept);
    const std::string_view rest = section.substr(0, end).substr(kept);
    if (end == section.npos || (rest.size() <= kMarkerBytesMax && kept > 0)) {
      const std::string_view marker =
          end == section.npos ? unknown_marker(section.substr(kept)) : rest;
      add_reason(server.piece, "what follows what was kept is no marker that the profile knows");
      return {.kept = kept, .marker = std::string(marker), .changed = {}};
    }
    add_reason(server.piece, fmt::format("the text was changed from byte {} on", kept));
    std::string_view changed = section.substr(0, end);
    std::string marker;
    for (const std::string& known : markers_) {
      if (!changed.ends_with(known)) continue;
      marker = known;
      changed.remove_suffix(known.size());
      break;
    }
    const std::size_t shown = floor_to_character(changed, kChangedBytesMax);
    if (shown < changed.size())
      add_reason(server.piece, fmt::format("only its first {} are kept", count(shown, "byte")));
    return {.kept = kept,
            .marker = std::move(marker),
            .changed = std::string(changed.substr(0, shown))};
  }

  static void add_reason(Delivered& piece, std::string_view reason) {
    piece.reason += piece.reason.empty() ? "" : "; ";
    piece.reason += reason;
  }

  /// Where the frame goes on behind a text; npos if nothing of it is to be seen.
  static std::size_t section_end(const Server& server, std::string_view section, std::size_t kept) {
    std::size_t end = section.npos;
    for (const std::string& tail : server.frames.tails)
      end = std::min(end, section.find(tail, kept));
    return end;
  }

  /// The section of a server in which its text does not stand: empty, or wholly changed.
  void find_section(Server& server) {
    const std::string& before = server.frames.before;
    if (before.empty() || base_.opening.empty()) return;
    // A heading that no separator precedes is part of somebody's text.
    const std::string next = base_.after + separator_ + before;
    for (std::size_t i = 0; i < spots_.size(); ++i) {
      const std::string_view in = spots_[i].text;
      const std::size_t block = in.find(base_.opening);
      if (block == in.npos || spots_[i].role == llm::Role::kTool || repeats_found(spots_[i]))
        continue;
      const std::size_t first = block + base_.opening.size();
      std::size_t start = first + before.size();
      if (!in.substr(first).starts_with(before)) {
        std::size_t at = in.find(next, first);
        while (at != in.npos && in_found_text(i, at + next.size()))
          at = in.find(next, at + next.size());
        if (at == in.npos) continue;
        start = at + next.size();
      }
      put_section(server, {.spot = i, .start = start, .marker = {}});
      return;
    }
  }

  /// A later request repeats what an earlier one said.
  bool repeats_found(const Spot& spot) const {
    return std::ranges::any_of(servers_, [&](const Server& server) {
      return server.found && spot.request > spots_[server.found->spot].request &&
             same_place(spot, spots_[server.found->spot]);
    });
  }

  bool in_found_text(std::size_t spot, std::size_t at) const {
    return std::ranges::any_of(servers_, [&](const Server& server) {
      return server.found && server.found->spot == spot && server.found->start <= at &&
             at <= server.found->end;
    });
  }

  void put_section(Server& server, Occurrence found) {
    const std::string_view section = spots_[found.spot].text.substr(found.start);
    Delivered& piece = server.piece;
    for (const mcp::EraOffer* era : eras_of(server)) {
      if (!era->instructions) continue;
      piece.era = era->era;
      piece.original = era->instructions->value;
      piece.whole = era->instructions->length;
      break;
    }
    found.framed = true;
    found.end = found.start;
    put_place(piece, found);
    Arrived arrived;
    const auto marker = std::ranges::find_if(
        markers_, [&](const std::string& known) { return section.starts_with(known); });
    if (marker != markers_.end() && !piece.original.empty()) {
      arrived.marker = *marker;
    } else if (!(piece.original.empty() && section_end(server, section, 0) == 0)) {
      arrived = otherwise(server, section, 0);
    }
    found.end += arrived.changed.size() + arrived.marker.size();
    put_arrived(piece, *server.predicted, std::move(arrived));
    server.found = found;
  }

  // --- Places

  Placement place_of(const Spot& spot, std::size_t at) const {
    Placement where = {.role = role_of(spot, at), .path = spot.path, .form = {}};
    if (spot.role != llm::Role::kTool) where.form = spot.path.ends_with(']') ? "blocks" : "string";
    return where;
  }

  std::string role_of(const Spot& spot, std::size_t at) const {
    const bool user = spot.role == llm::Role::kUser || spot.role == llm::Role::kToolResult;
    return role_word(spot.role, user && in_reminder(spot.text, at));
  }

  /// Servers can write the closing tag themselves: a text that opens with a reminder is one.
  bool in_reminder(std::string_view text, std::size_t at) const {
    // The block's own tag stands right before its heading; whatever servers close after it is text.
    const std::string block = frame_of(behaviour_, {}, "user-reminder").opening;
    if (!block.empty() && block != base_.opening &&
        text.substr(0, at).find(block) != std::string_view::npos)
      return true;
    for (const config::Node* value : behaviour_.values_anywhere("instructions.frame.reminder")) {
      const auto trimmed = [](std::string_view tag) {
        const std::size_t first = tag.find_first_not_of(" \n");
        return first == tag.npos ? tag.substr(0, 0)
                                 : tag.substr(first, tag.find_last_not_of(" \n") + 1 - first);
      };
      const config::Node* opening = value->find("opening");
      const config::Node* closing = value->find("closing");
      if (!opening || !closing || trimmed(opening->string).empty()) continue;
      if (text.starts_with(trimmed(opening->string))) return true;
      const std::size_t opened = text.substr(0, at).rfind(trimmed(opening->string));
      const std::size_t closed = text.substr(0, at).rfind(trimmed(closing->string));
      if (opened != text.npos && (closed == text.npos || closed < opened)) return true;
    }
    return false;
  }

  // --- Frames

  void measure_frames() {
    std::map<std::size_t, std::vector<Server*>> blocks;  // by spot
    for (Server& server : servers_)
      if (server.found) blocks[server.found->spot].push_back(&server);
    for (auto& [spot, block] : blocks) {
      std::ranges::sort(block, {}, [](const Server* server) { return server->found->start; });
      const std::string opening = opening_of(*block.front());
      for (std::size_t i = 0; i < block.size(); ++i) {
        Frame& frame = block[i]->piece.frame;
        frame.opening = opening;
        frame.before = before_of(*block[i]);
        if (i + 1 < block.size()) frame.after = gap(*block[i], *block[i + 1]);
      }
      const std::string closing = put_end(*block.back());
      for (Server* server : block) server->piece.frame.closing = closing;
    }
  }

  std::string before_of(const Server& server) const {
    if (server.found->framed) return server.frames.before;
    std::string_view head = spots_[server.found->spot].text.substr(0, server.found->start);
    const std::size_t line = head.ends_with('\n') && head.size() > 1
                                 ? head.rfind('\n', head.size() - 2)
                                 : head.rfind('\n');
    if (line != head.npos) head.remove_prefix(line + 1);
    return last_bytes(head, kMarkerBytesMax);
  }

  /// What stands before the first section; where it is not what is known, as many bytes as that.
  std::string opening_of(const Server& first) const {
    std::string expected = full_frame({}, first.piece.where.role).opening;
    std::string_view head = spots_[first.found->spot].text.substr(0, first.found->start);
    if (first.found->framed) head.remove_suffix(first.frames.before.size());
    // Servers without a text may be listed before it.
    const std::string& predicted = first.predicted->frame.opening;
    if (!predicted.empty() && head.ends_with(predicted)) return predicted;
    if (head.ends_with(expected)) return expected;
    // Sections of servers that were not found may stand between.
    const std::size_t block = head.rfind(expected);
    const bool other_first =
        block != head.npos && std::ranges::any_of(servers_, [&](const Server& other) {
          return !other.frames.before.empty() &&
                 head.substr(block + expected.size()).starts_with(other.frames.before);
        });
    return other_first ? expected : last_bytes(head, std::min(expected.size(), kGapBytesMax));
  }

  std::string gap(const Server& server, const Server& next) const {
    const std::size_t begin = server.found->end;
    std::size_t end = next.found->start;
    if (next.found->framed) end -= next.frames.before.size();
    if (end < begin) return {};
    const std::string_view gap = spots_[server.found->spot].text.substr(begin, end - begin);
    return std::string(gap.substr(0, floor_to_character(gap, kGapBytesMax)));
  }

  /// Measures what follows the last section that was found; returns the closing.
  std::string put_end(Server& last) const {
    std::string expected = full_frame({}, last.piece.where.role).closing;
    const std::string_view in = spots_[last.found->spot].text;
    std::string_view rest = in.substr(last.found->end);
    const std::string after = after_of(last);
    if (!rest.starts_with(after)) return first_bytes(rest, expected.size());
    last.piece.frame.after = after;
    rest.remove_prefix(after.size());
    if (rest.starts_with(expected)) return expected;
    const bool another = std::ranges::any_of(servers_, [&](const Server& other) {
      return &other != &last && !other.frames.before.empty() &&
             rest.starts_with(separator_ + other.frames.before);
    });
    if (another && rest.find(expected) != rest.npos) {
      last.piece.frame.after += separator_;
      return expected;
    }
    return first_bytes(rest, expected.size());
  }

  static std::string first_bytes(std::string_view text, std::size_t size) {
    return std::string(text.substr(0, floor_to_character(text, std::min(size, kGapBytesMax))));
  }

  static std::string last_bytes(std::string_view text, std::size_t size) {
    std::size_t begin = text.size() - std::min(size, text.size());
    while (begin < text.size() && !text::is_character_boundary(text, {begin})) ++begin;
    return std::string(text.substr(begin));
  }

  // --- Further occurrences

  void tell_others(const Server& server, std::vector<std::string>& notes) const {
    if (!server.found) return;
    std::vector<const Spot*> told;
    std::size_t more = 0;
    for (const Occurrence& other : server.others) {
      const Spot& spot = spots_[other.spot];
      if (other.kept < std::max(server.found->kept, kHeadBytesMin) || is_known(server, other))
        continue;
      if (std::ranges::any_of(told, [&](const Spot* seen) { return same_place(*seen, spot); }))
        continue;
      told.push_back(&spot);
      if (told.size() > kOccurrencesToldMax) {
        ++more;
        continue;
      }
      notes.push_back(fmt::format("the instructions of {} stand again in request {}, at {} ({})",
                                  server.piece.piece.server, spot.request + 1, spot.path,
                                  role_of(spot, other.start)));
    }
    if (more > 0) notes.push_back(fmt::format("and in {} more", count(more, "place")));
  }

  /// The one that was found, another server's, or either of them as a later request repeats it.
  bool is_known(const Server& server, const Occurrence& other) const {
    const Spot& spot = spots_[other.spot];
    const Spot& own = spots_[server.found->spot];
    if (spot.request > own.request && same_place(spot, own)) return true;
    return std::ranges::any_of(servers_, [&](const Server& each) {
      return each.found && each.found->spot == other.spot && each.found->start == other.start;
    });
  }

  const Behaviour& behaviour_;
  const Captured& captured_;
  std::vector<Spot> spots_;
  std::vector<std::string> markers_;
  Frame base_;
  std::string separator_;
  std::vector<Server> servers_;
};

}  // namespace

void locate_instructions(const Behaviour& behaviour, const Delivery& predicted,
                         const Captured& captured, Delivery& delivery) {
  InstructionsLocator(behaviour, predicted, captured).run(delivery);
}

}  // namespace cutline::delivery
