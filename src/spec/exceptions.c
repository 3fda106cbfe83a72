// exception _ZTISt9bad_alloc is _ZTISt9exception;  how the exceptions of a library are related, by the
// symbols of their type information, which the library keeps to itself.
#include "spec/spec_int.h"

bool spec_exception(const SpecTable *t, const char *symbol, const char **base)
{
    Name n = name_find(t->names, symbol);
    uint64_t *is = n.id ? map_get(&t->exceptions, n.id) : NULL;
    if (is) *base = *is ? name_text(t->names, (Name){(uint32_t)*is}) : NULL;
    return is != NULL;
}

void parse_exception(Parser *p)
{
    Name type = parse_name(p, "the symbol of a type"), base = {0};
    if (!p->failed && parse_accept_word(p, "is")) base = parse_name(p, "the symbol of a type");
    parse_expect(p, ';');
    if (!p->failed) map_set(&p->table->exceptions, type.id, base.id);
}

void print_exceptions(Out *o, const SpecTable *t)
{
    for (uint32_t i = 0; i < t->exceptions.len; i++) {
        Name base = {(uint32_t)t->exceptions.entries[i].value};
        out_printf(o, "exception %s%s%s;\n", name_text(t->names, (Name){(uint32_t)t->exceptions.entries[i].key}),
                   base.id ? " is " : "", base.id ? name_text(t->names, base) : "");
    }
}
