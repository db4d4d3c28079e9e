// verify.cc: which facts a cell exercises, and which ones a difference speaks against.
#include "run/verify.h"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "delivery/schemas.h"

namespace cutline::run {
namespace {

using delivery::Channel;
using delivery::Delivered;
using delivery::Fact;
using delivery::PieceId;
using delivery::State;

/// "No limit" is only worth saying of a text that others would cut.
constexpr std::size_t kLongUnits = 16'384;
/// A start that takes so long is one that a client could have gone ahead of.
constexpr double kSlowStartMs = 1'000;

using Pieces = std::vector<const Delivered*>;

Pieces pieces_of(const delivery::Delivery& delivery, PieceId::Kind kind) {
  Pieces pieces;
  for (const Delivered& piece : delivery.pieces)
    if (piece.piece.kind == kind) pieces.push_back(&piece);
  return pieces;
}

bool any(const Pieces& pieces, const std::function<bool(const Delivered&)>& is) {
  return std::ranges::any_of(pieces, [&](const Delivered* piece) { return is(*piece); });
}

/// Of the tools predicted those that the model asked for, where it had to; of the others no more
/// was seen than their names.
Pieces seen_tools(const delivery::Delivery& predicted, const delivery::Delivery& measured) {
  Pieces tools = pieces_of(predicted, PieceId::Kind::kTool);
  std::erase_if(tools, [&](const Delivered* tool) {
    const Delivered* found = measured.tool(tool->piece.server, tool->piece.tool);
    return found && found->only_named();
  });
  return tools;
}

/// A text that the limit cuts; where there is none, a long one that is whole.
bool exercises_budget(const Fact& fact, const Pieces& pieces, Channel channel) {
  const bool limit = fact.value.kind == config::Kind::kTable;
  return any(pieces, [&](const Delivered& piece) {
    if (!piece.arrives() || piece.channel != channel) return false;
    return limit ? piece.cut.has_value() : !piece.cut && piece.whole_units() >= kLongUnits;
  });
}

bool is_set(const Judged& cell, std::string_view variable) {
  return delivery::last_of(cell.cell->variables, variable).has_value() ||
         delivery::last_of(cell.cell->settings, variable).has_value();
}

bool names_a_switch_that_is_set(const Fact& fact, const Judged& cell) {
  const auto set = [&](const config::Node& table) {
    const config::Node* name = table.find("name");
    if (!name) name = table.find("setting");
    return name && is_set(cell, name->string);
  };
  return set(fact.value) || std::ranges::any_of(fact.value.elements, set);
}

bool arrives(const Delivered& piece) { return piece.arrives(); }
bool is_late(const Delivered& piece) { return piece.state == State::kInRequest; }
bool is_rewritten(const Delivered& piece) { return piece.rewriting.has_value(); }
bool has_text(const Delivered& piece) { return !piece.original.empty(); }

bool is_odd(const Delivered& piece) {
  return piece.never == delivery::Never::kEmpty || piece.never == delivery::Never::kNoTools ||
         (piece.arrives() && piece.original.find_first_not_of(" \t\r\n") == std::string_view::npos);
}

bool is_refused(const Delivered& piece) { return piece.never == delivery::Never::kSchemaRefused; }

/// A schema that the client changes; where it changes none, any.
bool exercises_schema(const Fact& fact, const Pieces& tools) {
  return any(tools, [&](const Delivered& tool) {
    if (!tool.arrives()) return false;
    const delivery::SentSchema sent = delivery::sent_schema(tool);
    return sent.known && (fact.value.elements.empty() || !sent.changes.empty());
  });
}

bool is_cut_to_a_share(const Delivered& piece) {
  return piece.because && std::ranges::any_of(*piece.because, [](const delivery::Found& found) {
           return found.fact && found.fact->name == "instructions.shared";
         });
}

/// Was the second way of a text measured?
bool any_also(const Judged& cell, PieceId::Kind kind) {
  return std::ranges::any_of(cell.evaluation->measured.pieces, [&](const Delivered& piece) {
    return piece.piece.kind == kind && piece.also.has_value();
  });
}

bool slow_start(const Judged& cell) {
  return std::ranges::any_of(cell.evaluation->servers, [](const ServerEvidence& server) {
    const auto& ready_us = server.handshake.ready_us;
    return ready_us && static_cast<double>(*ready_us) / 1e3 >= kSlowStartMs;
  });
}

/// All members that the fact names were looked for.
bool was_searched(const Fact& fact, const Judged& cell) {
  const std::vector<std::string>& searched = cell.evaluation->members_searched;
  return std::ranges::all_of(fact.value.elements, [&](const config::Node& member) {
    return std::ranges::find(searched, member.string) != searched.end();
  });
}

bool offers_a_version(const Judged& cell) {
  return std::ranges::any_of(cell.evaluation->servers, [](const ServerEvidence& server) {
    return server.handshake.offers.has_value();
  });
}

/// A server that is given up, and a first request that left only then.
bool gave_up(const Fact& fact, const Judged& cell) {
  const config::Node* limit = fact.value.find("gives_up_ms");
  if (fact.name != "wait.startup" || !limit || cell.evaluation->stopped) return false;
  const auto waited_us = cell.evaluation->conversed.front().at_us;
  return waited_us >= limit->elements.front().integer * 1'000 &&
         std::ranges::any_of(cell.evaluation->servers,
                             [](const ServerEvidence& server) { return !server.handshake.era; });
}

bool asks_discover(const Judged& cell) {
  return cell.evaluation->measured.handshake.starts_with("server/discover");
}

bool is_withheld(const Delivered& piece) { return piece.never == delivery::Never::kWithheld; }

bool stops_the_client(const Delivered& piece) {
  return piece.never == delivery::Never::kNameCollides;
}

/// A test of one fact, or of all whose names end or begin so.
struct Test {
  std::string_view fact;
  std::function<bool(const Fact&, const Judged&, const Pieces& instructions, const Pieces& tools)>
      exercised;
};

// One table; it is as long as there are facts.
// NOLINTNEXTLINE(readability-function-size)
const std::vector<Test>& tests() {
  using C = const Judged&;
  using F = const Fact&;
  using P = const Pieces&;
  static const auto kSwitch = [](F fact, C cell, P, P) {
    return names_a_switch_that_is_set(fact, cell);
  };
  // What is looked up only where it was compared.
  static const auto kAlways = [](F, C, P, P) { return true; };
  static const auto kArriving = [](F, C, P instructions, P) { return any(instructions, arrives); };
  static const auto kArrivingTools = [](F, C, P, P tools) { return any(tools, arrives); };
  static const std::vector<Test> all = {
      {"instructions.delivered", [](F, C, P texts, P) { return any(texts, has_text); }},
      {"instructions.budget",
       [](F fact, C, P texts, P) { return exercises_budget(fact, texts, Channel::kInstructions); }},
      {"tool.preloaded.budget",
       [](F fact, C, P, P tools) {
         return exercises_budget(fact, tools, Channel::kPreloadedTool);
       }},
      {"tool.deferred.budget",
       [](F fact, C, P, P tools) { return exercises_budget(fact, tools, Channel::kDeferredTool); }},
      {"instructions.shared",
       [](F, C, P texts, P) { return texts.size() > 1 && any(texts, is_cut_to_a_share); }},
      {"instructions.searched",
       [](F, C cell, P, P) { return any_also(cell, PieceId::Kind::kInstructions); }},
      {"tool.announced", [](F, C cell, P, P) { return any_also(cell, PieceId::Kind::kTool); }},
      {"tool_search.over", kArrivingTools},
      {"instructions.placement", kArriving},
      {"instructions.placement.later", [](F, C, P texts, P) { return any(texts, is_late); }},
      {"instructions.frame", kArriving},
      {"instructions.frame.reminder", kArriving},
      {"instructions.odd", [](F, C, P texts, P) { return any(texts, is_odd); }},
      {"instructions.rewrite", [](F, C, P texts, P) { return any(texts, is_rewritten); }},
      {"tool.description.rewrite", [](F, C, P, P tools) { return any(tools, is_rewritten); }},
      // Whole up to there; of what is longer nothing is predicted.
      {"tool.search_result",
       [](F fact, C, P, P tools) {
         const std::int64_t whole = fact.value.find("whole")->integer;
         return any(tools, [&](const Delivered& tool) {
           return tool.arrives() && static_cast<std::int64_t>(tool.whole_units()) * 10 > whole * 9;
         });
       }},
      {"tool.withheld", [](F, C, P, P tools) { return any(tools, is_withheld); }},
      {"tool.rewrite", [](F, C, P, P tools) { return any(tools, is_rewritten); }},
      {"tool_search.default", kArrivingTools},
      {"tool.placement", kArrivingTools},
      {"tool.name",
       [](F, C, P, P tools) { return any(tools, arrives) || any(tools, stops_the_client); }},
      {"tool.never_sent", [](F fact, C cell, P, P) { return was_searched(fact, cell); }},
      {"tool.schema", [](F fact, C, P, P tools) { return exercises_schema(fact, tools); }},
      {"tool.refused",
       [](F, C, P texts, P tools) { return any(texts, is_refused) || any(tools, is_refused); }},
      {"handshake.first", [](F, C, P, P) { return true; }},
      {"handshake.initialize", [](F, C cell, P, P) { return offers_a_version(cell); }},
      {"handshake.probe", [](F, C cell, P, P) { return asks_discover(cell); }},
      {"wait.startup",
       [](F fact, C cell, P, P) { return slow_start(cell) || gave_up(fact, cell); }},
      {"wait.tool_search", kArriving},
      {"wait.interactive", [](F, C cell, P, P) { return cell.cell->sessions.front().interactive; }},
      {"servers.order",
       [](F, C cell, P texts, P) {
         const auto at_start = [](const Delivered* piece) {
           return piece->state == State::kAtStart;
         };
         return cell.evaluation->predicted.order_known &&
                std::ranges::count_if(texts, at_start) > 1;
       }},
      {"model.default",
       [](F fact, C cell, P, P) {
         return cell.evaluation->conversation.front().model == fact.value.find("id")->string;
       }},
      {"budget.variable", kSwitch},
      {"instructions.placement.variable", kSwitch},
      {"tool_search.variable", kSwitch},
      {"tool_search.off_variable", kSwitch},
      {"tool_search.exempt", kSwitch},
      {"handshake.variables", kSwitch},
      {"wait.variable", kSwitch},
      {"model.sent", kAlways},
      {"later.resume", kAlways},
      {"later.reconnect", kAlways},
      {"later.compaction", kAlways},
      {"later.subagent", kAlways},
  };
  return all;
}

const Test* test_of(std::string_view fact) {
  const auto found = std::ranges::find(tests(), fact, &Test::fact);
  return found == tests().end() ? nullptr : &*found;
}

/// Was the cell's prediction made from it?
bool rests_on(const Judged& cell, const Fact& fact) {
  const auto& consulted = cell.evaluation->predicted.consulted;
  return std::ranges::find(consulted, &fact) != consulted.end() || gave_up(fact, cell);
}

bool is_usable(const Judged& cell) { return cell.evaluation && cell.problem.empty(); }

std::string words_of(const Delivered& piece, std::string_view aspect) {
  if (aspect.ends_with("budget"))
    return piece.cut ? fmt::format("{}+{}", piece.kept_units(), piece.marker) : "whole";
  if (aspect.ends_with("placement"))
    return fmt::format("{} {} {}", piece.where.role, piece.where.path, piece.where.form);
  if (aspect.starts_with("instructions.frame"))
    return fmt::format("{}|{}|{}|{}", piece.frame.opening, piece.frame.before, piece.frame.after,
                       piece.frame.closing);
  if (aspect == "tool.name") return piece.full_name;
  if (aspect == "tool.schema") return std::string(piece.schema);
  if (aspect.ends_with("rewrite")) return piece.text();
  return fmt::format("{} {}", delivery::name(piece.state), piece.request);
}

/// A channel that no tool takes in this client has no limit that could be tested.
bool nothing_takes(Channel channel, const std::vector<Judged>& cells) {
  return std::ranges::none_of(cells, [&](const Judged& cell) {
    return is_usable(cell) &&
           any(pieces_of(cell.evaluation->measured, PieceId::Kind::kTool),
               [&](const Delivered& piece) { return piece.arrives() && piece.channel == channel; });
  });
}

bool no_instructions(const std::vector<Judged>& cells) {
  return std::ranges::none_of(cells, [](const Judged& cell) {
    return is_usable(cell) &&
           any(pieces_of(cell.evaluation->measured, PieceId::Kind::kInstructions), arrives);
  });
}

std::string why_not_tested(const Fact& fact, const std::vector<Judged>& cells) {
  if (fact.unknown) return "nobody knows it";
  if (fact.name == "model.default") return "a run asks for its model by name";
  if (fact.name == "later.list_changed") return "no server of a cell says that its lists changed";
  if (fact.name == "tool.deferred.budget" && nothing_takes(Channel::kDeferredTool, cells))
    return "no tool was deferred";
  if (fact.name == "tool.preloaded.budget" && nothing_takes(Channel::kPreloadedTool, cells))
    return "no tool was sent at the start";
  if (fact.name == "servers.order" && no_instructions(cells))
    return "no instructions arrive that could be in an order";
  return test_of(fact.name) ? "no cell exercises it" : "it is not compared";
}

}  // namespace

std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"confirmed", "contradicted", "not-tested"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::vector<std::string_view> facts_behind(const delivery::Difference& difference) {
  const bool tool = difference.piece.kind == PieceId::Kind::kTool;
  const std::string_view what = difference.what;
  if (what == "handshake" || what == "process-starts" || what == "connection")
    return {"handshake.first", "handshake.probe", "handshake.variables", "instructions.odd",
            "wait.startup"};
  if (what == "order") return {"servers.order"};
  if (what == "offers") return {"handshake.initialize"};
  if (what == "model") return {"model.sent"};
  if (what == "sub-agent") return {"later.subagent"};
  if (what == "member") return {"tool.never_sent"};
  if (what == "later") return {"later.resume", "later.reconnect", "later.compaction"};
  if (what == "name") return {"tool.name"};
  if (what.starts_with("schema")) return {"tool.schema"};
  if (what.starts_with("announcement")) return {"tool.announced"};
  if (what.starts_with("search")) return {"instructions.searched"};
  if (what.starts_with("frame")) return {"instructions.frame", "instructions.frame.reminder"};
  if (what == "place" && tool) return {"tool.placement"};
  if (what == "place")
    return {"instructions.placement", "instructions.placement.later",
            "instructions.placement.variable", "model.sent"};
  if (what == "text" && tool)
    return {"tool.preloaded.budget", "tool.deferred.budget", "tool.rewrite",
            "tool.description.rewrite", "budget.variable"};
  if (what == "text")
    return {"instructions.budget", "instructions.shared", "instructions.rewrite",
            "budget.variable"};
  if (tool)
    return {"tool_search.default", "tool_search.variable", "tool_search.off_variable",
            "tool_search.exempt",  "tool_search.over",     "tool.name",
            "tool.refused",        "tool.withheld",        "wait.startup"};
  return {"instructions.delivered", "instructions.odd", "tool.refused",    "wait.startup",
          "wait.variable",          "wait.tool_search", "wait.interactive"};
}

bool exercises(const Fact& fact, const Judged& cell) {
  const Test* test = test_of(fact.name);
  if (!test || fact.unknown || !is_usable(cell) || !rests_on(cell, fact)) return false;
  const delivery::Delivery& predicted = cell.evaluation->predicted;
  return test->exercised(fact, cell, pieces_of(predicted, PieceId::Kind::kInstructions),
                         seen_tools(predicted, cell.evaluation->measured));
}

std::string measured_aspect(std::string_view fact, const Evaluation& evaluation) {
  const delivery::Delivery& measured = evaluation.measured;
  if (fact.starts_with("handshake")) return measured.handshake;
  const bool tools = fact.starts_with("tool");
  const auto kind = tools ? PieceId::Kind::kTool : PieceId::Kind::kInstructions;
  std::string aspect;
  for (const Delivered* piece : pieces_of(measured, kind)) {
    if (fact == "tool.preloaded.budget" && piece->channel != Channel::kPreloadedTool) continue;
    if (fact == "tool.deferred.budget" && piece->channel != Channel::kDeferredTool) continue;
    const bool by_state = words_of(*piece, fact) == words_of(*piece, "state");
    if (!piece->arrives() && !by_state) continue;
    aspect += fmt::format("{} {}: {}\n", piece->piece.server, piece->piece.tool,
                          fact == "servers.order" ? "" : words_of(*piece, fact));
  }
  return aspect;
}

std::vector<FactVerdict> verify(const delivery::Profile& profile, const Version& version,
                                const std::vector<Judged>& cells) {
  const Version& nearest = std::clamp(version, profile.first, profile.last);
  std::vector<FactVerdict> verdicts;
  for (const Fact& fact : profile.facts) {
    if (!fact.versions.contains(nearest)) continue;
    FactVerdict verdict;
    verdict.fact = &fact;
    for (const Judged& cell : cells) {
      if (!is_usable(cell) || !rests_on(cell, fact)) continue;
      bool differs = false;
      for (const delivery::Difference& difference : cell.evaluation->comparison.differences) {
        const std::vector<std::string_view> behind = facts_behind(difference);
        if (std::ranges::find(behind, fact.name) == behind.end()) continue;
        differs = true;
        verdict.against.push_back({.cell = cell.cell->key(), .difference = difference});
      }
      if (!differs && exercises(fact, cell)) verdict.confirming.push_back(cell.cell->key());
    }
    if (!verdict.against.empty()) {
      verdict.verdict = Verdict::kContradicted;
    } else if (!verdict.confirming.empty()) {
      verdict.verdict = Verdict::kConfirmed;
    } else {
      verdict.reason = why_not_tested(fact, cells);
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace cutline::run
