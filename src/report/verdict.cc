// verdict.cc: judging a check.
#include "report/verdict.h"

#include <algorithm>
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

bool is_instructions(const Delivered& piece) {
  return piece.piece.kind == PieceId::Kind::kInstructions;
}

std::string number(std::size_t value) { return with_separators(static_cast<std::int64_t>(value)); }

/// What a text may have to be kept: the limit itself where only a split character was left out.
std::size_t room(const Delivered& piece) {
  return piece.cut->pair_protected ? piece.budget->size : piece.kept_units();
}

std::string step_for_cut(const Delivered& piece) {
  if (!is_instructions(piece)) {
    return fmt::format("shorten the description of {} by {} {}, or say first what matters most.",
                       safe(piece.piece.tool), number(piece.lost_units()), unit_noun(piece));
  }
  std::string step =
      fmt::format("put what must be read into the first {} {}, or shorten the text by {}.",
                  number(room(piece)), unit_noun(piece), number(piece.lost_units()));
  const text::Loss loss =
      text::loss_at(piece.original, piece.cut->at.bytes, std::span<const std::string>());
  if (!loss.headings.empty())
    step += fmt::format(" The first section that is lost whole is \"{}\".", safe(loss.headings[0]));
  return step;
}

std::string step_for(const Loss& loss) {
  const Delivered& piece = *loss.piece;
  switch (piece.never) {
    case Never::kConnectionFails:
      return fmt::format("make the connection work: {}.",
                         absence_words(piece, loss.group->group.to));
    case Never::kOtherEra:
      return "build the answers to initialize and to server/discover from one text.";
    case Never::kTooLate:
      return fmt::format("answer sooner: {}.", absence_words(piece, loss.group->group.to));
    case Never::kNameRefused:
      return fmt::format("shorten the name of the tool {}: {}.", safe(piece.piece.tool),
                         absence_words(piece, loss.group->group.to));
    case Never::kNameCollides:
      return fmt::format("rename the tool {}: {}.", safe(piece.piece.tool),
                         absence_words(piece, loss.group->group.to));
    default:
      break;
  }
  return step_for_cut(piece);
}

/// What weighs most comes first: whole connections, then instructions, then tools.
int weight(const Delivered& piece) {
  if (piece.never == Never::kConnectionFails) return 0;
  if (piece.never == Never::kTooLate) return 1;
  if (is_instructions(piece)) return 2;
  return piece.arrives() ? 4 : 3;
}

/// The newest version not held to in which text is lost.
std::optional<std::string> step_for_older(const Check& check) {
  for (const CheckedClient& client : check.clients) {
    for (auto group = client.groups.rbegin(); group != client.groups.rend(); ++group) {
      const Delivered* piece = instructions_in(check, *group);
      if (!piece || !piece->cut || !lost_for_good(*piece)) continue;
      return fmt::format("for {} up to {}, put what must be read into the first {} {}.",
                         client.profile->title, group->group.to.text(), number(room(*piece)),
                         unit_noun(*piece));
    }
  }
  return std::nullopt;
}

}  // namespace

bool lost_for_good(const Delivered& piece) {
  if (piece.arrives()) return piece.cut && piece.lost_units() > 0;
  switch (piece.never) {
    case Never::kNameRefused:
    case Never::kNameCollides:
      return true;
    case Never::kConnectionFails:
    case Never::kOtherEra:
    case Never::kTooLate:
      return !is_instructions(piece) || !piece.original.empty();
    default:
      return false;
  }
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

std::vector<Loss> losses(const Check& check) {
  std::vector<Loss> found;
  for (const CheckedClient& client : check.clients) {
    for (const CheckedGroup& group : client.groups) {
      if (!group.held_to()) continue;
      for (const Delivered& piece : group.group.delivery.pieces)
        if (lost_for_good(piece)) found.push_back({&client, &group, &piece});
    }
  }
  return found;
}

std::optional<std::string> first_step(const Check& check) {
  const std::vector<Loss> found = losses(check);
  if (!found.empty()) {
    const auto worst = std::ranges::min_element(found, [](const Loss& a, const Loss& b) {
      const int left = weight(*a.piece), right = weight(*b.piece);
      if (left != right) return left < right;
      return a.piece->lost_units() > b.piece->lost_units();
    });
    return step_for(*worst);
  }
  if (const EraComparison eras = compare_eras(*check.offer); eras.both && !eras.same())
    return "build the answers to initialize and to server/discover from one text.";
  return step_for_older(check);
}

int exit_code(const Check& check) {
  if (check.offer->outcome != mcp::Outcome::kServes) return 3;
  return losses(check).empty() ? 0 : 1;
}

}  // namespace cutline::report
