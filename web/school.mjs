// school.mjs - what has been taught, in order, and what each network still knows of it.
//
// Independent of the page.

import { NETS } from "./learner.mjs";

export class School {
  constructor(learner, seed) {
    this.learner = learner;
    this.begin(seed);
  }

  begin(seed) {
    this.learner.begin(seed);
    this.seed = seed;
    this.waiting = []; // [{ strokes, basket }]: not yet taught, see `offer`
    this.lessons = []; // [[{ strokes, basket, number, points, exam, right: [tacos, plain] }]]
    this.history = []; // after each lesson, the mean of right of all drawings: [tacos, plain]
  }

  get drawings() {
    return this.lessons.flat();
  }

  // Teach a drawing. The first lesson waits until there is something for every basket, and shows it in
  // turns: who knows of one basket only cannot sort. Every later drawing is a lesson of its own.
  // Returns whether there was a lesson; who called then asks for `examine`.
  offer(strokes, basket) {
    this.waiting.push({ strokes, basket });
    const baskets = new Set(this.waiting.map((drawing) => drawing.basket));
    if (this.lessons.length === 0 && baskets.size < this.learner.baskets) return false;
    this.teach(this.waiting);
    this.waiting = [];
    return true;
  }

  // A lesson: the copies of its drawings [{ strokes, basket }] in turns.
  teach(drawings) {
    const lesson = this.#enrol(drawings);
    for (let copy = 0; copy < this.learner.copies; copy++) {
      const turn = copy % 2 ? [...lesson].reverse() : lesson;
      for (const { points, number, basket } of turn) this.learner.teach(points, number, copy, basket);
    }
  }

  #enrol(drawings) {
    const first = this.drawings.length;
    const lesson = drawings.map(({ strokes, basket }, i) => {
      const number = first + i, points = this.learner.points(strokes);
      const exam = this.learner.exam(points, number);
      return { strokes, basket, number, points, exam, right: NETS.map(() => 0) };
    });
    this.lessons.push(lesson);
    return lesson;
  }

  #mark(drawing) {
    drawing.right = NETS.map((_, net) => this.learner.mark(net, drawing.exam, drawing.basket));
  }

  // Test both networks on every drawing; yields after each, so that a page can do it in parts.
  *examine() {
    for (const drawing of this.drawings) {
      this.#mark(drawing);
      yield drawing;
    }
    this.history[this.lessons.length - 1] = NETS.map((_, net) => mean(this.drawings.map(({ right }) => right[net])));
  }

  // How many drawings a network still gets right more often than not.
  known(net) {
    return this.drawings.filter(({ right }) => right[net] > 0.5).length;
  }

  // Everything that must be kept.
  pack() {
    const kept = ({ strokes, basket }) => ({ strokes, basket });
    return {
      seed: this.seed,
      waiting: this.waiting.map(kept),
      lessons: this.lessons.map((lesson) => lesson.map(kept)),
      history: this.history,
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
  }

  #take({ seed, waiting, lessons, history, networks }) {
    this.begin(seed);
    networks.forEach((bytes, net) => this.learner.load(net, bytes));
    for (const lesson of lessons) this.#enrol(lesson);
    for (const drawing of this.drawings) this.#mark(drawing);
    Object.assign(this, { waiting, history });
  }
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
