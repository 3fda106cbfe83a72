'use strict';
// The report's data and the few helpers that all parts of the page share. Everything that comes
// from the analysed program reaches the document as text nodes or attributes made here; the page
// never parses data as HTML, and its policy (require-trusted-types-for) forbids that anyway.

const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const LEVELS = ['sure', 'likely', 'audit'];

function fill(node, attrs, kids) {
  for (const name in attrs) {
    const value = attrs[name];
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const kid of kids.flat()) if (kid !== null && kid !== undefined) node.append(kid);
  return node;
}
const el = (tag, attrs, ...kids) => fill(document.createElement(tag), attrs, kids);
const svg = (tag, attrs, ...kids) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attrs, kids);

const plural = (n, one, many) => `${n.toLocaleString('en')} ${n === 1 ? one : many || one + 's'}`;

// Control characters and those that turn the direction of writing are shown, not obeyed: source
// text must not look like something that it is not. One character stays one character.
const tame = text => text.replace(/[\0-\x08\x0a-\x1f]/g, c => String.fromCharCode(0x2400 + c.charCodeAt(0)))
  .replace(/[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\u25a1');

// "the pointer 's' dies": what stands in quotes is code and is set as code.
function prose(text) {
  const parts = [];
  let end = 0;
  text = tame(text);
  for (const m of text.matchAll(/'((?:'(?:\\?[^'\\]|\\')'|[^'\n])+)'(?![\w'])/g)) {
    parts.push(text.slice(end, m.index), el('code', {}, m[1]));
    end = m.index + m[0].length;
  }
  parts.push(text.slice(end));
  return parts.filter(p => p !== '');
}

const pathOf = pos => (pos ? data.files[pos[0]].path : '');
const placeOf = pos => (pos ? `${pathOf(pos)}:${pos[1]}` : '');
const baseOf = path => path.slice(path.lastIndexOf('/') + 1);

let saidTimer = 0;
function say(text) {
  $('said').textContent = text;
  clearTimeout(saidTimer);
  saidTimer = setTimeout(() => { $('said').textContent = ''; }, 2500);
}

function copy(text, button) {
  const done = () => {
    say('Copied');
    if (!button) return;
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  };
  // Without a secure context there is no clipboard object; the old way needs a selection.
  const old = () => {
    const area = el('textarea', { class: 'off', 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    const ok = document.execCommand('copy');
    area.remove();
    if (ok) done(); else say('The browser refused to copy');
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, old);
  else old();
}

// The events of a path form a tree: what happens inside a call belongs to the call's event. Each
// event gets a label ("3", "3.1") that names it in the margin and in the address.
function preparePath(finding) {
  const stack = [], counts = [0];
  finding.events.forEach((event, i) => {
    event.index = i;
    while (stack.length && stack[stack.length - 1].depth >= event.depth) {
      stack.pop();
      counts.pop();
    }
    event.parent = stack.length ? stack[stack.length - 1] : null;
    event.level = stack.length;
    event.kids = 0;
    event.open = false;
    if (event.parent) event.parent.kids++;
    const n = ++counts[counts.length - 1];
    event.label = event.parent ? `${event.parent.label}.${n}` : String(n);
    stack.push(event);
    counts.push(0);
  });
}

data.findings.forEach((finding, i) => {
  finding.index = i;
  preparePath(finding);
  // An edge to nowhere would be a mistake in the analysis; the rest of the picture still helps.
  if (finding.heap)
    finding.heap.edges = finding.heap.edges.filter(e => finding.heap.nodes[e.from] && finding.heap.nodes[e.to]);
  finding.hay = [finding.message, finding.when, finding.rule, finding.level, finding.function,
    placeOf(finding.at), placeOf(finding.from), `cwe-${finding.cwe}`, finding.id]
    .join('\n').toLowerCase();
});

// Too long for its place: the middle goes, as the beginning says what it is and the end where it comes from.
function cutMiddle(text, longest) {
  if (text.length <= longest) return text;
  const head = Math.ceil((longest - 1) * 0.6), tail = longest - 1 - head;
  return `${text.slice(0, head)}…${text.slice(text.length - tail)}`;
}

// Findings that the reader marked as false positives, with reasons: kept by this browser, exported as suppressions.
const MARKS = 'stanch-marks';
let marks = {};
try { marks = JSON.parse(localStorage.getItem(MARKS)) || {}; } catch { /* none, or no storage for this page */ }
function mark(finding, reason) {
  if (reason === null) delete marks[finding.id]; else marks[finding.id] = reason;
  try { localStorage.setItem(MARKS, JSON.stringify(marks)); } catch { /* kept for this visit only */ }
}
const isMarked = finding => Object.hasOwn(marks, finding.id);
// Lines of a file for --suppress; see doc/report.md. Names with blanks or signs of a glob are quoted there.
const inQuotes = text => (/^[A-Za-z0-9_.+/:~-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '?')}"`);
const suppressions = () => data.findings.filter(isMarked).map(f =>
  `${f.rule} ${inQuotes(f.at ? pathOf(f.at) : '*')} ${f.function ? inQuotes(f.function) : '*'} ${(marks[f.id] || 'false positive').replace(/\s+/g, ' ')}\n`).join('');

// What the person has chosen. Filters: an empty set means all.
const view = {
  query: '', rules: new Set(), levels: new Set(), where: '', sort: 'rank',
  shown: data.findings, // after the filters, in order
  finding: null, event: null,
  everyStep: false, // also the events that the short form leaves out
};

const visible = event => {
  if (event.folded && !view.everyStep && !event.parent) return false;
  for (let up = event.parent; up; up = up.parent)
    if (!up.open || (up.folded && !view.everyStep && !up.parent)) return false;
  return true;
};
const visibleEvents = () => view.finding.events.filter(visible);
