// gallery.mjs - everything taught, in order: the drawing, its basket, and whether it is still known.

import { NETS } from "./learner.mjs";
import { ink } from "./pad.mjs";

export const BASKETS = ["left", "right"];
const ARROWS = ["←", "→"];
const NAMES = ["TACOS", "Plain network"];
const SIZE = 192; // of a small picture, in pixels: sharp enough everywhere, and no need to ask the page

function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

// A card of a drawing that has been taught, or is waiting to be (then it has no marks).
class Card {
  constructor(drawing, number, waits) {
    const side = BASKETS[drawing.basket];
    this.drawing = drawing;
    this.canvas = Object.assign(make("canvas"), { width: SIZE, height: SIZE });
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `Drawing ${number}, for the ${side} basket`);
    const arrow = make("b", side, ARROWS[drawing.basket]);
    arrow.setAttribute("aria-hidden", "true");
    this.marks = waits ? [] : NETS.map(makeMark);
    this.item = make(
      "li", waits ? "taught waits" : "taught",
      make("header", "", make("span", "", String(number)), arrow),
      this.canvas,
      ...this.marks.map(({ row }) => row),
    );
    if (waits) this.item.append(make("span", "note", "waits for the other basket"));
  }

  redraw(colour) {
    ink(this.canvas, this.drawing.strokes, colour);
  }

  update(exams) {
    this.marks.forEach(({ row, bar, sign, words }, net) => {
      const share = this.drawing.right[net];
      const still = share > 0.5;
      bar.firstChild.style.transform = `scaleX(${share})`;
      sign.textContent = still ? "✓" : "✗";
      row.dataset.right = share;
      const copies = `${Math.round(share * exams)} of ${exams} copies`;
      words.textContent = `${NAMES[net]}: ${still ? "still right" : "wrong"}, ${copies}`;
    });
  }
}

function makeMark(kind) {
  const bar = make("span", "bar", make("i"));
  const sign = make("span", "sign");
  const words = make("span", "visually-hidden");
  for (const part of [bar, sign]) part.setAttribute("aria-hidden", "true");
  return { row: make("div", `mark ${kind}`, bar, sign, words), bar, sign, words };
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
  show(taught, waiting) {
    const drawings = [...taught, ...waiting];
    const same = this.cards.findIndex((card, i) => card.drawing !== drawings[i]);
    const keep = same < 0 ? this.cards.length : same;
    for (const card of this.cards.splice(keep)) card.item.remove();
    for (const drawing of drawings.slice(keep)) {
      const card = new Card(drawing, this.cards.length + 1, this.cards.length >= taught.length);
      this.cards.push(card);
      this.list.append(card.item);
      card.redraw(this.colour);
    }
    for (const card of this.cards) card.update(this.exams);
  }
}
