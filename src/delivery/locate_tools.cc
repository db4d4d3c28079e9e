// locate_tools.cc: which tools are defined in the requests, under which name, with how much of
// their description.
//
// A definition belongs to the tool that has its full name; where several have it, to the one whose
// description it shows most of. A tool that is found under no name of its own may be there under
// another: then its description tells.
#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "delivery/locating.h"
#include "llm/told_tools.h"

namespace cutline::delivery {
namespace {

/// How much of a text a definition shows, and what it shows instead of the rest.
struct Shown {
  Arrived arrived;
  bool clean = false;  // whole, or a head with a known marker
  bool unknown_marker = false;
};

Shown compare_texts(std::string_view original, std::string_view shown,
                    const std::vector<std::string>& markers) {
  if (original == shown)
    return {.arrived = {.kept = original.size(), .marker = {}, .changed = {}}, .clean = true};
  for (const std::string& marker : markers) {
    if (!shown.ends_with(marker)) continue;
    const std::string_view head = shown.substr(0, shown.size() - marker.size());
    if (original.starts_with(head))
      return {.arrived = {.kept = head.size(), .marker = marker, .changed = {}}, .clean = true};
  }
  const auto [differs, unused] = std::ranges::mismatch(original, shown);
  const auto common = static_cast<std::size_t>(differs - original.begin());
  const std::size_t kept = text::prefix(original, text::Unit::kBytes, common).value;
  const std::string_view rest = shown.substr(kept);
  Shown result;
  result.arrived.kept = kept;
  result.unknown_marker = kept > 0 && rest.size() <= kMarkerBytesMax;
  if (result.unknown_marker) {
    result.arrived.marker = rest;
  } else {
    result.arrived.changed =
        shown.substr(0, text::prefix(shown, text::Unit::kBytes, kChangedBytesMax).value);
  }
  return result;
}

struct Definition {
  const llm::Tool* tool = nullptr;
  std::size_t request = 0;  // the first that has it, from 0
  bool claimed = false;

  /// Without the namespace that it may stand in.
  std::string_view bare_name() const {
    const std::size_t space = tool->space_bytes;
    constexpr std::string_view kBetween = "__";
    const std::string_view name = tool->name;
    return space == 0 ? name : name.substr(std::min(name.size(), space + kBetween.size()));
  }
};

/// A tool on its way.
struct Wanted {
  const Delivered* predicted = nullptr;
  Delivered piece;
  std::string full_name;
  bool surprise = false;  // not in the prediction
  std::size_t definition = std::string::npos;
};

class ToolLocator {
 public:
  ToolLocator(const Behaviour& behaviour, const Delivery& predicted, const Captured& captured)
      : behaviour_(behaviour), captured_(captured), markers_(known_markers(behaviour)) {
    for (const Delivered& piece : predicted.pieces)
      if (piece.piece.kind == PieceId::Kind::kTool) want(piece, false);
    unpredicted_ = only_in_the_other_era(predicted);
    for (const Delivered& piece : unpredicted_) want(piece, true);
    collect_definitions();
  }

  void run(Delivery& delivery) {
    claim_by_name();
    claim_by_text(delivery.notes);
    find_announced();
    for (Wanted& wanted : wanted_) {
      put(wanted);
      if (!wanted.surprise || wanted.piece.arrives())
        delivery.pieces.push_back(std::move(wanted.piece));
    }
  }

 private:
  void want(const Delivered& predicted, bool surprise) {
    Wanted wanted;
    wanted.surprise = surprise;
    wanted.predicted = &predicted;
    wanted.piece = not_arrived(predicted);
    wanted.full_name = full_tool_name(behaviour_, predicted.piece.server, predicted.piece.tool);
    wanted_.push_back(std::move(wanted));
  }

  /// Tools of the answers that the client is not predicted to use.
  std::vector<Delivered> only_in_the_other_era(const Delivery& predicted) const {
    std::unordered_set<std::string> known;
    const auto key = [](std::string_view server, std::string_view tool) {
      return fmt::format("{}\n{}", server, tool);
    };
    for (const Delivered& piece : predicted.pieces)
      known.insert(key(piece.piece.server, piece.piece.tool));
    std::vector<Delivered> pieces;
    for (const Configured& server : captured_.servers) {
      for (const mcp::Era era : {mcp::Era::kModern, mcp::Era::kLegacy}) {
        const mcp::EraOffer* offer = server.offer->era(era);
        if (!offer) continue;
        for (const mcp::Tool& tool : offer->tools) {
          if (!known.insert(key(server.name, tool.name)).second) continue;
          Delivered piece;
          piece.piece = {.kind = PieceId::Kind::kTool, .server = server.name, .tool = tool.name};
          piece.channel = Channel::kPreloadedTool;
          piece.state = State::kNever;
          piece.era = era;
          if (tool.description) piece.original = tool.description->value;
          if (tool.description) piece.whole = tool.description->length;
          pieces.push_back(std::move(piece));
        }
      }
    }
    return pieces;
  }

  void collect_definitions() {
    // Within one request equal names are several definitions; over requests they are one.
    std::unordered_map<std::string_view, std::size_t> defined;
    for (std::size_t i = 0; i < captured_.requests.size(); ++i) {
      std::unordered_map<std::string_view, std::size_t> here;
      told_.push_back(llm::told_tools(captured_.requests[i]));
      for (const std::span<const llm::Tool> tools :
           {std::span(captured_.requests[i].tools), std::span(std::as_const(told_.back()))}) {
        for (const llm::Tool& tool : tools) {
          if (++here[tool.name] <= defined[tool.name]) continue;
          ++defined[tool.name];
          define(tool, i);
        }
      }
    }
  }

  void define(const llm::Tool& tool, std::size_t request) {
    by_name_[tool.name].push_back(definitions_.size());
    definitions_.push_back({.tool = &tool, .request = request});
    // Some clients put the server's name into both, the namespace and the tool's.
    const std::string_view bare = definitions_.back().bare_name();
    if (bare != tool.name) by_name_[bare].push_back(definitions_.size() - 1);
  }

  // --- Which definition is whose

  void claim_by_name() {
    std::unordered_map<std::string_view, std::vector<std::size_t>> sharing;
    for (std::size_t i = 0; i < wanted_.size(); ++i) sharing[wanted_[i].full_name].push_back(i);
    for (const auto& [name, tools] : sharing) {
      const auto found = by_name_.find(name);
      if (found == by_name_.end()) continue;
      for (const std::size_t definition : found->second) {
        if (const std::optional<std::size_t> owner = owner_of(definition, tools))
          claim(*owner, definition);
      }
      for (const std::size_t tool : tools)
        if (wanted_[tool].definition == std::string::npos) refuse(wanted_[tool]);
    }
  }

  /// The first of those that are still without whose description is shown best.
  std::optional<std::size_t> owner_of(std::size_t definition,
                                      const std::vector<std::size_t>& tools) const {
    std::optional<std::size_t> owner;
    std::pair<bool, std::size_t> most;
    for (const std::size_t tool : tools) {
      if (wanted_[tool].definition != std::string::npos) continue;
      const Shown shown = compare_texts(wanted_[tool].piece.original,
                                        definitions_[definition].tool->description, markers_);
      const std::pair<bool, std::size_t> quality(shown.clean, shown.arrived.kept);
      if (owner && quality <= most) continue;
      owner = tool;
      most = quality;
    }
    return owner;
  }

  void claim(std::size_t tool, std::size_t definition) {
    wanted_[tool].definition = definition;
    definitions_[definition].claimed = true;
  }

  static void refuse(Wanted& wanted) {
    wanted.piece.never = Never::kNameCollides;
    wanted.piece.reason = fmt::format("the definition of {} is another tool's", wanted.full_name);
  }

  /// The client may have given a tool another name than the profile says.
  void claim_by_text(std::vector<std::string>& notes) {
    std::unordered_map<std::string_view, std::vector<std::size_t>> by_head;
    for (std::size_t i = 0; i < definitions_.size(); ++i) {
      const std::string_view text = definitions_[i].tool->description;
      if (!definitions_[i].claimed && text.size() >= kHeadBytesMin)
        by_head[text.substr(0, kHeadBytesMin)].push_back(i);
    }
    std::size_t compared = 0;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const Wanted& wanted = wanted_[i];
      if (wanted.definition != std::string::npos || wanted.piece.never == Never::kNameCollides ||
          wanted.piece.original.size() < kHeadBytesMin)
        continue;
      const auto candidates = by_head.find(wanted.piece.original.substr(0, kHeadBytesMin));
      if (candidates == by_head.end()) continue;
      for (const std::size_t definition : candidates->second) {
        if (definitions_[definition].claimed) continue;
        if (++compared > kRenamedComparedMax) {
          notes.emplace_back("there were too many tools to look for all of them under other names");
          return;
        }
        const std::string_view shown = definitions_[definition].tool->description;
        if (!compare_texts(wanted.piece.original, shown, markers_).clean) continue;
        claim(i, definition);
        break;
      }
    }
  }

  // --- Tools that are only named

  static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  }

  /// As a word of its own, or as a whole line where it has other characters.
  void find_announced() {
    for (const Wanted& wanted : wanted_)
      if (wanted.definition == std::string::npos) announced_.emplace(wanted.full_name, kNowhere);
    if (announced_.empty()) return;
    for (std::size_t i = 0; i < captured_.requests.size(); ++i) {
      for (const llm::Part& part : captured_.requests[i].parts)
        if (part.role != llm::Role::kAssistant) read_names(part.text, i);
      for (const llm::Tool& tool : captured_.requests[i].tools)
        if (llm::is_search(tool)) read_names(tool.description, i);
    }
  }

  void read_names(std::string_view text, std::size_t request) {
    const auto see = [&](std::string_view word) {
      const auto known = announced_.find(word);
      if (known != announced_.end()) known->second = std::min(known->second, request);
    };
    std::size_t line = 0, word = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const bool end = i == text.size();
      if (end || !in_name(text[i])) {
        if (i > word) see(text.substr(word, i - word));
        word = i + 1;
      }
      if (end || text[i] == '\n') {
        see(text.substr(line, i - line));
        line = i + 1;
      }
    }
  }

  // --- Pieces

  void put(Wanted& wanted) {
    Delivered& piece = wanted.piece;
    if (wanted.definition != std::string::npos) {
      put_definition(wanted, definitions_[wanted.definition]);
      return;
    }
    if (piece.never == Never::kNameCollides) return;
    const auto named = announced_.find(wanted.full_name);
    if (named == announced_.end() || named->second == kNowhere) {
      put_missing(piece, *wanted.predicted, captured_.requests.size());
      return;
    }
    piece.full_name = wanted.full_name;
    piece.channel = Channel::kDeferredTool;
    piece.state = State::kDeferred;
    piece.request = named->second + 1;
    piece.reason = "only its name is in the requests; the model did not ask for the definition";
  }

  void put_definition(Wanted& wanted, const Definition& definition) {
    Delivered& piece = wanted.piece;
    const llm::Tool& tool = *definition.tool;
    use_the_text_shown(wanted, tool.description);
    const bool bare = wanted.full_name == definition.bare_name();
    piece.full_name = bare ? wanted.full_name : tool.name;
    piece.schema = tool.schema;
    piece.channel = tool.deferred ? Channel::kDeferredTool : Channel::kPreloadedTool;
    piece.request = definition.request + 1;
    if (tool.deferred) {
      piece.state = State::kDeferred;
    } else {
      piece.state = definition.request == 0 ? State::kAtStart : State::kInRequest;
      if (definition.request > 0) piece.reason = fmt::format("first in request {}", piece.request);
    }
    piece.where = {.role = "tools", .path = tool.path, .form = {}};
    Shown shown = compare_texts(piece.original, tool.description, markers_);
    if (shown.unknown_marker) {
      piece.reason = "what follows what was kept is no marker that the profile knows";
    } else if (!shown.clean) {
      piece.reason = fmt::format("the text was changed from byte {} on", shown.arrived.kept);
    }
    put_arrived(piece, *wanted.predicted, std::move(shown.arrived));
  }

  /// A server may describe a tool differently in its two eras.
  void use_the_text_shown(Wanted& wanted, std::string_view description) const {
    Delivered& piece = wanted.piece;
    if (compare_texts(piece.original, description, markers_).clean) return;
    for (const Configured& server : captured_.servers) {
      if (server.name != piece.piece.server) continue;
      for (const mcp::Era era : {mcp::Era::kModern, mcp::Era::kLegacy}) {
        const mcp::EraOffer* offer = server.offer->era(era);
        if (!offer || piece.era == era) continue;
        const auto tool = std::ranges::find(offer->tools, piece.piece.tool, &mcp::Tool::name);
        if (tool == offer->tools.end() || !tool->description ||
            !compare_texts(tool->description->value, description, markers_).clean)
          continue;
        piece.era = era;
        piece.original = tool->description->value;
        piece.whole = tool->description->length;
        return;
      }
    }
  }

  static constexpr std::size_t kNowhere = std::string::npos;

  const Behaviour& behaviour_;
  const Captured& captured_;
  std::vector<std::string> markers_;
  std::deque<std::vector<llm::Tool>> told_;  // of each request, in results of searches
  std::vector<Delivered> unpredicted_;
  std::vector<Wanted> wanted_;
  std::vector<Definition> definitions_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name_;
  std::map<std::string, std::size_t, std::less<>> announced_;  // full name -> first request
};

}  // namespace

void locate_tools(const Behaviour& behaviour, const Delivery& predicted, const Captured& captured,
                  Delivery& delivery) {
  ToolLocator(behaviour, predicted, captured).run(delivery);
}

}  // namespace cutline::delivery
