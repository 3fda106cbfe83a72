// What nearly every call of a function would cause speaks against the analysis: a jump out of each of
// them is not followed, and whoever it comes to may know of the block.
#include <setjmp.h>
#include <stdlib.h>

extern jmp_buf env;
struct part {
    int n;
};

static struct part *make_part(void)
{
    return malloc(sizeof(struct part));
}

#define USE(name)                                                                                  \
    int name(int n)                                                                                \
    {                                                                                              \
        struct part *p = make_part();                                                              \
        if (!p) return 0;                                                                          \
        if (n < 0) longjmp(env, 1);                                                                \
        p->n = n;                                                                                  \
        free(p);                                                                                   \
        return 1;                                                                                  \
    }
// run: --level=likely
USE(one)   // OK
USE(two)   // OK
USE(three) // OK
USE(four)  // OK
USE(five)  // OK
USE(six)   // OK
USE(seven) // OK
