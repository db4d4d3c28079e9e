// mcp_sdk_ts_v1.mjs: the official TypeScript SDK, first generation. It reaches no model: what it
// returns of the tools is put into a request as it is, and the instructions stay where it keeps
// them, behind getInstructions().
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { converse, flags, task } from './shared.mjs';

flags();
const offered = [];
for (const { command, args, env } of task.servers) {
  const client = new Client({ name: 'cutline-driver', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env }));
  offered.push({ client, tools: (await client.listTools()).tools });
}
await converse(offered);
await Promise.all(offered.map(({ client }) => client.close()));
