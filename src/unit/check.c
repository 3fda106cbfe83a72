// The validator: tables. Bodies of functions are in unit_check_body.c.
//
// Needs nothing but the vectors' own lengths to be true: any content is looked at without
// reading outside a table, so that a hostile file passes through here before anything else
// touches it. All range arithmetic is in 64 bits. The time is linear in the unit's size: ranges of
// functions, types and globals may not add up to more than the table they point into.
#include "unit/unit_int.h"

typedef struct {
    const Unit *u;
    Arena *a; // for the message
    uint32_t names;
} UnitCheck;

#define NEED(cond, ...)                                                                            \
    do {                                                                                           \
        if (!(cond)) return arena_printf(c->a, __VA_ARGS__);                                       \
    } while (0)

static bool in_range(uint32_t first, uint32_t count, uint32_t len)
{
    return count <= len && first <= len - count;
}

bool unit_check_mtype(uint32_t bits)
{
    if (bits > UINT16_MAX) return false;
    MType t = {(uint16_t)bits};
    return mtype_class(t) <= MT_VEC && (mtype_class(t) != MT_VOID || mtype_size(t) == 0);
}

// Kinds whose element 0 says what they are made of.
static bool made_of_one(uint32_t kind)
{
    return kind == TYPE_POINTER || kind == TYPE_REFERENCE || kind == TYPE_ARRAY ||
           kind == TYPE_CONST || kind == TYPE_TYPEDEF;
}

static bool is_record(uint32_t kind)
{
    return kind == TYPE_STRUCT || kind == TYPE_UNION;
}

// Whether a walk over types goes on through this kind. By name: what the spelling of a type
// depends on, which stops at records (they have names). By value: what an object contains.
static bool walks(uint32_t kind, bool by_value)
{
    if (by_value)
        return is_record(kind) || kind == TYPE_ARRAY || kind == TYPE_CONST || kind == TYPE_TYPEDEF;
    return !is_record(kind);
}

// Later stages strip qualifiers, spell types and walk into nested records without looking for
// cycles, so there must be none. Depth-first search with an explicit stack.
static const char *check_type_cycles(UnitCheck *c, bool by_value)
{
    const Unit *u = c->u;
    uint32_t n = u->types.len;
    enum { NEW, OPEN, DONE };
    uint8_t *state = mem_alloc(n);
    struct Frame {
        uint32_t type, next;
    } *stack = mem_alloc((size_t)n * sizeof *stack);
    uint32_t bad = 0;
    for (uint32_t root = 1; root < n && !bad; root++) {
        if (state[root] != NEW) continue;
        uint32_t depth = 0;
        stack[depth++] = (struct Frame){root, 0};
        state[root] = OPEN;
        while (depth && !bad) {
            struct Frame *top = &stack[depth - 1];
            const Type *t = &u->types.at[top->type];
            if (!walks(t->kind, by_value) || top->next == t->elem_count) {
                state[top->type] = DONE;
                depth--;
                continue;
            }
            uint32_t to = u->elems.at[t->first_elem + top->next++].type.id;
            if (state[to] == OPEN) bad = to;
            if (state[to] != NEW || to == 0) continue;
            state[to] = OPEN;
            stack[depth++] = (struct Frame){to, 0};
        }
    }
    mem_free(state);
    mem_free(stack);
    NEED(!bad, by_value ? "type %u contains itself" : "type %u is made of itself", bad);
    return NULL;
}

static const char *check_types(UnitCheck *c)
{
    const Unit *u = c->u;
    uint64_t sum = 0;
    vec_each (i, &u->elems) {
        const Elem *e = &u->elems.at[i];
        NEED(e->name.id < c->names, "element %u: name %u", i, e->name.id);
        NEED(e->type.id < u->types.len, "element %u: type %u", i, e->type.id);
        NEED(!(e->flags & ~(uint32_t)UNIT_ELEM_FLAGS), "element %u: flags %#x", i, e->flags);
    }
    vec_each (i, &u->types) {
        const Type *t = &u->types.at[i];
        NEED(t->kind <= TYPE_OTHER && (t->kind == TYPE_NONE) == (i == 0), "type %u: kind %u", i,
             t->kind);
        NEED(t->name.id < c->names, "type %u: name %u", i, t->name.id);
        NEED(!(t->flags & ~(uint32_t)UNIT_TYPE_FLAGS), "type %u: flags %#x", i, t->flags);
        NEED(in_range(t->first_elem, t->elem_count, u->elems.len), "type %u: elements %u+%u of %u",
             i, t->first_elem, t->elem_count, u->elems.len);
        NEED(!made_of_one(t->kind) || t->elem_count == 1, "type %u: %s with %u elements", i,
             type_kind_text(t->kind), t->elem_count);
        NEED(t->kind != TYPE_FUNC || t->elem_count >= 1, "type %u: function without a result", i);
        NEED(i != 0 || t->elem_count == 0, "type 0 has elements");
        sum += t->elem_count;
    }
    NEED(sum <= u->elems.len, "types share elements");
    CHECK(check_type_cycles(c, false));
    return check_type_cycles(c, true);
}

static const char *check_small_tables(UnitCheck *c)
{
    const Unit *u = c->u;
    NEED(u->pointer_bytes >= 1 && u->pointer_bytes <= 16, "pointers of %u bytes", u->pointer_bytes);
    const Name heads[] = {u->source, u->language, u->target, u->producer};
    for (int i = 0; i < 4; i++) NEED(heads[i].id < c->names, "head name %u", heads[i].id);
    vec_each (i, &u->files)
        NEED(u->files.at[i].path.id < c->names && u->files.at[i].foreign <= (i != 0),
             "file %u: name %u", i, u->files.at[i].path.id);
    vec_each (i, &u->locs)
        NEED(u->locs.at[i].file < u->files.len, "position %u: file %u", i, u->locs.at[i].file);
    vec_each (i, &u->annotations) {
        const Annotation *n = &u->annotations.at[i];
        NEED(n->func != 0 && n->func < u->funcs.len, "annotation %u: function %u", i, n->func);
        NEED(n->param <= u->funcs.at[n->func].param_count, "annotation %u: parameter %u", i,
             n->param);
        NEED(n->text.id < c->names, "annotation %u: name %u", i, n->text.id);
    }
    vec_each (i, &u->constructors) {
        uint32_t f = u->constructors.at[i];
        NEED(f != 0 && f < u->funcs.len, "constructor %u: function %u", i, f);
    }
    return NULL;
}

static const char *check_consts(UnitCheck *c)
{
    const Unit *u = c->u;
    vec_each (i, &u->consts) {
        const Const *k = &u->consts.at[i];
        NEED(k->kind <= CONST_BYTES && (k->kind == CONST_NONE) == (i == 0), "constant %u: kind %u",
             i, k->kind);
        NEED(unit_check_mtype(k->type) && (i == 0 || k->type != 0), "constant %u: type %#x", i,
             k->type);
        NEED(k->pad == 0, "constant %u: padding", i);
        MType t = {(uint16_t)k->type};
        switch ((ConstKind)k->kind) {
        case CONST_INT: {
            uint32_t bits = mtype_size(t);
            NEED(mtype_class(t) == MT_INT, "constant %u: an integer of another class", i);
            int64_t top = bits && bits < 64 ? k->value >> (bits - 1) : 0;
            NEED(top == 0 || top == -1, "constant %u: wider than i%u", i, bits);
            break;
        }
        case CONST_GLOBAL:
            NEED(k->target != 0 && k->target < u->globals.len, "constant %u: global %u", i,
                 k->target);
            break;
        case CONST_FUNC:
            NEED(k->target != 0 && k->target < u->funcs.len, "constant %u: function %u", i,
                 k->target);
            break;
        case CONST_BLOCK:
            NEED(k->target != 0 && k->target < u->funcs.len, "constant %u: function %u", i,
                 k->target);
            NEED(k->value >= 0 && k->value < u->funcs.at[k->target].block_count,
                 "constant %u: block %lld", i, (long long)k->value);
            break;
        case CONST_FLOAT:
            NEED(mtype_class(t) == MT_FLOAT && (mtype_size(t) == 4 || mtype_size(t) == 8),
                 "constant %u: a float of another class", i);
            NEED(mtype_size(t) == 8 || (uint64_t)k->value <= UINT32_MAX,
                 "constant %u: wider than f32", i);
            break;
        case CONST_BYTES: {
            uint32_t bytes = mtype_bytes(t);
            NEED(k->value > 0 && k->value <= UINT32_MAX &&
                     in_range(k->target, (uint32_t)k->value, u->bytes.len),
                 "constant %u: bytes %u+%lld of %u", i, k->target, (long long)k->value,
                 u->bytes.len);
            NEED(mtype_class(t) != MT_PTR && (bytes == 0 || bytes == k->value),
                 "constant %u: %lld bytes for a type of %u", i, (long long)k->value, bytes);
            break;
        }
        default:
            break;
        }
        NEED(k->target == 0 || k->kind == CONST_BYTES || k->kind == CONST_GLOBAL || k->kind == CONST_FUNC ||
                 k->kind == CONST_BLOCK,
             "constant %u: target %u without a use", i, k->target);
        NEED(k->value == 0 || k->kind == CONST_INT || k->kind == CONST_GLOBAL ||
                 k->kind == CONST_BLOCK || k->kind == CONST_OPAQUE || k->kind == CONST_FLOAT ||
                 k->kind == CONST_BYTES,
             "constant %u: value without a use", i);
    }
    return NULL;
}

static const char *check_globals(UnitCheck *c)
{
    const Unit *u = c->u;
    uint64_t sum = 0;
    vec_each (i, &u->inits) {
        const Init *n = &u->inits.at[i];
        Ref r = {n->value};
        NEED(ref_is_const(r) && ref_index(r) != 0 && ref_index(r) < u->consts.len,
             "initialiser %u: value %#x", i, n->value);
        NEED(unit_check_mtype(n->type) && n->type != 0, "initialiser %u: type %#x", i, n->type);
    }
    vec_each (i, &u->globals) {
        const Global *g = &u->globals.at[i];
        NEED(g->name.id < c->names && g->source.id < c->names && g->text.id < c->names &&
                 g->comdat < c->names,
             "global %u: name out of range", i);
        NEED(g->loc.id < u->locs.len, "global %u: position %u", i, g->loc.id);
        NEED(g->type.id < u->types.len, "global %u: type %u", i, g->type.id);
        NEED(g->linkage <= LINK_AVAILABLE, "global %u: linkage %u", i, g->linkage);
        NEED(!(g->flags & ~(uint32_t)UNIT_GLOBAL_FLAGS), "global %u: flags %#x", i, g->flags);
        NEED(in_range(g->first_init, g->init_count, u->inits.len),
             "global %u: initialisers %u+%u of %u", i, g->first_init, g->init_count, u->inits.len);
        NEED(g->alias < u->globals.len, "global %u: alias of %u", i, g->alias);
        NEED(g->pad == 0, "global %u: padding", i);
        NEED(i != 0 || (g->init_count == 0 && g->alias == 0), "global 0 is not none");
        sum += g->init_count;
    }
    NEED(sum <= u->inits.len, "globals share initialisers");
    sum = 0;
    vec_each (i, &u->runs) {
        const DataRun *r = &u->runs.at[i], *last = i ? &u->runs.at[i - 1] : NULL;
        NEED(r->global != 0 && r->global < u->globals.len, "data %u: global %u", i, r->global);
        NEED(r->pad == 0 && r->count != 0, "data %u: empty", i);
        NEED(in_range(r->first, r->count, u->bytes.len), "data %u: bytes %u+%u of %u", i, r->first,
             r->count, u->bytes.len);
        uint64_t size = u->globals.at[r->global].size;
        NEED(r->offset <= size && r->count <= size - r->offset, "data %u: outside of its global",
             i);
        NEED(!last || last->global < r->global ||
                 (last->global == r->global && last->offset + last->count <= r->offset),
             "data %u: out of order", i);
        sum += r->count;
    }
    NEED(sum <= u->bytes.len, "globals share data");
    return NULL;
}

static const char *check_func_ranges(UnitCheck *c)
{
    const Unit *u = c->u;
    uint64_t params = 0, blocks = 0, ins = 0, extra = 0, locals = 0, vars = 0;
    vec_each (i, &u->params) {
        const Param *p = &u->params.at[i];
        NEED(p->name.id < c->names, "parameter %u: name %u", i, p->name.id);
        NEED(p->type.id < u->types.len, "parameter %u: type %u", i, p->type.id);
        NEED(unit_check_mtype(p->mtype.bits) && p->mtype.bits != 0, "parameter %u: type %#x", i,
             p->mtype.bits);
        NEED(!(p->flags & ~(uint32_t)UNIT_PARAM_FLAGS), "parameter %u: flags %#x", i, p->flags);
        NEED(p->byval_size == 0 || p->flags & PARAM_BYVAL, "parameter %u: a size without byval", i);
    }
    vec_each (i, &u->locals) {
        const Local *l = &u->locals.at[i];
        NEED(l->name.id < c->names, "local %u: name %u", i, l->name.id);
        NEED(l->type.id < u->types.len, "local %u: type %u", i, l->type.id);
        NEED(l->loc.id < u->locs.len, "local %u: position %u", i, l->loc.id);
    }
    vec_each (i, &u->vars) {
        const Var *v = &u->vars.at[i];
        NEED(v->name.id < c->names, "variable %u: name %u", i, v->name.id);
        NEED(v->type.id < u->types.len, "variable %u: type %u", i, v->type.id);
        NEED(v->loc.id < u->locs.len, "variable %u: position %u", i, v->loc.id);
    }
    vec_each (i, &u->funcs) {
        const Func *f = &u->funcs.at[i];
        NEED(f->name.id < c->names && f->source.id < c->names && f->comdat < c->names,
             "function %u: name out of range", i);
        NEED(f->loc.id < u->locs.len, "function %u: position %u", i, f->loc.id);
        NEED(f->type.id < u->types.len, "function %u: type %u", i, f->type.id);
        NEED(unit_check_mtype(f->result.bits), "function %u: result type %#x", i, f->result.bits);
        NEED(!(f->flags & ~(uint32_t)UNIT_FUNC_FLAGS), "function %u: flags %#x", i, f->flags);
        NEED(f->linkage <= LINK_AVAILABLE, "function %u: linkage %u", i, f->linkage);
        NEED(f->alias < u->funcs.len, "function %u: alias of %u", i, f->alias);
        NEED(in_range(f->first_param, f->param_count, u->params.len), "function %u: parameters", i);
        NEED(in_range(f->first_block, f->block_count, u->blocks.len), "function %u: blocks", i);
        NEED(in_range(f->first_ins, f->ins_count, u->ins.len), "function %u: instructions", i);
        NEED(in_range(f->first_extra, f->extra_count, u->extra.len), "function %u: extra words", i);
        NEED(in_range(f->first_local, f->local_count, u->locals.len), "function %u: locals", i);
        NEED(in_range(f->first_var, f->var_count, u->vars.len), "function %u: variables", i);
        NEED(f->param_count < 1u << 30 && f->ins_count < 1u << 30, "function %u: too large", i);
        NEED(f->local_count == 0 || f->first_local != 0, "function %u: local 0 is none", i);
        NEED(f->var_count == 0 || f->first_var != 0, "function %u: variable 0 is none", i);
        NEED(i != 0 || (f->param_count == 0 && f->block_count == 0 && f->ins_count == 0 &&
                        f->extra_count == 0 && f->alias == 0),
             "function 0 is not none");
        for (uint32_t v = 0; v < f->var_count; v++) {
            uint32_t p = u->vars.at[f->first_var + v].param;
            NEED(p <= f->param_count, "function %u: variable %u is parameter %u", i, v + 1, p);
        }
        params += f->param_count;
        blocks += f->block_count;
        ins += f->ins_count;
        extra += f->extra_count;
        locals += f->local_count;
        vars += f->var_count;
        NEED(vars <= u->vars.len, "functions share variables");
    }
    NEED(params <= u->params.len, "functions share parameters");
    NEED(blocks <= u->blocks.len, "functions share blocks");
    NEED(ins <= u->ins.len, "functions share instructions");
    NEED(extra <= u->extra.len, "functions share extra words");
    NEED(locals <= u->locals.len, "functions share locals");
    return NULL;
}

// Whoever follows aliases must come to an end.
static const char *check_aliases(UnitCheck *c)
{
    const Unit *u = c->u;
    uint32_t n = u->funcs.len > u->globals.len ? u->funcs.len : u->globals.len;
    uint32_t *stamp = mem_alloc((size_t)n * sizeof *stamp);
    uint32_t bad_func = 0, bad_global = 0;
    for (uint32_t i = 1; i < u->funcs.len && !bad_func; i++) {
        uint32_t at = i;
        for (; at && !stamp[at]; at = u->funcs.at[at].alias) stamp[at] = i;
        if (at && stamp[at] == i) bad_func = i;
    }
    memset(stamp, 0, (size_t)n * sizeof *stamp);
    for (uint32_t i = 1; i < u->globals.len && !bad_global; i++) {
        uint32_t at = i;
        for (; at && !stamp[at]; at = u->globals.at[at].alias) stamp[at] = i;
        if (at && stamp[at] == i) bad_global = i;
    }
    mem_free(stamp);
    NEED(!bad_func, "function %u is an alias of itself", bad_func);
    NEED(!bad_global, "global %u is an alias of itself", bad_global);
    return NULL;
}

const char *unit_check(const Unit *u, Arena *a)
{
    UnitCheck check = {u, a, names_count(u->names)}, *c = &check;
    NEED(u->types.len && u->files.len && u->locs.len && u->consts.len && u->globals.len &&
             u->funcs.len && u->locals.len && u->vars.len,
         "a table lacks its none entry");
    CHECK(check_types(c));
    CHECK(check_func_ranges(c));
    CHECK(check_small_tables(c));
    CHECK(check_consts(c));
    CHECK(check_globals(c));
    CHECK(check_aliases(c));
    BodyScratch scratch = {.arena = arena_new("unit check")};
    const char *wrong = NULL;
    for (uint32_t i = 1; i < u->funcs.len && !wrong; i++)
        wrong = unit_check_body(u, i, a, &scratch);
    vec_free(&scratch.stamp);
    vec_free(&scratch.phi_stamp);
    vec_free(&scratch.phi_value);
    vec_free(&scratch.pred_first);
    vec_free(&scratch.preds);
    vec_free(&scratch.succs);
    arena_free(scratch.arena);
    return wrong;
}
