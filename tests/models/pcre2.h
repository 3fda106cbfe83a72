// Headers and fixtures for the recipes of pcre2.own.
#include "run.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

static const PCRE2_UCHAR8 pattern[] = "(?<first>a)(b)(*MARK:m)", subject[] = "ab";
static inline void *get(size_t n, void *data) { return malloc(n); }
static inline void put(void *p, void *data) { free(p); }
static inline pcre2_code_8 *code(void)
{
    int e;
    size_t at;
    return OWN(pcre2_compile_8(pattern, sizeof pattern - 1, 0, &e, &at, NULL), pcre2_code_free_8);
}
static inline pcre2_general_context_8 *general(void)
{
    return OWN(pcre2_general_context_create_8(get, put, NULL), pcre2_general_context_free_8);
}
static inline pcre2_compile_context_8 *ccontext(void)
{
    return OWN(pcre2_compile_context_create_8(NULL), pcre2_compile_context_free_8);
}
static inline pcre2_match_context_8 *mcontext(void)
{
    return OWN(pcre2_match_context_create_8(NULL), pcre2_match_context_free_8);
}
static inline pcre2_match_data_8 *matched(void)
{
    pcre2_code_8 *c = code();
    pcre2_match_data_8 *m = OWN(pcre2_match_data_create_from_pattern_8(c, NULL), pcre2_match_data_free_8);
    pcre2_match_8(c, subject, 2, 0, 0, m, NULL);
    return m;
}
static inline pcre2_jit_stack_8 *jstack(void)
{
    return OWN(pcre2_jit_stack_create_8(32768, 65536, NULL), pcre2_jit_stack_free_8);
}
static inline void drop_tables(const uint8_t *t) { pcre2_maketables_free_8(NULL, t); }
static inline PCRE2_UCHAR8 *substring(void)
{
    PCRE2_UCHAR8 *s;
    size_t n;
    pcre2_substring_get_bynumber_8(matched(), 1, &s, &n);
    return OWN(s, pcre2_substring_free_8);
}
static inline PCRE2_UCHAR8 **list(void)
{
    PCRE2_UCHAR8 **l;
    pcre2_substring_list_get_8(matched(), &l, NULL);
    return OWN(l, pcre2_substring_list_free_8);
}
static inline size_t *number(size_t n)
{
    size_t *p = block(sizeof *p);
    *p = n;
    return p;
}
