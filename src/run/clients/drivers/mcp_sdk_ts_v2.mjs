// mcp_sdk_ts_v2.mjs: the official TypeScript SDK, second generation; otherwise as the driver of the
// first. With --negotiate it asks for the newer era first, which is not its default.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { converse, flags, task } from './shared.mjs';

const negotiates = flags(['--negotiate']).length > 0;
const options = negotiates ? { versionNegotiation: { mode: 'auto' } } : {};
const offered = [];
for (const { command, args, env } of task.servers) {
  const client = new Client({ name: 'cutline-driver', version: '1.0.0' }, options);
  await client.connect(new StdioClientTransport({ command, args, env }));
  offered.push({ client, tools: (await client.listTools()).tools });
}
await converse(offered);
await Promise.all(offered.map(({ client }) => client.close()));
