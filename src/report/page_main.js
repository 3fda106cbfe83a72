// One finding in full, the address (#finding/event), the keys, the theme, and printing.

let source = null; // the SourceView of the open finding

function open(finding, label) {
  view.finding = finding;
  view.event = null;
  // The list first: it asks for sizes, and after drawDetail that would lay the page out twice.
  revealRow();
  drawList();
  markRow();
  drawDetail();
  const events = finding.events;
  // Where to begin: the event asked for, else the place of loss or misuse, else the last event.
  const wanted = label ? events.find(e => e.label === label) : null;
  const here = e => e.at && finding.at && e.at[0] === finding.at[0] && e.at[1] === finding.at[1];
  const placed = events.filter(e => e.at);
  const event = wanted || placed.filter(here).pop() || placed.pop() || null;
  if (event) go(event, !label);
  else address();
}

// Makes an event the current one; quietly: without naming it in the address.
function go(event, quietly) {
  let laid = false;
  if (!visible(event)) {
    for (let up = event.parent; up; up = up.parent) up.open = true;
    if (!visible(event)) view.everyStep = true;
    laid = true;
  }
  view.event = event;
  if (event.at && (laid || source.file !== event.at[0])) showFile(event.at[0]);
  if (laid) drawPath();
  source.reveal(event, quietly);
  markPath();
  address(quietly);
}

function address(quietly) {
  const hash = view.finding ? `#${view.finding.id}${view.event && !quietly ? '/' + view.event.label : ''}` : '#';
  if (location.hash === hash) return;
  try { history.replaceState(null, '', hash); } catch { /* shown inside a page that forbids it */ }
}

function follow() {
  const [id, label] = location.hash.slice(1).split('/');
  const finding = data.findings.find(f => f.id === id);
  if (finding) open(finding, label);
  return Boolean(finding);
}

function stepEvent(by) {
  if (!view.finding) return step(1);
  const events = visibleEvents();
  if (!events.length) return;
  const i = events.indexOf(view.event), to = i < 0 ? 0 : i + by;
  if (to < 0 || to >= events.length) say(by > 0 ? 'That was the last event' : 'That was the first event');
  else go(events[to]);
}

function toggle(event) {
  if (!event.kids && event.parent) event = event.parent;
  if (!event.kids) return;
  event.open = !event.open;
  relay(event);
}

function toggleSteps() {
  view.everyStep = !view.everyStep;
  relay(view.event);
}

// After folding: same file, same place on the screen.
function relay(event) {
  for (let at = event; at; at = at.parent) if (visible(at)) { event = at; break; }
  if (source.file >= 0) showFile(source.file);
  drawPath();
  if (event && visible(event)) go(event);
}

function showFile(fileIndex) {
  source.show(fileIndex);
  for (const tab of document.querySelectorAll('.tab'))
    tab.setAttribute('aria-selected', String(Number(tab.dataset.file) === fileIndex));
  const file = data.files[fileIndex];
  const note = document.querySelector('.file-note');
  note.textContent = file.note || '';
  note.hidden = !file.note;
}

const link = (finding, event) => `#${finding.id}/${event.label}`;

function drawPath() {
  const f = view.finding, hidden = f.events.filter(e => e.folded && !e.parent).length;
  const items = visibleEvents().map(e => el('li', { class: `k-${e.kind} l${Math.min(e.level, 5)}`, 'data-event': e.label },
    badge(e),
    el('div', {},
      el('a', { href: link(f, e), class: 'say', onclick: ev => { ev.preventDefault(); go(e); } }, ...prose(e.text)),
      el('span', { class: 'place' }, e.at ? `${baseOf(pathOf(e.at))}:${e.at[1]}` : ''),
      foldButton(e))));
  $('path').replaceChildren(...items);
  $('path-all').hidden = !hidden;
  $('path-all').textContent = view.everyStep ? 'fewer steps' : `all ${f.events.length} steps`;
  markPath();
}

function markPath() {
  for (const item of $('path').children) {
    const now = view.event !== null && item.dataset.event === view.event.label;
    item.classList.toggle('now', now);
    if (now) item.setAttribute('aria-current', 'step'); else item.removeAttribute('aria-current');
  }
  requestAnimationFrame(() => {
    const panel = document.querySelector('.panel'), item = document.querySelector('#path .now');
    // In a narrow window the whole page scrolls, and the source is what should be seen.
    if (item && panel.scrollHeight > panel.clientHeight) item.scrollIntoView({ block: 'nearest' });
  });
}

function facts(f) {
  const where = pos => el('button', {
    type: 'button', class: 'jump',
    onclick: () => {
      const event = f.events.find(e => e.at && e.at[0] === pos[0] && e.at[1] === pos[1]);
      if (event) go(event);
    },
  }, placeOf(pos));
  const rows = [];
  if (f.function) rows.push(['in', el('code', {}, `${f.function}()`)]);
  if (f.from) rows.push(['obtained', where(f.from)]);
  if (f.freed) rows.push(['freed', where(f.freed)]);
  if (f.at) rows.push([f.rule.includes('leak') ? 'lost' : 'misused', where(f.at)]);
  if (f.stages.length) rows.push(['found by', f.stages.join(', ')]);
  if (f.short) rows.push(['id', el('code', {}, f.short)]);
  if (f.count > 1) rows.push(['seen on', `${f.count} paths`]);
  return el('dl', { class: 'facts' }, rows.map(([k, v]) => el('div', {}, el('dt', {}, k), el('dd', {}, v))));
}

// The run that showed it, one step at a time: where it is, what was decided or called, with values.
function witnessSection(f) {
  if (!f.run) return null;
  let at = -1;
  const now = el('p', { class: 'hint', 'aria-live': 'polite', id: 'run-now' });
  const list = el('ol', { id: 'run' }, f.run.map((s, i) => el('li', { class: `l${Math.min(s.depth, 5)}`, 'data-step': i },
    el('button', { type: 'button', class: 'jump', onclick: () => to(i) }, s.at ? `${baseOf(pathOf(s.at))}:${s.at[1]}` : '-'),
    ' ', el('code', {}, s.text))));
  const to = i => {
    at = Math.max(0, Math.min(f.run.length - 1, i));
    const s = f.run[at];
    now.textContent = `step ${at + 1} of ${f.run.length}: ${s.text}`;
    for (const item of list.children) item.classList.toggle('now', Number(item.dataset.step) === at);
    list.children[at].scrollIntoView({ block: 'nearest' });
    if (s.at) {
      showFile(s.at[0]);
      source.revealLine(s.at[1]);
    }
  };
  return el('section', { id: 'witness' },
    el('h3', {}, 'Witness',
      f.run.length ? el('span', { class: 'turn' },
        el('button', { type: 'button', 'aria-label': 'Previous step of the run', onclick: () => to(at - 1) }, '\u2191'),
        el('button', { type: 'button', 'aria-label': 'Next step of the run', onclick: () => to(at + 1) }, '\u2193')) : null),
    el('p', { class: 'hint' }, f.witnessed),
    f.confirmed ? el('p', { class: 'hint' }, f.confirmed) : null,
    f.inputs.length ? el('ul', { class: 'inputs' }, f.inputs.map(x => el('li', {}, el('code', {}, x)))) : null,
    now, list,
    f.left.length ? el('ul', { class: 'left' }, f.left.map(x => el('li', {}, x))) : null);
}

function condition(f) {
  // Only a sure finding without a condition has shown that it needs none.
  if (!f.when)
    return el('p', { class: 'when always' }, el('span', { class: 'when-label' }, 'Happens'),
      el('span', {}, f.level === 'sure' ? 'always, on every path through here' : 'on a condition that is not known'));
  return el('p', { class: 'when' }, el('span', { class: 'when-label' }, 'Happens when'), el('span', {}, ...prose(f.when)));
}

// Marks a false positive with a reason; the marks of all findings become a suppression file ("Run").
function triage(f) {
  const reason = el('input', { type: 'text', id: 'mark-reason', 'aria-label': 'Reason', placeholder: 'reason' });
  reason.value = marks[f.id] || '';
  const button = el('button', { type: 'button', id: 'mark', 'aria-pressed': String(isMarked(f)) });
  const paintMark = () => {
    button.textContent = isMarked(f) ? 'Marked as false positive' : 'Mark as false positive';
    button.setAttribute('aria-pressed', String(isMarked(f)));
    drawn = [0, 0];
    drawList();
    drawAbout();
  };
  button.addEventListener('click', () => { mark(f, isMarked(f) ? null : reason.value.trim()); paintMark(); });
  reason.addEventListener('change', () => { if (isMarked(f)) { mark(f, reason.value.trim()); drawAbout(); } });
  button.textContent = isMarked(f) ? 'Marked as false positive' : 'Mark as false positive';
  return el('div', { class: 'triage' }, button, reason);
}

// The marks as a file for --suppress.
function exported() {
  const lines = suppressions();
  if (!lines) return [];
  const button = el('button', { type: 'button', class: 'copy', id: 'marks-copy' }, 'Copy');
  button.addEventListener('click', () => copy(lines, button));
  return [el('h3', {}, 'Marked as false positives'), el('p', { class: 'hint' }, 'save these lines to a file and pass it with --suppress:'),
    el('div', { class: 'settle' }, el('pre', { id: 'marks' }, lines), button)];
}

function drawDetail() {
  const f = view.finding, detail = $('detail');
  if (!f) {
    detail.replaceChildren(el('div', { class: 'nothing' },
      el('h2', {}, !data.findings.length ? 'Nothing was found' : view.shown.length ? 'Choose a finding' : 'No finding passes these filters'),
      el('p', {}, data.summary)));
    return;
  }
  const files = [...new Set(f.events.filter(e => e.at).map(e => e.at[0]))];
  const tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Files on the path' },
    files.map(i => el('button', {
      type: 'button', class: 'tab', role: 'tab', 'aria-selected': 'false', 'data-file': i, title: data.files[i].path,
      onclick: () => {
        const event = visibleEvents().find(e => e.at && e.at[0] === i) || f.events.find(e => e.at && e.at[0] === i);
        if (event) go(event); else showFile(i);
      },
    }, files.length > 1 ? baseOf(data.files[i].path) : data.files[i].path)));
  const view0 = el('div', { class: 'source-box' });
  const settle = el('button', { type: 'button', class: 'copy', id: 'settle-copy', 'aria-keyshortcuts': 'c' }, 'Copy');
  settle.addEventListener('click', () => copy(f.settle, settle));
  detail.replaceChildren(
    el('header', { class: `head level-${f.level}` },
      el('div', { class: 'head-tags' },
        el('span', { class: 'level' }, el('span', { class: 'dot' }), f.level),
        el('span', { class: 'tag' }, f.rule), f.cwe ? el('span', { class: 'tag' }, `CWE-${f.cwe}`) : null,
        el('span', { class: 'turn' },
          el('button', { type: 'button', 'aria-label': 'Previous finding', 'aria-keyshortcuts': 'k', onclick: () => step(-1) }, '↑'),
          el('button', { type: 'button', 'aria-label': 'Next finding', 'aria-keyshortcuts': 'j', onclick: () => step(1) }, '↓'))),
      el('h2', {}, ...prose(f.title)),
      condition(f), facts(f)),
    el('div', { class: 'body' },
      el('div', { class: 'source-side' }, tabs, el('p', { class: 'file-note', hidden: true }), view0),
      el('aside', { class: 'panel', 'aria-label': 'Path, heap and what would settle it' },
        el('section', {},
          el('h3', {}, 'Path',
            el('button', { type: 'button', class: 'quiet', id: 'path-all', 'aria-keyshortcuts': 'a', onclick: toggleSteps }),
            el('span', { class: 'turn' },
              el('button', { type: 'button', 'aria-label': 'Previous event', 'aria-keyshortcuts': 'p', onclick: () => stepEvent(-1) }, '↑'),
              el('button', { type: 'button', 'aria-label': 'Next event', 'aria-keyshortcuts': 'n', onclick: () => stepEvent(1) }, '↓'))),
          el('ol', { id: 'path' })),
        f.heap ? el('section', {},
          el('h3', {}, f.rule.includes('leak') ? 'Heap when it is lost' : 'Heap at that moment'),
          el('div', { class: 'heap-box' }, heapPicture(f.heap)), heapLegend(f.heap)) : null,
        witnessSection(f),
        el('section', {},
          el('h3', {}, 'If this is wrong'),
          el('p', { class: 'hint' }, f.settleSpec ? 'describe the function with this line in a .own file:' : 'suppress it with this comment on the line:'),
          el('div', { class: 'settle' }, el('pre', {}, f.settle), settle),
          triage(f)),
        el('section', {},
          el('h3', {}, data.rules[f.rule].brief), el('p', { class: 'hint' }, data.rules[f.rule].help)))));
  source = new SourceView(view0);
  if (files.length) showFile(f.at && files.includes(f.at[0]) ? f.at[0] : files[0]);
  drawPath();
}

function drawAbout() {
  const list = (title, rows) => (rows.length ? [el('h3', {}, title), el('ul', {}, rows.map(r => el('li', {}, ...prose(r))))] : []);
  const where = p => (p ? `${placeOf(p)}: ` : '');
  $('about-body').replaceChildren(
    el('p', {}, data.summary),
    el('p', { class: 'hint' }, `level ${data.level} and above, impact ${data.impact} and above; written ${document.lastModified}`),
    ...exported(),
    ...list('What the specifications of the project replace', data.overrides || []),
    ...list('Units that were not analysed', data.failed.map(u => `${u.path}: ${u.reason}`)),
    ...list('Functions given up', data.givenUp.map(g => `${where(g.at)}${g.function}: ${g.reason}`)),
    ...list('Fixed since the baseline', data.fixed.map(x => `${x.path}: ${x.message} [${x.rule}]`)),
    el('p', { class: 'hint' }, data.tool));
  if (data.failed.length + data.givenUp.length + (data.overrides || []).length) $('about-open').classList.add('warn');
}

// Paper has no scrolling: the open finding with every event and the lines around it; without an
// open finding the list.
function drawPrint() {
  const f = view.finding, out = [];
  if (!f) {
    out.push(el('h1', {}, data.summary), el('ol', {}, view.shown.map(x =>
      el('li', {}, `${placeOf(x.at)}: `, ...prose(x.message), ` [${x.rule}, ${x.level}]`))));
  } else {
    out.push(el('h1', {}, ...prose(f.title)), condition(f), facts(f));
    for (const e of f.events) {
      out.push(el('h3', { class: `l${Math.min(e.level, 5)}` }, badge(e), ' ', ...prose(e.text), ` (${placeOf(e.at)})`));
      if (!e.at) continue;
      const code = codeOf(e.at[0]), lines = [];
      for (let n = Math.max(1, e.at[1] - 2); n <= e.at[1] + 2; n++)
        if (code.text(n) !== null)
          lines.push(el('div', { class: n === e.at[1] ? 'hit' : '' }, el('span', { class: 'no' }, String(n)), ...codeNodes(code, n, [])));
      out.push(el('pre', {}, lines));
    }
    if (f.heap) out.push(el('h3', {}, 'Heap'), heapPicture(f.heap));
    out.push(el('h3', {}, 'If this is wrong'), el('pre', {}, f.settle));
  }
  $('print').replaceChildren(...out);
}

const system = matchMedia('(prefers-color-scheme: dark)');
let theme = null; // null: as the system says
try { theme = localStorage.getItem('stanch-theme'); } catch { /* no storage for this page */ }
const isDark = () => (theme ? theme === 'dark' : system.matches);
function paint() {
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  $('theme').textContent = isDark() ? 'Light' : 'Dark';
}
function turnTheme() {
  theme = isDark() ? 'light' : 'dark';
  try { localStorage.setItem('stanch-theme', theme); } catch { /* kept for this visit only */ }
  paint();
}

const keys = {
  j: () => step(1), k: () => step(-1), n: () => stepEvent(1), p: () => stepEvent(-1),
  o: () => view.event && toggle(view.event), a: () => view.finding && toggleSteps(),
  c: () => view.finding && copy(view.finding.settle, $('settle-copy')),
  '/': () => { $('search').focus(); $('search').select(); },
  t: turnTheme, '?': () => $('help').showModal(),
};

function start() {
  paint();
  system.addEventListener('change', paint);
  $('theme').addEventListener('click', turnTheme);
  $('help-open').addEventListener('click', () => $('help').showModal());
  $('about-open').addEventListener('click', () => $('about').showModal());
  $('skip').addEventListener('click', () => $('detail').focus());
  drawAbout();
  startList();
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return;
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName);
    if (typing) {
      if (e.key === 'Escape' || (e.key === 'Enter' && e.target.id === 'search')) {
        e.preventDefault();
        $('list').focus();
        if (e.key === 'Enter' && view.shown.length && !view.shown.includes(view.finding)) open(view.shown[0]);
      }
      return;
    }
    if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
  });
  addEventListener('hashchange', follow);
  addEventListener('beforeprint', drawPrint);
  addEventListener('resize', () => { drawn = [0, 0]; drawList(); if (source && source.file >= 0) { source.drawn = null; source.draw(); } });
  if (!follow()) {
    if (data.findings.length) open(data.findings[0]); else drawDetail();
  }
  document.documentElement.dataset.ready = 'yes';
}
start();
