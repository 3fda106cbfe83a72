// Containers whose code is a library's: their elements are told in cells of their own beside the
// container's memory, as if it were an array inside it.
//
//     base + ELEMENTS_AT + offset / 8 * ELEMENTS_ROOM:  number of elements | size of one | first | second
//     ...
//
// So an element is loaded, stored, handed to callees and lost like a field of the container, and
// what the templates do with their nodes and blocks need not be followed. A member of which no
// declaration says what it does to the elements is unknown code.
#include "heap/elements.h"
#include "unit/types.h"

MType elements_word(uint32_t bytes)
{
    return mtype(MT_INT, bytes * 8);
}

bool elements_find(Work *w, State *s, Term container, uint32_t ins, Elements *e)
{
    if (!container.id || term_width(&w->terms, container) != w->terms.pointer_bits) return false;
    Address a = term_address(&w->terms, container);
    if (!a.base.id || a.index.id || a.offset < 0 || a.offset >= ELEMENTS_MOST_OFFSET) return false;
    *e = (Elements){w, s, ins, a.base, ELEMENTS_AT + a.offset / 8 * ELEMENTS_ROOM, 0};
    return true;
}

int64_t elements_moved(const Terms *t, Term home, int64_t offset)
{
    Address a = term_address(t, home);
    if (offset < ELEMENTS_AT || !a.base.id || a.index.id || a.offset <= 0 || a.offset >= ELEMENTS_MOST_OFFSET)
        return offset;
    return offset - a.offset + a.offset / 8 * ELEMENTS_ROOM;
}

bool elements_is_ending(const Terms *t, int64_t offset, Term value)
{
    return offset >= ELEMENTS_AT && (offset - ELEMENTS_AT) % ELEMENTS_ROOM == ELEMENTS_ENDED &&
           (offset - ELEMENTS_AT) / ELEMENTS_ROOM < ELEMENTS_MOST_OFFSET / 8 && term_kind(t, value) == T_FUNC;
}

typedef struct {
    Work *w;
    State *s;
    Term base;
} EndingsKept;

static bool keep_ending(void *context, uint64_t key, uint64_t value)
{
    EndingsKept *k = context;
    if (term_same(cell_base(key), k->base) && elements_is_ending(&k->w->terms, cell_offset(key), cell_term(value)))
        k->s->mem = pmap_set(k->w->arena, k->s->mem, key, value);
    return true;
}

void elements_keep_endings(Work *w, State *s, Term base, PMap before)
{
    EndingsKept k = {w, s, base};
    pmap_each(before, keep_ending, &k);
}

Term elements_place(const Elements *e, int64_t offset)
{
    return term_field(&e->w->terms, e->base, e->region + offset);
}

Term elements_count(const Elements *e)
{
    uint32_t bytes = e->w->terms.pointer_bits / 8;
    return mem_load(e->w, e->s, elements_place(e, 0), bytes, elements_word(bytes), e->ins);
}

void elements_set_count(const Elements *e, Term n)
{
    mem_store(e->w, e->s, elements_place(e, 0), e->w->terms.pointer_bits / 8, n, e->ins);
}

Term elements_at(const Elements *e, Term index, uint32_t stride)
{
    int64_t n;
    Terms *t = &e->w->terms;
    if (term_is_int(t, index, &n) && n >= 0 && n < ELEMENTS_ROOM / 2 / stride)
        return elements_place(e, ELEMENTS_FIRST + n * stride);
    return term_index(t, elements_place(e, ELEMENTS_FIRST), index, stride);
}

// ---- The size of an element.

// What a pointer or a reference leads to; NULL: it is none.
static const Type *target(const Unit *u, TypeId type)
{
    const Type *t = &u->types.at[plain_type(u, type).id];
    if ((t->kind != TYPE_POINTER && t->kind != TYPE_REFERENCE) || !t->elem_count) return NULL;
    return &u->types.at[plain_type(u, u->elems.at[t->first_elem].type).id];
}

uint64_t elements_pointee_size(const Unit *u, TypeId type)
{
    const Type *to = target(u, type);
    return to ? to->size : 0;
}

// What the first pointer in the container's own memory points to.
static uint64_t first_pointee(const Unit *u, TypeId type, int depth)
{
    const Type *t = &u->types.at[plain_type(u, type).id];
    if (t->kind == TYPE_POINTER) return elements_pointee_size(u, type);
    if (t->kind != TYPE_STRUCT || !depth) return 0;
    uint64_t size = 0;
    for (uint32_t i = 0; i < t->elem_count && !size; i++)
        size = first_pointee(u, u->elems.at[t->first_elem + i].type, depth - 1);
    return size;
}

uint32_t elements_size(const Elements *e, const SpecFunc *spec, const Unit *u,
                             const Func *decl)
{
    enum { DEPTH = 6 };
    uint64_t size = 0;
    int64_t known;
    uint32_t bytes = e->w->terms.pointer_bits / 8;
    bool adds = spec->elements == SPEC_ELEMENTS_ADD || spec->elements == SPEC_ELEMENTS_PREPEND ||
                spec->elements == SPEC_ELEMENTS_INSERT;
    if (adds && spec->element[0] < (int32_t)decl->param_count)
        size = elements_pointee_size(u, u->params.at[decl->first_param + spec->element[0]].type);
    const Type *func = &u->types.at[plain_type(u, decl->type).id];
    if (!adds && func->kind == TYPE_FUNC && func->elem_count)
        size = elements_pointee_size(u, u->elems.at[func->first_elem].type);
    if (!size &&
        term_is_int(&e->w->terms,
                    mem_load(e->w, e->s, elements_place(e, ELEMENTS_SIZE), bytes, elements_word(bytes), e->ins), &known))
        size = (uint64_t)known;
    if (!size && decl->param_count) {
        const Type *self = &u->types.at[plain_type(u, u->params.at[decl->first_param].type).id];
        if (self->elem_count) size = first_pointee(u, u->elems.at[self->first_elem].type, DEPTH);
    }
    return size && size < ELEMENTS_ROOM ? (uint32_t)size : bytes;
}

// ---- Cells.


bool elements_collect(void *context, uint64_t key, uint64_t value)
{
    Cells *c = context;
    Address home = term_address(&c->e->w->terms, cell_base(key));
    int64_t at = home.offset + cell_offset(key);
    int64_t from = c->nested ? c->e->region + ELEMENTS_AT : c->e->region;
    int64_t bytes = c->nested ? ELEMENTS_AT : ELEMENTS_ROOM;
    if (!term_same(home.base, c->e->base) || at < from || at >= from + bytes) return true;
    vec_push(&c->keys, key);
    vec_push(&c->values, value);
    return true;
}

Cells elements_cells(const Elements *e)
{
    Cells c = {.e = e};
    pmap_each(e->s->mem, elements_collect, &c);
    return c;
}

void elements_cells_free(Cells *c)
{
    vec_free(&c->keys);
    vec_free(&c->values);
}

void elements_drop(const Elements *e)
{
    Cells c = elements_cells(e);
    vec_each (i, &c.keys) {
        e->s->mem = pmap_drop(e->w->arena, e->s->mem, c.keys.at[i]);
        queue_lost(e->w, e->s, cell_term(c.values.at[i]));
    }
    elements_cells_free(&c);
}

static void put(const Elements *e, Term to, Term from)
{
    Work *w = e->w;
    Terms *t = &w->terms;
    if (e->size == 1 || e->size == 2 || e->size == 4 || e->size == 8)
        mem_store(w, e->s, to, e->size, mem_load(w, e->s, from, e->size, elements_word(e->size), e->ins),
                  e->ins);
    else
        mem_copy(w, e->s, to, from, term_int(t, t->pointer_bits, e->size), e->ins);
    mem_store(w, e->s, elements_place(e, ELEMENTS_SIZE), t->pointer_bits / 8, term_int(t, t->pointer_bits, e->size),
              e->ins);
}

void elements_add(const Elements *e, Term x)
{
    Terms *t = &e->w->terms;
    Term n = elements_count(e);
    put(e, elements_at(e, n, e->size), x);
    elements_set_count(e, term_binary(t, T_ADD, n, term_int(t, t->pointer_bits, 1)));
}

bool elements_known(const Elements *e, int64_t *count)
{
    return term_is_int(&e->w->terms, elements_count(e), count) && *count >= 0 && *count <= ELEMENTS_COUNTED;
}

bool elements_prepend(const Elements *e, Term x)
{
    int64_t count;
    Terms *t = &e->w->terms;
    if (!elements_known(e, &count)) return false;
    for (int64_t i = count; i > 0; i--)
        put(e, elements_place(e, ELEMENTS_FIRST + i * e->size), elements_place(e, ELEMENTS_FIRST + (i - 1) * e->size));
    put(e, elements_place(e, ELEMENTS_FIRST), x);
    elements_set_count(e, term_int(t, t->pointer_bits, count + 1));
    return true;
}

bool elements_insert(const Elements *e, Term x, Term times, Term at)
{
    int64_t n = 1, count;
    Terms *t = &e->w->terms;
    if (times.id && (!term_is_int(t, times, &n) || n < 0 || n > ELEMENTS_COUNTED)) return false;
    if (!elements_known(e, &count)) return false;
    if (at.id && !term_same(at, elements_at(e, elements_count(e), e->size))) return false;
    for (int64_t i = 0; i < n; i++) elements_add(e, x);
    return true;
}

// The cells of an element go without a word: it has been ended, or lives on elsewhere.
void elements_forget(const Elements *e, int64_t from, int64_t bytes, bool lost)
{
    Cells c = elements_cells(e);
    vec_each (i, &c.keys) {
        Address home = term_address(&e->w->terms, cell_base(c.keys.at[i]));
        int64_t at = home.offset + cell_offset(c.keys.at[i]) - e->region;
        if (home.index.id || at < from || at >= from + bytes) continue;
        e->s->mem = pmap_drop(e->w->arena, e->s->mem, c.keys.at[i]);
        if (lost) queue_lost(e->w, e->s, cell_term(c.values.at[i]));
    }
    elements_cells_free(&c);
}

// A container that the caller has filled is read word by word, so that the first ones are known by
// where they were.
void elements_copy(const Elements *to, const Elements *from)
{
    Work *w = to->w;
    Cells c = elements_cells(from);
    bool filled = false;
    vec_each (i, &c.keys) {
        Address home = term_address(&w->terms, cell_base(c.keys.at[i]));
        filled |= !home.index.id && cell_offset(c.keys.at[i]) == from->region;
    }
    if (!filled) {
        uint32_t step = from->size == 4 ? 4 : 8;
        elements_set_count(to, elements_count(from));
        for (uint32_t i = 0; i < ELEMENTS_UNSEEN; i++)
            mem_store(
                w, to->s, elements_place(to, ELEMENTS_FIRST + i * step), step,
                mem_load(w, to->s, elements_place(from, ELEMENTS_FIRST + i * step), step, elements_word(step), to->ins),
                to->ins);
    }
    vec_each (i, &c.keys) {
        Address home = term_address(&w->terms, cell_base(c.keys.at[i]));
        int64_t at = home.offset + cell_offset(c.keys.at[i]) - from->region;
        Term address = elements_place(to, at);
        if (home.index.id) address = term_index(&w->terms, address, home.index, 1);
        mem_store(w, to->s, address, cell_size(c.values.at[i]), cell_term(c.values.at[i]), to->ins);
    }
    elements_cells_free(&c);
}

void elements_swap(const Elements *a, const Elements *b)
{
    Work *w = a->w;
    State *s = a->s;
    Cells both[2] = {elements_cells(a), elements_cells(b)};
    for (int side = 0; side < 2; side++)
        vec_each (i, &both[side].keys) s->mem = pmap_drop(w->arena, s->mem, both[side].keys.at[i]);
    for (int side = 0; side < 2; side++) {
        const Elements *from = side ? b : a, *to = side ? a : b;
        vec_each (i, &both[side].keys) {
            Address home = term_address(&w->terms, cell_base(both[side].keys.at[i]));
            int64_t at = home.offset + cell_offset(both[side].keys.at[i]) - from->region;
            Term address = elements_place(to, at);
            if (home.index.id) address = term_index(&w->terms, address, home.index, 1);
            mem_store(w, s, address, cell_size(both[side].values.at[i]),
                      cell_term(both[side].values.at[i]), to->ins);
        }
        elements_cells_free(&both[side]);
    }
}

// What the elements hold is somebody else's business from here on: they were ended, but it is not
// known which ones there were. Elements of elements have no cells that could be told apart. Errs
// towards missed leaks.
void elements_let_go_of(const Elements *e, bool nested)
{
    Cells c = {.e = e, .nested = nested};
    pmap_each(e->s->mem, elements_collect, &c);
    vec_each (i, &c.keys) e->s->mem = pmap_drop(e->w->arena, e->s->mem, c.keys.at[i]);
    vec_each (i, &c.keys)
        if (term_node(&e->w->terms, cell_term(c.values.at[i]))->flags & TERM_HAS_BASE)
            escape_term(e->w, e->s, cell_term(c.values.at[i]), e->ins);
    elements_cells_free(&c);
}

void elements_show(const Elements *e)
{
    Cells c = elements_cells(e);
    vec_each (i, &c.keys)
        if (term_node(&e->w->terms, cell_term(c.values.at[i]))->flags & TERM_HAS_BASE)
            escape_term(e->w, e->s, cell_term(c.values.at[i]), e->ins);
    elements_cells_free(&c);
}

bool elements_are_callers(const Elements *e)
{
    TermKind kind = term_kind(&e->w->terms, e->base);
    return kind == T_PARAM || kind == T_INPUT || kind == T_GLOBAL;
}

// Elements that are asked by key: KEYED_OBJECTS are ended together with their keys, so nothing is
// claimed of what they hold.
Keyed elements_keyed(const Elements *e)
{
    Address a = term_address(&e->w->terms, elements_place(e, ELEMENTS_OWNERS));
    uint64_t value;
    int64_t objects;
    if (!pmap_get(e->s->mem, cell_key(a.base, a.offset), &value)) return NOT_KEYED;
    return term_is_int(&e->w->terms, cell_term(value), &objects) && !objects ? KEYED : KEYED_OBJECTS;
}

// ---- By key.

// Whether the result is a reference to an object.
static bool is_object_given(const Unit *u, const Func *decl)
{
    const Type *func = &u->types.at[plain_type(u, decl->type).id];
    if (func->kind != TYPE_FUNC || !func->elem_count) return false;
    const Type *to = target(u, u->elems.at[func->first_elem].type);
    return to && to->kind == TYPE_STRUCT;
}

// A key that is a pointer stays there too, and whoever walks over the elements may release it. Errs towards a missed leak.
static void keep_key(const Elements *e, Term key, const Type *type)
{
    uint32_t word = e->w->terms.pointer_bits / 8;
    if (type && type->kind == TYPE_POINTER)
        escape_term(e->w, e->s, mem_load(e->w, e->s, key, word, elements_word(word), e->ins), e->ins);
}

// Where the element of a key is; `key` has so many bytes.
static Term slot_of_key(const Elements *e, Term key, uint64_t size, bool number)
{
    Terms *t = &e->w->terms;
    Term k = {0};
    if (number && (size == 1 || size == 2 || size == 4 || size == 8)) {
        k = mem_load(e->w, e->s, key, (uint32_t)size, elements_word((uint32_t)size), e->ins);
        if (size * 8 < t->pointer_bits) k = term_convert(t, T_SEXT, k, t->pointer_bits);
    }
    if (!k.id) k = bits_unknown(e->w, e->s, e->ins, made(MADE_KEY, 0), t->pointer_bits);
    return elements_at(e, k, ELEMENTS_SLOT);
}

// Whether there is certainly none at this place so far: in a container that this function has made.
static bool is_free_slot(const Elements *e, Term at, int64_t *count)
{
    Terms *t = &e->w->terms;
    Address a = term_address(t, at);
    TermKind kind = term_kind(t, a.base);
    if ((kind != T_LOCAL && kind != T_HEAP) || !elements_known(e, count)) return false;
    return !*count || (!a.index.id && !pmap_get(e->s->mem, cell_key(a.base, a.offset), NULL));
}

Term elements_by_key(const Elements *e, const Unit *u, const Func *decl, int32_t param, Term key)
{
    Work *w = e->w;
    Terms *t = &w->terms;
    TypeId given = u->params.at[decl->first_param + (uint32_t)param].type;
    uint64_t size = elements_pointee_size(u, given);
    bool objects = is_object_given(u, decl);
    keep_key(e, key, target(u, given));
    mem_store(w, e->s, elements_place(e, ELEMENTS_OWNERS), 1, term_int(t, 8, objects), e->ins);
    // Nothing is claimed of them: what is put there is somewhere that nobody knows. With places of their own, which
    // of two equal keys an owner releases would have to be known.
    if (objects) return (Term){0};
    Term at = slot_of_key(e, key, size, true);
    int64_t count;
    // One that was not there is made, and is null.
    if (is_free_slot(e, at, &count)) {
        mem_store(w, e->s, at, t->pointer_bits / 8, term_null(t), e->ins);
        elements_set_count(e, term_int(t, t->pointer_bits, count + 1));
    }
    return at;
}

bool elements_put(const Elements *e, const Unit *u, const Func *decl, int32_t param, Term pair)
{
    Work *w = e->w;
    Terms *t = &w->terms;
    const Type *type = target(u, u->params.at[decl->first_param + (uint32_t)param].type);
    if (!type) return false;
    Elem parts[2];
    uint32_t count = 0, word = t->pointer_bits / 8;
    for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->elem_count; i++) {
        const Elem *part = &u->elems.at[type->first_elem + i];
        if (part->flags & TYPE_BASE_CLASS) continue;
        if (count == 2) return false;
        parts[count++] = *part;
    }
    if (count != 2) return false;
    const Type *first = &u->types.at[plain_type(u, parts[0].type).id], *second = &u->types.at[plain_type(u, parts[1].type).id];
    keep_key(e, term_field(t, pair, (int64_t)(parts[0].offset / 8)), first);
    // A string has a state of its own; other objects are not moved here.
    if (second->kind != TYPE_POINTER || elements_keyed(e) == KEYED_OBJECTS) return false;
    Term value = mem_load(w, e->s, term_field(t, pair, (int64_t)(parts[1].offset / 8)), word, mtype(MT_PTR, t->pointer_bits), e->ins);
    Term at = slot_of_key(e, term_field(t, pair, (int64_t)(parts[0].offset / 8)), first->size,
                          first->kind != TYPE_STRUCT && first->kind != TYPE_UNION);
    int64_t known;
    mem_store(w, e->s, elements_place(e, ELEMENTS_OWNERS), 1, term_int(t, 8, 0), e->ins);
    if (is_free_slot(e, at, &known)) {
        elements_set_count(e, term_int(t, t->pointer_bits, known + 1));
    } else {
        // Another may be there already; then this one is not taken. Errs towards a missed leak.
        escape_term(w, e->s, value, e->ins);
        elements_set_count(e, bits_unknown(w, e->s, e->ins, made(MADE_KEY, 1), t->pointer_bits));
    }
    mem_store(w, e->s, at, word, value, e->ins);
    return true;
}

bool elements_remove(const Elements *e, const Unit *u, const Func *decl, int32_t param, Term key)
{
    Terms *t = &e->w->terms;
    uint64_t size = elements_pointee_size(u, u->params.at[decl->first_param + (uint32_t)param].type);
    int64_t count;
    if (elements_keyed(e) != KEYED) return false;
    if (!elements_known(e, &count) || !count) return false;
    Address a = term_address(t, slot_of_key(e, key, size, true));
    Cells c = elements_cells(e);
    bool found = false;
    for (uint32_t i = 0; i < c.keys.len && !found; i++) {
        Address home = term_address(t, cell_base(c.keys.at[i]));
        found = term_same(home.index, a.index) && home.offset + cell_offset(c.keys.at[i]) == a.offset;
        if (!found) continue;
        e->s->mem = pmap_drop(e->w->arena, e->s->mem, c.keys.at[i]);
        queue_lost(e->w, e->s, cell_term(c.values.at[i]));
        elements_set_count(e, term_int(t, t->pointer_bits, count - 1));
    }
    elements_cells_free(&c);
    return found;
}

// ---- Objects that nobody else looks into: the first word stands for their state.

void object_renew(Work *w, State *s, Term x, uint32_t ins, uint32_t number)
{
    Terms *t = &w->terms;
    if (!term_address(t, x).base.id) return;
    Term state = bits_unknown(w, s, ins, made_opaque(made(MADE_STATE, number)), t->pointer_bits);
    mem_store(w, s, x, t->pointer_bits / 8, state, ins);
}

// The state of an empty one is zero.
void object_clear(Work *w, State *s, Term x, uint32_t ins)
{
    if (term_address(&w->terms, x).base.id)
        mem_store(w, s, x, w->terms.pointer_bits / 8, term_null(&w->terms), ins);
}

Term object_is_clear(Work *w, State *s, Term x, uint32_t ins)
{
    uint32_t bytes = w->terms.pointer_bits / 8;
    return term_eq(&w->terms, mem_load(w, s, x, bytes, elements_word(bytes), ins), term_null(&w->terms));
}

uint64_t object_state(const State *s, const Address *a)
{
    uint64_t state = 0;
    if (!a->index.id) pmap_get(s->mem, cell_key(a->base, a->offset), &state);
    return state;
}
