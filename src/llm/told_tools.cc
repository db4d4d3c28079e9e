// told_tools.cc: line by line; JSON has no line feeds in its strings.
#include "llm/told_tools.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "json/document.h"

namespace cutline::llm {
namespace {

constexpr std::string_view kOpening = "<function>", kClosing = "</function>";

std::optional<Tool> tool_of(std::string_view definition) {
  const Result<json::Document> document = json::Document::parse(definition);
  if (!document) return std::nullopt;
  const json::Value root = document->root();
  const std::optional<std::string> name = json::string_member(root, "name");
  if (!name) return std::nullopt;
  Tool tool;
  tool.name = *name;
  tool.description = json::string_member(root, "description").value_or("");
  for (const std::string_view key : {"parameters", "parametersJsonSchema", "inputSchema"})
    if (const auto schema = root.find(key); schema && tool.schema.empty())
      tool.schema = schema->raw();
  tool.deferred = true;
  return tool;
}

}  // namespace

std::vector<Tool> told_tools(const Request& request) {
  std::vector<Tool> tools;
  for (const Part& part : request.parts) {
    if (part.role != Role::kToolResult) continue;
    std::string_view rest = part.text;
    while (!rest.empty()) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (!line.starts_with(kOpening) || !line.ends_with(kClosing)) continue;
      line.remove_prefix(kOpening.size());
      line.remove_suffix(kClosing.size());
      if (std::optional<Tool> tool = tool_of(line)) {
        tool->path = part.path;
        tools.push_back(*std::move(tool));
      }
    }
  }
  return tools;
}

}  // namespace cutline::llm
