// measurement_text.cc: the screen of `measure`.
#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/cut_context.h"
#include "report/measurement_parts.h"
#include "report/verdict.h"
#include "report/words.h"
#include "text/structure.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::PieceId;
using delivery::State;

constexpr std::size_t kDifferencesShown = 10;
constexpr std::size_t kToolsShown = 5;
constexpr std::size_t kTextColumns = 400;

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

bool is_tool(const Delivered& piece) { return piece.piece.kind == PieceId::Kind::kTool; }

std::string head(const Measurement& measurement, const Style& style) {
  std::string out =
      paint(client_words(measurement), Ink::kStrong, style) +
      paint(fmt::format("  measured in {:.1f} s", measurement.wall_s), Ink::kDim, style) + "\n";
  std::vector<std::string> parts;
  if (!measurement.situation.model.empty())
    parts.push_back("model " + safe(measurement.situation.model));
  for (const auto& list : {measurement.situation.variables, measurement.situation.settings})
    for (const auto& [name, value] : list) parts.push_back(safe(name) + "=" + safe(value));
  if (!measurement.isolated) parts.emplace_back("without isolation from the network");
  if (!parts.empty())
    out += paragraph({}, fmt::format("{}", fmt::join(parts, ", ")), style, Ink::kDim);
  return out;
}

std::string where_words(const Delivered& piece) {
  std::string words = safe(role_words(piece.where.role));
  if (!piece.where.path.empty()) words += ", " + safe(piece.where.path);
  if (piece.request > 1 || piece.state == State::kInRequest)
    words += fmt::format(", from request {} on", piece.request);
  return words;
}

std::string cut_lines(const Delivered& piece, const Style& style) {
  const text::Outline outline = text::outline_of(piece.original, {});
  const text::Loss loss = text::loss_at(piece.original, piece.cut->at.bytes, outline);
  return cut_context(piece.original, piece.cut->at.bytes, loss, style);
}

std::string instructions_part(const Measurement& measurement, const Style& style) {
  std::string out;
  for (const Delivered& piece : measurement.measured->pieces) {
    if (is_tool(piece)) continue;
    std::string words =
        measurement.servers.size() > 1 ? safe(piece.piece.server) + ": " : std::string();
    if (!piece.arrives()) {
      words += "nothing on the wire";
      if (!piece.reason.empty())
        words += ": " + without_full_stop(safe(piece.reason, kTextColumns));
      out += paragraph(part_lead("INSTRUCTIONS"), words, style);
      continue;
    }
    words += fmt::format("{} of {} {} on the wire", number(piece.kept_units()),
                         number(piece.whole_units()), unit_noun(piece, piece.whole_units()));
    out += paragraph(part_lead("INSTRUCTIONS"), words, style);
    out += paragraph(part_lead(""), where_words(piece), style, Ink::kDim);
    if (piece.cut) out += cut_lines(piece, style);
  }
  return out;
}

std::string tools_part(const Measurement& measurement, const Style& style) {
  std::size_t start = 0, deferred = 0, named = 0, never = 0;
  std::vector<std::string> cut, absent;
  for (const Delivered& piece : measurement.measured->pieces) {
    if (!is_tool(piece)) continue;
    if (!piece.arrives()) {
      ++never;
      absent.push_back(piece.piece.tool);
      continue;
    }
    ++(piece.state == State::kDeferred ? deferred : start);
    if (piece.only_named()) ++named;
    if (piece.cut)
      cut.push_back(fmt::format("{} ({} of {})", piece.piece.tool, number(piece.kept_units()),
                                number(piece.whole_units())));
  }
  std::vector<std::string> words;
  if (start != 0) words.push_back(fmt::format("{} defined at the start", number(start)));
  if (deferred != 0) words.push_back(fmt::format("{} by search", number(deferred)));
  if (named != 0) {
    words.back() += named == deferred
                        ? ", which the model did not ask for"
                        : fmt::format(", {} of which it did not ask for", number(named));
  }
  if (never != 0) words.push_back(fmt::format("{} not on the wire", number(never)));
  if (words.empty()) words.emplace_back("none");
  std::string out = paragraph(part_lead("TOOLS"), fmt::format("{}", fmt::join(words, ", ")), style);
  if (!cut.empty())
    out += paragraph(part_lead(""), "cut: " + some_of(cut, kToolsShown), style, Ink::kBad);
  if (!absent.empty())
    out += paragraph(part_lead(""), "absent: " + some_of(absent, kToolsShown), style, Ink::kBad);
  return out;
}

std::string told_words(const MeasuredServer& server) {
  std::vector<std::string> where;
  if (server.stdout_tells) where.emplace_back("stdout");
  if (server.stderr_tells) where.emplace_back("stderr");
  if (server.debug_log_tells) where.emplace_back("the debug log");
  return where.empty() ? "nobody was told" : fmt::format("told in {}", fmt::join(where, " and "));
}

std::string servers_part(const Measurement& measurement, const Style& style) {
  std::string out;
  for (const MeasuredServer& server : measurement.servers) {
    const std::string name =
        measurement.servers.size() > 1 ? safe(server.name) + ": " : std::string();
    std::string words = name + (server.handshake.empty() ? "none" : safe(server.handshake));
    if (server.ready_ms)
      words +=
          fmt::format(", text ready after {}", duration_words(mcp::Milliseconds(*server.ready_ms)));
    if (server.process_starts > 1)
      words += fmt::format(", started {} times", server.process_starts);
    out += paragraph(part_lead("HANDSHAKE"), words, style);
    const Delivered* piece = measurement.measured->instructions(server.name);
    if (piece && piece->cut)
      out += paragraph(part_lead("OF THE CUT"), name + told_words(server), style);
  }
  return out;
}

std::string requests_part(const Measurement& measurement, const Style& style) {
  std::string words = count(measurement.requests.size(), "request") + " of the conversation";
  if (measurement.other_requests != 0)
    words += fmt::format(", {} beside it", number(measurement.other_requests));
  std::string out = paragraph(part_lead("WIRE"), words, style);
  for (std::size_t i = 0; i < measurement.requests.size(); ++i) {
    const MeasuredRequest& request = measurement.requests[i];
    out += paragraph(
        part_lead(""),
        fmt::format("{}: after {}, {} bytes", i + 1,
                    duration_words(mcp::Milliseconds(request.at_ms)), number(request.body_bytes)),
        style, Ink::kDim);
  }
  return out;
}

/// Why the exit code is 1 although all is as predicted.
std::string loss_part(const Measurement& measurement, const Style& style) {
  std::string out;
  std::size_t tools = 0;
  const auto lost = [&](const std::string& words) {
    out += paragraph({"✗ ", Ink::kBad}, words, style, Ink::kBad);
  };
  for (const Delivered& piece : measurement.measured->pieces) {
    if (!lost_for_good(piece)) continue;
    if (is_tool(piece)) {
      ++tools;
      continue;
    }
    const std::string whose =
        measurement.servers.size() > 1 ? piece_words(piece.piece) : "the instructions";
    const std::size_t whole = piece.whole_units();
    lost(fmt::format("{} of {} {} of {} {}.", piece.arrives() ? number(piece.lost_units()) : "All",
                     number(whole), unit_noun(piece, whole), whose,
                     comes_by_search(piece) ? "reach the model only once it searches for tools"
                                            : "never reach the model"));
  }
  if (tools != 0) lost(fmt::format("Text of {} is lost.", count(tools, "tool")));
  return out.empty() ? out : "\n" + out;
}

}  // namespace

std::string measurement_text(const Measurement& measurement, const Style& style) {
  const std::string not_served = not_served_part(measurement, style);
  std::string out = head(measurement, style) + "\n";
  out +=
      (not_served.empty() ? prediction_part(measurement, kDifferencesShown, style) : not_served) +
      "\n";
  out += instructions_part(measurement, style);
  out += tools_part(measurement, style);
  out += servers_part(measurement, style);
  out += requests_part(measurement, style);
  for (const std::string& note : measurement.measured->notes)
    out += paragraph({"! ", Ink::kWarning}, safe(note, kTextColumns), style);
  out += loss_part(measurement, style);
  if (!measurement.store.empty())
    out += "\n" +
           paragraph({}, "Evidence: " + safe(measurement.store, kTextColumns), style, Ink::kDim);
  return out;
}

int exit_code(const Measurement& measurement) {
  constexpr int kMissing = 3;
  if (!std::ranges::all_of(measurement.servers, &MeasuredServer::served)) return kMissing;
  const bool lost = std::ranges::any_of(measurement.measured->pieces, lost_for_good);
  if (lost || !measurement.comparison->equal()) return 1;
  return nothing_compared(measurement) ? kMissing : 0;
}

}  // namespace cutline::report
