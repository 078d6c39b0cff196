// digest.mjs - the networks in WebAssembly give the same bits as the native ones (tests/web/job.c).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import test from "node:test";

import { COLUMNS, NETS, PAPER } from "../../web/learner.mjs";
import { crc32 } from "../../web/file.mjs";
import { openLearner } from "./lib/learner.mjs";

const DRAWINGS = 6, STROKES = 3, POINTS = 12;

function draw(drawing) {
  let state = drawing + 1;
  const place = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 16) % (PAPER + 1);
  };
  return Array.from({ length: STROKES }, () => Array.from({ length: 2 * POINTS }, place));
}

async function inWebAssembly() {
  const learner = await openLearner();
  const lines = [];
  const of = (number) => ({ number, basket: number % 2, thing: number });
  learner.begin(7);
  for (let k = 0; k < DRAWINGS; k++)
    for (let copy = 0; copy < learner.copies; copy++) learner.teach(learner.points(draw(k)), of(k), copy);
  NETS.forEach((_, net) => {
    lines.push(`network ${net} ${crc32(learner.save(net))}`);
    for (let k = 0; k < DRAWINGS; k++) {
      const points = learner.points(draw(k));
      const { answer, counts } = learner.ask(net, points);
      const spikes = net === COLUMNS ? "" : `, spikes ${learner.spikes(net).length / 3}`;
      const right = Math.round(learner.mark(net, { ...of(k), exam: learner.exam(points, k) }) * learner.exams);
      lines.push(`drawing ${k}: says ${answer}, counts ${counts.slice(0, DRAWINGS).join(" ")}${spikes}, right ${right}`);
    }
  });
  return lines;
}

function natively(kernel) {
  const program = fileURLToPath(new URL("../../build/web/job", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "tacos-job-"));
  const env = { ...process.env };
  delete env.TACOS_KERNEL;
  if (kernel) env.TACOS_KERNEL = kernel;
  try {
    return execFileSync(program, { cwd: folder, env, encoding: "utf8" }).trimEnd().split("\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("WebAssembly and native networks give the same bits", async () => {
  const lines = await inWebAssembly();
  assert.equal(lines.length, NETS.length * (1 + DRAWINGS));
  const sums = lines.filter((line) => line.startsWith("network")).map((line) => line.slice(-8));
  assert.equal(new Set(sums).size, NETS.length, "the networks differ");
  assert.deepEqual(natively("ref"), lines, "native, portable kernel");
  assert.deepEqual(natively(), lines, "native, this machine's kernel");
});
