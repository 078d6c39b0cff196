// listen.mjs - what the tests of reports share: a browser, a page from disk that is listened to, and axe.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});

// Open a file. What the page complains of, and what it asks for, is kept in page.heard.
export async function open(browser, path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(0); // what is waited for comes, however busy the machine is
  const page = await context.newPage();
  const address = pathToFileURL(path).href;
  page.heard = { errors: [], requests: [], dialogs: [] };
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.heard.errors.push(message.text()));
  page.on('pageerror', (error) => page.heard.errors.push(error.message));
  page.on('dialog', (dialog) => { page.heard.dialogs.push(dialog.message()); return dialog.dismiss(); });
  page.on('request', (request) => request.url() !== address && !request.url().startsWith('data:')
    && !request.url().startsWith('blob:') && page.heard.requests.push(request.url()));
  await page.goto(address);
  return page;
}

// Whatever the page does by itself once it is loaded has been done: it has been drawn, and had nothing else to do.
export const settled = (page) => page.evaluate(() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done)))));

// The findings of axe, in a line each.
export async function findings(page) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} (${failureSummary})`).join('; ')}`);
}

// Does the page stay within the window, and if not, what sticks out?
export const overflow = (page) => page.evaluate(() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const scrolled = (element) => element && (getComputedStyle(element).overflowX !== 'visible' || scrolled(element.parentElement));
  return [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > width + 1
    && !scrolled(element.parentElement))
    .slice(0, 5).map((element) => element.outerHTML.slice(0, 100));
});

// Words of figures that are cut off at the edge of their drawing.
export const clipped = (page) => page.evaluate(() => [...document.querySelectorAll('.plot svg.chart')].flatMap((svg) => {
  const box = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter((text) => !text.closest('.legend')).filter((text) => {
    const { left, right, top, bottom, width } = text.getBoundingClientRect();
    return width > 0 && (left < box.left - 1 || right > box.right + 1 || top < box.top - 2 || bottom > box.bottom + 2);
  }).map((text) => `${svg.id}: ${text.textContent}`);
}));
