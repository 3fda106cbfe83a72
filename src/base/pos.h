// A place in a source file.
#ifndef BASE_POS_H
#define BASE_POS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *path; // absolute, null: unknown
    uint32_t line, col;
} Pos;

static inline bool pos_known(Pos p)
{
    return p.path && p.line;
}

#endif
