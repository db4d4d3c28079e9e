// verdict.cc: judging a check.
#include "report/verdict.h"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

#include "base/number.h"
#include "report/eras.h"
#include "report/words.h"
#include "text/structure.h"

namespace cutline::report {
namespace {

using delivery::Delivered;
using delivery::Never;
using delivery::PieceId;

constexpr std::size_t kNamesShown = 4;

bool is_instructions(const Delivered& piece) {
  return piece.piece.kind == PieceId::Kind::kInstructions;
}

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

/// What a text may have to be kept: the limit itself where only a split character was left out.
std::size_t room(const Delivered& piece) {
  return piece.cut->pair_protected ? piece.budget->size : piece.kept_units();
}

/// For whom a step is: on a screen of many clients it is no longer than it must be.
struct Addressed {
  std::vector<std::string> who;
  bool briefly = false;
};

std::string step_for_limit(const Delivered& piece, bool briefly) {
  std::string step =
      fmt::format("put what must be read into the first {} {}, or shorten the text by {}.",
                  number(room(piece)), unit_noun(piece, room(piece)), number(piece.lost_units()));
  if (briefly) return step;
  const text::Loss loss =
      text::loss_at(piece.original, piece.cut->at.bytes, std::span<const std::string>());
  if (!loss.headings.empty())
    step += fmt::format(" The first section that is lost whole is \"{}\".", safe(loss.headings[0]));
  return step;
}

/// A client that shows one line of a text is not helped by a shorter text.
bool wants_first_line(const Delivered& piece) { return piece.cut && piece.budget->first_line_only; }

std::string step_for_cut(const Delivered& piece, const Addressed& to) {
  if (!is_instructions(piece)) {
    return fmt::format("shorten the description of {} by {}{} {}, or say first what matters most.",
                       safe_name(piece.piece.tool), at_least(piece), number(piece.lost_units()),
                       unit_noun(piece, piece.lost_units()));
  }
  if (!wants_first_line(piece)) return step_for_limit(piece, to.briefly);
  return fmt::format(
      "make the first line, of at most {} {}, say when to use the server: it is all that {} {} at "
      "the "
      "start.",
      number(piece.budget->size), unit_noun(piece, piece.budget->size),
      some_of(to.who, kNamesShown), to.who.size() == 1 ? "shows" : "show");
}

bool wrong_type(const mcp::EraOffer* answer) { return answer && answer->instructions_wrong_type; }

std::string step_for_type(const mcp::EraOffer& answer) {
  return fmt::format("send the instructions as a string; they are {} in the answer to {}.",
                     safe(*answer.instructions_wrong_type),
                     answer.era == mcp::Era::kModern ? "server/discover" : "initialize");
}

std::string step_for(const Loss& loss, const Addressed& to) {
  const Delivered& piece = *loss.piece;
  switch (piece.never) {
    case Never::kConnectionFails:
      if (wrong_type(loss.answer)) return step_for_type(*loss.answer);
      return fmt::format("make the connection work: {}.",
                         absence_words(piece, loss.group->group.to));
    case Never::kOtherEra:
      return "build the answers to initialize and to server/discover from one text.";
    case Never::kTooLate:
      return fmt::format("answer sooner: {}.", absence_words(piece, loss.group->group.to));
    case Never::kNameRefused:
      return fmt::format("shorten the name of the tool {}: {}.", safe_name(piece.piece.tool),
                         absence_words(piece, loss.group->group.to));
    case Never::kNameCollides:
      return fmt::format("rename the tool {}: {}.", safe_name(piece.piece.tool),
                         absence_words(piece, loss.group->group.to));
    case Never::kSchemaRefused:
      return fmt::format("mend the input schema: {}.", absence_words(piece, loss.group->group.to));
    case Never::kTooManyTools:
      return fmt::format("offer fewer tools, or let users choose among them: {}.",
                         absence_words(piece, loss.group->group.to));
    case Never::kNoTools:
      return fmt::format("give the server a tool: {} {} servers that have none.",
                         some_of(to.who, kNamesShown),
                         to.who.size() == 1 ? "leaves out" : "leave out");
    default:
      break;
  }
  return step_for_cut(piece, to);
}

constexpr int kInstructionsWeight = 2;
/// What weighs most comes first: whole connections, then instructions, then tools.
int weight(const Delivered& piece) {
  if (piece.never == Never::kConnectionFails) return 0;
  if (piece.never == Never::kTooLate) return 1;
  if (is_instructions(piece)) return kInstructionsWeight;
  return piece.arrives() ? 4 : 3;
}

/// What one does to the instructions helps all clients that lose them in the same way.
enum class Repair { kOneText, kFirstLine, kLimit, kTool };
Repair repair_of(const Delivered& piece) {
  if (piece.never == Never::kNoTools) return Repair::kTool;
  if (!piece.cut) return Repair::kOneText;
  return wants_first_line(piece) ? Repair::kFirstLine : Repair::kLimit;
}

/// How much of its text a client loses at worst, over the versions held to.
using Effects = std::map<Repair, std::map<const CheckedClient*, double>>;

Repair most_effective(const std::vector<Loss>& losses) {
  Effects effects;
  for (const Loss& loss : losses) {
    const Delivered& piece = *loss.piece;
    double& effect = effects[repair_of(piece)][loss.client];
    const double whole = static_cast<double>(std::max<std::size_t>(1, piece.whole_units()));
    effect = std::max(effect, static_cast<double>(piece.lost_units()) / whole);
  }
  const auto sum = [](const auto& repair) {
    double all = 0;
    for (const auto& [client, effect] : repair.second) all += effect;
    return all;
  };
  return std::ranges::max_element(effects, {}, sum)->first;
}

/// The loss whose repair is worth most: the smallest limit of the clients that it helps.
std::string step_for_worst(std::vector<Loss> losses, bool briefly) {
  const auto lightest =
      std::ranges::min(losses, {}, [](const Loss& loss) { return weight(*loss.piece); });
  std::erase_if(losses,
                [&](const Loss& loss) { return weight(*loss.piece) != weight(*lightest.piece); });
  if (is_instructions(*lightest.piece) && weight(*lightest.piece) == kInstructionsWeight) {
    const Repair repair = most_effective(losses);
    std::erase_if(losses, [&](const Loss& loss) { return repair_of(*loss.piece) != repair; });
  }
  Addressed to = {.who = {}, .briefly = briefly};
  for (const Loss& loss : losses)
    if (std::ranges::find(to.who, loss.client->profile->title) == to.who.end())
      to.who.push_back(loss.client->profile->title);
  // In bytes, as clients count in different units.
  const auto worst = std::ranges::max_element(losses, {}, [](const Loss& loss) {
    return loss.piece->original.size() - loss.piece->kept.size();
  });
  return step_for(*worst, to);
}

/// The clients held to that show no instructions by design, though there are some.
std::vector<std::string> without_instructions(const Check& check) {
  std::vector<std::string> who;
  for (const CheckedClient& client : check.clients) {
    const bool left_out = std::ranges::any_of(client.groups, [&](const CheckedGroup& group) {
      const Delivered* piece = instructions_in(check, group);
      return group.held_to() && piece && piece->never == Never::kNotDelivered &&
             !piece->original.empty();
    });
    if (left_out) who.push_back(client.profile->title);
  }
  return who;
}

/// The newest version not held to in which text is lost.
std::optional<std::string> step_for_older(const Check& check) {
  for (const CheckedClient& client : check.clients) {
    for (auto group = client.groups.rbegin(); group != client.groups.rend(); ++group) {
      const Delivered* piece = instructions_in(check, *group);
      if (!piece || !piece->cut || !lost_for_good(*piece)) continue;
      const std::string who =
          client.profile->unversioned
              ? delivery::program_name(*client.profile, group->group.to)
              : fmt::format("{} up to {}", client.profile->title, group->group.to.text());
      return fmt::format("for {}, put what must be read into the first {} {}.", who,
                         number(room(*piece)), unit_noun(*piece, room(*piece)));
    }
  }
  return std::nullopt;
}

}  // namespace

bool comes_by_search(const Delivered& piece) {
  return piece.also && piece.also->says == delivery::SecondWay::Says::kWhole &&
         piece.also->state == delivery::State::kDeferred;
}

bool lost_for_good(const Delivered& piece) {
  if (piece.arrives()) return piece.cut && piece.lost_units() > 0;
  switch (piece.never) {
    case Never::kNameRefused:
    case Never::kNameCollides:
    case Never::kTooManyTools:
    case Never::kSchemaRefused:
      return true;
    case Never::kConnectionFails:
    case Never::kOtherEra:
    case Never::kTooLate:
    case Never::kNoTools:
      return !is_instructions(piece) || !piece.original.empty();
    default:
      return false;
  }
}

bool offers_anything(const mcp::Offer& offer) {
  for (const std::optional<mcp::EraOffer>* era : {&offer.legacy, &offer.modern}) {
    if (!*era) continue;
    const mcp::EraOffer& answer = **era;
    const bool text = answer.instructions && !answer.instructions->value.empty();
    if (text || answer.instructions_wrong_type || !answer.tools.empty() ||
        !answer.prompts.empty() || !answer.resources.empty() || !answer.templates.empty())
      return true;
  }
  return false;
}

const mcp::EraOffer* answer_in(const Check& check, const CheckedGroup& group) {
  const Delivered* piece = instructions_in(check, group);
  if (piece && piece->era) return check.offer->era(*piece->era);
  // Without a connection no era is named; the last request that was made has the answer.
  const bool initialize = group.group.delivery.handshake.find("initialize") != std::string::npos;
  return check.offer->era(initialize ? mcp::Era::kLegacy : mcp::Era::kModern);
}

bool lost_in(const Check& check, const CheckedGroup& group, const Delivered& piece) {
  if (lost_for_good(piece)) return true;
  if (piece.never != Never::kConnectionFails) return false;
  return wrong_type(answer_in(check, group)) ||
         (tools_in(group).empty() && offers_anything(*check.offer));
}

bool is_of_no_fact(const Delivered& piece) {
  return piece.state == delivery::State::kUnknown && piece.because &&
         std::ranges::none_of(*piece.because,
                              [](const delivery::Found& found) { return found.fact != nullptr; });
}

const Delivered* instructions_in(const Check& check, const CheckedGroup& group) {
  return group.group.delivery.instructions(check.server);
}

std::vector<const Delivered*> tools_in(const CheckedGroup& group) {
  std::vector<const Delivered*> tools;
  for (const Delivered& piece : group.group.delivery.pieces)
    if (!is_instructions(piece)) tools.push_back(&piece);
  return tools;
}

bool is_not_known(const delivery::SwitchNote& note) {
  return without_full_stop(note.says).ends_with("is not known");
}

bool is_told(const delivery::SwitchNote& note) { return note.ignored || is_not_known(note); }

std::vector<Loss> losses(const Check& check) {
  std::vector<Loss> found;
  for (const CheckedClient& client : check.clients) {
    for (const CheckedGroup& group : client.groups) {
      if (!group.held_to()) continue;
      for (const Delivered& piece : group.group.delivery.pieces)
        if (lost_in(check, group, piece))
          found.push_back({&client, &group, &piece, answer_in(check, group)});
    }
  }
  return found;
}

std::optional<std::string> first_step(const Check& check) {
  if (std::vector<Loss> found = losses(check); !found.empty())
    return step_for_worst(std::move(found), check.clients.size() > 1);
  for (const mcp::Era era : {mcp::Era::kLegacy, mcp::Era::kModern})
    if (const mcp::EraOffer* answer = check.offer->era(era); wrong_type(answer))
      return step_for_type(*answer);
  if (const EraComparison eras = compare_eras(*check.offer); eras.both && !eras.same())
    return "build the answers to initialize and to server/discover from one text.";
  // Nothing is cut there that could be shortened.
  if (const std::vector<std::string> who = without_instructions(check); !who.empty()) {
    return fmt::format(
        "put what must be known into the descriptions of tools: {} {} no instructions.",
        some_of(who, kNamesShown), who.size() == 1 ? "shows" : "show");
  }
  return step_for_older(check);
}

int exit_code(const Check& check) {
  if (check.offer->outcome != mcp::Outcome::kServes) return 3;
  return losses(check).empty() ? 0 : 1;
}

}  // namespace cutline::report
