// gateway.cc: `cutline gateway`: the stand-in for a model's API, for whoever wants to point a
// client at it by hand.
#include "run/gateway.h"

#include <cstdio>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <signal.h>

#include "base/number.h"
#include "cli/commands.h"
#include "cli/measuring.h"
#include "cli/output.h"
#include "cli/program.h"
#include "cli/terminal.h"
#include "config/toml.h"
#include "run/script_toml.h"
#include "store/evidence.h"
#include "sys/clock.h"
#include "sys/fd.h"
#include "sys/files.h"
#include "sys/sockets.h"
#include "text/terminal.h"

namespace cutline::cli {
namespace {

constexpr std::size_t kScriptBytesMax = std::size_t{1} << 20;
constexpr std::size_t kDescriptorsMax = std::size_t{64} << 10;  // two a connection

/// A file with `prompt` and `script`, as in an experiment.
Result<llm::Script> read_script_file(const std::string& file) {
  CUTLINE_TRY_ASSIGN(const std::string toml, sys::read_file(file, kScriptBytesMax));
  CUTLINE_TRY_ASSIGN(const config::Node root, config::parse_toml(toml, file));
  static const std::vector<std::string> kKeys = {"prompt", "script"};
  CUTLINE_TRY(config::only_keys(root, kKeys));
  llm::Script script;
  CUTLINE_TRY_ASSIGN(const auto prompt, config::find_string(root, "prompt"));
  script.prompt = prompt.value_or("");
  if (const config::Node* turns = root.find("script")) {
    CUTLINE_TRY_ASSIGN(script.turns, run::read_script(*turns));
  }
  return script;
}

Result<run::GatewayOptions> options_of(const GatewayRequest& request) {
  run::GatewayOptions options;
  if (request.script_file) {
    CUTLINE_TRY_ASSIGN(options.script, read_script_file(*request.script_file));
  }
  if (request.upstream) {
    CUTLINE_TRY_ASSIGN(options.upstream, run::parse_upstream(*request.upstream));
    options.upstream->keys =
        run::keys_for(options.upstream->endpoint.host, [](const std::string& variable) {
          const char* const value = std::getenv(variable.c_str());
          return std::string(value ? value : "");
        });
  }
  return options;
}

std::string line_of(const run::Seen& seen) {
  std::string line = fmt::format("{:>5} {:>9.3f} s  {} {}", seen.sequence + 1,
                                 static_cast<double>(seen.at_us) / 1e6, llm::name(seen.endpoint),
                                 seen.request.model);
  line += fmt::format(", {}, {}, {}", count(seen.request.body_bytes, "byte"),
                      count(seen.request.turns, "turn"), count(seen.request.tools.size(), "tool"));
  if (seen.endpoint == llm::Endpoint::kGenerate && seen.reply.ideal_reader)
    if (const auto* text = std::get_if<llm::TextReply>(&seen.reply.reply.content))
      line += fmt::format("; the ideal reader says: {}", text->text);
  return text::sanitise_line(line) + "\n";
}

std::string line_of(const run::NotForwarded& failed) {
  const std::string line =
      fmt::format("{:>5} {:>9.3f} s  not answered by the API: {}", failed.sequence + 1,
                  static_cast<double>(failed.at_us) / 1e6, failed.problem);
  return text::sanitise_line(line) + "\n";
}

void tell(const std::string& line) { std::fwrite(line.data(), 1, line.size(), stderr); }

/// Where requests go with --store. Without it nothing is kept: memory would fill up.
struct Evidence {
  store::EvidenceStore store;
  std::int64_t cell = 0;
};

Result<Evidence> open_evidence(const std::string& path) {
  CUTLINE_TRY_ASSIGN(store::EvidenceStore store, store::EvidenceStore::open(path));
  CUTLINE_TRY_ASSIGN(const std::int64_t run,
                     store.begin_run({.id = 0,
                                      .name = "gateway",
                                      .hash = {},
                                      .definition = {},
                                      .started_at = sys::utc_now(),
                                      .program = fmt::format("cutline {}", kProgramVersion)}));
  CUTLINE_TRY_ASSIGN(const std::int64_t cell, store.begin_cell(run, "gateway", "{}"));
  return Evidence{.store = std::move(store), .cell = cell};
}

}  // namespace

Result<int> run_gateway(const GatewayRequest& request) {
  CUTLINE_TRY_ASSIGN(run::GatewayOptions options, options_of(request));
  std::optional<Evidence> evidence;
  if (request.store) {
    CUTLINE_TRY_ASSIGN(evidence, open_evidence(*request.store));
  }
  sys::allow_descriptors(kDescriptorsMax);
  CUTLINE_TRY_ASSIGN(sys::Fd listener, sys::listen_on_loopback(request.port));
  const std::string url = fmt::format("http://127.0.0.1:{}", sys::port_of(listener));

  sys::Loop loop;
  std::optional<Problem> problem;
  const sys::Signals signals(loop, {SIGINT, SIGTERM, SIGHUP}, [&](int) { loop.stop(); });
  options.began = loop.now();
  std::size_t requests = 0;
  {
    run::Gateway gateway(
        loop, std::move(listener), std::move(options),
        {.keep = [&](const std::vector<store::Request>& kept,
                     const run::Gateway::Hooks::Answers& answers) -> Result<void> {
           requests += kept.size();
           if (!evidence) return {};
           return evidence->store.add_requests(evidence->cell, kept, answers);
         },
         .seen =
             [&](const run::Seen& seen) {
               if (!request.quiet) tell(line_of(seen));
             },
         .not_forwarded = [](const run::NotForwarded& failed) { tell(line_of(failed)); },
         .failed =
             [&](const Problem& failed) {
               problem = failed;
               loop.stop();
             }});
    CUTLINE_TRY(print(url + "\n"));
    loop.run();
  }
  if (problem) return fail(*problem);
  say(count(requests, "request") + (request.store ? " in " + *request.store : ""));
  return 0;
}

}  // namespace cutline::cli
