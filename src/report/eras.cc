// eras.cc: comparing the two offers of a dual-era server.
#include "report/eras.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "base/number.h"
#include "report/words.h"

namespace cutline::report {
namespace {

constexpr std::size_t kNamesShown = 3;

/// UTF-16 offset of the first character that differs.
std::size_t common_units(std::string_view a, std::string_view b) {
  const std::size_t common = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  // Back to the beginning of a character: continuation bytes are 10xxxxxx.
  std::size_t at = common;
  while (at > 0 && at < a.size() && (static_cast<unsigned char>(a[at]) & 0xC0) == 0x80) --at;
  return text::measure(a.substr(0, at)).utf16.value;
}

void compare_instructions(const mcp::EraOffer& legacy, const mcp::EraOffer& modern,
                          EraComparison& result) {
  const std::string old_text = legacy.instructions ? legacy.instructions->value : "";
  const std::string new_text = modern.instructions ? modern.instructions->value : "";
  if (old_text == new_text && legacy.instructions_wrong_type == modern.instructions_wrong_type)
    return;
  result.instructions_differ = true;
  std::string sentence = fmt::format("instructions: {} in initialize, {} in server/discover",
                                     instructions_words(legacy), instructions_words(modern));
  if (!old_text.empty() && !new_text.empty()) {
    sentence +=
        fmt::format(", the same up to character {}",
                    with_separators(static_cast<std::int64_t>(common_units(old_text, new_text))));
  }
  result.differences.push_back(std::move(sentence));
}

void compare_tools(const mcp::EraOffer& legacy, const mcp::EraOffer& modern,
                   EraComparison& result) {
  std::map<std::string_view, const mcp::Tool*> old_tools;
  for (const mcp::Tool& tool : legacy.tools) old_tools.emplace(tool.name, &tool);
  std::vector<std::string> only_modern, descriptions, schemas;
  for (const mcp::Tool& tool : modern.tools) {
    const auto found = old_tools.find(tool.name);
    if (found == old_tools.end()) {
      only_modern.push_back(tool.name);
      continue;
    }
    const mcp::Tool& other = *found->second;
    const std::string_view mine = tool.description ? tool.description->value : std::string_view();
    const std::string_view its = other.description ? other.description->value : std::string_view();
    if (mine != its) descriptions.push_back(tool.name);
    if (tool.input_schema != other.input_schema) schemas.push_back(tool.name);
    old_tools.erase(found);
  }
  std::vector<std::string> only_legacy;
  for (const mcp::Tool& tool : legacy.tools)
    if (old_tools.erase(tool.name) > 0) only_legacy.push_back(tool.name);
  const auto tell = [&](std::string_view what, const std::vector<std::string>& names) {
    if (names.empty()) return;
    result.tools_differ = true;
    result.differences.push_back(fmt::format("{}: {}", what, some_of(names, kNamesShown)));
  };
  tell("tools only for initialize", only_legacy);
  tell("tools only for server/discover", only_modern);
  tell("other descriptions", descriptions);
  tell("other input schemas", schemas);
}

std::string probe_words(const mcp::Probe& probe) {
  const std::string after = duration_words(probe.elapsed);
  switch (probe.answer) {
    case mcp::ProbeAnswer::kNotAsked:
    case mcp::ProbeAnswer::kModern:
      return "";
    case mcp::ProbeAnswer::kOtherVersion:
      return "server/discover names only versions that nobody here speaks: " +
             some_of(probe.versions, kNamesShown);
    case mcp::ProbeAnswer::kLegacyOnly:
      return "server/discover names legacy versions only: " + some_of(probe.versions, kNamesShown);
    case mcp::ProbeAnswer::kError:
      return fmt::format("server/discover gets error {} after {}", probe.error_code.value_or(0),
                         after);
    case mcp::ProbeAnswer::kWrongShape:
      return fmt::format("server/discover gets an answer of another kind after {}", after);
    case mcp::ProbeAnswer::kSilence:
      return fmt::format("server/discover gets no answer within {}; a client that probes waits",
                         after);
    case mcp::ProbeAnswer::kExit:
      return "server/discover ends the process; a client that probes starts it twice";
    case mcp::ProbeAnswer::kNonsense:
      return "server/discover gets nonsense; a client that probes waits";
  }
  return "";
}

}  // namespace

std::string instructions_words(const mcp::EraOffer& era) {
  if (era.instructions_wrong_type)
    return fmt::format("{} instead of a text", safe(*era.instructions_wrong_type));
  return era.instructions ? length_words(era.instructions->length) : "none";
}

EraComparison compare_eras(const mcp::Offer& offer) {
  EraComparison result;
  result.both = offer.legacy && offer.modern;
  if (!result.both) return result;
  compare_instructions(*offer.legacy, *offer.modern, result);
  compare_tools(*offer.legacy, *offer.modern, result);
  return result;
}

std::string era_sentence(const mcp::Offer& offer) {
  const std::string probe = probe_words(offer.probe);
  std::string sentence;
  if (offer.legacy && offer.modern) {
    const EraComparison comparison = compare_eras(offer);
    sentence = comparison.same() ? "initialize and server/discover say the same"
                                 : "initialize and server/discover do not say the same";
  } else if (offer.modern) {
    sentence = "server/discover only; a client that asks initialize is refused";
  } else if (offer.legacy && !probe.empty()) {
    sentence = "initialize only";
  }
  if (!probe.empty()) sentence += (sentence.empty() ? "" : "; ") + probe;
  return sentence;
}

}  // namespace cutline::report
