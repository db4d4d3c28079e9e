// claude_agent_sdk.mjs: the Claude Agent SDK, which starts the program that is in its package. No
// settings of the machine are read, and each message is printed as it comes.
import { query } from '@anthropic-ai/claude-agent-sdk';

import { flags, task } from './shared.mjs';

flags();
const mcpServers = Object.fromEntries(
  task.servers.map(({ name, ...server }) => [name, { type: 'stdio', ...server }]),
);
const options = {
  mcpServers,
  maxTurns: task.turns,
  settingSources: [],
  strictMcpConfig: true,
  allowedTools: ['Bash'],
  debugFile: task.debugFile,
  ...(task.model && { model: task.model }),
};
for await (const message of query({ prompt: task.prompt, options })) {
  console.log(JSON.stringify(message));
}
