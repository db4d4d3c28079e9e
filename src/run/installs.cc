// installs.cc: one client at a time, whole or not at all.
//
// FOLDER.part is where npm works; who holds FOLDER.lock may touch it, and whatever stands there
// then was left by somebody who was killed. The name comes last, with a file in it that says what
// it is. The lock's file goes with the lock, so whoever waited for it has to look whether the file
// that he locked still has that name.
#include "run/installs.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/version.h"
#include "json/document.h"
#include "json/writer.h"
#include "run/npm.h"
#include "sys/fd.h"
#include "sys/files.h"

namespace cutline::run {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLatest = "latest";
constexpr std::string_view kMarker = "cutline.json";
constexpr std::size_t kMarkerBytesMax = std::size_t{64} << 10;
constexpr std::size_t kLockFileBytesMax = std::size_t{64} << 20;

Problem cache_problem(const std::string& path, std::string_view reason) {
  return {.code = "run.cache",
          .message = fmt::format("cannot be used for clients: {}", reason),
          .place = path,
          .hint = "XDG_CACHE_HOME can name another folder",
          .blame = Blame::kMissing};
}

/// For names that become part of a path and of a command line.
bool is_plain(std::string_view word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_' || c == '+' || c == '~';
  };
  return !word.empty() && word.front() != '-' && word.front() != '.' &&
         std::ranges::all_of(word, plain);
}

bool is_package_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (!name.starts_with('@')) return is_plain(name);
  return slash != std::string_view::npos && is_plain(name.substr(1, slash - 1)) &&
         is_plain(name.substr(slash + 1));
}

Result<void> check_names(const Package& package, std::string_view version) {
  CUTLINE_TRY(check_package(package));
  if (is_plain(version)) return {};
  return fail({.code = "run.npm.unknown_version",
               .message = fmt::format("'{}' is no version", version),
               .place = {},
               .hint = "as in 2.1.285, or latest"});
}

// --- The lock ------------------------------------------------------------------------------------

class Lock {
 public:
  /// Waits as long as it takes; `waits` is called if somebody else has it.
  static Result<Lock> take(const std::string& path, const std::function<void()>& waits) {
    for (bool told = false;;) {
      sys::Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
      if (!fd) return fail(cache_problem(path, std::strerror(errno)));
      if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return fail(cache_problem(path, std::strerror(errno)));
        if (!std::exchange(told, true)) waits();
        if (sys::retried([&] { return ::flock(fd.get(), LOCK_EX); }) != 0)
          return fail(cache_problem(path, std::strerror(errno)));
      }
      struct stat locked{}, named{};
      const bool same = ::fstat(fd.get(), &locked) == 0 && ::stat(path.c_str(), &named) == 0 &&
                        locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
      if (same) return Lock(path, std::move(fd));
    }
  }
  Lock(Lock&&) noexcept = default;
  Lock& operator=(Lock&&) = delete;
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (fd_) ::unlink(path_.c_str());
  }

 private:
  Lock(std::string path, sys::Fd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  sys::Fd fd_;
};

/// A folder that is removed again unless it gets its name.
class Part {
 public:
  static Result<Part> make(const std::string& path) {
    std::error_code error;
    fs::remove_all(path, error);
    if (!error) fs::create_directories(path, error);
    if (error) return fail(cache_problem(path, error.message()));
    return Part(path);
  }
  Part(Part&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Part& operator=(Part&&) = delete;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  Result<void> name(const std::string& folder) {
    std::error_code error;
    fs::rename(path_, folder, error);
    if (error) return fail(cache_problem(folder, error.message()));
    path_.clear();
    return {};
  }

 private:
  explicit Part(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// --- What is installed ---------------------------------------------------------------------------

std::optional<Installed> read_marker(const std::string& folder) {
  const Result<std::string> bytes =
      sys::read_file(fmt::format("{}/{}", folder, kMarker), kMarkerBytesMax);
  if (!bytes) return std::nullopt;
  const Result<json::Document> document = json::Document::parse(*bytes);
  if (!document) return std::nullopt;
  auto id = json::string_member(document->root(), "id");
  auto version = json::string_member(document->root(), "version");
  auto integrity = json::string_member(document->root(), "integrity");
  if (!id || !version || !integrity) return std::nullopt;
  return Installed{.id = *std::move(id),
                   .version = *std::move(version),
                   .folder = folder,
                   .integrity = *std::move(integrity)};
}

Result<void> write_marker(const std::string& folder, const Package& package,
                          const Installed& installed) {
  json::Writer writer(json::Writer::Style::kIndented);
  writer.begin_object().member("id", installed.id).member("package", package.name);
  writer.member("version", installed.version).member("integrity", installed.integrity);
  return sys::write_file(fmt::format("{}/{}", folder, kMarker), writer.end_object().take() + "\n");
}

// --- Asking the registry -------------------------------------------------------------------------

struct Published {
  std::string version, integrity;
};

/// Left to itself npm tries for more than a minute where there is no network.
Result<NpmRun> view_of(Npm& npm, std::vector<std::string> what, const std::string& directory) {
  what.insert(what.begin(), {"view", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"});
  return npm.run(what, directory);
}

/// The versions just below and above the one that is not there, and the newest.
std::string nearest_versions(const std::vector<Version>& versions, const Version& wanted) {
  const auto above = std::ranges::upper_bound(versions, wanted);
  std::vector<std::string> near;
  if (above != versions.begin()) near.push_back(std::prev(above)->text());
  if (above != versions.end()) near.push_back(above->text());
  std::string words = fmt::format("the nearest: {}", fmt::join(near, " and "));
  if (versions.back().text() != near.back())
    words += fmt::format("; the newest: {}", versions.back().text());
  return words;
}

std::vector<Version> versions_in(std::string_view list) {
  std::vector<Version> versions;
  const Result<json::Document> document = json::Document::parse(list);
  if (!document) return versions;
  const json::Value root = document->root();
  const auto add = [&versions](const json::Value& value) {
    if (!value.is(json::Type::kString)) return;
    if (Result<Version> version = Version::parse(value.string().value))
      versions.push_back(*std::move(version));
  };
  // A package with a single version has no list of them.
  if (!root.is(json::Type::kArray)) add(root);
  if (root.is(json::Type::kArray)) std::ranges::for_each(root.elements(), add);
  std::ranges::sort(versions);
  return versions;
}

Problem unknown_version(Npm& npm, const Package& package, std::string_view version,
                        const std::string& directory) {
  Problem problem{.code = "run.npm.unknown_version",
                  .message = fmt::format("{} has no version {} on npm", package.name, version),
                  .place = {},
                  .hint = {}};
  const Result<NpmRun> list = view_of(npm, {package.name, "versions"}, directory);
  if (!list) return list.error();
  if (list->error_code == "E404")
    problem.message = fmt::format("there is no package {} on npm", package.name);
  const std::vector<Version> versions = versions_in(list->out);
  const Result<Version> wanted = Version::parse(version);
  if (!versions.empty() && wanted) problem.hint = nearest_versions(versions, *wanted);
  return problem;
}

Result<Published> published(Npm& npm, const Package& package, std::string_view version,
                            const std::string& directory) {
  const std::string wanted = fmt::format("{}@{}", package.name, version);
  CUTLINE_TRY_ASSIGN(const NpmRun view,
                     view_of(npm, {wanted, "version", "dist.integrity"}, directory));
  if (view.error_code == "E404" || view.error_code == "ETARGET")
    return fail(unknown_version(npm, package, version, directory));
  if (view.exit_code != 0) return fail(npm_problem(view, fmt::format("look up {}", wanted)));
  const Result<json::Document> document = json::Document::parse(view.out);
  // Older ones say nothing at all of a version that is not there.
  if (!document) return fail(unknown_version(npm, package, version, directory));
  auto number = json::string_member(document->root(), "version");
  auto integrity = json::string_member(document->root(), "dist.integrity");
  if (number && integrity && is_plain(*number))
    return Published{*std::move(number), *std::move(integrity)};
  return fail({.code = "run.npm.integrity",
               .message = fmt::format("the registry names no integrity value of {}", wanted),
               .place = {},
               .hint = {},
               .blame = Blame::kMissing});
}

// --- Installing ----------------------------------------------------------------------------------

tl::unexpected<Problem> wrong_integrity(std::string message) {
  return fail({.code = "run.npm.integrity",
               .message = std::move(message),
               .place = {},
               .hint = "nothing was installed",
               .blame = Blame::kMissing});
}

/// npm compares each archive with the value that it writes here, so what is left is whether that is
/// the registry's, and whether there is one for everything that was fetched.
Result<void> check_integrity(const std::string& folder, const Package& package,
                             const Published& wanted) {
  CUTLINE_TRY_ASSIGN(const std::string bytes,
                     sys::read_file(folder + "/package-lock.json", kLockFileBytesMax));
  CUTLINE_TRY_ASSIGN(const json::Document lock, json::Document::parse(bytes));
  const auto packages = lock.root().find("packages");
  const auto own = packages ? packages->find("node_modules/" + package.name) : std::nullopt;
  if (!own) return wrong_integrity(fmt::format("npm did not install {}", package.name));
  if (json::string_member(*own, "version") != wanted.version ||
      json::string_member(*own, "integrity") != wanted.integrity) {
    return wrong_integrity(
        fmt::format("what npm fetched as {} {} has not the registry's integrity value",
                    package.name, wanted.version));
  }
  for (const json::Value::Member& member : packages->members()) {
    const bool bundled = member.value.find("inBundle").has_value();
    if (member.key.empty() || bundled || json::string_member(member.value, "integrity")) continue;
    return wrong_integrity(fmt::format("npm fetched {} without an integrity value", member.key));
  }
  return {};
}

Result<void> install(Npm& npm, const Package& package, const Published& wanted,
                     const std::string& folder) {
  CUTLINE_TRY(sys::write_file(folder + "/package.json", "{\"private\": true}\n"));
  CUTLINE_TRY_ASSIGN(
      const NpmRun run,
      npm.run({"install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund",
               "--save-exact", "--package-lock=true", "--global=false", "--workspaces=false",
               "--include=optional", fmt::format("{}@{}", package.name, wanted.version)},
              folder));
  if (run.exit_code == 0) return check_integrity(folder, package, wanted);
  return fail(npm_problem(run, fmt::format("install {}@{}", package.name, wanted.version)));
}

}  // namespace

Result<void> check_package(const Package& package) {
  if (is_plain(package.id) && is_package_name(package.name)) return {};
  if (package.name.empty()) {
    return fail({.code = "run.npm.package",
                 .message = fmt::format("{} cannot be installed: its profile names no npm package",
                                        package.id),
                 .place = {},
                 .hint = fmt::format("cutline check --client {} predicts it", package.id)});
  }
  return fail({.code = "run.npm.package",
               .message = fmt::format("'{}' is no package of npm", package.name),
               .place = {},
               .hint = {}});
}

Result<Installs> Installs::in_cache() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return Installs(fmt::format("{}/cutline/clients", cache));
  const char* home = std::getenv("HOME");
  if (home && *home == '/') return Installs(fmt::format("{}/.cache/cutline/clients", home));
  return fail({.code = "run.cache",
               .message = "there is no folder for clients: neither XDG_CACHE_HOME nor HOME is set",
               .place = {},
               .hint = {},
               .blame = Blame::kMissing});
}

Result<std::vector<Version>> Installs::published(const Package& package) const {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return fail(cache_problem(folder_, error.message()));
  Npm npm;
  CUTLINE_TRY_ASSIGN(const NpmRun list,
                     view_of(npm, {package.name, "versions", "--json"}, folder_));
  if (list.exit_code != 0)
    return fail(npm_problem(list, fmt::format("list the versions of {}", package.name)));
  return versions_in(list.out);
}

Result<Installed> Installs::ensure(const Package& package, std::string_view version,
                                   const std::function<void(std::string_view)>& says) const {
  CUTLINE_TRY(check_names(package, version));
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return fail(cache_problem(folder_, error.message()));
  std::optional<Published> wanted;
  if (version == kLatest) {
    Npm npm;
    CUTLINE_TRY_ASSIGN(wanted, run::published(npm, package, version, folder_));
    version = wanted->version;
  }
  const std::string folder = fmt::format("{}/{}@{}", folder_, package.id, version);
  if (std::optional<Installed> there = read_marker(folder)) return *std::move(there);
  CUTLINE_TRY_ASSIGN(
      const Lock lock, Lock::take(folder + ".lock", [&] {
        says(fmt::format("waiting for another cutline to install {} {}", package.id, version));
      }));
  if (std::optional<Installed> there = read_marker(folder)) return *std::move(there);

  Npm npm;  // after the lock, whose wait a signal may end, and before the folder, which it may not
  if (!wanted) {
    CUTLINE_TRY_ASSIGN(wanted, run::published(npm, package, version, folder_));
  }
  says(fmt::format("installing {} {} from npm", package.id, wanted->version));
  CUTLINE_TRY_ASSIGN(Part part, Part::make(folder + ".part"));
  CUTLINE_TRY(install(npm, package, *wanted, part.path()));
  Installed installed{.id = package.id,
                      .version = wanted->version,
                      .folder = folder,
                      .integrity = wanted->integrity};
  CUTLINE_TRY(write_marker(part.path(), package, installed));
  CUTLINE_TRY(npm.interrupted());
  fs::remove_all(folder, error);  // without a marker it is nobody's
  CUTLINE_TRY(part.name(folder));
  return installed;
}

Result<std::vector<Installed>> Installs::list() const {
  std::vector<Installed> all;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    std::optional<Installed> installed = read_marker(at->path().string());
    // What is half done has its marker under another name for a moment.
    if (installed && at->path().filename() == installed->id + "@" + installed->version)
      all.push_back(*std::move(installed));
  }
  if (error && error != std::errc::no_such_file_or_directory)
    return fail(cache_problem(folder_, error.message()));
  std::ranges::sort(all, [](const Installed& a, const Installed& b) {
    const Result<Version> va = Version::parse(a.version), vb = Version::parse(b.version);
    if (a.id != b.id || !va || !vb) return std::pair(a.id, a.version) < std::pair(b.id, b.version);
    return *va < *vb;
  });
  return all;
}

Result<void> Installs::remove(std::string_view id, std::string_view version) const {
  const std::string folder = fmt::format("{}/{}@{}", folder_, id, version);
  const bool plain = is_plain(id) && is_plain(version);
  if (!plain || !read_marker(folder)) {
    return fail({.code = "run.client.not_installed",
                 .message = fmt::format("{} {} is not installed", id, version),
                 .place = {},
                 .hint = "cutline clients list shows what is"});
  }
  CUTLINE_TRY_ASSIGN(const Lock lock, Lock::take(folder + ".lock", [] {}));
  std::error_code error;
  // First the name, so that nobody finds it half gone.
  const std::string part = folder + ".part";
  fs::remove_all(part, error);
  if (!error) fs::rename(folder, part, error);
  if (!error) fs::remove_all(part, error);
  if (error) return fail(cache_problem(folder, error.message()));
  return {};
}

}  // namespace cutline::run
