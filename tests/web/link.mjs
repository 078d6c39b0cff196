// link.mjs - the text of a link, without a page: what goes in comes out, and nothing else is believed.
import assert from "node:assert/strict";
import test from "node:test";

import { doodle, doodles } from "../../web/doodles.mjs";
import { isOutline } from "../../web/file.mjs";
import { decode, encode, isLink } from "../../web/link.mjs";
import { simplified } from "../../web/pad.mjs";
import { NAME_MOST, tidy } from "../../web/school.mjs";
import { randomNumbers, redrawn } from "./lib/drawings.mjs";

function outline(seed) {
  const random = randomNumbers(seed);
  const below = (n) => Math.floor(n * random());
  const names = Object.keys(doodles);
  const drawing = () => {
    const name = names[below(names.length)];
    return { strokes: redrawn(doodle(name), random), basket: below(2), name: below(2) ? name : `${name} № ${below(100)} 🐟` };
  };
  const list = (n) => Array.from({ length: n }, drawing);
  return {
    seed: below(2 ** 32),
    names: below(2) ? ["left", "right"] : ["oben", "右"],
    lessons: Array.from({ length: below(4) }, () => list(1 + below(3))),
    waiting: list(below(3)),
  };
}

test("what is written is read", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const taught = outline(seed);
    const link = `#${encode(taught)}`;
    assert.ok(isLink(link));
    assert.match(link, /^#taught=[A-Za-z0-9_-]+$/);
    assert.deepEqual(decode(link), taught, `seed ${seed}`);
  }
});

const SENTENCE = /cannot be read: a part of the link is missing or changed\.$|newer version/;

test("a link that is cut or changed is refused with a sentence", () => {
  const link = `#${encode(outline(3))}`;
  for (let n = "#taught=".length; n < link.length; n++) assert.throws(() => decode(link.slice(0, n)), SENTENCE, `${n}`);
  for (let k = "#taught=".length; k < link.length; k++)
    for (const other of ["A", "_", "%"])
      if (link[k] !== other) assert.throws(() => decode(link.slice(0, k) + other + link.slice(k + 1)), SENTENCE, `${k}`);
});

// With a right checksum: what a stranger could make.
test("whatever the bytes are, what comes out is an outline, or a sentence", async () => {
  const { crc32, toBase64 } = await import("../../web/file.mjs");
  const random = randomNumbers(5);
  let read = 0;
  for (let run = 0; run < 4000; run++) {
    const good = decode(`#${encode(outline(1 + (run % 20)))}`);
    const bytes = Array.from(Buffer.from(encode(good).slice("taught=".length), "base64url")).slice(0, -4);
    for (let changes = 1 + Math.floor(3 * random()); changes > 0; changes--) {
      const at = Math.floor(random() * bytes.length);
      if (random() < 0.3) bytes.splice(at, Math.floor(4 * random()));
      else bytes[at] = Math.floor(256 * random());
    }
    const sum = parseInt(crc32(bytes), 16);
    const all = [...bytes, sum >>> 24, (sum >>> 16) & 255, (sum >>> 8) & 255, sum & 255];
    const text = toBase64(all).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    try {
      assert.ok(isOutline(decode(`#taught=${text}`)));
      read++;
    } catch (error) {
      assert.match(error.message, SENTENCE);
    }
  }
  assert.ok(read > 0, "some changes leave a good outline");
});

test("names are kept tidy", () => {
  assert.equal(tidy("  a \n b\u0000c "), "a b c");
  assert.equal(tidy(undefined), "");
  assert.equal(Array.from(tidy("🐟".repeat(100))).length, NAME_MOST);
  assert.equal(tidy(tidy(`${"a".repeat(NAME_MOST - 1)} b`)), "a".repeat(NAME_MOST - 1));
});

test("simplified strokes stay where they were, with fewer points", () => {
  const round = Array.from({ length: 200 }, (_, i) => [500 + 400 * Math.cos(i / 32), 500 + 400 * Math.sin(i / 32)])
    .flat().map(Math.round);
  const few = simplified(round);
  assert.ok(few.length < round.length / 4, `${few.length / 2} points of 200`);
  assert.deepEqual([few.slice(0, 2), few.slice(-2)], [round.slice(0, 2), round.slice(-2)]);
  for (let k = 0; k < round.length; k += 2) {
    const near = Math.min(...Array.from({ length: few.length / 2 - 1 }, (_, i) => {
      const [x, y, dx, dy] = [few[2 * i], few[2 * i + 1], few[2 * i + 2] - few[2 * i], few[2 * i + 3] - few[2 * i + 1]];
      const along = Math.min(1, Math.max(0, ((round[k] - x) * dx + (round[k + 1] - y) * dy) / (dx * dx + dy * dy)));
      return Math.hypot(round[k] - x - along * dx, round[k + 1] - y - along * dy);
    }));
    assert.ok(near <= 3, `point ${k / 2} is ${near} away`);
  }
  assert.deepEqual(simplified([5, 5]), [5, 5]);
  assert.deepEqual(simplified([5, 5, 5, 5]), [5, 5, 5, 5]);
  assert.deepEqual(simplified([0, 0, 10, 10, 20, 20]), [0, 0, 20, 20]);
  assert.deepEqual(simplified([0, 0, 50, 0, 0, 0]), [0, 0, 50, 0, 0, 0], "there and back");
});
