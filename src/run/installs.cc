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
#include "run/registry.h"
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
  Installed installed{.id = *std::move(id),
                      .version = *std::move(version),
                      .folder = folder,
                      .integrity = *std::move(integrity)};
  if (const auto also = document->root().find("also"); also && also->is(json::Type::kArray))
    for (const json::Value& one : also->elements())
      if (one.is(json::Type::kString)) installed.also.push_back(one.string().value);
  return installed;
}

/// One that was installed with other packages beside it is another thing.
std::optional<Installed> read_marker(const std::string& folder, const Package& package) {
  std::optional<Installed> there = read_marker(folder);
  return there && there->also == package.also ? there : std::nullopt;
}

Result<void> write_marker(const std::string& folder, const Package& package,
                          const Installed& installed) {
  json::Writer writer(json::Writer::Style::kIndented);
  writer.begin_object().member("id", installed.id).member("package", package.name);
  writer.member("version", installed.version).member("integrity", installed.integrity);
  writer.key("also").begin_array();
  for (const std::string& one : installed.also) writer.string(one);
  writer.end_array();
  return sys::write_file(fmt::format("{}/{}", folder, kMarker), writer.end_object().take() + "\n");
}

// --- Installing ----------------------------------------------------------------------------------

tl::unexpected<Problem> wrong_integrity(std::string message) {
  return fail({.code = "run.npm.integrity",
               .message = std::move(message),
               .place = {},
               .hint = "nothing was installed",
               .blame = Blame::kMissing});
}

/// A package that was asked for by name, as the registry has it.
struct Wanted {
  std::string name;
  Published published;

  std::string text() const { return fmt::format("{}@{}", name, published.version); }
};

Result<void> check_one(const json::Value& packages, const Wanted& wanted) {
  const auto own = packages.find("node_modules/" + wanted.name);
  if (!own) return wrong_integrity(fmt::format("npm did not install {}", wanted.name));
  if (json::string_member(*own, "version") == wanted.published.version &&
      json::string_member(*own, "integrity") == wanted.published.integrity)
    return {};
  return wrong_integrity(
      fmt::format("what npm fetched as {} {} has not the registry's integrity value", wanted.name,
                  wanted.published.version));
}

/// npm compares each archive with the value that it writes here, so what is left is whether those
/// are the registry's, and whether there is one for everything that was fetched.
Result<void> check_integrity(const std::string& folder, const std::vector<Wanted>& wanted) {
  CUTLINE_TRY_ASSIGN(const std::string bytes,
                     sys::read_file(folder + "/package-lock.json", kLockFileBytesMax));
  CUTLINE_TRY_ASSIGN(const json::Document lock, json::Document::parse(bytes));
  const auto packages = lock.root().find("packages");
  if (!packages) return wrong_integrity("npm did not say what it installed");
  for (const Wanted& one : wanted) CUTLINE_TRY(check_one(*packages, one));
  for (const json::Value::Member& member : packages->members()) {
    const bool bundled = member.value.find("inBundle").has_value();
    if (member.key.empty() || bundled || json::string_member(member.value, "integrity")) continue;
    return wrong_integrity(fmt::format("npm fetched {} without an integrity value", member.key));
  }
  return {};
}

Result<void> install(Npm& npm, const std::vector<Wanted>& wanted, const std::string& folder) {
  CUTLINE_TRY(sys::write_file(folder + "/package.json", "{\"private\": true}\n"));
  std::vector<std::string> arguments = {"install",
                                        "--prefix",
                                        folder,
                                        "--ignore-scripts",
                                        "--no-audit",
                                        "--no-fund",
                                        "--save-exact",
                                        "--package-lock=true",
                                        "--global=false",
                                        "--workspaces=false",
                                        "--include=optional"};
  for (const Wanted& one : wanted) arguments.push_back(one.text());
  CUTLINE_TRY_ASSIGN(const NpmRun run, npm.run(arguments, folder));
  if (run.exit_code == 0) return check_integrity(folder, wanted);
  return fail(npm_problem(run, fmt::format("install {}", wanted.front().text())));
}

}  // namespace

Result<void> check_package(const Package& package) {
  for (const std::string& also : package.also) CUTLINE_TRY(exact_package(also));
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
  return all_published(npm, package.name, folder_);
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
    CUTLINE_TRY_ASSIGN(wanted, run::published(npm, package.name, version, folder_));
    version = wanted->version;
  }
  const std::string folder = fmt::format("{}/{}@{}", folder_, package.id, version);
  if (std::optional<Installed> there = read_marker(folder, package)) return *std::move(there);
  CUTLINE_TRY_ASSIGN(
      const Lock lock, Lock::take(folder + ".lock", [&] {
        says(fmt::format("waiting for another cutline to install {} {}", package.id, version));
      }));
  if (std::optional<Installed> there = read_marker(folder, package)) return *std::move(there);

  Npm npm;  // after the lock, whose wait a signal may end, and before the folder, which it may not
  if (!wanted) {
    CUTLINE_TRY_ASSIGN(wanted, run::published(npm, package.name, version, folder_));
  }
  says(fmt::format("installing {} {} from npm", package.id, wanted->version));
  CUTLINE_TRY_ASSIGN(Part part, Part::make(folder + ".part"));
  std::vector<Wanted> all = {{.name = package.name, .published = *wanted}};
  for (const std::string& word : package.also) {
    CUTLINE_TRY_ASSIGN(const PackageVersion also, exact_package(word));
    CUTLINE_TRY_ASSIGN(Published beside, run::published(npm, also.name, also.version, folder_));
    all.push_back({.name = also.name, .published = std::move(beside)});
  }
  CUTLINE_TRY(install(npm, all, part.path()));
  Installed installed{.id = package.id,
                      .version = wanted->version,
                      .folder = folder,
                      .integrity = wanted->integrity,
                      .also = package.also};
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
