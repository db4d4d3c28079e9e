// descendants.cc: walking /proc with nothing but system calls.
#include "sys/descendants.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/fd.h"

namespace cutline::sys {
namespace {

constexpr std::size_t kPathBytesMax = 64;  // "/proc/4194304/task/4194304/children" has 36

/// A path put together on the stack.
class Path {
 public:
  Path& operator<<(std::string_view text) {
    const std::size_t size = std::min(text.size(), kPathBytesMax - 1 - size_);
    std::memcpy(bytes_ + size_, text.data(), size);
    size_ += size;
    return *this;
  }
  Path& operator<<(pid_t number) {
    char digits[16];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    return *this << std::string_view(digits, end);
  }
  const char* c_str() const { return bytes_; }

 private:
  char bytes_[kPathBytesMax] = {};
  std::size_t size_ = 0;
};

/// Calls `visit` for each entry of a folder of /proc that is a number.
template <class Visit>
void for_each_number_in(const Path& folder, Visit visit) {
  const Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // struct linux_dirent64 of getdents(2): inode and offset (8 bytes each), the record's length, a
  // type byte, the name.
  constexpr std::size_t kLengthAt = 16, kNameAt = 19;
  char records[4096];
  while (fd) {
    const long size = ::syscall(SYS_getdents64, fd.get(), records, sizeof records);
    if (size <= 0) return;
    for (long at = 0; at < size;) {
      const char* record = records + at;
      unsigned short length = 0;
      std::memcpy(&length, record + kLengthAt, sizeof length);
      at += length;
      const std::string_view name(record + kNameAt);
      pid_t number = 0;
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
      if (error == std::errc{} && end == name.data() + name.size()) visit(number);
    }
  }
}

/// Calls `visit` for each child that one thread has started.
template <class Visit>
void for_each_child_in(const Path& children_file, Visit visit) {
  const Fd fd(::open(children_file.c_str(), O_RDONLY | O_CLOEXEC));
  char bytes[4096];
  pid_t number = 0;  // the numbers have a space after each; a read may end inside one
  while (fd) {
    const ssize_t size = retried([&] { return ::read(fd.get(), bytes, sizeof bytes); });
    if (size <= 0) return;
    for (const char c : std::string_view(bytes, static_cast<std::size_t>(size))) {
      if (c >= '0' && c <= '9') {
        number = number * 10 + (c - '0');
      } else if (number != 0) {
        visit(number);
        number = 0;
      }
    }
  }
}

pid_t parent_of(pid_t pid) {
  const Fd fd(::open((Path() << "/proc/" << pid << "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  char bytes[512];
  const ssize_t size = fd ? retried([&] { return ::read(fd.get(), bytes, sizeof bytes); }) : 0;
  if (size <= 0) return 0;
  // "PID (NAME) STATE PPID …", and the name may itself hold anything.
  const std::string_view stat(bytes, static_cast<std::size_t>(size));
  constexpr std::string_view kStateAndSpaces = ") S ";
  const std::size_t name_end = stat.rfind(')');
  if (name_end == stat.npos || name_end + kStateAndSpaces.size() > stat.size()) return 0;
  pid_t parent = 0;
  std::from_chars(bytes + name_end + kStateAndSpaces.size(), bytes + size, parent);
  return parent;
}

/// The processes found so far.
class Found {
 public:
  explicit Found(std::span<pid_t> room) : room_(room) {}
  void add(pid_t pid) {
    if (size_ < room_.size()) room_[size_++] = pid;
  }
  std::size_t size() const { return size_; }
  pid_t operator[](std::size_t index) const { return room_[index]; }
  bool contains(pid_t pid) const {
    const std::span<const pid_t> found = room_.first(size_);
    return std::find(found.begin(), found.end(), pid) != found.end();
  }

 private:
  std::span<pid_t> room_;
  std::size_t size_ = 0;
};

void add_children(pid_t pid, Found& found) {
  for_each_number_in(Path() << "/proc/" << pid << "/task", [&](pid_t thread) {
    for_each_child_in(Path() << "/proc/" << pid << "/task/" << thread << "/children",
                      [&](pid_t child) { found.add(child); });
  });
}

}  // namespace

Lookup available_lookup() {
  const pid_t self = ::getpid();
  const Path children = Path() << "/proc/" << self << "/task/" << self << "/children";
  return ::access(children.c_str(), R_OK) == 0 ? Lookup::kChildren : Lookup::kParents;
}

std::size_t descendants(pid_t root, Lookup lookup, std::span<pid_t> room) {
  Found found(room);
  if (lookup == Lookup::kChildren) {
    add_children(root, found);
    for (std::size_t i = 0; i < found.size(); ++i) add_children(found[i], found);
    return found.size();
  }
  // One pass a generation, as a child may stand before its parent.
  for (std::size_t before = room.size() + 1; before != found.size();) {
    before = found.size();
    for_each_number_in(Path() << "/proc", [&](pid_t pid) {
      const pid_t parent = parent_of(pid);
      const bool ours = parent == root || found.contains(parent);
      if (ours && !found.contains(pid)) found.add(pid);
    });
  }
  return found.size();
}

}  // namespace cutline::sys
