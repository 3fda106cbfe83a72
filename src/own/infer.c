// `stanch spec infer`: drafts of specifications.
//
// Routines that look like container implementations are those through which ownership disappears
// into memory (seed, section 2.4): a parameter that would own but is stored away, at call sites
// that hand over memory of their own, or of a type (void *) that says nothing. They are gathered by
// the struct of their first struct pointer. The drafts are a beginning: each line says why it is
// there, and is to be read before it is believed.
#include "own/own_int.h"

typedef struct {
    const char *name; // struct or typedef
    uint32_t puts;
    VEC(FuncId) routines;
} Draft;

typedef VEC(Draft) Drafts;

// ---- types ----

static const Type *strip(const Unit *u, TypeId id, TypeId *out)
{
    const Type *t = &u->types.at[id.id];
    for (int i = 0; i < 16 && (t->kind == TYPE_TYPEDEF || t->kind == TYPE_CONST); i++) {
        id = u->elems.at[t->first_elem].type;
        if (!t->elem_count) break;
        t = &u->types.at[id.id];
    }
    if (out) *out = id;
    return t;
}

// "table" for `struct table *` and `table *`; null when it points to no struct.
static const char *pointed_struct(const Unit *u, TypeId id)
{
    const Type *t = strip(u, id, NULL);
    if (t->kind != TYPE_POINTER || !t->elem_count) return NULL;
    TypeId to = u->elems.at[t->first_elem].type;
    const char *alias = NULL;
    for (int i = 0; i < 16; i++) {
        const Type *at = &u->types.at[to.id];
        if (at->kind == TYPE_TYPEDEF && !alias) alias = name_text(u->names, at->name);
        if (at->kind == TYPE_STRUCT) {
            const char *name = name_text(u->names, at->name);
            return *name ? name : alias;
        }
        if ((at->kind != TYPE_TYPEDEF && at->kind != TYPE_CONST) || !at->elem_count) return NULL;
        to = u->elems.at[at->first_elem].type;
    }
    return NULL;
}

static bool points_to(const Unit *u, TypeId id, TypeKind kind)
{
    const Type *t = strip(u, id, NULL);
    if (t->kind != TYPE_POINTER) return false;
    if (!t->elem_count) return kind == TYPE_VOID;
    const Type *to = strip(u, u->elems.at[t->first_elem].type, NULL);
    return to->kind == kind || (kind == TYPE_VOID && to->kind == TYPE_NONE);
}

static const Param *param_at(const Unit *u, const Func *f, uint32_t i)
{
    return &u->params.at[f->first_param + i];
}

static TypeId result_type(const Unit *u, const Func *f)
{
    const Type *t = &u->types.at[f->type.id];
    return t->elem_count ? u->elems.at[t->first_elem].type : (TypeId){0};
}

// ---- which routines ----

// The parameter that is the container: the first that points to a struct.
static uint32_t container_param(const Unit *u, const Func *f)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (pointed_struct(u, param_at(u, f, i)->type)) return i;
    return NO_VALUE;
}

static bool is_element(const Own *o, FuncId id, const Unit *u, const Func *f, uint32_t i)
{
    const Interface *face = o->interfaces[id.id];
    if (!face || i >= face->param_count || face->weak[i] != WEAK_STORED) return false;
    const Evidence *e = own_evidence(o, id, i);
    return (e && e->given) || points_to(u, param_at(u, f, i)->type, TYPE_VOID);
}

static bool element_result(const Own *o, FuncId id, const Unit *u, const Func *f)
{
    const Interface *face = o->interfaces[id.id];
    if (!face || !face->weak_result || mtype_class(f->result) != MT_PTR) return false;
    const Evidence *e = own_evidence(o, id, NO_VALUE);
    (void)u;
    return e && e->given;
}

static Draft *draft_of(Drafts *all, const char *name, bool make)
{
    vec_each (i, all)
        if (strcmp(all->at[i].name, name) == 0) return &all->at[i];
    if (!make) return NULL;
    vec_push(all, ((Draft){.name = name}));
    return &vec_last(all);
}

static bool puts_elements(const Own *o, FuncId id, const Unit *u, const Func *f, uint32_t home)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (i != home && is_element(o, id, u, f, i)) return true;
    return false;
}

// A static function of a name that was there before would be a second declaration.
static bool first_of_name(const Program *p, uint32_t id)
{
    U32s same = {0};
    program_find(p, name_text(p->names, p->funcs.at[id].source), &same);
    bool first = true;
    vec_each (i, &same)
        if (same.at[i] < id && program_has_code(p, (FuncId){same.at[i]})) first = false;
    vec_free(&same);
    return first;
}

static void find_drafts(const Own *o, Drafts *all)
{
    const Program *p = o->program;
    for (int round = 0; round < 2; round++)
        for (uint32_t id = 1; id < p->funcs.len; id++) {
            const Unit *u;
            const Func *f = program_body(p, (FuncId){id}, &u);
            if (!f || !o->interfaces[id] || !first_of_name(p, id)) continue;
            uint32_t home = container_param(u, f);
            const char *name =
                home == NO_VALUE ? NULL : pointed_struct(u, param_at(u, f, home)->type);
            if (round == 0) {
                if (name && puts_elements(o, (FuncId){id}, u, f, home))
                    draft_of(all, name, true)->puts++;
                continue;
            }
            if (!name && mtype_class(f->result) == MT_PTR)
                name = pointed_struct(u, result_type(u, f));
            Draft *d = name ? draft_of(all, name, false) : NULL;
            if (d) vec_push(&d->routines, ((FuncId){id}));
        }
}

// ---- printing ----

static const char *text_of(Out *o, Arena *a)
{
    const char *text = arena_strdup(a, out_content(o, NULL));
    out_discard(o);
    return text;
}

// One routine with the container's type in place of the struct; false: nothing about it concerns
// ownership.
static bool print_routine(Out *out, Own *o, const Draft *d, FuncId id)
{
    const Unit *u;
    const Func *f = program_body(o->program, id, &u);
    const Interface *face = o->interfaces[id.id];
    uint32_t home = container_param(u, f);
    bool takes_home = home != NO_VALUE && home < face->param_count &&
                      face_forced(face, face->params[home].own) == 1;
    const char *made = pointed_struct(u, result_type(u, f));
    bool makes = made && strcmp(made, d->name) == 0 && face_forced(face, face->result.own) == 1;
    bool puts = puts_elements(o, id, u, f, home), gives = element_result(o, id, u, f);
    bool looks = !gives && face->weak_result && mtype_class(f->result) == MT_PTR && !made;
    if (!takes_home && !makes && !puts && !gives && !looks) return false;
    Out *line = out_memory();
    bool calls_back = false;
    if (makes)
        out_printf(line, "own %s<T> *", d->name);
    else if (gives)
        out_text(line, "T ");
    else if (mtype_class(f->result) == MT_VOID)
        out_text(line, "void ");
    else
        out_text(line, mtype_class(f->result) == MT_PTR ? "void *" : "long ");
    out_printf(line, "%s(", name_text(o->program->names, o->program->funcs.at[id.id].source));
    for (uint32_t i = 0; i < f->param_count; i++) {
        const Param *p = param_at(u, f, i);
        const char *name = name_text(u->names, p->name);
        if (!*name) name = arena_printf(o->arena, "p%u", i + 1);
        if (i) out_text(line, ", ");
        if (i == home)
            out_printf(line, "%s %s<T> *%s", takes_home ? "own" : "ref", d->name, name);
        else if (is_element(o, id, u, f, i))
            out_printf(line, "T %s", name);
        else if (takes_home && points_to(u, p->type, TYPE_FUNC)) {
            out_printf(line, "void (*%s)(T)", name);
            calls_back = true;
        } else
            out_printf(line, "%s%s", mtype_class(p->mtype) == MT_PTR ? "void *" : "long ", name);
    }
    out_char(line, ')');
    if (takes_home && !calls_back) out_text(line, " where { ref_type(T) }");
    if (looks && home != NO_VALUE)
        out_printf(line, " returns ref of %s or null",
                   name_text(u->names, param_at(u, f, home)->name));
    out_text(line, ";");
    const char *why = puts         ? "what it is given goes into memory"
                      : gives      ? "its result is released by callers"
                      : makes      ? "returns memory of its own"
                      : looks      ? "shows what it holds"
                      : calls_back ? "frees it and hands the elements to a function"
                                   : "frees it; whether the elements too must be looked at";
    out_printf(out, "%-60s // %s\n", text_of(line, o->arena), why);
    return true;
}

static void print_containers(Out *out, Own *o, Drafts *all)
{
    if (!all->len) return;
    out_text(out, "// ---- containers: ownership disappears into memory in these routines\n\n"
                  "type T;\n");
    vec_each (i, all) {
        Draft *d = &all->at[i];
        out_printf(out, "\ncontainer %s<T> { own T *elem; };\n", d->name);
        vec_each (k, &d->routines) print_routine(out, o, d, d->routines.at[k]);
        vec_each (k, &d->routines) {
            FuncId id = d->routines.at[k];
            for (uint32_t n = 0; n < o->interfaces[id.id]->param_count; n++) {
                const Evidence *e = own_evidence(o, id, n);
                if (!e || !e->given || !pos_known(e->where)) continue;
                out_printf(out,
                           "// %s: parameter %u receives owned memory at %u place%s, line %u\n",
                           name_text(o->program->names, o->program->funcs.at[id.id].source), n + 1,
                           e->given, e->given == 1 ? "" : "s", e->where.line);
            }
        }
    }
    out_char(out, '\n');
}

static bool in_draft(const Drafts *all, FuncId f)
{
    vec_each (i, all)
        vec_each (k, &all->at[i].routines)
            if (all->at[i].routines.at[k].id == f.id) return true;
    return false;
}

// Allocators, constructors, releasers: what the interface says for certain.
static void print_interfaces(Out *out, Own *o, const Drafts *drafts)
{
    const Program *p = o->program;
    bool any = false;
    for (uint32_t id = 1; id < p->funcs.len; id++) {
        const Unit *u;
        const Func *f = program_body(p, (FuncId){id}, &u);
        const Interface *face = o->interfaces[id];
        if (!f || !face || in_draft(drafts, (FuncId){id}) || (f->flags & FUNC_CXX)) continue;
        bool owned = mtype_class(f->result) == MT_PTR && face_forced(face, face->result.own) == 1;
        const char **words = arena_array_of(o->arena, const char *, f->param_count + 1);
        uint32_t taken = 0;
        for (uint32_t i = 0; i < f->param_count; i++) {
            words[i] = "";
            if (i < face->param_count && face_forced(face, face->params[i].own) == 1)
                words[i] = "own ", taken++;
        }
        if ((!owned && !taken) || !first_of_name(p, (uint32_t)id)) continue;
        if (!any) out_text(out, "// ---- allocators and releasers, from their code\n\n");
        any = true;
        print_declaration(out, o, (FuncId){id}, owned ? "own " : "", words);
        out_text(out, owned && !(f->flags & FUNC_RETURNS_NONNULL) ? " or null;\n" : ";\n");
    }
    if (any) out_char(out, '\n');
}

static void print_fields(Out *out, const Own *o)
{
    bool any = false;
    vec_each (i, &o->fields) {
        const FieldUse *f = &o->fields.at[i];
        if (!f->in || !f->out) continue;
        if (!any) out_text(out, "// ---- fields that own what they point to\n");
        any = true;
        out_printf(out, "// '%s': ownership goes in at %u place%s and comes out at %u\n", f->name,
                   f->in, f->in == 1 ? "" : "s", f->out);
    }
    if (any) out_char(out, '\n');
}

static void print_beliefs(Out *out, Own *o)
{
    const Program *p = o->program;
    bool any = false;
    for (uint32_t id = 1; id < p->funcs.len; id++) {
        if (program_has_code(p, (FuncId){id}) || own_spec(o, (FuncId){id})) continue;
        const Unit *u;
        const Func *f = program_decl(p, (FuncId){id}, &u);
        const char **words = arena_array_of(o->arena, const char *, f->param_count + 1);
        const char *why = "";
        for (uint32_t i = 0; i < f->param_count; i++) {
            BeliefCounts c = belief_counts(&o->beliefs, (FuncId){id}, i, (FuncId){0});
            uint32_t lent = c.count[SITE_KEPT] + c.count[SITE_USED];
            words[i] = "";
            if (!belief_witnesses(c)) continue;
            // `keep` says no more than is known.
            words[i] = c.count[SITE_GONE] > lent                   ? "own "
                       : c.count[SITE_MIXED] && !belief_borrows(c) ? "keep "
                                                                   : "ref ";
            why = arena_printf(o->arena, "%s%sparameter %u:", why, *why ? "; " : "", i + 1);
            const char *comma = "";
            const char *const tell[SITE_VERDICTS] = {"released or handed on afterwards",
                                                     "owned before and never released",
                                                     "released on some ways only", "used again"};
            for (uint32_t v = 0; v < SITE_VERDICTS; v++) {
                if (!c.count[v]) continue;
                why = arena_printf(o->arena, "%s%s %s by %u", why, comma, tell[v], c.count[v]);
                comma = ",";
            }
            why = arena_printf(o->arena, "%s of %u caller%s", why, belief_witnesses(c),
                               belief_witnesses(c) == 1 ? "" : "s");
        }
        if (!*why) continue;
        if (!any)
            out_text(out,
                     "// ---- believed of functions with neither code nor spec: to confirm\n\n");
        any = true;
        out_printf(out, "// %s\n", why);
        print_declaration(out, o, (FuncId){id}, "", words);
        out_text(out, ";\n");
    }
}

void own_print_specs(Out *out, Own *o)
{
    Drafts drafts = {0};
    find_drafts(o, &drafts);
    print_containers(out, o, &drafts);
    print_interfaces(out, o, &drafts);
    print_fields(out, o);
    print_beliefs(out, o);
    vec_each (i, &drafts) vec_free(&drafts.at[i].routines);
    vec_free(&drafts);
}
