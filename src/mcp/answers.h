// answers.h: reading what a server offers out of its results.
//
// A result that breaks its schema in a way that leaves nothing to use is refused with the reason.
// Everything less is an incident, and the rest of the result is used: strict clients refuse more
// than we do, and the author wants to know both.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "json/document.h"
#include "mcp/incidents.h"
#include "mcp/offer.h"

namespace cutline::mcp {

/// Which lists the capabilities name.
struct Declared {
  bool tools = false, prompts = false, resources = false;
};

struct Handshake {
  EraOffer offer;
  Declared declared;
};

/// The four revisions that initialize can agree upon.
bool is_legacy_version(std::string_view version);

/// An InitializeResult; or why it is none: it must be an object with a protocolVersion. The version
/// itself is for the caller to judge.
tl::expected<Handshake, std::string> read_initialize(const json::Value& result,
                                                     IncidentLog& incidents);

/// In the modern era any resultType but "complete" makes a list or a DiscoverResult invalid;
/// servers of before it leave it out. The reason, or nothing.
std::optional<std::string> result_type_problem(const json::Value& result);

/// No list of versions is longer than this in earnest; we take it for none.
inline constexpr std::size_t kVersionsMax = 1'000;

/// The reason why a result is no DiscoverResult; nothing if it is one.
std::optional<std::string> discover_shape_problem(const json::Value& result);

/// A DiscoverResult. Precondition: discover_shape_problem() has nothing to say.
Handshake read_discover(const json::Value& result, IncidentLog& incidents);

/// How much of a list is read, over all of its pages.
struct ListRoom {
  std::size_t entries_max = 0;
  std::size_t entries = 0;  // read, good or bad
  bool over = false;        // there were more, which were left
};

/// Adds the entries of one page, as far as there is room for them. The reason if the result has no
/// such list.
std::optional<std::string> read_tools(const json::Value& result, ListRoom& room, EraOffer& offer,
                                      IncidentLog& incidents);

struct ListedShape {
  std::string_view member;  // "prompts"
  std::string_view uri;     // the member of an entry that is its URI; empty if it has none
};
inline constexpr ListedShape kPrompts{.member = "prompts", .uri = {}};
inline constexpr ListedShape kResources{.member = "resources", .uri = "uri"};
inline constexpr ListedShape kTemplates{.member = "resourceTemplates", .uri = "uriTemplate"};
std::optional<std::string> read_listed(const json::Value& result, const ListedShape& shape,
                                       ListRoom& room, std::vector<Listed>& entries,
                                       IncidentLog& incidents);

/// Notes what had to be replaced in a text. `field` names it in a sentence: "the instructions".
void note_repairs(const std::optional<std::size_t>& first_invalid_byte, std::size_t replaced,
                  std::string_view field, IncidentLog& incidents);

/// Notes tools that bear a name which came before.
void check_tool_names(const EraOffer& offer, IncidentLog& incidents);

}  // namespace cutline::mcp
