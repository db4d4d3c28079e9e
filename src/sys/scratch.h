// scratch.h: a folder of our own that is gone when we are done with it.
//
// Where a program was killed (`kill -9`) the next one cleans up after it: a folder is held by a
// lock for as long as its Scratch lives, and making one removes those of the same prefix beside it
// that are ours, have a lock, and are held by nobody. Nothing else is touched.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "sys/fd.h"

namespace cutline::sys {

class Scratch {
 public:
  /// In TMPDIR or /tmp, mode 0700. Removes what others have left behind. Problem "sys.scratch".
  static Result<Scratch> make(std::string_view prefix = "cutline");
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&& other) noexcept;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();  // removes it with everything inside, following no links

  const std::string& path() const { return path_; }
  /// PATH/NAME, folders above it made. Problem "sys.file.write".
  Result<std::string> write(std::string_view name, std::string_view bytes) const;
  Result<std::string> make_folder(std::string_view name) const;
  void keep();  // leaves it there, for good

 private:
  Scratch(std::string path, Fd lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::string path_;
  Fd lock_;
  bool kept_ = false;
};

/// A file or a folder with everything inside, following no links, however deep and whatever its
/// folders' permissions. That nothing is there is fine. What cannot be removed does not keep it
/// from removing the rest. Problem "sys.remove".
Result<void> remove_tree(const std::string& path);

}  // namespace cutline::sys
