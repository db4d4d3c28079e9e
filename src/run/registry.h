// registry.h: what npm's registry says of a package.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/version.h"
#include "run/npm.h"

namespace cutline::run {

/// For names that become part of a path and of a command line.
bool is_plain(std::string_view word);
bool is_package_name(std::string_view name);

struct PackageVersion {
  std::string name, version;
};
/// "@scope/name@1.2.3"; Problem "run.npm.package" if it is not that.
Result<PackageVersion> exact_package(std::string_view word);

struct Published {
  std::string version, integrity;
};
/// `version` is exact or "latest". Problems: "run.npm.unknown_version" (with the nearest ones),
/// "run.npm.integrity", "run.npm.failed", and those of Npm::run.
Result<Published> published(Npm& npm, std::string_view name, std::string_view version,
                            const std::string& directory);

/// All versions that it has, oldest first. Problem "run.npm.failed".
Result<std::vector<Version>> all_published(Npm& npm, const std::string& name,
                                           const std::string& directory);

}  // namespace cutline::run
