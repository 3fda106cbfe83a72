// What a field holds is looked into, and then it is given another value: there was something.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct file {
    struct file *next;
    char *name, *real, *label, *shown;
};

static struct file *first;

int file_add(const char *real)
{
    struct file *f = calloc(1, sizeof *f); // OK
    if (!f)
        return -1;
    f->real = strdup(real); // OK
    f->next = first;
    first = f;
    return 0;
}

void file_name(struct file *f, const char *name)
{
    if (!f->name)
        f->name = strdup(name); // OK
}

void file_end(struct file *f)
{
    free(f->name);
    free(f->real);
    free(f->label);
    free(f->shown);
    free(f);
}

void file_drop(void)
{
    struct file *f = first;
    if (!f)
        return;
    first = f->next;
    file_end(f);
}

// A shorter name for the same file.
void file_shorten(const char *name, const char *real)
{
    for (struct file *f = first; f; f = f->next)
        if (strcmp(f->real, real) == 0) {
            if (strlen(name) < strlen(f->name))
                f->name = strdup(name); // LEAK name LIKELY because FIELD_FILLED
            return;
        }
}

// Others may look at it.
char *file_name_of(struct file *f)
{
    return f->name;
}

// It is asked whether there is one: there is none.
void file_label(struct file *f, const char *label)
{
    if (f->label && strcmp(f->label, label) == 0)
        return;
    if (!f->label)
        f->label = strdup(label); // OK
}

// It is looked into only on one side.
void file_show(struct file *f, const char *text, int before)
{
    if (before && strcmp(f->shown, text) == 0)
        return;
    if (!before)
        f->shown = strdup(text); // OK
}

void file_show_again(struct file *f, const char *text)
{
    free(f->shown);
    f->shown = strdup(text); // OK
}
