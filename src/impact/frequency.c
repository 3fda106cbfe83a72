// Which leaks a process can have only a few times.
//
// A block that is lost while the program starts, or in a child just before it ends, never adds up.
// It is a leak, but not one that somebody has to mend first: `likely`. A function is left to such
// moments when it never comes back itself or every call of it is one: in main or in another such
// function, outside loops but those over a small table; or anywhere, when nothing comes back from what follows the call. A loop
// that goes through an array of functions, as the drivers of tests do, calls each of them once.
// Functions that unseen code can call, recursive ones and those of shared libraries may run at any
// time (indirect_callers.c). What follows a place in any function is asked in what_follows.c.
//
// The same holds for an option that is given twice: in a loop over the words of the command line,
// or over settings that lie in memory, what one round stored is overwritten by another, on a branch
// that not every round takes. What is lost by each word (a file's name) does add up.
//
// Errs towards `sure`: what it cannot see counts as repeated.
#include "impact/impact_int.h"

#include <string.h>

enum { ONCE_ASKED = 1, ONCE_YES, ONCE_NO };

Frequency *frequency_new(const Facts *facts)
{
    Arena *a = arena_new("once");
    Frequency *o = arena_array_of(a, Frequency, 1);
    uint32_t n = facts->program->funcs.len;
    *o = (Frequency){.facts = facts, .arena = a};
    o->known = arena_array_of(a, uint8_t, n);
    o->words = arena_array_of(a, uint32_t, n);
    o->letters = arena_array_of(a, uint32_t, n);
    o->asked = bits_new(a, n);
    o->shapes = arena_array_of(a, Shape *, n);
    o->globals = bits_new(a, facts->program->globals.len);
    return o;
}

void frequency_free(Frequency *o)
{
    indirect_callers_free(o->pointed);
    follows_free(o->follows);
    members_free(o->members);
    arena_free(o->arena);
}

typedef enum { CALL_RETURNS, CALL_ENDS, CALL_JUMPS } CallEnd;

// A call that throws or jumps goes on, but not behind it.
static CallEnd call_end(const Frequency *o, uint32_t unit, const Unit *u, const Ins *in)
{
    CallEnd flagged = in->flags & INS_NORETURN ? CALL_ENDS : CALL_RETURNS;
    const Program *p = o->facts->program;
    FuncId callee = program_callee(p, unit, u, (Ref){in->a});
    if (!callee.id) return flagged;
    if (facts_ends_program(o->facts, callee)) return CALL_ENDS;
    if (!flagged) return CALL_RETURNS;
    const SpecFunc *spec = facts_spec(o->facts, callee);
    bool code = program_has_code(p, callee) && !(spec && spec_beats_code(spec));
    return code || (spec && spec->noreturn == SPEC_JUMPS) ? CALL_JUMPS : CALL_ENDS;
}

bool frequency_rest_open(const Frequency *o, FuncId f, const Shape *s, const Block *b,
                         uint32_t from, bool *returns)
{
    uint32_t unit = o->facts->program->funcs.at[f.id].unit;
    for (uint32_t i = from; i < b->first + b->count; i++) {
        const Ins *in = func_ins(s->unit, s->func, i);
        if (in->op == OP_RET || in->op == OP_RESUME) *returns = true;
        if (in->op != OP_CALL) continue;
        CallEnd end = call_end(o, unit, s->unit, in);
        *returns |= end == CALL_JUMPS;
        if (end != CALL_RETURNS) return false;
    }
    return true;
}

Shape *frequency_shape(Frequency *o, FuncId f)
{
    if (o->shapes[f.id]) return o->shapes[f.id];
    Shape *s = o->shapes[f.id] = arena_array_of(o->arena, Shape, 1);
    s->func = program_body(o->facts->program, f, &s->unit);
    s->cfg = cfg_build(o->arena, s->unit, s->func);
    s->back = bits_new(o->arena, s->func->block_count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = s->cfg->order_count; k-- > 0;) {
            uint32_t b = s->cfg->order[k];
            const Block *block = func_block(s->unit, s->func, b);
            bool back = false;
            if (bits_has(&s->back, b)) continue;
            bool open = frequency_rest_open(o, f, s, block, block->first, &back);
            EdgeRange r = s->cfg->succ[b];
            for (uint32_t i = 0; i < r.count && open; i++)
                back |= bits_has(&s->back, s->cfg->edges[r.first + i]);
            if (back) changed |= bits_add(&s->back, b);
        }
    }
    return s;
}

// ---- Calls.

// Nothing comes back from what follows the call once that has returned, and it is in no loop.
static bool is_last(const Frequency *o, FuncId f, const Shape *s, uint32_t ins)
{
    uint32_t block = func_block_of(s->unit, s->func, ins);
    if (s->cfg->loop_of[block]) return false;
    const Ins *in = func_ins(s->unit, s->func, ins);
    if (in->op == OP_INVOKE)
        return !bits_has(&s->back, *func_extra(s->unit, s->func, in->b + in->c));
    bool back = false;
    if (!frequency_rest_open(o, f, s, func_block(s->unit, s->func, block), ins + 1, &back))
        return !back;
    EdgeRange r = s->cfg->succ[block];
    for (uint32_t i = 0; i < r.count; i++) back |= bits_has(&s->back, s->cfg->edges[r.first + i]);
    return !back;
}

static bool calls_are_few(Frequency *o, FuncId f)
{
    CallsOf calls = {0};
    bool by_others = false;
    bool few = callers_but_once(o, f, CALLERS_START, &calls, &by_others) && (calls.len || by_others);
    uint32_t words = UINT32_MAX;
    for (uint32_t i = 0; i < calls.len && few; i++) {
        FuncId by = calls.at[i].by;
        uint32_t ins = calls.at[i].ins;
        Shape *s = frequency_shape(o, by);
        bool last = is_last(o, by, s, ins), once = frequency_runs(o, by);
        bool round = !rounds_are_few(o, by, s, func_block_of(s->unit, s->func, ins));
        few = last || (once && (!round || table_is_walked(s, ins))) ||
              options_letter_leads_to(o, by, ins) || forked_at(o, by, ins);
        words &= once ? options_arguments(o, by, ins) : 0;
    }
    o->words[f.id] = !few || words == UINT32_MAX ? 0 : words;
    vec_free(&calls);
    return few;
}

bool frequency_runs(Frequency *o, FuncId f)
{
    const Program *p = o->facts->program;
    uint8_t *known = &o->known[f.id];
    if (*known) return *known == ONCE_YES; // a question that leads back to itself: no
    *known = ONCE_ASKED;
    uint32_t flags = p->funcs.at[f.id].flags;
    bool any_time =
        !(flags & PROG_DEFINED) || (flags & PROG_SHARED) || p->funcs.at[f.id].asked != 0;
    bool yes = false;
    if (program_is_main(o->facts->program, f)) {
        o->words[f.id] = 3;
        yes = !any_time && !(flags & PROG_ADDRESS_TAKEN);
    } else if (!any_time) {
        // In this order: the calls also tell what of the command line it is given.
        yes = calls_are_few(o, f) ||
              (!(flags & PROG_ADDRESS_TAKEN) && !facts_may_return(o->facts, f));
    }
    *known = yes ? ONCE_YES : ONCE_NO;
    return yes;
}

bool frequency_at(Frequency *o, FuncId f, uint32_t ins, bool overwritten)
{
    if (forked_at(o, f, ins)) return true;
    if (!frequency_runs(o, f)) return false;
    Shape *s = frequency_shape(o, f);
    return rounds_are_few(o, f, s, func_block_of(s->unit, s->func, ins)) ||
           (overwritten && options_lead_to(o, f, ins));
}
