// Ways out of a function that are no returns: exit, abort, longjmp, assertions.
#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf env;

_Noreturn static void die(const char *message) {
    fprintf(stderr, "%s\n", message);
    exit(1);
}

static void quit(int status) {
    exit(status);
}

static void fail(void) {
    longjmp(env, 1);
}

void the_process_ends(int n) {
    char *p = malloc(n); // OK
    if (n > 10)
        die("too big");
    free(p);
}

void the_process_ends_without_saying_noreturn(int n) {
    char *p = malloc(n); // OK
    if (n > 10)
        quit(2);
    free(p);
}

void asserted(int n) {
    char *p = malloc(n); // OK
    assert(p != NULL);
    free(p);
}

void aborted(int n) {
    char *p = malloc(n); // OK
    if (p == NULL || n == 3)
        abort();
    free(p);
}

int freed_after_the_jump_back(int n) {
    char *volatile p = malloc(n); // OK
    if (setjmp(env) != 0) {
        free(p);
        return -1;
    }
    if (n > 10)
        fail();
    free(p);
    return 0;
}

int forgotten_after_the_jump_back(int n) {
    char *volatile p = malloc(n); // LEAK jumped
    if (setjmp(env) != 0)
        return -1; // LOST jumped
    if (n > 10)
        fail();
    free(p);
    return 0;
}
