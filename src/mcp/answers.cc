// answers.cc: reading handshakes and lists; member names as in the schemas of the revisions.
#include "mcp/answers.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/number.h"
#include "mcp/requests.h"
#include "mcp/schema.h"
#include "mcp/words.h"

namespace cutline::mcp {
namespace {

constexpr std::array<std::string_view, 4> kLegacyVersions = {"2024-11-05", "2025-03-26",
                                                             "2025-06-18", "2025-11-25"};

std::int64_t as_signed(std::size_t number) { return static_cast<std::int64_t>(number); }

/// A string whose flaws are noted. `field` names it in a sentence: "the description of tool “x”".
json::Text read_text(const json::Value& value, std::string_view field, IncidentLog& incidents) {
  json::Text text = value.string();
  note_repairs(text.first_invalid_byte, text.replaced, field, incidents);
  return text;
}

ServerText measured(json::Text text) {
  ServerText out{.value = std::move(text.value),
                 .length = {},
                 .first_invalid_byte = text.first_invalid_byte,
                 .replaced = text.replaced};
  out.length = text::measure(out.value);
  return out;
}

/// The string member, if it is one. A member of another type is noted under `code`.
std::optional<json::Text> text_member(const json::Value& object, std::string_view key,
                                      std::string_view of, std::string_view code,
                                      IncidentLog& incidents) {
  const std::optional<json::Value> value = object.find(key);
  if (!value) return std::nullopt;
  const std::string field = fmt::format("the {} of {}", key, of);
  if (value->is(json::Type::kString)) return read_text(*value, field, incidents);
  incidents.note(code, field,
                 fmt::format("{} is {}; it must be a string", field, type_words(value->type())));
  return std::nullopt;
}

std::string string_or_empty(std::optional<json::Text> text) {
  return text ? std::move(text->value) : std::string();
}

std::optional<std::string> optional_string(std::optional<json::Text> text) {
  if (!text) return std::nullopt;
  return std::move(text->value);
}

Identity read_identity(const json::Value& object, std::string_view of, IncidentLog& incidents) {
  const std::string owner = fmt::format("serverInfo in {}", of);
  Identity identity;
  if (!object.is(json::Type::kObject)) {
    incidents.note("identity-shape", owner,
                   fmt::format("{} is {}; it must be an object, and strict clients refuse the "
                               "answer",
                               owner, type_words(object.type())));
    return identity;
  }
  std::vector<std::string> missing;
  for (const std::string_view key : {"name", "version"}) {
    if (!object.find(key)) missing.emplace_back(key);
  }
  if (!missing.empty()) {
    incidents.note("identity-shape", owner,
                   fmt::format("{} has no {}, which must be there; strict clients refuse the "
                               "answer",
                               owner, joined(missing)));
  }
  identity.name = string_or_empty(text_member(object, "name", owner, "identity-shape", incidents));
  identity.version =
      string_or_empty(text_member(object, "version", owner, "identity-shape", incidents));
  identity.title =
      optional_string(text_member(object, "title", owner, "identity-shape", incidents));
  return identity;
}

/// Instructions and capabilities, which both handshakes have alike.
void read_common(const json::Value& result, std::string_view method, Handshake& handshake,
                 IncidentLog& incidents) {
  EraOffer& offer = handshake.offer;
  const std::string of = fmt::format("the answer to {}", method);
  if (const auto instructions = result.find("instructions")) {
    const std::string field = fmt::format("the instructions in {}", of);
    if (instructions->is(json::Type::kString)) {
      offer.instructions = measured(read_text(*instructions, field, incidents));
    } else {
      offer.instructions_wrong_type = type_words(instructions->type());
      incidents.note("instructions-type", field,
                     fmt::format("{} are {} instead of a string; clients refuse the whole answer",
                                 field, type_words(instructions->type())));
    }
  }
  const auto capabilities = result.find("capabilities");
  if (!capabilities) return;
  offer.capabilities = capabilities->raw();
  const auto declares = [&capabilities](std::string_view key) {
    const auto member = capabilities->find(key);
    return member && !member->is(json::Type::kNull);
  };
  handshake.declared = {.tools = declares("tools"),
                        .prompts = declares("prompts"),
                        .resources = declares("resources")};
}

void note_missing(const json::Value& result, std::span<const std::string_view> keys,
                  std::string_view method, std::string_view code, IncidentLog& incidents) {
  std::vector<std::string> missing;
  for (const std::string_view key : keys) {
    if (!result.find(key)) missing.emplace_back(key);
  }
  if (missing.empty()) return;
  incidents.note(code, method,
                 fmt::format("the answer to {} has no {}, which must be there; strict clients "
                             "refuse it",
                             method, joined(missing)));
}

/// The raw text of a member that must be an object, if it is there at all.
std::string object_member(const json::Value& tool, std::string_view key, std::string_view of,
                          bool required, IncidentLog& incidents) {
  const auto value = tool.find(key);
  if (!value) {
    if (required) {
      incidents.note("tool-schema", of,
                     fmt::format("{} has no {}, which must be there; strict clients refuse the "
                                 "whole list",
                                 of, key));
    }
    return {};
  }
  if (!value->is(json::Type::kObject)) {
    incidents.note("tool-schema", of,
                   fmt::format("the {} of {} is {}; it must be an object", key, of,
                               type_words(value->type())));
  }
  return std::string(value->raw());
}

Tool read_tool(const json::Value& value, std::string name, IncidentLog& incidents) {
  const std::string of = fmt::format("tool {}", quoted(name));
  Tool tool;
  tool.name = std::move(name);
  tool.title = optional_string(text_member(value, "title", of, "tool-shape", incidents));
  if (auto description = text_member(value, "description", of, "tool-shape", incidents))
    tool.description = measured(*std::move(description));
  tool.input_schema = object_member(value, "inputSchema", of, true, incidents);
  tool.schema = schema_traits(value.find("inputSchema"));
  tool.output_schema = object_member(value, "outputSchema", of, false, incidents);
  tool.annotations = object_member(value, "annotations", of, false, incidents);
  tool.meta = object_member(value, "_meta", of, false, incidents);
  if (const auto meta = value.find("_meta")) {
    const auto always = meta->find("anthropic/alwaysLoad");
    tool.always_load = always && always->is(json::Type::kBool) && always->boolean();
  }
  return tool;
}

/// Those entries of the array `member` of a list result that there is room for, or the reason why
/// there is no such array.
tl::expected<std::vector<json::Value>, std::string> entries_of(const json::Value& result,
                                                               std::string_view member,
                                                               ListRoom& room) {
  if (!result.is(json::Type::kObject))
    return tl::unexpected(
        fmt::format("the result is {}, not an object", type_words(result.type())));
  const auto list = result.find(member);
  if (!list) return tl::unexpected(fmt::format("the result has no '{}'", member));
  if (!list->is(json::Type::kArray)) {
    return tl::unexpected(
        fmt::format("'{}' is {}, not an array", member, type_words(list->type())));
  }
  std::vector<json::Value> entries = list->elements();
  const std::size_t left = room.entries_max - std::min(room.entries, room.entries_max);
  if (entries.size() > left) {
    room.over = true;
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(left), entries.end());
  }
  room.entries += entries.size();
  return entries;
}

}  // namespace

bool is_legacy_version(std::string_view version) {
  return std::ranges::find(kLegacyVersions, version) != kLegacyVersions.end();
}

tl::expected<Handshake, std::string> read_initialize(const json::Value& result,
                                                     IncidentLog& incidents) {
  const auto broken = [](std::string_view why) {
    return tl::unexpected(fmt::format("its answer to initialize is no InitializeResult: {}", why));
  };
  if (!result.is(json::Type::kObject))
    return broken(fmt::format("it is {}, not an object", type_words(result.type())));
  const auto version = result.find("protocolVersion");
  if (!version) return broken("it has no protocolVersion");
  if (!version->is(json::Type::kString))
    return broken(fmt::format("its protocolVersion is {}", type_words(version->type())));

  Handshake handshake;
  handshake.offer.era = Era::kLegacy;
  handshake.offer.protocol_version = version->string().value;
  read_common(result, method::kInitialize, handshake, incidents);
  constexpr std::array<std::string_view, 2> kRequired = {"capabilities", "serverInfo"};
  note_missing(result, kRequired, method::kInitialize, "initialize-incomplete", incidents);
  if (const auto info = result.find("serverInfo"))
    handshake.offer.server = read_identity(*info, "the answer to initialize", incidents);
  return handshake;
}

std::optional<std::string> result_type_problem(const json::Value& result) {
  const auto type = result.find("resultType");
  if (!type) return std::nullopt;
  if (type->is(json::Type::kString) && type->string().value == "complete") return std::nullopt;
  return fmt::format("its resultType is {}", quoted(type->raw()));
}

std::optional<std::string> discover_shape_problem(const json::Value& result) {
  if (!result.is(json::Type::kObject))
    return fmt::format("it is {}, not an object", type_words(result.type()));
  if (auto problem = result_type_problem(result)) return problem;
  const auto versions = result.find("supportedVersions");
  if (!versions) return "it has no supportedVersions";
  if (!versions->is(json::Type::kArray))
    return fmt::format("its supportedVersions is {}, not an array", type_words(versions->type()));
  const std::vector<json::Value> elements = versions->elements();
  if (elements.empty()) return "its supportedVersions is empty";
  if (elements.size() > kVersionsMax)
    return fmt::format("its supportedVersions has more than {}", count(kVersionsMax, "version"));
  for (const json::Value& element : elements) {
    if (!element.is(json::Type::kString))
      return fmt::format("its supportedVersions holds {}", type_words(element.type()));
  }
  return std::nullopt;
}

Handshake read_discover(const json::Value& result, IncidentLog& incidents) {
  CUTLINE_ASSERT(!discover_shape_problem(result));
  Handshake handshake;
  EraOffer& offer = handshake.offer;
  offer.era = Era::kModern;
  offer.protocol_version = kModernVersion;
  for (const json::Value& version : result.find("supportedVersions")->elements())
    offer.supported_versions.push_back(version.string().value);
  read_common(result, method::kDiscover, handshake, incidents);
  constexpr std::array<std::string_view, 4> kRequired = {"resultType", "capabilities", "ttlMs",
                                                         "cacheScope"};
  note_missing(result, kRequired, method::kDiscover, "discover-incomplete", incidents);
  // The final text puts the identity into _meta; drafts had it beside the versions.
  const auto meta = result.find("_meta");
  auto info = meta ? meta->find("io.modelcontextprotocol/serverInfo") : std::nullopt;
  if (!info) info = result.find("serverInfo");
  if (info) offer.server = read_identity(*info, "the answer to server/discover", incidents);
  return handshake;
}

std::optional<std::string> read_tools(const json::Value& result, ListRoom& room, EraOffer& offer,
                                      IncidentLog& incidents) {
  const auto entries = entries_of(result, "tools", room);
  if (!entries) return entries.error();
  std::size_t number = 0;
  for (const json::Value& value : *entries) {
    ++number;
    const auto name = value.find("name");
    if (!name || !name->is(json::Type::kString)) {
      incidents.note("tool-shape", "name",
                     fmt::format("entry {} of a tools/list answer {}; it is left out here, and "
                                 "strict clients refuse the whole list",
                                 with_separators(as_signed(number)),
                                 value.is(json::Type::kObject) ? "has no name that is a string"
                                                               : "is no object"));
      continue;
    }
    json::Text text = read_text(*name, "the name of a tool", incidents);
    offer.tools.push_back(read_tool(value, std::move(text.value), incidents));
  }
  return std::nullopt;
}

std::optional<std::string> read_listed(const json::Value& result, const ListedShape& shape,
                                       ListRoom& room, std::vector<Listed>& entries,
                                       IncidentLog& incidents) {
  const auto values = entries_of(result, shape.member, room);
  if (!values) return values.error();
  const std::string of = fmt::format("an entry of {}", shape.member);
  for (const json::Value& value : *values) {
    Listed entry;
    entry.name = string_or_empty(text_member(value, "name", of, "entry-shape", incidents));
    if (!shape.uri.empty())
      entry.uri = string_or_empty(text_member(value, shape.uri, of, "entry-shape", incidents));
    entry.description =
        string_or_empty(text_member(value, "description", of, "entry-shape", incidents));
    entries.push_back(std::move(entry));
  }
  return std::nullopt;
}

void note_repairs(const std::optional<std::size_t>& first_invalid_byte, std::size_t replaced,
                  std::string_view field, IncidentLog& incidents) {
  if (first_invalid_byte) {
    incidents.note(
        "invalid-utf8", field,
        fmt::format("{}: not UTF-8 at byte {} ({} replaced by U+FFFD)", field,
                    with_separators(as_signed(*first_invalid_byte)), count(replaced, "part")));
  } else if (replaced > 0) {
    incidents.note("lone-surrogate", field,
                   fmt::format("{}: {} without the other half (replaced by U+FFFD)", field,
                               count(replaced, "surrogate")));
  }
}

void check_tool_names(const EraOffer& offer, IncidentLog& incidents) {
  std::unordered_set<std::string_view> names;
  for (const Tool& tool : offer.tools) {
    if (names.insert(tool.name).second) continue;
    incidents.note(
        "duplicate-tool", tool.name,
        fmt::format("two tools are named {}; clients use one of them", quoted(tool.name)));
  }
}

}  // namespace cutline::mcp
