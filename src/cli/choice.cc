// choice.cc: choosing clients and delivering to them.
#include "cli/choice.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/profiles.h"
#include "cli/selection.h"

namespace cutline::cli {
namespace {

tl::unexpected<Problem> no_versions(const delivery::Profile& profile) {
  return fail({.code = "cli.client",
               .message = fmt::format("what is known of {} is not told apart by versions",
                                      delivery::program_name(profile, profile.last)),
               .place = "--client",
               .hint = fmt::format("write --client {}", profile.id)});
}

Result<void> add_wish(const Shelf& shelf, const ClientWish& wish, std::vector<Chosen>& chosen) {
  const auto known = std::ranges::find_if(
      chosen, [&](const Chosen& other) { return other.profile.id == wish.name; });
  if (known != chosen.end()) {
    if (known->profile.unversioned && wish.range) return no_versions(known->profile);
    known->wishes.push_back(wish);
    return {};
  }
  CUTLINE_TRY_ASSIGN(delivery::Profile profile, shelf.read(wish.name));
  if (profile.unversioned && wish.range) return no_versions(profile);
  chosen.push_back({.profile = std::move(profile), .wishes = {wish}});
  return {};
}

/// Most clients have no switches at all; the one that has a like name is the one that was meant.
bool has_suggestion(const Problem& problem) { return problem.hint.starts_with("did you mean"); }

/// A switch may be meant for one of several clients; it is a mistake if none of them knows it.
Result<void> check_one_switch(const std::vector<Chosen>& chosen,
                              const delivery::Situation& one_switch) {
  std::optional<Problem> problem;
  for (const Chosen& client : chosen) {
    const Version version = version_of(client.profile, client.wishes.back());
    auto notes = delivery::check_switches(client.profile, version, one_switch);
    if (notes) return {};
    if (!problem || (!has_suggestion(*problem) && has_suggestion(notes.error())))
      problem = std::move(notes).error();
  }
  if (!problem) return {};
  return fail(*std::move(problem));
}

Result<void> check_all_switches(const std::vector<Chosen>& chosen,
                                const delivery::Situation& situation) {
  delivery::Situation one = situation;
  one.settings.clear();
  for (const auto& variable : situation.variables) {
    one.variables = {variable};
    CUTLINE_TRY(check_one_switch(chosen, one));
  }
  one.variables.clear();
  for (const auto& setting : situation.settings) {
    one.settings = {setting};
    CUTLINE_TRY(check_one_switch(chosen, one));
  }
  return {};
}

/// Notes on the switches that this client knows.
std::vector<delivery::SwitchNote> switch_notes(const Chosen& chosen,
                                               const delivery::Situation& situation) {
  std::vector<delivery::SwitchNote> notes;
  const Version version = version_of(chosen.profile, chosen.wishes.back());
  const auto add = [&](const delivery::Situation& one) {
    if (auto found = delivery::check_switches(chosen.profile, version, one))
      std::ranges::move(*found, std::back_inserter(notes));
  };
  delivery::Situation one = situation;
  one.settings.clear();
  for (const auto& variable : situation.variables) {
    one.variables = {variable};
    add(one);
  }
  one.variables.clear();
  for (const auto& setting : situation.settings) {
    one.settings = {setting};
    add(one);
  }
  return notes;
}

tl::unexpected<Problem> no_version(const delivery::Profile& profile, const VersionRange& range) {
  return fail(
      {.code = "cli.client",
       .message = fmt::format("there is no version of {} in {}", profile.title, range.text()),
       .place = "--client",
       .hint = fmt::format("known: {}..{}", profile.first.text(), profile.last.text())});
}

}  // namespace

Result<std::vector<Chosen>> choose_clients(const Clients& clients) {
  CUTLINE_TRY_ASSIGN(const Shelf shelf, Shelf::open(clients.profiles_folder));
  std::vector<ClientWish> wishes = clients.wishes;
  if (wishes.empty())
    for (const std::string& name : shelf.names()) wishes.push_back({.name = name, .range = {}});
  std::vector<Chosen> chosen;
  for (const ClientWish& wish : wishes) CUTLINE_TRY(add_wish(shelf, wish, chosen));
  for (Chosen& client : chosen) client.named = !clients.wishes.empty();
  CUTLINE_TRY(check_all_switches(chosen, clients.situation));
  return chosen;
}

Version version_of(const delivery::Profile& profile, const ClientWish& wish) {
  if (wish.range && wish.range->to) return *wish.range->to;
  return profile.last;
}

Result<report::CheckedClient> check_client(const Chosen& chosen,
                                           const delivery::Situation& situation,
                                           std::span<const delivery::Configured> servers) {
  report::CheckedClient checked;
  checked.profile = &chosen.profile;
  checked.switches = switch_notes(chosen, situation);
  CUTLINE_TRY_ASSIGN(const std::vector<Selected> selection, select(chosen.profile, chosen.wishes));
  for (const Selected& selected : selection) {
    std::vector<delivery::Group> groups =
        delivery::deliver_all(chosen.profile, situation, servers, selected.range);
    if (groups.empty()) return no_version(chosen.profile, selected.range);
    const std::size_t before = checked.groups.size();
    for (delivery::Group& group : groups) {
      const bool adjoins = checked.groups.size() > before;
      checked.groups.push_back({.group = std::move(group),
                                .held = selected.named ? report::Held::kAll : report::Held::kNone,
                                .adjoins = adjoins});
    }
  }
  // Without versions the newest that was measured is held to; a client that was never measured is
  // held to nothing, unless it was named and has no versions that could be.
  const bool all = std::ranges::any_of(
      chosen.wishes, [](const ClientWish& wish) { return !wish.names_versions(); });
  report::CheckedGroup& newest = checked.groups.back();
  const bool measured = !chosen.profile.measured_on.empty();
  if (all && !newest.held_to() && (measured || (chosen.named && chosen.profile.unversioned)))
    newest.held = measured ? report::Held::kNewest : report::Held::kAll;
  return checked;
}

}  // namespace cutline::cli
