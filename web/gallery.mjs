// gallery.mjs - everything taught, in order: the drawing, its basket and name, and who still knows it.

import { NAMES, NETS } from "./learner.mjs";
import { ink } from "./pad.mjs";

export const SIDES = ["left", "right"]; // of the baskets, whatever their names
const ARROWS = ["←", "→"];
const SIZE = 192; // of a small picture, in pixels: sharp enough everywhere, and no need to ask the page

export function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

// A card of a drawing that has been taught, or is waiting to be (then it has no marks).
class Card {
  constructor(drawing, number, waits) {
    this.drawing = drawing;
    this.number = number;
    this.canvas = Object.assign(make("canvas"), { width: SIZE, height: SIZE });
    this.canvas.setAttribute("role", "img");
    const arrow = make("b", SIDES[drawing.basket], ARROWS[drawing.basket]);
    arrow.setAttribute("aria-hidden", "true");
    this.marks = waits ? [] : NETS.map(makeMark);
    this.item = make(
      "li", waits ? "taught waits" : "taught",
      make("header", "", arrow, make("span", "name", drawing.name)),
      this.canvas,
      ...this.marks.map(({ row }) => row),
    );
    if (waits) this.item.append(make("span", "note", "waits for the other basket"));
    this.item.addEventListener("animationend", () => this.item.classList.remove("lost", "found"));
  }

  redraw(colour) {
    ink(this.canvas, this.drawing.strokes, colour);
  }

  // names: of the baskets
  update(exams, names) {
    const { basket, name, right } = this.drawing;
    this.canvas.setAttribute("aria-label", `Drawing ${this.number}, ${name}, for the basket ${names[basket]}`);
    this.marks.forEach((mark, net) => {
      const still = right[net] > 0.5;
      const before = mark.row.dataset.still;
      mark.bar.firstChild.style.transform = `scaleX(${right[net]})`;
      mark.sign.textContent = still ? "✓" : "✗";
      mark.row.dataset.right = right[net];
      mark.row.dataset.still = still;
      const copies = `${Math.round(right[net] * exams)} of ${exams} copies`;
      mark.words.textContent = `: ${still ? "right" : "wrong"}, ${copies}`;
      if (before !== undefined && before !== String(still)) this.#flash(still ? "found" : "lost");
    });
  }

  // For a moment: a network has lost it, or has it right again.
  #flash(kind) {
    this.item.classList.remove("lost", "found");
    this.item.classList.add(kind);
    this.item.dataset.flips = Number(this.item.dataset.flips ?? 0) + 1;
  }
}

function makeMark(kind, net) {
  const bar = make("span", "bar", make("i"));
  const sign = make("b", "sign");
  const words = make("span", "visually-hidden");
  for (const part of [bar, sign]) part.setAttribute("aria-hidden", "true");
  return { row: make("p", `mark ${kind}`, make("span", "", NAMES[net]), words, sign, bar), bar, sign, words };
}

export class Gallery {
  constructor(list, exams) {
    this.list = list;
    this.exams = exams;
    this.cards = [];
    this.recolour();
  }

  recolour() {
    this.colour = getComputedStyle(this.list).color;
    for (const card of this.cards) card.redraw(this.colour);
  }

  // Show what was taught and what waits; cards that are there already stay.
  show({ drawings, waiting, names }) {
    const all = [...drawings, ...waiting];
    const same = this.cards.findIndex((card, i) => card.drawing !== all[i]);
    const keep = same < 0 ? this.cards.length : same;
    for (const card of this.cards.splice(keep)) card.item.remove();
    for (const drawing of all.slice(keep)) {
      const card = new Card(drawing, this.cards.length + 1, this.cards.length >= drawings.length);
      this.cards.push(card);
      this.list.append(card.item);
      card.redraw(this.colour);
    }
    for (const card of this.cards) card.update(this.exams, names);
  }
}
