// check_text.cc: putting the screen of `check` together from its parts.
#include "report/check_text.h"

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/words.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

std::string answers_words(const mcp::Offer& offer) {
  std::vector<std::string> answers;
  for (const auto& [era, method] :
       {std::pair{&offer.legacy, "initialize"}, std::pair{&offer.modern, "server/discover"}}) {
    if (!*era) continue;
    const std::string& version = (*era)->protocol_version;
    answers.push_back(version.empty() ? method : fmt::format("{} ({})", method, safe(version)));
  }
  return answers.empty() ? "" : "answers " + some_of(answers, answers.size());
}

/// What the user chose; empty if all is as usual.
std::string situation_words(const Check& check) {
  std::vector<std::string> parts;
  const mcp::EraOffer* era = check.offer->any();
  if (era && !era->server.name.empty() && era->server.name != check.server)
    parts.push_back("as \"" + safe(check.server) + "\"");
  const delivery::Situation& situation = check.situation;
  if (!situation.model.empty()) parts.push_back("model " + safe(situation.model));
  if (situation.session != delivery::Session::kFirstParty)
    parts.push_back(fmt::format("session {}", delivery::name(situation.session)));
  for (const auto& list : {situation.variables, situation.settings})
    for (const auto& [name, value] : list) parts.push_back(safe(name) + "=" + safe(value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string head(const Check& check, const Style& style) {
  const mcp::EraOffer* era = check.offer->any();
  std::string name = era ? safe(era->server.name, 48) : "";
  if (name.empty()) name = safe(check.server, 48);
  if (era && !era->server.version.empty()) name += " " + safe(era->server.version, 24);
  const std::string right = answers_words(*check.offer);
  std::string out = paint(name, Ink::kStrong, style);
  if (!check.draft && !right.empty()) {
    const std::size_t used = text::columns(name) + text::columns(right);
    if (used + 2 > style.columns) {
      out += "\n" + right;
    } else {
      out += std::string(style.columns - used, ' ') + paint(right, Ink::kDim, style);
    }
  }
  out += "\n";
  if (const std::string words = situation_words(check); !words.empty())
    out += paragraph({}, words, style, Ink::kDim);
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
  std::string out = head(check, style);
  // Many clients are told by what they do, on one screen; the details have each by itself.
  const bool grouped = check.clients.size() > 1 && !details;
  out += "\n";
  out += grouped ? instructions_groups_part(check, style) : instructions_part(check, style);
  if (!check.draft) {
    const std::string tools = grouped ? tools_groups_part(check, style) : tools_part(check, style);
    out += "\n" + tools;
    // A table ends with an empty line; names of parts that stand alone stand close together.
    const std::string server = server_part(check, style);
    if (!server.empty() && tools.find("\n\n") != std::string::npos) out += "\n";
    out += server;
  }
  if (details) out += "\n" + details_part(check, style);
  out += "\n" + verdict_part(check, style);
  const std::string sources = sources_part(check, style, details);
  return sources.empty() ? out : out + "\n" + sources;
}

}  // namespace cutline::report
