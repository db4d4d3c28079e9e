// answer.cc: eras first, then methods, then what every result of an era carries.
//
// The texts go out through json::Writer, which copies what it need not escape: bytes that are not
// UTF-8 reach the client as they are in the file that they come from.
#include "lab/answer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "lab/tools.h"
#include "mcp/offer.h"

namespace cutline::lab {
namespace {

namespace code = wire::error_code;
using json::Value;
using json::Writer;
using mcp::kLegacyVersion;
using mcp::kModernVersion;

constexpr std::string_view kServerVersion = "1.0.0";
constexpr std::array<std::string_view, 4> kLegacyVersions = {"2024-11-05", "2025-03-26",
                                                             "2025-06-18", kLegacyVersion};

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kClientKey = "io.modelcontextprotocol/clientInfo";
constexpr std::string_view kServerKey = "io.modelcontextprotocol/serverInfo";
constexpr std::string_view kPaddingKey = "lab/padding";

Answer result(bool modern, std::function<void(Writer&)> write_members) {
  Answer made;
  made.modern = modern;
  made.write_members = std::move(write_members);
  return made;
}

Answer error(std::int64_t error_code, std::string message) {
  Answer made;
  made.is_error = true;
  made.code = error_code;
  made.message = std::move(message);
  return made;
}

Answer unknown_method(std::string_view method) {
  return error(code::kMethodNotFound, fmt::format("Method not found: {}", method));
}

std::optional<Value> find(const std::optional<Value>& object, std::string_view key) {
  return object ? object->find(key) : std::nullopt;
}

/// What a request says of its era.
struct Envelope {
  bool present = false;              // any of its members is there
  std::vector<std::string> missing;  // required members that are absent or of the wrong type
  std::string version;               // empty if that is missing
};

Envelope read_envelope(const wire::Message& request) {
  const std::optional<Value> meta = find(request.params, "_meta");
  const std::optional<Value> version = find(meta, kVersionKey);
  const std::optional<Value> capabilities = find(meta, kCapabilitiesKey);
  Envelope envelope;
  envelope.present = version || capabilities || find(meta, kClientKey);
  if (version && version->is(json::Type::kString))
    envelope.version = version->string().value;
  else
    envelope.missing.emplace_back(kVersionKey);
  if (!capabilities || !capabilities->is(json::Type::kObject))
    envelope.missing.emplace_back(kCapabilitiesKey);
  return envelope;
}

void write_identity(Writer& writer, const Settings& settings) {
  writer.begin_object().member("name", settings.name).member("version", kServerVersion);
  writer.end_object();
}

void write_capabilities(Writer& writer) {
  writer.key("capabilities").begin_object().key("tools").begin_object().end_object().end_object();
}

/// Nothing of a lab changes while it runs, but nobody is to keep it for the next run.
void write_caching(Writer& writer) { writer.member("ttlMs", 0).member("cacheScope", "private"); }

Answer discover(const Texts& texts) {
  return result(true, [&texts](Writer& writer) {
    writer.key("supportedVersions").begin_array().string(kModernVersion).end_array();
    write_capabilities(writer);
    write_caching(writer);
    if (texts.discover_instructions) writer.member("instructions", *texts.discover_instructions);
  });
}

Answer initialize(const Settings& settings, const Texts& texts, const wire::Message& request) {
  const std::string asked = requested_version(request).value_or("");
  const bool known =
      std::find(kLegacyVersions.begin(), kLegacyVersions.end(), asked) != kLegacyVersions.end();
  const std::string version(known ? asked : kLegacyVersion);
  return result(false, [&settings, &texts, version](Writer& writer) {
    writer.member("protocolVersion", version);
    write_capabilities(writer);
    writer.key("serverInfo");
    write_identity(writer, settings);
    if (texts.instructions) writer.member("instructions", *texts.instructions);
  });
}

/// Cursors are the server's business: this one names where the next page begins.
std::string cursor_for(std::size_t first) { return fmt::format("page-{:08x}", first); }

/// Where the page begins that a cursor of ours names; nothing if it is not one of ours.
std::optional<std::size_t> page_start(const Value& cursor, std::size_t page_size,
                                      std::size_t tools) {
  if (!cursor.is(json::Type::kString)) return std::nullopt;
  const std::string text = cursor.string().value;
  const std::size_t digits = std::min(text.size(), text.find('-') + 1);
  std::size_t first = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), first, 16);
  if (first == 0 || first >= tools || first % page_size != 0 || text != cursor_for(first))
    return std::nullopt;
  return first;
}

Answer list_tools(const Settings& settings, const Texts& texts, const wire::Message& request,
                  bool modern) {
  const std::size_t tools = texts.tool_names.size();
  const std::size_t page_size = settings.page_size.value_or(std::max<std::size_t>(tools, 1));
  std::size_t first = 0;
  if (const std::optional<Value> cursor = find(request.params, "cursor")) {
    const std::optional<std::size_t> start = page_start(*cursor, page_size, tools);
    if (!start) return error(code::kInvalidParams, "Invalid cursor");
    first = *start;
  }
  const std::size_t end = std::min(tools, first + page_size);
  const std::vector<std::string>& schemas = settings.tool_schemas;
  return result(modern, [&texts, &schemas, first, end, tools, modern](Writer& writer) {
    writer.key("tools").begin_array();
    for (std::size_t i = first; i < end; ++i) {
      std::optional<ToolMembers> members;
      if (!texts.tool_members.empty()) members = texts.tool_members[i];
      write_tool(writer, texts.tool_names[i], texts.tool_descriptions[i], members,
                 schemas.empty() ? "" : std::string_view(schemas[i % schemas.size()]));
    }
    writer.end_array();
    if (end < tools) writer.member("nextCursor", cursor_for(end));
    if (modern) write_caching(writer);
  });
}

Answer call(const Texts& texts, const wire::Message& request, bool modern) {
  const std::string tool =
      request.params ? json::string_member(*request.params, "name").value_or("") : "";
  if (std::find(texts.tool_names.begin(), texts.tool_names.end(), tool) == texts.tool_names.end())
    return error(code::kInvalidParams, fmt::format("Unknown tool: {}", tool));
  const ToolOutput output = call_tool(tool, find(request.params, "arguments"));
  const bool structured = !texts.tool_members.empty() && !output.is_error;
  return result(modern, [output, structured](Writer& writer) {
    writer.key("content").begin_array().begin_object().member("type", "text");
    writer.member("text", output.text).end_object().end_array();
    if (structured) write_structured(writer, output);
    writer.member("isError", output.is_error);
  });
}

Answer legacy_answer(const Settings& settings, const Texts& texts, const wire::Message& request) {
  if (request.method == "initialize") return initialize(settings, texts, request);
  if (request.method == "ping") return result(false, [](Writer&) {});
  if (request.method == "tools/list") return list_tools(settings, texts, request, false);
  if (request.method == "tools/call") return call(texts, request, false);
  return unknown_method(request.method);
}

Answer modern_answer(const Settings& settings, const Texts& texts, const wire::Message& request,
                     const Envelope& envelope) {
  if (!envelope.missing.empty()) {
    return error(code::kInvalidParams, fmt::format("Missing or malformed in params._meta: {}",
                                                   fmt::join(envelope.missing, ", ")));
  }
  if (envelope.version != kModernVersion)
    return unsupported_version(Eras::kModern, envelope.version);
  if (request.method == "server/discover") return discover(texts);
  if (request.method == "tools/list") return list_tools(settings, texts, request, true);
  if (request.method == "tools/call") return call(texts, request, true);
  return unknown_method(request.method);
}

std::string result_text(const Answer& answer, const Settings& settings, std::string_view padding) {
  Writer writer;
  writer.begin_object();
  if (answer.modern) writer.member("resultType", "complete");
  answer.write_members(writer);
  if (answer.modern || !padding.empty()) {
    writer.key("_meta").begin_object();
    if (answer.modern) {
      writer.key(kServerKey);
      write_identity(writer, settings);
    }
    if (!padding.empty()) writer.member(kPaddingKey, padding);
    writer.end_object();
  }
  writer.end_object();
  return writer.take();
}

/// Empty for an error without data.
std::string data_text(const Answer& answer, std::string_view padding) {
  if (!answer.write_members && padding.empty()) return {};
  Writer writer;
  writer.begin_object();
  if (answer.write_members) answer.write_members(writer);
  if (!padding.empty()) writer.member(kPaddingKey, padding);
  writer.end_object();
  return writer.take();
}

}  // namespace

std::optional<std::string> requested_version(const wire::Message& request) {
  if (!request.params) return std::nullopt;
  if (auto version = json::string_member(*request.params, "protocolVersion")) return version;
  const Envelope envelope = read_envelope(request);
  return envelope.version.empty() ? std::nullopt : std::optional(envelope.version);
}

Answer unsupported_version(Eras eras, const std::optional<std::string>& requested) {
  Answer made = error(code::kUnsupportedProtocolVersion, "Unsupported protocol version");
  made.write_members = [eras, requested](Writer& writer) {
    writer.key("supported").begin_array();
    if (eras != Eras::kLegacy) writer.string(kModernVersion);
    if (eras != Eras::kModern) writer.string(kLegacyVersion);
    writer.end_array().member("requested", requested);
  };
  return made;
}

Answer answer(const Settings& settings, const Texts& texts, const wire::Message& request) {
  if (settings.eras == Eras::kLegacy) return legacy_answer(settings, texts, request);
  const Envelope envelope = read_envelope(request);
  if (settings.eras == Eras::kDual && !envelope.present)
    return legacy_answer(settings, texts, request);
  if (!envelope.present && request.method == "initialize")
    return unsupported_version(Eras::kModern, requested_version(request));
  return modern_answer(settings, texts, request, envelope);
}

std::string answer_line(const Answer& answer, const Settings& settings, std::string_view id,
                        std::size_t padding_bytes) {
  const std::string padding(padding_bytes, 'x');
  if (!answer.is_error) return wire::result_line(id, result_text(answer, settings, padding));
  return wire::error_line(id, answer.code, answer.message, data_text(answer, padding));
}

}  // namespace cutline::lab
