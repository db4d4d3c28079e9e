// files.cc: reading and writing whole files.
#include "sys/files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "sys/fd.h"

namespace cutline::sys {
namespace {

constexpr std::size_t kChunkBytes = 64 << 10;

Problem read_problem(const std::string& path, std::string_view reason) {
  return {.code = "sys.file.read",
          .message = fmt::format("cannot read it: {}", reason),
          .place = path,
          .hint = {}};
}

Problem write_problem(const std::string& path, std::string_view reason) {
  return {.code = "sys.file.write",
          .message = fmt::format("cannot write it: {}", reason),
          .place = path,
          .hint = {},
          .blame = Blame::kMissing};
}

/// errno, or 0.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = retried([&] { return ::write(fd, bytes.data(), bytes.size()); });
    if (put < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

/// Into something that cannot be replaced: a device, a pipe.
Result<void> write_into(const std::string& path, std::string_view bytes) {
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd) return fail(write_problem(path, std::strerror(errno)));
  if (const int error = write_all(fd.get(), bytes))
    return fail(write_problem(path, std::strerror(error)));
  return {};
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t bytes_max) {
  const bool standard_input = path == "-";
  const std::string place = standard_input ? "standard input" : path;
  const Fd file(standard_input ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int fd = standard_input ? STDIN_FILENO : file.get();
  if (fd < 0) return fail(read_problem(place, std::strerror(errno)));

  std::string bytes;
  struct stat status{};
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
    bytes.reserve(std::min(static_cast<std::size_t>(status.st_size), bytes_max) + kChunkBytes);
  while (true) {
    const std::size_t had = bytes.size();
    bytes.resize(had + kChunkBytes);
    const ssize_t got = retried([&] { return ::read(fd, bytes.data() + had, kChunkBytes); });
    if (got < 0) return fail(read_problem(place, std::strerror(errno)));
    bytes.resize(had + static_cast<std::size_t>(got));
    if (bytes.size() > bytes_max)
      return fail({.code = "sys.file.too_large",
                   .message = fmt::format("it has more than {} bytes",
                                          with_separators(static_cast<std::int64_t>(bytes_max))),
                   .place = place,
                   .hint = {}});
    if (got == 0) return bytes;
  }
}

Result<void> write_file(const std::string& path, std::string_view bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path target = fs::weakly_canonical(path, error);  // a link stays a link
  if (error) return fail(write_problem(path, error.message()));
  struct stat old{};
  const bool replaces = ::stat(target.c_str(), &old) == 0;
  if (replaces && !S_ISREG(old.st_mode)) return write_into(path, bytes);

  const fs::path beside =
      target.parent_path() / fmt::format(".{}.{}.tmp", target.filename().string(), ::getpid());
  Fd fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!fd) return fail(write_problem(path, std::strerror(errno)));
  int failed = write_all(fd.get(), bytes);
  if (failed == 0 && replaces && ::fchmod(fd.get(), old.st_mode & 07777) != 0) failed = errno;
  fd.reset();
  if (failed == 0 && ::rename(beside.c_str(), target.c_str()) != 0) failed = errno;
  if (failed == 0) return {};
  ::unlink(beside.c_str());
  return fail(write_problem(path, std::strerror(failed)));
}

Result<std::vector<std::string>> list_files(const std::string& folder, std::string_view ending) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;  // what vanishes while we look is no file
    if (at->path().string().ends_with(ending) && at->is_regular_file(ignored))
      files.push_back(at->path().string());
  }
  if (error) return fail(read_problem(folder, error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

Result<Fd> lock_file(const std::string& path) {
  Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file) return fail(write_problem(path, std::strerror(errno)));
  if (retried([&] { return ::flock(file.get(), LOCK_EX | LOCK_NB); }) == 0) return file;
  if (errno == EWOULDBLOCK) return Fd();
  return fail(write_problem(path, std::strerror(errno)));
}

Result<AppendFile> AppendFile::open(const std::string& path) {
  Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!fd) return fail(write_problem(path, std::strerror(errno)));
  return AppendFile(path, std::move(fd));
}

Result<void> AppendFile::append(std::string_view bytes) {
  const ssize_t put = retried([&] { return ::write(fd_.get(), bytes.data(), bytes.size()); });
  if (put < 0) return fail(write_problem(path_, std::strerror(errno)));
  if (static_cast<std::size_t>(put) < bytes.size())
    return fail(write_problem(path_, "it took only a part"));
  return {};
}

}  // namespace cutline::sys
