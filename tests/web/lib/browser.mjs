// browser.mjs - the system's Chromium, headless, and pages opened in it from disk.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);

export function openBrowser() {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
}

// A page of its own context, with what went wrong in it: console errors, exceptions, and every
// request for anything but the file itself. `prepare` gets the page before anything is loaded.
export async function openPage(browser, url, { prepare, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(0); // what is waited for comes, however busy the machine is
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`${message.type()}: ${message.text().slice(0, 300)}`);
  });
  page.on("pageerror", (error) => wrong.push(`exception: ${error.message}`));
  const bare = (address) => address.split("#")[0];
  page.on("request", (request) => {
    if (bare(request.url()) !== bare(url) && !/^(data|blob):/.test(request.url())) wrong.push(`request: ${request.url()}`);
  });
  await prepare?.(page);
  await page.goto(url);
  return { page, context, wrong };
}

// Findings of axe-core, one line each.
export async function findings(page) {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}

// By how many pixels a page is wider than its window.
export const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
