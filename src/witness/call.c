// Calls: code where the program has it, else a computation that the models name, else what the
// specification says.
#include "unit/types.h"
#include "witness/replay_int.h"

void wit_finish_call(Machine *m, Value result)
{
    if (m->ended) return;
    Frame *f = &vec_last(&m->frames);
    const Ins *ins = func_ins(f->u, f->f, f->at);
    wit_record_result(m, result, ins->type);
    if (mtype_class(ins->type) != MT_VOID)
        m->values.at[f->values + f->f->param_count + f->at] = result;
    if (ins->op == OP_INVOKE)
        wit_jump(m, *func_extra(f->u, f->f, ins->b + ins->c));
    else
        f->at++;
}

static bool holds(const SpecCond *c, const Arg *args, uint32_t n, Value result)
{
    if (c->op == SPEC_ALWAYS) return true;
    MType t = mtype(MT_INT, 64);
    Value v = result;
    if (c->subject >= 0) {
        if ((uint32_t)c->subject >= n) return false;
        v = args[c->subject].value;
        t = args[c->subject].type;
    }
    int64_t x = (int64_t)wit_s(v, mtype_class(t) == MT_INT && mtype_size(t) < 64 ? mtype_size(t) : 64);
    switch (c->op) {
    case SPEC_EQ:
        return x == c->value;
    case SPEC_NE:
        return x != c->value;
    case SPEC_LT:
        return x < c->value;
    case SPEC_LE:
        return x <= c->value;
    case SPEC_GT:
        return x > c->value;
    case SPEC_GE:
        return x >= c->value;
    case SPEC_MASK:
        return (x & c->value) != 0;
    case SPEC_ALWAYS:
        break;
    }
    return true;
}

static bool is_embedded(const Machine *m, FamilyId f)
{
    return f.id && spec_family(m->specs, f)->repr == SPEC_EMBEDDED;
}

static bool is_value(const Machine *m, FamilyId f)
{
    return f.id && spec_family(m->specs, f)->repr == SPEC_VALUE;
}

// Something fresh of a family. Of a handle nobody knows the size: its bytes are the library's.
static Value obtain(Machine *m, const SpecFunc *s, FamilyId family, const Arg *args, uint32_t n,
                    bool sized)
{
    if (sized) wit_record_obtained(m, family);
    if (is_value(m, family)) {
        Value v = wit_word((uint64_t)++m->next_value);
        if (m->replay) v = wit_choose_resource(m, (uint32_t)m->next_value);
        uint32_t outer = m->frames.len ? m->frames.at[0].at : 0;
        vec_push(&m->open, ((OpenValue){(int32_t)v.lo, family, outer, v.of.choice, true, false,
                                       wit_place(m)}));
        return v;
    }
    uint64_t size = 64;
    if (sized && s->size[0] != SPEC_NONE) {
        U128 bytes = 1;
        for (int i = 0; i < 2; i++)
            if (s->size[i] >= 0 && (uint32_t)s->size[i] < n) bytes *= args[s->size[i]].value.lo;
        if (bytes > (m->replay ? INT64_MAX : m->max_bytes))
            return wit_word(0); // the way a real allocator refuses
        size = (uint64_t)bytes;
        // A replay has no use for so many bytes; one that has ends where they end.
        if (m->replay && size > FRESH_MAX) size = FRESH_MAX;
    } else if (m->replay) {
        size = HANDLE_BYTES;
    }
    Value v = wit_word(wit_heap_new(m, size, family, s->zeroed));
    if (v.lo) vec_last(&m->blocks).handle = !sized || s->size[0] == SPEC_NONE;
    // What is in fresh memory nobody knows.
    if (m->replay && v.lo && !s->zeroed && size) wit_forget(m, v.lo, size);
    return v;
}

// The blocks that memory leads to from an offset on: code that nobody has seen may have them now.
static void keep_words(Machine *m, const MemBlock *b, uint64_t from)
{
    from = (from + 7) & ~(uint64_t)7;
    for (uint64_t i = from; b->bytes && i + 8 <= b->size && i < from + 8 * KEPT_WORDS; i += 8) {
        uint64_t word;
        memcpy(&word, b->bytes + i, 8);
        if (word >= HEAP_BASE && word < STACK_BASE) vec_push(&m->kept, word);
    }
}

// A handle of the library may own what the program has put into it.
static void take(Machine *m, const SpecParam *p, Value v)
{
    if (is_value(m, p->family)) {
        vec_each (i, &m->open)
            if (m->open.at[i].value == (int64_t)(int32_t)v.lo) m->open.at[i].open = false;
        return;
    }
    if (is_embedded(m, p->family) || v.lo == 0) return;
    MemBlock *b = wit_block_near(m, v.lo);
    if (b && b->kind == BLOCK_LIBRARY) return; // storage that nobody owns
    if (b && b->handle) keep_words(m, b, 0);
    wit_release(m, v.lo, p->family);
}

// What stands for a resource that is part of a variable.
static void release_part(Machine *m, uint64_t at)
{
    MemBlock *b = m->ended ? NULL : wit_block_at(m, at);
    if (b && b->kind == BLOCK_HEAP && b->start == at && is_embedded(m, b->family))
        wit_release(m, at, b->family);
}

// One reference more or less; the last one releases it.
static void count(Machine *m, const SpecParam *p, Value v)
{
    MemBlock *b = v.lo ? wit_block_near(m, v.lo) : NULL;
    if (!m->replay || (b && b->kind == BLOCK_INPUT))
        wit_stop(m, STOP_LIBRARY, "%s", "counted references");
    else if (b && p->mode == SPEC_REF_INC)
        b->references++;
    else if (b && b->references)
        b->references--;
    else if (b)
        take(m, p, v);
}

// What the specification says of an argument; null: nothing.
static const SpecParam *param_of(const SpecFunc *s, uint32_t i)
{
    return i < s->param_count ? &s->params[i] : s->variadic ? &s->rest : NULL;
}

static void take_params(Machine *m, const SpecFunc *s, const Arg *args, uint32_t n, Value result)
{
    for (uint32_t i = 0; i < n && param_of(s, i) && !m->ended; i++) {
        const SpecParam *p = param_of(s, i);
        Value v = args[i].value;
        if (!holds(&p->when, args, n, result)) continue;
        if (p->mode == SPEC_TAKE && p->place == SPEC_ITSELF) {
            wit_record_taken(m, i, p->family);
            take(m, p, v);
        } else if (p->mode == SPEC_TAKE && p->place == SPEC_IN && v.lo) {
            Value held = wit_load(m, v.lo, mtype(MT_PTR, 8));
            if (is_embedded(m, p->family))
                release_part(m, held.lo);
            else
                take(m, p, held);
            if (p->then_null) wit_store(m, v.lo, wit_word(0), mtype(MT_PTR, 8));
        } else if ((p->mode == SPEC_HOLD || p->mode == SPEC_KEEP) && v.lo) {
            wit_record_kept(m, i);
            vec_push(&m->kept, v.lo);
        } else if (p->mode == SPEC_REF_DEC || p->mode == SPEC_REF_INC) {
            count(m, p, v);
        }
    }
}

// The library writes there what nobody knows.
static void fill(Machine *m, const SpecParam *p, const Arg *args, uint32_t n, uint64_t at)
{
    if (!m->replay) {
        wit_stop(m, STOP_UNKNOWN_CONTENT, "%s", "filled by a library function");
        return;
    }
    uint64_t bytes = UINT64_MAX;
    if (p->length[0] >= 0 && (uint32_t)p->length[0] < n) bytes = args[p->length[0]].value.lo;
    if (bytes) wit_forget(m, at, bytes);
}

// Memory that code which nobody has seen is given to change: what it holds may be kept there, and a
// variable or a small struct may hold something else afterwards, or not.
static void hand_out(Machine *m, uint64_t at)
{
    MemBlock *b = wit_block_at(m, at);
    if (!b || b->state != BLOCK_LIVE || b->read_only || !b->bytes) return;
    m->unseen = true;
    uint64_t size = b->size - (at - b->base);
    keep_words(m, b, at - b->base);
    if (b->kind != BLOCK_LOCAL || size > CHANGED_BYTES) return;
    uint64_t touched = m->touched;
    bool same = wit_choose_either(m);
    Dependence of = {.on = m->touched & ~touched};
    m->touched = touched;
    if (!same) wit_forget(m, at, size);
    for (uint64_t i = 0; same && i < size; i += 4) wit_set_origin(m, at + i, of);
}

// The size of what a parameter points to, as it is declared; a word where that is not known.
static uint64_t pointee_size(const Machine *m, FuncId f, uint32_t i)
{
    const Unit *u = NULL;
    const Func *decl = program_decl(m->p, f, &u);
    if (!decl || i >= decl->param_count) return 8;
    TypeId to = pointee(u, u->params.at[decl->first_param + i].type);
    uint64_t size = to.id ? u->types.at[plain_type(u, to).id].size : 0;
    return size ? size : 8;
}

// What is there may grow in its place; where nothing is, something is made.
static void exchange(Machine *m, FuncId f, const SpecFunc *s, const SpecParam *p, const Arg *args, uint32_t n,
                     uint32_t i)
{
    uint64_t at = args[i].value.lo;
    MType pointer = mtype(MT_PTR, 8);
    if (!m->replay) {
        wit_stop(m, STOP_LIBRARY, "%s", "an exchanged pointer");
    } else if (at && p->value.gives != SPEC_OWN) {
        wit_forget(m, at, 8);
    } else if (at && is_embedded(m, p->value.family)) {
        // The struct's first word holds the block that stands for the resource.
        Value held = wit_load(m, at, pointer);
        MemBlock *b = held.lo ? wit_block_near(m, held.lo) : NULL;
        bool again = b && b->start == held.lo && b->state == BLOCK_LIVE;
        wit_forget(m, at, pointee_size(m, f, i));
        wit_store(m, at, again ? held : obtain(m, s, p->value.family, args, n, false), pointer);
    } else if (at) {
        uint64_t old = wit_load(m, at, pointer).lo;
        MemBlock *b = old ? wit_block_near(m, old) : NULL;
        bool moves = b && b->start == old && b->state == BLOCK_LIVE && wit_choose_either(m);
        if (m->ended || (b && !moves)) return;
        if (old && !wit_release(m, old, p->value.family)) return;
        wit_store(m, at, obtain(m, s, p->value.family, args, n, false), pointer);
    }
}

static void give_params(Machine *m, FuncId f, const SpecFunc *s, const Arg *args, uint32_t n, Value result)
{
    for (uint32_t i = 0; i < n && param_of(s, i) && !m->ended; i++) {
        const SpecParam *p = param_of(s, i);
        if (p->place == SPEC_INOUT) exchange(m, f, s, p, args, n, i);
        if (p->effect == SPEC_EMPTIES) wit_release_pool(m, args[i].value.lo);
        if (m->replay && p->effect == SPEC_CHANGES) hand_out(m, args[i].value.lo);
        if (p->place != SPEC_OUT) {
            bool fills = p->effect == SPEC_FILLS && holds(&p->when, args, n, result);
            if (fills && args[i].value.lo && mtype_class(args[i].type) == MT_PTR)
                fill(m, p, args, n, args[i].value.lo);
            continue;
        }
        if (!args[i].value.lo) continue;
        if (!holds(&p->when, args, n, result)) {
            if (p->else_null) wit_store(m, args[i].value.lo, wit_word(0), mtype(MT_PTR, 8));
            continue;
        }
        if (p->value.gives != SPEC_OWN) {
            if (m->replay)
                wit_forget(m, args[i].value.lo, 8ull * p->count);
            else
                wit_stop(m, STOP_UNKNOWN_CONTENT, "%s", "handed out by a library function");
            continue;
        }
        // What is part of a variable holds a block that stands for the resource, in its first word.
        if (m->replay && (is_embedded(m, p->value.family) || p->effect == SPEC_FILLS))
            wit_forget(m, args[i].value.lo, pointee_size(m, f, i));
        bool number = is_value(m, p->value.family);
        for (uint32_t k = 0; k < p->count && !m->ended; k++) {
            Value v = obtain(m, s, p->value.family, args, n, false);
            uint64_t at = args[i].value.lo + k * (number ? 4ull : 8ull);
            MType t = number ? mtype(MT_INT, 32) : mtype(MT_PTR, 8);
            wit_store(m, at, v, t);
            wit_record_written(m, at, v, t);
        }
    }
}

// Storage of the library that a function shows: one block for each, zero.
static Value static_storage(Machine *m, FuncId f)
{
    if (!m->static_block[f.id]) {
        if (!wit_block_new(m, BLOCK_LIBRARY, 512, 16)) return wit_word(0);
        m->static_block[f.id] = m->blocks.len;
    }
    uint32_t block = m->static_block[f.id] - 1;
    if (m->replay) wit_show_storage(m, block);
    return wit_word(m->blocks.at[block].base);
}

static void do_realloc(Machine *m, const SpecFunc *s, const Arg *args, uint32_t n, Dependence of)
{
    uint32_t old = 0;
    while (old < s->param_count && s->params[old].mode != SPEC_TAKE) old++;
    if (old >= n) {
        wit_stop(m, STOP_LIBRARY, "%s", "");
        return;
    }
    uint64_t from = args[old].value.lo;
    if (from && s->realloc_frees.op != SPEC_ALWAYS && holds(&s->realloc_frees, args, n, wit_word(0))) {
        wit_release(m, from, s->params[old].family);
        wit_finish_call(m, wit_word(0));
        return;
    }
    MemBlock *b = from ? wit_block_near(m, from) : NULL;
    bool whole = b && b->start == from && b->state == BLOCK_LIVE &&
                 (b->kind == BLOCK_HEAP || b->kind == BLOCK_INPUT);
    if (from && !whole && !wit_release(m, from, s->params[old].family)) return; // sees what is wrong
    if (!whole) from = 0;
    uint64_t had = whole ? b->size : 0;
    Value fresh = obtain(m, s, s->result.family, args, n, true);
    fresh.of.on |= of.on;
    if (m->ended || !fresh.lo) {
        wit_finish_call(m, fresh);
        return;
    }
    MemBlock *now = &vec_last(&m->blocks);
    if (from) wit_copy(m, fresh.lo, from, had < now->size ? had : now->size);
    if (from && !m->ended) wit_release(m, from, s->params[old].family);
    wit_finish_call(m, fresh);
}

static void do_copies(Machine *m, const SpecFunc *s, const Arg *args, uint32_t n, Value result)
{
    for (uint32_t i = 0; i < s->copy_count && !m->ended; i++) {
        const SpecCopy *c = &s->copies[i];
        if (c->from < 0 || (uint32_t)c->from >= n || c->to >= (int)n || c->length[0] < 0 ||
            (uint32_t)c->length[0] >= n) {
            wit_stop(m, STOP_LIBRARY, "%s", "copies");
            return;
        }
        U128 bytes = args[c->length[0]].value.lo;
        if (c->length[1] >= 0 && (uint32_t)c->length[1] < n) bytes *= args[c->length[1]].value.lo;
        uint64_t to = c->to == SPEC_RETURN ? result.lo : c->to >= 0 ? args[c->to].value.lo : 0;
        if (bytes > m->max_bytes || !to)
            wit_stop(m, STOP_LIBRARY, "%s", "copies");
        else
            wit_copy(m, to, args[c->from].value.lo, (uint64_t)bytes);
    }
}

static bool given(Machine *m, FuncId f, const SpecFunc *s, const SpecValue *v, const Arg *args,
                  uint32_t n, Value *out)
{
    switch (v->gives) {
    case SPEC_OWN:
        *out = obtain(m, s, v->family, args, n, true);
        if (v->in >= 0 && (uint32_t)v->in < n && out->lo && !is_value(m, v->family))
            vec_last(&m->blocks).pool = args[v->in].value.lo;
        return true;
    case SPEC_ALIAS:
        if (v->param < 0 || (uint32_t)v->param >= n) return false;
        *out = args[v->param].value;
        if (v->deref) *out = wit_load(m, out->lo, mtype(MT_PTR, 8));
        return true;
    case SPEC_INSIDE:
        if (!m->replay || v->param < 0 || (uint32_t)v->param >= n) return false;
        *out = args[v->param].value;
        out->lo += wit_choose_offset(m);
        return true;
    case SPEC_STATIC:
        *out = static_storage(m, f);
        return true;
    case SPEC_NULL:
        *out = wit_word((uint64_t)v->number);
        return true;
    default:
        return false;
    }
}

// A call that fails has taken what its specification does not tie to success; only what is exchanged
// stays.
static void fail(Machine *m, const SpecFunc *s, const Arg *args, uint32_t n, MType type, Dependence of)
{
    bool null = s->fail == SPEC_OR_NULL;
    int64_t told = null ? 0 : s->fail == SPEC_OR_NEGATIVE ? -1 : s->fail_value;
    uint32_t bits = mtype_class(type) == MT_INT ? mtype_size(type) : 64;
    Value failure = wit_v((U128)(S128)told, bits);
    wit_record_failure(m);
    m->failed = true;
    for (uint32_t i = 0; i < s->param_count && i < n && !s->realloc; i++) {
        const SpecParam *p = &s->params[i];
        if (p->mode != SPEC_TAKE || p->place != SPEC_ITSELF) continue;
        if (!holds(&p->when, args, n, wit_word((uint64_t)told))) continue;
        wit_record_taken(m, i, p->family);
        take(m, p, args[i].value);
    }
    failure.of = of;
    wit_finish_call(m, failure);
}

// A library function looks at what it is given.
static bool uses_freed(Machine *m, const SpecFunc *s, const Arg *args, uint32_t n)
{
    for (uint32_t i = 0; i < n && !m->goes_on; i++) {
        if (mtype_class(args[i].type) != MT_PTR) continue;
        if (i < s->param_count && s->params[i].mode == SPEC_TAKE) continue;
        MemBlock *b = wit_block_at(m, args[i].value.lo);
        if (!b || b->state != BLOCK_FREED) continue;
        m->misused = b->size;
        wit_misuse(m, MISUSE_USE_AFTER_FREE);
        return true;
    }
    return false;
}

static void call_spec(Machine *m, FuncId f, const SpecFunc *s, const Arg *args, uint32_t n,
                      MType type)
{
    const char *name = name_text(m->p->names, m->p->funcs.at[f.id].name);
    for (uint32_t i = 0; i < s->param_count && i < n; i++)
        if (s->params[i].nonnull && !args[i].value.lo) {
            wit_misuse(m, MISUSE_NULL);
            return;
        }
    if (s->noreturn != SPEC_RETURNS && s->noreturn_when.op == SPEC_ALWAYS && !s->noreturn_on_success) {
        if (s->noreturn == SPEC_EXITS && n && mtype_class(args[0].type) == MT_INT)
            wit_exit(m, (int)args[0].value.lo & 0xff);
        else if (s->noreturn == SPEC_ABORTS)
            wit_end(m, WITNESS_ABORTED, 6);
        else
            wit_stop(m, STOP_LIBRARY, "%s", name);
        return;
    }
    if (m->replay && uses_freed(m, s, args, n)) return;
    Dependence of = {0};
    if (m->replay && wit_call_fails(m, s, &of)) {
        fail(m, s, args, n, type, of);
        return;
    }
    if (s->realloc) {
        do_realloc(m, s, args, n, of);
        return;
    }
    Value out = wit_word(0);
    bool found = mtype_class(type) == MT_VOID;
    for (uint32_t i = 0; i < s->case_count && !found; i++)
        if (holds(&s->cases[i].when, args, n, wit_word(0)))
            found = given(m, f, s, &s->cases[i], args, n, &out);
    if (!found) found = given(m, f, s, &s->result, args, n, &out);
    // A call that hands something out or takes it and tells success by a number: it succeeds.
    bool acts = false;
    for (uint32_t i = 0; i < s->param_count; i++)
        acts |= s->params[i].mode == SPEC_TAKE || s->params[i].place != SPEC_ITSELF;
    if (!found && acts && mtype_class(type) == MT_INT) found = true;
    if (m->replay && (!found || (acts && s->result.gives == SPEC_PLAIN)) &&
        mtype_class(type) != MT_VOID) {
        out = wit_choose_result(m, type, s);
        found = true;
    }
    if (!found) {
        wit_stop(m, STOP_UNKNOWN_RESULT, "%s", name);
        return;
    }
    if (m->replay && m->failed && s->tells_failure) wit_choose_error(m, out.lo);
    if (s->result.gives != SPEC_STATIC) m->library_calls++;
    Value told = out;
    if (mtype_class(type) == MT_INT) told.lo = (uint64_t)wit_s(out, mtype_size(type));
    take_params(m, s, args, n, told);
    give_params(m, f, s, args, n, told);
    do_copies(m, s, args, n, out);
    out.of.on |= of.on;
    wit_finish_call(m, out);
}

static Computes computes_of(Machine *m, FuncId f)
{
    if (!m->computes[f.id]) {
        const ProgFunc *pf = &m->p->funcs.at[f.id];
        m->computes[f.id] =
            (uint8_t)(1 + spec_computes(m->specs, name_text(m->p->names, pf->name)));
    }
    return (Computes)(m->computes[f.id] - 1);
}

// Behind `...`, where a literal format says that it is text, which is read.
static bool is_text(Machine *m, const Arg *args, uint32_t fixed, uint32_t k)
{
    MemBlock *b = fixed && k >= fixed ? wit_block_at(m, args[fixed - 1].value.lo) : NULL;
    if (!b || !b->read_only) return false;
    Chars format = {0};
    bool text = false, read = wit_text(m, args[fixed - 1].value.lo, 1000, &format);
    uint32_t next = fixed;
    for (uint32_t i = 0; read && i < format.len && next <= k; i++) {
        if (format.at[i] != '%') continue;
        while (++i < format.len && strchr("-+ #0123456789.*hlLqjzt", format.at[i]))
            next += format.at[i] == '*';
        if (i < format.len && format.at[i] != '%') text = next++ == k && format.at[i] == 's';
    }
    vec_free(&format);
    return text;
}

// Code that nobody has seen: in a replay it keeps what it is given and returns what the path needs.
static void call_unknown(Machine *m, FuncId f, const Arg *args, uint32_t n, MType type)
{
    if (!m->replay) {
        wit_stop(m, STOP_UNKNOWN_CALL, "%s", name_text(m->p->names, m->p->funcs.at[f.id].name));
        return;
    }
    wit_record_how(m, CALL_UNKNOWN);
    m->library_calls++;
    // As the evaluation has it: behind a pointer to const nothing is kept.
    const Unit *u = NULL;
    const Func *decl = f.id ? program_decl(m->p, f, &u) : NULL;
    for (uint32_t i = 0; i < n; i++) {
        bool lent = decl && i < decl->param_count &&
                    (u->params.at[decl->first_param + i].flags & PARAM_CONST_POINTEE);
        lent |= decl && i >= decl->param_count && (decl->flags & FUNC_VARARGS) &&
                is_text(m, args, decl->param_count, i);
        if (mtype_class(args[i].type) != MT_PTR || lent) continue;
        wit_record_kept(m, i);
        vec_push(&m->kept, args[i].value.lo);
        hand_out(m, args[i].value.lo);
    }
    wit_finish_call(m, wit_choose_result(m, type, NULL));
}

static bool is_question(Computes what)
{
    return (what >= COMPUTES_TEXT_LENGTH && what <= COMPUTES_TEXT_COMPARE_CASE_MAX) ||
           (what >= COMPUTES_TEXT_FIND && what <= COMPUTES_TEXT_ANY) ||
           what == COMPUTES_BYTES_COMPARE || what == COMPUTES_BYTES_FIND ||
           (what >= COMPUTES_NUMBER_SIGNED && what <= COMPUTES_NUMBER_DOUBLE);
}

// Whether a question about text or bytes is about memory of which nothing is known: then the answer
// is the path's to give.
static bool asks_unknown(Machine *m, Computes what, const Arg *args, uint32_t n)
{
    for (uint32_t i = 0; is_question(what) && i < n; i++) {
        if (mtype_class(args[i].type) != MT_PTR) continue;
        MemBlock *b = wit_block_at(m, args[i].value.lo);
        if (b && b->known && !b->known[args[i].value.lo - b->base]) return true;
    }
    return false;
}

// The answer of a computation about content that was made up is made up too: the path's, where it
// names one, else a choice.
static bool answers_otherwise(Machine *m, Computes what)
{
    if (!m->replay || m->ended) return false;
    if (wit_path_answers(m)) return m->made_up || !is_question(what);
    return is_question(what) && m->made_up && wit_choose_either(m);
}

// Unknown bytes that the path calls equal to a text are that text from here on: they cannot be equal to
// another one as well.
static void settle_text(Machine *m, Computes what, const Arg *args, uint32_t n, Value answer)
{
    bool bounded = what != COMPUTES_TEXT_COMPARE && what != COMPUTES_TEXT_COMPARE_CASE;
    bool text = what >= COMPUTES_TEXT_COMPARE && what <= COMPUTES_TEXT_COMPARE_CASE_MAX;
    if ((!text && what != COMPUTES_BYTES_COMPARE) || n < 2 || (uint32_t)answer.lo) return;
    uint64_t most = bounded && n > 2 ? args[2].value.lo : CARRIED_BYTES;
    for (uint64_t i = 0; i < most && i < CARRIED_BYTES && !m->ended; i++) {
        uint64_t at[2] = {args[0].value.lo + i, args[1].value.lo + i};
        MemBlock *b[2] = {wit_block_at(m, at[0]), wit_block_at(m, at[1])};
        if (!b[0] || !b[1]) return;
        bool open[2];
        for (int k = 0; k < 2; k++) open[k] = b[k]->known && !b[k]->known[at[k] - b[k]->base];
        uint8_t byte;
        if ((open[0] && open[1]) || !wit_read(m, at[open[0]], &byte, 1)) return;
        if (open[0] || open[1]) wit_settle_byte(m, at[open[1]], byte, answer.of);
        if (text && !byte) return;
    }
}

// What a copy of a text depends on.
static void carry_text(Machine *m, Computes what, const Arg *args, uint32_t n, Value out)
{
    if ((what == COMPUTES_TEXT_DUPLICATE || what == COMPUTES_TEXT_DUPLICATE_MAX) && n && out.lo)
        wit_copy_origins(m, out.lo, args[0].value.lo, CARRIED_BYTES);
    if (what >= COMPUTES_TEXT_COPY && what <= COMPUTES_TEXT_COPY_SAFE && n > 1)
        wit_copy_origins(m, args[0].value.lo, args[1].value.lo, CARRIED_BYTES);
}

static void compute(Machine *m, FuncId f, const SpecFunc *s, Computes what, const Arg *args,
                    uint32_t n, MType type, uint64_t on)
{
    Value out = wit_word(0);
    bool moved = false;
    m->touched = m->made_up = 0;
    wit_record_how(m, CALL_COMPUTED);
    bool done = wit_compute(m, what, args, n, &out, &moved);
    if (moved) return;
    if (s && (answers_otherwise(m, what) || (!done && m->replay && !m->ended))) {
        wit_record_how(m, CALL_SPEC);
        call_spec(m, f, s, args, n, type);
        return;
    }
    if (m->replay && !m->ended) carry_text(m, what, args, n, out);
    if (!done) wit_stop(m, STOP_LIBRARY, "%s", name_text(m->p->names, m->p->funcs.at[f.id].name));
    if (mtype_class(type) == MT_INT) out = wit_v(wit_u(out), mtype_size(type));
    out.of.on |= m->touched | on;
    for (uint32_t i = 0; i < n; i++) out.of.on |= args[i].value.of.on;
    wit_finish_call(m, out);
}

// Does what it computes fail for a reason of its own (no memory, no room), not by what it finds?
static bool may_fail(Computes what)
{
    return what == COMPUTES_TEXT_DUPLICATE || what == COMPUTES_TEXT_DUPLICATE_MAX ||
           what == COMPUTES_FORMAT_MAKE || what == COMPUTES_FORMAT_MAKE_LIST;
}

// Whether an exception out of the call would be caught on its way, or be cleaned up after.
static bool may_land(const Machine *m)
{
    vec_each (i, &m->frames) {
        const Frame *f = &m->frames.at[i];
        if (func_ins(f->u, f->f, f->at)->op == OP_INVOKE) return true;
    }
    return false;
}

static void call_library(Machine *m, FuncId f, const Arg *args, uint32_t n, MType type)
{
    // A replay never has it throw: that it returned and nothing happened says nothing then.
    if (m->replay && may_land(m)) m->unseen = true;
    Computes what = computes_of(m, f);
    const SpecFunc *s = m->replay ? facts_spec(m->replay->facts, f) : program_spec(m->p, m->specs, f);
    Dependence of = {0};
    if (m->replay && s && asks_unknown(m, what, args, n)) {
        const Frame at = vec_last(&m->frames);
        call_spec(m, f, s, args, n, type);
        if (!m->ended) settle_text(m, what, args, n, m->values.at[at.values + at.f->param_count + at.at]);
        return;
    }
    if (m->replay && what != COMPUTES_NONE && what < COMPUTES_LIST_HOOK) {
        if (asks_unknown(m, what, args, n) ||
            (s && !is_question(what) && !may_fail(what) && wit_path_answers(m)) || (s && s->fail && !is_question(what) && !may_fail(what)))
            what = COMPUTES_NONE;
        else if (s && may_fail(what) && wit_call_fails(m, s, &of)) {
            fail(m, s, args, n, type, of);
            return;
        }
    }
    if (what != COMPUTES_NONE)
        compute(m, f, s, what, args, n, type, of.on);
    else if (s)
        call_spec(m, f, s, args, n, type);
    else
        call_unknown(m, f, args, n, type);
}

// The model of the library's variable that the called function is read from, or null.
static const SpecFunc *variable_spec(const Machine *m, const Frame *f, Ref callee)
{
    if (!ref_is_ins(callee)) return NULL;
    const SpecFunc *believed = facts_call_spec(m->replay->facts, f->id, f->at);
    if (believed) return believed;
    const Ins *load = func_ins(f->u, f->f, ref_index(callee));
    Ref from = {load->a};
    if (load->op != OP_LOAD || !ref_is_const(from)) return NULL;
    const Const *c = &f->u->consts.at[ref_index(from)];
    if (c->kind != CONST_GLOBAL || c->value) return NULL;
    return program_variable_spec(m->p, m->specs, program_global(m->p, f->unit, (UGlobalId){c->target}));
}

void wit_call(Machine *m, const Ins *ins)
{
    const Frame f = vec_last(&m->frames);
    Arg args[ARGS_MAX];
    uint32_t n = ins->c;
    uint64_t to = wit_ref(m, &f, ins->a).lo;
    if (n > ARGS_MAX) {
        wit_stop(m, STOP_LIBRARY, "%s", "very many arguments");
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t ref = *func_extra(f.u, f.f, ins->b + i);
        args[i] = (Arg){wit_ref(m, &f, ref), wit_ref_type(&f, ref)};
    }
    if (m->ended) return;
    FuncId id = wit_func_at(m, to);
    wit_record_call(m, id, args, n, ins->type);
    if (!id.id) {
        const SpecFunc *spec = m->replay ? variable_spec(m, &f, (Ref){ins->a}) : NULL;
        if (spec)
            call_spec(m, id, spec, args, n, ins->type);
        else if (to < 4096)
            wit_misuse(m, MISUSE_NULL);
        else if (m->replay && wit_block_at(m, to) && wit_block_at(m, to)->kind == BLOCK_INPUT)
            call_unknown(m, (FuncId){0}, args, n, ins->type);
        else
            wit_stop(m, STOP_NO_FUNCTION, "%s", "");
        return;
    }
    wit_note_func(m, id);
    bool outermost = m->frames.len == 1;
    if (m->replay && outermost && program_has_code(m->p, id)) wit_pass(m, f.at);
    if (m->p->funcs.at[id.id].flags & PROG_IFUNC)
        wit_stop(m, STOP_LIBRARY, "%s", "chosen when the program is loaded");
    else if (program_has_code(m->p, id))
        wit_push_frame(m, id, args, n, false);
    else
        call_library(m, id, args, n, ins->type);
    if (m->replay && outermost && !m->ended) wit_pass(m, f.at);
}
