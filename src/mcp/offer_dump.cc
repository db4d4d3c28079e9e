// offer_dump.cc: an offer from the answers of a server that somebody else wrote down.
//
// Dumps come in many shapes, and often pretty-printed. What an answer is, its members tell:
// protocolVersion makes it the answer to initialize, supportedVersions to server/discover, tools to
// tools/list. Each is brought to the form that it has on the wire first, without white space
// between tokens, so that sizes come out as if the server had been asked.
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/number.h"
#include "mcp/answers.h"
#include "mcp/limits.h"
#include "mcp/offer_json.h"
#include "mcp/offer_read.h"
#include "mcp/probe.h"
#include "mcp/requests.h"
#include "mcp/words.h"

namespace cutline::mcp {
namespace {

using json::Type;
using json::Value;

constexpr std::array<std::string_view, 6> kMethods = {method::kInitialize, method::kDiscover,
                                                      method::kTools,      method::kPrompts,
                                                      method::kResources,  method::kTemplates};
/// The member that tells whose answer a result is, in the same order.
constexpr std::array<std::string_view, 6> kTellingMembers = {
    "protocolVersion", "supportedVersions", "tools", "prompts", "resources", "resourceTemplates"};

/// What a bare result has around it on the wire.
constexpr std::string_view kEnvelope = R"({"jsonrpc":"2.0","id":1,"result":})";
constexpr std::size_t kLineFeed = 1;

struct Answer {
  Value result;
  std::size_t line_bytes = 0;  // that it has on the wire
};

class Dump {
 public:
  explicit Dump(std::string_view file) : file_(file) {}

  /// A whole JSON text: an object by method, or answers. It must outlive the dump.
  Result<void> add_text(const json::Document& document);
  Result<Offer> offer();

 private:
  Result<void> add_answers(const json::Document& document, const Value& value,
                           std::optional<std::size_t> method);
  Result<void> add_answer(const json::Document& document, const Value& value,
                          std::optional<std::size_t> method);
  tl::unexpected<Problem> wrong(std::string message, std::string place) const {
    return fail({.code = "offer.shape",
                 .message = std::move(message),
                 .place = std::move(place),
                 .hint = "docs/offer.md tells what a dump of a server's answers may look like"});
  }
  Result<void> read_handshakes(Offer& offer, IncidentLog& incidents);
  std::optional<std::string> read_lists(EraOffer& era, IncidentLog& incidents);

  std::string_view file_;
  std::array<std::vector<Answer>, kMethods.size()> answers_;
  std::optional<std::int64_t> probe_error_;
};

std::optional<std::size_t> method_of(const Value& result) {
  for (std::size_t i = 0; i < kTellingMembers.size(); ++i) {
    if (result.find(kTellingMembers[i])) return i;
  }
  return std::nullopt;
}

Result<void> Dump::add_text(const json::Document& document) {
  const Value root = document.root();
  bool by_method = false;
  for (std::size_t i = 0; i < kMethods.size(); ++i) {
    const std::optional<Value> value = root.find(kMethods[i]);
    if (!value) continue;
    by_method = true;
    CUTLINE_TRY(add_answers(document, *value, i));
  }
  return by_method ? Result<void>() : add_answers(document, root, std::nullopt);
}

Result<void> Dump::add_answers(const json::Document& document, const Value& value,
                               std::optional<std::size_t> method) {
  if (!value.is(Type::kArray)) return add_answer(document, value, method);
  for (const Value& element : value.elements()) {
    CUTLINE_TRY(add_answer(document, element, method));
  }
  return {};
}

Result<void> Dump::add_answer(const json::Document& document, const Value& value,
                              std::optional<std::size_t> method) {
  const auto place = [&] { return place_in(file_, document.bytes(), value.offset()); };
  if (!value.is(Type::kObject))
    return wrong(fmt::format("an answer is {}, not an object", type_words(value.type())), place());
  if (const auto error = value.find("error"); error && !error->is(Type::kNull)) {
    const std::optional<Value> code = error->find("code");
    if (method && kMethods[*method] == method::kDiscover && code) probe_error_ = code->int64();
    return {};
  }
  const std::optional<Value> inner = value.find("result");
  const Value& result = inner ? *inner : value;
  const std::optional<std::size_t> told = method_of(result);
  if (method && told != method) {
    return wrong(
        fmt::format("the answer to {} has no '{}'", kMethods[*method], kTellingMembers[*method]),
        place());
  }
  if (!told) return {};  // a request, a notification, an answer that does not concern us
  const std::size_t envelope = value.find("jsonrpc") ? 0 : kEnvelope.size();
  answers_[*told].push_back(
      {.result = result, .line_bytes = value.compact_size() + envelope + kLineFeed});
  return {};
}

Result<void> Dump::read_handshakes(Offer& offer, IncidentLog& incidents) {
  const std::vector<Answer>& initialize = answers_[0];
  const std::vector<Answer>& discover = answers_[1];
  if (!initialize.empty()) {
    const tl::expected<Handshake, std::string> handshake =
        read_initialize(initialize.back().result, incidents);
    if (!handshake) return wrong(handshake.error(), std::string(file_));
    const std::string& version = handshake->offer.protocol_version;
    if (!is_legacy_version(version)) {
      return wrong(fmt::format("the answer to initialize has protocol version {}, which is none "
                               "of that handshake's",
                               quoted(version)),
                   std::string(file_));
    }
    offer.legacy = handshake->offer;
  }
  if (probe_error_) {
    offer.probe.answer = ProbeAnswer::kError;
    offer.probe.error_code = probe_error_;
  }
  if (discover.empty()) return {};
  wire::Message message;
  message.result = discover.back().result;
  ProbeVerdict verdict = judge_probe(message);
  if (verdict.answer == ProbeAnswer::kWrongShape) {
    return wrong("the answer to server/discover is no DiscoverResult: " + verdict.flaw,
                 std::string(file_));
  }
  offer.probe.answer = verdict.answer;
  offer.probe.versions = std::move(verdict.versions);
  if (verdict.answer == ProbeAnswer::kModern)
    offer.modern = read_discover(*message.result, incidents).offer;
  return {};
}

std::optional<std::string> Dump::read_lists(EraOffer& era, IncidentLog& incidents) {
  const Limits limits;
  ListRoom tools{.entries_max = limits.tools_max};
  for (const Answer& page : answers_[2]) {
    if (auto problem = read_tools(page.result, tools, era, incidents)) return problem;
    era.tools_list_bytes += page.line_bytes;
  }
  era.capabilities = json::compacted(era.capabilities);
  for (Tool& tool : era.tools) {
    for (std::string* json :
         {&tool.input_schema, &tool.output_schema, &tool.annotations, &tool.meta})
      *json = json::compacted(*json);
  }
  constexpr std::array kShapes = {kPrompts, kResources, kTemplates};
  const std::array<std::vector<Listed>*, 3> lists = {&era.prompts, &era.resources, &era.templates};
  for (std::size_t i = 0; i < lists.size(); ++i) {
    ListRoom room{.entries_max = limits.listed_max};
    for (const Answer& page : answers_[3 + i]) {
      if (auto problem = read_listed(page.result, kShapes[i], room, *lists[i], incidents))
        return problem;
    }
    if (room.over) {
      incidents.note("list-too-long", kShapes[i].member,
                     fmt::format("the dump has more than {} in {}; the rest is not read",
                                 count(room.entries_max, "item"), kShapes[i].member));
    }
  }
  check_tool_names(era, incidents);
  if (answers_[2].empty()) {
    era.tools_problem = "the dump has no answer to tools/list";
  } else if (const auto cursor = answers_[2].back().result.find("nextCursor");
             cursor && cursor->is(Type::kString)) {
    era.tools_problem = "the dump ends before the last page of tools/list";
  } else if (tools.over) {
    era.tools_problem = fmt::format("the dump has more than {}; the rest is not read",
                                    count(tools.entries_max, "tool"));
  }
  return std::nullopt;
}

Result<Offer> Dump::offer() {
  Offer offer;
  IncidentLog incidents;
  CUTLINE_TRY(read_handshakes(offer, incidents));
  if (!offer.any()) {
    return wrong(
        "there is no answer to initialize (with protocolVersion) or to server/discover "
        "(with supportedVersions) of a version that is known",
        std::string(file_));
  }
  for (std::optional<EraOffer>* era : {&offer.legacy, &offer.modern}) {
    if (!*era) continue;
    if (auto problem = read_lists(**era, incidents)) return wrong(*problem, std::string(file_));
  }
  offer.outcome = Outcome::kServes;
  offer.outcome_detail = "read from a dump of a server's answers";
  offer.incidents = incidents.take();
  return offer;
}

}  // namespace

Result<Offer> read_dump(const json::Document& document, std::string_view file) {
  Dump dump(file);
  CUTLINE_TRY(dump.add_text(document));
  return dump.offer();
}

Result<Offer> read_dump_lines(std::string_view lines, std::string_view file) {
  std::vector<json::Document> documents;
  Dump dump(file);
  for (std::size_t number = 1; !lines.empty(); ++number) {
    const std::size_t feed = lines.find('\n');
    const std::string_view line = lines.substr(0, feed);
    lines.remove_prefix(feed == std::string_view::npos ? lines.size() : feed + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::string place = fmt::format("{}:{}", file, number);
    Result<json::Document> document = json::Document::parse(line, kOfferFileLimits);
    if (!document) {
      return fail({.code = "offer.syntax",
                   .message = document.error().message,
                   .place = place,
                   .hint = "every line must be a JSON text"});
    }
    documents.push_back(*std::move(document));
    if (Result<void> added = dump.add_text(documents.back()); !added) {
      Problem problem = std::move(added).error();
      problem.place = place;
      return fail(std::move(problem));
    }
  }
  return dump.offer();
}

}  // namespace cutline::mcp
