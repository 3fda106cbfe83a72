// Steps inside of callees: what a call released, obtained or used, where in its code it did so, and by which branch.
//
// For allocations and releases the callee's summary says it (Origin). A use is looked up when a finding is made:
// summaries have one for nearly every pointer, findings are few. The lookup goes through the callee's code in order
// and takes the first place that follows the pointer, so where there are several, the path may have used another one
// before: errs towards the earlier of two places that are both wrong.
#include "explain/explain.h"

#include "explain/limits.h"

Event *explain_step_when(Finding *f, const Origin *o)
{
    return o->fails ? finding_event(f, EVENT_NOTE, o->test, "%s", o->when) : finding_branch(f, o->test, o->when, o->truth);
}

void explain_when_inside(Work *w, Finding *f, const Origin *o)
{
    uint32_t first = f->when.len;
    if (o->fails)
        finding_when(f, "%s", o->when);
    else
        finding_when_expr(f, "%s", o->truth ? o->when : names_denied(w, o->when));
    finding_when_at(f, first, o->test, (Pos){0});
}

void explain_step_inside(Finding *f, EventKind kind, const Origin *o, uint32_t depth, const char *done,
                         const char *after)
{
    if (o->when) explain_step_when(f, o)->depth = depth;
    finding_event(f, kind, o->pos, "%s there by %s%s", done, o->callee, after)->depth = depth;
}

// A function called on the way to the use, and which of its values leads there: `root` with `offset` is where the
// pointer is loaded from, or none is loaded and the parameter is the pointer itself.
typedef struct {
    const Program *program;
    uint32_t unit_index;
    const Unit *unit;
    const Func *func;
    uint32_t param;
    int64_t offset; // of the pointer in what the parameter points to
    bool loaded;
} Sought;

// The parameter that an address is some bytes into.
static bool is_into_param(const Sought *k, Ref r, int64_t *offset, int depth)
{
    *offset = 0;
    for (; ref_is_ins(r) && depth > 0; depth--) {
        const Ins *in = func_ins(k->unit, k->func, ref_index(r));
        if (in->op != OP_FIELD) return false;
        *offset += (int32_t)in->b;
        r = (Ref){in->a};
    }
    return ref_is_param(r) && ref_index(r) == k->param;
}

// Whether the value is the pointer that is looked for, or points into the same block.
static bool is_sought(const Sought *k, Ref r)
{
    int64_t offset;
    for (int depth = USE_CHAIN; depth > 0 && ref_is_ins(r); depth--) {
        const Ins *in = func_ins(k->unit, k->func, ref_index(r));
        if (in->op == OP_LOAD)
            return k->loaded && is_into_param(k, (Ref){in->a}, &offset, USE_CHAIN) && offset == k->offset;
        if (in->op != OP_FIELD && in->op != OP_INDEX) return false;
        r = (Ref){in->a};
    }
    return !k->loaded && ref_is_param(r) && ref_index(r) == k->param;
}

static bool is_used_by(const Sought *k, const Ins *in)
{
    switch ((Op)in->op) {
    case OP_LOAD:
    case OP_STORE:
    case OP_FILL:
        return is_sought(k, (Ref){in->a});
    case OP_COPY:
        return is_sought(k, (Ref){in->a}) || is_sought(k, (Ref){in->b});
    default:
        return false;
    }
}

static Pos pos_in(const Unit *u, const Ins *in)
{
    const Loc *l = &u->locs.at[in->loc];
    if (!in->loc || !l->file || !l->line) return (Pos){0};
    return (Pos){name_text(u->names, u->files.at[l->file].path), l->line, l->col ? l->col : 1};
}

static bool enter(const Program *p, FuncId f, Sought *k)
{
    if (!f.id || !program_has_code(p, f)) return false;
    k->program = p;
    k->func = program_body(p, f, &k->unit);
    k->unit_index = p->funcs.at[f.id].unit;
    return k->func != NULL;
}

// The same pointer in the function that this call enters.
static bool is_passed_on(const Sought *k, const Ins *in, Sought *next)
{
    if (op_form((Op)in->op) != FORM_CALL || in->op == OP_ASM) return false;
    FuncId f = program_callee(k->program, k->unit_index, k->unit, (Ref){in->a});
    for (uint32_t i = 0; i < in->c; i++) {
        Ref r = {*func_extra(k->unit, k->func, in->b + i)};
        int64_t into;
        bool itself = is_sought(k, r);
        if (!itself && !(k->loaded && is_into_param(k, r, &into, USE_CHAIN))) continue;
        *next = (Sought){.param = i, .loaded = !itself, .offset = itself ? 0 : k->offset - into};
        if (enter(k->program, f, next)) return true;
    }
    return false;
}

// Adds the steps to the first use; false: none was found.
static bool tell_use(Finding *f, const Sought *k, uint32_t depth)
{
    if (depth > MAX_ORIGIN) return false;
    for (uint32_t i = 0; i < k->func->ins_count; i++) {
        const Ins *in = func_ins(k->unit, k->func, i);
        Pos at = pos_in(k->unit, in);
        Sought next;
        if (is_used_by(k, in) && pos_known(at)) {
            finding_event(f, EVENT_USE, at, "used there")->depth = depth;
            return true;
        }
        if (!is_passed_on(k, in, &next)) continue;
        uint32_t before = f->events.len;
        const char *name = name_text(next.unit->names, next.func->source);
        if (pos_known(at)) finding_event(f, EVENT_CALL, at, "used there by %s", name)->depth = depth;
        if (tell_use(f, &next, depth + 1)) return true;
        f->events.len = before;
    }
    return false;
}

// By which argument of the call the freed block is reached.
static bool seek(Work *w, const State *s, const Ins *call, Term base, Sought *k)
{
    FuncId f = program_callee(w->facts->program, w->unit_index, w->unit, (Ref){call->a});
    if (!enter(w->facts->program, f, k)) return false;
    for (uint32_t i = 0; i < call->c && i < k->func->param_count; i++) {
        Term x = explain_argument(w, s, (Ref){*func_extra(w->unit, w->func, call->b + i)});
        Address a = x.id ? term_address(&w->terms, x) : (Address){0};
        if (!a.base.id || a.index.id) continue;
        k->param = i;
        k->loaded = !term_same(a.base, base);
        if (!k->loaded) return true;
        const TermNode *n = term_node(&w->terms, base);
        if (n->kind == T_INPUT && n->a == a.base.id && !n->b) {
            k->offset = n->value - a.offset;
            return true;
        }
        for (const Story *e = s->story; e; e = e->prev) {
            Address to = e->kind == STORY_PUT && explain_mentions(w, e->b, base) ? term_address(&w->terms, e->a)
                                                                                : (Address){0};
            if (!to.base.id || !term_same(to.base, a.base) || to.index.id) continue;
            k->offset = to.offset - a.offset;
            return true;
        }
    }
    return false;
}

void explain_misuse(Work *w, const State *s, Finding *f, Term base, uint32_t ins)
{
    Pos at = pos_of_ins(w, ins);
    const Ins *in = func_ins(w->unit, w->func, ins);
    bool call = in->op == OP_CALL || in->op == OP_INVOKE, use = f->rule == RULE_USE_AFTER_FREE;
    const char *what = f->rule == RULE_DOUBLE_FREE    ? (f->resource ? "closed again here" : "freed again here")
                       : use                          ? (f->resource ? "used here after it was closed" : "used here after it was freed")
                       : f->rule == RULE_INVALID_FREE ? "this is no start of an allocated block"
                                                      : "released by the wrong function here";
    bool says = f->rule == RULE_MISMATCHED_FREE && f->partner;
    finding_event(f, use ? EVENT_USE : EVENT_FREE, at, says ? "%s; use %s" : "%s", what, f->partner);
    uint32_t depth = 0;
    for (const Origin *o = use ? NULL : w->inside; o; o = o->inner)
        explain_step_inside(f, EVENT_FREE, o, ++depth, f->resource ? "closed" : "freed", "");
    Sought k = {0};
    if (use && call && seek(w, s, in, base, &k)) tell_use(f, &k, 1);
}
