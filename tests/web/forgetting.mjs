// forgetting.mjs - TACOS remembers and the plain network forgets, whatever is drawn and in whatever order.
//
// RUNS=N measures N runs of each kind instead of 20; docs/playground.md has the numbers of 100.
import assert from "node:assert/strict";
import test from "node:test";

import { doodle, doodles } from "../../web/doodles.mjs";
import { NETS } from "../../web/learner.mjs";
import { School, mean } from "../../web/school.mjs";
import { openLearner } from "./lib/learner.mjs";

const RUNS = Number(process.env.RUNS ?? 20);
const DRAWINGS = 10;

// The same numbers everywhere, in [0, 1).
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled(list, random) {
  const order = [...list];
  for (let i = order.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [order[i], order[k]] = [order[k], order[i]];
  }
  return order;
}

// As if somebody else had drawn it: turned, stretched and moved, each of its places by itself.
function redrawn(strokes, random) {
  const sym = (most) => most * (2 * random() - 1);
  const turn = sym(0.12), wide = 1 + sym(0.12), high = 1 + sym(0.12);
  const bends = Array.from({ length: 4 }, () => [sym(30), sym(30), random() * 6, 0.004 + random() * 0.006]);
  const within = (value) => Math.round(Math.min(Math.max(value, 0), 1000));
  return strokes.map((stroke) => {
    const points = [];
    for (let k = 0; k < stroke.length; k += 2) {
      let x = (stroke[k] - 500) * wide * 0.85, y = (stroke[k + 1] - 500) * high * 0.85;
      [x, y] = [x - turn * y, y + turn * x];
      for (const [dx, dy, phase, pace] of bends) {
        const wave = Math.sin(phase + pace * (x + y));
        [x, y] = [x + dx * wave * 0.5, y + dy * wave * 0.5];
      }
      points.push(within(500 + x), within(500 + y));
    }
    return points;
  });
}

// One person's ten drawings, taught to two networks.
function run(learner, seed, inTurns) {
  const random = randomNumbers(seed);
  const names = shuffled(Object.keys(doodles), random).slice(0, DRAWINGS);
  const school = new School(learner, seed);
  const fresh = [];
  names.forEach((name, i) => {
    const basket = inTurns || i < 2 ? i % 2 : Math.floor(2 * random());
    if (!school.offer(redrawn(doodle(name), random), basket)) return;
    for (const _ of school.examine());
    fresh.push(...school.lessons.at(-1).map(({ right }) => right));
  });
  const over = (rights) => NETS.map((_, net) => mean(rights.map((right) => right[net])));
  const right = school.drawings.map((drawing) => drawing.right);
  return { all: over(right), first: over(right.slice(0, 2)), fresh: over(fresh), known: NETS.map((_, net) => school.known(net)) };
}

function measure(learner, inTurns) {
  const runs = Array.from({ length: RUNS }, (_, k) => run(learner, k + 1, inTurns));
  const average = Object.fromEntries(
    Object.keys(runs[0]).map((what) => [what, NETS.map((_, net) => mean(runs.map((one) => one[what][net])))]),
  );
  const ahead = runs.filter(({ all: [tacos, plain] }) => tacos > plain).length / RUNS;
  return { ...average, ahead, least: Math.min(...runs.map(({ known }) => known[0])) };
}

function report(kind, { all, first, fresh, known, ahead, least }) {
  const percent = (shares) => shares.map((share) => `${(100 * share).toFixed(1)}%`).join(" and ");
  console.log(`${kind}, ${RUNS} runs, TACOS and plain: all ${percent(all)}, first two ${percent(first)}, just taught ${percent(fresh)}`);
  console.log(`  of ${DRAWINGS} known: ${known.map((n) => n.toFixed(1)).join(" and ")}, TACOS at least ${least}; TACOS ahead in ${percent([ahead])}`);
}

test("left and right in turns", async () => {
  const result = measure(await openLearner(), true);
  report("in turns", result);
  const { all, first, fresh, ahead } = result;
  assert.ok(all[0] > 0.9 && all[1] < 0.65, `all: ${all}`);
  assert.ok(first[0] > 0.9 && first[1] < 0.7, `first two: ${first}`);
  assert.ok(fresh[0] > 0.95 && fresh[1] > 0.95, `just taught: ${fresh}`);
  assert.ok(ahead >= 0.9, `ahead: ${ahead}`);
});

test("baskets at random", async () => {
  const result = measure(await openLearner(), false);
  report("at random", result);
  const { all, fresh } = result;
  assert.ok(all[0] > 0.8 && all[1] < 0.7, `all: ${all}`);
  assert.ok(fresh[0] > 0.9 && fresh[1] > 0.9, `just taught: ${fresh}`);
});
