// One function for each verdict. The name of a function says it.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static char *kept;
static jmp_buf mark;
static char *make(int n)
{
    char *p = malloc((size_t)n);
    if (!p) return NULL;
    p[0] = 0;
    return p;
}
static void drop(char *p)
{
    if (p) free(p);
}
static void freed_simple(int n)
{
    char *p = malloc((size_t)n);
    if (!p) return;
    free(p);
}
static void freed_by_callee(int n)
{
    char *p = make(n);
    drop(p);
}
static void freed_on_both(int n)
{
    char *p = malloc(8);
    if (n > 3)
        free(p);
    else
        drop(p);
}
static void freed_or_exit(int n)
{
    char *p = malloc(8);
    if (n > 3) exit(1);
    free(p);
}
static void freed_each_time(int n)
{
    for (int i = 0; i < n; i++) {
        char *p = malloc(8);
        free(p);
    }
}
// Lost in some round, which no condition of one round tells: released at best, never for sure.
static void rounds_may_lose(int n)
{
    char *p = malloc(8);
    for (int i = 0; i < n; i++)
        if (i > 10) p = NULL;
    free(p);
}
static void rounds_may_lose_in_memory(int n)
{
    struct { char *p; } s = {malloc(8)};
    for (int i = 0; i < n; i++)
        if (i > 10) s.p = NULL;
    free(s.p);
}
static void freed_after_rounds(int n)
{
    struct { char *p; int n; } s = {malloc(8), 0};
    for (int i = 0; i < n; i++)
        if (i > 10) s.n = i;
    free(s.p);
}
static void freed_out_parameter(char **out)
{
    *out = malloc(3);
}
static void freed_through_out(void)
{
    char *p;
    freed_out_parameter(&p);
    free(p);
}
static void never_freed(int n)
{
    char *p = malloc((size_t)n);
    if (p) p[0] = 1;
}
static void partly_by_condition(int n)
{
    char *p = malloc(8);
    if (n > 3) free(p);
}
static void partly_in_loop(int n) // appendix: cfguard = !C1 or (C1 and C2)
{
    char *v0 = malloc(8);
    for (int k = 0; k < 10; k++) {
        if (n < 2)
            puts("again");
        else
            return;
    }
    free(v0);
}
static void partly_overwritten(int n)
{
    char *p = NULL;
    do {
        p = malloc(8);
    } while (--n);
    free(p);
}
static void partly_crosses(int n)
{
    char *last = NULL;
    while (n--) {
        if (n == 3) free(last);
        last = malloc(8);
    }
    free(last);
}
static void escapes_to_global(int n)
{
    kept = malloc((size_t)n);
}
static char *freed_by_caller(void)
{
    char *p = malloc(9);
    puts("made");
    kept = NULL;
    return p;
}
static void calls_freed_by_caller(void)
{
    char *p = freed_by_caller();
    free(p);
}
static char *partly_by_caller(void)
{
    char *p = malloc(9);
    puts("made");
    drop(NULL);
    p[0] = 0;
    return p;
}
static void one_frees(void)
{
    free(partly_by_caller());
}
static void other_does_not(void)
{
    partly_by_caller();
}
// A jump out of the function leaves the block behind; the program goes on.
static void partly_by_jump(int n)
{
    char *p = malloc(9);
    if (n > 4) longjmp(mark, 1);
    free(p);
}
static void never_by_jump(void)
{
    char *p = malloc(9);
    p[0] = 0;
    longjmp(mark, 2);
}
static _Noreturn void fail(void)
{
    longjmp(mark, 3);
}
static void partly_by_jump_of_callee(int n)
{
    char *p = malloc(9);
    if (n > 4) fail();
    free(p);
}
static void drop_or_jump(char *p, int n)
{
    if (n > 4) longjmp(mark, 4);
    free(p);
}
static void partly_by_jump_with_it(int n)
{
    char *p = malloc(9);
    drop_or_jump(p, n);
}
static void freed_before_the_jump(int n)
{
    char *p = malloc(9);
    free(p);
    if (n > 4) longjmp(mark, 5);
}
static void jump_if(int n)
{
    if (n > 4) longjmp(mark, 6);
}
static void freed_perhaps_behind_a_jump(int n)
{
    char *p = malloc(9);
    jump_if(n);
    free(p);
}
int main(int argc, char **argv)
{
    (void)argv;
    freed_simple(argc);
    freed_by_callee(argc);
    freed_on_both(argc);
    freed_or_exit(argc);
    freed_each_time(argc);
    rounds_may_lose(argc);
    rounds_may_lose_in_memory(argc);
    freed_after_rounds(argc);
    freed_through_out();
    never_freed(argc);
    partly_by_condition(argc);
    partly_in_loop(argc);
    partly_overwritten(argc);
    partly_crosses(argc);
    escapes_to_global(argc);
    calls_freed_by_caller();
    one_frees();
    other_does_not();
    if (setjmp(mark)) return 1;
    partly_by_jump(argc);
    never_by_jump();
    partly_by_jump_of_callee(argc);
    partly_by_jump_with_it(argc);
    freed_before_the_jump(argc);
    freed_perhaps_behind_a_jump(argc);
    return 0;
}
