// table.cc: measuring and laying out rows.
#include "report/table.h"

#include <algorithm>

#include "text/terminal.h"

namespace cutline::report {

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const std::vector<Cell>& row : rows_) {
    for (std::size_t i = 0; i < row.size() && i < columns_.size(); ++i) {
      // A cell that ends its row early has the whole rest of the line.
      const bool runs_over = i + 1 == row.size() && row.size() < columns_.size();
      if (!runs_over) widths[i] = std::max(widths[i], text::columns(row[i].text));
    }
  }
  return widths;
}

std::string Table::render(const Style& style, std::size_t gap) const {
  constexpr std::size_t kNarrowest = 20;  // less is no column to wrap in
  const std::vector<std::size_t> width = widths();
  std::size_t fixed = 0;
  for (std::size_t i = 0; i + 1 < width.size(); ++i) fixed += width[i] + gap;
  if (fixed > style.columns) gap = 1;
  std::string out;
  for (const std::vector<Cell>& row : rows_) {
    std::string line;
    std::size_t used = 0;
    for (std::size_t i = 0; i < row.size() && i < columns_.size(); ++i) {
      const Cell& cell = row[i];
      const std::size_t own = text::columns(cell.text);
      const std::size_t pad = width[i] - std::min(width[i], own);
      const std::size_t before = columns_[i] == Align::kRight ? pad : 0;
      line.append(before, ' ');
      const bool last = i + 1 == row.size();
      const std::size_t room = style.columns - std::min(style.columns, used + before);
      if (last && i > 0 && own > room && room < kNarrowest) {
        line.erase(line.find_last_not_of(' ') + 1);
        line += "\n" + paragraph({"    "}, cell.text, style, cell.ink);
        break;
      }
      if (last) {
        line = hanging(std::move(line), used + before, cell.text, style, cell.ink);
        break;
      }
      line += paint(plain_spaces(cell.text), cell.ink, style);
      line.append(pad - before + gap, ' ');
      used += width[i] + gap;
    }
    out += line;
  }
  return out;
}

}  // namespace cutline::report
