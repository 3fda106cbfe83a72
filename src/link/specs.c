// Names and parameters of a function against the specs.
#include "link/specs.h"

static bool is_plain_number(const SpecTable *t, const SpecType *type)
{
    static const char *const numbers[] = {
        "char",          "int",      "unsigned", "unsigned int", "long",  "size_t", "ssize_t",
        "unsigned long", "long int", "mode_t",   "pid_t",        "uid_t", "gid_t",  "off_t"};
    if (!type || type->kind != SPEC_T_BASE) return false;
    const char *name = name_text(spec_names(t), type->name);
    for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i]) == 0) return true;
    return false;
}

static bool params_agree(const SpecTable *t, const SpecFunc *spec, const Unit *u, const Func *decl)
{
    // A struct that is returned in memory is a first parameter which the source does not have.
    uint32_t hidden =
        decl->param_count && (u->params.at[decl->first_param].flags & PARAM_SRET) ? 1 : 0;
    for (uint32_t i = 0; i < spec->param_count && i + hidden < decl->param_count; i++) {
        const Param *param = &u->params.at[decl->first_param + i + hidden];
        const SpecType *type = spec->params[i].type;
        bool pointer = mtype_class(param->mtype) == MT_PTR;
        if (pointer && is_plain_number(t, type)) return false;
        if (mtype_class(param->mtype) == MT_INT && mtype_size(param->mtype) < 64 && type &&
            type->kind == SPEC_T_POINTER)
            return false;
    }
    return true;
}

const SpecFunc *program_spec(const Program *p, const SpecTable *t, FuncId f)
{
    const ProgFunc *pf = &p->funcs.at[f.id];
    const SpecFunc *spec =
        spec_find(t, name_text(p->names, pf->name), name_text(p->names, pf->source));
    const Unit *u;
    const Func *decl = program_decl(p, f, &u);
    if (!spec || !decl) return spec;
    // A function of the program's own that has the name of one in a header.
    if (spec->in_header && spec->origin == SPEC_FROM_MODEL && decl->block_count && decl->linkage == LINK_EXTERNAL) return NULL;
    // Two libraries may have functions of one name.
    for (const SpecFunc *one = spec; spec->other && one; one = one->other)
        if (one->param_count == decl->param_count) return params_agree(t, one, u, decl) ? one : NULL;
    return params_agree(t, spec, u, decl) ? spec : NULL;
}

const SpecFunc *program_variable_spec(const Program *p, const SpecTable *t, GlobalId g)
{
    const ProgGlobal *pg = &p->globals.at[g.id];
    const char *name = name_text(p->names, pg->name);
    const SpecFunc *spec = pg->flags & PROG_DEFINED ? NULL : spec_find(t, name, name);
    return spec && !spec->pattern ? spec : NULL;
}
