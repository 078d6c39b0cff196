// school.mjs - what has been taught, in order, and what each network still knows of it.
//
// Independent of the page.

import { NETS } from "./learner.mjs";

export const BASKET_NAMES = ["left", "right"];
export const NAME_MOST = 20; // characters of a name
const UNDO_MOST = 20; // steps back

// A name as it is kept; "" for none.
export function tidy(name) {
  const text = String(name ?? "").normalize("NFC").replace(/[\s\p{Cc}]+/gu, " ").trim();
  return Array.from(text).slice(0, NAME_MOST).join("").trim();
}

const same = (one, other) => one.toLowerCase() === other.toLowerCase();

export class School {
  constructor(learner, seed) {
    this.learner = learner;
    this.before = []; // packed schools, for `undo`
    this.begin(seed);
  }

  begin(seed) {
    this.learner.begin(seed);
    this.seed = seed;
    this.names = [...BASKET_NAMES]; // of the baskets
    this.things = []; // the names of what was taught, in the order of the outputs of columns
    this.waiting = []; // [{ strokes, basket, name }]: not yet taught, see `offer`
    this.lessons = []; // [[{ strokes, basket, name, number, thing, points, exam, right: [share of each network] }]]
    this.history = []; // after each lesson, the mean of right of all drawings: [share of each network]
  }

  get drawings() {
    return this.lessons.flat();
  }

  // An empty name is that of the basket's side.
  rename(basket, name) {
    this.names[basket] = tidy(name) || BASKET_NAMES[basket];
  }

  // Teach a drawing. The first lesson waits until there is something for every basket, and shows it in
  // turns: who knows of one basket only cannot sort. Every later drawing is a lesson of its own.
  // Returns whether there was a lesson; who called then asks for `examine`.
  offer(strokes, basket, name = "") {
    const nth = this.drawings.length + this.waiting.length + 1;
    const drawing = { strokes, basket, name: tidy(name) || `drawing ${nth}` };
    this.#checkRoom(drawing.name);
    this.#remember();
    this.waiting.push(drawing);
    const baskets = new Set(this.waiting.map((each) => each.basket));
    if (this.lessons.length === 0 && baskets.size < this.learner.baskets) return false;
    this.teach(this.waiting);
    this.waiting = [];
    return true;
  }

  #checkRoom(name) {
    const names = [...this.things, ...this.waiting.map((drawing) => drawing.name), name].map((each) => each.toLowerCase());
    if (new Set(names).size > this.learner.things) throw new Error(this.#tooMany());
  }

  // A lesson: the copies of its drawings [{ strokes, basket, name }] in turns.
  teach(drawings) {
    const lesson = this.#enrol(drawings);
    for (let copy = 0; copy < this.learner.copies; copy++) {
      const turn = copy % 2 ? [...lesson].reverse() : lesson;
      for (const drawing of turn) this.learner.teach(drawing.points, drawing, copy);
    }
  }

  #thing(name) {
    const known = this.things.findIndex((thing) => same(thing, name));
    return known < 0 ? this.things.push(name) - 1 : known;
  }

  #enrol(drawings) {
    const first = this.drawings.length;
    const lesson = drawings.map(({ strokes, basket, name }, i) => {
      const number = first + i, points = this.learner.points(strokes);
      const exam = this.learner.exam(points, number);
      return { strokes, basket, name, number, thing: this.#thing(name), points, exam, right: NETS.map(() => 0) };
    });
    this.lessons.push(lesson);
    if (this.things.length > this.learner.things) throw new Error(this.#tooMany());
    return lesson;
  }

  #tooMany() {
    return `There is room for ${this.learner.things} names. Use one of them again, or start over.`;
  }

  #mark(drawing) {
    drawing.right = NETS.map((_, net) => this.learner.mark(net, drawing));
  }

  // Test all networks on every drawing; yields after each, so that a page can do it in parts.
  *examine() {
    for (const drawing of this.drawings) {
      this.#mark(drawing);
      yield drawing;
    }
    this.history[this.lessons.length - 1] = NETS.map((_, net) => mean(this.drawings.map(({ right }) => right[net])));
  }

  // The drawings that a network gets right not more often than wrong.
  lost(net) {
    return this.drawings.filter(({ right }) => right[net] <= 0.5);
  }

  // How many drawings a network gets right more often than not.
  known(net) {
    return this.drawings.length - this.lost(net).length;
  }

  // ---- keeping ----

  // What was taught, from which everything else follows if it is taught again.
  outline() {
    const kept = ({ strokes, basket, name }) => ({ strokes, basket, name });
    return {
      seed: this.seed,
      names: [...this.names],
      waiting: this.waiting.map(kept),
      lessons: this.lessons.map((lesson) => lesson.map(kept)),
    };
  }

  // Everything that must be kept.
  pack() {
    return {
      ...this.outline(),
      history: [...this.history],
      networks: NETS.map((_, net) => this.learner.save(net)),
    };
  }

  // The opposite. If something is wrong with it, everything is as it was.
  unpack(packed) {
    const before = this.pack();
    try {
      this.#take(packed);
    } catch (error) {
      this.#take(before);
      throw error;
    }
    this.#remember(before);
  }

  #take({ seed, names, waiting, lessons, history, networks }) {
    this.begin(seed);
    networks.forEach((bytes, net) => this.learner.load(net, bytes));
    for (const lesson of lessons) this.#enrol(lesson);
    for (const drawing of this.drawings) this.#mark(drawing);
    Object.assign(this, { names: [...names], waiting: [...waiting], history: [...history] });
  }

  // Teach new networks an outline, lesson by lesson; yields often, as `examine`.
  *relearn({ seed, names, waiting, lessons }) {
    const all = [...lessons.flat(), ...waiting].map(({ name }) => name.toLowerCase());
    if (new Set(all).size > this.learner.things) throw new Error(this.#tooMany());
    this.#remember();
    this.begin(seed);
    this.names = [...names];
    for (const lesson of lessons) {
      this.teach(lesson);
      yield* this.examine();
    }
    this.waiting = [...waiting];
  }

  // New networks from a seed; the names of the baskets stay.
  restart(seed) {
    const { names } = this;
    this.#remember();
    this.begin(seed);
    this.names = names;
  }

  // ---- going back ----

  #remember(packed = this.pack()) {
    this.before.push(packed);
    if (this.before.length > UNDO_MOST) this.before.shift();
  }

  get canUndo() {
    return this.before.length > 0;
  }

  // To before the last thing that was taught, begun or loaded. Names of baskets stay.
  undo() {
    const { names } = this;
    this.#take({ ...this.before.pop(), names });
  }
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
