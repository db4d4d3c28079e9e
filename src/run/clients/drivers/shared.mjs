// shared.mjs: what the drivers have in common. A driver is the host that a library needs in order to
// be measured: ours, and as plain as the library's own first example. It connects to the servers of
// the task, hands their tools to the model, and answers the model's calls.
//
// node DRIVER.mjs TASK.json, where TASK.json is { gateway, model, prompt, turns, servers: [{ name,
// command, args, env }] }: a list, for an object would sort names that look like numbers.
import { readFileSync } from 'node:fs';

export const task = JSON.parse(readFileSync(process.argv[2], 'utf8'));

/** The words after the task, of which only those in `known` may be there. */
export function flags(known = []) {
  const given = process.argv.slice(3);
  const odd = given.find((word) => !known.includes(word));
  if (odd !== undefined) throw new Error(`this driver has no argument '${odd}'`);
  return given;
}

/** One request to a chat API, as a host without any library for that would send it. */
async function complete(messages, tools) {
  const response = await fetch(`${task.gateway}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
    body: JSON.stringify({ model: task.model, messages, ...(tools.length > 0 && { tools }) }),
  });
  if (!response.ok) throw new Error(`the model's API answers ${response.status}`);
  return (await response.json()).choices[0].message;
}

/** For libraries that connect to servers and do no more: `offered` is [{ client, tools }], each with
 * a client's tools exactly as it returned them. */
export async function converse(offered) {
  const owners = new Map();
  const tools = offered.flatMap(({ client, tools: list }) =>
    list.map(({ name, description, inputSchema }) => {
      if (!owners.has(name)) owners.set(name, client);
      return { type: 'function', function: { name, description, parameters: inputSchema } };
    }),
  );
  const messages = [{ role: 'user', content: task.prompt }];
  for (let turn = 0; turn < task.turns; ++turn) {
    const message = await complete(messages, tools);
    messages.push(message);
    if (!message.tool_calls?.length) return console.log(message.content);
    for (const { id, function: called } of message.tool_calls) {
      const result = await owners
        .get(called.name)
        .callTool({ name: called.name, arguments: JSON.parse(called.arguments) });
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result.content) });
    }
  }
}
