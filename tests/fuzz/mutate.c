// See mutate.h. Binary inputs get flipped bits and numbers near the ends of their range; texts are
// changed word by word and line by line, because bytes at random never get past a lexer.
#include "mutate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

uint64_t random_bits(Random *r)
{
    r->state += 0x9e3779b97f4a7c15u;
    uint64_t z = r->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t random_below(Random *r, uint32_t n)
{
    return (uint32_t)(random_bits(r) % n);
}

enum { INPUT_LIMIT = 1 << 18 }; // larger ones only cost time

// Replaces `old` bytes at `at` by others.
static void replace(Chars *c, size_t at, size_t old, const char *bytes, size_t n)
{
    if (c->len - old + n > INPUT_LIMIT) return;
    Chars next = {0};
    vec_append(&next, c->at, at);
    vec_append(&next, bytes, n);
    vec_append(&next, c->at + at + old, c->len - at - old);
    vec_free(c);
    *c = next;
}

static uint64_t odd_number(Random *r)
{
    static const uint64_t near[] = {0,          1,          2,          3,
                                    7,          8,          63,         64,
                                    65,         127,        128,        255,
                                    256,        4095,       8191,       8192,
                                    0x7fff,     0xffff,     0x10000,    0x3fffffff,
                                    0x40000000, 0x7fffffff, 0x80000000, 0xffffffff,
                                    1ull << 32, 1ull << 62, 1ull << 63, UINT64_MAX};
    switch (random_below(r, 3)) {
    case 0:
        return near[random_below(r, sizeof near / sizeof *near)];
    case 1:
        return random_below(r, 300);
    default:
        return random_bits(r) >> random_below(r, 64);
    }
}

// ---- bytes ----

static void change_bytes(Random *r, const Corpus *corpus, Chars *c)
{
    if (!c->len) return;
    size_t at = random_below(r, c->len);
    switch (random_below(r, 8)) {
    case 0:
        c->at[at] ^= (char)(1u << random_below(r, 8));
        break;
    case 1:
        c->at[at] = (char)random_bits(r);
        break;
    case 2:
    case 3: { // a word, at its place
        uint32_t size = 1u << random_below(r, 4);
        at &= ~(size_t)(size - 1);
        uint64_t v = odd_number(r);
        if (at + size <= c->len) memcpy(c->at + at, &v, size);
        break;
    }
    case 4: { // one more or one less
        at &= ~(size_t)3;
        uint32_t v;
        if (at + 4 > c->len) break;
        memcpy(&v, c->at + at, 4);
        v += random_below(r, 2) ? 1 : UINT32_MAX;
        memcpy(c->at + at, &v, 4);
        break;
    }
    case 5: { // a piece moved
        size_t n = 1 + random_below(r, 64), from = random_below(r, c->len);
        if (at + n <= c->len && from + n <= c->len) memmove(c->at + at, c->at + from, n);
        break;
    }
    case 6: // cut off, seldom
        if (!random_below(r, 6)) c->len = (uint32_t)at;
        break;
    default: { // a piece of another input
        const Seed *s = &corpus->at[random_below(r, corpus->len)];
        size_t n = 1 + random_below(r, 64);
        if (s->len <= n || at + n > c->len) break;
        memcpy(c->at + at, s->bytes + random_below(r, (uint32_t)(s->len - n)), n);
    }
    }
}

// ---- words and lines ----

typedef struct {
    size_t at, len;
} Piece;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '%' || c == '@' || c == '-';
}

// The word, number or sign at or after a random place.
static Piece random_word(Random *r, const char *text, size_t len)
{
    if (!len) return (Piece){0, 0};
    size_t at = random_below(r, (uint32_t)len);
    while (at < len && isspace((unsigned char)text[at])) at++;
    if (at == len) return (Piece){0, 0};
    if (!is_word(text[at])) return (Piece){at, 1};
    while (at && is_word(text[at - 1])) at--;
    size_t end = at;
    while (end < len && is_word(text[end])) end++;
    return (Piece){at, end - at};
}

// A few lines around a random place, with their ends.
static Piece random_lines(Random *r, const char *text, size_t len)
{
    if (!len) return (Piece){0, 0};
    size_t at = random_below(r, (uint32_t)len), end;
    while (at && text[at - 1] != '\n') at--;
    end = at;
    for (uint32_t n = 1 + random_below(r, random_below(r, 4) ? 2 : 12); n && end < len; n--) {
        while (end < len && text[end] != '\n') end++;
        if (end < len) end++;
    }
    return (Piece){at, end - at};
}

static int sort_of(char c)
{
    return isdigit((unsigned char)c) ? '0' : isalpha((unsigned char)c) ? 'a' : c;
}

static void change_text(Random *r, const Corpus *corpus, Chars *c)
{
    const Seed *other = &corpus->at[random_below(r, corpus->len)];
    bool same = random_below(r, 3) != 0;
    const char *from = same ? c->at : other->bytes;
    size_t from_len = same ? c->len : other->len;
    switch (random_below(r, 9)) {
    case 0:
    case 1: { // a word becomes another
        Piece a = random_word(r, c->at, c->len), b = random_word(r, from, from_len);
        // One of the same sort more often than not: it is understood, and wrong.
        for (uint32_t i = 0; i < 12 && b.len && a.len && sort_of(c->at[a.at]) != sort_of(from[b.at]); i++)
            b = random_word(r, from, from_len);
        char *word = mem_strndup(from + b.at, b.len);
        replace(c, a.at, a.len, word, b.len);
        mem_free(word);
        break;
    }
    case 2: { // a number
        Piece a = random_word(r, c->at, c->len);
        char number[32];
        int n = snprintf(number, sizeof number, random_below(r, 4) ? "%llu" : "-%llu",
                         (unsigned long long)odd_number(r));
        replace(c, a.at, a.len, number, (size_t)n);
        break;
    }
    case 3: { // lines go
        Piece a = random_lines(r, c->at, c->len);
        replace(c, a.at, a.len, "", 0);
        break;
    }
    case 4: { // lines come, from here or elsewhere
        Piece a = random_lines(r, c->at, c->len), b = random_lines(r, from, from_len);
        char *lines = mem_strndup(from + b.at, b.len);
        replace(c, a.at, 0, lines, b.len);
        mem_free(lines);
        break;
    }
    case 5: { // a word goes, or comes twice
        Piece a = random_word(r, c->at, c->len);
        char *word = mem_strndup(c->at + a.at, a.len);
        if (random_below(r, 2))
            replace(c, a.at, a.len, "", 0);
        else
            replace(c, a.at, 0, word, a.len);
        mem_free(word);
        break;
    }
    case 6: { // brackets nested deeply, seldom; else a bracket more
        static const char *const brackets[] = {"(", "[", "{", "<", ")", "]", "}", ">", "\"", "*"};
        const char *b = brackets[random_below(r, sizeof brackets / sizeof *brackets)];
        uint32_t times = random_below(r, 20) ? 1 : 1 + random_below(r, 20000);
        Chars many = {0};
        for (uint32_t i = 0; i < times; i++) vec_append(&many, b, strlen(b));
        replace(c, random_below(r, c->len + 1), 0, many.at, many.len);
        vec_free(&many);
        break;
    }
    case 7: { // any bytes: zero, not UTF-8, an escape
        char bytes[4];
        uint32_t n = 1 + random_below(r, 4);
        for (uint32_t i = 0; i < n; i++)
            bytes[i] = random_below(r, 3) ? (char)random_bits(r) : (char)(random_below(r, 2) * 27);
        replace(c, random_below(r, c->len + 1), 0, bytes, n);
        break;
    }
    default: // cut off, seldom
        if (!random_below(r, 8)) c->len = random_below(r, c->len + 1);
    }
}

void mutate(Random *r, const Corpus *corpus, MutateKind kind, Chars *out)
{
    const Seed *s = &corpus->at[random_below(r, corpus->len)];
    vec_clear(out);
    vec_append(out, s->bytes, s->len);
    uint32_t changes = 1, many = random_below(r, 8);
    if (many >= 4) changes += random_below(r, many == 7 ? 40 : 4);
    for (uint32_t i = 0; i < changes && out->len; i++) {
        if (kind == MUTATE_TEXT)
            change_text(r, corpus, out);
        else
            change_bytes(r, corpus, out);
    }
}
