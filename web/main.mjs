// main.mjs - the page: what its buttons do, and what is drawn when.

import { COLUMNS, Learner, NETS, SPIKING, TACOS } from "./learner.mjs";
import { doodles, doodle } from "./doodles.mjs";
import { BASKET_NAMES, NAME_MOST, School } from "./school.mjs";
import { fromBase64, read, write } from "./file.mjs";
import { decode, encode, isLink } from "./link.mjs";
import { Pad } from "./pad.mjs";
import { drawChart } from "./chart.mjs";
import { Gallery, SIDES } from "./gallery.mjs";
import { Inside } from "./inside.mjs";
import { SEED, Tour } from "./tour.mjs";
import { Opening } from "./opening.mjs";
import { listen } from "./keys.mjs";
import * as words from "./words.mjs";

const SLICE_MS = 30; // of work, before the page gets a frame to draw
const FILE_NAME = "taught-networks.tacos.json";

const find = (id) => document.getElementById(id);

const learner = await Learner.open(createLearner, fromBase64(learnerBytes)).catch((error) => {
  tell("This browser cannot run the networks: it needs WebAssembly with vectors, which browsers have since 2023.");
  throw error;
});
const school = new School(learner, SEED);
const gallery = new Gallery(find("gallery"), learner.exams);
const inside = new Inside(find("inside"), learner);
const pad = new Pad(find("pad"), padChanged);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let nextDoodle = 0;
let doodleName = "";
let chartWidth = 560; // until the page says otherwise

// ---- what they say of the drawing on the sheet ----

function sayBasket(net, said) {
  const output = find(`say-${NETS[net]}`);
  const tug = output.parentElement.querySelector("i");
  const side = SIDES[said?.answer] ?? "";
  const [left, right] = said?.counts ?? [0, 0];
  const pull = left + right > 0 ? (right - left) / (left + right) : 0;
  output.textContent = school.names[said?.answer] ?? (said ? "nowhere" : "–");
  output.className = tug.className = side;
  tug.style.width = `${50 * Math.abs(pull)}%`;
  tug.style.left = pull < 0 ? `${50 + 50 * pull}%` : "50%";
}

function sayName(said) {
  find("say-columns").textContent = school.things[said?.answer] ?? (said ? "nothing it knows" : "–");
  inside.showVotes(said?.counts, school.things);
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
  for (const net of SPIKING) sayBasket(net, points && learner.ask(net, points));
  sayName(points && learner.ask(COLUMNS, points));
  if (!empty) inside.drawSpikes();
  showUndo();
  performance.clearMeasures("draw"); // who wants them all observes them
  performance.measure("draw", { start: began, end: performance.now() });
}

// ---- what is shown ----

// In words, what has come of it so far.
function summary() {
  if (school.drawings.length > 0) return words.verdict(school);
  if (school.waiting.length === 0) return "Nothing yet. No time to draw? Take the tour.";
  return (
    `Now one for the basket ${school.names[suggested()]}; then the networks learn the first drawings together. ` +
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

function showNames() {
  school.names.forEach((name, basket) => {
    find(`${SIDES[basket]}-name`).textContent = name;
    const field = find(`rename-${SIDES[basket]}`);
    if (field !== document.activeElement) field.value = name;
  });
  find("hint").textContent = `something for the basket ${school.names[suggested()]}, with mouse, finger or pen`;
}

function showUndo() {
  find("undo").setAttribute("aria-disabled", String(pad.empty && !school.canUndo));
}

function show() {
  gallery.show(school);
  drawChart(find("chart"), chartWidth, history());
  inside.draw();
  find("how").hidden = school.drawings.length + school.waiting.length > 0;
  find("legend").hidden = school.drawings.length === 0;
  find("seed").textContent = school.seed;
  find("summary").textContent = summary();
  find("words-forgetting").textContent = words.forgetting(school);
  find("words-remembering").textContent = words.remembering(school, learner.metaplasticity(TACOS));
  find("words-naming").textContent = words.naming(school);
  find("words-memory").textContent = words.memory(learner);
  showNames();
  showUndo();
}

// ---- teaching ----

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

// Whatever changes the school waits until the lesson before is over.
let last = Promise.resolve();
function inTurn(work) {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}

// A link in the address that no longer says what is taught.
function dropLink() {
  if (isLink(location.hash)) window.history.replaceState(null, "", location.pathname + location.search);
}

function teach(strokes, basket, name) {
  const began = performance.now();
  return inTurn(async () => {
    dropLink();
    try {
      if (school.offer(strokes, basket, name)) await inSlices(school.examine());
    } catch (error) {
      tell(error.message);
    }
    show();
    performance.measure("teach", { start: began, end: performance.now() });
    nextFrame().then(() => setTimeout(() => performance.measure("painted", { start: began, end: performance.now() })));
  });
}

// In parts, so that a page with many drawings goes on moving.
async function inSlices(steps) {
  let began = performance.now();
  for (const _ of steps)
    if (performance.now() - began > SLICE_MS) {
      await nextFrame();
      began = performance.now();
    }
}

function teachPad(basket) {
  if (pad.empty) {
    tell("Draw something first.");
    return;
  }
  tell("");
  teach(pad.strokes, basket, find("thing").value);
  clear();
}

function clear() {
  pad.clear();
  find("thing").value = "";
}

function drawForMe() {
  const names = Object.keys(doodles);
  doodleName = names[nextDoodle++ % names.length];
  find("thing").value = doodleName;
  pad.show(doodle(doodleName));
}

// The last stroke on the sheet; if it is empty, the last lesson.
function undo() {
  if (!pad.empty) pad.undo();
  else if (school.canUndo) takeBack();
}

const takeBack = () =>
  inTurn(() => {
    dropLink();
    school.undo();
    show();
    tell("");
  });

// ---- messages, starting over, files, links ----

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
    const some = school.lessons.length + school.waiting.length > 0;
    dropLink();
    school.restart(seed);
    show();
    if (some) tell("New networks, which know nothing.", "Undo", takeBack);
  });
}

// Teach new networks everything in an outline.
const relearn = (outline) =>
  inTurn(async () => {
    await inSlices(school.relearn(outline));
    show();
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

async function load(file) {
  try {
    const packed = read(await file.text());
    if (packed.networks) await inTurn(() => school.unpack(packed));
    else await relearn(packed);
    dropLink();
    show();
    const again = packed.networks ? "" : ", taught again to networks of this version";
    tell(`Loaded ${file.name}: ${school.drawings.length} drawings${again}.`);
  } catch (error) {
    tell(`${file.name} was not loaded. ${error.message}`);
  }
}

// Into the address bar, and where the browser lets it, to be pasted.
async function makeLink() {
  const link = new URL(location.href);
  link.hash = await inTurn(() => encode(school.outline()));
  window.history.replaceState(null, "", link);
  const copied = await navigator.clipboard?.writeText(link.href).then(() => true, () => false);
  tell(`${copied ? "Copied, and in the address bar" : "In the address bar"}: a link of ${link.hash.length} characters ` +
    "with everything that was taught. Whoever opens it gets the same networks.");
}

async function openLink() {
  try {
    await relearn(decode(location.hash));
  } catch (error) {
    tell(error.message);
  }
}

function redraw() {
  inside.recolour();
  pad.redraw();
  gallery.recolour();
  inside.draw();
}

// ---- the page ----

const opening = new Opening({
  pad,
  teach,
  relearn,
  calm: () => calm.matches,
  ended: () => (find("opening").hidden = true),
});

const tour = new Tour(find("tour"), {
  school,
  learner,
  teach,
  startOver,
  calm: () => calm.matches,
  closed: () => find("tour-open").focus(),
});

// Somebody does something: the opening is over.
find("pad").addEventListener("pointerdown", () => opening.stop(), { capture: true });
document.addEventListener("click", ({ target }) => target.closest("button, summary") && opening.stop(), { capture: true });
find("opening-stop").addEventListener("click", () => opening.stop());

const click = { doodle: drawForMe, undo, clear, save, share, link: makeLink };
for (const [id, act] of Object.entries(click)) find(id).addEventListener("click", act);
SIDES.forEach((side, basket) => {
  find(side).addEventListener("click", () => teachPad(basket));
  const field = find(`rename-${side}`);
  field.addEventListener("input", () => {
    school.rename(basket, field.value);
    gallery.show(school);
    find("words-forgetting").textContent = words.forgetting(school);
    dropLink();
    showNames();
    padChanged();
  });
  field.addEventListener("blur", showNames);
  field.maxLength = NAME_MOST;
  field.placeholder = BASKET_NAMES[basket];
});
find("thing").maxLength = NAME_MOST;
listen(
  {
    draw: () => (opening.stop(), drawForMe()),
    left: () => (opening.stop(), teachPad(0)),
    right: () => (opening.stop(), teachPad(1)),
    undo: () => (opening.stop(), undo()),
  },
  () => find("keys").checked,
);
find("reset").addEventListener("click", () => startOver((school.seed + 1) >>> 0));
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
for (const number of ["exams", "copies", "hidden"]) find(number).textContent = learner[number];
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("hashchange", () => isLink(location.hash) && openLink());
padChanged();
show();
if (isLink(location.hash)) openLink();
else {
  find("opening").hidden = calm.matches;
  opening.play();
}
