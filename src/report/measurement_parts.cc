// measurement_parts.cc: what differs from a prediction, line by line.
#include "report/measurement_parts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/number.h"
#include "report/words.h"

namespace cutline::report {
namespace {

constexpr std::size_t kUnpredictedShown = 5;
constexpr std::size_t kTextColumns = 400;

std::string difference_lines(const delivery::Difference& difference, const Style& style) {
  const std::string about =
      fmt::format("{}, {}: ", piece_words(difference.piece), safe(difference.what));
  return paragraph({"  "}, about, style) +
         paragraph({"    predicted  ", Ink::kDim}, safe(difference.predicted, kTextColumns),
                   style) +
         paragraph({"    measured   ", Ink::kDim}, safe(difference.measured, kTextColumns), style);
}

/// Each reason once, with what it holds for.
std::string unpredicted_part(const std::vector<std::string>& unpredicted, const Style& style) {
  constexpr std::string_view kBetween = ": ";
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const std::string& one : unpredicted) {
    const std::size_t end = std::min(one.find(kBetween), one.size());
    const std::string reason = one.substr(std::min(end + kBetween.size(), one.size()));
    const auto known =
        std::ranges::find(reasons, reason, [](const auto& each) { return each.first; });
    auto& what =
        known == reasons.end() ? reasons.emplace_back(reason, std::vector<std::string>{}) : *known;
    what.second.push_back(one.substr(0, end));
  }
  std::string out;
  for (std::size_t i = 0; i < std::min(reasons.size(), kUnpredictedShown); ++i) {
    const auto& [reason, what] = reasons[i];
    const std::string why = reason.empty() ? "" : ": " + safe(reason, kTextColumns);
    out += paragraph({"  "},
                     "Not predicted, as the profile does not know it: " +
                         some_of(what, kUnpredictedShown) + why + ".",
                     style, Ink::kDim);
  }
  if (reasons.size() > kUnpredictedShown) {
    out += paragraph({"  "},
                     fmt::format("… and {} more reasons; --format json has them all",
                                 reasons.size() - kUnpredictedShown),
                     style, Ink::kDim);
  }
  return out;
}

}  // namespace

std::string piece_words(const delivery::PieceId& piece) {
  if (piece.server.empty()) return "the connection";
  if (piece.kind == delivery::PieceId::Kind::kTool) return "tool " + safe_name(piece.tool);
  return "instructions of " + safe(piece.server);
}

std::string client_words(const Measurement& measurement) {
  return fmt::format("{} {}", measurement.profile->title, measurement.version.text());
}

std::string not_served_part(const Measurement& measurement, const Style& style) {
  std::string out;
  for (const MeasuredServer& server : measurement.servers) {
    if (server.served()) continue;
    const std::string& why = server.ended.empty() ? server.offer->outcome_detail : server.ended;
    out += paragraph({"✗ ", Ink::kBad},
                     fmt::format("The server '{}' did not serve: {}.", safe(server.name),
                                 without_full_stop(safe(why, kTextColumns))),
                     style, Ink::kBad);
    out += paragraph({"  "},
                     server.has_network || server.not_found
                         ? "cutline check asks it alone, and tells why."
                         : "cutline check asks it alone, and tells why. It had no network here: a "
                           "server that needs one, also npx, takes --server-network.",
                     style);
  }
  return out;
}

std::string prediction_part(const Measurement& measurement, std::size_t most, const Style& style) {
  const delivery::Comparison& comparison = *measurement.comparison;
  std::string out;
  if (nothing_compared(measurement)) {
    out = paragraph({"! ", Ink::kWarning},
                    "Nothing was compared: the profile predicts nothing of what was measured.",
                    style, Ink::kWarning);
  } else if (comparison.equal()) {
    out = paragraph(
        {"✓ ", Ink::kGood},
        fmt::format("As predicted, to the byte: {}.", count(comparison.compared, "piece")), style,
        Ink::kGood);
  } else {
    out = paragraph({"✗ ", Ink::kBad},
                    fmt::format("The prediction was wrong: {} in {}. The real client is right.",
                                count(comparison.differences.size(), "difference"),
                                count(comparison.compared, "piece")),
                    style, Ink::kBad);
    std::size_t shown = 0;
    for (const delivery::Difference& difference : comparison.differences) {
      if (++shown > most) break;
      out += difference_lines(difference, style);
    }
    if (comparison.differences.size() > most) {
      out += paragraph({"  "},
                       fmt::format("… and {} more; --format json has them all",
                                   comparison.differences.size() - most),
                       style);
    }
  }
  return out + unpredicted_part(comparison.unpredicted, style);
}

}  // namespace cutline::report
