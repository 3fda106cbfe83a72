// The HTML report: its bytes (escaping, the policy's hashes, a golden page) as cmocka tests, and
// with two arguments a maker of reports for the browser test: test_html sample|hostile|many FILE.
#include "base/file.h"
#include "base/sha256.h"
#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
    Findings *fs;
    Sources *sources;
    Arena *arena;
    const char *root;
} Maker;

static Maker maker_new(const char *root)
{
    Maker m = {.fs = findings_new(), .sources = sources_new(), .arena = arena_new("test")};
    m.root = path_join(m.arena, path_cwd(m.arena), root);
    return m;
}

static void maker_free(Maker *m)
{
    findings_free(m->fs);
    sources_free(m->sources);
    arena_free(m->arena);
}

// The place where `needle` stands in the file, at its part behind a '|' if it has one.
static Pos at(Maker *m, const char *file, const char *needle)
{
    const char *path = path_join(m->arena, m->root, file);
    const Source *s = source_of(m->sources, path);
    const char *bar = strchr(needle, '|');
    size_t ahead = bar ? (size_t)(bar - needle) : 0;
    const char *text = needle;
    if (bar) text = arena_printf(m->arena, "%.*s%s", (int)ahead, needle, bar + 1);
    const char *found = strstr(s->text, text);
    if (!found) die("'%s' is not in %s", text, path);
    uint32_t line = 1, offset = (uint32_t)(found + ahead - s->text);
    while (s->starts[line] <= offset) line++;
    return (Pos){path, line, offset - s->starts[line - 1] + 1};
}

static Finding *make(Maker *m, Rule rule, Level level, const char *function, Pos alloc, Pos lost)
{
    Finding *f = finding_new(m->fs, rule, function, alloc, lost);
    if (level == LEVEL_LIKELY) finding_doubt(f, DOUBT_MERGED_TEST, lost, NULL);
    if (level == LEVEL_AUDIT) finding_doubt(f, DOUBT_OWNERSHIP, lost, NULL);
    memset(f->fingerprint, "0123456789abcdef"[m->fs->all.len % 16], 32);
    snprintf(f->fingerprint, 9, "%08x", m->fs->all.len * 2654435761u);
    f->fingerprint[8] = 'a';
    f->stages = STAGE_EVAL | STAGE_FLOW;
    return f;
}

static void sample_entry(Maker *m)
{
    const char *c = "src/config.c";
    Pos alloc = at(m, c, "e = |malloc"), lost = at(m, c, "|return status;");
    Finding *f = make(m, RULE_LEAK, LEVEL_SURE, "config_read", alloc, lost);
    finding_names(f, "malloc", "e");
    finding_when(f, "a quoted value has no closing quote");
    finding_when_expr(f, "c->strict");
    finding_event(f, EVENT_BRANCH, at(m, c, "if (line[0] == '#' |||"), "a line with '=' is read");
    finding_event(f, EVENT_CALL, at(m, c, "e = |entry_new(line"),
                  "'entry_new' returns memory that 'e' now holds");
    finding_event(f, EVENT_ALLOC, alloc, "memory is obtained from 'malloc'")->depth = 1;
    finding_event(f, EVENT_BRANCH, at(m, c, "if (|!e)\n        return NULL"), "'!e' is false here")
        ->depth = 1;
    finding_event(f, EVENT_STORE, at(m, c, "|e->key = strndup"), "the copied key is stored in it")
        ->depth = 1;
    finding_event(f, EVENT_RETURN, at(m, c, "|return e;"), "it is returned to 'config_read'")
        ->depth = 1;
    finding_event(f, EVENT_CALL, at(m, c, "status = |parse_value(e"), "'parse_value' fails");
    finding_event(f, EVENT_BRANCH, at(m, c, "if (|len < 2"), "the closing quote is missing")
        ->depth = 1;
    finding_event(f, EVENT_RETURN, at(m, c, "|return -EINVAL"), "-EINVAL is returned")->depth = 1;
    finding_branch(f, at(m, c, "if (|status < 0)"), "status < 0", true);
    finding_event(f, EVENT_NOTE, at(m, c, "|fprintf(stderr, \"%s: bad"),
                  "'e->key' is only read here")
        ->folded = true;
    finding_branch(f, at(m, c, "if (|c->strict)"), "c->strict", true);
    finding_event(f, EVENT_SIBLING_FREE, at(m, c, "|entry_free(e);\n            continue"),
                  "freed here when 'c->strict' is false");
    finding_event(f, EVENT_LOST, lost, "'e', the last pointer to it, goes out of scope");
    uint32_t var = finding_node(f, HEAP_VARIABLE, "e", NULL);
    uint32_t config = finding_node(f, HEAP_VARIABLE, "c", NULL);
    uint32_t entry = finding_node(f, HEAP_OBJECT, "struct entry", "malloc, line 13");
    uint32_t head = finding_node(f, HEAP_OBJECT, "struct config", "the caller's");
    uint32_t key = finding_node(f, HEAP_OBJECT, "char[]", "strndup, line 16");
    uint32_t null = finding_node(f, HEAP_NULL, "null", NULL);
    uint32_t rest = finding_node(f, HEAP_UNKNOWN, "earlier entries", NULL);
    f->nodes.at[entry].lost = f->nodes.at[key].lost = true;
    finding_edge(f, var, entry, NULL)->cut = true;
    finding_edge(f, config, head, NULL);
    finding_edge(f, entry, key, "key");
    finding_edge(f, entry, null, "value");
    finding_edge(f, head, rest, "first");
    f->merged = 3;
}

static void sample_rest(Maker *m)
{
    const char *c = "src/config.c", *s = "src/net/server.c", *g = "src/main.c";
    Pos alloc = at(m, c, "in = |fopen"), lost = at(m, c, "|return status;");
    Finding *f = make(m, RULE_RESOURCE_LEAK, LEVEL_SURE, "config_read", alloc, lost);
    f->resource = "file";
    f->cwe = 775;
    finding_names(f, "fopen", "in");
    finding_when_expr(f, "status < 0");
    finding_when_expr(f, "c->strict");
    finding_event(f, EVENT_ALLOC, alloc, "the file is opened by 'fopen'");
    finding_branch(f, at(m, c, "if (|status < 0)"), "status < 0", true);
    finding_branch(f, at(m, c, "if (|c->strict)"), "c->strict", true);
    finding_event(f, EVENT_LOST, lost, "'in' goes out of scope");

    alloc = at(m, c, "e->key = |strndup"), lost = at(m, c, "|free(c->first);");
    f = make(m, RULE_LEAK, LEVEL_SURE, "config_drop", alloc, lost);
    f->loss = LOSS_OWNER;
    f->in_loop = true;
    f->merged = 12;
    finding_names(f, "strndup", "c->first");
    finding_event(f, EVENT_ALLOC, alloc, "memory is obtained from 'strndup'");
    finding_event(f, EVENT_CALL, at(m, g, "|config_read(&c"), "'config_read' puts it into 'c'");
    finding_event(f, EVENT_CALL, at(m, g, "|config_drop(&c"), "'config_drop' frees the entries");
    finding_event(f, EVENT_NOTE, at(m, c, "|free(c->first->value)"), "only the value is freed")
        ->depth = 1;
    finding_event(f, EVENT_LOST, lost,
                  "the entry is freed, and with it the only pointer to its key")
        ->depth = 1;
    uint32_t var = finding_node(f, HEAP_VARIABLE, "c", NULL);
    uint32_t entry = finding_node(f, HEAP_OBJECT, "struct entry", NULL);
    uint32_t key = finding_node(f, HEAP_OBJECT, "char[]", "strndup, line 16");
    f->nodes.at[entry].freed = f->nodes.at[key].lost = true;
    finding_edge(f, var, entry, "first");
    finding_edge(f, entry, key, "key")->cut = true;

    alloc = at(m, s, "text = |malloc"), lost = at(m, s, "|text = strdup");
    f = make(m, RULE_LEAK, LEVEL_SURE, "server_banner", alloc, lost);
    f->loss = LOSS_OVERWRITE;
    finding_names(f, "malloc", "text");
    finding_when_expr(f, "verbose");
    finding_event(f, EVENT_ALLOC, alloc, "memory is obtained from 'malloc'");
    finding_branch(f, at(m, s, "if (|verbose)"), "verbose", true);
    finding_event(f, EVENT_OVERWRITE, lost, "'text', the last pointer to it, is overwritten");

    alloc = at(m, s, "x->name = |malloc"), lost = at(m, s, "s->log(s, \"gone: %s\", |x->name");
    f = make(m, RULE_USE_AFTER_FREE, LEVEL_SURE, "server_serve", alloc, lost);
    f->freed = at(m, s, "|free(x);");
    finding_names(f, "calloc", "x");
    finding_when(f, "the peer closes the connection");
    finding_event(f, EVENT_CALL, at(m, s, "x = |session_open"), "'session_open' returns a session");
    finding_event(f, EVENT_CALL, at(m, s, "|session_close(s, x);\n            s->log"),
                  "'session_close' frees it");
    finding_event(f, EVENT_FREE, f->freed, "freed here")->depth = 1;
    finding_event(f, EVENT_USE, lost, "'x->name' is read after 'x' was freed");

    alloc = (Pos){0}, lost = at(m, s, "if (s->failed)\n        |free(s->banner)");
    f = make(m, RULE_DOUBLE_FREE, LEVEL_LIKELY, "server_stop", alloc, lost);
    f->freed = at(m, s, "|free(s->banner);\n    if");
    finding_names(f, NULL, "s->banner");
    finding_when_expr(f, "s->failed");
    finding_event(f, EVENT_FREE, f->freed, "freed here");
    finding_branch(f, at(m, s, "if (|s->failed)"), "s->failed", true);
    finding_event(f, EVENT_USE, lost, "freed again here");
    finding_settle_spec(f, "void server_stop(ref server *s);");

    alloc = at(m, s, "x = |calloc"), lost = at(m, s, "|s->handle(s, x)");
    f = make(m, RULE_LEAK, LEVEL_AUDIT, "server_serve", alloc, lost);
    f->stages = STAGE_OWN;
    finding_names(f, "calloc", "x");
    finding_event(f, EVENT_ALLOC, alloc, "memory is obtained from 'calloc'");
    finding_event(f, EVENT_NOTE, lost, "unknown code may drop it here");
    finding_settle_spec(f, "void handle(ref server *s, own session *x);");

    alloc = at(m, g, "|strdup(argv[1])"), lost = at(m, g, "|return status != 0");
    f = make(m, RULE_LEAK_AT_EXIT, LEVEL_SURE, "main", alloc, lost);
    finding_names(f, "strdup", "path");
    finding_event(f, EVENT_ALLOC, alloc, "memory is obtained from 'strdup'");
    finding_event(f, EVENT_LOST, lost, "still held by 'path' when 'main' returns");

    findings_failed_unit(m->fs, path_join(m->arena, m->root, "src/legacy.c"),
                         "'legacy.h' file not found");
    findings_given_up(m->fs, "server_run", at(m, s, "|int server_serve"),
                      "step budget of 200000 spent");
    m->fs->run.units_total = 4;
    m->fs->run.units_analysed = 3;
    m->fs->run.functions = 14;
}

static void write_file(const char *path, const char *text)
{
    Out *o = out_file(path);
    if (!o) die("cannot write %s", path);
    out_text(o, text);
    if (out_close(o) != 0) die("cannot write %s", path);
}

#define EVIL "</script><img src=x onerror=\"window.evil=1\"><!--<script>window.evil=2//"

// Text of the analysed program that tries to become part of the page, in every place a text has.
static void hostile(Maker *m)
{
    const char *file = "evil</script><img src=x onerror=window.evil=3>.c";
    // A slash cannot be part of a file name; this one makes a directory of the part before it.
    const char *path = path_join(m->arena, m->root, file);
    if (file_make_dirs(path_dir(m->arena, path)) != 0) die("cannot make the directory");
    write_file(path, "int f(void)\n{\n    char *s = strdup(\"" EVIL "\"); /* " EVIL " */\n"
                     "    // \xff\xfe latin \xe9, right to left \xe2\x80\xae txet, \x1b[31m \x01\n"
                     "    return 0; // <!-- ]]> ${window.evil=4} `\\u0027\n}\n");
    Pos alloc = at(m, file, "s = |strdup"), lost = at(m, file, "|return 0");
    Finding *f = make(m, RULE_LEAK, LEVEL_SURE, "f" EVIL, alloc, lost);
    finding_names(f, "strdup" EVIL, "s'\"" EVIL);
    finding_when_expr(f, "%s", EVIL);
    finding_event(f, EVENT_ALLOC, alloc, "'%s' \xe2\x80\xae %s", EVIL, EVIL);
    finding_event(f, EVENT_LOST, lost, "%s", EVIL);
    finding_settle_spec(f, "%s", EVIL);
    uint32_t var = finding_node(f, HEAP_VARIABLE, EVIL, EVIL);
    uint32_t obj = finding_node(f, HEAP_OBJECT, EVIL, EVIL);
    f->nodes.at[obj].lost = true;
    finding_edge(f, var, obj, EVIL)->cut = true;
    findings_failed_unit(m->fs, "/" EVIL, EVIL);
    findings_given_up(m->fs, EVIL, alloc, EVIL);
    // A file that is gone, a line that is not there, no position at all, a bad edge.
    Pos gone = {path_join(m->arena, m->root, "gone.c"), 7, 3};
    f = make(m, RULE_DOUBLE_FREE, LEVEL_LIKELY, "g", gone, gone);
    finding_event(f, EVENT_USE, gone, "freed again in a file that is gone");
    f = make(m, RULE_INVALID_FREE, LEVEL_AUDIT, "h", (Pos){0}, (Pos){0});
    finding_event(f, EVENT_USE, (Pos){0}, "nowhere");
    f = make(m, RULE_LEAK, LEVEL_SURE, "i", alloc, (Pos){alloc.path, 4000000000u, 4000000000u});
    finding_event(f, EVENT_LOST, f->lost, "beyond the end")->depth = 4000000000u;
    finding_node(f, HEAP_OBJECT, "loop", NULL);
    finding_edge(f, 0, 0, "self");
    finding_edge(f, 0, 99, "nowhere");
}

// 2,000 findings, half of them in one file of 10,000 lines, the others in 199 small files.
static void many(Maker *m)
{
    const char *large = path_join(m->arena, m->root, "src/large.c"), *small = NULL;
    Out *o = out_memory();
    for (int i = 0; i < 2000; i++) {
        out_printf(o,
                   "/* Function %d. */\nint work_%d(int n, char *s) {\n    char *p = malloc(%d);"
                   "\n    if (n < %d) return -1; // lost\n    return *p + 0x%x; }\n",
                   i, i, i, i, i);
        if (i == 19) small = arena_strdup(m->arena, out_content(o, NULL));
    }
    file_make_dirs(path_dir(m->arena, large));
    write_file(large, out_content(o, NULL));
    out_discard(o);
    for (uint32_t i = 0; i < 2000; i++) {
        const char *in = large;
        uint32_t lines = 10000;
        if (i % 2) {
            in = path_join(m->arena, m->root,
                           arena_printf(m->arena, "lib/part%u/file%u.c", i % 199 % 16, i % 199));
            file_make_dirs(path_dir(m->arena, in));
            if (!file_exists(in)) write_file(in, small);
            lines = 100;
        }
        uint32_t first = 5 * i % lines;
        Pos alloc = {in, first + 3, 15}, lost = {in, first + 4, 16};
        Finding *f = make(m, (Rule)(i % RULE_COUNT), (Level)(i % 3),
                          arena_printf(m->arena, "work_%u", i), alloc, lost);
        finding_names(f, "malloc", "p");
        finding_when_expr(f, "n < %u", i);
        for (uint32_t j = 0; j < 8; j++)
            finding_event(f, j ? EVENT_BRANCH : EVENT_ALLOC,
                          (Pos){in, 1 + (first + 2 + 5 * j) % lines, 5}, "step %u of the path",
                          j + 1);
        finding_event(f, EVENT_LOST, lost, "the last pointer 'p' goes out of scope");
    }
}

static void write_report(Maker *m, Out *out)
{
    ReportOptions o = {.format = FORMAT_HTML, .root = m->root, .sources = m->sources,
                       .level = LEVEL_LIKELY, .impact = IMPACT_MEMORY_SHORT};
    report_html(out, m->fs, &o);
}

static char *report_text_of(Maker *m)
{
    Out *out = out_memory();
    write_report(m, out);
    size_t len;
    const char *text = out_content(out, &len);
    char *copy = arena_strndup(m->arena, text, len);
    out_discard(out);
    return copy;
}

static uint32_t count(const char *text, const char *part)
{
    uint32_t n = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) n++;
    return n;
}

static const char *test_root(void)
{
    return getenv("ROOT") ? getenv("ROOT") : ".";
}

static void sha256_of_known_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hex;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        unsigned char d[32];
        char hex[65];
        sha256_bytes(known[i].text, strlen(known[i].text), d);
        for (int j = 0; j < 32; j++) snprintf(hex + 2 * j, 3, "%02x", d[j]);
        assert_string_equal(hex, known[i].hex);
    }
}

// Whatever the program's text says, the page has exactly the elements it was written with.
static void hostile_text_stays_text(void **state)
{
    (void)state;
    const char *dir = getenv("TMP") ? getenv("TMP") : "/tmp";
    Maker m = maker_new(dir), empty = maker_new(dir);
    hostile(&m);
    const char *text = report_text_of(&m), *plain = report_text_of(&empty);
    assert_int_equal(count(plain, "<script"), 2);
    assert_int_equal(count(text, "<script"), 2);
    assert_int_equal(count(text, "</script"), 2);
    assert_int_equal(count(text, "<!--"), 0);
    assert_int_equal(count(text, "<img"), 0);
    // Beyond the two elements around the data no markup differs.
    const char *data = strstr(text, "id=\"data\">"), *end = strstr(data, "</script>");
    for (const char *p = data + strlen("id=\"data\">"); p < end; p++) {
        assert_int_not_equal(*p, '<');
        assert_int_not_equal(*p, '>');
        assert_int_not_equal(*p, '&');
    }
    maker_free(&m);
    maker_free(&empty);
}

static void no_address_to_load(void **state)
{
    (void)state;
    Maker m = maker_new(".");
    const char *text = report_text_of(&m);
    assert_non_null(strstr(text, "default-src 'none'; script-src 'sha256-"));
    assert_null(strstr(text, "unsafe-"));
    assert_null(strstr(text, "src=\""));
    assert_null(strstr(text, "innerHTML"));
    // The one address in the page is the name of a namespace.
    assert_int_equal(count(text, "http:"), 1);
    assert_int_equal(count(text, "https:"), 0);
    maker_free(&m);
}

static void same_bytes_again(void **state)
{
    (void)state;
    const char *root = mem_printf("%s/tests/html/sample", test_root());
    Maker m = maker_new(root), again = maker_new(root);
    sample_entry(&m), sample_rest(&m);
    sample_entry(&again), sample_rest(&again);
    assert_string_equal(report_text_of(&m), report_text_of(&again));
    // Not a trace of where the sources lay.
    assert_null(strstr(report_text_of(&m), m.root));
    maker_free(&m);
    maker_free(&again);
    mem_free((char *)root);
}

// The data of the sample, compared with golden.json; GOLDEN=write writes it anew.
static void golden_data(void **state)
{
    (void)state;
    char *root = mem_printf("%s/tests/html/sample", test_root());
    char *golden = mem_printf("%s/tests/html/golden.json", test_root());
    Maker m = maker_new(root);
    sample_entry(&m), sample_rest(&m);
    char *data = strstr(report_text_of(&m), "id=\"data\">") + strlen("id=\"data\">");
    *strstr(data, "</script>") = 0;
    if (getenv("GOLDEN")) write_file(golden, data);
    char *want = file_read(golden, 0, NULL);
    assert_non_null(want);
    assert_string_equal(data, want);
    mem_free(want);
    maker_free(&m);
    mem_free(root);
    mem_free(golden);
}

// Large sources are cut to windows around the events.
static void large_files_are_cut(void **state)
{
    (void)state;
    Maker m = maker_new(getenv("TMP") ? getenv("TMP") : "/tmp");
    Out *o = out_memory();
    for (int i = 1; i <= 200000; i++) out_printf(o, "int line_%d;\n", i);
    const char *path = path_join(m.arena, m.root, "huge.c");
    write_file(path, out_content(o, NULL));
    out_discard(o);
    Pos a = {path, 1000, 1}, b = {path, 1100, 1}, c = {path, 150000, 1};
    Finding *f = make(&m, RULE_LEAK, LEVEL_SURE, "f", a, c);
    finding_event(f, EVENT_ALLOC, a, "obtained");
    finding_event(f, EVENT_NOTE, b, "near");
    finding_event(f, EVENT_LOST, c, "lost");
    const char *text = report_text_of(&m);
    assert_true(strlen(text) < 200000);
    assert_int_equal(count(text, "{\"first\":"), 2);
    assert_non_null(strstr(text, "{\"first\":940,\"text\":\"int line_940;"));
    assert_non_null(strstr(text, "int line_1160;\\n\"}"));
    assert_non_null(strstr(text, "{\"first\":149940,"));
    assert_non_null(strstr(text, "only the lines around events"));
    maker_free(&m);
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        Maker m;
        if (strcmp(argv[1], "sample") == 0) {
            char *root = mem_printf("%s/tests/html/sample", test_root());
            m = maker_new(root);
            mem_free(root);
            sample_entry(&m), sample_rest(&m);
        } else {
            m = maker_new(getenv("TMP") ? getenv("TMP") : "/tmp");
            if (strcmp(argv[1], "hostile") == 0)
                hostile(&m);
            else if (strcmp(argv[1], "many") == 0)
                many(&m);
        }
        Out *out = out_file(argv[2]);
        if (!out) return 1;
        write_report(&m, out);
        maker_free(&m);
        return out_close(out) != 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_of_known_texts), cmocka_unit_test(hostile_text_stays_text),
        cmocka_unit_test(no_address_to_load),    cmocka_unit_test(same_bytes_again),
        cmocka_unit_test(golden_data),           cmocka_unit_test(large_files_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
