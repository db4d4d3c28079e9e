// script.h: what the stand-in answers, turn by turn.
//
// Clients send more than the conversation that we want to see: warm-ups, titles, counts, the
// requests of sub-agents. A turn of the script is used up only by a request that has tools and, if
// the script has a prompt, says it. All others, and those after the last turn, get the script's
// `otherwise`. A turn that calls a tool which the request does not have, or asks for deferred tools
// where there are none, is passed over in favour of the next.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "llm/reply.h"
#include "llm/request.h"

namespace cutline::llm {

/// Answers from what a model could see: llm/ideal_reader.h.
struct IdealReader {};
struct ToolCallTurn {
  std::string pattern;    // of the tool's name: '*', '?' and '|', "Bash", "ToolSearch|MCPSearch"
  std::string arguments;  // JSON object; "{tools}" in it: the names of the deferred tools that
                          // match `wanted`, separated by commas
  std::string wanted;     // pattern, for "{tools}"
};
/// Loads what a client has deferred, through whichever search tool the request has (script.cc lists
/// those that are known): by the names that match `wanted`, or by words.
struct SearchTurn {
  std::string wanted;  // pattern
  std::string words;   // names of servers, for a search that no names are told to
};
struct Turn {
  std::variant<TextReply, ToolCallTurn, SearchTurn, ErrorReply, IdealReader> content;
  std::chrono::milliseconds delay{0};  // before the answer
};

struct Script {
  std::string prompt;  // empty: every request with tools is one of the conversation
  std::vector<Turn> turns;
  Turn otherwise = {.content = IdealReader{}, .delay = {}};
};

struct ScriptedReply {
  Reply reply;
  std::chrono::milliseconds delay{0};
  std::optional<std::size_t> turn;  // which of the script; nothing: otherwise
  bool ideal_reader = false;        // the text is the ideal reader's
  std::string note;                 // why turns were passed over: "no tool 'Bash' in the request"
};

/// One conversation with one script.
class ScriptPlayer {
 public:
  explicit ScriptPlayer(Script script) : script_(std::move(script)) {}
  ScriptedReply next(const Request& request);

 private:
  Script script_;
  std::size_t position_ = 0, replies_ = 0;
};

/// Bytes of what the request says / 4, at least 1: rough, and labelled so wherever it is shown.
std::size_t rough_tokens(const Request& request);

}  // namespace cutline::llm
