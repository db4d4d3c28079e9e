// verdict.cc: what an interview comes to, in one word and one sentence.
#include <utility>

#include <fmt/format.h>

#include "mcp/interview_state.h"
#include "mcp/requests.h"
#include "mcp/words.h"

namespace cutline::mcp {

void Interview::State::finish(Outcome otherwise, std::string why, Time now) {
  const bool serves = modern_complete_ || legacy_complete_;
  offer_.outcome = serves ? Outcome::kServes : otherwise;
  offer_.outcome_detail = serves ? serves_words() : std::move(why);
  offer_.times.total = now - began_;
  offer_.times.process_starts = lives_;
  phase_ = Phase::kDone;
  phase_deadline_.reset();
  session_.reset();
  listing_.reset();
}

Offer Interview::State::take_offer(Time now) {
  if (phase_ != Phase::kDone) {
    const std::string why =
        fmt::format("interrupted after {}{}", time_words(now - began_),
                    session_ ? fmt::format(" while {} was waited for", waiting_for()) : "");
    if (listing_) listing_->give_up("interrupted", listed(), incidents_);
    finish(Outcome::kHangs, why, now);
  }
  offer_.incidents = incidents_.take();
  return std::move(offer_);
}

std::string Interview::State::serves_words() const {
  std::vector<std::string> eras;
  const auto add = [&eras](const std::optional<EraOffer>& era, bool complete,
                           std::string_view method) {
    if (!era) return;
    eras.push_back(fmt::format("{} ({}{})", era->protocol_version, method,
                               complete ? "" : ", but the tools are not all listed"));
  };
  add(offer_.modern, modern_complete_, method::kDiscover);
  add(offer_.legacy, legacy_complete_, method::kInitialize);
  return "it speaks " + joined(eras);
}

std::string Interview::State::waiting_for() const {
  if (listing_) return listing_->waiting_for();
  return std::string(phase_ == Phase::kInitializing ? method::kInitialize : method::kDiscover);
}

std::string Interview::State::with_seen(std::string why) const {
  const std::string seen = session_ ? session_->seen() : std::string();
  return seen.empty() ? why : fmt::format("{}; {}", why, seen);
}

std::string Interview::State::silence_words(Time now) const {
  if (doubted_ && phase_ != Phase::kListing)
    return fmt::format("{} instead of the answer to {}", doubt_, waiting_for());
  std::string why;
  if (phase_ == Phase::kInitializing && offer_.probe.answer == ProbeAnswer::kSilence &&
      probe_ != 0) {
    why = fmt::format("no answer to server/discover within {}, nor to initialize within {} more",
                      time_words(offer_.probe.elapsed), time_words(now - asked_at_));
  } else {
    why = fmt::format("no answer to {} within {}", waiting_for(), time_words(now - asked_at_));
  }
  if (phase_ == Phase::kInitializing && offer_.probe.answer != ProbeAnswer::kSilence &&
      !probe_words_.empty()) {
    why = fmt::format("{}; {}", why, probe_words_);
  }
  const bool mute = session_ && !session_->answered() && session_->seen().empty();
  return mute ? why + "; nothing came on its standard output" : with_seen(std::move(why));
}

std::string Interview::State::did_not_start_words(std::string_view end) const {
  return fmt::format("it {} before it answered anything{}", end,
                     lives_ > 1 ? ", also when it was started again" : "");
}

std::string Interview::State::echo_words() {
  return "it sends back what it is sent, so it is no MCP server";
}

}  // namespace cutline::mcp
