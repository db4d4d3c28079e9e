// shim_record.cc: what a server offered in a run, from the conversation that was written down.
//
// Answers are put to their questions by id, process by process. What a list was asked in says which
// era it belongs to: requests of the modern era carry their version with them. Of each list the
// last reading counts, from its first page on.
#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "mcp/answers.h"
#include "mcp/offer_json.h"
#include "mcp/probe.h"
#include "mcp/requests.h"
#include "run/shim.h"
#include "wire/jsonrpc.h"

namespace cutline::run {
namespace {

using mcp::Era;

constexpr std::array kLists = {mcp::method::kTools, mcp::method::kPrompts, mcp::method::kResources,
                               mcp::method::kTemplates};
constexpr std::string_view kVersionInEnvelope = "io.modelcontextprotocol/protocolVersion";

/// A question of the client's and what became of it.
struct Exchange {
  std::string method;
  Era era = Era::kLegacy;  // by its envelope
  bool continues = false;  // it asks for a further page
  std::int64_t process = 0;
  std::int64_t asked_us = 0, answered_us = 0;
  std::optional<std::string> offers;  // of initialize
  std::optional<wire::Message> answer;
  std::string line;  // the answer's, as a JSON text
};

struct Conversation {
  std::vector<Exchange> exchanges;  // as they were asked
  std::map<std::int64_t, std::int64_t> started_us;
  bool seen = false;
};

Exchange exchange_of(const wire::Message& request, const store::Message& message) {
  Exchange exchange{.method = request.method,
                    .process = message.process,
                    .asked_us = message.at_us,
                    .offers = {},
                    .answer = {},
                    .line = {}};
  if (!request.params) return exchange;
  const std::optional<json::Value> meta = request.params->find("_meta");
  if (meta && meta->find(kVersionInEnvelope)) exchange.era = Era::kModern;
  exchange.continues = request.params->find("cursor").has_value();
  if (request.method == mcp::method::kInitialize)
    exchange.offers = json::string_member(*request.params, "protocolVersion");
  return exchange;
}

Conversation conversation_of(const std::vector<store::Message>& messages, std::string_view server) {
  Conversation conversation;
  std::map<std::pair<std::int64_t, std::string>, std::size_t> open;
  for (const store::Message& message : messages) {
    if (message.server != server) continue;
    conversation.seen = true;
    if (message.direction == "started") conversation.started_us[message.process] = message.at_us;
    const bool of_client = message.direction == "client";
    if (!of_client && message.direction != "server") continue;
    for (wire::Message& said : wire::parse_line(message.line)) {
      const auto key = std::pair(message.process, said.id);
      if (of_client && said.kind == wire::MessageKind::kRequest) {
        open[key] = conversation.exchanges.size();
        conversation.exchanges.push_back(exchange_of(said, message));
      }
      const bool answers =
          said.kind == wire::MessageKind::kResult || said.kind == wire::MessageKind::kError;
      const auto asked = open.find(key);
      if (of_client || !answers || asked == open.end()) continue;
      Exchange& exchange = conversation.exchanges[asked->second];
      exchange.answered_us = message.at_us;
      if (!said.in_batch)
        exchange.line = message.line;
      else if (said.result)
        exchange.line = wire::result_line(said.id, said.result->raw());
      exchange.answer = std::move(said);
      open.erase(asked);
    }
  }
  return conversation;
}

bool is_list(std::string_view method) { return std::ranges::find(kLists, method) != kLists.end(); }

/// An answer to initialize that a client can go on with.
bool opens_legacy(const Exchange& exchange) {
  if (exchange.method != mcp::method::kInitialize || !exchange.answer) return false;
  if (!exchange.answer->result) return false;
  const auto version = json::string_member(*exchange.answer->result, "protocolVersion");
  return version && mcp::is_legacy_version(*version);
}

bool opens_modern(const Exchange& exchange) {
  return exchange.method == mcp::method::kDiscover && exchange.answer && exchange.answer->result &&
         mcp::judge_probe(*exchange.answer).answer == mcp::ProbeAnswer::kModern;
}

/// The last answer of that kind; null if there is none.
template <class Test>
const Exchange* last(const Conversation& conversation, Test test) {
  const Exchange* found = nullptr;
  for (const Exchange& exchange : conversation.exchanges)
    if (test(exchange)) found = &exchange;
  return found;
}

/// The lists that the client read in one era, as the members of a dump.
std::string lists_of(const Conversation& conversation, Era era, bool has_other_era) {
  std::map<std::string, std::vector<const Exchange*>> pages;
  for (const Exchange& exchange : conversation.exchanges) {
    const bool counts = is_list(exchange.method) && exchange.answer && exchange.answer->result;
    if (!counts || (has_other_era && exchange.era != era)) continue;
    std::vector<const Exchange*>& of_list = pages[exchange.method];
    if (!exchange.continues) of_list.clear();
    of_list.push_back(&exchange);
  }
  std::string members;
  for (const auto& [method, answers] : pages) {
    members += fmt::format(R"(,"{}":[)", method);
    for (const Exchange* answer : answers) {
      if (answer != answers.front()) members += ',';
      members += answer->line;
    }
    members += ']';
  }
  return members;
}

Result<mcp::Offer> offer_of(const Conversation& conversation, const Exchange& opening, Era era,
                            bool has_other_era) {
  const std::string dump = fmt::format(R"({{"{}":{}{}}})", opening.method, opening.line,
                                       lists_of(conversation, era, has_other_era));
  return mcp::read_offer(dump, "the recorded answers");
}

std::optional<mcp::Milliseconds> time_of(const Conversation& conversation,
                                         const Exchange* exchange) {
  if (!exchange || !exchange->answer) return std::nullopt;
  const auto started = conversation.started_us.find(exchange->process);
  const std::int64_t from =
      started == conversation.started_us.end() ? exchange->asked_us : started->second;
  return std::chrono::microseconds(exchange->answered_us - from);
}

/// The client's first question, if that was it.
mcp::Probe probe_of(const Conversation& conversation) {
  mcp::Probe probe;
  const Exchange* asked = last(conversation, [](const Exchange& exchange) {
    return exchange.method == mcp::method::kDiscover;
  });
  if (!asked) return probe;
  if (!asked->answer) {
    const bool again =
        conversation.started_us.upper_bound(asked->process) != conversation.started_us.end();
    probe.answer = again ? mcp::ProbeAnswer::kExit : mcp::ProbeAnswer::kSilence;
    return probe;
  }
  mcp::ProbeVerdict verdict = mcp::judge_probe(*asked->answer);
  probe.answer = verdict.answer;
  probe.error_code = verdict.error_code;
  probe.versions = std::move(verdict.versions);
  probe.elapsed = std::chrono::microseconds(asked->answered_us - asked->asked_us);
  return probe;
}

mcp::Times times_of(const Conversation& conversation, const Exchange* legacy,
                    const Exchange* probe) {
  mcp::Times times;
  times.process_starts = conversation.started_us.size();
  times.handshake = time_of(conversation, legacy);
  times.probe = time_of(conversation, probe);
  for (const Exchange& exchange : conversation.exchanges) {
    const auto time = time_of(conversation, &exchange);
    if (time && (!times.first_answer || *time < *times.first_answer)) times.first_answer = time;
    if (time && is_list(exchange.method)) times.lists = time;
  }
  return times;
}

}  // namespace

Result<mcp::Offer> recorded_offer(const std::vector<store::Message>& messages,
                                  std::string_view server) {
  const Conversation conversation = conversation_of(messages, server);
  if (!conversation.seen) {
    return fail({.code = "run.not_started",
                 .message = fmt::format("the client never started the server '{}'", server),
                 .place = {},
                 .hint = {},
                 .blame = Blame::kMissing});
  }
  const Exchange* legacy = last(conversation, opens_legacy);
  const Exchange* modern = last(conversation, opens_modern);
  mcp::Offer offer;
  offer.outcome_detail = "in that run it answered neither initialize nor server/discover";
  if (legacy) {
    CUTLINE_TRY_ASSIGN(offer, offer_of(conversation, *legacy, Era::kLegacy, modern != nullptr));
  }
  if (modern) {
    CUTLINE_TRY_ASSIGN(mcp::Offer other,
                       offer_of(conversation, *modern, Era::kModern, legacy != nullptr));
    other.legacy = std::move(offer.legacy);
    for (mcp::Incident& incident : offer.incidents) {
      if (std::ranges::find(other.incidents, incident) == other.incidents.end())
        other.incidents.push_back(std::move(incident));
    }
    offer = std::move(other);
  }
  if (offer.any()) offer.outcome_detail = "read from the conversation that was recorded";
  offer.probe = probe_of(conversation);
  offer.times = times_of(conversation, legacy, last(conversation, [](const Exchange& exchange) {
                           return exchange.method == mcp::method::kDiscover && exchange.answer;
                         }));
  return offer;
}

RecordedHandshake recorded_handshake(const std::vector<store::Message>& messages,
                                     std::string_view server) {
  const Conversation conversation = conversation_of(messages, server);
  RecordedHandshake recorded;
  recorded.process_starts = conversation.started_us.size();
  const Exchange* taken = nullptr;
  std::string_view before;
  for (const Exchange& exchange : conversation.exchanges) {
    const bool asks =
        exchange.method == mcp::method::kInitialize || exchange.method == mcp::method::kDiscover;
    if (asks && exchange.method != before) {
      if (!before.empty()) recorded.handshake += ", then ";
      recorded.handshake += exchange.method;
      before = exchange.method;
    }
    if (exchange.offers) recorded.offers = exchange.offers;
    if (opens_legacy(exchange) || opens_modern(exchange)) taken = &exchange;
  }
  if (!taken) return recorded;
  recorded.era = opens_modern(*taken) ? Era::kModern : Era::kLegacy;
  recorded.ready_us = taken->answered_us;
  return recorded;
}

}  // namespace cutline::run
