// What a container lends: the address of one of its elements, or of its text. Adding to a vector moves the
// elements, and the end of a container ends them: whoever uses such an address afterwards uses freed memory.
//
// Addresses of elements are known by where they lie (heap/elements.c). When the elements move or end, all copies of
// such an address, in values and in memory, become the address of an object that is gone. State.lent has the call
// that gave an address, for the report. Where the container had room and nothing moved, the replay does not show it.
// A callee that moves the elements of its caller's container says so in the cell ELEMENTS_MOVED.
#include "heap/elements.h"
#include "lost/lost.h"

#include "lost/limits.h"

// The container's address, and the call that lent, counted from 1.
static uint64_t lent_word(Term container, uint32_t ins)
{
    return (uint64_t)(ins + 1) << 32 | container.id;
}
static Term lent_by(uint64_t word)
{
    return (Term){(uint32_t)word};
}
static uint32_t lent_at(uint64_t word)
{
    return (uint32_t)(word >> 32) - 1;
}

// Containers that were asked to make room have keys of their own.
static uint64_t room_key(Term container)
{
    return (uint64_t)1 << 32 | container.id;
}

static bool is_call(const Ins *i)
{
    return i->op == OP_CALL || i->op == OP_INVOKE;
}

// Whether the call passes this value to a function that is the program's own, or releases it.
static bool is_passed_on(const Work *w, const Ins *i, uint32_t value)
{
    FuncId f = program_callee(w->facts->program, w->unit_index, w->unit, (Ref){i->a});
    const SpecFunc *spec = f.id ? facts_spec(w->facts, f) : NULL;
    if (!f.id || (!spec && !program_has_code(w->facts->program, f))) return false;
    for (uint32_t k = 0; k < i->c; k++) {
        Ref r = {*func_extra(w->unit, w->func, i->b + k)};
        if (!ref_is_ins(r) || ref_index(r) != value) continue;
        if (!spec || (k < spec->param_count && spec->params[k].mode == SPEC_TAKE)) return true;
    }
    return false;
}

// Whether what the call gives is used up before the container can change: in the same block, with no other
// call of the container in between. What is stored or passed on may live longer.
static bool is_used_at_once(const Work *w, uint32_t ins)
{
    const Ins *lends = func_ins(w->unit, w->func, ins);
    if (w->global_value[ins]) return false;
    UseRange uses = w->uses[ins];
    uint32_t last = ins;
    for (uint32_t k = 0; k < uses.count; k++) {
        uint32_t at = w->use_ins[uses.first + k];
        const Ins *i = func_ins(w->unit, w->func, at);
        Op op = (Op)i->op;
        if (op == OP_FIELD || op == OP_INDEX || op == OP_RET || op == OP_PHI) return false;
        if (op == OP_STORE || (is_call(i) && is_passed_on(w, i, ins))) return false;
        if (at > last) last = at;
    }
    uint32_t container = *func_extra(w->unit, w->func, lends->b);
    for (uint32_t at = ins + 1; at < last; at++) {
        const Ins *i = func_ins(w->unit, w->func, at);
        if (is_call(i) && i->c && *func_extra(w->unit, w->func, i->b) == container) return false;
    }
    return true;
}

static Term lent_object(Work *w, uint32_t ins, const char *by)
{
    Term h = term_leaf(&w->terms, T_HEAP, w->terms.pointer_bits, ins, made(MADE_LENT, 0), 0, 0);
    if (!obj_info(w, h)) {
        ObjInfo info = {.term = h, .ins = ins, .allocator = by, .pos = pos_of_ins(w, ins), .arena = true, .lent = true};
        map_set(&w->info_of, h.id, w->infos.len);
        vec_push(&w->infos, arena_copy(w->arena, &info, sizeof info));
    }
    return h;
}

void lend(Work *w, State *s, Term container, Term address, uint32_t ins, const char *by)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    if (!is_call(i) || !address.id || !by || !container.id || is_used_at_once(w, ins) ||
        pmap_size(s->lent) >= LENT_KEPT)
        return;
    s->lent = pmap_set(w->arena, s->lent, address.id, lent_word(container, ins));
    story_add(w, s, STORY_NEW, ins, lent_object(w, ins, by), (Term){0}, false, NULL);
}

// ---- Copies of addresses of elements.

typedef struct {
    const Elements *e;
    uint32_t ins;
    VEC(uint64_t) keys, values;
} Copies;

static bool is_element(const Elements *e, Term x)
{
    if (term_width(&e->w->terms, x) != e->w->terms.pointer_bits || !(term_node(&e->w->terms, x)->flags & TERM_HAS_BASE))
        return false;
    Address a = term_address(&e->w->terms, x);
    return term_same(a.base, e->base) && a.offset >= e->region && a.offset < e->region + ELEMENTS_ROOM;
}

// Whether an instruction after this one may use the value.
static bool is_used_later(const Work *w, uint32_t value, uint32_t ins)
{
    UseRange uses = w->uses[value];
    for (uint32_t k = 0; k < uses.count; k++)
        if (w->use_ins[uses.first + k] > ins) return true;
    return w->global_value[value];
}

static bool note_value(void *context, uint64_t key, uint64_t value)
{
    Copies *c = context;
    if (!is_element(c->e, cell_term(value)) || !is_used_later(c->e->w, (uint32_t)key, c->ins)) return true;
    vec_push(&c->keys, key);
    vec_push(&c->values, value);
    return true;
}

static bool note_cell(void *context, uint64_t key, uint64_t value)
{
    Copies *c = context;
    if (!is_element(c->e, cell_term(value))) return true;
    vec_push(&c->keys, key);
    vec_push(&c->values, value);
    return true;
}

typedef struct {
    Term container;
    uint32_t ins;
    bool found;
} Lender;

static bool find_lender(void *context, uint64_t key, uint64_t word)
{
    Lender *l = context;
    if (key >> 32 || !term_same(lent_by(word), l->container)) return true;
    l->ins = lent_at(word);
    l->found = true;
    return true;
}

// The call that gave the address: this one, or another one in the same container (an iterator that was moved on).
static uint32_t lender_of(const State *s, Term container, Term address, uint32_t otherwise)
{
    uint64_t word;
    Lender l = {container, otherwise, false};
    if (pmap_get(s->lent, address.id, &word) && term_same(lent_by(word), container)) return lent_at(word);
    pmap_each(s->lent, find_lender, &l);
    return l.ins;
}

static Term object_gone(Work *w, State *s, Term container, Term address, uint32_t otherwise, uint32_t ins, const char *by)
{
    const char *gave = names_callee(w, otherwise);
    Term h = lent_object(w, lender_of(s, container, address, otherwise), gave ? gave : by);
    ObjState o = obj_get(s, h);
    if (o.status == OBJ_FREED && o.ins == ins) return h;
    story_add(w, s, STORY_FREE, ins, h, (Term){0}, false, by);
    obj_set(w, s, h, (ObjState){OBJ_FREED, 0, ins, {0}});
    w->silent = false;
    return h;
}

// Who has the container's elements as the caller's knows that they moved, or ended.
static void tell_caller(const Elements *e, bool grows)
{
    Terms *t = &e->w->terms;
    uint64_t now;
    int64_t before;
    Term cell = elements_place(e, ELEMENTS_MOVED);
    Address a = term_address(t, cell);
    if (grows && pmap_get(e->s->mem, cell_key(a.base, a.offset), &now) &&
        term_is_int(t, cell_term(now), &before) && before == ELEMENTS_END)
        return;
    mem_store(e->w, e->s, cell, 1, term_int(t, 8, grows ? ELEMENTS_GROW : ELEMENTS_END), e->ins);
}

void take_back(Work *w, State *s, Term container, bool grows, uint32_t ins, const char *by)
{
    Elements e;
    if (!elements_find(w, s, container, ins, &e)) return;
    if (grows && s->lent && pmap_get(s->lent, room_key(container), NULL)) return;
    if (elements_are_callers(&e)) tell_caller(&e, grows);
    Copies values = {.e = &e, .ins = ins}, cells = {.e = &e};
    looked_at(w, pmap_size(s->env) + pmap_size(s->mem));
    pmap_each(s->env, note_value, &values);
    pmap_each(s->mem, note_cell, &cells);
    vec_each (i, &values.keys) {
        uint32_t value = (uint32_t)values.keys.at[i];
        bool call = is_call(func_ins(w->unit, w->func, value));
        Term h = object_gone(w, s, container, cell_term(values.values.at[i]), call ? value : ins, ins, by);
        s->env = pmap_set(w->arena, s->env, value, h.id);
    }
    vec_each (i, &cells.keys) {
        uint64_t cell = cells.values.at[i];
        Term h = object_gone(w, s, container, cell_term(cell), ins, ins, by);
        s->mem = pmap_set(w->arena, s->mem, cells.keys.at[i], cell_value(cell_size(cell), h));
    }
    vec_free(&values.keys);
    vec_free(&values.values);
    vec_free(&cells.keys);
    vec_free(&cells.values);
}

void make_room(Work *w, State *s, Term container)
{
    if (container.id) s->lent = pmap_set(w->arena, s->lent, room_key(container), 1);
}

// Elements of lists and trees lie in blocks of their own. One that somebody asked the container for is no object of
// ours, and is known by its address alone.
void element_removed(Work *w, State *s, Term place, uint32_t ins, const char *by)
{
    Terms *t = &w->terms;
    Address a = term_address(t, place);
    TermKind kind = a.base.id ? term_kind(t, a.base) : T_NONE;
    if (kind != T_RESULT || a.index.id || a.offset || obj_get(s, a.base).status != OBJ_UNKNOWN) return;
    story_add(w, s, STORY_FREE, ins, a.base, (Term){0}, false, by);
    obj_set(w, s, a.base, (ObjState){OBJ_FREED, 0, ins, {0}});
    w->silent = false;
}

// ---- Text. A string is opaque: its first word stands for its state, and what it lends is kept in the cell that
// this points to, so that whoever asks again is given the same, and copies of the address are followed through
// memory and calls. Another state alone withdraws nothing: a string that is moved takes its text along.

// The cell of the text that the string in this state has lent.
static uint64_t text_cell(const Terms *t, Term state)
{
    return cell_key(term_address(t, state).base, term_address(t, state).offset);
}

static Term text_lent(Work *w, const State *s, Term state)
{
    uint64_t cell;
    if (!state.id || !term_address(&w->terms, state).base.id || !pmap_get(s->mem, text_cell(&w->terms, state), &cell))
        return (Term){0};
    Term h = term_address(&w->terms, cell_term(cell)).base;
    const ObjInfo *info = h.id && term_kind(&w->terms, h) == T_HEAP ? obj_info(w, h) : NULL;
    return info && info->lent ? h : (Term){0};
}

Term text_of(Work *w, State *s, Term string, uint32_t ins, const char *by)
{
    Terms *t = &w->terms;
    uint32_t bytes = t->pointer_bits / 8;
    MType word = mtype(MT_PTR, t->pointer_bits);
    Address a = term_address(t, string);
    if (!a.base.id || a.index.id || is_used_at_once(w, ins)) return (Term){0};
    Term state = mem_load(w, s, string, bytes, word, ins);
    Address at = term_address(t, state);
    if (!at.base.id || at.index.id || term_kind(t, at.base) == T_UNDEF) return (Term){0};
    Term known = text_lent(w, s, state);
    if (known.id) return known;
    TermKind home = term_kind(t, a.base);
    // The caller knows what its string has lent.
    if (home == T_PARAM || home == T_INPUT || home == T_GLOBAL) return mem_load(w, s, state, bytes, word, ins);
    if ((home != T_LOCAL && home != T_HEAP) || !by) return (Term){0};
    bool silent = w->silent;
    ObjInfo info = {.allocator = by, .pos = pos_of_ins(w, ins), .arena = true, .lent = true};
    Term h = obj_new(w, s, ins, made(MADE_LENT, 1), &info, t->pointer_bits);
    mem_scribble(w, s, h, 0, ins);
    // Nobody else can read it there: it does not escape.
    s->mem = pmap_set(w->arena, s->mem, text_cell(t, state), cell_value(bytes, h));
    w->silent = silent;
    return h;
}

// Text that a callee has read out of a string of ours: the first content of the cell, where somebody has met it.
static Term text_read(Work *w, Term state)
{
    Terms *t = &w->terms;
    Address a = term_address(t, state);
    uint32_t before = t->nodes.len;
    const TermNode *n = a.base.id ? term_node(t, a.base) : NULL;
    if (!n || a.index.id || n->kind != T_RESULT || !made_is_opaque(n->b)) return (Term){0};
    Term text = term_leaf(t, T_INPUT, t->pointer_bits, a.base.id, 0, 0, a.offset);
    return text.id < before ? text : (Term){0};
}

typedef struct {
    Term state;
    uint32_t count;
} Holders;

static bool count_holder(void *context, uint64_t key, uint64_t value)
{
    Holders *k = context;
    (void)key;
    return !term_same(cell_term(value), k->state) || ++k->count < 2;
}

// Copies have the same state, and each a text of its own: it is not known whose this is. Errs towards a missed use.
static bool is_shared(const State *s, Term state)
{
    Holders k = {state, 0};
    pmap_each(s->mem, count_holder, &k);
    return k.count > 1;
}

static void text_ends(Work *w, State *s, Term state, uint32_t ins, const char *by)
{
    Term h = text_lent(w, s, state);
    if ((h.id || text_read(w, state).id) && is_shared(s, state)) return;
    if (!h.id) {
        h = text_read(w, state);
        if (h.id) obj_set(w, s, h, (ObjState){OBJ_FREED, 0, ins, {0}});
        if (h.id) w->silent = false;
        return;
    }
    s->mem = pmap_drop(w->arena, s->mem, text_cell(&w->terms, state));
    if (obj_get(s, h).status != OBJ_ALLOCATED) return;
    story_add(w, s, STORY_FREE, ins, h, (Term){0}, false, by);
    obj_set(w, s, h, (ObjState){OBJ_FREED, obj_get(s, h).flags, ins, {0}});
    w->silent = false;
}

void text_gone(Work *w, State *s, Term string, uint32_t ins, const char *by)
{
    if (!string.id || !term_address(&w->terms, string).base.id) return;
    uint32_t bytes = w->terms.pointer_bits / 8;
    Term state = mem_load(w, s, string, bytes, mtype(MT_PTR, w->terms.pointer_bits), ins);
    text_ends(w, s, state, ins, by);
}

typedef struct {
    Work *w;
    State *s;
    U32s states; // of strings that have lent their text
} Texts;

static bool note_text(void *context, uint64_t key, uint64_t value)
{
    Texts *k = context;
    (void)key;
    Term state = cell_term(value);
    if (term_width(&k->w->terms, state) == k->w->terms.pointer_bits &&
        (text_lent(k->w, k->s, state).id || text_read(k->w, state).id))
        vec_push(&k->states, state.id);
    return true;
}

void texts_gone(Work *w, State *s, Term base, uint32_t ins, const char *by)
{
    uint64_t first = (uint64_t)base.id << 32;
    Texts k = {w, s, {0}};
    pmap_range(s->mem, first, first | UINT32_MAX, note_text, &k);
    vec_each (i, &k.states) text_ends(w, s, (Term){k.states.at[i]}, ins, by);
    vec_free(&k.states);
}
