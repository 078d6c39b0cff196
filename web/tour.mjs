// tour.mjs - four steps for newcomers; it can teach by itself.

import { doodle } from "./doodles.mjs";
import { COLUMNS, PLAIN, TACOS } from "./learner.mjs";

export const SEED = 1; // the same networks for everyone; docs/playground.md describes other seeds
const PAUSE_MS = 450; // between two drawings, to see what each changes


// teach: [doodle, basket] of what the step's button teaches, one after another.
const STEPS = [
  {
    title: "Teach the first two drawings",
    text:
      "A sun goes left, a moon goes right. All networks are shown many copies of each, every copy a little " +
      "different, as if you had drawn it again and again. Columns is told the names instead of the baskets.",
    action: "Teach sun and moon",
    teach: [["sun", 0], ["moon", 1]],
    result: (school) => `Of 2 drawings TACOS knows ${school.known(TACOS)}, the plain network ${school.known(PLAIN)}.`,
  },
  {
    title: "Teach them something else",
    text:
      "Now four more, one after another: a fish left, a tree right, a house left, a cup right. Nobody shows sun " +
      "and moon again. Keep an eye on the first two cards.",
    action: "Teach four more",
    teach: [["fish", 0], ["tree", 1], ["house", 0], ["cup", 1]],
    result: (school, { exams }) => {
      const [tacos, plain] = school.drawings[0].right.map((share) => Math.round(share * exams));
      const copies = `Of ${exams} new copies of it TACOS puts ${tacos} left, the plain network ${plain}.`;
      return `Where does the sun go now? ${copies}`;
    },
  },
  {
    title: "Keep going",
    text:
      "Four more: a heart left, a bolt right, a key left, a boat right. Compare the newest card with the " +
      "ones before it.",
    action: "Teach four more",
    teach: [["heart", 0], ["bolt", 1], ["key", 0], ["boat", 1]],
    result: (school) =>
      `Of 10 drawings TACOS still knows ${school.known(TACOS)}, the plain network ${school.known(PLAIN)}. ` +
      `Guessing would be 5. Columns gives ${school.known(COLUMNS)} of them their name.`,
  },
  {
    title: "Your turn",
    text:
      "Draw a sun of your own on the sheet: while you draw, the networks say where they would put it and what it " +
      "is. Or start over, and teach them things that only you can think of.",
    action: "Start over with new networks",
    restart: true,
    result: () => "New networks. Draw something for the left basket first.",
  },
];

// [doodle, basket] of everything that the tour teaches.
export const tourDrawings = STEPS.flatMap(({ teach = [] }) => teach);

export class Tour {
  // page: { school, learner, teach(strokes, basket, name), startOver(seed), calm() - nothing should move, closed() }
  constructor(root, page) {
    const part = (name) => [name, root.querySelector(`#tour-${name}`)];
    this.root = root;
    this.parts = Object.fromEntries(["step", "title", "text", "result", "do", "next", "back", "close"].map(part));
    this.page = page;
    this.step = 0;
    this.busy = false;
    const { parts } = this;
    parts.do.addEventListener("click", () => this.#act());
    parts.next.addEventListener("click", () => this.#go(this.step + 1));
    parts.back.addEventListener("click", () => this.#go(this.step - 1));
    parts.close.addEventListener("click", () => this.close());
  }

  open() {
    this.root.hidden = false;
    this.done = STEPS.map(() => false);
    this.#go(0);
  }

  close() {
    this.root.hidden = true;
    this.page.closed();
  }

  #go(step) {
    this.step = step;
    this.#show();
    this.parts.title.focus();
  }

  #show() {
    const { parts, step } = this;
    const { title, text, action, result } = STEPS[step];
    const done = this.done[step];
    parts.step.textContent = `Step ${step + 1} of ${STEPS.length}`;
    parts.title.textContent = title;
    parts.text.textContent = text;
    const again = step === 0 && this.page.school.lessons.length > 0;
    parts.do.textContent = again ? `Start over, and ${action.toLowerCase()}` : action;
    parts.do.hidden = done;
    parts.result.textContent = done ? result(this.page.school, this.page.learner) : "";
    parts.next.hidden = !done || step === STEPS.length - 1;
    parts.back.hidden = step === 0;
  }

  async #act() {
    if (this.busy) return;
    this.busy = true;
    const { teach = [], restart } = STEPS[this.step];
    if (restart || this.step === 0) await this.page.startOver(SEED);
    for (const [i, [name, basket]] of teach.entries()) {
      if (i > 0 && !this.page.calm()) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      await this.page.teach(doodle(name), basket, name);
    }
    this.busy = false;
    this.done[this.step] = true;
    this.#show();
    (this.parts.next.hidden ? this.parts.close : this.parts.next).focus();
  }
}
