// preparation.h: everything that a fork needs, made before it. Internal to this room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sys/guardian.h"
#include "sys/process.h"

namespace cutline::sys {

/// What a Launch points to.
class Preparation {
 public:
  explicit Preparation(const Command& command);

  /// The files that argv[0] may mean, in the order in which a shell would try them.
  const std::vector<std::string>& paths() const { return paths_; }

  /// Valid as long as this object is. Its descriptors are still to be filled in.
  Launch launch();

 private:
  std::string directory_;
  std::vector<std::string> environment_, paths_, arguments_, script_;
  std::vector<std::uint16_t> ports_;
  std::string uid_map_, gid_map_;
  bool terminal_;
  std::vector<char*> environment_pointers_, path_pointers_, argument_pointers_, script_pointers_;
};

}  // namespace cutline::sys
