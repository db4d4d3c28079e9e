// experiment_rows.cc: from a cell's deliveries to the words of one line.
#include "report/experiment_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "report/words.h"
#include "text/unit.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::PieceId;

constexpr std::size_t kDifferenceColumns = 300;
constexpr std::size_t kAnswerColumns = 400;
constexpr std::size_t kProblemColumns = 500;

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

std::vector<const Delivered*> instructions_of(const ExperimentRow& row) {
  std::vector<const Delivered*> pieces;
  if (!row.measured) return pieces;
  for (const Delivered& piece : row.measured->pieces)
    if (piece.piece.kind == PieceId::Kind::kInstructions) pieces.push_back(&piece);
  return pieces;
}

std::string reached_words(const Delivered& piece) {
  if (!piece.arrives()) return "nothing";
  if (!piece.cut) return fmt::format("all {}", number(piece.whole_units()));
  return fmt::format("{} of {}{}", number(piece.kept_units()), number(piece.whole_units()),
                     piece.marker.empty() ? "" : " + marker");
}

/// Of those that are cut, where it is another number.
std::string bytes_words(const std::vector<const Delivered*>& pieces) {
  std::vector<std::string> words;
  for (const Delivered* piece : pieces)
    if (piece->arrives() && piece->cut && piece->kept.size() != piece->kept_units())
      words.push_back(number(piece->kept.size()));
  return words.empty() ? "" : fmt::format(" ({} bytes)", fmt::join(words, "; "));
}

std::string lands_words(const Delivered& piece) {
  if (!piece.arrives()) return "";
  const std::string role = safe(piece.where.role);
  return piece.request == 1 ? role : fmt::format("{}, request {}", role, piece.request);
}

/// One word for each server, a dash for none; the same word once.
template <class Words>
std::string joined(const std::vector<const Delivered*>& pieces, const Words& words) {
  std::vector<std::string> all;
  all.reserve(pieces.size());
  for (const Delivered* piece : pieces) all.push_back(words(*piece));
  const bool same =
      std::ranges::all_of(all, [&](const std::string& one) { return one == all.front(); });
  if (all.empty() || same) return all.empty() ? "" : all.front();
  for (std::string& one : all)
    if (one.empty()) one = "–";
  return fmt::format("{}", fmt::join(all, "; "));
}

std::string tools_words(const ExperimentRow& row) {
  std::vector<const Delivered*> tools;
  for (const Delivered& piece : row.measured->pieces)
    if (piece.piece.kind == PieceId::Kind::kTool) tools.push_back(&piece);
  return joined(tools, [](const Delivered& piece) {
    if (piece.only_named() && piece.whole_units() > 0) return std::string("by search, not fetched");
    const std::string reached = reached_words(piece);
    if (piece.state == delivery::State::kDeferred) return reached + ", by search";
    return piece.request > 1 ? fmt::format("{}, request {}", reached, piece.request) : reached;
  });
}

std::string others_words(const ExperimentRow& row) {
  if (row.others == 0) return "";
  return fmt::format("{}, {} with the text", row.others,
                     row.others_with_text == 0 ? "none" : number(row.others_with_text));
}

std::string predicted_words(const ExperimentRow& row) {
  if (!row.comparison) return "";
  if (!row.comparison->equal()) return "NO";
  if (row.nothing_compared()) return "nothing";
  return row.comparison->unpredicted.empty() ? "yes" : "partly";
}

std::string agree_words(const ExperimentRow& row) {
  std::vector<std::string> words;
  for (const auto& [name, agrees] : {std::pair{"reader", row.ideal_reader_agrees},
                                     std::pair{"transcript", row.transcript_agrees},
                                     std::pair{"debug log", row.debug_log_agrees},
                                     std::pair{"server log", row.server_log_agrees}})
    if (agrees) words.push_back(*agrees ? name : fmt::format("NOT {}", name));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string told_words(const ExperimentRow& row) {
  const std::vector<const Delivered*> pieces = instructions_of(row);
  const bool cut =
      std::ranges::any_of(pieces, [](const Delivered* piece) { return piece->cut.has_value(); });
  if (!cut) return "";
  std::vector<std::string> words;
  if (row.stdout_tells) words.emplace_back("stdout");
  if (row.stderr_tells) words.emplace_back("stderr");
  if (row.debug_log_tells) words.emplace_back("debug log");
  return words.empty() ? "nobody" : fmt::format("{}", fmt::join(words, ", "));
}

ExperimentLine line_of(const ExperimentRow& row) {
  ExperimentLine line;
  line.cell = safe(row.cell);
  for (const std::string& choice : row.choices) line.cell += " " + safe(choice);
  line.client = safe(row.client + "@" + row.version);
  line.well = row.well();
  if (!row.problem.empty() || !row.measured) {
    line.measured = false;
    line.reached = "not measured: " + safe(row.problem, kDifferenceColumns);
    return line;
  }
  const std::vector<const Delivered*> pieces = instructions_of(row);
  line.reached = joined(pieces, reached_words);
  line.lands = joined(pieces, lands_words);
  line.reached_bytes = bytes_words(pieces);
  line.handshake = safe(row.measured->handshake);
  line.era = safe(row.era);
  line.answer = safe(row.answer, kAnswerColumns);
  line.first_bytes = number(row.first_request_bytes);
  line.predicted = predicted_words(row);
  line.agree = agree_words(row);
  line.told = told_words(row);
  line.tools = tools_words(row);
  line.later = safe(row.later);
  line.others = others_words(row);
  for (const auto& [what, words] : row.reported)
    line.reported.emplace_back(safe(what), safe(words, kAnswerColumns));
  line.alike = !row.repeats_alike ? "" : *row.repeats_alike ? "yes" : "NO";
  return line;
}

bool look_the_same(const ExperimentLine& a, const ExperimentLine& b) {
  // The size of the request moves with the lengths of paths and times.
  return a.cell == b.cell && a.client == b.client && a.reached == b.reached && a.lands == b.lands &&
         a.handshake == b.handshake && a.era == b.era && a.answer == b.answer &&
         a.predicted == b.predicted && a.agree == b.agree && a.told == b.told &&
         a.tools == b.tools && a.later == b.later && a.others == b.others && a.alike == b.alike &&
         a.well == b.well;
}

}  // namespace

std::vector<ExperimentLine> experiment_lines(const ExperimentReport& report) {
  std::vector<ExperimentLine> lines;
  std::vector<std::size_t> times;
  for (const ExperimentRow& row : report.rows) {
    ExperimentLine line = line_of(row);
    if (!lines.empty() && look_the_same(lines.back(), line)) {
      ++times.back();
    } else {
      lines.push_back(std::move(line));
      times.push_back(1);
    }
  }
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (times[i] > 1) lines[i].cell += fmt::format(" ×{}", times[i]);
  return lines;
}

std::vector<std::string> row_troubles(const ExperimentRow& row) {
  std::vector<std::string> troubles;
  if (!row.problem.empty()) troubles.push_back(safe(row.problem, kProblemColumns));
  for (const std::string& unmet : row.unmet)
    troubles.push_back("expected otherwise: " + safe(unmet, kDifferenceColumns));
  if (!row.comparison) return troubles;
  if (row.nothing_compared())
    troubles.emplace_back("the profile predicts nothing that could be compared");
  for (const delivery::Difference& difference : row.comparison->differences) {
    std::string piece =
        safe(difference.piece.tool.empty() ? difference.piece.server : difference.piece.tool);
    if (!piece.empty()) piece += ' ';
    troubles.push_back(fmt::format("{}{}: predicted {}, measured {}", piece, safe(difference.what),
                                   safe(difference.predicted, kDifferenceColumns),
                                   safe(difference.measured, kDifferenceColumns)));
  }
  return troubles;
}

}  // namespace cutline::report
