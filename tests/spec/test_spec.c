// The specification language: what it accepts, what it refuses and with which words, how it
// prints, how lookups choose, and that no text crashes it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "spec/spec.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *root(void)
{
    const char *r = getenv("ROOT");
    return r ? r : ".";
}

typedef struct {
    Names *names;
    SpecTable *t;
    Diag diag;
} Box;

static Box box_new(void)
{
    Box b = {.names = names_new(), .diag = {.quiet = false}};
    b.t = spec_new(b.names);
    return b;
}

static void box_free(Box *b)
{
    spec_free(b->t);
    names_free(b->names);
}

static Box box_of(const char *text)
{
    Box b = box_new();
    assert_true(spec_add_text(b.t, "text.own", text, strlen(text), SPEC_FROM_USER, &b.diag));
    return b;
}

static const SpecFunc *find(const Box *b, const char *name)
{
    const SpecFunc *f = spec_find(b->t, name, NULL);
    if (!f) fail_msg("%s is not declared", name);
    return f;
}

static char *printed(const SpecTable *t)
{
    Out *o = out_memory();
    spec_print(o, t);
    size_t len;
    char *text = mem_strdup(out_content(o, &len));
    out_discard(o);
    return text;
}

// What a table prints is read without a message and prints the same.
static void assert_round_trip(const SpecTable *t)
{
    char *once = printed(t);
    Box b = box_new();
    if (!spec_add_text(b.t, "printed", once, strlen(once), SPEC_FROM_USER, &b.diag) ||
        b.diag.warnings)
        fail_msg("what was printed is not accepted:\n%s", once);
    char *twice = printed(b.t);
    assert_string_equal(once, twice);
    mem_free(once);
    mem_free(twice);
    box_free(&b);
}

static void good_files_round_trip(void **state)
{
    (void)state;
    char *dir = mem_printf("%s/tests/spec/good", root());
    DIR *d = opendir(dir);
    assert_non_null(d);
    uint32_t seen = 0;
    for (struct dirent *e; (e = readdir(d));) {
        if (strcmp(path_extension(e->d_name), "own")) continue;
        char *path = mem_printf("%s/%s", dir, e->d_name);
        Box b = box_new();
        assert_true(spec_add_file(b.t, path, SPEC_FROM_USER, &b.diag));
        assert_int_equal(b.diag.warnings, 0);
        assert_true(spec_func_count(b.t) > 0);
        assert_round_trip(b.t);
        box_free(&b);
        mem_free(path);
        seen++;
    }
    closedir(d);
    mem_free(dir);
    assert_true(seen >= 2);
}

// Heine and Lam, Figure 5, letter for letter: against Figure 4.
static void stack_of_the_paper(void **state)
{
    (void)state;
    char *path = mem_printf("%s/tests/spec/good/stack.own", root());
    Box b = box_new();
    assert_true(spec_add_file(b.t, path, SPEC_FROM_USER, &b.diag));
    mem_free(path);
    ContainerId id = spec_container_find(b.t, "stack");
    assert_true(id.id != 0);
    const SpecContainer *c = spec_container(b.t, id);
    assert_int_equal(c->var_count, 1);
    assert_int_equal(c->field_count, 1);
    assert_int_equal(c->fields[0].type->kind, SPEC_T_POINTER);
    assert_int_equal(c->fields[0].type->hold, SPEC_H_OWN);
    assert_int_equal(c->fields[0].type->to->kind, SPEC_T_VAR);

    const SpecFunc *f = find(&b, "stack_alloc");
    assert_int_equal(f->param_count, 0);
    assert_int_equal(f->result.gives, SPEC_OWN);
    assert_int_equal(f->result_type->to->kind, SPEC_T_CONTAINER);
    assert_int_equal(f->result_type->to->container.id, id.id);

    f = find(&b, "stack_push");
    assert_int_equal(f->params[0].mode, SPEC_REF);
    assert_int_equal(f->params[0].effect, SPEC_CHANGES);
    assert_int_equal(f->params[1].mode, SPEC_BY_TYPE);
    assert_int_equal(f->params[1].in, 0);
    assert_true(f->generic);
    assert_false(f->harmless);

    f = find(&b, "stack_pop");
    assert_int_equal(f->result.gives, SPEC_POLY);

    f = find(&b, "stack_free");
    assert_int_equal(f->params[0].mode, SPEC_TAKE);
    assert_int_equal(f->where_count, 1);
    assert_false(f->wheres[0].own);

    f = find(&b, "stack_free_all");
    assert_int_equal(f->params[0].mode, SPEC_TAKE);
    assert_true(f->params[1].called);
    const SpecType *callback = f->params[1].type->to;
    assert_int_equal(callback->kind, SPEC_T_FUNCTION);
    assert_int_equal(callback->arg_count, 1);
    assert_int_equal(callback->args[0]->kind, SPEC_T_VAR);
    box_free(&b);
}

// Standard error of what `run` does, as a string.
static char *messages(void (*run)(void *), void *data)
{
    fflush(stderr);
    int saved = dup(2);
    FILE *tmp = tmpfile();
    assert_non_null(tmp);
    dup2(fileno(tmp), 2);
    run(data);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    long n = (fseek(tmp, 0, SEEK_END), ftell(tmp));
    rewind(tmp);
    char *text = mem_alloc((size_t)n + 1);
    assert_int_equal(fread(text, 1, (size_t)n, tmp), n);
    fclose(tmp);
    return text;
}

typedef struct {
    Box *box;
    const char *name, *text;
    size_t len;
} Reading;

static void read_it(void *data)
{
    Reading *r = data;
    spec_add_text(r->box->t, r->name, r->text, r->len, SPEC_FROM_USER, &r->box->diag);
}

// bad/x.own beside bad/x.err, which holds every message. ACCEPT=1 writes the latter anew.
static void bad_files_say_why(void **state)
{
    (void)state;
    static const char *const names[] = {"declarations", "families", "containers", "bytes",
                                        "doubled", "aliases"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *base = mem_printf("%s/tests/spec/bad/%s", root(), names[i]);
        char *own = mem_printf("%s.own", base), *err = mem_printf("%s.err", base);
        char *shown = mem_printf("%s.own", names[i]);
        size_t len, want_len;
        char *text = file_read(own, 0, &len);
        assert_non_null(text);
        Box b = box_new();
        Reading r = {&b, shown, text, len};
        char *got = messages(read_it, &r);
        if (getenv("ACCEPT")) {
            Out *o = out_file(err);
            out_text(o, got);
            out_close(o);
        }
        char *want = file_read(err, 0, &want_len);
        assert_non_null(want);
        assert_string_equal(got, want);
        assert_round_trip(b.t);
        mem_free(want);
        mem_free(got);
        mem_free(text);
        mem_free(own);
        mem_free(err);
        mem_free(shown);
        mem_free(base);
        box_free(&b);
    }
}

static void conditions_and_places(void **state)
{
    (void)state;
    Box b = box_of(
        "family fd value resource \"descriptor\";\n"
        "int f(out own char **s, own char *p when (return == -1), int n) when (return >= 0);\n"
        "int g(out own(fd) int fd[2], fills(n * m) void *buf, int n, int m);\n"
        "char *h(char *p) returns inside p when (p != null) returns static or null;\n"
        "void k(char *p, const char *q, int (*f)(void *), void *data to f);\n");
    const SpecFunc *f = find(&b, "f");
    assert_int_equal(f->params[0].place, SPEC_OUT);
    assert_int_equal(f->params[0].value.gives, SPEC_OWN);
    assert_int_equal(f->params[0].when.op, SPEC_GE);
    assert_int_equal(f->params[0].when.subject, SPEC_RETURN);
    assert_int_equal(f->params[1].mode, SPEC_TAKE);
    assert_int_equal(f->params[1].when.op, SPEC_EQ);
    assert_int_equal(f->params[1].when.value, -1);
    f = find(&b, "g");
    assert_int_equal(f->params[0].count, 2);
    assert_int_equal(f->params[1].effect, SPEC_FILLS);
    assert_int_equal(f->params[1].length[0], 2);
    assert_int_equal(f->params[1].length[1], 3);
    f = find(&b, "h");
    assert_int_equal(f->case_count, 1);
    assert_int_equal(f->cases[0].gives, SPEC_INSIDE);
    assert_int_equal(f->result.gives, SPEC_STATIC);
    assert_int_equal(f->fail, SPEC_OR_NULL);
    f = find(&b, "k");
    assert_int_equal(f->params[0].effect, SPEC_WRITES);
    assert_int_equal(f->params[1].effect, SPEC_READS);
    assert_true(f->params[2].called);
    assert_int_equal(f->params[3].to, 2);
    box_free(&b);
}

static void names_and_patterns(void **state)
{
    (void)state;
    Box b = box_of("void \"std::vector<*>::push_back\"(void *this, const void *x);\n"
                   "void \"std::vector<*>::operator[]\"(void *this, size_t n);\n"
                   "void \"ns::f(int)\"(int n);\n"
                   "void \"ns::*\"(...);\n"
                   "void \"kv_*_free\"(own void *p);\n"
                   "void kv_special_free(void *p);\n"
                   "void \"_ZdlPv\"(own void *p);\n");
    SpecTable *t = b.t;
    const char *vec = "std::vector<int*, std::allocator<int*> >::push_back";
    assert_non_null(spec_find(t, "_ZNSt6vector", vec));
    assert_non_null(spec_find(t, "x", "std::__1::vector<int>::push_back(int&&)"));
    assert_non_null(
        spec_find(t, "x", "std::vector<std::pair<a, b>>::push_back(const std::pair<a, b>&)"));
    assert_null(spec_find(t, "x", "std::vector<int>::iterator<char>::push_back"));
    assert_null(spec_find(t, "x", "my::std::vector<int>::push_back"));
    assert_non_null(spec_find(t, "x", "std::vector<int>::operator[](unsigned long)"));
    assert_int_equal(spec_find(t, "x", "ns::f(int)")->param_count, 1);
    assert_true(spec_find(t, "x", "ns::f(char)")->variadic);
    assert_int_equal(spec_find(t, "kv_int_free", NULL)->params[0].mode, SPEC_TAKE);
    assert_int_equal(spec_find(t, "kv_special_free", NULL)->params[0].mode, SPEC_REF);
    assert_null(spec_find(t, "xkv_int_free", NULL));
    assert_non_null(spec_find(t, "\1_ZdlPv", NULL));
    assert_null(spec_find(t, "", ""));
    assert_null(spec_find(t, NULL, NULL));
    assert_non_null(spec_find(t, "x", "ns::operator<<"));
    assert_non_null(spec_find(t, "x", "a::b<c d>& ns::operator<< <int>(a::b<c d>&, int)"));
    assert_non_null(spec_find(t, "x", "unsigned long ns::g<int>(int)"));
    assert_null(spec_find(t, "x", "ns::g<int> other::f(int)"));
    box_free(&b);
}

static void later_ones_replace(void **state)
{
    (void)state;
    Box b = box_new();
    const char *model = "own char *f(void);\nvoid g(own char *p);\nvoid keep_me(void);\n";
    const char *user = "char *f(void) returns static;\nvoid \"g*\"(keep char *p);\n";
    spec_add_text(b.t, "user", user, strlen(user), SPEC_FROM_USER, &b.diag);
    spec_add_text(b.t, "model", model, strlen(model), SPEC_FROM_MODEL, &b.diag);
    assert_int_equal(find(&b, "f")->result.gives, SPEC_STATIC);
    assert_int_equal(find(&b, "g")->params[0].mode, SPEC_KEEP);
    assert_true(spec_beats_code(find(&b, "f")));
    assert_false(spec_beats_code(find(&b, "keep_me")));
    assert_int_equal(spec_func_count(b.t), 4);
    const char *again = "own char *f(void) or null;\n";
    spec_add_text(b.t, "again", again, strlen(again), SPEC_FROM_USER, &b.diag);
    assert_int_equal(find(&b, "f")->result.gives, SPEC_OWN);
    assert_int_equal(spec_func_count(b.t), 4);
    assert_int_equal(b.diag.errors + b.diag.warnings, 0);
    box_free(&b);
}

static void families_fit(void **state)
{
    (void)state;
    Box b = box_of("family a;\nfamily b like a;\nfamily c like b;\nfamily d resource \"door\";\n");
    FamilyId a = spec_family_find(b.t, "a"), c = spec_family_find(b.t, "c");
    FamilyId d = spec_family_find(b.t, "d"), heap = spec_family_find(b.t, "heap");
    assert_int_equal(heap.id, 1);
    assert_true(spec_family_fits(b.t, a, c));
    assert_true(spec_family_fits(b.t, c, a));
    assert_false(spec_family_fits(b.t, a, heap));
    assert_true(spec_family_fits(b.t, d, (FamilyId){0}));
    assert_string_equal(spec_family_noun(b.t, d), "door");
    assert_string_equal(spec_family_noun(b.t, heap), "memory");
    assert_int_equal(spec_family_find(b.t, "nosuch").id, 0);
    box_free(&b);
}

// ---- Hostile text.

static uint64_t next_random(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

static void mutate(char *text, size_t *len, size_t cap, uint64_t *seed)
{
    static const char *const pieces[] = {"own ",
                                         "(",
                                         ")",
                                         "{",
                                         "}",
                                         ";",
                                         "*",
                                         "<",
                                         ">",
                                         "when (",
                                         "return",
                                         "type T;",
                                         "container c<T>",
                                         ", ",
                                         "...",
                                         "\"",
                                         "/*",
                                         "#1",
                                         "in ",
                                         "out ",
                                         "-",
                                         "family ",
                                         "returns ",
                                         "[2]",
                                         "ref+",
                                         "\0",
                                         "alias x = ",
                                         "alias x(a, int b",
                                         "void (*f)(",
                                         "9999999999",
                                         "where {",
                                         "deep ",
                                         "::",
                                         "&&",
                                         "or null"};
    for (uint32_t edits = 1 + next_random(seed) % 8; edits; edits--) {
        size_t at = *len ? next_random(seed) % *len : 0;
        switch (next_random(seed) % 4) {
        case 0:
            if (*len) text[at] = (char)next_random(seed);
            break;
        case 1: {
            size_t n = next_random(seed) % 20;
            if (n > *len - at) n = *len - at;
            memmove(text + at, text + at + n, *len - at - n);
            *len -= n;
            break;
        }
        case 2: {
            const char *piece = pieces[next_random(seed) % (sizeof pieces / sizeof *pieces)];
            size_t n = strlen(piece) + (*piece == 0);
            if (*len + n > cap) break;
            memmove(text + at + n, text + at, *len - at);
            memcpy(text + at, piece, n);
            *len += n;
            break;
        }
        default: {
            size_t from = *len ? next_random(seed) % *len : 0, n = next_random(seed) % 60;
            if (n > *len - from) n = *len - from;
            if (n > *len - at) n = *len - at;
            memmove(text + at, text + from, n);
            break;
        }
        }
    }
}

static void read_mutations(void *data)
{
    uint32_t *rounds = data;
    static const char *const files[] = {"good/words.own", "good/stack.own", "bad/containers.own",
                                        "bad/families.own"};
    uint64_t seed = 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < *rounds; i++) {
        char *path = mem_printf("%s/tests/spec/%s", root(), files[i % 4]);
        size_t len;
        char *file = file_read(path, 0, &len);
        mem_free(path);
        if (!file) die("the test's own file is missing");
        size_t cap = len + 200;
        char *text = mem_alloc(cap);
        memcpy(text, file, len);
        mem_free(file);
        mutate(text, &len, cap, &seed);
        // Exactly as long as it says: a read beyond the end is seen by the sanitizers.
        char *exact = mem_alloc(len ? len : 1);
        memcpy(exact, text, len);
        mem_free(text);
        Box b = box_new();
        b.diag.quiet = true;
        spec_add_text(b.t, "mutated", exact, len, SPEC_FROM_USER, &b.diag);
        mem_free(exact);
        if (i % 4 == 0) {
            char *once = printed(b.t);
            Box again = box_new();
            if (!spec_add_text(again.t, "printed", once, strlen(once), SPEC_FROM_USER, &again.diag))
                die("round %u: what was printed is not accepted:\n%s", i, once);
            char *twice = printed(again.t);
            if (strcmp(once, twice)) die("round %u: prints differ:\n%s\n---\n%s", i, once, twice);
            mem_free(once);
            mem_free(twice);
            box_free(&again);
        }
        box_free(&b);
    }
}

static void mutated_files_do_no_harm(void **state)
{
    (void)state;
    uint32_t rounds = 4000;
    char *text = messages(read_mutations, &rounds);
    assert_true(strlen(text) > 0);
    mem_free(text);
}

static char *repeated(const char *head, const char *piece, size_t n, const char *tail)
{
    Out *o = out_memory();
    out_text(o, head);
    while (n--) out_text(o, piece);
    out_text(o, tail);
    size_t len;
    char *text = mem_strdup(out_content(o, &len));
    out_discard(o);
    return text;
}

static void deep_and_large_texts_do_no_harm(void **state)
{
    (void)state;
    static const struct {
        const char *head, *piece, *tail;
        bool good;
    } cases[] = {
        {"void f(", "void (*g)(", ");", false},
        {"type T; container c<T>; ", "c<", ";", false},
        {"void f(char ", "*", "p);", false},
        {"void f(", "int, ", "int);", false},
        {"void f(void)", " returns static", ";", false},
        {"void f(int n) returns own", " when (n == 1) returns own", ";", false},
        {"", "x", "", false},
        {"", "own ", "", false},
        {"", "{", "", false},
        {"", ";", "", true},
        {"", "// nothing\n", "", true},
        {"void \"", "*a", "\"(void);", false},
        {"type T; container c<T> { ", "T a; ", "};", false},
        {"void f(char *p) where { ", "ref_type(T), ", "};", false},
        {"", "int f(@);\n", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = repeated(cases[i].head, cases[i].piece, 200000, cases[i].tail);
        Box b = box_new();
        Reading r = {&b, "long.own", text, strlen(text)};
        char *said = messages(read_it, &r);
        if ((b.diag.errors == 0) != cases[i].good)
            fail_msg("case %zu: %u errors", i, b.diag.errors);
        // Fifty messages and the one that says so, at most; and no endless lines.
        assert_true(b.diag.errors <= 51);
        assert_true(strlen(said) < 60000);
        mem_free(said);
        mem_free(text);
        box_free(&b);
    }
}

static void patterns_are_not_slow(void **state)
{
    (void)state;
    Box b = box_of("void \"a::*a*a*a*a*a*a*a*a*a*a*a*a*a*b\"(void);\n");
    char *text = repeated("a::", "a", 20000, "");
    assert_null(spec_find(b.t, text, text));
    mem_free(text);
    text = repeated("a::", "<(", 20000, "b");
    assert_null(spec_find(b.t, text, text));
    mem_free(text);
    box_free(&b);
}

static void aliases_share_a_row(void **state)
{
    (void)state;
    Box b = box_of("void *m(fills(n) void *to, const void *from, size_t n) returns to copies from to to (n);\n"
                   "alias k(from, int level, to, n) = m;\nalias l = k;\n");
    const SpecFunc *m = spec_find(b.t, "m", NULL), *l = spec_find(b.t, "l", NULL);
    assert_int_equal(m->alias_of.id, 0);
    assert_int_equal(l->alias_of.id, m->name.id);
    assert_int_equal(l->param_count, 4);
    assert_int_equal(l->result.gives, SPEC_ALIAS);
    assert_int_equal(l->result.param, 2);
    assert_int_equal(l->copies[0].from, 0);
    assert_int_equal(l->copies[0].to, 2);
    assert_int_equal(l->copies[0].length[0], 3);
    assert_int_equal(l->params[2].effect, SPEC_FILLS);
    assert_int_equal(l->params[2].length[0], 3);
    assert_int_equal(l->params[1].mode, SPEC_REF);
    assert_int_equal(m->copies[0].to, 0);
    box_free(&b);
}

static void files_that_are_not_there(void **state)
{
    (void)state;
    Box b = box_new();
    Diag quiet = {0};
    assert_false(spec_add_dir(b.t, "/nonexistent/dir", SPEC_FROM_USER, &quiet));
    assert_int_equal(quiet.errors, 0);
    box_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files_round_trip),
        cmocka_unit_test(stack_of_the_paper),
        cmocka_unit_test(bad_files_say_why),
        cmocka_unit_test(conditions_and_places),
        cmocka_unit_test(names_and_patterns),
        cmocka_unit_test(later_ones_replace),
        cmocka_unit_test(families_fit),
        cmocka_unit_test(mutated_files_do_no_harm),
        cmocka_unit_test(deep_and_large_texts_do_no_harm),
        cmocka_unit_test(patterns_are_not_slow),
        cmocka_unit_test(aliases_share_a_row),
        cmocka_unit_test(files_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
