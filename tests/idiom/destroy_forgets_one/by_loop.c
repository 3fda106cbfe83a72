// Destructors that forget a field which others release: in a loop over a list, of an entry that was looked for by it,
// beside a function that empties the struct, and one that hands the struct on.
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    char *key, *value;
};

struct table {
    struct entry *first;
    char *name, *path;
};

int table_add(struct table *t, const char *key, const char *value)
{
    struct entry *e = calloc(1, sizeof *e); // OK
    if (!e)
        return -1;
    e->key = strdup(key);     // OK
    e->value = strdup(value); // OK
    e->next = t->first;
    t->first = e;
    return 0;
}

// Forgets the key, by which it was found.
void table_drop(struct table *t, const char *key)
{
    struct entry **at = &t->first;
    while (*at && strcmp((*at)->key, key) != 0) at = &(*at)->next;
    if (*at) {
        struct entry *e = *at;
        *at = e->next;
        free(e->value);
        free(e); // LEAK key LIKELY because FIELD_FILLED
    }
}

void table_clear(struct table *t)
{
    struct entry *next;
    for (struct entry *e = t->first; e; e = next) {
        next = e->next;
        free(e->key);
        free(e); // LEAK value LIKELY because FIELD_FILLED
    }
    t->first = NULL;
}

void table_remove(struct table *t, const char *key)
{
    struct entry **at = &t->first;
    while (*at && strcmp((*at)->key, key) != 0) at = &(*at)->next;
    if (*at) {
        struct entry *e = *at;
        *at = e->next;
        free(e->key);
        free(e->value);
        free(e);
    }
}

void table_open(struct table *t, const char *name, const char *path)
{
    free(t->name);
    free(t->path);
    t->name = strdup(name); // OK
    t->path = strdup(path); // OK
}

void table_close(struct table *t)
{
    free(t->name);
    free(t->path);
    t->name = NULL;
    t->path = NULL;
}

void table_free(struct table *t)
{
    table_clear(t);
    free(t->name);
    free(t); // LEAK path LIKELY because FIELD_FILLED
}

// Emptied by the caller before, and by a function that the struct is handed to.
struct job {
    char *name, *output, *error;
};

int job_run(struct job *j, const char *name)
{
    free(j->name);
    free(j->output);
    free(j->error);
    j->name = strdup(name);   // OK
    j->output = strdup(name); // OK
    j->error = strdup(name);  // OK
    return j->name && j->output && j->error;
}

static void job_empty(struct job *j)
{
    free(j->name);
    free(j->output);
    j->name = NULL;
    j->output = NULL;
}

static void job_free(struct job *j)
{
    free(j->name);
    free(j->error);
    free(j);
}

void job_done(struct job *j)
{
    job_empty(j);
    job_free(j);
}

static void job_streams(struct job *j)
{
    free(j->output);
    free(j->error);
}

void job_end(struct job *j)
{
    job_streams(j);
    free(j->name);
    free(j);
}

// A file that is open only while a function runs; a title that others see but do not own.
struct doc {
    char *name, *title;
    FILE *file;
};

void parse(FILE *f);
void show(char *text);

int doc_load(struct doc *d)
{
    d->file = fopen(d->name, "r"); // OK
    if (!d->file)
        return -1;
    parse(d->file);
    fclose(d->file);
    d->file = NULL;
    return 0;
}

int doc_again(struct doc *d)
{
    d->file = fopen(d->name, "r+"); // OK
    if (!d->file)
        return -1;
    parse(d->file);
    fclose(d->file);
    d->file = NULL;
    return 0;
}

void doc_set(struct doc *d, const char *name, const char *title)
{
    free(d->name);
    free(d->title);
    d->name = strdup(name);   // OK
    d->title = strdup(title); // OK
}

void doc_entitle(struct doc *d, const char *title)
{
    free(d->title);
    d->title = strdup(title); // OK
    show(d->title);
}

void doc_free(struct doc *d)
{
    free(d->name);
    free(d); // LEAK title LIKELY because FIELD_FILLED
}
