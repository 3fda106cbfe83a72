// A struct that holds a resource by value (regex_t) is filled on the stack and copied to where it
// stays: the resource goes with the copy.
#include <regex.h>
#include <stdlib.h>

struct pattern_set {
    regex_t *patterns;
    size_t count;
};

int copied_into_the_set(struct pattern_set *set, const char *text)
{
    regex_t r;
    if (regcomp(&r, text, REG_EXTENDED) != 0) // OK
        return -1;
    set->patterns[set->count++] = r;
    return 0;
}

int checked_and_released(const char *text)
{
    regex_t r;
    if (regcomp(&r, text, REG_NOSUB) != 0) // OK
        return -1;
    regfree(&r);
    return 0;
}

int checked_and_forgotten(const char *text)
{
    regex_t r;
    if (regcomp(&r, text, REG_NOSUB) != 0) // LEAK regex
        return -1;
    return 0; // LOST regex
}
