// scratch.cc: making folders that nobody else can see into, and removing whatever is in them.
//
// A tree may be deeper than our stack, our descriptors and the longest path reach. So nothing
// descends: a folder within a folder is moved up to the root of the tree, and emptied there in its
// turn. Each is moved once and opened once, and two descriptors are enough.
#include "sys/scratch.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/fd.h"
#include "sys/files.h"

namespace cutline::sys {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnerAll = 0700;
/// How often a folder is read again because somebody still writes into it.
constexpr int kPassesMax = 16;

tl::unexpected<Problem> problem(std::string_view code, std::string place, std::string_view what,
                                std::string_view reason) {
  return fail({.code = std::string(code),
               .message = fmt::format("{}: {}", what, reason),
               .place = std::move(place),
               .hint = {},
               .blame = Blame::kMissing});
}

class Remover {
 public:
  explicit Remover(Fd root) : root_(std::move(root)) {}

  /// Empties the root; the first errno, or 0.
  int run() {
    for (int pass = 0; pass < kPassesMax && !is_empty_after_scan(root_); ++pass) {
      while (!moved_.empty()) {
        const std::string name = std::move(moved_.back());
        moved_.pop_back();
        remove_folder(name);
      }
      if (error_ != 0) break;
    }
    return error_;
  }

  /// A folder that we can read and write, whatever its permissions were; no link. Or errno.
  static Fd open_folder(int parent, const char* name) {
    constexpr int kFlags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    Fd fd(::openat(parent, name, O_RDONLY | kFlags));
    if (!fd && errno == EACCES) {
      make_ours(parent, name);
      fd = Fd(::openat(parent, name, O_RDONLY | kFlags));
    }
    struct stat status{};
    if (fd && ::fstat(fd.get(), &status) == 0 && (status.st_mode & kOwnerAll) != kOwnerAll)
      ::fchmod(fd.get(), kOwnerAll);
    return fd;
  }

 private:
  struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };

  /// By /proc, as only that changes what we have opened and not what may have taken its place.
  static void make_ours(int parent, const char* name) {
    const Fd fd(::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (fd) ::chmod(fmt::format("/proc/self/fd/{}", fd.get()).c_str(), kOwnerAll);
  }

  void failed() {
    if (error_ == 0) error_ = errno;
  }

  /// Removes what is no folder and moves folders to the root; whether nothing was there at all.
  bool is_empty_after_scan(const Fd& folder) {
    Fd copy(::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const std::unique_ptr<DIR, CloseFolder> entries(copy ? ::fdopendir(copy.get()) : nullptr);
    if (!entries) {
      failed();
      return true;
    }
    copy.release();
    bool empty = true;
    while (const dirent* entry = ::readdir(entries.get())) {
      const char* const name = static_cast<const char*>(entry->d_name);
      if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
      empty = false;
      if (::unlinkat(folder.get(), name, 0) == 0 || errno == ENOENT) continue;
      if (errno != EISDIR)
        failed();
      else if (::unlinkat(folder.get(), name, AT_REMOVEDIR) != 0)
        move_up(folder, name);
    }
    return empty;
  }

  void move_up(const Fd& folder, const char* name) {
    if (folder.get() == root_.get()) {
      moved_.emplace_back(name);
      return;
    }
    bool made_ours = false;
    while (true) {
      std::string place = fmt::format(".cutline-removed-{}", next_++);
      if (::renameat(folder.get(), name, root_.get(), place.c_str()) == 0) {
        moved_.push_back(std::move(place));
        return;
      }
      const bool taken = errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR;
      if (taken) continue;
      // Its ".." changes, so that it must be writable itself.
      if (made_ours || errno != EACCES) return failed();
      make_ours(folder.get(), name);
      made_ours = true;
    }
  }

  void remove_folder(const std::string& name) {
    const Fd folder = open_folder(root_.get(), name.c_str());
    if (!folder) return failed();
    for (int pass = 0; pass < kPassesMax; ++pass) {
      is_empty_after_scan(folder);
      if (::unlinkat(root_.get(), name.c_str(), AT_REMOVEDIR) == 0) return;
      if (errno != ENOTEMPTY && errno != EEXIST) break;
      if (error_ != 0) return;
    }
    failed();
  }

  Fd root_;
  std::vector<std::string> moved_;  // folders in the root that are still to be removed
  std::size_t next_ = 0;
  int error_ = 0;
};

/// PATH/NAME, if that is within.
Result<std::string> place_in(const std::string& path, std::string_view name) {
  const fs::path relative(name);
  bool within = !relative.empty() && !relative.is_absolute();
  for (const fs::path& part : relative) within = within && part != "..";
  if (!within)
    return problem("sys.file.write", std::string(name), "cannot write it", "not within the folder");
  return (path / relative).string();
}

}  // namespace

Result<void> remove_tree(const std::string& path) {
  int error = 0;
  if (Fd root = Remover::open_folder(AT_FDCWD, path.c_str())) {
    error = Remover(std::move(root)).run();
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
  std::string path = (above / fmt::format("{}-XXXXXX", prefix)).string();
  if (error || ::mkdtemp(path.data()) == nullptr)
    return problem("sys.scratch", above.string(), "cannot make a folder there",
                   std::strerror(errno));
  return Scratch(std::move(path));
}

Scratch::Scratch(Scratch&& other) noexcept
    : path_(std::exchange(other.path_, {})), kept_(other.kept_) {}

Scratch& Scratch::operator=(Scratch&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(kept_, other.kept_);
  return *this;
}

Scratch::~Scratch() {
  // A failure has nobody to go to; what is left is in the temporary folder, as its name says.
  if (!kept_ && !path_.empty()) static_cast<void>(remove_tree(path_));
}

Result<std::string> Scratch::write(std::string_view name, std::string_view bytes) const {
  CUTLINE_TRY_ASSIGN(std::string path, place_in(path_, name));
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) return problem("sys.file.write", path, "cannot make its folder", error.message());
  CUTLINE_TRY(write_file(path, bytes));
  return path;
}

Result<std::string> Scratch::make_folder(std::string_view name) const {
  CUTLINE_TRY_ASSIGN(std::string path, place_in(path_, name));
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return problem("sys.file.write", path, "cannot make this folder", error.message());
  return path;
}

void Scratch::keep() { kept_ = true; }

}  // namespace cutline::sys
