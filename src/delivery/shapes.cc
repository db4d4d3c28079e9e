// shapes.cc: one table of all facts, and the check of a value against it.
#include "delivery/shapes.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/nearest.h"
#include "json/document.h"

namespace cutline::delivery {
namespace {

using config::Kind;
using config::Node;

enum class Form {
  kTable,
  kTableOrNone,  // a table, or the string "none"
  kTables,       // an array of tables
  kStrings,      // an array of strings
};

struct Key {
  std::string_view name;
  Kind kind;
  bool required = false;
  std::vector<std::string_view> choices = {};  // of a string, or of a list's strings
};

struct Shape {
  std::string_view fact;
  Form form;
  std::vector<Key> keys;
};

const std::vector<Key>& budget_keys() {
  static const std::vector<Key> keys = {
      {"size", Kind::kInteger, true},
      {"unit", Kind::kString, true, {"utf16", "code_points", "bytes", "grapheme_clusters"}},
      {"marker", Kind::kString, true},
      {"marker_inside", Kind::kBoolean, true},
      {"first_line_only", Kind::kBoolean}};
  return keys;
}

const std::vector<Key>& later_keys() {
  static const std::vector<Key> keys = {{"sends", Kind::kArray, true, {"old", "new"}},
                                        {"says", Kind::kString, true}};
  return keys;
}

const std::vector<Key>& rewrite_keys() {
  static const std::vector<Key> keys = {
      {"as", Kind::kString, true, {"nfkc-without-invisible", "indented", "trimmed", "replaced"}},
      {"by", Kind::kInteger},
      {"trim", Kind::kBoolean},
      {"what", Kind::kString},
      {"with", Kind::kString},
      {"empty", Kind::kString}};
  return keys;
}

/// A step of tool.schema, with the keys that it needs.
struct Step {
  std::string_view name;
  std::vector<std::string_view> needs;
};

const std::vector<Step>& steps() {
  static const std::vector<Step> all = {{"keep", {"members"}},
                                        {"drop", {"members"}},
                                        {"add", {"member", "value"}},
                                        {"set", {"member", "value"}},
                                        {"add-parameter", {"name"}},
                                        {"rewrite", {}},
                                        {"nullable", {}},
                                        {"const-to-enum", {}},
                                        {"infer-types", {}},
                                        {"type-objects", {}},
                                        {"drop-unused-definitions", {}},
                                        {"compact", {"longest", "deepest"}},
                                        {"fold", {"members"}},
                                        {"unknown-with", {"members"}}};
  return all;
}

std::vector<std::string_view> step_names() {
  std::vector<std::string_view> names;
  for (const Step& step : steps()) names.push_back(step.name);
  return names;
}

// One table; it is as long as there are facts.
// NOLINTNEXTLINE(readability-function-size)
const std::vector<Shape>& shapes() {
  static const std::vector<std::string_view> next = {"initialize", "restart", "fails"};
  static const std::vector<std::string_view> methods = {"initialize", "server/discover"};
  static const std::vector<std::string_view> refusals = {"tool", "list", "server", "unknown"};
  static const std::vector<Shape> all = {
      {"instructions.delivered",
       Form::kTable,
       {{"delivered", Kind::kBoolean, true}, {"says", Kind::kString}}},
      {"instructions.budget", Form::kTableOrNone, budget_keys()},
      {"tool.preloaded.budget", Form::kTableOrNone, budget_keys()},
      {"tool.deferred.budget", Form::kTableOrNone, budget_keys()},
      {"instructions.shared",
       Form::kTable,
       {{"size", Kind::kInteger, true},
        {"unit", Kind::kString, true, {"bytes"}},
        {"by", Kind::kString, true, {"code_points"}},
        {"beside", Kind::kInteger},
        {"own_text", Kind::kInteger}}},
      {"budget.variable",
       Form::kTable,
       {{"name", Kind::kString, true},
        {"honoured", Kind::kBoolean, true},
        {"least", Kind::kInteger},
        {"unlimited_from", Kind::kInteger},
        {"trim", Kind::kBoolean},
        {"plus", Kind::kBoolean},
        {"governs", Kind::kArray, false, {"instructions", "preloaded-tool", "deferred-tool"}}}},
      {"instructions.placement",
       Form::kTable,
       {{"role", Kind::kString, true},
        {"path", Kind::kString},
        {"search_path", Kind::kString},
        {"form", Kind::kString, false, {"blocks", "string"}},
        {"next_form", Kind::kString, false, {"blocks", "string"}}}},
      {"instructions.placement.later",
       Form::kTable,
       {{"system", Kind::kString},
        {"system-role-message", Kind::kString},
        {"user-reminder", Kind::kString}}},
      {"instructions.placement.variable",
       Form::kTable,
       {{"name", Kind::kString, true},
        {"value", Kind::kString, true},
        {"form", Kind::kString, true, {"blocks", "string"}}}},
      {"instructions.frame",
       Form::kTable,
       {{"opening", Kind::kString, true},
        {"before", Kind::kString, true},
        {"after", Kind::kString},
        {"separator", Kind::kString},
        {"closing", Kind::kString},
        {"without_text", Kind::kString}}},
      {"instructions.frame.reminder",
       Form::kTable,
       {{"opening", Kind::kString, true}, {"closing", Kind::kString, true}}},
      {"instructions.searched",
       Form::kTable,
       {{"role", Kind::kString, true}, {"path", Kind::kString}}},
      {"instructions.odd",
       Form::kTable,
       {{"empty", Kind::kString, true, {"no-block", "sent"}},
        {"blank", Kind::kString, true, {"no-block", "sent"}},
        {"wrong_type", Kind::kString, true, {"connection-fails", "no-block"}}}},
      {"model.default", Form::kTable, {{"id", Kind::kString, true}}},
      {"model.sent", Form::kTable, {{"id", Kind::kString, true}}},
      {"tool_search.default", Form::kTable, {{"on", Kind::kBoolean, true}}},
      {"tool_search.variable",
       Form::kTable,
       {{"name", Kind::kString, true},
        {"on", Kind::kArray, true},
        {"off", Kind::kArray, true},
        {"auto", Kind::kString},
        {"auto_least", Kind::kInteger},
        {"auto_preloads", Kind::kInteger}}},
      {"tool_search.off_variable",
       Form::kTable,
       {{"name", Kind::kString, true}, {"value", Kind::kString, true}}},
      {"tool_search.over",
       Form::kTable,
       {{"most", Kind::kInteger, true}, {"own", Kind::kInteger, true}, {"preview", Kind::kString}}},
      {"tool_search.exempt",
       Form::kTable,
       {{"setting", Kind::kString, true}, {"tool_meta", Kind::kBoolean}}},
      {"tool.placement",
       Form::kTable,
       {{"role", Kind::kString, true},
        {"path", Kind::kString, true},
        {"deferred_path", Kind::kString}}},
      {"tool.name",
       Form::kTable,
       {{"form", Kind::kString},
        {"keeps", Kind::kString},
        {"replacement", Kind::kString},
        {"per", Kind::kString, false, {"utf16-unit", "code-point"}},
        {"runs", Kind::kBoolean},
        {"non_ascii", Kind::kString, false, {"replaced", "punycode"}},
        {"longest", Kind::kInteger},
        {"longest_sum", Kind::kInteger},
        {"over", Kind::kString, false, {"dropped", "sent", "unknown", "cut", "middle", "hashed"}},
        {"head", Kind::kInteger},
        {"tail", Kind::kInteger},
        {"infix", Kind::kString},
        {"hash", Kind::kString, false, {"sha1", "fnv1a-base36"}},
        {"hash_of", Kind::kString},
        {"hash_digits", Kind::kInteger},
        {"hash_changed", Kind::kBoolean},
        {"equal_names",
         Kind::kString,
         false,
         {"first-wins", "last-wins", "all-sent", "hashed", "fails"}}}},
      {"tool.announced",
       Form::kTable,
       {{"says", Kind::kString, true, {"nothing", "name", "first-line"}},
        {"role", Kind::kString},
        {"path", Kind::kString},
        {"before", Kind::kString},
        {"after", Kind::kString},
        {"quoted", Kind::kBoolean},
        {"size", Kind::kInteger},
        {"unit", Kind::kString, false, {"utf16", "code_points", "bytes"}},
        {"marker", Kind::kString},
        {"what", Kind::kString},
        {"with", Kind::kString}}},
      {"tool.count",
       Form::kTable,
       {{"most", Kind::kInteger, true},
        {"over", Kind::kString, true, {"first-sent", "refused", "unknown"}},
        {"says", Kind::kString}}},
      {"tool.never_sent", Form::kStrings, {}},
      {"tool.withheld",
       Form::kTable,
       {{"names", Kind::kArray, true}, {"says", Kind::kString, true}}},
      {"instructions.rewrite", Form::kTable, rewrite_keys()},
      {"tool.rewrite", Form::kTable, rewrite_keys()},
      {"tool.description.rewrite", Form::kTable, rewrite_keys()},
      {"tool.schema",
       Form::kTables,
       {{"step", Kind::kString, true, step_names()},
        {"members", Kind::kArray},
        {"at", Kind::kString, false, {"top", "everywhere"}},
        {"says", Kind::kString},
        {"member", Kind::kString},
        {"value", Kind::kString},
        {"name", Kind::kString},
        {"longest", Kind::kInteger},
        {"deepest", Kind::kInteger}}},
      {"tool.refused",
       Form::kTable,
       {{"without_object", Kind::kString, false, refusals},
        {"boolean_parameter", Kind::kString, false, refusals},
        {"invalid", Kind::kString, false, refusals},
        {"branches", Kind::kString, false, refusals},
        {"parameter_keeps", Kind::kString},
        {"parameter_longest", Kind::kInteger}}},
      {"handshake.first", Form::kTable, {{"method", Kind::kString, true, methods}}},
      {"handshake.variables",
       Form::kTables,
       {{"name", Kind::kString, true},
        {"value", Kind::kString, true},
        {"method", Kind::kString, true, methods}}},
      {"handshake.probe",
       Form::kTable,
       {{"answered", Kind::kString, false, {"goes-on", "restart"}},
        {"error", Kind::kString, true, next},
        {"refused_legacy_version", Kind::kString, false, next},
        {"refused_other_version", Kind::kString, false, next},
        {"result_without_ours", Kind::kString, false, next},
        {"wrong_shape", Kind::kString, false, next},
        {"silence", Kind::kString, false, next},
        {"silence_ms", Kind::kArray},
        {"nonsense", Kind::kString, false, next},
        {"exit", Kind::kString, false, next}}},
      {"handshake.initialize", Form::kTable, {{"offers", Kind::kString, true}}},
      {"wait.startup",
       Form::kTable,
       {{"first_request_waits", Kind::kBoolean, true},
        {"sure_ms", Kind::kInteger, true},
        {"later_request", Kind::kInteger},
        {"later_tools_request", Kind::kInteger},
        {"gives_up_ms", Kind::kArray},
        {"gives_up_starts", Kind::kInteger}}},
      {"wait.interactive", Form::kTable, {{"request", Kind::kInteger, true}}},
      {"wait.tool_search", Form::kTable, {{"request", Kind::kInteger, true}}},
      {"wait.variable",
       Form::kTable,
       {{"name", Kind::kString, true},
        {"honoured", Kind::kBoolean, true},
        {"value", Kind::kString},
        {"late_ms", Kind::kInteger},
        {"request", Kind::kInteger}}},
      {"servers.order",
       Form::kTable,
       {{"by", Kind::kString, true, {"name", "space", "configuration", "connection"}},
        {"case", Kind::kString, false, {"ignored", "matters"}}}},
      {"later.reconnect", Form::kTable, later_keys()},
      {"later.list_changed", Form::kTable, later_keys()},
      {"later.resume", Form::kTable, later_keys()},
      {"later.compaction", Form::kTable, later_keys()},
      {"later.subagent", Form::kTable, later_keys()}};
  return all;
}

const Shape* shape_of(std::string_view fact) {
  for (const Shape& shape : shapes())
    if (shape.fact == fact) return &shape;
  return nullptr;
}

tl::unexpected<Problem> wrong(const Node& node, std::string_view what, std::string_view expected) {
  return fail(
      {.code = "profile.shape",
       .message = fmt::format("{} is {}; expected {}", what, config::name(node.kind), expected),
       .place = node.source.text(),
       .hint = "docs/profiles.md has the shape of every fact"});
}

std::string choices_text(const std::vector<std::string_view>& choices) {
  return fmt::format("one of {}", fmt::join(choices, ", "));
}

Result<void> check_choice(const Node& node, const Key& key) {
  if (node.kind != Kind::kString) return wrong(node, key.name, "a string");
  if (std::ranges::find(key.choices, node.string) != key.choices.end()) return {};
  return fail({.code = "profile.shape",
               .message = fmt::format("{} is '{}'; expected {}", key.name, node.string,
                                      choices_text(key.choices)),
               .place = node.source.text(),
               .hint = {}});
}

Result<void> check_key(const Node& node, const Key& key) {
  if (node.kind != key.kind) return wrong(node, key.name, config::name(key.kind));
  if (key.kind == Kind::kInteger && node.integer < 0) {
    return fail({.code = "profile.shape",
                 .message = fmt::format("{} is {}; expected 0 or more", key.name, node.integer),
                 .place = node.source.text(),
                 .hint = {}});
  }
  if (key.choices.empty()) return {};
  if (key.kind == Kind::kString) return check_choice(node, key);
  for (const Node& element : node.elements) CUTLINE_TRY(check_choice(element, key));
  return {};
}

Result<void> check_table(const Node& node, const Shape& shape) {
  if (node.kind != Kind::kTable) return wrong(node, shape.fact, "a table");
  std::vector<std::string> allowed;
  allowed.reserve(shape.keys.size());
  for (const Key& key : shape.keys) allowed.emplace_back(key.name);
  CUTLINE_TRY(config::only_keys(node, allowed));
  for (const Key& key : shape.keys) {
    const Node* member = node.find(key.name);
    if (member) {
      CUTLINE_TRY(check_key(*member, key));
    } else if (key.required) {
      return fail({.code = "profile.shape",
                   .message = fmt::format("{} has no {} ({})", shape.fact, key.name,
                                          config::name(key.kind)),
                   .place = node.source.text(),
                   .hint = {}});
    }
  }
  return {};
}

Result<void> check_list(const Node& node, const Shape& shape) {
  if (node.kind != Kind::kArray) return wrong(node, shape.fact, "an array");
  for (const Node& element : node.elements) {
    if (shape.form == Form::kTables) {
      CUTLINE_TRY(check_table(element, shape));
    } else if (element.kind != Kind::kString) {
      return wrong(element, shape.fact, "an array of strings");
    }
  }
  return {};
}

/// Of some clients no more is known than how long names may be; a form is told whole or not at all.
Result<void> check_names(const Node& value) {
  std::vector<std::string_view> there, missing;
  for (const std::string_view key : {"form", "equal_names"})
    (value.find(key) ? there : missing).push_back(key);
  if (value.find("keeps") && !value.find("replacement")) missing.emplace_back("replacement");
  if (missing.empty() || (there.empty() && value.find("longest_sum"))) return {};
  return fail({.code = "profile.shape",
               .message = fmt::format("tool.name has no {}", missing.front()),
               .place = value.source.text(),
               .hint = "only longest_sum, with what is over it, can stand without a form"});
}

Result<void> check_steps(const Node& value) {
  for (const Node& node : value.elements) {
    const auto step = std::ranges::find(steps(), node.find("step")->string, &Step::name);
    for (const std::string_view key : step->needs) {
      if (node.find(key)) continue;
      return fail({.code = "profile.shape",
                   .message = fmt::format("the step '{}' has no {}", step->name, key),
                   .place = node.source.text(),
                   .hint = "docs/profiles.md has the steps of tool.schema"});
    }
    const Node* json = node.find("value");
    if (!json) continue;
    if (auto read = json::Document::parse(json->string); !read) {
      return fail({.code = "profile.shape",
                   .message = fmt::format("value is no JSON: {}", read.error().message),
                   .place = json->source.text(),
                   .hint = {}});
    }
  }
  return {};
}

}  // namespace

Result<void> check_fact_name(std::string_view name, const config::Source& source) {
  if (shape_of(name)) return {};
  std::vector<std::string> names;
  names.reserve(shapes().size());
  for (const Shape& shape : shapes()) names.emplace_back(shape.fact);
  const std::optional<std::string> near = nearest(name, names);
  return fail({.code = "profile.unknown_fact",
               .message = fmt::format("there is no fact '{}'", name),
               .place = source.text(),
               .hint = near ? fmt::format("did you mean '{}'?", *near)
                            : "docs/profiles.md lists the facts"});
}

Result<void> check_fact_value(std::string_view name, const Node& value) {
  const Shape& shape = *shape_of(name);
  switch (shape.form) {
    case Form::kTable:
      CUTLINE_TRY(check_table(value, shape));
      return name == "tool.name" ? check_names(value) : Result<void>{};
    case Form::kTableOrNone:
      if (value.kind == Kind::kString && value.string == "none") return {};
      if (value.kind != Kind::kTable) return wrong(value, name, "a table or \"none\"");
      return check_table(value, shape);
    case Form::kTables:
    case Form::kStrings:
      CUTLINE_TRY(check_list(value, shape));
      return name == "tool.schema" ? check_steps(value) : Result<void>{};
  }
  return {};
}

}  // namespace cutline::delivery
