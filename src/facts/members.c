// Which functions are members of containers whose declarations speak of elements, and by which
// functions their code makes and ends an element; and which are the inside of a library without a model.
//
// A vector of owners calls the constructor and the destructor of its elements. Which ones, the
// template's own code says: push_back reaches allocator_traits<...>::construct<T, const T &>,
// however deep inside. The nearest such function of fitting parameters is it; a container of plain
// numbers and pointers reaches none that destroys.
#include "base/demangle.h"
#include "base/pos.h"
#include "facts/facts_int.h"

#include <string.h>

enum {
    MOST_FUNCS = 400, // looked at for one member
};

static bool fits(const Facts *f, FuncId member, FuncId found, SpecElements what)
{
    const SpecFunc *s = f->member_of[found.id];
    const Unit *u;
    if (!s || s->elements != what) return false;
    const Func *other = program_decl(f->program, found, &u), *own = program_decl(f->program, member, &u);
    if (!other || !own || s->element[0] < 0) return false;
    if (what == SPEC_ELEMENTS_DESTROY) return other->param_count == s->param_count;
    // What is after the place are the member's own arguments.
    return other->param_count - (uint32_t)s->element[0] == own->param_count;
}

// Breadth first, so that elements of elements come later.
static FuncId nearest(const Facts *f, FuncId member, SpecElements what, U32s *queue, Bits *seen)
{
    const Program *p = f->program;
    FuncId found = {0};
    queue->len = 0;
    vec_push(queue, member.id);
    bits_add(seen, member.id);
    for (uint32_t i = 0; i < queue->len && !found.id && queue->len < MOST_FUNCS; i++) {
        ProgRange r = p->funcs.at[queue->at[i]].calls;
        for (uint32_t k = 0; k < r.count && !found.id; k++) {
            FuncId callee = p->calls.at[r.first + k].callee;
            if (!callee.id || bits_has(seen, callee.id)) continue;
            bits_add(seen, callee.id);
            vec_push(queue, callee.id);
            if (fits(f, member, callee, what)) found = callee;
        }
    }
    vec_each (i, queue) bits_drop(seen, queue->at[i]);
    return found;
}

void members_find(Facts *f, Arena *a)
{
    const Program *p = f->program;
    f->member_of = arena_array_of(a, const SpecFunc *, p->funcs.len);
    f->maker_of = arena_array_of(a, FuncId, p->funcs.len);
    f->ender_of = arena_array_of(a, FuncId, p->funcs.len);
    for (uint32_t i = 1; i < p->funcs.len; i++) {
        const char *symbol = name_text(p->names, p->funcs.at[i].name);
        char *text = demangle(symbol);
        f->member_of[i] = spec_find_elements(f->specs, symbol, text);
        mem_free(text);
    }
    f->of_library = bits_new(a, p->funcs.len);
    for (uint32_t i = 1; i < p->funcs.len; i++) {
        const Unit *u;
        const Func *body = program_body(p, (FuncId){i}, &u);
        if (!body || !(body->flags & FUNC_CXX)) continue;
        const Loc *l = &u->locs.at[body->loc.id];
        Pos at = {l->file ? name_text(u->names, u->files.at[l->file].path) : NULL, l->line, l->col};
        if (pos_of_library(at)) bits_add(&f->of_library, i);
    }
    U32s queue = {0};
    Arena *scratch = arena_new("members");
    Bits seen = bits_new(scratch, p->funcs.len);
    for (uint32_t i = 1; i < p->funcs.len; i++) {
        const SpecFunc *s = facts_member(f, (FuncId){i});
        if (!s || s->keyed || s->elements == SPEC_ELEMENTS_ANY || s->elements == SPEC_ELEMENTS_STAY ||
            s->elements == SPEC_ELEMENTS_SHOWN)
            continue;
        f->maker_of[i] = nearest(f, (FuncId){i}, SPEC_ELEMENTS_CONSTRUCT, &queue, &seen);
        f->ender_of[i] = nearest(f, (FuncId){i}, SPEC_ELEMENTS_DESTROY, &queue, &seen);
    }
    vec_free(&queue);
    arena_free(scratch);
}
