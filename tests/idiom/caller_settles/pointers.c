// Calls through stored pointers whose targets are known: what they pass settles a loss like any other.
#include <stdlib.h>
#include <string.h>

struct kind {
    char *(*make)(const char *text, int how);
    const char *name;
};

enum { PLAIN = 0, ONLY_ASK = 2 };

static char *make_text(const char *text, int how)
{
    char *p = strdup(text); // OK
    if (p && (how & ONLY_ASK)) return NULL;
    return p;
}

static char *make_word(const char *text, int how)
{
    char *p = strdup(text); // OK
    if (p && (how & ONLY_ASK)) return NULL;
    return p;
}

static const struct kind kinds[] = {{make_text, "text"}, {make_word, "word"}};

static char *make_of(const struct kind *k, const char *text, int how)
{
    return k->make(text, how);
}

static char *make_as(unsigned which, const char *text, int how)
{
    return make_of(&kinds[which & 1], text, how);
}

char *plainly(unsigned which, const char *text)
{
    return make_as(which, text, PLAIN);
}

static char *ask_text(const char *text, int how)
{
    char *p = strdup(text); // LEAK asked
    if (p && (how & ONLY_ASK)) return NULL; // LOST asked
    return p;
}

static const struct kind asking = {ask_text, "ask"};

static char *ask_of(const struct kind *k, const char *text, int how)
{
    return k->make(text, how);
}

static char *ask_as(const char *text, int how)
{
    return ask_of(&asking, text, how);
}

char *asked(const char *text)
{
    return ask_as(text, ONLY_ASK);
}
