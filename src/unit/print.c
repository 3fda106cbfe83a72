// The text form, printed. doc/unit.md has its grammar; read.c reads it back.
//
// Everything in the tables that anything refers to is printed. Ids of types, functions, globals,
// blocks and instructions survive the way through the text; constants, positions and names are
// numbered anew, in order of appearance.
#include "base/file.h"
#include "base/map.h"
#include "unit/unit_int.h"

typedef struct UnitPrinter {
    Out *o;
    const Unit *u;
    Arena *a;
    const char **files;                    // label by FileId
    uint32_t *func_nth, *global_nth;       // for symbols of one name: 2 for the second, else 0
    const Func *f;                         // being printed
    const char **params, **locals, **vars; // labels, from 0
} Printer;

static void quoted(Printer *p, Name name)
{
    const char *s = name_text(p->u->names, name);
    size_t n = name_len(p->u->names, name);
    out_char(p->o, '"');
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c == '"' || c == '\\')
            out_printf(p->o, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            out_printf(p->o, "\\x%02x", c);
        else
            out_char(p->o, (char)c);
    }
    out_char(p->o, '"');
}

static void plain_or_quoted(Printer *p, Name name)
{
    const char *s = name_text(p->u->names, name);
    if (unit_text_plain(s, name_len(p->u->names, name)))
        out_text(p->o, s);
    else
        quoted(p, name);
}

static void mtype_text(Printer *p, MType t)
{
    uint32_t n = mtype_size(t);
    switch (mtype_class(t)) {
    case MT_VOID:
        out_text(p->o, "void");
        break;
    case MT_INT:
        out_printf(p->o, "i%u", n);
        break;
    case MT_PTR:
        out_text(p->o, "ptr");
        if (n != p->u->pointer_bytes) out_printf(p->o, "%u", n);
        break;
    case MT_FLOAT:
        out_printf(p->o, "f%u", n * 8);
        break;
    case MT_AGG:
        out_printf(p->o, "agg%u", n);
        break;
    case MT_VEC:
        out_printf(p->o, "vec%u", n);
        break;
    }
}

static void symbol(Printer *p, Name name, uint32_t nth)
{
    out_char(p->o, '@');
    plain_or_quoted(p, name);
    if (nth) out_printf(p->o, "~%u", nth);
}

static void func_symbol(Printer *p, uint32_t id)
{
    symbol(p, p->u->funcs.at[id].name, p->func_nth[id]);
}

static void global_symbol(Printer *p, uint32_t id)
{
    symbol(p, p->u->globals.at[id].name, p->global_nth[id]);
}

static void position(Printer *p, uint32_t loc)
{
    if (!loc) return;
    const Loc *l = &p->u->locs.at[loc];
    out_printf(p->o, " ; %s:%u:%u", p->files[l->file], l->line, l->col);
    if (l->scope) out_printf(p->o, "/%u", l->scope);
}

static void words(Printer *p, const FlagWord *list, uint32_t flags)
{
    for (; list->text; list++)
        if (flags & list->bit) out_printf(p->o, " %s", list->text);
}

static void hex_bytes(Printer *p, uint32_t first, uint32_t count)
{
    out_char(p->o, '"');
    for (uint32_t i = 0; i < count; i++) out_printf(p->o, "%02x", p->u->bytes.at[first + i]);
    out_char(p->o, '"');
}

static void constant(Printer *p, uint32_t id, MType want)
{
    const Const *k = &p->u->consts.at[id];
    MType type = {(uint16_t)k->type};
    bool i1 = k->kind == CONST_INT && type.bits == mtype(MT_INT, 1).bits;
    if (!i1 && type.bits != unit_const_natural(p->u, k->kind, want).bits) {
        mtype_text(p, type);
        out_char(p->o, ' ');
    }
    switch ((ConstKind)k->kind) {
    case CONST_INT:
        if (i1)
            out_text(p->o, k->value ? "true" : "false");
        else
            out_printf(p->o, "%lld", (long long)k->value);
        break;
    case CONST_NULL:
        out_text(p->o, "null");
        break;
    case CONST_UNDEF:
        out_text(p->o, "undef");
        break;
    case CONST_ZERO:
        out_text(p->o, "zero");
        break;
    case CONST_GLOBAL:
        global_symbol(p, k->target);
        if (k->value)
            out_printf(p->o, " %c %llu", k->value < 0 ? '-' : '+',
                       k->value < 0 ? 0 - (unsigned long long)k->value
                                    : (unsigned long long)k->value);
        break;
    case CONST_FUNC:
        func_symbol(p, k->target);
        break;
    case CONST_BLOCK:
        out_text(p->o, "block ");
        func_symbol(p, k->target);
        out_printf(p->o, " %lld", (long long)k->value);
        break;
    case CONST_OPAQUE:
        out_text(p->o, "opaque");
        if (k->value) out_printf(p->o, "~%llu", (unsigned long long)k->value);
        break;
    case CONST_FLOAT:
        out_printf(p->o, "float %llu", (unsigned long long)k->value);
        break;
    case CONST_BYTES:
        out_text(p->o, "bytes ");
        hex_bytes(p, k->target, (uint32_t)k->value);
        break;
    case CONST_NONE:
        out_text(p->o, "none");
        break;
    }
}

static void operand(Printer *p, const Ins *ins, uint32_t bits, uint32_t i)
{
    Ref r = {bits};
    if (ref_is_none(r))
        out_text(p->o, "none");
    else if (ref_is_param(r))
        out_printf(p->o, "%%%s", p->params[ref_index(r)]);
    else if (ref_is_ins(r))
        out_printf(p->o, "%%%u", ref_index(r));
    else
        constant(p, ref_index(r), unit_operand_wants(p->u, p->f, ins, i));
}

static bool is_one(const Printer *p, uint32_t bits)
{
    Ref r = {bits};
    if (!ref_is_const(r)) return false;
    const Const *k = &p->u->consts.at[ref_index(r)];
    return k->kind == CONST_INT && k->type == mtype(MT_INT, 32).bits && k->value == 1;
}

static void opaque_operands(Printer *p, const Ins *ins, const uint32_t *x)
{
    Out *o = p->o;
    if (ins->op == OP_LANDING) {
        if (ins->a) out_text(o, " cleanup");
        if (!ins->c) return;
    } else if (ins->a) {
        out_printf(o, " %s", calc_text(ins_calc(ins)));
        if (ins_calc_elem(ins).bits) {
            out_char(o, '.');
            mtype_text(p, ins_calc_elem(ins));
        }
    }
    out_text(o, ins->op == OP_OPAQUE && !ins->a ? " (" : "(");
    for (uint32_t i = 0; i < ins->c; i++) {
        if (i) out_text(o, ", ");
        operand(p, ins, x[i], i);
    }
    out_char(o, ')');
}

static void operands(Printer *p, const Ins *ins)
{
    Out *o = p->o;
    const uint32_t *x = ins->c || ins->op == OP_SWITCH || ins->op == OP_INVOKE
                            ? func_extra(p->u, p->f, ins->b)
                            : NULL;
    switch (op_form(ins->op)) {
    case FORM_NONE:
        break;
    case FORM_A:
        if (ins->op == OP_RET && !ins->a) break;
        out_char(o, ' ');
        operand(p, ins, ins->a, 0);
        break;
    case FORM_AB:
    case FORM_ABC:
        out_char(o, ' ');
        operand(p, ins, ins->a, 0);
        out_text(o, ", ");
        operand(p, ins, ins->b, 1);
        if (op_form(ins->op) == FORM_AB) break;
        out_text(o, ", ");
        operand(p, ins, ins->c, 2);
        break;
    case FORM_FIELD:
        out_char(o, ' ');
        operand(p, ins, ins->a, 0);
        out_printf(o, ", %d", (int32_t)ins->b);
        if (ins->c) {
            out_char(o, ' ');
            quoted(p, (Name){ins->c});
        }
        break;
    case FORM_INDEX:
        out_char(o, ' ');
        operand(p, ins, ins->a, 0);
        out_text(o, ", ");
        operand(p, ins, ins->b, 1);
        out_printf(o, " * %u", ins->c);
        break;
    case FORM_PART:
        out_char(o, ' ');
        operand(p, ins, ins->a, 0);
        out_printf(o, ", %u", ins->b);
        break;
    case FORM_SETPART:
        out_char(o, ' ');
        operand(p, ins, ins->a, 0);
        out_text(o, ", ");
        operand(p, ins, ins->b, 1);
        out_printf(o, ", %u", ins->c);
        break;
    case FORM_LOCAL:
        out_printf(o, " %s", p->locals[ins->b - 1]);
        if (is_one(p, ins->a)) break;
        out_text(o, ", ");
        operand(p, ins, ins->a, 0);
        break;
    case FORM_VAR:
        out_printf(o, " %s, ", p->vars[ins->b - 1]);
        operand(p, ins, ins->a, 0);
        break;
    case FORM_OPAQUE:
        opaque_operands(p, ins, x);
        break;
    case FORM_CALL:
    case FORM_INVOKE:
        out_char(o, ' ');
        if (ins->a) operand(p, ins, ins->a, 0);
        out_char(o, '(');
        for (uint32_t i = 0; i < ins->c; i++) {
            if (i) out_text(o, ", ");
            operand(p, ins, x[i], i + 1);
        }
        out_char(o, ')');
        if (ins->op == OP_INVOKE) out_printf(o, " to b%u unwind b%u", x[ins->c], x[ins->c + 1]);
        break;
    case FORM_PHI:
        for (uint32_t i = 0; i < ins->c; i++) {
            out_printf(o, "%s b%u: ", i ? "," : "", x[2 * i]);
            operand(p, ins, x[2 * i + 1], i);
        }
        break;
    case FORM_JUMP:
        out_printf(o, " b%u", ins->a);
        break;
    case FORM_BRANCH:
        out_char(o, ' ');
        operand(p, ins, ins->a, 0);
        out_printf(o, ", b%u, b%u", ins->b, ins->c);
        break;
    case FORM_SWITCH:
        out_char(o, ' ');
        operand(p, ins, ins->a, 0);
        for (uint32_t i = 0; i < ins->c; i++) {
            out_text(o, ", ");
            operand(p, ins, x[2 * i], i + 1);
            out_printf(o, ": b%u", x[2 * i + 1]);
        }
        out_printf(o, ", default: b%u", x[2 * ins->c]);
        break;
    case FORM_GOTO:
        out_char(o, ' ');
        operand(p, ins, ins->a, 0);
        for (uint32_t i = 0; i < ins->c; i++) out_printf(o, ", b%u", x[i]);
        break;
    }
}

static void instruction(Printer *p, uint32_t i)
{
    const Ins *ins = func_ins(p->u, p->f, i);
    if (ins_has_result(ins)) out_printf(p->o, "%%%u = ", i);
    out_text(p->o, op_text(ins->op));
    words(p, unit_ins_words, ins->flags);
    OpForm form = op_form(ins->op);
    if (unit_op_spells_operand(ins->op)) {
        out_char(p->o, ' ');
        mtype_text(p, ref_type(p->u, p->f, (Ref){ins->a}));
    } else if (ins->type.bits || form == FORM_CALL || form == FORM_INVOKE || ins->op == OP_OPAQUE) {
        out_char(p->o, ' ');
        mtype_text(p, ins->type);
    }
    operands(p, ins);
    position(p, ins->loc);
}

// Labels for n things of a function: the name where it is plain and the only one of its kind,
// else a letter and a number.
static const char **labels(Printer *p, char letter, uint32_t n, const Name *names)
{
    const char **out = arena_array_of(p->a, const char *, n + 1);
    Map seen = {0};
    for (uint32_t i = 0; i < n; i++) {
        bool fresh;
        ++*map_at(&seen, names[i].id, 0, &fresh);
    }
    for (uint32_t i = 0; i < n; i++) {
        const char *s = name_text(p->u->names, names[i]);
        bool good = unit_text_plain(s, name_len(p->u->names, names[i])) &&
                    !unit_text_made_up(s, letter) && *map_get(&seen, names[i].id) == 1;
        out[i] = good ? s : arena_printf(p->a, "%c%u", letter, letter == 'p' ? i : i + 1);
    }
    map_free(&seen);
    return out;
}

// The name in quotes where the label is not the name.
static void label_name(Printer *p, const char *label, Name name)
{
    if (!name.id || label == name_text(p->u->names, name)) return;
    out_char(p->o, ' ');
    quoted(p, name);
}

static void type_attr(Printer *p, TypeId t)
{
    if (t.id) out_printf(p->o, " type t%u", t.id);
}

static void make_labels(Printer *p)
{
    const Unit *u = p->u;
    const Func *f = p->f;
    uint32_t most = f->param_count;
    if (f->local_count > most) most = f->local_count;
    if (f->var_count > most) most = f->var_count;
    Name *names = arena_array_of(p->a, Name, most + 1);
    for (uint32_t i = 0; i < f->param_count; i++) names[i] = u->params.at[f->first_param + i].name;
    p->params = labels(p, 'p', f->param_count, names);
    for (uint32_t i = 0; i < f->local_count; i++) names[i] = u->locals.at[f->first_local + i].name;
    p->locals = labels(p, 'l', f->local_count, names);
    for (uint32_t i = 0; i < f->var_count; i++) names[i] = u->vars.at[f->first_var + i].name;
    p->vars = labels(p, 'v', f->var_count, names);
}

static void function(Printer *p, const Func *f)
{
    const Unit *u = p->u;
    Out *o = p->o;
    p->f = f;
    make_labels(p);
    out_text(o, func_is_defined(f) ? "func " : "declare ");
    mtype_text(p, f->result);
    out_char(o, ' ');
    func_symbol(p, (uint32_t)(f - u->funcs.at));
    out_char(o, '(');
    for (uint32_t i = 0; i < f->param_count; i++) {
        const Param *m = &u->params.at[f->first_param + i];
        if (i) out_text(o, ", ");
        mtype_text(p, m->mtype);
        if (func_is_defined(f) || m->name.id) out_printf(o, " %%%s", p->params[i]);
        label_name(p, p->params[i], m->name);
        words(p, unit_param_words, m->flags);
        if (m->byval_size) out_printf(o, " size %u", m->byval_size);
        type_attr(p, m->type);
    }
    out_char(o, ')');
    if (f->linkage) out_printf(o, " %s", unit_linkage_words[f->linkage]);
    words(p, unit_func_words, f->flags);
    type_attr(p, f->type);
    if (f->source.id != f->name.id) {
        out_text(o, " source ");
        quoted(p, f->source);
    }
    if (f->comdat) {
        out_text(o, " comdat ");
        quoted(p, (Name){f->comdat});
    }
    if (f->alias) {
        out_text(o, " alias ");
        func_symbol(p, f->alias);
    }
    position(p, f->loc.id);
    if (!func_is_defined(f)) {
        out_char(o, '\n');
        return;
    }
    out_text(o, " {\n");
    for (uint32_t i = 0; i < f->local_count; i++) {
        const Local *l = &u->locals.at[f->first_local + i];
        out_printf(o, "  local %s", p->locals[i]);
        label_name(p, p->locals[i], l->name);
        out_printf(o, " size %llu", (unsigned long long)l->size);
        if (l->align) out_printf(o, " align %u", l->align);
        type_attr(p, l->type);
        position(p, l->loc.id);
        out_char(o, '\n');
    }
    for (uint32_t i = 0; i < f->var_count; i++) {
        const Var *v = &u->vars.at[f->first_var + i];
        out_printf(o, "  var %s", p->vars[i]);
        label_name(p, p->vars[i], v->name);
        if (v->param) out_printf(o, " param %u", v->param);
        type_attr(p, v->type);
        position(p, v->loc.id);
        out_char(o, '\n');
    }
    for (uint32_t b = 0; b < f->block_count; b++) {
        const Block *block = func_block(u, f, b);
        out_printf(o, "b%u:\n", b);
        for (uint32_t i = 0; i < block->count; i++) {
            out_text(o, "  ");
            instruction(p, block->first + i);
            out_char(o, '\n');
        }
    }
    out_text(o, "}\n");
}

static void global(Printer *p, uint32_t id)
{
    const Global *g = &p->u->globals.at[id];
    Out *o = p->o;
    out_text(o, "global ");
    global_symbol(p, id);
    if (g->linkage) out_printf(o, " %s", unit_linkage_words[g->linkage]);
    words(p, unit_global_words, g->flags);
    out_printf(o, " size %llu", (unsigned long long)g->size);
    type_attr(p, g->type);
    if (g->source.id != g->name.id) {
        out_text(o, " source ");
        quoted(p, g->source);
    }
    if (g->text.id) {
        out_text(o, " text ");
        quoted(p, g->text);
    }
    if (g->comdat) {
        out_text(o, " comdat ");
        quoted(p, (Name){g->comdat});
    }
    if (g->alias) {
        out_text(o, " alias ");
        global_symbol(p, g->alias);
    }
    position(p, g->loc.id);
    if (g->init_count) out_text(o, " {\n");
    for (uint32_t i = 0; i < g->init_count; i++) {
        const Init *n = &p->u->inits.at[g->first_init + i];
        MType t = {(uint16_t)n->type};
        out_printf(o, "  %llu: ", (unsigned long long)n->offset);
        mtype_text(p, t);
        out_char(o, ' ');
        constant(p, ref_index((Ref){n->value}), t);
        out_char(o, '\n');
    }
    out_text(o, g->init_count ? "}\n" : "\n");
}

static void source_type(Printer *p, uint32_t id)
{
    const Type *t = &p->u->types.at[id];
    Out *o = p->o;
    out_printf(o, "type t%u = %s", id, type_kind_text(t->kind));
    if (t->name.id) {
        out_char(o, ' ');
        quoted(p, t->name);
    }
    words(p, unit_type_words, t->flags);
    if (t->size) out_printf(o, " size %llu", (unsigned long long)t->size);
    if (t->count) out_printf(o, " count %u", t->count);
    if (t->elem_count) out_text(o, " { ");
    for (uint32_t i = 0; i < t->elem_count; i++) {
        const Elem *e = &p->u->elems.at[t->first_elem + i];
        if (i) out_text(o, ", ");
        out_printf(o, "t%u", e->type.id);
        if (e->name.id) {
            out_char(o, ' ');
            quoted(p, e->name);
        }
        if (e->offset) out_printf(o, " at %llu", (unsigned long long)e->offset);
        if (e->bit_size) out_printf(o, " bits %u", e->bit_size);
        words(p, unit_type_words, e->flags);
    }
    out_text(o, t->elem_count ? " }\n" : "\n");
}

// Short labels for files: the last part of the path, with a number where it is not the first.
static void label_files(Printer *p)
{
    const Unit *u = p->u;
    Names *seen = names_new();
    Map count = {0};
    p->files = arena_array_of(p->a, const char *, u->files.len);
    p->files[0] = "none";
    map_set(&count, name_of(seen, "none").id, 1);
    for (uint32_t i = 1; i < u->files.len; i++) {
        const char *base = path_base(name_text(u->names, u->files.at[i].path));
        if (!unit_text_plain(base, strlen(base))) base = arena_printf(p->a, "f%u", i);
        bool fresh;
        uint64_t nth = ++*map_at(&count, name_of(seen, base).id, 0, &fresh);
        p->files[i] =
            nth == 1 ? base : arena_printf(p->a, "%s~%llu", base, (unsigned long long)nth);
    }
    map_free(&count);
    names_free(seen);
}

// A damaged unit may have the same text under two names; the text form cannot tell them apart.
static uint32_t one_name(const Unit *u, Name name)
{
    uint32_t first = name_find(u->names, name_text(u->names, name)).id;
    return first ? first : name.id;
}

static void number_symbols(Printer *p)
{
    const Unit *u = p->u;
    Map count = {0};
    p->global_nth = arena_array_of(p->a, uint32_t, u->globals.len);
    p->func_nth = arena_array_of(p->a, uint32_t, u->funcs.len);
    bool fresh;
    for (uint32_t i = 1; i < u->globals.len; i++) {
        uint64_t nth = ++*map_at(&count, one_name(u, u->globals.at[i].name), 0, &fresh);
        p->global_nth[i] = nth > 1 ? (uint32_t)nth : 0;
    }
    for (uint32_t i = 1; i < u->funcs.len; i++) {
        uint64_t nth = ++*map_at(&count, one_name(u, u->funcs.at[i].name), 0, &fresh);
        p->func_nth[i] = nth > 1 ? (uint32_t)nth : 0;
    }
    map_free(&count);
}

void unit_print(Out *o, const Unit *u)
{
    Printer printer = {.o = o, .u = u, .a = arena_new("unit print")}, *p = &printer;
    label_files(p);
    number_symbols(p);
    const struct {
        const char *word;
        Name name;
    } heads[] = {{"unit ", u->source},
                 {"language ", u->language},
                 {"target ", u->target},
                 {"producer ", u->producer}};
    for (int i = 0; i < 4; i++) {
        if (!heads[i].name.id) continue;
        out_text(o, heads[i].word);
        quoted(p, heads[i].name);
        out_char(o, '\n');
    }
    out_printf(o, "pointer %u\n", u->pointer_bytes);
    if (u->flags) out_printf(o, "flags %u\n", u->flags);
    for (uint32_t i = 1; i < u->files.len; i++) {
        out_printf(o, "file %s ", p->files[i]);
        quoted(p, u->files.at[i].path);
        out_text(o, u->files.at[i].foreign ? " foreign\n" : "\n");
    }
    for (uint32_t i = 1; i < u->types.len; i++) source_type(p, i);
    for (uint32_t i = 1; i < u->globals.len; i++) global(p, i);
    vec_each (i, &u->runs) {
        const DataRun *r = &u->runs.at[i];
        out_text(o, "data ");
        global_symbol(p, r->global);
        out_printf(o, " %llu ", (unsigned long long)r->offset);
        hex_bytes(p, r->first, r->count);
        out_char(o, '\n');
    }
    for (uint32_t i = 1; i < u->funcs.len; i++) {
        const Func *f = &u->funcs.at[i];
        if (func_is_defined(f)) out_char(o, '\n');
        function(p, f);
    }
    vec_each (i, &u->annotations) {
        const Annotation *n = &u->annotations.at[i];
        out_text(o, "annotate ");
        func_symbol(p, n->func);
        if (n->param) out_printf(o, " %u", n->param);
        out_char(o, ' ');
        quoted(p, n->text);
        out_char(o, '\n');
    }
    vec_each (i, &u->constructors) {
        out_text(o, "constructor ");
        func_symbol(p, u->constructors.at[i]);
        out_char(o, '\n');
    }
    arena_free(p->a);
}

UnitPrinter *unit_printer_new(Out *o, const Unit *u, const Func *f)
{
    Printer *p = mem_alloc(sizeof *p);
    *p = (Printer){.o = o, .u = u, .a = arena_new("unit print"), .f = f};
    label_files(p);
    number_symbols(p);
    make_labels(p);
    return p;
}

void unit_printer_free(UnitPrinter *p)
{
    if (!p) return;
    arena_free(p->a);
    mem_free(p);
}

void unit_printer_ins(UnitPrinter *p, uint32_t i)
{
    instruction(p, i);
}

void unit_printer_ref(UnitPrinter *p, Ref r)
{
    static const Ins nowhere; // a place that expects no type
    operand(p, &nowhere, r.bits, 0);
}

void unit_print_func(Out *o, const Unit *u, const Func *f)
{
    UnitPrinter *p = unit_printer_new(o, u, f);
    function(p, f);
    unit_printer_free(p);
}
