// The meaning of one instruction on one state.
#include "walk/walk_int.h"

static uint32_t bits_of(const Work *w, MType m)
{
    switch (mtype_class(m)) {
    case MT_INT:
        return mtype_size(m) > 64 ? 64 : mtype_size(m);
    case MT_PTR:
        return w->terms.pointer_bits;
    case MT_FLOAT:
        return mtype_size(m) >= 8 ? 64 : mtype_size(m) * 8;
    default:
        return 0;
    }
}

Term operand(Work *w, State *s, Ref r)
{
    if (ref_is_none(r)) return (Term){0};
    MType type = ref_type(w->unit, w->func, r);
    uint32_t bits = bits_of(w, type);
    if (ref_is_const(r))
        return constant_term(w, w->unit, w->unit_index, &w->unit->consts.at[ref_index(r)], bits);
    if (ref_is_param(r)) return term_leaf(&w->terms, T_PARAM, bits, ref_index(r), 0, 0, 0);
    uint64_t value;
    if (pmap_get(s->env, ref_index(r), &value)) return (Term){(uint32_t)value};
    return value_unknown(w, s, ref_index(r), made(MADE_VALUE, 0), type);
}

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

// The last page of addresses, where no object lies: numbers of errors that go by way of pointers.
static bool is_error_number(const Terms *t, Term x)
{
    enum { MOST = 4096 };
    int64_t k;
    return term_width(t, x) == t->pointer_bits && term_is_int(t, x, &k) && k < 0 && k >= -MOST;
}

// Whether it is the address of an object. One whose failure is told by such a number (mmap) may be
// that number.
static bool is_object_address(Work *w, Term x)
{
    const Terms *t = &w->terms;
    Term base = term_width(t, x) == t->pointer_bits ? term_address(t, x).base : (Term){0};
    TermKind kind = base.id ? term_kind(t, base) : T_NONE;
    const ObjInfo *info = kind == T_HEAP ? obj_info(w, base) : NULL;
    return kind == T_LOCAL || kind == T_GLOBAL || kind == T_FUNC ||
           (info && info->fail != SPEC_OR_VALUE && info->fail != SPEC_OR_NEGATIVE);
}

bool is_below_errors(Work *w, Op op, Term a, Term b, bool *truth)
{
    if (op != OP_ULT && op != OP_ULE) return false;
    bool left = is_object_address(w, a) && is_error_number(&w->terms, b);
    bool right = is_object_address(w, b) && is_error_number(&w->terms, a);
    *truth = left;
    return (left || right) && assumes(w, ASSUME_NO_ADDRESS);
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

// The first content of a local or of fresh memory. A path that uses it as a pointer is one that
// the program does not take (it would have set it there): errs towards a missed misuse.
static bool is_uninitialised(const Work *w, Term base)
{
    const TermNode *n = term_node(&w->terms, base);
    if (n->kind != T_UNDEF || n->c != 0 || !n->a) return false;
    TermKind home = term_kind(&w->terms, term_address(&w->terms, (Term){n->a}).base);
    return home == T_LOCAL || home == T_HEAP;
}

// What a freed block held may be what is read back from it: nothing is claimed of that any more.
// The order of the releases is wrong, and that is told.
static void held_is_back(Work *w, State *s, Term freed, uint32_t ins)
{
    for (const Story *e = s->story; e; e = e->prev)
        if (e->kind == STORY_PUT && term_same(term_address(&w->terms, e->a).base, freed))
            escape_term(w, s, e->b, ins);
}

bool touch(Work *w, State *s, Term address, uint32_t ins)
{
    Terms *t = &w->terms;
    const TermNode n = *term_node(t, address);
    if (n.kind == T_ITE) {
        // A null arm cannot be the one that is used.
        if (term_is_zero(t, (Term){n.b}))
            return cond_assume(&w->conds, &s->facts, (Term){n.a}, false) &&
                   touch(w, s, (Term){n.c}, ins);
        if (term_is_zero(t, (Term){n.c}))
            return cond_assume(&w->conds, &s->facts, (Term){n.a}, true) &&
                   touch(w, s, (Term){n.b}, ins);
        return true;
    }
    Address a = term_address(t, address);
    if (!a.base.id)
        return a.index.id || a.offset < 0 ||
               a.offset >= 4096; // near null: the path ends in a fault
    TermKind kind = term_kind(t, a.base);
    if (kind == T_LOCAL || kind == T_GLOBAL || kind == T_FUNC) return true;
    if (is_uninitialised(w, a.base) && assumes(w, ASSUME_INITIALISED)) return false;
    // Memory that is used was not null.
    if (term_width(t, a.base) == t->pointer_bits) {
        Term null = term_eq(t, a.base, term_null(t));
        if (!cond_assume(&w->conds, &s->facts, null, false)) return false;
    }
    Obj o = obj_get(s, a.base);
    if (o.status == OBJ_FREED && !(o.flags & (OBJF_MAYBE_FREED | OBJF_ESCAPED))) {
        misuse(w, s, RULE_USE_AFTER_FREE, a.base, ins, NULL);
        held_is_back(w, s, a.base, ins);
        o.flags |= OBJF_ESCAPED; // said once a path
        obj_set(w, s, a.base, o);
    }
    if (kind == T_PARAM || kind == T_INPUT)
        s->touched = pmap_set(w->arena, s->touched, a.base.id, TOUCH_DEREFERENCED);
    return true;
}

bool fits_in(Work *w, const State *s, Term address, uint32_t bytes)
{
    Address a = term_address(&w->terms, address);
    if (!a.base.id || term_kind(&w->terms, a.base) != T_HEAP || a.offset < 0) return true;
    Term size = obj_size(s, a.base);
    if (!size.id || a.offset >= EMBEDDED_AT) return true;
    // Always too small: that is the program's error, and no path is excluded by it. (A size of none
    // or one is what allocators make of an empty block, which nobody fills.)
    const TermNode *n = term_node(&w->terms, size);
    if (n->kind == T_INT && n->value > 1) return true;
    uint64_t most = cond_range(&w->conds, s->facts, size).umax;
    return (a.index.id ? 0 : (uint64_t)a.offset) + bytes <= most || !assumes(w, ASSUME_IN_BOUNDS);
}

void touch_if_any(Work *w, State *s, Term address, uint32_t ins)
{
    Address a = term_address(&w->terms, address);
    if (!a.base.id) return;
    TermKind kind = term_kind(&w->terms, a.base);
    if (obj_get(s, a.base).status == OBJ_FREED)
        touch(w, s, address, ins);
    else if ((kind == T_PARAM || kind == T_INPUT) && !pmap_get(s->touched, a.base.id, NULL))
        s->touched = pmap_set(w->arena, s->touched, a.base.id, TOUCH_USED);
}

void loosen(Work *w, State *s, Term home, uint32_t ins)
{
    TermKind kind = term_kind(&w->terms, home);
    rest_note(w, home, REST_CHANGED);
    if (kind == T_PARAM || kind == T_INPUT || kind == T_GLOBAL)
        s->loose = pmap_set(w->arena, s->loose, home.id, 1);
    escape_contents(w, s, home, ins, false);
}

// An element at an unknown index of a block was released or kept: it may be any of those that are
// stored there, so nothing is claimed of them any more.
static void element_gone(Work *w, State *s, Term element, uint32_t ins)
{
    const TermNode n = *term_node(&w->terms, element);
    Term home = {0};
    if (n.kind == T_INPUT && n.b) home = (Term){n.a};
    if (n.kind == T_HAVOC) home = term_address(&w->terms, (Term){n.b}).base;
    if (n.kind == T_UNDEF && n.a && n.c == 0) home = term_address(&w->terms, (Term){n.a}).base;
    if (n.kind == T_MERGE) return;
    if (home.id) loosen(w, s, home, ins);
}

typedef struct {
    Work *w;
    State *s;
    Term arena;
    uint32_t ins;
} ArenaWalk;

static bool release_block(void *context, uint64_t key, uint64_t value)
{
    ArenaWalk *k = context;
    if (cell_offset(key) != ARENA_AT || !term_same(cell_term(value), k->arena)) return true;
    Term block = cell_base(key);
    Obj o = obj_get(k->s, block);
    if (o.status != OBJ_ALLOCATED || obj_failed(k->w, k->s, block)) return true;
    story_add(k->w, k->s, STORY_FREE, k->ins, block, (Term){0}, false, NULL);
    obj_set(k->w, k->s, block, (Obj){OBJ_FREED, o.flags, k->ins, {0}});
    return true;
}

void release_arena(Work *w, State *s, Term arena, uint32_t ins)
{
    if (!(s->flags & STATE_ARENA)) return;
    PMap mem = s->mem;
    pmap_each(mem, release_block, &(ArenaWalk){w, s, arena, ins});
}

int64_t references(Work *w, const State *s, Term base)
{
    uint64_t cell;
    int64_t count;
    if (!pmap_get(s->mem, cell_key(base, REFERENCES_AT), &cell)) return 1;
    return term_is_int(&w->terms, cell_term(cell), &count) ? count : 1;
}

void set_references(Work *w, State *s, Term base, int64_t count, uint32_t ins)
{
    Term at = term_field(&w->terms, base, REFERENCES_AT);
    mem_store(w, s, at, 4, term_int(&w->terms, 32, count), ins);
}

// Whether the address is known not to be the start of its block. At an index that the path leaves
// open it may be the start: errs towards a missed misuse.
static bool is_inside(Work *w, const State *s, const Address *a)
{
    Terms *t = &w->terms;
    if (!a->index.id) return a->offset != 0;
    Term start = term_eq(t, a->index, term_int(t, term_width(t, a->index), -a->offset));
    return cond_decide(&w->conds, s->facts, start) == COND_FALSE;
}

typedef struct {
    const Terms *terms;
    Term base;
    U32s values;
} Elements;

static bool note_element(void *context, uint64_t key, uint64_t value)
{
    Elements *e = context;
    Term home = cell_base(key), x = cell_term(value);
    if (term_same(home, e->base) || !(term_node(e->terms, x)->flags & TERM_HAS_BASE)) return true;
    if (term_same(term_address(e->terms, home).base, e->base)) vec_push(&e->values, x.id);
    return true;
}

// The caller's array, with something of ours at an index that is not known: a table that is grown,
// whose elements were moved before it goes. Where no element is seen to move it is because none is
// known. Errs towards a missed leak.
static void keep_elements(Work *w, State *s, Term base, uint32_t ins)
{
    Elements e = {&w->terms, base, {0}};
    pmap_each(s->mem, note_element, &e);
    vec_each (i, &e.values) escape_term(w, s, (Term){e.values.at[i]}, ins);
    vec_free(&e.values);
}

bool release(Work *w, State *s, Term x, FamilyId family, bool deep, uint32_t ins, const char *by)
{
    w->silent = false;
    Terms *t = &w->terms;
    const TermNode n = *term_node(t, x);
    if (n.kind == T_ITE) {
        Truth c = cond_decide(&w->conds, s->facts, (Term){n.a});
        if (c != COND_UNKNOWN)
            return release(w, s, (Term){c == COND_TRUE ? n.b : n.c}, family, deep, ins, by);
        // One of two: nothing is claimed of either.
        escape_term(w, s, x, ins);
        return true;
    }
    Address a = term_address(t, x);
    if (!a.base.id) {
        // Null, or an address out of the blue; or a number.
        const SpecFamily *numbers = spec_family(w->facts->specs, family);
        bool standard = numbers && numbers->repr == SPEC_VALUE && n.kind == T_INT && n.value >= 0 &&
                        n.value <= LAST_STANDARD_STREAM;
        if (standard && (s->flags & STATE_CLOSED_MASK) != STATE_CLOSED_MASK)
            s->flags += STATE_CLOSED;
        return true;
    }
    // Worked out from a number that we know (packed with others, shifted): it is that one, most
    // likely. Errs towards a missed leak.
    if (n.kind > T_ADDR && (n.flags & TERM_HAS_HEAP)) {
        escape_term(w, s, x, ins);
        return true;
    }
    if (!a.index.id && !a.offset && term_width(t, a.base) == t->pointer_bits &&
        cond_decide(&w->conds, s->facts, term_eq(t, a.base, term_null(t))) == COND_TRUE)
        return true; // known to be null on this path
    TermKind kind = term_kind(t, a.base);
    if (kind == T_UNDEF || kind == T_LOOP) {
        if (kind == T_UNDEF) element_gone(w, s, a.base, ins);
        return true;
    }
    rest_note(w, a.base, REST_KEPT);
    Obj o = obj_get(s, a.base);
    if (pmap_get(s->escaped, a.base.id, NULL)) o.flags |= OBJF_ESCAPED;
    if (kind == T_LOCAL || kind == T_GLOBAL || kind == T_FUNC) {
        misuse(w, s, RULE_INVALID_FREE, a.base, ins, by);
        return false;
    }
    const ObjInfo *info = kind == T_HEAP ? obj_info(w, a.base) : NULL;
    if (info && obj_failed(w, s, a.base)) return true;
    if ((o.flags & OBJF_TAKEN) && o.status == OBJ_ALLOCATED) {
        misuse(w, s, RULE_DOUBLE_FREE, a.base, ins, by);
        o.flags &= ~(uint32_t)OBJF_TAKEN;
    }
    if (o.status == OBJ_FREED) {
        if (!(o.flags & (OBJF_MAYBE_FREED | OBJF_ESCAPED)))
            misuse(w, s, RULE_DOUBLE_FREE, a.base, ins, by);
        o.flags |= OBJF_ESCAPED;
        obj_set(w, s, a.base, o);
        return true;
    }
    if (info && o.status == OBJ_ALLOCATED && !(o.flags & (OBJF_FAMILY | OBJF_ESCAPED))) {
        const SpecFamily *f = spec_family(w->facts->specs, info->family);
        if (is_inside(w, s, &a) && !(f && (f->partial || f->arena)) && !info->embedded) {
            misuse(w, s, RULE_INVALID_FREE, a.base, ins, by);
        } else if (!spec_family_fits(w->facts->specs, info->family, family)) {
            misuse(w, s, RULE_MISMATCHED_FREE, a.base, ins, by);
        }
    }
    if (!info && a.index.id) {
        escape_term(w, s, x, ins);
        return true;
    }
    int64_t held = references(w, s, a.base);
    if (held > 1) {
        set_references(w, s, a.base, held - 1, ins);
        return true;
    }
    if (!info && a.offset) {
        // The block around what we know (container_of, a header): it goes by its own address.
        o = obj_get(s, x);
        if (o.status == OBJ_FREED && !(o.flags & (OBJF_MAYBE_FREED | OBJF_ESCAPED)))
            misuse(w, s, RULE_DOUBLE_FREE, a.base, ins, by);
        obj_set(w, s, x, (Obj){OBJ_FREED, o.flags, ins, family});
        return true;
    }
    // A part of it: the rest is there still.
    const SpecFamily *of = spec_family(w->facts->specs, family);
    if (!info && of && of->partial) o.flags |= OBJF_MAYBE_FREED;
    story_add(w, s, STORY_FREE, ins, a.base, (Term){0}, false, by);
    if (deep || (of && of->deep)) escape_contents(w, s, a.base, ins, false);
    if (kind != T_HEAP) element_gone(w, s, a.base, ins);
    if (kind != T_HEAP && (s->flags & STATE_SYMBOLIC)) keep_elements(w, s, a.base, ins);
    obj_set(w, s, a.base,
            (Obj){OBJ_FREED,
                  o.flags & (OBJF_FAMILY | OBJF_ESCAPED | OBJF_MAYBE_FREED | OBJF_DOUBTED), ins,
                  family});
    release_arena(w, s, a.base, ins);
    // What only this object pointed to is cut off now (symbolic pointer analysis, rule 9).
    mem_forget(w, s, a.base);
    return true;
}

static void bind(Work *w, State *s, const Ins *i)
{
    Term x = operand(w, s, (Ref){i->a});
    uint64_t old;
    bool had = pmap_get(s->vars, i->b, &old);
    if (x.id && term_kind(&w->terms, x) != T_INT) {
        bool fresh;
        map_at(&w->name_of, x.id, i->b, &fresh);
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

// Whether the address is worked out to read or write there, and for nothing else.
static bool is_for_access(const Work *w, uint32_t ins)
{
    UseRange r = w->uses[ins];
    for (uint32_t i = 0; i < r.count; i++) {
        const Ins *use = func_ins(w->unit, w->func, w->use_ins[r.first + i]);
        bool there = (use->op == OP_LOAD || use->op == OP_STORE) && use->a == ref_ins(ins).bits &&
                     !(use->op == OP_STORE && use->b == use->a);
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
        define(w, s, ins, mem_load(w, s, address, mtype_bytes(i->type), i->type, ins));
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

// Addresses and what stands there.
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
        if (term_is_zero(t, base) && !term_is_int(t, index, NULL) && is_for_access(w, ins))
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
    if (odd || term_width(t, a) == 0 || is_wide(w, ref_type(w->unit, w->func, ra)))
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
    uint32_t bits = bits_of(w, i->type);
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
