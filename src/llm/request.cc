// request.cc: looking things up in a reading.
#include "llm/request.h"

#include <algorithm>
#include <array>
#include <set>

namespace cutline::llm {

std::string_view name(Role role) {
  switch (role) {
    case Role::kSystem:
      return "system";
    case Role::kSystemMessage:
      return "system-message";
    case Role::kDeveloper:
      return "developer";
    case Role::kUser:
      return "user";
    case Role::kAssistant:
      return "assistant";
    case Role::kToolResult:
      return "tool-result";
    case Role::kNamespace:
      return "namespace";
    case Role::kTool:
      return "tool";
  }
  return "";
}

bool Request::says(std::string_view words) const {
  return std::ranges::any_of(parts, [&](const Part& part) {
    const bool theirs = part.role == Role::kUser || part.role == Role::kSystem ||
                        part.role == Role::kSystemMessage || part.role == Role::kDeveloper;
    return theirs && part.text.find(words) != part.text.npos;
  });
}

const Tool* Request::tool(std::string_view wanted) const {
  const auto found = std::ranges::find(tools, wanted, &Tool::name);
  return found == tools.end() ? nullptr : &*found;
}

std::vector<const Tool*> visible_tools(const Request& request) {
  const std::set<std::string_view> loaded(request.tool_references.begin(),
                                          request.tool_references.end());
  std::vector<const Tool*> visible;
  for (const Tool& tool : request.tools)
    if (!tool.deferred || loaded.contains(tool.name)) visible.push_back(&tool);
  return visible;
}

bool is_search(const Tool& tool) {
  constexpr std::array<std::string_view, 3> kNames = {"ToolSearch", "MCPSearch", "tool_search"};
  return !tool.provided && std::ranges::find(kNames, tool.name) != kNames.end();
}

}  // namespace cutline::llm
