// audit.h: starting a server, asking it everything (mcp/interview), and ending it again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "mcp/interview.h"
#include "mcp/offer.h"
#include "sys/process.h"

namespace cutline::run {

struct AuditOptions {
  mcp::InterviewOptions interview;
  sys::Shutdown shutdown;
  /// Called once, when the first question is on its way: work that does not need the answer.
  /// Nothing is heard before it returns, so it should take milliseconds.
  std::function<void()> meanwhile = {};
};

struct Audit {
  mcp::Offer offer;
  int interrupted_by = 0;  // SIGINT, SIGTERM or SIGHUP, if one came; the offer is then incomplete
};

/// Never a Problem for what the server does wrong: that is in the offer. A command that cannot be
/// run is outcome kDidNotStart. Problems are about this machine (no more descriptors, say) and
/// about a folder to start in that is not there. No process of the server is left when this
/// returns. While it runs, SIGINT, SIGTERM and SIGHUP end the server and the audit, a second one at
/// once.
Result<Audit> audit(const sys::Command& command, const AuditOptions& options);

}  // namespace cutline::run
