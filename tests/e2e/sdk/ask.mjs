// ask.mjs: what an official MCP client makes of a server, as one JSON object on standard output.
//
//   ask.mjs MODULES CLIENT COMMAND ARGUMENTS…
//
// MODULES is a folder with the node_modules of package.json; CLIENT one of
//   v1         @modelcontextprotocol/sdk, which knows initialize alone
//   v2-legacy  @modelcontextprotocol/client as it is by default
//   v2-auto    the same, which probes with server/discover in a process of its own, then decides
//   v2-modern  the same, held to revision 2026-07-28
import { createHash } from "node:crypto";
import { createRequire } from "node:module";

const [modules, kind, command, ...args] = process.argv.slice(2);
const require = createRequire(`${modules}/package.json`);

const negotiation = {
  "v2-legacy": undefined,
  "v2-auto": { mode: "auto", probe: { timeoutMs: 2000 } },
  "v2-modern": { mode: { pin: "2026-07-28" } },
};

function text(value) {
  if (value === undefined) return null;
  return {
    utf16_units: value.length,
    sha256: createHash("sha256").update(value, "utf8").digest("hex"),
  };
}

function makeClient() {
  const identity = { name: "cutline-e2e", version: "1" };
  if (kind === "v1") {
    const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
    const transport = new StdioClientTransport({ command, args });
    // Version 1 tells nobody but its transport what was negotiated.
    let version;
    transport.setProtocolVersion = (negotiated) => (version = negotiated);
    return { client: new Client(identity), transport, version: () => version };
  }
  if (!(kind in negotiation)) throw new Error(`there is no client '${kind}'`);
  const { Client } = require("@modelcontextprotocol/client");
  const { StdioClientTransport } = require("@modelcontextprotocol/client/stdio");
  const client = new Client(identity, { versionNegotiation: negotiation[kind] });
  const transport = new StdioClientTransport({ command, args });
  return { client, transport, version: () => client.getNegotiatedProtocolVersion() };
}

/** Version 1 gives one page at a time, version 2 all. */
async function allTools(client) {
  const tools = [];
  let cursor;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

async function ask() {
  const { client, transport, version } = makeClient();
  try {
    await client.connect(transport, { timeout: 20000 });
    const tools = await allTools(client);
    const call = tools.some((tool) => tool.name === "lab_ping")
      ? (await client.callTool({ name: "lab_ping" })).content[0].text
      : null;
    return {
      version: version(),
      server: client.getServerVersion()?.name ?? null,
      instructions: text(client.getInstructions()),
      tools: tools.map((tool) => ({ name: tool.name, description: text(tool.description) })),
      lab_ping: call,
    };
  } catch (error) {
    return { error: String(error.message), code: error.code ?? null };
  } finally {
    await client.close();
  }
}

console.log(JSON.stringify(await ask()));
