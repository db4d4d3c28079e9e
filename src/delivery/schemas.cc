// schemas.cc: carrying out the steps of a client, and saying what they changed.
#include "delivery/schemas.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "delivery/schema_steps.h"
#include "text/rewrite.h"

namespace cutline::delivery {
namespace {

using config::Node;
using json::Data;
using json::Type;

// Where schemas stand within a schema.
constexpr std::array<std::string_view, 5> kMaps = {"properties", "patternProperties", "$defs",
                                                   "definitions", "dependentSchemas"};
constexpr std::array<std::string_view, 11> kSingle = {"items",
                                                      "additionalItems",
                                                      "unevaluatedItems",
                                                      "additionalProperties",
                                                      "unevaluatedProperties",
                                                      "contains",
                                                      "propertyNames",
                                                      "not",
                                                      "if",
                                                      "then",
                                                      "else"};
constexpr std::array<std::string_view, 4> kLists = {"anyOf", "oneOf", "allOf", "prefixItems"};

template <typename Keys>
bool among(const Keys& keys, std::string_view key) {
  return std::ranges::find(keys, key) != std::ranges::end(keys);
}

bool is_schema(const Data& data) { return data.type == Type::kObject || data.type == Type::kBool; }

std::vector<std::string> members_of(const Node& step) {
  std::vector<std::string> names;
  for (const Node& element : step.find("members")->elements) names.push_back(element.string);
  return names;
}

/// The schema itself, or also all within it.
void at(const Node& step, Data& schema, const std::function<void(Data&)>& change) {
  const Node* where = step.find("at");
  if (where && where->string == "everywhere")
    for_each_schema(schema, change);
  else
    change(schema);
}

void keep(const Node& step, Data& schema, bool listed) {
  const std::vector<std::string> names = members_of(step);
  at(step, schema, [&](Data& one) {
    std::erase_if(one.members,
                  [&](const Data::Member& member) { return among(names, member.key) != listed; });
  });
}

/// A member with the JSON value of the step.
void put(const Node& step, Data& schema, bool replace) {
  const std::string& name = step.find("member")->string;
  if (!replace && schema.find(name)) return;
  const Result<json::Document> value = json::Document::parse(step.find("value")->string);
  if (value) schema.set(name, json::data(value->root()));
}

void add_parameter(const Node& step, SentSchema& sent) {
  const std::string& name = step.find("name")->string;
  if (!sent.schema.find("properties")) sent.schema.set("properties", json::object());
  sent.schema.find("properties")->set(name, Data());
  sent.own_parameters.push_back(name);
}

void rewrite(Data& data) {
  if (data.type == Type::kString) data.text = text::nfkc_without_invisible(data.text);
  for (Data& element : data.elements) rewrite(element);
  for (Data::Member& member : data.members) {
    member.key = text::nfkc_without_invisible(member.key);
    rewrite(member.value);
  }
}

void give_up_with(const Node& step, SentSchema& sent) {
  const std::vector<std::string> names = members_of(step);
  at(step, sent.schema, [&](Data& one) {
    for (const Data::Member& member : one.members) {
      if (!sent.known || !among(names, member.key)) continue;
      sent.known = false;
      const Node* says = step.find("says");
      sent.reason =
          says ? says->string
               : fmt::format("what the client makes of a schema with {} is not known", member.key);
    }
  });
}

void carry_out(const Node& step, SentSchema& sent) {
  const std::string& what = step.find("step")->string;
  Data& schema = sent.schema;
  if (what == "keep") keep(step, schema, true);
  if (what == "drop") keep(step, schema, false);
  if (what == "add") put(step, schema, false);
  if (what == "set") put(step, schema, true);
  if (what == "add-parameter") add_parameter(step, sent);
  if (what == "rewrite") rewrite(schema);
  if (what == "type-objects") type_objects(schema);
  if (what == "nullable") to_nullable(schema);
  if (what == "const-to-enum") const_to_enum(schema);
  if (what == "infer-types") infer_types(schema);
  if (what == "drop-unused-definitions") drop_unused_definitions(schema);
  if (what == "compact") {
    compact(schema, static_cast<std::size_t>(step.find("longest")->integer),
            static_cast<std::size_t>(step.find("deepest")->integer));
  }
  if (what == "fold") fold(schema, members_of(step));
  if (what == "unknown-with") give_up_with(step, sent);
}

// --- Differences --------------------------------------------------------------------------------

std::string below(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

using Visit = std::function<void(SchemaChange)>;

/// The members of one object by those of another: mostly the same ones stand in the same places,
/// and schemas can have very many.
class Twins {
 public:
  explicit Twins(const Data* object) : object_(object) {}

  /// Null if there is none.
  const Data* of(std::size_t place, const std::string& key) {
    if (!object_) return nullptr;
    if (place < object_->members.size() && object_->members[place].key == key)
      return &object_->members[place].value;
    if (by_key_.empty())
      for (const Data::Member& member : object_->members)
        by_key_.emplace(member.key, &member.value);
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : found->second;
  }

 private:
  const Data* object_;
  std::unordered_map<std::string_view, const Data*> by_key_;
};

void walk(const Data& was, const Data& now, const std::string& path, const Visit& visit) {
  using enum SchemaChange::What;
  if (was.type == Type::kObject && now.type == Type::kObject) {
    Twins before(&was), after(&now);
    for (std::size_t i = 0; i < was.members.size(); ++i) {
      const Data::Member& member = was.members[i];
      if (const Data* twin = after.of(i, member.key))
        walk(member.value, *twin, below(path, member.key), visit);
      else
        visit({.what = kLost, .path = below(path, member.key), .now = {}});
    }
    for (std::size_t i = 0; i < now.members.size(); ++i) {
      const Data::Member& member = now.members[i];
      if (!before.of(i, member.key))
        visit({.what = kAdded, .path = below(path, member.key), .now = json::text(member.value)});
    }
    return;
  }
  const bool lists = was.type == Type::kArray && now.type == Type::kArray;
  if (lists && was.elements.size() == now.elements.size()) {
    for (std::size_t i = 0; i < was.elements.size(); ++i)
      walk(was.elements[i], now.elements[i], fmt::format("{}[{}]", path, i), visit);
    return;
  }
  if (!json::same(was, now)) visit({.what = kChanged, .path = path, .now = json::text(now)});
}

/// The paths of descriptions that `now` (null: nothing is left) no longer begins with.
void find_lost_texts(const Data& was, const Data* now, const std::string& path,
                     std::vector<std::string>& lost) {
  for (std::size_t i = 0; i < was.elements.size(); ++i) {
    const bool there = now && i < now->elements.size();
    find_lost_texts(was.elements[i], there ? &now->elements[i] : nullptr,
                    fmt::format("{}[{}]", path, i), lost);
  }
  Twins after(now);
  for (std::size_t i = 0; i < was.members.size(); ++i) {
    const Data::Member& member = was.members[i];
    const Data* twin = after.of(i, member.key);
    const std::string place = below(path, member.key);
    if (member.key == "description" && member.value.type == Type::kString) {
      if (!twin || !twin->text.starts_with(member.value.text)) lost.push_back(place);
    } else {
      find_lost_texts(member.value, twin, place, lost);
    }
  }
}

}  // namespace

void for_each_subschema(Data& schema, const std::function<void(Data&)>& visit) {
  for (Data::Member& member : schema.members) {
    Data& value = member.value;
    if (among(kMaps, member.key)) {
      for (Data::Member& within : value.members)
        if (is_schema(within.value)) visit(within.value);
    } else if (among(kSingle, member.key)) {
      // Whether more parameters than the named ones may be is no schema of a parameter.
      const bool flag = member.key == "additionalProperties" && value.type == Type::kBool;
      if (is_schema(value) && !flag) visit(value);
    }
    if (among(kLists, member.key) || member.key == "items") {
      for (Data& element : value.elements)
        if (is_schema(element)) visit(element);
    }
  }
}

void for_each_schema(Data& schema, const std::function<void(Data&)>& visit) {
  visit(schema);
  for_each_subschema(schema, [&](Data& within) { for_each_schema(within, visit); });
}

std::string_view name(SchemaChange::What what) {
  constexpr std::array<std::string_view, 3> kNames = {"lost", "changed", "added"};
  return kNames[static_cast<std::size_t>(what)];
}

SentSchema sent_schema(const Delivered& tool) {
  SentSchema sent;
  const auto unknown = [&](std::string reason) {
    sent.known = false;
    sent.reason = std::move(reason);
    return std::move(sent);
  };
  if (!tool.schema_rule || tool.schema_rule->unknown)
    return unknown("what the client makes of input schemas is not known");
  const Result<json::Document> document = json::Document::parse(tool.schema);
  if (!document || !document->root().is(Type::kObject))
    return unknown("the server's inputSchema is no object");
  const Data original = json::data(document->root());
  sent.schema = original;
  for (const Node& step : tool.schema_rule->value.elements) carry_out(step, sent);
  if (!sent.known) return sent;
  walk(original, sent.schema, "",
       [&](SchemaChange change) { sent.changes.push_back(std::move(change)); });
  find_lost_texts(original, &sent.schema, "", sent.lost_texts);
  return sent;
}

const SentSchema& SchemaEffects::of(const Delivered& tool) {
  const auto [place, is_new] = known_.try_emplace({tool.schema_rule, tool.schema.data()});
  if (is_new) {
    place->second = sent_schema(tool);
    place->second.schema = {};
  }
  return place->second;
}

std::optional<std::string> schema_difference(const SentSchema& predicted,
                                             std::string_view measured) {
  const Result<json::Document> document = json::Document::parse(measured);
  if (!document) return "the whole schema";
  Data theirs = json::data(document->root());
  Data ours = predicted.schema;
  for (const std::string& name : predicted.own_parameters) {
    Data* parameters = theirs.find("properties");
    if (!parameters || !parameters->find(name)) return below("properties", name);
    parameters->set(name, Data());
  }
  std::optional<std::string> first;
  walk(ours, theirs, "", [&](const SchemaChange& change) {
    if (!first) first = change.path.empty() ? "the whole schema" : change.path;
  });
  return first;
}

}  // namespace cutline::delivery
