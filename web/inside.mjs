// inside.mjs - the inside of the networks: spikes, weights and metaplastic states of hidden neurons; votes of columns.

import { COLUMNS, NETS, SPIKING } from "./learner.mjs";

const TITLES = ["TACOS", "Plain network", "Columns"];
const VOTES = 8; // names listed
const GRID = 16; // in a row, of the pictures of hidden neurons
const GAP = 1; // pixels between them
const STATE_HEIGHT = 4; // pixels
const RASTER_ASPECT = 2.4;
const BANDS = [
  { name: "input", share: 0.34, size: ({ pixels }) => pixels },
  { name: "hidden", share: 0.46, size: ({ hidden }) => hidden },
  { name: "output", share: 0.2, size: ({ baskets }) => baskets },
];

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

function picture(className, label) {
  const canvas = make("canvas", className);
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  return canvas;
}

// "#rrggbb" as numbers.
const rgb = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));

const SHADES = 64;

// Colours from one to another, each as the four bytes of a pixel.
function ramp(from, to) {
  const bytes = new Uint8ClampedArray(4 * (SHADES + 1));
  for (let shade = 0; shade <= SHADES; shade++) {
    const mixed = from.map((value, k) => value + ((to[k] - value) * shade) / SHADES);
    bytes.set([...mixed, 255], 4 * shade);
  }
  return new Uint32Array(bytes.buffer);
}

// The page's colours of now.
function palette() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const [zero, more, less, set] = ["zero", "more", "less", "tacos"].map((name) => rgb(colour(name)));
  return {
    soft: colour("soft"),
    line: colour("line"),
    groups: [[colour("ink")], [colour("ink")], [colour("left"), colour("right")]],
    more: ramp(zero, more),
    less: ramp(zero, less),
    set: ramp(zero, set),
  };
}

// Cells of a grid, GRID wide, with a gap between: a canvas for them, and where each is.
class Grid {
  constructor(canvas, n, width, height) {
    Object.assign(this, { canvas, width, height });
    canvas.width = GRID * (width + GAP) - GAP;
    canvas.height = Math.ceil(n / GRID) * (height + GAP) - GAP;
    this.image = new ImageData(canvas.width, canvas.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  // shade(k): the colour of pixel k of the cell.
  fill(cell, shade) {
    const { width, height } = this;
    const corner = Math.floor(cell / GRID) * (height + GAP) * this.image.width + (cell % GRID) * (width + GAP);
    for (let y = 0, k = 0; y < height; y++)
      for (let x = 0; x < width; x++, k++) this.pixels[corner + y * this.image.width + x] = shade(k);
  }

  show() {
    this.canvas.getContext("2d").putImageData(this.image, 0, 0);
  }
}

class NetView {
  constructor(learner, net) {
    this.learner = learner;
    this.net = net;
    const name = TITLES[net];
    this.root = make("div", "net");
    this.raster = picture("raster", `${name}: spikes at the last drawing`);
    const tiles = picture("grid", `${name}: what each of ${learner.hidden} hidden neurons looks for`);
    const state = picture("grid", `${name}: metaplastic state of each hidden neuron`);
    this.tiles = new Grid(tiles, learner.hidden, learner.side, learner.side);
    this.state = new Grid(state, learner.hidden, learner.side, STATE_HEIGHT);
    this.root.append(
      make("h3", NETS[net], name),
      make("h4", "", "Spikes"),
      make("p", "", "The last drawing it saw, as each neuron's spikes. Time runs to the right."),
      this.raster,
      make("h4", "", "What each hidden neuron looks for"),
      make("p", "", "Blue: ink here excites it. Gold: ink here calms it."),
      tiles,
      make("h4", "", "How firmly each hidden neuron is set"),
      make("p", "", net === 0
        ? "Its metaplastic state m: the brighter, the harder its connections are to change."
        : "It has no metaplastic state: every connection can always be changed."),
      state,
    );
  }

  draw(colours) {
    this.drawSpikes(colours);
    this.drawTiles(colours);
    this.drawState(colours);
  }

  drawSpikes(colours) {
    const { learner, raster } = this;
    const { width, height } = raster;
    const context = raster.getContext("2d");
    const margin = Math.max(56 * devicePixelRatio, width * 0.1);
    const step = (width - margin) / learner.steps;
    const spikes = learner.spikes(this.net);
    context.clearRect(0, 0, width, height);
    context.font = `${Math.round(12 * devicePixelRatio)}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    let top = 0;
    BANDS.forEach(({ name, share, size }, group) => {
      const band = share * height, row = band / size(learner);
      context.fillStyle = colours.line;
      context.fillRect(0, Math.round(top), width, group > 0 ? 1 : 0);
      context.fillStyle = colours.soft;
      context.fillText(name, 6 * devicePixelRatio, top + band / 2);
      const tick = [Math.max(1, Math.floor(step * 0.7)), Math.max(1, Math.floor(row * 0.8))];
      colours.groups[group].forEach((colour, which, { length }) => {
        context.fillStyle = colour;
        for (let k = 0; k < spikes.length; k += 3)
          if (spikes[k] === group && (length === 1 || spikes[k + 2] === which))
            context.fillRect(Math.round(margin + spikes[k + 1] * step), Math.round(top + spikes[k + 2] * row), ...tick);
      });
      top += band;
    });
  }

  drawTiles({ more, less }) {
    const { learner, tiles } = this;
    const weights = learner.fields(this.net);
    let sum = 0;
    for (const weight of weights) sum += Math.abs(weight);
    const scale = SHADES / ((4 * sum) / weights.length || 1);
    for (let neuron = 0; neuron < learner.hidden; neuron++)
      tiles.fill(neuron, (pixel) => {
        const shade = Math.round(weights[neuron * learner.pixels + pixel] * scale);
        return shade < 0 ? less[Math.min(-shade, SHADES)] : more[Math.min(shade, SHADES)];
      });
    tiles.show();
  }

  drawState({ set }) {
    this.learner.metaplasticity(this.net).forEach((m, neuron) => {
      this.state.fill(neuron, () => set[Math.round(m * SHADES)]);
    });
    this.state.show();
  }
}

// What columns takes the drawing for: the likeliest names, and by how much each is ahead of the least likely.
class VotesView {
  constructor() {
    this.root = make("div", "net votes");
    this.list = make("ol");
    this.empty = make("p", "", "Draw something, once it has learned some names.");
    this.root.append(
      make("h3", NETS[COLUMNS], TITLES[COLUMNS]),
      make("h4", "", "What it takes the drawing for"),
      make("p", "", "Small windows of the drawing are compared with what was seen there before, and vote for names; in " +
        "bits above the least likely."),
      this.list,
      this.empty,
    );
  }

  // counts: of `ask`, or null for no drawing; names: of the things
  show(counts, names) {
    const votes = names.map((name, thing) => ({ name, score: counts?.[thing] ?? 0 })).filter(({ score }) => score > 0);
    votes.sort((one, other) => other.score - one.score);
    const most = votes[0]?.score;
    this.list.replaceChildren(...votes.slice(0, VOTES).map(({ name, score }) => {
      const bar = make("span", "bar");
      bar.append(make("i"));
      bar.firstChild.style.transform = `scaleX(${score / most})`;
      const item = make("li");
      item.append(make("span", "name", name), bar, make("span", "bits", `${Math.round(score / 256)}`));
      return item;
    }));
    this.empty.hidden = votes.length > 0;
  }
}

export class Inside {
  // Rasters are as sharp as the screen; they are told their size, since asking for it costs a layout.
  constructor(root, learner) {
    this.views = SPIKING.map((net) => new NetView(learner, net));
    this.votes = new VotesView();
    this.votes.show(null, []);
    root.replaceChildren(...[...this.views, this.votes].map((view) => view.root));
    this.recolour();
    const sizes = new ResizeObserver((entries) => {
      for (const { target, contentRect } of entries) {
        target.width = Math.max(1, Math.round(contentRect.width * devicePixelRatio));
        target.height = Math.round(target.width / RASTER_ASPECT);
      }
      this.drawSpikes();
    });
    for (const { raster } of this.views) sizes.observe(raster);
  }

  recolour() {
    this.colours = palette();
  }

  draw() {
    for (const view of this.views) view.draw(this.colours);
  }

  showVotes(counts, names) {
    this.votes.show(counts, names);
  }

  drawSpikes() {
    for (const view of this.views) view.drawSpikes(this.colours);
  }
}
