// openai_agents_js.mjs: OpenAI's Agents SDK with servers over stdio. Where its model is, it reads
// from OPENAI_BASE_URL.
import { Agent, connectMcpServers, MCPServerStdio, run, setTracingDisabled } from '@openai/agents';

import { flags, task } from './shared.mjs';

flags();
setTracingDisabled(true);
const servers = await connectMcpServers(
  task.servers.map(
    ({ name, command, args, env }) => new MCPServerStdio({ name, command, args, env }),
  ),
);
const agent = new Agent({ name: 'cutline-driver', model: task.model, mcpServers: servers.active });
const { finalOutput } = await run(agent, task.prompt, { maxTurns: task.turns });
console.log(finalOutput);
await servers.close();
