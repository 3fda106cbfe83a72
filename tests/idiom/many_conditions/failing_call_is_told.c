// What is lost because a call fails names that call: one that gives back its argument or null, one
// that takes a descriptor over and is the only place that has it. That a callee follows a pointer is
// no condition.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int name_of(int pid, char *name, int size)
{
    char path[100];
    snprintf(path, sizeof path, "/proc/%d/comm", pid);
    FILE *f = fopen(path, "r"); // RESOURCE-LEAK f; ONLY WHEN: fgets() has no more lines
    if (!f) return -1;
    if (!fgets(name, size, f)) return -1; // LOST f
    name[strcspn(name, "\n")] = 0;
    fclose(f);
    return 0;
}

static int table(const char *name)
{
    return open(name, O_RDONLY);
}

long first_of(const char *name)
{
    char line[100];
    FILE *f = fdopen(table(name), "r"); // RESOURCE-LEAK number; ONLY WHEN: fdopen() fails
    if (!f) return -1;
    long n = fgets(line, sizeof line, f) ? strtol(line, NULL, 10) : -1;
    fclose(f);
    return n;
}

static int check(const char *path)
{
    if (path[0] == '/') {
        fprintf(stderr, "%s: no such path\n", path);
        return -1;
    }
    return 0;
}

int copied(const char *path, char **to)
{
    char *copy = strdup(path); // LEAK copy; ONLY WHEN: *path == 47
    if (!copy) return -1;
    if (check(path)) return -1; // LOST copy
    *to = copy;
    return 0;
}
