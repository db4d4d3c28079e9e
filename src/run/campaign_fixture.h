// campaign_fixture.h: campaigns of the fake client, within the tests and as a program of their own
// that can be interrupted.
//
// The client is installed as Claude Code is, so that its adapter is the real one.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "run/campaign.h"

namespace cutline::run {

/// What be_campaign() does: FILE STORE CLIENTS JOBS [again]. Prints "RUN ID" last, and a line for
/// each cell that ended. Exit code 128 + the signal that interrupted it.
int be_campaign(const std::vector<std::string>& words);

/// Puts the fake client where an installation of Claude Code has its program.
inline std::vector<ClientFolder> install_fake_client(const std::string& folder,
                                                     const std::string& version) {
  namespace fs = std::filesystem;
  const fs::path at = fs::path(folder) / "node_modules/@anthropic-ai/claude-code-linux-x64";
  fs::create_directories(at);
  const std::string self = fs::read_symlink("/proc/self/exe");
  std::ofstream(at / "claude") << "#!/bin/sh\nexec " << self << " client \"$@\"\n";
  fs::permissions(at / "claude", fs::perms::owner_all);
  return {{.client = "claude-code", .version = version, .folder = folder}};
}

}  // namespace cutline::run
