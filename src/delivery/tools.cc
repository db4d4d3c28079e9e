// tools.cc: what becomes of a server's tools: their full names, their channel, their descriptions.
#include <algorithm>
#include <bitset>
#include <charconv>
#include <unordered_set>

#include <fmt/format.h>

#include "base/number.h"
#include "delivery/behaviour.h"
#include "text/rewrite.h"

namespace cutline::delivery {
namespace {

// --- Names ------------------------------------------------------------------------------------

/// Characters of a class such as "A-Za-z0-9_-": ranges, and '-' where it stands last.
std::bitset<128> characters(std::string_view ranges) {
  std::bitset<128> set;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const unsigned char from = static_cast<unsigned char>(ranges[i]);
    const bool range = i + 2 < ranges.size() && ranges[i + 1] == '-';
    const unsigned char to = range ? static_cast<unsigned char>(ranges[i + 2]) : from;
    for (unsigned c = from; c <= to && c < set.size(); ++c) set.set(c);
    if (range) i += 2;
  }
  return set;
}

/// Everything outside `keeps` replaced, once a UTF-16 unit (as a JavaScript expression does).
std::string mangle(std::string_view name, const std::bitset<128>& keeps,
                   std::string_view replacement) {
  std::string out;
  for (const char c : name) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && keeps.test(byte)) {
      out += c;
    } else if (byte < 0x80 || byte >= 0xC0) {  // once for each character, not for its tail bytes
      out += replacement;
      if (byte >= 0xF0) out += replacement;
    }
  }
  return out;
}

std::string replace_all(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

class Names {
 public:
  explicit Names(const Behaviour& behaviour)
      : program_(behaviour.program()),
        form_(behaviour.text("tool.name", "form")),
        keeps_(characters(behaviour.text("tool.name", "keeps"))),
        replacement_(behaviour.text("tool.name", "replacement")),
        over_(behaviour.text("tool.name", "over")),
        first_wins_(behaviour.text("tool.name", "equal_names") == "first-wins"),
        longest_(behaviour.integer("tool.name", "longest")) {}

  std::string full(std::string_view server, std::string_view tool) const {
    if (form_.empty()) return std::string(tool);
    const std::string with_server =
        replace_all(form_, "{server}", mangle(server, keeps_, replacement_));
    return replace_all(with_server, "{tool}", mangle(tool, keeps_, replacement_));
  }

  /// Refuses or doubts the piece if its name is too long or taken.
  void judge(Delivered& piece) {
    const std::size_t length = text::measure(piece.full_name).utf16.value;
    const bool over = longest_ && length > static_cast<std::size_t>(*longest_);
    if (over && over_ == "dropped") {
      refuse(piece, Never::kNameRefused,
             fmt::format("its full name has {}; {} leaves out those over {}",
                         count(length, "character"), program_, with_separators(*longest_)));
    } else if (over && over_ != "sent") {
      piece.state = State::kUnknown;
      piece.reason =
          fmt::format("whether {} sends a name of {} characters is not known", program_, length);
    } else if (first_wins_ && !taken_.insert(piece.full_name).second) {
      refuse(piece, Never::kNameCollides,
             fmt::format("an earlier tool has the same full name, {}", piece.full_name));
    }
  }

 private:
  static void refuse(Delivered& piece, Never why, std::string reason) {
    piece.state = State::kNever;
    piece.never = why;
    piece.reason = std::move(reason);
  }

  std::string program_, form_;
  std::bitset<128> keeps_;
  std::string replacement_;
  std::string_view over_;
  bool first_wins_;
  std::optional<std::int64_t> longest_;
  std::unordered_set<std::string> taken_;
};

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
  const bool set = std::ranges::any_of(
      behaviour.values_anywhere("tool_search.exempt"), [&](const config::Node* exempt) {
        return behaviour.setting(exempt->find("setting")->string) == "true";
      });
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

/// A text of a tool as the client writes it anew; nothing where it leaves it alone, or where that
/// is not known.
std::optional<std::string> rewritten(const Behaviour& behaviour, std::string_view sent) {
  if (behaviour.text("tool.rewrite", "as") != "nfkc-without-invisible") return std::nullopt;
  std::string anew = text::nfkc_without_invisible(sent);
  if (anew == sent) return std::nullopt;
  return anew;
}

/// The description in one of the channels.
void put_description(const Behaviour& behaviour, Delivered& piece, const mcp::Tool& tool,
                     const ChannelBudget& budget) {
  static const mcp::ServerText kNone;
  const mcp::ServerText& sent = tool.description ? *tool.description : kNone;
  std::optional<std::string> anew = rewritten(behaviour, sent.value);
  if (!anew) return put_text(piece, sent, budget);
  const mcp::ServerText text = mcp::server_text(*anew);
  put_text(piece, text, budget);
  // The views are of a text that is about to go: the same places in the one that stays.
  auto held = std::make_shared<const std::string>(*std::move(anew));
  piece.kept = std::string_view(*held).substr(0, piece.kept.size());
  piece.original = *held;
  piece.rewritten = std::move(held);
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

Delivered deliver_tool(const Behaviour& behaviour, const SearchState& search,
                       const Channels& channels, const Connected& server, const mcp::Tool& tool,
                       Names& names) {
  Delivered piece;
  piece.piece = {
      .kind = PieceId::Kind::kTool, .server = std::string(server.server), .tool = tool.name};
  piece.era = server.offer->era;
  piece.full_name = names.full(server.server, rewritten(behaviour, tool.name).value_or(tool.name));
  const std::optional<bool> kept_out =
      search.search == Search::kOff ? std::optional(true) : exempt(behaviour, tool);
  const bool deferred = search.search == Search::kOn && kept_out == false;
  place(piece, channels, server, deferred);
  if (piece.arrives()) names.judge(piece);
  const bool one_way = kept_out == true || (kept_out && search.search != Search::kUnknown);
  if (one_way) {
    put_description(behaviour, piece, tool, deferred ? channels.deferred : channels.preloaded);
    return piece;
  }
  return deliver_either_way(
      behaviour, std::move(piece), tool, channels,
      !search.reason.empty()
          ? search.reason
          : fmt::format("whether {} knows alwaysLoad is not known", behaviour.program()));
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

SearchState search_state(const Behaviour& behaviour, const std::vector<Connected>& servers) {
  const config::Node* off = behaviour.value("tool_search.off_variable");
  if (off && behaviour.variable(off->find("name")->string) == off->find("value")->string)
    return {.search = Search::kOff, .reason = {}};
  const config::Node* variable = behaviour.value("tool_search.variable");
  const std::optional<std::string_view> set =
      variable ? behaviour.variable(variable->find("name")->string) : std::nullopt;
  if (set && !set->empty()) return by_variable(behaviour, *variable, *set, servers);
  const std::optional<bool> on = behaviour.truth("tool_search.default", "on");
  if (on) return {.search = *on ? Search::kOn : Search::kOff, .reason = {}};
  return {.reason = fmt::format("whether tool search is on in {} is not known for this kind of "
                                "session",
                                behaviour.program())};
}

std::string full_tool_name(const Behaviour& behaviour, std::string_view server,
                           std::string_view tool) {
  return Names(behaviour).full(server, rewritten(behaviour, tool).value_or(std::string(tool)));
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
  Names names(behaviour);
  std::size_t tools = pieces.size();
  for (const Connected& server : servers) tools += server.offer->tools.size();
  pieces.reserve(tools);
  for (const Connected& server : servers) {
    for (const mcp::Tool& tool : server.offer->tools)
      pieces.push_back(deliver_tool(behaviour, search, channels, server, tool, names));
  }
}

}  // namespace cutline::delivery
