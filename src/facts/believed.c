// Who allocates, by what becomes of the results.
//
// A *hook* is a function without code and spec, or a pointer to functions in a named place. One gives
// pointers, another takes a `void *` and returns nothing. In each function that calls the first, the
// result is followed through the values of the function:
//
//     released   it is passed to such a taker, or to a release that a model knows, and not used afterwards
//     dropped    it is read and compared, and nobody else gets it: whoever does that does not own it
//     neither    it is stored, returned or passed on: says nothing
//
// A taker that is passed addresses of variables, or what is used afterwards, does not release. Types
// count: a taker of a struct may do anything to it, and one that has two untyped parameters may be a
// container.
#include "facts/believed.h"

#include "base/hash.h"
#include "facts/fields.h"
#include "facts/limits.h"
#include "link/specs.h"
#include "unit/cfg.h"
#include "unit/types.h"

typedef struct {
    const char *name;
    const Unit *u;
    TypeId type;          // of the function; none: nobody declares it (a global of another file)
    uint32_t args;        // without a type: how many its calls pass, and which of them are not the same
    uint64_t pointers, numbers; // constant everywhere, by bit
    FuncId func;          // 0: a pointer
    const SpecFunc *spec; // a model knows that it releases
    int32_t takes;        // the parameter that it may release; -1: none
    bool gives;           // may hand out memory
    bool known;           // a pointer of which the program says what it may hold
    bool tested;          // some caller compares what it gives
    bool fresh;           // some caller writes into it before reading
    uint32_t dropped, last_dropped; // functions that drop it; the last of them
    uint32_t read, last_read;       // that read from it before anybody has written there
    uint32_t released, last_released; // of a taker: functions that use it as a release
    uint32_t wrong, last_wrong;       // and otherwise
} Hook;

typedef struct {
    uint32_t from, to; // hooks
    uint32_t functions, last;
} HookPair;

// A call that gives what a hook gives, or passes what a hook takes, or both: of the hook itself, or of a
// function with code around it.
typedef struct {
    uint32_t ins;
    uint32_t gives, takes; // hooks, 0: none
    uint32_t param;        // what is taken
    bool direct;
} HookCall;

// A value under way.
typedef struct {
    uint32_t ins;
    bool inside; // points into the block
    bool mixed;  // or is something else
} At;

typedef struct {
    Facts *facts;
    Arena *arena;   // keeps
    Arena *scratch; // of one function
    VEC(Hook) hooks; // entry 0 is none
    Map hook_of;     // key -> hook
    VEC(HookPair) pairs;
    Map pair_of;
    // Of the function that is looked at:
    FuncId id;
    uint32_t unit;
    const Unit *u;
    const Func *f;
    const Cfg *cfg;
    Map types; // structs that values point to (fields.h)
    bool typed;
    VEC(HookCall) sites;
    uint32_t *site_of;         // by instruction: index in sites + 1
    uint32_t *first_use, *use; // by instruction: who uses it
    uint32_t *seen;            // by instruction: the search that came by
    VEC(At) open;              // of a search
    U32s targets;
    // Of all of them:
    uint32_t *gives_of; // by FuncId: the hook whose result it returns
    Map takes_of;       // (FuncId, parameter) -> the hook that it passes it to
    VEC(uint64_t) through;     // (function, instruction) of calls through pointers; beside them their hooks
    U32s through_hook;
    VEC(uint64_t) taking; // of calls that pass something to a hook; beside them the hook and the parameter
    VEC(uint64_t) taking_hook;
} Believe;

static Ref argument(const Believe *k, const Ins *call, uint32_t number)
{
    return (Ref){*func_extra(k->u, k->f, call->b + number)};
}

// ---- Hooks.

static bool is_void(const Unit *u, TypeId to)
{
    const Type *t = &u->types.at[plain_type(u, to).id];
    return t->kind == TYPE_VOID || t->kind == TYPE_NONE;
}

static bool is_pointer(const Unit *u, TypeId t)
{
    return u->types.at[plain_type(u, t).id].kind == TYPE_POINTER;
}

// Its own elements count from 1; 0 is the result.
static TypeId type_at(const Hook *h, uint32_t i)
{
    const Type *t = &h->u->types.at[h->type.id];
    return i < t->elem_count ? h->u->elems.at[t->first_elem + i].type : (TypeId){0};
}

static uint32_t param_count(const Hook *h)
{
    if (!h->type.id) return h->args;
    const Type *t = &h->u->types.at[h->type.id];
    return t->elem_count ? t->elem_count - 1 : 0;
}

// The one untyped pointer that it takes; -1: there is none, or there are two.
static int32_t untyped(const Hook *h)
{
    int32_t found = -1;
    for (uint32_t i = 0; i < param_count(h); i++) {
        TypeId t = type_at(h, i + 1);
        if (!is_pointer(h->u, t) || !is_void(h->u, pointee(h->u, t)) || is_const_type(h->u, pointee(h->u, t)))
            continue;
        if (found >= 0) return -1;
        found = (int32_t)i;
    }
    return found;
}

// It gets a block that it could give back, grown or not.
static bool may_give_back(const Hook *h)
{
    TypeId result = plain_type(h->u, pointee(h->u, type_at(h, 0)));
    for (uint32_t i = 0; i < param_count(h); i++) {
        TypeId t = type_at(h, i + 1);
        if (!is_pointer(h->u, t) || is_const_type(h->u, pointee(h->u, t))) continue;
        TypeId to = plain_type(h->u, pointee(h->u, t));
        if (is_void(h->u, to) || to.id == result.id) return true;
    }
    return false;
}

static void judge_type(Hook *h)
{
    const Type *t = &h->u->types.at[h->type.id];
    if (!h->type.id) return;
    h->takes = -1;
    if (t->kind != TYPE_FUNC || !t->elem_count || (t->flags & TYPE_VARARGS)) return;
    TypeId result = type_at(h, 0);
    h->gives = is_pointer(h->u, result) && !is_const_type(h->u, pointee(h->u, result)) &&
               h->u->types.at[plain_type(h->u, pointee(h->u, result)).id].kind != TYPE_FUNC;
    if (!is_pointer(h->u, result) && is_void(h->u, result)) h->takes = untyped(h);
}

static uint32_t hook_new(Believe *k, uint64_t key, Hook h)
{
    bool fresh;
    uint64_t *at = map_at(&k->hook_of, key, k->hooks.len, &fresh);
    if (!fresh) return (uint32_t)*at;
    judge_type(&h);
    vec_push(&k->hooks, h);
    return k->hooks.len - 1;
}

// The parameter that a model's function releases in every case, if that is plain memory; -1: none.
static int32_t released_param(const SpecFunc *s)
{
    if (s->realloc || s->noreturn || s->result.gives != SPEC_PLAIN) return -1;
    for (uint32_t i = 0; i < s->param_count; i++) {
        const SpecParam *p = &s->params[i];
        if (p->mode == SPEC_TAKE && p->place == SPEC_ITSELF && p->family.id == FAMILY_HEAP.id &&
            p->when.op == SPEC_ALWAYS)
            return (int32_t)i;
    }
    return -1;
}

static uint32_t hook_of_func(Believe *k, FuncId f)
{
    const Program *p = k->facts->program;
    uint64_t key = map_pair(1, f.id);
    const uint64_t *known = map_get(&k->hook_of, key);
    if (known) return (uint32_t)*known;
    const SpecFunc *spec = facts_spec(k->facts, f);
    const Unit *u = NULL;
    const Func *decl = program_decl(p, f, &u);
    Hook h = {.name = name_text(p->names, p->funcs.at[f.id].source), .func = f, .takes = -1};
    bool closed = program_has_code(p, f) || !decl || !decl->type.id || k->facts->member_of[f.id] ||
                  (decl->flags & (FUNC_CXX | FUNC_NORETURN | FUNC_READNONE | FUNC_READONLY)) ||
                  (p->funcs.at[f.id].flags & (PROG_IFUNC | PROG_ENDS));
    if (closed && !spec) {
        map_set(&k->hook_of, key, 0);
        return 0;
    }
    if (!spec) {
        h.u = u, h.type = decl->type;
        return hook_new(k, key, h);
    }
    h.takes = program_has_code(p, f) ? -1 : released_param(spec);
    if (h.takes < 0) {
        map_set(&k->hook_of, key, 0);
        return 0;
    }
    h.spec = spec;
    map_set(&k->hook_of, key, k->hooks.len);
    vec_push(&k->hooks, h);
    return k->hooks.len - 1;
}

static TypeId function_behind(const Unit *u, TypeId pointer)
{
    TypeId to = plain_type(u, pointee(u, pointer));
    return u->types.at[to.id].kind == TYPE_FUNC ? to : (TypeId){0};
}

// Of a global that another file defines the unit has no type: its calls say what it takes.
static Hook by_call(const Believe *k, const char *name, const Ins *call)
{
    Hook h = {.name = name, .u = k->u, .args = call->c, .takes = -1};
    MClass result = mtype_class(call->type);
    h.gives = result == MT_PTR;
    for (uint32_t i = 0; i < call->c && result == MT_VOID; i++) {
        if (mtype_class(ref_type(k->u, k->f, argument(k, call, i))) != MT_PTR) continue;
        if (h.takes >= 0) return (Hook){.name = name, .u = k->u, .args = call->c, .takes = -1};
        h.takes = (int32_t)i;
    }
    return h;
}

// What differs from call to call.
static void note_arguments(const Believe *k, Hook *h, const Ins *call)
{
    if (h->type.id || h->func.id) return;
    h->known |= h->args != call->c || call->c > 64;
    for (uint32_t i = 0; i < call->c && i < 64; i++) {
        Ref r = argument(k, call, i);
        if (ref_is_const(r)) continue;
        bool pointer = mtype_class(ref_type(k->u, k->f, r)) == MT_PTR;
        *(pointer ? &h->pointers : &h->numbers) |= (uint64_t)1 << i;
    }
}

// Without a type: a block that is passed with a size may come back; a pointer alone is what is copied.
static bool may_be_realloc(const Hook *h)
{
    if (h->type.id) return may_give_back(h);
    if (!h->pointers) return false;
    return h->numbers || (h->pointers & (h->pointers - 1));
}

// The place that a pointer to functions is loaded from: in a global, or a field of a struct with a name.
static uint32_t hook_behind(Believe *k, const Ins *call)
{
    const Unit *u = k->u;
    Ref callee = {call->a};
    const Program *p = k->facts->program;
    const Ins *load = ref_is_ins(callee) ? func_ins(u, k->f, ref_index(callee)) : NULL;
    if (!load || load->op != OP_LOAD) return 0;
    Ref from = {load->a};
    const char *path = "";
    TypeId member = {0};
    if (ref_is_const(from)) {
        const Const *c = &u->consts.at[ref_index(from)];
        if (c->kind != CONST_GLOBAL || c->value < 0) return 0;
        const Global *g = &u->globals.at[c->target];
        GlobalId id = program_global(p, k->unit, (UGlobalId){c->target});
        // A model says what it does.
        if (program_variable_spec(p, k->facts->specs, id)) return 0;
        uint64_t key = hash_mix(map_pair(2, id.id), (uint64_t)c->value);
        const uint64_t *known = map_get(&k->hook_of, key);
        if (known) return (uint32_t)*known;
        const char *name = name_text(p->names, p->globals.at[id.id].source);
        if (!g->type.id) {
            if (c->value) name = arena_printf(k->arena, "%s + %lld", name, (long long)c->value);
            return hook_new(k, key, by_call(k, name, call));
        }
        if (!member_at(k->arena, u, g->type, (uint64_t)c->value, &path, &member)) return 0;
        TypeId type = function_behind(u, member);
        if (!type.id) return 0;
        if (*path) name = arena_printf(k->arena, "%s.%s", name, path);
        return hook_new(k, key, (Hook){.name = name, .u = u, .type = type});
    }
    Field field;
    if (!k->typed) fields_types(&k->types, u, k->f);
    k->typed = true;
    if (!fields_at(&k->types, u, k->f, from, &field) || !field.of) return 0;
    uint64_t key = hash_mix(map_pair(3, 0), field.key);
    const uint64_t *known = map_get(&k->hook_of, key);
    if (known) return (uint32_t)*known;
    TypeId in = fields_pointed(&k->types, u, k->f, field.base, 0);
    const Ins *at = func_ins(u, k->f, ref_index(from));
    if (!in.id || !member_at(k->arena, u, in, at->b, &path, &member)) return 0;
    TypeId type = function_behind(u, member);
    if (!type.id) return 0;
    const char *name = arena_printf(k->arena, "%s.%s", name_text(u->names, u->types.at[in.id].name), path);
    return hook_new(k, key, (Hook){.name = name, .u = u, .type = type});
}

static uint32_t hook_at(Believe *k, const CallSite *site)
{
    if (site->callee.id) return hook_of_func(k, site->callee);
    const Ins *call = func_ins(k->u, k->f, site->ins);
    uint32_t h = hook_behind(k, call);
    if (!h || !k->facts->points) return 0;
    note_arguments(k, &k->hooks.at[h], call);
    vec_clear(&k->targets);
    points_callees(k->facts->points, k->id, site->ins, &k->targets);
    if (k->targets.len) k->hooks.at[h].known = true;
    vec_push(&k->through, map_pair(k->id.id, site->ins));
    vec_push(&k->through_hook, h);
    return h;
}

static void add_site(Believe *k, const CallSite *site)
{
    uint32_t h = hook_at(k, site);
    HookCall s = {.ins = site->ins, .direct = true};
    const Ins *call = func_ins(k->u, k->f, site->ins);
    if (h) {
        if (k->hooks.at[h].gives) s.gives = h;
        if (k->hooks.at[h].takes >= 0) s.takes = h, s.param = (uint32_t)k->hooks.at[h].takes;
    } else if (site->callee.id) {
        s.direct = false;
        s.gives = k->gives_of[site->callee.id];
        for (uint32_t i = 0; i < call->c && !s.takes; i++) {
            const uint64_t *to = map_get(&k->takes_of, map_pair(site->callee.id, i));
            if (to) s.takes = (uint32_t)*to, s.param = i;
        }
    }
    if (s.takes && s.param >= call->c) s.takes = 0;
    if (s.takes && s.direct && !k->hooks.at[s.takes].spec) {
        vec_push(&k->taking, map_pair(k->id.id, s.ins));
        vec_push(&k->taking_hook, map_pair(s.takes, s.param));
    }
    if (s.gives || s.takes) vec_push(&k->sites, s);
}

// ---- What a function does with what it is given.

static void find_uses(Believe *k)
{
    uint32_t n = k->f->ins_count;
    k->first_use = arena_array_of(k->scratch, uint32_t, n + 2);
    k->seen = arena_array_of(k->scratch, uint32_t, n + 1);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < n; i++) {
            Operands o = ins_operands(k->u, k->f, func_ins(k->u, k->f, i));
            for (uint32_t x = 0; x < o.count + o.more_count; x++) {
                Ref r = operand_at(&o, x);
                if (!ref_is_ins(r)) continue;
                uint32_t *at = &k->first_use[ref_index(r) + 1];
                if (pass)
                    k->use[(*at)++] = i;
                else
                    at[1]++;
            }
        }
        if (pass) break;
        for (uint32_t i = 1; i <= n + 1; i++) k->first_use[i] += k->first_use[i - 1];
        k->use = arena_array_of(k->scratch, uint32_t, k->first_use[n + 1] + 1);
    }
}

typedef struct {
    U32s uses;     // that count as such: not comparisons, nor those that only choose among values
    U32s releases; // sites
    bool tested, handed, stored, returned;
    uint32_t first_read, first_other; // instructions + 1, 0: none
} Followed;

static bool is_argument(const Believe *k, const Ins *call, uint32_t number, uint32_t value)
{
    return ref_same(argument(k, call, number), ref_ins(value));
}

// Whether the call only looks at the value wherever it gets it.
static bool is_lent(const Believe *k, const Ins *call, uint32_t value)
{
    const Program *p = k->facts->program;
    FuncId f = program_callee(p, k->unit, k->u, (Ref){call->a});
    const SpecFunc *spec = f.id ? facts_spec(k->facts, f) : NULL;
    const Unit *u;
    const Func *decl = f.id ? program_decl(p, f, &u) : NULL;
    if (!decl) return false;
    for (uint32_t i = 0; i < call->c; i++) {
        if (!is_argument(k, call, i, value)) continue;
        const SpecParam *s = !spec ? NULL : i < spec->param_count ? &spec->params[i] : &spec->rest;
        bool lent = s ? s->mode == SPEC_REF && s->place == SPEC_ITSELF
                      : i < decl->param_count && (u->params.at[decl->first_param + i].flags & PARAM_CONST_POINTEE);
        if (!lent) return false;
    }
    return true;
}

// Whether the value is this one or null.
static bool is_mixed(const Believe *k, const Ins *choice, Ref value)
{
    Operands o = ins_operands(k->u, k->f, choice);
    for (uint32_t n = choice->op == OP_SELECT ? 1 : 0; n < o.count + o.more_count; n++) {
        Ref r = operand_at(&o, n);
        ConstKind kind = ref_is_const(r) ? (ConstKind)k->u->consts.at[ref_index(r)].kind : CONST_NONE;
        if (!ref_same(r, value) && kind != CONST_NULL && kind != CONST_UNDEF) return true;
    }
    return false;
}

static void note_first(uint32_t *first, uint32_t ins)
{
    if (!*first || ins + 1 < *first) *first = ins + 1;
}

static void follow_use(Believe *k, At from, uint32_t ins, Followed *out)
{
    const Ins *i = func_ins(k->u, k->f, ins);
    const HookCall *site = k->site_of[ins] ? &k->sites.at[k->site_of[ins] - 1] : NULL;
    switch ((Op)i->op) {
    case OP_BIND:
        return;
    case OP_EQ:
    case OP_NE:
    case OP_ULT:
    case OP_ULE:
        out->tested = true;
        return;
    case OP_PHI:
    case OP_SELECT:
        vec_push(&k->open, ((At){ins, from.inside, from.mixed || is_mixed(k, i, ref_ins(from.ins))}));
        return;
    case OP_FIELD:
    case OP_INDEX:
        vec_push(&k->open, ((At){ins, true, from.mixed}));
        return;
    case OP_LOAD:
        note_first(&out->first_read, ins);
        break;
    case OP_FILL:
    case OP_COPY:
        note_first(&out->first_other, ins);
        break;
    case OP_STORE:
        note_first(&out->first_other, ins);
        if (ref_same((Ref){i->b}, ref_ins(from.ins))) out->handed = out->stored = true;
        break;
    case OP_RET:
        out->handed = true;
        out->returned |= !from.inside;
        break;
    case OP_CALL:
    case OP_INVOKE:
        if (site && site->takes && !from.inside && is_argument(k, i, site->param, from.ins)) {
            out->handed = true;
            if (!from.mixed) vec_push(&out->releases, k->site_of[ins] - 1);
            return;
        }
        note_first(&out->first_other, ins);
        out->handed |= !is_lent(k, i, from.ins);
        break;
    default:
        out->handed = true;
        break;
    }
    vec_push(&out->uses, ins);
}

static void follow(Believe *k, uint32_t value, uint32_t search, Followed *out)
{
    vec_clear(&k->open);
    vec_push(&k->open, ((At){value, false, false}));
    while (k->open.len) {
        At at = vec_pop(&k->open);
        if (k->seen[at.ins] == search) continue;
        k->seen[at.ins] = search;
        for (uint32_t n = k->first_use[at.ins]; n < k->first_use[at.ins + 1]; n++)
            follow_use(k, at, k->use[n], out);
    }
}

static bool is_after(Believe *k, uint32_t first, uint32_t second)
{
    uint32_t a = func_block_of(k->u, k->f, first), b = func_block_of(k->u, k->f, second);
    if (a == b) return first < second;
    if (!k->cfg) k->cfg = cfg_build(k->scratch, k->u, k->f);
    return cfg_dominates(k->cfg, a, b);
}

// Each function counts once, however often it does a thing.
static void count(uint32_t *count, uint32_t *last, FuncId f)
{
    *count += *last != f.id;
    *last = f.id;
}

static void note_release(Believe *k, uint32_t from, uint32_t site, const Followed *all)
{
    HookCall s = k->sites.at[site];
    Hook *to = &k->hooks.at[s.takes];
    vec_each (n, &all->uses)
        if (is_after(k, s.ins, all->uses.at[n])) {
            if (s.direct) count(&to->wrong, &to->last_wrong, k->id);
            return;
        }
    count(&to->released, &to->last_released, k->id);
    if (!from) return;
    bool fresh;
    uint64_t *at = map_at(&k->pair_of, map_pair(from, s.takes), k->pairs.len, &fresh);
    if (fresh) vec_push(&k->pairs, ((HookPair){.from = from, .to = s.takes}));
    count(&k->pairs.at[*at].functions, &k->pairs.at[*at].last, k->id);
}

static void followed_free(Followed *x)
{
    vec_free(&x->uses);
    vec_free(&x->releases);
}

// What a call hands out.
static void look_at_result(Believe *k, uint32_t site)
{
    HookCall s = k->sites.at[site];
    Followed all = {0};
    follow(k, s.ins, s.ins + 1, &all);
    Hook *h = &k->hooks.at[s.gives];
    h->tested |= all.tested;
    bool reads = all.first_read && (!all.first_other || all.first_read < all.first_other);
    if (reads && s.direct) count(&h->read, &h->last_read, k->id);
    h->fresh |= !reads && all.first_other && s.direct;
    vec_each (n, &all.releases) note_release(k, s.gives, all.releases.at[n], &all);
    if (!all.releases.len && !all.handed) count(&h->dropped, &h->last_dropped, k->id);
    if (all.returned && !all.stored && !k->gives_of[k->id.id]) k->gives_of[k->id.id] = s.gives;
    followed_free(&all);
}

// What a taker gets that does not come straight from a call: read from memory it may own; an address of a
// variable or inside of something nobody releases. What comes from the caller is the caller's to judge.
static void look_at_argument(Believe *k, uint32_t site)
{
    HookCall s = k->sites.at[site];
    Hook *h = &k->hooks.at[s.takes];
    const Ins *call = func_ins(k->u, k->f, s.ins);
    Ref r = argument(k, call, s.param);
    if (ref_is_param(r) && mtype_class(k->f->result) == MT_VOID)
        map_set(&k->takes_of, map_pair(k->id.id, ref_index(r)), s.takes);
    if (!s.direct || h->spec) return;
    ConstKind kind = ref_is_const(r) ? (ConstKind)k->u->consts.at[ref_index(r)].kind : CONST_NONE;
    if (kind == CONST_GLOBAL || kind == CONST_FUNC) count(&h->wrong, &h->last_wrong, k->id);
    if (!ref_is_ins(r)) return;
    const Ins *from = func_ins(k->u, k->f, ref_index(r));
    if (from->op == OP_ALLOCA || (from->op == OP_FIELD && (int32_t)from->b > 0))
        count(&h->wrong, &h->last_wrong, k->id);
    if (from->op != OP_LOAD) return;
    Followed all = {0};
    follow(k, ref_index(r), k->f->ins_count + s.ins + 1, &all);
    note_release(k, 0, site, &all);
    followed_free(&all);
}

static bool is_passed_on(const Believe *k, const HookCall *s)
{
    return ref_is_param(argument(k, func_ins(k->u, k->f, s->ins), s->param));
}

static void look_at_function(Believe *k, FuncId id)
{
    const Program *p = k->facts->program;
    k->id = id;
    k->f = program_body(p, id, &k->u);
    k->unit = p->funcs.at[id.id].unit;
    if (!k->f || (k->f->flags & FUNC_CXX)) return;
    k->cfg = NULL;
    k->typed = false;
    vec_clear(&k->sites);
    ProgRange calls = p->funcs.at[id.id].calls;
    for (uint32_t n = 0; n < calls.count; n++) add_site(k, &p->calls.at[calls.first + n]);
    bool any = false;
    vec_each (n, &k->sites) {
        const HookCall *x = &k->sites.at[n];
        any |= x->gives || !k->hooks.at[x->takes].spec || is_passed_on(k, x);
    }
    if (!any) return;
    k->scratch = arena_new("believed");
    k->site_of = arena_array_of(k->scratch, uint32_t, k->f->ins_count + 1);
    vec_each (n, &k->sites) k->site_of[k->sites.at[n].ins] = n + 1;
    find_uses(k);
    vec_each (n, &k->sites) {
        if (k->sites.at[n].gives) look_at_result(k, n);
        if (k->sites.at[n].takes) look_at_argument(k, n);
    }
    arena_free(k->scratch);
}

// ---- What follows from it.

static bool releases(const Hook *h)
{
    return !h->known && (h->spec || h->released >= OTHERWISE_FOR_EACH * h->wrong);
}

// Memory without a type is written before it is read; what is not was there before.
static bool is_raw(const Hook *h)
{
    return h->type.id ? is_void(h->u, pointee(h->u, type_at(h, 0))) : !h->pointers;
}

static uint32_t against(const Hook *h)
{
    return h->dropped + (is_raw(h) ? h->read : 0);
}

// By itself; one that may be a realloc needs more. A release that others have made sure of may vouch for one
// that a single function releases, where that writes into it first.
static bool allocates(const Hook *h, uint32_t functions, bool vouched)
{
    uint32_t others = against(h);
    if (may_be_realloc(h)) return functions > RELEASING_CALLERS && !others;
    if (vouched && h->fresh && h->tested && !others) return true;
    return functions >= RELEASING_CALLERS && functions >= OTHERWISE_FOR_EACH * others;
}

static const SpecFunc *spec_for(Believe *k, const Hook *h, const Hook *to, uint32_t functions)
{
    SpecFunc *s = arena_array_of(k->arena, SpecFunc, 1);
    uint32_t n = param_count(h);
    SpecParam *params = arena_array_of(k->arena, SpecParam, n + 1);
    for (uint32_t i = 0; i <= n; i++) {
        TypeId t = i < n ? type_at(h, i + 1) : (TypeId){0};
        // A block that may have been exchanged is nobody's any more.
        bool open = i >= n ? false
                    : h->type.id ? is_pointer(h->u, t) && !is_const_type(h->u, pointee(h->u, t))
                                 : may_be_realloc(h) && (h->pointers >> i & 1);
        params[i] = (SpecParam){.mode = open ? SPEC_KEEP : SPEC_REF,
                                .effect = open ? SPEC_CHANGES : SPEC_READS,
                                .in = SPEC_NONE,
                                .to = SPEC_NONE,
                                .count = 1,
                                .length = {SPEC_NONE, SPEC_NONE}};
    }
    *s = (SpecFunc){
        .params = params,
        .rest = params[n],
        .param_count = (uint16_t)n,
        .inferred = true,
        .result = {.gives = SPEC_OWN, .family = FAMILY_HEAP, .param = SPEC_NONE, .in = SPEC_NONE},
        .fail = h->tested ? SPEC_OR_NULL : SPEC_NO_FAIL,
        .size = {SPEC_NONE, SPEC_NONE},
        .measures = SPEC_NONE,
        .element = {SPEC_NONE, SPEC_NONE, SPEC_NONE},
        .belief = arena_printf(k->arena, BELIEF_ALLOCATES_SENTENCE, h->name, functions, to->name),
        .called = h->name,
    };
    return s;
}

void believed_find(Facts *facts, Arena *a)
{
    Believe k = {.facts = facts, .arena = a};
    vec_push(&k.hooks, ((Hook){0}));
    const Program *p = facts->program;
    k.gives_of = arena_array_of(a, uint32_t, p->funcs.len);
    vec_each (n, &p->order) look_at_function(&k, p->order.at[n]);
    const SpecFunc **spec = arena_array_of(a, const SpecFunc *, k.hooks.len);
    uint32_t *best = arena_array_of(a, uint32_t, k.hooks.len);
    bool *sure = arena_array_of(a, bool, k.hooks.len); // releases
    for (int round = 0; round < 2; round++)
        vec_each (n, &k.pairs) {
            const HookPair *x = &k.pairs.at[n];
            const Hook *from = &k.hooks.at[x->from], *to = &k.hooks.at[x->to];
            if (from->known || !releases(to) || x->functions <= best[x->from] ||
                !allocates(from, x->functions, sure[x->to]))
                continue;
            best[x->from] = x->functions;
            sure[x->to] = true;
            spec[x->from] = spec_for(&k, from, to, x->functions);
            if (from->func.id) facts->spec_of[from->func.id] = spec[x->from];
        }
    vec_each (n, &k.through)
        if (spec[k.through_hook.at[n]])
            map_set(&facts->call_specs, k.through.at[n], k.through_hook.at[n]);
    vec_each (n, &k.taking)
        if (sure[k.taking_hook.at[n] >> 32])
            map_set(&facts->release_params, k.taking.at[n], (uint32_t)k.taking_hook.at[n]);
    facts->believed = spec;
    vec_free(&k.hooks);
    map_free(&k.hook_of);
    vec_free(&k.pairs);
    map_free(&k.pair_of);
    map_free(&k.types);
    map_free(&k.takes_of);
    vec_free(&k.sites);
    vec_free(&k.open);
    vec_free(&k.targets);
    vec_free(&k.through);
    vec_free(&k.through_hook);
    vec_free(&k.taking);
    vec_free(&k.taking_hook);
}
