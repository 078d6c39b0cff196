// chart.mjs - how much of what was taught each network still knew after each lesson.

import { NAMES, NETS } from "./learner.mjs";

const HEIGHT = 208, TOP = 14, BOTTOM = 158, LEFT = 50, LABELS = 104;
const DRAWINGS_MIN = 8; // for which the axis has room from the start
const APART = 16; // labels at the lines' ends, at least

const percent = (share) => `${Math.round(100 * share)}%`;

function element(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const yOf = (share) => BOTTOM - share * (BOTTOM - TOP);

// Where labels at the lines' ends go, kept apart: from the top down, then back up from the bottom.
function labelPlaces(last) {
  const places = last.map((share) => yOf(share) + 4);
  const order = places.map((_, net) => net).sort((a, b) => places[a] - places[b]);
  order.forEach((net, i) => {
    if (i > 0) places[net] = Math.max(places[net], places[order[i - 1]] + APART);
  });
  order.reverse().forEach((net, i) => {
    const most = i > 0 ? places[order[i - 1]] - APART : BOTTOM + 4;
    places[net] = Math.min(places[net], most);
  });
  return places;
}

// What a chart says, for who cannot see it.
function describe(history) {
  if (history.length === 0) return "Chart of what each network still knows: nothing taught yet.";
  const { drawings, shares } = history.at(-1);
  const [tacos, plain, columns] = shares.map(percent);
  const now = `After ${drawings} drawings TACOS has ${tacos} right, the plain network ${plain}, columns ${columns}.`;
  return `Chart of what each network still knows. ${now}`;
}

function drawAxes(svg, { right, last, xOf }) {
  for (const share of [0, 0.5, 1]) {
    svg.append(element("line", { class: "grid", x1: LEFT, x2: right, y1: yOf(share), y2: yOf(share) }));
    svg.append(element("text", { x: LEFT - 8, y: yOf(share) + 4, "text-anchor": "end" }, percent(share)));
  }
  svg.append(element("text", { x: LEFT + 4, y: yOf(0.5) + 16 }, "guessing the basket"));
  svg.append(element("text", { x: (LEFT + right) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, "drawings taught"));
  const every = Math.ceil((last * 22) / (right - LEFT)); // a number needs 22 pixels
  for (let drawings = 1; drawings <= last; drawings += every)
    svg.append(element("text", { x: xOf(drawings), y: BOTTOM + 20, "text-anchor": "middle" }, drawings));
}

// history: [{ drawings, shares: [of each network] }], how many were taught and what was then known.
export function drawChart(figure, width, history) {
  const svg = element("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": describe(history) });
  const right = width - LABELS;
  const last = Math.max(history.at(-1)?.drawings ?? 0, DRAWINGS_MIN);
  const xOf = (drawings) => LEFT + 14 + ((right - LEFT - 28) * (drawings - 1)) / (last - 1);
  drawAxes(svg, { right, last, xOf });
  const places = history.length > 0 ? labelPlaces(history.at(-1).shares) : [];
  for (const net of history.length > 0 ? [2, 1, 0] : []) {
    const kind = NETS[net];
    const points = history.map(({ drawings, shares }) => [xOf(drawings), yOf(shares[net])]);
    svg.append(element("path", { class: kind, d: `M${points.map((point) => point.join(" ")).join("L")}` }));
    for (const [cx, cy] of points) svg.append(element("circle", { class: kind, cx, cy, r: 3.5 }));
    const text = `${NAMES[net]} ${percent(history.at(-1).shares[net])}`;
    svg.append(element("text", { class: kind, x: points.at(-1)[0] + 10, y: places[net] }, text));
  }
  figure.replaceChildren(svg);
}
