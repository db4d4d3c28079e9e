// installs.h: real clients from npm, several versions side by side.
//
// Each stands in a folder of its own, $XDG_CACHE_HOME/cutline/clients/NAME@VERSION (~/.cache where
// that is not set), installed without running its install scripts, and is there only when it is
// whole: npm works in a folder beside it, what it fetched is compared with the registry's integrity
// value, and only then it gets its name. Two processes that want the same one wait for each other.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/version.h"

namespace cutline::run {

struct Package {
  std::string id;    // "claude-code"
  std::string name;  // on npm: "@anthropic-ai/claude-code"
  /// What it is used with, installed beside it: exact, "zod@4.6.7".
  std::vector<std::string> also = {};
};

/// Problem "run.npm.package" if there is nothing that npm could install.
Result<void> check_package(const Package& package);

struct Installed {
  std::string id, version;
  std::string folder;     // the npm prefix: FOLDER/node_modules/…
  std::string integrity;  // "sha512-…", of the package itself
  std::vector<std::string> also = {};
};

class Installs {
 public:
  /// Problem "run.cache" if there is neither XDG_CACHE_HOME nor HOME.
  static Result<Installs> in_cache();
  explicit Installs(std::string folder) : folder_(std::move(folder)) {}

  /// `version` is exact or "latest", which asks the registry. `says` gets one line when something
  /// has to be installed. Problems: "run.npm.missing", "run.npm.unknown_version" (with the nearest
  /// ones), "run.npm.integrity", "run.npm.failed" (what npm said last; a full disk, no network),
  /// "run.interrupted" (with the signal; nothing is left then).
  Result<Installed> ensure(const Package& package, std::string_view version,
                           const std::function<void(std::string_view)>& says) const;
  /// The versions that the registry has, oldest first.
  Result<std::vector<Version>> published(const Package& package) const;
  Result<std::vector<Installed>> list() const;
  /// Problem "run.client.not_installed".
  Result<void> remove(std::string_view id, std::string_view version) const;

 private:
  std::string folder_;
};

}  // namespace cutline::run
