// The table in canonical form: what is the default is left out, so that printing what was read
// from a print gives the same text.
#include "spec/spec_int.h"

#include <inttypes.h>
#include <string.h>

static const char *text_of(const SpecTable *t, Name n)
{
    return name_text(t->names, n);
}

static void print_family(Out *o, const SpecTable *t, FamilyId id, uint32_t silent)
{
    if (id.id == silent) return;
    out_printf(o, "(%s)", id.id ? text_of(t, t->families.at[id.id].name) : "any");
}

static void print_hold(Out *o, const SpecTable *t, const SpecType *type)
{
    if (type->hold == SPEC_H_REF) out_text(o, "ref ");
    if (type->hold != SPEC_H_OWN) return;
    out_text(o, "own");
    print_family(o, t, type->family, 1);
    out_char(o, ' ');
}

static void print_declared(Out *o, const SpecTable *t, const SpecType *type, const char *name,
                           uint16_t count);

static void print_args(Out *o, const SpecTable *t, const SpecType *f)
{
    out_char(o, '(');
    for (uint16_t i = 0; i < f->arg_count; i++) {
        if (i) out_text(o, ", ");
        print_hold(o, t, f->args[i]);
        print_declared(o, t, f->args[i], "", 1);
    }
    if (f->variadic)
        out_text(o, f->arg_count ? ", ..." : "...");
    else if (!f->arg_count)
        out_text(o, "void");
    out_char(o, ')');
}

// A type without its outermost ownership word, which is in front.
static void print_front(Out *o, const SpecTable *t, const SpecType *type)
{
    switch (type->kind) {
    case SPEC_T_POINTER:
    case SPEC_T_REFERENCE: {
        const SpecType *to = type->to;
        print_front(o, t, to);
        if (to->kind != SPEC_T_POINTER && to->kind != SPEC_T_REFERENCE) out_char(o, ' ');
        // An inner ownership word comes after its star, in the place of const.
        if ((to->kind == SPEC_T_POINTER || to->kind == SPEC_T_REFERENCE) && to->hold) {
            out_text(o, to->hold == SPEC_H_OWN ? "own" : "ref");
            if (to->hold == SPEC_H_OWN) print_family(o, t, to->family, 1);
            out_char(o, ' ');
        }
        out_char(o, type->kind == SPEC_T_POINTER ? '*' : '&');
        if (type->is_const) out_text(o, "const ");
        break;
    }
    case SPEC_T_CONTAINER:
        if (type->is_const) out_text(o, "const ");
        out_printf(o, "%s<", text_of(t, type->name));
        for (uint16_t i = 0; i < type->arg_count; i++) {
            if (i) out_text(o, ", ");
            print_hold(o, t, type->args[i]);
            print_declared(o, t, type->args[i], "", 1);
        }
        out_char(o, '>');
        break;
    case SPEC_T_BASE:
    case SPEC_T_VAR:
        if (type->is_const) out_text(o, "const ");
        out_text(o, text_of(t, type->name));
        break;
    case SPEC_T_FUNCTION:
        die("spec: a function type stands without its pointer");
    }
}

static void print_declared(Out *o, const SpecTable *t, const SpecType *type, const char *name,
                           uint16_t count)
{
    const SpecType *f = type;
    uint32_t levels = 0;
    for (; f->kind == SPEC_T_POINTER; levels++) f = f->to;
    if (f->kind == SPEC_T_FUNCTION) {
        print_declared(o, t, f->to, "", 1);
        out_text(o, f->to->kind == SPEC_T_POINTER ? "(" : " (");
        while (levels--) out_char(o, '*');
        out_printf(o, "%s)", name);
        print_args(o, t, f);
        return;
    }
    const SpecType *shown = type;
    if (count > 1 && type->kind == SPEC_T_POINTER) shown = type->to;
    print_front(o, t, shown);
    bool tight = shown->kind == SPEC_T_POINTER || shown->kind == SPEC_T_REFERENCE;
    if (*name) out_printf(o, "%s%s", tight ? "" : " ", name);
    if (shown != type) out_printf(o, "%s[%u]", *name ? "" : " ", count);
}

void spec_print_type(Out *o, const SpecTable *t, const SpecType *type, const char *name)
{
    print_hold(o, t, type);
    print_declared(o, t, type, name, 1);
}

static void print_param_name(Out *o, const SpecTable *t, const SpecFunc *f, int16_t i)
{
    if (i == SPEC_RETURN) {
        out_text(o, "return");
        return;
    }
    const char *name = text_of(t, f->params[i].name);
    if (*name)
        out_text(o, name);
    else
        out_printf(o, "#%d", i + 1);
}

static void print_condition(Out *o, const SpecTable *t, const SpecFunc *f, const SpecCond *c)
{
    static const char *const ops[] = {"", "==", "!=", "<", "<=", ">", ">=", "&"};
    out_char(o, '(');
    print_param_name(o, t, f, c->subject);
    out_printf(o, " %s ", ops[c->op]);
    // The smallest number has no positive counterpart to write a minus before.
    if (c->value == INT64_MIN)
        out_text(o, "0x8000000000000000");
    else
        out_printf(o, "%lld", (long long)c->value);
    out_char(o, ')');
}

static void print_when(Out *o, const SpecTable *t, const SpecFunc *f, const SpecCond *c)
{
    if (c->op == SPEC_ALWAYS) return;
    out_text(o, " when ");
    print_condition(o, t, f, c);
}

static void print_length(Out *o, const SpecTable *t, const SpecFunc *f, const int16_t length[2])
{
    if (length[0] == SPEC_NONE) return;
    out_char(o, '(');
    print_param_name(o, t, f, length[0]);
    if (length[1] != SPEC_NONE) {
        out_text(o, " * ");
        print_param_name(o, t, f, length[1]);
    }
    out_char(o, ')');
}

static void print_value(Out *o, const SpecTable *t, const SpecFunc *f, const SpecValue *v)
{
    switch (v->gives) {
    case SPEC_ALIAS:
        break;
    case SPEC_INSIDE:
        out_text(o, "inside ");
        break;
    case SPEC_REF_OF:
        out_text(o, "ref of ");
        break;
    case SPEC_STATIC:
        out_text(o, "static");
        return;
    case SPEC_NULL:
        if (v->number)
            out_printf(o, "%" PRId64, v->number);
        else
            out_text(o, "null");
        return;
    case SPEC_OWN:
        out_text(o, "own");
        print_family(o, t, v->family, 1);
        if (v->deep) out_text(o, " deep");
        return;
    case SPEC_PLAIN:
    case SPEC_POLY:
        return;
    }
    if (v->deref) out_char(o, '*');
    print_param_name(o, t, f, v->param);
}

static void print_mode(Out *o, const SpecTable *t, const SpecParam *x)
{
    static const char *const places[] = {"", "in ", "out ", "inout "};
    out_text(o, places[x->place]);
    bool gives_own = x->value.gives == SPEC_OWN;
    switch (x->mode) {
    case SPEC_TAKE:
        out_text(o, "own");
        break;
    case SPEC_HOLD:
        out_text(o, "hold");
        break;
    case SPEC_KEEP:
        out_text(o, "keep");
        break;
    case SPEC_REF_INC:
        out_text(o, "ref+");
        break;
    case SPEC_REF_DEC:
        out_text(o, "ref-");
        break;
    case SPEC_BY_TYPE:
        return;
    case SPEC_REF:
        if (!gives_own) {
            // Without the word a parameter of type T would be meant polymorphic.
            const SpecType *type = x->type;
            while (type && type->kind == SPEC_T_REFERENCE) type = type->to;
            bool var = type && type->kind == SPEC_T_VAR && x->place == SPEC_ITSELF;
            if (var || x->place == SPEC_INOUT) out_text(o, "ref ");
            return;
        }
        out_text(o, "own");
        break;
    }
    if (x->mode != SPEC_KEEP) print_family(o, t, x->family, x->mode == SPEC_TAKE || gives_own);
    if (x->deep) out_text(o, " deep");
    out_char(o, ' ');
}

static void print_effect(Out *o, const SpecTable *t, const SpecFunc *f, const SpecParam *x)
{
    static const char *const words[] = {"reads", "renews", "clears", "writes", "fills", "changes", "empties"};
    SpecEffect usual =
        x->place != SPEC_ITSELF || !x->type ? SPEC_READS : check_default_effect(x->type);
    if (x->effect != usual) {
        out_text(o, words[x->effect]);
        if (x->effect == SPEC_FILLS) print_length(o, t, f, x->length);
        out_char(o, ' ');
    }
    bool called_anyway = x->mode == SPEC_REF && x->type && check_is_callback(x->type);
    if (x->called && !called_anyway) out_text(o, "calls ");
    if (x->once) out_text(o, "once ");
    if (x->starts) out_text(o, "starts ");
}

static void print_param(Out *o, const SpecTable *t, const SpecFunc *f, uint16_t i)
{
    const SpecParam *x = &f->params[i];
    if (x->nonnull) out_text(o, "nonnull ");
    if (x->opaque) out_text(o, "opaque ");
    print_mode(o, t, x);
    print_effect(o, t, f, x);
    print_declared(o, t, x->type, text_of(t, x->name), x->count);
    if (x->place == SPEC_OUT || x->place == SPEC_INOUT) {
        const SpecValue *v = &x->value;
        bool itself = x->place == SPEC_INOUT && v->gives == SPEC_INSIDE && v->param == i;
        if (v->gives == SPEC_STATIC) out_text(o, " static");
        if ((v->gives == SPEC_INSIDE && !itself) || v->gives == SPEC_REF_OF) {
            out_text(o, v->gives == SPEC_INSIDE ? " inside " : " of ");
            if (v->deref) out_char(o, '*');
            print_param_name(o, t, f, v->param);
        }
    }
    if (x->or_null) out_text(o, " or null");
    if (x->or_inside) out_text(o, " or inside");
    if (x->then_null) out_text(o, " then null");
    if (x->else_null) out_text(o, " else null");
    if (x->then_positive) out_text(o, " then positive");
    if (x->bounded) out_printf(o, " then >= %lld", (long long)x->least);
    if (x->in != SPEC_NONE && !(x->mode == SPEC_BY_TYPE && x->in == check_default_in(f, i))) {
        out_text(o, " in ");
        print_param_name(o, t, f, x->in);
    }
    if (x->to != SPEC_NONE) {
        out_text(o, " to ");
        print_param_name(o, t, f, x->to);
    }
    print_when(o, t, f, &x->when);
}

static void print_head(Out *o, const SpecTable *t, const SpecFunc *f)
{
    static const char *const ends[] = {"", "", "(abort)", "(jump)", "(thread)"};
    if (f->pure) out_text(o, "pure ");
    if (f->in_header) out_text(o, "inline ");
    if (f->twice) out_text(o, "twice ");
    if (f->nonnull) out_text(o, "nonnull ");
    if (f->noreturn && f->noreturn_when.op == SPEC_ALWAYS && !f->noreturn_on_success)
        out_printf(o, "noreturn%s ", ends[f->noreturn]);
    if (f->realloc) {
        out_text(o, "realloc");
        print_family(o, t, f->result.family, 1);
        out_char(o, ' ');
    } else if (f->result.gives == SPEC_OWN) {
        print_value(o, t, f, &f->result);
        out_char(o, ' ');
    } else if (f->result.gives == SPEC_PLAIN) {
        const SpecType *type = f->result_type;
        while (type->kind == SPEC_T_REFERENCE) type = type->to;
        if (type->kind == SPEC_T_VAR) out_text(o, "ref ");
    }
    const char *name = text_of(t, f->name);
    char *shown = f->quoted ? mem_printf("\"%s\"", name) : mem_strdup(name);
    print_declared(o, t, f->result_type, shown, 1);
    mem_free(shown);
}

// What the function gives back: by case, and the bounds of its numbers.
static void print_results(Out *o, const SpecTable *t, const SpecFunc *f)
{
    for (uint16_t i = 0; i < f->case_count; i++) {
        out_text(o, " returns ");
        print_value(o, t, f, &f->cases[i]);
        print_when(o, t, f, &f->cases[i].when);
    }
    SpecGives g = f->result.gives;
    if (g != SPEC_PLAIN && g != SPEC_OWN && g != SPEC_POLY) {
        out_text(o, " returns ");
        print_value(o, t, f, &f->result);
    }
    if (f->bounded) out_printf(o, " returns >= %lld", (long long)f->least);
    if (f->limited) out_printf(o, " <= %lld", (long long)f->most);
    for (int i = 0; i < 2 && f->unless[i].op != SPEC_ALWAYS; i++) {
        if (!i) out_printf(o, " returns != %lld unless ", (long long)f->never);
        if (i) out_text(o, " or ");
        print_condition(o, t, f, &f->unless[i]);
    }
}

// What it says of objects that are opaque, and of elements.
static void print_told(Out *o, const SpecTable *t, const SpecFunc *f)
{
    if (f->same != SPEC_NONE) {
        out_text(o, " same ");
        print_param_name(o, t, f, f->same);
    }
    for (int i = 0; i < 2 && f->compares[0] != SPEC_NONE; i++) {
        out_text(o, i ? " " : " compares ");
        print_param_name(o, t, f, f->compares[i]);
    }
    if (f->differs) out_text(o, " not");
    if (f->removes != SPEC_NONE) {
        out_text(o, " removes ");
        print_param_name(o, t, f, f->removes);
    }
}

void spec_print_func(Out *o, const SpecTable *t, const SpecFunc *f)
{
    print_head(o, t, f);
    out_char(o, '(');
    for (uint16_t i = 0; i < f->param_count; i++) {
        if (i) out_text(o, ", ");
        print_param(o, t, f, i);
    }
    if (f->variadic) {
        if (f->param_count) out_text(o, ", ");
        print_mode(o, t, &f->rest);
        print_effect(o, t, f, &f->rest);
        out_text(o, "...");
    } else if (!f->param_count) {
        out_text(o, "void");
    }
    out_char(o, ')');
    print_results(o, t, f);
    if (f->unexpected) out_text(o, " unexpected");
    if (f->letters) out_text(o, " letters");
    static const char *const waits[] = {"", " sleeps", " waits", " waits always"};
    out_text(o, waits[f->waits]);
    if (f->forks) out_text(o, " forks");
    if (f->forwards.id) out_printf(o, " forwards to %s", text_of(t, f->forwards));
    if (f->ends.id) out_printf(o, " ends \"%s\"", text_of(t, f->ends));
    if (f->tells_failure) out_text(o, " tells failure");
    if (f->tells_cleared) out_printf(o, " cleared %lld", (long long)f->when_cleared);
    if (f->prints) out_text(o, " prints");
    if (f->withdraws) out_text(o, f->reserves ? " reserves" : " withdraws");
    print_told(o, t, f);
    if (f->result.in != SPEC_NONE) {
        out_text(o, " in ");
        print_param_name(o, t, f, f->result.in);
    }
    if (f->or_static) out_text(o, " or static");
    if (f->fail == SPEC_OR_NULL) out_text(o, " or null");
    if (f->fail == SPEC_OR_NEGATIVE) out_text(o, " or negative");
    if (f->fail == SPEC_OR_VALUE) {
        if (f->fail_value == INT64_MIN)
            out_text(o, " or 0x8000000000000000");
        else
            out_printf(o, " or %lld", (long long)f->fail_value);
    }
    if (f->measures != SPEC_NONE) {
        out_text(o, " measures ");
        print_param_name(o, t, f, f->measures);
    }
    if (f->size[0] != SPEC_NONE) {
        out_text(o, " size ");
        print_param_name(o, t, f, f->size[0]);
        if (f->size[1] != SPEC_NONE) {
            out_text(o, " * ");
            print_param_name(o, t, f, f->size[1]);
        }
    }
    if (f->zeroed) out_text(o, " zeroed");
    if (f->nonempty) out_text(o, " nonempty");
    if (f->fails == SPEC_FAILS_WITHOUT_MEMORY) out_text(o, " fails without memory");
    if (f->fails == SPEC_FAILS_ON_INPUT) out_text(o, " fails on input");
    if (f->throws)
        out_printf(o, " throws %s%s%s", f->thrown.id ? name_text(t->names, f->thrown) : "", f->thrown.id ? " " : "",
                   f->throws == SPEC_THROWS_ONCE ? "once" : "without memory");
    if (f->elements == SPEC_ELEMENTS_WALKED) out_text(o, " walked");
    if (f->elements == SPEC_ELEMENTS_RUNS) {
        out_printf(o, " runs %s", name_text(t->names, f->counts[0].member));
        if (f->counts[0].slot != SPEC_NONE) out_printf(o, " with %d", f->counts[0].slot);
    }
    for (uint16_t i = 0; i < f->count_count; i++) {
        const SpecCount *c = &f->counts[i];
        out_printf(o, " %s %s", i ? "then" : c->slot == SPEC_NONE ? "counts up" : "counts down", name_text(t->names, c->member));
        if (c->slot != SPEC_NONE) out_printf(o, " calls %d", c->slot);
    }
    if (f->inferred) out_text(o, " inferred");
    for (uint16_t i = 0; i < f->copy_count; i++) {
        const SpecCopy *c = &f->copies[i];
        out_text(o, " copies ");
        print_param_name(o, t, f, c->from);
        out_text(o, " to ");
        print_param_name(o, t, f, c->to);
        if (c->length[0] != SPEC_NONE) out_char(o, ' ');
        print_length(o, t, f, c->length);
    }
    if (f->elements && f->elements != SPEC_ELEMENTS_WALKED && f->elements != SPEC_ELEMENTS_RUNS && !f->count_count) {
        const char *second = f->elements == SPEC_ELEMENTS_ERASE ? " to " : " times ";
        const char *const before[3] = {" ", second, " at "};
        out_printf(o, " elements %s", parse_elements_word(f->elements));
        for (int i = 0; i < 3; i++) {
            if (f->element[i] == SPEC_NONE) continue;
            out_text(o, before[i]);
            print_param_name(o, t, f, f->element[i]);
            if (!i && f->keyed) out_text(o, " keyed");
        }
        if (f->element[0] == SPEC_NONE && f->keyed) out_text(o, " keyed");
    }
    if (f->realloc_frees.op != SPEC_ALWAYS) {
        out_text(o, " frees");
        print_when(o, t, f, &f->realloc_frees);
    }
    if (f->noreturn_on_success) out_text(o, " noreturn on success");
    if (f->noreturn_when.op != SPEC_ALWAYS) {
        out_text(o, " noreturn");
        print_when(o, t, f, &f->noreturn_when);
    }
    if (f->where_count) {
        out_text(o, " where { ");
        for (uint16_t i = 0; i < f->where_count; i++)
            out_printf(o, "%s%s(%s)", i ? ", " : "", f->wheres[i].own ? "own_type" : "ref_type",
                       text_of(t, f->wheres[i].var));
        out_text(o, " }");
    }
    out_text(o, ";\n");
}

static void print_family_item(Out *o, const SpecTable *t, const SpecFamily *f)
{
    static const char *const reprs[] = {"", " value", " embedded"};
    if (!f->declared) return;
    out_printf(o, "family %s%s%s%s%s%s%s%s", text_of(t, f->name), f->resource ? " resource" : "",
               f->arena ? " arena" : "", f->deep ? " deep" : "", f->runs ? " runs" : "",
               f->partial ? " partial" : "", f->scoped ? " scoped" : "", reprs[f->repr]);
    if (f->like.id) out_printf(o, " like %s", text_of(t, t->families.at[f->like.id].name));
    if (f->noun.id) out_printf(o, " \"%s\"", text_of(t, f->noun));
    if (f->by.id) out_printf(o, " by \"%s\"", text_of(t, f->by));
    out_text(o, ";\n");
}

static void print_container(Out *o, const SpecTable *t, const SpecContainer *c)
{
    out_printf(o, "container %s<", text_of(t, c->name));
    for (uint16_t i = 0; i < c->var_count; i++)
        out_printf(o, "%s%s", i ? ", " : "", text_of(t, c->vars[i]));
    out_text(o, ">");
    if (c->field_count) {
        out_text(o, " {");
        for (uint16_t i = 0; i < c->field_count; i++) {
            out_char(o, ' ');
            spec_print_type(o, t, c->fields[i].type, text_of(t, c->fields[i].name));
            out_char(o, ';');
        }
        out_text(o, " }");
    }
    out_text(o, ";\n");
}

void spec_print(Out *o, const SpecTable *t)
{
    for (uint32_t i = 0; i < t->vars.len; i++)
        out_printf(o, "type %s;\n", text_of(t, (Name){(uint32_t)t->vars.entries[i].key}));
    for (uint32_t i = 1; i < t->families.len; i++) {
        // A family that another is like must be known before.
        FamilyId like = t->families.at[i].like;
        if (like.id > i) out_printf(o, "family %s;\n", text_of(t, t->families.at[like.id].name));
        print_family_item(o, t, &t->families.at[i]);
    }
    // A container's fields may speak of a later one: first all names, then the fields.
    for (uint32_t i = 1; i < t->containers.len; i++) {
        SpecContainer bare = t->containers.at[i];
        bare.field_count = 0;
        print_container(o, t, &bare);
    }
    for (uint32_t i = 1; i < t->containers.len; i++)
        if (t->containers.at[i].field_count) print_container(o, t, &t->containers.at[i]);
    for (uint32_t i = 0; i < t->live; i++) spec_print_func(o, t, t->dense[i]);
    print_computes(o, t);
    print_exceptions(o, t);
}
