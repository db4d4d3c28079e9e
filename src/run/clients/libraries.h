// libraries.h: the adapters of libraries that hosts are built on, each run by a driver of ours.
#pragma once

#include "run/clients/adapter.h"

namespace cutline::run {

const Adapter& claude_agent_sdk();
const Adapter& openai_agents_js();
const Adapter& mcp_sdk_ts_v1();
const Adapter& mcp_sdk_ts_v2();
const Adapter& ai_sdk_mcp();
const Adapter& langchain_mcp_adapters();

}  // namespace cutline::run
