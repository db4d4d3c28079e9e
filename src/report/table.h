// table.h: columns of text that line up, also where characters are two columns wide or none.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "report/style.h"

namespace cutline::report {

enum class Align { kLeft, kRight };

struct Cell {
  std::string text;  // sanitised, one line
  Ink ink = Ink::kPlain;
};

/// The last column takes what is left of the width and is wrapped in it; the others are as wide as
/// their widest cell. A row that ends early leaves the rest empty, and its last cell may run over
/// the columns that it leaves out.
class Table {
 public:
  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

  void row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }

  /// Lines without white space at their ends; `gap` spaces between two columns, one where they
  /// would not fit; a last cell that has no room beside the others stands below them.
  std::string render(const Style& style, std::size_t gap = 2) const;

 private:
  std::vector<std::size_t> widths() const;

  std::vector<Align> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace cutline::report
