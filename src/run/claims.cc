// claims.cc: versions in the record of messages, models and members of tools in the requests.
//
// Bodies are searched as the bytes that they are, whatever a dialect's reader makes of them: a
// member that is not to be sent stands where nobody looks for it. So only strings are looked for
// that look the same in any JSON, even in JSON inside of a JSON string.
#include "run/claims.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "json/document.h"

namespace cutline::run {
namespace {

using delivery::PieceId;
using json::Value;

/// So long that a client does not say the same by chance; the codeword of a sample text is in it.
constexpr std::size_t kTellingBytes = 25;

void add_strings(const Value& value, std::vector<std::string>& strings) {
  if (value.is(json::Type::kString)) strings.push_back(value.string().value);
  if (value.is(json::Type::kArray))
    for (const Value& element : value.elements()) add_strings(element, strings);
  if (value.is(json::Type::kObject))
    for (const Value::Member& member : value.members()) add_strings(member.value, strings);
}

/// Of the members that profiles name; nothing of one that an offer does not keep.
std::vector<std::string> strings_of(const mcp::Tool& tool, std::string_view member) {
  std::vector<std::string> strings;
  if (member == "title" && tool.title) strings.push_back(*tool.title);
  const bool output = member == "outputSchema";
  if (!output && member != "annotations.title") return strings;
  const Result<json::Document> document =
      json::Document::parse(output ? tool.output_schema : tool.annotations);
  if (!document) return strings;
  if (output)
    add_strings(document->root(), strings);
  else if (auto title = json::string_member(document->root(), "title"))
    strings.push_back(*std::move(title));
  return strings;
}

bool is_plain(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view(" .,:;-_()").find(c) != std::string_view::npos;
}

/// All that the servers say where a client may well pass it on.
std::string sent_anyway(const Evaluation& evaluation) {
  std::string all;
  for (const ServerEvidence& server : evaluation.servers) {
    for (const auto* offer : {&server.offer.legacy, &server.offer.modern}) {
      if (!*offer) continue;
      if ((*offer)->instructions) all += (*offer)->instructions->value + "\n";
      for (const mcp::Tool& tool : (*offer)->tools) {
        all += tool.name + "\n" + tool.input_schema + "\n";
        if (tool.description) all += tool.description->value + "\n";
      }
    }
  }
  return all;
}

class MemberSearch {
 public:
  MemberSearch(const EvaluationInput& input, Evaluation& evaluation)
      : input_(input), evaluation_(evaluation), sent_anyway_(sent_anyway(evaluation)) {}

  void run() {
    for (const std::string& member : evaluation_.predicted.never_sent) {
      bool searched = false;
      for (const ServerEvidence& server : evaluation_.servers) searched |= search(server, member);
      if (searched) evaluation_.members_searched.push_back(member);
    }
  }

 private:
  /// One difference for a server's tools is enough.
  bool search(const ServerEvidence& server, const std::string& member) {
    const mcp::EraOffer* offer =
        server.handshake.era ? server.offer.era(*server.handshake.era) : nullptr;
    if (!offer) return false;
    bool searched = false;
    for (const mcp::Tool& tool : offer->tools) {
      const delivery::Delivered* piece = evaluation_.measured.tool(server.name, tool.name);
      // Of a deferred tool that was not fetched nothing can be there but the name.
      if (!piece || !piece->arrives() || piece->where.role.empty()) continue;
      for (const std::string& string : strings_of(tool, member)) {
        if (!tells(string)) continue;
        searched = true;
        if (const auto request = request_with(string)) {
          differ(server.name, tool.name, member, *request, string);
          return true;
        }
      }
    }
    return searched;
  }

  bool tells(const std::string& string) const {
    return string.size() >= kTellingBytes && std::ranges::all_of(head_of(string), is_plain) &&
           sent_anyway_.find(head_of(string)) == std::string::npos;
  }

  /// As much as a client leaves of it that cuts it.
  static std::string_view head_of(std::string_view string) {
    return string.substr(0, kTellingBytes);
  }

  std::optional<std::size_t> request_with(const std::string& string) const {
    for (std::size_t i = 0; i < input_.requests.size(); ++i)
      if (input_.requests[i].body.find(head_of(string)) != std::string::npos) return i + 1;
    return std::nullopt;
  }

  void differ(const std::string& server, const std::string& tool, const std::string& member,
              std::size_t request, const std::string& string) {
    evaluation_.comparison.differences.push_back(
        {.piece = {.kind = PieceId::Kind::kTool, .server = server, .tool = tool},
         .what = "member",
         .predicted = fmt::format("{} is never sent", member),
         .measured = fmt::format("in request {}: {}…", request, head_of(string))});
  }

  const EvaluationInput& input_;
  Evaluation& evaluation_;
  std::string sent_anyway_;
};

/// The fact that holds; null if there is none, or nobody knows it. The prediction now rests on it.
const delivery::Fact* claim(std::string_view name, const EvaluationInput& input,
                            Evaluation& evaluation) {
  const delivery::Found found = input.fact(name);
  if (!found.fact || found.fact->unknown) return nullptr;
  evaluation.predicted.consulted.push_back(found.fact);
  return found.fact;
}

void compare_offered(const EvaluationInput& input, Evaluation& evaluation) {
  const delivery::Fact* fact = claim("handshake.initialize", input, evaluation);
  if (!fact) return;
  const std::string& predicted = fact->value.find("offers")->string;
  for (const ServerEvidence& server : evaluation.servers) {
    const std::optional<std::string>& offered = server.handshake.offers;
    if (!offered || *offered == predicted) continue;
    evaluation.comparison.differences.push_back(
        {.piece = {.kind = PieceId::Kind::kInstructions, .server = server.name, .tool = {}},
         .what = "offers",
         .predicted = predicted,
         .measured = *offered});
  }
}

void compare_model(const EvaluationInput& input, Evaluation& evaluation) {
  if (evaluation.stopped) return;
  const delivery::Fact* fact = claim("model.sent", input, evaluation);
  const std::string& sent = evaluation.conversation.front().model;
  const config::Node* predicted = fact ? fact->value.find("id") : nullptr;
  if (!predicted || predicted->string == sent) return;
  evaluation.comparison.differences.push_back(
      {.piece = {}, .what = "model", .predicted = predicted->string, .measured = sent});
}

/// In one session, requests with tools that do not say the prompt are those of sub-agents.
void compare_subagents(const EvaluationInput& input, Evaluation& evaluation) {
  if (evaluation.others == 0 || input.prompts.size() != 1) return;
  const delivery::Fact* fact = claim("later.subagent", input, evaluation);
  if (!fact) return;
  const config::Node* sends = fact->value.find("sends");
  const bool predicted = sends && !sends->elements.empty();
  const bool measured = evaluation.others_with_text > 0;
  if (predicted == measured) return;
  const auto words = [](bool text) { return text ? "with instructions" : "without instructions"; };
  evaluation.comparison.differences.push_back({.piece = {},
                                               .what = "sub-agent",
                                               .predicted = words(predicted),
                                               .measured = words(measured)});
}

}  // namespace

void check_claims(const EvaluationInput& input, Evaluation& evaluation) {
  compare_offered(input, evaluation);
  compare_model(input, evaluation);
  compare_subagents(input, evaluation);
  MemberSearch(input, evaluation).run();
}

}  // namespace cutline::run
