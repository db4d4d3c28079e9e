// request.h: a request to a model, as text in places.
//
// Every dialect says the same in its own form: what stands in the system prompt, what in the turns,
// which tools are defined. A reading keeps each piece of text with its place, so that a server's
// text can be found wherever a client put it, and the place can be named.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutline::llm {

/// Whose words a text is to the model.
enum class Role {
  kSystem,         // the system prompt of the request
  kSystemMessage,  // a turn with the role system among the others
  kDeveloper,      // one with the role developer
  kUser,
  kAssistant,
  kToolResult,
  kNamespace,  // the description of a namespace of tools
  kTool,       // a tool's description or schema
};
std::string_view name(Role role);  // "system", "system-message", "user", "assistant", …

struct Part {
  Role role = Role::kUser;
  std::string path;      // "messages[0].content[1].text"; "system" where it is one string
  std::string text;      // decoded
  std::size_t turn = 0;  // index of the message; 0 for system and tools
};

/// How a model calls a tool of the client's.
enum class ToolForm {
  kFunction,  // by name, with a JSON object
  kFreeform,  // by name, with any text
  kSearch,    // as the API's own search for tools, which the client does
};

struct Tool {
  std::string name;         // "mcp__lab__find"; of one in a namespace both names, joined by "__"
  std::string path;         // "tools[3]", "tools[3].tools[0]"
  std::string description;  // decoded; "" where there is none
  std::string schema;       // raw JSON; "" where there is none
  bool deferred = false;    // defer_loading: the model does not see it before it searched for it
  /// It is no definition of a client's function but a service of the provider's (web search).
  bool provided = false;
  std::size_t space_bytes = 0;  // of `name`: the namespace; 0: it stands in none
  ToolForm form = ToolForm::kFunction;
};

struct Request {
  std::string model;
  bool stream = false;
  bool array_stream = false;  // the stream is one JSON array, not events
  std::optional<std::size_t> max_tokens;
  std::vector<Part> parts;  // in the order in which the model reads them, tools apart
  std::vector<Tool> tools;
  std::size_t turns = 0;  // messages
  std::size_t body_bytes = 0;
  std::vector<std::string> tool_references;  // deferred tools that earlier turns have loaded

  /// Whether the words stand in a user's turn or a system part; empty words are everywhere.
  bool says(std::string_view words) const;
  const Tool* tool(std::string_view name) const;
};

/// The tools whose definitions the model sees, in order: those that are not deferred, and those
/// that earlier turns have loaded.
std::vector<const Tool*> visible_tools(const Request& request);

/// The client's own search for tools that it keeps back, told by its name: Claude Code's (MCPSearch
/// up to 2.0.7x, ToolSearch since) and Qwen Code's.
bool is_search(const Tool& tool);

}  // namespace cutline::llm
