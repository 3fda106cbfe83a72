// The heap at the moment of loss, as a picture: variables on the left, what they point to on the
// right of them, a pointer that was cut as a broken line, and what nothing holds any more apart.

const HEAP = { char: 7, pad: 10, title: 20, field: 17, gapX: 58, gapY: 18, longest: 22 };
const shorten = text => (text.length > HEAP.longest ? text.slice(0, HEAP.longest - 1) + '…' : text);

// Columns by distance from the variables, along all edges, cut ones too.
function heapColumns(nodes, edges) {
  const column = nodes.map(n => (n.kind === 'variable' ? 0 : -1));
  let queue = nodes.map((_, i) => i).filter(i => column[i] === 0);
  const spread = () => {
    for (let at = 0; at < queue.length; at++)
      for (const e of edges)
        if (e.from === queue[at] && column[e.to] < 0) {
          column[e.to] = column[e.from] + 1;
          queue.push(e.to);
        }
  };
  spread();
  // What no variable ever reached: cycles and strays.
  nodes.forEach((_, i) => {
    if (column[i] >= 0) return;
    column[i] = 1;
    queue = [i];
    spread();
  });
  return column;
}

function heapLayout(heap) {
  const nodes = heap.nodes.map((n, i) => ({
    ...n, index: i, fields: [], title: shorten(n.label || (n.kind === 'null' ? 'null' : '?')),
    below: n.detail ? shorten(n.detail) : '',
  }));
  const edges = heap.edges.map(e => ({ ...e }));
  for (const e of edges) {
    const from = nodes[e.from];
    // A variable is one slot; an object has a row for each field that points somewhere.
    if (from.kind === 'variable' && !e.label) { e.row = -1; continue; }
    e.row = from.fields.length;
    from.fields.push(shorten(e.label || '*'));
  }
  const column = heapColumns(nodes, edges);
  const columns = [];
  nodes.forEach((n, i) => { (columns[column[i]] = columns[column[i]] || []).push(n); });
  let x = 8, height = 0;
  for (const group of columns) {
    if (!group) continue;
    // Near the nodes that point here; nodes nobody points to keep their order behind them.
    const wish = n => {
      const above = edges.filter(e => e.to === n.index && nodes[e.from].y !== undefined).map(e => nodes[e.from].y);
      return above.length ? above.reduce((a, b) => a + b, 0) / above.length : 1e6 + n.index;
    };
    group.sort((a, b) => wish(a) - wish(b) || a.index - b.index);
    let y = 8, widest = 0;
    for (const n of group) {
      const texts = [n.title, n.below, ...n.fields];
      n.w = Math.max(40, Math.max(...texts.map(t => t.length)) * HEAP.char + 2 * HEAP.pad);
      n.head = HEAP.title + (n.below ? 15 : 0) + 4;
      n.h = n.head + n.fields.length * HEAP.field + (n.fields.length ? 4 : 0);
      n.x = x;
      n.y = y;
      y += n.h + HEAP.gapY + (n.lost ? 12 : 0);
      widest = Math.max(widest, n.w);
    }
    height = Math.max(height, y);
    x += widest + HEAP.gapX;
  }
  return { nodes, edges, width: x - HEAP.gapX + 8, height: height - HEAP.gapY + 12 };
}

function heapWords(heap) {
  const name = i => heap.nodes[i].label || heap.nodes[i].kind;
  const said = heap.edges.map(e =>
    `${name(e.from)}${e.label ? '.' + e.label : ''} ${e.cut ? 'pointed' : 'points'} to ${name(e.to)}${!e.cut && heap.nodes[e.to].freed ? ', which is freed' : ''}`);
  const lost = heap.nodes.filter(n => n.lost).map(n => `nothing points to ${n.label || 'the object'} any more`);
  return [...said, ...lost].join('; ');
}

// What the lines and boxes of this picture mean, as far as it has them.
function heapLegend(heap) {
  const said = [];
  if (heap.edges.some(e => e.cut)) said.push(['cut', 'the pointer that is gone']);
  if (heap.edges.some(e => !e.cut && heap.nodes[e.to].freed)) said.push(['dangling', 'points to freed memory']);
  if (heap.nodes.some(n => n.lost)) said.push(['lost', 'nothing points to it any more']);
  if (heap.nodes.some(n => n.freed)) said.push(['freed', 'freed']);
  return said.length ? el('ul', { class: 'legend' }, said.map(([kind, words]) =>
    el('li', {}, el('span', { class: `key ${kind}`, 'aria-hidden': 'true' }), words))) : null;
}

function heapPicture(heap) {
  const { nodes, edges, width, height } = heapLayout(heap);
  const tip = (kind, x, y, left) => svg('path', {
    class: `tip ${kind}`, d: left ? `M${x + 7} ${y - 4} l-7 4 l7 4 z` : `M${x - 7} ${y - 4} l7 4 l-7 4 z`,
  });
  const draw = e => {
    const [a, b] = [nodes[e.from], nodes[e.to]], kind = e.cut ? 'edge cut' : b.freed ? 'edge dangling' : 'edge';
    const x1 = a.x + a.w, y1 = e.row < 0 ? a.y + a.h / 2 : a.y + a.head + HEAP.field * e.row + HEAP.field / 2;
    const onward = b.x > a.x, y2 = b.y + Math.min(b.h / 2, HEAP.title / 2 + 2);
    const x2 = onward ? b.x : b.x + b.w;
    const bend = onward ? Math.max(24, (x2 - x1) / 2) : 36;
    const c1 = x1 + bend, c2 = onward ? x2 - bend : x2 + bend;
    // The middle of the curve, where a cut pointer gets its cross.
    const mx = (x1 + 3 * c1 + 3 * c2 + x2) / 8, my = (y1 + y2) / 2;
    return svg('g', {},
      svg('path', { class: kind, d: `M${x1} ${y1} C${c1} ${y1} ${c2} ${y2} ${x2} ${y2}` }),
      tip(kind, x2, y2, !onward),
      e.cut ? svg('g', { class: 'cross' }, svg('circle', { cx: mx, cy: my, r: 8 }),
        svg('path', { d: `M${mx - 3.5} ${my - 3.5} l7 7 m0 -7 l-7 7` })) : null);
  };
  const box = n => svg('g', { class: `heap-${n.kind}${n.lost ? ' lost' : ''}${n.freed ? ' freed' : ''}` },
    svg('title', {}, [n.label, n.detail].filter(Boolean).join(', ')),
    svg('rect', { x: n.x, y: n.y, width: n.w, height: n.h, rx: n.kind === 'variable' && !n.fields.length ? n.h / 2 : 6 }),
    svg('text', { x: n.x + n.w / 2, y: n.y + 16, class: 'name' }, n.title),
    n.below ? svg('text', { x: n.x + n.w / 2, y: n.y + 32, class: 'below' }, n.below) : null,
    n.fields.map((field, i) => [
      svg('path', { class: 'rule', d: `M${n.x} ${n.y + n.head + i * HEAP.field} h${n.w}` }),
      svg('text', { x: n.x + HEAP.pad, y: n.y + n.head + i * HEAP.field + 13, class: 'field' }, field),
    ]).flat(),
    n.lost || n.freed ? svg('text', { x: n.x + n.w / 2, y: n.y + n.h + 13, class: 'state' },
      n.lost ? 'lost' : 'freed') : null);
  return svg('svg', {
    class: 'heap', viewBox: `0 0 ${width} ${height + 8}`, width, height: height + 8,
    role: 'img', 'aria-label': heapWords(heap),
  }, edges.map(draw), nodes.map(box));
}
