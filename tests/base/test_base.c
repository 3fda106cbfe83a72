// The containers: what they promise, at sizes around their growth steps.
#include "base/siphash.h"
#include "base/bits.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/name.h"
#include "base/out.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void arena_gives_zeroed_aligned_memory(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    for (size_t n = 0; n < 3000; n += 7) {
        char *p = arena_alloc(a, n);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < n; i++) assert_int_equal(p[i], 0);
        memset(p, 0xff, n);
    }
    char *large = arena_alloc(a, 5 << 20);
    large[(5 << 20) - 1] = 1;
    assert_true(arena_bytes(a) > 5 << 20);
    arena_reset(a);
    assert_int_equal(arena_bytes(a), 0);
    char *again = arena_alloc(a, 64);
    for (int i = 0; i < 64; i++) assert_int_equal(again[i], 0);
    assert_string_equal(arena_printf(a, "%d-%s", 7, "x"), "7-x");
    arena_free(a);
}

static void vectors_grow_and_keep(void **state)
{
    (void)state;
    U32s v = {0};
    for (uint32_t i = 0; i < 1000; i++) vec_push(&v, i * i);
    vec_each (i, &v) assert_int_equal(v.at[i], i * i);
    assert_int_equal(vec_last(&v), 999 * 999);
    vec_extend(&v, 5);
    assert_int_equal(v.at[1004], 0);
    Arena *a = arena_new("kept");
    vec_keep(&v, a);
    assert_int_equal(v.len, 1005);
    assert_int_equal(v.at[10], 100);
    arena_free(a);
}

static void map_agrees_with_an_array(void **state)
{
    (void)state;
    Map m = {0};
    assert_null(map_get(&m, 3));
    for (uint64_t i = 0; i < 5000; i++) map_set(&m, i * 977 % 5003, i);
    assert_int_equal(m.len, 5000);
    for (uint64_t i = 0; i < 5000; i++) {
        assert_int_equal(*map_get(&m, i * 977 % 5003), i);
        assert_int_equal(m.entries[i].value, i); // order of insertion
    }
    bool fresh = true;
    *map_at(&m, 977, 9, &fresh) = 42;
    assert_false(fresh);
    assert_int_equal(*map_get(&m, 977), 42);
    map_clear(&m);
    assert_null(map_get(&m, 977));
    map_free(&m);
}

static void names_are_interned_once(void **state)
{
    (void)state;
    Names *n = names_new();
    assert_int_equal(name_of(n, "").id, 0);
    Name first = name_of(n, "alpha");
    for (int i = 0; i < 3000; i++) name_printf(n, "name%d", i);
    assert_int_equal(name_of(n, "alpha").id, first.id);
    assert_string_equal(name_text(n, first), "alpha");
    assert_string_equal(name_text(n, name_of(n, "name2999")), "name2999");
    assert_int_equal(name_find(n, "nobody").id, 0);
    assert_int_equal(name_find(n, "name7").id, name_of(n, "name7").id);
    assert_int_equal(names_count(n), 3002);
    assert_int_equal(name_of_n(n, "alphabet", 5).id, first.id);
    names_free(n);
}

static void bits_behave_as_sets(void **state)
{
    (void)state;
    Arena *a = arena_new("bits");
    Bits b = bits_new(a, 200), c = bits_new(a, 200);
    assert_true(bits_add(&b, 0));
    assert_true(bits_add(&b, 199));
    assert_false(bits_add(&b, 199));
    bits_add(&c, 64);
    assert_true(bits_union(&b, &c));
    assert_false(bits_union(&b, &c));
    uint32_t seen[3], n = 0;
    bits_each (i, &b) seen[n++] = i;
    assert_int_equal(n, 3);
    assert_int_equal(seen[0], 0);
    assert_int_equal(seen[1], 64);
    assert_int_equal(seen[2], 199);
    assert_int_equal(bits_size(&b), 3);
    bits_drop(&b, 64);
    assert_false(bits_has(&b, 64));
    arena_free(a);
}

static void paths_are_normalised(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a/./b//c", "a/b/c"}, {"a/../b", "b"},      {"../a", "../a"},   {"../../a/..", "../.."},
        {"/..", "/"},          {"/a/../../b", "/b"}, {"", "."},          {"a/..", "."},
        {"./", "."},           {"/a/b/..", "/a"},    {"a/b/../..", "."}, {"x/../../y", "../y"},
    };
    Arena *a = arena_new("paths");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(path_normal(a, cases[i][0]), cases[i][1]);
    assert_string_equal(path_join(a, "/x/y", "../z.c"), "/x/z.c");
    assert_string_equal(path_join(a, "/x/y", "/z.c"), "/z.c");
    assert_string_equal(path_below("/x", "/x/y/z"), "y/z");
    assert_string_equal(path_below("/x/", "/x/y"), "y");
    assert_string_equal(path_below("/x", "/xy/z"), "/xy/z");
    assert_string_equal(path_base("/a/b.c"), "b.c");
    assert_string_equal(path_extension("/a.d/b"), "");
    assert_string_equal(path_extension("b.tar.c"), "c");
    assert_string_equal(path_dir(a, "b"), ".");
    assert_string_equal(path_dir(a, "/b"), "/");
    arena_free(a);
}

static void output_escapes_and_renames(void **state)
{
    (void)state;
    Out *o = out_memory();
    out_json(o, "a\"b\\\n\x01\xff\xc3\xa9");
    assert_string_equal(out_content(o, NULL), "\"a\\\"b\\\\\\n\\u0001\xef\xbf\xbd\xc3\xa9\"");
    out_close(o);
    o = out_memory();
    out_html(o, "<a href='x'>&\"\x02", 15);
    assert_string_equal(out_content(o, NULL), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\xef\xbf\xbd");
    out_close(o);

    char dir[] = "/tmp/stanch-base-XXXXXX";
    assert_non_null(mkdtemp(dir));
    char *path = mem_printf("%s/deep/er/file", dir);
    assert_null(out_file(path));
    assert_int_equal(errno, ENOENT);
    char *parent = mem_printf("%s/deep/er", dir);
    assert_int_equal(file_make_dirs(parent), 0);
    o = out_file(path);
    assert_non_null(o);
    for (int i = 0; i < 20000; i++) out_printf(o, "line %d\n", i);
    assert_false(file_exists(path)); // nothing half-written under the final name
    assert_int_equal(out_close(o), 0);
    size_t len = 0;
    char *text = file_read(path, 0, &len);
    assert_non_null(text);
    assert_memory_equal(text + len - 6, "19999\n", 6);
    mem_free(text);
    assert_null(file_read(path, 100, NULL));
    assert_int_equal(errno, EFBIG);
    assert_null(file_read(parent, 0, NULL));
    o = out_file(path);
    out_text(o, "other");
    out_discard(o);
    text = file_read(path, 0, &len);
    assert_true(len > 100000);
    mem_free(text);
    int full = -1;
    if ((full = open("/dev/full", O_WRONLY)) >= 0) {
        o = out_fd(full);
        out_text(o, "x");
        assert_int_equal(out_close(o), ENOSPC);
        close(full);
    }
    char *command = mem_printf("rm -rf %s", dir);
    assert_int_equal(system(command), 0);
    mem_free(command);
    mem_free(parent);
    mem_free(path);
}

static void hashes_are_stable(void **state)
{
    (void)state;
    char text[33];
    hash128_text(hash128_bytes("stanch", 6), text);
    assert_int_equal(strlen(text), 32);
    char again[33];
    hash128_text(hash128_bytes("stanch", 6), again);
    assert_string_equal(text, again);
    assert_int_not_equal(hash_bytes("a", 1, 0), hash_bytes("b", 1, 0));
    assert_int_not_equal(hash_mix(1, 2), hash_mix(2, 1));
}

// The first vectors of the authors' reference: key 00 01 .. 0f, text 00 01 ..
static void siphash_is_the_published_one(void **state)
{
    (void)state;
    static const Hash128 want[] = {{0xe6a825ba047f81a3u, 0x930255c71472f66du},
                                   {0x44af996bd8c187dau, 0x45fc229b11597634u}};
    unsigned char text[64];
    for (int i = 0; i < 64; i++) text[i] = (unsigned char)i;
    Hash128 key = {0x0706050403020100u, 0x0f0e0d0c0b0a0908u};
    for (size_t n = 0; n < 2; n++) {
        Hash128 h = siphash(key, text, n);
        assert_true(h.high == want[n].high && h.low == want[n].low);
    }
    // Every byte and the length count, also behind the last whole word.
    for (size_t n = 1; n < 40; n++) {
        Hash128 h = siphash(key, text, n), shorter = siphash(key, text, n - 1);
        assert_true(h.high != shorter.high && h.low != shorter.low);
        text[n - 1] ^= 1;
        Hash128 other = siphash(key, text, n);
        text[n - 1] ^= 1;
        assert_true(h.high != other.high && h.low != other.low);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(vectors_grow_and_keep),
        cmocka_unit_test(map_agrees_with_an_array),
        cmocka_unit_test(names_are_interned_once),
        cmocka_unit_test(bits_behave_as_sets),
        cmocka_unit_test(paths_are_normalised),
        cmocka_unit_test(output_escapes_and_renames),
        cmocka_unit_test(hashes_are_stable),
        cmocka_unit_test(siphash_is_the_published_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
