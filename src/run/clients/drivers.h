// drivers.h: the small programs that libraries need in order to be clients (drivers/*.mjs).
//
// They are ours: a library connects to servers and leaves all else to its host, and here a driver
// is that host. They are embedded in the program and written into the scratch folder.
#pragma once

#include <string_view>
#include <vector>

namespace cutline::run {

struct Driver {
  std::string_view file;  // "ai_sdk_mcp.mjs"
  std::string_view text;
};
std::vector<Driver> drivers();

}  // namespace cutline::run
