// From the states at the exits to the summary (Sparrow, section 4.2). What is kept is what a caller
// can see: facts about inputs, cells of memory that came from outside or is reachable from there
// or from the result, releases of inputs, and what was handed to unknown code. Exits that a caller
// cannot tell apart become one case (cases.c).
#include "heap/elements.h"
#include "walk/walk_int.h"

#include "base/hash.h"

#include <string.h>

typedef struct {
    Work *w;
    const State *s;
    Summary *sum;
    Arena *arena;
    Reach *visible;
    Map copied; // term of the work -> term of the summary
    Map named;  // HEAP term -> its number among those that the case hands out
    U32s order; // the same by number
    // The lists of the case.
#define LIST(type, name, count, least, kind, join, word) VEC(type) name;
#define WAYS(name, join)
#define TERM(name, join)
#define FLAG(name, join)
#define NUMBER(name, join)
#define TEXT(name, join)
#define DOUBTS(name)
#include "summary/case.def"
#include "summary/rows_end.h"
    bool overflow;
    bool of_inputs; // facts about inputs are being told, else those about what the call made
    const Story *asked; // the step that Case.test is about; or null
    bool counted;   // some value that the caller sees depends on the number of rounds
} Builder;

// What a caller sees of an object is where the call left it and how it is to be released, not
// which of several places in here obtained it: an object is named by its number in the order in
// which result and effects lead to it, so that cases that differ in the place alone are one.
static void name_base(void *context, Term base)
{
    Builder *b = context;
    if (term_kind(&b->w->terms, base) != T_HEAP || map_get(&b->named, base.id)) return;
    map_set(&b->named, base.id, b->order.len);
    vec_push(&b->order, base.id);
}

static bool name_in_cell(void *context, uint64_t key, uint64_t value)
{
    Builder *b = context;
    (void)key;
    if (term_node(&b->w->terms, cell_term(value))->flags & TERM_HAS_HEAP)
        term_each_base(&b->w->terms, cell_term(value), name_base, b);
    return true;
}

static bool name_in_input(void *context, uint64_t key, uint64_t value)
{
    Builder *b = context;
    TermKind kind = term_kind(&b->w->terms, term_address(&b->w->terms, cell_base(key)).base);
    if (kind == T_HEAP || kind == T_LOCAL) return true;
    return name_in_cell(context, key, value);
}

static void name_objects(Builder *b, Term result)
{
    if (result.id) term_each_base(&b->w->terms, result, name_base, b);
    pmap_each(b->s->mem, name_in_input, b);
    for (uint32_t i = 0; i < b->order.len; i++) {
        uint64_t first = (uint64_t)b->order.at[i] << 32;
        pmap_range(b->s->mem, first, first | UINT32_MAX, name_in_cell, b);
    }
}

static void rename_object(const Builder *b, Term x, TermNode *n)
{
    const uint64_t *number = map_get(&b->named, x.id);
    if (!number) return;
    const ObjInfo *i = obj_info(b->w, x);
    uint32_t kind = (uint32_t)i->fail | i->zeroed << 3 | i->resource << 4 | i->arena << 5 |
                    i->embedded << 6 | i->deep << 7 | i->for_memory << 8 | i->filled << 9;
    n->a = UINT32_MAX;
    n->b = (uint32_t)*number;
    n->c = i->family.id << 10 | kind;
    n->value = i->fail_value;
    int64_t size; // blocks of known sizes are told apart: a path may turn on it
    Term bytes = obj_size(b->s, x);
    if (bytes.id && term_is_int(&b->w->terms, bytes, &size))
        n->value ^= (int64_t)(((uint64_t)size + 1) << 16);
}

static Term copy_term(Builder *b, Term x)
{
    if (!x.id) return x;
    uint64_t *known = map_get(&b->copied, x.id);
    if (known) return (Term){(uint32_t)*known};
    TermNode n = *term_node(&b->w->terms, x);
    if (n.kind == T_ITE) {
        // What this exit has decided is no question for the caller, who could not even name it:
        // freopen() gives its argument on this path and null on the other.
        Truth truth = cond_decide(&b->w->conds, b->s->facts, (Term){n.a});
        if (truth != COND_UNKNOWN) {
            Term side = copy_term(b, (Term){truth == COND_TRUE ? n.b : n.c});
            map_set(&b->copied, x.id, side.id);
            return side;
        }
    }
    if (n.kind >= T_ADDR || n.kind == T_INPUT) {
        n.a = copy_term(b, (Term){n.a}).id;
        n.b = copy_term(b, (Term){n.b}).id;
        if (n.kind == T_ITE) n.c = copy_term(b, (Term){n.c}).id;
    } else if (n.kind == T_HAVOC) {
        n.b = copy_term(b, (Term){n.b}).id;
    } else if (n.kind == T_UNDEF) {
        n.a = n.b = 0, n.c = 0, n.value = x.id; // told apart by number alone
    } else if (n.kind == T_HEAP) {
        rename_object(b, x, &n);
    }
    Term r = term_raw(&b->sum->terms, n);
    map_set(&b->copied, x.id, r.id);
    return r;
}

// The caller can evaluate it: made of parameters, initial memory, globals and numbers only.
static bool is_input(const Builder *b, Term x)
{
    return !(term_node(&b->w->terms, x)->flags & TERM_LOCAL_ONLY);
}

static bool is_byval(const Work *w, Term base)
{
    const TermNode *n = term_node(&w->terms, base);
    return n->kind == T_PARAM && n->a < w->func->param_count &&
           (w->unit->params.at[w->func->first_param + n->a].flags & PARAM_BYVAL);
}

// Whether it compares a descriptor that is handed out with a number of the caller: dup after close
// gives back the number that is wanted.
static bool is_number_wanted(const Builder *b, Term x)
{
    const Terms *t = &b->w->terms;
    const TermNode *n = term_node(t, x);
    if (n->kind != T_EQ) return false;
    Term sides[2] = {{n->a}, {n->b}};
    for (int i = 0; i < 2; i++)
        if (term_kind(t, sides[i]) == T_HEAP && term_width(t, sides[i]) != t->pointer_bits &&
            reach_has(b->visible, sides[i]) && !term_is_int(t, sides[1 - i], NULL) &&
            is_input(b, sides[1 - i]))
            return true;
    return false;
}

// A pointer of the caller's that was found equal to a value which the caller has no name for: it
// is in that memory, and has its owner there. The caller cannot tell this case from others. Not
// where the value is a place in a block of the caller's: the end of an array that a loop came to.
static void note_found(Builder *b, Term x, uint64_t fact)
{
    const Terms *t = &b->w->terms;
    const TermNode *n = term_node(t, x);
    int64_t truth;
    if (n->kind != T_EQ || !range_single(cond_fact(&b->w->conds, fact), 1, &truth) || !truth)
        return;
    Term sides[2] = {{n->a}, {n->b}};
    for (int i = 0; i < 2; i++) {
        TermKind kind = term_kind(t, sides[i]);
        Term home = term_address(t, sides[1 - i]).base;
        if ((kind == T_PARAM || kind == T_INPUT) && term_width(t, sides[i]) == t->pointer_bits &&
            is_input(b, sides[i]) && !(home.id && is_input(b, home)))
            vec_push(&b->escapes, copy_term(b, sides[i]));
    }
}

// A comparison with the returned value's unknowns is kept too: it is what ties "returned 1" to
// "has allocated".
static bool visit_fact(void *context, uint64_t key, uint64_t value)
{
    Builder *b = context;
    Term x = {(uint32_t)key};
    const Terms *t = &b->w->terms;
    bool keep = is_input(b, x);
    if (keep != b->of_inputs) return true;
    if (!keep) {
        TermKind k = term_kind(t, x);
        // Unknowns that the caller sees by name: results and heap objects that are handed out.
        keep = (k == T_RESULT || k == T_HEAP || k == T_MERGE || k == T_HAVOC) &&
               reach_has(b->visible, x);
        keep |= is_number_wanted(b, x);
        uint64_t result;
        if (!keep && pmap_get(b->s->env, UINT32_MAX, &result)) keep = result == key;
    }
    if (!keep) {
        note_found(b, x, value);
        return true;
    }
    if (b->guards.len >= MAX_GUARDS) return true; // errs: the case is thought possible more often
    vec_push(&b->guards, ((Guard){copy_term(b, x), *cond_fact(&b->w->conds, value)}));
    return true;
}

// What is known of the returned number where it is worked out from what the caller has no name for: the
// errno of a call that failed is positive, so that -errno is negative.
static void bound_result(Builder *b, Term result)
{
    Work *w = b->w;
    uint32_t width = result.id ? term_width(&w->terms, result) : 0;
    // Where nothing was obtained or released, cases would be kept apart that do the same.
    if (!b->objects.len && !b->frees.len) return;
    if (width < 2 || width == w->terms.pointer_bits || term_is_int(&w->terms, result, NULL) ||
        is_input(b, result) || pmap_get(b->s->facts, result.id, NULL))
        return;
    Range known = cond_range(&w->conds, b->s->facts, result),
          any = cond_range(&w->conds, NULL, result);
    // Only what callers ask by.
    bool told = (known.smax < 0 && any.smax >= 0) || (known.smin > 0 && any.smin <= 0);
    if (told) vec_push(&b->guards, ((Guard){copy_term(b, result), known}));
}

// Whether the caller's cell holds what it held when the call began: null was stored where null was. Cases
// that say so one by one would be told apart from those that do not touch it, and joined with them they would
// seem to replace what it holds.
static bool stays(const Builder *b, uint64_t key, Term value)
{
    Terms *t = &b->w->terms;
    Term home = cell_base(key);
    TermKind kind = term_kind(t, home);
    uint64_t said;
    if ((kind != T_PARAM && kind != T_INPUT && kind != T_GLOBAL) || cell_offset(key) < 0 ||
        content_at(b->s, home, cell_offset(key), &said))
        return false;
    Term first = term_leaf(t, T_INPUT, term_width(t, value), home.id, 0, 0, cell_offset(key));
    int64_t number, known;
    if (term_same(first, value)) return true;
    if (!term_is_int(t, value, &number)) return false;
    Range range = cond_range(&b->w->conds, b->s->facts, first);
    return range_single(&range, term_width(t, value), &known) && known == number;
}

// A flag that is set once, or a table that is made once, is still there where paths were joined: callers ask
// such a value for 0 and null.
static void bound_stored(Builder *b, Term home, Term value)
{
    Work *w = b->w;
    TermKind of = term_kind(&w->terms, term_address(&w->terms, home).base), kind = term_kind(&w->terms, value);
    if ((kind != T_MERGE && kind != T_RESULT && kind != T_HAVOC) || of == T_HEAP || term_width(&w->terms, value) < 2 ||
        b->guards.len >= MAX_GUARDS)
        return;
    if (!is_not_zero(w, b->s, value)) return;
    Term x = copy_term(b, value);
    vec_each (i, &b->guards)
        if (term_same(b->guards.at[i].term, x)) return;
    vec_push(&b->guards, ((Guard){x, cond_range(&w->conds, b->s->facts, value)}));
}

static bool visit_cell(void *context, uint64_t key, uint64_t value)
{
    Builder *b = context;
    Work *w = b->w;
    Term home = cell_base(key), base = term_address(&w->terms, home).base;
    TermKind kind = term_kind(&w->terms, base);
    if (kind == T_LOCAL && !reach_has(b->visible, base)) return true;
    if (kind == T_LOCAL || is_byval(w, base)) return true;
    // The caller has no name for it: unknown, or found by way of something unknown.
    bool elsewhere = kind != T_LOCAL && kind != T_HEAP && !is_input(b, base);
    if ((elsewhere || (kind == T_HEAP && (obj_get(b->s, base).flags & OBJF_ESCAPED))) &&
        is_number_input(&w->terms, cell_term(value)))
        vec_push(&b->escapes, copy_term(b, cell_term(value)));
    if (kind == T_HEAP && !reach_has(b->visible, base)) {
        ObjState o = obj_get(b->s, base);
        if (o.status == OBJ_FREED || !(o.flags & OBJF_ESCAPED)) return true;
        elsewhere = true; // unknown code has it, and with it what was stored there since
    }
    if (elsewhere) {
        // Memory whose address the caller does not know: only what is stored there matters.
        if (term_node(&w->terms, cell_term(value))->flags & TERM_HAS_BASE) {
            Reach r = {0};
            reach_term(w, b->s, cell_term(value), &r);
            for (uint32_t i = 0; i < r.reached.len; i++) {
                Term x = {r.reached.at[i]};
                TermKind xk = term_kind(&w->terms, x);
                if (xk == T_PARAM || xk == T_INPUT || xk == T_HEAP)
                    vec_push(&b->escapes, copy_term(b, x));
            }
            reach_free(&r);
        } else {
            // A number may be the name of a resource.
            TermKind xk = term_kind(&w->terms, cell_term(value));
            if (xk == T_PARAM || xk == T_INPUT)
                vec_push(&b->escapes, copy_term(b, cell_term(value)));
        }
        return true;
    }
    if (obj_get(b->s, base).status == OBJ_FREED &&
        !elements_is_ending(&w->terms, cell_offset(key), cell_term(value)))
        return true;
    // Plain data that nobody knows, in memory that the caller has not seen: nothing to tell.
    const TermNode *v = term_node(&w->terms, cell_term(value));
    if (kind == T_HEAP && !(v->flags & TERM_HAS_BASE) && v->kind >= T_RESULT && v->kind <= T_UNDEF)
        return true;
    if (stays(b, key, cell_term(value))) return true;
    vec_push(&b->effects, ((Effect){copy_term(b, home), cell_offset(key), cell_size(value),
                                    copy_term(b, cell_term(value))}));
    bound_stored(b, home, cell_term(value));
    return true;
}

static Pos keep_pos(Arena *arena, Pos p)
{
    if (p.path) p.path = arena_strdup(arena, p.path);
    return p;
}

// Why unknown code is believed not to have kept the object; null: it never had it.
static const char *belief_about(const State *s, Term base)
{
    if (!(obj_get(s, base).flags & OBJF_DOUBTED)) return NULL;
    for (const Story *e = s->story; e; e = e->prev)
        if (e->kind == STORY_BELIEF && term_same(e->a, base)) return e->text;
    return "this assumes that a function without code does not keep it";
}

// What is known of an object, as the caller shall know it: with the call that brought it here.
static ObjInfo object_for_caller(Builder *b, Term base)
{
    ObjInfo info = *obj_info(b->w, base);
    const char *callee = source_name(b->w, &info);
    info.origin = explain_inside(b->w, b->s, b->arena, info.ins, callee, info.origin, base, true);
    info.term = copy_term(b, base);
    info.size = obj_size(b->s, base);
    info.size = info.size.id && is_input(b, info.size) ? copy_term(b, info.size) : (Term){0};
    info.allocator = arena_strdup(b->arena, info.allocator);
    info.pos = keep_pos(b->arena, info.pos);
    const char *belief = info.believed ? info.believed : belief_about(b->s, base);
    if (!info.believed) info.doubt = explain_object_doubt(obj_get(b->s, base));
    info.believed = belief ? arena_strdup(b->arena, belief) : NULL;
    return info;
}

// How the object was released on this path.
static const Origin *released_by(Builder *b, Term base)
{
    const Story *e = b->s->story;
    while (e && !(e->kind == STORY_FREE && term_same(e->a, base))) e = e->prev;
    return e ? explain_inside(b->w, b->s, b->arena, e->ins, e->text, e->inside, base, false) : NULL;
}

static bool is_counted(const Terms *t, Term x, int depth)
{
    const TermNode *n = term_node(t, x);
    if (n->kind == T_LOOP || n->kind == T_MERGE) return true;
    if (n->kind < T_ADDR) return false;
    return depth == 0 || (n->a && is_counted(t, (Term){n->a}, depth - 1)) ||
           (n->b && is_counted(t, (Term){n->b}, depth - 1)) ||
           (n->kind == T_ITE && is_counted(t, (Term){n->c}, depth - 1));
}

static bool counted_cell(void *context, uint64_t key, uint64_t value)
{
    Builder *b = context;
    const Terms *t = &b->w->terms;
    Term base = term_address(t, cell_base(key)).base;
    TermKind kind = term_kind(t, base);
    if (kind == T_LOCAL || (kind == T_HEAP && !reach_has(b->visible, base))) return true;
    b->counted |= is_counted(t, cell_term(value), 6);
    return true;
}

static bool is_first(void *context, uint64_t key, uint64_t word)
{
    (void)context, (void)key;
    return !(word >> 8 & OBJF_FIRST);
}

static bool visit_object(void *context, uint64_t key, uint64_t word)
{
    Builder *b = context;
    (void)word;
    Term base = {(uint32_t)key};
    ObjState o = obj_get(b->s, base);
    TermKind kind = term_kind(&b->w->terms, base);
    if (kind == T_HEAP) {
        bool closed = o.flags & (OBJF_ESCAPED | OBJF_FAMILY);
        if ((o.flags & OBJF_FIRST) && !(o.flags & OBJF_ESCAPED) && !b->counted) closed = false;
        // A freed one that the caller can still name is born and freed in the call.
        bool dead = o.status == OBJ_FREED && !closed && !(o.flags & OBJF_MAYBE_FREED) &&
                    !obj_failed(b->w, b->s, base);
        if ((o.status == OBJ_ALLOCATED || dead) && reach_has(b->visible, base)) {
            vec_push(&b->objects, object_for_caller(b, base));
            Term own = vec_last(&b->objects).term;
            if (dead) vec_push(&b->frees, ((Release){own, vec_last(&b->objects).family, released_by(b, base)}));
            if (closed) vec_push(&b->escapes, own);
        }
    } else if (is_input(b, base)) {
        if (o.status == OBJ_FREED) 
            vec_push(&b->frees, ((Release){copy_term(b, base), o.family, released_by(b, base)}));
    }
    return true;
}

static bool visit_content(void *context, uint64_t key, uint64_t word)
{
    Builder *b = context;
    Term base = content_base(key), from = base;
    if (content_is_part(key)) from = term_field(&b->w->terms, base, cell_offset(key));
    if (content_kind(word) == CONTENT_COPY) {
        bool seen = reach_has(b->visible, base) || (is_input(b, base) && !is_byval(b->w, base));
        if (seen && is_input(b, content_source(word)))
            vec_push(&b->moves, ((Move){copy_term(b, base), copy_term(b, content_source(word))}));
        return true;
    }
    if (content_kind(word) < CONTENT_HAVOC || !is_input(b, base) || is_byval(b->w, base))
        return true;
    if (content_kind(word) == CONTENT_HAVOC)
        vec_push(&b->havocs, copy_term(b, base));
    else
        vec_push(&b->scribbles, copy_term(b, from));
    return true;
}

static bool visit_escape(void *context, uint64_t key, uint64_t word)
{
    Builder *b = context;
    (void)word;
    Term base = {(uint32_t)key};
    // Joined paths may seem to keep what no instruction keeps.
    if (is_input(b, base) && obj_get(b->s, base).status != OBJ_FREED &&
        !certainly_borrowed(b->w, base))
        vec_push(&b->escapes, copy_term(b, base));
    return true;
}

static bool visit_loose(void *context, uint64_t key, uint64_t word)
{
    Builder *b = context;
    (void)word;
    Term base = {(uint32_t)key};
    if (is_input(b, base) && !certainly_left(b->w, base))
        vec_push(&b->loose, copy_term(b, (Term){(uint32_t)key}));
    return true;
}

static bool visit_touch(void *context, uint64_t key, uint64_t word)
{
    Builder *b = context;
    if (!is_input(b, (Term){(uint32_t)key})) return true;
    Term x = copy_term(b, (Term){(uint32_t)key});
    if (word == TOUCH_DEREFERENCED) vec_push(&b->touches, x);
    vec_push(&b->uses, x);
    return true;
}

static const char *test_in(Builder *b, const char *text)
{
    return arena_printf(b->arena, "%s in %s", text, name_text(b->w->unit->names, b->w->func->source));
}

// The last open branch on something that only this function knew, in words: a call that fails, or what else was asked.
static void note_why(Builder *b, Case *c)
{
    Findings *scratch = findings_new();
    const char *why = NULL, *test = NULL;
    for (const Story *e = b->s->story; e && !why; e = e->prev) {
        if (e->kind == STORY_CALL && e->text && !explain_is_bystander(b->w, b->s, e->ins, (Term){0})) {
            if (!e->flag) why = e->text;
            if (e->flag && !test) test = e->text, b->asked = e;
        }
        Turned turn;
        if (e->kind == STORY_TURN && !test && explain_turn(b->w, e, &turn) && !turn.succeeds &&
            explain_decides(b->w, b->s, e->ins, UINT32_MAX, (Term){0}))
            test = test_in(b, turn.words ? turn.words : turn.text), b->asked = e;
        if (e->kind != STORY_BRANCH || is_input(b, e->a) || !explain_decides(b->w, b->s, e->ins, UINT32_MAX, (Term){0})) continue;
        if (names_gives_null(b->w, e->a, e->flag)) continue; // the end of a file, as a rule
        Finding *f = finding_new(scratch, RULE_LEAK, "", (Pos){0}, (Pos){0});
        if (!names_condition(b->w, e->a, e->flag, f) || !f->when.len) continue;
        if (!f->when.at[0].expr) why = f->when.at[0].text;
        bool modelled, succeeds = names_failure(b->w, e->a, !e->flag) != NULL;
        if (names_answer(b->w, e->a, &modelled) && !modelled) succeeds = false;
        if (f->when.at[0].expr && !test && !succeeds) test = test_in(b, f->when.at[0].text), b->asked = e;
    }
    c->why = why ? arena_strdup(b->arena, why) : NULL;
    c->test = test && !why ? arena_strdup(b->arena, test) : NULL;
    findings_free(scratch);
}

// The newest choice that the caller can make.
static Clauses inherited_ways(Builder *b)
{
    for (const Choice *c = b->s->choices; c; c = c->prev) {
        Clauses r = {.at = arena_array_of(b->arena, Clause, c->ways.count)};
        bool all = true;
        for (uint32_t i = 0; all && i < c->ways.count; i++) {
            const Clause *from = &c->ways.at[i];
            Clause *way = &r.at[r.count++];
            way->guards = arena_array_of(b->arena, Guard, from->count);
            for (uint32_t k = 0; k < from->count; k++) {
                Term x = from->guards[k].term;
                if (is_input(b, x) && term_kind(&b->w->terms, x) != T_INT)
                    way->guards[way->count++] = (Guard){copy_term(b, x), from->guards[k].range};
            }
            all = way->count != 0;
        }
        if (all) return r;
    }
    return (Clauses){0};
}

// Whether a pointer of the caller's is set to null, as by a move: what it held is not there any more.
static bool sets_null(const Builder *b, const Effect *e)
{
    const Terms *t = &b->sum->terms;
    int64_t value;
    return term_is_int(t, e->value, &value) && !value && term_width(t, e->value) == t->pointer_bits &&
           term_kind(t, term_address(t, e->base).base) != T_HEAP;
}

// Too many cells to keep each: numbers become unknown, and the caller's own cells come first.
static void shorten(Builder *b)
{
    if (b->effects.len <= MAX_EFFECTS) return;
    uint32_t kept = 0;
    VEC(Effect) fresh = {0};
    vec_each (i, &b->effects) {
        Effect e = b->effects.at[i];
        const TermNode *n = &b->sum->terms.nodes.at[e.value.id];
        if ((n->flags & TERM_HAS_BASE) || sets_null(b, &e)) {
            if (term_kind(&b->sum->terms, term_address(&b->sum->terms, e.base).base) == T_HEAP)
                vec_push(&fresh, e);
            else
                b->effects.at[kept++] = e;
            continue;
        }
        Term base = term_address(&b->sum->terms, e.base).base;
        bool there = false;
        vec_each (k, &b->scribbles) there |= term_same(b->scribbles.at[k], base);
        if (!there) vec_push(&b->scribbles, base);
    }
    vec_each (i, &fresh) b->effects.at[kept++] = fresh.at[i];
    vec_free(&fresh);
    b->effects.len = kept;
    b->overflow = kept > MAX_EFFECTS;
    // What is in a cell that is not told is somewhere: nothing is claimed of it.
    for (uint32_t i = MAX_EFFECTS; i < kept; i++) vec_push(&b->escapes, b->effects.at[i].value);
    if (b->overflow) b->effects.len = MAX_EFFECTS;
}

// The lists that were gathered become the case's own.
static void keep_lists(Builder *b, Case *c)
{
#define LIST(type, name, count, least, kind, join, word)                                           \
    c->count = b->name.len;                                                                        \
    c->name = arena_copy(b->arena, b->name.at, b->name.len * sizeof *b->name.at);                  \
    vec_free(&b->name);
#define WAYS(name, join)
#define TERM(name, join)
#define FLAG(name, join)
#define NUMBER(name, join)
#define TEXT(name, join)
#define DOUBTS(name)
#include "summary/case.def"
#include "summary/rows_end.h"
}

static void make_case(Work *w, const State *s, Summary *sum, Arena *arena, Case *c)
{
    Reach visible = {0};
    uint64_t result = 0;
    pmap_get(s->env, UINT32_MAX, &result);
    reach_exit(w, s, (Term){(uint32_t)result}, &visible);
    Builder b = {.w = w, .s = s, .sum = sum, .arena = arena, .visible = &visible};
    if (!pmap_each(s->objs, is_first, NULL)) {
        b.counted = result && is_counted(&w->terms, (Term){(uint32_t)result}, 6);
        pmap_each(s->mem, counted_cell, &b);
    }
    name_objects(&b, (Term){(uint32_t)result});
    pmap_each(s->objs, visit_object, &b);
    // That a block is there comes first: a caller cannot work that out from anything else.
    pmap_each(s->facts, visit_fact, &b);
    bound_result(&b, (Term){(uint32_t)result});
    b.of_inputs = true;
    pmap_each(s->facts, visit_fact, &b);
    pmap_each(s->mem, visit_cell, &b);
    pmap_each(s->contents, visit_content, &b);
    pmap_each(s->escaped, visit_escape, &b);
    pmap_each(s->loose, visit_loose, &b);
    pmap_each(s->touched, visit_touch, &b);
    c->result = copy_term(&b, (Term){(uint32_t)result});
    c->thrown = s->flags & STATE_UNWINDING;
    c->throws = c->thrown && s->thrown ? arena_strdup(arena, s->thrown) : NULL;
    c->doubts = (Doubts){s->doubts.rows, NULL};
    if (!pmap_each(s->objs, is_first, NULL) &&
        !without_doubt(&w->findings->without, DOUBT_FIRST_ROUND))
        doubt_add(arena, &c->doubts, DOUBT_FIRST_ROUND, (Pos){0}, NULL);
    c->doubts.notes = NULL;
    c->joined = s->flags & STATE_JOINED;
    c->guesses = s->guesses;
    note_why(&b, c);
    c->inherited = inherited_ways(&b);
    shorten(&b);
    if (b.overflow) sum->incomplete = true;
    keep_lists(&b, c);
    if (!c->thrown) explain_declined(w, s, arena, c, c->test ? b.asked : NULL);
    map_free(&b.copied);
    map_free(&b.named);
    vec_free(&b.order);
    reach_free(&visible);
}

// ---- Error cases.

typedef struct {
    Builder *b;
    const OpenError *from;
    VEC(Guard) guards;
    bool wanted, more;
} NeedsOf;

static bool note_need(void *context, uint64_t key, uint64_t fact)
{
    NeedsOf *n = context;
    Work *w = n->b->w;
    Term x = {(uint32_t)key};
    const Range *r = cond_fact(&w->conds, fact);
    if (pmap_get(n->from->wanted, key, NULL) != n->wanted ||
        !errors_asks(w, n->from->touched, x, r))
        return true;
    if (n->guards.len >= MAX_ERROR_GUARDS)
        n->more = true; // errs: the case is thought possible more often
    else
        vec_push(&n->guards, ((Guard){copy_term(n->b, x), *r}));
    return true;
}

static void make_error(Work *w, const OpenError *from, Summary *sum, Arena *arena, ErrorCase *e)
{
    State s = {.facts = from->facts};
    Builder b = {.w = w, .s = &s, .sum = sum, .arena = arena};
    NeedsOf n = {&b, from, {0}, true, from->more};
    // What the callee asks for comes first: that is what callers refute.
    pmap_each(from->facts, note_need, &n);
    n.wanted = false;
    pmap_each(from->facts, note_need, &n);
    *e = (ErrorCase){.func = from->func,
                     .number = from->number,
                     .depth = from->depth,
                     .more = n.more,
                     .null = from->null};
    e->guard_count = n.guards.len;
    e->guards = arena_copy(arena, n.guards.at, n.guards.len * sizeof *n.guards.at);
    vec_free(&n.guards);
    map_free(&b.copied);
}

static void make_errors(Work *w, Summary *sum, Arena *arena)
{
    sum->errors = arena_array_of(arena, ErrorCase, w->open.len);
    sum->error_count = w->open.len;
    vec_each (i, &w->open) make_error(w, &w->open.at[i], sum, arena, &sum->errors[i]);
    sum->error_marks = arena_array_of(arena, ErrorMark, sum->error_count);
    for (uint32_t i = 0; i < sum->error_count; i++) {
        const ErrorCase *e = &sum->errors[i];
        ErrorMark *m = &sum->error_marks[i];
        *m = (ErrorMark){.number = e->number, .here = e->func.id == w->id.id && !e->depth, .null = e->null};
        for (uint32_t k = 0; k < e->guard_count; k++)
            m->of_null |= guard_is_null(&sum->terms, &e->guards[k], &(Term){0});
    }
    sum->error_call_count = w->error_calls.len;
    sum->error_calls =
        arena_copy(arena, w->error_calls.at, w->error_calls.len * sizeof *w->error_calls.at);
    for (uint32_t i = 0; i < sum->error_call_count; i++) {
        ErrorCall *c = &sum->error_calls[i];
        c->inputs = arena_copy(arena, c->inputs, c->input_count * sizeof *c->inputs);
        c->choices = arena_copy(arena, c->choices, c->choice_count * sizeof *c->choices);
        for (uint32_t k = 0; k < c->input_count; k++)
            if (c->inputs[k].global) c->inputs[k].global = arena_strdup(arena, c->inputs[k].global);
    }
}

// Callers take what only this function knows by its place in the table of terms. Which instruction or block made
// it, in which iteration, is of no use to them, and would make another summary of each edit before that
// instruction: all that calls the function would be evaluated again. So the unknowns are counted instead. No two of them
// are one, as they were told apart before.
static void number_unknowns(Summary *sum)
{
    uint32_t number = 0;
    for (uint32_t id = 1; id < sum->terms.nodes.len; id++) {
        TermNode *n = &sum->terms.nodes.at[id];
        bool joined = (n->kind == T_RESULT && made_is_joined(n->b)) || (n->kind == T_HAVOC && (n->a & BY_JOIN));
        bool opaque = n->kind == T_RESULT && made_is_opaque(n->b);
        bool counted = n->kind == T_RESULT || n->kind == T_HAVOC || n->kind == T_MERGE || n->kind == T_LOOP ||
                       n->kind == T_UNDEF || (n->kind == T_HEAP && n->a != UINT32_MAX);
        if (!counted) continue;
        n->a = ++number;
        n->c = 0;
        if (n->kind == T_HAVOC) {
            n->a |= joined ? BY_JOIN : 0;
            n->value = 0;
        } else {
            n->b = 0;
            if (joined) n->b = made_joined(n->b);
            if (opaque) n->b = made_opaque(n->b);
            n->value = 0;
        }
    }
    for (uint32_t i = 0; i < sum->case_count; i++)
        for (uint32_t k = 0; k < sum->cases[i].object_count; k++) sum->cases[i].objects[k].ins = 0;
    for (uint32_t i = 0; i < sum->few_count; i++)
        for (uint32_t k = 0; k < sum->few[i].object_count; k++) sum->few[i].objects[k].ins = 0;
}

Summary *summarize(Work *w, Arena *arena)
{
    Summary *sum = arena_new_of(arena, Summary);
    sum->func = w->id;
    sum->param_count = w->func->param_count;
    sum->known = !w->gave_up;
    sum->incomplete = w->dropped_states;
    sum->recursive = w->recursive;
    sum->deeper = w->recursive || w->deeper;
    sum->reached = bits_new(arena, w->reached.count);
    memcpy(sum->reached.words, w->reached.words,
           bits_words(w->reached.count) * sizeof *w->reached.words);
    terms_init(&sum->terms, w->terms.pointer_bits);
    sum->rest = w->rest;
    sum->borrows = w->borrows;
    sum->spares = w->spares;
    sum->leaves = w->leaves;
    if (!sum->known) return sum;
    sum->cases = arena_array_of(arena, Case, w->exits.len);
    sum->case_count = w->exits.len;
    vec_each (i, &w->exits) make_case(w, &w->exits.at[i], sum, arena, &sum->cases[i]);
    cases_merge(sum, arena, w->func->ins_count);
    make_errors(w, sum, arena);
    sum->trivial = !sum->incomplete && !sum->rest;
    for (uint32_t i = 0; i < sum->case_count && sum->trivial; i++)
        sum->trivial = !case_does_anything(&sum->cases[i]) && !sum->cases[i].thrown;
    sum->noisy = sum->error_count;
    for (uint32_t i = 0; i < sum->case_count; i++)
        sum->noisy |= sum->cases[i].object_count || sum->cases[i].free_count;
    terms_settle(&sum->terms);
    number_unknowns(sum);
    return sum;
}
