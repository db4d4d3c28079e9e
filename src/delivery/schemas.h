// schemas.h: what a client makes of the input schemas of tools.
//
// The fact tool.schema is a list of steps (docs/profiles.md), each a small change that was seen on
// the wire; here they are carried out. Nothing is done while deliveries are predicted: who wants to
// know asks, for schemas can be long and most readers want none of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "delivery/delivery.h"
#include "delivery/like_rules.h"
#include "json/data.h"

namespace cutline::delivery {

struct SchemaChange {
  enum class What { kLost, kChanged, kAdded } what = What::kLost;
  std::string path;  // "properties.bin.description"
  std::string now;   // JSON; empty for what is lost
};

std::string_view name(SchemaChange::What what);  // "lost", "changed", "added"

struct SentSchema {
  bool known = true;
  std::string reason;  // why not: one sentence
  json::Data schema;   // members in no order that the client keeps
  /// Parameters of the client's own, whose texts are not known: they stand in `schema` as null.
  std::vector<std::string> own_parameters;
  std::vector<SchemaChange> changes;  // from what the server sends
  /// Descriptions that do not arrive, wherever they stand: "properties.bin.description".
  std::vector<std::string> lost_texts;
};

/// What clients make of schemas, kept without what they send: one client in many versions, and many
/// clients with one schema, are asked again and again.
class SchemaEffects {
 public:
  /// Of sent_schema(), with an empty `schema`.
  const SentSchema& of(const Delivered& tool);

 private:
  LikeRules rules_;
  std::map<const char*, std::optional<json::Data>> originals_;  // nothing: no object
  std::map<std::pair<const config::Node*, const char*>, SentSchema> known_;
};

/// Of a tool that is predicted to arrive. Not known where the profile has no fact, or where a step
/// says so, or where the server's schema is no object.
SentSchema sent_schema(const Delivered& tool);

/// The first member in which what was measured is not what was predicted, as "properties.a.type".
/// Nothing: they are the same, however their members are ordered.
std::optional<std::string> schema_difference(const SentSchema& predicted,
                                             std::string_view measured);

}  // namespace cutline::delivery
