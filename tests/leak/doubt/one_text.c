// A replay keeps to what it has assumed: a text that is equal to one word is not equal to another, and a
// table that nothing writes holds what it was made with.
// run: --level=likely
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct entry {
    const char *key, *other;
    int channel;
};
static struct entry table[] = {{"alpha", 0, 1}, {"beta", "gamma", 0}, {"delta", 0, 3}};

struct settings {
    char *key, *other;
    int channel;
};

void at_most_one_entry_fits(struct settings *s)
{
    s->other = NULL;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        const struct entry *e = &table[i];
        if (strcasecmp(s->key, e->key) != 0) continue;
        s->other = strdup(e->other ? e->other : s->key); // LEAK? one LIKELY because UNDECIDED: keys differ; LOST one
        if (e->channel) s->channel = e->channel;
    }
}

void several_words_fit(struct settings *s, char **words)
{
    s->other = NULL;
    for (; *words; words++) {
        if (strcasecmp(*words, "alpha") != 0 && strcasecmp(*words, "beta") != 0) continue;
        s->other = strdup(*words); // LEAK several SURE; LOST several
    }
}
