// switches.cc: what the user's switches are taken for, and which the client would ignore.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/number.h"
#include "delivery/behaviour.h"

namespace cutline::delivery {
namespace {

/// Every variable (or setting) that any fact of the profile names.
void collect(const config::Node& value, std::string_view key, std::set<std::string>& names) {
  if (const config::Node* name = value.find(key)) names.insert(name->string);
  for (const config::Node& element : value.elements) collect(element, key, names);
}

std::vector<std::string> known_names(const Profile& profile, bool settings) {
  std::set<std::string> names;
  for (const Fact& fact : profile.facts) {
    // A condition does not say which of the two it is.
    for (const auto& [name, value] : fact.when) names.insert(name);
    if (settings && fact.name == "tool_search.exempt") collect(fact.value, "setting", names);
    const bool variable = fact.name.ends_with("variable") || fact.name.ends_with("variables");
    if (!settings && variable) collect(fact.value, "name", names);
  }
  return {names.begin(), names.end()};
}

Result<void> check_name(const Profile& profile, const std::string& name, bool setting) {
  const std::vector<std::string> known = known_names(profile, setting);
  if (std::ranges::find(known, name) != known.end()) return {};
  const std::optional<std::string> near = nearest(name, known);
  return fail({.code = "switch.unknown",
               .message = fmt::format("nothing is known of a {} {} in {}",
                                      setting ? "setting" : "variable", name, profile.title),
               .place = setting ? "--setting" : "--set",
               .hint = near            ? fmt::format("did you mean {}?", *near)
                       : known.empty() ? std::string()
                                       : fmt::format("known: {}", fmt::join(known, ", "))});
}

SwitchNote limit_note(const Behaviour& behaviour, const config::Node& fact, std::string name,
                      std::string value) {
  const config::Node* honoured = fact.find("honoured");
  if (!honoured->boolean) {
    return {.name = name,
            .value = value,
            .ignored = true,
            .says = fmt::format("{} does not read {}", behaviour.program(), name)};
  }
  const std::optional<SetLimit> limit = read_limit(value, fact);
  if (!limit) {
    return {.name = name,
            .value = value,
            .ignored = true,
            .says = fmt::format("{} ignores the value '{}' without a word: it takes a whole number "
                                "in plain digits; the default limits hold",
                                behaviour.program(), value)};
  }
  const std::string sets =
      limit->units ? fmt::format("limits set to {}",
                                 with_separators(static_cast<std::int64_t>(*limit->units)))
                   : std::string("no limit in effect");
  return {.name = name, .value = value, .says = fmt::format("{} = {}: {}", name, value, sets)};
}

bool lists(const config::Node& fact, std::string_view key, std::string_view value) {
  const config::Node* list = fact.find(key);
  return list && std::ranges::any_of(list->elements, [&](const config::Node& element) {
           return element.string == value;
         });
}

/// Whether one of the facts on a variable, or a condition of any fact, knows the value.
bool knows_value(const Behaviour& behaviour, const std::string& name, const std::string& value) {
  if (behaviour.is_condition(name, value)) return true;
  for (const std::string_view fact :
       {"tool_search.off_variable", "instructions.placement.variable", "wait.variable"}) {
    if (behaviour.text(fact, "name") == name && behaviour.text(fact, "value") == value) return true;
  }
  const config::Node* search = behaviour.value("tool_search.variable");
  if (search && search->find("name")->string == name &&
      (lists(*search, "on", value) || lists(*search, "off", value) || is_auto(*search, value)))
    return true;
  const config::Node* handshake = behaviour.value("handshake.variables");
  return handshake && std::ranges::any_of(handshake->elements, [&](const config::Node& variable) {
           return variable.find("name")->string == name && variable.find("value")->string == value;
         });
}

SwitchNote variable_note(const Behaviour& behaviour, const std::string& name,
                         const std::string& value) {
  const config::Node* limit = behaviour.value("budget.variable");
  if (limit && limit->find("name")->string == name)
    return limit_note(behaviour, *limit, name, value);
  const bool unread = behaviour.text("wait.variable", "name") == name &&
                      !behaviour.truth("wait.variable", "honoured").value_or(false);
  if (unread) {
    return {.name = name,
            .value = value,
            .ignored = true,
            .says = fmt::format("{} does not read {}", behaviour.program(), name)};
  }
  if (knows_value(behaviour, name, value))
    return {.name = name, .value = value, .says = fmt::format("{} = {} applies", name, value)};
  // An unknown value of the handshake's variables was measured to be the default.
  const config::Node* handshake = behaviour.value("handshake.variables");
  const bool names_it =
      handshake && std::ranges::any_of(handshake->elements, [&](const config::Node& variable) {
        return variable.find("name")->string == name;
      });
  return {.name = name,
          .value = value,
          .ignored = names_it,
          .says = names_it ? fmt::format("{} ignores the value '{}'; the default holds",
                                         behaviour.program(), value)
                           : fmt::format("what {} makes of {} = {} is not known",
                                         behaviour.program(), name, value)};
}

}  // namespace

Result<std::vector<SwitchNote>> check_switches(const Profile& profile, const Version& version,
                                               const Situation& situation) {
  const Behaviour behaviour(profile, version, situation);
  std::vector<SwitchNote> notes;
  for (const auto& [name, value] : situation.variables) {
    CUTLINE_TRY(check_name(profile, name, false));
    notes.push_back(variable_note(behaviour, name, value));
  }
  for (const auto& [name, value] : situation.settings) {
    CUTLINE_TRY(check_name(profile, name, true));
    const bool known = behaviour.text("tool_search.exempt", "setting") == name;
    const bool applies = known && value == "true";
    const bool conditional = behaviour.is_condition(name, value);
    notes.push_back({.name = name,
                     .value = value,
                     .ignored = known && !applies && value != "false",
                     .says = applies ? fmt::format("{} = true: the tools are not deferred", name)
                             : conditional ? fmt::format("{} = {} applies", name, value)
                             : known       ? fmt::format("{} = {} changes nothing", name, value)
                                           : fmt::format("whether {} knows {} is not known",
                                                         behaviour.program(), name)});
  }
  return notes;
}

}  // namespace cutline::delivery
