// Calls: of functions with code, by their parameters and result; of others by their specs; of
// those that nobody knows as unknown code. Calls through pointers are connected while the solution
// finds their targets (virtual calls too: a vtable is a global with an initialiser).
#include "points/points_int.h"

static Node arg(const Points *p, const PointsCall *s, int k)
{
    return k >= 0 && (uint32_t)k < s->arg_count ? p->args.at[s->first_arg + (uint32_t)k]
                                                : NODE_NONE;
}

static uint32_t site_new(Points *p, PointsCall s)
{
    vec_push(&p->sites, s);
    return p->sites.len - 1;
}

// Neither code nor spec: what is handed over may be kept and changed, except behind a pointer to
// const (design: borrowed). Errs towards unknown targets.
void pts_connect_unknown(Points *p, uint32_t site, const Func *decl, const Unit *du)
{
    PointsCall *s = &p->sites.at[site];
    if (s->unknown_done) return;
    s->unknown_done = true;
    bool reads = decl && (decl->flags & (FUNC_READNONE | FUNC_READONLY));
    Node result = s->result;
    uint32_t first = s->first_arg, count = s->arg_count;
    for (uint32_t k = 0; k < count; k++) {
        Node a = p->args.at[first + k];
        bool borrowed = decl && k < decl->param_count &&
                        (du->params.at[decl->first_param + k].flags & PARAM_CONST_POINTEE);
        if (reads)
            pts_emit(p, C_COPY, result, a, 0);
        else if (!borrowed)
            pts_emit(p, C_COPY, NODE_ESCAPED, a, 0);
    }
    pts_emit(p, C_ADDR, result, NODE_UNKNOWN, 0);
}

// What a spec says that somebody receives, as a value.
static Node given(Points *p, uint32_t site, FuncId callee, const SpecValue *v, int16_t which)
{
    const PointsCall *s = &p->sites.at[site];
    switch (v->gives) {
    case SPEC_NULL:
        return NODE_NONE;
    case SPEC_OWN: {
        const SpecFamily *family = spec_family(p->specs, v->family);
        if (family && family->repr != SPEC_POINTER) return NODE_NONE;
        uint32_t o = pts_obj_of_heap(p, s->caller, s->ins, which, callee);
        return pts_addr_of(p, pts_cell_at(p, o, 0));
    }
    case SPEC_ALIAS:
    case SPEC_INSIDE: {
        Node a = arg(p, s, v->param);
        if (!v->deref) return a;
        Node n = pts_node_new(p);
        pts_emit(p, C_LOAD, n, a, 0);
        return n;
    }
    case SPEC_PLAIN:
    case SPEC_REF_OF:
    case SPEC_STATIC:
    case SPEC_POLY:
        return pts_addr_of(p, NODE_UNKNOWN);
    }
    return NODE_NONE;
}

// The callee calls a function that it was given, before it returns, with what other arguments are
// said to be handed to it, else with any of them.
static void call_back(Points *p, uint32_t site, const SpecFunc *spec, int k)
{
    PointsCall s = p->sites.at[site];
    Node handed = pts_node_new(p), any = pts_node_new(p);
    bool said = false;
    for (uint32_t i = 0; i < s.arg_count; i++) {
        if ((int)i == k) continue;
        bool to = i < spec->param_count && spec->params[i].to == k;
        pts_emit(p, C_COPY, to ? handed : any, p->args.at[s.first_arg + i], 0);
        said |= to;
    }
    if (!said) pts_emit(p, C_COPY, handed, any, 0);
    pts_emit(p, C_ADDR, handed, NODE_UNKNOWN, 0);
    uint32_t first = p->args.len;
    for (int i = 0; i < CALLBACK_PARAMS; i++) vec_push(&p->args, handed);
    uint32_t c =
        site_new(p, (PointsCall){s.caller, s.ins, NODE_ESCAPED, first, CALLBACK_PARAMS, NULL, false});
    pts_emit(p, C_CALL, c, arg(p, &s, k), 0);
}

static void by_spec(Points *p, uint32_t site, FuncId callee, const SpecFunc *spec)
{
    for (uint32_t k = 0; k < p->sites.at[site].arg_count; k++) {
        const SpecParam *par = k < spec->param_count ? &spec->params[k] : &spec->rest;
        Node a = arg(p, &p->sites.at[site], (int)k);
        if (!a) continue;
        // Kept for one call, with nothing but what is said: unseen code has no other use for it.
        if (par->called || par->once) call_back(p, site, spec, (int)k);
        bool kept = !par->once && (par->mode == SPEC_KEEP || par->mode == SPEC_HOLD ||
                                   par->mode == SPEC_BY_TYPE);
        Node itself = a;
        if (par->place == SPEC_IN || par->place == SPEC_INOUT) {
            itself = pts_node_new(p);
            pts_emit(p, C_LOAD, itself, a, 0);
        }
        if (kept) pts_emit(p, C_COPY, NODE_ESCAPED, itself, 0);
        if (par->effect == SPEC_CHANGES && !spec_rearranges(spec, k))
            pts_emit(p, C_COPY, NODE_ESCAPED, a, 0);
        if (par->place == SPEC_OUT || par->place == SPEC_INOUT) {
            Node v = given(p, site, callee, &par->value, (int16_t)k);
            pts_emit(p, C_STORE, a, v, 0);
        }
    }
    Node result = p->sites.at[site].result;
    if (result) {
        for (uint32_t k = 0; k < spec->case_count; k++)
            pts_emit(p, C_COPY, result, given(p, site, callee, &spec->cases[k], SPEC_RETURN), 0);
        pts_emit(p, C_COPY, result, given(p, site, callee, &spec->result, SPEC_RETURN), 0);
    }
    if (spec->realloc)
        for (uint32_t k = 0; k < spec->param_count; k++)
            if (spec->params[k].mode == SPEC_TAKE)
                pts_emit(p, C_MOVE, result, arg(p, &p->sites.at[site], (int)k), ALL_BYTES);
    for (uint32_t k = 0; k < spec->copy_count; k++) {
        const SpecCopy *c = &spec->copies[k];
        const PointsCall *s = &p->sites.at[site];
        pts_emit(p, C_MOVE, c->to == SPEC_RETURN ? result : arg(p, s, c->to), arg(p, s, c->from),
                 ALL_BYTES);
    }
}

void pts_connect(Points *p, uint32_t site, FuncId callee)
{
    if (p->online) { // before, each site has the one callee that it names
        bool fresh;
        map_at(&p->met, map_pair(site, callee.id), 1, &fresh);
        if (!fresh) return;
    }
    const Program *prog = p->program;
    if (prog->funcs.at[callee.id].flags & PROG_IFUNC) {
        U32s targets = {0};
        program_ifunc_targets(prog, callee, &targets);
        vec_each (i, &targets)
            if (targets.at[i] != callee.id) pts_connect(p, site, (FuncId){targets.at[i]});
        vec_free(&targets);
        return;
    }
    if (p->spec[callee.id]) {
        by_spec(p, site, callee, p->spec[callee.id]);
        return;
    }
    const Unit *u;
    const Func *f = program_body(prog, callee, &u);
    if (!f) {
        f = program_decl(prog, callee, &u);
        pts_connect_unknown(p, site, f, u);
        return;
    }
    for (uint32_t k = 0; k < p->sites.at[site].arg_count; k++) {
        Node a = arg(p, &p->sites.at[site], (int)k);
        if (!a) continue;
        if (k < f->param_count) {
            const Param *par = &u->params.at[f->first_param + k];
            Node to = p->slots[callee.id][k];
            if (par->flags & PARAM_BYVAL)
                pts_emit(p, C_MOVE, to, a, par->byval_size ? par->byval_size : ALL_BYTES);
            else
                pts_emit(p, C_COPY, to, a, 0);
        } else if (f->flags & FUNC_VARARGS) {
            uint32_t *rest = &p->rest[callee.id];
            if (!*rest)
                *rest = pts_obj_new(p, (Obj){.is = {POBJ_REST, .func = callee, .collapsed = true}});
            pts_emit(p, C_COPY, pts_cell_at(p, *rest, 0), a, 0);
        }
    }
    PointsCall *s = &p->sites.at[site];
    Node result = s->result;
    if (!result) return;
    if (bits_has(&p->wrapper, callee.id) && result != NODE_ESCAPED) {
        uint32_t o = pts_obj_of_heap(p, s->caller, s->ins, SPEC_RETURN, callee);
        pts_emit(p, C_ADDR, result, pts_cell_at(p, o, 0), 0);
        pts_emit(p, C_MOVE, result, p->ret[callee.id], ALL_BYTES); // what the wrapper has put in it
    } else {
        pts_emit(p, C_COPY, result, p->ret[callee.id], 0);
    }
}

void pts_gen_call(Points *p, FuncId caller, uint32_t unit, const Unit *u, const Func *f,
                  uint32_t ins)
{
    const Ins *i = func_ins(u, f, ins);
    PointsCall s = {.caller = caller,
              .ins = ins,
              .result = p->values[caller.id][ins],
              .first_arg = p->args.len,
              .arg_count = i->c};
    for (uint32_t k = 0; k < i->c; k++) {
        Node a = pts_value_of(p, caller, unit, u, (Ref){*func_extra(u, f, i->b + k)});
        vec_push(&p->args, a);
    }
    uint32_t site = site_new(p, s);
    if (i->op == OP_ASM) {
        pts_connect_unknown(p, site, NULL, NULL);
        return;
    }
    Ref callee = {i->a};
    FuncId direct = program_callee(p->program, unit, u, callee);
    if (direct.id) {
        pts_connect(p, site, direct);
        return;
    }
    pts_emit(p, C_CALL, site, pts_value_of(p, caller, unit, u, callee), 0);
}
