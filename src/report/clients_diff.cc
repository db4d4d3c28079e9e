// clients_diff.cc: the screen of `clients diff`.
#include "report/clients_diff.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/number.h"
#include "report/check_parts.h"
#include "report/clients.h"
#include "report/words.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

using delivery::Contrast;
using delivery::FactPair;
using delivery::PieceId;

// With two lines each and a heading they fit on a screen.
constexpr std::size_t kGroupsShown = 10;
constexpr std::size_t kNamesShown = 3;
constexpr std::size_t kTextColumns = 400;

std::string title(const DiffedClient& client) {
  return unbroken(safe(delivery::program_name(*client.profile, client.version)));
}

/// What a line begins with that is about one of the two: as short as it tells them apart.
struct Labels {
  std::string first, second;
  std::size_t columns = 0;
};
Labels labels_of(const ClientsDiff& diff) {
  const delivery::Profile& profile = *diff.first.profile;
  const bool versions = profile.id == diff.second.profile->id && !profile.unversioned;
  const auto label = [&](const DiffedClient& client) {
    return versions ? client.version.text() : safe(client.profile->title);
  };
  Labels labels = {.first = label(diff.first), .second = label(diff.second)};
  labels.columns = std::max(text::columns(labels.first), text::columns(labels.second));
  return labels;
}

std::string side(const std::string& label, const Labels& labels, std::string_view value,
                 const Style& style, Ink ink = Ink::kPlain) {
  const std::string pad(labels.columns - text::columns(label), ' ');
  const bool nothing = value.empty();
  return paragraph({"  " + label + pad + "  ", Ink::kDim}, nothing ? "(nothing)" : value, style,
                   nothing ? Ink::kDim : ink);
}

std::string heading(std::string_view words, const Style& style) {
  return "\n" + paragraph({}, words, style, Ink::kStrong);
}

std::string head(const ClientsDiff& diff, const Style& style) {
  std::string out =
      paragraph({}, title(diff.first) + " beside " + title(diff.second), style, Ink::kStrong);
  for (const DiffedClient* client : {&diff.first, &diff.second}) {
    if (!client->extrapolated()) continue;
    const delivery::Profile& profile = *client->profile;
    const Version& nearest = std::clamp(client->version, profile.first, profile.last);
    out += paragraph({"! ", Ink::kWarning},
                     fmt::format("{} lies outside of all that was looked at; it is extrapolated "
                                 "from {}.",
                                 title(*client), nearest.text()),
                     style, Ink::kWarning);
  }
  return out;
}

// --- Facts ---------------------------------------------------------------------------------------

/// Of two tables only the members that differ.
config::Node members_apart(const config::Node& value, const config::Node& other) {
  if (value.kind != config::Kind::kTable || other.kind != config::Kind::kTable) return value;
  config::Node apart = value;
  std::erase_if(apart.members, [&](const config::Node::Member& member) {
    const config::Node* twin = other.find(member.first);
    return twin && delivery::same_value(member.second, *twin);
  });
  return apart;
}

std::vector<std::string> members_alike(const config::Node& value, const config::Node& apart) {
  std::vector<std::string> names;
  if (value.kind != config::Kind::kTable) return names;
  for (const config::Node::Member& member : value.members)
    if (!apart.find(member.first)) names.push_back(member.first);
  return names;
}

std::string row_name(const FactPair& pair) {
  return pair.about->name + condition_words(*pair.about);
}

std::string different_part(const std::vector<FactPair>& pairs, const Labels& labels,
                           const Style& style) {
  std::string out;
  for (const FactPair& pair : pairs) {
    const config::Node first = members_apart(pair.first->value, pair.second->value);
    const config::Node second = members_apart(pair.second->value, pair.first->value);
    out += heading(row_name(pair), style);
    out += side(labels.first, labels, node_words(first), style);
    out += side(labels.second, labels, node_words(second), style);
    const std::vector<std::string> alike = members_alike(pair.first->value, first);
    if (!alike.empty())
      out += paragraph({"  "}, "alike in " + some_of(alike, alike.size()), style, Ink::kDim);
  }
  return out;
}

std::string only_part(const ClientsDiff& diff, const Labels& labels, const Style& style) {
  std::string out;
  for (const FactPair& pair : diff.facts->only_first) {
    out += heading(row_name(pair), style);
    out += side(labels.first, labels, value_words(*pair.first), style);
    out += side(labels.second, labels, "not known", style, Ink::kWarning);
  }
  for (const FactPair& pair : diff.facts->only_second) {
    out += heading(row_name(pair), style);
    out += side(labels.first, labels, "not known", style, Ink::kWarning);
    out += side(labels.second, labels, value_words(*pair.second), style);
  }
  return out;
}

std::string number_of(std::size_t number, std::string_view of_one, std::string_view of_many) {
  return fmt::format("{} {}", with_separators(static_cast<std::int64_t>(number)),
                     number == 1 ? of_one : of_many);
}

std::string facts_part(const ClientsDiff& diff, const Style& style) {
  const delivery::FactDiff& facts = *diff.facts;
  const Labels labels = labels_of(diff);
  const std::size_t only = facts.only_first.size() + facts.only_second.size();
  // What is taken from the nearest version cannot differ from it: that proves nothing.
  const bool sure = !diff.first.extrapolated() && !diff.second.extrapolated();
  const Lead alike = sure ? Lead{"✓ ", Ink::kGood} : Lead{"? ", Ink::kWarning};
  std::string out = paragraph(
      facts.alike() ? alike : Lead{"✗ ", Ink::kBad},
      fmt::format("{}{}, {}, {}, {}.", sure ? "" : "As far as is known: ",
                  number_of(facts.different.size(), "fact differs", "facts differ"),
                  number_of(only, "is known of only one", "are known of only one"),
                  number_of(facts.unknown.size(), "is unknown of both", "are unknown of both"),
                  number_of(facts.equal, "is equal", "are equal")),
      style);
  out += different_part(facts.different, labels, style) + only_part(diff, labels, style);
  if (facts.unknown.empty()) return out;
  std::vector<std::string> names;
  names.reserve(facts.unknown.size());
  for (const FactPair& pair : facts.unknown) names.push_back(row_name(pair));
  out += heading("Unknown of both", style);
  for (const std::string& name : names) out += paragraph({"  "}, name, style, Ink::kDim);
  return out;
}

// --- Deliveries ----------------------------------------------------------------------------------

/// What is the same of several tools, or one thing of the instructions or the connection.
struct ContrastGroup {
  const Contrast* example = nullptr;
  std::vector<std::string> tools;
  std::size_t others = 0;  // tools in which the same thing differs, with other words
};

bool is_tool(const Contrast& contrast) { return contrast.piece.kind == PieceId::Kind::kTool; }

/// Tools that differ in one thing with the same words are one group; where every tool has words of
/// its own, as its name or its text, the first stands for all.
std::vector<ContrastGroup> groups_of(const std::vector<Contrast>& contrasts) {
  constexpr std::size_t kWordings = 2;
  std::vector<ContrastGroup> groups;
  for (const Contrast& contrast : contrasts) {
    std::vector<ContrastGroup*> same_thing;
    for (ContrastGroup& group : groups)
      if (is_tool(contrast) && is_tool(*group.example) && group.example->what == contrast.what)
        same_thing.push_back(&group);
    const auto twin = std::ranges::find_if(same_thing, [&](const ContrastGroup* group) {
      return group->example->first == contrast.first && group->example->second == contrast.second;
    });
    if (twin != same_thing.end()) {
      (*twin)->tools.push_back(contrast.piece.tool);
    } else if (same_thing.size() >= kWordings) {
      ++same_thing.back()->others;
    } else {
      groups.push_back({.example = &contrast, .tools = {}});
      if (is_tool(contrast)) groups.back().tools.push_back(contrast.piece.tool);
    }
  }
  return groups;
}

std::string whose(const ContrastGroup& group) {
  if (group.example->piece.server.empty()) return "the connection";
  if (!is_tool(*group.example)) return "the instructions";
  if (group.tools.size() == 1) return "tool " + safe(group.tools.front());
  return fmt::format("{} ({})", count(group.tools.size(), "tool"),
                     some_of(group.tools, kNamesShown));
}

std::string groups_part(const std::vector<ContrastGroup>& groups, const Labels& labels,
                        const Style& style) {
  std::string out;
  std::size_t shown = 0, left_out = 0;
  for (const ContrastGroup& group : groups) {
    if (++shown > kGroupsShown) {
      left_out += std::max<std::size_t>(1, group.tools.size()) + group.others;
      continue;
    }
    out += heading(safe(group.example->what) + " of " + whose(group), style);
    out += side(labels.first, labels, safe(group.example->first, kTextColumns), style);
    out += side(labels.second, labels, safe(group.example->second, kTextColumns), style);
    if (group.others != 0)
      out += paragraph({"  "}, fmt::format("… and of {}", count(group.others, "more tool")), style,
                       Ink::kDim);
  }
  if (left_out != 0)
    out += "\n" + paragraph({},
                            fmt::format("… and {} more; --format json has them all",
                                        with_separators(static_cast<std::int64_t>(left_out))),
                            style, Ink::kDim);
  return out;
}

std::string unknown_part(const std::vector<Contrast>& unknown, const Style& style) {
  if (unknown.empty()) return "";
  std::vector<std::string> names;
  for (const ContrastGroup& group : groups_of(unknown)) {
    std::string name = safe(group.example->what) + " of ";
    name += group.tools.size() + group.others > 1 ? count(group.tools.size() + group.others, "tool")
                                                  : whose(group);
    names.push_back(std::move(name));
  }
  return "\n" +
         paragraph(
             {"? ", Ink::kWarning},
             "Not known of one or both, so not compared: " + some_of(names, kGroupsShown) + ".",
             style, Ink::kWarning);
}

std::string deliveries_part(const ClientsDiff& diff, const Style& style) {
  const delivery::Contrasted& contrasted = *diff.deliveries;
  const bool equal = contrasted.differences.empty();
  std::string out = paragraph(
      {equal ? "✓ " : "✗ ", equal ? Ink::kGood : Ink::kBad},
      equal ? fmt::format("Nothing that is known differs for {}: {} of {} alike.",
                          safe(diff.server), contrasted.alike, count(contrasted.pieces, "piece"))
            : fmt::format("Of {} for {}, {} alike.", count(contrasted.pieces, "piece"),
                          safe(diff.server), number_of(contrasted.alike, "is", "are")),
      style);
  out += groups_part(groups_of(contrasted.differences), labels_of(diff), style);
  return out + unknown_part(contrasted.unknown, style);
}

}  // namespace

std::string clients_diff_text(const ClientsDiff& diff, const Style& style) {
  std::string out = head(diff, style);
  if (diff.facts) out += "\n" + facts_part(diff, style);
  if (diff.deliveries) out += "\n" + deliveries_part(diff, style);
  return out;
}

int exit_code(const ClientsDiff& diff) {
  const bool alike = (!diff.facts || diff.facts->alike()) &&
                     (!diff.deliveries || diff.deliveries->differences.empty());
  return alike ? 0 : 1;
}

}  // namespace cutline::report
