// put_text.cc: a text on its way: written anew, cut.
#include "base/utf8.h"
#include "delivery/behaviour.h"
#include "text/rewrite.h"

namespace cutline::delivery {
namespace {

/// As the server sends it, or as it was written anew.
void put_as_it_is(Delivered& piece, std::string_view text, const text::Place& length,
                  const ChannelBudget& budget) {
  piece.original = text;
  piece.whole = length;
  piece.because = budget.because;
  if (!piece.arrives()) return;
  if (!budget.known) {
    piece.state = State::kUnknown;
    piece.reason = "the limit of this channel is not known for this version";
    return;
  }
  piece.kept = piece.original;
  piece.budget = budget.budget;
  if (!piece.budget) return;
  piece.cut = text::cut(piece.original, piece.whole, *piece.budget);
  if (!piece.cut) return;
  piece.kept = piece.original.substr(0, piece.cut->at.bytes.value);
  if (piece.cut->marker) piece.marker = piece.budget->marker;
  if (piece.cut->pair_protected && budget.keeps_half) piece.marker.insert(0, kReplacementCharacter);
}

}  // namespace

std::optional<std::string> rewritten(const Behaviour& behaviour, std::string_view rule,
                                     std::string_view sent) {
  const std::string_view as = behaviour.text(rule, "as");
  std::string anew(sent);
  if (as == "nfkc-without-invisible") anew = text::nfkc_without_invisible(sent);
  if (as == "indented") {
    const auto by = static_cast<std::size_t>(behaviour.integer(rule, "by").value_or(0));
    anew = text::indented(
        behaviour.truth(rule, "trim").value_or(false) ? text::trimmed(sent) : sent, by);
  }
  if (as == "trimmed") anew = text::trimmed(sent);
  if (as == "replaced")
    anew = text::replaced(sent, behaviour.text(rule, "what"), behaviour.text(rule, "with"));
  if (anew == sent) return std::nullopt;
  return anew;
}

std::shared_ptr<const Rewritten::Text> Rewritten::of(const Behaviour& behaviour,
                                                     std::string_view rule, std::string_view sent) {
  const config::Node* fact = behaviour.value(rule);
  if (!fact || sent.empty()) return nullptr;
  const auto [place, is_new] = known_.try_emplace({rules_.first_like(*fact), sent.data()});
  if (is_new) {
    if (auto anew = delivery::rewritten(behaviour, rule, sent)) {
      const text::Place length = text::measure(*anew);
      place->second = std::make_shared<const Text>(Text{*std::move(anew), length});
    }
  }
  return place->second;
}

void put_text(const Behaviour& behaviour, std::string_view rule, Delivered& piece,
              const mcp::ServerText& text, const ChannelBudget& budget) {
  Rewritten for_this_alone;
  Rewritten& kept = behaviour.rewritten() ? *behaviour.rewritten() : for_this_alone;
  auto written = kept.of(behaviour, rule, text.value);
  // Words of the client, where the server has none.
  const std::string_view instead = behaviour.text(rule, "empty");
  if (!instead.empty() && (written ? written->value : text.value).empty()) {
    std::string words = text::replaced(text::replaced(instead, "{tool}", piece.piece.tool),
                                       "{server}", piece.piece.server);
    const text::Place length = text::measure(words);
    written = std::make_shared<const Rewritten::Text>(Rewritten::Text{std::move(words), length});
  }
  if (!written) return put_as_it_is(piece, text.value, text.length, budget);
  put_as_it_is(piece, written->value, written->length, budget);
  piece.rewriting = {.as = std::string(behaviour.text(rule, "as")),
                     .text = std::shared_ptr<const std::string>(written, &written->value),
                     .sent = text.length};
}

}  // namespace cutline::delivery
