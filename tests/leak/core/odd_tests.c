// Tests that the program cannot mean as written: a fresh block against a small number that is used
// as a pointer nowhere, and a counter that only fails its test by wrapping. And marks that are meant.
// run: --level=likely
#include <stdlib.h>

#define DELETED ((char *)2)

void address_for_content(void) {
    for (int n = 0; n < 100; n++) {
        char **buf = malloc(sizeof *buf); // LEAK buf LIKELY because ODD_TEST
        if (buf == NULL)
            return;
        if (buf == (char **)'\n')
            continue; // LOST buf
        free(buf);
    }
}

static char *slots[8];

void delete_slot(int i) {
    slots[i & 7] = DELETED;
}

void a_mark_of_the_program(void) {
    char *p = malloc(4); // OK
    if (p == NULL || p == DELETED)
        return;
    free(p);
}

int counted_down(const int *v) {
    int *p = malloc(100), sum = 0; // OK
    if (p == NULL)
        return 0;
    for (int i = 9; i >= 0; i--)
        sum += v[i];
    free(p);
    return sum;
}
