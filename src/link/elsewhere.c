// Functions that a plug-in leaves to whoever loads it. What they do is seen in the other program
// only; that one of them never comes back (an error handler) is noted here.
//
// A function is taken to end where no way from its entry to a return avoids a call that ends: one
// that a header says does not return, or of such a function in turn. Calls through pointers come
// back. Errs towards coming back.
#include "base/bits.h"
#include "base/hash.h"
#include "link/limits.h"
#include "link/link_int.h"

#include <string.h>

enum { COMES_BACK = 1, ENDS };

static bool comes_back(const Program *p, FuncId f, int depth);

static bool call_ends(const Program *p, FuncId f, uint32_t ins, int depth)
{
    ProgRange calls = p->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < calls.count; i++) {
        const CallSite *c = &p->calls.at[calls.first + i];
        if (c->ins == ins)
            return c->callee.id && program_has_code(p, c->callee) &&
                   !comes_back(p, c->callee, depth);
    }
    return false;
}

static bool comes_back(const Program *p, FuncId f, int depth)
{
    if (!depth) return true;
    const Unit *u;
    const Func *fn = program_body(p, f, &u);
    Arena *scratch = arena_new("elsewhere");
    Bits seen = bits_new(scratch, fn->block_count);
    U32s work = {0}, next = {0};
    bool back = false;
    vec_push(&work, 0);
    bits_add(&seen, 0);
    while (work.len && !back) {
        uint32_t b = vec_pop(&work);
        const Block *block = func_block(u, fn, b);
        bool open = true;
        for (uint32_t i = block->first; open && i < block->first + block->count; i++) {
            const Ins *in = func_ins(u, fn, i);
            if (in->op == OP_RET || in->op == OP_RESUME || in->op == OP_INVOKE) back = true;
            if (in->op == OP_CALL)
                open = !(in->flags & INS_NORETURN) && !call_ends(p, f, i, depth - 1);
        }
        if (!open || back) continue;
        next.len = 0;
        block_successors(u, fn, b, &next);
        vec_each (i, &next)
            if (bits_add(&seen, next.at[i])) vec_push(&work, next.at[i]);
    }
    vec_free(&work);
    vec_free(&next);
    arena_free(scratch);
    return back;
}

static uint64_t key_of(const Program *p, const ProgFunc *f)
{
    const char *name = name_text(p->names, f->name);
    return hash_bytes(name, strlen(name), 0) | 1;
}

void mark_elsewhere(const Programs *programs)
{
    Map wanted = {0}; // name -> 0 so far, COMES_BACK or ENDS
    vec_each (i, programs) {
        const Program *p = programs->at[i];
        for (uint32_t f = 1; f < p->funcs.len; f++)
            if (!(p->funcs.at[f].flags & PROG_DEFINED))
                map_set(&wanted, key_of(p, &p->funcs.at[f]), 0);
    }
    vec_each (i, programs) {
        const Program *p = programs->at[i];
        for (uint32_t f = 1; f < p->funcs.len; f++) {
            const ProgFunc *pf = &p->funcs.at[f];
            if ((pf->flags & (PROG_DEFINED | PROG_INTERNAL)) != PROG_DEFINED ||
                !program_has_code(p, (FuncId){f}))
                continue;
            uint64_t *how = map_get(&wanted, key_of(p, pf));
            if (how && *how != COMES_BACK)
                *how = comes_back(p, (FuncId){f}, CALLS_DEEP) ? COMES_BACK : ENDS;
        }
    }
    vec_each (i, programs) {
        Program *p = programs->at[i];
        for (uint32_t f = 1; f < p->funcs.len; f++) {
            ProgFunc *pf = &p->funcs.at[f];
            if (pf->flags & PROG_DEFINED) continue;
            uint64_t *how = map_get(&wanted, key_of(p, pf));
            if (how && *how == ENDS) pf->flags |= PROG_ENDS;
        }
    }
    map_free(&wanted);
}
