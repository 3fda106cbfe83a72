// The C++ runtime's own demangler, with a bound on what it is given.
#include "base/demangle.h"
#include "base/out.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

enum { LONGEST = 8192 };

char *demangle(const char *symbol)
{
    if (strncmp(symbol, "_Z", 2) != 0 || strlen(symbol) > LONGEST) return NULL;
    int status;
    char *text = __cxa_demangle(symbol, NULL, NULL, &status);
    char *copy = text ? mem_printf("%s", text) : NULL;
    free(text);
    return copy;
}

// ---- Shorter.

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

// Arguments that a template of the C++ library has when nobody gives any.
static bool is_default(const char *argument)
{
    static const char *const defaults[] = {
        "std::allocator<",  "std::less<",           "std::hash<", "std::equal_to<", "std::char_traits<",
        "std::default_delete<", "(__gnu_cxx::_Lock_policy)", "std::regex_traits<"};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (begins(argument, defaults[i])) return true;
    return false;
}

// Behind the bracket that closes the one at `p`; null when there is none.
static const char *behind_bracket(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        if (p[0] == '-' && p[1] == '>') {
            p++;
            continue;
        }
        depth += (*p == '<' || *p == '(') - (*p == '>' || *p == ')');
        if (depth == 0) return p + 1;
    }
    return NULL;
}

static const struct {
    const char *whole, *name;
} short_names[] = {
    {"std::basic_string<char>", "std::string"},
    {"std::basic_string<wchar_t>", "std::wstring"},
    {"std::basic_string_view<char>", "std::string_view"},
    {"std::basic_ostream<char>", "std::ostream"},
    {"std::basic_istream<char>", "std::istream"},
    {"std::basic_iostream<char>", "std::iostream"},
    {"std::basic_ofstream<char>", "std::ofstream"},
    {"std::basic_ifstream<char>", "std::ifstream"},
    {"std::basic_fstream<char>", "std::fstream"},
    {"std::basic_ostringstream<char>", "std::ostringstream"},
    {"std::basic_istringstream<char>", "std::istringstream"},
    {"std::basic_stringstream<char>", "std::stringstream"},
    {"std::basic_regex<char>", "std::regex"},
};

enum { NESTED = 24 };

static const char inline_space[] = "__cxx11::";

static void shorten(Out *o, const char *p, const char *end, int depth);

// The arguments between the brackets, without the default ones at the end.
static void arguments(Out *o, const char *p, const char *end, int depth)
{
    const char *last = p, *start = p;
    int level = 0;
    bool any = false;
    for (const char *q = p; q <= end; q++) {
        if (q < end) level += (*q == '<' || *q == '(') - (*q == '>' || *q == ')');
        if (q < end && (*q != ',' || level)) continue;
        while (*start == ' ') start++;
        if (!any || !is_default(start)) last = q;
        any = true;
        start = q + 1;
    }
    shorten(o, p, last, depth + 1);
}

// "std::vector<...>" at `p`: the bracket that opens its arguments; null: no template of the library.
static const char *opened_at(const char *p, const char *end)
{
    if (!begins(p, "std::")) return NULL;
    const char *q = p + 5 + (begins(p + 5, inline_space) ? sizeof inline_space - 1 : 0);
    while (q < end && (isalnum((unsigned char)*q) || *q == '_')) q++;
    return q < end && *q == '<' ? q : NULL;
}

static void shorten(Out *o, const char *p, const char *end, int depth)
{
    static const char place[] = "(lambda at ";
    while (p < end) {
        const char *open = depth < NESTED ? opened_at(p, end) : NULL, *behind = open ? behind_bracket(open) : NULL;
        if (begins(p, inline_space)) {
            p += sizeof inline_space - 1;
        } else if (begins(p, place)) {
            const char *file = p + sizeof place - 1;
            for (const char *q = file; q < end && *q != ')'; q++)
                if (*q == '/') file = q + 1;
            out_text(o, place);
            p = file;
        } else if (behind && behind <= end) {
            Out *inner = out_memory();
            const char *name = begins(p + 5, inline_space) ? p + 5 + sizeof inline_space - 1 : p + 5;
            out_printf(inner, "std::%.*s<", (int)(open - name), name);
            arguments(inner, open + 1, behind[-2] == ' ' ? behind - 2 : behind - 1, depth);
            out_char(inner, '>');
            const char *text = out_content(inner, NULL);
            for (size_t i = 0; i < sizeof short_names / sizeof *short_names; i++)
                if (strcmp(text, short_names[i].whole) == 0) text = short_names[i].name;
            out_text(o, text);
            out_discard(inner);
            p = behind;
        } else {
            out_char(o, *p++);
        }
    }
}

const char *demangle_plain(Arena *a, const char *text)
{
    if (!text || (!strstr(text, "std::") && !strstr(text, "(lambda at "))) return text;
    Out *o = out_memory();
    shorten(o, text, text + strlen(text), 0);
    const char *plain = arena_strdup(a, out_content(o, NULL));
    out_discard(o);
    return plain;
}
