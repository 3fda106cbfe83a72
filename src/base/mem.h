// Memory: the one door to the heap.
//
// mem_* never return null: when memory runs out they die with the size asked for, so that no
// caller has to check. Arenas group allocations of one lifetime (run, unit, program, function);
// each has a name and counts its bytes for --stats. All memory handed out is zeroed but for
// arena_raw.
//
// An arena belongs to one thread at a time.
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

// What is freed stays with the process for the next to ask: arenas come and go for every function,
// and pages fetched anew each time cost a quarter of an analysis. Once, at the start.
void mem_keep_freed(void);
void *mem_alloc(size_t size);
// Grows or shrinks; bytes beyond old_size are zeroed.
void *mem_resize(void *p, size_t old_size, size_t new_size);
void *mem_resize_raw(void *p, size_t old_size, size_t new_size); // they are not
void mem_free(void *p);
char *mem_strdup(const char *s);
char *mem_strndup(const char *s, size_t n);
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

typedef struct Arena Arena;

Arena *arena_new(const char *name);
void arena_free(Arena *a);
// Forgets all contents but keeps the first chunk for reuse.
void arena_reset(Arena *a);
void *arena_alloc(Arena *a, size_t size);
// Not zeroed: for what is written as a whole at once.
void *arena_raw(Arena *a, size_t size);
char *arena_strdup(Arena *a, const char *s);
char *arena_strndup(Arena *a, const char *s, size_t n);
void *arena_copy(Arena *a, const void *bytes, size_t n);
char *arena_printf(Arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *fmt, va_list ap);
size_t arena_bytes(const Arena *a);
const char *arena_name(const Arena *a);

#define arena_new_of(a, T)      ((T *)arena_alloc((a), sizeof(T)))
#define arena_array_of(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))

// A bug in stanch itself: says where and aborts. Bad input never comes here.
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
