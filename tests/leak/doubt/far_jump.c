// A jump to a mark that the caller passed in: where it goes on is not followed.
#include <setjmp.h>
#include <stdlib.h>

// The mark is the caller's: nobody behind the jump knows the block.
void left_by_a_jump(jmp_buf mark, int n) {
    char *p = malloc(n); // LEAK left LIKELY because FAR_JUMP
    if (n > 10)
        longjmp(mark, 1); // LOST left
    free(p);
}
