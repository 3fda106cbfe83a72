// Which branches of a path decide what becomes of an object, and which are bystanders.
//
// A branch decides when the two sides differ in something that can matter: one of them leaves the
// function, obtains, releases, keeps or stores something, or a value that is used later depends on it. A
// branch around a message is a bystander, and so is whatever was decided inside of a logger. What is not
// known to be harmless decides: errs towards telling too much.
#include "explain/explain.h"

#include "explain/limits.h"

#include <string.h>

static bool case_is_harmless(const Summary *sum, const Case *c)
{
    if (c->free_count || c->escape_count || c->object_count || c->move_count || c->loose_count || c->thrown)
        return false;
    for (uint32_t i = 0; i < c->effect_count; i++)
        if (sum->terms.nodes.at[c->effects[i].value.id].flags & (TERM_HAS_BASE | TERM_HAS_HEAP)) return false;
    return true;
}

static bool spec_is_harmless(const SpecFunc *f)
{
    if (f->noreturn != SPEC_RETURNS || f->result.gives == SPEC_OWN) return false;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i].mode != SPEC_REF || f->params[i].place != SPEC_ITSELF) return false;
    return true;
}

// The function that the instruction calls; none where that is not said.
static FuncId callee_of(const Work *w, const Ins *in)
{
    return program_callee(w->facts->program, w->unit_index, w->unit, (Ref){in->a});
}

// Neither obtains, releases nor keeps anything, and comes back.
static bool call_is_harmless(Work *w, const Ins *in)
{
    FuncId f = callee_of(w, in);
    if (!f.id || in->op != OP_CALL) return false;
    const SpecFunc *spec = facts_spec(w->facts, f);
    if (spec) return spec_is_harmless(spec);
    if (!program_has_code(w->facts->program, f) || !w->callees->has_started(w->callees, f)) return false;
    const Summary *sum = callee_summary(w->callees, f);
    if (!sum || sum->incomplete || sum->recursive || !sum->case_count) return false;
    for (uint32_t i = 0; i < sum->case_count; i++)
        if (!case_is_harmless(sum, &sum->cases[i])) return false;
    return true;
}

Term explain_argument(Work *w, const State *s, Ref r)
{
    uint64_t x;
    if (ref_is_param(r)) return term_leaf(&w->terms, T_PARAM, w->terms.pointer_bits, ref_index(r), 0, 0, 0);
    return ref_is_ins(r) && pmap_get(s->env, ref_index(r), &x) ? (Term){(uint32_t)x} : (Term){0};
}

// Whether the object is stored in what the value points to.
static bool is_stored_there(Work *w, const State *s, Term value, Term heap)
{
    Term holder = value.id ? term_address(&w->terms, value).base : (Term){0};
    for (const Story *e = s->story; e && holder.id; e = e->prev)
        if (e->kind == STORY_PUT && explain_mentions(w, e->b, heap) &&
            term_same(term_address(&w->terms, e->a).base, holder))
            return true;
    return false;
}

// An object whose fate is asked about; without one, anything counts.
typedef struct {
    const State *s;
    Term heap;
    bool only_here; // nothing but variables of this function and what their pointers lead to has held it
    uint32_t from;  // the block that ends with the branch
} Subject;

// Whether the value may be the object or lead to it. Of the side that was not taken, and of what is not needed any
// more, the path does not know the values: there the code says that some are something else.
static bool may_lead_to(Work *w, const Subject *k, Ref r, int depth)
{
    if (ref_is_const(r) || ref_is_none(r)) return false;
    if (mtype_class(ref_type(w->unit, w->func, r)) != MT_PTR) return !k->only_here;
    Term x = explain_argument(w, k->s, r);
    if (x.id) return explain_mentions(w, x, k->heap) || is_stored_there(w, k->s, x, k->heap);
    const Ins *in = func_ins(w->unit, w->func, ref_index(r));
    uint32_t made_in = func_block_of(w->unit, w->func, ref_index(r));
    switch ((Op)in->op) {
    case OP_CALL: // after the branch, when the object was there already
        return made_in == k->from || !cfg_dominates(w->cfg, k->from, made_in);
    case OP_LOAD: // from a global, which never had it
        return !ref_is_const((Ref){in->a});
    case OP_FIELD:
    case OP_INDEX:
        return depth <= 0 || may_lead_to(w, k, (Ref){in->a}, depth - 1);
    case OP_PHI: {
        bool any = depth <= 0;
        for (uint32_t i = 0; i < in->c && !any; i++)
            any = may_lead_to(w, k, (Ref){func_extra(w->unit, w->func, in->b + 2 * i)[1]}, depth - 1);
        return any;
    }
    default:
        return true;
    }
}

// A call that does not get the object and comes back; what else it does, later branches ask for.
static bool call_is_apart(Work *w, const Subject *k, const Ins *in)
{
    FuncId f = callee_of(w, in);
    if (!k->only_here || !f.id || in->op != OP_CALL || (in->flags & INS_NORETURN)) return false;
    const SpecFunc *spec = facts_spec(w->facts, f);
    if (spec && spec->noreturn != SPEC_RETURNS) return false;
    if (!facts_may_return(w->facts, f)) return false;
    for (uint32_t i = 0; i < in->c; i++)
        if (may_lead_to(w, k, (Ref){*func_extra(w->unit, w->func, in->b + i)}, LEADS_DEEP)) return false;
    return true;
}

static bool ins_is_harmless(Work *w, uint32_t ins, const Subject *k)
{
    const Ins *in = func_ins(w->unit, w->func, ins);
    switch ((Op)in->op) {
    case OP_CALL:
        return call_is_harmless(w, in) || (k->heap.id && call_is_apart(w, k, in));
    case OP_STORE: // a number that is written away may be asked for later: then that branch says so
        return k->heap.id && k->only_here && !may_lead_to(w, k, (Ref){in->b}, LEADS_DEEP);
    case OP_COPY:
    case OP_FILL:
    case OP_RET:
    case OP_INVOKE:
    case OP_RESUME:
    case OP_GOTO:
    case OP_ASM:
    case OP_UNREACHABLE:
        return false;
    default:
        return true;
    }
}

static Subject subject_of(Work *w, const State *s, Term heap, uint32_t from)
{
    Subject k = {s, heap, heap.id && s, from};
    if (!k.only_here) return (Subject){0};
    k.only_here = term_kind(&w->terms, heap) == T_HEAP;
    for (const Story *e = s->story; e && k.only_here; e = e->prev) {
        if (e->kind != STORY_PUT || !explain_mentions(w, e->b, heap)) continue;
        TermKind kind = term_kind(&w->terms, term_address(&w->terms, e->a).base);
        k.only_here = kind != T_GLOBAL;
    }
    return k;
}

// Whether a value depends on the way to the block, and is used.
static bool merges_values(const Work *w, uint32_t block)
{
    const Block *b = func_block(w->unit, w->func, block);
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        if (func_ins(w->unit, w->func, i)->op != OP_PHI) break;
        if (w->uses[i].count) return true;
    }
    return false;
}

// Whether a value that rounds of the loop change is used after it.
static bool counts_for_later(const Work *w, uint32_t header)
{
    const Block *b = func_block(w->unit, w->func, header);
    uint32_t loop = w->cfg->loop_of[header];
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        if (func_ins(w->unit, w->func, i)->op != OP_PHI) break;
        UseRange r = w->uses[i];
        for (uint32_t k = 0; k < r.count; k++)
            if (!cfg_loop_has(w->cfg, loop, func_block_of(w->unit, w->func, w->use_ins[r.first + k]))) return true;
    }
    return false;
}

// The end of a loop that does nothing that matters decides nothing either: it comes sooner or later.
bool explain_decides(Work *w, const State *s, uint32_t branch, uint32_t lost, Term heap)
{
    const Cfg *cfg = w->cfg;
    uint32_t from = func_block_of(w->unit, w->func, branch), meet = cfg->ipdom[from];
    const Subject k = subject_of(w, s, heap, from);
    uint8_t op = func_ins(w->unit, w->func, branch)->op;
    if ((op != OP_BRANCH && op != OP_SWITCH) || meet == BLOCK_NONE || merges_values(w, meet)) return true;
    bool header = cfg->loop_of[from] && cfg->loops[cfg->loop_of[from] - 1].header == from;
    if (header && counts_for_later(w, from)) return true;
    uint32_t lost_in = lost < w->func->ins_count ? func_block_of(w->unit, w->func, lost) : BLOCK_NONE;
    U32s region = {0};
    bool decides = false;
    EdgeRange r = cfg->succ[from];
    for (uint32_t i = 0; i < r.count; i++)
        if (cfg->edges[r.first + i] != meet) vec_push(&region, cfg->edges[r.first + i]);
    for (uint32_t n = 0; n < region.len && !decides; n++) {
        uint32_t at = region.at[n];
        const Block *b = func_block(w->unit, w->func, at);
        decides = at == lost_in || region.len > REGION_BLOCKS;
        for (uint32_t i = b->first; i < b->first + b->count && !decides; i++) decides = !ins_is_harmless(w, i, &k);
        EdgeRange next = cfg->succ[at];
        for (uint32_t i = 0; i < next.count && !decides; i++) {
            uint32_t to = cfg->edges[next.first + i], seen = 0;
            while (seen < region.len && region.at[seen] != to) seen++;
            if (to != meet && to != from && seen == region.len) vec_push(&region, to);
        }
    }
    vec_free(&region);
    return decides;
}

bool explain_post_dominates(const Cfg *cfg, uint32_t a, uint32_t b)
{
    for (uint32_t n = 0; b != BLOCK_NONE && n < CHAIN_BLOCKS; n++, b = cfg->ipdom[b])
        if (a == b) return true;
    return false;
}

static Pos first_place(const Work *w, uint32_t block)
{
    const Block *b = func_block(w->unit, w->func, block);
    for (uint32_t i = b->first; i < b->first + b->count; i++)
        if (w->unit->locs.at[func_ins(w->unit, w->func, i)->loc].line) return pos_of_ins(w, i);
    return (Pos){0};
}

bool explain_is_passed_guard(const Work *w, const Story *e)
{
    uint32_t meet = w->cfg->ipdom[func_block_of(w->unit, w->func, e->ins)];
    const Ins *in = func_ins(w->unit, w->func, e->ins);
    if (in->op != OP_BRANCH) return false;
    // The body of an if stands before what follows it.
    Pos to = first_place(w, e->flag ? in->b : in->c), other = first_place(w, e->flag ? in->c : in->b);
    bool same = pos_known(to) && pos_known(other) && strcmp(to.path, other.path) == 0;
    if (same ? to.line < other.line || (to.line == other.line && to.col <= other.col) : e->flag) return false;
    if (meet == BLOCK_NONE) return true;
    const Block *b = func_block(w->unit, w->func, meet);
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        Op op = (Op)func_ins(w->unit, w->func, i)->op;
        if (op != OP_PHI && op != OP_RET && op != OP_BIND && op != OP_LOAD && op != OP_LIFE_END) return false;
    }
    return true;
}

// Whether the side of the branch that was not taken only ends the process, as that of an assertion does.
static bool is_assertion(const Work *w, const Story *e)
{
    enum { BLOCKS = 3 };
    const Ins *in = func_ins(w->unit, w->func, e->ins);
    uint32_t block = e->flag ? in->c : in->b;
    for (uint32_t n = 0; n < BLOCKS; n++) {
        const Block *b = func_block(w->unit, w->func, block);
        if (func_ins(w->unit, w->func, b->first + b->count - 1)->op == OP_UNREACHABLE) return true;
        if (w->cfg->succ[block].count != 1) return false;
        block = w->cfg->edges[w->cfg->succ[block].first];
    }
    return false;
}

const Story *explain_governor(const Work *w, const State *s, uint32_t ins)
{
    const Cfg *cfg = w->cfg;
    uint32_t target = func_block_of(w->unit, w->func, ins), looked = 0;
    const Story *e = s->story, *guard = NULL;
    while (e && e->ins != ins) e = e->prev;
    for (; e && looked < GOVERNORS_LOOKED; e = e->prev) {
        if (e->kind != STORY_BRANCH || func_ins(w->unit, w->func, e->ins)->op != OP_BRANCH) continue;
        looked++;
        if (is_assertion(w, e)) continue;
        uint32_t from = func_block_of(w->unit, w->func, e->ins);
        if (from == target || explain_post_dominates(cfg, target, from)) continue;
        EdgeRange r = cfg->succ[from];
        bool governs = false;
        for (uint32_t i = 0; i < r.count; i++) governs |= explain_post_dominates(cfg, target, cfg->edges[r.first + i]);
        if (!governs) continue;
        if (!explain_is_passed_guard(w, e)) return e;
        // What leads to the guard says more, if there is anything.
        if (!guard) guard = e;
        target = from;
    }
    return guard;
}

// Whether the function that is called releases anything in some case.
static bool may_release(Work *w, const Ins *in)
{
    FuncId f = callee_of(w, in);
    if (!f.id || !program_has_code(w->facts->program, f) || !w->callees->has_started(w->callees, f)) return false;
    const Summary *sum = callee_summary(w->callees, f);
    bool any = false;
    for (uint32_t i = 0; sum && i < sum->case_count && !any; i++) any = sum->cases[i].free_count > 0;
    return any;
}

// Whether an argument of the call is the object, what holds it where the call may release it, or a variable in
// which the call may leave something.
static bool is_given(Work *w, const State *s, const Ins *in, Term heap)
{
    bool releases = heap.id && may_release(w, in);
    const ObjInfo *info = heap.id && term_kind(&w->terms, heap) == T_HEAP ? obj_info(w, heap) : NULL;
    for (uint32_t i = 0; i < in->c; i++) {
        Ref r = {*func_extra(w->unit, w->func, in->b + i)};
        // What is not needed any more, the path has forgotten.
        if (info && ref_is_ins(r) && ref_index(r) == info->ins) return true;
        if (ref_is_ins(r) && func_ins(w->unit, w->func, ref_index(r))->op == OP_ALLOCA) return true;
        Term x = heap.id ? explain_argument(w, s, r) : (Term){0};
        if (!x.id) continue;
        if (explain_mentions(w, x, heap) || (releases && is_stored_there(w, s, x, heap))) return true;
    }
    return false;
}

bool explain_is_passed(Work *w, const State *s, uint32_t call, Term heap)
{
    const Ins *in = func_ins(w->unit, w->func, call);
    const ObjInfo *info = heap.id && term_kind(&w->terms, heap) == T_HEAP ? obj_info(w, heap) : NULL;
    if (in->op != OP_CALL || !info || info->ins == call) return false;
    for (uint32_t i = 0; i < in->c; i++) {
        Ref r = {*func_extra(w->unit, w->func, in->b + i)};
        if (ref_is_ins(r) && ref_index(r) == info->ins) return true;
        Term x = explain_argument(w, s, r);
        if (x.id && term_same(term_address(&w->terms, x).base, heap)) return true;
    }
    return false;
}

bool explain_is_bystander(Work *w, const State *s, uint32_t call, Term heap)
{
    const Ins *in = func_ins(w->unit, w->func, call);
    if (in->op != OP_CALL) return false;
    const ObjInfo *info = heap.id && term_kind(&w->terms, heap) == T_HEAP ? obj_info(w, heap) : NULL;
    return !w->uses[call].count && !(info && info->ins == call) && !is_given(w, s, in, heap);
}

// Whether the branch only lets the path go on to the allocation: past an early way out without a block, which the caller
// tells by the block, or past a call that did not fail.
static bool lets_go_on(Work *w, const Story *e)
{
    return explain_is_passed_guard(w, e) || names_failure(w, e->a, !e->flag);
}

const Origin *explain_inside(Work *w, const State *s, Arena *a, uint32_t ins, const char *callee,
                             const Origin *inner, Term about, bool obtains)
{
    Pos here = pos_of_ins(w, ins);
    if (!pos_known(here) || !callee || (inner && inner->depth >= MAX_ORIGIN)) return inner;
    Origin *o = arena_new_of(a, Origin);
    *o = (Origin){.inner = inner, .pos = here, .callee = arena_strdup(a, callee), .depth = inner ? inner->depth + 1 : 1};
    o->pos.path = arena_strdup(a, here.path);
    const Story *e = explain_governor(w, s, ins);
    if (e && obtains && lets_go_on(w, e)) e = NULL;
    const char *fails = e ? names_failure(w, e->a, e->flag) : NULL;
    const char *when = !e || explain_is_own_test(w, e->a, about) ? NULL : fails ? fails : names_comparison(w, e->a, true);
    if (!when) return o;
    o->fails = fails != NULL;
    o->when = arena_strdup(a, when);
    o->truth = fails || e->flag;
    o->test = explain_place_of_test(w, e->ins);
    if (o->test.path) o->test.path = arena_strdup(a, o->test.path);
    return o;
}

// Whether a round of the loop comes from one block to another without going round.
static bool comes_in_round(const Work *w, uint32_t loop, uint32_t from, uint32_t to)
{
    U32s seen = {0};
    bool found = false;
    vec_push(&seen, from);
    for (uint32_t n = 0; n < seen.len && !found; n++) {
        EdgeRange r = w->cfg->succ[seen.at[n]];
        for (uint32_t i = 0; i < r.count && !found; i++) {
            uint32_t next = w->cfg->edges[r.first + i], k = 0;
            found = next == to || seen.len > CHAIN_BLOCKS;
            if (next == w->cfg->loops[loop - 1].header || !cfg_loop_has(w->cfg, loop, next)) continue;
            while (k < seen.len && seen.at[k] != next) k++;
            if (k == seen.len) vec_push(&seen, next);
        }
    }
    vec_free(&seen);
    return found;
}

bool explain_comes_round(const Work *w, uint32_t made, uint32_t lost)
{
    if (made >= w->func->ins_count || lost >= w->func->ins_count) return false;
    uint32_t from = func_block_of(w->unit, w->func, made), to = func_block_of(w->unit, w->func, lost);
    uint32_t loop = w->cfg->loop_of[from];
    if (!loop || !cfg_loop_has(w->cfg, loop, to)) return false;
    const Ins *in = func_ins(w->unit, w->func, lost);
    Ref value = {in->op == OP_STORE ? in->b : in->op == OP_BIND ? in->a : 0};
    if (lost == made || (ref_is_ins(value) && ref_index(value) == made)) return true;
    return from != to && !comes_in_round(w, loop, from, to);
}
