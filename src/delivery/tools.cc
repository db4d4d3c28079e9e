// tools.cc: what becomes of a server's tools: their full names, their channel, their descriptions.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "base/number.h"
#include "delivery/behaviour.h"
#include "delivery/names.h"
#include "text/rewrite.h"

namespace cutline::delivery {
namespace {

// --- Channels -----------------------------------------------------------------------------------

bool contains(const config::Node* list, std::string_view value) {
  return list && std::ranges::any_of(list->elements, [&](const config::Node& element) {
           return element.string == value;
         });
}

/// UTF-16 units of all descriptions, which is what "auto" weighs (with the schemas, which it is not
/// known to count).
std::size_t description_units(const std::vector<Connected>& servers) {
  std::size_t units = 0;
  for (const Connected& server : servers) {
    for (const mcp::Tool& tool : server.offer->tools)
      if (tool.description) units += tool.description->length.utf16.value;
  }
  return units;
}

SearchState by_variable(const Behaviour& behaviour, const config::Node& fact,
                        std::string_view value, const std::vector<Connected>& servers) {
  if (contains(fact.find("on"), value)) return {.search = Search::kOn, .reason = {}};
  if (contains(fact.find("off"), value)) return {.search = Search::kOff, .reason = {}};
  const config::Node* preloads = fact.find("auto_preloads");
  const bool by_size = is_auto(fact, value);
  const std::size_t units = description_units(servers);
  if (by_size && preloads && units <= static_cast<std::size_t>(preloads->integer))
    return {.search = Search::kOff, .reason = {}};
  const std::string& name = fact.find("name")->string;
  if (by_size) {
    return {.reason = fmt::format("{} = {} defers from some size on; where was not measured beyond "
                                  "{} characters, and these tools have {}",
                                  name, value, preloads ? with_separators(preloads->integer) : "0",
                                  with_separators(static_cast<std::int64_t>(units)))};
  }
  return {.reason = fmt::format("what {} makes of {} = {} is not known", behaviour.program(), name,
                                value)};
}

/// Is a tool kept out of deferral? Nothing where the version was not tried.
std::optional<bool> exempt(const Behaviour& behaviour, const mcp::Tool& tool) {
  const bool set = kept_out_of_search(behaviour);
  if (!set && !tool.always_load) return false;
  const config::Node* fact = behaviour.value("tool_search.exempt");
  if (!fact) return std::nullopt;
  if (set) return true;
  const config::Node* meta = fact->find("tool_meta");
  return meta ? std::optional(meta->boolean) : std::nullopt;
}

// --- Pieces -------------------------------------------------------------------------------------

struct Channels {
  ChannelBudget preloaded, deferred;
  Placement at_start, fetched;
};

void place(Delivered& piece, const Channels& channels, const Connected& server, bool deferred) {
  piece.channel = deferred ? Channel::kDeferredTool : Channel::kPreloadedTool;
  piece.where = deferred ? channels.fetched : channels.at_start;
  piece.state =
      deferred && server.arrival.state == State::kAtStart ? State::kDeferred : server.arrival.state;
  piece.never = server.arrival.never;
  piece.request = server.arrival.request;
  piece.reason = server.arrival.reason;
}

/// The description in one of the channels.
void put_description(const Behaviour& behaviour, Delivered& piece, const mcp::Tool& tool,
                     const ChannelBudget& budget) {
  static const mcp::ServerText kNone;
  constexpr std::string_view kOfDescriptions = "tool.description.rewrite";
  put_text(behaviour, behaviour.value(kOfDescriptions) ? kOfDescriptions : "tool.rewrite", piece,
           tool.description ? *tool.description : kNone, budget);
}

/// Tools that go by a name of the client's own, which it does not use in this kind of session (the
/// fact tool.withheld). Which they are on a terminal is not known.
void withhold(const Behaviour& behaviour, const std::vector<Delivered*>& tools) {
  const config::Node* fact = behaviour.value("tool.withheld");
  if (!fact) return;
  const bool known = !behaviour.situation().interactive;
  for (Delivered* tool : tools) {
    const bool named = std::ranges::any_of(
        fact->find("names")->elements,
        [&](const config::Node& name) { return name.string == tool->piece.tool; });
    if (!named || !tool->arrives()) continue;
    tool->state = known ? State::kNever : State::kUnknown;
    tool->never = known ? Never::kWithheld : Never::kNo;
    tool->reason = fmt::format("{}: {}", behaviour.program(), fact->find("says")->string);
  }
}

/// Where it is not known which way a tool takes: what holds for both ways. Cut in both, it loses at
/// least what it loses in the wider one; cut in one only, nothing is sure.
Delivered deliver_either_way(const Behaviour& behaviour, Delivered piece, const mcp::Tool& tool,
                             const Channels& channels, const std::string& reason) {
  Delivered deferred = piece;
  deferred.channel = Channel::kDeferredTool;
  put_description(behaviour, piece, tool, channels.preloaded);
  put_description(behaviour, deferred, tool, channels.deferred);
  const bool known = piece.arrives() && deferred.arrives();
  if (!known || piece.cut.has_value() != deferred.cut.has_value()) {
    piece.state = State::kUnknown;
    piece.reason = known ? reason + "; in one of the two ways it is cut" : reason;
    piece.cut.reset();
    piece.kept = {};
    piece.marker.clear();
    return piece;
  }
  Delivered& wider = piece.kept.size() < deferred.kept.size() ? deferred : piece;
  if (wider.state == State::kAtStart) wider.state = State::kAtStartOrDeferred;
  wider.reason = reason;
  return std::move(wider);
}

/// Some versions build their first requests without anything of servers while tool search is on.
void wait_for_search(const Behaviour& behaviour, Delivered& piece) {
  const std::int64_t request = behaviour.integer("wait.tool_search", "request").value_or(1);
  if (piece.request >= static_cast<std::size_t>(request)) return;
  piece.request = static_cast<std::size_t>(request);
  piece.reason =
      fmt::format("with tool search on, its name comes with request {} at the earliest", request);
}

/// A tool with its name and its way, and without its text.
struct Begun {
  Delivered piece;
  const mcp::Tool* tool = nullptr;
  bool one_way = true, deferred = false;
};

Begun begin_tool(const Behaviour& behaviour, const SearchState& search, const Channels& channels,
                 const Connected& server, const mcp::Tool& tool, const NameRules& names) {
  Begun begun;
  Delivered& piece = begun.piece;
  piece.piece = {
      .kind = PieceId::Kind::kTool, .server = std::string(server.server), .tool = tool.name};
  piece.era = server.offer->era;
  piece.schema = tool.input_schema;
  piece.schema_rule = behaviour.fact("tool.schema").fact;
  piece.full_name = names.full(server.server,
                               rewritten(behaviour, "tool.rewrite", tool.name).value_or(tool.name));
  const std::optional<bool> kept_out =
      search.search == Search::kOff ? std::optional(true) : exempt(behaviour, tool);
  begun.tool = &tool;
  begun.deferred = search.search == Search::kOn && kept_out == false;
  begun.one_way = kept_out == true || (kept_out && search.search != Search::kUnknown);
  place(piece, channels, server, begun.deferred);
  if (begun.deferred && piece.state == State::kDeferred) wait_for_search(behaviour, piece);
  if (tool.name.empty() && piece.arrives()) {
    piece.state = State::kUnknown;
    piece.reason =
        fmt::format("what {} makes of a tool without a name is not known", behaviour.program());
  }
  return begun;
}

/// Some clients hand a long result of their search on in part, or as a file (the fact
/// tool.search_result).
void doubt_long_result(const Behaviour& behaviour, Delivered& piece) {
  const std::optional<std::int64_t> whole = behaviour.integer("tool.search_result", "whole");
  if (!whole || !piece.arrives()) return;
  if (piece.whole.utf16.value + piece.schema.size() <= static_cast<std::size_t>(*whole)) return;
  piece.state = State::kUnknown;
  piece.reason =
      fmt::format("{}: {}", behaviour.program(), behaviour.text("tool.search_result", "says"));
}

Delivered finish_tool(const Behaviour& behaviour, const SearchState& search,
                      const Channels& channels, Begun begun) {
  // What is settled already does not hang on the way that the tool would take.
  if (begun.one_way || !begun.piece.arrives()) {
    put_description(behaviour, begun.piece, *begun.tool,
                    begun.deferred ? channels.deferred : channels.preloaded);
    if (begun.deferred) doubt_long_result(behaviour, begun.piece);
    return std::move(begun.piece);
  }
  return deliver_either_way(
      behaviour, std::move(begun.piece), *begun.tool, channels,
      !search.reason.empty()
          ? search.reason
          : fmt::format("whether {} knows alwaysLoad is not known", behaviour.program()));
}

/// How many tools one request may have (the fact tool.count), over all servers, in their order.
/// Tools that are left out for another reason do not count.
void settle_count(const Behaviour& behaviour, const std::vector<Delivered*>& tools) {
  const std::optional<std::int64_t> most = behaviour.integer("tool.count", "most");
  if (!most) return;
  std::vector<Delivered*> counted;
  std::ranges::copy_if(tools, std::back_inserter(counted),
                       [](const Delivered* tool) { return tool->state != State::kNever; });
  const std::size_t room = static_cast<std::size_t>(*most);
  if (counted.size() <= room) return;
  const std::string_view over = behaviour.text("tool.count", "over");
  const std::string_view says = behaviour.text("tool.count", "says");
  const std::string program = behaviour.program(), limit = with_separators(*most);
  const std::string source = says.empty() ? "" : fmt::format(" ({})", says);
  const bool refused = over == "refused", unknown = over == "unknown";
  const std::string reason =
      refused   ? fmt::format("with more than {} tools the whole request of {} is refused{}", limit,
                              program, source)
      : unknown ? fmt::format("what {} makes of more than {} tools is not known{}", program, limit,
                              source)
                : fmt::format("{} sends the first {} tools of all servers together{}", program,
                              limit, source);
  for (std::size_t i = refused ? 0 : room; i < counted.size(); ++i) {
    counted[i]->state = unknown ? State::kUnknown : State::kNever;
    counted[i]->never = unknown ? Never::kNo : Never::kTooManyTools;
    counted[i]->reason = reason;
  }
}

}  // namespace

bool is_auto(const config::Node& fact, std::string_view value) {
  const config::Node* word = fact.find("auto");
  if (!word || !value.starts_with(word->string)) return false;
  value.remove_prefix(word->string.size());
  if (value.empty()) return true;
  if (value[0] != ':') return false;
  int percent = -1;
  const auto [end, error] = std::from_chars(value.data() + 1, value.data() + value.size(), percent);
  const config::Node* least = fact.find("auto_least");
  return error == std::errc{} && end == value.data() + value.size() &&
         percent >= (least ? least->integer : 0);
}

std::optional<bool> are_many(const Behaviour& behaviour, const std::vector<Connected>& servers) {
  const std::optional<std::int64_t> most = behaviour.integer("tool_search.over", "most");
  if (!most) return std::nullopt;
  std::set<std::string> names;  // equal ones stand there once
  for (const Connected& server : servers)
    for (const mcp::Tool& tool : server.offer->tools)
      names.insert(full_tool_name(behaviour, server.server, tool.name));
  const auto own = static_cast<std::size_t>(*behaviour.integer("tool_search.over", "own"));
  return own + names.size() > static_cast<std::size_t>(*most);
}

SearchState search_state(const Behaviour& behaviour, const std::vector<Connected>& servers) {
  const config::Node* off = behaviour.value("tool_search.off_variable");
  if (off && behaviour.variable(off->find("name")->string) == off->find("value")->string)
    return {.search = Search::kOff, .reason = {}};
  const config::Node* variable = behaviour.value("tool_search.variable");
  const std::optional<std::string_view> set =
      variable ? behaviour.variable(variable->find("name")->string) : std::nullopt;
  if (set && !set->empty()) return by_variable(behaviour, *variable, *set, servers);
  const std::optional<bool> on = behaviour.truth("tool_search.default", "on");
  if (on) {
    const bool searched = *on && are_many(behaviour, servers).value_or(true);
    return {.search = searched ? Search::kOn : Search::kOff, .reason = {}};
  }
  if (behaviour.values_anywhere("tool_search.default").empty())
    return {.reason = fmt::format("how {} loads tools is not known", behaviour.program())};
  return {.reason = fmt::format("whether tool search is on in {} is not known for this kind of "
                                "session",
                                behaviour.program())};
}

std::string full_tool_name(const Behaviour& behaviour, std::string_view server,
                           std::string_view tool) {
  return NameRules(behaviour).full(
      server, rewritten(behaviour, "tool.rewrite", tool).value_or(std::string(tool)));
}

void deliver_tools(const Behaviour& behaviour, const SearchState& search,
                   const std::vector<Connected>& servers, std::vector<Delivered>& pieces) {
  const Channels channels = {
      .preloaded = budget_of(behaviour, Channel::kPreloadedTool),
      .deferred = budget_of(behaviour, Channel::kDeferredTool),
      .at_start = {.role = std::string(behaviour.text("tool.placement", "role")),
                   .path = std::string(behaviour.text("tool.placement", "path")),
                   .form = {}},
      .fetched = {.role = std::string(behaviour.text("tool.placement", "role")),
                  .path = std::string(behaviour.text("tool.placement", "deferred_path")),
                  .form = {}}};
  const NameRules names(behaviour);
  std::vector<Begun> begun;
  std::size_t tools = 0;
  for (const Connected& server : servers) tools += server.offer->tools.size();
  begun.reserve(tools);
  std::vector<OfferedTool> offered(tools);
  for (const Connected& server : servers) {
    const std::size_t first = begun.size();
    for (const mcp::Tool& tool : server.offer->tools)
      begun.push_back(begin_tool(behaviour, search, channels, server, tool, names));
    for (std::size_t i = first; i < begun.size(); ++i)
      offered[i] = {.tool = begun[i].tool, .piece = &begun[i].piece};
    settle_schemas(behaviour, std::span(offered).subspan(first, begun.size() - first));
  }
  std::vector<Delivered*> named;
  named.reserve(tools);
  for (Begun& one : begun) named.push_back(&one.piece);
  withhold(behaviour, named);
  names.settle(named);
  settle_count(behaviour, named);
  pieces.reserve(pieces.size() + tools);
  for (Begun& one : begun)
    pieces.push_back(finish_tool(behaviour, search, channels, std::move(one)));
}

bool kept_out_of_search(const Behaviour& behaviour) {
  return std::ranges::any_of(behaviour.values_anywhere("tool_search.exempt"),
                             [&](const config::Node* exempt) {
                               return behaviour.setting(exempt->find("setting")->string) == "true";
                             });
}

}  // namespace cutline::delivery
