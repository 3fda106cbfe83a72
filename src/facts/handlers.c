// Exceptions that the program does not reckon with. A program that tells its exceptions apart has
// handlers that name them; one that no handler names, of a family others of which are named, reports
// what is taken to be impossible (`throw internal_error(...)`), and where it is thrown its author
// does not expect to come.
#include "facts/facts_int.h"

#include "facts/limits.h"

typedef struct {
    const Facts *f;
    Map named; // Name of a type's symbol -> some handler names it
    Map known; // Name of a type's symbol -> 1 + whether it is unexpected
} Handlers;

static Name type_name(const Handlers *h, const Unit *u, Ref r)
{
    const char *text = facts_type_symbol(u, r);
    return text ? name_find(h->f->program->names, text) : (Name){0};
}

// The first base; none: a root.
static Name base_of(const Handlers *h, Name type)
{
    const Names *names = h->f->program->names;
    const char *bases[BASES_MOST];
    uint32_t count;
    bases_of(h->f, NULL, name_text(names, type), bases, &count);
    return count ? name_find(names, bases[0]) : (Name){0};
}

static bool is_library_type(const Handlers *h, Name type)
{
    const char *base = NULL;
    return spec_exception(h->f->specs, name_text(h->f->program->names, type), &base);
}

// The topmost base that is not a library's. A type of a library itself belongs to no family.
static Name root_of(const Handlers *h, Name type)
{
    Name root = {0};
    for (uint32_t depth = 0; type.id && depth < BASES_FOLLOWED && !is_library_type(h, type); depth++) {
        root = type;
        type = base_of(h, type);
    }
    return root;
}

static bool find_unexpected(Handlers *h, Name type)
{
    Name root = root_of(h, type);
    if (!root.id || root.id == type.id) return false;
    Name at = type;
    for (uint32_t depth = 0; at.id && at.id != root.id && depth < BASES_FOLLOWED; depth++) {
        if (map_get(&h->named, at.id)) return false;
        at = base_of(h, at);
    }
    uint32_t others = 0;
    for (uint32_t i = 0; i < h->named.len; i++) {
        Name other = {(uint32_t)h->named.entries[i].key};
        others += other.id != root.id && root_of(h, other).id == root.id;
    }
    return others >= NAMED_OTHERS;
}

static bool is_unexpected(Handlers *h, Name type)
{
    bool fresh;
    uint64_t *known = map_at(&h->known, type.id, 0, &fresh);
    if (!*known) {
        uint64_t answer = 1 + find_unexpected(h, type);
        known = map_at(&h->known, type.id, 0, &fresh);
        *known = answer;
    }
    return *known == 2;
}

static void note_handlers(Handlers *h, const Unit *u)
{
    vec_each (k, &u->funcs) {
        const Func *f = &u->funcs.at[k];
        for (uint32_t i = 0; i < f->ins_count; i++) {
            const Ins *in = func_ins(u, f, i);
            for (uint32_t n = 0; in->op == OP_LANDING && n < in->c; n++) {
                Name type = type_name(h, u, (Ref){*func_extra(u, f, in->b + n)});
                if (type.id) map_set(&h->named, type.id, 1);
            }
        }
    }
}

static void note_throws(Handlers *h, Facts *into, FuncId id)
{
    const Program *p = into->program;
    const Unit *u;
    const Func *f = program_body(p, id, &u);
    uint32_t unit = p->funcs.at[id.id].unit;
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        if (in->op != OP_CALL && in->op != OP_INVOKE) continue;
        FuncId callee = program_callee(p, unit, u, (Ref){in->a});
        const SpecFunc *spec = callee.id ? facts_spec(into, callee) : NULL;
        if (!spec || spec->noreturn != SPEC_JUMPS) continue;
        for (uint32_t k = 0; k < in->c; k++) {
            Name type = type_name(h, u, (Ref){*func_extra(u, f, in->b + k)});
            if (type.id && is_unexpected(h, type)) facts_note_odd_throw(into, id, i);
        }
    }
}

void handlers_find(Facts *f)
{
    const Program *p = f->program;
    Handlers h = {.f = f};
    for (uint32_t k = 0; k < p->unit_count; k++) note_handlers(&h, p->units[k]);
    for (uint32_t i = 1; h.named.len >= NAMED_OTHERS && i < p->funcs.len; i++)
        if (program_has_code(p, (FuncId){i})) note_throws(&h, f, (FuncId){i});
    map_free(&h.named);
    map_free(&h.known);
}
