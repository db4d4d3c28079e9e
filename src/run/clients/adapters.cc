// adapters.cc: the clients that can be run.
#include <array>

#include "run/clients/adapter.h"
#include "run/clients/claude_code.h"

namespace cutline::run {

const Adapter* adapter_named(std::string_view id) {
  const std::array adapters = {&claude_code()};
  for (const Adapter* adapter : adapters)
    if (adapter->id() == id) return adapter;
  return nullptr;
}

}  // namespace cutline::run
