// main.mjs - the page: what its buttons do, and what is drawn when.

import { Learner, NETS } from "./learner.mjs";
import { doodles, doodle } from "./doodles.mjs";
import { School } from "./school.mjs";
import { fromBase64, read, write } from "./file.mjs";
import { Pad } from "./pad.mjs";
import { drawChart } from "./chart.mjs";
import { BASKETS, Gallery } from "./gallery.mjs";
import { Inside } from "./inside.mjs";
import { Tour } from "./tour.mjs";

const SLICE_MS = 30; // of testing, before the page gets a frame to draw
const FILE_NAME = "taught-networks.tacos.json";

const find = (id) => document.getElementById(id);

const learner = await Learner.open(createLearner, fromBase64(learnerBytes)).catch((error) => {
  tell("This browser cannot run the networks: it needs WebAssembly with vectors, which browsers have since 2023.");
  throw error;
});
const school = new School(learner, 1);
const gallery = new Gallery(find("gallery"), learner.exams);
const inside = new Inside(find("inside"), learner);
const pad = new Pad(find("pad"), padChanged);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let nextDoodle = 0;
let doodleName = "";
let chartWidth = 560; // until the page says otherwise

// ---- what they say of the drawing on the sheet ----

function say(net, answer) {
  const output = find(`say-${NETS[net]}`);
  const tug = output.parentElement.querySelector("i");
  const side = BASKETS[answer?.basket] ?? "";
  const [left, right] = answer?.counts ?? [0, 0];
  const pull = left + right > 0 ? (right - left) / (left + right) : 0;
  output.textContent = side || (answer ? "nowhere" : "–");
  output.className = tug.className = side;
  tug.style.width = `${50 * Math.abs(pull)}%`;
  tug.style.left = pull < 0 ? `${50 + 50 * pull}%` : "50%";
}

function padChanged() {
  const began = performance.now();
  const empty = pad.empty;
  if (empty) doodleName = "";
  find("hint").hidden = !empty;
  const content = doodleName ? `with a ${doodleName}` : "with your drawing";
  find("pad").setAttribute("aria-label", `Drawing sheet, ${empty ? "empty" : content}`);
  for (const id of ["left", "right", "clear"]) find(id).setAttribute("aria-disabled", String(empty));
  const points = empty ? null : learner.points(pad.strokes);
  NETS.forEach((_, net) => say(net, points && learner.ask(net, points)));
  if (!empty) inside.drawSpikes();
  performance.clearMeasures("draw"); // who wants them all observes them
  performance.measure("draw", { start: began, end: performance.now() });
}

// ---- teaching ----

// In words, what has come of it so far.
function summary() {
  const n = school.drawings.length;
  const [tacos, plain] = NETS.map((_, net) => school.known(net));
  if (n > 0) return `After ${n} drawings: TACOS still knows ${tacos}, the plain network ${plain}.`;
  if (school.waiting.length === 0) return "Nothing yet. No time to draw? Take the tour.";
  return (
    `Now one for the ${BASKETS[suggested()]} basket; then both networks learn the first drawings together. ` +
    "After that, each drawing is a lesson of its own."
  );
}

// The basket that did not get the last drawing.
function suggested() {
  const last = school.waiting.at(-1) ?? school.drawings.at(-1);
  return last ? 1 - last.basket : 0;
}

// What the chart shows: after how many drawings what was known. A lesson that is still being examined is not
// part of it yet.
function history() {
  let drawings = 0;
  return school.lessons
    .map((lesson, i) => ({ drawings: (drawings += lesson.length), shares: school.history[i] }))
    .filter(({ shares }) => shares);
}

function show() {
  gallery.show(school.drawings, school.waiting);
  drawChart(find("chart"), chartWidth, history());
  inside.draw();
  find("how").hidden = school.drawings.length + school.waiting.length > 0;
  find("legend").hidden = school.drawings.length === 0;
  find("hint").textContent = `something for the ${BASKETS[suggested()]} basket, with mouse, finger or pen`;
  find("seed").textContent = school.seed;
  find("summary").textContent = summary();
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

// Whatever changes the school waits until the lesson before is over.
let last = Promise.resolve();
function inTurn(work) {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}

function teach(strokes, basket) {
  const began = performance.now();
  return inTurn(async () => {
    if (school.offer(strokes, basket)) await examine();
    show();
    performance.measure("teach", { start: began, end: performance.now() });
    nextFrame().then(() => setTimeout(() => performance.measure("painted", { start: began, end: performance.now() })));
  });
}

// In parts, so that a page with many drawings goes on moving.
async function examine() {
  let began = performance.now();
  for (const _ of school.examine())
    if (performance.now() - began > SLICE_MS) {
      await nextFrame();
      began = performance.now();
    }
}

// Browsers make code fast that they have seen run: let it, before somebody waits for it.
function warmUp() {
  inTurn(async () => {
    for (let copy = 0; copy < learner.copies; copy++) {
      await nextFrame();
      learner.teach(learner.points(doodle("sun")), 0, copy, copy % 2);
      NETS.forEach((_, net) => learner.ask(net, learner.points(doodle("sun"))));
    }
    school.begin(school.seed);
    inside.draw();
  });
}

function teachPad(basket) {
  if (pad.empty) {
    tell("Draw something first.");
    return;
  }
  tell("");
  teach(pad.strokes, basket);
  pad.clear();
}

function drawForMe() {
  const names = Object.keys(doodles);
  doodleName = names[nextDoodle++ % names.length];
  pad.show(doodle(doodleName));
}

// ---- messages, starting over, files ----

function tell(text, action, act) {
  const message = find("message");
  message.replaceChildren(text);
  message.hidden = !text;
  if (!action) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = action;
  button.addEventListener("click", act);
  message.append(" ", button);
}

function startOver(seed) {
  return inTurn(() => {
    const before = school.pack();
    school.begin(seed);
    show();
    if (before.lessons.length + before.waiting.length > 0)
      tell("Two new networks, which know nothing.", "Undo", () => undo(before));
  });
}

const undo = (before) =>
  inTurn(() => {
    school.unpack(before);
    show();
    tell("");
  });

const savedFile = () => inTurn(() => new File([write(school.pack())], FILE_NAME, { type: "application/json" }));

async function save() {
  const address = URL.createObjectURL(await savedFile());
  const link = Object.assign(document.createElement("a"), { href: address, download: FILE_NAME });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

async function share() {
  try {
    await navigator.share({ files: [await savedFile()], title: document.title });
  } catch (error) {
    if (error.name !== "AbortError") tell("This browser could not share the file. Save it instead.");
  }
}

const load = (file) =>
  inTurn(async () => {
    try {
      school.unpack(read(await file.text()));
      show();
      tell(`Loaded ${file.name}: ${school.drawings.length} drawings.`);
    } catch (error) {
      tell(`${file.name} was not loaded. ${error.message}`);
    }
  });

function redraw() {
  inside.recolour();
  pad.redraw();
  gallery.recolour();
  inside.draw();
}

// ---- the page ----

const tour = new Tour(find("tour"), {
  school,
  exams: learner.exams,
  teach,
  startOver,
  calm: () => calm.matches,
  closed: () => find("tour-open").focus(),
});

BASKETS.forEach((side, basket) => find(side).addEventListener("click", () => teachPad(basket)));
find("clear").addEventListener("click", () => pad.clear());
find("doodle").addEventListener("click", drawForMe);
find("reset").addEventListener("click", () => startOver((school.seed + 1) >>> 0));
find("save").addEventListener("click", save);
find("share").addEventListener("click", share);
find("share").hidden = !navigator.canShare?.({ files: [new File(["x"], FILE_NAME, { type: "application/json" })] });
find("load").addEventListener("click", () => find("file").click());
find("file").addEventListener("change", (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (file) load(file);
});
new ResizeObserver(([{ contentRect }]) => {
  chartWidth = Math.max(240, Math.round(contentRect.width));
  drawChart(find("chart"), chartWidth, history());
}).observe(find("chart"));
find("tour-open").addEventListener("click", () => tour.open());
find("exams").textContent = learner.exams;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
padChanged();
show();
warmUp();
