// measurements_text.cc: the screen of `measure` with several clients.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/number.h"
#include "report/measurement_parts.h"
#include "report/measurements.h"
#include "report/table.h"
#include "report/verdict.h"
#include "report/words.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::PieceId;
using delivery::State;

constexpr std::size_t kTextColumns = 400;
constexpr std::string_view kNoValue = "–";

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

bool served(const Measurement& measurement) {
  return std::ranges::all_of(measurement.servers, &MeasuredServer::served);
}

Cell predicted_cell(const Measurement& measurement) {
  if (!served(measurement)) return {"not served", Ink::kBad};
  if (nothing_compared(measurement)) return {"unknown", Ink::kWarning};
  const std::size_t differences = measurement.comparison->differences.size();
  if (differences == 0) return {"yes", Ink::kGood};
  return {fmt::format("{} differ", number(differences)), Ink::kBad};
}

/// What stands in a column must be short; the legend says what it means.
constexpr std::string_view kBothShort = "both";
Cell handshake_cell(const Measurement& measurement) {
  const std::string& words = measurement.measured->handshake;
  if (words.empty()) return {std::string(kNoValue), Ink::kDim};
  if (words == "server/discover, then initialize") return {std::string(kBothShort)};
  if (words == "server/discover") return {"discover"};
  return {safe(words, 20)};
}

const Delivered* instructions_of(const Measurement& measurement) {
  for (const Delivered& piece : measurement.measured->pieces)
    if (piece.piece.kind == PieceId::Kind::kInstructions) return &piece;
  return nullptr;
}

Cell kept_cell(const Delivered* piece) {
  if (!piece) return {std::string(kNoValue), Ink::kDim};
  return {fmt::format("{} of {}", number(piece->kept_units()), number(piece->whole_units())),
          lost_for_good(*piece) ? Ink::kBad : Ink::kPlain};
}

std::string where_words(const Delivered* piece) {
  if (!piece) return "the server sends none";
  if (!piece->arrives()) {
    return piece->reason.empty()
               ? "not on the wire"
               : "not on the wire: " + without_full_stop(safe(piece->reason, kTextColumns));
  }
  std::string words = safe(role_words(piece->where.role));
  if (piece->request > 1 || piece->state == State::kInRequest)
    words += fmt::format(", from request {} on", piece->request);
  return words;
}

/// "45 search", "43 start, 2 never, 1 cut"
Cell tools_cell(const Measurement& measurement) {
  std::size_t start = 0, search = 0, never = 0, cut = 0;
  bool lost = false;
  for (const Delivered& piece : measurement.measured->pieces) {
    if (piece.piece.kind != PieceId::Kind::kTool) continue;
    ++(!piece.arrives() ? never : piece.state == State::kDeferred ? search : start);
    cut += piece.cut ? 1 : 0;
    lost |= lost_for_good(piece);
  }
  std::vector<std::string> words;
  const auto say = [&](std::size_t tools, std::string_view what) {
    if (tools != 0) words.push_back(fmt::format("{} {}", number(tools), what));
  };
  say(start, "start");
  say(search, "search");
  say(never, "never");
  say(cut, "cut");
  if (words.empty()) return {"none", Ink::kDim};
  return {fmt::format("{}", fmt::join(words, ", ")), lost ? Ink::kBad : Ink::kPlain};
}

std::string title(const MeasuredClient& client) {
  return fmt::format("{} {}", safe(client.title), client.version.text());
}

std::string table_part(const Measurements& measurements, const Style& style) {
  Table table({Align::kLeft, Align::kLeft, Align::kRight, Align::kLeft, Align::kRight, Align::kLeft,
               Align::kLeft});
  table.row({{"client", Ink::kDim},
             {"predicted", Ink::kDim},
             {"time", Ink::kDim},
             {"handshake", Ink::kDim},
             {"instructions", Ink::kDim},
             {"tools", Ink::kDim}});  // the place says by itself what it is
  bool both = false;
  for (const MeasuredClient& client : measurements.clients) {
    if (!client.measurement) {
      table.row({{title(client), Ink::kStrong}, {"not measured", Ink::kBad}});
      continue;
    }
    const Measurement& measurement = *client.measurement;
    const Cell handshake = handshake_cell(measurement);
    both |= handshake.text == kBothShort;
    const Delivered* piece = instructions_of(measurement);
    table.row({{title(client), Ink::kStrong},
               predicted_cell(measurement),
               {unbroken(fmt::format("{:.1f} s", measurement.wall_s))},
               handshake,
               kept_cell(piece),
               tools_cell(measurement),
               {where_words(piece), Ink::kDim}});
  }
  std::string out = table.render(style);
  if (both) out += paragraph({"  "}, "both: server/discover, then initialize", style, Ink::kDim);
  return out;
}

/// What the table has no room for; empty if all was as predicted.
std::string trouble_of(const MeasuredClient& client, const Style& style) {
  if (!client.measurement) {
    const std::size_t end = std::min(client.problem.find('\n'), client.problem.size());
    constexpr std::string_view kHint = "\n  hint: ";
    std::string out = paragraph(
        {"✗ ", Ink::kBad}, safe(client.problem.substr(0, end), kTextColumns), style, Ink::kBad);
    if (const std::size_t hint = client.problem.find(kHint); hint != std::string::npos)
      out +=
          paragraph({"  "}, safe(client.problem.substr(hint + kHint.size()), kTextColumns), style);
    return out;
  }
  const Measurement& measurement = *client.measurement;
  std::string out = not_served_part(measurement, style);
  const delivery::Comparison& comparison = *measurement.comparison;
  const bool tells = !comparison.equal() || !comparison.unpredicted.empty();
  if (out.empty() && tells)
    out = prediction_part(measurement, std::numeric_limits<std::size_t>::max(), style);
  for (const std::string& note : measurement.measured->notes)
    out += paragraph({"! ", Ink::kWarning}, safe(note, kTextColumns), style);
  return out;
}

std::string verdict_part(const Measurements& measurements, const Style& style) {
  std::vector<std::string> losing;
  for (const MeasuredClient& client : measurements.clients)
    if (client.measurement &&
        std::ranges::any_of(client.measurement->measured->pieces, lost_for_good))
      losing.push_back(title(client));
  if (!losing.empty())
    return "\n" +
           paragraph({"✗ ", Ink::kBad},
                     "Text of the server is cut or lost in " + some_of(losing, losing.size()) + ".",
                     style, Ink::kBad);
  if (exit_code(measurements) != 0) return "";
  return "\n" + paragraph({"✓ ", Ink::kGood},
                          "All as predicted, to the byte, and no text is cut or lost.", style,
                          Ink::kGood);
}

}  // namespace

std::string measurements_text(const Measurements& measurements, const Style& style) {
  std::string out =
      paragraph({},
                fmt::format("{} on the server '{}'", count(measurements.clients.size(), "client"),
                            safe(measurements.server)),
                style, Ink::kStrong);
  out += "\n" + table_part(measurements, style);
  for (const MeasuredClient& client : measurements.clients) {
    const std::string trouble = trouble_of(client, style);
    if (!trouble.empty()) out += "\n" + paragraph({}, title(client), style, Ink::kStrong) + trouble;
  }
  out += verdict_part(measurements, style);
  if (!measurements.store.empty())
    out += "\n" +
           paragraph({}, "Evidence: " + safe(measurements.store, kTextColumns), style, Ink::kDim);
  return out;
}

int exit_code(const Measurements& measurements) {
  constexpr int kMissing = 3;
  int worst = 0;
  for (const MeasuredClient& client : measurements.clients)
    worst = std::max(worst, client.measurement ? exit_code(*client.measurement) : kMissing);
  return worst;
}

}  // namespace cutline::report
