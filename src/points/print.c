// The dumps: `stanch show points F`, `stanch show calls --indirect`.
#include "points/points_int.h"

static const char *text_of(const Unit *u, Name n)
{
    return name_text(u->names, n);
}

void points_print_cell(Out *o, const Points *p, uint32_t cell)
{
    const Program *prog = p->program;
    const PointsObj *obj = &p->objs.at[p->cells.at[cell].obj].is;
    const Unit *u = NULL;
    const Func *f = obj->func.id ? program_decl(prog, obj->func, &u) : NULL;
    switch (obj->kind) {
    case POBJ_UNKNOWN:
        out_text(o, "unknown");
        break;
    case POBJ_STRINGS:
        out_text(o, "strings");
        break;
    case POBJ_LOCAL: {
        const char *name = text_of(u, u->locals.at[f->first_local + obj->index - 1].name);
        if (*name)
            out_printf(o, "%s:%s", text_of(u, f->source), name);
        else
            out_printf(o, "%s:local %u", text_of(u, f->source), obj->index);
        break;
    }
    case POBJ_GLOBAL: {
        const ProgGlobal *g = &prog->globals.at[obj->index];
        out_text(o, name_text(prog->names, g->source.id ? g->source : g->name));
        break;
    }
    case POBJ_FUNC:
        out_text(o, text_of(u, f->source));
        break;
    case POBJ_HEAP: {
        const Loc *l = &u->locs.at[func_ins(u, f, obj->index)->loc];
        const Unit *mu;
        const Func *maker = program_decl(prog, obj->maker, &mu);
        out_printf(o, "heap %s:", text_of(u, f->source));
        if (l->line)
            out_printf(o, "%u", l->line);
        else
            out_printf(o, "%%%u", obj->index);
        out_printf(o, " %s", text_of(mu, maker->source));
        if (obj->which >= 0) out_printf(o, " argument %d", obj->which + 1);
        break;
    }
    case POBJ_BYVAL:
        out_printf(o, "%s:copy of argument %u", text_of(u, f->source), obj->index + 1);
        break;
    case POBJ_REST:
        out_printf(o, "%s:...", text_of(u, f->source));
        break;
    }
    if (p->cells.at[cell].off) out_printf(o, "+%u", p->cells.at[cell].off);
}

static void print_set(Out *o, const Points *p, const SBits *s)
{
    uint32_t cell;
    const char *comma = "";
    for (SIter i = sbits_iter(s); sbits_step(&i, &cell); comma = ", ") {
        out_text(o, comma);
        points_print_cell(o, p, cell);
    }
    out_char(o, '\n');
}

static void print_value(Out *o, const Points *p, FuncId f, UnitPrinter *up, Ref r, const char *name)
{
    const SBits *s = points_set(p, f, r);
    if (!s || sbits_is_empty(s)) return;
    out_text(o, "  ");
    unit_printer_ref(up, r);
    if (name && *name) out_printf(o, " (%s)", name);
    out_text(o, " -> ");
    print_set(o, p, s);
}

void points_print(Out *o, const Points *p, FuncId f)
{
    const Unit *u;
    const Func *body = program_body(p->program, f, &u);
    if (!body) return;
    out_printf(o, "%s%s\n", text_of(u, body->source),
               points_is_wrapper(p, f) ? ": allocation wrapper" : "");
    UnitPrinter *up = unit_printer_new(o, u, body);
    // The source variable that a value is bound to, where there is one.
    Arena *a = arena_new("points print");
    Name *names = arena_array_of(a, Name, body->ins_count);
    for (uint32_t k = 0; k < body->ins_count; k++) {
        const Ins *i = func_ins(u, body, k);
        if (i->op == OP_BIND && ref_is_ins((Ref){i->a}))
            names[ref_index((Ref){i->a})] = u->vars.at[body->first_var + i->b - 1].name;
    }
    for (uint32_t k = 0; k < body->param_count; k++) print_value(o, p, f, up, ref_param(k), NULL);
    for (uint32_t k = 0; k < body->ins_count; k++)
        print_value(o, p, f, up, ref_ins(k), text_of(u, names[k]));
    // Memory that the values reach directly.
    SBits reached = {0};
    for (uint32_t k = 0; k < body->param_count + body->ins_count; k++) {
        Ref r = k < body->param_count ? ref_param(k) : ref_ins(k - body->param_count);
        const SBits *s = points_set(p, f, r);
        if (s) sbits_union(&reached, s);
    }
    uint32_t cell;
    for (SIter i = sbits_iter(&reached); sbits_step(&i, &cell);) {
        const SBits *s = points_content(p, cell);
        if (sbits_is_empty(s) || cell == POINTS_UNKNOWN) continue;
        out_text(o, "  [");
        points_print_cell(o, p, cell);
        out_text(o, "] -> ");
        print_set(o, p, s);
    }
    sbits_clear(&reached);
    arena_free(a);
    unit_printer_free(up);
}

void points_print_calls(Out *o, const Points *p, FuncId only)
{
    const Program *prog = p->program;
    Arena *a = arena_new("indirect calls");
    uint32_t total = 0, known = 0;
    for (uint32_t f = 1; f < prog->funcs.len; f++) {
        if (only.id && f != only.id) continue;
        const Unit *u;
        const Func *body = program_body(prog, (FuncId){f}, &u);
        for (uint32_t k = 0; body && k < body->ins_count; k++) {
            const Ins *i = func_ins(u, body, k);
            if (i->op != OP_CALL && i->op != OP_INVOKE) continue;
            if (ref_is_const((Ref){i->a})) continue;
            U32s targets = {0};
            bool complete = points_callees(p, (FuncId){f}, k, &targets);
            const Loc *l = &u->locs.at[i->loc];
            out_text(o, program_label(prog, a, (FuncId){f}));
            if (l->line) out_printf(o, ":%u", l->line);
            out_text(o, " ->");
            vec_each (n, &targets)
                out_printf(o, "%s %s", n ? "," : "",
                           program_label(prog, a, (FuncId){targets.at[n]}));
            if (!complete) out_printf(o, "%s unknown", targets.len ? "," : "");
            out_char(o, '\n');
            total++;
            known += complete;
            vec_free(&targets);
        }
    }
    out_printf(o, "%u indirect calls, %u with all targets known\n", total, known);
    arena_free(a);
}
