// client_groups.h: many clients on one screen, grouped by what they do to this server.
//
// A table of versions for each client is a page when there are twenty. Here those stretches of
// versions, of whatever clients, that come out the same are one row: what becomes of the text on
// the left, who does it on the right. What may differ within a row without being another outcome
// (where a text lands, why nothing arrives) is a note before the clients that it is true of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/check.h"
#include "report/rows.h"
#include "report/table.h"

namespace cutline::report {

/// What one version makes of the server, in one row's words.
struct Outcome {
  std::string key;          // equal keys are one row; empty: there is nothing to say
  double rank = 0;          // rows are in this order, from whole to nothing
  std::vector<Cell> cells;  // of the row, without the clients
  std::string note;         // "system prompt"
  std::string several;      // the note where a stretch or too many clients differ in it
};
using OutcomeOf = std::function<Outcome(const CheckedClient&, const CheckedGroup&)>;

/// A stretch of versions of one client that has one outcome.
struct Mention {
  const CheckedClient* client = nullptr;
  Row row;
};

struct NoteLine {
  std::string note;
  std::vector<Mention> mentions;  // those held to first
};

struct ClientGroup {
  Outcome outcome;
  std::vector<NoteLine> lines;  // with versions held to first

  /// A group of versions held to, else the first; what is the same in the whole row is read there.
  const CheckedGroup& example() const;
  bool any_held() const;
};

/// In the order of their ranks. Neighbouring stretches that are not held to and differ in their
/// notes alone are told as one.
std::vector<ClientGroup> group_clients(const Check& check, const OutcomeOf& outcome_of);

/// A reason that names its client, for all of whom it is true: "the client asks initialize".
std::string of_any_client(std::string reason, const CheckedClient& client);

/// "Claude Code ≥ 2.1.296", "Codex" for all versions that are known; not to be broken.
std::string mention_words(const Mention& mention);
/// "▸ A, B ≤ 1.2 and 3 more", with a mark before those held to where `marked`.
std::string mentions_words(const std::vector<Mention>& mentions, bool marked, std::size_t most);
/// The client alone where its newest version is held to, as in all that is said of a bare check.
std::string held_name(const Mention& mention);

/// The names of those, without versions where held_name() has none: "A and B".
std::string held_names(const std::vector<Mention>& mentions, std::size_t most);

/// Does ▸ tell clients apart there, so that it has to be explained?
bool marks_tell_apart(const std::vector<ClientGroup>& groups);

/// The rows below `heads`, the last of which is completed with what ▸ means if need be.
std::string groups_table(const std::vector<ClientGroup>& groups, std::vector<Cell> heads,
                         const Style& style);

}  // namespace cutline::report
