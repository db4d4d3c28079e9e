// details_part.cc: every piece in every group, for `check --details`.
#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/clients.h"
#include "report/sources.h"
#include "report/table.h"
#include "report/verdict.h"
#include "report/words.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::PieceId;
using delivery::State;

constexpr std::size_t kNameColumns = 34;

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

std::string state_words(const Delivered& piece, const Version& version) {
  switch (piece.state) {
    case State::kAtStart:
      return "in the first request";
    case State::kInRequest:
      return fmt::format("from request {} on: {}", piece.request, absence_words(piece, version));
    case State::kDeferred:
      return "when the model asks for it";
    case State::kAtStartOrDeferred:
      return "in the first request or when the model asks for it: " + absence_words(piece, version);
    case State::kNever:
      return "never: " + absence_words(piece, version);
    case State::kUnknown:
      return "not known: " + absence_words(piece, version);
  }
  return "";
}

std::string place_words(const Delivered& piece) {
  std::string words = role_words(piece.where.role);
  if (!piece.where.path.empty()) words += ", " + safe(piece.where.path);
  if (!piece.where.form.empty()) words += fmt::format(" ({})", safe(piece.where.form));
  return words;
}

std::string cut_words(const Delivered& piece) {
  const std::string noun = unit_noun(piece, piece.whole_units());
  if (!piece.cut) return fmt::format("whole, {} {}", number(piece.whole_units()), noun);
  const text::Cut& cut = *piece.cut;
  std::string words = fmt::format(
      "{} of {} {} kept, {} lost ({}); cut at UTF-16 unit {}, code point {}, byte {}",
      number(piece.kept_units()), number(piece.whole_units()), noun, number(piece.lost_units()),
      share_words(piece.lost_units(), piece.whole_units()), number(cut.at.utf16.value),
      number(cut.at.code_points.value), number(cut.at.bytes.value));
  if (cut.marker) words += fmt::format(", \"{}\" appended", safe(piece.marker));
  if (cut.pair_protected) words += ", a character that would not fit whole is left out";
  if (cut.splits == text::Split::kGrapheme) words += ", inside one written character";
  if (cut.splits == text::Split::kCrLf) words += ", between CR and LF";
  return words;
}

std::string frame_words(const Delivered& piece) {
  const delivery::Frame& frame = piece.frame;
  const std::string before = frame.opening + frame.before, after = frame.after + frame.closing;
  if (before.empty() && after.empty()) return "";
  std::vector<std::string> parts;
  if (!before.empty()) parts.push_back(fmt::format("\"{}\" before it", safe(before, 400)));
  if (!after.empty()) parts.push_back(fmt::format("\"{}\" after it", safe(after, 200)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string instructions_lines(const Delivered& piece, const Version& version, const Style& style) {
  std::string out = paragraph({"  "}, "instructions of " + safe(piece.piece.server), style);
  const auto line = [&](std::string_view name, const std::string& words) {
    if (!words.empty()) out += paragraph({fmt::format("    {:<8}", name), Ink::kDim}, words, style);
  };
  line("when", state_words(piece, version));
  if (!piece.arrives()) return out;
  line("where", place_words(piece));
  line("text", cut_words(piece));
  line("frame", frame_words(piece));
  if (piece.also && piece.also->says == delivery::SecondWay::Says::kWhole)
    line("again", "whole, once the model searches: " + role_words(piece.also->where.role));
  if (piece.era) line("from", *piece.era == mcp::Era::kModern ? "server/discover" : "initialize");
  return out;
}

/// What a row says of the tool beside its numbers.
std::string tool_words(const Delivered& tool, const Version& version) {
  if (!tool.arrives()) return state_words(tool, version);
  std::string words(channel_words(tool.channel));
  if (!tool.full_name.ends_with(tool.piece.tool)) words += ", as " + safe(tool.full_name);
  return tool.also ? words + "; before it " + announced_words(*tool.also) : words;
}

std::string tool_table(const CheckedGroup& group, const Style& style) {
  const std::vector<const Delivered*> tools = tools_in(group);
  if (tools.empty()) return "";
  const Delivered& first = *tools.front();
  const bool all_alike = std::ranges::all_of(tools, [&](const Delivered* tool) {
    return !tool->arrives() && tool->reason == first.reason && tool->state == first.state;
  });
  if (all_alike) {
    return paragraph({"  "}, count(tools.size(), "tool") + " " + state_words(first, group.group.to),
                     style);
  }
  Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  table.row({{"  tool", Ink::kDim}, {"kept", Ink::kDim}, {"lost", Ink::kDim}, {"", Ink::kDim}});
  for (const Delivered* tool : tools) {
    const std::size_t lost = tool->arrives() ? tool->lost_units() : tool->whole_units();
    table.row({{"  " + safe_name(tool->piece.tool, kNameColumns)},
               {number(tool->kept_units())},
               {lost == 0 ? "–" : number(lost), lost == 0 ? Ink::kDim : Ink::kBad},
               {tool_words(*tool, group.group.to)}});
  }
  return table.render(style);
}

std::string group_lines(const CheckedClient& client, const CheckedGroup& group,
                        const Style& style) {
  const delivery::Delivery& delivery = group.group.delivery;
  std::string title =
      fmt::format("{} {}", client.profile->title,
                  versions_words(*client.profile, group.group.from, group.group.to));
  if (group.held_to()) title += ", held to";
  if (group.group.extrapolated) title += ", extrapolated";
  std::string out = paragraph({}, title, style, Ink::kStrong);
  if (!delivery.handshake.empty()) {
    out += paragraph({"  "},
                     fmt::format("asks {}{}", safe(delivery.handshake),
                                 delivery.process_starts > 1 ? "; starts the server again" : ""),
                     style);
  }
  if (!delivery.never_sent.empty()) {
    out += paragraph(
        {"  "},
        "never passes on of a tool: " + some_of(delivery.never_sent, delivery.never_sent.size()),
        style);
  }
  for (const std::string& note : delivery.notes) out += paragraph({"  · "}, safe(note, 400), style);
  for (const Delivered& piece : delivery.pieces) {
    if (piece.piece.kind == PieceId::Kind::kInstructions)
      out += instructions_lines(piece, group.group.to, style);
  }
  return out + tool_table(group, style);
}

}  // namespace

std::string details_part(const Check& check, const Style& style) {
  std::string out;
  for (const CheckedClient& client : check.clients) {
    for (const delivery::SwitchNote& note : client.switches) {
      if (is_told(note)) continue;  // among the verdict's lines
      out += paragraph({"· "}, safe(note.says, 400), style);
    }
    for (const CheckedGroup& group : client.groups) {
      if (!out.empty()) out += "\n";
      out += group_lines(client, group, style);
    }
    std::string_view name;
    for (const delivery::Fact* fact : facts_behind(check, client)) {
      if (fact->name != name) out += "\n" + paragraph({}, fact->name, style, Ink::kStrong);
      name = fact->name;
      out += fact_lines(*fact, style);
    }
  }
  return out;
}

}  // namespace cutline::report
