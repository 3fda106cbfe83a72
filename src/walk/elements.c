// Containers whose code is a library's: their elements are told in cells of their own beside the
// container's memory, as if it were an array inside it.
//
//     base + ELEMENTS_AT + offset / 8 * ROOM:  number of elements | size of one | first | second
//     ...
//
// So an element is loaded, stored, handed to callees and lost like a field of the container, and
// what the templates do with their nodes and blocks need not be followed. A member of which no
// declaration says what it does to the elements is unknown code.
#include "walk/call.h"

enum {
    ELEMENTS_AT = 0x20000000,
    ROOM = 0x4000,        // bytes for the elements of one container
    MOST_OFFSET = 0x8000, // of a container in its block
    FIRST = 16,
    SIZE = 8,
    SLOT = 16, // of a container that is asked by key
};

typedef struct {
    Work *w;
    State *s;
    uint32_t ins;
    Term base;
    int64_t region;
    uint32_t size;
} Elements;

static MType word_of(uint32_t bytes)
{
    return mtype(MT_INT, bytes * 8);
}

static bool find_elements(Work *w, State *s, Term container, uint32_t ins, Elements *e)
{
    if (!container.id || term_width(&w->terms, container) != w->terms.pointer_bits) return false;
    Address a = term_address(&w->terms, container);
    if (!a.base.id || a.index.id || a.offset < 0 || a.offset >= MOST_OFFSET) return false;
    *e = (Elements){w, s, ins, a.base, ELEMENTS_AT + a.offset / 8 * ROOM, 0};
    return true;
}

static Term place(const Elements *e, int64_t offset)
{
    return term_field(&e->w->terms, e->base, e->region + offset);
}

static Term count_of(const Elements *e)
{
    uint32_t bytes = e->w->terms.pointer_bits / 8;
    return mem_load(e->w, e->s, place(e, 0), bytes, word_of(bytes), e->ins);
}

static void set_count(const Elements *e, Term n)
{
    mem_store(e->w, e->s, place(e, 0), e->w->terms.pointer_bits / 8, n, e->ins);
}

static Term address_of(const Elements *e, Term index, uint32_t stride)
{
    int64_t n;
    Terms *t = &e->w->terms;
    if (term_is_int(t, index, &n) && n >= 0 && n < ROOM / 2 / stride)
        return place(e, FIRST + n * stride);
    return term_index(t, place(e, FIRST), index, stride);
}

// ---- The size of an element.

static uint64_t pointee_size(const Unit *u, TypeId type)
{
    const Type *t = &u->types.at[plain_type(u, type).id];
    if ((t->kind != TYPE_POINTER && t->kind != TYPE_REFERENCE) || !t->elem_count) return 0;
    return u->types.at[plain_type(u, u->elems.at[t->first_elem].type).id].size;
}

// What the first pointer in the container's own memory points to.
static uint64_t first_pointee(const Unit *u, TypeId type, int depth)
{
    const Type *t = &u->types.at[plain_type(u, type).id];
    if (t->kind == TYPE_POINTER) return pointee_size(u, type);
    if (t->kind != TYPE_STRUCT || !depth) return 0;
    uint64_t size = 0;
    for (uint32_t i = 0; i < t->elem_count && !size; i++)
        size = first_pointee(u, u->elems.at[t->first_elem + i].type, depth - 1);
    return size;
}

static uint32_t element_size(const Elements *e, const SpecFunc *spec, const Unit *u,
                             const Func *decl)
{
    enum { DEPTH = 6 };
    uint64_t size = 0;
    int64_t known;
    uint32_t bytes = e->w->terms.pointer_bits / 8;
    bool adds = spec->elements == SPEC_ELEMENTS_ADD || spec->elements == SPEC_ELEMENTS_PREPEND ||
                spec->elements == SPEC_ELEMENTS_INSERT;
    if (adds && spec->element[0] < (int32_t)decl->param_count)
        size = pointee_size(u, u->params.at[decl->first_param + spec->element[0]].type);
    const Type *func = &u->types.at[plain_type(u, decl->type).id];
    if (!adds && func->kind == TYPE_FUNC && func->elem_count)
        size = pointee_size(u, u->elems.at[func->first_elem].type);
    if (!size &&
        term_is_int(&e->w->terms,
                    mem_load(e->w, e->s, place(e, SIZE), bytes, word_of(bytes), e->ins), &known))
        size = (uint64_t)known;
    if (!size && decl->param_count) {
        const Type *self = &u->types.at[plain_type(u, u->params.at[decl->first_param].type).id];
        if (self->elem_count) size = first_pointee(u, u->elems.at[self->first_elem].type, DEPTH);
    }
    return size && size < ROOM ? (uint32_t)size : bytes;
}

// ---- Cells.

typedef struct {
    const Elements *e;
    VEC(uint64_t) keys, values;
} Cells;

static bool collect(void *context, uint64_t key, uint64_t value)
{
    Cells *c = context;
    Address home = term_address(&c->e->w->terms, cell_base(key));
    int64_t at = home.offset + cell_offset(key);
    if (!term_same(home.base, c->e->base) || at < c->e->region || at >= c->e->region + ROOM)
        return true;
    vec_push(&c->keys, key);
    vec_push(&c->values, value);
    return true;
}

static Cells cells_of(const Elements *e)
{
    Cells c = {.e = e};
    pmap_each(e->s->mem, collect, &c);
    return c;
}

static void cells_free(Cells *c)
{
    vec_free(&c->keys);
    vec_free(&c->values);
}

static void drop(const Elements *e)
{
    Cells c = cells_of(e);
    vec_each (i, &c.keys) {
        e->s->mem = pmap_drop(e->w->arena, e->s->mem, c.keys.at[i]);
        queue_lost(e->w, e->s, cell_term(c.values.at[i]));
    }
    cells_free(&c);
}

static void put(const Elements *e, Term to, Term from)
{
    Work *w = e->w;
    Terms *t = &w->terms;
    if (e->size == 1 || e->size == 2 || e->size == 4 || e->size == 8)
        mem_store(w, e->s, to, e->size, mem_load(w, e->s, from, e->size, word_of(e->size), e->ins),
                  e->ins);
    else
        mem_copy(w, e->s, to, from, term_int(t, t->pointer_bits, e->size), e->ins);
    mem_store(w, e->s, place(e, SIZE), t->pointer_bits / 8, term_int(t, t->pointer_bits, e->size),
              e->ins);
}

static void add(const Elements *e, Term x)
{
    Terms *t = &e->w->terms;
    Term n = count_of(e);
    put(e, address_of(e, n, e->size), x);
    set_count(e, term_binary(t, T_ADD, n, term_int(t, t->pointer_bits, 1)));
}

static bool is_known(const Elements *e, int64_t *count)
{
    return term_is_int(&e->w->terms, count_of(e), count) && *count >= 0 && *count <= COUNTED;
}

static bool prepend(const Elements *e, Term x)
{
    int64_t count;
    Terms *t = &e->w->terms;
    if (!is_known(e, &count)) return false;
    for (int64_t i = count; i > 0; i--)
        put(e, place(e, FIRST + i * e->size), place(e, FIRST + (i - 1) * e->size));
    put(e, place(e, FIRST), x);
    set_count(e, term_int(t, t->pointer_bits, count + 1));
    return true;
}

static bool insert(const Elements *e, Term x, Term times, Term at)
{
    int64_t n = 1, count;
    Terms *t = &e->w->terms;
    if (times.id && (!term_is_int(t, times, &n) || n < 0 || n > COUNTED)) return false;
    if (!is_known(e, &count)) return false;
    if (at.id && !term_same(at, address_of(e, count_of(e), e->size))) return false;
    for (int64_t i = 0; i < n; i++) add(e, x);
    return true;
}

static bool pop(const Elements *e)
{
    int64_t count;
    Terms *t = &e->w->terms;
    if (!is_known(e, &count) || !count) return false;
    Term last = place(e, FIRST + (count - 1) * e->size);
    set_count(e, term_int(t, t->pointer_bits, count - 1));
    Address a = term_address(t, last);
    uint64_t value, key = cell_key(a.base, a.offset);
    if (pmap_get(e->s->mem, key, &value)) {
        e->s->mem = pmap_drop(e->w->arena, e->s->mem, key);
        queue_lost(e->w, e->s, cell_term(value));
    }
    return true;
}

// A container that the caller has filled is read word by word, so that the first ones are known by
// where they were.
static void copy(const Elements *to, const Elements *from)
{
    Work *w = to->w;
    Cells c = cells_of(from);
    bool filled = false;
    vec_each (i, &c.keys) {
        Address home = term_address(&w->terms, cell_base(c.keys.at[i]));
        filled |= !home.index.id && cell_offset(c.keys.at[i]) == from->region;
    }
    if (!filled) {
        uint32_t step = from->size == 4 ? 4 : 8;
        set_count(to, count_of(from));
        for (uint32_t i = 0; i < UNSEEN; i++)
            mem_store(
                w, to->s, place(to, FIRST + i * step), step,
                mem_load(w, to->s, place(from, FIRST + i * step), step, word_of(step), to->ins),
                to->ins);
    }
    vec_each (i, &c.keys) {
        Address home = term_address(&w->terms, cell_base(c.keys.at[i]));
        int64_t at = home.offset + cell_offset(c.keys.at[i]) - from->region;
        Term address = place(to, at);
        if (home.index.id) address = term_index(&w->terms, address, home.index, 1);
        mem_store(w, to->s, address, cell_size(c.values.at[i]), cell_term(c.values.at[i]), to->ins);
    }
    cells_free(&c);
}

// ---- By key.

static Term by_key(const Elements *e, const Unit *u, const Func *decl, int32_t param, Term key)
{
    Work *w = e->w;
    Terms *t = &w->terms;
    uint64_t size = pointee_size(u, u->params.at[decl->first_param + (uint32_t)param].type);
    Term k = {0};
    if (size == 1 || size == 2 || size == 4 || size == 8) {
        k = mem_load(w, e->s, key, (uint32_t)size, word_of((uint32_t)size), e->ins);
        if (size * 8 < t->pointer_bits) k = term_convert(t, T_SEXT, k, t->pointer_bits);
    }
    if (!k.id) k = bits_unknown(w, e->s, e->ins, made(MADE_KEY, 0), t->pointer_bits);
    Term at = address_of(e, k, SLOT);
    Address a = term_address(t, at);
    TermKind kind = term_kind(t, a.base);
    uint32_t bytes = t->pointer_bits / 8;
    int64_t count;
    // One that was not there is made, and is null.
    if (!a.index.id && (kind == T_LOCAL || kind == T_HEAP) && is_known(e, &count) &&
        !pmap_get(e->s->mem, cell_key(a.base, a.offset), NULL)) {
        mem_store(w, e->s, at, bytes, term_null(t), e->ins);
        set_count(e, term_int(t, t->pointer_bits, count + 1));
    }
    return at;
}

static Term argument(const CallArgs *args, int32_t i)
{
    return i >= 0 && (uint32_t)i < args->count ? args->at[i] : (Term){0};
}

bool call_elements(Work *w, const State *before, uint32_t ins, const CallArgs *args,
                   const SpecFunc *spec, const Func *decl, const Unit *u, CallOuts *outs)
{
    Terms *t = &w->terms;
    State s = *before;
    Elements e, other;
    Term x = argument(args, spec->element[0]), result = {0};
    if (spec->elements == SPEC_ELEMENTS_ANY || !decl ||
        !find_elements(w, &s, argument(args, 0), ins, &e))
        return false;
    if (spec->element[0] >= (int32_t)decl->param_count || (spec->element[0] >= 0 && !x.id))
        return false;
    e.size = element_size(&e, spec, u, decl);
    touch_if_any(w, &s, args->at[0], ins);
    switch (spec->elements) {
    case SPEC_ELEMENTS_MAKE:
        drop(&e);
        set_count(&e, term_null(t));
        break;
    case SPEC_ELEMENTS_DROP:
        drop(&e);
        break;
    case SPEC_ELEMENTS_COPY:
    case SPEC_ELEMENTS_MOVE:
        if (!find_elements(w, &s, x, ins, &other)) return false;
        other.size = e.size;
        if (term_same(other.base, e.base) && other.region == e.region) break;
        drop(&e);
        copy(&e, &other);
        if (spec->elements == SPEC_ELEMENTS_MOVE) {
            drop(&other);
            set_count(&other, term_null(t));
        }
        result = args->at[0];
        break;
    case SPEC_ELEMENTS_ADD:
        add(&e, x);
        break;
    case SPEC_ELEMENTS_PREPEND:
        if (!prepend(&e, x)) return false;
        break;
    case SPEC_ELEMENTS_INSERT:
        if (!insert(&e, x, argument(args, spec->element[1]), argument(args, spec->element[2])))
            return false;
        break;
    case SPEC_ELEMENTS_AT:
        result = address_of(&e, x, e.size);
        break;
    case SPEC_ELEMENTS_FIRST:
        result = place(&e, FIRST);
        break;
    case SPEC_ELEMENTS_LAST:
        result = address_of(
            &e, term_binary(t, T_ADD, count_of(&e), term_int(t, t->pointer_bits, -1)), e.size);
        break;
    case SPEC_ELEMENTS_END:
        result = address_of(&e, count_of(&e), e.size);
        break;
    case SPEC_ELEMENTS_KEY:
        result = by_key(&e, u, decl, spec->element[0], x);
        break;
    case SPEC_ELEMENTS_POP:
        if (!pop(&e)) return false;
        break;
    case SPEC_ELEMENTS_COUNT:
        result = count_of(&e);
        break;
    case SPEC_ELEMENTS_EMPTY:
        result = term_eq(t, count_of(&e), term_null(t));
        break;
    case SPEC_ELEMENTS_STAY:
    case SPEC_ELEMENTS_ANY:
    case SPEC_NO_ELEMENTS:
        break;
    }
    call_done(w, &s, ins, result, false, outs);
    return true;
}
