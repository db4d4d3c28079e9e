// tools.cc: a parts inventory of six entries, enough for the tools to give true answers.
#include "lab/tools.h"

#include <array>

#include <fmt/format.h>

namespace cutline::lab {
namespace {

struct Part {
  std::string_view number, what;
  int bin, count;
};
constexpr std::array kInventory = {
    Part{"BR-0420", "brass screw, short", 7, 412}, Part{"BR-0460", "brass screw, long", 7, 96},
    Part{"SP-0110", "spring, wire 1.1 mm", 3, 58}, Part{"SP-0140", "spring, wire 1.4 mm", 3, 21},
    Part{"WS-0080", "washer, 8 mm", 12, 1'530},    Part{"RG-0200", "sealing ring, 20 mm", 9, 0},
};

/// How a tool presents itself; the plain tools share one of these.
struct Face {
  std::string_view name, title, description;
  std::string_view parameter, parameter_description;  // empty: it takes none
};
constexpr std::array kReferenceFaces = {
    Face{"lookup_part", "Look up a part",
         "Tells what a part is, which bin it lies in and how many there are.", "part",
         "The part's number, such as BR-0420."},
    Face{"list_bins", "List the bins", "Lists the bins in use and the parts in each.", {}, {}},
    Face{"lab_ping", "Ping the lab", "Answers pong, to show that the lab is there.", {}, {}},
};
constexpr std::string_view kPlainParameter = "text";
constexpr std::string_view kOutput = "text";  // the property of structured output

const Face* reference_face(std::string_view name) {
  for (const Face& face : kReferenceFaces)
    if (face.name == name) return &face;
  return nullptr;
}

std::optional<std::string> string_argument(const std::optional<json::Value>& arguments,
                                           std::string_view name) {
  return arguments ? json::string_member(*arguments, name) : std::nullopt;
}

ToolOutput missing(std::string_view tool, std::string_view parameter) {
  return {.text = fmt::format("{} needs the argument \"{}\", a string", tool, parameter),
          .is_error = true};
}

ToolOutput lookup_part(const std::optional<json::Value>& arguments) {
  const std::optional<std::string> number = string_argument(arguments, "part");
  if (!number) return missing("lookup_part", "part");
  for (const Part& part : kInventory) {
    if (part.number != *number) continue;
    return {.text =
                fmt::format("{}: {}, {} in bin {}", part.number, part.what, part.count, part.bin)};
  }
  return {.text = fmt::format("{}: no such part", *number)};
}

ToolOutput list_bins() {
  std::string text;
  for (const Part& part : kInventory)
    text += fmt::format("bin {}: {} ({})\n", part.bin, part.number, part.what);
  text.pop_back();
  return {.text = std::move(text)};
}

void write_schema(json::Writer& writer, std::string_view parameter, std::string_view description) {
  writer.begin_object().member("type", "object").key("properties").begin_object();
  if (!parameter.empty()) {
    writer.key(parameter).begin_object().member("type", "string");
    writer.member("description", description).end_object();
  }
  writer.end_object();
  if (!parameter.empty()) writer.key("required").begin_array().string(parameter).end_array();
  writer.member("additionalProperties", false).end_object();
}

}  // namespace

std::vector<std::string> tool_names(std::optional<std::size_t> number) {
  std::vector<std::string> names;
  if (!number)
    for (const Face& face : kReferenceFaces) names.emplace_back(face.name);
  else
    for (std::size_t i = 1; i <= *number; ++i) names.push_back(fmt::format("tool_{:03}", i));
  return names;
}

std::string short_description(std::string_view name) {
  if (const Face* face = reference_face(name)) return std::string(face->description);
  return fmt::format("Gives back the text that it is given, under the name {}.", name);
}

void write_tool(json::Writer& writer, std::string_view name,
                const std::optional<std::string>& description,
                const std::optional<ToolMembers>& members, std::string_view schema) {
  const Face* face = reference_face(name);
  writer.begin_object().member("name", name);
  if (members)
    writer.member("title", members->title);
  else if (face)
    writer.member("title", face->title);
  if (description) writer.member("description", *description);
  writer.key("inputSchema");
  if (!schema.empty())
    writer.raw(schema);
  else if (face)
    write_schema(writer, face->parameter, face->parameter_description);
  else
    write_schema(writer, kPlainParameter, "The text to give back.");
  if (members) {
    writer.key("outputSchema");
    write_schema(writer, kOutput, members->output);
  }
  writer.key("annotations").begin_object();
  if (members) writer.member("title", members->annotations_title);
  writer.member("readOnlyHint", true);
  writer.member("idempotentHint", true).member("openWorldHint", false).end_object();
  writer.end_object();
}

ToolOutput call_tool(std::string_view name, const std::optional<json::Value>& arguments) {
  if (name == "lookup_part") return lookup_part(arguments);
  if (name == "list_bins") return list_bins();
  if (name == "lab_ping") return {.text = "pong"};
  const std::optional<std::string> text = string_argument(arguments, kPlainParameter);
  if (!text) return missing(name, kPlainParameter);
  return {.text = fmt::format("{}: {}", name, *text)};
}

void write_structured(json::Writer& writer, const ToolOutput& output) {
  writer.key("structuredContent").begin_object().member(kOutput, output.text).end_object();
}

}  // namespace cutline::lab
