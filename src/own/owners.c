// What was inferred, for people: `stanch show owners F`.
#include "own/own_int.h"

int face_forced(const Interface *face, uint32_t var)
{
    if (var <= VAR_ONE) return (int)var;
    for (uint32_t i = 0; i < face->relation_count; i++) {
        const Relation *r = &face->relations[i];
        for (uint32_t k = 0; k < r->count; k++) {
            if (r->vars[k] != var) continue;
            bool zero = false, one = false;
            for (uint32_t row = 0; row < 1u << r->count; row++)
                if (r->rows >> row & 1) *(row >> k & 1 ? &one : &zero) = true;
            if (one != zero) return one;
        }
    }
    return -1;
}

// ---- C types in the words of the specification language ----

static void type_text(Out *out, const Unit *u, TypeId id, uint32_t depth)
{
    const Type *t = &u->types.at[id.id];
    const char *name = name_text(u->names, t->name);
    TypeId to = t->elem_count ? u->elems.at[t->first_elem].type : (TypeId){0};
    switch (depth > 20 ? TYPE_OTHER : (TypeKind)t->kind) {
    case TYPE_POINTER:
    case TYPE_ARRAY:
    case TYPE_REFERENCE:
        if (u->types.at[to.id].kind == TYPE_FUNC) {
            out_text(out, "void *");
            break;
        }
        type_text(out, u, to, depth + 1);
        out_text(out, u->types.at[to.id].kind == TYPE_POINTER ? "*" : " *");
        break;
    case TYPE_CONST:
        if (u->types.at[to.id].kind != TYPE_POINTER) out_text(out, "const ");
        type_text(out, u, to, depth + 1);
        break;
    case TYPE_STRUCT:
    case TYPE_UNION:
        if (*name && strcmp(name_text(u->names, u->language), "c") == 0)
            out_printf(out, "%s %s", t->kind == TYPE_UNION ? "union" : "struct", name);
        else
            out_text(out, "void");
        break;
    case TYPE_INT:
    case TYPE_BOOL:
    case TYPE_FLOAT:
    case TYPE_TYPEDEF:
        out_text(out, *name ? name : "int");
        break;
    case TYPE_ENUM:
        out_text(out, "int");
        break;
    default:
        out_text(out, "void");
    }
}

static void typed(Out *out, const Unit *u, TypeId id, bool pointer, const char *name)
{
    Out *text = out_memory();
    type_text(text, u, id, 0);
    const char *type = out_content(text, NULL);
    if (pointer && (strcmp(type, "void") == 0 || !*type)) type = "void *";
    size_t n = strlen(type);
    out_printf(out, "%s%s%s", type, n && type[n - 1] == '*' ? "" : *name ? " " : "", name);
    out_discard(text);
}

void print_declaration(Out *out, Own *o, FuncId f, const char *result, const char *const *words)
{
    const Unit *u;
    const Func *func = program_decl(o->program, f, &u);
    const Type *type = &u->types.at[func->type.id];
    TypeId returned = type->elem_count ? u->elems.at[type->first_elem].type : (TypeId){0};
    const char *name = name_text(o->program->names, o->program->funcs.at[f.id].source);
    out_text(out, result);
    bool plain = true;
    for (const char *c = name; *c; c++)
        plain &= (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' ||
                 (*c >= '0' && *c <= '9');
    const char *quoted = plain ? name : arena_printf(o->arena, "\"%s\"", name);
    if (mtype_class(func->result) == MT_VOID)
        out_printf(out, "void %s", quoted);
    else
        typed(out, u, returned, mtype_class(func->result) == MT_PTR, quoted);
    out_char(out, '(');
    for (uint32_t i = 0; i < func->param_count; i++) {
        const Param *p = &u->params.at[func->first_param + i];
        if (i) out_text(out, ", ");
        out_text(out, words[i]);
        const char *param = name_text(u->names, p->name);
        bool pointer = mtype_class(p->mtype) == MT_PTR;
        TypeId declared = p->type.id || i + 1 >= type->elem_count
                              ? p->type
                              : u->elems.at[type->first_elem + 1 + i].type;
        typed(out, u, declared, pointer, *param ? param : arena_printf(o->arena, "p%u", i + 1));
    }
    if (func->flags & FUNC_VARARGS) out_text(out, func->param_count ? ", ..." : "...");
    out_char(out, ')');
}

// ---- the interface ----

static void print_relation(Out *out, const Interface *face, const Relation *r, const Unit *u,
                           const Func *f)
{
    out_text(out, "  together: ");
    for (uint32_t row = 0, any = 0; row < 1u << r->count; row++) {
        if (!(r->rows >> row & 1)) continue;
        out_text(out, any++ ? " | " : "");
        for (uint32_t k = 0; k < r->count; k++) {
            const char *name = "elements";
            for (uint32_t i = 0; i < face->param_count; i++)
                if (face->params[i].own == r->vars[k])
                    name = name_text(u->names, u->params.at[f->first_param + i].name);
            if (face->result.own == r->vars[k]) name = "result";
            out_printf(out, "%s%s=%u", k ? " " : "", name, row >> k & 1);
        }
    }
    out_char(out, '\n');
}

static void print_interface(Out *out, Own *o, FuncId f, const Interface *face)
{
    const Unit *u;
    const Func *func = program_decl(o->program, f, &u);
    const char **words = arena_array_of(o->arena, const char *, func->param_count + 1);
    for (uint32_t i = 0; i < func->param_count; i++) {
        words[i] = "";
        if (mtype_class(u->params.at[func->first_param + i].mtype) != MT_PTR) continue;
        if (i >= face->param_count) continue;
        int forced = face_forced(face, face->params[i].own);
        bool torn = forced == 1 && face->torn[i];
        words[i] = torn            ? ""
                   : forced == 1   ? "own "
                   : forced == 0   ? "ref "
                   : face->weak[i] ? "keep "
                                   : "";
    }
    int owned = face_forced(face, face->result.own);
    print_declaration(out, o, f, owned == 1 ? "own " : "", words);
    out_text(out, ";\n");
    for (uint32_t i = 0; i < face->param_count && i < func->param_count; i++) {
        int forced = face_forced(face, face->params[i].own);
        bool torn = forced == 1 && face->torn[i];
        if (forced >= 0 && !torn) continue;
        out_printf(out, "  '%s': %s\n",
                   name_text(u->names, u->params.at[func->first_param + i].name),
                   torn            ? "taken on some ways only"
                   : face->weak[i] ? "ownership that is handed over goes into memory"
                                   : "taken or borrowed, as the caller wants");
    }
    if (owned < 0 && face->result.own)
        out_printf(out, "  result: %s\n",
                   face->weak_result ? "owns what was found in memory, if anything"
                                     : "owned or not, as the caller wants");
    for (uint32_t i = 0; i < face->relation_count; i++)
        if (face->relations[i].count > 1) print_relation(out, face, &face->relations[i], u, func);
}

// ---- the solution inside ----

static uint32_t line_of(const Body *b, uint32_t ins)
{
    if (ins != NO_VALUE) return place_of(b, ins).line;
    return b->unit->locs.at[b->func->loc.id].line;
}

// "s.elem = 0", "ss.elem.elem = 0": what each level of a container owns.
static void print_slots(Out *out, const Body *b, uint32_t n, const char *prefix, uint32_t depth)
{
    const Node *node = &b->nodes.at[node_find(b, n)];
    if (depth > 6 || (node->kind != NODE_CONTAINER && node->kind != NODE_FUNC)) return;
    const SpecTable *specs = b->own->options.specs;
    for (uint32_t i = 0; i < node->slot_count; i++) {
        Slot s = b->slots.at[node->first_slot + i];
        const char *name = arena_printf(b->arena, "%u", i + 1);
        if (node->kind == NODE_CONTAINER) {
            const SpecContainer *c = spec_container(specs, (ContainerId){node->id});
            if (i < c->field_count && c->fields[i].name.id)
                name = name_text(spec_names(specs), c->fields[i].name);
        }
        const char *path = arena_printf(b->arena, "%s.%s", prefix, name);
        out_printf(out, "  %s = %u\n", path, system_value(&b->sys, s.own));
        if (s.node) print_slots(out, b, s.node, path, depth + 1);
    }
}

static void print_value(Out *out, Body *b, uint32_t value)
{
    const char *name = value_name(b, value);
    if (!name) return;
    uint32_t count = 0;
    vec_each (i, &b->versions) {
        const VarAt *v = &b->versions.at[i];
        if (v->value != value) continue;
        out_printf(out, "%s%s@%u = %u", count++ ? ", " : "  ", name, line_of(b, v->ins),
                   system_value(&b->sys, v->var));
    }
    if (count) out_char(out, '\n');
    if (b->node_of[value]) print_slots(out, b, b->node_of[value], name, 0);
}

static void print_functions(Out *out, Body *b)
{
    vec_each (i, &b->insts) {
        const CallInst *inst = &b->insts.at[i];
        const Ins *call = func_ins(b->unit, b->func, inst->ins);
        for (uint32_t k = 0; k < inst->arg_count; k++) {
            Ref r = {*func_extra(b->unit, b->func, call->b + k)};
            FuncId f = program_callee(b->own->program, b->unit_index, b->unit, r);
            if (!f.id || !inst->args[k].slot.node) continue;
            print_slots(out, b, inst->args[k].slot.node,
                        name_text(b->own->program->names, b->own->program->funcs.at[f.id].source),
                        0);
        }
    }
}

void own_print_owners(Out *out, Own *o, FuncId f)
{
    const Interface *face = o->interfaces[f.id];
    if (!face) {
        const SpecFunc *s = own_spec(o, f);
        if (s) {
            spec_print_func(out, o->options.specs, s);
            out_text(out, "  from a specification\n");
        }
        return;
    }
    print_interface(out, o, f, face);
    o->keep_versions = true;
    Body *b = body_open(o, f);
    if (!b->given_up) {
        body_solve(b, NULL);
        system_settle(&b->sys);
        if (b->versions.len) out_text(out, "  who owns after which line (1 owns, 0 does not):\n");
        for (uint32_t v = 0; v < b->value_count; v++) print_value(out, b, v);
        print_functions(out, b);
        print_fields_of(out, b);
        vec_each (i, &b->sys.violations) {
            const Constraint *c = &b->sys.cons.at[b->sys.violations.at[i].con];
            out_printf(out, "  contradiction at line %u: %s\n", told_at(b, c).line,
                       con_sentence(b, c));
        }
    }
    o->keep_versions = false;
    body_close(b);
}
