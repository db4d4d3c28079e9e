// offer.mjs ROUNDS: writes an offer of 10 MB and times `cutline check --offer` on it.
//
// The offer is a raw dump (initialize and tools/list): 1 MB of instructions and 250 tools with long
// descriptions and schemas, in English, Japanese and emoji. The peer reads the same file and makes
// of every text what each of four limits leaves of it, in a Node process of its own.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const kSentences = [
  "Count a bin before you move it. ",
  "箱を動かす前に数を数えてください。",
  "# Screws\n\n- short 🔩 and long 🔧\n",
  "Two labels on one part mean that the older label is wrong. ",
];

function textOf(bytes) {
  let text = "";
  let size = 0;
  for (let i = 0; size < bytes; ++i) {
    const sentence = kSentences[i % kSentences.length];
    text += sentence;
    size += Buffer.byteLength(sentence);
  }
  return text;
}

function writeOffer(file) {
  const tools = [];
  for (let i = 0; i < 250; ++i) {
    const properties = {};
    for (let p = 0; p < 40; ++p)
      properties[`field_${p}`] = { type: "string", description: textOf(350) };
    tools.push({
      name: `tool_${i}`,
      description: textOf(20_000),
      inputSchema: { type: "object", properties },
    });
  }
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "large", version: "1" },
    instructions: textOf(1_000_000),
  };
  writeFileSync(file, JSON.stringify({ initialize, "tools/list": { tools } }));
}

function peer(file) {
  const offer = JSON.parse(readFileSync(file, "utf8"));
  const texts = [
    offer.initialize.instructions,
    ...offer["tools/list"].tools.map((tool) => tool.description),
  ];
  const report = [];
  for (const limit of [Infinity, 2048, 4096, 16384])
    for (const text of texts)
      report.push({
        units: text.length,
        bytes: Buffer.byteLength(text),
        kept: Math.min(limit, text.length),
        text: text.length > limit ? text.slice(0, limit) + "… [truncated]" : text,
      });
  return JSON.stringify(report.map(({ text, ...numbers }) => ({ ...numbers, arrives: text.length })));
}

// The result goes to a file: reading 25 MB from a pipe would take this process 50 ms of the other's time.
function timed(argv, folder) {
  const result = openSync(path.join(folder, "result"), "w");
  const start = process.hrtime.bigint();
  const ran = spawnSync(argv[0], argv.slice(1), { stdio: ["ignore", result, "pipe"] });
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  closeSync(result);
  if (ran.status !== 0 && ran.status !== 1) throw new Error(`${argv.join(" ")}: ${ran.stderr}`);
  return time;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

if (process.argv[2] === "peer") {
  process.stdout.write(peer(process.argv[3]));
} else {
  const rounds = Number(process.argv[2]);
  const folder = mkdtempSync(path.join(tmpdir(), "cutline-bench-"));
  const file = path.join(folder, "offer.json");
  writeOffer(file);
  const own = fileURLToPath(import.meta.url);
  const times = { cutline: [], peer: [] };
  for (let round = 0; round < rounds; ++round) {
    times.cutline.push(timed(["build/cutline", "check", "--offer", file, "--format", "json"], folder));
    times.peer.push(timed([process.execPath, own, "peer", file], folder));
  }
  const ours = median(times.cutline);
  console.log(`stored offer of ${(statSync(file).size / 1e6).toFixed(1)} MB, medians of ${rounds} rounds`);
  console.log(`  cutline check --offer, every profile ${ours.toFixed(1).padStart(8)} ms   (under 300 wanted)`);
  console.log(`  cutting alone, in JavaScript         ${median(times.peer).toFixed(1).padStart(8)} ms`);
  rmSync(folder, { recursive: true, force: true });
  console.log(`ratio: ${(median(times.peer) / ours).toFixed(2)}`);
}
