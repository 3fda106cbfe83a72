// The driver: functions bottom-up over the components of the call graph, an interface for each.
#include "link/specs.h"
#include "own/own_int.h"

// ---- one function ----

Body *body_open(Own *o, FuncId f)
{
    Arena *a = o->spare.len ? vec_pop(&o->spare) : arena_new("ownership");
    Body *b = arena_new_of(a, Body);
    b->own = o;
    b->f = f;
    b->arena = a;
    b->func = program_body(o->program, f, &b->unit);
    b->unit_index = o->program->funcs.at[f.id].unit;
    b->param_count = b->func->param_count;
    b->value_count = b->param_count + 2 * b->func->ins_count;
    b->cfg = cfg_build_edges(a, b->unit, b->func);
    system_init(&b->sys);
    body_vars(b);
    body_structure(b);
    body_members(b);
    body_events(b);
    body_flow(b);
    return b;
}

void body_close(Body *b)
{
    system_free(&b->sys);
    vec_free(&b->nodes);
    vec_free(&b->slots);
    vec_free(&b->insts);
    vec_free(&b->events);
    vec_free(&b->versions);
    vec_free(&b->members);
    vec_free(&b->asked);
    map_free(&b->places);
    Own *o = b->own;
    Arena *a = b->arena; // in which b lies
    arena_reset(a);
    vec_push(&o->spare, a);
}

// ---- its interface ----

typedef VEC(Relation) Relations;

typedef struct {
    Body *b;
    Interface *face;
    Arena *arena;
    U32s vars;   // of the system, by number in the interface - 2
    Map var_of;  // variable of the system -> of the interface
    Map node_of; // node -> of the interface
    VEC(Node) nodes;
    VEC(Slot) slots;
    Relations relations, behind;
} Face;

static uint32_t face_var(Face *k, uint32_t var)
{
    if (var <= VAR_ONE) return var;
    bool fresh;
    uint64_t *at = map_at(&k->var_of, var, k->vars.len + 2, &fresh);
    if (fresh) vec_push(&k->vars, var);
    return (uint32_t)*at;
}

// A parameter or result: a constant where that is known.
static uint32_t face_value(Face *k, uint32_t var)
{
    int forced = system_forced(&k->b->sys, var);
    return forced < 0 ? face_var(k, var) : forced ? VAR_ONE : VAR_ZERO;
}

static uint32_t face_node(Face *k, uint32_t n)
{
    if (!n) return 0;
    n = node_find(k->b, n);
    bool fresh;
    uint64_t *at = map_at(&k->node_of, n, k->nodes.len, &fresh);
    uint32_t number = (uint32_t)*at;
    if (!fresh) return number;
    Node node = k->b->nodes.at[n];
    uint32_t first = k->slots.len;
    vec_push(&k->nodes, node);
    vec_extend(&k->slots, node.slot_count);
    k->nodes.at[number].first_slot = first;
    for (uint32_t i = 0; i < node.slot_count; i++) {
        Slot s = k->b->slots.at[node.first_slot + i];
        Slot copy = {face_var(k, s.own), 0};
        copy.node = face_node(k, s.node);
        k->slots.at[first + i] = copy;
    }
    return number;
}

// One relation for each connected component; beyond six variables only what is forced is kept
// (errs towards a missed violation).
static void face_relations(Face *k, Relations *into)
{
    System *s = &k->b->sys;
    Bits seen = bits_new(k->b->arena, k->vars.len + 1);
    vec_each (i, &k->vars) {
        if (bits_has(&seen, i)) continue;
        uint32_t part = system_component(s, k->vars.at[i]), count = 0;
        uint32_t vars[CON_VARS], mine[CON_VARS];
        bool many = false;
        for (uint32_t j = i; j < k->vars.len; j++) {
            if (system_component(s, k->vars.at[j]) != part) continue;
            bits_add(&seen, j);
            int forced = system_forced(s, k->vars.at[j]);
            if (forced >= 0) {
                Relation r = {.rows = forced ? 2 : 1, .count = 1, .vars = {j + 2}};
                vec_push(into, r);
                continue;
            }
            if (count == CON_VARS) {
                many = true;
                continue;
            }
            vars[count] = k->vars.at[j];
            mine[count++] = j + 2;
        }
        if (!count || many) continue;
        Relation r = {.rows = system_project(s, count, vars), .count = count};
        memcpy(r.vars, mine, count * sizeof *mine);
        vec_push(into, r);
    }
}

static bool same_relation(const Relation *a, const Relation *b)
{
    return a->rows == b->rows && a->count == b->count &&
           memcmp(a->vars, b->vars, a->count * sizeof *a->vars) == 0;
}

// What the rules about memory add. That a parameter or result owns nothing then is said by `weak`
// and `weak_result`, with better words.
static void face_behind(Face *k, Interface *into)
{
    Relations all = {0};
    face_relations(k, &all);
    vec_each (i, &all) {
        const Relation *r = &all.at[i];
        bool known = r->count == 1 && r->rows == 1;
        vec_each (j, &k->relations) known |= same_relation(r, &k->relations.at[j]);
        if (!known) vec_push(&k->behind, *r);
    }
    into->behind_count = k->behind.len;
    into->behind = arena_copy(k->arena, k->behind.at, k->behind.len * sizeof *k->behind.at);
    vec_free(&all);
}

static void face_free(Face *k)
{
    vec_free(&k->nodes);
    vec_free(&k->slots);
    vec_free(&k->relations);
    vec_free(&k->behind);
    vec_free(&k->vars);
    map_free(&k->var_of);
    map_free(&k->node_of);
}

static void face_build(Face *k, Interface *into)
{
    Body *b = k->b;
    Arena *a = k->arena;
    vec_push(&k->nodes, ((Node){0}));
    into->param_count = b->param_count;
    into->params = arena_array_of(a, Slot, b->param_count + 1);
    into->weak = arena_array_of(a, uint8_t, b->param_count + 1);
    for (uint32_t i = 0; i < b->param_count; i++) {
        if (!b->born[i]) continue;
        if (bits_has(&b->wanted, i)) into->params[i].own = face_value(k, b->born[i]);
        into->params[i].node = face_node(k, b->node_of[i]);
    }
    if (b->result) into->result.own = face_value(k, b->result);
    into->result.node = face_node(k, b->result_node);
    face_relations(k, &k->relations);
    into->known = true;
    into->var_count = k->vars.len + 2;
    into->node_count = k->nodes.len;
    into->slot_count = k->slots.len;
    into->relation_count = k->relations.len;
    into->nodes = arena_copy(a, k->nodes.at, k->nodes.len * sizeof *k->nodes.at);
    into->slots = arena_copy(a, k->slots.at, k->slots.len * sizeof *k->slots.at);
    into->relations = arena_copy(a, k->relations.at, k->relations.len * sizeof *k->relations.at);
}

static bool is_stored(const Body *b, uint32_t value)
{
    vec_each (i, &b->events)
        if (b->events.at[i].value == value && b->events.at[i].con == CON_STORE) return true;
    return false;
}

// "Taken when it fails" and the like: some rule about ways was left out to say so.
static void find_torn(Body *b, Interface *into)
{
    into->torn = arena_array_of(b->own->arena, bool, b->param_count + 1);
    vec_each (i, &b->sys.violations) {
        const Constraint *c = &b->sys.cons.at[b->sys.violations.at[i].con];
        uint32_t part = c->count ? system_component(&b->sys, c->vars[0]) : 0;
        for (uint32_t p = 0; p < b->param_count && c->count; p++)
            if (b->born[p]) into->torn[p] |= system_component(&b->sys, b->born[p]) == part;
    }
}

// The interface leaves out what only the rules about memory say: a caller that hands over an
// owned pointer is told where it went, not that it leaks (PASS_WEAK).
void body_solve(Body *b, Interface *into)
{
    system_solve(&b->sys, PRIO_FIELD);
    bool *open = arena_array_of(b->arena, bool, b->param_count + 1);
    for (uint32_t i = 0; i < b->param_count; i++)
        open[i] = b->born[i] && system_forced(&b->sys, b->born[i]) < 0;
    bool open_result = b->result && system_forced(&b->sys, b->result) < 0;
    Face k = {.b = b, .face = into, .arena = b->own->arena};
    if (into) face_build(&k, into);
    if (into) find_torn(b, into);
    if (into && b->final && !b->own->believe) {
        body_verdicts(b);
        body_places(b);
    }
    system_solve(&b->sys, PRIO_MEMORY);
    if (into && b->final && b->members.len) body_witnesses(b);
    system_solve(&b->sys, PRIO_COUNT);
    if (!into) return;
    face_behind(&k, into);
    face_free(&k);
    body_fields(b, into);
    for (uint32_t i = 0; i < b->param_count; i++)
        if (open[i] && system_forced(&b->sys, b->born[i]) == 0)
            into->weak[i] = is_stored(b, i) ? WEAK_STORED : WEAK_UNKNOWN;
    body_handed(b, into);
    into->weak_result = open_result && system_forced(&b->sys, b->result) == 0;
}

// ---- the program ----

static bool has_body(const Own *o, FuncId f)
{
    if (!program_has_code(o->program, f)) return false;
    const SpecFunc *s = own_spec(o, f);
    return !s || !(spec_beats_code(s) || s->generic);
}

void own_infer(Own *o, FuncId f, bool report)
{
    o->busy[f.id] = true;
    o->depth++;
    Body *b = body_open(o, f);
    b->final = report;
    Interface *face = arena_new_of(o->arena, Interface);
    if (b->given_up) {
        const char *name = name_text(o->program->names, o->program->funcs.at[f.id].source);
        if (o->into && report && o->options.audit)
            findings_given_up(o->into, name, place_of(b, 0), "too large for ownership inference");
        // Anything is possible.
        face->param_count = 0;
        face->var_count = 3;
        face->result.own = 2;
        face->weak_result = true;
        face->known = true;
    } else {
        body_solve(b, face);
        if (report && o->into && o->program->unit_fresh[b->unit_index]) {
            o->told[f.id].first = o->into->all.len;
            body_report(b);
            o->told[f.id].count = o->into->all.len - o->told[f.id].first;
        }
        if (report && o->into && !o->believe) body_holds(b);
        if (report && o->collect && !o->believe) body_evidence(b);
        if (report && o->into && o->options.audit && !o->believe &&
            o->program->unit_fresh[b->unit_index] && body_releases(b, NULL))
            vec_push(&o->releasers, f);
        if (o->intos && !o->believe) body_into(b);
        if (report && !o->believe && !o->options.discover) body_touches(b);
    }
    o->interfaces[f.id] = face;
    again_note(b, face);
    o->busy[f.id] = false;
    o->done[f.id] |= report;
    o->depth--;
    body_close(b);
}

const Interface *own_interface(Own *o, FuncId f)
{
    if (!o->interfaces[f.id] && !o->busy[f.id] && o->depth < OUT_OF_TURN && has_body(o, f))
        own_infer(o, f, true);
    return o->interfaces[f.id];
}

static bool calls_itself(const Program *p, FuncId f)
{
    ProgRange calls = p->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < calls.count; i++)
        if (p->calls.at[calls.first + i].callee.id == f.id) return true;
    return false;
}

Own *own_new(const Program *p, const OwnOptions *options)
{
    Arena *a = arena_new("ownership of a program");
    Own *o = arena_new_of(a, Own);
    o->arena = a;
    o->program = p;
    o->options = *options;
    o->collect = options->discover;
    if (options->discover) o->intos = arena_array_of(a, Into *, p->funcs.len);
    o->interfaces = arena_array_of(a, Interface *, p->funcs.len);
    o->busy = arena_array_of(a, bool, p->funcs.len);
    o->done = arena_array_of(a, bool, p->funcs.len);
    o->told = arena_array_of(a, ProgRange, p->funcs.len);
    o->content = arena_array_of(a, Hash128, p->funcs.len);
    o->from = arena_array_of(a, From, p->funcs.len);
    o->reads_of = arena_array_of(a, ProgRange, p->funcs.len);
    o->specs = arena_array_of(a, const SpecFunc *, p->funcs.len);
    for (uint32_t f = 1; f < p->funcs.len; f++)
        o->specs[f] = program_spec(p, options->specs, (FuncId){f});
    return o;
}

void own_free(Own *o)
{
    vec_free(&o->evidence);
    vec_each (i, &o->spare) arena_free(o->spare.at[i]);
    vec_free(&o->spare);
    vec_free(&o->asked);
    map_free(&o->evidence_of);
    vec_free(&o->fields);
    vec_free(&o->releasers);
    vec_free(&o->destroyed);
    map_free(&o->copied);
    map_free(&o->made);
    vec_free(&o->overwrites);
    vec_free(&o->reads);
    vec_free(&o->apart);
    vec_free(&o->touches);
    vec_free(&o->field_claims);
    vec_free(&o->plain);
    vec_free(&o->claims);
    vec_free(&o->places);
    map_free(&o->place_of);
    map_free(&o->field_of);
    beliefs_free(&o->beliefs);
    map_free(&o->calls_back);
    arena_free(o->arena);
}

// A component of functions that call each other is gone through twice: first with calls inside
// it unconstrained, then with the interfaces of the first round. Further rounds could only
// constrain more; to stop here errs towards missed violations.
static void infer_component(Own *o, ProgRange r)
{
    const Program *p = o->program;
    bool recursive = r.count > 1 || calls_itself(p, p->order.at[r.first]);
    for (int round = recursive ? 0 : 1; round < 2; round++)
        for (uint32_t i = 0; i < r.count; i++) {
            FuncId f = p->order.at[r.first + i];
            if (has_body(o, f) && !o->done[f.id]) own_infer(o, f, round == 1);
        }
}

void own_run(Own *o, Findings *into)
{
    const Program *p = o->program;
    o->into = into;
    for (uint32_t s = 1; s < p->sccs.len; s++) infer_component(o, p->sccs.at[s]);
    if (o->beliefs.any || o->touches.len) own_infer_again(o);
    if (into) own_field_claims(o);
    if (into) own_places(o);
    if (into) own_destroyers(o);
    if (into) own_overwrites(o);
    vec_each (i, &o->releasers) {
        Body *b = body_open(o, o->releasers.at[i]);
        body_releases(b, report_release);
        body_close(b);
    }
}

void own_drop(Own *o, const Map *gone)
{
    Findings *fs = o->into;
    uint32_t kept = 0;
    vec_each (i, &fs->all) {
        Finding *f = fs->all.at[i];
        if (map_get(gone, (uint64_t)(uintptr_t)f))
            finding_drop(f);
        else
            fs->all.at[kept++] = f;
    }
    fs->all.len = kept;
}

// Where the evaluation looked at all paths and told nothing it contradicts: such findings stay
// for the sound mode. Where it gave up nobody else has looked.
static void settle_plain(Own *o, const Eval *e)
{
    Bits given_up = eval_given_up(e, o->arena);
    Map there = {0}, gone = {0};
    vec_each (i, &o->into->all) map_set(&there, (uint64_t)(uintptr_t)o->into->all.at[i], 1);
    vec_each (i, &o->plain) {
        const PlainClaim *c = &o->plain.at[i];
        if (!map_get(&there, (uint64_t)(uintptr_t)c->finding)) continue; // of the first round
        if (bits_has(&given_up, c->func.id)) {
            doubt_withdraw(&c->finding->doubts, DOUBT_OWNERSHIP);
            finding_doubt(c->finding, DOUBT_GAVE_UP, c->finding->lost, c->finding->function);
        } else if (!o->options.audit) {
            map_set(&gone, (uint64_t)(uintptr_t)c->finding, 1);
        }
    }
    own_drop(o, &gone);
    map_free(&there);
    map_free(&gone);
}

void own_settle(Own *o, const Eval *e)
{
    if (o->into) settle_plain(o, e);
    vec_each (i, &o->claims) {
        const Claim *c = &o->claims.at[i];
        if (!eval_reaches(e, c->func, c->block)) 
            finding_doubt(c->finding, DOUBT_NO_PATH, c->finding->lost, NULL);
    }
}

const Beliefs *own_beliefs(const Own *o)
{
    return &o->beliefs;
}
