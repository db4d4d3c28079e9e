// interview.cc: from the start of a life to the end of a handshake; what follows from each answer,
// from silence and from death.
//
// One rule stands behind most of it: a legacy server may do anything at all when it is asked for
// server/discover, so nothing but a modern answer is held against it. What it did is kept in the
// offer, as other clients are less patient.
#include "mcp/interview.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "mcp/interview_state.h"
#include "mcp/requests.h"
#include "mcp/words.h"

namespace cutline::mcp {

// --- Interview: the door ------------------------------------------------------------------------

Interview::Interview(InterviewOptions options, Time now)
    : state_(std::make_unique<State>(options, now)) {}
Interview::Interview(Interview&&) noexcept = default;
Interview& Interview::operator=(Interview&&) noexcept = default;
Interview::~Interview() = default;

Interview::Wants Interview::wants() const { return state_->wants(); }
std::string Interview::take_output() { return state_->take_output(); }
Time Interview::deadline() const { return state_->deadline(); }
void Interview::started(Time now) { state_->started(now); }
void Interview::received(std::string_view bytes, Time now) { state_->received(bytes, now); }
void Interview::blocked(std::size_t bytes_waiting) { state_->blocked(bytes_waiting); }
void Interview::ended(std::optional<Exit> exit, Time now) { state_->ended(exit, now); }
void Interview::tick(Time now) { state_->tick(now); }

Offer Interview::take_offer(Time now) {
  const std::unique_ptr<State> state = std::move(state_);
  return state->take_offer(now);
}

namespace {

constexpr std::array<std::pair<EraWish, std::string_view>, 4> kWishes = {
    {{EraWish::kAuto, "auto"},
     {EraWish::kBoth, "both"},
     {EraWish::kLegacy, "legacy"},
     {EraWish::kModern, "modern"}}};

/// How server/discover was answered, as the end of "it answers server/discover with …".
std::string probe_answer_words(const ProbeVerdict& verdict, const wire::Message& message) {
  const std::string versions = quoted(joined(verdict.versions));
  if (message.error) {
    const std::string words = error_words(*message.error);
    return verdict.versions.empty() ? words : fmt::format("{}, naming {}", words, versions);
  }
  if (verdict.answer == ProbeAnswer::kWrongShape)
    return fmt::format("a result that is no DiscoverResult ({})", verdict.flaw);
  return fmt::format("the versions {}", versions);
}

}  // namespace

std::string_view name(EraWish wish) {
  return std::ranges::find(kWishes, wish, &std::pair<EraWish, std::string_view>::first)->second;
}

std::optional<EraWish> era_wish_named(std::string_view name) {
  const auto known =
      std::ranges::find(kWishes, name, &std::pair<EraWish, std::string_view>::second);
  if (known == kWishes.end()) return std::nullopt;
  return known->first;
}

// --- Lives --------------------------------------------------------------------------------------

Interview::State::State(InterviewOptions options, Time now)
    : options_(options), began_(now), life_began_(now) {
  begin_life(now, options_.era != EraWish::kLegacy);
}

void Interview::State::begin_life(Time now, bool with_probe) {
  ++lives_;
  life_began_ = now;
  session_.emplace(options_.limits, incidents_);
  probe_ = initialize_ = 0;
  late_modern_.reset();
  echoed_ = false;
  if (!with_probe) {
    ask_initialize(now);
    return;
  }
  phase_ = Phase::kProbing;
  ask_probe(now);
}

void Interview::State::want_restart() {
  restarted_ = true;
  phase_ = Phase::kRestarting;
  phase_deadline_.reset();
  session_.reset();
}

void Interview::State::started(Time now) {
  if (phase_ == Phase::kRestarting) begin_life(now, false);
}

Interview::Wants Interview::State::wants() const {
  if (phase_ == Phase::kDone) return Wants::kDone;
  return phase_ == Phase::kRestarting ? Wants::kRestart : Wants::kGoOn;
}

Time Interview::State::deadline() const {
  const Time end = began_ + options_.limits.total_timeout;
  return phase_deadline_ ? std::min(*phase_deadline_, end) : end;
}

void Interview::State::blocked(std::size_t bytes_waiting) {
  if (session_) session_->set_unread_bytes(bytes_waiting);
}

void Interview::State::received(std::string_view bytes, Time now) {
  if (wants() != Wants::kGoOn) return;
  // Reading takes time too: what comes after the end of it is not read any more.
  if (now >= began_ + options_.limits.total_timeout) return tick(now);
  for (const wire::Line& line : session_->split(bytes)) {
    for (const Event& event : session_->read(line)) {
      handle(event, now);
      if (wants() != Wants::kGoOn) return;
    }
  }
}

void Interview::State::ended(std::optional<Exit> exit, Time now) {
  if (wants() != Wants::kGoOn) return;
  session_->end();
  if (exit) offer_.exit = exit;
  const std::string end = end_words(exit);
  const bool may_restart = !restarted_ && probe_ != 0 && options_.era != EraWish::kModern;
  switch (phase_) {
    case Phase::kProbing:
      if (echoed_) return finish(Outcome::kBroke, echo_words(), now);
      record_probe(ProbeAnswer::kExit, now);
      if (may_restart) return want_restart();
      break;
    case Phase::kInitializing:
      if (!may_restart) {
        if (!answered_ever_) break;
        return legacy_failed(Outcome::kBroke,
                             fmt::format("it {} instead of answering initialize", end), now);
      }
      if (offer_.probe.answer == ProbeAnswer::kNonsense) offer_.probe.answer = ProbeAnswer::kExit;
      if (!offer_.modern && offer_.probe.answer != ProbeAnswer::kExit) {
        incidents_.note("died-after-probe", {},
                        fmt::format("asked server/discover and then initialize, it {}; a process "
                                    "that is asked initialize first was started",
                                    end));
      }
      return want_restart();
    case Phase::kProbingAgain:
    case Phase::kListing:
      return cut_short(Outcome::kBroke,
                       fmt::format("it {} before it answered {}", end, waiting_for()), now);
    case Phase::kRestarting:
    case Phase::kDone:
      return;
  }
  const Outcome outcome = answered_ever_ ? Outcome::kBroke : Outcome::kDidNotStart;
  finish(outcome, with_seen(did_not_start_words(end)), now);
}

// --- Waiting ------------------------------------------------------------------------------------

void Interview::State::tick(Time now) {
  if (phase_ == Phase::kDone || now < deadline()) return;
  const bool over = now >= began_ + options_.limits.total_timeout;
  if (session_) session_->pause();
  const bool handshake = phase_ != Phase::kListing && phase_ != Phase::kRestarting;
  if (handshake && echoed_) return finish(Outcome::kBroke, echo_words(), now);

  const Outcome outcome = doubted_ && handshake ? Outcome::kBroke : Outcome::kHangs;
  switch (phase_) {
    case Phase::kProbing:
      record_probe(doubted_ ? ProbeAnswer::kNonsense : ProbeAnswer::kSilence, now);
      if (over || options_.era == EraWish::kModern) return finish(outcome, silence_words(now), now);
      return ask_initialize(now);
    case Phase::kInitializing:
      if (over) return finish(outcome, silence_words(now), now);
      return legacy_failed(outcome, silence_words(now), now);
    case Phase::kProbingAgain:
      return finish(Outcome::kRefuses,
                    fmt::format("{}, and {}", initialize_words_, silence_words(now)), now);
    case Phase::kListing:
      return lists_timed_out(now);
    case Phase::kRestarting:
      return finish(Outcome::kHangs,
                    fmt::format("no second process was there within {}", time_words(now - began_)),
                    now);
    case Phase::kDone:
      return;
  }
}

void Interview::State::take_doubt(const Event& event, Time now) {
  if (phase_ == Phase::kListing) return;
  if (event.kind == Event::Kind::kEcho) {
    if (session_->answered()) return;  // a server behind a terminal
    echoed_ = true;
    phase_deadline_ = std::min(deadline(), now + options_.limits.echo_grace);
    return;
  }
  answered_ever_ = true;
  if (phase_ == Phase::kInitializing && !probe_settled_) {
    // More likely the late fruit of the probe than of initialize.
    probe_settled_ = true;
    return;
  }
  doubted_ = true;
  doubt_ = event.detail;
  phase_deadline_ = std::min(deadline(), now + options_.limits.doubt_grace);
}

// --- Answers ------------------------------------------------------------------------------------

void Interview::State::handle(const Event& event, Time now) {
  switch (event.kind) {
    case Event::Kind::kAnswer:
      return take_answer(event, now);
    case Event::Kind::kDoubt:
    case Event::Kind::kEcho:
      return take_doubt(event, now);
    case Event::Kind::kTooLong:
      return cut_short(Outcome::kBroke,
                       fmt::format("{} came while {} was waited for", event.detail, waiting_for()),
                       now);
    case Event::Kind::kFlood:
      return cut_short(Outcome::kBroke,
                       fmt::format("it writes without end while {} is waited for", waiting_for()),
                       now);
  }
}

void Interview::State::take_answer(const Event& event, Time now) {
  answered_ever_ = true;
  echoed_ = false;
  if (!offer_.times.first_answer) offer_.times.first_answer = since_life(now);
  if (listing_ && listing_->owns(event.request)) {
    listing_->take(event, *session_, listed(), incidents_);
    lists_progress(now);
  } else if (event.request == probe_) {
    const bool in_time = phase_ == Phase::kProbing || phase_ == Phase::kProbingAgain;
    if (!in_time) return take_late_probe_answer(event, now);
    take_probe_answer(event, now);
  } else if (event.request == initialize_) {
    if (phase_ == Phase::kInitializing) return take_initialize_answer(event, now);
    incidents_.note("late-initialize", {},
                    fmt::format("it answered initialize only {} after the process started",
                                time_words(since_life(now))));
  }
}

void Interview::State::take_probe_answer(const Event& event, Time now) {
  ProbeVerdict verdict = judge_probe(event.message);
  if (!offer_.times.probe) offer_.times.probe = since_life(now);
  if (event.message.error && verdict.answer == ProbeAnswer::kModern) {
    // It refuses our version and offers it at once. Once more; then we believe the refusal.
    if (!probed_again_) {
      probed_again_ = true;
      offer_.probe.error_code = verdict.error_code;
      return ask_probe(now);
    }
    verdict.answer = ProbeAnswer::kOtherVersion;
  }
  if (verdict.answer != ProbeAnswer::kModern) {
    probe_words_ = fmt::format("it answers server/discover with {}",
                               probe_answer_words(verdict, event.message));
  }
  note_flaw(verdict);
  if (phase_ == Phase::kProbing) {
    record_probe(verdict.answer, now);
    if (verdict.error_code) offer_.probe.error_code = verdict.error_code;
    offer_.probe.versions = verdict.versions;
  }
  if (verdict.answer == ProbeAnswer::kModern)
    return begin_lists(Era::kModern, read_discover(*event.message.result, incidents_), now);

  const bool nobody_speaks_it = verdict.answer == ProbeAnswer::kOtherVersion && !asks_both();
  if (phase_ == Phase::kProbingAgain) {
    return finish(Outcome::kRefuses, fmt::format("{}, and {}", initialize_words_, probe_words_),
                  now);
  }
  if (options_.era == EraWish::kModern || nobody_speaks_it) {
    const bool broken = verdict.answer == ProbeAnswer::kWrongShape;
    return finish(broken ? Outcome::kBroke : Outcome::kRefuses, probe_words_, now);
  }
  ask_initialize(now);
}

void Interview::State::take_late_probe_answer(const Event& event, Time now) {
  probe_settled_ = true;
  const ProbeVerdict verdict = judge_probe(event.message);
  incidents_.note(
      "late-discover", {},
      fmt::format("it answered server/discover only {} after the process started, "
                  "with {}; clients had gone on to initialize",
                  time_words(since_life(now)), probe_answer_words(verdict, event.message)));
  if (event.message.error || verdict.answer != ProbeAnswer::kModern) return;
  late_modern_ = read_discover(*event.message.result, incidents_);
  if (phase_ == Phase::kInitializing)
    phase_deadline_ = std::min(deadline(), now + second_handshake_patience());
}

void Interview::State::take_initialize_answer(const Event& event, Time now) {
  if (event.message.error) {
    const wire::RpcError& error = *event.message.error;
    initialize_words_ = fmt::format("it answers initialize with {}", error_words(error));
    const bool says_modern = refuses_version(error) && options_.era != EraWish::kLegacy &&
                             offer_.probe.answer != ProbeAnswer::kOtherVersion;
    if (says_modern && !offer_.modern && !late_modern_ && !probed_again_) {
      probed_again_ = true;
      phase_ = Phase::kProbingAgain;
      return ask_probe(now);
    }
    const std::string why = probe_words_.empty()
                                ? initialize_words_
                                : fmt::format("{}, and {}", probe_words_, initialize_words_);
    return legacy_failed(Outcome::kRefuses, why, now);
  }
  tl::expected<Handshake, std::string> handshake =
      read_initialize(*event.message.result, incidents_);
  if (!handshake) {
    incidents_.note("initialize-shape", {}, handshake.error());
    return legacy_failed(Outcome::kBroke, handshake.error(), now);
  }
  const std::string& version = handshake->offer.protocol_version;
  if (!is_legacy_version(version)) {
    std::string why = fmt::format(
        "it answers initialize with protocol version {}, which is none "
        "of that handshake's; clients disconnect",
        quoted(version));
    incidents_.note("version-unknown", {}, why);
    return legacy_failed(Outcome::kRefuses, why, now);
  }
  // Where the modern lists came before, their time is no part of a legacy handshake.
  const bool after_modern = offer_.modern && probe_ != 0;
  offer_.times.handshake = since_life(now);
  if (after_modern)
    *offer_.times.handshake -= (asked_at_ - life_began_) - *offer_.times.first_answer;
  if (version == "2025-03-26") session_->allow_batches();
  session_->tell(method::kInitialized);
  begin_lists(Era::kLegacy, *std::move(handshake), now);
}

void Interview::State::note_flaw(const ProbeVerdict& verdict) {
  if (verdict.flaw.empty()) return;
  if (verdict.answer == ProbeAnswer::kWrongShape) {
    incidents_.note("discover-shape", {},
                    "its answer to server/discover is no DiscoverResult: " + verdict.flaw);
  } else {
    incidents_.note("version-error-shape", {},
                    "its error -32022 names no versions to choose from: " + verdict.flaw);
  }
}

void Interview::State::record_probe(ProbeAnswer answer, Time now) {
  offer_.probe.answer = answer;
  offer_.probe.elapsed = since_life(now);
}

// --- Steps --------------------------------------------------------------------------------------

void Interview::State::ask_probe(Time now) {
  probe_ = session_->ask(method::kDiscover, discover_params());
  probe_settled_ = doubted_ = false;
  asked_at_ = now;
  phase_deadline_.reset();
  if (options_.era != EraWish::kModern) phase_deadline_ = now + options_.limits.probe_timeout;
}

std::chrono::milliseconds Interview::State::second_handshake_patience() const {
  // A process of its own gets the time that a first answer gets.
  const bool fresh = probe_ == 0;
  return fresh ? options_.limits.probe_timeout
               : std::min(options_.limits.probe_timeout, options_.limits.second_handshake_timeout);
}

void Interview::State::ask_initialize(Time now) {
  probe_settled_ = probe_ == 0 || doubted_ || session_->answered(probe_);
  initialize_ = session_->ask(method::kInitialize, initialize_params());
  phase_ = Phase::kInitializing;
  doubted_ = false;
  asked_at_ = now;
  phase_deadline_.reset();
  if (offer_.modern) phase_deadline_ = now + second_handshake_patience();
}

void Interview::State::legacy_failed(Outcome outcome, const std::string& why, Time now) {
  if (offer_.modern) {
    if (asks_both() && !restarted_) return want_restart();
    // To refuse initialize is right for a modern server; silence and death are not.
    if (outcome != Outcome::kRefuses) incidents_.note("initialize-unanswered", {}, why);
    return finish(Outcome::kBroke, modern_broke_, now);
  }
  if (!late_modern_) return finish(outcome, why, now);
  Handshake handshake = *std::move(late_modern_);
  late_modern_.reset();
  begin_lists(Era::kModern, std::move(handshake), now);
}

void Interview::State::begin_lists(Era era, Handshake handshake, Time now) {
  listing_era_ = era;
  (era == Era::kModern ? offer_.modern : offer_.legacy) = std::move(handshake.offer);
  session_->set_stage(era == Era::kModern ? Session::Stage::kModern : Session::Stage::kLegacy);
  listing_.emplace(era, handshake.declared, options_.limits);
  listing_->begin(*session_);
  phase_ = Phase::kListing;
  asked_at_ = now;
  phase_deadline_.reset();
  lists_progress(now);
}

void Interview::State::lists_progress(Time now) {
  if (listing_->done()) return lists_done(now);
  if (listing_->has_tools() && !phase_deadline_)
    phase_deadline_ = now + options_.limits.probe_timeout;
}

void Interview::State::lists_timed_out(Time now) {
  const std::string why = silence_words(now);
  const bool complete = listing_->has_tools();
  listing_->give_up(fmt::format("no answer within {}", time_words(now - asked_at_)), listed(),
                    incidents_);
  if (!complete) return finish(Outcome::kHangs, why, now);
  lists_done(now);
}

void Interview::State::lists_done(Time now) {
  (listing_era_ == Era::kModern ? modern_complete_ : legacy_complete_) = true;
  if (!offer_.times.lists) offer_.times.lists = since_life(now);
  listing_.reset();
  const bool over = now >= began_ + options_.limits.total_timeout;
  if (asks_both() && !over) {
    if (late_modern_ && !offer_.modern) {
      Handshake handshake = *std::move(late_modern_);
      late_modern_.reset();
      return begin_lists(Era::kModern, std::move(handshake), now);
    }
    if (!offer_.legacy && initialize_ == 0) return ask_initialize(now);
    if (!offer_.legacy && !restarted_) return want_restart();
  }
  finish(Outcome::kServes, {}, now);
}

void Interview::State::cut_short(Outcome outcome, const std::string& why, Time now) {
  if (listing_) {
    const bool complete = listing_->has_tools();
    listing_->give_up(why, listed(), incidents_);
    if (complete) (listing_era_ == Era::kModern ? modern_complete_ : legacy_complete_) = true;
    listing_.reset();
    if (asks_both() && !offer_.legacy && !restarted_) {
      modern_broke_ = with_seen(why);
      return want_restart();
    }
  }
  finish(outcome, with_seen(why), now);
}

}  // namespace cutline::mcp
