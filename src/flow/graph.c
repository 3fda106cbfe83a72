// The value-flow graph of one function: its nodes are definitions, parameters and instructions of
// values and versions of regions; its edges follow the seven rules of the seed's table ("Phase 3:
// Build SVFG"). Edges between functions are found from the uses ARG, MEMORY, RETURN and OUT when a
// slice goes along them, each labelled by its call site.
#include "flow/flow_int.h"

#include <string.h>

uint32_t flow_block_of(const FlowFunc *g, uint32_t node)
{
    if (node < g->f->param_count) return 0;
    if (!node_is_version(g, node)) return g->block_of[node - g->f->param_count];
    return g->versions.at[version_of_node(g, node)].block;
}

static void add(FlowFunc *g, uint32_t node, Use use)
{
    use.next = g->first_use[node];
    vec_push(&g->uses, use);
    g->first_use[node] = g->uses.len;
}

static uint32_t node_of_ref(const FlowFunc *g, Ref r)
{
    if (ref_is_none(r) || ref_is_const(r)) return UINT32_MAX;
    return ref_is_param(r) ? ref_index(r) : node_of_ins(g, ref_index(r));
}

static void use_ref(FlowFunc *g, uint32_t ref, Use use)
{
    uint32_t n = node_of_ref(g, (Ref){ref});
    if (n != UINT32_MAX) add(g, n, use);
}

static void flow_to(FlowFunc *g, uint32_t ref, uint32_t ins, bool weak)
{
    use_ref(g, ref,
            (Use){.kind = USE_FLOW,
                  .weak = weak,
                  .node = node_of_ins(g, ins),
                  .block = g->block_of[ins],
                  .ins = ins});
}

typedef struct {
    Flow *f;
    FlowFunc *g;
    uint32_t mu, chi; // next ones
} Graph;

// Memory that is not followed: globals, what unknown code sees, variable arguments. A pointer that
// points nowhere is one of code that nobody calls.
static uint32_t leaves(const Flow *f, const SBits *set)
{
    uint32_t cell, to = 0;
    if (!set || sbits_is_empty(set)) return FLOW_TO_UNSEEN;
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);) {
        if (bits_has(&f->tracked, cell)) continue;
        const PointsObj *o = points_object(f->points, points_cell_object(f->points, cell));
        to |= o->kind == POBJ_GLOBAL                  ? FLOW_TO_GLOBAL
              : o->kind == POBJ_UNKNOWN || o->escaped ? FLOW_TO_UNSEEN
                                                      : FLOW_TO_OTHERS;
    }
    return to;
}

static bool single(const SBits *set)
{
    return set && sbits_size(set) == 1;
}

// Rule CHI: the stored value and, where the store may leave it, the old version.
static void store(Graph *t, const Ins *i, uint32_t ins)
{
    FlowFunc *g = t->g;
    const SBits *set = points_set(t->f->points, g->id, (Ref){i->a});
    uint32_t block = g->block_of[ins];
    MClass class = mtype_class(ref_type(g->u, g->f, (Ref){i->b}));
    bool wide = class == MT_AGG || class == MT_VEC;
    for (uint32_t k = t->chi; k < g->chis.len && g->chis.at[k].ins == ins; k++) {
        const Access *c = &g->chis.at[k];
        bool strong = g->regions.at[c->region].strong && single(set) && !wide;
        Use to = {.kind = USE_FLOW,
                  .weak = !strong,
                  .node = node_of_version(g, c->version),
                  .block = block,
                  .ins = ins};
        use_ref(g, i->b, to);
        if (!strong) add(g, node_of_version(g, g->versions.at[c->version].old), to);
    }
    uint32_t to = leaves(t->f, set);
    if (to) use_ref(g, i->b, (Use){.kind = USE_ESCAPE, .block = block, .ins = ins, .index = to});
}

// Rule MU.
static void load(Graph *t, const Ins *i, uint32_t ins)
{
    FlowFunc *g = t->g;
    const SBits *set = points_set(t->f->points, g->id, (Ref){i->a});
    for (uint32_t k = t->mu; k < g->mus.len && g->mus.at[k].ins == ins; k++)
        add(g, node_of_version(g, g->mus.at[k].version),
            (Use){.kind = USE_FLOW,
                  .weak = !g->regions.at[g->mus.at[k].region].strong || !single(set),
                  .node = node_of_ins(g, ins),
                  .block = g->block_of[ins],
                  .ins = ins});
}

// What was there may still be there after a call or a copy; what is copied goes along.
static void chis_keep(Graph *t, uint32_t ins, bool copies)
{
    FlowFunc *g = t->g;
    for (uint32_t k = t->chi; k < g->chis.len && g->chis.at[k].ins == ins; k++) {
        Use to = {.kind = USE_FLOW,
                  .weak = true, // it may have been overwritten just as well
                  .node = node_of_version(g, g->chis.at[k].version),
                  .block = g->block_of[ins],
                  .ins = ins};
        add(g, node_of_version(g, g->versions.at[g->chis.at[k].version].old), to);
        for (uint32_t m = t->mu; copies && m < g->mus.len && g->mus.at[m].ins == ins; m++)
            add(g, node_of_version(g, g->mus.at[m].version), to);
    }
}

// What is copied to memory that is not followed goes out of sight.
static void copies_out(Graph *t, uint32_t ins, const SBits *to)
{
    FlowFunc *g = t->g;
    uint32_t out = leaves(t->f, to);
    for (uint32_t m = t->mu; out && m < g->mus.len && g->mus.at[m].ins == ins; m++)
        add(g, node_of_version(g, g->mus.at[m].version),
            (Use){.kind = USE_ESCAPE, .block = g->block_of[ins], .ins = ins, .index = out});
}

static void arg_by_spec(Graph *t, uint32_t ins, uint32_t k, uint32_t ref, const SpecFunc *spec)
{
    FlowFunc *g = t->g;
    const SpecParam *par = k < spec->param_count ? &spec->params[k] : &spec->rest;
    Use use = {.block = g->block_of[ins], .ins = ins, .index = k};
    bool released = par->mode == SPEC_TAKE || par->mode == SPEC_REF_DEC;
    bool kept = par->mode == SPEC_HOLD || par->mode == SPEC_KEEP || par->mode == SPEC_BY_TYPE;
    use.weak = par->mode == SPEC_REF_DEC || par->when.op != SPEC_ALWAYS || spec->realloc;
    use.kind = released ? USE_SINK : USE_ESCAPE;
    if (!released) use.index = FLOW_TO_KEEPER;
    if (par->place == SPEC_ITSELF) {
        if (released || kept) use_ref(g, ref, use);
        // A condition on failure: what is not taken then stays the caller's, which is not followed.
        if ((par->effect == SPEC_CHANGES && !spec_rearranges(spec, k)) ||
            par->effect == SPEC_EMPTIES) {
            use.kind = USE_ESCAPE;
            use.index = FLOW_TO_KEEPER;
            use_ref(g, ref, use);
        }
    } else if ((par->place == SPEC_IN || par->place == SPEC_INOUT) && (released || kept)) {
        const SBits *set = points_set(t->f->points, g->id, (Ref){ref});
        for (uint32_t m = t->mu; set && m < g->mus.len && g->mus.at[m].ins == ins; m++) {
            const Region *r = &g->regions.at[g->mus.at[m].region];
            if (!set_meet(t->f, r->cells, set_tracked(t->f, set, false))) continue;
            use.weak |= !r->strong || !single(set);
            add(g, node_of_version(g, g->mus.at[m].version), use);
        }
    }
    const SpecValue *v = &spec->result;
    for (uint32_t c = 0; c <= spec->case_count; c++) {
        if (c < spec->case_count) v = &spec->cases[c];
        if (c == spec->case_count) v = &spec->result;
        if ((v->gives == SPEC_ALIAS || v->gives == SPEC_INSIDE) && v->param == (int)k && !v->deref)
            flow_to(g, ref, ins, v->gives == SPEC_INSIDE || spec->case_count);
    }
}

static void call(Graph *t, const Ins *i, uint32_t ins)
{
    FlowFunc *g = t->g;
    Flow *f = t->f;
    U32s targets = {0};
    bool complete = i->op != OP_ASM && points_callees(f->points, g->id, ins, &targets);
    uint32_t block = g->block_of[ins];
    bool copies = false;
    vec_each (n, &targets) {
        FuncId callee = {targets.at[n]};
        const SpecFunc *spec = points_spec(f->points, callee);
        const Unit *u;
        const Func *decl = program_decl(f->program, callee, &u);
        bool code = program_has_code(f->program, callee);
        for (uint32_t k = 0; k < i->c; k++) {
            uint32_t ref = *func_extra(g->u, g->f, i->b + k);
            if (spec) {
                arg_by_spec(t, ins, k, ref, spec);
            } else if (code && k < decl->param_count &&
                       !(u->params.at[decl->first_param + k].flags & PARAM_BYVAL)) {
                use_ref(g, ref,
                        (Use){.kind = USE_ARG,
                              .weak = targets.len > 1,
                              .block = block,
                              .ins = ins,
                              .other = callee.id,
                              .index = k});
            } else {
                bool borrowed =
                    !code && ((decl->flags & (FUNC_READNONE | FUNC_READONLY)) ||
                              (k < decl->param_count &&
                               (u->params.at[decl->first_param + k].flags & PARAM_CONST_POINTEE)));
                uint32_t to = code ? FLOW_TO_OTHERS : FLOW_TO_UNKNOWN;
                if (!borrowed)
                    use_ref(g, ref,
                            (Use){.kind = USE_ESCAPE, .block = block, .ins = ins, .index = to});
            }
        }
        if (spec) copies |= spec->copy_count != 0 || spec->realloc;
        for (uint32_t k = 0; spec && k < spec->copy_count; k++) {
            int16_t to = spec->copies[k].to;
            if (to >= 0 && (uint32_t)to < i->c)
                copies_out(t, ins,
                           points_set(f->points, g->id,
                                      (Ref){*func_extra(g->u, g->f, i->b + (uint32_t)to)}));
        }
        for (uint32_t m = t->mu; code && !spec && m < g->mus.len && g->mus.at[m].ins == ins; m++)
            add(g, node_of_version(g, g->mus.at[m].version),
                (Use){.kind = USE_MEMORY,
                      .weak = targets.len > 1 || !g->regions.at[g->mus.at[m].region].strong,
                      .block = block,
                      .ins = ins,
                      .other = callee.id,
                      .index = g->mus.at[m].region});
    }
    for (uint32_t k = 0; !complete && k < i->c; k++)
        use_ref(g, *func_extra(g->u, g->f, i->b + k),
                (Use){.kind = USE_ESCAPE, .block = block, .ins = ins, .index = FLOW_TO_UNKNOWN});
    chis_keep(t, ins, copies);
    vec_free(&targets);
}

static void edges_of(Graph *t, uint32_t ins)
{
    FlowFunc *g = t->g;
    const Ins *i = func_ins(g->u, g->f, ins);
    uint32_t block = g->block_of[ins];
    switch ((Op)i->op) {
    case OP_LOAD:
        load(t, i, ins);
        break;
    case OP_STORE:
        store(t, i, ins);
        break;
    case OP_COPY:
        chis_keep(t, ins, true);
        copies_out(t, ins, points_set(t->f->points, g->id, (Ref){i->a}));
        break;
    case OP_FILL:
        chis_keep(t, ins, false);
        break;
    case OP_FIELD:
        flow_to(g, i->a, ins, i->b != 0);
        break;
    case OP_INDEX:
    case OP_ADD:
    case OP_SUB:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        flow_to(g, i->a, ins, true);
        if (i->op != OP_INDEX) flow_to(g, i->b, ins, true);
        break;
    case OP_PTRTOINT:
    case OP_INTTOPTR:
    case OP_PART:
        flow_to(g, i->a, ins, false);
        break;
    case OP_SETPART:
        flow_to(g, i->a, ins, false);
        flow_to(g, i->b, ins, false);
        break;
    case OP_SELECT: // a choice that no branch governs: the value may be lost here
        flow_to(g, i->b, ins, true);
        flow_to(g, i->c, ins, true);
        break;
    case OP_PHI:
        for (uint32_t k = 0; k < i->c; k++)
            use_ref(g, *func_extra(g->u, g->f, i->b + 2 * k + 1),
                    (Use){.kind = USE_FLOW,
                          .node = node_of_ins(g, ins),
                          .block = *func_extra(g->u, g->f, i->b + 2 * k),
                          .into = block + 1,
                          .ins = ins});
        break;
    case OP_OPAQUE:
        for (uint32_t k = 0; k < i->c; k++)
            flow_to(g, *func_extra(g->u, g->f, i->b + k), ins, true);
        break;
    case OP_CALL:
    case OP_INVOKE:
    case OP_ASM:
        call(t, i, ins);
        break;
    case OP_RET:
        use_ref(g, i->a, (Use){.kind = USE_RETURN, .block = block, .ins = ins});
        break;
    case OP_RESUME:
        use_ref(g, i->a,
                (Use){.kind = USE_ESCAPE, .block = block, .ins = ins, .index = FLOW_TO_OTHERS});
        break;
    default:
        break;
    }
}

void flow_graph(Flow *f, FlowFunc *g)
{
    g->node_count = g->f->param_count + g->f->ins_count + g->versions.len;
    g->first_use = arena_array_of(f->arena, uint32_t, g->node_count);
    Graph t = {f, g, 0, 0};
    for (uint32_t i = 0; i < g->f->ins_count; i++) {
        while (t.mu < g->mus.len && g->mus.at[t.mu].ins < i) t.mu++;
        while (t.chi < g->chis.len && g->chis.at[t.chi].ins < i) t.chi++;
        if (g->cfg->position[g->block_of[i]] != UINT32_MAX) edges_of(&t, i);
    }
    for (uint32_t v = 0; v < g->versions.len; v++) { // rule PHI
        const Version *phi = &g->versions.at[v];
        if (phi->kind != VERSION_PHI) continue;
        EdgeRange pred = g->cfg->pred[phi->block];
        for (uint32_t k = 0; k < pred.count; k++) {
            uint32_t from = g->cfg->edges[pred.first + k];
            if (g->cfg->position[from] == UINT32_MAX) continue;
            add(g, node_of_version(g, g->phi_args.at[phi->first_arg + k]),
                (Use){.kind = USE_FLOW,
                      .node = node_of_version(g, v),
                      .block = from,
                      .into = phi->block + 1});
        }
    }
    vec_each (k, &g->outs)
        add(g, node_of_version(g, g->outs.at[k].version),
            (Use){.kind = USE_OUT,
                  .weak = true,
                  .block = g->block_of[g->outs.at[k].ins],
                  .ins = g->outs.at[k].ins,
                  .index = g->outs.at[k].region});
}

static bool is_c(const FlowFunc *g)
{
    return strcmp(name_text(g->u->names, g->u->language), "c") == 0;
}

static bool may_jump(const Flow *f, const FlowFunc *g, uint32_t ins, U32s *targets)
{
    vec_clear(targets);
    points_callees(f->points, g->id, ins, targets);
    vec_each (t, targets)
        if (bits_has(&f->jumps, targets->at[t])) return true;
    return false;
}

// Code that control leaves and enters beside the edges of its graph (setjmp, exceptions that no
// invoke catches) is not to be sure of. A jump that a block ends with leaves the function like a
// return; one that a call makes or not is beside the graph.
static void find_order(Flow *f, FlowFunc *g)
{
    U32s targets = {0};
    g->orderly = is_c(g);
    for (uint32_t b = 0; b < g->f->block_count; b++) {
        const Block *block = func_block(g->u, g->f, b);
        uint32_t end = block->first + block->count - 1;
        bool ends = func_ins(g->u, g->f, end)->op == OP_UNREACHABLE, jumps = false;
        for (uint32_t k = block->first; k < end + 1; k++) {
            const Ins *i = func_ins(g->u, g->f, k);
            if (op_form((Op)i->op) != FORM_CALL) continue;
            if (jumps || (i->flags & INS_RETURNS_TWICE)) g->orderly = false;
            jumps = may_jump(f, g, k, &targets);
        }
        if (!jumps) continue;
        if (!ends) {
            g->orderly = false;
            continue;
        }
        if (!g->jumps.words) g->jumps = bits_new(f->arena, g->f->block_count);
        bits_add(&g->jumps, b);
    }
    vec_free(&targets);
}

bool flow_block_jumps(const FlowFunc *g, uint32_t block)
{
    return g->jumps.words && bits_has(&g->jumps, block);
}

FlowFunc *flow_func(Flow *f, FuncId id)
{
    if (f->funcs[id.id]) return f->funcs[id.id];
    FlowFunc *g = arena_new_of(f->arena, FlowFunc);
    g->id = id;
    g->f = program_body(f->program, id, &g->u);
    if (!g->f) die("flow: a function without code");
    g->unit = f->program->funcs.at[id.id].unit;
    g->cfg = cfg_build(f->arena, g->u, g->f);
    g->block_of = arena_array_of(f->arena, uint32_t, g->f->ins_count);
    for (uint32_t b = 0; b < g->f->block_count; b++) {
        const Block *block = func_block(g->u, g->f, b);
        for (uint32_t i = 0; i < block->count; i++) g->block_of[block->first + i] = b;
    }
    find_order(f, g);
    flow_mssa(f, g);
    flow_graph(f, g);
    return f->funcs[id.id] = g;
}
