// A function that fills a block through a cursor of its own, which a helper moves on: whatever is joined in
// it, the block is only borrowed. One that stores the cursor keeps it.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

static char *last_word;

static void put_char(char **at, unsigned c)
{
    if (c >= 128)
        *(*at)++ = (char)(c >> 8);
    *(*at)++ = (char)c;
}

unsigned next_char(const char **from);

static void convert(char *to, const char *from, const char *end, int *length)
{
    char *at = to, *last = to;
    while (from < end) {
        unsigned c = next_char(&from);
        if (c == 8 && at > to) {
            do
                at--;
            while (at > to && *at < 0);
        } else
            put_char(&at, c);
        if (at > last)
            last = at;
    }
    *last = 0;
    *length = (int)(last - to);
}

static void keep_char(char **at, unsigned c)
{
    if (c == ' ')
        last_word = *at;
    *(*at)++ = (char)c;
}

static void convert_and_keep(char *to, const char *from, const char *end)
{
    char *at = to, *last = to;
    while (from < end) {
        unsigned c = next_char(&from);
        if (c == 8 && at > to) {
            do
                at--;
            while (at > to && *at < 0);
        } else
            keep_char(&at, c);
        if (at > last)
            last = at;
    }
    *last = 0;
}

int match(const char *text);

int forgotten_when_it_matches(const char *text, size_t n)
{
    int length;
    char *copy = malloc(n + 1); // LEAK copy LIKELY
    if (!copy)
        return -1;
    convert(copy, text, text + n, &length);
    if (match(copy))
        return 1; // LOST copy
    free(copy);
    return 0;
}

int freed_either_way(const char *text, size_t n)
{
    int length, found;
    char *copy = malloc(n + 1); // OK
    if (!copy)
        return -1;
    convert(copy, text, text + n, &length);
    found = match(copy);
    free(copy);
    return found ? length : 0;
}

int kept_by_a_helper(const char *text, size_t n)
{
    char *copy = malloc(n + 1); // OK
    if (!copy)
        return -1;
    convert_and_keep(copy, text, text + n);
    return match(copy);
}

const char *last(void)
{
    return last_word;
}
