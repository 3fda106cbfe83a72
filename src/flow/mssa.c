// Memory SSA of one function (Saber, "Phase 2"): tracked memory is partitioned into regions, the
// function's own cells each apart, all others grouped by the sets through which they are accessed.
// Regions may overlap: R(x,y) of one load and R(x,z) of one store have x in common, so each access
// of one is an access of the other too. Loads and calls read (mu), stores and calls may write
// (chi); then SSA form by dominance frontiers (Cytron et al. 1991).
#include "flow/flow_int.h"

typedef struct {
    Flow *f;
    FlowFunc *g;
    Map by_cells;  // number of a set -> region
    Map by_access; // number of an accessed set -> where its regions begin in `lists`
    U32s lists;    // of regions: count, then the regions
    Arena *scratch;
} Mssa;

static uint32_t region_of(Mssa *m, const CellSet *cells, bool local)
{
    FlowFunc *g = m->g;
    bool fresh;
    uint64_t *at = map_at(&m->by_cells, cells->number, g->regions.len, &fresh);
    if (fresh) {
        Region r = {.cells = cells, .local = local};
        r.strong = local &&
                   points_cell_is_single(m->f->points, m->f->cells.at[sbits_next(&cells->set, 0)]);
        vec_push(&g->regions, r);
    }
    return (uint32_t)*at;
}

// The regions of an accessed set, as a list in m->lists: own cells apart, the others together.
// The set is looked at once for all accesses of the function, and only by its own cells: what a
// large part of the program reads or writes is a region as it stands.
static uint32_t regions_of(Mssa *m, const CellSet *set)
{
    bool fresh;
    uint64_t *at = map_at(&m->by_access, set->number, m->lists.len, &fresh);
    if (!fresh) return (uint32_t)*at;
    uint32_t first = m->lists.len;
    vec_push(&m->lists, 0);
    const U32s *own = &m->f->own[m->g->id.id];
    SBits others = {0};
    bool copied = false;
    vec_each (i, own) {
        if (!sbits_has(&set->set, own->at[i])) continue;
        if (!copied) others = sbits_copy(&set->set);
        if (!copied) m->f->counts.sets += others.len;
        copied = true;
        sbits_drop(&others, own->at[i]);
        SBits one = {0};
        sbits_add(&one, own->at[i]);
        vec_push(&m->lists, region_of(m, set_of(m->f, &one), true));
    }
    const CellSet *rest = copied ? set_of(m->f, &others) : set;
    if (rest->number) vec_push(&m->lists, region_of(m, rest, false));
    m->lists.at[first] = m->lists.len - first - 1;
    return first;
}

typedef struct {
    uint32_t ins;
    bool mod;
    uint32_t region;
} Direct;

typedef VEC(Direct) Directs;

static void collect(Mssa *m, Directs *direct)
{
    FlowFunc *g = m->g;
    for (uint32_t i = 0; i < g->f->ins_count; i++) {
        CellSet *at[2];
        flow_access(m->f, g->id, g->u, g->f, i, &at[0], &at[1]);
        for (int mod = 0; mod < 2; mod++) {
            if (!at[mod]->number) continue;
            uint32_t list = regions_of(m, at[mod]);
            for (uint32_t k = 1; k <= m->lists.at[list]; k++)
                vec_push(direct, ((Direct){i, mod == 1, m->lists.at[list + k]}));
        }
    }
}

// Every access of a region is one of those that overlap it. Direct accesses come by instruction,
// reads before writes; the result too, each region once.
static void spread(Mssa *m, const Directs *direct)
{
    FlowFunc *g = m->g;
    uint32_t n = g->regions.len;
    U32s *near = arena_array_of(m->scratch, U32s, n);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            if (a == b || (!g->regions.at[a].local && !g->regions.at[b].local &&
                           set_meet(m->f, g->regions.at[a].cells, g->regions.at[b].cells)))
                vec_push(&near[a], b);
    Bits seen = bits_new(m->scratch, n);
    for (uint32_t i = 0; i < direct->len;) {
        uint32_t k = i;
        bits_clear(&seen);
        for (; k < direct->len && direct->at[k].ins == direct->at[i].ins &&
               direct->at[k].mod == direct->at[i].mod;
             k++)
            vec_each (r, &near[direct->at[k].region])
                bits_add(&seen, near[direct->at[k].region].at[r]);
        bits_each (r, &seen) {
            if (direct->at[i].mod)
                vec_push(&g->chis, ((Access){direct->at[i].ins, r, 0}));
            else
                vec_push(&g->mus, ((Access){direct->at[i].ins, r, 0}));
        }
        i = k;
    }
    for (uint32_t a = 0; a < n; a++) vec_free(&near[a]);
}

static uint32_t new_version(FlowFunc *g, Version v, uint32_t *numbers)
{
    v.number = ++numbers[v.region];
    vec_push(&g->versions, v);
    return g->versions.len - 1;
}

// Phis where dominance frontiers ask for them. phi_at[block * regions + region] = version + 1.
static void place_phis(Mssa *m, uint32_t *phi_at, uint32_t *numbers)
{
    FlowFunc *g = m->g;
    const Cfg *c = g->cfg;
    uint32_t n = g->regions.len;
    U32s *frontier = arena_array_of(m->scratch, U32s, c->block_count);
    for (uint32_t o = 0; o < c->order_count; o++) {
        uint32_t b = c->order[o];
        if (c->pred[b].count < 2) continue;
        for (uint32_t k = 0; k < c->pred[b].count; k++) {
            uint32_t at = c->edges[c->pred[b].first + k];
            if (c->position[at] == UINT32_MAX) continue;
            while (at != BLOCK_NONE && at != c->idom[b]) {
                if (!frontier[at].len || vec_last(&frontier[at]) != b) vec_push(&frontier[at], b);
                at = c->idom[at];
            }
        }
    }
    for (uint32_t r = 0; r < n; r++) {
        U32s open = {0};
        vec_each (k, &g->chis)
            if (g->chis.at[k].region == r) vec_push(&open, g->block_of[g->chis.at[k].ins]);
        while (open.len) {
            uint32_t b = vec_pop(&open);
            vec_each (k, &frontier[b]) {
                uint32_t at = frontier[b].at[k];
                if (phi_at[at * n + r]) continue;
                Version v = {.kind = VERSION_PHI, .region = r, .block = at};
                v.first_arg = g->phi_args.len;
                vec_extend(&g->phi_args, c->pred[at].count);
                phi_at[at * n + r] = new_version(g, v, numbers) + 1;
                vec_push(&open, at);
            }
        }
        vec_free(&open);
    }
    for (uint32_t b = 0; b < c->block_count; b++) vec_free(&frontier[b]);
}

static void rename_all(Mssa *m, uint32_t *numbers)
{
    FlowFunc *g = m->g;
    const Cfg *c = g->cfg;
    uint32_t n = g->regions.len, mu = 0, chi = 0;
    uint32_t *phi_at = arena_array_of(m->scratch, uint32_t, (size_t)c->block_count * n);
    place_phis(m, phi_at, numbers);
    uint32_t *out = arena_array_of(m->scratch, uint32_t, (size_t)c->block_count * n);
    // Accesses are by instruction; blocks are taken in an order that has dominators first.
    uint32_t *first_mu = arena_array_of(m->scratch, uint32_t, (size_t)g->f->ins_count + 1);
    uint32_t *first_chi = arena_array_of(m->scratch, uint32_t, (size_t)g->f->ins_count + 1);
    for (uint32_t i = 0; i <= g->f->ins_count; i++) {
        while (mu < g->mus.len && g->mus.at[mu].ins < i) mu++;
        while (chi < g->chis.len && g->chis.at[chi].ins < i) chi++;
        first_mu[i] = mu;
        first_chi[i] = chi;
    }
    for (uint32_t o = 0; o < c->order_count; o++) {
        uint32_t b = c->order[o], *now = out + (size_t)b * n;
        for (uint32_t r = 0; r < n; r++)
            now[r] = phi_at[b * n + r]          ? phi_at[b * n + r] - 1
                     : c->idom[b] == BLOCK_NONE ? r
                                                : out[(size_t)c->idom[b] * n + r];
        const Block *block = func_block(g->u, g->f, b);
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            for (uint32_t k = first_mu[i]; k < first_mu[i + 1]; k++)
                g->mus.at[k].version = now[g->mus.at[k].region];
            for (uint32_t k = first_chi[i]; k < first_chi[i + 1]; k++) {
                uint32_t r = g->chis.at[k].region;
                Version v = {.kind = VERSION_CHI, .region = r, .block = b, .ins = i, .old = now[r]};
                g->chis.at[k].version = now[r] = new_version(g, v, numbers);
            }
            if (func_ins(g->u, g->f, i)->op == OP_RET)
                for (uint32_t r = 0; r < n; r++)
                    if (!g->regions.at[r].local) vec_push(&g->outs, ((Access){i, r, now[r]}));
        }
    }
    for (uint32_t v = 0; v < g->versions.len; v++) {
        const Version *phi = &g->versions.at[v];
        if (phi->kind != VERSION_PHI) continue;
        for (uint32_t k = 0; k < c->pred[phi->block].count; k++) {
            uint32_t from = c->edges[c->pred[phi->block].first + k];
            g->phi_args.at[phi->first_arg + k] =
                c->position[from] == UINT32_MAX ? phi->region : out[(size_t)from * n + phi->region];
        }
    }
}

void flow_mssa(Flow *f, FlowFunc *g)
{
    Mssa m = {.f = f, .g = g, .scratch = arena_new("memory ssa")};
    Directs direct = {0};
    collect(&m, &direct);
    spread(&m, &direct);
    uint32_t *numbers = arena_array_of(m.scratch, uint32_t, (size_t)g->regions.len + 1);
    // The first versions are those at the entry: version r belongs to region r.
    for (uint32_t r = 0; r < g->regions.len; r++)
        new_version(g, (Version){.kind = VERSION_ENTRY, .region = r}, numbers);
    rename_all(&m, numbers);
    f->counts.functions++;
    f->counts.accesses += g->mus.len + g->chis.len + g->versions.len;
    vec_free(&direct);
    map_free(&m.by_cells);
    map_free(&m.by_access);
    vec_free(&m.lists);
    arena_free(m.scratch);
}
