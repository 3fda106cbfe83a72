// Functions of a program to which plug-ins hand functions of their own.
//
// A plug-in, a shared library that is linked without the program that loads it, calls the program by name:
// register_init("x", x_init). Only the program tells when it calls x_init in turn. Here it is noted which
// parameters of which functions are asked for; what becomes of them is asked in impact/registrars.c.
#include "base/hash.h"
#include "link/link_int.h"

#include <string.h>

enum { MAX_ASKED = 32 };

static bool has_main(const Program *p)
{
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if (program_is_main(p, (FuncId){f}) && program_has_code(p, (FuncId){f})) return true;
    return false;
}

static uint32_t handed_functions(const Unit *u, const Func *f, const Ins *in)
{
    uint32_t mask = 0;
    for (uint32_t k = 0; k < in->c && k < MAX_ASKED; k++) {
        Ref r = {*func_extra(u, f, in->b + k)};
        if (ref_is_const(r) && u->consts.at[ref_index(r)].kind == CONST_FUNC) mask |= 1u << k;
    }
    return mask;
}

static void look_at_plugin(const Program *p, Map *asked)
{
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        if (!program_has_code(p, (FuncId){f})) continue;
        const Unit *u;
        const Func *body = program_body(p, (FuncId){f}, &u);
        ProgRange calls = p->funcs.at[f].calls;
        for (uint32_t i = 0; i < calls.count; i++) {
            const CallSite *c = &p->calls.at[calls.first + i];
            if (!c->callee.id || p->funcs.at[c->callee.id].flags & PROG_DEFINED) continue;
            uint32_t mask = handed_functions(u, body, func_ins(u, body, c->ins));
            if (mask) *map_at(asked, program_name_key(p, c->callee), 0, &(bool){0}) |= mask;
        }
    }
}

uint64_t program_name_key(const Program *p, FuncId f)
{
    const char *name = name_text(p->names, p->funcs.at[f.id].name);
    return hash_bytes(name, strlen(name), 0) | 1;
}

void mark_registrars(const Programs *programs)
{
    Map asked = {0}; // name -> parameters
    vec_each (i, programs)
        if (programs->at[i]->linked && !has_main(programs->at[i])) look_at_plugin(programs->at[i], &asked);
    vec_each (i, programs) {
        Program *p = programs->at[i];
        if (!asked.len || !p->linked || !has_main(p)) continue;
        for (uint32_t f = 1; f < p->funcs.len; f++) {
            if ((p->funcs.at[f].flags & (PROG_DEFINED | PROG_INTERNAL)) != PROG_DEFINED) continue;
            const uint64_t *mask = map_get(&asked, program_name_key(p, (FuncId){f}));
            if (!mask || !program_has_code(p, (FuncId){f})) continue;
            p->funcs.at[f].asked = (uint32_t)*mask;
            p->host = true;
        }
    }
    map_free(&asked);
}
