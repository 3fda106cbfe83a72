// `stanch spec infer`: drafts of specifications.
//
// Routines that look like container implementations are those through which ownership disappears
// into memory (Heine and Lam, section 2.4): a parameter that would own but is stored away, at call sites
// that hand over memory of their own, or of a type (void *) that says nothing. They are gathered by
// the struct of their first struct pointer. The drafts are a beginning: each line says why it is
// there, and is to be read before it is believed.
#include "own/own_int.h"

#include "base/hash.h"

typedef struct {
    const char *name;        // struct or typedef
    uint32_t puts, uses;     // routines that put elements in; all that are given the struct
    VEC(const char *) files; // with the code that puts elements in
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

static bool names_struct(const Unit *u, TypeId id, const char *name)
{
    const char *to = pointed_struct(u, id);
    return to && strcmp(to, name) == 0;
}

// A function that is handed one pointer and returns nothing releases it, or looks at it; one with
// more parameters is a callback, and a void pointer beside it is what it will be called with.
static bool is_callback(const Unit *u, TypeId id)
{
    const Type *t = strip(u, id, NULL);
    if (t->kind == TYPE_POINTER && t->elem_count)
        t = strip(u, u->elems.at[t->first_elem].type, NULL);
    return t->kind == TYPE_FUNC && t->elem_count > 2;
}

static bool has_callback(const Unit *u, const Func *f)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (is_callback(u, param_at(u, f, i)->type)) return true;
    return false;
}

// Stored behind `home` as one of many, at call sites that hand over memory of their own, or of a
// type that says nothing.
static bool is_element(const Own *o, FuncId id, const Unit *u, const Func *f, uint32_t home,
                       uint32_t i)
{
    const Interface *face = o->interfaces[id.id];
    const Into *into = o->intos[id.id];
    if (!face || !into || i == home || home >= 32 || i >= face->param_count) return false;
    // Not "goes into memory" of the interface: what is taken on success only owns nothing there.
    if (face_forced(face, face->params[i].own) == 1 || !(into->many[i] >> home & 1)) return false;
    bool any = points_to(u, param_at(u, f, i)->type, TYPE_VOID);
    const Evidence *e = own_evidence(o, id, i);
    return (e && e->given) || (any && !has_callback(u, f));
}

static bool puts_elements(const Own *o, FuncId id, const Unit *u, const Func *f, uint32_t home)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (is_element(o, id, u, f, home, i)) return true;
    return false;
}

// The parameter that is the container: the struct behind which something goes, else the first.
static uint32_t container_param(const Own *o, FuncId id, const Unit *u, const Func *f)
{
    uint32_t first = NO_VALUE;
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (!pointed_struct(u, param_at(u, f, i)->type)) continue;
        if (puts_elements(o, id, u, f, i)) return i;
        if (first == NO_VALUE) first = i;
    }
    return first;
}

// Callers release what it returns.
static bool is_released(const Own *o, FuncId id)
{
    const Evidence *e = own_evidence(o, id, NO_VALUE);
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

static const char *file_of(const Unit *u, const Func *f)
{
    uint32_t file = u->locs.at[f->loc.id].file;
    return file ? name_text(u->names, u->files.at[file].path) : "";
}

static bool in_files(const Draft *d, const char *file)
{
    vec_each (i, &d->files)
        if (strcmp(d->files.at[i], file) == 0) return true;
    return false;
}

static uint64_t hash_text(const char *text)
{
    return hash_bytes(text, strlen(text), 0);
}

// A static function of a name that was there before would be a second declaration; so would one
// that another program of the same build has printed.
static bool first_of_name(const Own *o, uint32_t id)
{
    const Program *p = o->program;
    U32s same = {0};
    const char *name = name_text(p->names, p->funcs.at[id].source);
    program_find(p, name, &same);
    bool first = !map_get(o->options.said, hash_text(name));
    vec_each (i, &same)
        if (same.at[i] < id && program_has_code(p, (FuncId){same.at[i]})) first = false;
    vec_free(&same);
    return first;
}

static void say_name(const Own *o, FuncId id)
{
    const Program *p = o->program;
    map_set(o->options.said, hash_text(name_text(p->names, p->funcs.at[id.id].source)), 1);
}

// First the structs into which elements go, and the files of the code that does it; then whatever
// else those files do to the struct. Users of a container are elsewhere.
static void find_drafts(const Own *o, Drafts *all)
{
    const Program *p = o->program;
    for (int round = 0; round < 3; round++)
        for (uint32_t id = 1; id < p->funcs.len; id++) {
            const Unit *u;
            const Func *f = program_body(p, (FuncId){id}, &u);
            if (!f || !o->interfaces[id] || !o->intos[id]) continue;
            uint32_t home = container_param(o, (FuncId){id}, u, f);
            const char *name =
                home == NO_VALUE ? NULL : pointed_struct(u, param_at(u, f, home)->type);
            bool puts = name && puts_elements(o, (FuncId){id}, u, f, home);
            if (round == 0) {
                if (!puts || !o->intos[id]->opens) continue;
                Draft *d = draft_of(all, name, true);
                if (!in_files(d, file_of(u, f))) vec_push(&d->files, file_of(u, f));
                continue;
            }
            const char *made =
                mtype_class(f->result) == MT_PTR ? pointed_struct(u, result_type(u, f)) : NULL;
            Draft *d = name ? draft_of(all, name, false) : NULL;
            if (!d && made) d = draft_of(all, made, false);
            if (round == 1) {
                if (d) d->uses++, d->puts += puts;
                continue;
            }
            if (d && d->puts * USES_PER_PUT < d->uses) continue;
            if (d && (puts || in_files(d, file_of(u, f))) && first_of_name(o, id))
                vec_push(&d->routines, ((FuncId){id}));
        }
}

// Of a container that other files use, a function that is called only where it is written is no
// business of its users.
static void drop_helpers(const Own *o, Draft *d, bool *helper)
{
    const Program *p = o->program;
    bool *inside = arena_array_of(o->arena, bool, p->funcs.len);
    bool *outside = arena_array_of(o->arena, bool, p->funcs.len);
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const Unit *u;
        const Func *body = program_body(p, (FuncId){f}, &u);
        ProgRange calls = p->funcs.at[f].calls;
        bool home = calls.count && body && in_files(d, file_of(u, body));
        for (uint32_t i = 0; i < calls.count; i++) {
            uint32_t callee = p->calls.at[calls.first + i].callee.id;
            if (callee != f) *(home ? &inside[callee] : &outside[callee]) = true;
        }
    }
    uint32_t kept = 0;
    bool used = false;
    vec_each (k, &d->routines) used |= outside[d->routines.at[k].id];
    if (!used) return;
    vec_each (k, &d->routines) {
        FuncId f = d->routines.at[k];
        if (outside[f.id] || !inside[f.id])
            d->routines.at[kept++] = f;
        else
            helper[f.id] = true;
    }
    d->routines.len = kept;
}

// ---- printing ----

static const char *text_of(Out *o, Arena *a)
{
    const char *text = arena_strdup(a, out_content(o, NULL));
    out_discard(o);
    return text;
}

static bool is_taken(const Interface *face, uint32_t i)
{
    return i < face->param_count && face_forced(face, face->params[i].own) == 1 && !face->torn[i];
}

// One routine with the container's type in place of the struct; false: nothing about it concerns
// ownership.
static bool print_routine(Out *out, Own *o, const Draft *d, FuncId id)
{
    const Unit *u;
    const Func *f = program_body(o->program, id, &u);
    const Interface *face = o->interfaces[id.id];
    const Into *into = o->intos[id.id];
    uint32_t home = container_param(o, id, u, f);
    if (home != NO_VALUE && !names_struct(u, param_at(u, f, home)->type, d->name)) home = NO_VALUE;
    bool takes_home = home != NO_VALUE && is_taken(face, home);
    bool pointer = mtype_class(f->result) == MT_PTR;
    bool makes = pointer && names_struct(u, result_type(u, f), d->name) &&
                 face_forced(face, face->result.own) == 1;
    bool puts = home != NO_VALUE && puts_elements(o, id, u, f, home);
    bool inside = pointer && home != NO_VALUE && face->weak_result && into->result_from == home;
    bool gives = inside && is_released(o, id);
    bool looks = inside && !gives && points_to(u, result_type(u, f), TYPE_VOID);
    bool removes = home != NO_VALUE && home < 32 && (into->out >> home & 1);
    for (uint32_t i = 0; i < f->param_count; i++) removes |= i != home && is_taken(face, i);
    if (!takes_home && !makes && !puts && !gives && !looks && !removes) return false;
    say_name(o, id);
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
        else if (home != NO_VALUE && is_element(o, id, u, f, home, i))
            out_printf(line, "T %s", name);
        else if (takes_home && points_to(u, p->type, TYPE_FUNC)) {
            out_printf(line, "void (*%s)(T)", name);
            calls_back = true;
        } else
            out_printf(line, "%s%s%s", is_taken(face, i) ? "own " : "",
                       mtype_class(p->mtype) == MT_PTR ? "void *" : "long ", name);
    }
    out_char(line, ')');
    if (takes_home && !calls_back) out_text(line, " where { ref_type(T) }");
    if (looks && home != NO_VALUE)
        out_printf(line, " returns ref of %s or null",
                   name_text(u->names, param_at(u, f, home)->name));
    out_text(line, ";");
    const char *why = puts          ? "what it is given goes into memory"
                      : gives       ? "its result is released by callers"
                      : makes       ? "returns memory of its own"
                      : looks       ? "shows what it holds"
                      : !takes_home ? "releases a part of it"
                      : calls_back  ? "frees it and hands the elements to a function"
                                    : "frees it; whether the elements too must be looked at";
    out_printf(out, "%-60s // %s\n", text_of(line, o->arena), why);
    return true;
}

// False when another program of the same build has said it.
static bool say_once(const Own *o, const char *text)
{
    bool fresh;
    map_at(o->options.said, hash_text(text), 1, &fresh);
    return fresh;
}

static void print_reasons(Out *out, const Own *o, FuncId id)
{
    for (uint32_t n = 0; n < o->interfaces[id.id]->param_count; n++) {
        const Evidence *e = own_evidence(o, id, n);
        if (!e || !e->given || !pos_known(e->where)) continue;
        const char *slash = strrchr(e->where.path, '/');
        out_printf(out, "// %s: parameter %u receives owned memory at %u place%s, first at %s:%u\n",
                   name_text(o->program->names, o->program->funcs.at[id.id].source), n + 1,
                   e->given, e->given == 1 ? "" : "s", slash ? slash + 1 : e->where.path,
                   e->where.line);
    }
}

static void print_containers(Out *out, Own *o, Drafts *all)
{
    bool any = false;
    vec_each (i, all) {
        Draft *d = &all->at[i];
        Out *lines = out_memory();
        vec_each (k, &d->routines) print_routine(lines, o, d, d->routines.at[k]);
        const char *text = text_of(lines, o->arena);
        if (!*text) continue;
        if (!any)
            out_text(out, "// ---- containers: ownership disappears into memory in these "
                          "routines\n");
        any = true;
        if (say_once(o, "type T;")) out_text(out, "\ntype T;\n");
        const char *head = arena_printf(o->arena, "\ncontainer %s<T> { own T *elem; };\n", d->name);
        out_text(out, say_once(o, head) ? head : "\n");
        out_text(out, text);
        vec_each (k, &d->routines) print_reasons(out, o, d->routines.at[k]);
    }
    if (any) out_char(out, '\n');
}

// Allocators, constructors, releasers: what the interface says for certain.
static void print_interfaces(Out *out, Own *o, const bool *helper)
{
    const Program *p = o->program;
    bool any = false;
    for (uint32_t id = 1; id < p->funcs.len; id++) {
        const Unit *u;
        const Func *f = program_body(p, (FuncId){id}, &u);
        const Interface *face = o->interfaces[id];
        if (!f || !face || (f->flags & FUNC_CXX) || helper[id]) continue;
        bool owned = mtype_class(f->result) == MT_PTR && face_forced(face, face->result.own) == 1;
        const char **words = arena_array_of(o->arena, const char *, f->param_count + 1);
        uint32_t taken = 0;
        for (uint32_t i = 0; i < f->param_count; i++) {
            words[i] = "";
            if (is_taken(face, i)) words[i] = "own ", taken++;
        }
        if ((!owned && !taken) || !first_of_name(o, id)) continue;
        say_name(o, (FuncId){id});
        if (!any)
            out_text(out,
                     "// ---- allocators and releasers, from their code: for programs that have "
                     "them without it\n\n");
        any = true;
        print_declaration(out, o, (FuncId){id}, owned ? "own " : "", words);
        out_text(out, owned && !(f->flags & FUNC_RETURNS_NONNULL) ? " or null inferred;\n"
                                                                  : " inferred;\n");
    }
    if (any) out_char(out, '\n');
}

static void print_fields(Out *out, const Own *o)
{
    bool any = false;
    vec_each (i, &o->fields) {
        const FieldUse *f = &o->fields.at[i];
        if (!f->in || !field_owns(f)) continue;
        const char *name = field_text(o, i + 1);
        if (!say_once(o, arena_printf(o->arena, "field %s", name))) continue;
        if (!any) out_text(out, "// ---- fields that own what they point to\n");
        any = true;
        out_printf(out, "// '%s': ownership goes in at %u place%s and comes out at %u\n", name,
                   f->in, f->in == 1 ? "" : "s", f->out);
    }
    if (any) out_char(out, '\n');
}

// A void pointer beside a function that is called back: what it will be called with.
static bool is_user_data(const Own *o, FuncId id, const Unit *u, const Func *f, uint32_t param)
{
    const Type *type = &u->types.at[f->type.id];
    TypeId to = param_at(u, f, param)->type;
    if (!to.id && param + 1 < type->elem_count) to = u->elems.at[type->first_elem + 1 + param].type;
    if (!points_to(u, to, TYPE_VOID)) return false;
    bool calls_back = map_get(&o->calls_back, id.id) != NULL;
    for (uint32_t i = 1; i < type->elem_count; i++)
        calls_back |= is_callback(u, u->elems.at[type->first_elem + i].type);
    return calls_back;
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
            words[i] = "";
            if (!belief_witnesses(c)) continue;
            // What was taken may be used on: use alone says "borrowed" only where nobody knows
            // more. `keep` says no more than is known.
            bool data = is_user_data(o, (FuncId){id}, u, f, i);
            words[i] = c.count[SITE_GONE] > c.count[SITE_KEPT]     ? data ? "keep " : "own "
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
        if (!*why || !first_of_name(o, id)) continue;
        say_name(o, (FuncId){id});
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
    Map said = {0};
    if (!o->options.said) o->options.said = &said;
    find_drafts(o, &drafts);
    bool *helper = arena_array_of(o->arena, bool, o->program->funcs.len);
    vec_each (i, &drafts) drop_helpers(o, &drafts.at[i], helper);
    print_containers(out, o, &drafts);
    print_interfaces(out, o, helper);
    print_fields(out, o);
    print_beliefs(out, o);
    vec_each (i, &drafts) {
        vec_free(&drafts.at[i].routines);
        vec_free(&drafts.at[i].files);
    }
    vec_free(&drafts);
    if (o->options.said == &said) o->options.said = NULL;
    map_free(&said);
}
