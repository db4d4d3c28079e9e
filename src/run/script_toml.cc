// script_toml.cc: turns, one by one.
#include "run/script_toml.h"

#include <fmt/format.h>

#include "json/document.h"

namespace cutline::run {
namespace {

using config::Kind;
using config::Node;

constexpr std::int64_t kDelayMsMax = 3'600'000;
constexpr std::string_view kForms =
    "a turn is \"ideal-reader\" or a table with text, tool, search or error";

tl::unexpected<Problem> wrong(const Node& node, std::string message) {
  return fail({.code = "run.script",
               .message = std::move(message),
               .place = node.source.text(),
               .hint = std::string(kForms)});
}

Result<llm::ToolCallTurn> read_call(const Node& node) {
  llm::ToolCallTurn call;
  CUTLINE_TRY_ASSIGN(call.pattern, config::get_string(node, "tool"));
  CUTLINE_TRY_ASSIGN(const auto arguments, config::find_string(node, "arguments"));
  CUTLINE_TRY_ASSIGN(const auto wanted, config::find_string(node, "wanted"));
  call.arguments = arguments.value_or("{}");
  call.wanted = wanted.value_or("");
  const auto parsed = json::Document::parse(call.arguments);
  if (!parsed || !parsed->root().is(json::Type::kObject))
    return wrong(*node.find("arguments"), "arguments is the text of a JSON object");
  return call;
}

Result<llm::ErrorReply> read_error(const Node& node) {
  llm::ErrorReply error;
  CUTLINE_TRY_ASSIGN(const std::int64_t status, config::get_integer(node, "error"));
  if (status < 400 || status > 599) return wrong(node, "error is an HTTP status from 400 to 599");
  CUTLINE_TRY_ASSIGN(const auto type, config::find_string(node, "type"));
  CUTLINE_TRY_ASSIGN(const auto message, config::find_string(node, "message"));
  return llm::ErrorReply{.status = static_cast<int>(status),
                         .type = type.value_or(""),
                         .message = message.value_or("scripted error")};
}

Result<llm::Turn> read_turn(const Node& node) {
  if (node.kind == Kind::kString && node.string == "ideal-reader")
    return llm::Turn{.content = llm::IdealReader{}, .delay = {}};
  if (node.kind != Kind::kTable) return wrong(node, "this is no turn");
  static const std::vector<std::string> kKeys = {"text",     "tool",        "arguments", "wanted",
                                                 "search",   "error",       "type",      "message",
                                                 "delay_ms", "ideal-reader"};
  CUTLINE_TRY(config::only_keys(node, kKeys));
  std::size_t kinds = 0;
  for (const char* key : {"text", "tool", "search", "error", "ideal-reader"})
    kinds += node.find(key) != nullptr;
  if (kinds != 1) return wrong(node, "a turn is one of text, tool, search, error and ideal-reader");
  llm::Turn turn{.content = llm::IdealReader{}, .delay = {}};
  if (node.find("text")) {
    CUTLINE_TRY_ASSIGN(std::string text, config::get_string(node, "text"));
    turn.content = llm::TextReply{.text = std::move(text)};
  } else if (node.find("tool")) {
    CUTLINE_TRY_ASSIGN(turn.content, read_call(node));
  } else if (node.find("search")) {
    CUTLINE_TRY_ASSIGN(std::string wanted, config::get_string(node, "search"));
    turn.content = llm::SearchTurn{.wanted = std::move(wanted), .words = {}};
  } else if (node.find("error")) {
    CUTLINE_TRY_ASSIGN(turn.content, read_error(node));
  }
  CUTLINE_TRY_ASSIGN(const auto delay, config::find_integer(node, "delay_ms"));
  if (delay && (*delay < 0 || *delay > kDelayMsMax))
    return wrong(node, fmt::format("delay_ms is a whole number from 0 to {}", kDelayMsMax));
  turn.delay = std::chrono::milliseconds(delay.value_or(0));
  return turn;
}

}  // namespace

Result<std::vector<llm::Turn>> read_script(const Node& list) {
  if (list.kind != Kind::kArray) return wrong(list, "script is a list of turns");
  std::vector<llm::Turn> turns;
  turns.reserve(list.elements.size());
  for (const Node& node : list.elements) {
    CUTLINE_TRY_ASSIGN(llm::Turn turn, read_turn(node));
    turns.push_back(std::move(turn));
  }
  return turns;
}

}  // namespace cutline::run
