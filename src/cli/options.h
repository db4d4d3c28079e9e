// options.h: what the user asked for, as plain values. No file is read and nothing is started to
// make them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/version.h"
#include "cli/arguments.h"
#include "delivery/deliver.h"
#include "mcp/interview.h"
#include "report/show.h"
#include "sys/process.h"

namespace cutline::cli {

enum class Color { kAuto, kAlways, kNever };
enum class Format { kText, kJson, kMarkdown };
enum class Shell { kBash, kZsh, kFish };

/// NAME, NAME@VERSION, NAME@FROM..TO or NAME@latest.
struct ClientWish {
  std::string name;
  std::optional<VersionRange> range;
  bool latest = false;
  /// Versions were named, so that all of them are held to.
  bool names_versions() const { return latest || range.has_value(); }
};
Result<ClientWish> parse_client(std::string_view text);

/// Where the offer comes from: exactly one of command, offer_file and draft_file.
struct Source {
  sys::Command command;
  mcp::InterviewOptions interview;
  std::optional<std::string> offer_file, draft_file, save_offer;
};

struct Clients {
  std::vector<ClientWish> wishes;  // empty: all
  delivery::Situation situation;
  std::optional<std::string> server_name, profiles_folder;

  /// Whether there are words that no profile may know.
  bool names_anything() const {
    return !wishes.empty() || profiles_folder || !situation.variables.empty() ||
           !situation.settings.empty();
  }
};

struct Output {
  Format format = Format::kText;
  std::vector<std::string> files;
  bool has_markdown = false;  // the command has that format, too; elsewhere .md means nothing
  Color color = Color::kAuto;
};

/// What the ending of a file's name says: .json, .txt or .md.
std::optional<Format> format_of(std::string_view file);

struct CheckRequest {
  Source source;
  Clients clients;
  Output output;
  bool details = false;
};

struct ShowRequest {
  Source source;
  Clients clients;  // one wish
  Output output;
  std::string tool;  // empty: the instructions
  report::Shown shown = report::Shown::kFramed;
};

struct Measuring {
  std::optional<std::size_t> jobs;   // nothing: one for each core
  bool isolated = true;              // false: --no-isolation
  bool again = false;                // measures what is stored already, too
  std::optional<std::string> store;  // the file for the evidence
};

struct ClientsRequest {
  enum class Action { kShow, kInstall, kList, kRemove, kVerify, kBisect, kLearn, kDiff };
  Action action = Action::kShow;
  std::optional<std::string> name;  // to show
  /// To install: one version, or the newest. To remove: one version each. To verify: one client, a
  /// version, the newest, or a range. To bisect: one client, with a range or without. To learn: one
  /// version. To diff: two.
  std::vector<ClientWish> wishes;
  std::string fact;     // to bisect: its name
  Measuring measuring;  // to verify, bisect and learn
  std::optional<std::string> profiles_folder;
  Output output;
  std::optional<Source> source;  // to diff for one server; nothing: the facts
  Clients diffed;                // with `wishes` and what else decides of deliveries
};

struct ShimRequest {
  std::string server, log_file;
  std::optional<std::string> socket;
  sys::Command command;  // not with a socket
};

struct LabRequest {
  std::optional<std::string> config_file;
  std::vector<std::pair<std::string, std::string>> settings;  // word -> value, in a fixed order
};

/// How real clients are run.
struct MeasureRequest {
  Source source;  // a command
  Clients clients;
  bool all_installed = false;  // instead of wishes
  Measuring measuring;
  Output output;
  std::size_t turns = 2;
  bool server_network = false;
  std::chrono::milliseconds timeout{120'000};
};

struct RunRequest {
  std::string file;
  std::optional<std::string> profiles_folder;
  Measuring measuring;
  Output output;
  bool dry_run = false;
};

struct GatewayRequest {
  std::uint16_t port = 0;
  std::optional<std::string> script_file, upstream, store;
  bool quiet = false;
};

struct CompletionRequest {
  Shell shell = Shell::kBash;
};

struct HelpRequest {
  const CommandSpec* command = nullptr;
  bool missing = false;  // no command was given: this is a usage error
  Color color = Color::kAuto;
};

struct VersionRequest {};

using Request = std::variant<CheckRequest, ShowRequest, MeasureRequest, RunRequest, GatewayRequest,
                             ClientsRequest, LabRequest, ShimRequest, CompletionRequest,
                             HelpRequest, VersionRequest>;

Result<Request> parse_request(std::span<const std::string> words);

/// "2.5" -> 2,500 ms. More than nothing, at most a day.
Result<std::chrono::milliseconds> parse_seconds(std::string_view text, std::string_view option);
/// "1000", "64MiB", "1.5 GB": decimal (kB, MB, GB) and binary (KiB, MiB, GiB; K, M and G too).
Result<std::size_t> parse_bytes(std::string_view text, std::string_view option);

}  // namespace cutline::cli
