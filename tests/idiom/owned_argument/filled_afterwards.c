// What is stored in a block after it was handed to code that keeps it is kept as well.
#include <stdlib.h>
#include <string.h>

struct rule {
    struct rule *next;
    char *target, *command;
};

void rules_add(struct rule *r);

static void install(const char *target, const char *command)
{
    struct rule *r = malloc(sizeof *r); // OK
    if (!r) abort();
    r->target = strdup(target); // OK
    rules_add(r);
    r->command = strdup(command); // OK
}

static void install_text(char *target, char *command)
{
    struct rule *r = malloc(sizeof *r); // OK
    if (!r) abort();
    r->target = target;
    rules_add(r);
    r->command = command;
}

static void look_at(const char *target, const char *command)
{
    struct rule r = {NULL, strdup(target), strdup(command)}; // LEAK text
    if (r.target) free(r.target);
} // LOST text

void two_rules(void)
{
    install("a", "b");
    install("c", "d");
}

void two_texts(void)
{
    install_text(strdup("a"), strdup("b")); // OK
    install_text(strdup("c"), strdup("d")); // OK
}

void looked_at(void)
{
    look_at("a", "b");
}
