#include "base/sbits.h"

#include "base/hash.h"

#include <string.h>

static SBlock *blocks(SBits *s)
{
    return s->cap ? s->many : &s->one;
}

static void reserve(SBits *s, uint32_t need)
{
    if (need <= (s->cap ? s->cap : 1)) return;
    uint32_t cap = s->cap ? s->cap : 2;
    while (cap < need) cap *= 2;
    if (!s->cap) {
        SBlock one = s->one;
        s->many = mem_alloc(cap * sizeof *s->many);
        if (s->len) s->many[0] = one;
    } else {
        s->many = mem_resize(s->many, s->cap * sizeof *s->many, cap * sizeof *s->many);
    }
    s->cap = cap;
}

// Place of the first block with an index not below.
static uint32_t lower(const SBlock *b, uint32_t len, uint32_t index)
{
    uint32_t low = 0, high = len;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (b[mid].index < index)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// One set is so much shorter than the other that its blocks are better searched for in that.
enum { FEW = 8 };

bool sbits_has(const SBits *s, uint32_t i)
{
    const SBlock *b = sbits_blocks(s);
    uint32_t k = lower(b, s->len, i / 64);
    return k < s->len && b[k].index == i / 64 && (b[k].word >> (i % 64) & 1);
}

bool sbits_add(SBits *s, uint32_t i)
{
    uint64_t mask = (uint64_t)1 << (i % 64);
    SBlock *b = blocks(s);
    // Sets are often filled in order.
    uint32_t k = s->len;
    if (k && b[k - 1].index >= i / 64) k = b[k - 1].index == i / 64 ? k - 1 : lower(b, k, i / 64);
    if (k < s->len && b[k].index == i / 64) {
        if (b[k].word & mask) return false;
        b[k].word |= mask;
        return true;
    }
    reserve(s, s->len + 1);
    b = blocks(s);
    memmove(b + k + 1, b + k, (s->len - k) * sizeof *b);
    b[k] = (SBlock){mask, i / 64};
    s->len++;
    return true;
}

void sbits_drop(SBits *s, uint32_t i)
{
    SBlock *b = blocks(s);
    uint32_t k = lower(b, s->len, i / 64);
    if (k == s->len || b[k].index != i / 64) return;
    b[k].word &= ~((uint64_t)1 << (i % 64));
    if (b[k].word) return;
    s->len--;
    memmove(b + k, b + k + 1, (s->len - k) * sizeof *b);
}

// Counts the blocks of the union; *grows says whether `from` has anything new.
static uint32_t union_len(const SBits *into, const SBits *from, bool *grows)
{
    const SBlock *a = sbits_blocks(into), *b = sbits_blocks(from);
    uint32_t i = 0, k = 0, n = 0;
    *grows = false;
    while (i < into->len && k < from->len) {
        if (a[i].index < b[k].index) {
            i++;
        } else if (a[i].index > b[k].index) {
            k++;
            *grows = true;
        } else {
            if (b[k].word & ~a[i].word) *grows = true;
            i++;
            k++;
        }
        n++;
    }
    if (k < from->len) *grows = true;
    return n + (into->len - i) + (from->len - k);
}

bool sbits_union(SBits *into, const SBits *from)
{
    if (!from->len || into == from) return false;
    bool grows;
    uint32_t n = union_len(into, from, &grows);
    if (!grows) return false;
    reserve(into, n);
    SBlock *a = blocks(into);
    const SBlock *b = sbits_blocks(from);
    // From behind, so that nothing is overwritten before it was read.
    uint32_t i = into->len, k = from->len;
    into->len = n;
    while (k) {
        if (i && a[i - 1].index > b[k - 1].index) {
            a[--n] = a[i - 1];
            i--;
        } else if (i && a[i - 1].index == b[k - 1].index) {
            a[--n] = (SBlock){a[i - 1].word | b[k - 1].word, a[i - 1].index};
            i--;
            k--;
        } else {
            a[--n] = b[--k];
        }
    }
    return true;
}

static void append(SBits *s, SBlock b)
{
    reserve(s, s->len + 1);
    blocks(s)[s->len++] = b;
}

// A few blocks into many: each is searched for, and the others are not gone through. What is new
// of them is appended to `added`.
static void union_few(SBits *into, const SBits *from, SBits *added)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < from->len; k++) {
        SBlock b = sbits_blocks(from)[k];
        at += lower(sbits_blocks(into) + at, into->len - at, b.index);
        SBlock *known = blocks(into) + at;
        if (at < into->len && known->index == b.index) {
            b.word &= ~known->word;
            known->word |= b.word;
        } else {
            reserve(into, into->len + 1);
            known = blocks(into) + at;
            memmove(known + 1, known, (into->len - at) * sizeof *known);
            *known = b;
            into->len++;
        }
        if (b.word) append(added, b);
    }
}

bool sbits_union_fresh(SBits *into, const SBits *from, SBits *fresh)
{
    if (!from->len || into == from) return false;
    SBits added = {0};
    if (from->len < into->len / FEW) {
        union_few(into, from, &added);
        if (!added.len) return false;
    } else {
        const SBlock *a = sbits_blocks(into), *b = sbits_blocks(from);
        uint32_t i = 0;
        for (uint32_t k = 0; k < from->len; k++) {
            while (i < into->len && a[i].index < b[k].index) i++;
            uint64_t word = b[k].word;
            if (i < into->len && a[i].index == b[k].index) word &= ~a[i].word;
            if (!word) continue;
            if (!added.len) reserve(&added, from->len - k);
            append(&added, (SBlock){word, b[k].index});
        }
        if (!added.len) return false;
        sbits_union(into, &added);
    }
    if (!fresh->len) {
        sbits_clear(fresh);
        *fresh = added;
    } else {
        sbits_union(fresh, &added);
        sbits_clear(&added);
    }
    return true;
}

bool sbits_same(const SBits *a, const SBits *b)
{
    if (a->len != b->len) return false;
    const SBlock *x = sbits_blocks(a), *y = sbits_blocks(b);
    for (uint32_t i = 0; i < a->len; i++)
        if (x[i].index != y[i].index || x[i].word != y[i].word) return false;
    return true;
}

bool sbits_meet(const SBits *a, const SBits *b)
{
    if (a->len < b->len) {
        const SBits *t = a;
        a = b;
        b = t;
    }
    const SBlock *x = sbits_blocks(a), *y = sbits_blocks(b);
    uint32_t i = 0, k = 0;
    bool few = b->len < a->len / FEW; // a few blocks are looked up in many
    while (i < a->len && k < b->len) {
        if (few) i += lower(x + i, a->len - i, y[k].index);
        if (i == a->len) return false;
        if (x[i].index < y[k].index)
            i++;
        else if (x[i].index > y[k].index)
            k++;
        else if (x[i++].word & y[k++].word)
            return true;
    }
    return false;
}

bool sbits_covers(const SBits *a, const SBits *b)
{
    if (b->len > a->len) return false;
    const SBlock *x = sbits_blocks(a), *y = sbits_blocks(b);
    uint32_t i = 0;
    bool few = b->len < a->len / FEW;
    for (uint32_t k = 0; k < b->len; k++) {
        if (few)
            i += lower(x + i, a->len - i, y[k].index);
        else
            while (i < a->len && x[i].index < y[k].index) i++;
        if (i == a->len || x[i].index != y[k].index || (y[k].word & ~x[i].word)) return false;
    }
    return true;
}

uint32_t sbits_size(const SBits *s)
{
    const SBlock *b = sbits_blocks(s);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->len; i++) n += (uint32_t)__builtin_popcountll(b[i].word);
    return n;
}

uint64_t sbits_hash(const SBits *s)
{
    const SBlock *b = sbits_blocks(s);
    uint64_t h = s->len;
    for (uint32_t i = 0; i < s->len; i++) h = hash_mix(hash_mix(h, b[i].word), b[i].index);
    return h;
}

void sbits_clear(SBits *s)
{
    if (s->cap) mem_free(s->many);
    *s = (SBits){0};
}

SBits sbits_copy(const SBits *s)
{
    SBits r = {0};
    reserve(&r, s->len);
    if (s->len) memcpy(blocks(&r), sbits_blocks(s), s->len * sizeof(SBlock));
    r.len = s->len;
    return r;
}

uint32_t sbits_next(const SBits *s, uint32_t i)
{
    const SBlock *b = sbits_blocks(s);
    uint32_t k = lower(b, s->len, i / 64);
    if (k == s->len) return UINT32_MAX;
    uint64_t word = b[k].word;
    if (b[k].index == i / 64) word &= ~(uint64_t)0 << (i % 64);
    if (!word) {
        if (++k == s->len) return UINT32_MAX;
        word = b[k].word;
    }
    return b[k].index * 64 + (uint32_t)__builtin_ctzll(word);
}
