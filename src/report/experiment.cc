// experiment.cc: the table of an experiment on a screen and in Markdown, and the verdict.
#include "report/experiment.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "base/number.h"
#include "report/experiment_rows.h"
#include "report/table.h"
#include "report/words.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

constexpr std::size_t kTroublesShown = 20;
constexpr std::size_t kAboutColumns = 400;
constexpr std::size_t kKeyColumns = 120;
constexpr std::string_view kReaderHead = "the ideal reader of the last request";

std::string verdict_words(const ExperimentReport& report) {
  const auto total = report.rows.size();
  const auto well =
      static_cast<std::size_t>(std::ranges::count_if(report.rows, &ExperimentRow::well));
  const auto partly =
      static_cast<std::size_t>(std::ranges::count_if(report.rows, [](const ExperimentRow& row) {
        return row.well() && !row.comparison->unpredicted.empty();
      }));
  std::string words =
      well == total && total > 1
          ? fmt::format("all {} as predicted and expected", count(total, "cell"))
          : fmt::format("{} of {} as predicted and expected", well, count(total, "cell"));
  if (partly != 0) words += fmt::format(", {} of them as far as the profile knows", partly);
  return words;
}

/// What most lines say, so that it is said once; empty if there is no such thing.
std::string usual(const std::vector<ExperimentLine>& lines, std::string ExperimentLine::* column) {
  std::map<std::string_view, std::size_t> times;
  for (const ExperimentLine& line : lines)
    if (!(line.*column).empty()) ++times[line.*column];
  const auto most =
      std::ranges::max_element(times, {}, [](const auto& pair) { return pair.second; });
  if (most == times.end()) return "";
  std::size_t said = 0;
  for (const auto& [words, number] : times) said += number;
  return 2 * most->second > said ? std::string(most->first) : "";
}

/// The same, if no line says anything else.
std::string common(const std::vector<ExperimentLine>& lines, std::string ExperimentLine::* column) {
  const std::string words = usual(lines, column);
  const bool all = std::ranges::all_of(lines, [&](const ExperimentLine& line) {
    return (line.*column).empty() || line.*column == words;
  });
  return all ? words : "";
}

// --- The screen ----------------------------------------------------------------------------------

/// ✓ as predicted, ~ as far as the profile knows, ✗ otherwise.
Cell mark_of(const ExperimentLine& line) {
  if (!line.well) return {"✗", Ink::kBad};
  return line.predicted == "partly" ? Cell{"~", Ink::kWarning} : Cell{"✓", Ink::kGood};
}

/// "claude-code@" if all lines are of that client; else nothing.
std::string client_before_version(const std::vector<ExperimentLine>& lines) {
  if (lines.empty()) return "";
  const std::string name = lines.front().client.substr(0, lines.front().client.find('@') + 1);
  const bool all = std::ranges::all_of(
      lines, [&](const ExperimentLine& line) { return line.client.starts_with(name); });
  return all ? name : "";
}

/// A table whose columns are only what tells lines apart; what they have in common is said above.
/// The ideal reader's answer stands in its line, or below it where there is no room; where not even
/// the rest has room, all columns stand below each other.
class ExperimentTable {
 public:
  ExperimentTable(const std::vector<ExperimentLine>& lines, const Style& style)
      : lines_(lines),
        style_(style),
        client_(common(lines, &ExperimentLine::client)),
        only_client_(client_before_version(lines)),
        lands_(common(lines, &ExperimentLine::lands)),
        tools_(common(lines, &ExperimentLine::tools)),
        handshake_(usual(lines, &ExperimentLine::handshake)) {}

  std::string text() const {
    std::string out;
    const auto said = [&](std::string_view lead, const std::string& words) {
      if (!words.empty()) out += paragraph({std::string(lead), Ink::kDim}, words, style_);
    };
    said("client        ", client_.empty() && !only_client_.empty()
                               ? only_client_.substr(0, only_client_.size() - 1)
                               : client_);
    said("lands in      ", lands_);
    said("handshake     ", handshake_.empty() ? "" : handshake_ + exceptions());
    if (!out.empty()) out += "\n";
    if (width(true) <= style_.columns) return out + wide(true);
    return out + (width(false) <= style_.columns ? wide(false) : stacked());
  }

 private:
  std::string exceptions() const {
    return common(lines_, &ExperimentLine::handshake).empty() ? ", unless it says otherwise" : "";
  }

  /// The columns of one line, without those that are the same in all.
  std::vector<std::string> columns_of(const ExperimentLine& line) const {
    std::vector<std::string> columns = {line.cell};
    if (client_.empty()) columns.push_back(line.client.substr(only_client_.size()));
    columns.push_back(line.reached);
    if (lands_.empty()) columns.push_back(line.lands);
    return columns;
  }

  std::vector<std::string> heads() const {
    return columns_of({.cell = "cell",
                       .client = only_client_ + (only_client_.empty() ? "client" : "version"),
                       .reached = "reached the model",
                       .lands = "lands in",
                       .handshake = {},
                       .answer = {},
                       .first_bytes = {},
                       .predicted = {},
                       .agree = {},
                       .told = {},
                       .alike = {}});
  }

  std::string below(const ExperimentLine& line) const {
    std::vector<std::string> words;
    if (!line.answer.empty()) words.push_back(line.answer);
    if (line.handshake != handshake_ && !line.handshake.empty()) words.push_back(line.handshake);
    if (tools_.empty() && !line.tools.empty()) words.push_back("tools: " + line.tools);
    if (!line.later.empty()) words.push_back("later: " + line.later);
    if (!line.others.empty()) words.push_back("sub-agents: " + line.others);
    return fmt::format("{}", fmt::join(words, "; "));
  }

  /// What stands before the reason of a cell that was not measured, which runs over the others.
  std::size_t columns_before_reason() const { return client_.empty() ? 3 : 2; }

  std::size_t width(bool beside) const {
    std::vector<std::string> columns = heads();
    std::size_t answer = beside ? text::columns(kReaderHead) : 0;
    std::vector<std::size_t> widest(columns.size());
    const auto measure = [&](const std::vector<std::string>& row, std::size_t count) {
      for (std::size_t i = 0; i < std::min(count, row.size()); ++i)
        widest[i] = std::max(widest[i], text::columns(row[i]));
    };
    measure(columns, columns.size());
    for (const ExperimentLine& line : lines_) {
      measure(columns_of(line), line.measured ? columns.size() : columns_before_reason() - 1);
      if (beside) answer = std::max(answer, text::columns(below(line)));
    }
    std::size_t sum = 1 + (beside ? 2 + answer : 0);
    for (const std::size_t one : widest) sum += 2 + one;
    return sum;
  }

  std::string wide(bool beside) const {
    Table table(std::vector<Align>(heads().size() + 2, Align::kLeft));
    const auto row = [&](Cell mark, std::vector<std::string> columns, Ink ink,
                         const std::string& answer) {
      std::vector<Cell> cells = {std::move(mark)};
      for (std::string& words : columns) cells.push_back({std::move(words), ink});
      if (beside && !answer.empty()) cells.push_back({answer, Ink::kDim});
      table.row(std::move(cells));
      if (!beside && !answer.empty()) table.row({{""}, {answer, Ink::kDim}});
    };
    row({""}, heads(), Ink::kDim, std::string(kReaderHead));
    for (const ExperimentLine& line : lines_) {
      std::vector<std::string> columns = columns_of(line);
      if (!line.measured) columns.resize(columns_before_reason());
      row(mark_of(line), std::move(columns), Ink::kPlain, below(line));
    }
    return table.render(style_);
  }

  std::string stacked() const {
    std::string out = paragraph(
        {"   "}, fmt::format("{}; {}", fmt::join(heads(), ", "), kReaderHead), style_, Ink::kDim);
    for (const ExperimentLine& line : lines_) {
      const Cell mark = mark_of(line);
      std::vector<std::string> columns = columns_of(line);
      out += paragraph({mark.text + "  ", mark.ink}, columns.front(), style_);
      columns.erase(columns.begin());
      std::erase(columns, "");
      out += paragraph({"     "}, fmt::format("{}", fmt::join(columns, ", ")), style_);
      if (const std::string words = below(line); !words.empty())
        out += paragraph({"     "}, words, style_, Ink::kDim);
    }
    return out;
  }

  const std::vector<ExperimentLine>& lines_;
  const Style& style_;
  std::string client_, only_client_, lands_, tools_, handshake_;
};

std::string troubles_part(const ExperimentReport& report, const Style& style) {
  std::string out;
  std::size_t found = 0;
  for (const ExperimentRow& row : report.rows) {
    for (const std::string& trouble : row_troubles(row)) {
      if (++found > kTroublesShown) continue;
      out += paragraph({"✗ ", Ink::kBad},
                       fmt::format("{}: {}", safe(row.key, kKeyColumns), trouble), style);
    }
  }
  if (found > kTroublesShown) {
    out += paragraph(
        {}, fmt::format("… and {} more; --format json has them all", found - kTroublesShown),
        style);
  }
  return out;
}

// --- Markdown ------------------------------------------------------------------------------------

/// Words that mean themselves in Markdown, on one line.
std::string markdown(std::string_view words) {
  constexpr std::string_view kSpecial = "\\`*[]<>|&~#!";
  const auto in_word = [&](std::size_t at) {
    const auto c = static_cast<unsigned char>(at < words.size() ? words[at] : ' ');
    return c >= 0x80 || c == '_' || std::isalnum(c) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const char c = words[i];
    // An underscore inside a word is no emphasis.
    const bool underscore = c == '_' && !(i > 0 && in_word(i - 1) && in_word(i + 1));
    if (underscore || kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

struct MarkdownColumn {
  std::string head;
  std::vector<std::string> cells;  // one a line
  bool optional = false;           // left out where it says nothing
};

/// What somebody else has found stands behind ours, a column for each kind.
void add_reported(const std::vector<ExperimentLine>& lines, std::vector<MarkdownColumn>& columns) {
  const std::size_t first = columns.size();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const auto& [what, words] : lines[i].reported) {
      const std::string head = "reported: " + what;
      auto column =
          std::find_if(columns.begin() + static_cast<std::ptrdiff_t>(first), columns.end(),
                       [&](const MarkdownColumn& known) { return known.head == head; });
      if (column == columns.end())
        column = columns.insert(columns.end(),
                                {.head = head, .cells = std::vector<std::string>(lines.size())});
      column->cells[i] = words;
    }
  }
}

std::vector<MarkdownColumn> markdown_columns(const std::vector<ExperimentLine>& lines) {
  std::vector<MarkdownColumn> columns;
  const auto add = [&](std::string head, const auto& words, bool optional = false) {
    MarkdownColumn column{.head = std::move(head), .cells = {}, .optional = optional};
    for (const ExperimentLine& line : lines) column.cells.push_back(words(line));
    columns.push_back(std::move(column));
  };
  using Line = ExperimentLine;
  add("cell", [](const Line& line) { return line.cell; });
  add("client", [](const Line& line) { return line.client; });
  add("reached the model", [](const Line& line) { return line.reached + line.reached_bytes; });
  add("lands in", [](const Line& line) { return line.lands; });
  if (common(lines, &Line::tools).empty())
    add("descriptions of tools", [](const Line& line) { return line.tools; }, true);
  add("sent later", [](const Line& line) { return line.later; }, true);
  add("sub-agents' requests", [](const Line& line) { return line.others; }, true);
  add("handshake (era)", [](const Line& line) {
    return line.era.empty() ? line.handshake : fmt::format("{} ({})", line.handshake, line.era);
  });
  add("first request, bytes", [](const Line& line) { return line.first_bytes; });
  add("ideal reader", [](const Line& line) { return line.answer; });
  add("predicted", [](const Line& line) { return line.predicted; });
  add("agree with the wire", [](const Line& line) { return line.agree; });
  add("told of the cut", [](const Line& line) { return line.told; }, true);
  add("repeats alike", [](const Line& line) { return line.alike; }, true);
  add_reported(lines, columns);
  std::erase_if(columns, [](const MarkdownColumn& column) {
    return column.optional &&
           std::ranges::all_of(column.cells, [](const std::string& cell) { return cell.empty(); });
  });
  return columns;
}

std::string markdown_table(const std::vector<ExperimentLine>& lines) {
  const std::vector<MarkdownColumn> columns = markdown_columns(lines);
  std::string out, rule;
  for (const MarkdownColumn& column : columns) {
    out += fmt::format("| {} ", markdown(column.head));
    rule += "|---";
  }
  out += "|\n" + rule + "|\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const MarkdownColumn& column : columns)
      out += "| " + markdown(column.cells[i]) + (column.cells[i].empty() ? "" : " ");
    out += "|\n";
  }
  return out;
}

}  // namespace

std::string experiment_text(const ExperimentReport& report, const Style& style) {
  const std::vector<ExperimentLine> lines = experiment_lines(report);
  std::string out = paragraph({}, safe(report.name), style, Ink::kStrong);
  if (!report.about.empty())
    out += paragraph({}, safe(report.about, kAboutColumns), style, Ink::kDim);
  out += "\n";
  if (!lines.empty()) out += ExperimentTable(lines, style).text() + "\n";
  out += troubles_part(report, style);
  const bool well = exit_code(report) == 0;
  out += paragraph({well ? "✓ " : "✗ ", well ? Ink::kGood : Ink::kBad}, verdict_words(report) + ".",
                   style);
  if (!report.store.empty())
    out += paragraph({}, "Evidence: " + safe(report.store, kAboutColumns), style, Ink::kDim);
  return out;
}

std::string experiment_markdown(const ExperimentReport& report) {
  std::string out = fmt::format("# {}\n\n", markdown(safe(report.name)));
  if (!report.about.empty()) out += markdown(safe(report.about, kAboutColumns)) + "\n\n";
  out += markdown_table(experiment_lines(report)) + "\n";
  std::string abouts, troubles, last;
  for (const ExperimentRow& row : report.rows) {
    if (!row.about.empty() && row.cell != last)
      abouts += fmt::format("- **{}**: {}\n", markdown(safe(row.cell)),
                            markdown(safe(row.about, kAboutColumns)));
    last = row.cell;
    for (const std::string& trouble : row_troubles(row))
      troubles +=
          fmt::format("- **{}**: {}\n", markdown(safe(row.key, kKeyColumns)), markdown(trouble));
  }
  for (const std::string& note : report.notes) out += markdown(text::sanitise_line(note)) + "\n\n";
  if (!abouts.empty()) out += abouts + "\n";
  if (!troubles.empty()) out += "## Not as predicted or expected\n\n" + troubles + "\n";
  out += fmt::format("{}.\n", verdict_words(report));
  return out;
}

int exit_code(const ExperimentReport& report) {
  constexpr int kNotRun = 3, kDiffers = 1;
  const bool failed = std::ranges::any_of(report.rows, [](const ExperimentRow& row) {
    return !row.problem.empty() || row.nothing_compared();
  });
  if (failed) return kNotRun;
  return std::ranges::all_of(report.rows, &ExperimentRow::well) ? 0 : kDiffers;
}

}  // namespace cutline::report
