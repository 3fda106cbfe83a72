// The arguments after `...`. A list of them (va_list) is a struct of numbers and of pointers to the
// area where the arguments were saved; va_start puts the address of that area there, under a name of
// its own, and what is picked is what memory at that address holds. So lists are copied, handed on
// and walked as any memory is, and it shows when something that was picked is kept, released or
// written through. That is noted for the function as a whole, whatever the path: which of the
// arguments it was is not told apart. Errs towards a missed leak.
#include "heap/heap.h"

bool is_rest(const Terms *t, Term x, bool *picked)
{
    *picked = false;
    while (x.id) {
        const TermNode *n = term_node(t, x);
        switch ((TermKind)n->kind) {
        case T_ADDR:
            x.id = n->a;
            break;
        case T_INPUT:
            *picked = true;
            x.id = n->a;
            break;
        case T_HAVOC:
            *picked = true;
            x.id = n->b;
            break;
        case T_RESULT:
            return n->b == made(MADE_REST, 0) && n->width == t->pointer_bits;
        default:
            return false;
        }
    }
    return false;
}

void rest_note(Work *w, Term x, uint32_t what)
{
    bool picked;
    if (!(w->func->flags & FUNC_VARARGS)) return;
    if ((w->rest & what) != what && is_rest(&w->terms, x, &picked)) w->rest |= what;
}

typedef struct {
    Work *w;
    bool outside; // in an object that is not of this call
} Stored;

static void stored_base(void *context, Term base)
{
    const Stored *k = context;
    bool picked;
    if (is_rest(&k->w->terms, base, &picked) && (picked || k->outside)) k->w->rest |= REST_KEPT;
}

void rest_stored(Work *w, Term home, Term value)
{
    if (!(w->func->flags & FUNC_VARARGS) || (w->rest & REST_KEPT)) return;
    if (!(term_node(&w->terms, value)->flags & TERM_HAS_BASE)) return;
    Term base = home.id ? term_address(&w->terms, home).base : home;
    Stored k = {w, base.id && term_kind(&w->terms, base) != T_LOCAL};
    term_each_base(&w->terms, value, stored_base, &k);
}

uint64_t rest_list_size(const Work *w, Term list)
{
    enum { USUAL = 24 };
    const TermNode *n = term_node(&w->terms, list);
    if (n->kind != T_LOCAL || !n->a || n->a > w->func->local_count) return USUAL;
    return w->unit->locals.at[w->func->first_local + n->a - 1].size;
}

// Where a list has pointers to the area: in all of it that is not a number.
static int64_t first_pointer(const Work *w, uint64_t size)
{
    int64_t bytes = w->terms.pointer_bits / 8;
    return size >= 3 * (uint64_t)bytes ? bytes : 0;
}

void rest_begin(Work *w, State *s, Term list, uint32_t ins)
{
    Terms *t = &w->terms;
    Address a = term_address(t, list);
    if (!a.base.id) return;
    mem_forget(w, s, a.base);
    mem_havoc(w, s, a.base, ins); // begun a second time, it leads nowhere that it led before
    uint64_t size = rest_list_size(w, a.base);
    if (a.index.id || a.offset) size = rest_list_size(w, (Term){0});
    int64_t bytes = t->pointer_bits / 8;
    Term area = term_leaf(t, T_RESULT, t->pointer_bits, ins, made(MADE_REST, 0), 0, 0);
    for (int64_t at = first_pointer(w, size); at + bytes <= (int64_t)size; at += bytes)
        mem_store(w, s, term_field(t, list, at), (uint32_t)bytes, area, ins);
}

void rest_filled(Work *w, State *s, Term list, uint32_t ins)
{
    Terms *t = &w->terms;
    Address a = term_address(t, list);
    if (!a.base.id) return;
    uint64_t size = rest_list_size(w, a.base);
    int64_t bytes = t->pointer_bits / 8;
    for (int64_t at = first_pointer(w, size); at + bytes <= (int64_t)size; at += bytes) {
        Term area = mem_load(w, s, term_field(t, list, at), (uint32_t)bytes,
                             mtype(MT_INT, t->pointer_bits), ins);
        Term home = term_address(t, area).base;
        if (home.id) mem_havoc(w, s, home, ins);
    }
}
