// opening.mjs - the page as it begins: the first drawings of the tour are drawn and taught by themselves, until one
// network has forgotten something.

import { doodle } from "./doodles.mjs";
import { BASKET_NAMES } from "./school.mjs";
import { SEED, tourDrawings } from "./tour.mjs";

const DRAWINGS = 6;
const DRAW_MS = 650; // for a drawing to appear
const LOOK_MS = 350; // at what has become of it

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

// Everything at once, for those who want nothing to move.
const outline = (drawings) => {
  const [first, second, ...others] = drawings.map(([name, basket]) => ({ strokes: doodle(name), basket, name }));
  return { seed: SEED, names: [...BASKET_NAMES], lessons: [[first, second], ...others.map((each) => [each])], waiting: [] };
};

// The first part of a drawing, as far as the pen has come.
function begun(strokes, share) {
  let left = Math.ceil((share * strokes.flat().length) / 2);
  const parts = [];
  for (const stroke of strokes) {
    if (left > 0) parts.push(stroke.slice(0, 2 * left));
    left -= stroke.length / 2;
  }
  return parts;
}

export class Opening {
  // page: { pad, teach(strokes, basket, name), relearn(outline), calm() - nothing should move, ended() }
  constructor(page) {
    this.page = page;
    this.playing = false;
  }

  async play() {
    const drawings = tourDrawings.slice(0, DRAWINGS);
    this.playing = true;
    if (this.page.calm()) await this.page.relearn(outline(drawings));
    else await this.#perform(drawings);
    this.stop();
  }

  async #perform(drawings) {
    for (const [name, basket] of drawings) {
      await this.#draw(doodle(name));
      if (!this.playing) return;
      await this.page.teach(doodle(name), basket, name);
      await wait(LOOK_MS);
      if (!this.playing) return;
    }
  }

  async #draw(strokes) {
    const began = performance.now();
    for (let share = 0; share < 1 && this.playing; ) {
      share = Math.min(1, (performance.now() - began) / DRAW_MS);
      this.page.pad.show(begun(strokes, share));
      await nextFrame();
    }
    if (this.playing) this.page.pad.clear();
  }

  // Where it is. Nothing happens if it is over.
  stop() {
    if (!this.playing) return;
    this.playing = false;
    this.page.pad.clear();
    this.page.ended();
  }
}
