// server_part.cc: how the server answered, what else it offers, and what it should not have done;
// or, where it does not serve, just that.
#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/eras.h"
#include "report/words.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

constexpr std::size_t kIncidentsShown = 5;
constexpr std::size_t kStderrLinesShown = 20;
constexpr std::size_t kSentenceColumns = 400;

std::string bullet_lines(const std::vector<std::string>& items, const Style& style, Ink ink) {
  std::string out;
  for (const std::string& item : items)
    out += paragraph({std::string(kPartColumns, ' ') + "· "}, item, style, ink);
  return out;
}

std::string eras_lines(const mcp::Offer& offer, const Style& style) {
  const std::string sentence = era_sentence(offer);
  if (sentence.empty()) return "";
  const EraComparison comparison = compare_eras(offer);
  std::string out = paragraph(part_lead("ERAS"), sentence, style,
                              comparison.same() ? Ink::kPlain : Ink::kWarning);
  return out + bullet_lines(comparison.differences, style, Ink::kWarning);
}

std::string start_lines(const mcp::Offer& offer, const Style& style) {
  const mcp::Times& times = offer.times;
  std::string words;
  const auto add = [&](std::string_view what, const std::optional<mcp::Milliseconds>& time) {
    if (!time) return;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", what, duration_words(*time));
  };
  add("first answer after", times.first_answer);
  add("handshake", times.handshake);
  add("lists", times.lists);
  if (words.empty()) return "";
  std::string out = paragraph(part_lead("START"), words, style);
  if (times.process_starts > 1)
    out += paragraph({std::string(kPartColumns, ' ')},
                     fmt::format("started {} times", times.process_starts), style);
  return out;
}

std::string also_lines(const mcp::Offer& offer, const Style& style) {
  const mcp::EraOffer* era = offer.any();
  if (!era) return "";
  std::vector<std::string> parts;
  for (const auto& [list, noun] :
       {std::pair{&era->prompts, "prompt"}, std::pair{&era->resources, "resource"},
        std::pair{&era->templates, "resource template"}})
    if (!list->empty()) parts.push_back(count(list->size(), noun));
  if (parts.empty()) return "";
  return paragraph(part_lead("ALSO"), some_of(parts, parts.size()) + " (not modelled)", style);
}

std::string incident_lines(const mcp::Offer& offer, const Style& style) {
  std::vector<std::string> items;
  for (const mcp::Incident& incident : offer.incidents) {
    items.push_back(safe(incident.message, kSentenceColumns));
    if (incident.times > 1)
      items.back() +=
          fmt::format(" ({} times)", with_separators(static_cast<std::int64_t>(incident.times)));
  }
  if (items.empty()) return "";
  const std::size_t more = items.size() > kIncidentsShown ? items.size() - kIncidentsShown : 0;
  if (more > 0) {
    items.resize(kIncidentsShown);
    items.push_back(count(more, "more kind"));
  }
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i)
    out += paragraph(i == 0 ? part_lead("NOTICED") : Lead{std::string(kPartColumns, ' ')}, items[i],
                     style, Ink::kWarning);
  return out;
}

std::string command_words(const std::vector<std::string>& command) {
  std::string words;
  for (const std::string& argument : command) {
    if (!words.empty()) words += ' ';
    const bool plain = !argument.empty() && argument.find_first_of(" \t\n'\"\\$") == argument.npos;
    words += plain ? argument : "'" + argument + "'";
  }
  return safe(words, kSentenceColumns);
}

std::string stderr_lines(const std::string& tail, const Style& style) {
  std::string_view rest = tail;
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == '\r')) rest.remove_suffix(1);
  if (rest.empty()) return "";
  std::vector<std::string_view> lines;
  while (!rest.empty() && lines.size() < kStderrLinesShown) {
    const std::size_t feed = rest.rfind('\n');
    lines.push_back(feed == rest.npos ? rest : rest.substr(feed + 1));
    rest = feed == rest.npos ? std::string_view() : rest.substr(0, feed);
  }
  std::ranges::reverse(lines);
  std::string out = "\n" + paragraph({"  "},
                                     rest.empty() ? "What it wrote to standard error:"
                                                  : "The last that it wrote to standard "
                                                    "error:",
                                     style);
  for (std::string_view line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    out += paragraph({"    │ ", Ink::kDim}, safe(line, kSentenceColumns), style);
  }
  return out;
}

std::string_view outcome_words(mcp::Outcome outcome) {
  switch (outcome) {
    case mcp::Outcome::kServes:
      return "The server serves";
    case mcp::Outcome::kDidNotStart:
      return "The server did not start";
    case mcp::Outcome::kRefuses:
      return "The server refuses to serve";
    case mcp::Outcome::kHangs:
      return "The server does not answer";
    case mcp::Outcome::kBroke:
      return "The server broke off";
  }
  return "";
}

}  // namespace

std::string server_part(const Check& check, const Style& style) {
  const mcp::Offer& offer = *check.offer;
  return eras_lines(offer, style) + start_lines(offer, style) + also_lines(offer, style) +
         incident_lines(offer, style);
}

std::string not_served_part(const Check& check, const Style& style) {
  const mcp::Offer& offer = *check.offer;
  std::string sentence(outcome_words(offer.outcome));
  if (!offer.outcome_detail.empty())
    sentence += ": " + without_full_stop(safe(offer.outcome_detail, kSentenceColumns));
  std::string out = paragraph({"✗ ", Ink::kBad}, sentence + ".", style, Ink::kStrong);
  if (!offer.command.empty())
    out += paragraph({"  "}, "Command: " + command_words(offer.command), style, Ink::kDim);
  if (offer.exit && offer.outcome_detail.find(to_text(*offer.exit)) == std::string::npos)
    out += paragraph({"  "}, "It ended with " + to_text(*offer.exit) + ".", style);
  const auto too_much = [](const mcp::Incident& incident) {
    return incident.code == "message-too-complex" || incident.code == "line-too-long";
  };
  if (std::ranges::any_of(offer.incidents, too_much)) {
    out += paragraph({"  "},
                     "What to do: make that message shorter or flatter. Most often it is the "
                     "input schema of a tool that has grown so.",
                     style);
  }
  return out + stderr_lines(offer.stderr_tail, style);
}

}  // namespace cutline::report
