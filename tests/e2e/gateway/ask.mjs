// ask.mjs FOLDER: plays the script of gateway_program_test.cc with the official client library from FOLDER
// against $URL, and prints what the library made of each answer.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(process.argv[2], "package.json"));
const { default: Anthropic, APIError } = await import(pathToFileURL(require.resolve("@anthropic-ai/sdk")));
const client = new Anthropic({ baseURL: process.env.URL, apiKey: "sk-none", maxRetries: 0 });

const request = {
  model: "some-model",
  max_tokens: 100,
  messages: [{ role: "user", content: "go on" }],
  tools: [{ name: "Bash", description: "runs", input_schema: { type: "object" } }],
};
const failure = (error) => {
  if (!(error instanceof APIError)) throw error;
  return [error.status, error.error?.error?.type, error.error?.error?.message];
};

const plain = await client.messages.create(request);
console.log(plain.content[0].text, plain.stop_reason);

let pieces = "";
const stream = client.messages.stream(request).on("text", (text) => (pieces += text));
const streamed = await stream.finalMessage();
if (pieces !== streamed.content[0].text) throw new Error("the pieces are not the message");
console.log(pieces, streamed.stop_reason);

const call = await client.messages.stream(request).finalMessage();
console.log(call.content[0].name, JSON.stringify(call.content[0].input), call.stop_reason);

console.log(...(await client.messages.create(request).then(() => ["no error"], failure)));

const { max_tokens, ...counted } = request;
console.log((await client.messages.countTokens(counted)).input_tokens > 0);

const nowhere = await client.get("/v1/nowhere").then(() => ["no error"], failure);
console.log(...nowhere.slice(0, 2));
