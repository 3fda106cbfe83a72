// Fields of structs: does one own what it points to at the boundaries of functions (Heine and Lam, section
// 2.1, on members)?
//
// A field by its struct and its name. Ownership goes in where what is stored must be owned and
// nobody else has it; it comes out where what was loaded is released. A field through which
// ownership comes out owns; one that is only stored and read does not, as far as this program says.
// Structs of one name in different units are taken for one.
#include "own/own_int.h"

#include "base/hash.h"

// ---- the struct that an address lies in ----

static TypeId plain(const Unit *u, TypeId id, const char **alias)
{
    for (int i = 0; i < 16; i++) {
        const Type *t = &u->types.at[id.id];
        if ((t->kind != TYPE_TYPEDEF && t->kind != TYPE_CONST) || !t->elem_count) break;
        if (t->kind == TYPE_TYPEDEF && alias && !*alias) *alias = name_text(u->names, t->name);
        id = u->elems.at[t->first_elem].type;
    }
    return id;
}

typedef struct {
    TypeId id;
    const char *name; // null: no struct, or one without a name
} Struct;

static Struct struct_of(const Unit *u, TypeId id)
{
    const char *alias = NULL;
    id = plain(u, id, &alias);
    const Type *t = &u->types.at[id.id];
    if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION) return (Struct){0};
    const char *name = name_text(u->names, t->name);
    return (Struct){id, *name ? name : alias};
}

static Struct struct_behind(const Unit *u, TypeId id)
{
    id = plain(u, id, NULL);
    const Type *t = &u->types.at[id.id];
    if (t->kind != TYPE_POINTER && t->kind != TYPE_ARRAY && t->kind != TYPE_REFERENCE)
        return (Struct){0};
    return t->elem_count ? struct_of(u, u->elems.at[t->first_elem].type) : (Struct){0};
}

static bool member(const Unit *u, TypeId in, uint32_t offset, const char *name, TypeId *type)
{
    const Type *t = &u->types.at[in.id];
    for (uint32_t i = 0; i < t->elem_count; i++) {
        const Elem *e = &u->elems.at[t->first_elem + i];
        if (e->offset != (uint64_t)offset * 8) continue;
        if (*name && strcmp(name_text(u->names, e->name), name) != 0) continue;
        *type = e->type;
        return true;
    }
    return false;
}

static Struct struct_at(const Body *b, Ref address, int depth);

// The declared type of a call's result, where this unit knows it.
static bool returned_type(const Body *b, uint32_t call, TypeId *type)
{
    uint32_t at = b->inst_of[call];
    FuncId f = at ? b->insts.at[at - 1].callee : (FuncId){0};
    const Unit *home, *u = b->unit;
    const Func *decl = f.id ? program_decl(b->own->program, f, &home) : NULL;
    const Type *t = NULL;
    if (decl && home == u) t = &u->types.at[decl->type.id];
    if (!t || !t->elem_count) return false;
    *type = u->elems.at[t->first_elem].type;
    return true;
}

// The call gives memory of no type: nothing was put into fields yet.
bool gives_raw_memory(Body *b, uint32_t call)
{
    CallInst *inst = inst_of(b, call);
    if (!inst || inst->result.own != VAR_ONE) return false;
    if (inst->spec) return true;
    const Unit *u;
    const Func *decl = inst->callee.id ? program_decl(b->own->program, inst->callee, &u) : NULL;
    const Type *t = decl ? &u->types.at[decl->type.id] : NULL;
    if (!t || !t->elem_count) return false;
    t = &u->types.at[plain(u, u->elems.at[t->first_elem].type, NULL).id];
    if (t->kind != TYPE_POINTER) return false;
    if (!t->elem_count) return true;
    t = &u->types.at[plain(u, u->elems.at[t->first_elem].type, NULL).id];
    return t->kind == TYPE_VOID || t->kind == TYPE_NONE;
}

// The source type of a pointer that was loaded or worked out here.
static bool type_of(const Body *b, Ref r, int depth, TypeId *type)
{
    const Unit *u = b->unit;
    if (ref_is_param(r)) {
        *type = u->params.at[b->func->first_param + ref_index(r)].type;
        return type->id != 0;
    }
    if (!ref_is_ins(r) || depth > 6) return false;
    const Ins *i = func_ins(u, b->func, ref_index(r));
    if (i->op == OP_LOAD && ref_is_ins((Ref){i->a})) {
        const Ins *at = func_ins(u, b->func, ref_index((Ref){i->a}));
        if (at->op == OP_FIELD) {
            Struct s = struct_at(b, (Ref){at->a}, depth + 1);
            // A field of type void * or char * may hold a struct: then the variable says which.
            if (s.id.id && member(u, s.id, at->b, name_text(u->names, (Name){at->c}), type) &&
                struct_behind(u, *type).id.id)
                return true;
        }
    }
    if ((i->op == OP_CALL || i->op == OP_INVOKE) && returned_type(b, ref_index(r), type) &&
        struct_behind(u, *type).id.id)
        return true;
    uint32_t var = b->var_of[ref_index(r)];
    if (!var) return false;
    *type = u->vars.at[b->func->first_var + var - 1].type;
    return true;
}

// The struct that the address points to.
static Struct struct_at(const Body *b, Ref address, int depth)
{
    const Unit *u = b->unit;
    TypeId type;
    if (ref_is_const(address)) {
        const Const *c = &u->consts.at[ref_index(address)];
        return c->kind == CONST_GLOBAL && !c->value ? struct_of(u, u->globals.at[c->target].type)
                                                    : (Struct){0};
    }
    if (ref_is_ins(address) && depth < 6) {
        const Ins *i = func_ins(u, b->func, ref_index(address));
        if (i->op == OP_ALLOCA)
            return i->b ? struct_of(u, u->locals.at[b->func->first_local + i->b - 1].type)
                        : (Struct){0};
        if (i->op == OP_INDEX) return struct_at(b, (Ref){i->a}, depth + 1);
        if (i->op == OP_FIELD) {
            Struct outer = struct_at(b, (Ref){i->a}, depth + 1);
            if (!outer.id.id ||
                !member(u, outer.id, i->b, name_text(u->names, (Name){i->c}), &type))
                return (Struct){0};
            Struct inner = struct_of(u, type);
            // Anonymous members go by the name of the struct around them.
            if (inner.id.id && !inner.name) inner.name = outer.name;
            return inner;
        }
    }
    return type_of(b, address, depth, &type) ? struct_behind(u, type) : (Struct){0};
}

// By instruction: a variable that it is bound to.
void body_vars(Body *b)
{
    b->var_of = arena_array_of(b->arena, uint32_t, b->func->ins_count + 1);
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        const Ins *bind = func_ins(b->unit, b->func, i);
        if (bind->op == OP_BIND && ref_is_ins((Ref){bind->a}))
            b->var_of[ref_index((Ref){bind->a})] = bind->b;
    }
}

const char *struct_name(const Body *b, Ref address)
{
    return struct_at(b, address, 0).name;
}

TypeId struct_type(const Body *b, Ref address)
{
    return struct_at(b, address, 0).id;
}

// ---- the table ----

// Number + 1 of the field at the address; 0: none that has a name.
uint32_t field_at(Body *b, Ref address)
{
    if (!ref_is_ins(address)) return 0;
    const Ins *at = func_ins(b->unit, b->func, ref_index(address));
    if (at->op != OP_FIELD || !at->c) return 0;
    Own *o = b->own;
    Struct in = struct_at(b, (Ref){at->a}, 0);
    const char *name = name_text(b->unit->names, (Name){at->c});
    const char *home = in.name ? in.name : "";
    bool fresh;
    uint64_t key = hash_bytes(name, strlen(name), hash_bytes(home, strlen(home), 0));
    uint64_t *number = map_at(&o->field_of, key, o->fields.len, &fresh);
    if (fresh)
        vec_push(&o->fields, ((FieldUse){.name = arena_strdup(o->arena, name),
                                         .home = arena_strdup(o->arena, home)}));
    return (uint32_t)*number + 1;
}

// Likewise of a load or store.
uint32_t field_of(Body *b, uint32_t ins)
{
    const Ins *i = func_ins(b->unit, b->func, ins);
    return i->op == OP_LOAD || i->op == OP_STORE ? field_at(b, (Ref){i->a}) : 0;
}

const char *field_text(const Own *o, uint32_t field)
{
    const FieldUse *f = &o->fields.at[field - 1];
    return *f->home ? arena_printf(o->arena, "%s.%s", f->home, f->name) : f->name;
}

bool field_owns(const FieldUse *f)
{
    return f->out > 0;
}

// ---- what a function says of fields ----

// After the rules about memory: stores that lost ownership, loads whose value was released; before
// them, parameters that go into a field, for callers.
void body_fields(Body *b, Interface *into)
{
    Own *o = b->own;
    into->field = arena_array_of(o->arena, uint32_t, b->param_count + 1);
    vec_each (i, &b->events) {
        const OwnEvent *e = &b->events.at[i];
        if (e->con != CON_STORE) continue;
        const CallInst *inst = inst_of(b, e->ins);
        uint32_t field = inst ? 0 : field_of(b, e->ins);
        if (field && e->value < b->param_count && !into->field[e->value])
            into->field[e->value] = field;
    }
    if (!b->final || o->believe) return;
    vec_each (i, &b->sys.violations) {
        const Constraint *c = &b->sys.cons.at[b->sys.violations.at[i].con];
        if (c->prio != PRIO_MEMORY || (c->kind != CON_STORE && c->kind != CON_LOAD)) continue;
        uint32_t field = con_field(b, c);
        if (!field) continue;
        if (c->kind == CON_STORE)
            o->fields.at[field - 1].in++;
        else
            o->fields.at[field - 1].out++;
    }
}

// The field that a violated rule about memory is about, here or in the callee; 0 none.
uint32_t con_field(Body *b, const Constraint *c)
{
    CallInst *inst = inst_of(b, c->place);
    if (!inst) return field_of(b, c->place);
    const Interface *face = inst->callee.id ? b->own->interfaces[inst->callee.id] : NULL;
    if (c->kind != CON_STORE || !face || !face->field) return 0;
    const Ins *call = func_ins(b->unit, b->func, inst->ins);
    for (uint32_t k = 0; k < inst->arg_count && k < face->param_count; k++)
        if (root_value(b, (Ref){*func_extra(b->unit, b->func, call->b + k)}) == c->value)
            return face->field[k];
    return 0;
}

void print_fields_of(Out *out, Body *b)
{
    Own *o = b->own;
    Bits seen = bits_new(b->arena, o->fields.len + b->func->ins_count + 1);
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        if ((x->op != OP_LOAD && x->op != OP_STORE) || mtype_class(x->type) != MT_PTR) continue;
        uint32_t field = field_of(b, i);
        if (!field || !bits_add(&seen, field - 1)) continue;
        const FieldUse *f = &o->fields.at[field - 1];
        out_printf(out, "  field %s: %s\n", field_text(o, field),
                   field_owns(f) ? arena_printf(b->arena,
                                                "owns: ownership goes in at %u place%s and comes "
                                                "out at %u",
                                                f->in, f->in == 1 ? "" : "s", f->out)
                   : f->in       ? arena_printf(b->arena,
                                                "ownership goes in at %u place%s and comes out "
                                                      "nowhere",
                                                f->in, f->in == 1 ? "" : "s")
                                 : "does not own");
    }
}

// ---- structs that are released with a field that still owns ----

bool is_handed_on(Body *b, uint32_t value, uint32_t but)
{
    vec_each (i, &b->insts) {
        const CallInst *inst = &b->insts.at[i];
        const Ins *call = func_ins(b->unit, b->func, inst->ins);
        for (uint32_t k = 0; k < inst->arg_count && inst->ins != but; k++)
            if (root_value(b, (Ref){*func_extra(b->unit, b->func, call->b + k)}) == value)
                return true;
    }
    return false;
}

static bool is_touched(Body *b, uint32_t value, const char *name)
{
    for (uint32_t i = 0; i < b->func->ins_count; i++) {
        const Ins *x = func_ins(b->unit, b->func, i);
        if (x->op == OP_FIELD && x->c && root_value(b, (Ref){x->a}) == value &&
            strcmp(name_text(b->unit->names, (Name){x->c}), name) == 0)
            return true;
    }
    return false;
}

// A parameter or a loaded pointer to a struct goes to a function without code that takes it, and
// nothing else was given it. What the function made itself may have been given up half made.
// Null for `visit`: is there any?
bool body_releases(Body *b, FieldRelease visit)
{
    bool any = false;
    vec_each (i, &b->insts) {
        const CallInst *inst = &b->insts.at[i];
        const Ins *call = func_ins(b->unit, b->func, inst->ins);
        if (!inst->spec || !inst->arg_count || inst->args[0].how != PASS_MOVE ||
            inst->args[0].slot.own != VAR_ONE || mtype_class(call->type) != MT_VOID)
            continue;
        Ref r = {*func_extra(b->unit, b->func, call->b)};
        uint32_t v = direct_value(b, r);
        bool given =
            v != NO_VALUE &&
            (v < b->param_count || func_ins(b->unit, b->func, v - b->param_count)->op == OP_LOAD);
        // Members are in the constraints.
        if (!given || v != root_value(b, r) || b->member_of[v]) continue;
        Struct s = struct_at(b, r, 0);
        if (!s.name || is_handed_on(b, v, inst->ins)) continue;
        any = true;
        if (!visit) continue;
        vec_each (k, &b->own->fields) {
            const FieldUse *f = &b->own->fields.at[k];
            if (strcmp(f->home, s.name) == 0 && field_owns(f) && f->in &&
                !is_touched(b, v, f->name))
                visit(b, inst->ins, v, k + 1);
        }
    }
    return any;
}
