// Objects, recipes and the index: what is stored comes back, what has changed does not, and no
// damage to files gives a wrong answer.
#include "base/file.h"
#include "base/out.h"
#include "cache/cache.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char *fresh_dir(Arena *a)
{
    const char *tmp = getenv("TMP");
    char *dir = arena_printf(a, "%s/cache.XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(dir));
    return dir;
}

static void remove_tree(const char *dir)
{
    char *command = mem_printf("rm -rf '%s'", dir);
    assert_int_equal(system(command), 0);
    mem_free(command);
}

static void write_text(const char *path, const char *text, int64_t age_seconds)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    struct timespec times[2] = {{0}};
    times[0].tv_sec = times[1].tv_sec = cache_now() / 1000000000 - age_seconds;
    futimens(fd, times);
    close(fd);
}

static Hash128 key_of(const char *text)
{
    CacheKey k = {0};
    cache_key_text(&k, text);
    return cache_key_end(&k);
}

static bool holds(Cache *c, Hash128 key, const char *text)
{
    size_t len;
    char *bytes = cache_get(c, key, &len);
    bool same = bytes && len == strlen(text) && memcmp(bytes, text, len) == 0;
    mem_free(bytes);
    return same;
}

static void objects_come_back(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *dir = fresh_dir(a);
    Diag d = {.quiet = true};
    Cache *c = cache_open(dir, "", NULL, 0, &d);
    assert_false(holds(c, key_of("k"), "content"));
    cache_put(c, key_of("k"), "content", 7);
    char *file = arena_printf(a, "%s/result", cache_scratch(c));
    write_text(file, "moved", 0);
    assert_true(cache_put_file(c, key_of("m"), file));
    assert_false(file_exists(file));
    char *scratch = arena_strdup(a, cache_scratch(c));
    cache_close(c);
    assert_false(file_exists(scratch));

    c = cache_open(dir, "", NULL, 0, &d);
    assert_true(holds(c, key_of("k"), "content"));
    assert_true(holds(c, key_of("m"), "moved"));
    cache_drop(c, key_of("k"));
    assert_false(holds(c, key_of("k"), "content"));
    cache_close(c);

    c = cache_open(NULL, "", NULL, 0, &d);
    cache_put(c, key_of("k"), "content", 7);
    assert_false(holds(c, key_of("k"), "content"));
    assert_null(cache_scratch(c));
    cache_close(c);
    remove_tree(dir);
    arena_free(a);
}

static void keys_tell_parts_apart(void **state)
{
    (void)state;
    CacheKey x = {0}, y = {0};
    cache_key_text(&x, "ab"), cache_key_text(&x, "c");
    cache_key_text(&y, "a"), cache_key_text(&y, "bc");
    Hash128 hx = cache_key_end(&x), hy = cache_key_end(&y);
    assert_false(hx.high == hy.high && hx.low == hy.low);
}

static void a_recipe_follows_its_files(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *dir = fresh_dir(a);
    const char *source = arena_printf(a, "%s/x.c", dir), *header = arena_printf(a, "%s/x.h", dir);
    write_text(source, "#include \"x.h\"", 100);
    write_text(header, "one", 100);
    const char *files[] = {source, header};
    Diag d = {.quiet = true};
    Hash128 recipe = key_of("cc x.c"), first, second, found;

    Cache *c = cache_open(dir, "", NULL, 0, &d);
    assert_false(cache_find(c, recipe, &found, NULL));
    assert_true(cache_record(c, recipe, files, 2, cache_now(), &first));
    cache_put(c, first, "unit 1", 6);
    cache_close(c);

    c = cache_open(dir, "", NULL, 0, &d);
    CachePaths paths = {0};
    assert_true(cache_find(c, recipe, &found, &paths));
    assert_memory_equal(&found, &first, sizeof found);
    assert_int_equal(paths.len, 2);
    assert_string_equal(paths.at[1], header);
    vec_free(&paths);
    cache_close(c);

    // Same size, same time, other content: the change must be seen, because the file was touched.
    write_text(header, "two", 100);
    c = cache_open(dir, "", NULL, 0, &d);
    assert_false(cache_find(c, recipe, &found, NULL));
    assert_true(cache_record(c, recipe, files, 2, cache_now(), &second));
    cache_put(c, second, "unit 2", 6);
    cache_close(c);

    // Back again: the older variant is still known.
    write_text(header, "one", 50);
    c = cache_open(dir, "", NULL, 0, &d);
    assert_true(cache_find(c, recipe, &found, NULL));
    assert_memory_equal(&found, &first, sizeof found);
    assert_true(holds(c, found, "unit 1"));
    cache_close(c);

    unlink(header);
    c = cache_open(dir, "", NULL, 0, &d);
    assert_false(cache_find(c, recipe, &found, NULL));
    assert_false(cache_record(c, recipe, files, 2, cache_now(), &found));
    cache_close(c);
    remove_tree(dir);
    arena_free(a);
}

static void a_file_changed_meanwhile_is_not_recorded(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *dir = fresh_dir(a);
    const char *source = arena_printf(a, "%s/x.c", dir);
    Diag d = {.quiet = true};
    Cache *c = cache_open(dir, "", NULL, 0, &d);
    int64_t started = cache_now();
    usleep(20000);
    write_text(source, "int x;", 100);
    Hash128 object;
    assert_false(cache_record(c, key_of("cc x.c"), &source, 1, started, &object));
    cache_close(c);
    remove_tree(dir);
    arena_free(a);
}

static void damage(const char *dir, const char *what)
{
    char *command = mem_printf("for f in $(find '%s' -type f %s); do "
                               "dd if=/dev/urandom of=$f bs=1 seek=40 count=30 conv=notrunc "
                               "2>/dev/null; done",
                               dir, what);
    assert_int_equal(system(command), 0);
    mem_free(command);
}

static void damaged_recipes_and_index_are_made_anew(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *dir = fresh_dir(a);
    const char *source = arena_printf(a, "%s/x.c", dir);
    write_text(source, "int x;", 100);
    Diag d = {.quiet = true};
    Hash128 recipe = key_of("cc x.c"), object, found;
    Cache *c = cache_open(dir, "", NULL, 0, &d);
    assert_true(cache_record(c, recipe, &source, 1, cache_now(), &object));
    cache_put(c, object, "unit", 4);
    cache_close(c);
    damage(dir, "-path '*/recipes/*'");
    c = cache_open(dir, "", NULL, 0, &d);
    assert_false(cache_find(c, recipe, &found, NULL));
    assert_true(cache_record(c, recipe, &source, 1, cache_now(), &object));
    cache_close(c);

    char *index = arena_printf(a, "%s/v1/index.db", dir);
    write_text(index, "this is not a database, and long enough to be looked at as one", 0);
    c = cache_open(dir, "", NULL, 0, &d);
    assert_true(cache_find(c, recipe, &found, NULL));
    assert_true(holds(c, found, "unit"));
    cache_close(c);
    c = cache_open(dir, "", NULL, 0, &d);
    assert_true(holds(c, found, "unit"));
    cache_close(c);
    remove_tree(dir);
    arena_free(a);
}

static void the_oldest_go_first(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *dir = fresh_dir(a);
    Diag d = {.quiet = true};
    char block[1000] = {0};
    Cache *c = cache_open(dir, "", NULL, 10000, &d);
    for (int i = 0; i < 8; i++) cache_put(c, key_of(arena_printf(a, "old %d", i)), block, 1000);
    cache_close(c);
    // Make them old; their order in time is known to the index only by seconds.
    char *sql = arena_printf(
        a, "sqlite3 '%s/v1/index.db' 'update entries set used = used - 1000000;' 2>/dev/null", dir);
    bool aged = system(sql) == 0;
    c = cache_open(dir, "", NULL, 10000, &d);
    for (int i = 0; i < 4; i++) cache_put(c, key_of(arena_printf(a, "new %d", i)), block, 1000);
    cache_close(c);
    c = cache_open(dir, "", NULL, 10000, &d);
    uint32_t kept = 0, kept_new = 0;
    for (int i = 0; i < 8; i++) {
        size_t len;
        char *bytes = cache_get(c, key_of(arena_printf(a, "old %d", i)), &len);
        kept += bytes != NULL;
        mem_free(bytes);
    }
    for (int i = 0; i < 4; i++) {
        size_t len;
        char *bytes = cache_get(c, key_of(arena_printf(a, "new %d", i)), &len);
        kept_new += bytes != NULL;
        mem_free(bytes);
    }
    cache_close(c);
    assert_int_equal(kept + kept_new, 9);
    if (aged) assert_int_equal(kept_new, 4);
    remove_tree(dir);
    arena_free(a);
}

// A run that dies leaves scratch and objects that the index does not know.
static void killed_runs_are_swept(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *dir = fresh_dir(a);
    Diag d = {.quiet = true};
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        Cache *c = cache_open(dir, "", NULL, 0, &d);
        char *file = mem_printf("%s/half", cache_scratch(c));
        write_text(file, "half", 0);
        cache_put(c, key_of("k"), "content", 7);
        raise(SIGKILL);
    }
    int status;
    waitpid(pid, &status, 0);
    assert_true(WIFSIGNALED(status));
    Cache *c = cache_open(dir, "", NULL, 0, &d);
    assert_true(holds(c, key_of("k"), "content"));
    assert_non_null(cache_scratch(c));
    char *count = arena_printf(a, "test $(ls '%s/v1/tmp' | wc -l) = 1", dir);
    assert_int_equal(system(count), 0);
    cache_close(c);
    // The limit counts what the dead run had stored.
    c = cache_open(dir, "", NULL, 5, &d);
    cache_put(c, key_of("l"), "more", 4);
    cache_close(c);
    c = cache_open(dir, "", NULL, 5, &d);
    assert_false(holds(c, key_of("k"), "content"));
    cache_close(c);
    remove_tree(dir);
    arena_free(a);
}

static void two_at_once(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *dir = fresh_dir(a);
    Diag d = {.quiet = true};
    pid_t pids[4];
    for (int p = 0; p < 4; p++) {
        pids[p] = fork();
        assert_true(pids[p] >= 0);
        if (pids[p]) continue;
        int failed = 0;
        for (int round = 0; round < 10; round++) {
            Cache *c = cache_open(dir, "", NULL, 0, &d);
            for (int i = 0; i < 20; i++) {
                char *text = mem_printf("object %d", i);
                size_t len;
                char *got = cache_get(c, key_of(text), &len);
                if (got && strcmp(got, text) != 0) failed = 1;
                cache_put(c, key_of(text), text, strlen(text));
                mem_free(got);
                mem_free(text);
            }
            cache_close(c);
        }
        _exit(failed);
    }
    for (int p = 0; p < 4; p++) {
        int status;
        waitpid(pids[p], &status, 0);
        assert_int_equal(status, 0);
    }
    Cache *c = cache_open(dir, "", NULL, 0, &d);
    assert_true(holds(c, key_of("object 7"), "object 7"));
    cache_close(c);
    remove_tree(dir);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_come_back),
        cmocka_unit_test(keys_tell_parts_apart),
        cmocka_unit_test(a_recipe_follows_its_files),
        cmocka_unit_test(a_file_changed_meanwhile_is_not_recorded),
        cmocka_unit_test(damaged_recipes_and_index_are_made_anew),
        cmocka_unit_test(the_oldest_go_first),
        cmocka_unit_test(killed_runs_are_swept),
        cmocka_unit_test(two_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
