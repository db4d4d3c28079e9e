// behaviour.cc: look-ups in a profile for one version, model and session.
#include "delivery/behaviour.h"

#include <algorithm>

namespace cutline::delivery {

Behaviour::Behaviour(const Profile& profile, const Version& version, const Situation& situation,
                     Rewritten* rewritten)
    : profile_(&profile),
      version_(&version),
      situation_(&situation),
      rewritten_(rewritten),
      conditions_({.model = situation.model,
                   .session = situation.session,
                   .variables = situation.variables,
                   .settings = situation.settings}) {
  if (conditions_.model.empty()) conditions_.model = text("model.default", "id");
  const Found sent = find_fact(profile, "model.sent", version, conditions_);
  if (!sent.fact) return;
  if (sent.fact->unknown) {
    model_not_known_ = sent;
  } else if (const config::Node* id = sent.fact->value.find("id")) {
    conditions_.model = id->string;
  }
}

Found Behaviour::fact(std::string_view name) const {
  // Where it is not known which model an alias stands for, what depends on the model is not either.
  const bool depends = name == "instructions.placement";
  if (depends && model_not_known_) return *model_not_known_;
  const Found found = find_fact(*profile_, name, *version_, conditions_);
  if (found.fact) consulted_.insert(found.fact);
  return found;
}

std::vector<const Fact*> Behaviour::consulted() const {
  std::vector<const Fact*> facts;
  for (const Fact& fact : profile_->facts)
    if (consulted_.contains(&fact)) facts.push_back(&fact);
  return facts;
}

const config::Node* Behaviour::value(std::string_view name) const {
  const Found found = fact(name);
  return found.fact && !found.fact->unknown ? &found.fact->value : nullptr;
}

std::string_view Behaviour::text(std::string_view name, std::string_view key) const {
  const config::Node* node = value(name);
  const config::Node* member = node ? node->find(key) : nullptr;
  return member ? std::string_view(member->string) : std::string_view();
}

std::optional<std::int64_t> Behaviour::integer(std::string_view name, std::string_view key) const {
  const config::Node* node = value(name);
  const config::Node* member = node ? node->find(key) : nullptr;
  return member ? std::optional(member->integer) : std::nullopt;
}

std::optional<bool> Behaviour::truth(std::string_view name, std::string_view key) const {
  const config::Node* node = value(name);
  const config::Node* member = node ? node->find(key) : nullptr;
  return member ? std::optional(member->boolean) : std::nullopt;
}

std::optional<std::string_view> Behaviour::variable(std::string_view name) const {
  return last_of(situation_->variables, name);
}

std::optional<std::string_view> Behaviour::setting(std::string_view name) const {
  return last_of(situation_->settings, name);
}

std::vector<const config::Node*> Behaviour::values_anywhere(std::string_view name) const {
  std::vector<const config::Node*> values;
  for (const Fact& fact : profile_->facts)
    if (fact.name == name && !fact.unknown) values.push_back(&fact.value);
  return values;
}

bool Behaviour::is_condition(std::string_view name, std::string_view value) const {
  return std::ranges::any_of(profile_->facts, [&](const Fact& fact) {
    return std::ranges::any_of(fact.when, [&](const auto& condition) {
      return condition.first == name && condition.second == value;
    });
  });
}

std::string Behaviour::program() const {
  // Sentences stand beside the date of an unversioned profile, which is no part of a name.
  return profile_->unversioned ? profile_->title : program_name(*profile_, *version_);
}

}  // namespace cutline::delivery
