// What ownership alone calls certain, at a place that no path comes to.
// run: --spec stack.own --level=sure
#include "stack.h"

void never_come_to(int n)
{
    if (n > 5)
        if (n < 3) {
            stack *s = stack_alloc();   // OK
            int *p = malloc(sizeof *p); // OK
            stack_push(s, p);
            stack_free(s);
        }
}

void come_to(int n)
{
    if (n > 5) {
        stack *s = stack_alloc();   // OK
        int *p = malloc(sizeof *p); // LEAK element
        stack_push(s, p);
        stack_free(s); // LOST element
    }
} // LOST element
