// Exceptions and run-time types of the Itanium C++ ABI. A thrown object flies until some frame's
// invoke leads to a landing pad that catches its type; landing pads that only clean up are entered
// on the way. As the ABI has it, a handler is looked for first: without one nothing is unwound.
//
// Type infos are data of the units: by the size of such an object it is a plain class or
// fundamental type (16 bytes), a class with one base (24), a pointer (32) or a class with several
// bases (24 + 16 for each). One that no unit defines is known by its symbol alone.
#include "witness/witness_int.h"

static GlobalId global_at(Machine *m, uint64_t addr)
{
    MemBlock *b = addr ? wit_block_at(m, addr) : NULL;
    return (GlobalId){b && b->kind == BLOCK_GLOBAL && b->base == addr ? b->of : 0};
}

uint64_t wit_typeid(Machine *m, uint64_t info)
{
    return info ? 1 + global_at(m, info).id : 1;
}

static uint64_t info_size(Machine *m, uint64_t info)
{
    GlobalId g = global_at(m, info);
    if (!g.id || !(m->p->globals.at[g.id].flags & PROG_DEFINED)) return 0;
    return m->p->globals.at[g.id].size;
}

static uint64_t word_at(Machine *m, uint64_t addr)
{
    uint64_t n = 0;
    wit_read(m, addr, &n, 8);
    return n;
}

// The type's name after "_ZTI", from its symbol.
static const char *info_name(Machine *m, uint64_t info)
{
    GlobalId g = global_at(m, info);
    const char *s = g.id ? name_text(m->p->names, m->p->globals.at[g.id].name) : "";
    return strncmp(s, "_ZTI", 4) == 0 ? s + 4 : "";
}

static bool is_pointer_info(Machine *m, uint64_t info)
{
    return info_name(m, info)[0] == 'P' || info_size(m, info) == 32;
}

// Is `base` a base class of `of`? *shift is where it lies; 2: nobody knows.
static int is_base(Machine *m, uint64_t of, uint64_t base, uint64_t object, int64_t *shift,
                   uint32_t depth)
{
    if (of == base) return 1;
    uint64_t size = info_size(m, of);
    if (depth > 32) return 2;
    if (size == 0) {
        // Defined in a library: a fundamental type has no bases, a class may have the library's.
        const char *name = info_name(m, of);
        bool plain = name[0] >= 'a' && name[0] <= 'z' && !name[1];
        if (plain || name[0] == 'P' || info_size(m, base)) return 0;
        const char *other = info_name(m, base);
        return other[0] >= 'a' && other[0] <= 'z' && !other[1] ? 0 : 2;
    }
    if (size == 24) return is_base(m, word_at(m, of + 16), base, object, shift, depth + 1);
    if (size < 40 || (size - 24) % 16) return 0;
    uint64_t flags = word_at(m, of + 16), count = flags >> 32;
    if (count != (size - 24) / 16) return 0;
    int unknown = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t info = word_at(m, of + 24 + i * 16);
        int64_t where = (int64_t)word_at(m, of + 32 + i * 16), offset = where >> 8, inner = 0;
        if (where & 1) { // virtual: the offset is in the vtable
            if (!object) return 2;
            int64_t from = 0;
            uint64_t table = word_at(m, object);
            if (m->ended || !wit_read(m, table + (uint64_t)offset, &from, 8)) return 2;
            offset = from;
        }
        int found = is_base(m, info, base, object ? object + (uint64_t)offset : 0, &inner, depth + 1);
        if (found == 1) {
            *shift += offset + inner;
            return 1;
        }
        unknown |= found == 2;
    }
    return unknown ? 2 : 0;
}

// Does a handler for `wanted` take the exception? What it is given goes to t->adjusted.
static bool catches(Machine *m, Thrown *t, uint64_t wanted)
{
    t->adjusted = t->object;
    bool pointer = is_pointer_info(m, t->type);
    if (pointer) t->adjusted = word_at(m, t->object);
    if (!wanted || wanted == t->type) return true;
    int64_t shift = 0;
    if (pointer) {
        if (!is_pointer_info(m, wanted)) return false;
        if (info_size(m, wanted) != 32 || info_size(m, t->type) != 32) {
            // Spelled "Pc" and "PKc": the handler may add const.
            const char *a = info_name(m, t->type), *b = info_name(m, wanted);
            if (b[0] == 'P' && b[1] == 'K' && strcmp(a + 1, b + 2) == 0) return true;
            if (strcmp(b, "Pv") == 0 || strcmp(b, "PKv") == 0) return true;
            return false;
        }
        uint32_t from = (uint32_t)word_at(m, t->type + 16), to = (uint32_t)word_at(m, wanted + 16);
        uint64_t a = word_at(m, t->type + 24), b = word_at(m, wanted + 24);
        if (from & ~to & 3) return false;
        if (strcmp(info_name(m, b), "v") == 0) return true;
        int found = is_base(m, a, b, t->adjusted, &shift, 0);
        if (found == 2) wit_stop(m, STOP_EXCEPTION, "%s", info_name(m, t->type));
        if (found == 1) t->adjusted += (uint64_t)shift;
        return found == 1;
    }
    int found = is_base(m, t->type, wanted, t->object, &shift, 0);
    // Both are the library's types: a replay tries it both ways, which errs towards a witness.
    if (found == 2 && m->replay) found = wit_choose_either(m);
    if (found == 2) wit_stop(m, STOP_EXCEPTION, "%s", info_name(m, t->type));
    if (found == 1) t->adjusted = t->object + (uint64_t)shift;
    return found == 1;
}

typedef enum { PAD_NONE, PAD_CLEANUP, PAD_HANDLER } Pad;

static const Ins *landing_of(const Frame *f, uint32_t block)
{
    const Block *b = func_block(f->u, f->f, block);
    for (uint32_t i = 0; i < b->count; i++) {
        const Ins *ins = func_ins(f->u, f->f, b->first + i);
        if (ins->op == OP_LANDING) return ins;
    }
    return NULL;
}

// What the landing pad of a frame's invoke does with the exception.
static Pad pad_of(Machine *m, const Frame *f, Thrown *t, uint32_t *block, uint64_t *selector)
{
    const Ins *call = func_ins(f->u, f->f, f->at);
    *selector = 0;
    if (call->op != OP_INVOKE) return PAD_NONE;
    *block = *func_extra(f->u, f->f, call->b + call->c + 1);
    const Ins *pad = landing_of(f, *block);
    if (!pad) return PAD_NONE;
    for (uint32_t i = 0; i < pad->c && !m->ended; i++) {
        uint32_t ref = *func_extra(f->u, f->f, pad->b + i);
        Value v = wit_ref(m, f, ref);
        if (mtype_class(wit_ref_type(f, ref)) == MT_INT) {
            // throw(A, B): entered when it is none of these
            bool allowed = false;
            uint32_t n = (uint32_t)v.lo;
            for (uint32_t k = 0; k < n && ++i < pad->c; k++)
                allowed |= catches(m, t, wit_ref(m, f, *func_extra(f->u, f->f, pad->b + i)).lo);
            if (allowed) continue;
            *selector = (uint32_t)-1;
            return PAD_HANDLER;
        }
        if (!catches(m, t, v.lo)) continue;
        *selector = wit_typeid(m, v.lo);
        return PAD_HANDLER;
    }
    return pad->a & LANDING_CLEANUP ? PAD_CLEANUP : PAD_NONE;
}

void wit_unwind(Machine *m, uint32_t from)
{
    // A cleanup that resumes says which exception by its value.
    const Frame *last = &vec_last(&m->frames);
    const Ins *ins = func_ins(last->u, last->f, last->at);
    bool resumes = ins->op == OP_RESUME;
    if (resumes) {
        uint64_t object = wit_ref(m, last, ins->a).lo;
        m->flying = 0;
        vec_each (i, &m->thrown)
            if (m->thrown.at[i].object == object) m->flying = i + 1;
    }
    if (!m->flying || m->ended) {
        wit_stop(m, STOP_EXCEPTION, "%s", "");
        return;
    }
    Thrown t = m->thrown.at[m->flying - 1];
    uint32_t block;
    uint64_t selector;
    // In a replay somebody above the function may catch it; else the first look of a resumed one has
    // found somebody.
    bool handled = resumes || m->replay;
    for (uint32_t i = from + 1; i-- > 0 && !handled && !m->ended;)
        handled = pad_of(m, &m->frames.at[i], &t, &block, &selector) == PAD_HANDLER;
    if (!handled) {
        wit_end(m, WITNESS_ABORTED, 6); // terminate
        return;
    }
    if (resumes && m->frames.len) {
        if (last->boundary) {
            wit_stop(m, STOP_CALLBACK, "%s", "");
            return;
        }
        wit_pop_frame(m);
    }
    while (m->frames.len && !m->ended) {
        Frame f = vec_last(&m->frames);
        t = m->thrown.at[m->flying - 1];
        Pad pad = pad_of(m, &f, &t, &block, &selector);
        if (m->ended) return;
        if (pad != PAD_NONE) {
            m->thrown.at[m->flying - 1].adjusted = t.adjusted;
            wit_jump(m, block);
            Frame *at = &vec_last(&m->frames);
            const Ins *landing = landing_of(at, block);
            uint32_t index = (uint32_t)(landing - func_ins(at->u, at->f, 0));
            m->values.at[at->values + at->f->param_count + index] =
                (Value){.lo = t.object, .hi = selector};
            return;
        }
        if (f.boundary) {
            wit_stop(m, STOP_CALLBACK, "%s", "");
            return;
        }
        wit_pop_frame(m);
    }
    m->result = wit_word(0);
    if (!m->replay) wit_end(m, WITNESS_ABORTED, 6);
}

static uint32_t thrown_at(const Machine *m, uint64_t object)
{
    for (uint32_t i = m->thrown.len; i-- > 0;)
        if (m->thrown.at[i].object == object) return i + 1;
    return 0;
}

static void free_object(Machine *m, uint64_t object)
{
    MemBlock *b = wit_block_at(m, object);
    if (b) b->state = BLOCK_FREED;
}

static void catch_end(Machine *m)
{
    if (!m->caught.len) {
        wit_stop(m, STOP_EXCEPTION, "%s", "");
        return;
    }
    uint32_t i = vec_last(&m->caught);
    m->caught.len--;
    Thrown *t = &m->thrown.at[i];
    if (t->handlers) t->handlers--;
    if (t->handlers || t->again) return;
    Arg arg = {wit_word(t->object), mtype(MT_PTR, 8)};
    uint64_t object = t->object, destroy = t->destroy;
    // The destructor of a library's type: what its objects hold, the library made.
    bool seen = program_has_code(m->p, wit_func_at(m, destroy));
    if (destroy && seen && !wit_call_back(m, destroy, &arg, 1, NULL)) return;
    free_object(m, object);
}

// __dynamic_cast(object, its static type, the wanted type, hint)
static bool cast(Machine *m, const Arg *args, uint32_t n, Value *out)
{
    if (n < 3) return false;
    uint64_t object = args[0].value.lo, wanted = args[2].value.lo;
    uint64_t table = word_at(m, object);
    if (m->ended) return true;
    int64_t top = (int64_t)word_at(m, table - 16), shift = 0;
    uint64_t type = word_at(m, table - 8), whole = object + (uint64_t)top;
    if (m->ended) return true;
    int found = is_base(m, type, wanted, whole, &shift, 0);
    if (found == 2) return false;
    *out = wit_word(found ? whole + (uint64_t)shift : 0);
    return true;
}

bool wit_compute_except(Machine *m, Computes what, const Arg *args, uint32_t n, Value *out,
                        bool *moved)
{
    uint64_t a = args[0].value.lo;
    uint8_t done = 0;
    switch (what) {
    case COMPUTES_THROW_MAKE:
        if (a > m->max_bytes) return false;
        *out = wit_word(wit_block_new(m, BLOCK_LIBRARY, a, 16));
        return true;
    case COMPUTES_THROW_FREE:
        free_object(m, a);
        return true;
    case COMPUTES_THROW: {
        if (n < 3) return false;
        Thrown t = {.object = a, .type = args[1].value.lo, .destroy = args[2].value.lo};
        vec_push(&m->thrown, t);
        m->flying = m->thrown.len;
        *moved = true;
        wit_unwind(m, m->frames.len - 1);
        return true;
    }
    case COMPUTES_THROW_AGAIN:
        *moved = true;
        if (!m->caught.len) {
            wit_end(m, WITNESS_ABORTED, 6);
            return true;
        }
        m->flying = vec_last(&m->caught) + 1;
        m->thrown.at[m->flying - 1].again = true;
        wit_unwind(m, m->frames.len - 1);
        return true;
    case COMPUTES_CATCH_BEGIN:
    case COMPUTES_CATCH_OBJECT: {
        uint32_t i = thrown_at(m, a);
        if (!i) return false;
        *out = wit_word(m->thrown.at[i - 1].adjusted);
        if (what == COMPUTES_CATCH_OBJECT) return true;
        m->thrown.at[i - 1].handlers++;
        m->thrown.at[i - 1].again = false;
        vec_push(&m->caught, i - 1);
        return true;
    }
    case COMPUTES_CATCH_END:
        catch_end(m);
        return true;
    case COMPUTES_ONCE_BEGIN:
        if (wit_read(m, a, &done, 1)) *out = wit_word(!done);
        return true;
    case COMPUTES_ONCE_END:
        done = 1;
        wit_write(m, a, &done, 1);
        return true;
    case COMPUTES_CAST_DYNAMIC:
        return cast(m, args, n, out);
    default:
        return false;
    }
}
