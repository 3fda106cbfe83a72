// Records of compiler calls; and, with arguments, the room as a small tool for the scripts beside:
//   test_observe run -- CMD...     test_observe compdb PATH     test_observe files FILE... [--
//   FLAGS]
// prints jobs, links and counts; "emit DIR" before these also compiles each job into DIR.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/file.h"
#include "capture/capture_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void records_survive_the_log(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char dir[] = "/tmp/stanch-test.XXXXXX";
    assert_non_null(mkdtemp(dir));
    const char *log = arena_printf(a, "%s/log", dir);
    Record r = {.id = "1", .parent = "", .directory = "/d d"};
    r.env[1] = "";
    r.env[2] = "/x:/y";
    vec_push(&r.argv, "/usr/bin/gcc");
    vec_push(&r.argv, "-DX=\"a b\"");
    vec_push(&r.argv, "");
    vec_push(&r.argv, "new\nline.c");
    assert_true(record_write(log, &r));
    r.id = "2";
    r.parent = "1";
    assert_true(record_write(log, &r));
    vec_free(&r.argv);
    size_t len;
    char *text = file_read(log, 0, &len);
    Records all = {0};
    assert_true(records_read(a, text, len, &all));
    assert_int_equal(all.len, 2);
    assert_string_equal(all.at[1].parent, "1");
    assert_string_equal(all.at[0].directory, "/d d");
    assert_null(all.at[0].env[0]);
    assert_string_equal(all.at[0].env[1], "");
    assert_string_equal(all.at[0].env[2], "/x:/y");
    assert_int_equal(all.at[0].argv.len, 4);
    assert_string_equal(all.at[0].argv.at[1], "-DX=\"a b\"");
    assert_string_equal(all.at[0].argv.at[2], "");
    assert_string_equal(all.at[0].argv.at[3], "new\nline.c");
    // Cut anywhere, the complete records remain and nothing is read beyond the end.
    for (size_t cut = 0; cut < len; cut++) {
        char *part = mem_alloc(cut + 1);
        memcpy(part, text, cut);
        vec_clear(&all);
        bool whole = records_read(a, part, cut, &all);
        assert_true(all.len <= 1);
        assert_int_equal(whole, cut == 0 || cut == len / 2);
        mem_free(part);
    }
    vec_free(&all);
    mem_free(text);
    unlink(log);
    rmdir(dir);
    arena_free(a);
}

static const char *kind_name(CaptureLinkKind k)
{
    return k == CAPTURE_PROGRAM   ? "program"
           : k == CAPTURE_SHARED  ? "shared"
           : k == CAPTURE_ARCHIVE ? "archive"
                                  : "partial";
}

static void print(const Capture *c, const char *cwd)
{
    vec_each (i, &c->jobs) {
        const CaptureJob *j = &c->jobs.at[i];
        printf("job %s %s ->", j->language == CAPTURE_C ? "c" : "c++", path_below(cwd, j->source));
        for (uint32_t o = 0; o < j->object_count; o++)
            printf(" %s", path_below(cwd, j->objects[o]));
        printf(" :");
        for (uint32_t f = 0; f < j->flag_count; f++) printf(" %s", j->flags[f]);
        printf("\n");
    }
    vec_each (i, &c->links) {
        const CaptureLink *l = &c->links.at[i];
        printf("link %s %s :", kind_name(l->kind), path_below(cwd, l->output));
        for (uint32_t n = 0; n < l->input_count; n++)
            printf(" %s%s%s", l->inputs[n].kind == CAPTURE_IN_LIBRARY ? "-l" : "",
                   path_below(cwd, l->inputs[n].path), l->inputs[n].whole ? "+" : "");
        printf("\n");
        if (l->exports_known && (l->kind == CAPTURE_SHARED || l->exports.count)) {
            printf("exports %s :", path_below(cwd, l->output));
            for (uint32_t n = 0; n < l->exports.count; n++) printf(" %s", l->exports.names[n]);
            printf("\n");
        }
        if (l->open) printf("open %s\n", path_below(cwd, l->output));
    }
    if (c->needed.count) printf("needed :");
    for (uint32_t i = 0; i < c->needed.count; i++) printf(" %s", c->needed.names[i]);
    if (c->needed.count) printf("\n");
    vec_each (i, &c->skipped)
        printf("skip %s %s\n", path_below(cwd, c->skipped.at[i].source), c->skipped.at[i].reason);
    const CaptureCounts *n = &c->counts;
    printf("counts commands %u compiles %u merged %u preprocessed %u vanished %u assembler %u "
           "other %u unusable %u unseen %u\n",
           n->commands, n->compiles, n->merged, n->preprocessed, n->vanished, n->assembler,
           n->other, n->unusable, n->unseen);
    if (c->observed) printf("status %d\n", c->build_status);
}

static void emit_all(Arena *a, Diag *d, const Capture *c, const char *dir)
{
    const char *clang = capture_find_clang(a, d);
    if (!clang) return;
    vec_each (i, &c->jobs) {
        const CaptureJob *j = &c->jobs.at[i];
        const char *bc = arena_printf(a, "%s/%u.bc", dir, i),
                   *dep = arena_printf(a, "%s/%u.d", dir, i);
        CaptureEmit e = capture_emit(a, clang, j, bc, dep);
        CaptureDeps deps = {0};
        if (e.status == CAPTURE_EMITTED) capture_read_deps(a, dep, j->directory, &deps);
        printf("emit %d %s deps %u\n", e.status, path_base(j->source), deps.count);
        if (*e.messages) printf("%s", e.messages);
    }
}

static int tool(int argc, char **argv)
{
    Arena *a = arena_new("test");
    Diag d = {0};
    Capture c = {0};
    const char *dir = NULL;
    bool ok = false;
    if (argc > 3 && strcmp(argv[1], "emit") == 0) {
        dir = path_join(a, path_cwd(a), argv[2]);
        argc -= 2;
        argv += 2;
    }
    if (argc > 3 && strcmp(argv[1], "run") == 0) {
        ok = capture_build(a, &d, argv + 3, &c);
    } else if (argc > 2 && strcmp(argv[1], "compdb") == 0) {
        ok = capture_compdb(a, &d, argv[2], &c);
    } else if (argc > 2 && strcmp(argv[1], "files") == 0) {
        int end = 2;
        while (end < argc && strcmp(argv[end], "--") != 0) end++;
        int flags = end < argc ? end + 1 : end;
        ok = capture_files(a, &d, (const char *const *)argv + 2, (uint32_t)(end - 2),
                           (const char *const *)argv + flags, (uint32_t)(argc - flags), &c);
    }
    print(&c, path_cwd(a));
    if (dir) emit_all(a, &d, &c, dir);
    arena_free(a);
    return ok ? 0 : 2;
}

int main(int argc, char **argv)
{
    if (capture_is_shim(argv[0])) return capture_shim_main(argc, argv);
    if (argc > 1) return tool(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_survive_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
