// What ownership says is measured by the same roots as what the evaluation says: of code that main
// runs once, or that ends the process, it matters less than of code that a loop of main comes to.
// run: --level=audit
#include <stdlib.h>

int ask(void);

static int at_start(int n)
{
    char *p = malloc(4); // LEAK start AUDIT ONCE because OWNERSHIP RUNS_ONCE
    if (!p) return -1;
    int k = n > 3;
    if (k) ask();
    if (n > 3) {
        free(p);
        return 1;
    }
    if (!k) free(p);
    return 0;
} // LOST start

static int again_and_again(int n)
{
    char *p = malloc(4); // LEAK again AUDIT RECURS because OWNERSHIP
    if (!p) return -1;
    int k = n > 3;
    if (k) ask();
    if (n > 3) {
        free(p);
        return 1;
    }
    if (!k) free(p);
    return 0;
} // LOST again

static int before_the_end(int n)
{
    char *p = malloc(4); // LEAK end AUDIT ONCE because OWNERSHIP
    if (!p) return -1;
    int k = n > 3;
    if (k) ask();
    if (n > 3) {
        free(p);
        return 1;
    }
    if (!k) free(p);
    return 0;
} // LOST end

int main(int argc, char **argv)
{
    (void)argv;
    at_start(argc);
    while (ask()) {
        again_and_again(argc);
        if (ask() == 7) exit(before_the_end(argc));
    }
    return 0;
}
