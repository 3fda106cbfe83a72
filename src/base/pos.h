// A place in a source file.
#ifndef BASE_POS_H
#define BASE_POS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const char *path; // absolute, null: unknown
    uint32_t line, col;
} Pos;

static inline bool pos_known(Pos p)
{
    return p.path && p.line;
}

// Whether the file is a header that came with the system: the inside of a library, not of the program.
static inline bool pos_of_library(Pos p)
{
    static const char *const places[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/"};
    for (size_t i = 0; p.path && i < sizeof places / sizeof *places; i++)
        if (strncmp(p.path, places[i], strlen(places[i])) == 0) return true;
    return false;
}

#endif
