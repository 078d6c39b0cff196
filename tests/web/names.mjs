// names.mjs - columns learns ten things by name, one after the other, and keeps them.
//
// RUNS=N measures N runs instead of 20; docs/playground.md has the numbers of 100.
import assert from "node:assert/strict";
import test from "node:test";

import { doodle, doodles } from "../../web/doodles.mjs";
import { COLUMNS } from "../../web/learner.mjs";
import { School, mean } from "../../web/school.mjs";
import { randomNumbers, redrawn, shuffled } from "./lib/drawings.mjs";
import { openLearner } from "./lib/learner.mjs";

const RUNS = Number(process.env.RUNS ?? 20);
const THINGS = 10;

// Ten things, each drawn once by one person and taught; then all of them drawn again by the same person.
function run(learner, seed) {
  const random = randomNumbers(seed);
  const names = shuffled(Object.keys(doodles), random).slice(0, THINGS);
  const school = new School(learner, seed);
  for (const [i, name] of names.entries()) {
    if (school.offer(redrawn(doodle(name), random), i % 2, name)) for (const _ of school.examine());
  }
  const again = names.map((name, thing) => {
    const { answer } = learner.ask(COLUMNS, learner.points(redrawn(doodle(name), random)));
    return Number(answer === thing);
  });
  const copies = school.drawings.map(({ right }) => right[COLUMNS]);
  return { copies: mean(copies), first: mean(copies.slice(0, 2)), again: mean(again) };
}

test("ten things by name, one after the other", async () => {
  const learner = await openLearner();
  const runs = Array.from({ length: RUNS }, (_, k) => run(learner, k + 1));
  const of = (what) => mean(runs.map((one) => one[what]));
  const percent = (share) => `${(100 * share).toFixed(1)}%`;
  console.log(`columns, ten names, ${RUNS} runs: new copies ${percent(of("copies"))}, of the first two ` +
    `${percent(of("first"))}; drawn again ${percent(of("again"))}, guessing would be 10%`);
  assert.ok(of("copies") > 0.97, `copies: ${of("copies")}`);
  assert.ok(of("first") > 0.95, `first two: ${of("first")}`);
  assert.ok(of("again") > 0.9, `drawn again: ${of("again")}`);
});
