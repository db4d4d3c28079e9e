// files.h: whole files in and out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/fd.h"

namespace cutline::sys {

/// "-" is standard input. Problem "sys.file.read" (with the reason), "sys.file.too_large".
Result<std::string> read_file(const std::string& path, std::size_t bytes_max);

/// Written beside and renamed, so that a reader never sees half; the mode of an older file is kept.
/// What is no regular file (a device, a pipe) is written into. Problem "sys.file.write".
Result<void> write_file(const std::string& path, std::string_view bytes);

/// Regular files in a folder whose name ends so, as FOLDER/NAME, sorted. Problem "sys.file.read".
Result<std::vector<std::string>> list_files(const std::string& folder, std::string_view ending);

/// Holds the file, which is made if need be, for us alone until the descriptor is closed; an empty
/// one if somebody else holds it. Problem "sys.file.write".
Result<Fd> lock_file(const std::string& path);

/// A log that several processes may write to at the same time.
class AppendFile {
 public:
  /// Problem "sys.file.write".
  static Result<AppendFile> open(const std::string& path);

  /// In one write(2) at the end of the file, whoever else writes. Problem "sys.file.write".
  Result<void> append(std::string_view bytes);

 private:
  AppendFile(std::string path, Fd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  Fd fd_;
};

}  // namespace cutline::sys
