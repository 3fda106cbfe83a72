// Objects and memory of one path. Cells are kept by base and byte offset, so that writing one
// field, or an array beside it, never forgets a pointer in another field. Addresses with a symbolic
// part have cells of their own under ADDR(base, index, 0); two different indices are taken to be
// different elements, which errs towards a missed leak, never towards a false one, because what
// is in any of them counts as reachable.
#include "heap/heap.h"

#include "base/hash.h"
#include "heap/limits.h"
#include "unit/types.h"

enum { MAX_CELL = 16 }; // bytes of the widest register value

ObjState obj_get(const State *s, Term base)
{
    uint64_t word;
    if (!pmap_get(s->objs, base.id, &word)) return (ObjState){OBJ_UNKNOWN, 0, 0, {0}};
    return (ObjState){(ObjStatus)(word & 0xff),
                 (uint32_t)(word >> 8 & 0xff),
                 (uint32_t)(word >> 16),
                 {(uint32_t)(word >> 48)}};
}

void obj_set(Work *w, State *s, Term base, ObjState o)
{
    if (o.status == OBJ_FREED || (o.flags & (OBJF_ESCAPED | OBJF_TAKEN))) {
        const ObjInfo *info = obj_info(w, base);
        if (info) bits_add(&w->disposed, info->ins);
    }
    s->objs = pmap_set(w->arena, s->objs, base.id,
                       (uint64_t)o.family.id << 48 | (uint64_t)o.ins << 16 |
                           (uint64_t)o.flags << 8 | (uint64_t)o.status);
}

ObjInfo *obj_info(Work *w, Term heap)
{
    uint64_t *at = map_get(&w->info_of, heap.id);
    return at ? w->infos.at[*at] : NULL;
}

void story_add(Work *w, State *s, StoryKind kind, uint32_t ins, Term a, Term b, bool flag,
               const char *text)
{
    Story *n = arena_new_of(w->arena, Story);
    // Turns and successes say nothing new: which of two stories is the plainer does not depend on them.
    bool plain = kind == STORY_TURN || kind == STORY_UNPLACED || (kind == STORY_CALL && b.id == CALL_SUCCEEDS);
    uint32_t length = (s->story ? s->story->length : 0) + !plain;
    uint8_t round = (uint8_t)(s->iter ^ s->iter >> 8 ^ s->iter >> 16 ^ s->iter >> 24);
    *n = (Story){s->story, (uint8_t)kind, flag, round, length, ins, a, b, s->guesses, text,
                 kind == STORY_FREE ? w->inside : NULL, kind == STORY_CALL ? w->taken : NULL};
    s->story = n;
}

void state_doubt(Work *w, State *s, DoubtId id, uint32_t ins)
{
    if (!doubt_has(&s->doubts, id) && !without_doubt(&w->findings->without, id))
        doubt_add(w->arena, &s->doubts, id, pos_of_ins(w, ins), NULL);
}

// What is named by a number is named by a small one, so that the next one is larger: programs keep
// them so. Where one of the first three was just closed it is the lowest that is free (POSIX), and
// takes that place.
static void number_is_small(Work *w, State *s, Term h)
{
    enum { LARGEST = INT32_MAX / 2 };
    Range r = cond_range(&w->conds, s->facts, h);
    if (r.smax > LARGEST) r.smax = LARGEST;
    if (s->flags & STATE_CLOSED_MASK) {
        s->flags -= STATE_CLOSED;
        if (r.smax > LAST_STANDARD_STREAM) r.smax = LAST_STANDARD_STREAM;
    }
    cond_restrict(&w->conds, &s->facts, h, &r);
}

Term obj_new(Work *w, State *s, uint32_t ins, uint32_t number, const ObjInfo *like, uint32_t width)
{
    w->silent = false;
    Term h = term_leaf(&w->terms, T_HEAP, width, ins, number, s->iter, 0);
    ObjInfo *known = obj_info(w, h), info = *like;
    info.term = h;
    info.ins = ins;
    if (!known) {
        map_set(&w->info_of, h.id, w->infos.len);
        vec_push(&w->infos, arena_copy(w->arena, &info, sizeof info));
    } else if (known->unborn) {
        *known = info;
    }
    // The same place in the same iteration again: a new object takes the name of the old one, which
    // must be gone or is lost now.
    obj_set(w, s, h, (ObjState){OBJ_ALLOCATED, 0, ins, {0}});
    content_forget(w, s, h);
    s->sizes = like->size.id ? pmap_set(w->arena, s->sizes, h.id, like->size.id)
                             : pmap_drop(w->arena, s->sizes, h.id);
    if (like->zeroed) content_set(w, s, h, CONTENT_ZERO);
    story_add(w, s, STORY_NEW, ins, h, (Term){0}, false, NULL);
    if (like->resource && width == NUMBER_BITS && assumes(w, ASSUME_SMALL_NUMBER))
        number_is_small(w, s, h);
    return h;
}

// The case that brings the object is possible; another of the same callee may have been so too.
void obj_born(Work *w, Term heap, const ObjInfo *like)
{
    ObjInfo *info = obj_info(w, heap), old = *info;
    if (old.unborn) {
        *info = *like;
        info->term = heap;
        info->ins = old.ins;
        info->unborn = false;
        return;
    }
    info->several |= like->several || !pos_same(old.pos, like->pos);
    if (!old.believed) info->believed = like->believed, info->doubt = like->doubt;
}

Term obj_size(const State *s, Term heap)
{
    uint64_t size;
    return pmap_get(s->sizes, heap.id, &size) ? (Term){(uint32_t)size} : (Term){0};
}

Term fail_condition(Work *w, Term heap)
{
    const ObjInfo *info = obj_info(w, heap);
    uint32_t width = term_width(&w->terms, heap);
    Terms *t = &w->terms;
    if (!info) return term_int(t, 1, 0);
    switch (info->fail) {
    case SPEC_OR_NULL:
        return term_eq(t, heap, term_int(t, width, 0));
    case SPEC_OR_NEGATIVE:
        return term_slt(t, heap, term_int(t, width, 0));
    case SPEC_OR_VALUE:
        return term_eq(t, heap, term_int(t, width, info->fail_value));
    case SPEC_NO_FAIL:
        break;
    }
    return term_int(t, 1, 0);
}

bool obj_failed(Work *w, const State *s, Term heap)
{
    return cond_decide(&w->conds, s->facts, fail_condition(w, heap)) == COND_TRUE;
}

static uint32_t type_bits(const Work *w, MType type)
{
    switch (mtype_class(type)) {
    case MT_INT:
        return mtype_size(type) > 64 ? 64 : mtype_size(type);
    case MT_PTR:
        return w->terms.pointer_bits;
    case MT_FLOAT:
        return mtype_size(type) >= 8 ? 64 : mtype_size(type) * 8;
    default:
        return 0;
    }
}

Term value_width(Work *w, Term x, MType type)
{
    uint32_t want = type_bits(w, type), have = term_width(&w->terms, x);
    if (want == have) return x;
    if (want == 0) return term_setpart(&w->terms, (Term){0}, x, 0);
    if (have == 0) {
        Term piece = term_part(&w->terms, x, 0);
        if (piece.id && term_width(&w->terms, piece) == want) return piece;
        return term_leaf(&w->terms, T_UNDEF, want, x.id, 0, 0, 0);
    }
    return term_convert(&w->terms, have > want ? T_TRUNC : T_ZEXT, x, want);
}

uint32_t number_by_target(Work *w, uint32_t callee, uint32_t what, bool model)
{
    bool fresh;
    uint64_t key = (uint64_t)model << 63 | (uint64_t)callee << 32 | what;
    uint64_t *index = map_at(&w->by_target, key, w->by_target.len, &fresh);
    return made(MADE_BY_CALLEE, (uint32_t)*index);
}

Term value_unknown(Work *w, const State *s, uint32_t ins, uint32_t number, MType type)
{
    return bits_unknown(w, s, ins, number, type_bits(w, type));
}

Term bits_unknown(Work *w, const State *s, uint32_t ins, uint32_t number, uint32_t bits)
{
    return term_leaf(&w->terms, T_RESULT, bits, ins, number, s->iter, 0);
}

// ---- What a cell without an entry holds.

static Term global_content(Work *w, Term base, int64_t offset, uint32_t bits)
{
    GlobalId g = {term_node(&w->terms, base)->a};
    const Const *c;
    const Unit *u;
    uint32_t unit_index;
    switch (facts_global_init(w->facts, w->trace, g, offset, bits / 8, &u, &unit_index, &c)) {
    case GLOBAL_INIT_ZERO:
        return term_int(&w->terms, bits, 0);
    case GLOBAL_INIT_CONST:
        return constant_term(w, u, unit_index, c, bits);
    case GLOBAL_INIT_UNKNOWN:
        break;
    }
    return (Term){0};
}

// `base` may be ADDR(real base, index, 0) for an address with a symbolic part.
static Term default_content(Work *w, const State *s, Term base, int64_t offset, uint32_t bits)
{
    Terms *t = &w->terms;
    Address at = term_address(t, base);
    uint64_t content = CONTENT_INITIAL;
    // At an unknown place it may be of the part that was written last of all by offset.
    bool said = content_at(s, at.base, at.index.id ? INT32_MAX : offset, &content);
    // Whatever code may have been there, it has not written what nobody writes.
    if (term_kind(t, at.base) == T_GLOBAL && !at.index.id) {
        Term known = global_content(w, at.base, offset, bits);
        if (known.id) return known;
    }
    if (said && content_kind(content) == CONTENT_ZERO) return term_int(t, bits, 0);
    if (said && content_kind(content) == CONTENT_COPY && !at.index.id)
        return default_content(w, s, content_source(content), offset, bits);
    if (said && content_kind(content) >= CONTENT_HAVOC)
        return term_leaf(t, T_HAVOC, bits, (uint32_t)(content >> 3 & 0x1fffffff), base.id,
                         (uint32_t)(content >> 32), offset);
    switch (term_kind(t, at.base)) {
    case T_HEAP:
        // What makes a thing has set its pointers; a path does not end where one of them is followed.
        if (bits == t->pointer_bits && obj_info(w, at.base)->filled)
            return term_leaf(t, T_HAVOC, bits, obj_info(w, at.base)->ins, base.id, 0, offset);
        return term_leaf(t, T_UNDEF, bits, base.id, 0, 0, offset);
    case T_LOCAL:
        return term_leaf(t, T_UNDEF, bits, base.id, 0, 0, offset);
    default:
        break;
    }
    // Sparrow's explore address, k-bounded: beyond the bound one unknown stands for all.
    if (term_node(t, base)->depth >= EXPLORE_DEPTH)
        return term_leaf(t, T_UNDEF, bits, base.id, 0, 1, offset);
    return term_leaf(t, T_INPUT, bits, at.base.id, at.index.id, 0, offset);
}

// ---- Overlapping cells.

typedef struct {
    uint64_t key, value;
} Cell;

typedef struct {
    int64_t offset;
    uint64_t bytes;
    VEC(Cell) cells;
} Overlap;

static bool overlap_visit(void *context, uint64_t key, uint64_t value)
{
    Overlap *o = context;
    int64_t at = cell_offset(key);
    if (at + (int64_t)cell_size(value) > o->offset) vec_push(&o->cells, ((Cell){key, value}));
    return true;
}

// Offsets beyond 31 bits fold onto the edges of the key space; they do not occur in real structs.
static int64_t clamp(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

static Overlap overlap(const State *s, Term base, int64_t offset, uint64_t bytes)
{
    Overlap o = {.offset = clamp(offset), .bytes = bytes};
    int64_t last = bytes > INT32_MAX ? INT32_MAX : clamp(offset + (int64_t)bytes - 1);
    pmap_range(s->mem, cell_key(base, clamp(offset - MAX_CELL)), cell_key(base, last),
               overlap_visit, &o);
    return o;
}

typedef struct {
    Work *w;
    State *s;
} Queue;

static void queue_base(void *context, Term base)
{
    Queue *q = context;
    if (term_kind(&q->w->terms, base) == T_HEAP)
        q->s->lost = pmap_set(q->w->arena, q->s->lost, base.id, 1);
}

void queue_lost(Work *w, State *s, Term x)
{
    Queue q = {w, s};
    if (x.id && (term_node(&w->terms, x)->flags & TERM_HAS_HEAP))
        term_each_base(&w->terms, x, queue_base, &q);
}

static void drop_cell(Work *w, State *s, const Cell *c)
{
    s->mem = pmap_drop(w->arena, s->mem, c->key);
    queue_lost(w, s, cell_term(c->value));
}

static void drop_range(Work *w, State *s, Term base, int64_t offset, uint64_t bytes)
{
    Overlap o = overlap(s, base, offset, bytes);
    vec_each (i, &o.cells) drop_cell(w, s, &o.cells.at[i]);
    vec_free(&o.cells);
}

void mem_forget(Work *w, State *s, Term base)
{
    drop_range(w, s, base, INT32_MIN + MAX_CELL, UINT32_MAX);
}

// The bits from `shift` on of what `tiled` made of several cells; none: it is nothing of that kind.
static Term tile(Terms *t, Term x, uint32_t shift, uint32_t bits)
{
    const TermNode n = *term_node(t, x);
    int64_t by;
    if (n.kind == T_INT) return term_int(t, bits, (int64_t)((uint64_t)n.value >> shift));
    if (n.kind == T_ZEXT) {
        uint32_t width = term_width(t, (Term){n.a});
        if (shift >= width) return term_int(t, bits, 0);
        if (!shift && width == bits) return (Term){n.a};
        return shift + bits <= width ? tile(t, (Term){n.a}, shift, bits) : (Term){0};
    }
    if (n.kind == T_SHL && term_is_int(t, (Term){n.b}, &by)) {
        if (shift + bits <= (uint64_t)by) return term_int(t, bits, 0);
        return shift >= (uint64_t)by ? tile(t, (Term){n.a}, shift - (uint32_t)by, bits) : (Term){0};
    }
    if (n.kind != T_OR) return (Term){0};
    Term a = tile(t, (Term){n.a}, shift, bits), b = tile(t, (Term){n.b}, shift, bits);
    if (!a.id || !b.id) return (Term){0};
    return term_is_zero(t, a) ? b : term_is_zero(t, b) ? a : (Term){0};
}

// A piece of a wider value.
static Term extract(Work *w, Term x, uint32_t delta, uint32_t bits)
{
    Terms *t = &w->terms;
    const TermNode n = *term_node(t, x);
    switch (n.kind) {
    case T_INPUT:
    case T_HAVOC:
        return term_leaf(t, (TermKind)n.kind, bits, n.a, n.b, n.c, n.value + delta);
    case T_UNDEF:
        return term_leaf(t, T_UNDEF, bits, n.a, n.b, n.c, n.value + delta);
    case T_PARTS: {
        Term piece = term_part(t, x, delta);
        if (piece.id && term_width(t, piece) == bits) return piece;
        return term_leaf(t, T_UNDEF, bits, x.id, 0, 2, delta);
    }
    default:
        break;
    }
    if (n.width == 0 || bits == 0) return term_leaf(t, T_UNDEF, bits, x.id, 0, 2, delta);
    Term piece = tile(t, x, delta * 8, bits);
    if (piece.id) return piece;
    if (delta) x = term_binary(t, T_LSHR, x, term_int(t, n.width, delta * 8));
    return bits < n.width ? term_convert(t, T_TRUNC, x, bits) : x;
}

// The number that several cells make together: small structs are passed and returned in one register. None: they
// reach beyond, or leave a gap where something else may stand. Descriptors and the padding of a local
// make it a struct of pieces.
static Term tiled(Work *w, const Overlap *o, uint32_t bytes, uint32_t bits, bool padded)
{
    Terms *t = &w->terms;
    Term all = {0}, pieces = {0};
    uint32_t have = 0;
    bool number = true;
    if (bits != bytes * 8 || bits > 64) return all;
    vec_each (i, &o->cells) {
        Term x = cell_term(o->cells.at[i].value);
        uint32_t size = cell_size(o->cells.at[i].value);
        int64_t gap = cell_offset(o->cells.at[i].key) - o->offset - have;
        if (gap < 0 || (gap && !padded) || term_width(t, x) != size * 8 || have + (uint32_t)gap + size > bytes)
            return (Term){0};
        number &= !gap && !(term_node(t, x)->flags & TERM_HAS_HEAP);
        have += (uint32_t)gap;
        pieces = term_tile(t, pieces, x, have, bits);
        x = term_convert(t, T_ZEXT, x, bits);
        if (have) x = term_binary(t, T_SHL, x, term_int(t, bits, have * 8));
        if (number) all = all.id ? term_binary(t, T_OR, all, x) : x;
        have += size;
    }
    if (have == bytes && number) return all;
    return have == bytes || padded ? pieces : (Term){0};
}

static Term load_scalar(Work *w, State *s, Term base, int64_t offset, uint32_t bytes, uint32_t bits,
                        uint32_t ins)
{
    uint64_t value;
    Terms *t = &w->terms;
    offset = clamp(offset);
    if (pmap_get(s->mem, cell_key(base, offset), &value) && cell_size(value) == bytes) {
        Term x = cell_term(value);
        if (term_width(t, x) == bits) return x;
        if (term_width(t, x) > bits && bits) return term_convert(t, T_TRUNC, x, bits);
        if (bits == 0) return x;
    }
    Overlap o = overlap(s, base, offset, bytes);
    Term result = {0};
    if (o.cells.len == 1) {
        int64_t at = cell_offset(o.cells.at[0].key);
        if (at <= offset && at + (int64_t)cell_size(o.cells.at[0].value) >= offset + bytes)
            result = extract(w, cell_term(o.cells.at[0].value), (uint32_t)(offset - at), bits);
    }
    if (!result.id && o.cells.len) result = tiled(w, &o, bytes, bits, term_kind(t, base) == T_LOCAL);
    if (!result.id && o.cells.len) {
        // Made of several cells. A pointer inside is still seen by the collector of what is
        // reachable through its own cell.
        result = term_leaf(t, T_RESULT, bits, ins, made(MADE_PIECES, 0), s->iter, offset);
    }
    vec_free(&o.cells);
    return result.id ? result : default_content(w, s, base, offset, bits);
}

Term mem_cell(Work *w, State *s, Term home, int64_t offset, uint32_t bytes, uint32_t bits,
              uint32_t ins)
{
    return load_scalar(w, s, home, offset, bytes, bits, ins);
}

// Where the cells of an address are: the base itself or ADDR(base, index, 0).
static Term cell_home(Work *w, const Address *a)
{
    if (!a->index.id) return a->base;
    return term_raw(&w->terms, (TermNode){.kind = T_ADDR,
                                          .width = (uint8_t)w->terms.pointer_bits,
                                          .a = a->base.id,
                                          .b = a->index.id});
}

Term mem_load(Work *w, State *s, Term address, uint32_t bytes, MType type, uint32_t ins)
{
    Terms *t = &w->terms;
    const TermNode n = *term_node(t, address);
    uint32_t bits = type_bits(w, type);
    if (n.kind == T_ITE) {
        Term p = mem_load(w, s, (Term){n.b}, bytes, type, ins),
             q = mem_load(w, s, (Term){n.c}, bytes, type, ins);
        if (term_width(t, p) == term_width(t, q) && bits) return term_ite(t, (Term){n.a}, p, q);
        return value_unknown(w, s, ins, made(MADE_VALUE, 0), type);
    }
    Address a = term_address(t, address);
    if (!a.base.id) return value_unknown(w, s, ins, made(MADE_VALUE, 0), type);
    Term home = cell_home(w, &a);
    if (bits) {
        uint32_t size = bytes ? bytes : bits / 8;
        return load_scalar(w, s, home, a.offset, size, bits, ins);
    }
    // A struct as a value: its words.
    if (bytes == 0 || bytes > AGGREGATE_LIMIT) return value_unknown(w, s, ins, made(MADE_VALUE, 0), type);
    // Its cells as they are; words that nothing was written to as what stood there.
    Term agg = {0};
    uint32_t step = t->pointer_bits / 8;
    Overlap o = overlap(s, home, a.offset, bytes);
    for (uint32_t at = 0; at < bytes; at += step) {
        uint32_t left = bytes - at < step ? bytes - at : step;
        bool covered = false;
        vec_each (i, &o.cells) {
            int64_t c = cell_offset(o.cells.at[i].key) - a.offset;
            covered |= c < (int64_t)at + left && c + cell_size(o.cells.at[i].value) > at;
        }
        if (!covered)
            agg = term_setpart(t, agg, default_content(w, s, home, clamp(a.offset + at), left * 8),
                               at);
    }
    vec_each (i, &o.cells) {
        int64_t c = cell_offset(o.cells.at[i].key) - a.offset;
        if (c >= 0) agg = term_setpart(t, agg, cell_term(o.cells.at[i].value), c);
    }
    vec_free(&o.cells);
    return agg;
}

static void put(Work *w, State *s, Term home, int64_t offset, uint32_t bytes, Term value)
{
    if (term_kind(&w->terms, home) == T_ADDR) {
        s->flags |= STATE_SYMBOLIC;
        reach_note_symbolic(w, term_address(&w->terms, home).base);
    }
    rest_stored(w, home, value);
    rest_note(w, home, REST_CHANGED);
    drop_range(w, s, home, offset, bytes);
    s->mem = pmap_set(w->arena, s->mem, cell_key(home, clamp(offset)), cell_value(bytes, value));
}

typedef struct {
    Work *w;
    bool any;
} Partial;

static void find_partial(void *context, Term base)
{
    Partial *p = context;
    const ObjInfo *info = term_kind(&p->w->terms, base) == T_HEAP ? obj_info(p->w, base) : NULL;
    const SpecFamily *f = info ? spec_family(p->w->facts->specs, info->family) : NULL;
    p->any |= f && f->partial;
}

void mem_store(Work *w, State *s, Term address, uint32_t bytes, Term value, uint32_t ins)
{
    Terms *t = &w->terms;
    const TermNode n = *term_node(t, address);
    if (n.kind == T_ITE) {
        // One of two places: both get a choice between old and new.
        Term places[2] = {{n.b}, {n.c}};
        MType type = mtype(MT_INT, term_width(t, value));
        for (int i = 0; i < 2 && term_width(t, value); i++) {
            Term old = mem_load(w, s, places[i], bytes, type, ins);
            Term both = i == 0 ? term_ite(t, (Term){n.a}, value, old)
                               : term_ite(t, (Term){n.a}, old, value);
            mem_store(w, s, places[i], bytes, both, ins);
        }
        return;
    }
    Address a = term_address(t, address);
    if (!a.base.id) return;
    Term home = cell_home(w, &a);
    if (term_kind(t, value) == T_PARTS) {
        drop_range(w, s, home, a.offset, bytes);
        for (Term at = value; at.id && term_kind(t, at) == T_PARTS;
             at = (Term){term_node(t, at)->a}) {
            const TermNode p = *term_node(t, at);
            uint64_t old;
            Term piece = {p.b};
            uint32_t size = (term_width(t, piece) + 7) / 8;
            // The newest piece of an offset comes first in the chain.
            if (size && !pmap_get(s->mem, cell_key(home, clamp(a.offset + p.value)), &old))
                put(w, s, home, a.offset + p.value, size, piece);
        }
        return;
    }
    // What a call or joined paths left in a global, of which little is known.
    if (term_kind(t, home) == T_GLOBAL && a.offset == 0 && term_width(t, value) > 1 && !is_not_zero(w, s, value) &&
        is_raised(w, s, home, 0, load_scalar(w, s, home, 0, bytes, term_width(t, value), ins)))
        stays_raised(w, s, value);
    put(w, s, home, a.offset, bytes ? bytes : 1, value);
    if (!(term_node(t, value)->flags & TERM_HAS_HEAP)) return;
    story_add(w, s, STORY_PUT, ins, address, value, false, NULL);
    if (term_kind(t, value) == T_HEAP && term_kind(t, a.base) == T_LOCAL && !a.offset && !a.index.id) {
        bool fresh;
        map_at(&w->name_of, value.id, w->func->var_count + term_node(t, a.base)->a, &fresh);
    }
    // A block that may be given back in parts and hangs on a global is the raw material of an
    // allocator: who has its pieces is not seen any more.
    Partial found = {w, false};
    term_each_base(t, value, find_partial, &found);
    if (found.any && term_kind(t, a.base) == T_GLOBAL) escape_term(w, s, value, ins);
}

// What the evaluation itself remembers of an object is written by nobody else.
static bool is_bookkeeping(uint64_t key)
{
    return cell_offset(key) == REFERENCES_AT || cell_offset(key) == ARENA_AT;
}

void mem_havoc(Work *w, State *s, Term base, uint32_t ins)
{
    Overlap o = overlap(s, base, INT32_MIN + MAX_CELL, UINT32_MAX);
    bool raised = false;
    vec_each (i, &o.cells) {
        if (is_bookkeeping(o.cells.at[i].key)) continue;
        raised |= is_raised(w, s, base, cell_offset(o.cells.at[i].key), cell_term(o.cells.at[i].value));
        s->mem = pmap_drop(w->arena, s->mem, o.cells.at[i].key);
        escape_term(w, s, cell_term(o.cells.at[i].value), ins);
    }
    rest_note(w, base, REST_CHANGED);
    content_set(w, s, base, content_word(s, CONTENT_HAVOC, ins));
    if (raised)
        stays_raised(w, s, load_scalar(w, s, base, 0, cell_size(o.cells.at[0].value),
                                       term_width(&w->terms, cell_term(o.cells.at[0].value)), ins));
    vec_free(&o.cells);
}

// Whether an index leads backwards, as it is written: from the end of a block, say.
static bool goes_back(const Terms *t, Term x)
{
    const TermNode *n = term_node(t, x);
    int64_t by;
    switch ((TermKind)n->kind) {
    case T_INT:
        return n->value < 0;
    case T_ADD:
        return goes_back(t, (Term){n->a}) || goes_back(t, (Term){n->b});
    case T_MUL:
        return (term_is_int(t, (Term){n->a}, &by) && by < 0) ||
               (term_is_int(t, (Term){n->b}, &by) && by < 0);
    case T_SEXT:
        return goes_back(t, (Term){n->a});
    default:
        return false;
    }
}

// The first byte of its block that a write from the address on can change. At an unknown place of an
// array inside it is one of the array: the programs that write before its start are of no interest.
static int64_t first_changed(Work *w, const State *s, const Address *a)
{
    if (!a->index.id) return a->offset;
    bool ahead = cond_range(&w->conds, s->facts, a->index).smin >= 0 ||
                 (!goes_back(&w->terms, a->index) && assumes(w, ASSUME_IN_ARRAY));
    return ahead ? a->offset : 0;
}

TypeId name_type(const Work *w, Term x)
{
    const uint64_t *name = map_get(&w->name_of, x.id);
    if (!name || !*name) return (TypeId){0};
    const uint32_t vars = w->func->var_count;
    return *name > vars ? w->unit->locals.at[w->func->first_local + *name - vars - 1].type
                        : w->unit->vars.at[w->func->first_var + *name - 1].type;
}

// The source type of what the base points to; 0 where nothing says it.
static TypeId block_type(Work *w, Term base)
{
    enum { DEPTH = 4 };
    const TermNode n = *term_node(&w->terms, base);
    const Unit *u = w->unit;
    const Program *p = w->facts->program;
    switch ((TermKind)n.kind) {
    case T_PARAM:
    case T_INPUT:
        return pointee(u, input_type(w, base, DEPTH));
    case T_LOCAL:
        return u->locals.at[w->func->first_local + n.a - 1].type;
    case T_GLOBAL:
        if (p->units[p->globals.at[n.a].unit] != u) return (TypeId){0};
        return u->globals.at[p->globals.at[n.a].global.id].type;
    case T_HEAP:
        return pointee(u, name_type(w, base));
    default:
        return (TypeId){0};
    }
}

// A write of unknown length that starts in an array inside a struct ends there. At the struct's
// start it may be meant for all of it.
static int64_t array_end(Work *w, const Address *a)
{
    TypeId type = a->offset <= 0 ? (TypeId){0} : block_type(w, a->base);
    uint64_t left = type.id ? array_left(w->unit, type, (uint64_t)a->offset) : 0;
    return left && left < INT32_MAX && assumes(w, ASSUME_IN_ARRAY) ? (int64_t)left : 0;
}

static void scribble_cells(Work *w, State *s, Term home, int64_t offset, uint64_t bytes)
{
    Overlap o = overlap(s, home, offset, bytes);
    vec_each (i, &o.cells)
        if (!is_bookkeeping(o.cells.at[i].key) &&
            !(term_node(&w->terms, cell_term(o.cells.at[i].value))->flags & TERM_HAS_BASE))
            s->mem = pmap_drop(w->arena, s->mem, o.cells.at[i].key);
    vec_free(&o.cells);
}

void mem_scribble(Work *w, State *s, Term address, int64_t bytes, uint32_t ins)
{
    Address a = term_address(&w->terms, address);
    if (!a.base.id) return;
    rest_note(w, address, REST_CHANGED);
    int64_t from = clamp(first_changed(w, s, &a));
    if (a.index.id) scribble_cells(w, s, cell_home(w, &a), INT32_MIN + MAX_CELL, INT32_MAX);
    if (a.index.id || !bytes) bytes = from == a.offset ? array_end(w, &a) : 0;
    scribble_cells(w, s, a.base, from, bytes > 0 ? (uint64_t)bytes : INT32_MAX);
    // Pointers that moved here unseen stay too. Errs where plain data that moved with them is read.
    uint64_t old;
    if (content_at(s, a.base, from, &old) && content_kind(old) == CONTENT_COPY) return;
    content_set_part(w, s, a.base, from, bytes, content_word(s, CONTENT_SCRIBBLE, ins));
}

typedef struct {
    const Terms *terms;
    Term base;
    VEC(Cell) cells;
} BlockCells;

static bool element_visit(void *context, uint64_t key, uint64_t value)
{
    BlockCells *e = context;
    Term home = cell_base(key);
    if (term_kind(e->terms, home) == T_ADDR && term_node(e->terms, home)->a == e->base.id)
        vec_push(&e->cells, ((Cell){key, value}));
    return true;
}

// A block that moves takes the elements along that stand at symbolic places.
static void copy_elements(Work *w, State *s, Term to, Term from)
{
    BlockCells e = {.terms = &w->terms, .base = from};
    pmap_each(s->mem, element_visit, &e);
    vec_each (i, &e.cells) {
        Address at = term_address(&w->terms, cell_base(e.cells.at[i].key));
        at.base = to;
        put(w, s, cell_home(w, &at), cell_offset(e.cells.at[i].key), cell_size(e.cells.at[i].value),
            cell_term(e.cells.at[i].value));
    }
    vec_free(&e.cells);
}

// So many elements of the size of a pointer, or of a struct of that alignment.
static bool counts_pointers(Terms *t, Term length)
{
    const TermNode *n = term_node(t, length);
    int64_t by, bytes = t->pointer_bits / 8;
    if (n->kind == T_ADD)
        return counts_pointers(t, (Term){n->a}) && counts_pointers(t, (Term){n->b});
    if (n->kind == T_SHL) return term_is_int(t, (Term){n->b}, &by) && by >= 3;
    if (n->kind == T_MUL)
        return counts_pointers(t, (Term){n->a}) || counts_pointers(t, (Term){n->b});
    return term_is_int(t, length, &by) && by > 0 && by % bytes == 0;
}

// Whether the length is the size of the elements of a list of anything, as a field beside the
// elements says it, in whatever width, or of so many of them.
static bool is_element_size(const Terms *t, Term length, Term elements)
{
    const TermNode *n = term_node(t, length), *e = term_node(t, elements);
    if (n->kind == T_ZEXT || n->kind == T_SEXT) n = term_node(t, (Term){n->a});
    if (n->kind == T_MUL)
        return is_element_size(t, (Term){n->a}, elements) ||
               is_element_size(t, (Term){n->b}, elements);
    return n->kind == T_INPUT && (e->kind == T_HEAP || (e->kind == T_INPUT && e->a == n->a));
}

// The most bytes that a copy or fill of this length reaches; 0: there is no telling.
static int64_t most_bytes(Work *w, const State *s, Term length)
{
    uint64_t most = cond_range(&w->conds, s->facts, length).umax;
    return most < INT32_MAX ? (int64_t)most : 0;
}

// What is copied into a cell from where nothing was written. An initialiser lies in pieces of its own sizes
// (`struct job j = {3, 2}` is two numbers of four bytes), so that of a global narrower cells are made
// where they are known and the whole is not.
static void copy_default(Work *w, State *s, Term target, int64_t to, Term source, int64_t from, uint32_t bytes)
{
    uint32_t half = 1;
    while (half * 2 < bytes) half *= 2;
    bool narrow = bytes > 1 && term_kind(&w->terms, source) == T_GLOBAL &&
                  !global_content(w, source, from, bytes * 8).id &&
                  (global_content(w, source, from, half * 8).id || global_content(w, source, from, 8).id ||
                   global_content(w, source, from + half, (bytes - half) * 8).id);
    if (!narrow) {
        put(w, s, target, to, bytes, default_content(w, s, source, from, bytes * 8));
        return;
    }
    copy_default(w, s, target, to, source, from, half);
    copy_default(w, s, target, to + half, source, from + half, bytes - half);
}

void mem_copy(Work *w, State *s, Term to, Term from, Term length, uint32_t ins)
{
    Terms *t = &w->terms;
    Address d = term_address(t, to), f = term_address(t, from);
    if (!d.base.id || !f.base.id || term_same(to, from)) return;
    Term target = cell_home(w, &d), source = cell_home(w, &f);
    int64_t bytes;
    bool exact = term_is_int(t, length, &bytes) && bytes >= 0 && bytes <= COPY_LIMIT;
    // Of an unknown length all that is known behind the source's start is taken along, so that
    // what was reachable stays reachable.
    uint64_t span = exact ? (uint64_t)bytes : INT32_MAX;
    Overlap o = overlap(s, source, f.offset, span);
    if (exact) {
        drop_range(w, s, target, d.offset, (uint64_t)bytes);
        uint32_t step = t->pointer_bits / 8;
        for (int64_t at = 0; at < bytes; at += step) {
            uint32_t left = (uint32_t)(bytes - at < step ? bytes - at : step);
            bool covered = false;
            vec_each (i, &o.cells) {
                int64_t c = cell_offset(o.cells.at[i].key);
                if (c < f.offset + at + left && c + cell_size(o.cells.at[i].value) > f.offset + at)
                    covered = true;
            }
            if (!covered)
                copy_default(w, s, target, d.offset + at, source, clamp(f.offset + at), left);
        }
        // A struct that is copied takes the resource inside it along.
        uint64_t handle;
        if (pmap_get(s->mem, cell_key(source, clamp(f.offset + EMBEDDED_AT)), &handle))
            put(w, s, target, d.offset + EMBEDDED_AT, cell_size(handle), cell_term(handle));
    } else {
        // Text, most often: pointers beside it in the same struct stay.
        mem_scribble(w, s, to, most_bytes(w, s, length), ins);
        // A block that moves as a whole (realloc, growth by hand) takes what was never looked at
        // along.
        TermKind kind = term_kind(t, f.base);
        bool whole = d.offset == 0 && f.offset == 0 && !d.index.id && !f.index.id;
        if (whole) rest_note(w, f.base, REST_CHANGED);
        bool elements = counts_pointers(t, length) || is_element_size(t, length, d.base);
        bool moves = term_kind(t, d.base) == T_HEAP || elements;
        if (whole && (s->flags & STATE_SYMBOLIC)) copy_elements(w, s, d.base, f.base);
        if (whole && moves && (kind == T_PARAM || kind == T_INPUT) &&
            term_kind(t, d.base) != T_LOCAL)
            content_set(w, s, d.base, (uint64_t)f.base.id << 32 | CONTENT_COPY);
        // Appended to what is there (two arrays made one): the elements that only a caller
        // knows have a new home, which is not known. Errs towards a missed leak of theirs.
        else if (!whole && (kind == T_PARAM || kind == T_INPUT) && elements)
            s->loose = pmap_set(w->arena, s->loose, f.base.id, 1);
    }
    vec_each (i, &o.cells) {
        int64_t at = cell_offset(o.cells.at[i].key) - f.offset;
        uint32_t size = cell_size(o.cells.at[i].value);
        if (at < 0 || (exact && at + size > bytes)) continue; // cut off at an edge
        put(w, s, target, d.offset + at, size, cell_term(o.cells.at[i].value));
        if (term_node(t, cell_term(o.cells.at[i].value))->flags & TERM_HAS_HEAP)
            story_add(w, s, STORY_PUT, ins, term_field(t, to, at), cell_term(o.cells.at[i].value),
                      false, NULL);
    }
    vec_free(&o.cells);
}

// Whether so many bytes are all of the object; of a block whose size is not a number any count is
// taken to be all of it (memset(p, 0, n) behind malloc(n)).
static bool covers_object(Work *w, const State *s, Term base, int64_t bytes)
{
    const TermNode *n = term_node(&w->terms, base);
    if (n->kind == T_LOCAL)
        return w->unit->locals.at[w->func->first_local + n->a - 1].size <= (uint64_t)bytes;
    const ObjInfo *info = n->kind == T_HEAP ? obj_info(w, base) : NULL;
    int64_t size;
    if (!info) return false;
    Term known = obj_size(s, base);
    return !known.id || !term_is_int(&w->terms, known, &size) || size <= bytes;
}

void mem_fill(Work *w, State *s, Term to, Term byte, Term length, uint32_t ins)
{
    Terms *t = &w->terms;
    Address d = term_address(t, to);
    if (!d.base.id) return;
    Term home = cell_home(w, &d);
    int64_t bytes, value;
    bool zero = term_is_int(t, byte, &value) && value == 0;
    bool exact = term_is_int(t, length, &bytes) && bytes >= 0;
    bool whole =
        d.offset == 0 && !d.index.id &&
        (exact ? covers_object(w, s, d.base, bytes) : zero && covers_object(w, s, d.base, 0));
    if (!exact && !whole) {
        mem_scribble(w, s, to, most_bytes(w, s, length), ins);
        return;
    }
    drop_range(w, s, home, d.offset, exact ? (uint64_t)bytes : INT32_MAX);
    if (whole) {
        if (zero)
            content_set(w, s, home, CONTENT_ZERO);
        else
            mem_havoc(w, s, home, ins);
        return;
    }
    if (!zero || bytes > ZERO_LIMIT) {
        // errs, for a long run of zeros in memory that a caller knows, whom only cells are told of:
        // they are forgotten
        TermKind kind = term_kind(t, d.base);
        bool own = kind == T_LOCAL || kind == T_HEAP;
        uint64_t word = zero && own ? CONTENT_ZERO : content_word(s, CONTENT_SCRIBBLE, ins);
        if (d.index.id)
            mem_scribble(w, s, to, 0, ins);
        else if (bytes > 0)
            content_set_part(w, s, d.base, d.offset, bytes, word);
        return;
    }
    uint32_t step = t->pointer_bits / 8;
    for (int64_t at = 0; at < bytes; at += step) {
        uint32_t left = (uint32_t)(bytes - at < step ? bytes - at : step);
        put(w, s, home, d.offset + at, left, term_int(t, left * 8, 0));
    }
}
