// compare.cc: a prediction beside a measurement, piece by piece.
#include "delivery/compare.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "delivery/difference_words.h"
#include "delivery/schemas.h"

namespace cutline::delivery {
namespace {

/// A profile names the place as far as it is always the same: "messages[1].content" holds for
/// "messages[1].content[0]".
bool holds_for(std::string_view predicted, std::string_view measured) {
  if (!measured.starts_with(predicted)) return false;
  return measured.size() == predicted.size() || measured[predicted.size()] == '[' ||
         measured[predicted.size()] == '.';
}

class Comparer {
 public:
  Comparer(const Delivery& predicted, const Delivery& measured)
      : predicted_(predicted), measured_(measured) {}

  Comparison run() {
    compare_connection();
    std::map<Key, std::vector<const Delivered*>> found;  // tools of one name in their order
    for (const Delivered& piece : measured_.pieces) found[key(piece)].push_back(&piece);
    std::map<Key, std::size_t> used;
    for (const Delivered& piece : predicted_.pieces) {
      const std::vector<const Delivered*>& same = found[key(piece)];
      const std::size_t number = used[key(piece)]++;
      if (number < same.size()) {
        compare_pieces(piece, *same[number]);
      } else {
        differ(piece.piece, "piece", arrival_words(piece), "not looked for");
      }
    }
    for (const auto& [id, pieces] : found) {
      for (std::size_t i = used[id]; i < pieces.size(); ++i)
        differ(pieces[i]->piece, "piece", "not offered", arrival_words(*pieces[i]));
    }
    compare_order();
    return std::move(result_);
  }

 private:
  using Key = std::tuple<PieceId::Kind, std::string_view, std::string_view>;

  static Key key(const Delivered& piece) {
    return {piece.piece.kind, piece.piece.server, piece.piece.tool};
  }

  void differ(PieceId piece, std::string what, std::string predicted, std::string measured) {
    result_.differences.push_back({.piece = std::move(piece),
                                   .what = std::move(what),
                                   .predicted = std::move(predicted),
                                   .measured = std::move(measured)});
  }

  void skip(const Delivered& piece, std::string_view what) {
    result_.unpredicted.push_back(fmt::format("{}: {}", piece_title(piece.piece), what));
  }

  /// The handshake is measured elsewhere, perhaps not at all.
  void compare_connection() {
    if (measured_.handshake.empty()) return;
    if (predicted_.handshake.empty() || predicted_.handshake.find("perhaps") != std::string::npos) {
      result_.unpredicted.emplace_back("the handshake");
      return;
    }
    if (predicted_.handshake != measured_.handshake)
      differ({}, "handshake", predicted_.handshake, measured_.handshake);
    if (predicted_.process_starts != measured_.process_starts) {
      differ({}, "process-starts", std::to_string(predicted_.process_starts),
             std::to_string(measured_.process_starts));
    }
    const auto words = [](bool connected) { return connected ? "connected" : "not connected"; };
    if (predicted_.connected != measured_.connected)
      differ({}, "connection", words(predicted_.connected), words(measured_.connected));
  }

  void compare_pieces(const Delivered& predicted, const Delivered& measured) {
    if (predicted.state == State::kUnknown) {
      skip(predicted, predicted.reason.empty() ? "whether it arrives" : predicted.reason);
      return;
    }
    if (measured.state == State::kUnknown) {
      skip(predicted, "not measured: " + measured.reason);
      return;
    }
    ++result_.compared;
    compare_arrival(predicted, measured);
    if (!predicted.arrives() || !measured.arrives()) return;
    compare_names(predicted, measured);
    compare_second_ways(predicted, measured);
    if (measured.only_named()) return;
    compare_places(predicted, measured);
    if (predicted.piece.kind == PieceId::Kind::kInstructions && predicted_.order_known)
      compare_frames(predicted, measured);
    compare_texts(predicted, measured);
    if (predicted.piece.kind == PieceId::Kind::kTool) compare_schemas(predicted, measured);
  }

  void compare_arrival(const Delivered& predicted, const Delivered& measured) {
    const bool either = predicted.state == State::kAtStartOrDeferred &&
                        (measured.state == State::kAtStart || measured.state == State::kDeferred);
    // A tool that is deferred and late is both.
    const bool deferred = predicted.channel == Channel::kDeferredTool && predicted.arrives() &&
                          measured.state == State::kDeferred;
    if (either || deferred) return;
    if (predicted.state != measured.state) {
      differ(predicted.piece, "state", arrival_words(predicted), arrival_words(measured));
    } else if (predicted.state == State::kInRequest && predicted.request != measured.request) {
      differ(predicted.piece, "request", std::to_string(predicted.request),
             std::to_string(measured.request));
    }
  }

  void compare_names(const Delivered& predicted, const Delivered& measured) {
    if (!predicted.full_name.empty() && predicted.full_name != measured.full_name)
      differ(predicted.piece, "name", predicted.full_name, measured.full_name);
  }

  /// A search that a run did not make shows nothing of what it would have brought.
  void compare_second_ways(const Delivered& predicted, const Delivered& measured) {
    if (!predicted.also || !measured.also) return;
    const SecondWay &ours = *predicted.also, &theirs = *measured.also;
    const std::string what =
        predicted.piece.kind == PieceId::Kind::kTool ? "announcement" : "search";
    if (ours.says != theirs.says || ours.text != theirs.text) {
      const std::size_t at = first_difference(ours.text, theirs.text);
      differ(predicted.piece, what, second_way_words(ours, at), second_way_words(theirs, at));
      return;
    }
    if (ours.before != theirs.before || ours.after != theirs.after)
      differ(predicted.piece, what + " (frame)", ours.before + "…" + ours.after,
             theirs.before + "…" + theirs.after);
    const bool same_role = ours.where.role.empty() || ours.where.role == theirs.where.role;
    const bool same_path = ours.where.path.empty() || holds_for(ours.where.path, theirs.where.path);
    if (!same_role || !same_path)
      differ(predicted.piece, what + " (place)", place_words(ours.where),
             place_words(theirs.where));
  }

  /// A profile says where a text stands in the first request; of later ones it knows the role.
  void compare_places(const Delivered& predicted, const Delivered& measured) {
    const Placement& where = predicted.where;
    const bool at_start =
        predicted.state != State::kInRequest && measured.state != State::kInRequest;
    // In a later request the path depends on the turns before: there only the role is predicted.
    if (where.role.empty() || (at_start && where.path.empty())) {
      skip(predicted, "its place in the request");
    }
    const bool path_too = at_start && !where.path.empty();
    const bool form_too = at_start && !where.form.empty();
    const bool same = (where.role.empty() || where.role == measured.where.role) &&
                      (!path_too || holds_for(where.path, measured.where.path)) &&
                      (!form_too || where.form == measured.where.form);
    if (!same) differ(predicted.piece, "place", place_words(where), place_words(measured.where));
  }

  void compare_frames(const Delivered& predicted, const Delivered& measured) {
    if (predicted.frame == Frame{}) {
      skip(predicted, "what stands around it");
      return;
    }
    const auto compare_part = [&](std::string_view part, const std::string& ours,
                                  const std::string& theirs) {
      if (ours == theirs) return;
      const std::size_t at = first_difference(ours, theirs);
      differ(predicted.piece, fmt::format("frame ({})", part), context_words(ours, at),
             context_words(theirs, at));
    };
    compare_part("opening", predicted.frame.opening, measured.frame.opening);
    compare_part("before", predicted.frame.before, measured.frame.before);
    // The separator is part of it, and only predicted among the sections of the first request.
    if (predicted.state == State::kAtStart)
      compare_part("after", predicted.frame.after, measured.frame.after);
    compare_part("closing", predicted.frame.closing, measured.frame.closing);
  }

  void compare_texts(const Delivered& predicted, const Delivered& measured) {
    if (predicted.state == State::kAtStartOrDeferred && predicted.channel != measured.channel) {
      skip(predicted, "its text in the narrower of its two ways");
      return;
    }
    const std::string ours = predicted.text(), theirs = measured.text();
    if (ours == theirs) return;
    const std::size_t at = first_difference(ours, theirs);
    differ(predicted.piece, "text", text_words(ours, at), text_words(theirs, at));
  }

  void compare_schemas(const Delivered& predicted, const Delivered& measured) {
    if (!predicted.schema_rule) return;
    const SentSchema sent = sent_schema(predicted);
    if (!sent.known) {
      skip(predicted, sent.reason);
      return;
    }
    const std::optional<std::string> at = schema_difference(sent, measured.schema);
    if (!at) return;
    const std::string ours = json::text(sent.schema);
    const std::string theirs(measured.schema);
    const std::size_t from = first_difference(ours, theirs);
    differ(predicted.piece, fmt::format("schema ({})", *at), text_words(ours, from),
           text_words(theirs, from));
  }

  /// Of those servers' sections that stand in the first request in both.
  void compare_order() {
    if (!predicted_.order_known) {
      result_.unpredicted.emplace_back("the order of servers, which is that of their connections");
      return;
    }
    const auto others = [](const Delivery& delivery, const Delivery& other) {
      std::vector<std::string> servers;
      for (const Delivered& piece : delivery.pieces) {
        if (piece.piece.kind != PieceId::Kind::kInstructions || piece.state != State::kAtStart)
          continue;
        const Delivered* twin = other.instructions(piece.piece.server);
        if (twin && twin->state == State::kAtStart) servers.push_back(piece.piece.server);
      }
      return servers;
    };
    const std::vector<std::string> ours = others(predicted_, measured_);
    const std::vector<std::string> theirs = others(measured_, predicted_);
    if (ours != theirs)
      differ({}, "order", fmt::format("{}", fmt::join(ours, ", ")),
             fmt::format("{}", fmt::join(theirs, ", ")));
  }

  const Delivery& predicted_;
  const Delivery& measured_;
  Comparison result_;
};

}  // namespace

Comparison compare(const Delivery& predicted, const Delivery& measured) {
  return Comparer(predicted, measured).run();
}

}  // namespace cutline::delivery
