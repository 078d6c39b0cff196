// playground.mjs - what the tests of the playground share: the page, and how people use it.
import { join } from "node:path";

import { doodle } from "../../../web/doodles.mjs";
import { PAPER } from "../../../web/learner.mjs";
import { encode } from "../../../web/link.mjs";
import { BASKET_NAMES } from "../../../web/school.mjs";
import { openPage } from "./browser.mjs";

export const file = new URL("../../../build/playground.html", import.meta.url);

// The page as it greets people, or with what a link carries.
export async function open(browser, options, link = "") {
  const opened = await openPage(browser, `${file.href}${link}`, options);
  await opened.page.waitForFunction(() => document.getElementById("seed").textContent);
  return opened;
}

// The page with networks that have learned nothing, and no opening.
export const openEmpty = (browser, options) =>
  open(browser, options, `#${encode({ seed: 1, names: BASKET_NAMES, lessons: [], waiting: [] })}`);

// Where on the screen the points of a doodle are.
export async function placed(page, name) {
  const pad = page.locator("#pad");
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  const inset = (place) => 0.1 + 0.8 * (place / PAPER);
  return doodle(name).map((stroke) => {
    const points = [];
    for (let k = 0; k < stroke.length; k += 2)
      points.push([box.x + box.width * inset(stroke[k]), box.y + box.height * inset(stroke[k + 1])]);
    return points;
  });
}

export async function drawByMouse(page, name) {
  for (const stroke of await placed(page, name)) {
    await page.mouse.move(...stroke[0]);
    await page.mouse.down();
    for (const point of stroke.slice(1)) await page.mouse.move(...point);
    await page.mouse.up();
  }
}

export const cards = (page) => page.locator(".taught").count();

// Teach what is on the sheet, and wait until everything is shown.
export async function teach(page, basket) {
  const n = await page.evaluate(() => performance.getEntriesByName("teach").length);
  await page.click(`#${basket}`);
  await page.waitForFunction((n) => performance.getEntriesByName("teach").length === n + 1, n);
}

// The part of each card's copies that each network has right: [{ tacos, plain, columns }].
export const allMarks = (page) =>
  page.$$eval(".taught", (taught) =>
    taught.map((card) => {
      const right = (kind) => Number(card.querySelector(`.mark.${kind}`).dataset.right);
      return { tacos: right("tacos"), plain: right("plain"), columns: right("columns") };
    }));

export const marks = async (page, card) => (await allMarks(page))[card];

export const LESSONS = [
  ["sun", "left"], ["moon", "right"], ["fish", "left"], ["tree", "right"], ["house", "left"],
  ["cup", "right"], ["heart", "left"], ["bolt", "right"], ["key", "left"], ["boat", "right"],
];

export async function teachByMouse(page, lessons) {
  for (const [name, basket] of lessons) {
    await drawByMouse(page, name);
    await teach(page, basket);
  }
}

// ---- files ----

export async function saved(page, folder, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  await download.saveAs(join(folder, name));
  return join(folder, name);
}

export const load = async (page, path) => {
  await page.setInputFiles("#file", path);
  await page.waitForSelector("#message:visible");
  return page.textContent("#message");
};

// ---- looks ----

// Texts that are cut off, or reach out of the picture or the window.
export const clipped = (page) =>
  page.evaluate(() => {
    const shown = (element) => element.checkVisibility() && !element.closest(".visually-hidden, .skip");
    const texts = [...document.querySelectorAll("body *")].filter(
      (element) => shown(element) && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()),
    );
    const wide = document.documentElement.clientWidth;
    return texts
      .filter((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const box = range.getBoundingClientRect();
        const frame = element.closest("svg, button, .taught, .card, footer, header, main")?.getBoundingClientRect();
        const out = frame && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1);
        return out || (!element.closest(".strip") && (box.left < 0 || box.right > wide));
      })
      .map((element) => `${element.className?.baseVal ?? element.className} "${element.textContent.trim().slice(0, 40)}"`);
  });
