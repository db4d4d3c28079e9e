// adapter.h: how one client is started against our gateway, and what it leaves.
//
// One file a client beside this one; adapter_named() finds it. An adapter writes configuration and
// reads evidence; starting, watching and ending are the same for all (run/cell.h).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/version.h"
#include "store/evidence.h"
#include "sys/process.h"
#include "sys/scratch.h"

namespace cutline::run {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// A server as the client's configuration gets it.
struct ServerEntry {
  std::string name;
  std::vector<std::string> argv;
  Pairs environment;
  Pairs settings;  // of the entry itself: alwaysLoad = true
};

/// One start of the client.
struct ClientStart {
  std::string folder;  // where it is installed (run/installs.h)
  Version version;
  std::string gateway;  // "http://127.0.0.1:8080"
  std::string model;    // empty: the default of a client that has one of its own
  std::string prompt;
  std::size_t turns = 1;  // answers of the model until it stops by itself
  Pairs variables;
  std::vector<ServerEntry> servers;
  std::vector<std::string> arguments = {};  // further ones, as the client has them
  bool resume = false;                      // go on with the session of the start before
  bool interactive = false;                 // on a terminal
};

/// Never leaves the machine; clients only want one.
inline constexpr std::string_view kDummyKey = "sk-ant-cutline-dummy-key-000000000000";

/// What the client left, by name: "stdout", "stderr", "debug.log", "transcript.jsonl".
using Leavings = std::span<const store::File>;

/// What the other evidence says of one server's instructions; the wire has the last word.
struct Told {
  /// Did it say anywhere that a text was cut?
  bool stdout_tells = false, stderr_tells = false, debug_log_tells = false;
  /// The server's text as the transcript has it; nothing: no trace of it.
  std::optional<std::string> transcript_text;
  std::string debug_era;  // "legacy", "modern" by the debug log; "" unknown
};

class Adapter {
 public:
  virtual ~Adapter() = default;
  virtual std::string_view id() const = 0;

  /// Writes configuration below `scratch` (whose home/ is HOME and work/ the working directory) and
  /// says what to run. The environment is only what the client needs; the caller adds HOME, PATH,
  /// TMPDIR and the variables. Problem "run.client.program" if it is not where it should be.
  virtual Result<sys::Command> prepare(const ClientStart& start,
                                       const sys::Scratch& scratch) const = 0;
  /// Reads what it left below the scratch folder, besides what it printed.
  virtual std::vector<store::File> leavings(const sys::Scratch&) const { return {}; }
  virtual Told told(Leavings, std::string_view) const { return {}; }

  /// Whether it needs a Node newer than Debian's; it is installed beside the clients.
  virtual bool needs_node_22() const { return false; }
  /// Variables that keep it in its scratch folder and at our gateway: not for others to set.
  virtual std::span<const std::string_view> set_by_us() const { return {}; }
  /// Pattern (llm/glob.h) of the names that its servers' tools have before the model.
  virtual std::string_view tools_of_servers() const { return "*"; }
  /// Whether that prompt makes it compact its conversation.
  virtual bool compacts(std::string_view) const { return false; }
};

/// Null if there is no adapter for that client.
const Adapter* adapter_named(std::string_view id);

}  // namespace cutline::run
