// What a process does for the words of its command line.
//
// Values that come from argc and argv are followed: through main's calls, through globals, behind
// addresses. In a loop over the words an option's place is one that not every round takes: what it
// overwrites is lost when the option is given twice. Where the letter of the option, a call's
// result or a function's parameter, is compared with a constant, or a word with a text, the place
// is met once for each time that this option is given, whatever is lost there: a few times. An
// operand is none. The settings of a file that is read once are asked for in keywords.c.
#include "impact/impact_int.h"

// How a value comes from the command line: argc, argv and what points into it; or a word of it.
enum { FROM_NOTHING, FROM_ARGUMENTS, FROM_WORD };

static uint32_t global_of(const Frequency *o, FuncId f, const Shape *s, Ref r)
{
    if (!ref_is_const(r)) return 0;
    const Const *c = &s->unit->consts.at[ref_index(r)];
    const Program *p = o->facts->program;
    if (c->kind != CONST_GLOBAL || c->value) return 0;
    return program_global(p, p->funcs.at[f.id].unit, (UGlobalId){c->target}).id;
}

static uint8_t from_of(const Frequency *o, FuncId f, const Shape *s, Ref r)
{
    if (ref_is_ins(r)) return s->from ? s->from[ref_index(r)] : FROM_NOTHING;
    if (ref_is_param(r) && ref_index(r) < MAX_WORDS && (o->words[f.id] >> ref_index(r) & 1))
        return FROM_ARGUMENTS;
    return FROM_NOTHING;
}

// *argv in a function that was given the address of main's argv.
static bool is_loaded_argument(const Frequency *o, FuncId f, const Shape *s, Ref r)
{
    if (!ref_is_ins(r)) return false;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    return in->op == OP_LOAD && ref_is_param((Ref){in->a}) &&
           from_of(o, f, s, (Ref){in->a}) == FROM_ARGUMENTS;
}

static uint8_t result_from(const Frequency *o, FuncId f, const Shape *s, const Ins *in)
{
    Operands ops = ins_operands(s->unit, s->func, in);
    if (in->op == OP_CALL) {
        // Whoever walks the whole of it gives back where it is or what it found: getopt.
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

static void find_words(Frequency *o, FuncId f, Shape *s)
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

bool options_in_loop(const Cfg *c, uint32_t loop, uint32_t block)
{
    for (uint32_t l = c->loop_of[block]; l; l = c->loops[l - 1].parent)
        if (l == loop) return true;
    return false;
}

// Whether this way out of a block leaves the loop, at once or by a condition that it has settled:
// the left side of `&&`.
static bool is_way_out(const Shape *s, uint32_t loop, uint32_t from, uint32_t to)
{
    if (!options_in_loop(s->cfg, loop, to)) return true;
    const Block *k = func_block(s->unit, s->func, to);
    const Ins *end = func_ins(s->unit, s->func, k->first + k->count - 1);
    Ref r = {end->a};
    if (end->op != OP_BRANCH || !ref_is_ins(r)) return false;
    const Ins *phi = func_ins(s->unit, s->func, ref_index(r));
    for (uint32_t i = 0; phi->op == OP_PHI && i < phi->c; i++) {
        const uint32_t *pair = func_extra(s->unit, s->func, phi->b + 2 * i);
        if (pair[0] != from || !ref_is_const((Ref){pair[1]})) continue;
        const Const *c = &s->unit->consts.at[ref_index((Ref){pair[1]})];
        return c->kind == CONST_INT && !options_in_loop(s->cfg, loop, c->value ? end->b : end->c);
    }
    return false;
}

// Whether this block decides, by the command line, if the loop goes on.
static bool is_test(const Frequency *o, FuncId f, const Shape *s, uint32_t loop, uint32_t block)
{
    const Block *b = func_block(s->unit, s->func, block);
    const Ins *end = func_ins(s->unit, s->func, b->first + b->count - 1);
    if ((end->op != OP_BRANCH && end->op != OP_SWITCH) || !from_of(o, f, s, (Ref){end->a}))
        return false;
    EdgeRange r = s->cfg->succ[block];
    for (uint32_t i = 0; i < r.count; i++)
        if (is_way_out(s, loop, block, s->cfg->edges[r.first + i])) return true;
    return false;
}

// At its head, after other tests there or, where it runs at least once, at its end. A loop that is
// entered beside its head too has a latch that the head does not dominate.
static bool walks_command_line(const Frequency *o, FuncId f, const Shape *s, uint32_t loop)
{
    uint32_t header = s->cfg->loops[loop - 1].header;
    if (is_test(o, f, s, loop, header)) return true;
    EdgeRange r = s->cfg->pred[header];
    for (uint32_t i = 0; i < r.count; i++) {
        uint32_t latch = s->cfg->edges[r.first + i];
        if (!options_in_loop(s->cfg, loop, latch)) continue;
        for (uint32_t b = latch; b != header && b != BLOCK_NONE && options_in_loop(s->cfg, loop, b);
             b = s->cfg->idom[b])
            if (is_test(o, f, s, loop, b)) return true;
    }
    return false;
}

// Whether some way round the loop leaves the block out.
bool options_is_choice(const Shape *s, uint32_t loop, uint32_t block)
{
    uint32_t header = s->cfg->loops[loop - 1].header;
    EdgeRange r = s->cfg->pred[header];
    for (uint32_t i = 0; i < r.count; i++) {
        uint32_t b = s->cfg->edges[r.first + i];
        if (options_in_loop(s->cfg, loop, b) && !cfg_dominates(s->cfg, block, b)) return true;
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
bool options_walks_memory(const Shape *s, uint32_t loop)
{
    enum { STEPS = 8 };
    uint32_t header = s->cfg->loops[loop - 1].header;
    const Block *b = func_block(s->unit, s->func, header);
    const Ins *end = func_ins(s->unit, s->func, b->first + b->count - 1);
    if (end->op != OP_BRANCH ||
        (!is_way_out(s, loop, header, end->b) && !is_way_out(s, loop, header, end->c)))
        return false;
    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        const Ins *phi = func_ins(s->unit, s->func, i);
        if (phi->op != OP_PHI || !comes_from(s, (Ref){end->a}, i, STEPS)) continue;
        bool moves = true;
        for (uint32_t k = 0; k < phi->c; k++) {
            const uint32_t *pair = func_extra(s->unit, s->func, phi->b + 2 * k);
            Ref r = {pair[1]};
            bool same = ref_is_ins(r) && ref_index(r) == i;
            if (options_in_loop(s->cfg, loop, pair[0])) moves &= !same && comes_from(s, r, i, STEPS);
        }
        if (moves) return true;
    }
    return false;
}

bool options_lead_to(Frequency *o, FuncId f, uint32_t ins)
{
    Shape *s = frequency_shape(o, f);
    uint32_t block = func_block_of(s->unit, s->func, ins);
    find_words(o, f, s);
    for (uint32_t l = s->cfg->loop_of[block]; l; l = s->cfg->loops[l - 1].parent) {
        bool settings = walks_command_line(o, f, s, l) || options_walks_memory(s, l) ||
                        (keywords_lead_to(o, f, s, block) && keywords_loop(o, f, s, l));
        if (!settings || !options_is_choice(s, l, block)) return false;
    }
    return true;
}

uint32_t options_arguments(Frequency *o, FuncId f, uint32_t ins)
{
    Shape *s = frequency_shape(o, f);
    find_words(o, f, s);
    const Ins *in = func_ins(s->unit, s->func, ins);
    uint32_t words = 0;
    for (uint32_t k = 0; k < in->c && k < MAX_WORDS; k++) {
        Ref r = {*func_extra(s->unit, s->func, in->b + k)};
        if (from_of(o, f, s, r) == FROM_ARGUMENTS) words |= 1u << k;
    }
    return words;
}

// ---- Letters.

// getopt gives 0 for options that set a flag, and 1 for operands; alone, a zero often tells
// success.
enum { FLAG = 0, OPERAND = 1, FIRST_LETTER = 2 };

static Ref widened_from(const Shape *s, Ref r)
{
    while (ref_is_ins(r)) {
        const Ins *in = func_ins(s->unit, s->func, ref_index(r));
        if (in->op != OP_SEXT && in->op != OP_ZEXT && in->op != OP_TRUNC) break;
        r = (Ref){in->a};
    }
    return r;
}

// The result of a library function that gives the letters of options, whosever words they are.
static bool is_any_letter(const Frequency *o, FuncId f, const Shape *s, Ref r)
{
    r = widened_from(s, r);
    if (!ref_is_ins(r)) return false;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    const Program *p = o->facts->program;
    if (in->op != OP_CALL) return false;
    FuncId callee = program_callee(p, p->funcs.at[f.id].unit, s->unit, (Ref){in->a});
    const SpecFunc *spec = callee.id ? facts_spec(o->facts, callee) : NULL;
    return spec && spec->letters;
}

// The result of a call that was given the command line, or a parameter that has such.
static bool is_letter(const Frequency *o, FuncId f, const Shape *s, Ref r)
{
    if (is_any_letter(o, f, s, r)) return true;
    r = widened_from(s, r);
    if (ref_is_param(r)) return ref_index(r) < MAX_WORDS && (o->letters[f.id] >> ref_index(r) & 1);
    return ref_is_ins(r) && func_ins(s->unit, s->func, ref_index(r))->op == OP_CALL &&
           from_of(o, f, s, r) == FROM_ARGUMENTS;
}

static bool is_number_from(const Shape *s, Ref r, int64_t least)
{
    if (!ref_is_const(r)) return false;
    const Const *c = &s->unit->consts.at[ref_index(r)];
    return c->kind == CONST_INT && c->value >= least;
}

static bool is_number(const Shape *s, Ref r, int64_t v)
{
    return is_number_from(s, r, v) && s->unit->consts.at[ref_index(r)].value == v;
}

// Zero where a word is compared with a text.
static bool is_same_text(const Frequency *o, FuncId f, const Shape *s, Ref r)
{
    if (!ref_is_ins(r)) return false;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    if (in->op != OP_CALL || mtype_class(in->type) != MT_INT) return false;
    bool word = false, text = false;
    for (uint32_t k = 0; k < in->c; k++) {
        Ref arg = {*func_extra(s->unit, s->func, in->b + k)};
        word |= from_of(o, f, s, arg) == FROM_WORD;
        if (!ref_is_const(arg)) continue;
        const Const *c = &s->unit->consts.at[ref_index(arg)];
        text |= c->kind == CONST_GLOBAL && (s->unit->globals.at[c->target].flags & GLOBAL_CONST);
    }
    return word && text;
}

static bool asks_option(const Frequency *o, FuncId f, const Shape *s, Ref a, Ref b)
{
    return (is_letter(o, f, s, a) && is_number_from(s, b, FIRST_LETTER)) ||
           (is_same_text(o, f, s, a) && is_number(s, b, 0));
}

// Whether the block that ends here leads to `block` only where it has found one option.
static bool chooses_option(const Frequency *o, FuncId f, const Shape *s, uint32_t from,
                           uint32_t block)
{
    const Block *k = func_block(s->unit, s->func, from);
    const Ins *end = func_ins(s->unit, s->func, k->first + k->count - 1);
    if (end->op == OP_SWITCH && is_letter(o, f, s, (Ref){end->a})) {
        uint32_t other = *func_extra(s->unit, s->func, end->b + 2 * end->c);
        for (uint32_t i = 0; i < end->c; i++) {
            const uint32_t *pair = func_extra(s->unit, s->func, end->b + 2 * i);
            if (pair[1] != other && cfg_dominates(s->cfg, pair[1], block) &&
                cfg_dominates(s->cfg, from, pair[1]) && is_number_from(s, (Ref){pair[0]}, FLAG) &&
                !is_number(s, (Ref){pair[0]}, OPERAND))
                return true;
        }
    }
    if (end->op != OP_BRANCH || !ref_is_ins((Ref){end->a})) return false;
    const Ins *test = func_ins(s->unit, s->func, ref_index((Ref){end->a}));
    if (test->op != OP_EQ && test->op != OP_NE) return false;
    uint32_t to = test->op == OP_EQ ? end->b : end->c;
    return asks_option(o, f, s, (Ref){test->a}, (Ref){test->b}) && s->cfg->pred[to].count == 1 &&
           cfg_dominates(s->cfg, to, block);
}

// Each loop around the call goes over the command line, or over what lies in memory.
static bool is_word_by_word(const Frequency *o, FuncId f, const Shape *s, uint32_t ins, bool memory)
{
    uint32_t block = func_block_of(s->unit, s->func, ins);
    for (uint32_t l = s->cfg->loop_of[block]; l; l = s->cfg->loops[l - 1].parent)
        if (!walks_command_line(o, f, s, l) && !(memory && options_walks_memory(s, l))) return false;
    return true;
}

// Which parameters have the letter of an option: in some call, and the others are few.
static void find_letters(Frequency *o, FuncId f)
{
    if (!bits_add(&o->asked, f.id)) return;
    CallsOf calls = {0};
    bool few = callers_of(o, f, &calls);
    uint32_t letters = 0;
    for (uint32_t i = 0; i < calls.len && few; i++) {
        FuncId by = calls.at[i].by;
        Shape *s = frequency_shape(o, by);
        const Ins *in = func_ins(s->unit, s->func, calls.at[i].ins);
        few = by.id != f.id && frequency_runs(o, by);
        if (!few) break;
        find_words(o, by, s);
        few = is_word_by_word(o, by, s, calls.at[i].ins, true);
        for (uint32_t k = 0; k < in->c && k < MAX_WORDS; k++)
            if (is_letter(o, by, s, (Ref){*func_extra(s->unit, s->func, in->b + k)}))
                letters |= 1u << k;
    }
    if (few) o->letters[f.id] = letters;
    vec_free(&calls);
}

bool options_letter_leads_to(Frequency *o, FuncId f, uint32_t ins)
{
    Shape *s = frequency_shape(o, f);
    uint32_t block = func_block_of(s->unit, s->func, ins);
    bool once = frequency_runs(o, f);
    if (once)
        find_words(o, f, s);
    else
        find_letters(o, f);
    if (once ? !is_word_by_word(o, f, s, ins, false) : !o->letters[f.id] || s->cfg->loop_of[block])
        return false;
    for (uint32_t b = block; b != BLOCK_NONE && b != s->cfg->idom[b]; b = s->cfg->idom[b])
        if (s->cfg->idom[b] != BLOCK_NONE && chooses_option(o, f, s, s->cfg->idom[b], block))
            return true;
    return false;
}

bool options_given_twice(Frequency *o, FuncId f, uint32_t made, uint32_t lost)
{
    Shape *s = frequency_shape(o, f);
    uint32_t block = func_block_of(s->unit, s->func, lost), loop = s->cfg->loop_of[block];
    if (!loop || !options_in_loop(s->cfg, loop, func_block_of(s->unit, s->func, made)))
        return false;
    find_words(o, f, s);
    for (uint32_t b = block; b != BLOCK_NONE && b != s->cfg->idom[b]; b = s->cfg->idom[b]) {
        uint32_t from = s->cfg->idom[b];
        if (from != BLOCK_NONE && options_in_loop(s->cfg, loop, from) &&
            chooses_option(o, f, s, from, block))
            return true;
    }
    return false;
}
