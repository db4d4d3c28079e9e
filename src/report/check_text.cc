// check_text.cc: putting the screen of `check` together from its parts.
#include "report/check_text.h"

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/words.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

constexpr std::size_t kPartColumns = 15;

std::string answers_words(const mcp::Offer& offer) {
  std::vector<std::string> answers;
  for (const auto& [era, method] : {std::pair{&offer.legacy, "initialize"},
                                    std::pair{&offer.modern, "server/discover"}}) {
    if (!*era) continue;
    const std::string& version = (*era)->protocol_version;
    answers.push_back(version.empty() ? method : fmt::format("{} ({})", method, safe(version)));
  }
  return some_of(answers, answers.size());
}

std::string head(const Check& check, const Style& style) {
  const mcp::EraOffer* era = check.offer->any();
  std::string name = era ? safe(era->server.name, 48) : "";
  if (name.empty()) name = safe(check.server, 48);
  if (era && !era->server.version.empty()) name += " " + safe(era->server.version, 24);
  const std::string right = answers_words(*check.offer);
  std::string out = paint(name, Ink::kStrong, style);
  if (!check.offer->command.empty() && !right.empty()) {
    const std::size_t used = text::columns(name) + text::columns(right);
    if (used + 2 > style.columns) {
      out += "\n" + right;
    } else {
      out += std::string(style.columns - used, ' ') + paint(right, Ink::kDim, style);
    }
  }
  out += "\n";
  const bool other_name = era && era->server.name != check.server;
  if (other_name)
    out += paragraph({}, "as \"" + safe(check.server) + "\" in the client's configuration", style,
                     Ink::kDim);
  return out;
}

}  // namespace

Lead part_lead(std::string_view name) {
  std::string text(name);
  text.resize(kPartColumns, ' ');
  return {std::move(text), Ink::kStrong};
}

std::string check_text(const Check& check, const Style& style, bool details) {
  if (check.offer->outcome != mcp::Outcome::kServes) return not_served_part(check, style);
  const std::string tools = tools_part(check, style);
  const std::string server = server_part(check, style);
  std::string out = head(check, style);
  out += "\n" + instructions_part(check, style);
  out += "\n" + tools;
  // A table ends with an empty line; names of parts that stand alone stand close together.
  if (tools.find("\n\n") != std::string::npos && !server.empty()) out += "\n";
  out += server;
  if (details) out += "\n" + details_part(check, style);
  out += "\n" + verdict_part(check, style);
  return out + "\n" + sources_part(check, style);
}

}  // namespace cutline::report
