// style.h: how text is put on a screen: its width, and whether it may have colours.
//
// The room writes into strings and knows no terminal; whoever calls it has found out what there is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cutline::report {

struct Style {
  bool colour = false;
  std::size_t columns = 80;
};

/// What a part of the text is for; the colours follow from it.
enum class Ink { kPlain, kStrong, kDim, kGood, kWarning, kBad, kAccent };

/// `text` in its colour; `text` itself where there are none. `text` is sanitised already.
std::string paint(std::string_view text, Ink ink, const Style& style);

/// Text in which no line is broken: spaces become no-break spaces, which paragraph() and the table
/// turn back into plain ones. For "2.1.84 – 2.1.90" and "66.1 %".
std::string unbroken(std::string_view text);
/// The way back.
std::string plain_spaces(std::string_view text);

/// What stands before a paragraph; its other lines are indented by as much.
struct Lead {
  std::string text;
  Ink ink = Ink::kPlain;
};

/// `text` wrapped to the style's width behind `first`, which is painted already and takes `indent`
/// columns; with a line feed at the end of every line, and no white space before it.
std::string hanging(std::string first, std::size_t indent, std::string_view text,
                    const Style& style, Ink ink = Ink::kPlain);

/// The same behind a lead.
std::string paragraph(const Lead& lead, std::string_view text, const Style& style,
                      Ink ink = Ink::kPlain);

}  // namespace cutline::report
