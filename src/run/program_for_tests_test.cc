// program_for_tests_test.cc: the tests' own main(), so that this one program is also what they
// start: the lab server, shims, a client, and a whole campaign.
//
//   test_run lab [WORD=VALUE…]                      or --WORD VALUE, as cutline's own has them
//   test_run shim SERVER LOG SOCKET [COMMAND…]      without a socket: ""; or cutline's own flags
//   test_run client …                               client_for_tests.h
//   test_run campaign FILE STORE CLIENTS JOBS       campaign_fixture.h
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/settings.h"
#include "run/campaign_fixture.h"
#include "run/client_for_tests.h"
#include "run/lab_host.h"
#include "run/shim.h"

namespace cutline::run {
namespace {

constexpr int kProblem = 77;

int exit_code(const Result<int>& code) {
  if (code) return *code;
  std::fprintf(stderr, "%s: %s\n", code.error().code.c_str(), code.error().message.c_str());
  return kProblem;
}

int be_lab(const std::vector<std::string>& words) {
  lab::Settings settings;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool flag = words[i].starts_with("--") && i + 1 < words.size();
    const std::size_t equals = words[i].find('=');
    const std::string key = flag ? words[i].substr(2) : words[i].substr(0, equals);
    if (!lab::set(settings, key, flag ? words[++i] : words[i].substr(equals + 1))) return kProblem;
  }
  return exit_code(serve_lab(settings));
}

/// As a client's configuration has it.
int be_flagged_shim(const std::vector<std::string>& words) {
  ShimOptions options;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "--server") options.server = words[i + 1];
    if (words[i] == "--log") options.log_file = words[i + 1];
    if (words[i] == "--connect") options.socket = words[i + 1];
    if (words[i] != "--") continue;
    options.command.argv.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
    break;
  }
  return exit_code(run_shim(options));
}

int be_shim(const std::vector<std::string>& words) {
  if (words.at(0).starts_with("--")) return be_flagged_shim(words);
  ShimOptions options{.server = words.at(0), .log_file = words.at(1), .socket = {}, .command = {}};
  if (!words.at(2).empty()) options.socket = words.at(2);
  options.command.argv.assign(words.begin() + 3, words.end());
  return exit_code(run_shim(options));
}

}  // namespace
}  // namespace cutline::run

int main(int argc, char** argv) {
  using namespace cutline::run;
  struct Part {
    std::string_view name;
    int (*be)(const std::vector<std::string>&);
  };
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (const Part& part : {Part{"lab", be_lab}, Part{"shim", be_shim}, Part{"client", be_client},
                           Part{"campaign", be_campaign}})
    if (!words.empty() && words.front() == part.name)
      return part.be({words.begin() + 1, words.end()});
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
