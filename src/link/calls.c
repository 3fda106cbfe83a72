// The direct call graph and how to look at it.
#include "base/bits.h"
#include "base/file.h"
#include "link/link_int.h"

#include <string.h>

FuncId program_callee(const Program *p, uint32_t unit, const Unit *u, Ref callee)
{
    if (!ref_is_const(callee)) return (FuncId){0};
    const Const *c = &u->consts.at[ref_index(callee)];
    if (c->kind != CONST_FUNC) return (FuncId){0};
    return program_func(p, unit, (UFuncId){c->target});
}

void program_ifunc_targets(const Program *p, FuncId f, U32s *into)
{
    const ProgFunc *pf = &p->funcs.at[f.id];
    const Unit *u;
    const Func *body = program_body(p, pf->resolver, &u);
    if (!body) return;
    uint32_t unit = p->funcs.at[pf->resolver.id].unit;
    for (uint32_t i = 0; i < body->ins_count; i++) {
        const Ins *ins = func_ins(u, body, i);
        bool is_call = ins->op == OP_CALL || ins->op == OP_INVOKE;
        Operands ops = ins_operands(u, body, ins);
        for (uint32_t k = is_call ? 1 : 0; k < ops.count; k++) {
            FuncId to = program_callee(p, unit, u, ops.refs[k]);
            if (to.id) vec_push(into, to.id);
        }
        for (uint32_t k = 0; k < ops.more_count; k++) {
            FuncId to = program_callee(p, unit, u, (Ref){ops.more[k * ops.more_step]});
            if (to.id) vec_push(into, to.id);
        }
    }
}

static void find_sites(Program *p)
{
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        ProgFunc *pf = &p->funcs.at[f];
        pf->calls.first = p->calls.len;
        const Unit *u;
        const Func *body = program_body(p, (FuncId){f}, &u);
        if (!body) continue;
        for (uint32_t i = 0; i < body->ins_count; i++) {
            const Ins *ins = func_ins(u, body, i);
            if (ins->op != OP_CALL && ins->op != OP_INVOKE) continue;
            vec_push(&p->calls, ((CallSite){i, program_callee(p, pf->unit, u, (Ref){ins->a})}));
        }
        pf->calls.count = p->calls.len - pf->calls.first;
    }
}

// Callers by callee: count, then place; ascending because callers are visited in order.
static void find_callers(Program *p, Arena *a)
{
    uint32_t n = p->funcs.len;
    uint32_t *last = mem_alloc(n * sizeof *last); // the caller seen last, to drop repetitions
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            uint32_t total = 0;
            for (uint32_t f = 1; f < n; f++) {
                p->funcs.at[f].callers.first = total;
                total += p->funcs.at[f].callers.count;
                p->funcs.at[f].callers.count = 0;
            }
            p->callers.at = arena_array_of(a, FuncId, total);
            p->callers.len = p->callers.cap = total;
            memset(last, 0, n * sizeof *last);
        }
        for (uint32_t f = 1; f < n; f++) {
            ProgRange calls = p->funcs.at[f].calls;
            for (uint32_t i = 0; i < calls.count; i++) {
                uint32_t to = p->calls.at[calls.first + i].callee.id;
                if (!to || last[to] == f) continue;
                last[to] = f;
                ProgRange *r = &p->funcs.at[to].callers;
                if (pass == 1) p->callers.at[r->first + r->count] = (FuncId){f};
                r->count++;
            }
        }
    }
    mem_free(last);
}

static void find_components(Program *p, Arena *a)
{
    uint32_t n = p->funcs.len;
    Arena *scratch = arena_new("call graph");
    uint32_t *first = arena_array_of(scratch, uint32_t, (size_t)n + 1);
    U32s edges = {0};
    for (uint32_t f = 0; f < n; f++) {
        first[f] = edges.len;
        const ProgFunc *pf = &p->funcs.at[f];
        for (uint32_t i = 0; i < pf->calls.count; i++) {
            uint32_t to = p->calls.at[pf->calls.first + i].callee.id;
            if (to) vec_push(&edges, to);
        }
        if (pf->flags & PROG_IFUNC) program_ifunc_targets(p, (FuncId){f}, &edges);
    }
    first[n] = edges.len;
    Components c = components_of(scratch, n, first, edges.at);
    // Node 0 is none and alone: its component is 0, the one that means none.
    for (uint32_t k = 0; k < c.count; k++) {
        ProgRange r = {p->order.len, c.start[k + 1] - c.start[k]};
        if (k == 0) r.count = 0;
        vec_push(&p->sccs, r);
        for (uint32_t i = 0; i < r.count; i++) {
            FuncId f = {c.order[c.start[k] + i]};
            vec_push(&p->order, f);
            p->funcs.at[f.id].scc = (SccId){k};
        }
    }
    vec_keep(&p->order, a);
    vec_keep(&p->sccs, a);
    vec_free(&edges);
    arena_free(scratch);
}

void program_find_calls(Program *p, Arena *a)
{
    // What an earlier round has left is in the arena.
    memset(&p->calls, 0, sizeof p->calls);
    memset(&p->order, 0, sizeof p->order);
    memset(&p->sccs, 0, sizeof p->sccs);
    memset(&p->address_taken, 0, sizeof p->address_taken);
    for (uint32_t f = 1; f < p->funcs.len; f++) p->funcs.at[f].callers = (ProgRange){0, 0};
    find_sites(p);
    vec_keep(&p->calls, a);
    find_callers(p, a);
    find_components(p, a);
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if (p->funcs.at[f].flags & PROG_ADDRESS_TAKEN) vec_push(&p->address_taken, (FuncId){f});
    vec_keep(&p->address_taken, a);
}

static const char *file_of(const Program *p, FuncId f)
{
    const Unit *u = p->units[p->funcs.at[f.id].unit];
    const Func *uf = &u->funcs.at[p->funcs.at[f.id].func.id];
    uint32_t file = uf->loc.id ? u->locs.at[uf->loc.id].file : 0;
    return path_base(name_text(u->names, file ? u->files.at[file].path : u->source));
}

uint32_t program_find(const Program *p, const char *text, U32s *into)
{
    uint32_t before = into->len;
    Name whole = name_find(p->names, text);
    if (whole.id)
        for (uint32_t f = 1; f < p->funcs.len; f++)
            if (p->funcs.at[f].name.id == whole.id || p->funcs.at[f].source.id == whole.id)
                vec_push(into, f);
    // "file.c:name", but not the colons of "ns::name".
    const char *colon = strchr(text, ':');
    if (into->len > before || !colon || colon[1] == ':') return into->len - before;
    Name rest = name_find(p->names, colon + 1);
    size_t len = (size_t)(colon - text);
    for (uint32_t f = 1; rest.id && f < p->funcs.len; f++) {
        if (p->funcs.at[f].name.id != rest.id && p->funcs.at[f].source.id != rest.id) continue;
        const char *file = file_of(p, (FuncId){f});
        if (strlen(file) == len && memcmp(file, text, len) == 0) vec_push(into, f);
    }
    return into->len - before;
}

const char *program_label(const Program *p, Arena *a, FuncId f)
{
    if (!f.id) return "<none>";
    Name source = p->funcs.at[f.id].source;
    const char *text = name_text(p->names, source);
    if (p->funcs.at[f.id].flags & PROG_SAME_NAME)
        return arena_printf(a, "%s:%s", file_of(p, f), text);
    return text;
}

static Bits reached(const Program *p, Arena *a, FuncId from)
{
    Bits seen = bits_new(a, p->funcs.len);
    U32s work = {0};
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if (from.id ? f == from.id : (p->funcs.at[f].flags & PROG_DEFINED) != 0) {
            bits_add(&seen, f);
            vec_push(&work, f);
        }
    while (work.len) {
        const ProgFunc *pf = &p->funcs.at[vec_pop(&work)];
        for (uint32_t i = 0; i < pf->calls.count; i++) {
            uint32_t to = p->calls.at[pf->calls.first + i].callee.id;
            if (to && bits_add(&seen, to)) vec_push(&work, to);
        }
    }
    vec_free(&work);
    return seen;
}

// Distinct callees in order of their first call; 0 stands for indirect calls.
static void callees_of(const Program *p, FuncId f, U32s *into)
{
    const ProgFunc *pf = &p->funcs.at[f.id];
    Map seen = {0};
    for (uint32_t i = 0; i < pf->calls.count; i++) {
        uint32_t to = p->calls.at[pf->calls.first + i].callee.id;
        bool fresh;
        map_at(&seen, to, 0, &fresh);
        if (fresh) vec_push(into, to);
    }
    if (pf->flags & PROG_IFUNC) program_ifunc_targets(p, f, into);
    map_free(&seen);
}

static void dot_text(Out *o, const char *s)
{
    out_char(o, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') out_char(o, '\\');
        out_char(o, *s);
    }
    out_char(o, '"');
}

void program_print_dot(Out *o, const Program *p, FuncId from)
{
    Arena *a = arena_new("dot");
    Bits seen = reached(p, a, from);
    out_text(o, "digraph calls {\n    node [shape=box, fontname=\"monospace\"];\n");
    U32s to = {0};
    bits_each (f, &seen) {
        out_printf(o, "    f%u [label=", f);
        dot_text(o, program_label(p, a, (FuncId){f}));
        out_text(o, p->funcs.at[f].flags & PROG_DEFINED ? "];\n" : ", style=dashed];\n");
        vec_clear(&to);
        callees_of(p, (FuncId){f}, &to);
        vec_each (i, &to) {
            if (to.at[i])
                out_printf(o, "    f%u -> f%u;\n", f, to.at[i]);
            else
                out_printf(o, "    f%u -> f%u_any [style=dotted]; f%u_any [label=\"?\"];\n", f, f,
                           f);
        }
    }
    out_text(o, "}\n");
    vec_free(&to);
    arena_free(a);
}

void program_print_calls(Out *o, const Program *p, FuncId from)
{
    Arena *a = arena_new("calls");
    Bits seen = reached(p, a, from);
    U32s to = {0};
    // Callers first is how a person reads; the order itself is callees first.
    for (uint32_t k = p->order.len; k-- > 0;) {
        FuncId f = p->order.at[k];
        const ProgFunc *pf = &p->funcs.at[f.id];
        if (!bits_has(&seen, f.id) || !(pf->flags & (PROG_DEFINED | PROG_IFUNC))) continue;
        out_text(o, program_label(p, a, f));
        if (p->sccs.at[pf->scc.id].count > 1) out_printf(o, " (cycle %u)", pf->scc.id);
        vec_clear(&to);
        callees_of(p, f, &to);
        vec_each (i, &to) {
            out_text(o, i ? ", " : " -> ");
            out_text(o, to.at[i] ? program_label(p, a, (FuncId){to.at[i]}) : "<indirect>");
        }
        out_char(o, '\n');
    }
    vec_free(&to);
    arena_free(a);
}

bool program_is_main(const Program *p, FuncId f)
{
    const ProgFunc *pf = &p->funcs.at[f.id];
    return !(pf->flags & PROG_INTERNAL) && strcmp(name_text(p->names, pf->name), "main") == 0;
}
