// ai_sdk_mcp.mjs: the AI SDK with its MCP client. Tools of several servers are spread into one
// object, as its documentation does it.
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs } from 'ai';

import { flags, task } from './shared.mjs';

flags();
const provider = createOpenAICompatible({
  name: 'cutline',
  baseURL: `${task.gateway}/v1`,
  apiKey: process.env.OPENAI_API_KEY,
});
const clients = [];
let tools = {};
for (const { command, args, env } of task.servers) {
  const client = await createMCPClient({ transport: new StdioTransport({ command, args, env }) });
  clients.push(client);
  tools = { ...tools, ...(await client.tools()) };
}
const { text } = await generateText({
  model: provider(task.model),
  tools,
  prompt: task.prompt,
  stopWhen: stepCountIs(task.turns),
  maxRetries: 0,
});
console.log(text);
await Promise.all(clients.map((client) => client.close()));
