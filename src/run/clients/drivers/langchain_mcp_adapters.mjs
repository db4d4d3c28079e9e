// langchain_mcp_adapters.mjs: LangChain's adapters, with an agent and a chat model of LangChain's.
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';

import { flags, task } from './shared.mjs';

flags();
const client = new MultiServerMCPClient({
  mcpServers: Object.fromEntries(
    task.servers.map(({ name, command, args, env }) => [
      name,
      { transport: 'stdio', command, args, env },
    ]),
  ),
});
const model = new ChatOpenAI({
  model: task.model,
  apiKey: process.env.OPENAI_API_KEY,
  configuration: { baseURL: `${task.gateway}/v1` },
  maxRetries: 0,
});
const agent = createAgent({ model, tools: await client.getTools() });
const { messages } = await agent.invoke(
  { messages: [{ role: 'user', content: task.prompt }] },
  { recursionLimit: 2 * task.turns + 1 }, // a step of the model, and one of its tools
);
console.log(messages.at(-1).content);
await client.close();
