// What holds wherever a function begins because every caller has just seen to it.
#ifndef FACTS_PRESETS_H
#define FACTS_PRESETS_H

#include "link/program.h"

typedef struct {
    GlobalId global;
    uint32_t bits;
    int64_t value;
} Preset;

enum { MAX_PRESETS = 4 };

// Global variables that each call of the function sets right before it, all to the same number. Of
// functions only whose calls are all known. Returns how many.
uint32_t presets_of(const Program *p, FuncId f, Preset out[MAX_PRESETS]);

#endif
