// shapes_table.cc: one table of all facts.
#include "delivery/shapes_table.h"

namespace cutline::delivery {
namespace {

using config::Kind;

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
  static const std::vector<Key> keys = {
      {"sends", Kind::kArray, true, {"old", "new"}, ArrayOf::kAnyStrings},
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

}  // namespace

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
       {{"step",
         Kind::kString,
         true,
         {"keep", "drop", "add", "set", "add-parameter", "rewrite", "nullable", "const-to-enum",
          "infer-types", "type-objects", "drop-unused-definitions", "compact", "fold",
          "unknown-with"}},
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
        {"silence_ms", Kind::kArray, false, {}, ArrayOf::kRange},
        {"nonsense", Kind::kString, false, next},
        {"exit", Kind::kString, false, next}}},
      {"handshake.initialize", Form::kTable, {{"offers", Kind::kString, true}}},
      {"wait.startup",
       Form::kTable,
       {{"first_request_waits", Kind::kBoolean, true},
        {"sure_ms", Kind::kInteger, true},
        {"later_request", Kind::kInteger},
        {"later_tools_request", Kind::kInteger},
        {"gives_up_ms", Kind::kArray, false, {}, ArrayOf::kRange},
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

std::vector<Choice> choices_of(std::string_view fact) {
  if (fact == "tool.announced")
    return {{"says",
             "first-line",
             {"role", "path", "size", "unit"},
             {"quoted", "marker", "what", "with"}}};
  if (fact.ends_with(".rewrite"))
    return {{"as", "indented", {"by"}, {"trim"}}, {"as", "replaced", {"what", "with"}}};
  if (fact != "tool.schema") return {};
  return {{"step", "keep", {"members"}, {"at"}},
          {"step", "drop", {"members"}, {"at"}},
          {"step", "add", {"member", "value"}},
          {"step", "set", {"member", "value"}},
          {"step", "add-parameter", {"name"}},
          {"step", "rewrite", {}},
          {"step", "nullable", {}},
          {"step", "const-to-enum", {}},
          {"step", "infer-types", {}},
          {"step", "type-objects", {}},
          {"step", "drop-unused-definitions", {}},
          {"step", "compact", {"longest", "deepest"}},
          {"step", "fold", {"members"}},
          {"step", "unknown-with", {"members"}, {"at", "says"}}};
}

}  // namespace cutline::delivery
