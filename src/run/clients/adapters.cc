// adapters.cc: the clients that can be run.
#include <array>

#include "run/clients/adapter.h"
#include "run/clients/claude_code.h"
#include "run/clients/cline.h"
#include "run/clients/codex.h"
#include "run/clients/continue_cli.h"
#include "run/clients/copilot.h"
#include "run/clients/gemini_cli.h"
#include "run/clients/libraries.h"
#include "run/clients/opencode.h"
#include "run/clients/qwen_code.h"

namespace cutline::run {

const Adapter* adapter_named(std::string_view id) {
  const std::array adapters = {&claude_code(),      &codex(),         &gemini_cli(),
                               &opencode(),         &kilo(),          &qwen_code(),
                               &copilot(),          &cline(),         &continue_cli(),
                               &claude_agent_sdk(), &mcp_sdk_ts_v1(), &mcp_sdk_ts_v2(),
                               &openai_agents_js(), &ai_sdk_mcp(),    &langchain_mcp_adapters()};
  for (const Adapter* adapter : adapters)
    if (adapter->id() == id) return adapter;
  return nullptr;
}

}  // namespace cutline::run
