// The shipped models: they are read without a message, print and read back the same, and say what
// the manuals say for a sample of functions of each library.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "spec/spec.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Names *names;
    SpecTable *t;
    Diag diag;
} Box;

static Box models(void)
{
    const char *r = getenv("ROOT");
    char *dir = mem_printf("%s/models", r ? r : ".");
    Box b = {.names = names_new()};
    b.t = spec_new(b.names);
    if (!spec_add_dir(b.t, dir, SPEC_FROM_MODEL, &b.diag)) fail_msg("%s has errors", dir);
    mem_free(dir);
    assert_int_equal(b.diag.errors + b.diag.warnings, 0);
    return b;
}

static void box_free(Box *b)
{
    spec_free(b->t);
    names_free(b->names);
}

static const SpecFunc *find(const Box *b, const char *name)
{
    const SpecFunc *f = spec_find(b->t, name, NULL);
    if (!f) fail_msg("%s has no model", name);
    return f;
}

static const char *family(const Box *b, FamilyId id)
{
    return id.id ? name_text(b->names, spec_family(b->t, id)->name) : "any";
}

static void models_round_trip(void **state)
{
    (void)state;
    Box b = models();
    assert_true(spec_func_count(b.t) > 3500);
    Out *o = out_memory();
    spec_print(o, b.t);
    size_t len;
    const char *once = out_content(o, &len);
    Box again = {.names = names_new()};
    again.t = spec_new(again.names);
    assert_true(spec_add_text(again.t, "printed", once, len, SPEC_FROM_MODEL, &again.diag));
    assert_int_equal(again.diag.warnings, 0);
    Out *o2 = out_memory();
    spec_print(o2, again.t);
    size_t len2;
    const char *twice = out_content(o2, &len2);
    assert_int_equal(len, len2);
    assert_memory_equal(once, twice, len);
    assert_int_equal(spec_func_count(b.t), spec_func_count(again.t));
    out_discard(o);
    out_discard(o2);
    box_free(&again);
    box_free(&b);
}

// Every file alone: it declares the families and containers it speaks of.
static void each_model_stands_alone(void **state)
{
    (void)state;
    const char *r = getenv("ROOT");
    char *dir = mem_printf("%s/models", r ? r : ".");
    DIR *d = opendir(dir);
    assert_non_null(d);
    uint32_t sum = 0, files = 0;
    for (struct dirent *e; (e = readdir(d));) {
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".own")) continue;
        files++;
        char *path = mem_printf("%s/%s", dir, e->d_name);
        Box b = {.names = names_new()};
        b.t = spec_new(b.names);
        assert_true(spec_add_file(b.t, path, SPEC_FROM_MODEL, &b.diag));
        assert_int_equal(b.diag.warnings, 0);
        sum += spec_func_count(b.t);
        mem_free(path);
        box_free(&b);
    }
    closedir(d);
    mem_free(dir);
    assert_true(files > 20);
    // No function has two models, but for those that the number of their parameters tells apart.
    Box all = models();
    assert_int_equal(sum, spec_func_count(all.t));
    box_free(&all);
}

// A family that is handed out somewhere is taken somewhere: otherwise a name is misspelt.
static void families_are_paired(void **state)
{
    (void)state;
    Box b = models();
    for (uint32_t id = 1; id <= spec_family_count(b.t); id++) {
        bool given = false, taken = false;
        for (uint32_t i = 0; i < spec_func_count(b.t); i++) {
            const SpecFunc *f = spec_func(b.t, i);
            given |= f->result.gives == SPEC_OWN && f->result.family.id == id;
            for (uint16_t k = 0; k < f->case_count; k++)
                given |= f->cases[k].gives == SPEC_OWN && f->cases[k].family.id == id;
            for (uint16_t k = 0; k < f->param_count; k++) {
                const SpecParam *x = &f->params[k];
                given |= x->value.gives == SPEC_OWN && x->value.family.id == id;
                taken |= (x->mode == SPEC_TAKE || x->mode == SPEC_REF_DEC) && x->family.id == id;
            }
        }
        if (given && !taken) fail_msg("family %s is never taken", family(&b, (FamilyId){id}));
    }
    box_free(&b);
}

static void allocators(void **state)
{
    (void)state;
    static const struct {
        const char *name, *family;
        SpecFail fail;
    } rows[] = {
        {"malloc", "heap", SPEC_OR_NULL},
        {"calloc", "heap", SPEC_OR_NULL},
        {"strdup", "heap", SPEC_OR_NULL},
        {"__strdup", "heap", SPEC_OR_NULL},
        {"wcsdup", "heap", SPEC_OR_NULL},
        {"fopen", "file", SPEC_OR_NULL},
        {"fopen64", "file", SPEC_OR_NULL},
        {"tmpfile", "file", SPEC_OR_NULL},
        {"fdopen", "file", SPEC_OR_NULL},
        {"popen", "pipe", SPEC_OR_NULL},
        {"open", "fd", SPEC_OR_NEGATIVE},
        {"open64", "fd", SPEC_OR_NEGATIVE},
        {"socket", "fd", SPEC_OR_NEGATIVE},
        {"accept4", "fd", SPEC_OR_NEGATIVE},
        {"dup", "fd", SPEC_OR_NEGATIVE},
        {"mkstemp", "fd", SPEC_OR_NEGATIVE},
        {"epoll_create1", "fd", SPEC_OR_NEGATIVE},
        {"opendir", "dir", SPEC_OR_NULL},
        {"mmap", "map", SPEC_OR_VALUE},
        {"dlopen", "library", SPEC_OR_NULL},
        {"iconv_open", "iconv", SPEC_OR_VALUE},
        {"sem_open", "sem", SPEC_OR_NULL},
        {"_Znwm", "new", SPEC_NO_FAIL},
        {"_Znam", "newarray", SPEC_NO_FAIL},
        {"_ZnwmRKSt9nothrow_t", "new", SPEC_OR_NULL},
        {"g_malloc", "gmem", SPEC_NO_FAIL},
        {"g_try_malloc", "gmem", SPEC_OR_NULL},
        {"g_strsplit", "gstrv", SPEC_NO_FAIL},
        {"g_object_new", "gobject", SPEC_NO_FAIL},
        {"BIO_new", "openssl", SPEC_OR_NULL},
        {"SSL_CTX_new", "openssl", SPEC_OR_NULL},
        {"X509_get_pubkey", "openssl", SPEC_OR_NULL},
        {"xmlReadFile", "xmldoc", SPEC_OR_NULL},
        {"xmlGetProp", "xmlmem", SPEC_OR_NULL},
        {"gzopen", "gzfile", SPEC_OR_NULL},
        {"curl_easy_init", "curl", SPEC_OR_NULL},
        {"sqlite3_mprintf", "sqlmem", SPEC_OR_NULL},
    };
    Box b = models();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const SpecFunc *f = find(&b, rows[i].name);
        if (f->result.gives != SPEC_OWN || f->fail != rows[i].fail ||
            strcmp(family(&b, f->result.family), rows[i].family))
            fail_msg("%s", rows[i].name);
    }
    box_free(&b);
}

static void releasers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int param;
        SpecMode mode;
        SpecPlace place;
        const char *family;
    } rows[] = {
        {"free", 0, SPEC_TAKE, SPEC_ITSELF, "heap"},
        {"fclose", 0, SPEC_TAKE, SPEC_ITSELF, "file"},
        {"pclose", 0, SPEC_TAKE, SPEC_ITSELF, "pipe"},
        {"close", 0, SPEC_TAKE, SPEC_ITSELF, "fd"},
        {"closedir", 0, SPEC_TAKE, SPEC_ITSELF, "dir"},
        {"freeaddrinfo", 0, SPEC_TAKE, SPEC_ITSELF, "addrinfo"},
        {"regfree", 0, SPEC_TAKE, SPEC_IN, "regex"},
        {"globfree", 0, SPEC_TAKE, SPEC_IN, "glob"},
        {"munmap", 0, SPEC_TAKE, SPEC_ITSELF, "map"},
        {"_ZdlPv", 0, SPEC_TAKE, SPEC_ITSELF, "new"},
        {"_ZdaPvm", 0, SPEC_TAKE, SPEC_ITSELF, "newarray"},
        {"g_free", 0, SPEC_TAKE, SPEC_ITSELF, "gmem"},
        {"g_object_unref", 0, SPEC_REF_DEC, SPEC_ITSELF, "gobject"},
        {"g_clear_error", 0, SPEC_TAKE, SPEC_IN, "gerror"},
        {"SSL_free", 0, SPEC_REF_DEC, SPEC_ITSELF, "openssl"},
        {"SSL_set_bio", 1, SPEC_HOLD, SPEC_ITSELF, "any"},
        {"xmlFreeDoc", 0, SPEC_TAKE, SPEC_ITSELF, "xmldoc"},
        {"inflateEnd", 0, SPEC_TAKE, SPEC_IN, "inflate"},
        {"sqlite3_finalize", 0, SPEC_TAKE, SPEC_ITSELF, "sqlstmt"},
        {"curl_slist_free_all", 0, SPEC_TAKE, SPEC_ITSELF, "curllist"},
        {"realloc", 0, SPEC_TAKE, SPEC_ITSELF, "heap"},
        {"fdopendir", 0, SPEC_HOLD, SPEC_ITSELF, "fd"},
        {"setvbuf", 1, SPEC_KEEP, SPEC_ITSELF, "any"},
        {"putenv", 0, SPEC_KEEP, SPEC_ITSELF, "any"},
        {"pthread_create", 3, SPEC_KEEP, SPEC_ITSELF, "any"},
        {"g_object_ref", 0, SPEC_REF_INC, SPEC_ITSELF, "any"},
        {"g_list_append", 1, SPEC_BY_TYPE, SPEC_ITSELF, "any"},
    };
    Box b = models();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const SpecFunc *f = find(&b, rows[i].name);
        const SpecParam *x = &f->params[rows[i].param];
        if (x->mode != rows[i].mode || x->place != rows[i].place ||
            strcmp(family(&b, x->family), rows[i].family))
            fail_msg("%s", rows[i].name);
    }
    box_free(&b);
}

static void outs(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int param;
        const char *family;
        SpecOp op;
    } rows[] = {
        {"asprintf", 0, "heap", SPEC_GE},
        {"vasprintf", 0, "heap", SPEC_GE},
        {"posix_memalign", 0, "heap", SPEC_EQ},
        {"getline", 0, "heap", SPEC_ALWAYS},
        {"getaddrinfo", 3, "addrinfo", SPEC_EQ},
        {"regcomp", 0, "regex", SPEC_EQ},
        {"scandir", 1, "heap", SPEC_GT},
        {"pipe", 0, "fd", SPEC_EQ},
        {"socketpair", 3, "fd", SPEC_EQ},
        {"g_file_get_contents", 1, "gmem", SPEC_NE},
        {"sqlite3_open", 1, "sqlite", SPEC_ALWAYS},
        {"inflateInit_", 0, "inflate", SPEC_EQ},
    };
    Box b = models();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const SpecParam *x = &find(&b, rows[i].name)->params[rows[i].param];
        if ((x->place != SPEC_OUT && x->place != SPEC_INOUT) || x->value.gives != SPEC_OWN ||
            x->when.op != rows[i].op || strcmp(family(&b, x->value.family), rows[i].family))
            fail_msg("%s", rows[i].name);
    }
    assert_int_equal(find(&b, "pipe")->params[0].count, 2);
    assert_int_equal(find(&b, "getline")->params[0].place, SPEC_INOUT);
    box_free(&b);
}

static void borrowers(void **state)
{
    (void)state;
    static const char *const names[] = {
        "strlen", "strcmp",       "printf",        "fputs",     "fflush",     "atoi",   "write",
        "access", "strchr",       "getenv",        "puts",      "perror",     "listen", "fprintf",
        "ferror", "__printf_chk", "__ctype_b_loc", "g_strcmp0", "xmlStrEqual"};
    Box b = models();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!find(&b, names[i])->harmless) fail_msg("%s", names[i]);
    static const char *const not [] = {"memcpy", "memset", "malloc", "free",   "qsort",
                                       "exit",   "strcpy", "sscanf", "setjmp", "atexit"};
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
        if (find(&b, not [i])->harmless) fail_msg("%s", not [i]);
    box_free(&b);
}

static void particular_ones(void **state)
{
    (void)state;
    Box b = models();
    const SpecFunc *f = find(&b, "realloc");
    assert_true(f->realloc);
    assert_int_equal(f->realloc_frees.op, SPEC_EQ);
    assert_int_equal(f->realloc_frees.subject, 1);
    assert_int_equal(f->size[0], 1);
    f = find(&b, "calloc");
    assert_true(f->zeroed);
    assert_int_equal(f->size[1], 1);
    f = find(&b, "realpath");
    assert_int_equal(f->case_count, 1);
    assert_int_equal(f->cases[0].gives, SPEC_ALIAS);
    assert_int_equal(f->result.gives, SPEC_OWN);
    f = find(&b, "memcpy");
    assert_int_equal(f->copy_count, 1);
    assert_int_equal(f->result.gives, SPEC_ALIAS);
    assert_int_equal(find(&b, "exit")->noreturn, SPEC_EXITS);
    assert_int_equal(find(&b, "abort")->noreturn, SPEC_ABORTS);
    assert_int_equal(find(&b, "longjmp")->noreturn, SPEC_JUMPS);
    assert_int_equal(find(&b, "__cxa_throw")->noreturn, SPEC_JUMPS);
    assert_true(find(&b, "execvp")->noreturn_on_success);
    assert_int_equal(find(&b, "error")->noreturn_when.op, SPEC_NE);
    assert_true(find(&b, "setjmp")->twice);
    assert_int_equal(find(&b, "getpwnam")->result.gives, SPEC_STATIC);
    assert_int_equal(find(&b, "readdir")->result.gives, SPEC_REF_OF);
    assert_int_equal(find(&b, "strrchr")->result.gives, SPEC_INSIDE);
    assert_true(find(&b, "freeaddrinfo")->params[0].deep);
    assert_int_equal(find(&b, "fcntl")->cases[0].gives, SPEC_OWN);
    assert_int_equal(find(&b, "sscanf")->rest.effect, SPEC_FILLS);
    assert_int_equal(find(&b, "pthread_create")->params[3].to, 2);
    assert_int_equal(find(&b, "g_hash_table_insert")->params[2].in, 0);
    const SpecFunc *v = spec_find(b.t, "_ZNSt6vectorIPiSaIS0_EE9push_backERKS0_",
                                  "std::vector<int*, std::allocator<int*> >::push_back");
    assert_non_null(v);
    assert_true(v->generic);
    assert_false(spec_beats_code(v));
    assert_non_null(spec_find(b.t, "x", "std::__throw_length_error"));
    assert_true(spec_family(b.t, spec_family_find(b.t, "fd"))->resource);
    assert_int_equal(spec_family(b.t, spec_family_find(b.t, "fd"))->repr, SPEC_VALUE);
    assert_true(spec_family_fits(b.t, spec_family_find(b.t, "gmem"), (FamilyId){1}));
    assert_false(
        spec_family_fits(b.t, spec_family_find(b.t, "new"), spec_family_find(b.t, "newarray")));
    box_free(&b);
}

// The examples of doc/spec.md: every block marked `own` is read with the models before it.
static void examples_of_the_manual(void **state)
{
    (void)state;
    const char *r = getenv("ROOT");
    char *path = mem_printf("%s/doc/spec.md", r ? r : ".");
    size_t len;
    char *text = file_read(path, 0, &len);
    mem_free(path);
    assert_non_null(text);
    uint32_t blocks = 0;
    for (char *at = text; (at = strstr(at, "```own\n"));) {
        at += 7;
        char *end = strstr(at, "```");
        assert_non_null(end);
        Box b = models();
        uint32_t before = spec_func_count(b.t);
        if (!spec_add_text(b.t, "doc/spec.md", at, (size_t)(end - at), SPEC_FROM_USER, &b.diag) ||
            b.diag.warnings)
            fail_msg("an example of doc/spec.md is wrong:\n%.*s", (int)(end - at), at);
        assert_true(spec_func_count(b.t) >= before);
        box_free(&b);
        at = end + 3;
        blocks++;
    }
    assert_true(blocks >= 15);
    mem_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_round_trip),
        cmocka_unit_test(each_model_stands_alone),
        cmocka_unit_test(families_are_paired),
        cmocka_unit_test(allocators),
        cmocka_unit_test(releasers),
        cmocka_unit_test(outs),
        cmocka_unit_test(borrowers),
        cmocka_unit_test(particular_ones),
        cmocka_unit_test(examples_of_the_manual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
