// session.h: one life of a server process as JSON-RPC: what we asked, what came back, and what came
// besides.
//
// The session knows ids, lines and noise, but nothing of eras: the interview asks and judges. A
// line that answers nothing is counted and bounded, whatever it is. Some lines are plainly meant as
// an answer but fit none (a wrong id, an error without id, broken JSON): those raise doubt, so that
// the interview need not wait its whole time for something that has already come.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/incidents.h"
#include "mcp/limits.h"
#include "wire/jsonrpc.h"
#include "wire/line_reader.h"

namespace cutline::mcp {

struct Event {
  enum class Kind {
    kAnswer,   // `message` answers `request`
    kDoubt,    // something was meant as an answer but fits no request: `detail`
    kEcho,     // one of our own requests came back
    kTooLong,  // a message over a limit came: `detail`; the session cannot go on
    kFlood,    // too much that answers nothing; the session cannot go on
  };
  Kind kind = Kind::kAnswer;
  int request = 0;
  wire::Message message;
  std::size_t line_bytes = 0;
  std::string detail;
};

class Session {
 public:
  /// What the server may send unasked depends on how far the conversation is.
  enum class Stage { kOpening, kLegacy, kModern };

  /// `incidents` must outlive the session.
  Session(const Limits& limits, IncidentLog& incidents);

  /// Queues a request; its id was never used in this session.
  int ask(std::string_view method, std::string_view params);
  void tell(std::string_view method);
  std::string take_output();

  void set_stage(Stage stage) { stage_ = stage; }
  /// Revision 2025-03-26 alone has batches.
  void allow_batches() { batches_allowed_ = true; }
  void set_unread_bytes(std::size_t bytes) { unread_bytes_ = bytes; }
  /// A wait is over: what is half done now is worth a word, by the server's side or ours.
  void pause();

  std::vector<wire::Line> split(std::string_view bytes);
  /// What one line means. After kTooLong or kFlood the session is over.
  std::vector<Event> read(const wire::Line& line);
  /// The stream has ended: notes a last line that never did.
  void end();

  bool answered() const { return answers_ > 0; }
  /// Whether this request has been answered.
  bool answered(int request) const;
  /// What came besides answers, for the end of a sentence: "it wrote 3 lines that are no JSON-RPC
  /// …"; empty if nothing did.
  std::string seen() const;

 private:
  struct Asked {
    std::string method;
    bool answered = false;
  };

  std::vector<Event> too_long() const;
  std::vector<Event> too_complex(const wire::Message& message, std::size_t line_bytes) const;
  std::vector<Event> read_message(const wire::Message& message, std::size_t line_bytes);
  std::vector<Event> read_answer(const wire::Message& message, std::size_t line_bytes);
  std::vector<Event> read_request(const wire::Message& message);
  void read_notification(const wire::Message& message);
  std::vector<Event> read_noise(const wire::Message& message, std::string_view line);
  std::vector<Event> doubt(std::string detail);
  bool count_idle(std::size_t bytes);

  Limits limits_;
  IncidentLog& incidents_;
  wire::LineReader reader_;
  Stage stage_ = Stage::kOpening;
  bool batches_allowed_ = false;
  std::string output_;
  int last_id_ = 0;
  std::map<int, Asked> asked_;
  std::size_t answers_ = 0;
  std::size_t unanswered_ = 0;

  // What answers nothing.
  std::size_t idle_lines_ = 0, idle_bytes_ = 0;
  std::size_t noise_lines_ = 0;
  std::string first_noise_;  // quoted
  std::size_t stray_answers_ = 0;
  std::string first_stray_;
  std::size_t unread_bytes_ = 0;
  std::size_t unfinished_bytes_ = 0;  // of a line, as of the last pause
};

}  // namespace cutline::mcp
