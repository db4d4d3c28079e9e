// cell.h: one run of one real client on one set of servers, and everything that it leaves.
//
// The client runs in a sandbox whose only way out is our gateway; its servers stand behind
// recording shims. A cell may have several sessions, one after the other in the same HOME: that is
// how resumed conversations are measured. Several cells may run in one loop.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/version.h"
#include "llm/script.h"
#include "run/clients/adapter.h"
#include "run/gateway.h"
#include "store/evidence.h"
#include "sys/loop.h"

namespace cutline::run {

struct PlannedServer {
  std::string name;
  std::vector<std::string> argv;
  Pairs environment, settings;
  std::string directory;  // to start it in; empty: the client's
  bool outside = false;   // with the network of this machine, behind a socket
};

struct Session {
  llm::Script script;  // its prompt is what the client is asked
  std::vector<PlannedServer> servers;
  std::size_t turns = 1;
  std::vector<std::string> arguments = {};  // further ones of the client
  bool resume = false, interactive = false;
};

struct CellPlan {
  const Adapter* adapter = nullptr;
  std::string folder;  // of the installed client
  Version version;
  std::string model;
  Pairs variables;
  std::vector<Session> sessions;
  bool isolated = true;
  std::chrono::milliseconds timeout{120'000};  // for each session
  std::string program;                         // cutline itself, which is the shim
  std::string path;                            // PATH of the client
};

/// Among the files: when each session began, in microseconds since the cell did, one a line.
inline constexpr std::string_view kSessionsFile = "sessions";

struct CellEvidence {
  /// The requests of the conversation, in order: those that say the prompt and have tools.
  std::vector<Seen> conversation;
  std::vector<std::size_t> session_of;  // for each of them
  std::vector<store::Message> messages;
  std::vector<store::File> files;
  std::int64_t wall_us = 0;
  std::optional<int> exit_code, signal;  // of the last session
  std::string problem;                   // why it is of no use; empty if all is well
};

class CellRun {
 public:
  struct Hooks {
    std::function<Result<void>(const std::vector<store::Request>&, const Gateway::Hooks::Answers&)>
        keep;
    std::function<void(CellEvidence)> done;  // once, from the loop; all processes are gone then
  };
  CellRun(sys::Loop& loop, CellPlan plan, Hooks hooks);
  ~CellRun();  // ends what runs, at once
  CellRun(const CellRun&) = delete;
  CellRun& operator=(const CellRun&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cutline::run
