// More paths meet than are kept apart, and what they set is tested afterwards. One test may hold on
// some of them; that four hold at once is a guess too many, unless it does not matter.
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>

static void set(int n, int *to) {
    int a = 0, b = 0, c = 0, d = 0;
    switch (n) {
    case 0: a = 0; b = 21; c = 22; d = 23; break;
    case 1: a = 20; b = 1; c = 22; d = 23; break;
    case 2: a = 20; b = 21; c = 2; d = 23; break;
    case 3: a = 20; b = 21; c = 22; d = 3; break;
    case 4: a = 4; b = 21; c = 22; d = 23; break;
    case 5: a = 20; b = 5; c = 22; d = 23; break;
    case 6: a = 20; b = 21; c = 6; d = 23; break;
    case 7: a = 20; b = 21; c = 22; d = 7; break;
    case 8: a = 8; b = 21; c = 22; d = 23; break;
    case 9: a = 20; b = 9; c = 22; d = 23; break;
    case 10: a = 20; b = 21; c = 10; d = 23; break;
    case 11: a = 20; b = 21; c = 22; d = 11; break;
    case 12: a = 12; b = 21; c = 22; d = 23; break;
    case 13: a = 20; b = 13; c = 22; d = 23; break;
    case 14: a = 20; b = 21; c = 14; d = 23; break;
    default: break;
    }
    to[0] = a, to[1] = b, to[2] = c, to[3] = d;
}

int left_where_none_comes(int n) {
    char *p = malloc(10); // OK
    int to[4];
    if (p == NULL)
        return -1;
    set(n, to);
    if (to[0] == 20)
        if (to[1] == 21)
            if (to[2] == 22)
                if (to[3] == 23)
                    return -1;
    free(p);
    return 0;
}

int left_whatever_was_set(int n) {
    char *p = malloc(10); // LEAK p
    int to[4];
    if (p == NULL)
        return -1;
    set(n, to);
    if (to[0] != 20)
        exit(1);
    if (to[1] != 21)
        exit(1);
    if (to[2] != 22)
        exit(1);
    if (to[3] != 23)
        exit(1);
    puts(p);
    return 0; // LOST p
}

int left_on_some_of_them(int n) {
    char *p = malloc(10); // LEAK some
    int to[4];
    if (p == NULL)
        return -1;
    set(n, to);
    if (to[0] == 20)
        return -1; // LOST some
    free(p);
    return 0;
}
