"""A C library of 100,000 lines in 100 files: lists, tables, readers, with their errors and releases.

    program.py DIRECTORY
"""
import json
import os
import sys

where = sys.argv[1]
os.makedirs(where)
FILES, FUNCTIONS = 100, 15

HEADER = """#ifndef PART_H
#define PART_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char *name; int value; struct item *next; };
struct table { struct item *slots[16]; int count; };
"""

# About fifty lines; %(f)d file, %(n)d number, %(g)d another file.
FUNCTION = """
static struct item *item_%(n)d(const char *name, int value)
{
    struct item *it = malloc(sizeof *it);
    if (it == NULL)
        return NULL;
    it->name = strdup(name);
    if (it->name == NULL) {
        free(it);
        return NULL;
    }
    it->value = value + %(n)d;
    it->next = NULL;
    return it;
}

static void drop_%(n)d(struct item *it)
{
    while (it != NULL) {
        struct item *next = it->next;
        free(it->name);
        free(it);
        it = next;
    }
}

int read_%(f)d_%(n)d(struct table *t, const char *path)
{
    char line[256];
    int lines = 0;
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return -1;
    while (fgets(line, sizeof line, in) != NULL) {
        size_t len = strlen(line);
        if (len > 0 && line[len - 1] == '\\n')
            line[len - 1] = 0;
        if (line[0] == '#')
            continue;
        struct item *it = item_%(n)d(line, lines);
        if (it == NULL) {
            fclose(in);
            return -1;
        }
        int slot = (unsigned char)line[0] %% 16;
        if (slot == %(n)d %% 16 && t->count > 1000) {
            drop_%(n)d(it);
            continue;
        }
        it->next = t->slots[slot];
        t->slots[slot] = it;
        t->count++;
        lines++;
    }
    fclose(in);
    return lines + sum_%(g)d_%(n)d(t);
}

int sum_%(f)d_%(n)d(const struct table *t)
{
    int sum = 0;
    for (int i = 0; i < 16; i++)
        for (const struct item *it = t->slots[i]; it != NULL; it = it->next) {
            if (it->value < 0)
                return -1;
            sum += it->value;
        }
    return sum;
}
"""
for f in range(FILES):
    for n in range(FUNCTIONS):
        HEADER += "int read_%d_%d(struct table *, const char *);\nint sum_%d_%d(const struct table *);\n" % (f, n, f, n)
with open(os.path.join(where, "part.h"), "w") as out:
    out.write(HEADER + "#endif\n")
total = len(HEADER.splitlines())
commands = []
for f in range(FILES):
    text = '#include "part.h"\n'
    for n in range(FUNCTIONS):
        text += FUNCTION % {"f": f, "n": n, "g": (f + 1) % FILES}
    total += len(text.splitlines())
    name = "part%d.c" % f
    with open(os.path.join(where, name), "w") as out:
        out.write(text)
    commands.append({"directory": os.path.abspath(where), "file": name, "arguments": ["cc", "-c", name]})
with open(os.path.join(where, "compile_commands.json"), "w") as out:
    json.dump(commands, out)
if total < 100000:
    sys.exit("only %d lines" % total)
