// stream.mjs - the page of a stream in a real browser. $TACOS is the program; the stream.json is made here.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findings, launch, open, overflow, settled } from './lib/listen.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tacos-web-'));
const at = (name) => join(folder, name);
const figures = ['stream-accuracy', 'stream-kappa', 'stream-speed', 'stream-confusion'];
let browser;

// A stream of n labels, a tenth of each taken for the next one and a tenth rejected, whose accuracy falls at the end.
function streamOf(n, rows) {
  const samples = 100 * rows;
  const times = (value) => Array(rows).fill(value);
  const span = { samples, right: 0.8 * samples, rejected: 0.1 * samples, unanswered: 0, accuracy: 80, answered: 88.9,
    repeat_last: 61.5, majority: 20, kappa: 0.75, kappa_temporal: 0.48 };
  const labels = [...Array(n).keys()].map((k) => ({ label: k % 3 ? `label ${k}` : `label ${k} whose name is rather long`,
    samples: samples / n, answered: 0.9 * samples / n, right: 0.8 * samples / n, recall: 80, precision: 88.9 }));
  const confusion = labels.flatMap((_, k) => [[k, k, 80], [k, (k + 1) % n, 10], [k, -1, 10]]);
  const series = { samples: times(0).map((_, k) => 100 * (k + 1)), accuracy: times(90),
    window_accuracy: times(0).map((_, k) => (k < 0.8 * rows ? 95 : 60)), repeat_last: times(61), window_repeat_last: times(62),
    kappa: times(0.7), window_kappa: times(0.75), kappa_temporal: times(0.5), window_kappa_temporal: times(-3), rejected: times(7),
    drift_alarms: times(1), samples_per_second: times(50000), bytes: times(64000) };
  return { schema: 'tacos-stream', schema_version: 1, program_version: '0.1.0', stream: 'pets.csv', model: 'columns', window: 1000,
    report_every: 100, overall: span, recent: span, rejected_right: 3, drift: { test: 'ADWIN', delta: 0.002, every: 32, alarms: 2,
      at: [samples - 64, samples - 32], width: 40 }, labels, confusion, series };
}

before(async () => {
  for (const [name, n, rows] of [['few', 4, 20], ['many', 40, 500]]) {
    mkdirSync(at(name));
    writeFileSync(at(`${name}/stream.json`), JSON.stringify(streamOf(n, rows)));
    execFileSync(process.env.TACOS, ['report', name, '-o', `${name}.html`], { cwd: folder });
  }
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const file of ['few.html', 'many.html']) {
  test(`${file}: opens from disk without a complaint and asks nobody for anything`, async () => {
    const page = await open(browser, at(file));
    await settled(page);
    assert.deepEqual(page.heard, { errors: [], requests: [], dialogs: [] });
    assert.ok(statSync(at(file)).size < 1e6);
    assert.match(await page.locator('.lead').textContent(), /^80\.0% right before learning, over [\d,]+ samples; repeating the last label/);
    await page.context().close();
  });

  test(`${file}: every figure is there, drawn, and described`, async () => {
    const page = await open(browser, at(file));
    assert.deepEqual(await page.locator('figure').evaluateAll((all) => all.map(({ dataset }) => dataset.name)), figures);
    for (const name of figures) {
      const svg = page.locator(`figure[data-name="${name}"] .plot svg`);
      const box = await svg.boundingBox();
      assert.ok(box.width > 300 && box.height > 60, `${name} is ${box.width} x ${box.height}`);
      assert.match(await svg.getAttribute('aria-label'), /\w+\. \w+/);
    }
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 768, 360]) {
      test(`${file}: ${colorScheme}, ${width} pixels wide: nothing sticks out, axe finds nothing serious`, async () => {
        const page = await open(browser, at(file), { colorScheme, viewport: { width, height: 800 } });
        assert.deepEqual(await overflow(page), []);
        assert.deepEqual(await findings(page), []);
        if (process.env.TACOS_WEB_SHOTS)
          await page.screenshot({ path: join(process.env.TACOS_WEB_SHOTS, `${file}-${colorScheme}-${width}.png`), fullPage: true });
        await page.context().close();
      });
    }
  }

  test(`${file}: prints light, and nothing sticks out`, async () => {
    const page = await open(browser, at(file), { colorScheme: 'dark', viewport: { width: 794, height: 1123 } });
    const pdf = await page.pdf({ format: 'A4' });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
    assert.deepEqual(await overflow(page), []);
    await page.context().close();
  });
}

test('drift alarms tell where they are, and can be hidden', async () => {
  const page = await open(browser, at('few.html'));
  const figure = page.locator('figure[data-name="stream-accuracy"]');
  const marks = figure.locator('.plot [data-series="3"] .paper');
  assert.equal(await marks.count(), 2);
  await marks.last().hover();
  assert.equal(await page.locator('#tip').textContent(), 'drift alarmsamples 1968');
  await figure.getByRole('button', { name: 'drift alarm' }).click();
  assert.ok(await marks.first().isHidden());
  assert.ok(await figure.locator('.plot .line').first().isVisible());
  await page.context().close();
});

test('the table of labels is sorted', async () => {
  const page = await open(browser, at('many.html'));
  const table = page.locator('#labels table');
  await table.locator('th', { hasText: /^label/ }).getByRole('button').click();
  const names = await table.locator('tbody th').allTextContents();
  assert.equal(names.length, 40);
  assert.equal(names[0], 'label 0 whose name is rather long');
  await page.context().close();
});
