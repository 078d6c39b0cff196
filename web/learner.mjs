// learner.mjs - the networks, compiled to WebAssembly, behind a few plain functions.
//
// A drawing is a list of strokes, a stroke a flat list of whole numbers x, y, x, y, ... between 0
// and PAPER, y pointing down.

export const PAPER = 1000;
export const NETS = ["tacos", "plain", "columns"];
export const NAMES = ["TACOS", "Plain", "Columns"]; // for people
export const [TACOS, PLAIN, COLUMNS] = [0, 1, 2];
export const SPIKING = [TACOS, PLAIN]; // these say a basket, columns says a thing

const PEN_UP = [-1, -1];
const FILE = "the network"; // its name is part of what the library says of it

export class Learner {
  // `create` and `bytes` are what emscripten makes of web/learner.c.
  static async open(create, bytes) {
    return new Learner(await create({ wasmBinary: bytes }));
  }

  constructor(wasm) {
    this.wasm = wasm;
    const numbers = wasm._play_numbers() >> 2;
    [this.side, this.hidden, this.steps, this.copies, this.exams, this.maxPoints, this.baskets, this.things] =
      wasm.HEAPU32.subarray(numbers, numbers + 8);
    this.pixels = this.side * this.side;
  }

  #check(good) {
    if (good) return;
    const why = this.wasm.UTF8ToString(this.wasm._play_error());
    throw new Error(`${why[0].toUpperCase()}${why.slice(1)}.`);
  }

  #floats(at, n) {
    return this.wasm.HEAPF32.subarray(at >> 2, (at >> 2) + n);
  }

  // Puts points where the functions of web/learner.c find them; returns how many there are.
  #lay(points) {
    this.#floats(this.wasm._play_paper(), points.length).set(points);
    return points.length / 2;
  }

  // A drawing as its points, in the form in which the functions below want it.
  points(strokes) {
    const points = strokes.flatMap((stroke) => [...stroke.map((place) => place / PAPER), ...PEN_UP]);
    return Float32Array.from(points.slice(0, 2 * this.maxPoints));
  }

  begin(seed) {
    this.#check(this.wasm._play_begin(seed));
  }

  // Shows all networks one copy of a drawing, and tells them its basket and what it is.
  teach(points, { number, basket, thing }, copy) {
    this.#check(this.wasm._play_teach(this.#lay(points), number, copy, basket, thing));
  }

  // How many answers a network can give.
  outputs(net) {
    return net === COLUMNS ? this.things : this.baskets;
  }

  // What a network says of a drawing: { answer, counts }; the answer is a basket or a thing, or -1 for nothing.
  ask(net, points) {
    const answer = this.wasm._play_ask(net, this.#lay(points));
    const at = this.wasm._play_counts() >> 2;
    return { answer, counts: Array.from(this.wasm.HEAPU32.subarray(at, at + this.outputs(net))) };
  }

  // Copies of a drawing that are never taught.
  exam(points, drawing) {
    this.#check(this.wasm._play_exam_draw(this.#lay(points), drawing));
    return this.#floats(this.wasm._play_exam(), this.exams * this.pixels).slice();
  }

  // The part of an exam that a network gets right, 0 to 1.
  mark(net, { exam, basket, thing }) {
    this.#floats(this.wasm._play_exam(), exam.length).set(exam);
    return this.wasm._play_exam_right(net, net === COLUMNS ? thing : basket) / this.exams;
  }

  // Group, step, neuron of each spike of the last question or lesson.
  spikes(net) {
    const at = this.wasm._play_spikes(net) >> 1;
    return this.wasm.HEAPU16.subarray(at, at + 3 * this.wasm._play_n_spikes(net));
  }

  fields(net) {
    return this.#floats(this.wasm._play_fields(net), this.hidden * this.pixels);
  }

  metaplasticity(net) {
    return this.#floats(this.wasm._play_m(net), this.hidden);
  }

  // What a network must keep between samples, in bytes.
  bytes(net) {
    return this.wasm._play_bytes(net);
  }

  save(net) {
    this.#check(this.wasm._play_save(net));
    return this.wasm.FS.readFile(FILE);
  }

  load(net, bytes) {
    this.wasm.FS.writeFile(FILE, bytes);
    this.#check(this.wasm._play_load(net));
  }
}
