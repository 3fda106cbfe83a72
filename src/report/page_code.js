// Colours for C and C++: a tokenizer that looks at one line at a time. Between lines only a state
// is carried (inside a comment, a raw string ...), so that the view can colour the region on the
// screen; the states before it are computed once, on the way down.

const KEYWORDS = new Set(('alignas alignof and asm auto break case catch class co_await co_return ' +
  'co_yield concept const const_cast consteval constexpr constinit continue decltype default delete ' +
  'do dynamic_cast else enum explicit export extern false final for friend goto if inline ' +
  'mutable namespace new noexcept not nullptr operator or override private protected public register ' +
  'reinterpret_cast requires restrict return sizeof static static_assert static_cast struct switch ' +
  'template this thread_local throw true try typedef typeid typename typeof union using virtual ' +
  'volatile while _Alignas _Alignof _Atomic _Generic _Noreturn _Static_assert _Thread_local NULL').split(' '));
const TYPES = new Set(('void bool char short int long float double signed unsigned wchar_t char8_t char16_t ' +
  'char32_t size_t ssize_t ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t ' +
  'uint32_t uint64_t off_t time_t pid_t FILE DIR va_list _Bool _Complex').split(' '));

// States: '' plain, '*' block comment, '/' line comment continued by a backslash, '#' directive
// continued, '"' string continued, 'R...' raw string with its closing text.
const CODE = /\/\/|\/\*|(?:u8|[uUL])?R"([^\s()\\"]{0,16})\(|(?:u8|[uUL])?"(?:[^"\\]|\\.)*("|\\$)?|(?:[uUL])?'(?:[^'\\\n]|\\.)+'|\.?\d(?:[eEpP][+-]|'?[\w.])*|[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;
const BLOCK_END = /\*\//g;

// Returns [state behind the line, tokens as a flat list: class, start, end, ...].
function tokenize(line, state, wantTokens) {
  const tokens = [];
  const put = wantTokens ? (kind, from, to) => { if (to > from) tokens.push(kind, from, to); } : () => {};
  const continued = line.endsWith('\\');
  let at = 0, directive = state === '#';
  if (state === '*') {
    BLOCK_END.lastIndex = 0;
    const end = BLOCK_END.exec(line);
    put('c', 0, end ? BLOCK_END.lastIndex : line.length);
    if (!end) return ['*', tokens];
    at = BLOCK_END.lastIndex;
  } else if (state === '/') {
    put('c', 0, line.length);
    return [continued ? '/' : '', tokens];
  } else if (state === '"') {
    const end = /^(?:[^"\\]|\\.)*"/.exec(line);
    at = end ? end[0].length : line.length;
    put('s', 0, at);
    if (!end) return [continued ? '"' : '', tokens];
  } else if (state[0] === 'R') {
    const closing = state.slice(1), end = line.indexOf(closing);
    at = end < 0 ? line.length : end + closing.length;
    put('s', 0, at);
    if (end < 0) return [state, tokens];
  }
  if (at === 0 && !directive) {
    const hash = /^\s*#\s*\w*/.exec(line);
    if (hash) {
      directive = true;
      put('p', hash[0].indexOf('#'), hash[0].length);
      at = hash[0].length;
      const include = /^\s*#\s*include\s*(<[^>]*>)/.exec(line);
      if (include) {
        put('s', include[0].length - include[1].length, include[0].length);
        at = include[0].length;
      }
    }
  }
  for (;;) {
    CODE.lastIndex = at;
    const m = CODE.exec(line);
    if (!m) break;
    const from = m.index;
    at = CODE.lastIndex;
    const text = m[0], first = text[0];
    if (text === '//') {
      put('c', from, line.length);
      return [continued ? '/' : '', tokens];
    }
    if (text === '/*') {
      BLOCK_END.lastIndex = at;
      const end = BLOCK_END.exec(line);
      at = end ? BLOCK_END.lastIndex : line.length;
      put('c', from, at);
      if (!end) return ['*', tokens];
    } else if (m[1] !== undefined) {
      const closing = `)${m[1]}"`, end = line.indexOf(closing, at);
      at = end < 0 ? line.length : end + closing.length;
      put('s', from, at);
      if (end < 0) return ['R' + closing, tokens];
    } else if (text.includes('"')) {
      put('s', from, at);
      if (m[2] !== '"') return [continued ? '"' : '', tokens];
    } else if (text.endsWith('\'')) {
      put('s', from, at);
    } else if (/[\d.]/.test(first)) {
      put('n', from, at);
    } else if (wantTokens) {
      if (KEYWORDS.has(text)) put('k', from, at);
      else if (TYPES.has(text)) put('t', from, at);
      else if (/^\s*\(/.test(line.slice(at, at + 8))) put('f', from, at);
      else if (/^[A-Z][A-Z0-9_]+$/.test(text)) put('m', from, at);
      else put('', from, at);
    }
  }
  return [directive && continued ? '#' : '', tokens];
}

// Columns of a compiler count bytes; strings here count UTF-16 units.
function unitOfColumn(line, column) {
  let bytes = 1, i = 0;
  while (i < line.length && bytes < column) {
    const code = line.codePointAt(i);
    bytes += code < 0x80 || code === 0xfffd ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    i += code > 0xffff ? 2 : 1;
  }
  return i;
}

// A file of the report: its lines, as far as they are in it, and the states between them.
class Code {
  constructor(file) {
    this.path = file.path;
    this.note = file.note || '';
    this.total = file.lines;
    this.parts = file.parts.map(part => {
      const lines = part.text.split('\n');
      if (lines.length > 1 && lines[lines.length - 1] === '') lines.pop();
      return { first: part.first, lines, states: [''] };
    });
    this.last = this.parts.reduce((n, p) => Math.max(n, p.first + p.lines.length - 1), 1);
    this.widest = 0;
    for (const part of this.parts)
      for (const line of part.lines) this.widest = Math.max(this.widest, line.length);
  }
  partOf(line) {
    return this.parts.find(p => line >= p.first && line < p.first + p.lines.length);
  }
  text(line) {
    const part = this.partOf(line);
    return part ? part.lines[line - part.first] : null;
  }
  tokens(line) {
    const part = this.partOf(line);
    if (!part) return [];
    const want = line - part.first;
    for (let i = part.states.length - 1; i < want; i++)
      part.states[i + 1] = tokenize(part.lines[i], part.states[i], false)[0];
    return tokenize(part.lines[want].slice(0, 2 * WIDEST), part.states[want], true)[1];
  }
}
const codes = new Map();
function codeOf(fileIndex) {
  if (!codes.has(fileIndex)) codes.set(fileIndex, new Code(data.files[fileIndex]));
  return codes.get(fileIndex);
}

// Lines are cut on the screen: one line of a generated file can be megabytes long.
const WIDEST = 600;

// A line as nodes. marks: [from, to, class], in order and apart from each other.
function codeNodes(code, line, marks) {
  let text = code.text(line);
  if (text === null) return [];
  if (text.endsWith('\r')) text = text.slice(0, -1);
  text = tame(text);
  const limit = Math.min(text.length, WIDEST), tokens = code.tokens(line), nodes = [];
  // One piece of a token, or of what lies between two: cut where marks begin and end.
  const put = (kind, from, to) => {
    for (const [low, high, name] of [...marks, [limit, limit, '']]) {
      if (from >= to || high <= from) continue;
      const before = Math.min(low, to);
      if (before > from) nodes.push(kind ? el('span', { class: 't-' + kind }, text.slice(from, before)) : text.slice(from, before));
      from = Math.max(from, before);
      const end = Math.min(high, to);
      if (end > from) nodes.push(el('mark', { class: name + (kind ? ' t-' + kind : '') }, text.slice(from, end)));
      from = Math.max(from, end);
    }
  };
  let at = 0;
  for (let i = 0; i < tokens.length && tokens[i + 1] < limit; i += 3) {
    const from = tokens[i + 1], to = Math.min(tokens[i + 2], limit);
    put('', at, from);
    put(tokens[i], from, to);
    at = to;
  }
  put('', at, limit);
  if (text.length > limit)
    nodes.push(el('span', { class: 'cut' }, ` … ${plural(text.length - limit, 'more character')}`));
  return nodes;
}

// What an event marks in its line: the code its sentence begins with, where that stands there;
// else the token at its column.
function markOf(code, event) {
  const text = code.text(event.at[1]), from = unitOfColumn(text, event.at[2]);
  const said = /^'(.+?)'(?![\w'])/.exec(event.text);
  let to = from + 1;
  if (said && text.startsWith(said[1], from)) to = from + said[1].length;
  else {
    const tokens = code.tokens(event.at[1]);
    for (let i = 0; i < tokens.length; i += 3)
      if (from >= tokens[i + 1] && from < tokens[i + 2]) to = tokens[i + 2];
  }
  return [from, to, `m-${event.kind}`];
}
