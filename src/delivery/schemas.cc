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
  if (data.type == Type::kString && !text::is_nfkc_without_invisible(data.text))
    data.text = text::nfkc_without_invisible(data.text);
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

void add_key(std::string& path, std::string_view key) {
  if (!path.empty()) path += '.';
  path += key;
}

/// Makes a path longer for as long as it lives. Schemas have very many places, and few that differ.
class Deeper {
 public:
  Deeper(std::string& path, std::string_view key) : path_(path), before_(path.size()) {
    add_key(path, key);
  }
  Deeper(std::string& path, std::size_t element) : path_(path), before_(path.size()) {
    path += '[' + std::to_string(element) + ']';
  }
  ~Deeper() { path_.resize(before_); }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  std::string& path_;
  std::size_t before_;
};

struct Difference {
  SchemaChange::What what = SchemaChange::What::kLost;
  std::string_view key;  // of the member; empty: an element, or the whole
  const Data* was = nullptr;
  const Data* now = nullptr;
};

using Visit = std::function<void(const Difference&, std::string& path)>;

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

/// `path` is where both stand, and `key` how they are called there.
void walk(std::string_view key, const Data& was, const Data& now, std::string& path,
          const Visit& visit) {
  using enum SchemaChange::What;
  if (was.type == Type::kObject && now.type == Type::kObject) {
    Twins before(&was), after(&now);
    for (std::size_t i = 0; i < was.members.size(); ++i) {
      const auto& [name, value] = was.members[i];
      const Deeper deeper(path, name);
      if (const Data* twin = after.of(i, name))
        walk(name, value, *twin, path, visit);
      else
        visit({.what = kLost, .key = name, .was = &value, .now = nullptr}, path);
    }
    for (std::size_t i = 0; i < now.members.size(); ++i) {
      const auto& [name, value] = now.members[i];
      if (before.of(i, name)) continue;
      const Deeper deeper(path, name);
      visit({.what = kAdded, .key = name, .was = nullptr, .now = &value}, path);
    }
    return;
  }
  const bool lists = was.type == Type::kArray && now.type == Type::kArray;
  if (lists && was.elements.size() == now.elements.size()) {
    for (std::size_t i = 0; i < was.elements.size(); ++i) {
      const Deeper deeper(path, i);
      walk("", was.elements[i], now.elements[i], path, visit);
    }
    return;
  }
  if (!json::same(was, now)) visit({.what = kChanged, .key = key, .was = &was, .now = &now}, path);
}

/// The paths of descriptions that `now` (null: nothing is left) no longer begins with.
void find_lost_texts(std::string_view key, const Data& was, const Data* now, std::string& path,
                     std::vector<std::string>& lost) {
  if (key == "description" && was.type == Type::kString) {
    if (!now || !now->text.starts_with(was.text)) lost.push_back(path);
    return;
  }
  for (std::size_t i = 0; i < was.elements.size(); ++i) {
    const bool there = now && i < now->elements.size();
    const Deeper deeper(path, i);
    find_lost_texts("", was.elements[i], there ? &now->elements[i] : nullptr, path, lost);
  }
  Twins after(now);
  for (std::size_t i = 0; i < was.members.size(); ++i) {
    const auto& [name, value] = was.members[i];
    const Deeper deeper(path, name);
    find_lost_texts(name, value, after.of(i, name), path, lost);
  }
}

/// Of two that `walk` found to differ.
void note(const Difference& difference, std::string& path, SentSchema& sent) {
  const auto& [what, key, was, now] = difference;
  sent.changes.push_back(
      {.what = what, .path = path, .now = now ? json::text(*now) : std::string()});
  if (was) find_lost_texts(key, *was, now, path, sent.lost_texts);
}

/// What comes of a schema by the steps. Precondition: it is an object.
SentSchema carried_out(std::span<const Node> steps, const Data& original) {
  SentSchema sent;
  sent.schema = original;
  for (const Node& step : steps) carry_out(step, sent);
  if (!sent.known) return sent;
  std::string path;
  walk("", original, sent.schema, path,
       [&](const Difference& difference, std::string& where) { note(difference, where, sent); });
  return sent;
}

SentSchema unknown(std::string reason) {
  SentSchema sent;
  sent.known = false;
  sent.reason = std::move(reason);
  return sent;
}

/// Nothing if it is no object.
std::optional<Data> read_schema(std::string_view schema) {
  const Result<json::Document> document = json::Document::parse(schema);
  if (!document || !document->root().is(Type::kObject)) return std::nullopt;
  return json::data(document->root());
}

SentSchema sent_schema(const Delivered& tool, const std::optional<Data>& original) {
  if (!tool.schema_rule || tool.schema_rule->unknown)
    return unknown("what the client makes of input schemas is not known");
  if (!original) return unknown("the server's inputSchema is no object");
  return carried_out(tool.schema_rule->value.elements, *original);
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
  return sent_schema(tool, read_schema(tool.schema));
}

const SentSchema& SchemaEffects::of(const Delivered& tool) {
  const bool known = tool.schema_rule && !tool.schema_rule->unknown;
  const Node* steps = known ? rules_.first_like(tool.schema_rule->value) : nullptr;
  const char* const server = tool.schema.data();
  const auto [place, is_new] = known_.try_emplace({steps, server});
  if (is_new) {
    const auto [original, is_unread] = originals_.try_emplace(server);
    if (is_unread) original->second = read_schema(tool.schema);
    place->second = sent_schema(tool, original->second);
    place->second.schema = {};
  }
  return place->second;
}

std::optional<std::string> schema_difference(const SentSchema& predicted,
                                             std::string_view measured) {
  const Result<json::Document> document = json::Document::parse(measured);
  if (!document) return "the whole schema";
  Data theirs = json::data(document->root());
  std::string path;
  for (const std::string& name : predicted.own_parameters) {
    Data* parameters = theirs.find("properties");
    if (!parameters || !parameters->find(name)) return "properties." + name;
    parameters->set(name, Data());
  }
  std::optional<std::string> first;
  walk("", predicted.schema, theirs, path, [&](const Difference&, const std::string& where) {
    if (!first) first = where.empty() ? "the whole schema" : where;
  });
  return first;
}

}  // namespace cutline::delivery
