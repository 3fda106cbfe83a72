// The list of findings and its filters. Only the rows on the screen exist as elements.

const ROW = 84; // height of a row in CSS pixels; page.css says the same
const LONGEST = 42; // letters of a title on one line

const belongs = (path, where) =>
  where === '' || path === where || (where.endsWith('/') && path.startsWith(where));

// All filters but one: what the counts beside that one's choices are taken from.
function matches(finding, without) {
  if (without !== 'rules' && view.rules.size && !view.rules.has(finding.rule)) return false;
  if (without !== 'levels' && view.levels.size && !view.levels.has(finding.level)) return false;
  if (without !== 'where' && !belongs(pathOf(finding.at), view.where)) return false;
  return view.query.split(' ').every(word => finding.hay.includes(word));
}

function tally(without, key) {
  const counts = new Map();
  for (const f of data.findings)
    if (matches(f, without)) counts.set(key(f), (counts.get(key(f)) || 0) + 1);
  return counts;
}

function drawChips(box, name, choices, chosen, key) {
  const counts = tally(name, key);
  const focused = document.activeElement && box.contains(document.activeElement)
    ? document.activeElement.dataset.choice : null;
  box.replaceChildren(...choices.map(choice => el('button', {
    type: 'button', class: `chip ${name}-${choice}`, 'aria-pressed': String(chosen.has(choice)),
    'data-choice': choice,
    title: name === 'rules' ? data.rules[choice].brief : null,
    onclick: () => {
      if (chosen.has(choice)) chosen.delete(choice); else chosen.add(choice);
      filter();
    },
  }, el('span', { class: 'dot' }), choice, el('span', { class: 'n' }, String(counts.get(choice) || 0)))));
  if (focused) for (const chip of box.children) if (chip.dataset.choice === focused) chip.focus();
}

// The tree of directories, single-child chains joined, children of open directories only.
const openDirs = new Set();
function drawWhere() {
  const label = view.where === '' ? 'All files' : view.where;
  $('where-open').replaceChildren(el('span', { class: 'twist' }), label);
  $('where-clear').hidden = view.where === '';
  if ($('where').hidden) return;
  const root = { dirs: new Map(), files: new Map(), n: 0 };
  for (const f of data.findings) {
    if (!f.at || !matches(f, 'where')) continue;
    const parts = pathOf(f.at).split('/'), name = parts.pop();
    let dir = root;
    dir.n++;
    for (const part of parts) {
      if (!dir.dirs.has(part)) dir.dirs.set(part, { dirs: new Map(), files: new Map(), n: 0 });
      dir = dir.dirs.get(part);
      dir.n++;
    }
    dir.files.set(name, (dir.files.get(name) || 0) + 1);
  }
  const rows = [];
  const add = (depth, name, path, n, isDir) => rows.push(el('div', { class: `node d${Math.min(depth, 8)}` },
    isDir ? el('button', {
      type: 'button', class: 'twist', 'aria-expanded': String(openDirs.has(path)),
      'aria-label': `${openDirs.has(path) ? 'Close' : 'Open'} ${path}`,
      onclick: () => {
        if (openDirs.has(path)) openDirs.delete(path); else openDirs.add(path);
        drawWhere();
      },
    }) : el('span', { class: 'leaf' }),
    el('button', {
      type: 'button', class: 'pick', 'aria-pressed': String(view.where === path), title: path,
      onclick: () => { view.where = view.where === path ? '' : path; filter(); },
    }, el('span', {}, name), el('span', { class: 'n' }, String(n)))));
  const walk = (dir, prefix, depth) => {
    for (let [name, sub] of [...dir.dirs].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
      while (sub.files.size === 0 && sub.dirs.size === 1) {
        const [[next, below]] = sub.dirs;
        name += '/' + next;
        sub = below;
      }
      const path = `${prefix}${name}/`;
      add(depth, name + '/', path, sub.n, true);
      if (openDirs.has(path)) walk(sub, path, depth + 1);
    }
    for (const [name, n] of [...dir.files].sort((a, b) => (a[0] < b[0] ? -1 : 1)))
      add(depth, name, prefix + name, n, false);
  };
  walk(root, '', 0);
  $('where').replaceChildren(...rows);
}

function filter() {
  view.shown = data.findings.filter(f => matches(f, ''));
  if (view.sort === 'file') {
    const key = f => (f.at ? f.at[0] : -1);
    view.shown = [...view.shown].sort((a, b) =>
      key(a) - key(b) || (a.at ? a.at[1] - b.at[1] : 0) || a.index - b.index);
  }
  drawChips($('levels'), 'levels', LEVELS.filter(l => data.findings.some(f => f.level === l)),
    view.levels, f => f.level);
  drawChips($('rules'), 'rules', Object.keys(data.rules).filter(r => data.findings.some(f => f.rule === r)),
    view.rules, f => f.rule);
  drawWhere();
  $('count').textContent = view.shown.length === data.findings.length
    ? plural(view.shown.length, 'finding')
    : `${view.shown.length.toLocaleString('en')} of ${plural(data.findings.length, 'finding')}`;
  $('list-canvas').style.height = `${view.shown.length * ROW}px`;
  drawn = [0, 0];
  $('list').scrollTop = 0;
  revealRow();
  drawList();
  // Nothing that the filters leave out stays on the screen when they leave nothing.
  if (!view.shown.length && view.finding) {
    view.finding = view.event = null;
    drawDetail();
    address();
  } else if (view.shown.length && !view.finding && document.documentElement.dataset.ready) {
    open(view.shown[0]);
  }
}

let drawn = [0, 0]; // rows that exist now
function drawList() {
  const list = $('list');
  const from = Math.floor(list.scrollTop / ROW), to = Math.ceil((list.scrollTop + list.clientHeight) / ROW);
  if (drawn[1] && from >= drawn[0] && Math.min(to, view.shown.length) <= drawn[1]) return;
  drawn = [Math.max(0, from - 12), Math.min(view.shown.length, to + 12)];
  const rows = [];
  for (let i = drawn[0]; i < drawn[1]; i++) rows.push(listRow(view.shown[i], i));
  if (!view.shown.length)
    rows.push(el('p', { class: 'empty' },
      data.findings.length ? 'No finding passes these filters.' : 'Nothing was found.'));
  $('list-canvas').replaceChildren(...rows);
  markRow();
}

function listRow(f, i) {
  const row = el('div', {
    class: `row level-${f.level}${isMarked(f) ? ' marked' : ''}`, title: f.title, role: 'option', id: `row-${f.index}`,
    'aria-setsize': String(view.shown.length), 'aria-posinset': String(i + 1), 'aria-selected': 'false',
    onclick: () => open(f),
  },
  el('div', { class: f.when ? 'row-title' : 'row-title alone' }, ...prose(cutMiddle(f.title, f.when ? LONGEST : 2 * LONGEST))),
  f.when ? el('div', { class: 'row-when' }, 'when ', ...prose(f.when)) : null,
  el('div', { class: 'row-meta' },
    el('span', { class: 'tag' }, f.rule),
    el('span', { class: 'place', title: placeOf(f.at) },
      f.at ? `${baseOf(pathOf(f.at))}:${f.at[1]}` : 'no position'),
    f.function ? el('span', { class: 'fn' }, `${f.function}()`) : null,
    f.count > 1 ? el('span', { class: 'times', title: `${f.count} paths or calls, one defect` }, `×${f.count}`) : null));
  row.style.top = `${i * ROW}px`;
  return row;
}

function markRow() {
  const list = $('list');
  for (const row of $('list-canvas').children)
    row.setAttribute('aria-selected', String(view.finding !== null && row.id === `row-${view.finding.index}`));
  if (view.finding && $(`row-${view.finding.index}`))
    list.setAttribute('aria-activedescendant', `row-${view.finding.index}`);
  else list.removeAttribute('aria-activedescendant');
}

// Scrolls so that the open finding's row is on the screen.
function revealRow() {
  const i = view.shown.indexOf(view.finding), list = $('list');
  if (i < 0) return;
  const top = i * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
}

function step(by) {
  if (!view.shown.length) return;
  const i = view.shown.indexOf(view.finding);
  const to = i < 0 ? (by > 0 ? 0 : view.shown.length - 1) : i + by;
  if (to < 0 || to >= view.shown.length) say(by > 0 ? 'That was the last finding' : 'That was the first finding');
  else open(view.shown[to]);
}

function startList() {
  $('list').addEventListener('scroll', () => requestAnimationFrame(drawList), { passive: true });
  $('list').addEventListener('keydown', e => {
    const page = Math.max(1, Math.floor($('list').clientHeight / ROW) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 }[e.key];
    if (!by || !view.shown.length) return;
    e.preventDefault();
    const i = view.shown.indexOf(view.finding);
    open(view.shown[Math.max(0, Math.min(view.shown.length - 1, i + by))]);
  });
  let timer = 0;
  $('search').addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      view.query = $('search').value.trim().toLowerCase().replace(/\s+/g, ' ');
      filter();
    }, 60);
  });
  $('sort').addEventListener('change', () => { view.sort = $('sort').value; filter(); });
  $('where-open').addEventListener('click', () => {
    $('where').hidden = !$('where').hidden;
    $('where-open').setAttribute('aria-expanded', String(!$('where').hidden));
    drawWhere();
    drawn = [0, 0];
    drawList();
  });
  $('where-clear').addEventListener('click', () => { view.where = ''; filter(); });
  filter();
}
