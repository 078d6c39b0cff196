// desk.mjs - the playground's opening, names, undo, keys and links.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { doodle, doodles } from "../../web/doodles.mjs";
import { decode } from "../../web/link.mjs";
import { openBrowser, overflow } from "./lib/browser.mjs";
import {
  LESSONS, allMarks, cards, clipped, drawByMouse, file, load, open, openEmpty, saved, teach, teachByMouse,
} from "./lib/playground.mjs";

const folder = mkdtempSync(join(tmpdir(), "tacos-desk-"));
let browser;

before(async () => {
  browser = await openBrowser();
});

after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

const summary = (page) => page.textContent("#summary");
const saying = (page, id, text) =>
  page.waitForFunction(([id, text]) => document.getElementById(id).textContent === text, [id, text]);
const stroked = (page) => page.evaluate(() => document.getElementById("pad").getAttribute("aria-label"));

// What was asked for has been drawn.
const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

// The numbers in the verdict: drawings, known to TACOS, to the plain network, to columns.
const counts = async (page) => (await summary(page)).match(/\d+/g).map(Number);

// ---- the opening ----

test("plays six drawings by itself, and stops where one network has forgotten", async () => {
  const { page, wrong, context } = await open(browser);
  assert.ok(await page.isVisible("#opening-stop"));
  await page.evaluate(() => {
    globalThis.flashes = [];
    document.addEventListener("animationstart", ({ animationName }) => globalThis.flashes.push(animationName));
  });
  await page.waitForSelector("#opening", { state: "hidden" });
  const [n, tacos, plain, columns] = await counts(page);
  assert.deepEqual([n, tacos, columns], [6, 6, 6]);
  assert.ok(plain <= 4, `the plain network still knows ${plain}`);
  assert.equal(await cards(page), 6);
  assert.match(await stroked(page), /empty$/);
  const flips = await page.$$eval(".taught", (taught) => taught.map(({ dataset }) => Number(dataset.flips ?? 0)));
  const marks = await allMarks(page);
  assert.ok(marks.every(({ plain }, card) => plain > 0.5 || flips[card] > 0), "what was lost has flashed");
  assert.ok((await page.evaluate(() => globalThis.flashes)).includes("lost"));
  assert.deepEqual(wrong, []);
  await context.close();
});

test("shows the end of the opening at once where nothing should move", async () => {
  const { page, context } = await open(browser, { reducedMotion: "reduce" });
  await page.waitForFunction(() => document.querySelectorAll(".taught").length > 0);
  assert.ok(await page.isHidden("#opening"));
  assert.equal(await cards(page), 6);
  assert.deepEqual((await counts(page)).slice(0, 2), [6, 6]);
  assert.equal(await page.locator("#chart circle.tacos").count(), 5, "with all lessons in the chart");
  await page.click("#doodle");
  await page.click("#left");
  await page.waitForFunction(() => document.querySelectorAll(".taught").length === 7);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  await context.close();
});

test("leaves the opening to whoever begins, and says how to stop it", async () => {
  for (const act of [
    (page) => page.click("#opening-stop"),
    async (page) => {
      const { x, y } = await page.locator("#pad").boundingBox();
      await page.mouse.move(x + 50, y + 50);
      await page.mouse.down();
      await page.mouse.move(x + 90, y + 90);
      await page.mouse.up();
    },
    (page) => page.keyboard.press("d"),
    (page) => page.click("#doodle"),
  ]) {
    // With a clock of its own: as slow as the test wants.
    const { page, wrong, context } = await open(browser, { prepare: (page) => page.clock.install() });
    while ((await cards(page)) < 2) await page.clock.runFor(100);
    await act(page);
    await page.clock.runFor(100);
    assert.ok(await page.isHidden("#opening"));
    const n = await cards(page);
    await page.clock.runFor(10000);
    assert.equal(await cards(page), n);
    assert.ok(n < 6, `${n} cards`);
    assert.deepEqual(wrong, []);
    await context.close();
  }
});

test("has all buttons above the fold of a small laptop", async () => {
  const { page, context } = await open(browser, { viewport: { width: 1366, height: 657 }, reducedMotion: "reduce" });
  await page.waitForFunction(() => document.querySelectorAll(".taught").length === 6);
  const below = await page.$$eval("button", (buttons) =>
    buttons.filter((button) => button.checkVisibility() && button.getBoundingClientRect().bottom > innerHeight)
      .map((button) => button.textContent));
  assert.deepEqual(below, []);
  const top = (id) => page.locator(id).evaluate((element) => element.getBoundingClientRect().top);
  assert.ok((await top("#gallery")) < (await top("#chart")), "cards stand above the chart");
  const last = await page.locator(".taught").last().evaluate((card) => card.getBoundingClientRect().bottom);
  assert.ok(last <= 657, "the cards of the opening too");
  await context.close();
});

test("has something to read before any script has run", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(file.href);
  assert.ok(await page.isVisible("h1"));
  assert.ok(await page.isVisible("#left"));
  await context.close();
});

test("tells when it is first painted, and when the networks are there", async () => {
  const { page, context } = await open(browser);
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    ready: performance.getEntriesByName("draw")[0].startTime,
  }));
  await context.close();
  assert.ok(Number.isFinite(times.paint) && Number.isFinite(times.ready));
  console.log(`first paint after ${times.paint.toFixed(0)} ms, networks after ${times.ready.toFixed(0)} ms`);
});

// ---- names ----

test("learns ten things by name, one after the other", async () => {
  const { page, wrong, context } = await openEmpty(browser);
  for (const [name, basket] of LESSONS) {
    await drawByMouse(page, name);
    await page.fill("#thing", `a ${name}`);
    await teach(page, basket);
    assert.equal(await page.inputValue("#thing"), "", "the next drawing has no name yet");
  }
  assert.equal((await counts(page))[3], 10);
  for (const [name] of LESSONS) {
    await drawByMouse(page, name);
    await saying(page, "say-columns", `a ${name}`);
    assert.equal(await page.textContent(".votes li:first-child .name"), `a ${name}`);
    await page.click("#clear");
  }
  await saying(page, "say-columns", "–");
  assert.match(await page.textContent("#words-naming"), /^Here it gives all 10 drawings their name\. It has 10 names/);
  assert.deepEqual(wrong, []);
  await context.close();
});

test("takes one name for one thing, and numbers what has none", async () => {
  const { page, context } = await openEmpty(browser);
  const names = ["Sun", "", "  sun ", "x".repeat(50)];
  for (const [i, name] of names.entries()) {
    await drawByMouse(page, LESSONS[i][0]);
    await page.fill("#thing", name);
    await teach(page, i % 2 ? "right" : "left");
  }
  const shown = await page.$$eval(".taught .name", (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual(shown, ["Sun", "drawing 2", "sun", "x".repeat(20)]);
  assert.match(await page.textContent("#words-naming"), /It has 3 names/);
  await context.close();
});

test("says so when there is no room for another name", async () => {
  const { page, wrong, context } = await openEmpty(browser);
  const room = 64;
  for (let k = 0; k < room; k++) {
    await page.click("#doodle");
    await page.fill("#thing", `thing ${k}`);
    await teach(page, k % 2 ? "right" : "left");
  }
  assert.ok(await page.isHidden("#message"));
  await page.click("#doodle");
  await page.fill("#thing", "one more");
  await teach(page, "left");
  assert.match(await page.textContent("#message"), /^There is room for 64 names\./);
  assert.equal(await cards(page), room);
  await page.click("#doodle");
  await page.fill("#thing", "thing 7");
  await teach(page, "left");
  assert.equal(await cards(page), room + 1);
  assert.deepEqual(wrong, []);
  await context.close();
});

test("lets people name the baskets, everywhere", async () => {
  const { page, wrong, context } = await openEmpty(browser, { viewport: { width: 360, height: 740 } });
  await teachByMouse(page, LESSONS.slice(0, 4));
  const before = await allMarks(page);
  await page.click("summary");
  const long = "W".repeat(20);
  await page.fill("#rename-left", "  sky   and sea ");
  await page.fill("#rename-right", long);
  assert.match(await page.textContent("#left"), /sky and sea/);
  assert.match(await page.getAttribute(".taught:nth-child(1) canvas", "aria-label"), /^Drawing 1, drawing 1, for the basket sky and sea$/);
  await drawByMouse(page, "moon");
  await saying(page, "say-tacos", long);
  assert.ok((await page.textContent("#words-forgetting")).includes(long), "in the text too");
  assert.equal(await overflow(page), 0);
  assert.deepEqual(await clipped(page), []);
  await page.click("#clear");
  assert.deepEqual(await allMarks(page), before, "the networks are told nothing of it");
  const path = await saved(page, folder, "named.json");
  const other = await openEmpty(browser);
  await load(other.page, path);
  assert.match(await other.page.textContent("#right"), new RegExp(long));
  await other.page.click("summary");
  await other.page.fill("#rename-right", "   ");
  assert.match(await other.page.textContent("#right"), /right/);
  assert.deepEqual([...wrong, ...other.wrong], []);
  await context.close();
  await other.context.close();
});

test("writes names, whatever they hold, as text", async () => {
  const { page, wrong, context } = await openEmpty(browser);
  for (const [i, name] of ["<img src=x>", "&amp;"].entries()) {
    await drawByMouse(page, LESSONS[i][0]);
    await page.fill("#thing", name);
    await teach(page, LESSONS[i][1]);
  }
  const shown = await page.$$eval(".taught .name", (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual(shown, ["<img src=x>", "&amp;"]);
  assert.equal(await page.locator("main img").count(), 0);
  assert.deepEqual(wrong, []);
  await context.close();
});

// ---- undo and keys ----

test("takes back strokes, then lessons, and goes on as if they had not been", async () => {
  const { page, wrong, context } = await openEmpty(browser);
  await teachByMouse(page, LESSONS.slice(0, 3));
  const three = readFileSync(await saved(page, folder, "three.json"), "utf8");
  await teachByMouse(page, LESSONS.slice(3, 5));
  await drawByMouse(page, "cup"); // two strokes
  await page.click("#undo");
  await drawn(page);
  assert.match(await stroked(page), /with your drawing$/);
  await page.click("#undo");
  await page.waitForFunction(() => /empty$/.test(document.getElementById("pad").getAttribute("aria-label")));
  await page.click("#doodle");
  await page.click("#undo");
  await page.waitForFunction(() => /empty$/.test(document.getElementById("pad").getAttribute("aria-label")));
  assert.equal(await cards(page), 5);
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelectorAll(".taught").length === 4);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelectorAll(".taught").length === 3);
  assert.equal(readFileSync(await saved(page, folder, "back.json"), "utf8"), three, "the same bits");
  for (let left = 3; left > 0; left--) await page.click("#undo");
  await page.waitForFunction(() => document.querySelectorAll(".taught").length === 0);
  assert.match(await summary(page), /^Nothing yet/);
  assert.deepEqual(wrong, []);
  await context.close();
});

test("draws and teaches by keys, which can be turned off", async () => {
  const { page, wrong, context } = await openEmpty(browser);
  const taught = (n) => page.waitForFunction((n) => document.querySelectorAll(".taught").length === n, n);
  for (const key of ["ArrowLeft", "ArrowRight"]) {
    await page.keyboard.press("d");
    await page.waitForFunction(() => /with a /.test(document.getElementById("pad").getAttribute("aria-label")));
    await page.keyboard.press(key);
  }
  await taught(2);
  const arrows = await page.$$eval(".taught header b", (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual(arrows, ["←", "→"]);
  await page.focus("#thing");
  await page.keyboard.type("dad");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.inputValue("#thing"), "dad");
  await drawn(page);
  assert.match(await stroked(page), /empty$/);
  await page.uncheck("#keys");
  await page.keyboard.press("d");
  await page.keyboard.press("Control+z");
  await drawn(page);
  assert.match(await stroked(page), /empty$/);
  assert.equal(await cards(page), 2);
  assert.deepEqual(await page.$$eval("kbd", (all) => all.map(({ textContent }) => textContent)), ["D", "←", "→", "Ctrl", "Z"]);
  assert.deepEqual(wrong, []);
  await context.close();
});

// ---- links ----

async function linkOf(page) {
  await page.click("#link");
  await page.waitForFunction(() => location.hash.startsWith("#taught="));
  return page.evaluate(() => location.hash);
}

test("carries everything that was taught in a link", async () => {
  const { page, wrong, context } = await openEmpty(browser);
  await page.click("summary");
  await page.fill("#rename-left", "süß");
  await drawByMouse(page, "sun");
  await page.fill("#thing", "☀ sun");
  await teach(page, "left");
  await teachByMouse(page, LESSONS.slice(1, 10));
  const link = await linkOf(page);
  assert.match(await page.textContent("#message"), new RegExp(`a link of ${link.length} characters`));
  console.log(`a link with ten drawings by mouse has ${link.length} characters`);
  assert.ok(link.length < 4000, `${link.length} characters`);
  const other = await open(browser, {}, link);
  await other.page.waitForFunction(() => document.querySelectorAll(".taught").length === 10);
  assert.ok(await other.page.isHidden("#opening"));
  const ends = [await saved(page, folder, "sent.json"), await saved(other.page, folder, "got.json")];
  assert.equal(readFileSync(ends[1], "utf8"), readFileSync(ends[0], "utf8"), "the same networks, to the last bit");
  await drawByMouse(other.page, "tree");
  await teach(other.page, "left");
  assert.equal(await other.page.evaluate(() => location.hash), "", "an address that is no longer true goes");
  assert.deepEqual([...wrong, ...other.wrong], []);
  await context.close();
  await other.context.close();
});

test("opens a link in a page that is open, and says if it is damaged", async () => {
  const { page, wrong, context } = await openEmpty(browser);
  await teachByMouse(page, LESSONS.slice(0, 3));
  const link = await linkOf(page);
  await page.click("#reset");
  await page.evaluate((link) => (location.hash = link), link);
  await page.waitForFunction(() => document.querySelectorAll(".taught").length === 3);
  const before = await allMarks(page);
  await page.evaluate((link) => (location.hash = link), `${link.slice(0, -9)}AAAAAAAAA`);
  await page.waitForSelector("#message:visible");
  await page.waitForFunction(() => /cannot be read/.test(document.getElementById("message").textContent));
  assert.deepEqual(await allMarks(page), before);
  assert.deepEqual(wrong, []);
  await context.close();
});

// ---- words ----

test("says what happened here as it was counted", async () => {
  const { page, context } = await openEmpty(browser);
  const text = (id) => page.textContent(`#words-${id}`);
  assert.equal(await text("forgetting"), "Here nothing has been taught yet.");
  const names = Object.keys(doodles);
  for (let n = 1; n <= 12; n++) {
    await page.click("#doodle");
    await teach(page, n % 2 ? "left" : "right");
    if (n === 1) continue;
    const marks = await allMarks(page);
    for (const [id, net] of [["forgetting", "plain"], ["remembering", "tacos"], ["naming", "columns"]]) {
      const lost = names.slice(0, n).filter((_, card) => marks[card][net] <= 0.5);
      const said = await text(id);
      if (lost.length === 0) assert.match(said, new RegExp(`all ${n} drawings`), `${n} ${id}`);
      else {
        assert.ok(said.includes(`${id === "naming" ? n - lost.length : lost.length} of ${n} drawings`), said);
        for (const name of lost.slice(0, 6)) assert.ok(said.includes(name), `${said} has ${name}`);
      }
    }
  }
  await context.close();
});

test("reads of a link what was written", async () => {
  const { page, context } = await openEmpty(browser);
  for (const basket of ["left", "right", "right"]) {
    await page.click("#doodle");
    await teach(page, basket);
  }
  const { seed, names, lessons, waiting } = decode(await linkOf(page));
  await context.close();
  assert.deepEqual([seed, names, waiting], [1, ["left", "right"], []]);
  const [sun, moon, fish] = Object.keys(doodles);
  assert.deepEqual(lessons, [
    [{ name: sun, basket: 0, strokes: doodle(sun) }, { name: moon, basket: 1, strokes: doodle(moon) }],
    [{ name: fish, basket: 1, strokes: doodle(fish) }],
  ]);
});
