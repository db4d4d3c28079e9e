// style.cc: colours and paragraphs.
#include "report/style.h"

#include <algorithm>
#include <vector>

#include "text/terminal.h"

namespace cutline::report {
namespace {

constexpr std::string_view kNoBreakSpace = "\u00A0";
constexpr std::size_t kNarrowestText = 20;  // below that, lines run over rather than fall apart

std::string_view code(Ink ink) {
  switch (ink) {
    case Ink::kPlain:
      return "";
    case Ink::kStrong:
      return "1";
    case Ink::kDim:
      return "2";
    case Ink::kGood:
      return "32";
    case Ink::kWarning:
      return "33";
    case Ink::kBad:
      return "31";
    case Ink::kAccent:
      return "36";
  }
  return "";
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

}  // namespace

std::string paint(std::string_view text, Ink ink, const Style& style) {
  if (!style.colour || ink == Ink::kPlain || text.empty()) return std::string(text);
  std::string out = "\x1b[";
  out.append(code(ink)).append("m").append(text).append("\x1b[0m");
  return out;
}

std::string unbroken(std::string_view text) {
  std::string out(text);
  replace_all(out, " ", kNoBreakSpace);
  return out;
}

std::string plain_spaces(std::string_view text) {
  std::string out(text);
  replace_all(out, kNoBreakSpace, " ");
  return out;
}

std::string hanging(std::string first, std::size_t indent, std::string_view text,
                    const Style& style, Ink ink) {
  const std::size_t width =
      std::max(kNarrowestText, style.columns > indent ? style.columns - indent : 0);
  std::vector<std::string> lines = text::wrap(text, width);
  if (lines.empty()) lines.emplace_back();
  std::string out = std::move(first);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out.append(indent, ' ');
    out += paint(plain_spaces(lines[i]), ink, style);
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

std::string paragraph(const Lead& lead, std::string_view text, const Style& style, Ink ink) {
  return hanging(paint(lead.text, lead.ink, style), text::columns(lead.text), text, style, ink);
}

}  // namespace cutline::report
