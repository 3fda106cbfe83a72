// The source beside a finding: lines, a note under each line where the path has an event, and in
// the margin the events' numbers joined by arrows. Rows have fixed heights, so that the place of
// every row is known without drawing it; only those near the screen exist as elements.

const LINE = 20, NOTE = 30; // heights in CSS pixels; page.css says the same
const LANES = 4;            // arrows beside each other in the margin

class SourceView {
  constructor(box) {
    this.box = box;
    this.scroller = el('div', { class: 'source', tabindex: '0', role: 'region', 'aria-label': 'Source' });
    this.canvas = el('div', { class: 'canvas' });
    this.block = el('div', { class: 'block' });
    this.canvas.append(this.block);
    this.scroller.append(this.canvas);
    this.ticks = el('div', { class: 'ticks', 'aria-hidden': 'true', title: 'Where in the file the steps of the path are; click one to go there' });
    box.append(this.scroller, this.ticks);
    this.file = -1;
    this.rowOf = new Map();
    this.scroller.addEventListener('scroll', () => requestAnimationFrame(() => this.draw()), { passive: true });
  }

  // Lays the rows out anew: after another file, or after folding.
  show(fileIndex) {
    this.file = fileIndex;
    this.code = codeOf(fileIndex);
    this.notes = visibleEvents().filter(e => e.at && e.at[0] === fileIndex);
    const under = new Map();
    for (const e of this.notes) {
      if (!under.has(e.at[1])) under.set(e.at[1], []);
      under.get(e.at[1]).push(e);
    }
    // Rows: a line's number, an event, or a gap's text.
    this.rows = [];
    let next = 1;
    const gap = (from, to) => {
      if (to >= from)
        this.rows.push(`lines ${from} to ${to} are not part of this report`);
    };
    for (const part of this.code.parts) {
      gap(next, part.first - 1);
      for (let i = 0; i < part.lines.length; i++) {
        const line = part.first + i;
        this.rows.push(line);
        if (under.has(line)) {
          this.rows.push(...under.get(line));
          under.delete(line);
        }
      }
      next = part.first + part.lines.length;
    }
    gap(next, this.code.total);
    // Events on lines that the text does not have (a file that changed since).
    for (const line of [...under.keys()].sort((a, b) => a - b)) this.rows.push(line, ...under.get(line));
    this.tops = new Float64Array(this.rows.length + 1);
    this.rowOf = new Map();
    this.rows.forEach((row, i) => {
      this.tops[i + 1] = this.tops[i] + (typeof row === 'object' ? NOTE : LINE);
      if (typeof row === 'object') this.rowOf.set(row, i);
    });
    this.marks = new Map();
    for (const e of this.notes) {
      if (this.code.text(e.at[1]) === null) continue;
      if (!this.marks.has(e.at[1])) this.marks.set(e.at[1], []);
      if (e.at[2]) this.marks.get(e.at[1]).push(markOf(this.code, e));
    }
    for (const [line, marks] of this.marks) {
      marks.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
      this.marks.set(line, marks.filter((m, i) => i === 0 || m[0] >= marks[i - 1][1]));
    }
    this.layArrows();
    this.canvas.style.height = `${this.tops[this.rows.length]}px`;
    this.canvas.style.minWidth = `calc(${Math.min(this.code.widest, WIDEST) + 4}ch + 120px)`;
    this.drawn = null;
    // Mostly an event is revealed next, which draws; drawing here too would draw twice.
    requestAnimationFrame(() => { this.draw(); this.drawTicks(); });
  }

  // An arrow joins each event to the next one shown; what happens on the sibling path only is an
  // aside, joined by a broken one. Where arrows overlap they take lanes, the shortest nearest to
  // the text, so that no two run on top of each other while lanes last.
  layArrows() {
    this.arrows = [];
    let last = null;
    for (const event of visibleEvents()) {
      const [a, b] = [this.rowOf.get(last), this.rowOf.get(event)];
      const aside = event.kind === 'sibling' || event.kind === 'also' || event.kind === 'part' || event.kind === 'same';
      if (a !== undefined && b !== undefined) {
        const y = row => this.tops[row] + NOTE / 2;
        this.arrows.push({ from: y(a), to: y(b), low: Math.min(a, b), high: Math.max(a, b), event, aside, lane: 0 });
      }
      if (!aside) last = event;
    }
    const placed = [];
    for (const arrow of [...this.arrows].sort((p, q) => p.high - p.low - (q.high - q.low))) {
      const taken = new Set(placed.filter(o => o.low < arrow.high && arrow.low < o.high).map(o => o.lane));
      while (taken.has(arrow.lane) && arrow.lane < LANES - 1) arrow.lane++;
      placed.push(arrow);
    }
  }

  rowAt(y) {
    let low = 0, high = this.rows.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.tops[mid + 1] <= y) low = mid + 1; else high = mid;
    }
    return low;
  }

  draw() {
    if (this.file < 0) return;
    const top = this.scroller.scrollTop, bottom = top + this.scroller.clientHeight;
    const from = this.rowAt(top), to = Math.min(this.rows.length, this.rowAt(bottom) + 1);
    if (this.drawn && from >= this.drawn[0] && to <= this.drawn[1]) return;
    this.drawn = [Math.max(0, from - 40), Math.min(this.rows.length, to + 40)];
    const nodes = [this.drawArrows(this.tops[this.drawn[0]], this.tops[this.drawn[1]])];
    for (let i = this.drawn[0]; i < this.drawn[1]; i++) {
      const row = this.rows[i];
      nodes.push(typeof row === 'number' ? this.lineRow(row)
        : typeof row === 'string' ? el('div', { class: 'gap' }, el('span', { class: 'gutter' }), `⋯ ${row}`)
          : this.noteRow(row));
    }
    this.block.replaceChildren(...nodes);
    this.block.style.top = `${this.tops[this.drawn[0]]}px`;
    this.markCurrent();
  }

  drawArrows(top, bottom) {
    const lines = this.arrows.filter(a => Math.max(a.from, a.to) >= top && Math.min(a.from, a.to) <= bottom)
      .map(a => {
        const x0 = 50, x = 38 - a.lane * 9;
        // Out of the number to the left, along its lane, and back in; drawn to the screen's
        // region only, because browsers dislike shapes of a million pixels.
        const y = v => Math.max(-200, Math.min(bottom - top + 200, v - top));
        const [y1, y2] = [y(a.from), y(a.to)], way = Math.sign(y2 - y1) || 1;
        const r = Math.min(7, Math.abs(y2 - y1) / 2);
        return svg('g', { class: `arrow k-${a.event.kind}${a.aside ? ' aside' : ''}`, 'data-event': a.event.label },
          svg('path', {
            d: `M${x0} ${y1 + way * 3} H${x + r} Q${x} ${y1 + way * 3} ${x} ${y1 + way * (r + 3)} ` +
               `V${y2 - way * (r + 3)} Q${x} ${y2 - way * 3} ${x + r} ${y2 - way * 3} H${x0 - 3}`,
          }),
          svg('path', { class: 'head', d: `M${x0 - 6} ${y2 - way * 3 - 3.5} l6.5 3.5 l-6.5 3.5 z` }));
      });
    return svg('svg', { class: 'arrows', width: '64', height: '1', 'aria-hidden': 'true' }, lines);
  }

  lineRow(line) {
    const marks = this.marks.get(line);
    return el('div', { class: marks ? 'line hit' : 'line' },
      el('span', { class: 'gutter' }, el('span', { class: 'no' }, String(line))),
      el('code', {}, this.code.text(line) === null
        ? el('i', {}, 'this line is not in the file that was found') : codeNodes(this.code, line, marks || [])));
  }

  noteRow(event) {
    const text = this.code.text(event.at[1]) || '';
    const note = el('div', { class: 'bubble' }, el('span', { class: 'say' }, ...prose(event.text)),
      foldButton(event), elsewhere(event));
    const columns = /^\s*/.exec(text)[0].replace(/\t/g, '        ').length;
    note.style.marginLeft = `calc(${Math.min(columns, 40)}ch + 10px)`;
    return el('div', { class: `note k-${event.kind}`, 'data-event': event.label, onclick: () => go(event) },
      el('span', { class: 'gutter' }, badge(event)), note);
  }

  drawTicks() {
    const height = Math.max(this.tops[this.rows.length], this.scroller.clientHeight, 1);
    this.ticks.replaceChildren(...this.notes.map(e => {
      const tick = el('button', { type: 'button', tabindex: '-1', class: `tick k-${e.kind}`, title: `${e.label}: ${e.text} (line ${e.at[1]})`, onclick: () => go(e) });
      tick.style.top = `${100 * this.tops[this.rowOf.get(e)] / height}%`;
      return tick;
    }));
  }

  markCurrent() {
    for (const node of this.block.querySelectorAll('[data-event]'))
      node.classList.toggle('now', view.event !== null && node.dataset.event === view.event.label);
  }

  // Brings an event on the screen, below what led to it, unless it is comfortably there already.
  // At first: all events of the file where they fit.
  reveal(event, first) {
    const row = this.rowOf.get(event), s = this.scroller;
    if (row === undefined) return;
    const y = this.tops[row], rows = [...this.rowOf.values()];
    const low = this.tops[Math.min(...rows)] - 4 * LINE, high = this.tops[Math.max(...rows) + 1] + 3 * LINE;
    if (first && high - low <= s.clientHeight)
      s.scrollTop = Math.max(0, low - (s.clientHeight - (high - low)) / 3);
    else if (y - 3 * LINE < s.scrollTop || y + NOTE + 3 * LINE > s.scrollTop + s.clientHeight)
      s.scrollTop = Math.max(0, y - s.clientHeight * (first ? 0.65 : 0.4));
    s.scrollLeft = 0;
    this.draw();
    this.markCurrent();
  }
}

// A line of the file that is shown, if it is in the report: for the steps of a witness.
SourceView.prototype.revealLine = function (line) {
  const row = this.rows.indexOf(line), s = this.scroller;
  if (row < 0) return;
  const y = this.tops[row];
  if (y - 3 * LINE < s.scrollTop || y + 4 * LINE > s.scrollTop + s.clientHeight)
    s.scrollTop = Math.max(0, y - s.clientHeight * 0.4);
  this.draw();
};

const badge = event => el('span', { class: `badge${event.label.length > 2 ? ' long' : ''}` }, event.label);

function foldButton(event) {
  if (!event.kids) return null;
  return el('button', {
    type: 'button', class: 'fold', 'aria-expanded': String(event.open),
    onclick: e => { e.stopPropagation(); toggle(event); },
  }, event.open ? 'fold' : `${plural(event.kids, 'step')} inside`);
}

// Where the path goes on in another file.
function elsewhere(event) {
  const events = visibleEvents(), next = events[events.indexOf(event) + 1];
  if (!next || !next.at || next.at[0] === event.at[0]) return null;
  return el('button', {
    type: 'button', class: 'fold', 'aria-label': `Go on to event ${next.label} in ${pathOf(next.at)}`,
    onclick: e => { e.stopPropagation(); go(next); },
  }, `→ ${next.label} in ${baseOf(pathOf(next.at))}`);
}
