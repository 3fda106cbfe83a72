// computes text_length strlen, my_strlen;  which functions the interpreter computes by itself.
#include "spec/computes.h"
#include "spec/spec_int.h"

const char *spec_computes_word(Computes c)
{
    static const char *const words[COMPUTES_COUNT] = {
#define COMPUTES(name, word) word,
#include "spec/computes.def"
#undef COMPUTES
    };
    return (uint32_t)c < COMPUTES_COUNT ? words[c] : "?";
}

Computes spec_computes(const SpecTable *t, const char *symbol)
{
    Name n = name_find(t->names, symbol);
    uint64_t *at = n.id ? map_get(&t->computes, n.id) : NULL;
    return at ? (Computes)*at : COMPUTES_NONE;
}

void parse_computes(Parser *p)
{
    SpecTable *t = p->table;
    char b[64];
    uint32_t what = 0;
    while (what < COMPUTES_COUNT && !parse_is_word(&p->tok, spec_computes_word((Computes)what))) what++;
    if (what == COMPUTES_COUNT) {
        parse_fail(p, &p->tok, "%s is nothing that can be computed", parse_shown(&p->tok, b));
        return;
    }
    parse_next(p);
    do {
        Name n = parse_name(p, "a function's name");
        if (!p->failed) map_set(&t->computes, n.id, what);
    } while (!p->failed && parse_accept(p, ','));
    parse_expect(p, ';');
}

void print_computes(Out *o, const SpecTable *t)
{
    for (uint32_t i = 0; i < t->computes.len; i++)
        out_printf(o, "computes %s %s;\n", spec_computes_word((Computes)t->computes.entries[i].value),
                   name_text(t->names, (Name){(uint32_t)t->computes.entries[i].key}));
}
