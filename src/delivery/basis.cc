// basis.cc: which facts decide what becomes of an offer.
#include "delivery/behaviour.h"

namespace cutline::delivery {
namespace {

/// Which method comes first makes no difference to a server that answers both in the usual way.
bool handshake_matters(const mcp::Offer& offer) {
  const bool usual_answer = offer.probe.answer == mcp::ProbeAnswer::kError ||
                            offer.probe.answer == mcp::ProbeAnswer::kNotAsked;
  return offer.modern || !usual_answer;
}

}  // namespace

std::vector<Found> basis(const Profile& profile, const Version& version, const Situation& situation,
                         const mcp::Offer& offer) {
  const Behaviour behaviour(profile, version, situation);
  std::vector<std::string_view> names = {"instructions.delivered", "instructions.placement",
                                         "instructions.frame"};
  if (behaviour.text("instructions.placement", "role") == "user-reminder")
    names.emplace_back("instructions.frame.reminder");
  if (handshake_matters(offer)) names.insert(names.end(), {"handshake.first", "handshake.probe"});
  if (offer.any() && !offer.any()->tools.empty())
    names.insert(names.end(), {"tool_search.default", "tool.name", "tool.count", "tool.placement"});
  std::vector<Found> facts;
  for (const std::string_view name : names) {
    const Found found = behaviour.fact(name);
    if (found.fact) facts.push_back(found);
  }
  return facts;
}

}  // namespace cutline::delivery
