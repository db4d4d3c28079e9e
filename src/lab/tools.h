// tools.h: the tools that the lab offers: the three of the reference lab, or any number of plain
// ones. They do what they say when they are called, so that a client under measurement can use
// them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/document.h"
#include "json/writer.h"

namespace cutline::lab {

/// lookup_part, list_bins and lab_ping; or, with a number, tool_001 … tool_N.
std::vector<std::string> tool_names(std::optional<std::size_t> number);

/// What a tool says of itself when it is not told to say something else.
std::string short_description(std::string_view name);

/// What else of a tool is text.
struct ToolMembers {
  std::string title, annotations_title;
  std::string output;  // the description of the one property of its output schema
};

/// The tool as it stands in a list of tools. With members it has an output schema, which
/// write_structured() keeps to.
void write_tool(json::Writer& writer, std::string_view name,
                const std::optional<std::string>& description,
                const std::optional<ToolMembers>& members = {}, std::string_view schema = {});

struct ToolOutput {
  std::string text;
  bool is_error = false;  // the arguments were wrong: an answer for the model, not for the client
};
/// `name` is one of tool_names(). Nothing but the arguments decides the output.
ToolOutput call_tool(std::string_view name, const std::optional<json::Value>& arguments);

/// The member `structuredContent` of a result.
void write_structured(json::Writer& writer, const ToolOutput& output);

}  // namespace cutline::lab
