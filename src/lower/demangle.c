// What a C++ function without debug information is called in the source: `operator new` of _Znwm.
// Everything but this name is left out: what it returns, its parameters, `const`.
#include "lower/lower_int.h"

#include <stdlib.h>
#include <string.h>

// Of the C++ runtime that LLVM is linked with (Itanium C++ ABI, 3.4).
extern char *__cxa_demangle(const char *mangled, char *room, size_t *size, int *status);

// Behind "operator" come signs that are no brackets: (), <, <<, ->, <=>.
static const char *skip_operator(const char *p)
{
    static const char word[] = "operator";
    if (strncmp(p, word, sizeof word - 1) != 0) return p;
    p += sizeof word - 1;
    if (strncmp(p, "()", 2) == 0) return p + 2;
    return p + strspn(p, "<>=-!+*/%^&|~,");
}

static bool begins_word(const char *text, const char *p)
{
    return p == text || strchr(" :", p[-1]);
}

// From the last word outside of all brackets to the parameters.
static Name plain_name(Names *names, const char *text)
{
    const char *start = text, *p = text;
    int depth = 0;
    bool is_operator = false;
    while (*p && (depth || *p != '(' || p == text || strncmp(p, "(anonymous", 10) == 0)) {
        const char *next = begins_word(text, p) ? skip_operator(p) : p;
        if (next != p) {
            is_operator |= depth == 0;
            p = next;
            continue;
        }
        depth += (*p == '<' || *p == '(') - (*p == '>' || *p == ')');
        // The type that an operator converts to or a `new` behind it belong to its name.
        if (*p == ' ' && depth == 0 && !is_operator) start = p + 1;
        p++;
    }
    return p > start ? name_of_n(names, start, (size_t)(p - start)) : (Name){0};
}

Name lower_demangled(Lower *l, Name symbol)
{
    const char *text = name_text(l->u->names, symbol);
    if (strncmp(text, "_Z", 2) != 0) return symbol;
    int status;
    char *whole = __cxa_demangle(text, NULL, NULL, &status);
    Name plain = whole ? plain_name(l->u->names, whole) : (Name){0};
    free(whole);
    return plain.id ? plain : symbol;
}
