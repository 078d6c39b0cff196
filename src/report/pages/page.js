/* page.js - interaction on a page: theme, tooltips, hiding series, sorting tables, saving figures.
 * Without it all numbers and figures are still shown. */
(() => {
  'use strict';
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  root.classList.add('js');

  /* ---- theme ---- */
  const theme = document.getElementById('theme');
  const remembered = (value) => {
    try {
      if (value) localStorage.setItem('tacos-theme', value);
      return localStorage.getItem('tacos-theme');
    } catch { return null; } /* storage may be blocked for local files */
  };
  const isDark = () => (root.dataset.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  const nameTheme = () => { theme.textContent = isDark() ? 'Light' : 'Dark'; };
  if (['light', 'dark'].includes(remembered())) root.dataset.theme = remembered();
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remembered(root.dataset.theme);
    nameTheme();
  });
  nameTheme();

  /* ---- a page that is rewritten while a run goes on ---- */
  const live = document.getElementById('live');
  if (live) {
    const later = () => setTimeout(() => location.reload(), 1000 * live.dataset.seconds);
    let timer = later();
    live.addEventListener('click', () => {
      const paused = live.getAttribute('aria-pressed') !== 'true';
      live.setAttribute('aria-pressed', String(paused));
      live.textContent = paused ? 'Go on' : 'Pause';
      if (paused) clearTimeout(timer); else timer = later();
    });
  }

  /* ---- tooltips ---- */
  const tip = document.getElementById('tip');
  const said = document.getElementById('said');
  let lit = null;
  for (const title of all('.plot title')) { /* or the browser would show its own tooltip, too */
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  const hideTip = () => {
    tip.hidden = true;
    if (lit) lit.classList.remove('lit');
    lit = null;
  };
  const showTip = (mark) => {
    const [first, ...rest] = mark.dataset.tip.split('\n');
    const head = document.createElement('b');
    head.textContent = first;
    tip.replaceChildren(head, rest.join('\n'));
    tip.hidden = false;
    const at = mark.getBoundingClientRect(), own = tip.getBoundingClientRect();
    const left = at.left + at.width / 2 - own.width / 2;
    const above = at.top - own.height - 8;
    tip.style.left = Math.max(4, Math.min(left, root.clientWidth - own.width - 4)) + 'px';
    tip.style.top = (above < 4 ? Math.min(at.bottom + 8, innerHeight - own.height - 4) : above) + 'px';
    if (lit) lit.classList.remove('lit');
    lit = mark.matches('.hit') ? null : mark;
    if (lit) lit.classList.add('lit');
  };
  document.addEventListener('pointerover', (event) => {
    const mark = event.target.closest && event.target.closest('[data-tip]');
    if (mark) showTip(mark); else hideTip();
  });
  document.addEventListener('scroll', hideTip, true);

  /* Arrow keys move from mark to mark of a figure. */
  for (const svg of all('.plot .chart')) {
    const marks = () => all('[data-tip]', svg).filter((mark) => !mark.closest('.off'));
    let place = -1;
    if (marks().length === 0) continue;
    svg.setAttribute('tabindex', '0');
    svg.setAttribute('aria-roledescription', 'figure; arrow keys read its marks');
    svg.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === 'Escape') hideTip();
      if (!step) return;
      const list = marks();
      if (list.length === 0) return;
      event.preventDefault();
      place = Math.max(0, Math.min(place + step, list.length - 1));
      showTip(list[place]);
      said.textContent = list[place].dataset.tip;
    });
    svg.addEventListener('blur', hideTip);
  }

  /* ---- series ---- */
  for (const item of all('.keys li')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('aria-pressed', 'true');
    button.append(...item.childNodes);
    item.append(button);
    button.addEventListener('click', () => {
      const shown = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(shown));
      for (const group of all(`.plot [data-series="${item.dataset.series}"]`, item.closest('figure')))
        group.classList.toggle('off', !shown);
    });
  }

  /* ---- another seed in a matrix ---- */
  for (const select of all('select[data-for]')) {
    const id = select.dataset.for;
    const { ramp, dark, bright, seeds } = JSON.parse(document.querySelector(`script[data-for="${id}"]`).textContent);
    const cells = all('.cells rect', document.getElementById(id));
    const means = cells.map((cell) => ({
      fill: cell.getAttribute('fill'), shade: cell.getAttribute('class'), tip: cell.dataset.tip,
      text: cell.nextElementSibling && cell.nextElementSibling.matches('text') ? cell.nextElementSibling : null,
    }));
    for (const mean of means) if (mean.text) mean.was = [mean.text.textContent, mean.text.getAttribute('class')];
    seeds.forEach((seed, i) => select.append(new Option('seed ' + seed[0], i)));
    select.addEventListener('change', () => cells.forEach((cell, i) => {
      const mean = means[i], value = select.value === '' ? null : seeds[select.value][i + 1];
      const shade = Math.round(value);
      cell.setAttribute('fill', value === null ? mean.fill : '#' + ramp.slice(6 * shade, 6 * shade + 6));
      cell.setAttribute('class', value === null ? mean.shade : 'q' + shade);
      cell.dataset.tip = value === null ? mean.tip : mean.tip.split('\n')[0] + '\n' + value.toFixed(2) + ' %';
      if (!mean.text) return;
      mean.text.textContent = value === null ? mean.was[0] : value.toFixed(1);
      mean.text.setAttribute('class', value === null ? mean.was[1] : `m ${shade >= dark ? 'on-dark' : 'on-light'} ${shade >= bright ? 'qb' : 'qd'}`);
    }));
  }

  /* ---- one step of several at a time ---- */
  for (const svg of all('.plot .chart')) {
    const steps = all('.step', svg);
    if (steps.length < 2) continue;
    const [, , width] = svg.getAttribute('viewBox').split(' ').map(Number);
    const height = Number(steps[0].dataset.step);
    const label = document.createElement('label'), range = document.createElement('input'), out = document.createElement('output');
    range.type = 'range';
    range.max = steps.length - 1;
    range.value = range.max;
    const show = () => {
      const at = Number(range.value);
      steps.forEach((step, i) => {
        step.style.display = i === at ? '' : 'none';
        step.setAttribute('transform', `translate(0 ${-height * at})`);
      });
      svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
      out.textContent = steps[at].dataset.title;
      range.setAttribute('aria-valuetext', out.textContent);
    };
    const unfold = () => { /* side by side, as a page has no room for all below each other */
      const across = Math.ceil(Math.sqrt(steps.length)), down = Math.ceil(steps.length / across);
      steps.forEach((step, i) => {
        step.style.display = '';
        step.setAttribute('transform', `translate(${width * (i % across)} ${height * (Math.floor(i / across) - i)})`);
      });
      svg.setAttribute('viewBox', `0 0 ${width * across} ${height * down}`);
    };
    label.className = 'pick steps';
    svg.closest('figure').classList.add('stepped');
    label.append('moment ', range, ' ', out);
    svg.parentNode.before(label);
    range.addEventListener('input', show);
    addEventListener('beforeprint', unfold); /* paper has no slider */
    addEventListener('afterprint', show);
    show();
  }

  /* ---- spikes as they come: a cursor, and how many there were before it ---- */
  for (const area of all('.plot .play')) {
    const { x, y, width, height, steps, ms } = Object.fromEntries(Object.entries(area.dataset).map(([name, value]) => [name, Number(value)]));
    const figure = area.closest('figure');
    const make = (name) => area.appendChild(document.createElementNS(area.namespaceURI, name));
    const veil = make('rect'), cursor = make('line');
    const label = document.createElement('label'), range = document.createElement('input'), out = document.createElement('output');
    const button = document.createElement('button'), box = document.createElement('div');
    let counts = null, began = null; /* counts: {group: [spikes in each step]} */
    const read = () => {
      counts = new Map();
      const csv = decodeURIComponent(figure.querySelector('.save a').href.replace(/^[^,]*,/, ''));
      for (const line of csv.trimEnd().split('\n').slice(1)) {
        const [group, time] = line.split(',');
        if (!counts.has(group)) counts.set(group, new Array(steps).fill(0));
        counts.get(group)[Math.min(steps - 1, Math.round(time / ms))]++;
      }
    };
    const show = () => {
      const at = Number(range.value), left = x + width * at / steps;
      if (!counts) read();
      veil.setAttribute('x', left);
      veil.setAttribute('width', x + width - left);
      for (const end of ['x1', 'x2']) cursor.setAttribute(end, left);
      area.style.display = at < steps ? '' : 'none';
      out.textContent = `${Math.round(at * ms)} ms: ` + [...counts].map(([group, all]) => `${group} ${all.slice(0, at).reduce((a, b) => a + b, 0)}`).join(', ');
      range.setAttribute('aria-valuetext', out.textContent);
    };
    const stop = () => { began = null; button.textContent = 'Play'; };
    const move = (now) => {
      if (began === null) return;
      const at = Math.floor((now - began) / 5000 * steps); /* five seconds for a sample */
      range.value = Math.min(at, steps);
      show();
      if (at >= steps) stop(); else requestAnimationFrame(move);
    };
    veil.setAttribute('class', 'veil');
    veil.setAttribute('y', y - 2);
    veil.setAttribute('height', height + 2);
    cursor.setAttribute('class', 'axis');
    cursor.setAttribute('y1', y - 2);
    cursor.setAttribute('y2', y + height);
    range.type = 'range';
    range.max = range.value = steps;
    range.addEventListener('input', () => { stop(); show(); });
    button.type = 'button';
    button.addEventListener('click', () => {
      if (began !== null) { stop(); return; }
      if (Number(range.value) >= steps) range.value = 0;
      began = performance.now() - range.value / steps * 5000;
      button.textContent = 'Pause';
      requestAnimationFrame(move);
    });
    stop();
    area.style.display = 'none';
    box.className = label.className = 'pick steps';
    label.append('time ', range);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!still) box.append(button, ' ');
    box.append(label, ' ', out);
    out.textContent = `${still ? 'Move' : 'Play, or move'} through the sample: spikes are counted as they come.`;
    figure.querySelector('.plot').before(box);
  }

  /* ---- tables ---- */
  const sortable = (table) => all('thead th', table).forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of all('th[aria-sort]', table)) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const key = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent.trim();
      const number = (text) => (text !== '' && isFinite(text) ? Number(text) : null);
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row) => [key(row), row]);
      rows.sort(([a], [b]) => {
        const x = number(a), y = number(b);
        const order = x !== null && y !== null ? x - y
          : x !== null ? -1 : y !== null ? 1 : a.localeCompare(b, 'en', { numeric: true });
        return up ? order : -order;
      });
      body.append(...rows.map(([, row]) => row));
    });
  });
  all('table.sortable').forEach(sortable);

  /* ---- saving figures ---- */
  const keep = (name, blob) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const styles = () => document.getElementById('chart-style').textContent.replace(/var\(--[\w-]+,\s*([^)]*)\)/g, '$1');
  const alone = (svg) => {
    const copy = svg.cloneNode(true);
    const [, , width] = svg.getAttribute('viewBox').split(' ');
    const height = svg.dataset.height;
    all('.off, .play', copy).forEach((group) => group.remove());
    for (const step of all('.step', copy)) { step.removeAttribute('style'); step.removeAttribute('transform'); }
    for (const mark of all('[data-tip]', copy)) {
      const title = document.createElementNS(svg.namespaceURI, 'title');
      title.textContent = mark.dataset.tip;
      mark.append(title);
      delete mark.dataset.tip;
    }
    const style = document.createElementNS(svg.namespaceURI, 'style');
    style.textContent = styles();
    copy.prepend(style);
    for (const name of ['tabindex', 'aria-roledescription', 'id', 'data-height']) copy.removeAttribute(name);
    copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
    copy.setAttribute('width', width);
    copy.setAttribute('height', height);
    return new XMLSerializer().serializeToString(copy);
  };
  for (const button of all('button[data-svg]')) {
    button.addEventListener('click', () => keep(button.closest('figure').dataset.name + '.svg',
      new Blob([alone(document.getElementById(button.dataset.svg))], { type: 'image/svg+xml' })));
  }

  /* ---- a figure's numbers as a table ---- */
  const cut = (line) => [...(line + ',').matchAll(/("(?:[^"]|"")*"|[^,]*),/g)]
    .map(([, cell]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
  const tableOf = (csv, caption) => {
    const [head, ...lines] = csv.trimEnd().split('\n').map(cut);
    const box = document.createElement('div'), table = document.createElement('table');
    box.className = 'table long';
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', 'Numbers of: ' + caption);
    const row = (parent, tag, cells) => {
      const tr = parent.insertRow();
      for (const cell of cells) {
        const made = document.createElement(tag);
        if (tag === 'th') made.scope = 'col';
        if (tag === 'td' && cell !== '' && isFinite(cell)) made.className = 'n';
        made.textContent = cell;
        tr.append(made);
      }
    };
    row(table.createTHead(), 'th', head);
    lines.forEach((line) => row(table.tBodies[0] || table.createTBody(), 'td', line));
    sortable(table);
    box.append(table);
    return box;
  };
  for (const button of all('button[data-table]')) {
    const figure = button.closest('figure');
    let box = null;
    button.addEventListener('click', () => {
      if (box) { box.remove(); box = null; } else {
        const link = figure.querySelector('.save a');
        box = tableOf(decodeURIComponent(link.href.slice(link.href.indexOf(',') + 1)), figure.querySelector('h3').textContent);
        figure.append(box);
      }
      button.setAttribute('aria-expanded', String(Boolean(box)));
    });
  }

  /* ---- commands ---- */
  for (const code of navigator.clipboard ? all('pre.command') : []) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => navigator.clipboard.writeText(code.textContent.trim())
      .then(() => { button.textContent = 'Copied'; said.textContent = 'Copied'; }, () => {}));
    code.after(button);
  }
})();
