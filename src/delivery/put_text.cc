// put_text.cc: a text on its way: written anew, cut.
#include "delivery/behaviour.h"
#include "text/rewrite.h"

namespace cutline::delivery {
namespace {

/// As the server sends it, or as it was written anew.
void put_as_it_is(Delivered& piece, const mcp::ServerText& text, const ChannelBudget& budget) {
  piece.original = text.value;
  piece.whole = text.length;
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

void put_text(const Behaviour& behaviour, std::string_view rule, Delivered& piece,
              const mcp::ServerText& text, const ChannelBudget& budget) {
  std::optional<std::string> anew = rewritten(behaviour, rule, text.value);
  // Words of the client, where the server has none.
  const std::string_view instead = behaviour.text(rule, "empty");
  if (!instead.empty() && anew.value_or(text.value).empty()) {
    anew = text::replaced(text::replaced(instead, "{tool}", piece.piece.tool), "{server}",
                          piece.piece.server);
  }
  if (!anew) return put_as_it_is(piece, text, budget);
  const mcp::ServerText written = mcp::server_text(*anew);
  put_as_it_is(piece, written, budget);
  // The views are of a text that is about to go: the same places in the one that stays.
  auto held = std::make_shared<const std::string>(*std::move(anew));
  piece.kept = std::string_view(*held).substr(0, piece.kept.size());
  piece.original = *held;
  piece.rewriting = {
      .as = std::string(behaviour.text(rule, "as")), .text = std::move(held), .sent = text.length};
}

}  // namespace cutline::delivery
