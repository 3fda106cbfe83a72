// Which leaks a process can have only a few times.
//
// A block that is lost while the program starts, or in a child just before it ends, never adds up.
// It is a leak, but not one that somebody has to mend first: `likely`. A function is left to such
// moments when it never comes back itself or every call of it is one: in main or in another such
// function, outside loops; or anywhere, when nothing comes back from what follows the call.
// Functions that unseen code can call, recursive ones and those of shared libraries may run at any
// time (pointed.c). What follows a place in any function is asked in behind.c.
//
// The same holds for an option that is given twice: in a loop over the words of the command line,
// or over settings that lie in memory, what one round stored is overwritten by another, on a branch
// that not every round takes. What is lost by each word (a file's name) does add up.
//
// Errs towards `sure`: what it cannot see counts as repeated.
#include "eval/once_int.h"

#include <string.h>

enum { ONCE_ASKED = 1, ONCE_YES, ONCE_NO };
enum { MAX_WORDS = 32 }; // parameters that are followed

// How a value comes from the command line: argc, argv and what points into it; or a word of it.
enum { FROM_NOTHING, FROM_ARGUMENTS, FROM_WORD };

Once *once_new(const Eval *e)
{
    Arena *a = arena_new("once");
    Once *o = arena_array_of(a, Once, 1);
    uint32_t n = eval_program(e)->funcs.len;
    *o = (Once){.e = e, .arena = a};
    o->known = arena_array_of(a, uint8_t, n);
    o->words = arena_array_of(a, uint32_t, n);
    o->shapes = arena_array_of(a, Shape *, n);
    o->globals = bits_new(a, eval_program(e)->globals.len);
    return o;
}

void once_free(Once *o)
{
    once_pointed_free(o->pointed);
    arena_free(o->arena);
}

typedef enum { CALL_RETURNS, CALL_ENDS, CALL_JUMPS } CallEnd;

// A call that throws or jumps goes on, but not behind it.
static CallEnd call_end(const Once *o, uint32_t unit, const Unit *u, const Ins *in)
{
    CallEnd flagged = in->flags & INS_NORETURN ? CALL_ENDS : CALL_RETURNS;
    Ref r = {in->a};
    if (!ref_is_const(r) || u->consts.at[ref_index(r)].kind != CONST_FUNC) return flagged;
    const Program *p = eval_program(o->e);
    FuncId callee = program_func(p, unit, (UFuncId){u->consts.at[ref_index(r)].target});
    if (eval_ends_program(o->e, callee)) return CALL_ENDS;
    if (!flagged) return CALL_RETURNS;
    const SpecFunc *spec = eval_spec(o->e, callee);
    bool code = program_has_code(p, callee) && !(spec && spec_beats_code(spec));
    return code || (spec && spec->noreturn == SPEC_JUMPS) ? CALL_JUMPS : CALL_ENDS;
}

bool once_rest_open(const Once *o, FuncId f, const Shape *s, const Block *b, uint32_t from,
                    bool *returns)
{
    uint32_t unit = eval_program(o->e)->funcs.at[f.id].unit;
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

Shape *once_shape(Once *o, FuncId f)
{
    if (o->shapes[f.id]) return o->shapes[f.id];
    Shape *s = o->shapes[f.id] = arena_array_of(o->arena, Shape, 1);
    s->func = program_body(eval_program(o->e), f, &s->unit);
    s->cfg = cfg_build(o->arena, s->unit, s->func);
    s->back = bits_new(o->arena, s->func->block_count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = s->cfg->order_count; k-- > 0;) {
            uint32_t b = s->cfg->order[k];
            const Block *block = func_block(s->unit, s->func, b);
            bool back = false;
            if (bits_has(&s->back, b)) continue;
            bool open = once_rest_open(o, f, s, block, block->first, &back);
            EdgeRange r = s->cfg->succ[b];
            for (uint32_t i = 0; i < r.count && open; i++)
                back |= bits_has(&s->back, s->cfg->edges[r.first + i]);
            if (back) changed |= bits_add(&s->back, b);
        }
    }
    return s;
}

// ---- What comes from the command line.

static uint32_t global_of(const Once *o, FuncId f, const Shape *s, Ref r)
{
    if (!ref_is_const(r)) return 0;
    const Const *c = &s->unit->consts.at[ref_index(r)];
    const Program *p = eval_program(o->e);
    if (c->kind != CONST_GLOBAL || c->value) return 0;
    return program_global(p, p->funcs.at[f.id].unit, (UGlobalId){c->target}).id;
}

static uint8_t from_of(const Once *o, FuncId f, const Shape *s, Ref r)
{
    if (ref_is_ins(r)) return s->from[ref_index(r)];
    if (ref_is_param(r) && ref_index(r) < MAX_WORDS && (o->words[f.id] >> ref_index(r) & 1))
        return FROM_ARGUMENTS;
    return FROM_NOTHING;
}

// *argv in a function that was given the address of main's argv.
static bool is_loaded_argument(const Once *o, FuncId f, const Shape *s, Ref r)
{
    if (!ref_is_ins(r)) return false;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    return in->op == OP_LOAD && ref_is_param((Ref){in->a}) &&
           from_of(o, f, s, (Ref){in->a}) == FROM_ARGUMENTS;
}

static uint8_t result_from(const Once *o, FuncId f, const Shape *s, const Ins *in)
{
    Operands ops = ins_operands(s->unit, s->func, in);
    if (in->op == OP_CALL) {
        // Whoever walks the whole of it gives back where it stands or what it found: getopt.
        if (mtype_class(in->type) != MT_INT) return FROM_NOTHING;
        for (uint32_t i = 0; i < ops.more_count; i++) {
            Ref r = {ops.more[i * ops.more_step]};
            // Where main hands on the address of argv, that is loaded first.
            uint8_t from = from_of(o, f, s, r);
            if (mtype_class(ref_type(s->unit, s->func, r)) == MT_PTR &&
                (from == FROM_ARGUMENTS || (from == FROM_WORD && is_loaded_argument(o, f, s, r))))
                return FROM_ARGUMENTS;
        }
        return FROM_NOTHING;
    }
    if (in->op == OP_LOAD) {
        Ref at = {in->a};
        uint32_t global = o->any_global ? global_of(o, f, s, at) : 0;
        if (global && bits_has(&o->globals, global)) return FROM_ARGUMENTS;
        if (!from_of(o, f, s, at)) return FROM_NOTHING;
        // A local whose address is taken holds what was stored into it.
        if (ref_is_ins(at) && func_ins(s->unit, s->func, ref_index(at))->op == OP_ALLOCA)
            return s->from[ref_index(at)];
        return FROM_WORD;
    }
    bool moves = (in->op >= OP_ADD && in->op <= OP_PHI) || in->op == OP_FIELD || in->op == OP_INDEX;
    if (!moves) return FROM_NOTHING;
    uint8_t from = FROM_NOTHING;
    for (uint32_t i = 0; i < ops.count && !from; i++) from = from_of(o, f, s, ops.refs[i]);
    for (uint32_t i = 0; i < ops.more_count && !from; i++)
        from = from_of(o, f, s, (Ref){ops.more[i * ops.more_step]});
    return from;
}

static void find_words(Once *o, FuncId f, Shape *s)
{
    if (s->from) return;
    s->from = arena_array_of(o->arena, uint8_t, s->func->ins_count);
    if (!o->words[f.id] && !o->any_global) return;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < s->func->ins_count; i++) {
            const Ins *in = func_ins(s->unit, s->func, i);
            if (in->op == OP_STORE) {
                uint8_t from = from_of(o, f, s, (Ref){in->b});
                Ref at = {in->a};
                uint32_t global = from == FROM_ARGUMENTS ? global_of(o, f, s, at) : 0;
                if (global) o->any_global = true, bits_add(&o->globals, global);
                if (!from || !ref_is_ins(at) || s->from[ref_index(at)] ||
                    func_ins(s->unit, s->func, ref_index(at))->op != OP_ALLOCA)
                    continue;
                s->from[ref_index(at)] = from;
                changed = true;
                continue;
            }
            if (s->from[i] || in->op == OP_ALLOCA) continue;
            s->from[i] = result_from(o, f, s, in);
            changed |= s->from[i] != FROM_NOTHING;
        }
    }
}

static bool is_in(const Cfg *c, uint32_t loop, uint32_t block)
{
    for (uint32_t l = c->loop_of[block]; l; l = c->loops[l - 1].parent)
        if (l == loop) return true;
    return false;
}

// Whether this block decides, by the command line, if the loop goes on.
static bool is_test(const Once *o, FuncId f, const Shape *s, uint32_t loop, uint32_t block)
{
    const Block *b = func_block(s->unit, s->func, block);
    const Ins *end = func_ins(s->unit, s->func, b->first + b->count - 1);
    if ((end->op != OP_BRANCH && end->op != OP_SWITCH) || !from_of(o, f, s, (Ref){end->a}))
        return false;
    EdgeRange r = s->cfg->succ[block];
    for (uint32_t i = 0; i < r.count; i++)
        if (!is_in(s->cfg, loop, s->cfg->edges[r.first + i])) return true;
    return false;
}

// At its head, behind other tests there or, where it runs at least once, at its end.
static bool walks_command_line(const Once *o, FuncId f, const Shape *s, uint32_t loop)
{
    uint32_t header = s->cfg->loops[loop - 1].header;
    if (is_test(o, f, s, loop, header)) return true;
    EdgeRange r = s->cfg->pred[header];
    for (uint32_t i = 0; i < r.count; i++) {
        uint32_t latch = s->cfg->edges[r.first + i];
        if (!is_in(s->cfg, loop, latch)) continue;
        for (uint32_t b = latch; b != header; b = s->cfg->idom[b])
            if (is_test(o, f, s, loop, b)) return true;
    }
    return false;
}

// Whether some way round the loop leaves the block out.
static bool is_choice(const Shape *s, uint32_t loop, uint32_t block)
{
    uint32_t header = s->cfg->loops[loop - 1].header;
    EdgeRange r = s->cfg->pred[header];
    for (uint32_t i = 0; i < r.count; i++) {
        uint32_t b = s->cfg->edges[r.first + i];
        if (is_in(s->cfg, loop, b) && !cfg_dominates(s->cfg, block, b)) return true;
    }
    return false;
}

// Whether a value is worked out from the phi without the help of calls.
static bool comes_from(const Shape *s, Ref r, uint32_t phi, uint32_t depth)
{
    if (!ref_is_ins(r)) return false;
    if (ref_index(r) == phi) return true;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    bool moves = in->op == OP_LOAD || in->op == OP_FIELD || in->op == OP_INDEX ||
                 (in->op >= OP_ADD && in->op < OP_PHI);
    if (!moves || !depth) return false;
    Operands ops = ins_operands(s->unit, s->func, in);
    bool found = false;
    for (uint32_t i = 0; i < ops.count && !found; i++)
        found = comes_from(s, ops.refs[i], phi, depth - 1);
    return found;
}

// Whether the loop goes over what lies in memory: its test asks for an index, an element or a node
// that each round moves on. A loop that waits for input is none.
static bool walks_memory(const Shape *s, uint32_t loop)
{
    enum { STEPS = 8 };
    uint32_t header = s->cfg->loops[loop - 1].header;
    const Block *b = func_block(s->unit, s->func, header);
    const Ins *end = func_ins(s->unit, s->func, b->first + b->count - 1);
    if (end->op != OP_BRANCH || (is_in(s->cfg, loop, end->b) && is_in(s->cfg, loop, end->c)))
        return false;
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        const Ins *phi = func_ins(s->unit, s->func, i);
        if (phi->op != OP_PHI || !comes_from(s, (Ref){end->a}, i, STEPS)) continue;
        bool moves = true;
        for (uint32_t k = 0; k < phi->c; k++) {
            const uint32_t *pair = func_extra(s->unit, s->func, phi->b + 2 * k);
            Ref r = {pair[1]};
            bool same = ref_is_ins(r) && ref_index(r) == i;
            if (is_in(s->cfg, loop, pair[0])) moves &= !same && comes_from(s, r, i, STEPS);
        }
        if (moves) return true;
    }
    return false;
}

static bool is_option(Once *o, FuncId f, Shape *s, uint32_t ins)
{
    uint32_t block = func_block_of(s->unit, s->func, ins);
    find_words(o, f, s);
    for (uint32_t l = s->cfg->loop_of[block]; l; l = s->cfg->loops[l - 1].parent)
        if (!(walks_command_line(o, f, s, l) || walks_memory(s, l)) || !is_choice(s, l, block))
            return false;
    return true;
}

// ---- Calls.

// Nothing comes back from what follows the call once that has returned, and it is in no loop.
static bool is_last(const Once *o, FuncId f, const Shape *s, uint32_t ins)
{
    uint32_t block = func_block_of(s->unit, s->func, ins);
    if (s->cfg->loop_of[block]) return false;
    const Ins *in = func_ins(s->unit, s->func, ins);
    if (in->op == OP_INVOKE)
        return !bits_has(&s->back, *func_extra(s->unit, s->func, in->b + in->c));
    bool back = false;
    if (!once_rest_open(o, f, s, func_block(s->unit, s->func, block), ins + 1, &back)) return !back;
    EdgeRange r = s->cfg->succ[block];
    for (uint32_t i = 0; i < r.count; i++) back |= bits_has(&s->back, s->cfg->edges[r.first + i]);
    return !back;
}

static uint32_t words_of_call(const Once *o, FuncId f, const Shape *s, uint32_t ins)
{
    const Ins *in = func_ins(s->unit, s->func, ins);
    uint32_t words = 0;
    for (uint32_t k = 0; k < in->c && k < MAX_WORDS; k++) {
        Ref r = {*func_extra(s->unit, s->func, in->b + k)};
        if (from_of(o, f, s, r) == FROM_ARGUMENTS) words |= 1u << k;
    }
    return words;
}

static bool calls_are_few(Once *o, FuncId f)
{
    CallsOf calls = {0};
    bool few = once_calls(o, f, &calls) && calls.len;
    uint32_t words = UINT32_MAX;
    for (uint32_t i = 0; i < calls.len && few; i++) {
        FuncId by = calls.at[i].by;
        uint32_t ins = calls.at[i].ins;
        Shape *s = once_shape(o, by);
        bool last = is_last(o, by, s, ins), once = once_runs(o, by);
        bool round = s->cfg->loop_of[func_block_of(s->unit, s->func, ins)];
        few = last || (once && !round);
        if (once) find_words(o, by, s);
        words &= once ? words_of_call(o, by, s, ins) : 0;
    }
    o->words[f.id] = !few || words == UINT32_MAX ? 0 : words;
    vec_free(&calls);
    return few;
}

bool once_runs(Once *o, FuncId f)
{
    const Program *p = eval_program(o->e);
    uint8_t *known = &o->known[f.id];
    if (*known) return *known == ONCE_YES; // a question that leads back to itself: no
    *known = ONCE_ASKED;
    uint32_t flags = p->funcs.at[f.id].flags;
    bool any_time = !(flags & PROG_DEFINED) || (flags & PROG_SHARED);
    bool yes = false;
    if (eval_is_main(o->e, f)) {
        o->words[f.id] = 3;
        yes = !any_time && !(flags & PROG_ADDRESS_TAKEN);
    } else if (!any_time) {
        // In this order: the calls also tell what of the command line it is given.
        yes = calls_are_few(o, f) || (!(flags & PROG_ADDRESS_TAKEN) && !eval_comes_back(o->e, f));
    }
    *known = yes ? ONCE_YES : ONCE_NO;
    return yes;
}

// ---- Parameters.

static bool is_address(const Shape *s, Ref r)
{
    if (ref_is_ins(r)) return func_ins(s->unit, s->func, ref_index(r))->op == OP_ALLOCA;
    if (!ref_is_const(r)) return false;
    uint32_t kind = s->unit->consts.at[ref_index(r)].kind;
    return kind == CONST_GLOBAL || kind == CONST_FUNC;
}

bool once_never_null(Once *o, FuncId f, uint32_t params)
{
    const Program *p = eval_program(o->e);
    const ProgFunc *pf = &p->funcs.at[f.id];
    if (!params || !(pf->flags & PROG_INTERNAL) || (pf->flags & PROG_ADDRESS_TAKEN)) return false;
    for (uint32_t i = 0; i < pf->callers.count && params; i++) {
        FuncId by = p->callers.at[pf->callers.first + i];
        if (!program_has_code(p, by)) return false;
        const Shape *s = once_shape(o, by);
        ProgRange calls = p->funcs.at[by.id].calls;
        for (uint32_t k = 0; k < calls.count; k++) {
            const CallSite *c = &p->calls.at[calls.first + k];
            if (c->callee.id != f.id) continue;
            const Ins *in = func_ins(s->unit, s->func, c->ins);
            for (uint32_t n = 0; n < MAX_WORDS; n++)
                if (n >= in->c || !is_address(s, (Ref){*func_extra(s->unit, s->func, in->b + n)}))
                    params &= ~(1u << n);
        }
    }
    return params != 0 && pf->callers.count > 0;
}

bool once_at(Once *o, FuncId f, uint32_t ins, bool overwritten)
{
    if (!once_runs(o, f)) return false;
    Shape *s = once_shape(o, f);
    return !s->cfg->loop_of[func_block_of(s->unit, s->func, ins)] ||
           (overwritten && is_option(o, f, s, ins));
}
