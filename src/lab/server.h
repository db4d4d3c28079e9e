// server.h: the lab server's behaviour: an MCP server that can be everything a real one can be.
//
// Pure: a line in, actions with their delays out. Stateless per request, as surprise 2 of the
// protocol demands: a request with the modern envelope is modern, one without is legacy, and
// initialize is answered after server/discover. The host (run/lab_host) has the pipes and the
// clock.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/settings.h"
#include "lab/tools.h"

namespace cutline::lab {

/// The texts that the settings name, loaded by the host (files) or made (samples).
struct Texts {
  std::optional<std::string> instructions, discover_instructions;
  std::vector<std::string> tool_names;
  std::vector<std::optional<std::string>> tool_descriptions;  // one per tool
  std::vector<ToolMembers> tool_members;                      // one per tool, or none at all
};

/// `read` gives a file's bytes.
Result<Texts> load_texts(const Settings& settings,
                         const std::function<Result<std::string>(const std::string&)>& read);

struct Action {
  enum class Kind { kSend, kExit } kind = Kind::kSend;
  std::chrono::milliseconds after{0};  // from the arrival of the line that caused it
  std::string bytes;                   // for kSend, with the line feed
  int exit_code = 0;
};

class Server {
 public:
  Server(Settings settings, Texts texts);
  ~Server();

  /// What follows from one line of the client.
  std::vector<Action> receive(std::string_view line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cutline::lab
