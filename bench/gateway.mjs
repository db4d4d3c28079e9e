// gateway.mjs AIMOCK SECONDS: drives three servers with the same generator of load, in turns, and
// prints the medians of three rounds; then the peak of cutline's memory under 1,000 connections with
// requests of 64 KB, under one of 100 MB, and under one of 100 MB of hostile JSON.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const [aimock, seconds] = process.argv.slice(2);
const rounds = 3;
const connections = 64;
const bodyBytes = 2048;
const memoryMax = 300;

if (aimock === "floor") {
  // This script again, as the minimal server: reads the body, answers a constant.
  const answer = JSON.stringify({ type: "message", role: "assistant", content: [{ type: "text", text: "ok" }] });
  const server = http.createServer((request, response) => {
    request.on("data", () => {});
    request.on("end", () => {
      response.writeHead(200, { "content-type": "application/json", "content-length": answer.length });
      response.end(answer);
    });
  });
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
} else {
  await compare();
}

/** Starts a server and waits for the line that names its port. */
async function start(argv) {
  const child = spawn(argv[0], argv.slice(1), { stdio: ["ignore", "pipe", "ignore"] });
  const gone = new Promise((resolve) => child.on("exit", resolve));
  const port = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = line.match(/(?:127\.0\.0\.1|localhost):(\d+)/);
      if (found) resolve(Number(found[1]));
    });
    child.on("exit", () => reject(new Error(`${argv[0]} ended before it listened`)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await gone;
  };
  return { port, pid: child.pid, stop };
}

function load(port, duration, count, bytes) {
  const words = [port, "/v1/messages", duration, count, bytes].map(String);
  const ran = spawnSync("build/bench/gateway_load", words, { encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`gateway_load: ${ran.stdout}${ran.stderr}`);
  return Number(ran.stdout.split(" ")[0]);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function compare() {
  const folder = mkdtempSync(path.join(tmpdir(), "cutline-bench-"));
  try {
    const fixture = path.join(folder, "fixtures.json");
    const config = path.join(folder, "aimock.json");
    const reply = { match: { userMessage: "marker" }, response: { content: "BEGIN=NONE END=NONE LAST=NONE" } };
    writeFileSync(fixture, JSON.stringify({ fixtures: [reply] }));
    writeFileSync(config, JSON.stringify({ llm: { fixtures: fixture } }));
    const store = (name) => path.join(folder, name);
    const cutline = (name) => ["build/cutline", "gateway", "--quiet", "--store", store(name)];
    const servers = {
      cutline: await start(cutline("requests.db")),
      aimock: await start([process.execPath, aimock, "--config", config]),
      "node http": await start([process.execPath, process.argv[1], "floor"]),
    };
    const figures = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
    for (const { port } of Object.values(servers)) load(port, 1, connections, bodyBytes);
    for (let round = 0; round < rounds; ++round)
      for (const [name, { port }] of Object.entries(servers))
        figures[name].push(load(port, Number(seconds), connections, bodyBytes));
    for (const { stop } of Object.values(servers)) await stop();

    const memory = await memories(cutline, folder);
    for (const [name, values] of Object.entries(figures))
      console.log(`${name.padEnd(10)} ${median(values).toLocaleString("en").padStart(8)} requests/s`);
    for (const [name, megabytes] of memory)
      console.log(`${name.padEnd(34)} ${megabytes.toFixed(0).padStart(4)} MB at most (limit ${memoryMax})`);
    console.log(`ratio: ${(median(figures.cutline) / median(figures.aimock)).toFixed(2)}`);
    if (memory.some(([, megabytes]) => megabytes > memoryMax)) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function memories(cutline, folder) {
  const peaks = [];
  const measure = async (name, drive) => {
    const server = await start(cutline(`${peaks.length}.db`));
    await drive(server.port);
    const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
    peaks.push([name, Number(status.match(/VmHWM:\s*(\d+)/)[1]) / 1024]);
    await server.stop();
  };
  await measure("1,000 connections, 64 KB each", (port) => load(port, 4, 1000, 64 << 10));
  const size = 100 << 20;
  const text = path.join(folder, "text.json");
  writePieces(text, `{"model":"m","messages":[{"role":"user","content":"`, "0123456789abcdef", `"}]}`, size);
  await measure("one request of 100 MB", (port) => post(port, text, 200));
  const hostile = path.join(folder, "hostile.json");
  writePieces(hostile, `{"messages":[[]`, ",[]", "]}", size);
  await measure("one request of 100 MB of `[],`", (port) => post(port, hostile, 400));
  return peaks;
}

/** `head`, then `piece` until there are `size` bytes, then `tail`. */
function writePieces(file, head, piece, tail, size) {
  const out = openSync(file, "w");
  const block = piece.repeat(1 << 16);
  writeSync(out, head);
  for (let written = head.length; written < size; written += block.length) writeSync(out, block);
  writeSync(out, tail);
  closeSync(out);
}

function post(port, file, expected) {
  const body = readFileSync(file);
  return new Promise((resolve, reject) => {
    const request = http.request(
      { port, host: "127.0.0.1", path: "/v1/messages", method: "POST", headers: { "content-length": body.length } },
      (response) => {
        response.resume();
        response.on("end", () =>
          response.statusCode === expected ? resolve() : reject(new Error(`status ${response.statusCode}`)),
        );
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
