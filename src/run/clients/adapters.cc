// adapters.cc: the clients that can be run.
#include <array>

#include "run/clients/adapter.h"
#include "run/clients/claude_code.h"
#include "run/clients/cline.h"
#include "run/clients/codex.h"
#include "run/clients/continue_cli.h"
#include "run/clients/copilot.h"
#include "run/clients/gemini_cli.h"
#include "run/clients/opencode.h"
#include "run/clients/qwen_code.h"

namespace cutline::run {

const Adapter* adapter_named(std::string_view id) {
  const std::array adapters = {&claude_code(), &codex(),   &gemini_cli(), &opencode(),    &kilo(),
                               &qwen_code(),   &copilot(), &cline(),      &continue_cli()};
  for (const Adapter* adapter : adapters)
    if (adapter->id() == id) return adapter;
  return nullptr;
}

}  // namespace cutline::run
