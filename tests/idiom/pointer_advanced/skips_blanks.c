// A function gives back what it was given, a few bytes further on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *without_blanks(char *s)
{
    char *end;
    while (*s == ' ')
        ++s;
    if (*s)
        for (end = s + strlen(s); *--end == ' '; *end = '\0')
            ;
    return s;
}

char *handed_on(const char *text)
{
    return without_blanks(strdup(text)); // OK
}

void freed_by_its_start(const char *text)
{
    char *copy = strndup(text, 40); // OK
    if (copy) {
        puts(without_blanks(copy));
        free(copy);
    }
}

void never_freed(const char *text)
{
    char *word = without_blanks(strndup(text, 40)); // LEAK word
    puts(word);
} // LOST word
