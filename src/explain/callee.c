// Why a call did what it did, as far as its caller has to be told.
//
// Success. Where a function gives another answer only when something fails inside, the answer that it gave is what
// everybody expects, and no condition; so is an answer that is not negative, where a negative one may come of a failure.
//
// Declined. A function may keep or release what it is handed: not on every path. The path of a case leaves the blocks
// from which one of the instructions that do so can still be reached by a certain branch, and that branch says why
// the block stays with the caller.
//
//      void put(struct pool *p, void *block) {
//          if (p->used == p->size) return;       <- left alone when p->used == p->size
//          p->at[p->used++] = block;             <- what a disposal is
//      }
//
// What a disposal is comes from the code alone: the parameter itself, an address in its block, or a pointer that a field of
// it holds is stored into memory or passed on to a function that may keep or release it. Errs towards saying nothing:
// where a call of that kind was made and its own summary gives no reason.
#include "explain/explain.h"

#include "explain/limits.h"

typedef enum { SIDE_UNKNOWN, SIDE_HOLDS, SIDE_FAILS } Side;

// On which side of the comparison a case of the callee comes out.
static Side side_of(const Summary *sum, const Case *c, Op op, int64_t value)
{
    int64_t gives = 1;
    if (!c->result.id) return SIDE_UNKNOWN;
    bool block = term_kind(&sum->terms, c->result) == T_HEAP && op != OP_SLT && !value;
    if (!block && !term_is_int(&sum->terms, c->result, &gives)) return SIDE_UNKNOWN;
    bool holds = op == OP_SLT ? gives < value : (gives == value) == (op == OP_EQ);
    return holds ? SIDE_HOLDS : SIDE_FAILS;
}

// The summary of the function with code that is called; or null.
static const Summary *summary_of(Work *w, const Ins *call, FuncId *f)
{
    *f = program_callee(w->facts->program, w->unit_index, w->unit, (Ref){call->a});
    bool code = f->id && program_has_code(w->facts->program, *f) && w->callees->has_started(w->callees, *f);
    return code ? callee_summary(w->callees, *f) : NULL;
}

// Whether its negative results are error codes: constants, and 0 is the one that is not negative.
static bool gives_codes(const Summary *sum)
{
    bool zero = false, negative = false;
    for (uint32_t i = 0; i < sum->case_count; i++) {
        int64_t gives;
        if (!sum->cases[i].result.id || !term_is_int(&sum->terms, sum->cases[i].result, &gives) || gives > 0) return false;
        zero |= gives == 0;
        negative |= gives < 0;
    }
    return zero && negative;
}

bool explain_only_succeeds(Work *w, uint32_t call, Op op, int64_t value, bool holds)
{
    FuncId f;
    const Summary *sum = summary_of(w, func_ins(w->unit, w->func, call), &f);
    if (!sum || sum->incomplete) return false;
    // Below zero is a failure by custom, also where it is none of memory or of a library.
    bool any = false, custom = op == OP_SLT ? !holds && !value : !holds && value == -1;
    // So is a null pointer where a new block is expected.
    bool block = false;
    for (uint32_t i = 0; op == OP_EQ && !holds && !value && i < sum->case_count && !block; i++)
        block = sum->cases[i].result.id && term_kind(&sum->terms, sum->cases[i].result) == T_HEAP;
    bool codes = op == OP_SLT && custom && gives_codes(sum);
    for (uint32_t i = 0; i < sum->case_count; i++) {
        const Case *c = &sum->cases[i];
        Side side = side_of(sum, c, op, value);
        if (c->thrown || side == (holds ? SIDE_HOLDS : SIDE_FAILS)) continue;
        if (!c->why && !custom && !block) return false;
        any |= (c->why || block || codes) && side != SIDE_UNKNOWN;
    }
    return any;
}

bool explain_brings_others(Work *w, const ObjInfo *info)
{
    FuncId f;
    const Ins *in = func_ins(w->unit, w->func, info->ins);
    const Summary *sum = in->op == OP_CALL ? summary_of(w, in, &f) : NULL;
    for (uint32_t i = 0; sum && i < sum->case_count; i++)
        for (uint32_t k = 0; k < sum->cases[i].object_count; k++) {
            const ObjInfo *o = &sum->cases[i].objects[k];
            if (o->pos.line != info->pos.line || !pos_known(o->pos)) return true;
        }
    return !sum;
}

// ---- What was left alone.

// An argument, or what a field of it points to, that some instruction may keep or release.
typedef struct {
    uint32_t param;
    int32_t part;
    Bits by;   // those instructions
    Bits from; // blocks from which one of them can be reached
} Disposal;

// Where a value of the function comes from: `loads` pointers are followed from the parameter, the first of which is
// at `offset`.
typedef struct {
    bool known;
    uint32_t param, loads;
    int64_t offset;
} Came;

struct Disposals {
    Disposal at[DISPOSALS];
    uint32_t count;
    Came *came; // by instruction
};

static Came came_from(const struct Disposals *all, Ref r)
{
    if (ref_is_param(r)) return (Came){.known = true, .param = ref_index(r)};
    return ref_is_ins(r) ? all->came[ref_index(r)] : (Came){0};
}

// In one pass: of a value that comes round in a loop it is where it comes from at first.
static void find_sources(const Work *w, struct Disposals *all)
{
    all->came = arena_array_of(w->arena, Came, w->func->ins_count);
    for (uint32_t n = 0; n < w->func->ins_count; n++) {
        const Ins *in = func_ins(w->unit, w->func, n);
        Came from = {0};
        switch ((Op)in->op) {
        case OP_LOAD:
            if (mtype_class(in->type) == MT_PTR) from = came_from(all, (Ref){in->a});
            from.loads++;
            break;
        case OP_FIELD:
            from = came_from(all, (Ref){in->a});
            if (!from.loads) from.offset += (int32_t)in->b;
            break;
        case OP_INDEX: // each time another element of an array
            from = came_from(all, (Ref){in->a});
            from.known &= from.loads != 0;
            break;
        case OP_PHI:
            for (uint32_t i = 0; i < in->c && !from.known; i++)
                from = came_from(all, (Ref){func_extra(w->unit, w->func, in->b + 2 * i)[1]});
            break;
        default:
            break;
        }
        all->came[n] = from;
    }
}

static bool is_disposed_by_call(Work *w, const Ins *in, uint32_t argument)
{
    FuncId f;
    const Summary *sum = summary_of(w, in, &f);
    const SpecFunc *spec = f.id ? facts_spec(w->facts, f) : NULL;
    if (spec) return argument < spec->param_count && spec->params[argument].mode != SPEC_REF;
    return !sum || argument >= sum->param_count || argument >= 32 || !(sum->borrows >> argument & 1);
}

static void note_disposal(Work *w, struct Disposals *all, uint32_t ins, Ref value)
{
    Came from = came_from(all, value);
    if (!from.known || from.loads > 1 || from.offset <= INT32_MIN || from.offset > INT32_MAX) return;
    int32_t part = from.loads ? (int32_t)from.offset : DECLINED_ITSELF;
    Disposal *d = NULL;
    for (uint32_t i = 0; i < all->count && !d; i++)
        if (all->at[i].param == from.param && all->at[i].part == part) d = &all->at[i];
    if (!d && all->count == DISPOSALS) return;
    if (!d) {
        d = &all->at[all->count++];
        *d = (Disposal){from.param, part, bits_new(w->arena, w->func->ins_count), bits_new(w->arena, w->func->block_count)};
    }
    bits_add(&d->by, ins);
    bits_add(&d->from, func_block_of(w->unit, w->func, ins));
}

static void spread_back(Work *w, Disposal *d)
{
    U32s todo = {0};
    bits_each (block, &d->from) vec_push(&todo, block);
    while (todo.len) {
        EdgeRange r = w->cfg->pred[vec_pop(&todo)];
        for (uint32_t i = 0; i < r.count; i++)
            if (bits_add(&d->from, w->cfg->edges[r.first + i])) vec_push(&todo, w->cfg->edges[r.first + i]);
    }
    vec_free(&todo);
}

static const struct Disposals *disposals_of(Work *w)
{
    if (w->disposals) return w->disposals;
    struct Disposals *all = w->disposals = arena_new_of(w->arena, struct Disposals);
    bool any = false;
    for (uint32_t i = 0; i < w->func->param_count; i++)
        any |= mtype_class(w->unit->params.at[w->func->first_param + i].mtype) == MT_PTR;
    if (!any) return all;
    find_sources(w, all);
    for (uint32_t i = 0; i < w->func->ins_count; i++) {
        const Ins *in = func_ins(w->unit, w->func, i);
        bool local = in->op == OP_STORE && ref_is_ins((Ref){in->a}) &&
                     func_ins(w->unit, w->func, ref_index((Ref){in->a}))->op == OP_ALLOCA;
        if (in->op == OP_STORE && !local) note_disposal(w, all, i, (Ref){in->b});
        for (uint32_t k = 0; in->op == OP_CALL && k < in->c; k++)
            if (is_disposed_by_call(w, in, k)) note_disposal(w, all, i, (Ref){*func_extra(w->unit, w->func, in->b + k)});
    }
    for (uint32_t i = 0; i < all->count; i++) spread_back(w, &all->at[i]);
    return all;
}

static const Origin *declined_in(const Case *c, uint32_t param, int32_t part)
{
    for (uint32_t i = 0; c && i < c->declined_count; i++)
        if (c->declined[i].param == param && c->declined[i].part == part) return c->declined[i].by;
    return NULL;
}

// How the call further in left it alone; null: it did not, or it is not known.
static const Origin *left_by_call(const Work *w, const Story *e, const Disposal *d)
{
    const Ins *in = func_ins(w->unit, w->func, e->ins);
    for (uint32_t i = 0; in->op == OP_CALL && i < in->c; i++) {
        Came from = came_from(w->disposals, (Ref){*func_extra(w->unit, w->func, in->b + i)});
        if (!from.known || from.param != d->param) continue;
        bool same = d->part == DECLINED_ITSELF ? !from.loads : from.loads == 1 && from.offset == d->part;
        const Origin *o = same ? declined_in(e->taken, i, DECLINED_ITSELF) : NULL;
        if (o) return o;
    }
    return NULL;
}

// Of the cases of a switch that the path did not take, or the one that it took, the step that tells: a case from which
// one of the instructions can be reached is not taken.
static const Story *missed_case(const Work *w, const Story *e, const Disposal *d)
{
    const Ins *in = func_ins(w->unit, w->func, e->ins);
    for (const Story *at = e; at && at->ins == e->ins && at->kind == STORY_BRANCH; at = at->prev) {
        const TermNode *n = term_node(&w->terms, at->a);
        int64_t value;
        if (at->flag || n->kind != T_EQ || !term_is_int(&w->terms, (Term){n->b}, &value)) continue;
        for (uint32_t i = 0; i < in->c; i++) {
            const uint32_t *pair = func_extra(w->unit, w->func, in->b + 2 * i);
            const Const *c = ref_is_const((Ref){pair[0]}) ? &w->unit->consts.at[ref_index((Ref){pair[0]})] : NULL;
            if (c && c->kind == CONST_INT && c->value == value && bits_has(&d->from, pair[1])) return at;
        }
    }
    return e->flag ? e : NULL;
}

// The step by which the path left it alone; null: none, or it did not.
static const Story *left_by(const Work *w, const State *s, const Disposal *d, const Origin **inner)
{
    for (const Story *e = s->story; e; e = e->prev) {
        if (e->ins >= w->func->ins_count) continue;
        *inner = NULL;
        if (bits_has(&d->by, e->ins)) {
            *inner = e->kind == STORY_CALL ? left_by_call(w, e, d) : NULL;
            return *inner ? e : NULL;
        }
        if (e->kind != STORY_BRANCH && e->kind != STORY_TURN) continue;
        uint32_t block = func_block_of(w->unit, w->func, e->ins);
        uint8_t op = func_ins(w->unit, w->func, e->ins)->op;
        if (!bits_has(&d->from, block) || (op != OP_BRANCH && op != OP_SWITCH)) continue;
        const Block *b = func_block(w->unit, w->func, block);
        for (uint32_t i = b->first; i < b->first + b->count; i++)
            if (bits_has(&d->by, i)) return NULL;
        return op == OP_SWITCH ? missed_case(w, e, d) : e;
    }
    return NULL;
}

static const char *words_of(Work *w, const Story *e, bool *truth, bool *fails)
{
    *truth = true;
    *fails = false;
    Turned t;
    if (e->kind == STORY_TURN) return !explain_turn(w, e, &t) ? explain_shape(w, e) : t.succeeds ? NULL : t.text;
    const char *failure = names_failure(w, e->a, e->flag);
    *fails = failure != NULL;
    if (failure) return failure;
    if (names_failure(w, e->a, !e->flag)) return NULL; // that nothing fails is no reason
    const char *text = names_comparison(w, e->a, true);
    if (!text) return explain_shape_of(w, e, e->flag);
    *truth = e->flag;
    return text;
}

static const Origin *origin_of(Work *w, const Story *by, const Origin *inner, Arena *a)
{
    Origin *o = arena_new_of(a, Origin);
    *o = (Origin){.pos = pos_of_ins(w, by->ins), .callee = "", .depth = 1, .inner = inner};
    const char *callee = inner ? names_callee(w, by->ins) : NULL;
    if (inner && (!callee || inner->depth >= MAX_ORIGIN)) return NULL;
    if (inner) {
        o->depth = inner->depth + 1;
        o->callee = arena_strdup(a, callee);
    } else {
        const char *when = words_of(w, by, &o->truth, &o->fails);
        if (!when) return NULL;
        o->when = arena_strdup(a, when);
        o->test = explain_place_of_test(w, by->ins);
        if (o->test.path) o->test.path = arena_strdup(a, o->test.path);
    }
    if (o->pos.path) o->pos.path = arena_strdup(a, o->pos.path);
    return o;
}

const Origin *explain_asked(const Story *call)
{
    return declined_in(call->taken, DECLINED_NONE, DECLINED_ITSELF);
}

static bool is_known_here(void *context, Term x)
{
    const Work *w = context;
    while (term_kind(&w->terms, x) == T_INPUT) x = (Term){term_node(&w->terms, x)->a};
    TermKind kind = term_kind(&w->terms, x);
    return kind == T_RESULT || kind == T_HEAP || kind == T_GLOBAL;
}

// Whether the branch asks for nothing but what the caller gave.
static bool is_given(Work *w, const Story *e)
{
    return e->kind == STORY_BRANCH && !term_any(&w->terms, e->a, is_known_here, w);
}

void explain_declined(Work *w, const State *s, Arena *a, Case *c, const Story *asked)
{
    const struct Disposals *all = disposals_of(w);
    Declined some[DISPOSALS + 1];
    const Origin *further = asked && asked->kind == STORY_CALL ? explain_asked(asked) : NULL;
    const Origin *test = asked && (further || asked->kind != STORY_CALL) ? origin_of(w, asked, further, a) : NULL;
    if (test) some[c->declined_count++] = (Declined){DECLINED_NONE, DECLINED_ITSELF, test, false};
    for (uint32_t i = 0; i < all->count; i++) {
        const Origin *inner = NULL;
        const Story *by = left_by(w, s, &all->at[i], &inner);
        const Origin *o = by ? origin_of(w, by, inner, a) : NULL;
        if (o) some[c->declined_count++] = (Declined){all->at[i].param, all->at[i].part, o, !inner && is_given(w, by)};
    }
    c->declined = arena_copy(a, some, c->declined_count * sizeof *some);
}

// Whether the path stored the object there.
static bool is_put_at(Work *w, const State *s, Address at, int32_t part, Term heap)
{
    for (const Story *e = s->story; e; e = e->prev) {
        if (e->kind != STORY_PUT || !explain_mentions(w, e->b, heap)) continue;
        Address to = term_address(&w->terms, e->a);
        if (term_same(to.base, at.base) && !to.index.id && to.offset == at.offset + part) return true;
    }
    return false;
}

const Origin *explain_left_alone(Work *w, const State *s, const Story *call, Term heap)
{
    const Ins *in = func_ins(w->unit, w->func, call->ins);
    const ObjInfo *info = heap.id && term_kind(&w->terms, heap) == T_HEAP ? obj_info(w, heap) : NULL;
    if (!call->taken || in->op != OP_CALL || !info || info->ins == call->ins) return NULL;
    for (uint32_t i = 0; i < call->taken->declined_count; i++) {
        const Declined *d = &call->taken->declined[i];
        if (d->param >= in->c) continue;
        Ref r = {*func_extra(w->unit, w->func, in->b + d->param)};
        bool itself = d->part == DECLINED_ITSELF;
        if (itself && ref_is_ins(r) && ref_index(r) == info->ins) return d->by;
        Term x = explain_argument(w, s, r);
        Address at = x.id ? term_address(&w->terms, x) : (Address){0};
        if (!at.base.id || at.index.id) continue;
        if (itself ? term_same(at.base, heap) : is_put_at(w, s, at, d->part, heap)) return d->by;
    }
    return NULL;
}
