// From the states at the exits to the summary (Sparrow, section 4.2). What is kept is what a caller
// can see: facts about inputs, cells of memory that came from outside or is reachable from there
// or from the result, releases of inputs, and what was handed to unknown code. Exits that a caller
// cannot tell apart become one case.
#include "eval/summary.h"

#include "base/hash.h"

enum { MAX_CASES = 10, MAX_EFFECTS = 64, MAX_GUARDS = 24 };

typedef struct {
    Work *w;
    const State *s;
    Summary *sum;
    Arena *arena;
    Reach *visible;
    Map copied; // term of the work -> term of the summary
    VEC(Guard) guards;
    VEC(Effect) effects;
    VEC(Release) frees;
    VEC(Term) havocs, escapes, touches;
    VEC(ObjInfo) objects;
    bool overflow;
} Builder;

static Term copy_term(Builder *b, Term x)
{
    if (!x.id) return x;
    uint64_t *known = map_get(&b->copied, x.id);
    if (known) return (Term){(uint32_t)*known};
    TermNode n = *term_node(&b->w->terms, x);
    if (n.kind >= T_ADDR || n.kind == T_INPUT) {
        n.a = copy_term(b, (Term){n.a}).id;
        n.b = copy_term(b, (Term){n.b}).id;
        if (n.kind == T_ITE) n.c = copy_term(b, (Term){n.c}).id;
    } else if (n.kind == T_HAVOC) {
        n.b = copy_term(b, (Term){n.b}).id;
    } else if (n.kind == T_UNDEF) {
        n.a = n.b = 0, n.c = 0, n.value = x.id; // told apart by number alone
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

// A comparison with the returned value's unknowns is kept too: it is what ties "returned 1" to
// "has allocated".
static bool visit_fact(void *context, uint64_t key, uint64_t value)
{
    Builder *b = context;
    Term x = {(uint32_t)key};
    const Terms *t = &b->w->terms;
    bool keep = is_input(b, x);
    if (!keep) {
        TermKind k = term_kind(t, x);
        // Unknowns that the caller sees by name: results and heap objects that are handed out.
        keep = (k == T_RESULT || k == T_HEAP || k == T_MERGE || k == T_HAVOC) &&
               reach_has(b->visible, x);
        uint64_t result;
        if (!keep && pmap_get(b->s->env, UINT32_MAX, &result)) keep = result == key;
    }
    if (!keep) return true;
    if (b->guards.len >= MAX_GUARDS) return true; // errs: the case is thought possible more often
    vec_push(&b->guards, ((Guard){copy_term(b, x), *cond_fact(&b->w->conds, value)}));
    return true;
}

static bool visit_cell(void *context, uint64_t key, uint64_t value)
{
    Builder *b = context;
    Work *w = b->w;
    Term home = cell_base(key), base = term_address(&w->terms, home).base;
    TermKind kind = term_kind(&w->terms, base);
    if (kind == T_LOCAL && !reach_has(b->visible, base)) return true;
    if (kind == T_LOCAL || is_byval(w, base)) return true;
    if (kind == T_HEAP && !reach_has(b->visible, base)) return true;
    if (kind == T_RESULT || kind == T_MERGE || kind == T_HAVOC || kind == T_UNDEF) {
        // Memory whose address the caller does not know: only what is stored there matters.
        if (term_node(&w->terms, cell_term(value))->flags & TERM_HAS_BASE) {
            Reach r = {0};
            reach_term(w, b->s, cell_term(value), &r);
            for (uint32_t i = 0; i < r.reached.len; i++) {
                Term x = {(uint32_t)r.reached.entries[i].key};
                TermKind xk = term_kind(&w->terms, x);
                if (xk == T_PARAM || xk == T_INPUT) vec_push(&b->escapes, copy_term(b, x));
            }
            reach_free(&r);
        }
        return true;
    }
    if (obj_get(b->s, base).status == OBJ_FREED) return true;
    if (b->effects.len >= MAX_EFFECTS) {
        b->overflow = true;
        return true;
    }
    vec_push(&b->effects, ((Effect){copy_term(b, home), cell_offset(key), cell_size(value),
                                    copy_term(b, cell_term(value))}));
    return true;
}

static bool visit_object(void *context, uint64_t key, uint64_t word)
{
    Builder *b = context;
    (void)word;
    Term base = {(uint32_t)key};
    Obj o = obj_get(b->s, base);
    TermKind kind = term_kind(&b->w->terms, base);
    if (kind == T_HEAP) {
        if (o.status == OBJ_ALLOCATED && reach_has(b->visible, base)) {
            ObjInfo info = *obj_info(b->w, base);
            info.term = copy_term(b, base);
            info.size = (Term){0};
            info.allocator = arena_strdup(b->arena, info.allocator);
            if (info.pos.path) info.pos.path = arena_strdup(b->arena, info.pos.path);
            vec_push(&b->objects, info);
            if (o.flags & (OBJF_ESCAPED | OBJF_FAMILY)) vec_push(&b->escapes, info.term);
        }
    } else if (is_input(b, base)) {
        if (o.status == OBJ_FREED)
            vec_push(&b->frees, ((Release){copy_term(b, base), o.family}));
        else if (o.flags & OBJF_ESCAPED)
            vec_push(&b->escapes, copy_term(b, base));
    }
    return true;
}

static bool visit_content(void *context, uint64_t key, uint64_t word)
{
    Builder *b = context;
    Term base = {(uint32_t)key};
    if ((word & 3) == CONTENT_HAVOC && is_input(b, base) && !is_byval(b->w, base))
        vec_push(&b->havocs, copy_term(b, base));
    return true;
}

static bool visit_touch(void *context, uint64_t key, uint64_t word)
{
    Builder *b = context;
    (void)word;
    if (is_input(b, (Term){(uint32_t)key}))
        vec_push(&b->touches, copy_term(b, (Term){(uint32_t)key}));
    return true;
}

// The last open branch on something that only this function knew, in words.
static const char *why_of(Builder *b)
{
    Findings *scratch = findings_new();
    const char *why = NULL;
    for (const Story *e = b->s->story; e && !why; e = e->prev) {
        if (e->kind == STORY_CALL && e->text) why = e->text;
        if (e->kind != STORY_BRANCH || is_input(b, e->a)) continue;
        Finding *f = finding_new(scratch, RULE_LEAK, LEVEL_SURE, "", (Pos){0}, (Pos){0});
        if (words_condition(b->w, e->a, e->flag, f) && f->when.len && !f->when.at[0].expr)
            why = f->when.at[0].text;
    }
    if (why) why = arena_strdup(b->arena, why);
    findings_free(scratch);
    return why;
}

#define KEEP(member, count_member)                                                                 \
    (c->count_member = b.member.len,                                                               \
     c->member = arena_copy(arena, b.member.at, b.member.len * sizeof *b.member.at),               \
     vec_free(&b.member))

static void make_case(Work *w, const State *s, Summary *sum, Arena *arena, Case *c)
{
    Reach visible = {0};
    uint64_t result = 0;
    pmap_get(s->env, UINT32_MAX, &result);
    reach_exit(w, s, (Term){(uint32_t)result}, &visible);
    Builder b = {.w = w, .s = s, .sum = sum, .arena = arena, .visible = &visible};
    pmap_each(s->objs, visit_object, &b);
    pmap_each(s->facts, visit_fact, &b);
    pmap_each(s->mem, visit_cell, &b);
    pmap_each(s->contents, visit_content, &b);
    pmap_each(s->touched, visit_touch, &b);
    c->result = copy_term(&b, (Term){(uint32_t)result});
    c->thrown = s->flags & STATE_UNWINDING;
    c->general = s->flags & STATE_MERGED;
    c->why = why_of(&b);
    if (b.overflow) sum->incomplete = true;
    c->object_count = b.objects.len,
    c->objects = arena_copy(arena, b.objects.at, b.objects.len * sizeof *b.objects.at);
    vec_free(&b.objects);
    KEEP(guards, guard_count);
    KEEP(effects, effect_count);
    KEEP(frees, free_count);
    KEEP(havocs, havoc_count);
    KEEP(escapes, escape_count);
    KEEP(touches, touch_count);
    map_free(&b.copied);
    reach_free(&visible);
}

// What a caller can tell apart, as a number: everything but the guards.
static uint64_t case_key(const Case *c, bool with_result)
{
    uint64_t h = c->thrown;
    for (uint32_t i = 0; i < c->effect_count; i++)
        h = hash_mix(h, hash_mix(hash_mix(c->effects[i].base.id, (uint64_t)c->effects[i].offset),
                                 hash_mix(c->effects[i].size, c->effects[i].value.id)));
    for (uint32_t i = 0; i < c->free_count; i++)
        h = hash_mix(h, 1 + ((uint64_t)c->frees[i].base.id << 2));
    for (uint32_t i = 0; i < c->havoc_count; i++)
        h = hash_mix(h, 2 + ((uint64_t)c->havocs[i].id << 2));
    for (uint32_t i = 0; i < c->escape_count; i++)
        h = hash_mix(h, 3 + ((uint64_t)c->escapes[i].id << 2));
    for (uint32_t i = 0; i < c->object_count; i++)
        h = hash_mix(h, (uint64_t)c->objects[i].term.id << 2);
    if (with_result) h = hash_mix(h, c->result.id);
    return h;
}

static Range range_hull(const Range *x, const Range *y)
{
    Range r = *x;
    if (y->smin < r.smin) r.smin = y->smin;
    if (y->smax > r.smax) r.smax = y->smax;
    if (y->umin < r.umin) r.umin = y->umin;
    if (y->umax > r.umax) r.umax = y->umax;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r.not_count; i++)
        for (uint32_t j = 0; j < y->not_count; j++)
            if (r.not [i] == y->not [j]) r.not [kept++] = r.not [i];
    for (uint32_t i = kept; i < r.not_count; i++) r.not [i] = 0;
    r.not_count = kept;
    return r;
}

// Guards of both: those that hold either way.
static void join_cases(Case *into, const Case *other, Summary *sum)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < into->guard_count; i++)
        for (uint32_t j = 0; j < other->guard_count; j++) {
            if (!term_same(into->guards[i].term, other->guards[j].term)) continue;
            Guard g = {into->guards[i].term,
                       range_hull(&into->guards[i].range, &other->guards[j].range)};
            into->guards[kept++] = g;
            break;
        }
    into->guard_count = kept;
    if (!term_same(into->result, other->result)) {
        uint32_t width = into->result.id ? sum->terms.nodes.at[into->result.id].width : 0;
        into->result = term_leaf(&sum->terms, T_MERGE, width, UINT32_MAX, into->result.id,
                                 other->result.id, 0);
        into->general = true;
    }
    uint32_t touches = 0;
    for (uint32_t i = 0; i < into->touch_count; i++)
        for (uint32_t j = 0; j < other->touch_count; j++)
            if (term_same(into->touches[i], other->touches[j])) {
                into->touches[touches++] = into->touches[i];
                break;
            }
    into->touch_count = touches;
    into->general |= other->general;
    if (!other->why) into->why = NULL;
}

static void merge_cases(Summary *sum, bool with_result)
{
    Map seen = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sum->case_count; i++) {
        bool fresh;
        uint64_t *at = map_at(&seen, case_key(&sum->cases[i], with_result), kept, &fresh);
        if (fresh)
            sum->cases[kept++] = sum->cases[i];
        else
            join_cases(&sum->cases[*at], &sum->cases[i], sum);
    }
    sum->case_count = kept;
    map_free(&seen);
}

Summary *summarize(Work *w, Arena *arena)
{
    Summary *sum = arena_new_of(arena, Summary);
    sum->func = w->id;
    sum->param_count = w->func->param_count;
    sum->known = !w->gave_up;
    sum->incomplete = w->dropped_states;
    terms_init(&sum->terms, w->terms.pointer_bits);
    if (!sum->known) return sum;
    sum->cases = arena_array_of(arena, Case, w->exits.len);
    sum->case_count = w->exits.len;
    vec_each (i, &w->exits) make_case(w, &w->exits.at[i], sum, arena, &sum->cases[i]);
    merge_cases(sum, true);
    if (sum->case_count > MAX_CASES) merge_cases(sum, false);
    if (sum->case_count > MAX_CASES) {
        sum->case_count = MAX_CASES;
        sum->incomplete = true;
    }
    sum->trivial = !sum->incomplete;
    for (uint32_t i = 0; i < sum->case_count && sum->trivial; i++) {
        const Case *c = &sum->cases[i];
        sum->trivial = !(c->effect_count + c->free_count + c->havoc_count + c->escape_count +
                         c->object_count) &&
                       !c->thrown;
    }
    return sum;
}

void summary_free(Summary *s)
{
    if (s) terms_free(&s->terms);
}
