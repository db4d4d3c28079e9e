// scratch.cc: making folders that nobody else can see into, and removing those that nobody needs.
//
// Who makes a folder holds a lock in it until it is gone. The lock is taken before it has its name,
// so that one which has it and is held by nobody was left behind. It is removed last: as long as it
// is there, somebody else can go on after us.
#include "sys/scratch.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/fd.h"
#include "sys/files.h"
#include "sys/remover.h"

namespace cutline::sys {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = ".cutline-lock";
constexpr const char* kLockBefore = ".cutline-lock.new";
constexpr std::string_view kRandom = "XXXXXX";  // as mkdtemp wants it
constexpr mode_t kOthers = 077;
constexpr const char* kHint =
    "TMPDIR names the folder for temporary files; set it to one that has room and is writable";

tl::unexpected<Problem> problem(std::string_view code, std::string place, std::string_view what,
                                std::string_view reason) {
  return fail({.code = std::string(code),
               .message = fmt::format("{}: {}", what, reason),
               .place = std::move(place),
               .hint = {},
               .blame = Blame::kMissing});
}

tl::unexpected<Problem> scratch_problem(std::string place, int error) {
  return fail({.code = "sys.scratch",
               .message = fmt::format("cannot make a folder there: {}", std::strerror(error)),
               .place = std::move(place),
               .hint = kHint,
               .blame = Blame::kMissing});
}

// --- Locks, and what was left behind -------------------------------------------------------------

/// An empty descriptor where there are no locks: then nobody will take the folder for abandoned.
Result<Fd> hold(const std::string& folder) {
  const std::string before = fmt::format("{}/{}", folder, kLockBefore);
  const std::string lock = fmt::format("{}/{}", folder, kLock);
  Fd file(::open(before.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return scratch_problem(folder, errno);
  if (retried([&] { return ::flock(file.get(), LOCK_EX | LOCK_NB); }) != 0) {
    ::unlink(before.c_str());
    return Fd();
  }
  if (::rename(before.c_str(), lock.c_str()) != 0) return scratch_problem(folder, errno);
  return file;
}

/// The lock is removed after all else, and the folder only by its name, which is then empty or
/// somebody else's. The first errno, or 0.
int remove_held(int parent, const char* name, const Fd& folder) {
  const int error = empty_folder(folder, kLock);
  if (error != 0) return error;
  if (::unlinkat(folder.get(), kLock, 0) != 0 && errno != ENOENT) return errno;
  return ::unlinkat(parent, name, AT_REMOVEDIR) == 0 ? 0 : errno;
}

bool is_named_so(std::string_view name, std::string_view prefix) {
  if (name.size() != prefix.size() + 1 + kRandom.size()) return false;
  if (!name.starts_with(prefix) || name[prefix.size()] != '-') return false;
  return std::ranges::all_of(name.substr(prefix.size() + 1), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

bool is_ours(const Fd& file, mode_t kind) {
  struct stat status{};
  return ::fstat(file.get(), &status) == 0 && (status.st_mode & S_IFMT) == kind &&
         status.st_uid == ::geteuid() && (status.st_mode & kOthers) == 0 && status.st_nlink != 0;
}

void remove_if_left_behind(int parent, const char* name) {
  const Fd folder(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder || !is_ours(folder, S_IFDIR)) return;
  const Fd lock(::openat(folder.get(), kLock, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return;
  // Looked at now: who held it before us may have removed it.
  if (is_ours(lock, S_IFREG)) remove_held(parent, name, folder);
}

void remove_left_behind(const std::string& above, std::string_view prefix) {
  struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };
  const std::unique_ptr<DIR, CloseFolder> entries(::opendir(above.c_str()));
  if (!entries) return;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (is_named_so(name, prefix)) names.emplace_back(name);
  }
  for (const std::string& name : names) remove_if_left_behind(::dirfd(entries.get()), name.c_str());
}

/// PATH/NAME, if that is within.
Result<std::string> place_in(const std::string& path, std::string_view name) {
  const fs::path relative(name);
  bool within = !relative.empty() && !relative.is_absolute();
  for (const fs::path& part : relative) within = within && part != "..";
  if (!within)
    return problem("sys.file.write", std::string(name), "cannot write it", "not within the folder");
  return (path / relative).string();
}

Result<void> make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return {};
  return fail({.code = "sys.file.write",
               .message = fmt::format("cannot make this folder: {}", error.message()),
               .place = path.string(),
               .hint = kHint,
               .blame = Blame::kMissing});
}

}  // namespace

Result<void> remove_tree(const std::string& path) {
  int error = 0;
  if (const Fd root = open_for_removal(AT_FDCWD, path.c_str())) {
    error = empty_folder(root);
    if (error == 0 && ::rmdir(path.c_str()) != 0) error = errno;
  } else if ((errno == ENOTDIR || errno == ELOOP) && ::unlink(path.c_str()) == 0) {
    return {};
  } else {
    error = errno;
  }
  if (error == 0 || error == ENOENT) return {};
  return problem("sys.remove", path, "cannot remove all of it", std::strerror(error));
}

Result<Scratch> Scratch::make(std::string_view prefix) {
  const char* const asked = std::getenv("TMPDIR");
  std::error_code error;
  const fs::path above = fs::absolute(asked != nullptr && *asked != '\0' ? asked : "/tmp", error);
  remove_left_behind(above.string(), prefix);
  std::string path = (above / fmt::format("{}-{}", prefix, kRandom)).string();
  if (error || ::mkdtemp(path.data()) == nullptr)
    return scratch_problem(above.string(), error ? error.value() : errno);
  Result<Fd> lock = hold(path);
  if (!lock) {
    ::unlink(fmt::format("{}/{}", path, kLockBefore).c_str());
    ::rmdir(path.c_str());
    return fail(std::move(lock).error());
  }
  return Scratch(std::move(path), *std::move(lock));
}

Scratch::Scratch(Scratch&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)), kept_(other.kept_) {}

Scratch& Scratch::operator=(Scratch&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  std::swap(kept_, other.kept_);
  return *this;
}

Scratch::~Scratch() {
  if (kept_ || path_.empty()) return;
  // A failure has nobody to go to; what is left is in the temporary folder, as its name says.
  if (const Fd folder = open_for_removal(AT_FDCWD, path_.c_str()))
    remove_held(AT_FDCWD, path_.c_str(), folder);
}

Result<std::string> Scratch::write(std::string_view name, std::string_view bytes) const {
  CUTLINE_TRY_ASSIGN(std::string path, place_in(path_, name));
  CUTLINE_TRY(make_folders(fs::path(path).parent_path()));
  Result<void> written = write_file(path, bytes);
  if (written) return path;
  written.error().hint = kHint;
  return fail(std::move(written).error());
}

Result<std::string> Scratch::make_folder(std::string_view name) const {
  CUTLINE_TRY_ASSIGN(std::string path, place_in(path_, name));
  CUTLINE_TRY(make_folders(path));
  return path;
}

void Scratch::keep() {
  kept_ = true;
  ::unlink(fmt::format("{}/{}", path_, kLock).c_str());  // so that nobody takes it for abandoned
}

}  // namespace cutline::sys
