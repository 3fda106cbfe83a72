// A function that has set a mark for jumps holds what its volatile locals hold when a jump lands there.
// run: --level=likely
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf env;
void may_jump(int n);
int jumping(int n)
{
    char *volatile p = NULL;
    if (setjmp(env)) {
        free(p);
        return -1;
    }
    p = malloc(10); // OK
    may_jump(n);
    free(p);
    return 0;
}
static void fail(void) { longjmp(env, 1); }
int jumping_code(int n)
{
    FILE *volatile f = NULL;
    if (setjmp(env)) {
        if (f) fclose(f);
        return -1;
    }
    f = fopen("x", "r"); // OK
    if (!f) fail();
    if (n > 3) fail();
    fclose(f);
    return 0;
}
void handler(int sig) { (void)sig; fail(); }

int forgets(int n)
{
    FILE *f;
    if (setjmp(env)) return -1;
    f = fopen("x", "r"); // RESOURCE-LEAK f
    if (!f) return -1;
    if (n > 3) return -2; // LOST f
    fclose(f);
    return 0;
}
