#include "recall/lines.h"

#include <stdbool.h>

static void begin(LineSet *s, Arena *a, uint32_t last)
{
    s->count = last / 64 + 1;
    s->words = arena_array_of(a, uint64_t, s->count);
    s->before = arena_array_of(a, uint32_t, s->count + 1);
}

void lines_begin(Lines *l, Arena *a)
{
    begin(&l->code, a, l->last);
    begin(&l->calls, a, l->last);
    begin(&l->branches, a, l->last);
}

void lines_add(LineSet *s, uint32_t line)
{
    if (line / 64 < s->count) s->words[line / 64] |= (uint64_t)1 << line % 64;
}

static void close_set(LineSet *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        s->before[i + 1] = s->before[i] + (uint32_t)__builtin_popcountll(s->words[i]);
}

void lines_close(Lines *l)
{
    close_set(&l->code);
    close_set(&l->calls);
    close_set(&l->branches);
}

static bool has(const LineSet *s, uint32_t line)
{
    return line / 64 < s->count && s->words[line / 64] >> line % 64 & 1;
}

// Members up to the line.
static uint32_t rank(const LineSet *s, uint32_t line)
{
    uint32_t word = line / 64;
    if (word >= s->count) return s->count ? s->before[s->count] : 0;
    uint64_t upto = s->words[word] & (UINT64_MAX >> (63 - line % 64));
    return s->before[word] + (uint32_t)__builtin_popcountll(upto);
}

// The member that this many are up to; 0: there are not so many.
static uint32_t member(const LineSet *s, uint32_t number)
{
    if (!number || !s->count || number > s->before[s->count]) return 0;
    uint32_t low = 0, high = s->count - 1; // the last word with fewer before it
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (s->before[middle] < number)
            low = middle;
        else
            high = middle - 1;
    }
    uint64_t word = s->words[low];
    for (uint32_t skip = number - s->before[low] - 1; skip; skip--) word &= word - 1;
    return low * 64 + (uint32_t)__builtin_ctzll(word);
}

// How many members there are behind `from`, up to the line; then `from` is the last of them.
static uint32_t count_from(const LineSet *s, uint32_t *from, uint32_t line)
{
    uint32_t upto = rank(s, line), count = upto - rank(s, *from);
    if (count) *from = member(s, upto);
    return count;
}

// False: there are not so many members behind `from`.
static bool go_on(const LineSet *s, uint32_t *from, uint32_t count)
{
    if (count > s->count * 64) return false;
    if (count) *from = member(s, rank(s, *from) + count);
    return *from != 0;
}

LinePlace lines_place(const Lines *l, uint32_t first, uint32_t line)
{
    if (!has(&l->code, line) || line < first) return (LinePlace){LINES_RAW, 0, (int32_t)(line - first)};
    LinePlace p = {0};
    uint32_t from = first;
    p.calls = count_from(&l->calls, &from, line);
    p.branches = count_from(&l->branches, &from, line);
    p.line = (int32_t)count_from(&l->code, &from, line);
    return p;
}

uint32_t lines_find(const Lines *l, uint32_t first, LinePlace place)
{
    if (place.calls == LINES_RAW) return first + (uint32_t)place.line;
    uint32_t line = first;
    bool ok = place.line >= 0 && go_on(&l->calls, &line, place.calls) && go_on(&l->branches, &line, place.branches) &&
              go_on(&l->code, &line, (uint32_t)place.line);
    return ok ? line : 0;
}
