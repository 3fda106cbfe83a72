// What of a function matters to its evaluation: the set that the projection is made from (PML, rule
// 1: allocations, frees and what moves the pointers to them). Needs the summaries of the callees;
// leaves it to project_close to add the branches that govern the set. The numbers that those
// branches compare are not in it: a long computation that decides whether something is freed is one
// branch.
//
// Kept are calls that do something to memory (by spec or summary; unknown code may do anything to
// what it is handed), and wherever a tracked pointer comes from and goes: one that such a call gave
// or was handed, and what is made of it by a phi, a field, a load or arithmetic. A store of any
// pointer is kept: it may overwrite the last one. Errs towards keeping too much.
#include "points/points.h"
#include "project/project.h"
#include "show/show.h"
#include "unit/cfg.h"

typedef struct {
    Callees *c;
    const Program *p;
    FuncId id;
    const Unit *u;
    const Func *f;
    Bits *keep;
    Bits tracked; // by instruction: its value is a pointer that matters
    Bits params;  // likewise
} Keeper;

// ---- calls ----

static bool target_matters(const Keeper *k, FuncId f)
{
    const SpecFunc *spec = facts_spec(k->c->facts, f);
    bool code = program_has_code(k->p, f);
    if (spec && (!code || spec_beats_code(spec))) return !spec->harmless;
    const Summary *sum = code ? callee_summary(k->c, f) : NULL;
    if (sum) return !sum->known || !sum->trivial;
    const Unit *u;
    const Func *decl = program_decl(k->p, f, &u);
    if (decl->flags & (FUNC_READNONE | FUNC_READONLY)) return false;
    // Unknown code: it matters when it is handed something that it may keep or change.
    if (decl->flags & FUNC_VARARGS) return true;
    for (uint32_t i = 0; i < decl->param_count; i++) {
        const Param *q = &u->params.at[decl->first_param + i];
        if (mtype_class(q->mtype) == MT_PTR && !(q->flags & PARAM_CONST_POINTEE)) return true;
    }
    return mtype_class(decl->result) == MT_PTR;
}

static bool call_matters(const Keeper *k, uint32_t ins)
{
    const Ins *i = func_ins(k->u, k->f, ins);
    FuncId direct = program_callee(k->p, k->p->funcs.at[k->id.id].unit, k->u, (Ref){i->a});
    if (direct.id) return target_matters(k, direct);
    U32s targets = {0};
    const Points *points = k->c->facts->points;
    bool matters = !points || !points_callees(points, k->id, ins, &targets);
    vec_each (t, &targets) matters |= target_matters(k, (FuncId){targets.at[t]});
    vec_free(&targets);
    return matters;
}

// ---- pointers ----

static bool is_pointer(const Keeper *k, Ref r)
{
    return mtype_class(ref_type(k->u, k->f, r)) == MT_PTR;
}

static bool is_tracked(const Keeper *k, Ref r)
{
    if (ref_is_ins(r)) return bits_has(&k->tracked, ref_index(r));
    return ref_is_param(r) && bits_has(&k->params, ref_index(r));
}

static bool track(Keeper *k, Ref r)
{
    if (ref_is_ins(r)) return bits_add(&k->tracked, ref_index(r));
    return ref_is_param(r) && bits_add(&k->params, ref_index(r));
}

// A value made of pointers: what it is made of is in it.
static bool passes_on(Op op)
{
    switch (op) {
    case OP_PHI:
    case OP_SELECT:
    case OP_FIELD:
    case OP_INDEX:
    case OP_PTRTOINT:
    case OP_INTTOPTR:
    case OP_ADD:
    case OP_SUB:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_PART:
    case OP_SETPART:
    case OP_VA_ARG:
        return true;
    default:
        return false;
    }
}

static bool any_tracked(const Keeper *k, const Ins *in)
{
    Operands o = ins_operands(k->u, k->f, in);
    for (uint32_t n = 0; n < o.count; n++)
        if (is_tracked(k, o.refs[n])) return true;
    for (uint32_t n = 0; n < o.more_count; n++)
        if (is_tracked(k, (Ref){o.more[n * o.more_step]})) return true;
    return false;
}

// What a tracked value was made of.
static bool track_operands(Keeper *k, const Ins *in)
{
    bool grew = false;
    Operands o = ins_operands(k->u, k->f, in);
    for (uint32_t n = 0; n < o.count; n++)
        if (is_pointer(k, o.refs[n])) grew |= track(k, o.refs[n]);
    for (uint32_t n = 0; n < o.more_count; n++) {
        Ref r = {o.more[n * o.more_step]};
        if (is_pointer(k, r)) grew |= track(k, r);
    }
    return grew;
}

// True when something became tracked by it.
static bool look_at(Keeper *k, uint32_t ins)
{
    const Ins *in = func_ins(k->u, k->f, ins);
    switch ((Op)in->op) {
    case OP_CALL:
    case OP_INVOKE: {
        if (!bits_has(k->keep, ins)) return false;
        bool grew = mtype_class(in->type) != MT_VOID && track(k, ref_ins(ins));
        for (uint32_t n = 0; n < in->c; n++) {
            Ref arg = {*func_extra(k->u, k->f, in->b + n)};
            if (is_pointer(k, arg)) grew |= track(k, arg);
        }
        return grew;
    }
    case OP_STORE:
        // What is stored is found again by loads from there.
        if (!is_pointer(k, (Ref){in->b}) && !is_tracked(k, (Ref){in->b})) return false;
        bits_add(k->keep, ins);
        return track(k, (Ref){in->b});
    case OP_LOAD:
        if (bits_has(&k->tracked, ins)) {
            bits_add(k->keep, ins);
            return track(k, (Ref){in->a});
        }
        if (mtype_class(in->type) != MT_PTR || !is_tracked(k, (Ref){in->a})) return false;
        bits_add(k->keep, ins);
        return track(k, ref_ins(ins));
    case OP_COPY:
    case OP_FILL:
    case OP_VA_START:
    case OP_VA_COPY:
    case OP_ASM:
        if (any_tracked(k, in)) bits_add(k->keep, ins);
        return false;
    case OP_LIFE_END:
    case OP_BIND: // where a variable ends or takes another value, the last pointer may go
    case OP_EQ:
    case OP_NE: // for the branches on them
        if (any_tracked(k, in)) bits_add(k->keep, ins);
        return false;
    default:
        if (bits_has(&k->tracked, ins)) {
            bits_add(k->keep, ins);
            return track_operands(k, in);
        }
        if (!passes_on((Op)in->op) || !any_tracked(k, in)) return false;
        bits_add(k->keep, ins);
        return track(k, ref_ins(ins));
    }
}

static Bits what_matters(Arena *a, Callees *c, FuncId f)
{
    Keeper k = {.c = c, .p = c->facts->program, .id = f};
    k.f = program_body(k.p, f, &k.u);
    Bits keep = bits_new(a, k.f->ins_count);
    k.keep = &keep;
    k.tracked = bits_new(a, k.f->ins_count);
    k.params = bits_new(a, k.f->param_count);
    for (uint32_t i = 0; i < k.f->ins_count; i++) {
        const Ins *in = func_ins(k.u, k.f, i);
        bool calls = in->op == OP_CALL || in->op == OP_INVOKE;
        if (calls && call_matters(&k, i)) bits_add(&keep, i);
        if (in->op == OP_RET || in->op == OP_RESUME) bits_add(&keep, i);
    }
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t i = 0; i < k.f->ins_count; i++) grew |= look_at(&k, i);
    }
    return keep;
}

static void print_idle(Out *o, const Unit *u, const Func *f, const Bits *idle)
{
    UnitPrinter *printer = unit_printer_new(o, u, f);
    out_text(o, "idle by the value flow:\n");
    bits_each (i, idle) {
        out_text(o, "  ");
        unit_printer_ins(printer, i);
        out_char(o, '\n');
    }
    unit_printer_free(printer);
}

void show_project_of(Out *o, Callees *callees, FuncId f, bool dot)
{
    const Program *p = callees->facts->program;
    const Unit *u;
    const Func *func = program_body(p, f, &u);
    if (!func) return;
    Arena *a = arena_new("projection");
    Cfg *c = cfg_build(a, u, func);
    Bits keep = what_matters(a, callees, f);
    project_close(u, func, c, &(ProjectHow){.deaths = true}, &keep);
    Projection *projection = project_build(a, u, func, c, &keep);
    if (dot)
        project_print_dot(o, u, func, projection);
    else
        project_print(o, u, func, projection);
    const FlowHints *hints = callees->facts->hints;
    if (!dot && hints && hints->idle[f.id].words) print_idle(o, u, func, &hints->idle[f.id]);
    arena_free(a);
}
