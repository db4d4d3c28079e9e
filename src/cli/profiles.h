// profiles.h: finding profiles by name, and reading only those that are asked for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "delivery/profile.h"

namespace cutline::cli {

/// The profiles inside the program, and those of a folder, which replace the ones of the same name.
/// A profile's name is its file's, without ".toml"; the id inside must be the same.
class Shelf {
 public:
  static Result<Shelf> open(const std::optional<std::string>& folder);

  std::vector<std::string> names() const;
  /// Problem "cli.client" with the nearest name; those of delivery/profile.h.
  Result<delivery::Profile> read(const std::string& name) const;
  /// The file itself, of a name that there is.
  Result<std::string> text(const std::string& name) const;

 private:
  struct Entry {
    std::string file;       // for messages, and to read it
    std::string_view toml;  // of a profile inside the program
    bool builtin = false;
  };
  std::map<std::string, Entry> entries_;
};

}  // namespace cutline::cli
