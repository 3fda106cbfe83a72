// The text form, read: the top level. Bodies of functions are in ut_body.c.
//
// Two passes, since a symbol may be used before the line that defines it: the first reads all
// headers and remembers where bodies, initialisers and other uses of symbols begin, the second
// reads those. Types are looked up at the very end. A message stops the reading of a header; inside
// a body reading goes on with the next line.
#include "unit/read_int.h"

bool ut_tok_is(const UnitReader *r, const char *word)
{
    const Tok *t = &r->lex.tok;
    return t->kind == TOK_WORD && strlen(word) == t->len && memcmp(t->text, word, t->len) == 0;
}

bool ut_tok_is_mark(const UnitReader *r, char mark)
{
    return r->lex.tok.kind == TOK_MARK && r->lex.tok.mark == mark;
}

bool ut_mark(UnitReader *r, char mark)
{
    if (r->lex.tok.kind == TOK_BAD) return false;
    if (!ut_tok_is_mark(r, mark)) return ut_error(r, &r->lex.tok, "expected '%c'", mark);
    ut_next(r);
    return true;
}

bool ut_u64(UnitReader *r, uint64_t *n)
{
    const Tok *t = &r->lex.tok;
    if (t->kind == TOK_BAD) return false;
    if (t->kind != TOK_NUMBER || t->negative) return ut_error(r, t, "expected a number");
    *n = t->number;
    ut_next(r);
    return true;
}

bool ut_u32(UnitReader *r, uint32_t *n)
{
    Tok t = r->lex.tok;
    uint64_t wide = 0;
    if (!ut_u64(r, &wide)) return false;
    if (wide > UINT32_MAX) return ut_error(r, &t, "number too large");
    *n = (uint32_t)wide;
    return true;
}

bool ut_name(UnitReader *r, Name *name)
{
    const Tok *t = &r->lex.tok;
    if (t->kind == TOK_BAD) return false;
    if (t->kind != TOK_STRING) return ut_error(r, t, "expected a string");
    *name = name_of_n(r->u->names, t->text, t->len);
    ut_next(r);
    return true;
}

uint32_t ut_tok_label(UnitReader *r)
{
    return name_of_n(r->labels, r->lex.tok.text, r->lex.tok.len).id;
}

// i32, ptr, ptr4, f64, agg16, vec16, void.
static bool spelled_mtype(const UnitReader *r, const char *s, MType *t)
{
    static const struct {
        const char *word;
        MClass class;
    } classes[] = {
        {"i", MT_INT}, {"ptr", MT_PTR}, {"f", MT_FLOAT}, {"agg", MT_AGG}, {"vec", MT_VEC}};
    *t = mtype(MT_VOID, 0);
    if (strcmp(s, "void") == 0) return true;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        size_t n = strlen(classes[i].word);
        if (strncmp(s, classes[i].word, n) != 0) continue;
        uint32_t size = 0;
        if (!s[n]) {
            *t = mtype(MT_PTR, r->u->pointer_bytes);
            return classes[i].class == MT_PTR;
        }
        for (s += n; *s; s++) {
            if (*s < '0' || *s > '9') return false;
            size = size * 10 + (uint32_t)(*s - '0');
            if (size > MTYPE_SIZE_MAX * 8) return false;
        }
        if (classes[i].class == MT_FLOAT && size % 8) return false;
        if (classes[i].class == MT_FLOAT) size /= 8;
        if (size > MTYPE_SIZE_MAX) return false;
        *t = mtype(classes[i].class, size);
        return true;
    }
    return false;
}

bool ut_tok_mtype(UnitReader *r, MType *t)
{
    if (r->lex.tok.kind != TOK_WORD) return false;
    uint32_t label = ut_tok_label(r);
    uint64_t *known = map_get(&r->mtypes, label);
    if (!known) {
        MType spelled;
        bool is = spelled_mtype(r, name_text(r->labels, (Name){label}), &spelled);
        map_set(&r->mtypes, label, is ? (uint64_t)spelled.bits + 1 : 0);
        known = map_get(&r->mtypes, label);
    }
    if (*known) *t = (MType){(uint16_t)(*known - 1)};
    return *known != 0;
}

bool ut_tok_calc(UnitReader *r, Calc *c, MType *elem)
{
    const char *s = name_text(r->labels, (Name){ut_tok_label(r)});
    for (uint32_t i = 1; i < CALC_COUNT; i++) {
        const char *word = calc_text((Calc)i);
        size_t n = strlen(word);
        if (strncmp(s, word, n) != 0 || (s[n] && s[n] != '.')) continue;
        if (s[n] && !spelled_mtype(r, s + n + 1, elem)) continue;
        *c = (Calc)i;
        return true;
    }
    return false;
}

bool ut_type_label(UnitReader *r, TypeId *t)
{
    const Tok *k = &r->lex.tok;
    if (k->kind == TOK_BAD) return false;
    if (k->kind != TOK_WORD) return ut_error(r, k, "expected the label of a type");
    t->id = 0;
    if (!ut_tok_is(r, "t0")) {
        uint32_t label = ut_tok_label(r);
        if (!map_get(&r->type_uses, label)) {
            map_set(&r->type_uses, label, r->uses.len);
            vec_push(&r->uses, *k);
        }
        t->id = label;
    }
    ut_next(r);
    return true;
}

bool ut_tok_flag(UnitReader *r, const FlagWord *list, uint32_t *flags)
{
    for (; list->text; list++)
        if (ut_tok_is(r, list->text)) {
            *flags |= list->bit;
            ut_next(r);
            return true;
        }
    return false;
}

LocId ut_tok_position(UnitReader *r)
{
    const Tok *t = &r->lex.tok;
    uint32_t label = ut_tok_label(r);
    uint64_t *known = map_get(&r->files, label);
    FileId file = {0};
    if (known)
        file.id = (uint32_t)*known;
    else {
        file = unit_file(r->b, name_text(r->labels, (Name){label}));
        map_set(&r->files, label, file.id);
    }
    return unit_loc(r->b, file, t->file_line, t->file_col, t->scope);
}

static uint64_t symbol_key(UnitReader *r, const Tok *t)
{
    return map_pair(name_of_n(r->u->names, t->text, t->len).id, (uint32_t)t->number);
}

static bool define_symbol(UnitReader *r, uint32_t kind, uint32_t id, Name *name)
{
    const Tok *t = &r->lex.tok;
    if (t->kind == TOK_BAD) return false;
    if (t->kind != TOK_SYMBOL) return ut_error(r, t, "expected @NAME");
    bool fresh;
    map_at(&r->symbols, symbol_key(r, t), map_pair(kind, id), &fresh);
    if (!fresh) return ut_error(r, t, "@%.*s is defined twice", (int)t->len, t->text);
    *name = name_of_n(r->u->names, t->text, t->len);
    ut_next(r);
    return true;
}

// The current token as a symbol of a kind.
static bool read_symbol(UnitReader *r, uint32_t kind, uint32_t *id)
{
    const Tok *t = &r->lex.tok;
    if (t->kind == TOK_BAD) return false;
    if (t->kind != TOK_SYMBOL) return ut_error(r, t, "expected @NAME");
    uint64_t *known = map_get(&r->symbols, symbol_key(r, t));
    if (!known || *known >> 32 != kind)
        return ut_error(r, t, "no %s @%.*s", kind == SYMBOL_FUNC ? "function" : "global",
                        (int)t->len, t->text);
    *id = (uint32_t)*known;
    ut_next(r);
    return true;
}

static bool number_const(UnitReader *r, Const *k)
{
    const Tok *t = &r->lex.tok;
    if (t->number > (uint64_t)INT64_MAX + t->negative) return ut_error(r, t, "number too large");
    k->kind = CONST_INT;
    k->value = t->negative ? (int64_t)(0 - t->number) : (int64_t)t->number;
    ut_next(r);
    return true;
}

static bool symbol_const(UnitReader *r, Const *k)
{
    const Tok *t = &r->lex.tok;
    uint64_t *known = map_get(&r->symbols, symbol_key(r, t));
    if (!known) return ut_error(r, t, "no function or global @%.*s", (int)t->len, t->text);
    k->kind = *known >> 32 == SYMBOL_FUNC ? CONST_FUNC : CONST_GLOBAL;
    k->target = (uint32_t)*known;
    ut_next(r);
    if (k->kind != CONST_GLOBAL || t->starts_line) return true;
    bool minus = ut_tok_is_mark(r, '-') || (t->kind == TOK_NUMBER && t->negative);
    if (!minus && !ut_tok_is_mark(r, '+')) return true;
    if (t->kind == TOK_MARK) ut_next(r);
    if (t->kind != TOK_NUMBER) return ut_error(r, t, "expected a number");
    k->value = (int64_t)(minus ? 0 - t->number : t->number);
    ut_next(r);
    return true;
}

// "0aff": pairs of hexadecimal digits, appended to the unit's bytes.
static bool read_hex(UnitReader *r)
{
    const Tok *t = &r->lex.tok;
    if (t->kind == TOK_BAD) return false;
    bool good = t->kind == TOK_STRING && t->len && t->len % 2 == 0;
    for (size_t i = 0; good && i < t->len; i += 2) {
        unsigned n = 0;
        for (size_t k = i; k < i + 2; k++) {
            char c = t->text[k];
            if (c >= '0' && c <= '9')
                n = n * 16 + (unsigned)(c - '0');
            else if (c >= 'a' && c <= 'f')
                n = n * 16 + (unsigned)(c - 'a') + 10;
            else
                good = false;
        }
        vec_push(&r->u->bytes, (uint8_t)n);
    }
    if (!good) return ut_error(r, t, "expected bytes as pairs of hexadecimal digits in quotes");
    ut_next(r);
    return true;
}

// data @g 16 "0aff"
static bool read_data(UnitReader *r)
{
    DataRun run = {0};
    Unit *u = r->u;
    if (!read_symbol(r, SYMBOL_GLOBAL, &run.global) || !ut_u64(r, &run.offset)) return false;
    run.first = u->bytes.len;
    if (!read_hex(r)) return false;
    run.count = u->bytes.len - run.first;
    vec_push(&u->runs, run);
    return true;
}

bool ut_const(UnitReader *r, MType want, Ref *ref, bool *is_const)
{
    const Tok *t = &r->lex.tok;
    MType type = {0};
    Tok start = *t;
    Const k = {0};
    bool spelled = ut_tok_mtype(r, &type);
    if (spelled) ut_next(r);
    *is_const = true;
    if (t->kind == TOK_BAD) return false;
    if (t->kind == TOK_NUMBER) {
        if (!number_const(r, &k)) return false;
    } else if (t->kind == TOK_SYMBOL) {
        if (!symbol_const(r, &k)) return false;
    } else if (ut_tok_is(r, "true") || ut_tok_is(r, "false")) {
        k.kind = CONST_INT;
        k.value = ut_tok_is(r, "true") ? -1 : 0;
        if (!spelled) type = mtype(MT_INT, 1);
        spelled = true;
        ut_next(r);
    } else if (ut_tok_is(r, "block")) {
        ut_next(r);
        uint32_t block;
        if (!read_symbol(r, SYMBOL_FUNC, &k.target) || !ut_u32(r, &block)) return false;
        k.kind = CONST_BLOCK;
        k.value = block;
    } else if (ut_tok_is(r, "opaque")) {
        ut_next(r);
        k.kind = CONST_OPAQUE;
        if (ut_tok_is_mark(r, '~')) {
            ut_next(r);
            uint64_t value = 0;
            if (!ut_u64(r, &value)) return false;
            k.value = (int64_t)value;
        }
    } else if (ut_tok_is(r, "float")) {
        ut_next(r);
        uint64_t value = 0;
        if (!ut_u64(r, &value)) return false;
        k.kind = CONST_FLOAT;
        k.value = (int64_t)value;
    } else if (ut_tok_is(r, "bytes")) {
        ut_next(r);
        k.kind = CONST_BYTES;
        k.target = r->u->bytes.len;
        if (!read_hex(r)) return false;
        k.value = r->u->bytes.len - k.target;
    } else if (ut_tok_is(r, "null") || ut_tok_is(r, "undef") || ut_tok_is(r, "zero")) {
        k.kind = ut_tok_is(r, "null")    ? CONST_NULL
                 : ut_tok_is(r, "undef") ? CONST_UNDEF
                                         : CONST_ZERO;
        ut_next(r);
    } else {
        *is_const = false;
        if (spelled && t->kind != TOK_VALUE) return ut_error(r, t, "expected a value");
        return true;
    }
    if (!spelled) type = unit_const_natural(r->u, k.kind, want);
    if (type.bits == 0) return ut_error(r, &start, "the type of this constant must be said");
    if (k.kind == CONST_INT && mtype_class(type) != MT_INT)
        return ut_error(r, &start, "a number that is no integer");
    k.type = type.bits;
    if (k.kind == CONST_BYTES) {
        // equal ones become one: through the builder, which has its own copy
        uint32_t count = (uint32_t)k.value;
        void *copy = arena_copy(r->a, r->u->bytes.at + k.target, count);
        r->u->bytes.len = k.target;
        *ref = unit_const_bytes(r->b, type, copy, count);
        return true;
    }
    *ref = unit_const(r->b, k);
    return true;
}

static bool read_linkage(UnitReader *r, uint32_t *linkage)
{
    for (uint32_t i = 0; i <= LINK_AVAILABLE; i++)
        if (ut_tok_is(r, unit_linkage_words[i])) {
            *linkage = i;
            ut_next(r);
            return true;
        }
    return false;
}

// Skips a braced part, the current token being its opening brace.
static bool skip_braces(UnitReader *r)
{
    Tok open = r->lex.tok;
    uint32_t depth = 0;
    do {
        if (ut_tok_is_mark(r, '{')) depth++;
        if (ut_tok_is_mark(r, '}')) depth--;
        if (r->lex.tok.kind == TOK_END) return ut_error(r, &open, "'{' without its '}'");
        if (r->lex.tok.kind == TOK_BAD) return false;
        ut_next(r);
    } while (depth);
    return true;
}

// Where the second pass goes on.
typedef struct {
    enum {
        LATER_INIT,
        LATER_GLOBAL_ALIAS,
        LATER_FUNC_ALIAS,
        LATER_BODY,
        LATER_NOTE,
        LATER_CTOR,
        LATER_DATA
    } what;
    uint32_t id;
    UnitLexer lex;
} Later;

typedef VEC(Later) Laters;

static bool read_type(UnitReader *r)
{
    const Tok *k = &r->lex.tok;
    Unit *u = r->u;
    Type t = {.first_elem = u->elems.len};
    if (k->kind != TOK_WORD) return ut_error(r, k, "expected the label of a type");
    bool fresh;
    map_at(&r->types, ut_tok_label(r), u->types.len, &fresh);
    if (!fresh || ut_tok_is(r, "t0"))
        return ut_error(r, k, "type %.*s is defined twice", (int)k->len, k->text);
    ut_next(r);
    if (!ut_mark(r, '=')) return false;
    for (t.kind = TYPE_VOID; t.kind <= TYPE_OTHER && !ut_tok_is(r, type_kind_text(t.kind));)
        t.kind++;
    if (t.kind > TYPE_OTHER) return ut_error(r, k, "expected the kind of a type");
    ut_next(r);
    while (!k->starts_line && !ut_tok_is_mark(r, '{')) {
        bool good = true;
        if (k->kind == TOK_STRING)
            good = ut_name(r, &t.name);
        else if (ut_tok_is(r, "size"))
            ut_next(r), good = ut_u64(r, &t.size);
        else if (ut_tok_is(r, "count"))
            ut_next(r), good = ut_u32(r, &t.count);
        else if (!ut_tok_flag(r, unit_type_words, &t.flags))
            good = ut_error(r, k, "unexpected in a type");
        if (!good) return false;
    }
    if (ut_tok_is_mark(r, '{')) {
        do {
            Elem e = {0};
            ut_next(r);
            if (ut_tok_is_mark(r, '}')) break;
            if (!ut_type_label(r, &e.type)) return false;
            while (!ut_tok_is_mark(r, ',') && !ut_tok_is_mark(r, '}')) {
                bool good = true;
                if (k->kind == TOK_STRING)
                    good = ut_name(r, &e.name);
                else if (ut_tok_is(r, "at"))
                    ut_next(r), good = ut_u64(r, &e.offset);
                else if (ut_tok_is(r, "bits"))
                    ut_next(r), good = ut_u32(r, &e.bit_size);
                else if (!ut_tok_flag(r, unit_type_words, &e.flags))
                    good = ut_error(r, k, "unexpected in an element");
                if (!good) return false;
            }
            vec_push(&u->elems, e);
        } while (ut_tok_is_mark(r, ','));
        if (!ut_mark(r, '}')) return false;
    }
    t.elem_count = u->elems.len - t.first_elem;
    vec_push(&u->types, t);
    return true;
}

static bool read_global(UnitReader *r, Laters *later)
{
    const Tok *k = &r->lex.tok;
    Unit *u = r->u;
    uint32_t id = u->globals.len;
    Global g = {.size = u->pointer_bytes};
    if (!define_symbol(r, SYMBOL_GLOBAL, id, &g.name)) return false;
    g.source = g.name;
    while (!k->starts_line && !ut_tok_is_mark(r, '{')) {
        bool good = true;
        Name comdat;
        if (read_linkage(r, &g.linkage) || ut_tok_flag(r, unit_global_words, &g.flags)) continue;
        if (ut_tok_is(r, "size"))
            ut_next(r), good = ut_u64(r, &g.size);
        else if (ut_tok_is(r, "type"))
            ut_next(r), good = ut_type_label(r, &g.type);
        else if (ut_tok_is(r, "source"))
            ut_next(r), good = ut_name(r, &g.source);
        else if (ut_tok_is(r, "text"))
            ut_next(r), good = ut_name(r, &g.text);
        else if (ut_tok_is(r, "comdat")) {
            ut_next(r), good = ut_name(r, &comdat);
            if (good) g.comdat = comdat.id;
        } else if (ut_tok_is(r, "alias")) {
            ut_next(r);
            vec_push(later, ((Later){LATER_GLOBAL_ALIAS, id, r->lex}));
            ut_next(r);
        } else if (k->kind == TOK_POSITION) {
            g.loc = ut_tok_position(r);
            ut_next(r);
        } else {
            good = k->kind != TOK_BAD && ut_error(r, k, "unexpected in a global");
        }
        if (!good) return false;
    }
    vec_push(&u->globals, g);
    if (!ut_tok_is_mark(r, '{')) return true;
    vec_push(later, ((Later){LATER_INIT, id, r->lex}));
    return skip_braces(r);
}

static bool read_params(UnitReader *r, Func *f)
{
    const Tok *k = &r->lex.tok;
    Unit *u = r->u;
    f->first_param = u->params.len;
    if (!ut_mark(r, '(')) return false;
    while (!ut_tok_is_mark(r, ')')) {
        Param p = {0};
        uint32_t flags = 0;
        if (f->param_count && !ut_mark(r, ',')) return false;
        if (!ut_tok_mtype(r, &p.mtype)) return ut_error(r, k, "expected a type");
        ut_next(r);
        if (k->kind == TOK_VALUE) {
            bool fresh;
            map_at(&r->values, map_pair(u->funcs.len, ut_tok_label(r)),
                   ref_param(f->param_count).bits, &fresh);
            if (!fresh) return ut_error(r, k, "two parameters of one name");
            const char *label = name_text(r->labels, (Name){ut_tok_label(r)});
            if (unit_text_plain(label, k->len) && !unit_text_made_up(label, 'p'))
                p.name = name_of_n(u->names, k->text, k->len);
            ut_next(r);
        }
        while (!ut_tok_is_mark(r, ',') && !ut_tok_is_mark(r, ')')) {
            bool good = true;
            if (ut_tok_flag(r, unit_param_words, &flags)) continue;
            if (k->kind == TOK_STRING)
                good = ut_name(r, &p.name);
            else if (ut_tok_is(r, "size"))
                ut_next(r), good = ut_u32(r, &p.byval_size);
            else if (ut_tok_is(r, "type"))
                ut_next(r), good = ut_type_label(r, &p.type);
            else
                good = k->kind != TOK_BAD && ut_error(r, k, "unexpected in a parameter");
            if (!good) return false;
        }
        p.flags = (uint16_t)flags;
        f->param_count++;
        vec_push(&u->params, p);
    }
    ut_next(r);
    return true;
}

static bool read_func(UnitReader *r, Laters *later, bool declare)
{
    const Tok *k = &r->lex.tok;
    Unit *u = r->u;
    uint32_t id = u->funcs.len, flags = 0;
    Func f = {0};
    if (ut_tok_mtype(r, &f.result)) ut_next(r);
    if (!define_symbol(r, SYMBOL_FUNC, id, &f.name)) return false;
    f.source = f.name;
    if (!read_params(r, &f)) return false;
    while (!k->starts_line && !ut_tok_is_mark(r, '{')) {
        bool good = true;
        Name comdat;
        if (read_linkage(r, &f.linkage) || ut_tok_flag(r, unit_func_words, &flags)) continue;
        if (ut_tok_is(r, "type"))
            ut_next(r), good = ut_type_label(r, &f.type);
        else if (ut_tok_is(r, "source"))
            ut_next(r), good = ut_name(r, &f.source);
        else if (ut_tok_is(r, "comdat")) {
            ut_next(r), good = ut_name(r, &comdat);
            if (good) f.comdat = comdat.id;
        } else if (ut_tok_is(r, "alias")) {
            ut_next(r);
            vec_push(later, ((Later){LATER_FUNC_ALIAS, id, r->lex}));
            ut_next(r);
        } else if (k->kind == TOK_POSITION) {
            f.loc = ut_tok_position(r);
            ut_next(r);
        } else {
            good = k->kind != TOK_BAD && ut_error(r, k, "unexpected in a function's head");
        }
        if (!good) return false;
    }
    f.flags = (uint16_t)flags;
    vec_push(&u->funcs, f);
    if (declare) return true;
    if (!ut_tok_is_mark(r, '{')) return ut_error(r, k, "expected '{' and a body");
    vec_push(later, ((Later){LATER_BODY, id, r->lex}));
    return skip_braces(r);
}

static bool read_file(UnitReader *r)
{
    Unit *u = r->u;
    Name path;
    ut_next_file_label(r);
    if (r->lex.tok.kind != TOK_WORD) return ut_error(r, &r->lex.tok, "expected a file's label");
    bool fresh;
    map_at(&r->files, ut_tok_label(r), u->files.len, &fresh);
    if (!fresh) return ut_error(r, &r->lex.tok, "the file is listed twice");
    ut_next(r);
    if (!ut_name(r, &path)) return false;
    bool foreign = ut_tok_is(r, "foreign");
    if (foreign) ut_next(r);
    vec_push(&u->files, ((File){path, foreign}));
    return true;
}

static bool read_statement(UnitReader *r, Laters *later)
{
    Unit *u = r->u;
    const Tok *k = &r->lex.tok;
    if (k->kind == TOK_BAD) return false;
    if (k->kind != TOK_WORD) return ut_error(r, k, "expected a statement");
    if (ut_tok_is(r, "file")) return read_file(r);
    static const char *const words[] = {"unit",     "language",    "target", "producer", "pointer",
                                        "flags",    "type",        "global", "func",     "declare",
                                        "annotate", "constructor", "data",     NULL};
    int w = 0;
    while (words[w] && !ut_tok_is(r, words[w])) w++;
    if (!words[w]) return ut_error(r, k, "no such statement: %.*s", (int)k->len, k->text);
    ut_next(r);
    switch (w) {
    case 0:
        return ut_name(r, &u->source);
    case 1:
        return ut_name(r, &u->language);
    case 2:
        return ut_name(r, &u->target);
    case 3:
        return ut_name(r, &u->producer);
    case 4:
        map_clear(&r->mtypes); // the meaning of ptr changes
        return ut_u32(r, &u->pointer_bytes);
    case 5:
        return ut_u32(r, &u->flags);
    case 6:
        return read_type(r);
    case 7:
        return read_global(r, later);
    case 8:
        return read_func(r, later, false);
    case 9:
        return read_func(r, later, true);
    default:
        break;
    }
    vec_push(later, ((Later){words[w][0] == 'a'   ? LATER_NOTE
                              : words[w][0] == 'd' ? LATER_DATA
                                                   : LATER_CTOR, 0, r->lex}));
    while (!k->starts_line) {
        if (k->kind == TOK_BAD) return false;
        ut_next(r);
    }
    return true;
}

static bool read_init(UnitReader *r, uint32_t id)
{
    Unit *u = r->u;
    uint32_t first = u->inits.len;
    ut_next(r);
    while (!ut_tok_is_mark(r, '}')) {
        Init n = {0};
        MType t;
        Ref ref;
        bool is_const;
        Tok start = r->lex.tok;
        if (!ut_u64(r, &n.offset) || !ut_mark(r, ':')) return false;
        if (!ut_tok_mtype(r, &t)) return ut_error(r, &r->lex.tok, "expected a type");
        ut_next(r);
        if (!ut_const(r, t, &ref, &is_const)) return false;
        if (!is_const) return ut_error(r, &start, "an initialiser is OFFSET: TYPE CONSTANT");
        n.value = ref.bits;
        n.type = t.bits;
        vec_push(&u->inits, n);
    }
    u->globals.at[id].first_init = first;
    u->globals.at[id].init_count = u->inits.len - first;
    return true;
}

static bool read_later(UnitReader *r, const Later *l)
{
    Unit *u = r->u;
    r->lex = l->lex;
    switch (l->what) {
    case LATER_INIT:
        return read_init(r, l->id);
    case LATER_GLOBAL_ALIAS:
        return read_symbol(r, SYMBOL_GLOBAL, &u->globals.at[l->id].alias);
    case LATER_FUNC_ALIAS:
        return read_symbol(r, SYMBOL_FUNC, &u->funcs.at[l->id].alias);
    case LATER_BODY:
        r->func = l->id;
        return ut_body(r);
    case LATER_NOTE: {
        Annotation n = {0};
        if (!read_symbol(r, SYMBOL_FUNC, &n.func)) return false;
        if (r->lex.tok.kind == TOK_NUMBER && !ut_u32(r, &n.param)) return false;
        if (!ut_name(r, &n.text)) return false;
        vec_push(&u->annotations, n);
        return true;
    }
    case LATER_DATA:
        return read_data(r);
    case LATER_CTOR: {
        uint32_t id;
        if (!read_symbol(r, SYMBOL_FUNC, &id)) return false;
        vec_push(&u->constructors, id);
        return true;
    }
    }
    return false;
}

static void resolve_type(UnitReader *r, TypeId *t)
{
    if (!t->id) return;
    uint64_t *known = map_get(&r->types, t->id);
    if (known) {
        t->id = (uint32_t)*known;
        return;
    }
    uint64_t *use = map_get(&r->type_uses, t->id);
    if (*use != UINT64_MAX)
        ut_error(r, &r->uses.at[*use], "no type %s", name_text(r->labels, (Name){t->id}));
    *use = UINT64_MAX; // said once
}

static void resolve_types(UnitReader *r)
{
    Unit *u = r->u;
    vec_each (i, &u->elems) resolve_type(r, &u->elems.at[i].type);
    vec_each (i, &u->globals) resolve_type(r, &u->globals.at[i].type);
    vec_each (i, &u->funcs) resolve_type(r, &u->funcs.at[i].type);
    vec_each (i, &u->params) resolve_type(r, &u->params.at[i].type);
    vec_each (i, &u->locals) resolve_type(r, &u->locals.at[i].type);
    vec_each (i, &u->vars) resolve_type(r, &u->vars.at[i].type);
}

Unit *unit_parse(const char *text, const char *file, Diag *d)
{
    Unit *u = unit_new();
    UnitReader reader = {.u = u,
                     .b = unit_builder_new(u),
                     .a = arena_new("unit text"),
                     .diag = d,
                     .file = file,
                     .labels = names_new(),
                     .lex = {.p = text, .line_text = text, .line = 1, .fresh_line = true}};
    UnitReader *r = &reader;
    Laters later = {0};
    map_set(&r->files, name_of(r->labels, "none").id, 0);
    for (uint32_t i = 0; i < OP_COUNT; i++)
        map_set(&r->ops, name_of(r->labels, op_text((Op)i)).id, i);
    bool good = true;
    for (ut_next(r); good && r->lex.tok.kind != TOK_END;) {
        good = read_statement(r, &later);
        if (good && !r->lex.tok.starts_line && r->lex.tok.kind != TOK_BAD)
            good = ut_error(r, &r->lex.tok, "unexpected after a statement");
    }
    // Initialisers first, then bodies, so that constants are numbered as they are printed.
    for (uint32_t i = 0; good && i < later.len; i++)
        if (later.at[i].what == LATER_INIT || later.at[i].what == LATER_DATA) good = read_later(r, &later.at[i]);
    for (uint32_t i = 0; good && i < later.len; i++)
        if (later.at[i].what != LATER_INIT && later.at[i].what != LATER_DATA)
            read_later(r, &later.at[i]);
    if (good) resolve_types(r);
    if (!r->errors) {
        const char *wrong = unit_check(u, r->a);
        if (wrong) diag_error(d, "%s: %s", file, wrong);
        if (wrong) r->errors++;
    }
    good = good && !r->errors;
    unit_builder_free(r->b);
    names_free(r->labels);
    map_free(&r->types);
    map_free(&r->type_uses);
    vec_free(&r->uses);
    map_free(&r->files);
    map_free(&r->symbols);
    map_free(&r->ops);
    map_free(&r->mtypes);
    map_free(&r->values);
    vec_free(&r->pending);
    map_free(&r->block_of);
    vec_free(&r->blocks);
    map_free(&r->locals);
    map_free(&r->vars);
    vec_free(&later);
    arena_free(r->a);
    if (good) return u;
    unit_free(u);
    return NULL;
}
