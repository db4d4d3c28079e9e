// check.mjs MCPORTER SERVER ROUNDS: times three clients on the same servers, one after the other in
// every round, and prints medians.
//
// floor     this script as a client: probe, initialize, tools/list; until the last answer
// cutline   `cutline check`, the whole process
// mcporter  `mcporter list --stdio`, the whole process
//
// What cutline adds is its time less the floor of the same round. Its memory is the peak of its own
// processes (VmHWM, read every few milliseconds), the server's not counted.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const [mcporter, npmServer, rounds] = process.argv.slice(2);
const cutline = realpathSync("build/cutline");
const home = mkdtempSync(path.join(tmpdir(), "cutline-bench-"));
const env = { PATH: process.env.PATH, HOME: home };

const servers = [
  { name: "lab server", argv: [cutline, "lab", "--instructions", "english:5000"] },
  { name: "server-everything (npm)", argv: [process.execPath, npmServer] },
];

const elapsed = (since) => Number(process.hrtime.bigint() - since) / 1e6;

/** Milliseconds that a server needs to start and to answer a minimal client. */
async function floor(argv) {
  const start = process.hrtime.bigint();
  const child = spawn(argv[0], argv.slice(1), { env, cwd: home, stdio: ["pipe", "pipe", "ignore"] });
  const gone = new Promise((resolve) => child.on("exit", resolve));
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) waiting.get(message.id)?.(message);
  });
  const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  const ask = (method, params) =>
    new Promise((resolve) => {
      waiting.set(method, resolve);
      send({ id: method, method, params });
    });
  const clientInfo = { name: "floor", version: "1" };
  await ask("server/discover", {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  });
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  await ask("tools/list", {});
  const answered = elapsed(start);
  child.stdin.end();
  child.kill();
  await gone;
  return answered;
}

/** Milliseconds of a whole process, and what `watch` returned for it while it ran. */
async function run(argv, watch) {
  const start = process.hrtime.bigint();
  const child = spawn(argv[0], argv.slice(1), { env, cwd: home, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (bytes) => (stderr += bytes));
  const timer = watch && setInterval(() => watch(child.pid), 2);
  const code = await new Promise((resolve) => child.on("exit", resolve));
  const time = elapsed(start);
  clearInterval(timer);
  // 1 is what `check` says of a server that loses text.
  if (code !== 0 && code !== 1) throw new Error(`${argv.join(" ")}: exit code ${code}\n${stderr}`);
  return time;
}

/** Peak resident KB per process of ours; filled while `cutline check` runs. */
function memoryWatcher() {
  const peaks = new Map();
  return {
    peakMb: () => [...peaks.values()].reduce((sum, kb) => sum + kb, 0) / 1024,
    watch() {
      for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
        try {
          if (readlinkSync(`/proc/${pid}/exe`) !== cutline) continue;
          if (readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[1] !== "check") continue;
          const status = readFileSync(`/proc/${pid}/status`, "utf8");
          peaks.set(pid, Number(/VmHWM:\s*(\d+)/.exec(status)[1]));
        } catch {
          // It ended while we looked.
        }
      }
    },
  };
}

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};
const number = (value, unit) => `${value.toFixed(1).padStart(8)} ${unit}`;

const ratios = [];
for (const { name, argv } of servers) {
  const stdio = ["--stdio", argv[0], ...argv.slice(1).flatMap((word) => ["--stdio-arg", word])];
  const ours = [cutline, "check", "--", ...argv];
  const peers = [process.execPath, mcporter, "list", ...stdio, "--name", "bench", "--json"];
  const times = { floor: [], cutline: [], mcporter: [] };
  for (let round = 0; round < Number(rounds); ++round) {
    times.floor.push(await floor(argv));
    times.cutline.push(await run(ours));
    times.mcporter.push(await run(peers));
  }
  const memory = memoryWatcher();
  await run(ours, memory.watch);

  const added = median(times.cutline.map((time, round) => time - times.floor[round]));
  ratios.push(median(times.mcporter) / median(times.cutline));
  console.log(`${name}, medians of ${rounds} rounds`);
  console.log(`  floor (minimal client)   ${number(median(times.floor), "ms")}`);
  console.log(`  cutline check            ${number(median(times.cutline), "ms")}`);
  console.log(`  mcporter list            ${number(median(times.mcporter), "ms")}`);
  console.log(`  cutline adds             ${number(added, "ms")}   (at most 20 wanted)`);
  console.log(`  peak memory of cutline   ${number(memory.peakMb(), "MB")}   (at most 30 wanted)`);
}
rmSync(home, { recursive: true, force: true });
console.log(`ratio: ${Math.min(...ratios).toFixed(2)}`);
