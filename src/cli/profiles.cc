// profiles.cc: the shelf of profiles.
#include "cli/profiles.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "sys/files.h"

namespace cutline::cli {
namespace {

constexpr std::string_view kEnding = ".toml";
constexpr std::size_t kProfileBytesMax = std::size_t{4} << 20;

std::string name_of(std::string_view file) {
  file = file.substr(file.rfind('/') + 1);
  if (file.ends_with(kEnding)) file.remove_suffix(kEnding.size());
  return std::string(file);
}

}  // namespace

Result<Shelf> Shelf::open(const std::optional<std::string>& folder) {
  Shelf shelf;
  for (const delivery::BuiltinProfile& profile : delivery::builtin_profiles()) {
    shelf.entries_[name_of(profile.file)] = {
        .file = "profiles/" + std::string(profile.file), .toml = profile.toml, .builtin = true};
  }
  if (!folder) return shelf;
  CUTLINE_TRY_ASSIGN(const std::vector<std::string> files, sys::list_files(*folder, kEnding));
  if (files.empty()) {
    return fail({.code = "cli.profiles",
                 .message = "there is no profile (*.toml) in this folder",
                 .place = *folder,
                 .hint = "docs/profiles.md says what a profile looks like"});
  }
  for (const std::string& file : files) {
    const std::string path =
        file.find('/') == std::string::npos ? fmt::format("{}/{}", *folder, file) : file;
    shelf.entries_[name_of(file)] = {.file = path, .toml = {}, .builtin = false};
  }
  return shelf;
}

std::vector<std::string> Shelf::names() const {
  std::vector<std::string> names;
  names.reserve(entries_.size());
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

Result<delivery::Profile> Shelf::read(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    const std::vector<std::string> known = names();
    const std::optional<std::string> near = nearest(name, known);
    return fail({.code = "cli.client",
                 .message = fmt::format("there is no profile of a client '{}'", name),
                 .place = {},
                 .hint = near ? fmt::format("did you mean '{}'?", *near)
                              : fmt::format("known: {}", fmt::join(known, ", "))});
  }
  const Entry& entry = found->second;
  CUTLINE_TRY_ASSIGN(const std::string toml, text(name));
  CUTLINE_TRY_ASSIGN(delivery::Profile profile, delivery::read_profile(toml, entry.file));
  if (profile.id != name) {
    return fail({.code = "cli.profile_name",
                 .message = fmt::format("the profile calls itself '{}'", profile.id),
                 .place = entry.file,
                 .hint = fmt::format("call the file {}.toml, or the id '{}'", profile.id, name)});
  }
  return profile;
}

Result<std::string> Shelf::text(const std::string& name) const {
  const Entry& entry = entries_.at(name);
  if (entry.builtin) return std::string(entry.toml);
  return sys::read_file(entry.file, kProfileBytesMax);
}

}  // namespace cutline::cli
