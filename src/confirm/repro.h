// What every program of `stanch confirm` is made with: memory for the inputs, and wrappers for
// what the project calls and does not define. In the project's objects such a function has another
// name (objcopy), so its calls come here. What a call does is in the script of repro.c: it
// fails, it returns what the witness saw, or the real function is called. x86-64, System V ABI.
#ifndef REPRO_H
#define REPRO_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void *repro_malloc(size_t) __asm__("malloc");
void repro_free(void *) __asm__("free");
void __lsan_do_leak_check(void);

// Everything that is alive is in a global variable; what old stack frames hold is no reference.
const char *__asan_default_options(void)
{
    return "detect_leaks=1:abort_on_error=0:handle_abort=1:allocator_may_return_null=1:"
           "detect_stack_use_after_return=0:detect_odr_violation=0:use_sigaltstack=1";
}
const char *__lsan_default_options(void)
{
    return "use_stacks=0:use_registers=0:print_suppressions=0";
}

// ---- words of the script

typedef enum { NUMBER, MEMORY, FRESH, ADDRESS, ARGUMENT } ReproKind;
typedef struct {
    ReproKind kind;
    uint32_t block;  // MEMORY: an input; FRESH: made now, of `value` bytes
    uint64_t value;  // NUMBER; MEMORY, ADDRESS: an offset; ARGUMENT: which, from 0
    void *address;   // ADDRESS: of a global or a function
} ReproWord;

#define NUMBER(n)      {NUMBER, 0, (uint64_t)(n), 0}
#define MEMORY(b, off) {MEMORY, (b), (off), 0}
#define FRESH(b, size) {FRESH, (b), (size), 0}
#define ADDRESS(a, off) {ADDRESS, 0, (off), (void *)(a)}
#define ARGUMENT(n)    {ARGUMENT, 0, (n), 0}

enum { REPRO_REAL = 1, REPRO_FAILS = 2 };

typedef struct {
    uint32_t function, nth; // the nth call of it, from 1
    uint32_t how;           // REPRO_*
    uint32_t takes, keeps;  // arguments, a bit for each
    ReproWord result;
} ReproCall;

typedef struct {
    uint32_t call; // in the script
    int32_t arg;   // written behind this argument; -1: behind the result
    uint32_t size;
    uint64_t offset;
    ReproWord word;
} ReproEffect;

typedef struct {
    const char *name;
    void *real; // null: there is none
    uint32_t seen;
} ReproFunction;

// Of repro.c.
extern ReproFunction repro_functions[];
extern const ReproCall repro_script[];
extern const ReproEffect repro_effects[];
extern const uint32_t repro_script_length, repro_effects_length;
extern void *repro_memory[];
extern uint64_t repro_handles[]; // numbers that stand for resources; 0 ends them
extern uint64_t repro_closed[];
extern uint64_t repro_result[16];

static void *repro_kept[256];
static uint32_t repro_kept_length;
static uint64_t repro_storage[64][64];

static inline void *repro_input(size_t size, size_t before)
{
    char *p = (char *)repro_malloc(size ? size : 1);
    memset(p, 0, size);
    return p + before;
}

static inline void repro_put(void *at, uint64_t offset, uint32_t size, uint64_t value)
{
    memcpy((char *)at + offset, &value, size);
}

static uint64_t repro_word(const ReproWord *w)
{
    switch (w->kind) {
    case NUMBER:
        return w->value;
    case MEMORY:
        return (uint64_t)repro_memory[w->block] + w->value;
    case FRESH:
        return (uint64_t)repro_malloc(w->value);
    case ADDRESS:
        return (uint64_t)w->address + w->value;
    case ARGUMENT:
        break;
    }
    return 0;
}

static void repro_left(const ReproFunction *f)
{
    fprintf(stderr, "repro: left the path of the witness: call %u of %s\n", f->seen, f->name);
    _exit(97);
}

typedef struct {
    uint64_t args[6];
    double floats[8];
    uint64_t result;
    uint64_t spare[5];
    uint64_t frame, back;
    uint64_t more[]; // arguments on the stack
} ReproRegisters;

// Gives the function to go on with, or null: the result is in the registers.
__attribute__((used)) void *repro_call(uint32_t id, ReproRegisters *r)
{
    ReproFunction *f = &repro_functions[id];
    uint32_t at = 0, only_real = 1;
    f->seen++;
    for (uint32_t i = 0; i < repro_script_length; i++)
        if (repro_script[i].function == id && !(repro_script[i].how & REPRO_REAL)) only_real = 0;
    while (at < repro_script_length &&
           (repro_script[at].function != id || repro_script[at].nth != f->seen))
        at++;
    if (at == repro_script_length) {
        if (!f->real || !only_real) repro_left(f);
        return f->real;
    }
    const ReproCall *c = &repro_script[at];
    if ((c->how & REPRO_REAL) && f->real) return f->real;
    r->result = repro_word(&c->result);
    if (c->result.kind == ARGUMENT)
        r->result = c->result.value < 6 ? r->args[c->result.value] : r->more[c->result.value - 6];
    for (uint32_t i = 0; i < 32; i++) {
        uint64_t arg = i < 6 ? r->args[i] : 0;
        if (!(c->takes >> i & 1) && !(c->keeps >> i & 1)) continue;
        if (i >= 6) arg = r->more[i - 6];
        if ((c->keeps >> i & 1) && repro_kept_length < 256)
            repro_kept[repro_kept_length++] = (void *)arg;
        if (!(c->takes >> i & 1)) continue;
        uint32_t handle = 0, number = 0;
        for (; repro_handles[handle]; handle++)
            if (repro_handles[handle] == (uint32_t)arg) repro_closed[handle] = number = 1;
        if (!number && arg > 4096) repro_free((void *)arg);
    }
    for (uint32_t i = 0; i < repro_effects_length; i++) {
        const ReproEffect *e = &repro_effects[i];
        if (e->call != at) continue;
        uint64_t to = e->arg < 0 ? r->result : e->arg < 6 ? r->args[e->arg] : r->more[e->arg - 6];
        uint64_t value = repro_word(&e->word);
        if (to > 4096) memcpy((char *)to + e->offset, &value, e->size);
    }
    return 0;
}

__asm__(".text\n"
        "repro_enter:\n"
        "  push %rbp\n  mov %rsp, %rbp\n  sub $160, %rsp\n"
        "  mov %rdi, 0(%rsp)\n  mov %rsi, 8(%rsp)\n  mov %rdx, 16(%rsp)\n"
        "  mov %rcx, 24(%rsp)\n  mov %r8, 32(%rsp)\n  mov %r9, 40(%rsp)\n"
        "  movsd %xmm0, 48(%rsp)\n  movsd %xmm1, 56(%rsp)\n  movsd %xmm2, 64(%rsp)\n"
        "  movsd %xmm3, 72(%rsp)\n  movsd %xmm4, 80(%rsp)\n  movsd %xmm5, 88(%rsp)\n"
        "  movsd %xmm6, 96(%rsp)\n  movsd %xmm7, 104(%rsp)\n"
        "  mov %r11d, %edi\n  mov %rsp, %rsi\n  mov %rax, 120(%rsp)\n  call repro_call\n"
        "  mov %rax, %r11\n"
        "  mov 0(%rsp), %rdi\n  mov 8(%rsp), %rsi\n  mov 16(%rsp), %rdx\n"
        "  mov 24(%rsp), %rcx\n  mov 32(%rsp), %r8\n  mov 40(%rsp), %r9\n"
        "  movsd 48(%rsp), %xmm0\n  movsd 56(%rsp), %xmm1\n  movsd 64(%rsp), %xmm2\n"
        "  movsd 72(%rsp), %xmm3\n  movsd 80(%rsp), %xmm4\n  movsd 88(%rsp), %xmm5\n"
        "  movsd 96(%rsp), %xmm6\n  movsd 104(%rsp), %xmm7\n"
        "  test %r11, %r11\n  je 1f\n"
        "  mov 120(%rsp), %rax\n  mov %rbp, %rsp\n  pop %rbp\n  jmp *%r11\n"
        "1: mov 112(%rsp), %rax\n  pxor %xmm0, %xmm0\n  xor %edx, %edx\n"
        "  mov %rbp, %rsp\n  pop %rbp\n  ret\n");

// The wrapper for function `id` of the table: __wrap_NAME, or any symbol.
#define REPRO_WRAPPER(symbol, id)                                                                  \
    __asm__(".text\n.globl \"" symbol "\"\n.type \"" symbol "\", @function\n\"" symbol "\":\n"      \
            "  mov $" #id ", %r11d\n  jmp repro_enter\n")

// Numbers that stand for resources and that nobody has any more: no sanitizer sees those.
extern char __data_start[], _end[];
__attribute__((no_sanitize("address"))) static int repro_holds(const char *from, const char *to,
                                                             uint64_t number)
{
    from = (const char *)(((uintptr_t)from + 3) & ~(uintptr_t)3);
    for (; from + 4 <= to; from += 4) {
        if ((const uint64_t *)from >= repro_handles && (const uint64_t *)from < repro_handles + 64)
            continue;
        if (*(const uint32_t *)from == (uint32_t)number) return 1;
    }
    return 0;
}

static void repro_end(const uint32_t *sizes, uint32_t blocks)
{
    for (uint32_t i = 0; repro_handles[i]; i++) {
        int held = repro_closed[i] || repro_holds((char *)repro_result, (char *)(repro_result + 16),
                                                  repro_handles[i]);
        for (uint32_t b = 0; !held && b < blocks; b++)
            held = sizes[b] && repro_holds(repro_memory[b], (char *)repro_memory[b] + sizes[b],
                                           repro_handles[i]);
        held = held || repro_holds(__data_start, _end, repro_handles[i]);
        if (!held)
            fprintf(stderr, "repro: handle %llu is still open and nobody has it\n",
                    (unsigned long long)repro_handles[i]);
    }
    fprintf(stderr, "repro: the function returned\n");
    __lsan_do_leak_check();
    fprintf(stderr, "repro: no leak\n");
}

#endif
