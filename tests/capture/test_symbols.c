// The symbols of linked files: our own program has some; whatever is done to its bytes, nothing is read
// beyond them and no name is odd.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/file.h"
#include "capture/capture_int.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool has(const CaptureNames *n, const char *name)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (strcmp(n->names[i], name) == 0) return true;
    return false;
}

static void expect_names(const CaptureNames *n)
{
    for (uint32_t i = 0; i < n->count; i++) {
        assert_true(!i || strcmp(n->names[i - 1], n->names[i]) < 0);
        assert_null(strpbrk(n->names[i], "@ \n\t"));
        assert_true(n->names[i][0]);
    }
}

static char *make(const char *text, const char *build, const char *made)
{
    Arena *a = arena_new("test");
    assert_int_equal(system(arena_printf(a, "cd \"$TMP\" && printf '%s' >in.c && %s", text, build)), 0);
    char *path = strdup(arena_printf(a, "%s/%s", getenv("TMP"), made));
    arena_free(a);
    return path;
}

static void exports_are_read(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    CaptureNames n;
    char *path = make("int shown(void) { return 1; } int other(void) { return 2; } int data; static int no;"
                      " int *use(void) { return &no; }",
                      "printf '{ global: shown; data; local: *; };' >v && cc -shared -fPIC -o x.so in.c "
                      "-Wl,--version-script=v",
                      "x.so");
    assert_true(capture_exports(a, path, &n));
    expect_names(&n);
    assert_int_equal(n.count, 2);
    assert_true(has(&n, "shown") && has(&n, "data"));
    assert_false(capture_needed(a, path, &n)); // no object
    free(path);
    path = make("int main(void) { return 0; }", "cc -static -o x in.c", "x");
    assert_true(capture_exports(a, path, &n));
    assert_false(has(&n, "main"));
    free(path);
    path = make("int puts(const char *); int f(void) { return puts(\"x\"); }", "cc -c -o x.o in.c", "x.o");
    assert_false(capture_exports(a, path, &n)); // not linked
    assert_true(capture_needed(a, path, &n));
    expect_names(&n);
    assert_true(has(&n, "puts") && !has(&n, "f"));
    free(path);
    path = make("int puts(const char *); int f(void) { return puts(\"x\"); }",
                "gcc -flto -fno-fat-lto-objects -c -o lto.o in.c", "lto.o");
    assert_false(capture_needed(a, path, &n)); // it is not said yet
    free(path);
    assert_false(capture_exports(a, "/dev/null", &n));
    assert_false(capture_exports(a, "/nonexistent", &n));
    assert_false(capture_exports(a, getenv("TMP"), &n));
    arena_free(a);
}

static void put(const char *path, const char *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(file_write_all(fd, bytes, len), 0);
    close(fd);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

// Headers, section headers and the tables get most of the blows.
static void damaged_files_do_no_harm(void **state)
{
    (void)state;
    char *paths[] = {make("int shown(void) { return 1; } int data;", "cc -shared -fPIC -o d.so in.c", "d.so"),
                     make("int f(void); int g(void) { return f(); }", "cc -c -o d.o in.c", "d.o")};
    Arena *b = arena_new("test");
    const char *hurt = arena_printf(b, "%s/hurt", getenv("TMP"));
    uint32_t seed = 1, read = 0;
    for (uint32_t k = 0; k < 2; k++) {
        size_t len;
        char *whole = file_read(paths[k], 0, &len), *bytes = mem_alloc(len);
        uint64_t sections = ((const Elf64_Ehdr *)(const void *)whole)->e_shoff;
        for (uint32_t round = 0; round < 3000; round++) {
            Arena *a = arena_new("round");
            memcpy(bytes, whole, len);
            size_t cut = round % 5 ? len : next_random(&seed) % len;
            for (uint32_t i = 0; i < 1 + round % 4; i++) {
                size_t from = round % 3 == 0 ? 0 : round % 3 == 1 && sections < len ? sections : next_random(&seed) % len;
                size_t at = (from + next_random(&seed) % (round % 3 ? 2048 : 64)) % len;
                bytes[at] = (char)(next_random(&seed) % 3 ? next_random(&seed) : 0xff);
            }
            put(hurt, bytes, cut);
            CaptureNames n;
            read += k ? capture_needed(a, hurt, &n) : capture_exports(a, hurt, &n);
            expect_names(&n);
            arena_free(a);
        }
        mem_free(whole);
        mem_free(bytes);
        free(paths[k]);
    }
    assert_true(read > 100 && read < 5900); // some still tell, some do not
    unlink(hurt);
    arena_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exports_are_read),
        cmocka_unit_test(damaged_files_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
