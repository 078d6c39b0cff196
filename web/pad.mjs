// pad.mjs - a sheet to draw on with mouse, finger or pen.

import { PAPER } from "./learner.mjs";

const WIDTH = 0.055; // of a line, in widths of the sheet
const STEP = 6; // points closer than this (in PAPER) are dropped
const STROKES_MAX = 60;
const STRAIGHT = 3; // points (in PAPER) nearer than this to the line between others are dropped: see `simplified`

// A stroke with fewer points (Ramer, Douglas and Peucker): a line so near it that nobody sees the difference, the
// networks least of all, whose pixels are 20 times as wide. It keeps links short.
export function simplified(stroke, most = STRAIGHT) {
  const n = stroke.length / 2;
  const keep = new Set([0, n - 1]);
  const spans = [[0, n - 1]];
  while (spans.length > 0) {
    const [from, to] = spans.pop();
    let far = most, at = -1;
    for (let k = from + 1; k < to; k++) {
      const off = distance(stroke, k, from, to);
      if (off > far) [far, at] = [off, k];
    }
    if (at < 0) continue;
    keep.add(at);
    spans.push([from, at], [at, to]);
  }
  return stroke.filter((_, i) => keep.has(i >> 1));
}

// Of point k from the line between two others.
function distance(stroke, k, from, to) {
  const [x, y] = [stroke[2 * k] - stroke[2 * from], stroke[2 * k + 1] - stroke[2 * from + 1]];
  const [dx, dy] = [stroke[2 * to] - stroke[2 * from], stroke[2 * to + 1] - stroke[2 * from + 1]];
  const length2 = dx * dx + dy * dy;
  const along = length2 > 0 ? Math.min(1, Math.max(0, (x * dx + y * dy) / length2)) : 0;
  return Math.hypot(x - along * dx, y - along * dy);
}

// Draw strokes on a canvas of any size, as round lines through the middles between points.
export function ink(canvas, strokes, colour) {
  const size = canvas.width;
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, size, size);
  context.strokeStyle = colour;
  context.lineWidth = WIDTH * size;
  context.lineCap = context.lineJoin = "round";
  for (const stroke of strokes) {
    const at = (i) => [(stroke[2 * i] / PAPER) * size, (stroke[2 * i + 1] / PAPER) * size];
    const n = stroke.length / 2;
    context.beginPath();
    context.moveTo(...at(0));
    if (n === 1) context.lineTo(...at(0));
    for (let i = 1; i < n - 1; i++) {
      const [x, y] = at(i);
      const [nextX, nextY] = at(i + 1);
      context.quadraticCurveTo(x, y, (x + nextX) / 2, (y + nextY) / 2);
    }
    if (n > 1) context.lineTo(...at(n - 1));
    context.stroke();
  }
}

// Make a canvas as sharp as the screen.
export function sharpen(canvas) {
  const pixels = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio));
  if (canvas.width !== pixels) canvas.width = canvas.height = pixels;
}

export class Pad {
  // `changed` is called whenever there is something new to see, once a frame at most.
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    this.strokes = [];
    this.shown = 0; // of them, how many came from `show`
    this.pointer = null;
    this.waiting = false;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.#up(event));
    new ResizeObserver(() => this.redraw()).observe(canvas);
  }

  get empty() {
    return this.strokes.length === 0;
  }

  show(strokes) {
    this.strokes = strokes.map((stroke) => [...stroke]);
    this.shown = strokes.length;
    this.#touch();
  }

  // Without the last stroke; without all that was shown at once.
  undo() {
    if (this.strokes.length <= this.shown) this.clear();
    else this.strokes.pop();
    this.#touch();
  }

  clear() {
    this.show([]);
  }

  redraw() {
    sharpen(this.canvas);
    ink(this.canvas, this.strokes, getComputedStyle(this.canvas).color);
  }

  #touch() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.redraw();
      this.changed();
    });
  }

  #place(event) {
    const box = this.canvas.getBoundingClientRect();
    const within = (value) => Math.round(Math.min(Math.max(value, 0), 1) * PAPER);
    return [within((event.clientX - box.left) / box.width), within((event.clientY - box.top) / box.height)];
  }

  #down(event) {
    if (this.pointer !== null || event.button > 0 || this.strokes.length >= STROKES_MAX) return;
    event.preventDefault();
    this.pointer = event.pointerId;
    this.canvas.setPointerCapture(event.pointerId);
    this.strokes.push(this.#place(event));
    this.#touch();
  }

  #move(event) {
    if (event.pointerId !== this.pointer) return;
    const stroke = this.strokes.at(-1);
    const events = event.getCoalescedEvents?.() ?? [];
    for (const each of events.length ? events : [event]) {
      const [x, y] = this.#place(each);
      const far = Math.hypot(x - stroke.at(-2), y - stroke.at(-1)) >= STEP;
      if (far) stroke.push(x, y);
    }
    this.#touch();
  }

  #up(event) {
    if (event.pointerId !== this.pointer) return;
    this.pointer = null;
    const last = this.strokes.pop();
    if (last) this.strokes.push(simplified(last));
    this.#touch();
  }
}
