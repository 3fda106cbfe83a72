// Drives the reports made by test_html: node browser.js DIR. Closes with "N passed, N failed".
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const { Chrome } = require('./chrome.js');

const dir = process.argv[2], shots = process.env.SHOTS;
const cases = [];
const test = (name, run) => cases.push({ name, run });
let chrome;

// Opens a report; what the console said is checked when the test ends.
const opened = [];
async function report(kind, { hash, width = 1440, height = 900, colors } = {}) {
  const page = await chrome.page(width, height, colors);
  opened.push(page);
  await page.send('Page.addScriptToEvaluateOnNewDocument', {
    source: 'window.violations = []; addEventListener("securitypolicyviolation", e => violations.push(e.violatedDirective));',
  });
  await page.open(path.join(dir, `${kind}.html`), hash);
  assert.equal(await page.get('document.documentElement.dataset.ready'), 'yes');
  return page;
}

const text = (page, selector) => page.get(`document.querySelector(${JSON.stringify(selector)}).textContent`);
const number = (page, selector) => page.get(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
const current = page => page.get('(document.querySelector("#path .now .badge") || {}).textContent');
const selected = page => page.get('[...document.querySelectorAll(".row")].find(r => r.getAttribute("aria-selected") === "true").id');
const idOf = (page, index) => page.get(`data.findings[${index}].id`);

test('opens with the first finding at its place of loss', async () => {
  const page = await report('sample');
  assert.equal(await text(page, '#count'), '8 findings');
  assert.equal(await number(page, '.row'), 8);
  assert.equal(await text(page, '.head h2'), 'e leaks memory from malloc');
  assert.match(await text(page, '.when'), /a quoted value has no closing quote and c->strict/);
  assert.equal(await current(page), '8');
  assert.equal(await number(page, '.note.now'), 1);
  assert.match(await text(page, '.note.now'), /the last pointer to it, goes out of scope/);
  if (shots) await page.shot(path.join(shots, 'light.png'));
});

test('keys step through findings', async () => {
  const page = await report('sample');
  await page.key('j');
  await page.key('j');
  assert.equal(await selected(page), 'row-2');
  assert.equal(await page.get('location.hash'), '#' + await idOf(page, 2));
  await page.key('k');
  assert.equal(await selected(page), 'row-1');
  assert.match(await text(page, '.head h2'), /file in from fopen/);
  await page.key('k');
  await page.key('k');
  assert.equal(await selected(page), 'row-0');
  assert.match(await text(page, '#said'), /first finding/);
});

test('keys step through a path and the address follows', async () => {
  const page = await report('sample');
  const id = await idOf(page, 0);
  await page.key('p');
  await page.key('p');
  assert.equal(await current(page), '6');
  assert.equal(await page.get('location.hash'), `#${id}/6`);
  await page.key('n');
  assert.equal(await current(page), '7');
  assert.equal(await page.get('document.querySelector("#path .now").getAttribute("aria-current")'), 'step');
  await page.click('#path li:nth-child(2) a');
  assert.equal(await current(page), '2');
  assert.equal(await page.get('document.querySelector(".note.now").dataset.event'), '2');
});

test('calls are one line until they are unfolded', async () => {
  const page = await report('sample');
  assert.equal(await number(page, '#path li'), 7);
  await page.click('#path li:nth-child(2) .fold');
  assert.equal(await number(page, '#path li'), 11);
  assert.equal(await current(page), '2');
  await page.key('n');
  assert.equal(await current(page), '2.1');
  assert.match(await text(page, '.note.now'), /memory is obtained from malloc/);
  await page.key('o');
  assert.equal(await number(page, '#path li'), 7);
  await page.key('a');
  assert.equal(await number(page, '#path li'), 8);
});

test('an address opens its event, unfolding what it lies in', async () => {
  const first = await report('sample');
  const page = await report('sample', { hash: `#${await idOf(first, 0)}/2.3`, colors: 'dark' });
  assert.equal(await current(page), '2.3');
  await page.get(`(location.hash = '#${await idOf(first, 4)}/2.1', 0)`);
  await page.settled();
  assert.match(await text(page, '.head h2'), /used after it was freed/);
  assert.equal(await current(page), '2.1');
  await page.get('(location.hash = "#%zz/</b>", 0)');
  await page.settled();
  if (shots) await page.shot(path.join(shots, 'dark.png'));
});

test('arrows join the events of the file, an aside by a broken one', async () => {
  const page = await report('sample');
  assert.equal(await number(page, '.arrow'), 6);
  assert.equal(await number(page, '.arrow.aside'), 1);
  // Every arrow ends at the height of its event's number.
  const off = await page.get(`[...document.querySelectorAll('.arrow')].map(a => {
    const head = a.querySelector('.head').getBoundingClientRect();
    const badge = document.querySelector('.note[data-event="' + a.dataset.event + '"] .badge').getBoundingClientRect();
    return Math.abs(head.y + head.height / 2 - badge.y - badge.height / 2);
  })`);
  assert.ok(Math.max(...off) < 8, `arrows miss their events by ${off}`);
});

test('a path through two files changes the tab', async () => {
  const page = await report('sample', { hash: '' });
  await page.key('j');
  await page.key('j');
  assert.equal(await number(page, '.tab'), 2);
  const tab = () => page.get('document.querySelector(".tab[aria-selected=true]").textContent');
  // The place of loss lies inside a call, which is unfolded for it.
  assert.equal(await current(page), '3.2');
  assert.equal(await tab(), 'config.c');
  await page.key('p');
  await page.key('p');
  assert.equal(await tab(), 'main.c');
  assert.match(await text(page, '.note.now'), /config_drop frees the entries/);
  await page.click('.note.now .fold:last-child');
  assert.equal(await current(page), '3.1');
  assert.equal(await tab(), 'config.c');
});

test('search, rule, level and place filter together', async () => {
  const page = await report('sample');
  const count = () => text(page, '#count');
  await page.key('/');
  await page.type('fopen strict');
  await page.get('new Promise(f => setTimeout(f, 120))');
  assert.equal(await count(), '1 of 8 findings');
  await page.get('(document.getElementById("search").value = "", document.getElementById("search").dispatchEvent(new Event("input")), new Promise(f => setTimeout(f, 120)))');
  await page.key('Escape');
  await page.click('.rules-leak');
  assert.equal(await count(), '4 of 8 findings');
  assert.equal(await page.get('document.querySelector(".rules-leak").getAttribute("aria-pressed")'), 'true');
  assert.match(await text(page, '.levels-audit'), /audit1/);
  await page.click('.levels-sure');
  assert.equal(await count(), '3 of 8 findings');
  await page.click('#where-open');
  await page.click('.pick[title="src/"]');
  assert.equal(await count(), '3 of 8 findings');
  await page.click('.twist[aria-label="Open src/"]');
  await page.click('.pick[title="src/net/"]');
  assert.equal(await count(), '1 of 8 findings');
  await page.click('.levels-sure');
  await page.click('.rules-leak');
  assert.equal(await count(), '4 of 8 findings');
  await page.click('.pick[title="src/main.c"]');
  assert.equal(await count(), '1 of 8 findings');
  await page.click('#where-clear');
  assert.equal(await count(), '8 findings');
  await page.key('/');
  await page.type('no such thing');
  await page.get('new Promise(f => setTimeout(f, 120))');
  assert.match(await text(page, '#list'), /No finding passes/);
  assert.match(await text(page, '#detail'), /No finding passes/);
  assert.equal(await number(page, '#detail .source'), 0);
  await page.get('(document.getElementById("search").value = "", document.getElementById("search").dispatchEvent(new Event("input")), new Promise(f => setTimeout(f, 120)))');
  assert.equal(await number(page, '#detail .source'), 1);
});

test('long titles lose their middle, never their ends', async () => {
  const page = await report('sample');
  assert.equal(await page.get('cutMiddle("abcdefghij", 10)'), 'abcdefghij');
  assert.equal(await page.get('cutMiddle("abcdefghijk", 7)'), 'abcd…jk');
  assert.equal(await page.get('data.findings.every(f => !cutMiddle(f.title, 40).startsWith("…"))'), true);
});

test('a false positive is marked with a reason and exported as a suppression', async () => {
  const page = await report('sample');
  assert.equal(await number(page, '#marks'), 0);
  await page.get('document.getElementById("mark-reason").value = "freed by the plug-in host"');
  await page.click('#mark');
  assert.equal(await page.get('document.getElementById("mark").getAttribute("aria-pressed")'), 'true');
  assert.equal(await number(page, '.row.marked'), 1);
  await page.click('#about-open');
  assert.match(await text(page, '#marks'), /^leak \S+ \S+ freed by the plug-in host\n$/);
  assert.match(await text(page, '#about-body'), /level likely and above, impact memory-short and above; written /);
  await page.click('#about form button');
  await page.click('#mark');
  assert.equal(await number(page, '.row.marked'), 0);
  assert.equal(await number(page, '#marks'), 0);
});

test('the strip and the heap picture explain themselves', async () => {
  const page = await report('sample');
  assert.match(await page.get('document.querySelector(".ticks").title'), /steps of the path/);
  assert.match(await page.get('document.querySelector(".tick").title'), /^1: .* \(line \d+\)$/);
  assert.match(await text(page, '.legend'), /the pointer that is gone.*nothing points to it any more/);
});

test('the heap picture shows what was cut off', async () => {
  const page = await report('sample');
  assert.equal(await number(page, '.heap .lost'), 2);
  assert.equal(await number(page, '.heap .cross'), 1);
  assert.equal(await number(page, '.heap .heap-variable'), 2);
  assert.match(await page.get('document.querySelector(".heap").getAttribute("aria-label")'),
    /e pointed to struct entry.*nothing points to struct entry any more/);
});

test('the settling line is copied', async () => {
  const page = await report('sample');
  await page.click('#settle-copy');
  await page.settled();
  assert.equal(await text(page, '#settle-copy'), 'Copied');
  assert.match(await text(page, '.settle pre'), /^\/\/ stanch: ignore\[leak\] /);
});

test('code is coloured, tokens of events are marked', async () => {
  const page = await report('sample');
  const of = kind => page.get(`[...document.querySelectorAll('.line .t-${kind}')].map(n => n.textContent)`);
  assert.ok((await of('k')).includes('while'));
  assert.ok((await of('s')).includes('"%s: bad value for \'%s\'\\n"'));
  assert.ok((await of('f')).includes('fgets'));
  const marks = await page.get('[...document.querySelectorAll(".line")].filter(l => l.querySelector("mark")).map(l => [...l.querySelectorAll("mark")].map(m => m.textContent).join(""))');
  assert.deepEqual(marks, ['|', 'entry_new', 'parse_value', 'status < 0', 'c->strict', 'return', 'entry_free']);
  // The tokenizer over lines: comments, raw strings and continued lines carry over.
  const states = await page.get(`(() => { let s = ''; return ['/* a', 'b */ int x; // c \\\\', 'd', 'R"x(a', ')y" )x" "s', '#define A \\\\', '1'].map(l => (s = tokenize(l, s, false)[0])); })()`);
  assert.deepEqual(states, ['*', '/', '', 'R)x"', '', '#', '']);
});

test('dark and light, by the system or by hand, with contrast', async () => {
  const page = await report('sample', { colors: 'dark' });
  const low = () => page.get(`(() => {
    const rgb = c => c.match(/[\\d.]+/g).map(Number);
    const light = c => { const [r, g, b] = rgb(c).map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
    const back = n => { for (; n; n = n.parentElement) { const c = getComputedStyle(n).backgroundColor; if (rgb(c)[3] !== 0) return c; } return 'rgb(255,255,255)'; };
    const bad = [];
    for (const n of document.querySelectorAll('body *:not(script):not(svg *)')) {
      if (![...n.childNodes].some(k => k.nodeType === 3 && k.textContent.trim()) || !n.getClientRects().length) continue;
      const [a, b] = [light(getComputedStyle(n).color), light(back(n))];
      const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
      if (ratio < 4.5) bad.push(n.className + ' ' + n.textContent.slice(0, 20) + ' ' + ratio.toFixed(2));
    }
    return bad; })()`);
  const ground = () => page.get('getComputedStyle(document.body).backgroundColor');
  const dark = await ground();
  assert.deepEqual(await low(), []);
  await page.key('t');
  const light = await ground();
  assert.notEqual(dark, light);
  await page.get('new Promise(f => setTimeout(f, 200))'); // colours fade
  assert.deepEqual(await low(), []);
  await page.colors('light');
  assert.equal(await ground(), light);
  await page.key('t');
  assert.equal(await ground(), dark);
});

test('help and run facts open as dialogs', async () => {
  const page = await report('sample');
  await page.key('?');
  assert.equal(await page.get('document.getElementById("help").open'), true);
  await page.click('#help form button');
  assert.equal(await page.get('document.getElementById("help").open'), false);
  await page.click('#about-open');
  assert.match(await text(page, '#about-body'), /src\/legacy.c: legacy.h file not found.*server_run: step budget/);
});

test('every control has a name, the list is a list box', async () => {
  const page = await report('sample');
  const { nodes } = await page.send('Accessibility.getFullAXTree');
  const nameless = nodes.filter(n => !n.ignored && ['button', 'link', 'textbox', 'searchbox', 'combobox', 'tab', 'option', 'listbox', 'image']
    .includes(n.role && n.role.value) && !(n.name && n.name.value));
  assert.deepEqual(nameless.map(n => n.role.value), []);
  assert.equal(nodes.filter(n => n.role && n.role.value === 'listbox').length >= 1, true);
  await page.get('document.getElementById("list").focus()');
  await page.key('ArrowDown');
  assert.equal(await page.get('document.getElementById("list").getAttribute("aria-activedescendant")'), 'row-1');
});

test('prints the open finding with its whole path, light on paper', async () => {
  const page = await report('sample', { colors: 'dark' });
  await page.key('t');
  await page.key('t');
  const { data } = await page.send('Page.printToPDF', {});
  assert.ok(Buffer.from(data, 'base64').length > 10000);
  assert.equal(await number(page, '#print h3 .badge'), 14);
  assert.match(await text(page, '#print'), /return status;/);
  await page.send('Emulation.setEmulatedMedia', { media: 'print', features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
  assert.equal(await page.get('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)');
});

test('a narrow window keeps everything within its width', async () => {
  for (const width of [1000, 600, 400, 380]) {
    const page = await report('sample', { width });
    assert.ok(await page.get('document.documentElement.scrollWidth <= innerWidth'), `wider than ${width}`);
    assert.ok(await page.get('document.querySelector(".source").clientHeight > 150'), `no source at ${width}`);
  }
});

test('hostile text stays text', async () => {
  const page = await report('hostile');
  const sane = async () => {
    assert.equal(await page.get('typeof window.evil'), 'undefined');
    assert.equal(await number(page, 'img, iframe, object, embed, link'), 0);
    assert.equal(await number(page, 'script'), 2);
  };
  await sane();
  assert.match(await text(page, '.source'), /strdup\("<\/script><img src=x onerror="window\.evil=1">/);
  assert.match(await text(page, '.head h2'), /<\/script><img/);
  assert.match(await text(page, '.settle pre'), /<\/script><img/);
  assert.equal(await page.get('/[\\u202e\\u001b\\u0001]/.test(document.querySelector("main").textContent)'), false);
  for (let i = 0; i < 4; i++) {
    await page.key('n');
    await page.key('j');
    await sane();
  }
  await page.click('#about-open');
  await sane();
  await page.send('Page.printToPDF', {});
  await sane();
});

test('the policy holds even against the page itself', async () => {
  const page = await report('sample');
  const tried = await page.get(`(() => {
    const said = [];
    try { document.body.innerHTML = '<b>x</b>'; said.push('html'); } catch { }
    try { eval('1'); said.push('eval'); } catch { }
    try { const s = document.createElement('script'); s.textContent = 'window.evil = 1'; document.body.append(s); said.push(window.evil ? 'script' : ''); } catch { }
    const img = document.createElement('img'); img.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='; document.body.append(img);
    return new Promise(f => { img.onload = () => f(said.concat('image')); img.onerror = () => f(said); });
  })()`);
  assert.deepEqual(tried.filter(Boolean), []);
  assert.ok((await page.get('violations')).includes('img-src'));
  page.problems.length = 0;
  await page.get('(violations.length = 0)');
});

test('nothing found is said calmly', async () => {
  const page = await report('empty');
  assert.equal(await text(page, '#count'), '0 findings');
  assert.match(await text(page, '#detail'), /Nothing was found/);
  for (const key of 'jknpoac') await page.key(key);
});

test('2,000 findings and a file of 10,000 lines stay quick', async () => {
  const page = await report('many');
  const took = await page.get('performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd');
  const elements = () => page.get('document.querySelectorAll("*").length');
  assert.equal(await text(page, '#count'), '2,000 findings');
  assert.ok(await elements() < 4000, `${await elements()} elements`);
  const time = async (name, expression) => {
    const ms = await page.get(`(async () => { const t = performance.now(); ${expression};
      await new Promise(f => requestAnimationFrame(() => setTimeout(f))); return performance.now() - t; })()`);
    times.push(`${name} ${ms.toFixed(0)} ms`);
    return ms;
  };
  const times = [`open ${took.toFixed(0)} ms`];
  const far = await time('last finding', 'step(-1); open(view.shown[view.shown.length - 2])');
  assert.match(await text(page, '.head'), /work_1998/);
  const scroll = await time('scroll source', 'document.querySelector(".source").scrollTop = 100000');
  const line = await page.get('Number(document.querySelectorAll(".no")[50].textContent)');
  assert.ok(line > 4900 && line < 5100, `line ${line} is shown`);
  const list = await time('scroll list', 'document.getElementById("list").scrollTop = 80000');
  assert.ok(await number(page, '.row') > 5);
  const find = await time('search', 'view.query = "work_1234"; filter()');
  assert.equal(await text(page, '#count'), '1 of 2,000 findings');
  const steps = await time('50 findings', 'view.query = ""; filter(); open(view.shown[0]); for (let i = 0; i < 50; i++) step(1)');
  assert.ok(await elements() < 4000, `${await elements()} elements`);
  if (process.env.TIMES) console.log(times.join(', '));
  // What guards the speed is the count of elements above; the times only catch disasters, since
  // the machine may be busy. Alone, they are about a fiftieth of these.
  assert.ok(took < 8000 && far < 3000 && scroll < 2000 && list < 2000 && find < 2000 && steps < 20000, times.join(', '));
});

// A page of stanch history: it has no script, so nothing says that it is ready.
async function history(kind, width) {
  const page = await chrome.page(width, 900);
  opened.push(page);
  await page.open(path.join(dir, `${kind}.html`));
  await page.get('window.violations = []');
  return page;
}

test('the history shows findings over time', async () => {
  const page = await history('history', 1000);
  assert.match(await text(page, '#summary'), /^1 open finding; 3 runs, the last on \d{4}-/);
  assert.equal(await number(page, 'svg .run'), 3);
  assert.equal(await number(page, 'svg rect.new'), 2);
  assert.equal(await number(page, 'svg rect.fixed'), 1);
  assert.match(await text(page, 'svg .run title'), /^run 1, .* UTC: 1 finding, 1 new, 0 fixed$/);
  assert.equal(await number(page, '#open li'), 1);
  assert.match(await text(page, '#open li'), /'p' leaks memory from malloc .*a<b>\.c:\d+ .*since run 2, /);
  assert.equal(await number(page, 'details.run'), 3);
  assert.match(await text(page, 'details.run summary'), /^run 3, .*: 1 finding, 0 new, 1 fixed/);
  assert.equal(await page.get('document.querySelector("details.run").open'), false);
  await page.get('document.querySelector("details.run summary").click()');
  assert.equal(await page.get('document.querySelector("details.run").open'), true);
  assert.match(await text(page, 'details.run .was-fixed'), /fixed$/);
  if (shots) await page.shot(path.join(shots, 'history.png'));
});

test('the history escapes what the project is called', async () => {
  const page = await history('history', 1000);
  assert.equal(await number(page, 'img, script'), 0);
  assert.match(await text(page, 'h1'), /<img src=x onerror=alert\(1\)>$/);
});

test('the history fits narrow windows, and says when there is none', async () => {
  for (const width of [1000, 400, 320]) {
    const page = await history('history', width);
    assert.ok(await page.get('document.documentElement.scrollWidth <= innerWidth'), `${width} pixels are too few`);
  }
  const page = await history('nohistory', 400);
  assert.equal(await text(page, '#summary'), 'no runs recorded');
  assert.equal(await number(page, 'svg, ul, details'), 0);
});

(async () => {
  chrome = new Chrome();
  let failed = 0;
  for (const { name, run } of cases) {
    const start = Date.now();
    try {
      await run();
      for (const page of opened) {
        assert.deepEqual(page.problems, []);
        assert.deepEqual(await page.get('violations'), []);
      }
    } catch (error) {
      failed++;
      console.log(`FAIL ${name}\n${error.stack}`);
    }
    if (process.env.TIMES) console.log(`${Date.now() - start} ms: ${name}`);
    for (const page of opened.splice(0)) await page.send('Page.close').catch(() => {});
  }
  await chrome.close();
  console.log(`${cases.length - failed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
})();
