// Growable arrays by one typed macro.
//
//     VEC(Ins) body = {0};
//     vec_push(&body, ins);
//     vec_each(i, &body) use(body.at[i]);
//     vec_free(&body);
//
// Elements may move when the array grows, so hold indices, not pointers. A zeroed struct is an
// empty vector. vec_keep moves the contents into an arena once the length is final.
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/mem.h"

#include <stdbool.h>
#include <string.h>

#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        uint32_t len, cap;                                                                         \
    }

typedef VEC(uint32_t) U32s;
typedef VEC(char) Chars;

#define vec_each(i, v) for (uint32_t i = 0; i < (v)->len; i++)

#ifdef STANCH_HARD
// The hostile build (make check-hard) moves the array whenever something is added, whether there is
// room or not, and poisons the bytes that it leaves: who holds a pointer into a vector meanwhile
// reads nonsense, and under AddressSanitizer dies. An array beyond MOVE_ALWAYS bytes moves only
// when it has grown by an eighth, so that tests end: the same code meets small ones too.
enum { MOVE_ALWAYS = 1 << 12 };

static inline uint64_t vec_growth(uint64_t cap, uint64_t need, size_t elem)
{
    (void)cap;
    uint64_t bytes = need * elem;
    return bytes <= MOVE_ALWAYS ? need : need + need / 8;
}

static inline bool vec_stays(uint64_t cap, uint64_t need, size_t elem)
{
    return need <= cap && need * elem > MOVE_ALWAYS;
}
#else
static inline uint64_t vec_growth(uint64_t cap, uint64_t need, size_t elem)
{
    uint64_t first = elem <= 16 ? 8 : elem <= 64 ? 4 : 2;
    uint64_t want = 2 * cap < first ? first : 2 * cap;
    return need > want ? need : want;
}

static inline bool vec_stays(uint64_t cap, uint64_t need, size_t elem)
{
    (void)elem;
    return need <= cap;
}
#endif

static inline void vec_reserve_bytes(void **at, uint32_t *cap, uint64_t need, size_t elem)
{
    if (vec_stays(*cap, need, elem)) return;
    if (need > UINT32_MAX / 2) die("a vector of %zu-byte elements grew beyond its index", elem);
    uint32_t want = (uint32_t)vec_growth(*cap, need, elem);
    *at = mem_resize_raw(*at, (size_t)*cap * elem, (size_t)want * elem);
    *cap = want;
}

#define vec_reserve(v, n) vec_reserve_bytes((void **)&(v)->at, &(v)->cap, (n), sizeof *(v)->at)

#define vec_push(v, x)                                                                             \
    do {                                                                                           \
        vec_reserve((v), (uint64_t)(v)->len + 1);                                                  \
        (v)->at[(v)->len++] = (x);                                                                 \
    } while (0)

// Appends n zeroed elements; (v)->at + old length is where they begin.
#define vec_extend(v, n)                                                                           \
    do {                                                                                           \
        uint64_t extra_ = (n);                                                                     \
        vec_reserve((v), (v)->len + extra_);                                                       \
        if (extra_) memset((v)->at + (v)->len, 0, extra_ * sizeof *(v)->at);                       \
        (v)->len += (uint32_t)extra_;                                                              \
    } while (0)

#define vec_append(v, from, n)                                                                     \
    do {                                                                                           \
        uint64_t extra_ = (n);                                                                     \
        vec_reserve((v), (v)->len + extra_);                                                       \
        if (extra_) memcpy((v)->at + (v)->len, (from), extra_ * sizeof *(v)->at);                  \
        (v)->len += (uint32_t)extra_;                                                              \
    } while (0)

#define vec_last(v)  ((v)->at[(v)->len - 1])
#define vec_pop(v)   ((v)->at[--(v)->len])
#define vec_clear(v) ((v)->len = 0)
#define vec_free(v)  (mem_free((v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)

// Moves the contents into the arena; the vector must not grow afterwards.
#define vec_keep(v, arena)                                                                         \
    do {                                                                                           \
        void *kept_ = arena_copy((arena), (v)->at, (size_t)(v)->len * sizeof *(v)->at);            \
        mem_free((v)->at);                                                                         \
        (v)->at = kept_;                                                                           \
        (v)->cap = (v)->len;                                                                       \
    } while (0)

// One-field ids, so that the compiler refuses a block where a function is meant. Id 0 is none.
#define DEFINE_ID(T)                                                                               \
    typedef struct {                                                                               \
        uint32_t id;                                                                               \
    } T

#endif
