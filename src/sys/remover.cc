// remover.cc: emptying a folder, whatever is in it.
//
// A tree may be deeper than our stack, our descriptors and the longest path reach. So nothing
// descends: a folder within a folder is moved up to the root of the tree, and emptied there in its
// turn. Each is moved once and opened once, and two descriptors are enough.
#include "sys/remover.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cutline::sys {
namespace {

constexpr mode_t kOwnerAll = 0700;
/// How often a folder is read again because somebody still writes into it.
constexpr int kPassesMax = 16;

/// By /proc, as only that changes what we have opened and not what may have taken its place.
void make_ours(int parent, const char* name) {
  const Fd fd(::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (fd) ::chmod(fmt::format("/proc/self/fd/{}", fd.get()).c_str(), kOwnerAll);
}

class Remover {
 public:
  Remover(const Fd& root, std::string_view spared) : root_(root), spared_(spared) {}

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

 private:
  struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };

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
      if (folder.get() == root_.get() && name == spared_) continue;
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
    const Fd folder = open_for_removal(root_.get(), name.c_str());
    if (!folder) return failed();
    for (int pass = 0; pass < kPassesMax; ++pass) {
      is_empty_after_scan(folder);
      if (::unlinkat(root_.get(), name.c_str(), AT_REMOVEDIR) == 0) return;
      if (errno != ENOTEMPTY && errno != EEXIST) break;
      if (error_ != 0) return;
    }
    failed();
  }

  const Fd& root_;
  std::string_view spared_;
  std::vector<std::string> moved_;  // folders in the root that are still to be removed
  std::size_t next_ = 0;
  int error_ = 0;
};

}  // namespace

Fd open_for_removal(int parent, const char* name) {
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

int empty_folder(const Fd& folder, std::string_view spared) {
  return Remover(folder, spared).run();
}

}  // namespace cutline::sys
