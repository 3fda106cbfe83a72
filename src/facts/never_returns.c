// Which functions never come back: neither by returning nor by throwing.
//
// A function comes back when some way from its entry to a return goes through calls that come back
// only; the least solution over the whole call graph, calls through pointers included. So an
// out-of-memory handler that reports, allocates for its report and aborts ends the program also
// where its own callees call it again, which the bottom-up order alone cannot see. A call through
// a pointer ends when all that it may reach do; where unseen code may be among them it comes back.
// Errs towards coming back, and so towards paths that are none; but a function that only waits for
// ever counts as one that ends, for nothing behind it is run.
#include "facts/facts_int.h"

typedef struct {
    const Facts *facts;
    Bits *back;
    U32s targets, next, work;
} EndlessSearch;

static bool target_comes_back(const EndlessSearch *k, FuncId f, bool *throws)
{
    const Program *p = k->facts->program;
    const SpecFunc *spec = facts_spec(k->facts, f);
    bool code = program_has_code(p, f);
    if (spec && (!code || spec_beats_code(spec))) {
        if (spec->noreturn == SPEC_RETURNS || spec->noreturn_on_success) return true;
        *throws |= spec->noreturn == SPEC_JUMPS;
        return spec->noreturn_when.op != SPEC_ALWAYS;
    }
    if (code) return bits_has(k->back, f.id);
    const Unit *unit;
    const Func *decl = program_decl(p, f, &unit);
    return !(decl && (decl->flags & FUNC_NORETURN)) && !(p->funcs.at[f.id].flags & PROG_ENDS);
}

static bool call_comes_back(EndlessSearch *k, FuncId f, const Ins *i, uint32_t ins, bool *throws)
{
    const Points *points = k->facts->points;
    k->targets.len = 0;
    if (i->flags & INS_NORETURN) {
        // Still: what it does first may throw.
        if (points) points_callees(points, f, ins, &k->targets);
        vec_each (t, &k->targets) target_comes_back(k, (FuncId){k->targets.at[t]}, throws);
        return false;
    }
    if (!points || !points_callees(points, f, ins, &k->targets)) return true;
    bool back = false;
    vec_each (t, &k->targets) back |= target_comes_back(k, (FuncId){k->targets.at[t]}, throws);
    return back;
}

// By what is known so far.
static bool comes_back(EndlessSearch *k, FuncId f)
{
    const Unit *u;
    const Func *fn = program_body(k->facts->program, f, &u);
    Arena *scratch = arena_new("ends");
    Bits seen = bits_new(scratch, fn->block_count);
    bool back = false;
    k->work.len = 0;
    vec_push(&k->work, 0);
    bits_add(&seen, 0);
    while (k->work.len && !back) {
        uint32_t b = vec_pop(&k->work);
        const Block *block = func_block(u, fn, b);
        bool open = true;
        for (uint32_t i = block->first; open && i < block->first + block->count; i++) {
            const Ins *in = func_ins(u, fn, i);
            if (in->op == OP_RET || in->op == OP_RESUME) back = true;
            if (in->op != OP_CALL && in->op != OP_INVOKE) continue;
            bool throws = false;
            // The landing pad of an invoke is reached whatever the callee is: errs, see above.
            open = call_comes_back(k, f, in, i, &throws) || in->op == OP_INVOKE;
            back |= throws;
        }
        if (!open || back) continue;
        k->next.len = 0;
        block_successors(u, fn, b, &k->next);
        vec_each (i, &k->next)
            if (bits_add(&seen, k->next.at[i])) vec_push(&k->work, k->next.at[i]);
    }
    arena_free(scratch);
    return back;
}

bool facts_ends_program(const Facts *facts, FuncId f)
{
    const SpecFunc *spec = facts_spec(facts, f);
    if (program_has_code(facts->program, f) && !(spec && spec_beats_code(spec)))
        return !facts_may_return(facts, f);
    return spec && spec->noreturn != SPEC_RETURNS && spec->noreturn != SPEC_JUMPS &&
           !spec->noreturn_on_success && spec->noreturn_when.op == SPEC_ALWAYS;
}

Bits may_return_find(Arena *a, const Facts *facts)
{
    const Program *p = facts->program;
    Bits back = bits_new(a, p->funcs.len);
    EndlessSearch k = {.facts = facts, .back = &back};
    for (bool changed = true; changed;) {
        changed = false;
        vec_each (i, &p->order) {
            FuncId f = p->order.at[i];
            if (!program_has_code(p, f) || bits_has(&back, f.id)) continue;
            if (comes_back(&k, f)) changed |= bits_add(&back, f.id);
        }
    }
    vec_free(&k.targets);
    vec_free(&k.next);
    vec_free(&k.work);
    return back;
}
