// evaluate.h: what a cell's evidence says, and whether it is what the profile predicts.
//
// Always from what was stored, so that a cell of yesterday is judged by the profile of today.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "delivery/compare.h"
#include "delivery/deliver.h"
#include "llm/request.h"
#include "mcp/offer.h"
#include "run/clients/adapter.h"
#include "run/shim.h"
#include "store/evidence.h"

namespace cutline::run {

struct EvaluationInput {
  const delivery::Profile* profile = nullptr;  // must outlive the evaluation
  const Adapter* adapter = nullptr;
  Version version;
  delivery::Situation situation;
  std::vector<std::string> prompts;  // of the sessions
  std::vector<std::string> servers;  // their names in the client's configuration
  bool resumed = true;               // the last of several sessions goes on with the one before
  std::span<const store::Request> requests;
  std::span<const store::Message> messages;
  std::span<const store::File> files;

  /// Which fact of the profile holds in this situation.
  delivery::Found fact(std::string_view name) const;
};

/// A request of the conversation: it says the prompt and has tools.
struct Conversed {
  std::size_t sequence = 0;  // among all requests of the cell
  std::int64_t at_us = 0;
  std::size_t body_bytes = 0;
  std::string ideal_answer;  // of an ideal reader of this request
};

/// Of a cell with several sessions: which of a server's texts stand in the last request of the last
/// one.
struct Later {
  std::string server;
  std::string sends;  // "old", "new", "old, new", "same" (there is only one text), "nothing"
};

/// Of a server that ended by itself, with an error, and had never said anything.
struct NotServed {
  std::string words;  // "exit code 127; its standard error ends: …", with its bytes as they were
  bool not_found = false;  // its command is not there, or cannot be run
};

struct ServerEvidence {
  std::string name;
  mcp::Offer offer;  // what it sent in this run
  RecordedHandshake handshake;
  std::optional<NotServed> not_served;  // not of one that is late, or that the client ended
  Told told;
  bool transcript_agrees = false;  // its text is what was on the wire
};

struct Evaluation {
  std::vector<ServerEvidence> servers;     // in the first session
  std::vector<llm::Request> conversation;  // of all sessions
  std::vector<Conversed> conversed;        // beside each of them
  /// The client sent nothing, as it was predicted of what it was offered; the conversation is then
  /// one empty request.
  bool stopped = false;
  std::size_t first_session = 0;  // so many of them are of the first one
  /// Requests with tools that are not of the conversation (sub-agents), and how many of them carry
  /// a server's instructions.
  std::size_t others = 0, others_with_text = 0;
  std::vector<Later> later;  // empty if there was only one
  /// Members of tools that are never sent by the profile, and that were looked for (claims.h).
  std::vector<std::string> members_searched;
  delivery::Delivery predicted, measured;
  delivery::Comparison comparison;
};

/// Delivered is what the first session's requests carry; later ones are held against the profile's
/// "later.resume" and "later.compaction" (differences of the kind "later"). Problem "run.evidence"
/// if there is nothing to judge: no request of the conversation, no server that answered.
Result<std::unique_ptr<Evaluation>> evaluate(const EvaluationInput& input);

}  // namespace cutline::run
