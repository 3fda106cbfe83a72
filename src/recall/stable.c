#include "recall/stable.h"

#include "recall/limits.h"

#include <stdlib.h>
#include <string.h>

// How deep the shape of a type is looked at where it is mentioned; the set of all types of the unit
// counts as well.

typedef struct {
    uint32_t line;
    uint64_t name; // of the function
} Start;
typedef VEC(Start) Starts;

// Of one unit.
typedef struct {
    uint64_t *types;  // by TypeId
    uint64_t all;     // the types as a set
    uint64_t *names;  // by Name; 0: not yet
    uint64_t *consts; // by constant; 0: not yet
    uint64_t *locs;   // by LocId; 0: not yet
} UnitForm;

struct Stable {
    const Program *program;
    const Facts *facts;
    Arena *arena;
    Names *paths;
    VEC(Starts) starts; // by Name in paths: where functions begin, by line
    Lines *lines;       // by Name in paths
    UnitForm *units;
    uint64_t *func, *global, *func_seen, *global_seen;
    Map func_of, global_of;
    VEC(uint64_t) words; // scratch of one body
    U32s targets;
};

static uint64_t text_hash(const char *text)
{
    return hash_bytes(text, strlen(text), 0);
}

static uint64_t name_hash(const Stable *s, uint32_t unit, Name n)
{
    uint64_t *known = &s->units[unit].names[n.id];
    if (!*known) *known = text_hash(name_text(s->program->units[unit]->names, n)) | 1;
    return *known;
}

// ---- types

static void find_types(Stable *s, uint32_t unit)
{
    const Unit *u = s->program->units[unit];
    UnitForm *form = &s->units[unit];
    uint32_t n = u->types.len;
    Arena *scratch = arena_new("types");
    uint64_t *own = arena_array_of(scratch, uint64_t, n),
             *next = arena_array_of(scratch, uint64_t, n);
    form->types = arena_array_of(s->arena, uint64_t, n);
    for (uint32_t t = 1; t < n; t++) {
        const Type *y = &u->types.at[t];
        uint64_t h = hash_mix(hash_mix(y->kind, y->size), hash_mix(y->flags, y->count));
        h = hash_mix(h, name_hash(s, unit, y->name));
        for (uint32_t i = 0; i < y->elem_count; i++) {
            const Elem *e = &u->elems.at[y->first_elem + i];
            h = hash_mix(h, hash_mix(e->offset, hash_mix(e->bit_size, e->flags)));
            h = hash_mix(h, name_hash(s, unit, e->name));
        }
        own[t] = form->types[t] = h;
    }
    for (int round = 0; round < TYPE_ROUNDS; round++) {
        for (uint32_t t = 1; t < n; t++) {
            const Type *y = &u->types.at[t];
            uint64_t h = own[t];
            for (uint32_t i = 0; i < y->elem_count; i++)
                h = hash_mix(h, form->types[u->elems.at[y->first_elem + i].type.id]);
            next[t] = h;
        }
        memcpy(form->types, next, n * sizeof *next);
    }
    for (uint32_t t = 1; t < n; t++) form->all += form->types[t];
    arena_free(scratch);
}

// ---- names

// Nobody asks for these while a function is evaluated, only before (what comes of that is told in other words, as
// the targets of calls) and after: else a library that many programs link would be evaluated for each. Whether
// another function of the program has the name, whether a library of the program's own brings it; of functions,
// who else may call them, and when.
enum {
    FLAGS_UNREAD = PROG_SAME_NAME | PROG_SHARED,
    FUNC_FLAGS_UNREAD = FLAGS_UNREAD | PROG_ADDRESS_TAKEN | PROG_START | PROG_KEPT | PROG_HIDDEN,
};

// The second of two with the same name is another name.
static uint64_t make_known(Map *known, uint64_t name, uint32_t id)
{
    bool fresh = false;
    for (; !fresh; name = hash_mix(name, 1)) {
        if (!name) continue;
        map_at(known, name, id, &fresh);
        if (fresh) break;
    }
    return name;
}

static void name_functions(Stable *s)
{
    const Program *p = s->program;
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const ProgFunc *pf = &p->funcs.at[f];
        const Unit *u = p->units[pf->unit];
        const Func *d = &u->funcs.at[pf->func.id];
        uint64_t name = text_hash(name_text(p->names, pf->name));
        if (pf->flags & PROG_INTERNAL)
            name = hash_mix(name, text_hash(name_text(u->names, u->source)));
        s->func[f] = make_known(&s->func_of, name, f);
        uint64_t h = hash_mix(s->func[f], pf->flags & ~(uint32_t)FUNC_FLAGS_UNREAD);
        h = hash_mix(h, text_hash(name_text(p->names, pf->source)));
        bool back = bits_has(&s->facts->may_return, f);
        bool matters = !s->facts->hints || bits_has(&s->facts->hints->matters, f);
        h = hash_mix(h, hash_mix(back + 2 * matters, hash_mix(d->flags, d->result.bits)));
        for (uint32_t i = 0; i < d->param_count; i++) {
            const Param *q = &u->params.at[d->first_param + i];
            h = hash_mix(h, hash_mix(q->mtype.bits, hash_mix(q->flags, q->byval_size)));
        }
        s->func_seen[f] = h;
    }
}

static void name_globals(Stable *s)
{
    const Program *p = s->program;
    for (uint32_t g = 1; g < p->globals.len; g++) {
        const ProgGlobal *pg = &p->globals.at[g];
        const Unit *u = p->units[pg->unit];
        const Global *d = &u->globals.at[pg->global.id];
        bool literal = d->flags & GLOBAL_STRING;
        uint64_t name = literal ? hash_mix(name_hash(s, pg->unit, d->text), d->size)
                                : text_hash(name_text(p->names, pg->name));
        if (literal || (pg->flags & PROG_INTERNAL))
            name = hash_mix(name, text_hash(name_text(u->names, u->source)));
        s->global[g] = make_known(&s->global_of, name, g);
        uint64_t h =
            hash_mix(s->global[g], hash_mix(pg->flags & ~(uint32_t)FLAGS_UNREAD, pg->size));
        if (!literal) h = hash_mix(h, text_hash(name_text(p->names, pg->source)));
        h = hash_mix(h, bits_has(&s->facts->marks.handed_on, g));
        s->global_seen[g] = hash_mix(h, hash_mix(d->flags, s->units[pg->unit].types[d->type.id]));
    }
}

uint64_t stable_func(const Stable *s, FuncId f)
{
    return s->func[f.id];
}
uint64_t stable_global(const Stable *s, GlobalId g)
{
    return s->global[g.id];
}
uint64_t stable_func_seen(const Stable *s, FuncId f)
{
    return s->func_seen[f.id];
}
uint64_t stable_global_seen(const Stable *s, GlobalId g)
{
    return s->global_seen[g.id];
}
FuncId stable_find_func(const Stable *s, uint64_t name)
{
    uint64_t *at = map_get(&s->func_of, name);
    return (FuncId){at ? (uint32_t)*at : 0};
}
GlobalId stable_find_global(const Stable *s, uint64_t name)
{
    uint64_t *at = map_get(&s->global_of, name);
    return (GlobalId){at ? (uint32_t)*at : 0};
}

// With the unit's own declaration, which words are taken from.
uint64_t stable_const(const Stable *s, uint32_t unit, const Const *c)
{
    const Program *p = s->program;
    const Unit *u = p->units[unit];
    uint64_t h = hash_mix(hash_mix(c->kind, c->type), (uint64_t)c->value);
    switch ((ConstKind)c->kind) {
    case CONST_GLOBAL: {
        const Global *d = &u->globals.at[c->target];
        h = hash_mix(h, s->global_seen[program_global(p, unit, (UGlobalId){c->target}).id]);
        if (d->flags & GLOBAL_STRING) return h;
        return hash_mix(h, hash_mix(text_hash(name_text(u->names, d->source)),
                                    s->units[unit].types[d->type.id]));
    }
    case CONST_FUNC:
    case CONST_BLOCK: {
        const Func *d = &u->funcs.at[c->target];
        h = hash_mix(h, s->func_seen[program_func(p, unit, (UFuncId){c->target}).id]);
        return hash_mix(h, hash_mix(text_hash(name_text(u->names, d->source)), d->flags));
    }
    case CONST_BYTES:
        return hash_mix(h, hash_bytes(u->bytes.at + c->target, (size_t)c->value, 0));
    default:
        return h;
    }
}

uint64_t stable_global_content(const Stable *s, GlobalId id)
{
    const Program *p = s->program;
    const ProgGlobal *pg = &p->globals.at[id.id];
    const Unit *u = p->units[pg->unit];
    const Global *d = &u->globals.at[pg->global.id];
    uint64_t h = s->global_seen[id.id];
    if (d->text.id) h = hash_mix(h, name_hash(s, pg->unit, d->text));
    uint32_t first, runs = global_runs(u, pg->global.id, &first);
    for (uint32_t i = 0; i < runs; i++) {
        const DataRun *r = &u->runs.at[first + i];
        h = hash_mix(hash_mix(h, r->offset), hash_bytes(u->bytes.at + r->first, r->count, 0));
    }
    for (uint32_t i = 0; i < d->init_count; i++) {
        const Init *n = &u->inits.at[d->first_init + i];
        h = hash_mix(hash_mix(h, n->offset), hash_mix(n->type, stable_const(s, pg->unit, &u->consts.at[ref_index((Ref){n->value})])));
    }
    return h;
}

// ---- positions

// Functions of a header are in many units: of those that begin on one line the one with the least
// name counts, which is the same whatever their numbers.
static int by_line(const void *x, const void *y)
{
    const Start *a = x, *b = y;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

static const Loc *func_loc(const Program *p, FuncId f, const Unit **u)
{
    const Func *fn = program_body(p, f, u);
    return fn ? &(*u)->locs.at[fn->loc.id] : NULL;
}

static void find_starts(Stable *s)
{
    const Program *p = s->program;
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const Unit *u;
        const Loc *l = func_loc(p, (FuncId){f}, &u);
        if (!l || !l->line || !l->file) continue;
        Name path = name_of(s->paths, name_text(u->names, u->files.at[l->file].path));
        if (path.id >= s->starts.len) vec_extend(&s->starts, path.id + 1 - s->starts.len);
        vec_push(&s->starts.at[path.id], ((Start){l->line, s->func[f]}));
    }
    vec_each (i, &s->starts) {
        Starts *all = &s->starts.at[i];
        if (!all->len) continue;
        qsort(all->at, all->len, sizeof *all->at, by_line);
        uint32_t kept = 1;
        for (uint32_t k = 1; k < all->len; k++)
            if (all->at[k].line != all->at[kept - 1].line) all->at[kept++] = all->at[k];
        all->len = kept;
    }
}

// Which files of the unit have functions: by file, the Name in paths or 0.
static uint32_t *paths_of(const Stable *s, uint32_t unit, Arena *a)
{
    const Unit *u = s->program->units[unit];
    uint32_t *path = arena_array_of(a, uint32_t, u->files.len + 1);
    for (uint32_t f = 1; f < u->files.len; f++) {
        uint32_t id = name_find(s->paths, name_text(u->names, u->files.at[f].path)).id;
        path[f] = id < s->starts.len ? id : 0;
    }
    return path;
}

static void find_lines(Stable *s)
{
    const Program *p = s->program;
    Arena *scratch = arena_new("lines");
    uint32_t **path = arena_array_of(scratch, uint32_t *, p->unit_count);
    s->lines = arena_array_of(s->arena, Lines, s->starts.len + 1);
    for (uint32_t k = 0; k < p->unit_count; k++) {
        path[k] = paths_of(s, k, scratch);
        vec_each (i, &p->units[k]->locs) {
            const Loc *l = &p->units[k]->locs.at[i];
            Lines *in = &s->lines[path[k][l->file]];
            if (l->line > in->last) in->last = l->line;
        }
    }
    for (uint32_t i = 0; i < s->starts.len; i++) lines_begin(&s->lines[i], s->arena);
    for (uint32_t k = 0; k < p->unit_count; k++)
        vec_each (i, &p->units[k]->locs) {
            const Loc *l = &p->units[k]->locs.at[i];
            if (l->line) lines_add(&s->lines[path[k][l->file]].code, l->line);
        }
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const Unit *u;
        const Func *fn = program_body(p, (FuncId){f}, &u);
        const uint32_t *files = fn ? path[p->funcs.at[f].unit] : NULL;
        ProgRange r = fn ? p->funcs.at[f].calls : (ProgRange){0};
        for (uint32_t i = 0; i < r.count; i++) {
            const Loc *l = &u->locs.at[func_ins(u, fn, p->calls.at[r.first + i].ins)->loc];
            if (l->line) lines_add(&s->lines[files[l->file]].calls, l->line);
        }
        for (uint32_t i = 0; fn && i < fn->block_count; i++) {
            const Block *b = func_block(u, fn, i);
            const Ins *end = func_ins(u, fn, b->first + b->count - 1);
            const Loc *l = &u->locs.at[end->loc];
            if (l->line && (end->op == OP_BRANCH || end->op == OP_SWITCH)) lines_add(&s->lines[files[l->file]].branches, l->line);
        }
    }
    for (uint32_t i = 0; i < s->starts.len; i++) lines_close(&s->lines[i]);
    arena_free(scratch);
}

// The function in whose lines the position lies, as far as starts tell; null: none.
static const Start *start_of(const Stable *s, Pos pos, uint32_t *path)
{
    if (!pos.path || !pos.line) return NULL;
    *path = name_find(s->paths, pos.path).id;
    if (!*path || *path >= s->starts.len) return NULL;
    const Starts *all = &s->starts.at[*path];
    uint32_t low = 0, high = all->len; // the first that begins behind it
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (all->at[middle].line <= pos.line)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &all->at[low - 1] : NULL;
}

StablePlace stable_place(const Stable *s, Pos pos)
{
    uint32_t path;
    const Start *start = start_of(s, pos, &path);
    if (!start) return (StablePlace){0, {LINES_RAW, 0, (int32_t)pos.line}};
    return (StablePlace){start->name, lines_place(&s->lines[path], start->line, pos.line)};
}

bool stable_pos(const Stable *s, StablePlace place, Pos *pos)
{
    FuncId f = stable_find_func(s, place.func);
    const Unit *u;
    const Loc *l = f.id ? func_loc(s->program, f, &u) : NULL;
    if (!l || !l->line || !l->file) return false;
    pos->path = name_text(u->names, u->files.at[l->file].path);
    pos->line = lines_find(&s->lines[name_find(s->paths, pos->path).id], l->line, place.in);
    return pos->line != 0;
}

// ---- bodies

static void put(Stable *s, uint64_t word)
{
    vec_push(&s->words, word);
}

static uint64_t loc_hash(Stable *s, uint32_t unit, uint32_t loc)
{
    const Unit *u = s->program->units[unit];
    uint64_t *known = &s->units[unit].locs[loc];
    if (*known) return *known;
    const Loc *l = &u->locs.at[loc];
    Pos pos = {l->file ? name_text(u->names, u->files.at[l->file].path) : NULL, l->line, l->col};
    // Where it is by both counts: by lines as they are, since an evaluation may ask how far two tests of its own function
    // are apart; and as a place, since that of what it leaves is found again by it.
    StablePlace place = stable_place(s, pos);
    uint32_t path;
    const Start *start = start_of(s, pos, &path);
    uint64_t h = hash_mix(place.func, hash_mix(l->line - (start ? start->line : 0), hash_mix(l->col, l->scope)));
    h = hash_mix(h, hash_mix(map_pair(place.in.calls, (uint32_t)place.in.line), place.in.branches));
    if (!place.func && pos.path) h = hash_mix(h, text_hash(pos.path));
    return *known = h | 1;
}

static uint64_t ref_hash(Stable *s, uint32_t unit, uint32_t bits)
{
    Ref r = {bits};
    if (!ref_is_const(r)) return bits;
    uint64_t *known = &s->units[unit].consts[ref_index(r)];
    if (!*known)
        *known = stable_const(s, unit, &s->program->units[unit]->consts.at[ref_index(r)]) | 1;
    return *known;
}

// Words of the instruction in the extra table: `count` of which every `step`th from `refs` on is a
// value, then `tail` plain ones.
static void put_extra(Stable *s, uint32_t unit, const Func *f, const Ins *in, uint32_t count,
                      uint32_t refs, uint32_t step, uint32_t tail)
{
    const uint32_t *x = count + tail ? func_extra(s->program->units[unit], f, in->b) : NULL;
    for (uint32_t i = 0; i < count; i++) put(s, i % step == refs ? ref_hash(s, unit, x[i]) : x[i]);
    for (uint32_t i = count; i < count + tail; i++) put(s, x[i]);
}

// A failed assertion is handed its own line: that is no change when the line moves, since nothing
// comes after the call.
static void put_last_call(Stable *s, uint32_t unit, const Func *f, const Ins *in)
{
    const Unit *u = s->program->units[unit];
    for (uint32_t i = 0; i < in->c; i++) {
        uint32_t x = *func_extra(u, f, in->b + i);
        const Const *c = ref_is_const((Ref){x}) ? &u->consts.at[ref_index((Ref){x})] : NULL;
        bool line = c && c->kind == CONST_INT && c->value == u->locs.at[in->loc].line;
        put(s, line ? UINT64_MAX : ref_hash(s, unit, x));
    }
}

static void put_ins(Stable *s, uint32_t unit, const Func *f, const Ins *in)
{
    put(s, (uint64_t)in->op << 32 | (uint64_t)in->flags << 16 | in->type.bits);
    put(s, loc_hash(s, unit, in->loc));
    uint64_t a = in->a, b = in->b, c = in->c;
    OpForm form = op_form((Op)in->op);
    if (form != FORM_NONE && form != FORM_JUMP && form != FORM_PHI && form != FORM_OPAQUE) a = ref_hash(s, unit, in->a);
    switch (form) {
    case FORM_AB:
    case FORM_INDEX:
    case FORM_SETPART:
        b = ref_hash(s, unit, in->b);
        break;
    case FORM_ABC:
        b = ref_hash(s, unit, in->b);
        c = ref_hash(s, unit, in->c);
        break;
    case FORM_FIELD:
        c = name_hash(s, unit, (Name){in->c});
        break;
    case FORM_CALL:
        if (in->flags & INS_NORETURN)
            put_last_call(s, unit, f, in);
        else
            put_extra(s, unit, f, in, in->c, 0, 1, 0);
        break;
    case FORM_OPAQUE:
        put_extra(s, unit, f, in, in->c, 0, 1, 0);
        break;
    case FORM_INVOKE:
        put_extra(s, unit, f, in, in->c, 0, 1, 2);
        break;
    case FORM_PHI:
        put_extra(s, unit, f, in, 2 * in->c, 1, 2, 0);
        break;
    case FORM_SWITCH:
        put_extra(s, unit, f, in, 2 * in->c, 0, 2, 1);
        break;
    case FORM_GOTO:
        put_extra(s, unit, f, in, 0, 0, 1, in->c);
        break;
    case FORM_NONE:
    case FORM_A:
    case FORM_PART:
    case FORM_LOCAL:
    case FORM_VAR:
    case FORM_JUMP:
    case FORM_BRANCH:
        break;
    }
    put(s, a);
    put(s, b);
    put(s, c);
}

// What is believed of a callee that nobody knows. Where nothing is, it does not matter why.
static void put_beliefs(Stable *s, FuncId caller, FuncId callee, uint32_t arguments)
{
    const Beliefs *b = s->facts->beliefs;
    if (!b || !b->any || program_has_code(s->program, callee)) return;
    for (uint32_t i = 0; i < arguments; i++) {
        BeliefCounts c = belief_counts(b, callee, i, caller);
        if (!belief_borrows(c) && !belief_takes_for(b, s->program, callee, i, caller)) continue;
        put(s, i);
        for (uint32_t v = 0; v < SITE_VERDICTS; v++) put(s, c.count[v]);
    }
}

// What is believed to allocate: the sentence says on what grounds.
static void put_allocator(Stable *s, const SpecFunc *spec)
{
    if (spec && spec->belief) put(s, hash_mix(text_hash(spec->belief), spec->fail));
}

static void put_calls(Stable *s, FuncId f, const Unit *u, const Func *fn)
{
    const Program *p = s->program;
    ProgRange calls = p->funcs.at[f.id].calls;
    for (uint32_t k = 0; k < calls.count; k++) {
        CallSite site = p->calls.at[calls.first + k];
        uint32_t arguments = func_ins(u, fn, site.ins)->c;
        vec_clear(&s->targets);
        if (site.callee.id) {
            put_beliefs(s, f, site.callee, arguments);
            put_allocator(s, facts_spec(s->facts, site.callee));
            continue;
        }
        put_allocator(s, facts_call_spec(s->facts, f, site.ins));
        if (!s->facts->points) continue;
        put(s, points_callees(s->facts->points, f, site.ins, &s->targets));
        put(s, s->targets.len);
        vec_each (t, &s->targets) {
            put(s, s->func_seen[s->targets.at[t]]);
            put_beliefs(s, f, (FuncId){s->targets.at[t]}, arguments);
            put_allocator(s, facts_spec(s->facts, (FuncId){s->targets.at[t]}));
        }
    }
    for (uint32_t k = 0; k < calls.count; k++) {
        uint32_t ins = p->calls.at[calls.first + k].ins;
        const uint64_t *param = map_get(&s->facts->release_params, map_pair(f.id, ins));
        if (param) put(s, map_pair(ins, (uint32_t)*param));
    }
    put(s, UINT32_MAX);
    const FlowHints *h = s->facts->hints;
    for (uint32_t i = 0; h && h->freed[f.id].words && i < fn->ins_count; i++)
        if (bits_has(&h->freed[f.id], i)) put(s, i);
    put(s, UINT32_MAX); // what the two lists name are different things
    for (uint32_t i = 0; h && h->idle[f.id].words && i < fn->ins_count; i++)
        if (bits_has(&h->idle[f.id], i)) put(s, i);
}

Hash128 stable_body(Stable *s, FuncId id)
{
    const Unit *u;
    const Func *f = program_body(s->program, id, &u);
    uint32_t unit = s->program->funcs.at[id.id].unit;
    const UnitForm *form = &s->units[unit];
    vec_clear(&s->words);
    put(s, s->func_seen[id.id]);
    put(s, form->all);
    put(s, u->pointer_bytes);
    put(s, name_hash(s, unit, u->language));
    put(s, form->types[f->type.id]);
    put(s, name_hash(s, unit, f->source));
    put(s, loc_hash(s, unit, f->loc.id));
    for (uint32_t i = 0; i < f->param_count; i++) {
        const Param *q = &u->params.at[f->first_param + i];
        put(s, name_hash(s, unit, q->name));
        put(s, form->types[q->type.id]);
    }
    put(s, f->local_count);
    for (uint32_t i = 0; i < f->local_count; i++) {
        const Local *l = &u->locals.at[f->first_local + i];
        put(s, name_hash(s, unit, l->name));
        put(s, form->types[l->type.id]);
        put(s, l->size);
        put(s, loc_hash(s, unit, l->loc.id));
        put(s, l->align);
    }
    put(s, f->var_count);
    for (uint32_t i = 0; i < f->var_count; i++) {
        const Var *v = &u->vars.at[f->first_var + i];
        put(s, name_hash(s, unit, v->name));
        put(s, form->types[v->type.id]);
        put(s, loc_hash(s, unit, v->loc.id));
        put(s, v->param);
    }
    put(s, f->block_count);
    for (uint32_t i = 0; i < f->block_count; i++) {
        const Block *b = func_block(u, f, i);
        put(s, (uint64_t)b->first << 32 | b->count);
    }
    for (uint32_t i = 0; i < f->ins_count; i++) put_ins(s, unit, f, func_ins(u, f, i));
    put_calls(s, id, u, f);
    for (uint32_t i = 0; i < f->ins_count; i++)
        if (map_get(&s->facts->idle, map_pair(id.id, i))) put(s, i);
    return hash128_bytes(s->words.at, s->words.len * sizeof *s->words.at);
}

Stable *stable_new(const Facts *facts)
{
    const Program *p = facts->program;
    Stable *s = mem_alloc(sizeof *s);
    s->program = p;
    s->facts = facts;
    s->arena = arena_new("stable names");
    s->paths = names_new();
    s->units = arena_array_of(s->arena, UnitForm, p->unit_count);
    for (uint32_t k = 0; k < p->unit_count; k++) {
        const Unit *u = p->units[k];
        s->units[k].names = arena_array_of(s->arena, uint64_t, names_count(u->names));
        s->units[k].consts = arena_array_of(s->arena, uint64_t, u->consts.len);
        s->units[k].locs = arena_array_of(s->arena, uint64_t, u->locs.len);
        find_types(s, k);
    }
    s->func = arena_array_of(s->arena, uint64_t, p->funcs.len);
    s->func_seen = arena_array_of(s->arena, uint64_t, p->funcs.len);
    s->global = arena_array_of(s->arena, uint64_t, p->globals.len);
    s->global_seen = arena_array_of(s->arena, uint64_t, p->globals.len);
    name_functions(s);
    name_globals(s);
    find_starts(s);
    find_lines(s);
    return s;
}

void stable_free(Stable *s)
{
    if (!s) return;
    vec_each (i, &s->starts) vec_free(&s->starts.at[i]);
    vec_free(&s->starts);
    vec_free(&s->words);
    vec_free(&s->targets);
    map_free(&s->func_of);
    map_free(&s->global_of);
    names_free(s->paths);
    arena_free(s->arena);
    mem_free(s);
}
