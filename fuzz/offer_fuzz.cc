// offer_fuzz.cc: what is read as an offer, our own file or a dump, is written and read again
// without a difference.
#include <algorithm>

#include "base/assert.h"
#include "base/utf8.h"
#include "mcp/offer_json.h"

namespace {

using namespace cutline;

void check(const std::optional<mcp::ServerText>& text) {
  if (!text) return;
  CUTLINE_ASSERT(is_valid_utf8(text->value));
  CUTLINE_ASSERT(text->length == text::measure(text->value));
}

void check(const mcp::Offer& offer) {
  CUTLINE_ASSERT((offer.outcome != mcp::Outcome::kServes) || offer.any());
  for (const mcp::Era era : {mcp::Era::kLegacy, mcp::Era::kModern}) {
    const mcp::EraOffer* of = offer.era(era);
    if (!of) continue;
    CUTLINE_ASSERT(of->era == era);
    check(of->instructions);
    for (const mcp::Tool& tool : of->tools) check(tool.description);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  const Result<mcp::Offer> offer = mcp::read_offer(file, "fuzz.json");
  if (!offer) {
    CUTLINE_ASSERT(offer.error().code.starts_with("offer."));
    CUTLINE_ASSERT(offer.error().place.starts_with("fuzz.json"));
    return 0;
  }
  check(*offer);
  // A schema stands one level deeper in an offer than in some dumps.
  const auto opens = [](char c) { return c == '[' || c == '{'; };
  if (std::ranges::count_if(file, opens) > 500) return 0;
  const std::string written = mcp::write_offer(*offer);
  const Result<mcp::Offer> again = mcp::read_offer(written, "again.json");
  CUTLINE_ASSERT(again && *again == *offer);
  CUTLINE_ASSERT(mcp::write_offer(*again) == written);
  return 0;
}
