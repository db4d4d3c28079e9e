// interview_state.h: the inside of an interview: in which phase it is, and what follows from what.
//
// interview.cc goes from the start of a life to the end of a handshake, verdict.cc says what all of
// it comes to. Every wait belongs to a phase and has a deadline; the whole has one too.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mcp/answers.h"
#include "mcp/incidents.h"
#include "mcp/interview.h"
#include "mcp/lists.h"
#include "mcp/probe.h"
#include "mcp/session.h"

namespace cutline::mcp {

class Interview::State {
 public:
  State(InterviewOptions options, Time now);

  Wants wants() const;
  Time deadline() const;
  std::string take_output() { return session_ ? session_->take_output() : std::string(); }

  void started(Time now);
  void received(std::string_view bytes, Time now);
  void blocked(std::size_t bytes_waiting);
  void ended(std::optional<Exit> exit, Time now);
  void tick(Time now);
  Offer take_offer(Time now);

 private:
  enum class Phase {
    kProbing,       // server/discover is the only thing asked
    kInitializing,  // initialize is asked
    kProbingAgain,  // server/discover, after initialize was refused for its version
    kListing,       // the handshake is done, lists are on their way
    kRestarting,    // a new process is wanted
    kDone,
  };

  // The way of a handshake (interview.cc).
  void begin_life(Time now, bool with_probe);
  void handle(const Event& event, Time now);
  void take_answer(const Event& event, Time now);
  void take_doubt(const Event& event, Time now);
  void take_probe_answer(const Event& event, Time now);
  void take_late_probe_answer(const Event& event, Time now);
  void take_initialize_answer(const Event& event, Time now);
  void note_flaw(const ProbeVerdict& verdict);
  void record_probe(ProbeAnswer answer, Time now);
  void ask_probe(Time now);
  void ask_initialize(Time now);
  void legacy_failed(Outcome outcome, const std::string& why, Time now);
  void begin_lists(Era era, Handshake handshake, Time now);
  void lists_progress(Time now);
  void lists_timed_out(Time now);
  void lists_done(Time now);
  void want_restart();
  void cut_short(Outcome outcome, const std::string& why, Time now);

  // What it comes to (verdict.cc).
  void finish(Outcome otherwise, std::string why, Time now);
  std::string serves_words() const;
  std::string waiting_for() const;
  std::string silence_words(Time now) const;
  std::string did_not_start_words(std::string_view end) const;
  static std::string echo_words();

  EraOffer& listed() { return listing_era_ == Era::kModern ? *offer_.modern : *offer_.legacy; }
  Milliseconds since_life(Time now) const { return now - life_began_; }
  std::chrono::milliseconds second_handshake_patience() const;
  bool asks_both() const { return options_.era == EraWish::kBoth; }
  std::string with_seen(std::string why) const;

  InterviewOptions options_;
  Time began_, life_began_;
  IncidentLog incidents_;
  Offer offer_;

  std::optional<Session> session_;
  Phase phase_ = Phase::kDone;
  std::optional<Time> phase_deadline_;
  Time asked_at_;         // of the handshake under way
  bool doubted_ = false;  // an answer came that was none
  bool echoed_ = false;   // our own requests came back, and nothing else yet
  std::string doubt_;     // what it was
  int probe_ = 0;         // request ids in this life; 0: not asked
  int initialize_ = 0;
  std::size_t lives_ = 0;
  bool restarted_ = false;
  bool answered_ever_ = false;
  bool probed_again_ = false;
  bool probe_settled_ = false;  // what is still to come belongs to initialize

  // How they were answered, for sentences.
  std::string probe_words_, initialize_words_;
  std::string modern_broke_;  // why the modern lists came to nothing
  std::optional<Handshake> late_modern_;
  bool modern_complete_ = false, legacy_complete_ = false;
  bool legacy_given_up_ = false;  // initialize was tried in a process of its own
  std::optional<Listing> listing_;
  Era listing_era_ = Era::kLegacy;
};

}  // namespace cutline::mcp
