// Joining. States that agree in everything but their facts are joined (facts are widened to hold
// for both); beyond STATES_KEPT at one block those that agree in their objects are joined too,
// their other values becoming unknown (ESP's property simulation); beyond STATES_MAX paths are
// dropped and the function counts as incomplete.
#include "heap/heap.h"

#include "base/hash.h"
#include "heap/limits.h"

#include <string.h>

enum { DOUBTED = 4 }; // beside the flags STATE_GENERAL and STATE_JOINED

// A value that stands for what several paths or rounds had: made by a join of states here or of
// cases in a callee, or by a generalised loop. One that unknown code wrote is not meant: it may be
// anything on each path.
static bool is_joined(void *context, Term x)
{
    const Work *w = context;
    const TermNode *n = term_node(&w->terms, x);
    if (n->kind == T_MERGE) return true;
    if (n->kind == T_RESULT) return made_is_joined(n->b);
    if (n->kind == T_HAVOC && (n->a & BY_JOIN)) return true;
    if (n->kind != T_HAVOC || n->a >= w->func->ins_count) return false;
    Op op = (Op)func_ins(w->unit, w->func, n->a)->op;
    return op != OP_CALL && op != OP_INVOKE && op != OP_ASM && op != OP_OPAQUE;
}

static bool is_same(void *context, Term x)
{
    const Term *what = context;
    return term_same(x, *what);
}

typedef struct {
    Work *w;
    const State *s;
} Tested;

// A field of the caller's memory that unknown code may have written, and that was tested before it
// did: most often it says the same as before.
static bool is_tested_again(void *context, Term x)
{
    const Tested *c = context;
    Terms *terms = &c->w->terms;
    const TermNode n = *term_node(terms, x);
    if (n.kind != T_HAVOC) return false;
    TermKind home = term_kind(terms, (Term){n.b});
    if (home != T_PARAM && home != T_INPUT && home != T_GLOBAL) return false;
    Term first = term_leaf(terms, T_INPUT, n.width, n.b, 0, 0, n.value);
    uint32_t looked = STORIES_LOOKED_AT;
    for (const Story *e = c->s->story; e && looked; e = e->prev, looked -= e && e->kind != STORY_TURN)
        if (e->kind == STORY_BRANCH && term_any(terms, e->a, is_same, &first)) return true;
    return false;
}

bool asks_joined(const Work *w, Term cond)
{
    return term_any(&w->terms, cond, is_joined, (void *)w);
}

void note_guess(Work *w, State *s, Term cond)
{
    bool joined = (s->flags & (STATE_JOINED | STATE_GENERAL)) && asks_joined(w, cond);
    if (joined || (s->contents && term_any(&w->terms, cond, is_tested_again, &(Tested){w, s})))
        s->guesses++;
}

uint32_t blur_of(const State *s)
{
    return (s->flags & (STATE_GENERAL | STATE_JOINED)) | (doubt_blurs(&s->doubts) ? DOUBTED : 0);
}

static uint64_t exception_of(const State *s)
{
    if (!(s->flags & STATE_UNWINDING)) return 0;
    return s->thrown ? hash_bytes(s->thrown, strlen(s->thrown), STATE_UNWINDING) : STATE_UNWINDING;
}

static uint64_t state_key(const State *s)
{
    uint64_t h = hash_mix(pmap_print(s->env), pmap_print(s->mem));
    h = hash_mix(h, hash_mix(pmap_print(s->objs), pmap_print(s->contents)));
    return hash_mix(h, hash_mix(pmap_print(s->vars),
                                hash_mix(pmap_print(s->loops), exception_of(s))));
}

// How much two states must agree in to be joined.
typedef enum {
    AGREE_ALL,   // in everything but the facts
    AGREE_OPEN,  // in where open objects are and how they stand, in which inputs were freed, and in
                 // which pointers of the caller were replaced
    AGREE_OWN,   // the same, without open objects that are safe outside; and in which objects
                 // pointers lead into, not where in them
    AGREE_ROLE,  // the same; nothing is claimed of objects that were freed on one of them
    AGREE_FREED, // in which inputs were freed; of open objects that differ nothing is claimed
    AGREE_ROUND, // in the loops' rounds alone; nor of inputs that one of them freed
    AGREE_EXIT,  // as AGREE_OPEN, and in the result's sign
} Agree;

typedef struct {
    Work *w;
    uint64_t key;
    const State *s;
    Agree how;
    Reach outside; // what globals and memory of the caller lead to
    bool counts;
} Coarse;

bool is_open_object(const Work *w, Term base, uint64_t word)
{
    return term_kind(&w->terms, base) == T_HEAP && (word & 0xff) != OBJ_UNKNOWN &&
           !(word >> 8 & (OBJF_ESCAPED | OBJF_FAMILY));
}

static bool leaves_out_safe(Agree how)
{
    return how == AGREE_OWN || how == AGREE_ROLE;
}

static bool matters(const Coarse *c, Term base, uint64_t word)
{
    if (c->how == AGREE_FREED || c->how == AGREE_ROUND || !is_open_object(c->w, base, word))
        return false;
    if (c->how == AGREE_ROLE && (word & 0xff) != OBJ_ALLOCATED) return false;
    return !leaves_out_safe(c->how) || (word & 0xff) != OBJ_ALLOCATED ||
           !reach_has(&c->outside, base);
}

static void coarse_base(void *context, Term base)
{
    Coarse *c = context;
    uint64_t word;
    c->counts = c->counts || (pmap_get(c->s->objs, base.id, &word) && matters(c, base, word));
}

static bool coarse_entry(void *context, uint64_t key, uint64_t value)
{
    Coarse *c = context;
    Term x = cell_term(value);
    if (!(term_node(&c->w->terms, x)->flags & TERM_HAS_HEAP)) return true;
    c->counts = false;
    term_each_base(&c->w->terms, x, coarse_base, c);
    Address a = term_address(&c->w->terms, x);
    if (c->counts) c->key += hash_mix(key, leaves_out_safe(c->how) && a.base.id ? a.base.id : x.id);
    return true;
}

// What a join or a loop left without a name of its own, and was freed: the caller does not know it.
static bool is_by_the_way(const Work *w, Agree how, Term base)
{
    return how == AGREE_ROLE && (term_node(&w->terms, base)->flags & TERM_LOCAL_ONLY);
}

static bool coarse_object(void *context, uint64_t key, uint64_t word)
{
    Coarse *c = context;
    Term base = {(uint32_t)key};
    bool freed = (word & 0xff) == OBJ_FREED && !is_by_the_way(c->w, c->how, base);
    bool counts = term_kind(&c->w->terms, base) == T_HEAP ? matters(c, base, word) : freed;
    // One that could not be had is not open: with a path that has it the place where it is lost
    // would be that of the failure. Of very many the tests themselves have to say so.
    if (counts && (word & 0xff) == OBJ_ALLOCATED && pmap_size(c->s->objs) <= MANY_OBJECTS &&
        term_kind(&c->w->terms, base) == T_HEAP)
        counts = !obj_failed(c->w, c->s, base);
    if (counts) c->key += hash_mix(key, word & 0xffff);
    return true;
}

// A pointer in the caller's memory was replaced: what it held is the caller's on the paths where it
// was not. By what, of unknowns, does not matter.
static bool coarse_replaced(void *context, uint64_t key, uint64_t value)
{
    Coarse *c = context;
    const Terms *t = &c->w->terms;
    Term x = cell_term(value);
    const TermNode *n = term_node(t, x);
    TermKind home = term_kind(t, term_address(t, cell_base(key)).base);
    if (home != T_PARAM && home != T_INPUT) return true;
    if (n->width != t->pointer_bits) return true;
    bool first = n->kind == T_INPUT && n->a == cell_base(key).id && n->value == cell_offset(key);
    if (first && !n->b) return true; // what it was
    c->key += hash_mix(key, term_is_zero(t, x));
    return true;
}

static bool is_closed(void *context, uint64_t key, uint64_t word)
{
    const Coarse *c = context;
    return !is_open_object(c->w, (Term){(uint32_t)key}, word);
}

// How a caller tells results apart: the sign of a number.
static uint64_t result_sign(Work *w, const State *s)
{
    uint64_t x;
    int64_t v;
    if (!pmap_get(s->env, UINT32_MAX, &x)) return 0;
    return term_is_int(&w->terms, (Term){(uint32_t)x}, &v) ? (v < 0 ? 1 : v == 0 ? 2 : 3) : 4;
}

// Where open objects are and how they stand, and which inputs were freed: the property that decides
// about findings.
static uint64_t coarse_key(Work *w, const State *s, Agree how)
{
    // What is sure is not joined with what is not as long as the places in objects are all that is
    // given up.
    uint32_t flags = s->flags & STATE_UNWINDING;
    if (how == AGREE_OWN) flags |= blur_of(s) & DOUBTED;
    Coarse c = {.w = w, .key = hash_mix(pmap_print(s->loops), flags), .s = s, .how = how};
    if (how == AGREE_ROUND) return c.key;
    if (how == AGREE_EXIT) c.key = hash_mix(c.key, result_sign(w, s));
    if (how != AGREE_FREED) pmap_each(s->mem, coarse_replaced, &c);
    // Without an open object nothing of the values can count.
    bool open = how != AGREE_FREED && !pmap_each(s->objs, is_closed, &c);
    looked_at(w, pmap_size(s->objs));
    if (open) looked_at(w, pmap_size(s->vars) + pmap_size(s->env) + pmap_size(s->mem));
    if (leaves_out_safe(how) && open) reach_exit(w, s, (Term){0}, &c.outside);
    pmap_each(s->objs, coarse_object, &c);
    if (!open) return c.key;
    pmap_each(s->vars, coarse_entry, &c);
    pmap_each(s->env, coarse_entry, &c);
    pmap_each(s->mem, coarse_entry, &c);
    reach_free(&c.outside);
    return c.key;
}

typedef struct {
    Work *w;
    State *into;
    State mine; // what `into` was
    State other;
    uint32_t at; // instruction before which they meet: names the unknowns that come of it
    int which;   // 0 env, 1 mem
    Agree how;
    bool costly;      // the function has become so, and its states large
    Map pairs;      // the two values -> the unknown that they became
    VEC(Term) gone; // addresses that are forgotten by it
} Join;

// Which of the two it is that was here is forgotten: nothing is claimed of what they point to.
static void let_go(Join *j, Term x)
{
    if (term_node(&j->w->terms, x)->flags & TERM_HAS_BASE) vec_push(&j->gone, x);
}

// A number of the caller's that was put somewhere may be that of a resource: it lives there on one of
// the two. Not what stood there before.
static void let_go_of_number(Join *j, uint64_t key, Term x)
{
    const Terms *t = &j->w->terms;
    const TermNode *n = term_node(t, x);
    bool first = n->kind == T_INPUT && n->a == cell_base(key).id && n->value == cell_offset(key);
    if (is_number_input(t, x) && !first)
        j->into->escaped = pmap_set(j->w->arena, j->into->escaped, x.id, 1);
}

static uint64_t blurred(const Join *j, bool havoc)
{
    return content_word(j->into, havoc ? CONTENT_HAVOC : CONTENT_SCRIBBLE, j->at);
}

// What moved there unseen stays there, here and below.
static void blur_key(Join *j, uint64_t key, bool havoc)
{
    uint64_t old;
    bool said = pmap_get(j->into->contents, key, &old);
    if (said && !havoc && content_kind(old) == CONTENT_COPY) return;
    if (said && content_kind(old) == CONTENT_HAVOC) havoc = true;
    j->into->contents = pmap_set(j->w->arena, j->into->contents, key, blurred(j, havoc));
}

static void blur_all(Join *j, Term base)
{
    uint64_t old = CONTENT_INITIAL;
    content_at(j->into, base, INT32_MIN, &old);
    if (content_kind(old) != CONTENT_COPY)
        content_set(j->w, j->into, base, blurred(j, content_kind(old) == CONTENT_HAVOC));
}

static void blur_part(Join *j, Term base, int64_t offset, uint32_t bytes)
{
    uint64_t old = CONTENT_INITIAL;
    content_at(j->into, base, offset, &old);
    if (content_kind(old) != CONTENT_COPY)
        content_set_part(j->w, j->into, base, offset, bytes,
                         blurred(j, content_kind(old) == CONTENT_HAVOC));
}

static bool join_content(void *context, uint64_t key, uint64_t in_a, uint64_t in_b, int has)
{
    Join *j = context;
    bool havoc = ((has & 1) && content_kind(in_a) == CONTENT_HAVOC) ||
                 ((has & 2) && content_kind(in_b) == CONTENT_HAVOC);
    // Of what moved there on one side only nothing is known any more.
    uint64_t sides[2] = {has & 1 ? in_a : 0, has & 2 ? in_b : 0};
    for (int i = 0; i < 2; i++)
        if (content_kind(sides[i]) == CONTENT_COPY) {
            j->into->loose = pmap_set(j->w->arena, j->into->loose, content_source(sides[i]).id, 1);
            j->into->contents = pmap_drop(j->w->arena, j->into->contents, key);
        }
    blur_key(j, key, havoc);
    return true;
}

// Two addresses in one block, ours or the caller's: some address in it, at an unknown place. A
// function that skips blanks gives back what it was given, wherever its paths were joined.
static Term within_one(Terms *t, Term x, Term y, Term unknown)
{
    Term base = term_address(t, x).base;
    if (!base.id || !term_same(base, term_address(t, y).base)) return unknown;
    TermKind kind = term_kind(t, base);
    bool picked;
    if ((kind != T_PARAM && kind != T_INPUT && kind != T_HEAP && !is_rest(t, base, &picked)) ||
        term_width(t, x) != t->pointer_bits)
        return unknown;
    return term_index(t, base, unknown, 1);
}

// An unknown that lies within the bounds of both. Variables that are equal on each side stay so.
static Term joined_value(Join *j, uint64_t key, Term x, Term y)
{
    Work *w = j->w;
    uint32_t width = term_width(&w->terms, x);
    Term u =
        term_leaf(&w->terms, T_MERGE, width, ~j->at, (uint32_t)(key >> 32) ^ (uint32_t)j->which,
                  j->into->iter, (int64_t)(uint32_t)key);
    bool fresh;
    u = within_one(&w->terms, x, y, u);
    // Which argument after `...` it is, or whether it is one, is forgotten.
    rest_stored(w, (Term){0}, x);
    rest_stored(w, (Term){0}, y);
    uint64_t *same = map_at(&j->pairs, (uint64_t)x.id << 32 | y.id, u.id, &fresh);
    if (!fresh) return (Term){(uint32_t)*same};
    if (j->how == AGREE_FREED) {
        let_go(j, x);
        let_go(j, y);
    }
    if (!width || width != term_width(&w->terms, y)) return u;
    Range hull = cond_range_hull(cond_range(&w->conds, j->mine.facts, x),
                                 cond_range(&w->conds, j->other.facts, y));
    cond_restrict(&w->conds, &j->into->facts, u, &hull);
    return u;
}

// A global that is never put back to zero and is not zero on either side.
static void keep_raised(Join *j, uint64_t key, uint64_t cell)
{
    Work *w = j->w;
    Term home = cell_base(key);
    if (term_kind(&w->terms, home) != T_GLOBAL || cell_offset(key) != 0) return;
    uint32_t size = cell_size(cell), width = term_width(&w->terms, cell_term(cell));
    if (!width) return;
    Term x = mem_cell(w, &j->mine, home, 0, size, width, j->at), y = mem_cell(w, &j->other, home, 0, size, width, j->at);
    if (is_raised(w, &j->mine, home, 0, x) && is_raised(w, &j->other, home, 0, y))
        j->into->mem = pmap_set(w->arena, j->into->mem, key, cell_value(size, joined_value(j, key, x, y)));
}

// Known on one side only, or with different sizes: from here on unknown. A pointer that stood there
// is not lost by our forgetting where.
static void forget_cell(Join *j, uint64_t key, uint64_t in_a, uint64_t in_b, int has)
{
    Work *w = j->w;
    j->into->mem = pmap_drop(w->arena, j->into->mem, key);
    keep_raised(j, key, has & 1 ? in_a : in_b);
    if (has & 1) let_go(j, cell_term(in_a));
    if (has & 2) let_go(j, cell_term(in_b));
    if (has & 1) let_go_of_number(j, key, cell_term(in_a));
    if (has & 2) let_go_of_number(j, key, cell_term(in_b));
    Term home = cell_base(key), base = term_address(&w->terms, home).base;
    if (j->costly || !term_same(home, base))
        blur_all(j, base);
    else
        blur_part(j, base, cell_offset(key), cell_size(has & 1 ? in_a : in_b));
}

// What one side has not written is what it was. Of a pointer that was there or is there now nothing
// is claimed then (join_entry lets both go), lest it be overwritten in the eyes of a caller; but
// the counters and flags beside it are what they were. Not so a number that was opened, nor an
// element at an unknown place; and it is not worth it beside globals, which stand alone most often.
static bool fill_in(Join *j, uint64_t key, uint64_t *in_a, uint64_t *in_b, int has)
{
    Work *w = j->w;
    uint64_t there = has & 1 ? *in_a : *in_b;
    uint32_t width = term_width(&w->terms, cell_term(there)), size = cell_size(there);
    TermKind home = term_kind(&w->terms, cell_base(key));
    bool alone = home == T_GLOBAL || home == T_ADDR;
    bool pointer = width == w->terms.pointer_bits;
    bool heap = term_node(&w->terms, cell_term(there))->flags & TERM_HAS_HEAP;
    int64_t value;
    if (width < 2 || (heap && !pointer) ||
        (alone && pointer && !term_is_int(&w->terms, cell_term(there), &value)))
        return false;
    Term x = mem_cell(w, has & 1 ? &j->other : &j->mine, cell_base(key), cell_offset(key), size,
                      width, j->at);
    if (width == w->terms.pointer_bits && (term_node(&w->terms, x)->flags & TERM_HAS_HEAP))
        return false;
    *(has & 1 ? in_b : in_a) = cell_value(size, x);
    return true;
}

static bool join_entry(void *context, uint64_t key, uint64_t in_a, uint64_t in_b, int has)
{
    Join *j = context;
    Work *w = j->w;
    looked_at(w, LOOKS_OF_JOIN);
    if (j->which == 0) {
        Term x = {(uint32_t)in_a}, y = {(uint32_t)in_b};
        bool blind = j->how == AGREE_FREED || j->how == AGREE_ROUND;
        if (blind && (has & 1)) let_go(j, x);
        if (blind && (has & 2)) let_go(j, y);
        if (has == 3) {
            j->into->env = pmap_set(w->arena, j->into->env, key, joined_value(j, key, x, y).id);
            return true;
        }
        j->into->env = pmap_drop(w->arena, j->into->env, key);
        return true;
    }
    // A function that has become costly no longer gathers the cells of all its paths.
    bool filled = has == 3 || (!j->costly && fill_in(j, key, &in_a, &in_b, has));
    if (!filled || cell_size(in_a) != cell_size(in_b)) {
        forget_cell(j, key, in_a, in_b, has);
        return true;
    }
    Term x = cell_term(in_a), y = cell_term(in_b);
    Term home = term_address(&w->terms, cell_base(key)).base;
    if (!term_same(x, y) && term_kind(&w->terms, home) != T_LOCAL) {
        let_go_of_number(j, key, x);
        let_go_of_number(j, key, y);
    }
    bool blind = j->how == AGREE_FREED || j->how == AGREE_ROUND;
    if (blind || term_kind(&w->terms, home) != T_LOCAL) {
        let_go(j, x);
        let_go(j, y);
    }
    Term u = term_same(x, y) ? x : joined_value(j, key, x, y);
    j->into->mem = pmap_set(w->arena, j->into->mem, key, cell_value(cell_size(in_a), u));
    return true;
}

// Objects that differ are closed ones: they stay closed.
static bool join_object(void *context, uint64_t key, uint64_t in_a, uint64_t in_b, int has)
{
    Join *j = context;
    looked_at(j->w, LOOKS_OF_JOIN);
    uint64_t word = has == 2 ? in_b : in_a;
    if (has == 3 && (in_b & 0xff) == OBJ_FREED) word = in_b;
    // Released as one family here and as another there, as a field says: by whatever fits.
    if (has == 3 && (in_a & 0xff) == (in_b & 0xff) && in_a >> 48 != in_b >> 48)
        word &= UINT64_MAX >> 16;
    bool input = term_kind(&j->w->terms, (Term){(uint32_t)key}) != T_HEAP;
    if (input && is_by_the_way(j->w, j->how, (Term){(uint32_t)key})) {
        j->into->objs = pmap_drop(j->w->arena, j->into->objs, key);
        return true;
    }
    if (j->how == AGREE_ROUND && input && (word & 0xff) == OBJ_FREED &&
        !(has == 3 && (in_a & 0xff) == (in_b & 0xff))) {
        // An input freed on one of the two ways: for the caller as if unknown code had it.
        j->into->objs = pmap_drop(j->w->arena, j->into->objs, key);
        j->into->escaped = pmap_set(j->w->arena, j->into->escaped, key, 1);
        return true;
    }
    if ((word & 0xff) != OBJ_FREED || !input) word |= (uint64_t)OBJF_ESCAPED << 8;
    j->into->objs = pmap_set(j->w->arena, j->into->objs, key, word);
    return true;
}

static bool join_variable(void *context, uint64_t key, uint64_t in_a, uint64_t in_b, int has)
{
    Join *j = context;
    (void)in_a, (void)in_b;
    if (has != 2) j->into->vars = pmap_drop(j->w->arena, j->into->vars, key);
    return true;
}

static bool add_escaped(void *context, uint64_t key, uint64_t a, uint64_t b, int has)
{
    Join *j = context;
    (void)a, (void)b;
    if (has == 2) j->into->escaped = pmap_set(j->w->arena, j->into->escaped, key, 1);
    return true;
}

static bool add_loose(void *context, uint64_t key, uint64_t a, uint64_t b, int has)
{
    Join *j = context;
    (void)a, (void)b;
    if (has == 2) j->into->loose = pmap_set(j->w->arena, j->into->loose, key, 1);
    return true;
}

static bool drop_size(void *context, uint64_t key, uint64_t a, uint64_t b, int has)
{
    Join *j = context;
    (void)a, (void)b;
    // Known where the object is.
    j->into->sizes = has == 2 && obj_get(&j->mine, (Term){(uint32_t)key}).status == OBJ_UNKNOWN
                         ? pmap_set(j->w->arena, j->into->sizes, key, b)
                     : has == 1 && obj_get(&j->other, (Term){(uint32_t)key}).status == OBJ_UNKNOWN
                         ? j->into->sizes
                         : pmap_drop(j->w->arena, j->into->sizes, key);
    return true;
}

// Used on one path and null on the other: used, if it is anything.
static bool join_touch(void *context, uint64_t key, uint64_t a, uint64_t b, int has)
{
    Join *j = context;
    (void)a, (void)b;
    Term base = {(uint32_t)key};
    Terms *t = &j->w->terms;
    PMap facts = has == 1 ? j->other.facts : j->mine.facts;
    bool both =
        has == 3 || (term_width(t, base) == t->pointer_bits &&
                     cond_decide(&j->w->conds, facts, term_eq(t, base, term_null(t))) == COND_TRUE);
    j->into->touched = both ? pmap_set(j->w->arena, j->into->touched, key, TOUCH_USED)
                            : pmap_drop(j->w->arena, j->into->touched, key);
    return true;
}

// What was lent and taken back on one path alone is not followed any more.
static bool drop_lent(void *context, uint64_t key, uint64_t a, uint64_t b, int has)
{
    Join *j = context;
    (void)a, (void)b, (void)has;
    j->into->lent = pmap_drop(j->w->arena, j->into->lent, key);
    return true;
}

// With `facts` the facts of the joined state are known already.
static void join(Work *w, State *into, const State *other, uint32_t at, Agree how,
                 const PMap *facts)
{
    Join j = {.w = w, .into = into, .mine = *into, .other = *other, .at = at, .how = how};
    j.costly = effort_of(w) == EFFORT_LEAST && pmap_size(into->mem) > CELLS_FILLED;
    bool coarse = how != AGREE_ALL;
    w->blurred |= how == AGREE_FREED || how == AGREE_ROUND;
    into->facts = facts ? *facts : cond_hull(&w->conds, into->facts, other->facts);
    if (coarse) {
        PMap env = into->env, mem = into->mem, objs = into->objs, vars = into->vars;
        PMap contents = into->contents;
        pmap_diff(contents, other->contents, join_content, &j);
        pmap_diff(env, other->env, join_entry, &j);
        j.which = 1;
        pmap_diff(mem, other->mem, join_entry, &j);
        pmap_diff(objs, other->objs, join_object, &j);
        pmap_diff(vars, other->vars, join_variable, &j);
        into->flags |= other->flags & STATE_SYMBOLIC;
        escape_terms(w, into, j.gone.at, j.gone.len, at);
        vec_free(&j.gone);
        map_free(&j.pairs);
    }
    PMap touched = into->touched, sizes = into->sizes;
    pmap_diff(sizes, other->sizes, drop_size, &j);
    pmap_diff(touched, other->touched, join_touch, &j);
    PMap escaped = into->escaped, loose = into->loose, lent = into->lent;
    pmap_diff(lent, other->lent, drop_lent, &j);
    pmap_diff(escaped, other->escaped, add_escaped, &j);
    pmap_diff(loose, other->loose, add_loose, &j);
    into->flags |= other->flags & STATE_SYMBOLIC;
    if (!into->thrown || !other->thrown || strcmp(into->thrown, other->thrown) != 0) into->thrown = NULL;
    into->choices = !facts ? choices_joined(w, &j.mine, other, into->facts, at)
                           : choices_common(w, into->choices, other->choices);
    // The story that goes on is the one with the fewest guesses; it alone has to be possible.
    bool fewer = other->guesses < into->guesses, as_many = other->guesses == into->guesses;
    if (fewer) into->guesses = other->guesses;
    bool cleaner = false;
    if (coarse) {
        into->flags |= other->flags & (STATE_GENERAL | STATE_JOINED);
        doubt_join(w->arena, &into->doubts, &other->doubts);
    } else {
        // Two ways to the same state: the one on which less was joined vouches for it.
        uint32_t mine = blur_of(into), theirs = blur_of(other);
        cleaner = theirs != mine && (theirs & mine) == theirs;
        into->flags &= ~(mine & ~theirs & ~(uint32_t)DOUBTED);
        doubt_vouch(&into->doubts, &other->doubts);
    }
    // Widened facts are joined values too.
    if (!facts) into->flags |= STATE_JOINED;
    // Nothing is sure behind a join that no likeness called for.
    if (how == AGREE_ROUND) state_doubt(w, into, DOUBT_OVER_BUDGET, at);
    into->flags &= other->flags | ~(uint32_t)(STATE_ERROR | STATE_FAILED);
    // The shorter story is the one to tell.
    bool shorter = other->story && into->story && other->story->length < into->story->length;
    bool same_worth = blur_of(into) == blur_of(other);
    JoinedWay kept = {j.mine.story, j.mine.objs, j.mine.mem}, dropped = {other->story, other->objs, other->mem};
    if (fewer || (as_many && (cleaner || (shorter && same_worth)))) {
        JoinedWay mine = kept;
        kept = dropped, dropped = mine;
        into->story = kept.story;
        into->last_loc = other->last_loc;
        into->left_by = other->left_by;
    }
    if (kept.story != dropped.story && kept.story && dropped.story)
        vec_push(&w->joined_stories, ((JoinedStory){kept, dropped, into->objs, 0}));
}

// States that differ in their facts alone, where the joined facts say no less than the two did.
// Otherwise a test that both paths would fail later may seem to hold: f(p) that does nothing when
// !on, or when on and p is null, would seem to do nothing. Where there are very many (the cases of
// a wide switch) each is compared with its neighbours alone: errs towards keeping them apart.
static void join_exact(Work *w, States *states, uint32_t ins)
{
    VEC(uint64_t) keys = {0};
    vec_each (i, states) {
        const Choice *c = states->at[i].choices;
        vec_push(&keys, hash_mix(state_key(&states->at[i]), c ? c->callee : 0));
    }
    for (bool again = true; again;) {
        again = false;
        uint32_t kept = 0;
        vec_each (i, states) {
            bool joined = false;
            uint32_t k = states->len > STATES_PAIRED && kept > NEIGHBOURS ? kept - NEIGHBOURS : 0;
            for (; k < kept && !joined; k++) {
                PMap facts;
                joined = keys.at[k] == keys.at[i] &&
                         cond_union(&w->conds, states->at[k].facts, states->at[i].facts, &facts);
                if (joined) join(w, &states->at[k], &states->at[i], ins, AGREE_ALL, &facts);
            }
            again |= joined;
            if (joined) continue;
            keys.at[kept] = keys.at[i];
            states->at[kept++] = states->at[i];
        }
        states->len = kept;
    }
    vec_free(&keys);
}

static void join_all(Work *w, States *states, uint32_t ins, Agree how)
{
    Map seen = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < states->len && !give_up_if_spent(w); i++) {
        State *s = &states->at[i];
        uint64_t key = how != AGREE_ALL ? coarse_key(w, s, how) : state_key(s);
        bool fresh;
        uint64_t *at = map_at(&seen, key, kept, &fresh);
        if (fresh) {
            states->at[kept++] = *s;
        } else {
            join(w, &states->at[*at], s, ins, how, NULL);
            // Joining costs by the size of what is joined; the budget knows.
            if (how != AGREE_ALL)
                w->steps += (pmap_size(s->mem) + pmap_size(s->env)) / JOINED_PER_STEP;
        }
    }
    states->len = kept;
    map_free(&seen);
}

// Paths that differ only in which round of a loop made what they own: see rename.c.
static void join_rounds(Work *w, States *states, uint32_t ins, Agree how)
{
    Map seen = {0}, first = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < states->len && !give_up_if_spent(w); i++) {
        State *s = &states->at[i], other;
        uint64_t key = coarse_key(w, s, how), *at = map_get(&seen, key);
        bool renamed = rename_objects(w, s, &first, &other) && !at;
        if (renamed)
            at = map_get(&seen, coarse_key(w, &other, how));
        else
            other = *s;
        if (!at) {
            map_set(&seen, key, kept);
            states->at[kept++] = *s;
            continue;
        }
        // The story is told with the names that stay.
        State *into = &states->at[*at];
        if (renamed) {
            other.story = into->story;
            other.last_loc = into->last_loc;
            other.left_by = into->left_by;
            if (other.guesses < into->guesses) other.guesses = into->guesses;
        }
        join(w, into, &other, ins, how, NULL);
        w->steps += (pmap_size(s->mem) + pmap_size(s->env)) / JOINED_PER_STEP;
    }
    states->len = kept;
    map_free(&seen);
    map_free(&first);
}

// The first ones stay as they are: what they show is exact, while the others are one.
static void join_tail(Work *w, States *states, uint32_t exact, uint32_t ins, Agree how)
{
    States tail = {0};
    vec_append(&tail, states->at + exact, states->len - exact);
    states->len = exact;
    join_all(w, &tail, ins, how);
    vec_append(states, tail.at, tail.len);
    vec_free(&tail);
}

typedef struct {
    Work *w;
    bool freed; // those that are surely freed count too
} Tracked;

static bool is_untracked(void *context, uint64_t key, uint64_t word)
{
    Tracked *k = context;
    Work *w = k->w;
    if (term_kind(&w->terms, (Term){(uint32_t)key}) != T_HEAP || (word & 0xff) != OBJ_ALLOCATED ||
        (word >> 8 & (OBJF_ESCAPED | OBJF_FAMILY)))
        return true;
    const ObjInfo *info = obj_info(w, (Term){(uint32_t)key});
    return !k->freed && facts_is_freed(w->facts, w->id, info->ins);
}

static bool any_tracked(Work *w, const States *states, bool freed)
{
    Tracked k = {w, freed};
    vec_each (i, states) {
        looked_at(w, pmap_size(states->at[i].objs));
        if (!pmap_each(states->at[i].objs, is_untracked, &k)) return true;
    }
    return false;
}

// Paths are worth keeping apart where something may yet be lost. What the value flow has proved to
// be freed is no reason once the function has become costly; before that joining the paths would cost
// what they tell about other objects.
static uint32_t kept_for(Work *w, const States *states)
{
    Effort effort = effort_of(w);
    if (effort == EFFORT_LEAST)
        return !w->silent && any_tracked(w, states, false) ? STATES_KEPT_LEAST : STATES_KEPT_SILENT;
    if (effort == EFFORT_LESS)
        return any_tracked(w, states, true) ? STATES_KEPT_LARGE : STATES_KEPT_PLAIN - 1;
    if (effort == EFFORT_FULL && w->func->ins_count <= SMALL_FUNCTION) return STATES_KEPT;
    return any_tracked(w, states, true) ? STATES_KEPT_LARGE : STATES_KEPT_PLAIN;
}

typedef struct {
    Work *w;
    const State *s;
    Reach outside;
    uint32_t kept;
} HandedOut;

static bool is_inside(void *context, uint64_t key, uint64_t word)
{
    HandedOut *h = context;
    Term base = {(uint32_t)key};
    return (word & 0xff) != OBJ_ALLOCATED || !is_open_object(h->w, base, word) ||
           !reach_has(&h->outside, base);
}

// Whether the caller gets an object by way of its memory: of that nothing could be claimed any more
// once it is joined with a path on which there is none.
static bool hands_out(Work *w, const State *s)
{
    HandedOut h = {.w = w, .s = s};
    if (!s->objs) return false;
    reach_exit(w, s, (Term){0}, &h.outside);
    bool none = pmap_each(s->objs, is_inside, &h);
    reach_free(&h.outside);
    return !none;
}

static void take_out(States *states, uint32_t at, State *out)
{
    *out = states->at[at];
    states->len--;
    for (uint32_t i = at; i < states->len; i++) states->at[i] = states->at[i + 1];
}

// Takes out the plainest path without guesses on which the caller gets an object.
static bool spare(Work *w, States *states, State *out)
{
    uint32_t best = UINT32_MAX;
    vec_each (i, states) {
        const State *s = &states->at[i];
        bool plainer = best == UINT32_MAX || is_plainer(s, &states->at[best]);
        if (!s->guesses && plainer && hands_out(w, s)) best = i;
    }
    if (best == UINT32_MAX) return false;
    take_out(states, best, out);
    return true;
}

static bool note_kept(void *context, uint64_t key, uint64_t word)
{
    HandedOut *h = context;
    const TermNode *n = term_node(&h->w->terms, (Term){(uint32_t)key});
    (void)word;
    if (n->kind == T_PARAM && n->a < CERTAIN_PARAMS && n->width == h->w->terms.pointer_bits)
        h->kept |= 1u << n->a;
    return true;
}

// By bit: the arguments that unknown code may have kept on the path.
static uint32_t kept_arguments(Work *w, const State *s)
{
    HandedOut h = {.w = w, .s = s};
    pmap_each(s->escaped, note_kept, &h);
    return h.kept & ~w->borrows;
}

// Takes out the plainest path without guesses that leaves an argument to the caller which others keep: one that
// refuses and goes back early. Joined with them it would seem to keep it too, and what the caller loses then
// would be missed.
static bool spare_refusal(Work *w, States *states, State *out)
{
    uint32_t all = 0, best = UINT32_MAX;
    vec_each (i, states) all |= kept_arguments(w, &states->at[i]);
    vec_each (i, states) {
        const State *s = &states->at[i];
        bool plainer = best == UINT32_MAX || is_plainer(s, &states->at[best]);
        if (!s->guesses && plainer && (all & ~kept_arguments(w, s))) best = i;
    }
    if (best == UINT32_MAX) return false;
    take_out(states, best, out);
    return true;
}

static void thin_out_swept(Work *w, States *states, uint32_t block, uint32_t ins)
{
    vec_each (i, states) sweep(w, &states->at[i], states->len > 1);
    if (states->len > 1) join_exact(w, states, ins);
    uint32_t kept = states->len > 1 ? kept_for(w, states) : states->len;
    if (states->len > kept) join_all(w, states, ins, AGREE_ALL);
    State spared[2];
    uint32_t spared_count = 0;
    bool leaves = states->len > kept && !w->silent && leads_to_exit(w, block);
    if (leaves && spare_refusal(w, states, &spared[0])) spared_count++;
    if (states->len > kept) join_all(w, states, ins, AGREE_OPEN);
    // However costly the function was up to here, little of it is left.
    bool ends = !w->cfg->loop_of[block] && w->rank[block] + BLOCKS_NEAR_END >= w->cfg->order_count;
    if (ends && kept == STATES_KEPT_LEAST && states->len > kept &&
        spare(w, states, &spared[spared_count]))
        spared_count++;
    if (states->len > kept) join_all(w, states, ins, AGREE_OWN);
    // Where the returns meet what is lost is about to show, and little is left to be done.
    if (states->len > kept && states->len <= STATES_LEAVING && leads_to_exit(w, block)) {
        vec_append(states, spared, spared_count);
        return;
    }
    bool small = w->func->ins_count <= SMALL_FUNCTION && effort_of(w) == EFFORT_FULL;
    uint32_t most = small ? STATES_MAX_SMALL : STATES_MAX;
    if (states->len > kept) join_rounds(w, states, ins, AGREE_OWN);
    if (states->len > most || (states->len > kept && kept <= STATES_KEPT_LEAST))
        join_rounds(w, states, ins, AGREE_ROLE);
    // One path for each open object goes on alone: what is lost on it shows.
    if (states->len > most) {
        uint32_t exact = small ? STATES_EXACT : cover_first(w, states, STATES_COVERING, false);
        join_tail(w, states, exact, ins, AGREE_FREED);
    }
    if (states->len > kept && kept <= STATES_KEPT_LEAST)
        join_tail(w, states, cover_first(w, states, kept, true), ins, AGREE_ROUND);
    if (states->len > most) {
        states->len = most;
        w->dropped_states = true;
    }
    vec_append(states, spared, spared_count);
}

void thin_out(Work *w, States *states, uint32_t block, uint32_t ins)
{
    uint32_t before = states->len;
    thin_out_swept(w, states, block, ins);
    // What very many paths had done with is gone before the one that is left of them is many again.
    vec_each (i, states)
        if (states->len < before && pmap_size(states->at[i].objs) > MANY_OBJECTS)
            sweep(w, &states->at[i], true);
}

void thin_out_exits(Work *w, uint32_t ins)
{
    States *exits = &w->exits;
    if (exits->len <= EXITS_KEPT || exits->len < w->exits_room) return;
    join_all(w, exits, ins, AGREE_ALL);
    if (exits->len > EXITS_KEPT) join_all(w, exits, ins, AGREE_EXIT);
    w->exits_room = exits->len + EXITS_KEPT;
}
