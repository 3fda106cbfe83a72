// Results in packs: they come back in later runs and in the same one, the newest counts, nothing that
// was damaged, cut or written by others is believed, and the number of files stays small.
#include "base/file.h"
#include "cache/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static Diag quiet = {.quiet = true};

static char *fresh_dir(Arena *a)
{
    const char *tmp = getenv("TMP");
    char *dir = arena_printf(a, "%s/packs.XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(dir));
    return dir;
}

static Hash128 key_of(uint32_t n)
{
    return hash128_bytes(&n, sizeof n);
}

static void put(Cache *c, uint32_t key, const char *text)
{
    cache_put_result(c, key_of(key), text, strlen(text));
}

static bool holds(Cache *c, uint32_t key, const char *text)
{
    size_t len;
    char *bytes = cache_get_result(c, key_of(key), &len);
    bool same = bytes && len == strlen(text) && memcmp(bytes, text, len) == 0;
    mem_free(bytes);
    return same;
}

static bool has(Cache *c, uint32_t key)
{
    size_t len;
    char *bytes = cache_get_result(c, key_of(key), &len);
    mem_free(bytes);
    return bytes != NULL;
}

// The paths of the packs; each is given to `f` where there is one.
static uint32_t each_pack(const char *dir, void (*f)(const char *path))
{
    char *packs = mem_printf("%s/v1/packs", dir);
    DIR *d = opendir(packs);
    uint32_t count = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        char *path = mem_printf("%s/%s", packs, e->d_name);
        count++;
        if (f) f(path);
        mem_free(path);
    }
    if (d) closedir(d);
    mem_free(packs);
    return count;
}

static void results_come_back(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *dir = fresh_dir(a);
    Cache *c = cache_open(dir, "", NULL, 0, &quiet);
    assert_false(has(c, 1));
    put(c, 1, "one");
    put(c, 2, "");
    put(c, 1, "one again");
    assert_true(holds(c, 1, "one again") && holds(c, 2, "") && !has(c, 3));
    cache_close(c);
    c = cache_open(dir, "", NULL, 0, &quiet);
    assert_true(holds(c, 1, "one again") && holds(c, 2, "") && !has(c, 3));
    put(c, 2, "two");
    cache_close(c);
    c = cache_open(dir, "", NULL, 0, &quiet);
    assert_true(holds(c, 1, "one again") && holds(c, 2, "two"));
    assert_int_equal(cache_counts(c).results_read, 2);
    cache_close(c);
    // Without a directory: within the run.
    c = cache_open(NULL, "", NULL, 0, &quiet);
    put(c, 1, "here");
    assert_true(holds(c, 1, "here"));
    cache_close(c);
    arena_free(a);
}

// Every run leaves a pack, and still there are few.
static void small_packs_are_joined(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *dir = fresh_dir(a);
    for (uint32_t i = 0; i < 60; i++) {
        Cache *c = cache_open(dir, "", NULL, 0, &quiet);
        for (uint32_t k = 0; k < 10; k++) put(c, 10 * i + k, i % 2 ? "odd" : "even");
        cache_close(c);
    }
    assert_in_range(each_pack(dir, NULL), 1, 12);
    Cache *c = cache_open(dir, "", NULL, 0, &quiet);
    for (uint32_t i = 0; i < 600; i++) assert_true(holds(c, i, i / 10 % 2 ? "odd" : "even"));
    cache_close(c);
    arena_free(a);
}

// Beyond the limit what the run has used stays.
static void the_unused_goes(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *dir = fresh_dir(a);
    static char text[100000];
    memset(text, 'x', sizeof text - 1);
    enum { LIMIT = 4 << 20 };
    for (uint32_t i = 0; i < 12; i++) {
        Cache *c = cache_open(dir, "", NULL, LIMIT, &quiet);
        if (i) assert_true(has(c, 0));
        for (uint32_t k = 0; k < 5; k++) put(c, 5 * i + k, text);
        cache_close(c);
    }
    Cache *c = cache_open(dir, "", NULL, LIMIT, &quiet);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < 60; i++) kept += has(c, i);
    assert_true(holds(c, 0, text) && holds(c, 59, text));
    assert_in_range(kept, 6, 30);
    cache_close(c);
    arena_free(a);
}

static void cut(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(truncate(path, st.st_size - 5), 0);
}

static void flip(const char *path, off_t at)
{
    int fd = open(path, O_RDWR);
    char byte;
    assert_true(fd >= 0 && pread(fd, &byte, 1, at) == 1);
    byte ^= 4;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

static void flip_first(const char *path)
{
    flip(path, 0);
}

static void flip_list(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    flip(path, st.st_size - 100);
}

static void empty(const char *path)
{
    assert_int_equal(truncate(path, 0), 0);
}

static void to_fifo(const char *path)
{
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void to_link(const char *path)
{
    char *other = mem_printf("%s.moved", path);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    mem_free(other);
}

static void damage_is_noticed(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    void (*const damages[])(const char *) = {cut, flip_list, empty, to_fifo, to_link};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        char *dir = fresh_dir(a);
        Cache *c = cache_open(dir, "", NULL, 0, &quiet);
        put(c, 1, "one");
        put(c, 2, "two");
        cache_close(c);
        assert_int_equal(each_pack(dir, damages[i]), 1);
        c = cache_open(dir, "", NULL, 0, &quiet);
        assert_false(has(c, 1) || has(c, 2));
        put(c, 1, "anew");
        cache_close(c);
        c = cache_open(dir, "", NULL, 0, &quiet);
        assert_true(holds(c, 1, "anew"));
        cache_close(c);
    }
    // One record alone.
    char *dir = fresh_dir(a);
    Cache *c = cache_open(dir, "", NULL, 0, &quiet);
    put(c, 1, "one");
    put(c, 2, "two");
    cache_close(c);
    each_pack(dir, flip_first);
    c = cache_open(dir, "", NULL, 0, &quiet);
    assert_true(!has(c, 1) && holds(c, 2, "two"));
    cache_close(c);
    arena_free(a);
}

// Another user's packs, with a secret of his own.
static void what_others_wrote_is_not_believed(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *dir = fresh_dir(a), *state_dir = fresh_dir(a);
    char *before = getenv("XDG_STATE_HOME") ? arena_strdup(a, getenv("XDG_STATE_HOME")) : NULL;
    setenv("XDG_STATE_HOME", state_dir, 1);
    Cache *c = cache_open(dir, "", NULL, 0, &quiet);
    put(c, 1, "planted");
    cache_close(c);
    if (before)
        setenv("XDG_STATE_HOME", before, 1);
    else
        unsetenv("XDG_STATE_HOME");
    c = cache_open(dir, "", NULL, 0, &quiet);
    assert_false(has(c, 1));
    cache_close(c);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_come_back),
        cmocka_unit_test(small_packs_are_joined),
        cmocka_unit_test(the_unused_goes),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(what_others_wrote_is_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
