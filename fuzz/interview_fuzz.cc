// interview_fuzz.cc: a server that writes anything at any time; the interview comes to an end, with
// an offer that can be stored, and it is the same however the bytes were cut.
//
// The first byte chooses what is asked. After it, what the server writes; control characters that
// JSON has no use for are events: 0x01 the process ends, 0x02 its output is closed, 0x03 time
// passes until the deadline, 0x04 a second passes, 0x05 it has not read, 0x06 we stop.
#include "base/assert.h"
#include "mcp/interview.h"
#include "mcp/offer_json.h"

namespace {

using namespace cutline;
using mcp::Interview;
using std::chrono::milliseconds;

mcp::InterviewOptions options(std::uint8_t choice) {
  mcp::InterviewOptions chosen;
  chosen.era = static_cast<mcp::EraWish>(choice % 4);
  chosen.limits.message_bytes_max = 2'000;
  chosen.limits.noise_lines_max = 50;
  chosen.limits.noise_bytes_max = 5'000;
  chosen.limits.pages_max = 5;
  chosen.limits.list_bytes_max = 5'000;
  return chosen;
}

class Run {
 public:
  explicit Run(std::uint8_t choice) : interview_(options(choice), mcp::Time{}) {}

  mcp::Offer hold(std::string_view script, bool bytewise) {
    std::string bytes;
    for (const char c : script) {
      if (c >= 1 && c <= 6) {
        feed(bytes, bytewise);
        bytes.clear();
        if (c == 6) break;
        happen(c);
      } else {
        bytes += c;
      }
    }
    feed(bytes, bytewise);
    if (!script.ends_with('\x06')) run_out();
    return interview_.take_offer(now_);
  }

 private:
  void feed(std::string_view bytes, bool bytewise) {
    const std::size_t step = bytewise ? 1 : std::max<std::size_t>(bytes.size(), 1);
    for (std::size_t at = 0; at < bytes.size(); at += step)
      interview_.received(bytes.substr(at, step), now_);
    settle();
  }

  void happen(char event) {
    switch (event) {
      case 1:
        interview_.ended(mcp::Exit{.code = 1, .signal = {}}, now_);
        break;
      case 2:
        interview_.ended({}, now_);
        break;
      case 3:
        now_ = std::max(now_, interview_.deadline());
        interview_.tick(now_);
        break;
      case 4:
        now_ += milliseconds(1'000);
        interview_.tick(now_);
        break;
      default:
        interview_.blocked(100);
        break;
    }
    settle();
  }

  void settle() {
    sent_bytes_ += interview_.take_output().size();
    CUTLINE_ASSERT(sent_bytes_ < 1'000'000);
    CUTLINE_ASSERT(interview_.deadline() <= mcp::Time{} + milliseconds(60'000));
    if (interview_.wants() != Interview::Wants::kRestart) return;
    CUTLINE_ASSERT(++restarts_ == 1);
    now_ += milliseconds(10);
    interview_.started(now_);
    sent_bytes_ += interview_.take_output().size();
  }

  void run_out() {
    for (int ticks = 0; interview_.wants() != Interview::Wants::kDone; ++ticks) {
      CUTLINE_ASSERT(ticks < 20);
      happen(3);
    }
  }

  mcp::Time now_{};
  Interview interview_;
  std::size_t sent_bytes_ = 0;
  int restarts_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view script(reinterpret_cast<const char*>(data) + 1, size - 1);
  const mcp::Offer offer = Run(data[0]).hold(script, false);
  CUTLINE_ASSERT(Run(data[0]).hold(script, true) == offer);
  CUTLINE_ASSERT(offer.outcome != mcp::Outcome::kServes || offer.any());
  CUTLINE_ASSERT(!offer.outcome_detail.empty());
  CUTLINE_ASSERT(offer.incidents.size() < 300);
  const Result<mcp::Offer> again = mcp::read_offer(mcp::write_offer(offer), "fuzz.json");
  CUTLINE_ASSERT(again && *again == offer);
  return 0;
}
