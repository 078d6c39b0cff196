// report.mjs - `tacos report` in a real browser. $TACOS is the program; with MNIST in $TACOS_DATA the
// runs are of split-MNIST, else of the built-in symbols. UPDATE_SCREENSHOTS=1 makes those in docs/images, of
// whole runs, which take minutes; or of those in $TACOS_WEB_RUNS, a folder with such runs `tacos` and `snn`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { clipped, findings, launch, open, overflow, settled } from './lib/listen.mjs';

const shots = process.env.UPDATE_SCREENSHOTS === '1';
const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const mnist = Boolean(process.env.TACOS_DATA && existsSync(join(process.env.TACOS_DATA, 'mnist')));
const folder = mkdtempSync(join(tmpdir(), 'tacos-web-'));
const at = (name) => join(folder, name);
const tacos = (...words) => execFileSync(process.env.TACOS, words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] }).toString();

const experiment = mnist ? 'split-mnist' : 'demo';
// With few samples m must grow and w_ref follow faster, or there is too little to tell the two models apart by.
const short = ['samples_per_task=200', 'test_samples_per_task=100', 'delta_m_hidden=0.03', 'delta_m_output=0.08',
  'w_ref_rate=0.003'];
const less = shots ? [] : short.flatMap((key) => ['--set', key]);
const figures = ['accuracy', 'curves', 'matrix', 'means', 'transfer', 'classes', 'confusion', 'plasticity', 'similarity', 'weights', 'states', 'fields',
  'raster', 'rates', 'operations', 'memory'];
const compared = ['compare-MA', 'compare-first', 'compare-A', 'compare-BWT', 'compare-FWT', 'compare-bars', 'compare-tasks', 'matrix-1', 'matrix-2'];
let browser;

before(async () => {
  const given = process.env.TACOS_WEB_RUNS;
  const run = (out, ...keys) => (given ? symlinkSync(join(given, out), at(out)) : tacos('run', experiment, ...less, ...keys.flatMap((key) => ['--set', key]), '--seeds', '3',
    '--out', out, '--quiet'));
  run('tacos', 'measure=all', 'curve_points=50');
  run('snn', 'measure=all', 'model=snn');
  tacos('report', 'tacos', '-o', 'one.html');
  tacos('report', 'tacos', 'snn', '-o', 'two.html');
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const shown = (page, name) => page.locator(`figure[data-name="${name}"]`);
const results = () => JSON.parse(readFileSync(at('tacos/results.json'), 'utf8'));

// ---- opening ----

for (const [file, names] of [['one.html', figures], ['two.html', compared]]) {
  test(`${file}: opens from disk without a complaint and asks nobody for anything`, async () => {
    const page = await open(browser, at(file));
    await settled(page);
    assert.deepEqual(page.heard, { errors: [], requests: [], dialogs: [] });
    assert.ok(statSync(at(file)).size < 1e6);
    await page.context().close();
  });

  test(`${file}: every figure is there, drawn, and described`, async () => {
    const page = await open(browser, at(file));
    assert.deepEqual(await page.locator('figure').evaluateAll((all) => all.map(({ dataset }) => dataset.name))
      .then((all) => all.filter((name) => name !== 'beside')), names);
    for (const name of names) {
      const svg = shown(page, name).locator('.plot svg');
      const box = await svg.boundingBox();
      assert.ok(box.width > 300 && box.height > 60, `${name} is ${box.width} x ${box.height}`);
      assert.ok(await svg.locator('rect, path, circle, image').count() > 2, `${name} is empty`);
      assert.match(await svg.getAttribute('aria-label'), /\w+\. \w+/);
    }
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 768, 360]) {
      test(`${file}: ${colorScheme}, ${width} pixels wide: nothing sticks out or is cut off, axe finds nothing`, async () => {
        const page = await open(browser, at(file), { colorScheme, viewport: { width, height: 800 } });
        assert.deepEqual(await overflow(page), []);
        assert.deepEqual(await clipped(page), []);
        assert.deepEqual(await findings(page), []);
        await page.context().close();
      });
    }
  }
}

// ---- the verdict ----

// The verdict that the results of a run ask for, worked out here from results.json.
function verdict(dir) {
  const { runs } = JSON.parse(readFileSync(at(`${dir}/results.json`), 'utf8'));
  const mean = (of) => runs.map(of).reduce((a, b) => a + b) / runs.length;
  const n = runs[0].R.length;
  const learned = runs[0].R.map((_, k) => Math.round(mean(({ R }) => R[k][k])));
  return {
    learned: [...new Set([Math.min(...learned), Math.max(...learned)])].join('-'),
    first: Math.round(mean(({ R }) => R[n - 1][0])),
    all: Math.round(mean(({ after }) => after[n - 1].MA)),
    n,
  };
}

test('the first sentence says what results.json says, also of the other model', async () => {
  const [one, snn] = [verdict('tacos'), verdict('snn')];
  tacos('report', 'tacos', '--baseline', 'snn', '-o', 'baseline.html');
  for (const [file, start] of [['baseline.html', 'Learned'], ['two.html', 'tacos learned']]) {
    const page = await open(browser, at(file));
    const words = await page.locator('#verdict').textContent();
    assert.ok(words.startsWith(`${start} each task to ${one.learned}%; kept ${one.first}% of 0 vs 1 and ${one.all}% of all ${one.n} tasks (chance: 50%); `), words);
    assert.ok(words.includes(`on the same stream keeps ${snn.first}% of 0 vs 1 and ${snn.all}% of all ${snn.n} tasks.`), words);
    await page.context().close();
  }
});

// ---- the figures ----

const mean = (dir, of) => {
  const values = JSON.parse(readFileSync(at(`${dir}/results.json`), 'utf8')).runs.map(of);
  return values.reduce((a, b) => a + b) / values.length;
};
const near = (text, wanted, what) => assert.ok(Math.abs(Number(text) - wanted) <= 0.00501, `${what}: ${text} is not ${wanted}`);

// What the marks of a figure say, line by line.
const tips = (page, name, marks = '[data-tip]') => shown(page, name).locator(`.plot ${marks}`)
  .evaluateAll((all) => all.map((mark) => mark.dataset.tip.split('\n')));

// The points of lines: {series: {tasks learned: value}}, the series in the order of the figure.
async function points(page, name) {
  const series = {};
  for (const [head, ...rest] of await tips(page, name)) {
    const [, k, value] = /^tasks learned (\d+): (-?[\d.]+) /.exec(rest.join(' ') + ' ') ?? [];
    if (k) (series[head] ??= {})[k] = value;
  }
  return series;
}

// Every cell and point of a run's page beside results.json.
async function agrees(page, dir) {
  const { runs } = JSON.parse(readFileSync(at(`${dir}/results.json`), 'utf8'));
  const n = runs[0].R.length;
  const after = (k, t) => mean(dir, ({ b, R }) => (k === 0 ? b[t] : R[k - 1][t]));
  const cells = await tips(page, 'matrix', '.cells rect');
  assert.equal(cells.length, n * (n + 1));
  cells.forEach((tip, i) => near(parseFloat(tip[1]), after(Math.floor(i / n), i % n), `${dir}: cell ${i}`));
  // A line per task, or of many tasks the means of several.
  let tasks = 0;
  for (const [label, line] of Object.entries(await points(page, 'accuracy'))) {
    const [, first, last] = (/^tasks (\d+) to (\d+)$/.exec(label) ?? [0, tasks + 1, tasks + 1]).map(Number);
    const those = Array.from({ length: last - first + 1 }, (_, i) => first - 1 + i);
    assert.deepEqual([first - 1, Object.keys(line).length], [tasks, n + 1]);
    for (const [k, value] of Object.entries(line)) near(value, those.reduce((sum, t) => sum + after(Number(k), t), 0) / those.length, `${dir}: ${label} after ${k}`);
    tasks = last;
  }
  assert.equal(tasks, n);
  const means = await points(page, 'means');
  for (const [label, metric] of [['MA, all tasks so far', 'MA'], ['A, the newest task', 'A']]) {
    assert.equal(Object.keys(means[label]).length, n);
    for (const [k, value] of Object.entries(means[label])) near(value, mean(dir, ({ after: all }) => all[k - 1][metric]), `${dir}: ${metric} after ${k}`);
  }
}

// The same of a comparison.
async function agreesFor(page, dirs) {
  const metrics = { 'compare-MA': ({ after }, k) => after[k - 1].MA, 'compare-A': ({ after }, k) => after[k - 1].A, 'compare-first': ({ R }, k) => R[k - 1][0] };
  for (const [name, of] of Object.entries(metrics)) {
    const series = await points(page, name);
    assert.deepEqual(Object.keys(series), dirs);
    for (const dir of dirs) for (const [k, value] of Object.entries(series[dir])) near(value, mean(dir, (run) => of(run, k)), `${dir}: ${name} after ${k}`);
  }
}

test('every point and cell is a number of results.json: five tasks, and two models', async () => {
  for (const [file, check] of [['one.html', (page) => agrees(page, 'tacos')], ['two.html', (page) => agreesFor(page, ['tacos', 'snn'])]]) {
    const page = await open(browser, at(file));
    await check(page);
    assert.deepEqual(page.heard.errors, []);
    await page.context().close();
  }
});

test('the navigation has the words of the headings', async () => {
  for (const file of ['one.html', 'two.html']) {
    const page = await open(browser, at(file));
    assert.deepEqual(await page.locator('nav a').allTextContents(), await page.locator('h2').allTextContents());
    await page.context().close();
  }
});

// ---- light and dark ----

test('dark by preference, and by the button, which is remembered', async () => {
  const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await open(browser, at('one.html'), { colorScheme: 'light' });
  const dark = await open(browser, at('one.html'), { colorScheme: 'dark' });
  const [white, black] = [await paper(light), await paper(dark)];
  assert.notEqual(white, black);
  await light.getByRole('button', { name: 'Dark' }).click();
  assert.equal(await paper(light), black);
  await light.reload();
  assert.equal(await paper(light), black);
  await light.getByRole('button', { name: 'Light' }).click();
  assert.equal(await paper(light), white);
  await light.context().close();
  await dark.context().close();
});

test('the colours of series stand out from the paper, light and dark', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await open(browser, at('one.html'), { colorScheme });
    const ratios = await page.evaluate(() => {
      const styles = getComputedStyle(document.documentElement);
      const light = (name) => {
        const hex = styles.getPropertyValue(name).trim();
        return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
          .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
          .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0.05);
      };
      const paper = light('--paper');
      return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => light(`--c${k}`)).map((v) => Math.max(v, paper) / Math.min(v, paper));
    });
    assert.ok(ratios.every((ratio) => ratio >= 3), `${colorScheme}: ${ratios}`);
    await page.context().close();
  }
});

// ---- tips ----

test('marks tell what they are: to the pointer and to the keyboard', async () => {
  const page = await open(browser, at('one.html'));
  const svg = shown(page, 'accuracy').locator('.plot svg');
  const tip = page.locator('#tip');
  assert.ok(await tip.isHidden());
  await svg.locator('.dot').nth(1).hover();
  assert.ok(await tip.isVisible());
  const value = results().runs.map(({ R }) => R[0][0]).reduce((a, b) => a + b) / 3;
  assert.match(await tip.textContent(), new RegExp(`^0 vs 1tasks learned 1: ${value.toFixed(2)} ± `));
  await page.locator('h1').hover();
  assert.ok(await tip.isHidden());
  await svg.focus();
  await page.keyboard.press('ArrowRight'); // the line of chance, which is first
  assert.match(await tip.textContent(), /^chance/);
  await page.keyboard.press('ArrowRight');
  assert.match(await tip.textContent(), /^0 vs 1tasks learned 0: /);
  await page.keyboard.press('ArrowRight');
  assert.match(await page.locator('#said').textContent(), /tasks learned 1: /);
  await page.keyboard.press('Escape');
  assert.ok(await tip.isHidden());
  await page.context().close();
});

// ---- series ----

test('series are hidden and shown by a click and by a key', async () => {
  const page = await open(browser, at('one.html'));
  const figure = shown(page, 'accuracy');
  const key = figure.getByRole('button', { name: '2 vs 3' });
  const line = figure.locator('.plot [data-series="1"]').first();
  assert.ok(await line.isVisible());
  await key.click();
  assert.equal(await key.getAttribute('aria-pressed'), 'false');
  assert.ok(await line.isHidden());
  assert.ok(await figure.locator('.plot [data-series="0"]').first().isVisible());
  await key.focus();
  await page.keyboard.press('Enter');
  assert.ok(await line.isVisible());
  await page.context().close();
});

// ---- matrices ----

test('a matrix shows any seed, and the mean again', async () => {
  const page = await open(browser, at('one.html'));
  const figure = shown(page, 'matrix');
  const numbers = () => figure.locator('.cells text').allTextContents();
  const mean = await numbers();
  const select = figure.getByRole('combobox');
  assert.deepEqual(await select.locator('option').allTextContents(), ['mean over seeds', 'seed 1', 'seed 2', 'seed 3']);
  await select.selectOption('seed 2');
  const { b, R } = results().runs[1];
  assert.deepEqual(await numbers(), [b, ...R].flat().map((value) => (Math.round(value * 100) / 100).toFixed(1)));
  const fills = await figure.locator('.cells rect').evaluateAll((all) => new Set(all.map((cell) => cell.getAttribute('fill'))).size);
  assert.ok(fills > 3);
  await select.selectOption('mean over seeds');
  assert.deepEqual(await numbers(), mean);
  await page.context().close();
});

// ---- classes ----

test('a slider shows what classes were taken for after each task, and the numbers are those of results.json', async () => {
  const page = await open(browser, at('one.html'));
  const figure = shown(page, 'confusion');
  const slider = figure.getByRole('slider');
  const file = results();
  const labels = [...new Set(file.runs.flatMap(({ answers }) => answers.flatMap(({ counts }) => counts.map(([label]) => label))))].sort((a, b) => a - b);
  for (const moment of [file.runs[0].R.length, 1, 0]) {
    await slider.fill(String(moment));
    const steps = figure.locator('.step');
    assert.deepEqual(await steps.evaluateAll((all) => all.map((step) => step.style.display !== 'none')),
      [...Array(file.runs[0].R.length + 1).keys()].map((k) => k === moment));
    const counts = file.runs.flatMap(({ answers }) => answers[moment].counts);
    const share = (label, answer) => {
      const own = counts.filter(([l]) => l === label);
      const sum = (list) => list.reduce((a, [, , n]) => a + n, 0);
      return 100 * sum(own.filter(([, a]) => a === answer)) / sum(own);
    };
    const wanted = labels.flatMap((label) => file.outputs.map((_, answer) => share(label, answer)));
    const seen = (await steps.nth(moment).locator('.cells text').allTextContents()).map(Number);
    assert.equal(seen.length, wanted.length);
    seen.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) <= 0.0501, `${value} is not ${wanted[i]}`));
  }
  assert.equal(await figure.locator('output').textContent(), 'before learning');
  await page.context().close();
  const plain = await open(browser, at('one.html'), { javaScriptEnabled: false }); // all panels
  const boxes = await Promise.all([0, 5].map((k) => shown(plain, 'confusion').locator('.step').nth(k).boundingBox()));
  assert.ok(boxes[0].y + boxes[0].height <= boxes[1].y);
  await plain.context().close();
});

// ---- spikes ----

test('the raster plays: a cursor moves, and spikes are counted as they come', async () => {
  const page = await open(browser, at('one.html'));
  const figure = shown(page, 'raster');
  const slider = figure.getByRole('slider'), said = figure.locator('output'), button = figure.locator('.steps button');
  tacos('plot', 'raster', 'tacos', '-o', 'raster.csv');
  const lines = readFileSync(at('raster.csv'), 'utf8').trimEnd().split('\n').slice(1).map((line) => line.split(','));
  const before = (group, time) => lines.filter(([of, at]) => of === group && Number(at) < time).length;
  for (const time of [150, 40, 0]) {
    await slider.fill(String(time)); // a step is a millisecond
    const words = await said.textContent();
    for (const group of ['inputs', 'hidden', 'outputs']) assert.ok(words.includes(`${group} ${before(group, time)}`), words);
    assert.ok(words.startsWith(`${time} ms: `), words);
    assert.equal(await figure.locator('.veil').isVisible(), time < 150);
  }
  await button.click();
  assert.equal(await button.textContent(), 'Pause');
  await page.waitForFunction(() => Number(document.querySelector('figure[data-name="raster"] input').value) > 5);
  await button.click();
  assert.equal(await button.textContent(), 'Play');
  assert.ok(Number(await slider.inputValue()) > 5);
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.heard.errors, []);
  await page.context().close();
});

test('where reduced motion is asked for, nothing plays', async () => {
  const page = await open(browser, at('one.html'), { reducedMotion: 'reduce' });
  const figure = shown(page, 'raster');
  assert.equal(await figure.locator('.steps button').count(), 0);
  await figure.getByRole('slider').fill('40');
  assert.match(await figure.locator('output').textContent(), /^40 ms: /);
  await page.context().close();
});

test('what the network answers is what its outputs fire', async () => {
  const page = await open(browser, at('one.html'));
  const words = await shown(page, 'raster').textContent();
  tacos('plot', 'raster', 'tacos', '-o', 'raster.csv');
  const fired = [0, 1].map((output) => readFileSync(at('raster.csv'), 'utf8').split('\n')
    .filter((line) => line.startsWith('outputs,') && line.endsWith(`,${output}`)).length);
  const names = ['0/2/4/6/8', '1/3/5/7/9'], answer = fired[1] > fired[0] ? 1 : 0;
  const { target } = results().example;
  assert.ok(words.includes(`It answers ${names[answer]}, with ${fired[answer]} spikes, which is ${answer === target ? 'right' : 'wrong'}.`), words);
  const spikes = (group, output) => readFileSync(at('raster.csv'), 'utf8').split('\n')
    .filter((line) => line.startsWith(`${group},`) && line.endsWith(`,${output}`)).length;
  const [before, after] = ['outputs before', 'outputs after'].map((group) => [spikes(group, target), spikes(group, 1 - target)]);
  assert.ok(words.includes(`output ${target} has ${before[0]} spikes and the best other ${before[1]} before this lesson, ${after[0]} and ${after[1]} after it.`), words);
  await page.context().close();
});

// ---- columns ----

test('columns: templates with what they vote for', async () => {
  tacos('run', experiment, '--set', 'samples_per_task=100', '--set', 'test_samples_per_task=40', '--set', 'model=columns', '--out', 'columns', '--quiet');
  tacos('report', 'columns', '-o', 'columns.html');
  tacos('plot', 'templates', 'columns', '-o', 'templates.csv');
  const units = readFileSync(at('templates.csv'), 'utf8').trimEnd().split('\n').slice(1).map((line) => line.split(',').map(Number));
  const names = ['0/2/4/6/8', '1/3/5/7/9'];
  for (const [colorScheme, width] of [['light', 1280], ['dark', 360]]) {
    const page = await open(browser, at('columns.html'), { colorScheme, viewport: { width, height: 800 } });
    assert.deepEqual(await tips(page, 'templates'), units.map(([, row, column, , output, most, of]) =>
      [names[output], `${most} of ${of} samples that it won`, `row ${row}, column ${column} of its place`]));
    const labels = await shown(page, 'templates').locator('.plot text').allTextContents();
    labels.forEach((label, i) => {
      const [, output, share] = /^(\d): (\d+)%$/.exec(label).map(Number);
      assert.ok(output === units[i][4] && Math.abs(share - 100 * units[i][5] / units[i][6]) <= 0.5, label);
    });
    assert.deepEqual([await overflow(page), await clipped(page), await findings(page), page.heard.errors], [[], [], [], []]);
    await page.context().close();
  }
});

// ---- tables ----

test('tables are sorted by a column, up and down, as numbers', async () => {
  const page = await open(browser, at('one.html'));
  const table = page.locator('#seeds table');
  const head = table.locator('th', { hasText: /^MA/ });
  const column = () => table.locator('tbody tr td:nth-child(2)').allTextContents().then((all) => all.map(Number));
  await head.getByRole('button').click();
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  const up = await column();
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  await head.getByRole('button').focus();
  await page.keyboard.press('Enter');
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  assert.deepEqual(await column(), [...up].reverse());
  await page.locator('#config summary').click(); // what is at its default is folded away
  const keys = page.locator('#config details table');
  await keys.locator('th', { hasText: /^key/ }).getByRole('button').click();
  const names = await keys.locator('tbody th').allTextContents();
  assert.equal(names[0], 'alpha');
  assert.ok(names.length > 20);
  assert.ok(!names.includes('samples_per_task') || shots);
  await page.context().close();
});

test('the comparison marks the best of a column and tells what differs', async () => {
  const page = await open(browser, at('two.html'));
  const best = page.locator('#summary td.best');
  assert.ok(await best.count() >= 6);
  assert.match(await page.locator('#config table').textContent(), /model.*tacos.*snn/);
  assert.equal(await shown(page, 'compare-MA').locator('.keys button').first().textContent(), 'tacos');
  await page.context().close();
});

// ---- keeping figures ----

async function download(page, click) {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

test('every figure can be kept as SVG that stands alone', async () => {
  for (const name of figures) {
    const page = await open(browser, at('one.html')); // each its own: browsers limit how many files a page may give
    const figure = shown(page, name);
    const { name: file, text } = await download(page, () => figure.getByRole('button', { name: 'SVG', exact: true }).click());
    assert.equal(file, `${name}.svg`);
    assert.ok(!text.includes('var(--') && text.includes('<style') && !text.includes('data-tip'), name);
    const seen = await page.evaluate(async (source) => {
      const document = new DOMParser().parseFromString(source, 'image/svg+xml');
      const image = new Image();
      image.src = 'data:image/svg+xml,' + encodeURIComponent(source);
      await image.decode();
      return { broken: document.querySelector('parsererror')?.textContent ?? '', width: image.naturalWidth, height: image.naturalHeight };
    }, text);
    assert.equal(seen.broken, '', name);
    assert.ok(seen.width > 300 && seen.height > 60, name);
    await page.context().close();
  }
});

test('a hidden series is not in the SVG that is kept, and the legend is', async () => {
  const page = await open(browser, at('one.html'));
  const figure = shown(page, 'means');
  const save = () => download(page, () => figure.getByRole('button', { name: 'SVG', exact: true }).click());
  const whole = (await save()).text;
  await figure.getByRole('button', { name: 'A, the newest task' }).click();
  const less = (await save()).text;
  assert.ok(whole.includes('class="legend"') && whole.includes('A, the newest task'));
  assert.ok(less.length < whole.length && !less.includes('A, the newest task\n'));
  await page.context().close();
});

test('a figure\'s numbers: as CSV, the same as the command line gives, and as a table', async () => {
  const page = await open(browser, at('one.html'));
  for (const name of ['accuracy', 'matrix', 'raster', 'fields']) {
    const figure = shown(page, name);
    const { name: file, text } = await download(page, () => figure.getByRole('link', { name: 'CSV' }).click());
    assert.equal(file, `${name}.csv`);
    tacos('plot', name, 'tacos', '-o', file);
    assert.equal(text, readFileSync(at(file), 'utf8'), name);
  }
  const figure = shown(page, 'matrix');
  const button = figure.getByRole('button', { name: 'Table' });
  await button.click();
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  assert.equal(await figure.locator('tbody tr').count(), 30);
  assert.deepEqual(await figure.locator('thead th').allTextContents(), ['after_task', 'task', 'mean', 'sd']);
  assert.deepEqual(await findings(page), []);
  await button.click();
  assert.equal(await figure.locator('table').count(), 0);
  await page.context().close();
});

// ---- keyboard, print, no script ----

test('the first stop of the keyboard skips to the results', async () => {
  const page = await open(browser, at('one.html'));
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the results');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  await page.context().close();
});

for (const file of ['one.html', 'two.html']) {
  test(`${file}: prints light, without what cannot be used on paper`, async () => {
    const page = await open(browser, at(file), { colorScheme: 'dark', viewport: { width: 794, height: 1123 } });
    const pdf = await page.pdf({ format: 'A4' });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.ok(pdf.length > 50000);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    // What is longer than a sheet is torn apart, and leaves empty ones.
    const heights = await page.locator('figure').evaluateAll((all) => all.map((figure) => [figure.dataset.name, figure.getBoundingClientRect().height]));
    assert.deepEqual(heights.filter(([, height]) => height > 1000), []);
    assert.ok(await page.locator('nav').isHidden());
    assert.equal(await page.locator('.save:visible').count(), 0);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
    assert.deepEqual(await overflow(page), []);
    await page.context().close();
  });
}

test('without script: every figure and number is there, and CSV can be kept', async () => {
  const page = await open(browser, at('one.html'), { javaScriptEnabled: false });
  assert.equal(await page.locator('figure .plot svg').count(), await page.locator('figure').count());
  assert.equal(await page.locator('button:visible, select:visible').count(), 0);
  assert.ok(await shown(page, 'accuracy').locator('.keys li').first().isVisible());
  const { text } = await download(page, () => shown(page, 'matrix').getByRole('link', { name: 'CSV' }).click());
  assert.match(text, /^after_task,task,mean,sd\n/);
  await page.context().close();
});

// ---- hostile and large ----

test('words of a hostile file stay words', async () => {
  const file = results();
  const evil = '</script><script>document.title = "owned"; alert(1)</script><img src=x onerror=alert(2)>"\'';
  file.experiment = file.data.name = file.config.model = file.config[evil] = evil;
  cpSync(at('tacos'), at('a"><b onclick=x>'), { recursive: true, dereference: true });
  writeFileSync(at('a"><b onclick=x>/results.json'), JSON.stringify(file));
  tacos('report', 'a"><b onclick=x>', '-o', 'evil.html');
  const page = await open(browser, at('evil.html'));
  await settled(page);
  assert.deepEqual(page.heard, { errors: [], requests: [], dialogs: [] });
  assert.equal(await page.locator('h1').textContent(), evil);
  assert.equal(await page.locator('img').count() + await page.locator('b[onclick]').count(), 0);
  // And were one to get in all the same, it would not run.
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.owned = true';
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => globalThis.owned), undefined);
  await page.context().close();
});

test('twelve tasks and twenty seeds, one task and one seed: still a page to read', async () => {
  const few = ['--set', 'samples_per_task=6', '--set', 'test_samples_per_task=4', '--set', 'hidden=30', '--quiet'];
  tacos('run', 'demo', ...few, '--seeds', '20', '--set', 'tasks=0-1,2-3,4-5,6-7,8-9,1-0,3-2,5-4,7-6,9-8,0-2,1-3', '--out', 'many');
  tacos('run', 'demo', ...few, '--set', 'tasks=0-1', '--out', 'least');
  for (const name of ['many', 'least']) {
    tacos('report', name, '-o', `${name}.html`);
    assert.ok(statSync(at(`${name}.html`)).size < 1e6);
    for (const width of [1280, 360]) {
      const page = await open(browser, at(`${name}.html`), { viewport: { width, height: 800 } });
      assert.deepEqual(await overflow(page), []);
      assert.deepEqual(await findings(page), []);
      assert.deepEqual(page.heard.errors, []);
      await page.context().close();
    }
  }
});

test('ten and fifty tasks, ten models: verdict and figures are those of results.json, and nothing sticks out', async () => {
  const few = ['--set', 'samples_per_task=8', '--set', 'test_samples_per_task=6', '--set', 'hidden=20', '--set', 'steps=40', '--quiet', '--no-page'];
  const pairs = (n) => Array.from({ length: n }, (_, k) => `${k % 10}-${(k + 1 + Math.floor(k / 10)) % 10}`).join(',');
  for (const n of [10, 50]) tacos('run', 'demo', ...few, '--seeds', '2', '--set', `tasks=${pairs(n)}`, '--out', `tasks-${n}`);
  const models = ['tacos', 'snn', 'fixed', 'columns', 'naive', 'ewc', 'si', 'ss', 'ncm', 'knn'];
  for (const model of models) tacos('run', 'demo', ...few, '--set', `model=${model}`, '--set', 'tasks=0-1,2-3', '--out', `model-${model}`);
  for (const n of [10, 50]) tacos('report', `tasks-${n}`, '-o', `tasks-${n}.html`);
  tacos('report', ...models.map((model) => `model-${model}`), '-o', 'models.html');
  for (const n of [10, 50]) {
    const page = await open(browser, at(`tasks-${n}.html`));
    const wanted = verdict(`tasks-${n}`);
    const words = await page.locator('#verdict').textContent();
    assert.ok(words.startsWith(`Learned each task to ${wanted.learned}%; kept ${wanted.first}% of 0 vs 1 and ${wanted.all}% of all ${n} tasks`), words);
    await agrees(page, `tasks-${n}`);
    assert.deepEqual(await overflow(page), []);
    assert.deepEqual(await findings(page), []);
    await page.context().close();
  }
  const page = await open(browser, at('models.html'));
  const words = await page.locator('#verdict').textContent();
  const best = /^Of 10 runs (model-\w+) has the most after its last task: (\d+)% of 0 vs 1 and (\d+)% of all 2 tasks/.exec(words);
  assert.ok(best, words);
  const { first, all } = verdict(best[1]);
  assert.deepEqual([Number(best[2]), Number(best[3])], [first, all]);
  assert.deepEqual(await page.locator('#summary tbody th').allTextContents(), models.map((model) => `model-${model}`));
  await agreesFor(page, models.map((model) => `model-${model}`));
  assert.deepEqual(await overflow(page), []);
  assert.deepEqual(await findings(page), []);
  await page.context().close();
});

test('a page that reloads itself can be paused, and without script it does so by its head', async () => {
  const text = readFileSync(at('one.html'), 'utf8');
  const live = '<button type="button" id="live" class="js-only" data-seconds="3000" aria-pressed="false">Pause</button>';
  writeFileSync(at('live.html'), text.replace('<button type="button" id="theme"', live + '$&'));
  const page = await open(browser, at('live.html'));
  await page.getByRole('button', { name: 'Pause' }).click();
  assert.equal(await page.getByRole('button', { name: 'Go on' }).getAttribute('aria-pressed'), 'true');
  assert.deepEqual(page.heard.errors, []);
  await page.context().close();
});

test('the paper, reproduced: a page of parts', async () => {
  tacos('reproduce', 'function', '--out', 'parts');
  if (mnist) tacos('reproduce', 'orders', '--quick', '--seeds', '2', '--out', 'parts', '--quiet');
  tacos('report', 'parts', '-o', 'parts.html');
  for (const width of [1280, 360]) {
    const page = await open(browser, at('parts.html'), { viewport: { width, height: 800 } });
    assert.deepEqual(page.heard, { errors: [], requests: [], dialogs: [] });
    assert.equal(await page.locator('figure .plot svg').count(), mnist ? 2 : 1);
    assert.deepEqual(await overflow(page), []);
    assert.deepEqual(await findings(page), []);
    await page.context().close();
  }
});

// ---- pictures for the documentation ----

test('screenshots', { skip: !shots }, async () => {
  const shoot = async (file, name, options, height) => {
    const page = await open(browser, at(file), options);
    const clip = { x: 0, y: 0, width: options.viewport.width, height };
    const picture = await page.screenshot({ path: join(images, name), fullPage: true, clip });
    assert.ok(picture.length > 0);
    await page.context().close();
  };
  const desk = { width: 1280, height: 900 };
  const sheet = { width: 794, height: 1020 }; // what fits on A4 before the next row of figures
  tacos('report', 'tacos', '--baseline', 'snn', '-o', 'baseline.html');
  await shoot('baseline.html', 'report.png', { viewport: desk }, 1180);
  await shoot('baseline.html', 'report-dark.png', { viewport: desk, colorScheme: 'dark' }, 1180);
  await shoot('two.html', 'report-compare.png', { viewport: desk }, 1180);
  await shoot('baseline.html', 'report-phone.png', { viewport: { width: 360, height: 800 }, deviceScaleFactor: 2 }, 1400);

  const print = await open(browser, at('baseline.html'), { viewport: sheet });
  await print.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await print.emulateMedia({ media: 'print' });
  await print.addStyleTag({ content: 'body { padding: 2rem; }' }); // the margin that paper has
  await print.screenshot({ path: join(images, 'report-print.png'), fullPage: true, clip: { x: 0, y: 0, ...sheet } });
  await print.context().close();

  const network = await open(browser, at('baseline.html'), { viewport: desk });
  await shown(network, 'raster').getByRole('slider').fill('60');
  await shown(network, 'raster').screenshot({ path: join(images, 'report-raster.png') });
  await network.context().close();
});
