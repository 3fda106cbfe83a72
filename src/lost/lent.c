// What a container lends: the address of one of its elements, or of its text. Adding to a vector moves the
// elements, and the end of a container ends them: whoever uses such an address afterwards uses freed memory.
//
// The address is known by the instruction that got it. State.lent has the container for each of those, and the call
// that took back what was lent. Addresses that went through memory or met others in a phi are not followed:
// errs towards a missed use. Where the container had room and nothing moved, the replay does not show it.
#include "lost/lost.h"

#include "lost/limits.h"

// The container's address, and the call that took it back, or 0.
static uint64_t lent_word(Term container, uint32_t taken_back)
{
    return (uint64_t)taken_back << 32 | container.id;
}
static Term lent_by(uint64_t word)
{
    return (Term){(uint32_t)word};
}
// Instructions count from 1 here.
static uint32_t taken_back_at(uint64_t word)
{
    return (uint32_t)(word >> 32);
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
// call of the container in between. What is `stored` or passed on may live longer.
static bool is_used_at_once(const Work *w, uint32_t ins, bool stored)
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
        if (stored && (op == OP_STORE || (is_call(i) && is_passed_on(w, i, ins)))) return false;
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
    if (by && !obj_info(w, h)) {
        ObjInfo info = {.term = h, .ins = ins, .allocator = by, .pos = pos_of_ins(w, ins), .arena = true, .lent = true};
        map_set(&w->info_of, h.id, w->infos.len);
        vec_push(&w->infos, arena_copy(w->arena, &info, sizeof info));
    }
    return h;
}

void lend(Work *w, State *s, Term container, uint32_t ins, const char *by)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    if (!is_call(i) || mtype_class(i->type) != MT_PTR || !container.id || is_used_at_once(w, ins, false) ||
        pmap_size(s->lent) >= LENT_KEPT)
        return;
    s->lent = pmap_set(w->arena, s->lent, ins, lent_word(container, 0));
    story_add(w, s, STORY_NEW, ins, lent_object(w, ins, by), (Term){0}, false, NULL);
}

typedef struct {
    Work *w;
    State *s;
    Term container;
    uint32_t ins;
    const char *by;
} Taking;

static bool take_one(void *context, uint64_t key, uint64_t word)
{
    Taking *k = context;
    if (key >> 32 || taken_back_at(word) || !term_same(lent_by(word), k->container)) return true;
    k->s->lent = pmap_set(k->w->arena, k->s->lent, key, lent_word(k->container, k->ins + 1));
    Term h = lent_object(k->w, (uint32_t)key, NULL);
    story_add(k->w, k->s, STORY_FREE, k->ins, h, (Term){0}, false, k->by);
    k->w->silent = false;
    return true;
}

void take_back(Work *w, State *s, Term container, bool grows, uint32_t ins, const char *by)
{
    if (!s->lent || !container.id || (grows && pmap_get(s->lent, room_key(container), NULL))) return;
    Taking k = {w, s, container, ins, by};
    pmap_each(s->lent, take_one, &k);
}

void make_room(Work *w, State *s, Term container)
{
    if (container.id) s->lent = pmap_set(w->arena, s->lent, room_key(container), 1);
}

// The object that stands for what was lent and is gone, where the value is an address in it; none else.
static Term gone(Work *w, State *s, Ref value)
{
    while (ref_is_ins(value)) {
        uint64_t word;
        uint32_t ins = ref_index(value);
        const Ins *i = func_ins(w->unit, w->func, ins);
        if (i->op == OP_FIELD || i->op == OP_INDEX) {
            value = (Ref){i->a};
            continue;
        }
        if (!pmap_get(s->lent, ins, &word) || !taken_back_at(word)) return (Term){0};
        Term h = lent_object(w, ins, NULL);
        if (!obj_info(w, h)) return (Term){0};
        obj_set(w, s, h, (ObjState){OBJ_FREED, 0, taken_back_at(word) - 1, {0}});
        s->lent = pmap_drop(w->arena, s->lent, ins); // said once a path
        return h;
    }
    return (Term){0};
}

void use_lent(Work *w, State *s, Ref address, uint32_t ins)
{
    Term h = s->lent ? gone(w, s, address) : (Term){0};
    if (!h.id) return;
    misuse(w, s, RULE_USE_AFTER_FREE, h, ins, NULL);
    obj_set(w, s, h, (ObjState){OBJ_FREED, OBJF_ESCAPED, ins, {0}});
}

Term return_lent(Work *w, State *s, Ref value, Term result)
{
    Term h = s->lent ? gone(w, s, value) : (Term){0};
    return h.id ? h : result;
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
    if (!a.base.id || a.index.id || is_used_at_once(w, ins, true)) return (Term){0};
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

static void text_ends(Work *w, State *s, Term state, uint32_t ins, const char *by)
{
    Term h = text_lent(w, s, state);
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
