// A function of the program's own around vasprintf: its format makes text.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int print_to(char **to, const char *format, ...)
{
    va_list list;
    int n;
    va_start(list, format);
    n = vasprintf(to, format, list);
    va_end(list);
    if (n < 0)
        exit(1);
    return n;
}

static char *words;

void add_word(const char *word)
{
    char *t = NULL;
    if (print_to(&t, "%s %s", words, word) > 0) { // OK
        free(words);
        words = t;
    }
}

int count_only(const char *word)
{
    char *t = NULL;
    return print_to(&t, "%s %s", words, word); // LEAK counted
}
