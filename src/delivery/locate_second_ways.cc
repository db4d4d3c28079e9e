// locate_second_ways.cc: what stands in the requests of texts that the model meets twice.
//
// A tool that is deferred is looked for by its full name in the first request, where the profile
// says that it is announced, and otherwise anywhere: then what follows on the line counts as its
// description only if it begins as that does. Instructions are looked for among the descriptions of
// namespaces, where a search has brought them.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "delivery/locating.h"
#include "text/rewrite.h"

namespace cutline::delivery {
namespace {

using Says = SecondWay::Says;

/// A name in a text of the first request.
struct Mention {
  const llm::Part* part = nullptr;
  std::size_t begin = 0, end = 0;
  bool framed = false;  // as the profile says that tools are announced
};

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

/// How much of the original a text shows that need not have been written as it is sent.
std::size_t units_shown(std::string_view original, std::string_view shown) {
  const auto [differs, unused] = std::ranges::mismatch(original, shown);
  const auto common = static_cast<std::size_t>(differs - original.begin());
  const std::size_t kept = text::prefix(original, text::Unit::kBytes, common).value;
  return text::measure(original.substr(0, kept)).utf16.value;
}

/// A reminder is a text of its own, and begins as the profile says.
std::string role_of(const Behaviour& behaviour, const llm::Part& part) {
  const std::string_view opening = behaviour.text("instructions.frame.reminder", "opening");
  const bool reminder = part.role == llm::Role::kUser && !opening.empty() &&
                        part.text.starts_with(text::trimmed(opening));
  return role_word(part.role, reminder);
}

Placement place_of(const Behaviour& behaviour, const llm::Part& part) {
  constexpr std::string_view kText = ".text";
  std::string path = part.path;
  if (path.ends_with(kText)) path.resize(path.size() - kText.size());
  return {.role = role_of(behaviour, part), .path = std::move(path), .form = {}};
}

class AnnouncementLocator {
 public:
  AnnouncementLocator(const Behaviour& behaviour, const llm::Request& request)
      : behaviour_(behaviour),
        request_(request),
        after_(behaviour.text("tool.announced", "after")) {
    // The client's own search may tell them, too.
    for (const llm::Tool& tool : request.tools)
      if (!tool.deferred)
        tools_.push_back({.role = llm::Role::kTool,
                          .path = tool.path + ".description",
                          .text = tool.description});
  }

  void want(Delivered& piece, const Delivered* predicted) {
    wanted_[piece.full_name].push_back({&piece, predicted});
  }

  void run() {
    if (wanted_.empty()) return;
    for (const llm::Part& part : request_.parts)
      if (part.role != llm::Role::kAssistant) read(part);
    for (const llm::Part& part : tools_) read(part);
    for (auto& [name, tools] : wanted_) {
      const auto found = mentions_.find(name);
      for (const auto& [piece, predicted] : tools)
        piece->also =
            found == mentions_.end() ? SecondWay{} : said(found->second, *piece, predicted);
    }
  }

 private:
  struct Wanted {
    Delivered* piece = nullptr;
    const Delivered* predicted = nullptr;
  };

  /// Names stand there as words, or as whole lines where they have other characters.
  void read(const llm::Part& part) {
    const std::string_view text = part.text;
    std::size_t line = 0, word = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const bool end = i == text.size();
      if (end || !in_name(text[i])) {
        if (i > word) see(part, word, i);
        word = i + 1;
      }
      if (end || text[i] == '\n') {
        if (i > line) see(part, line, i);
        line = i + 1;
      }
    }
  }

  void see(const llm::Part& part, std::size_t begin, std::size_t end) {
    const std::string_view text = part.text;
    const auto wanted = wanted_.find(text.substr(begin, end - begin));
    if (wanted == wanted_.end()) return;
    Mention mention = {.part = &part, .begin = begin, .end = end};
    const std::string before = announced_before(behaviour_, wanted->first);
    const std::size_t name = before.find(wanted->first);
    mention.framed =
        name != before.npos && begin >= name && text.substr(begin - name).starts_with(before);
    const auto [known, is_new] = mentions_.try_emplace(wanted->first, mention);
    if (!is_new && mention.framed && !known->second.framed) known->second = mention;
  }

  SecondWay said(const Mention& mention, const Delivered& piece, const Delivered* predicted) const {
    const std::string_view text = mention.part->text;
    SecondWay way;
    way.says = Says::kName;
    way.where = place_of(behaviour_, *mention.part);
    std::string_view rest = text.substr(mention.end);
    rest = rest.substr(0, rest.find('\n'));
    if (mention.framed) {
      way.says = Says::kHead;
      way.before = announced_before(behaviour_, piece.full_name);
      const std::size_t name_end = way.before.find(piece.full_name) + piece.full_name.size();
      rest.remove_prefix(way.before.size() - name_end);
    } else {
      const std::string_view head = piece.original.substr(
          0, text::prefix(piece.original, text::Unit::kBytes, kHeadBytesMin).value);
      const std::size_t at = head.empty() ? rest.npos : rest.find(head);
      if (at == rest.npos) return way;
      way.says = Says::kHead;
      rest.remove_prefix(at);
    }
    if (!after_.empty() && rest.ends_with(after_)) {
      way.after = after_;
      rest.remove_suffix(after_.size());
    }
    way.text = rest;
    const bool as_predicted = predicted && predicted->also && predicted->also->text == way.text;
    way.units = as_predicted ? predicted->also->units : units_shown(piece.original, rest);
    return way;
  }

  const Behaviour& behaviour_;
  const llm::Request& request_;
  std::vector<llm::Part> tools_;  // their descriptions
  std::string after_;
  std::unordered_map<std::string_view, std::vector<Wanted>> wanted_;  // by full name
  std::unordered_map<std::string_view, Mention> mentions_;
};

/// The description of a namespace that shows most of the text, in the requests after the one that
/// first has it.
void locate_searched(const Behaviour& behaviour, std::span<const llm::Request> requests,
                     Delivered& piece) {
  std::size_t most = std::min(kHeadBytesMin, piece.original.size());
  for (const llm::Request& request : requests.subspan(piece.request)) {
    for (const llm::Part& part : request.parts) {
      if (part.role != llm::Role::kNamespace || part.text.empty()) continue;
      const auto [differs, unused] = std::ranges::mismatch(piece.original, part.text);
      const auto common = static_cast<std::size_t>(differs - piece.original.begin());
      if (common < most || (piece.also && common == most)) continue;
      most = common;
      SecondWay way;
      way.says = part.text == piece.original ? Says::kWhole : Says::kHead;
      way.state = State::kDeferred;
      way.where = place_of(behaviour, part);
      if (way.says == Says::kHead) {
        way.text = part.text;
        way.units = units_shown(piece.original, part.text);
      }
      piece.also = std::move(way);
    }
  }
}

}  // namespace

void locate_second_ways(const Behaviour& behaviour, const Delivery& predicted,
                        const Captured& captured, Delivery& delivery) {
  if (captured.requests.empty()) return;
  AnnouncementLocator announcements(behaviour, captured.requests.front());
  for (Delivered& piece : delivery.pieces) {
    if (piece.piece.kind == PieceId::Kind::kInstructions) {
      const bool early = (piece.state == State::kAtStart || piece.state == State::kInRequest) &&
                         piece.request <= captured.requests.size() && !piece.original.empty();
      if (early) locate_searched(behaviour, captured.requests, piece);
    } else if (piece.channel == Channel::kDeferredTool && piece.arrives()) {
      announcements.want(piece, predicted.tool(piece.piece.server, piece.piece.tool));
    }
  }
  announcements.run();
}

}  // namespace cutline::delivery
