// The meaning of one instruction on one state.
#include "walk/walk_int.h"

// A fresh block is compared with a small number that the program nowhere uses as a pointer, so that
// it is no mark that somebody set: what was meant is another comparison (with what is stored there,
// say), and both answers are possible.
static bool is_odd_test(const Work *w, Term a, Term b)
{
    const Terms *t = &w->terms;
    int64_t k;
    return term_kind(t, a) == T_HEAP && term_width(t, a) == t->pointer_bits &&
           term_is_int(t, b, &k) && k > 0 && k < 4096 && !facts_is_sentinel(w->facts, w->trace, k);
}

// The struct around something that was followed (container_of) against null: there is one.
static bool is_around_followed(const Work *w, const State *s, Term a, Term b)
{
    enum { PAGE = 4096 };
    const Terms *t = &w->terms;
    if (!term_is_zero(t, b) || term_width(t, a) != t->pointer_bits) return false;
    Address at = term_address(t, a);
    uint64_t how = 0;
    return at.base.id && !at.index.id && at.offset && at.offset > -PAGE && at.offset < PAGE &&
           pmap_get(s->touched, at.base.id, &how) && how == TOUCH_DEREFERENCED;
}

// Whether the address is reached by a pointer that goes through an array.
static bool is_stepped(const Work *w, Ref r)
{
    while (ref_is_ins(r)) {
        const Ins *i = func_ins(w->unit, w->func, ref_index(r));
        if (i->op != OP_FIELD) return i->op == OP_PHI || i->op == OP_INDEX;
        r = (Ref){i->a};
    }
    return false;
}

// A number is stored where the struct has a pointer, by a pointer that goes through an array in it:
// that has gone too far, which the program knows to avoid. Errs towards a missed leak where
// pointers are written in pieces.
static bool leaves_array(Work *w, Ref r, Term address, MType type)
{
    enum { DEPTH = 4 };
    const Terms *t = &w->terms;
    if (mtype_class(type) != MT_INT || mtype_size(type) >= t->pointer_bits || !is_stepped(w, r))
        return false;
    Address a = term_address(t, address);
    TermKind kind = a.base.id ? term_kind(t, a.base) : T_INT;
    if ((kind != T_PARAM && kind != T_INPUT) || a.index.id || a.offset <= 0) return false;
    TypeId holder = pointee(w->unit, input_type(w, a.base, DEPTH)), member;
    const char *path;
    return holder.id &&
           member_at(w->arena, w->unit, holder, (uint64_t)a.offset, &path, &member) &&
           w->unit->types.at[plain_type(w->unit, member).id].kind == TYPE_POINTER;
}

static void define(Work *w, State *s, uint32_t ins, Term x)
{
    uint64_t old;
    // A value of an earlier round of a loop goes here.
    if (pmap_get(s->env, ins, &old) && old != x.id) queue_lost(w, s, (Term){(uint32_t)old});
    s->env = pmap_set(w->arena, s->env, ins, x.id);
}

// Two underscores: a variable inside of a macro. The one that gets its value is what the source shows.
static bool is_macros_own(const Work *w, uint64_t var)
{
    if (!var || var > w->func->var_count) return false;
    const char *name = name_text(w->unit->names, w->unit->vars.at[w->func->first_var + var - 1].name);
    return name[0] == '_' && name[1] == '_';
}

static void bind(Work *w, State *s, const Ins *i)
{
    Term x = operand(w, s, (Ref){i->a});
    uint64_t old;
    bool had = pmap_get(s->vars, i->b, &old);
    if (x.id && term_kind(&w->terms, x) != T_INT) {
        bool fresh;
        uint64_t *name = map_at(&w->name_of, x.id, i->b, &fresh);
        if (!fresh && *name != i->b && is_macros_own(w, *name)) *name = i->b;
    }
    if (had && old == x.id) return;
    if (x.id && (term_node(&w->terms, x)->flags & TERM_HAS_HEAP))
        s->vars = pmap_set(w->arena, s->vars, i->b, x.id);
    else
        s->vars = pmap_drop(w->arena, s->vars, i->b);
    if (had) queue_lost(w, s, (Term){(uint32_t)old});
}

// A value that the path has pinned down is that number: a[n - 1] where n is 1 is a[0].
static Term known_value(Work *w, const State *s, Term x)
{
    uint32_t width = term_width(&w->terms, x);
    int64_t v;
    if (width <= 1 || term_is_int(&w->terms, x, NULL)) return x;
    Range r = cond_range(&w->conds, s->facts, x);
    return range_single(&r, width, &v) ? term_int(&w->terms, width, v) : x;
}

static Term compare(Terms *t, Op op, Term a, Term b)
{
    switch (op) {
    case OP_EQ:
        return term_eq(t, a, b);
    case OP_NE:
        return term_not(t, term_eq(t, a, b));
    case OP_ULT:
        return term_ult(t, a, b);
    case OP_ULE:
        return term_not(t, term_ult(t, b, a));
    case OP_SLT:
        return term_slt(t, a, b);
    default:
        return term_not(t, term_slt(t, b, a));
    }
}

static bool arithmetic(Op op, TermKind *kind)
{
    static const struct {
        Op op;
        TermKind kind;
    } table[] = {
        {OP_ADD, T_ADD},   {OP_MUL, T_MUL},   {OP_UDIV, T_UDIV}, {OP_SDIV, T_SDIV},
        {OP_UREM, T_UREM}, {OP_SREM, T_SREM}, {OP_SHL, T_SHL},   {OP_LSHR, T_LSHR},
        {OP_ASHR, T_ASHR}, {OP_AND, T_AND},   {OP_OR, T_OR},     {OP_XOR, T_XOR},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].op == op) {
            *kind = table[i].kind;
            return true;
        }
    return false;
}

static bool is_wide(const Work *w, MType m)
{
    return mtype_class(m) == MT_INT && mtype_size(m) > 64 && w->func;
}

// The number of parts that x is, or is a few more than; none.
static Term quotient_in(const Terms *t, Term x)
{
    const TermNode *n = term_node(t, x);
    if (n->kind == T_ADD && term_is_int(t, (Term){n->b}, NULL)) x = (Term){n->a};
    return term_kind(t, x) == T_UDIV ? x : (Term){0};
}

// A descriptor that is put into a narrow field is small enough for it, and so is a number of blocks
// that becomes an int. Errs towards a missed leak of one that is not.
static void fits_there(Work *w, State *s, Term x, uint32_t bits)
{
    const Terms *t = &w->terms;
    bool number = term_kind(t, x) == T_HEAP && term_width(t, x) != t->pointer_bits;
    Term parts = bits == 32 ? quotient_in(t, x) : (Term){0};
    if (parts.id) {
        Range r = cond_range(&w->conds, s->facts, parts);
        if (r.umax > INT32_MAX) r.umax = INT32_MAX;
        if (r.umin <= r.umax) cond_restrict(&w->conds, &s->facts, parts, &r);
        return;
    }
    if (!number || bits < 2) return;
    int64_t above = (int64_t)1 << (bits - 1);
    Range r = cond_range(&w->conds, s->facts, x);
    if (r.smin < -above) r.smin = -above;
    if (r.smax >= above) r.smax = above - 1;
    if (r.smin <= r.smax) cond_restrict(&w->conds, &s->facts, x, &r);
}

// Some bytes: a copy of none touches nothing.
static bool is_some(const Work *w, Ref length)
{
    const Const *c = ref_is_const(length) ? &w->unit->consts.at[ref_index(length)] : NULL;
    return c && c->kind == CONST_INT && c->value != 0;
}

// Whether the address, or that of a field there, is worked out to read or write there, and for nothing else.
static bool is_for_access(const Work *w, uint32_t ins, bool field)
{
    UseRange r = w->uses[ins];
    for (uint32_t i = 0; i < r.count; i++) {
        uint32_t by = w->use_ins[r.first + i];
        const Ins *use = func_ins(w->unit, w->func, by);
        bool there = use->a == ref_ins(ins).bits;
        if (use->op == OP_STORE)
            there &= use->b != use->a;
        else if (use->op == OP_COPY || use->op == OP_FILL)
            there &= use->b != use->a && is_some(w, (Ref){use->c});
        else if (use->op == OP_FIELD)
            there &= !field && is_for_access(w, by, true);
        else
            there &= use->op == OP_LOAD;
        if (!there) return false;
    }
    return r.count != 0;
}

typedef struct {
    const Terms *terms;
    Term number;
} Numbered;

static bool is_descriptor(void *context, Term x)
{
    Numbered *n = context;
    if (term_kind(n->terms, x) == T_HEAP && term_width(n->terms, x) == NUMBER_BITS) n->number = x;
    return n->number.id;
}

// Something is kept at the place of a table that a descriptor chooses: whoever walks the table has
// its number. Errs towards a missed leak where the table does not say that it is open.
static void stays_as_index(Work *w, State *s, Term address, Term value, uint32_t ins)
{
    Terms *t = &w->terms;
    Address a = term_address(t, address);
    if (!a.index.id || term_kind(t, a.base) == T_LOCAL || term_is_zero(t, value)) return;
    Numbered n = {t, {0}};
    if ((term_node(t, a.index)->flags & TERM_HAS_HEAP) && term_any(t, a.index, is_descriptor, &n))
        escape_term(w, s, n.number, ins);
}

// Whether the value is only compared. A flag that a signal handler sets is; a pointer or a
// descriptor that is used is nothing that a device or a handler changes.
static bool is_only_compared(const Work *w, uint32_t ins)
{
    UseRange r = w->uses[ins];
    for (uint32_t i = 0; i < r.count; i++) {
        Op op = (Op)func_ins(w->unit, w->func, w->use_ins[r.first + i])->op;
        if (op != OP_EQ && op != OP_NE && op != OP_SLT && op != OP_SLE && op != OP_ULT &&
            op != OP_ULE && op != OP_BIND && op != OP_SWITCH)
            return false;
    }
    return true;
}

static Step step_load(Work *w, State *s, const Ins *i, uint32_t ins)
{
    Terms *t = &w->terms;
    Term address = operand(w, s, (Ref){i->a});
    if (!touch(w, s, address, ins) || !fits_in(w, s, address, mtype_bytes(i->type)))
        return STEP_DEAD;
    // A volatile local (setjmp) is changed by nobody else, nor is a block of ours (a counter of
    // references, whose functions are written for shared ones).
    Address at = term_address(t, address);
    bool own = at.base.id &&
               (term_kind(t, at.base) == T_LOCAL ||
                (term_kind(t, at.base) == T_HEAP && !(obj_get(s, at.base).flags & OBJF_ESCAPED)));
    // Others may have changed since they were set, by a signal or a device, but most often have
    // not: to test one is to guess.
    bool changes = mtype_class(i->type) != MT_PTR && is_only_compared(w, ins);
    if ((i->flags & INS_VOLATILE) && !own && changes) {
        s->flags |= STATE_JOINED;
        define(w, s, ins, value_unknown(w, s, ins, made_joined(made(MADE_VALUE, 0)), i->type));
    } else {
        Term value = mem_load(w, s, address, mtype_bytes(i->type), i->type, ins);
        define(w, s, ins, value);
        if (!loaded_agrees(w, s, value, i->type, ins)) return STEP_DEAD;
    }
    return STEP_ON;
}

// Nothing is read from null where the length is 0: memcpy(to, text, length) with no text is fine,
// and where the length is open, so is whether the caller gave any.
static Step step_copy(Work *w, State *s, const Ins *i, uint32_t ins)
{
    Terms *t = &w->terms;
    Term to = operand(w, s, (Ref){i->a}), from = operand(w, s, (Ref){i->b}),
         length = operand(w, s, (Ref){i->c});
    Term none = term_eq(t, length, term_int(t, term_width(t, length), 0));
    Truth empty = cond_decide(&w->conds, s->facts, none);
    if (empty == COND_TRUE) return STEP_ON;
    if (empty == COND_UNKNOWN && term_is_zero(t, from))
        return cond_assume(&w->conds, &s->facts, none, true) ? STEP_ON : STEP_DEAD;
    Term home = term_address(t, from).base;
    TermKind kind = home.id ? term_kind(t, home) : T_INT;
    bool open = empty == COND_UNKNOWN && (kind == T_PARAM || kind == T_INPUT);
    if (open) touch_if_any(w, s, from, ins);
    if (!touch(w, s, to, ins) || (!open && !touch(w, s, from, ins))) return STEP_DEAD;
    int64_t bytes;
    if (term_is_int(t, length, &bytes) && bytes > 0 && bytes <= UINT32_MAX &&
        !fits_in(w, s, to, (uint32_t)bytes))
        return STEP_DEAD;
    mem_copy(w, s, to, from, length, ins);
    return STEP_ON;
}

// Addresses and what is there.
static Step step_memory(Work *w, State *s, const Ins *i, uint32_t ins)
{
    Terms *t = &w->terms;
    Ref ra = {i->a}, rb = {i->b}, rc = {i->c};
    switch ((Op)i->op) {
    case OP_ALLOCA: {
        Term home = term_leaf(t, T_LOCAL, t->pointer_bits, i->b, 0, s->iter, 0);
        define(w, s, ins, home);
        break;
    }
    case OP_LOAD:
        return step_load(w, s, i, ins);
    case OP_STORE: {
        Term address = operand(w, s, ra), value = operand(w, s, rb);
        if (!touch(w, s, address, ins) || !fits_in(w, s, address, mtype_bytes(i->type)) ||
            (leaves_array(w, ra, address, i->type) && assumes(w, ASSUME_IN_ARRAY)))
            return STEP_DEAD;
        growth_overwrites(w, s, ins, address, value);
        mem_store(w, s, address, mtype_bytes(i->type), value, ins);
        if ((s->flags & STATE_FAILED) && says_why(w, ra)) s->flags &= ~(uint32_t)STATE_FAILED;
        stays_as_index(w, s, address, value, ins);
        if (term_kind(t, term_address(t, address).base) != T_LOCAL) explain_kept(w, s, value, ins);
        break;
    }
    case OP_FIELD:
        define(w, s, ins, term_field(t, operand(w, s, ra), (int32_t)i->b));
        break;
    case OP_INDEX: {
        Term base = operand(w, s, ra), index = known_value(w, s, operand(w, s, rb));
        if (term_is_zero(t, base) && !term_is_int(t, index, NULL) && is_for_access(w, ins, false))
            return STEP_DEAD; // an element of nothing
        define(w, s, ins, term_index(t, base, index, i->c));
        break;
    }
    case OP_COPY:
        return step_copy(w, s, i, ins);
    case OP_FILL: {
        Term to = operand(w, s, ra);
        if (!touch(w, s, to, ins)) return STEP_DEAD;
        mem_fill(w, s, to, operand(w, s, rb), operand(w, s, rc), ins);
        break;
    }
    case OP_LIFE_START:
    case OP_LIFE_END: {
        Address a = term_address(t, operand(w, s, ra));
        if (a.base.id && term_kind(t, a.base) == T_LOCAL) {
            texts_gone(w, s, a.base, ins, NULL);
            mem_forget(w, s, a.base);
            content_forget(w, s, a.base);
        }
        break;
    }
    default:
        die("step_memory: %s", op_text((Op)i->op));
    }
    return STEP_ON;
}

// A global beside what it was when it was read before: whoever asks knows that something in between
// may have changed it (errors that are counted), although nobody was seen to.
static bool is_looked_at_again(const Work *w, Ref ra, Ref rb)
{
    if (!ref_is_ins(ra) || !ref_is_ins(rb) || ref_index(ra) == ref_index(rb)) return false;
    const Ins *a = func_ins(w->unit, w->func, ref_index(ra));
    const Ins *b = func_ins(w->unit, w->func, ref_index(rb));
    Ref from = {a->a}, again = {b->a};
    if (a->op != OP_LOAD || b->op != OP_LOAD || mtype_class(a->type) != MT_INT) return false;
    if (!ref_is_const(from) || !ref_is_const(again)) return false;
    const Const *x = &w->unit->consts.at[ref_index(from)], *y = &w->unit->consts.at[ref_index(again)];
    return x->kind == CONST_GLOBAL && y->kind == CONST_GLOBAL && x->target == y->target &&
           x->value == y->value;
}

static void step_compare(Work *w, State *s, const Ins *i, uint32_t ins)
{
    Terms *t = &w->terms;
    Ref ra = {i->a}, rb = {i->b};
    Term a = operand(w, s, ra), b = operand(w, s, rb);
    bool equality = i->op == OP_EQ || i->op == OP_NE;
    if (equality && term_is_int(t, a, NULL)) {
        Term swap = a;
        a = b, b = swap;
    }
    bool odd = equality && is_odd_test(w, a, b), truth;
    if (odd) state_doubt(w, s, DOUBT_ODD_TEST, ins);
    bool again = term_same(a, b) && is_looked_at_again(w, ra, rb);
    if (odd || again || term_width(t, a) == 0 || is_wide(w, ref_type(w->unit, w->func, ra)))
        define(w, s, ins, value_unknown(w, s, ins, made(MADE_VALUE, 0), i->type));
    else if (is_below_errors(w, (Op)i->op, a, b, &truth))
        define(w, s, ins, term_int(t, 1, truth));
    else if (equality && is_around_followed(w, s, a, b) && assumes(w, ASSUME_CONTAINER))
        define(w, s, ins, term_int(t, 1, i->op == OP_NE));
    else
        define(w, s, ins, compare(t, (Op)i->op, a, b));
}

// Values made from values.
static void step_value(Work *w, State *s, const Ins *i, uint32_t ins)
{
    Terms *t = &w->terms;
    Ref ra = {i->a}, rb = {i->b}, rc = {i->c};
    uint32_t bits = value_bits(w, i->type);
    TermKind kind;
    switch ((Op)i->op) {
    case OP_SUB:
        define(w, s, ins, term_sub(t, operand(w, s, ra), operand(w, s, rb)));
        break;
    case OP_EQ:
    case OP_NE:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE:
        step_compare(w, s, i, ins);
        break;
    case OP_TRUNC:
    case OP_ZEXT:
    case OP_SEXT: {
        Term a = operand(w, s, ra);
        if (is_wide(w, ref_type(w->unit, w->func, ra)) || term_width(t, a) == 0) {
            define(w, s, ins, value_unknown(w, s, ins, made(MADE_VALUE, 0), i->type));
            break;
        }
        if (i->op == OP_TRUNC && assumes(w, ASSUME_NARROW_FIELD)) fits_there(w, s, a, bits);
        kind = i->op == OP_TRUNC ? T_TRUNC : i->op == OP_ZEXT ? T_ZEXT : T_SEXT;
        define(w, s, ins, term_convert(t, kind, a, bits));
        break;
    }
    case OP_PTRTOINT:
    case OP_INTTOPTR:
        define(w, s, ins, value_width(w, operand(w, s, ra), i->type));
        break;
    case OP_SELECT: {
        Term c = operand(w, s, ra), a = operand(w, s, rb), b = operand(w, s, rc);
        Truth known = term_width(t, c) == 1 ? cond_decide(&w->conds, s->facts, c) : COND_UNKNOWN;
        if (known == COND_TRUE)
            define(w, s, ins, a);
        else if (known == COND_FALSE)
            define(w, s, ins, b);
        else if (term_width(t, c) != 1 || term_width(t, a) == 0)
            define(w, s, ins, value_unknown(w, s, ins, made(MADE_VALUE, 0), i->type));
        else
            define(w, s, ins, term_ite(t, c, a, b));
        break;
    }
    case OP_PART: {
        Term agg = operand(w, s, ra), piece = {0};
        if (agg.id) piece = term_part(t, agg, i->b);
        if (piece.id && bits && term_width(t, piece) != bits)
            piece = value_width(w, piece, i->type);
        // A piece of an unknown aggregate is the same unknown each time it is asked for.
        if (!piece.id && agg.id) piece = term_leaf(t, T_UNDEF, bits, agg.id, 0, UNDEF_PART, i->b);
        define(w, s, ins, piece.id ? piece : value_unknown(w, s, ins, made(MADE_VALUE, 0), i->type));
        break;
    }
    case OP_SETPART: {
        Term agg = operand(w, s, ra);
        if (agg.id && term_kind(t, agg) != T_PARTS) agg = (Term){0};
        define(w, s, ins, term_setpart(t, agg, operand(w, s, rb), i->c));
        break;
    }
    default: {
        if (!arithmetic((Op)i->op, &kind)) die("eval: step over %s", op_text((Op)i->op));
        Term a = operand(w, s, ra), b = operand(w, s, rb);
        if (term_width(t, a) == 0 || term_width(t, a) != term_width(t, b))
            define(w, s, ins, value_unknown(w, s, ins, made(MADE_VALUE, 0), i->type));
        else
            define(w, s, ins, term_binary(t, kind, a, b));
        break;
    }
    }
}

Step step(Work *w, State *s, uint32_t block, uint32_t ins)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    bool scope_end = ends_scope(i);
    // What main still holds when it returns is told apart at its exit.
    if (scope_end && program_is_main(w->facts->program, w->id) && clean_up_from(w, block, ins))
        return STEP_ON;
    pass_by(w, s, i);
    // Integers wider than a term are unknown: every operation on them gives some value.
    if (is_wide(w, i->type) && i->op != OP_STORE && i->op != OP_LOAD) {
        define(w, s, ins, value_unknown(w, s, ins, made(MADE_VALUE, 0), i->type));
        return STEP_ON;
    }
    switch ((Op)i->op) {
    case OP_NOP: // keeps the position of a return statement
        s->left_by = i->loc;
        s->flags |= STATE_RETURNING;
        break;
    case OP_PHI: // on entry to the block
    case OP_VA_END:
        break;
    case OP_ALLOCA:
    case OP_LOAD:
    case OP_STORE:
    case OP_FIELD:
    case OP_INDEX:
    case OP_COPY:
    case OP_FILL:
    case OP_LIFE_START:
    case OP_LIFE_END:
        if (step_memory(w, s, i, ins) == STEP_DEAD) return STEP_DEAD;
        break;
    case OP_OPAQUE:
    case OP_ASM: {
        for (uint32_t k = 0; k < i->c; k++) {
            Term x = operand(w, s, (Ref){*func_extra(w->unit, w->func, i->b + k)});
            escape_term(w, s, x, ins);
            if (i->op == OP_ASM) escape_contents(w, s, x, ins, true);
        }
        if (mtype_class(i->type) != MT_VOID)
            define(w, s, ins, value_unknown(w, s, ins, made(MADE_VALUE, 0), i->type));
        break;
    }
    case OP_LANDING:
        define(w, s, ins, value_unknown(w, s, ins, made(MADE_VALUE, 0), i->type));
        break;
    case OP_VA_ARG: // of a target whose lists are not known: what is picked is not followed
        escape_contents(w, s, operand(w, s, (Ref){i->a}), ins, true);
        define(w, s, ins, value_unknown(w, s, ins, made(MADE_VALUE, 0), i->type));
        break;
    case OP_VA_START:
        rest_begin(w, s, operand(w, s, (Ref){i->a}), ins);
        break;
    case OP_VA_COPY: {
        Term to = operand(w, s, (Ref){i->a}), from = operand(w, s, (Ref){i->b});
        int64_t size = (int64_t)rest_list_size(w, term_address(&w->terms, to).base);
        mem_copy(w, s, to, from, term_int(&w->terms, w->terms.pointer_bits, size), ins);
        break;
    }
    case OP_BIND:
        bind(w, s, i);
        break;
    default:
        step_value(w, s, i, ins);
        break;
    }
    if (s->lost) lost_check(w, s, block, ins);
    return STEP_ON;
}
