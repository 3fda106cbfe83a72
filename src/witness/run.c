// The loop over instructions, and the ends of a run. Calls push frames of our own instead of using
// the C stack, so that jumps and exceptions are a matter of dropping frames; only computations that
// call back (sorting) nest this loop.
#include "witness/witness_int.h"

#include <stdio.h>

const char *witness_stop_text(WitnessStop s)
{
    static const char *const text[STOP_COUNT] = {
#define STOP(name, text) text,
#include "witness/stops.def"
#undef STOP
    };
    return (uint32_t)s < STOP_COUNT ? text[s] : "?";
}

const char *witness_misuse_text(WitnessMisuse m)
{
    static const char *const text[] = {
        [MISUSE_NONE] = "none",
        [MISUSE_USE_AFTER_FREE] = "use-after-free",
        [MISUSE_DOUBLE_FREE] = "double-free",
        [MISUSE_INVALID_FREE] = "invalid-free",
        [MISUSE_MISMATCHED_FREE] = "mismatched-free",
        [MISUSE_OUT_OF_BOUNDS] = "out-of-bounds",
        [MISUSE_DEAD_LOCAL] = "dead-local",
        [MISUSE_NULL] = "null",
        [MISUSE_READ_ONLY] = "read-only",
    };
    return (uint32_t)m <= MISUSE_READ_ONLY ? text[m] : "?";
}

WitnessPlace wit_place(const Machine *m)
{
    if (!m->frames.len) return (WitnessPlace){0};
    const Frame *f = &vec_last(&m->frames);
    return (WitnessPlace){f->id, f->at};
}

void wit_end(Machine *m, WitnessEnd end, int status)
{
    if (m->ended) return;
    m->ended = true;
    m->end = end;
    m->status = status;
    m->place = wit_place(m);
}

void wit_stop(Machine *m, WitnessStop why, const char *fmt, ...)
{
    if (m->ended) return;
    m->stop = why;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->detail, sizeof m->detail, fmt, ap);
    va_end(ap);
    wit_end(m, WITNESS_STOPPED, 0);
}

void wit_misuse(Machine *m, WitnessMisuse what)
{
    if (m->ended) return;
    m->misuse = what;
    wit_end(m, WITNESS_MISUSED, 0);
}

// ---- frames

static Frame *top(Machine *m)
{
    return &vec_last(&m->frames);
}

MType wit_ref_type(const Frame *f, uint32_t ref)
{
    return ref_type(f->u, f->f, (Ref){ref});
}

Value wit_ref(Machine *m, const Frame *f, uint32_t bits)
{
    Ref r = {bits};
    if (ref_is_param(r)) return m->values.at[f->values + ref_index(r)];
    if (ref_is_ins(r)) return m->values.at[f->values + f->f->param_count + ref_index(r)];
    return wit_const(m, f->unit, &f->u->consts.at[ref_index(r)]);
}

static Value value_of(Machine *m, uint32_t bits)
{
    return wit_ref(m, top(m), bits);
}

static void define(Machine *m, Value v)
{
    const Frame *f = top(m);
    m->values.at[f->values + f->f->param_count + f->at] = v;
}

static void free_stack(Machine *m, uint32_t from)
{
    for (uint32_t i = from; i < m->stack.len; i++) {
        mem_free(m->stack.at[i].bytes);
        mem_free(m->stack.at[i].known);
        uint64_t size = m->stack.at[i].size + 64;
        m->bytes -= size < m->bytes ? size : m->bytes;
    }
    m->stack.len = from;
}

void wit_push_frame(Machine *m, FuncId id, const Arg *args, uint32_t n, bool boundary)
{
    if (m->frames.len >= DEPTH_MAX) {
        wit_stop(m, STOP_DEPTH, "%s", "");
        return;
    }
    wit_note_func(m, id);
    Frame f = {.id = id, .unit = m->p->funcs.at[id.id].unit, .boundary = boundary};
    f.f = program_body(m->p, id, &f.u);
    f.values = m->values.len;
    f.stack = m->stack.len;
    f.stack_top = m->stack_top;
    f.serial = ++m->serials;
    f.rest = m->rest.len;
    uint32_t params = f.f->param_count;
    vec_extend(&m->values, (uint64_t)params + f.f->ins_count);
    vec_push(&m->frames, f);
    for (uint32_t i = 0; i < n && !m->ended; i++) {
        if (i >= params) {
            vec_push(&m->rest, args[i]);
            top(m)->rest_count++;
            continue;
        }
        const Param *p = &f.u->params.at[f.f->first_param + i];
        Value v = args[i].value;
        if (p->flags & PARAM_BYVAL && mtype_class(args[i].type) == MT_PTR) {
            uint64_t copy = wit_block_new(m, BLOCK_LOCAL, p->byval_size, 16);
            if (copy) wit_copy(m, copy, v.lo, p->byval_size);
            v = wit_word(copy);
        }
        m->values.at[f.values + i] = v;
    }
}

void wit_pop_frame(Machine *m)
{
    const Frame *f = top(m);
    free_stack(m, f->stack);
    m->stack_top = f->stack_top;
    m->values.len = f->values;
    m->rest.len = f->rest;
    m->frames.len--;
}

// Goes to a block of the function on top; its phis take their values together.
void wit_jump(Machine *m, uint32_t to)
{
    Frame *f = top(m);
    uint32_t from = f->block;
    const Block *b = func_block(f->u, f->f, to);
    uint32_t count = 0;
    vec_clear(&m->phis);
    for (uint32_t i = 0; i < b->count; i++) {
        const Ins *phi = func_ins(f->u, f->f, b->first + i);
        if (phi->op != OP_PHI) break;
        const uint32_t *x = func_extra(f->u, f->f, phi->b);
        Value v = {0};
        for (uint32_t k = 0; k < phi->c; k++)
            if (x[2 * k] == from) v = wit_ref(m, f, x[2 * k + 1]);
        vec_push(&m->phis, v);
        count++;
    }
    for (uint32_t i = 0; i < count; i++)
        m->values.at[f->values + f->f->param_count + b->first + i] = m->phis.at[i];
    f->block = to;
    f->at = b->first + count;
    m->steps += count;
}

// ---- single instructions

static void do_alloca(Machine *m, const Ins *ins)
{
    const Frame *f = top(m);
    const Local *l = &f->u->locals.at[f->f->first_local + ins->b - 1];
    U128 count = wit_u(value_of(m, ins->a)), size = count * l->size;
    if (m->ended) return;
    if (size > m->max_bytes) {
        wit_stop(m, STOP_BYTES, "%s", "");
        return;
    }
    define(m, wit_word(wit_block_new(m, BLOCK_LOCAL, (uint64_t)size, l->align)));
}

static void do_scope(Machine *m, const Ins *ins)
{
    MemBlock *b = wit_block_at(m, value_of(m, ins->a).lo);
    if (b && b->kind == BLOCK_LOCAL)
        b->state = ins->op == OP_LIFE_START ? BLOCK_LIVE : BLOCK_DEAD;
}

static void do_part(Machine *m, const Ins *ins)
{
    const Frame *f = top(m);
    Value whole = wit_ref(m, f, ins->a);
    uint32_t size = mtype_bytes(wit_ref_type(f, ins->a));
    bool set = ins->op == OP_SETPART;
    MType type = set ? wit_ref_type(f, ins->b) : ins->type;
    uint32_t at = set ? ins->c : ins->b, n = mtype_bytes(type);
    if (!size || !n || at > size || n > size - at) {
        wit_stop(m, STOP_OPAQUE, "%s", "a part of an aggregate");
        return;
    }
    const uint8_t *bytes = wit_bytes_of(&whole, size);
    if (!set) {
        Value v = wit_of_bytes(m, bytes + at, n);
        if (mtype_class(type) == MT_INT && n <= 16) v = wit_v(wit_u(v), mtype_size(type));
        define(m, v);
        return;
    }
    Value part = wit_ref(m, f, ins->b);
    uint8_t small[16] = {0}, *copy = size <= 16 ? small : arena_alloc(m->a, size);
    memcpy(copy, bytes, size);
    memcpy(copy + at, wit_bytes_of(&part, n), n);
    define(m, size <= 16 ? wit_of_bytes(m, small, size) : wit_word((uintptr_t)copy));
}

// va_list of the System V ABI for AMD64: the registers' copies, then what went by memory.
static void do_va_start(Machine *m, const Ins *ins)
{
    const Frame *f = top(m);
    uint32_t gp = 0, fp = 0;
    for (uint32_t i = 0; i < f->f->param_count; i++) {
        const Param *p = &f->u->params.at[f->f->first_param + i];
        MClass c = mtype_class(p->mtype);
        if (p->flags & PARAM_BYVAL) continue;
        if (c == MT_INT || c == MT_PTR) gp += mtype_size(p->mtype) > 64 && c == MT_INT ? 2 : 1;
        if ((c == MT_FLOAT && mtype_size(p->mtype) <= 8) || c == MT_VEC) fp++;
    }
    if (gp > 6) gp = 6;
    if (fp > 8) fp = 8;
    uint8_t saved[176] = {0};
    VEC(uint8_t) more = {0};
    uint32_t first = f->rest, count = f->rest_count, g = gp, x = fp;
    for (uint32_t i = 0; i < count; i++) {
        Arg a = m->rest.at[first + i];
        MClass c = mtype_class(a.type);
        uint32_t size = mtype_bytes(a.type), words = size > 8 && c == MT_INT ? 2 : 1;
        const uint8_t *bytes = wit_bytes_of(&a.value, size);
        if ((c == MT_INT || c == MT_PTR) && g + words <= 6) {
            memcpy(saved + g * 8, bytes, size);
            g += words;
        } else if (((c == MT_FLOAT && size <= 8) || (c == MT_VEC && size <= 16)) && x < 8) {
            memcpy(saved + 48 + x * 16, bytes, size);
            x++;
        } else {
            bool wide = (c == MT_INT && size > 8) || (c == MT_FLOAT && size > 8) ||
                        (c == MT_VEC && size > 8);
            while (more.len % (wide ? 16 : 8)) vec_push(&more, 0);
            for (uint32_t k = 0; k < size; k++) vec_push(&more, bytes[k]);
            while (more.len % 8) vec_push(&more, 0);
        }
    }
    uint64_t regs = wit_block_new(m, BLOCK_LOCAL, sizeof saved, 16);
    uint64_t memory = wit_block_new(m, BLOCK_LOCAL, more.len, 16);
    uint64_t list = value_of(m, ins->a).lo;
    uint32_t offsets[2] = {gp * 8, 48 + fp * 16};
    if (!m->ended) {
        wit_write(m, regs, saved, sizeof saved);
        wit_write(m, memory, more.at, more.len);
        wit_write(m, list, offsets, 8);
        wit_write(m, list + 8, &memory, 8);
        wit_write(m, list + 16, &regs, 8);
    }
    vec_free(&more);
}

static void do_switch(Machine *m, const Ins *ins)
{
    const Frame *f = top(m);
    Value v = wit_ref(m, f, ins->a);
    wit_record_switch(m, v, wit_ref_type(f, ins->a));
    const uint32_t *x = func_extra(f->u, f->f, ins->b);
    uint32_t to = x[2 * ins->c];
    top(m)->on |= v.of.on;
    for (uint32_t i = 0; i < ins->c; i++) {
        Value k = wit_ref(m, f, x[2 * i]);
        if (v.of.choice) wit_carry_switch(m, v, k);
        if (k.lo != v.lo || k.hi != v.hi) continue;
        to = x[2 * i + 1];
        break;
    }
    if (m->replay && m->frames.len == 1) wit_follow_switch(m, f->at, to, v.of.on);
    if (!m->ended) wit_jump(m, to);
}

static void do_goto(Machine *m, const Ins *ins)
{
    const Frame *f = top(m);
    if (!ins->a) {
        wit_stop(m, STOP_ASM, "%s", "");
        return;
    }
    uint64_t to = value_of(m, ins->a).lo, at = to - LABEL_BASE;
    uint32_t block = (uint32_t)(at & 0xffffff) >> 2;
    const uint32_t *x = func_extra(f->u, f->f, ins->b);
    if (to >= LABEL_BASE && at >> 24 == f->id.id)
        for (uint32_t i = 0; i < ins->c; i++)
            if (x[i] == block) {
                wit_jump(m, block);
                return;
            }
    wit_stop(m, STOP_NO_FUNCTION, "%s", "a computed goto");
}

static void do_return(Machine *m, const Ins *ins)
{
    m->result = ins->a ? value_of(m, ins->a) : wit_word(0);
    m->result.of.on |= m->frames.len > 1 ? top(m)->on : 0;
    bool boundary = top(m)->boundary;
    wit_pop_frame(m);
    if (boundary || !m->frames.len) return;
    wit_finish_call(m, m->result);
}

static void follow_branch(Machine *m, const Frame *f, const Ins *ins)
{
    Value condition = wit_ref(m, f, ins->a);
    bool taken = condition.lo & 1;
    wit_record_branch(m, taken);
    if (m->replay) {
        top(m)->on |= condition.of.on;
        if (m->frames.len == 1) wit_follow(m, f->at, condition);
    }
    if (!m->ended) wit_jump(m, taken ? ins->b : ins->c);
}

// Instructions after which another block or function is run.
static void leave(Machine *m, const Frame *f, const Ins *ins)
{
    switch ((Op)ins->op) {
    case OP_CALL:
    case OP_INVOKE:
        wit_call(m, ins);
        break;
    case OP_JUMP:
        wit_jump(m, ins->a);
        break;
    case OP_BRANCH:
        follow_branch(m, f, ins);
        break;
    case OP_SWITCH:
        do_switch(m, ins);
        break;
    case OP_GOTO:
        do_goto(m, ins);
        break;
    case OP_RET:
        do_return(m, ins);
        break;
    case OP_RESUME:
        wit_unwind(m, m->frames.len - 1);
        break;
    case OP_UNREACHABLE:
        wit_end(m, WITNESS_ABORTED, 4);
        break;
    case OP_VA_ARG:
        wit_stop(m, STOP_TARGET, "%s", "variable arguments");
        break;
    case OP_ASM:
        wit_stop(m, STOP_ASM, "%s", "");
        break;
    default:
        die("witness: %s inside a block", op_text((Op)ins->op));
    }
}

static uint32_t bits_of(MType t)
{
    return mtype_class(t) == MT_INT ? mtype_size(t) : 8 * mtype_size(t);
}

// Another width, or the same bits as a pointer.
static Value converted(Machine *m, const Frame *f, const Ins *ins)
{
    uint32_t from = bits_of(wit_ref_type(f, ins->a)), to = bits_of(ins->type);
    Value v = wit_ref(m, f, ins->a);
    if (from > 128 || to > 128) return wit_resize(m, v, from, to, ins->op == OP_SEXT);
    return wit_v(ins->op == OP_SEXT ? (U128)wit_s(v, from) : wit_u(v), to);
}

// Whether the loop goes on with the next instruction of the block.
static bool step(Machine *m, const Frame *f, const Ins *ins)
{
    Value out;
    switch ((Op)ins->op) {
    case OP_NOP:
    case OP_BIND:
    case OP_VA_END:
        break;
    case OP_ALLOCA:
        do_alloca(m, ins);
        break;
    case OP_LOAD: {
        Value at = wit_ref(m, f, ins->a);
        out = wit_load(m, at.lo, ins->type);
        out.of.on |= at.of.on;
        define(m, out);
        break;
    }
    case OP_STORE: {
        Value v = wit_ref(m, f, ins->b);
        uint64_t at = wit_ref(m, f, ins->a).lo;
        wit_store(m, at, v, ins->type);
        break;
    }
    case OP_FIELD:
        define(m, wit_word(wit_ref(m, f, ins->a).lo + (uint64_t)(int64_t)(int32_t)ins->b));
        break;
    case OP_INDEX: {
        S128 by = wit_s(wit_ref(m, f, ins->b), mtype_size(wit_ref_type(f, ins->b)));
        define(m, wit_word(wit_ref(m, f, ins->a).lo + (uint64_t)by * ins->c));
        break;
    }
    case OP_COPY:
    case OP_FILL: {
        uint64_t to = wit_ref(m, f, ins->a).lo, what = wit_ref(m, f, ins->b).lo,
                 n = wit_ref(m, f, ins->c).lo;
        if (ins->op == OP_COPY)
            wit_copy(m, to, what, n);
        else
            wit_fill(m, to, (uint8_t)what, n);
        break;
    }
    case OP_LIFE_START:
    case OP_LIFE_END:
        do_scope(m, ins);
        break;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_EQ:
    case OP_NE:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE: {
        MType t = wit_ref_type(f, ins->a);
        uint32_t bits = mtype_class(t) == MT_PTR ? 64 : mtype_size(t);
        Value a = wit_ref(m, f, ins->a), b = wit_ref(m, f, ins->b);
        if (wit_integer(m, (Op)ins->op, bits, a, b, &out)) define(m, out);
        break;
    }
    case OP_TRUNC:
    case OP_ZEXT:
    case OP_PTRTOINT:
    case OP_INTTOPTR:
    case OP_SEXT:
        define(m, converted(m, f, ins));
        break;
    case OP_SELECT:
        define(m, wit_ref(m, f, wit_ref(m, f, ins->a).lo & 1 ? ins->b : ins->c));
        break;
    case OP_PART:
    case OP_SETPART:
        do_part(m, ins);
        break;
    case OP_OPAQUE:
        if (mtype_class(ins->type) == MT_VOID) break;
        if (wit_calc(m, f, ins, &out)) define(m, out);
        break;
    case OP_VA_START:
        do_va_start(m, ins);
        break;
    case OP_VA_COPY:
        wit_copy(m, wit_ref(m, f, ins->a).lo, wit_ref(m, f, ins->b).lo, 24);
        break;
    case OP_LANDING:
        break; // its value was put there when the exception arrived
    default:
        leave(m, f, ins);
        return false;
    }
    return true;
}

void wit_loop(Machine *m, uint32_t depth)
{
    while (!m->ended && m->frames.len > depth) {
        if (++m->steps > m->max_steps) {
            wit_stop(m, STOP_STEPS, "%s", "");
            return;
        }
        Frame f = *top(m); // frames and values may move while it runs
        const Ins *ins = func_ins(f.u, f.f, f.at);
        if (m->replay && m->frames.len == 1) wit_enter(m, f.at);
        if (!step(m, &f, ins)) continue;
        if (m->replay) wit_carry(m, &f, ins);
        if (!m->ended) top(m)->at++;
    }
}

bool wit_call_back(Machine *m, uint64_t func, const Arg *args, uint32_t n, Value *result)
{
    FuncId id = wit_func_at(m, func);
    uint32_t depth = m->frames.len, nested = 0;
    vec_each (i, &m->frames) nested += m->frames.at[i].boundary;
    if (m->ended) return false;
    if (!id.id || !program_has_code(m->p, id)) {
        wit_stop(m, STOP_UNKNOWN_CALL, "%s",
                 id.id ? name_text(m->p->names, m->p->funcs.at[id.id].name) : "a callback");
        return false;
    }
    if (nested >= NESTED_MAX) {
        wit_stop(m, STOP_DEPTH, "%s", "");
        return false;
    }
    uint64_t below = depth ? vec_last(&m->frames).serial : 0;
    wit_push_frame(m, id, args, n, true);
    wit_loop(m, depth);
    if (m->ended) return false;
    if (m->frames.len != depth || (depth && vec_last(&m->frames).serial != below)) {
        wit_stop(m, STOP_CALLBACK, "%s", "");
        return false;
    }
    if (result) *result = m->result;
    return true;
}
