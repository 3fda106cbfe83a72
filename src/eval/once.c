// Which leaks a process can have only a few times.
//
// A block that is lost while the program starts, or in a child just before it ends, never adds up.
// It is a leak, but not one that somebody has to mend first: `likely`. A function is left to such
// moments when it never comes back itself or every call of it is one: in main or in another such
// function, outside loops; or anywhere, when nothing comes back from what follows the call.
// Functions whose address is taken, recursive ones and those of shared libraries may run at any
// time.
//
// The same holds for an option that is given twice: in a loop over the words of the command line,
// or over settings that lie in memory, what one round stored is overwritten by another, on a branch
// that not every round takes. What is lost by each word (a file's name) does add up.
//
// Errs towards `sure`: what it cannot see counts as repeated.
#include "eval/once.h"

#include <string.h>

enum { ONCE_ASKED = 1, ONCE_YES, ONCE_NO };
enum { MAX_WORDS = 32 }; // parameters that are followed

// How a value comes from the command line: argc, argv and what points into it; or a word of it.
enum { FROM_NOTHING, FROM_ARGUMENTS, FROM_WORD };

typedef struct {
    const Unit *unit;
    const Func *func;
    Cfg *cfg;
    Bits back;     // by block: some way from its start returns
    uint8_t *from; // by instruction: FROM_*; null until the function is known to run once
} Shape;

struct Once {
    const Eval *e;
    Arena *arena;
    uint8_t *known;  // by FuncId
    uint32_t *words; // by FuncId: parameters that are argc or argv
    Shape **shapes;  // by FuncId
    Bits globals;    // by GlobalId: argc or argv was stored there
    bool any_global;
};

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
    arena_free(o->arena);
}

static bool callee_comes_back(const Once *o, uint32_t unit, const Unit *u, const Ins *in)
{
    if (in->flags & INS_NORETURN) return false;
    Ref r = {in->a};
    if (!ref_is_const(r) || u->consts.at[ref_index(r)].kind != CONST_FUNC) return true;
    FuncId callee =
        program_func(eval_program(o->e), unit, (UFuncId){u->consts.at[ref_index(r)].target});
    return !eval_ends_program(o->e, callee);
}

// Whether the rest of a block, from an instruction on, may be left at its end; `returns` when it
// is left by a return.
static bool rest_open(const Once *o, FuncId f, const Shape *s, const Block *b, uint32_t from,
                      bool *returns)
{
    uint32_t unit = eval_program(o->e)->funcs.at[f.id].unit;
    for (uint32_t i = from; i < b->first + b->count; i++) {
        const Ins *in = func_ins(s->unit, s->func, i);
        if (in->op == OP_RET || in->op == OP_RESUME) *returns = true;
        if (in->op == OP_CALL && !callee_comes_back(o, unit, s->unit, in)) return false;
    }
    return true;
}

static Shape *shape_of(Once *o, FuncId f)
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
            if (bits_has(&s->back, b) || !rest_open(o, f, s, block, block->first, &back)) continue;
            EdgeRange r = s->cfg->succ[b];
            for (uint32_t i = 0; i < r.count; i++)
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

static bool runs_once(Once *o, FuncId f);

// Nothing comes back from what follows the call, and it is in no loop.
static bool is_last(const Once *o, FuncId f, const Shape *s, uint32_t ins)
{
    uint32_t block = func_block_of(s->unit, s->func, ins);
    if (s->cfg->loop_of[block]) return false;
    bool back = false;
    if (!rest_open(o, f, s, func_block(s->unit, s->func, block), ins + 1, &back)) return true;
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
    const Program *p = eval_program(o->e);
    ProgRange callers = p->funcs.at[f.id].callers;
    uint32_t words = UINT32_MAX;
    for (uint32_t i = 0; i < callers.count; i++) {
        FuncId by = p->callers.at[callers.first + i];
        if (!program_has_code(p, by)) return false;
        Shape *s = shape_of(o, by);
        ProgRange calls = p->funcs.at[by.id].calls;
        for (uint32_t k = 0; k < calls.count; k++) {
            const CallSite *c = &p->calls.at[calls.first + k];
            if (c->callee.id != f.id) continue;
            bool last = is_last(o, by, s, c->ins), once = runs_once(o, by);
            bool round = s->cfg->loop_of[func_block_of(s->unit, s->func, c->ins)];
            if (!last && (!once || round)) return false;
            if (once) find_words(o, by, s);
            words &= once ? words_of_call(o, by, s, c->ins) : 0;
        }
    }
    o->words[f.id] = words == UINT32_MAX ? 0 : words;
    return callers.count > 0;
}

static bool runs_once(Once *o, FuncId f)
{
    const Program *p = eval_program(o->e);
    uint8_t *known = &o->known[f.id];
    if (*known) return *known == ONCE_YES; // a question that leads back to itself: no
    *known = ONCE_ASKED;
    uint32_t flags = p->funcs.at[f.id].flags;
    bool any_time = !(flags & PROG_DEFINED) || (flags & (PROG_ADDRESS_TAKEN | PROG_SHARED));
    bool yes = false;
    if (eval_is_main(o->e, f)) {
        o->words[f.id] = 3;
        yes = !any_time;
    } else if (!any_time) {
        // In this order: the calls also tell what of the command line it is given.
        yes = calls_are_few(o, f) || !eval_comes_back(o->e, f);
    }
    *known = yes ? ONCE_YES : ONCE_NO;
    return yes;
}

// ---- Results.

enum { CALLERS_DEEP = 3, VALUES_DEEP = 8 };

typedef struct {
    Once *o;
    FuncId by;
    const Shape *s;
    uint32_t call;
    int64_t result;
    Bits seen;
    bool again;      // comes here once more
    bool back, some; // returns; with one number
    int64_t number;
} Behind;

static bool compared(Op op, int64_t a, int64_t b, int64_t *v)
{
    switch (op) {
    case OP_EQ:
        *v = a == b;
        return true;
    case OP_NE:
        *v = a != b;
        return true;
    case OP_SLT:
        *v = a < b;
        return true;
    case OP_SLE:
        *v = a <= b;
        return true;
    case OP_ULT:
        *v = (uint64_t)a < (uint64_t)b;
        return true;
    case OP_ULE:
        *v = (uint64_t)a <= (uint64_t)b;
        return true;
    default:
        return false;
    }
}

// What was stored just before into the place that is loaded from, without a call in between.
static Ref stored_before(const Shape *s, uint32_t load)
{
    uint32_t first = func_block(s->unit, s->func, func_block_of(s->unit, s->func, load))->first;
    uint32_t place = func_ins(s->unit, s->func, load)->a;
    for (uint32_t i = load; i-- > first;) {
        const Ins *in = func_ins(s->unit, s->func, i);
        if (in->op == OP_STORE) return in->a == place ? (Ref){in->b} : ref_none();
        if (op_form((Op)in->op) == FORM_CALL) break;
    }
    return ref_none();
}

// What a value is, given the call's result: constants and comparisons with it.
static bool value_of(const Behind *b, Ref r, int64_t *v, int depth)
{
    if (ref_is_const(r)) {
        const Const *c = &b->s->unit->consts.at[ref_index(r)];
        *v = c->kind == CONST_NULL ? 0 : c->value;
        return c->kind == CONST_INT || c->kind == CONST_NULL;
    }
    if (!ref_is_ins(r) || !depth) return false;
    *v = b->result;
    if (ref_index(r) == b->call) return true;
    const Ins *in = func_ins(b->s->unit, b->s->func, ref_index(r));
    if (in->op == OP_LOAD) {
        r = stored_before(b->s, ref_index(r));
        return !ref_is_none(r) && value_of(b, r, v, depth - 1);
    }
    int64_t x, y;
    return op_form((Op)in->op) == FORM_AB && value_of(b, (Ref){in->a}, &x, depth - 1) &&
           value_of(b, (Ref){in->b}, &y, depth - 1) && compared((Op)in->op, x, y, v);
}

static void follow(Behind *b, uint32_t from, uint32_t block);

// Where the block goes, as far as the result decides it.
static void leave(Behind *b, uint32_t block)
{
    const Shape *s = b->s;
    const Block *k = func_block(s->unit, s->func, block);
    const Ins *end = func_ins(s->unit, s->func, k->first + k->count - 1);
    int64_t v, x;
    if (end->op == OP_BRANCH && value_of(b, (Ref){end->a}, &v, VALUES_DEEP)) {
        follow(b, block, v ? end->b : end->c);
        return;
    }
    if (end->op == OP_SWITCH && value_of(b, (Ref){end->a}, &v, VALUES_DEEP)) {
        uint32_t to = *func_extra(s->unit, s->func, end->b + 2 * end->c);
        for (uint32_t i = 0; i < end->c; i++) {
            const uint32_t *pair = func_extra(s->unit, s->func, end->b + 2 * i);
            if (value_of(b, (Ref){pair[0]}, &x, 1) && x == v) to = pair[1];
        }
        follow(b, block, to);
        return;
    }
    EdgeRange r = s->cfg->succ[block];
    for (uint32_t i = 0; i < r.count && !b->again; i++)
        follow(b, block, s->cfg->edges[r.first + i]);
}

// The value that returns from a block when it is entered from another: several returns meet there.
static Ref returned(const Shape *s, uint32_t block, uint32_t from)
{
    const Block *k = func_block(s->unit, s->func, block);
    const Ins *end = func_ins(s->unit, s->func, k->first + k->count - 1);
    Ref r = end->op == OP_RET ? (Ref){end->a} : ref_none();
    if (!ref_is_ins(r) || ref_index(r) < k->first || ref_index(r) >= k->first + k->count) return r;
    const Ins *phi = func_ins(s->unit, s->func, ref_index(r));
    for (uint32_t i = 0; phi->op == OP_PHI && i < phi->c; i++) {
        const uint32_t *pair = func_extra(s->unit, s->func, phi->b + 2 * i);
        if (pair[0] == from) return (Ref){pair[1]};
    }
    return r;
}

static void look_at(Behind *b, uint32_t block, uint32_t from, uint32_t start)
{
    const Shape *s = b->s;
    bool returns = false;
    if (!rest_open(b->o, b->by, s, func_block(s->unit, s->func, block), start, &returns)) return;
    if (!returns) {
        if (bits_add(&b->seen, block)) leave(b, block);
        return;
    }
    int64_t v;
    Ref r = returned(s, block, from);
    if (ref_is_none(r) || !value_of(b, r, &v, VALUES_DEEP)) {
        b->back = true;
        return;
    }
    b->back |= b->some && b->number != v;
    b->some = true;
    b->number = v;
}

static void follow(Behind *b, uint32_t from, uint32_t block)
{
    const Block *k = func_block(b->s->unit, b->s->func, block);
    b->again |= b->call >= k->first && b->call < k->first + k->count;
    if (!b->again) look_at(b, block, from, k->first);
}

static bool ends_after(Once *o, FuncId f, int64_t result, int depth)
{
    const Program *p = eval_program(o->e);
    const ProgFunc *pf = &p->funcs.at[f.id];
    if (eval_is_main(o->e, f)) return true;
    if (!depth || (pf->flags & (PROG_ADDRESS_TAKEN | PROG_SHARED)) || !pf->callers.count)
        return false;
    for (uint32_t i = 0; i < pf->callers.count; i++) {
        FuncId by = p->callers.at[pf->callers.first + i];
        if (!program_has_code(p, by) || by.id == f.id) return false;
        const Shape *s = shape_of(o, by);
        ProgRange calls = p->funcs.at[by.id].calls;
        for (uint32_t k = 0; k < calls.count; k++) {
            const CallSite *c = &p->calls.at[calls.first + k];
            if (c->callee.id != f.id) continue;
            Behind b = {.o = o, .by = by, .s = s, .call = c->ins, .result = result};
            b.seen = bits_new(o->arena, s->func->block_count);
            uint32_t here = func_block_of(s->unit, s->func, c->ins);
            look_at(&b, here, here, c->ins + 1);
            if (b.again) return false;
            if (!(b.back || b.some) || runs_once(o, by)) continue;
            if (b.back || !ends_after(o, by, b.number, depth - 1)) return false;
        }
    }
    return true;
}

bool once_ends_on_null(Once *o, FuncId f, uint32_t call)
{
    const Shape *s = shape_of(o, f);
    Behind b = {.o = o, .by = f, .s = s, .call = call};
    b.seen = bits_new(o->arena, s->func->block_count);
    uint32_t here = func_block_of(s->unit, s->func, call);
    look_at(&b, here, here, call + 1);
    return !b.again && !b.back && !b.some;
}

bool once_ends_after(Once *o, FuncId f, int64_t result)
{
    return ends_after(o, f, result, CALLERS_DEEP);
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
        const Shape *s = shape_of(o, by);
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
    if (!runs_once(o, f)) return false;
    Shape *s = shape_of(o, f);
    return !s->cfg->loop_of[func_block_of(s->unit, s->func, ins)] ||
           (overwritten && is_option(o, f, s, ins));
}
