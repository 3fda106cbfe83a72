// A result of 0 counted as failure: a text that is never empty, a list without entries.
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

char *numbered(const char *name, size_t n)
{
    char *text = NULL;
    if (asprintf(&text, "%s%zu", name, n) <= 0) // OK
        return NULL;
    return text;
}

char *with_an_ending(const char *name)
{
    char *text = NULL;
    if (asprintf(&text, "%s.XXXXXX", name) <= 0) // OK
        return NULL;
    return text;
}

char *may_be_empty(const char *name)
{
    char *text = NULL;
    if (asprintf(&text, "%s", name) <= 0) // LEAK empty
        return NULL; // LOST empty
    return text;
}

int entries(const char *name)
{
    struct dirent **list = NULL;
    int n = scandir(name, &list, NULL, alphasort); // OK
    if (n <= 0)
        return 0;
    for (int i = 0; i < n; i++)
        free(list[i]);
    free(list);
    return n;
}

int entries_lost(const char *name)
{
    struct dirent **list = NULL;
    int n = scandir(name, &list, NULL, alphasort); // LEAK list
    if (n < 2)
        return 0; // LOST list
    for (int i = 0; i < n; i++)
        free(list[i]);
    free(list);
    return n;
}

struct view {
    char *at;
    size_t page;
};

// A mapping that is given back page by page.
int shown_in_parts(struct view *v, size_t size)
{
    int last = '\n';
    while (size) {
        size_t part = size > v->page ? v->page : size;
        char *from = v->at;
        fwrite(from, 1, part, stdout);
        last = from[part - 1];
        size -= part;
        v->at += part;
        munmap(from, part);
    }
    return last;
}

// A standard stream is there whatever became of the last file.
int next_input(char **names)
{
    for (; *names; names++)
        if (freopen(*names, "r", stdin))
            return 1;
    return 0;
}
