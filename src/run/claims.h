// claims.h: what a profile says of a client and no piece of a delivery shows: the version that it
// names in initialize (`handshake.initialize`), the model that it sends (`model.sent`), what its
// sub-agents get (`later.subagent`), and the members of tools that it keeps to itself
// (`tool.never_sent`).
#pragma once

#include "run/evaluate.h"

namespace cutline::run {

/// Adds differences of the kinds "offers", "model", "sub-agent" and "member" to the comparison, and
/// what was looked for to `members_searched`. A member was looked for if a tool that arrived has a
/// string there that tells: long, plain, and nowhere else in what the servers send. The facts that
/// were compared are added to those that the prediction rests on.
void check_claims(const EvaluationInput& input, Evaluation& evaluation);

}  // namespace cutline::run
