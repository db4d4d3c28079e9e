// piece_json.cc: writing one delivered piece.
#include "report/piece_json.h"

#include "delivery/schemas.h"
#include "report/lists_json.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::PieceId;

constexpr std::size_t kSentenceBytes = 2'000;  // of the sentence around a cut

std::string_view split_name(text::Split split) {
  switch (split) {
    case text::Split::kNone:
      return "nothing";
    case text::Split::kGrapheme:
      return "grapheme-cluster";
    case text::Split::kCrLf:
      return "crlf";
  }
  return "";
}

/// {"count": …, "first": […]}.
void write_list(json::Writer& out, std::string_view key, const std::vector<std::string>& all) {
  out.key(key).begin_object().member("count", all.size()).key("first").begin_array();
  for (std::size_t i = 0; i < all.size() && i < kListedMax; ++i) out.string(all[i]);
  out.end_array().end_object();
}

/// The end of the sentence's head and the beginning of its tail, so that no sentence is too long.
void write_sentence(json::Writer& out, const Delivered& piece, const text::Loss& loss) {
  const std::size_t at = piece.cut->at.bytes.value;
  const std::size_t begin = std::min(loss.sentence.begin.value, at);
  const std::size_t end = std::max(loss.sentence.end.value, at);
  std::string_view before = piece.original.substr(begin, at - begin);
  std::string_view after = piece.original.substr(at, end - at);
  if (before.size() > kSentenceBytes) {
    std::size_t from = before.size() - kSentenceBytes;
    while (from < before.size() && (static_cast<unsigned char>(before[from]) & 0xC0) == 0x80)
      ++from;
    before.remove_prefix(from);
  }
  after = after.substr(0, text::prefix(after, text::Unit::kBytes, kSentenceBytes).value);
  out.key("sentence").begin_object();
  out.member("kept", before).member("lost", after).end_object();
}

void write_cut(json::Writer& out, const Delivered& piece, std::span<const std::string> tool_names,
               Known& known) {
  out.key("cut");
  if (!piece.cut) {
    out.null();
    return;
  }
  const auto [found, is_new] =
      known.outlines.try_emplace({piece.original.data(), piece.original.size()});
  if (is_new) found->second = text::outline_of(piece.original, tool_names);
  const text::Loss loss = text::loss_at(piece.original, piece.cut->at.bytes, found->second);
  out.begin_object().key("at");
  write_lengths(out, piece.cut->at);
  out.key("lost");
  write_lengths(out, piece.cut->lost);
  out.member("marker", piece.marker).member("pair_protected", piece.cut->pair_protected);
  out.member("splits", split_name(piece.cut->splits));
  out.member("in_sentence", loss.in_sentence).member("in_code_fence", loss.in_code_fence);
  write_sentence(out, piece, loss);
  write_list(out, "lost_headings", loss.headings);
  write_list(out, "lost_list_items", loss.items);
  write_list(out, "lost_names", loss.names);
  out.end_object();
}

void write_budget(json::Writer& out, const std::optional<text::Budget>& budget) {
  out.key("budget");
  if (!budget) {
    out.null();
    return;
  }
  out.begin_object().member("size", budget->size).member("unit", text::name(budget->unit));
  out.member("marker", budget->marker).member("marker_inside", budget->marker_inside);
  out.member("first_line_only", budget->first_line_only).end_object();
}

void write_rewriting(json::Writer& out, const std::optional<delivery::Rewriting>& rewriting) {
  out.key("rewriting");
  if (!rewriting) {
    out.null();
    return;
  }
  out.begin_object().member("as", rewriting->as).key("sent");
  write_lengths(out, rewriting->sent);
  out.end_object();
}

void write_place(json::Writer& out, const Delivered& piece) {
  out.key("placement").begin_object().member("role", piece.where.role);
  out.member("path", piece.where.path).member("form", piece.where.form).end_object();
  if (piece.piece.kind == PieceId::Kind::kTool) return;
  out.key("frame").begin_object();
  out.member("opening", piece.frame.opening).member("before", piece.frame.before);
  out.member("after", piece.frame.after).member("closing", piece.frame.closing).end_object();
}

/// Without the whole text, which stands in the piece.
void write_second_way(json::Writer& out, const std::optional<delivery::SecondWay>& way) {
  out.key("also");
  if (!way) {
    out.null();
    return;
  }
  out.begin_object().member("says", delivery::name(way->says));
  out.member("state", delivery::name(way->state));
  out.key("placement").begin_object().member("role", way->where.role);
  out.member("path", way->where.path).member("form", way->where.form).end_object();
  out.member("before", way->before).member("text", way->text).member("after", way->after);
  out.member("utf16_units", way->units).end_object();
}

void write_because(json::Writer& out, const Delivered& piece) {
  out.key("because").begin_array();
  if (piece.because) {
    for (const delivery::Found& found : *piece.because) {
      if (!found.fact) continue;
      out.begin_object().member("fact", found.fact->name);
      out.member("versions", found.fact->versions.text());
      out.member("extrapolated", found.extrapolated).end_object();
    }
  }
  out.end_array();
}

}  // namespace

void write_lengths(json::Writer& out, const text::Place& place) {
  out.begin_object().member("utf16", place.utf16.value);
  out.member("code_points", place.code_points.value).member("bytes", place.bytes.value);
  out.end_object();
}

std::string_view unit_name(const Delivered& piece) {
  return text::name(piece.budget ? piece.budget->unit : text::Unit::kUtf16);
}

void write_piece_id(json::Writer& out, const Delivered& piece) {
  const bool tool = piece.piece.kind == PieceId::Kind::kTool;
  out.member("kind", tool ? "tool" : "instructions").member("server", piece.piece.server);
  out.member("tool", tool ? std::optional(piece.piece.tool) : std::nullopt);
}

namespace {

/// null: the model gets the schema as the server sends it, or none, or it is no prediction.
void write_schema(json::Writer& out, const Delivered& piece, delivery::SchemaEffects& schemas) {
  out.key("schema");
  const bool predicted = piece.arrives() && piece.schema_rule;
  const delivery::SentSchema* effect = predicted ? &schemas.of(piece) : nullptr;
  if (!effect || (effect->known && effect->changes.empty())) {
    out.null();
    return;
  }
  const delivery::SentSchema& sent = *effect;
  out.begin_object().member("known", sent.known).member("reason", sent.reason);
  out.key("changes").begin_array();
  for (const delivery::SchemaChange& change : sent.changes) {
    out.begin_object().member("what", delivery::name(change.what)).member("path", change.path);
    out.member("now", change.now).end_object();
  }
  out.end_array();
  write_strings(out, "lost_texts", sent.lost_texts);
  write_strings(out, "own_parameters", sent.own_parameters);
  out.end_object();
}

}  // namespace

void write_piece(json::Writer& out, const Delivered& piece, std::span<const std::string> tool_names,
                 Known& known) {
  out.begin_object();
  write_piece_id(out, piece);
  if (piece.piece.kind == PieceId::Kind::kTool) out.member("full_name", piece.full_name);
  out.member("channel", delivery::name(piece.channel)).member("state", delivery::name(piece.state));
  out.member("never", delivery::name(piece.never)).member("reason", piece.reason);
  out.member("request", piece.request);
  out.key("era");
  if (piece.era)
    out.string(mcp::name(*piece.era));
  else
    out.null();
  write_place(out, piece);
  write_budget(out, piece.budget);
  out.key("whole");
  write_lengths(out, piece.whole);
  write_rewriting(out, piece.rewriting);
  if (piece.piece.kind == PieceId::Kind::kTool) write_schema(out, piece, known.schemas);
  out.member("unit", unit_name(piece)).member("kept_units", piece.kept_units());
  out.member("lost_units", piece.lost_units());
  write_cut(out, piece, tool_names, known);
  write_second_way(out, piece.also);
  write_because(out, piece);
  out.end_object();
}

}  // namespace cutline::report
