// evaluate.cc: from stored evidence to two deliveries and their comparison.
#include "run/evaluate.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "base/number.h"
#include "base/utf8.h"
#include "delivery/locate.h"
#include "llm/dialect.h"
#include "llm/ideal_reader.h"
#include "run/cell.h"
#include "run/claims.h"

namespace cutline::run {
namespace {

tl::unexpected<Problem> nothing_to_judge(std::string message, std::string hint) {
  return fail({.code = "run.evidence",
               .message = std::move(message),
               .place = {},
               .hint = std::move(hint),
               .blame = Blame::kMissing});
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

std::optional<llm::Request> read(const store::Request& request) {
  for (const llm::Dialect* dialect : llm::dialects()) {
    if (dialect->endpoint(request.method, path_of(request.target)) != llm::Endpoint::kGenerate)
      continue;
    if (auto reading = dialect->read(request.target, request.body)) return *std::move(reading);
  }
  return std::nullopt;
}

/// Clients that have tools of their own ask other things without them: for a title, for a summary.
enum class Wanted { kWithTools, kAny };

bool is_conversation(const llm::Request& request, const std::vector<std::string>& prompts,
                     Wanted wanted) {
  const bool tools = wanted == Wanted::kAny || !request.tools.empty();
  return tools && std::ranges::any_of(
                      prompts, [&](const std::string& prompt) { return request.says(prompt); });
}

/// When each session began; the first one at 0.
std::vector<std::int64_t> session_starts(std::span<const store::File> files) {
  std::vector<std::int64_t> starts;
  const auto file = std::ranges::find(files, kSessionsFile, &store::File::name);
  if (file != files.end()) {
    const char* at = file->bytes.data();
    const char* end = at + file->bytes.size();
    while (at < end) {
      std::int64_t start = 0;
      const auto [next, error] = std::from_chars(at, end, start);
      if (error != std::errc{}) break;
      starts.push_back(start);
      at = next + 1;
    }
  }
  if (starts.empty()) starts.push_back(0);
  starts.front() = 0;
  return starts;
}

void read_conversation(const EvaluationInput& input, Wanted wanted, Evaluation& evaluation,
                       std::vector<llm::Request>& others) {
  for (std::size_t i = 0; i < input.requests.size(); ++i) {
    std::optional<llm::Request> request = read(input.requests[i]);
    if (!request) continue;
    if (!is_conversation(*request, input.prompts, wanted)) {
      if (!request->tools.empty()) others.push_back(*std::move(request));
      continue;
    }
    evaluation.conversed.push_back({.sequence = i,
                                    .at_us = input.requests[i].at_us,
                                    .body_bytes = input.requests[i].body.size(),
                                    .ideal_answer = llm::ideal_answer(*request)});
    evaluation.conversation.push_back(*std::move(request));
  }
}

constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max();

std::vector<store::Message> between(std::span<const store::Message> messages, std::int64_t from_us,
                                    std::int64_t to_us) {
  std::vector<store::Message> out;
  for (const store::Message& message : messages)
    if (message.at_us >= from_us && message.at_us < to_us) out.push_back(message);
  return out;
}

constexpr std::size_t kErrorTailBytes = 300;

/// The last of these lines, without half a character at its beginning.
std::string tail_of(std::string errors) {
  if (errors.size() > kErrorTailBytes) errors.erase(0, errors.size() - kErrorTailBytes);
  const auto inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  errors.erase(errors.begin(), std::ranges::find_if_not(errors, inside));
  return repair_utf8(errors).text;
}

/// How a server ended by itself, if it was with an error, as shim_read.cc puts it in words. Codes
/// that shells have for SIGINT and SIGTERM are those of one that was told to end.
bool ended_by_itself(std::string_view end, NotServed& how) {
  constexpr std::string_view kCode = "exit code ", kSignal = "signal ";
  constexpr int kNotExecutable = 126, kNotFound = 127, kInterrupted = 130, kTerminated = 143;
  if (end.empty() || end.starts_with(kSignal)) return false;
  if (!end.starts_with(kCode)) return how.not_found = true;  // it could not be started
  int code = 0;
  std::from_chars(end.data() + kCode.size(), end.data() + end.size(), code);
  how.not_found = code == kNotExecutable || code == kNotFound;
  return code != 0 && code != kInterrupted && code != kTerminated;
}

std::optional<NotServed> not_served(const std::vector<store::Message>& messages,
                                    std::string_view server) {
  std::optional<NotServed> found;
  std::string errors;
  for (const store::Message& message : messages) {
    if (message.server != server) continue;
    if (message.direction == "server") return std::nullopt;
    if (message.direction == "stderr") errors += (errors.empty() ? "" : "\n") + message.line;
    NotServed how{.words = message.line};
    if (message.direction == "ended" && ended_by_itself(message.line, how)) found = how;
  }
  if (!found) return std::nullopt;
  found->words += errors.empty() ? "; its standard error is empty"
                                 : "; its standard error ends: " + tail_of(std::move(errors));
  return found;
}

Result<void> read_servers(const EvaluationInput& input, const std::vector<store::Message>& messages,
                          Evaluation& evaluation) {
  for (const std::string& name : input.servers) {
    ServerEvidence server;
    server.name = name;
    CUTLINE_TRY_ASSIGN(server.offer, recorded_offer(messages, name));
    server.handshake = recorded_handshake(messages, name);
    server.not_served = not_served(messages, name);
    server.told = input.adapter->told(input.files, name);
    evaluation.servers.push_back(std::move(server));
  }
  return {};
}

/// When what was connected at first is over: the second session, or a server that is started again
/// after the client had its text. One that is started again before anything was said to the model
/// is still being connected: some clients end the process that they probed, whatever it answered.
std::int64_t change_of(const EvaluationInput& input, const std::vector<std::int64_t>& starts,
                       const std::vector<Conversed>& conversed) {
  if (starts.size() > 1) return starts[1];
  const std::int64_t first_us = conversed.empty() ? 0 : conversed.front().at_us;
  for (const std::string& server : input.servers) {
    std::size_t processes = 0;
    for (const store::Message& message : input.messages) {
      if (message.server != server || message.direction != "started") continue;
      if (++processes == 1 || message.at_us < first_us) continue;
      const auto before = between(input.messages, 0, message.at_us);
      if (recorded_handshake(before, server).era) return message.at_us;
    }
  }
  return kEver;
}

// --- Later sessions ------------------------------------------------------------------------------

/// The text that the client took from the server in these messages; empty if there is none.
std::string text_said(const std::vector<store::Message>& messages, const std::string& server) {
  const Result<mcp::Offer> offer = recorded_offer(messages, server);
  const RecordedHandshake handshake = recorded_handshake(messages, server);
  if (!offer || !handshake.era) return {};
  const mcp::EraOffer* era = offer->era(*handshake.era);
  return era && era->instructions ? era->instructions->value : std::string();
}

/// Long enough to tell texts apart, short enough to be whole under any limit.
constexpr std::size_t kHeadBytes = 200;

bool stands_in(const llm::Request& request, std::string_view text) {
  const std::string_view head = text.substr(0, kHeadBytes);
  return !head.empty() && std::ranges::any_of(request.parts, [&](const llm::Part& part) {
    return part.role != llm::Role::kAssistant && part.text.find(head) != part.text.npos;
  });
}

std::string sends_words(const llm::Request& request, const std::string& old_text,
                        const std::string& new_text) {
  const bool old_there = stands_in(request, old_text), new_there = stands_in(request, new_text);
  if (old_text == new_text) return old_there ? "same" : "nothing";
  if (old_there && new_there) return "old, new";
  return old_there ? "old" : new_there ? "new" : "nothing";
}

/// The fact that says what is sent after it.
std::string_view kind_of_later(const EvaluationInput& input,
                               const std::vector<std::int64_t>& starts) {
  if (starts.size() < 2) return "later.reconnect";
  const bool compacted = std::ranges::any_of(
      input.prompts, [&](const std::string& prompt) { return input.adapter->compacts(prompt); });
  return compacted ? "later.compaction" : "later.resume";
}

void compare_later(const EvaluationInput& input, std::string_view name, const Later& later,
                   Evaluation& evaluation) {
  const delivery::Found found = input.fact(name);
  const config::Node* sends =
      found.fact && !found.fact->unknown ? found.fact->value.find("sends") : nullptr;
  if (!sends) {
    evaluation.comparison.unpredicted.push_back(
        fmt::format("{}: what a later session sends", later.server));
    return;
  }
  evaluation.predicted.consulted.push_back(found.fact);
  std::vector<std::string> words;
  words.reserve(sends->elements.size());
  for (const config::Node& word : sends->elements) words.push_back(word.string);
  std::string predicted = words.empty() ? "nothing" : fmt::format("{}", fmt::join(words, ", "));
  if (later.sends == "same" && !words.empty()) predicted = "same";
  if (predicted == later.sends) return;
  evaluation.comparison.differences.push_back(
      {.piece = {.kind = delivery::PieceId::Kind::kInstructions,
                 .server = later.server,
                 .tool = {}},
       .what = "later",
       .predicted = std::move(predicted),
       .measured = later.sends});
}

void read_later(const EvaluationInput& input, const std::vector<std::int64_t>& starts,
                std::int64_t change_us, Evaluation& evaluation) {
  if (change_us == kEver) return;
  const std::int64_t last_us = starts.size() > 1 ? starts.back() : change_us;
  const std::vector<store::Message> first = between(input.messages, 0, change_us);
  const std::vector<store::Message> last = between(input.messages, last_us, kEver);
  for (const std::string& server : input.servers) {
    const std::string old_text = text_said(first, server);
    Later later{
        .server = server,
        .sends = sends_words(evaluation.conversation.back(), old_text, text_said(last, server))};
    // Of a session that begins anew nothing is predicted but what is predicted of the first.
    if (starts.size() < 2 || input.resumed)
      compare_later(input, kind_of_later(input, starts), later, evaluation);
    evaluation.later.push_back(std::move(later));
  }
}

void count_others(const std::vector<llm::Request>& others, Evaluation& evaluation) {
  evaluation.others = others.size();
  for (const llm::Request& request : others) {
    const bool any =
        std::ranges::any_of(evaluation.measured.pieces, [&](const delivery::Delivered& piece) {
          return piece.piece.kind == delivery::PieceId::Kind::kInstructions &&
                 stands_in(request, piece.original);
        });
    evaluation.others_with_text += any ? 1 : 0;
  }
}

/// The connection as the servers' own record has it; the requests cannot tell.
void add_handshake(const Evaluation& evaluation, delivery::Delivery& measured) {
  const RecordedHandshake& first = evaluation.servers.front().handshake;
  measured.connected = std::ranges::all_of(evaluation.servers, [](const ServerEvidence& server) {
    return server.handshake.era.has_value();
  });
  measured.handshake = first.handshake;
  measured.process_starts = first.process_starts;
  for (delivery::Delivered& piece : measured.pieces) {
    const auto server =
        std::ranges::find(evaluation.servers, piece.piece.server, &ServerEvidence::name);
    if (server != evaluation.servers.end()) piece.era = server->handshake.era;
  }
}

std::vector<delivery::Configured> configured(const Evaluation& evaluation) {
  std::vector<delivery::Configured> servers;
  for (const ServerEvidence& server : evaluation.servers)
    servers.push_back({.name = server.name, .offer = &server.offer});
  return servers;
}

bool nothing_arrives(const delivery::Delivery& predicted) {
  return std::ranges::all_of(predicted.pieces, [](const delivery::Delivered& piece) {
    return piece.state == delivery::State::kNever;
  });
}

bool tools_were_listed(const Evaluation& evaluation) {
  return std::ranges::all_of(evaluation.servers, [](const ServerEvidence& server) {
    const mcp::EraOffer* offer = server.offer.any();
    return offer && !offer->tools.empty();
  });
}

/// Where nothing is predicted to arrive, a library that has no tools of its own asks without any,
/// and one that refuses what it was offered asks nothing.
void read_without_tools(const EvaluationInput& input, const delivery::Delivery& predicted,
                        Evaluation& evaluation, std::vector<llm::Request>& others) {
  if (!nothing_arrives(predicted)) return;
  others.clear();
  read_conversation(input, Wanted::kAny, evaluation, others);
  if (!evaluation.conversed.empty() || !input.requests.empty() || !tools_were_listed(evaluation))
    return;
  evaluation.stopped = true;
  evaluation.conversation.emplace_back();
  evaluation.conversed.emplace_back();
}

}  // namespace

delivery::Found EvaluationInput::fact(std::string_view name) const {
  return delivery::find_fact(*profile, name, version,
                             {.model = situation.model,
                              .session = situation.session,
                              .variables = situation.variables,
                              .settings = situation.settings});
}

Result<std::unique_ptr<Evaluation>> evaluate(const EvaluationInput& input) {
  auto evaluation = std::make_unique<Evaluation>();
  const std::vector<std::int64_t> starts = session_starts(input.files);
  std::vector<llm::Request> others;
  read_conversation(input, Wanted::kWithTools, *evaluation, others);
  const std::int64_t change = change_of(input, starts, evaluation->conversed);
  const Result<void> read = read_servers(input, between(input.messages, 0, change), *evaluation);
  const std::vector<delivery::Configured> servers =
      read ? configured(*evaluation) : std::vector<delivery::Configured>();
  evaluation->predicted =
      delivery::deliver(*input.profile, input.version, input.situation, servers);
  if (evaluation->conversed.empty() && !servers.empty())
    read_without_tools(input, evaluation->predicted, *evaluation, others);
  evaluation->first_session = static_cast<std::size_t>(
      std::ranges::count_if(evaluation->conversed,
                            [change](const Conversed& request) { return request.at_us < change; }));
  if (evaluation->first_session == 0) {
    return nothing_to_judge(fmt::format("the client sent {}, but none of the conversation",
                                        count(input.requests.size(), "request")),
                            "its stdout, stderr and debug log are in the store");
  }
  CUTLINE_TRY(read);
  evaluation->measured = delivery::locate(
      *input.profile, input.version, input.situation,
      {.requests = std::span(evaluation->conversation).first(evaluation->first_session),
       .servers = servers});
  if (!servers.empty()) add_handshake(*evaluation, evaluation->measured);
  evaluation->comparison = delivery::compare(evaluation->predicted, evaluation->measured);
  read_later(input, starts, change, *evaluation);
  count_others(others, *evaluation);
  check_claims(input, *evaluation);
  for (ServerEvidence& server : evaluation->servers) {
    const delivery::Delivered* piece = evaluation->measured.instructions(server.name);
    const bool arrived = piece && piece->arrives();
    server.transcript_agrees = server.told.transcript_text.has_value() == arrived &&
                               (!arrived || *server.told.transcript_text == piece->text());
  }
  return evaluation;
}

}  // namespace cutline::run
