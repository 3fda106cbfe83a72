// The text form: what is printed is read back to the same, hand-written text may leave things out,
// bad text gives a message with its place and never more than that.
#include "base/file.h"
#include "unit/cfg.h"
#include "unit/unit.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t seed = 88172645463325252u;

static uint32_t any(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 32) % n);
}

static char *load(const char *name, size_t *len)
{
    const char *root = getenv("ROOT");
    char *path = mem_printf("%s/tests/unit/%s", root ? root : ".", name);
    char *text = file_read(path, 0, len);
    if (!text) fail_msg("%s cannot be read", path);
    mem_free(path);
    return text;
}

static char *taken(Out *o, size_t *len)
{
    const char *content = out_content(o, len);
    char *copy = mem_alloc(*len + 1);
    memcpy(copy, content, *len);
    out_close(o);
    return copy;
}

static char *printed(const Unit *u)
{
    size_t len;
    Out *o = out_memory();
    unit_print(o, u);
    return taken(o, &len);
}

static char *bytes_of(const Unit *u, size_t *len)
{
    Out *o = out_memory();
    unit_write(o, u);
    return taken(o, len);
}

static Unit *parsed(const char *text)
{
    Diag d = {0};
    Unit *u = unit_parse(text, "test.u", &d);
    if (!u) fail_msg("not read: %s", text);
    assert_int_equal(d.errors, 0);
    return u;
}

// What goes to standard error meanwhile.
static int saved_stderr;
static FILE *caught;

static void catch_begin(void)
{
    fflush(stderr);
    saved_stderr = dup(2);
    caught = tmpfile();
    dup2(fileno(caught), 2);
}

static char *catch_end(void)
{
    static char text[8192];
    fflush(stderr);
    dup2(saved_stderr, 2);
    close(saved_stderr);
    rewind(caught);
    text[fread(text, 1, sizeof text - 1, caught)] = 0;
    fclose(caught);
    return text;
}

static void round_trip(const char *text, bool canonical)
{
    Unit *u = parsed(text);
    char *first = printed(u);
    if (canonical) assert_string_equal(first, text);
    Unit *v = parsed(first);
    char *second = printed(v);
    assert_string_equal(first, second);
    Unit *w = parsed(second);
    size_t v_len, w_len;
    char *v_bytes = bytes_of(v, &v_len), *w_bytes = bytes_of(w, &w_len);
    assert_int_equal(v_len, w_len);
    assert_memory_equal(v_bytes, w_bytes, v_len);
    const char *why;
    Unit *x = unit_read(v_bytes, v_len, &why);
    if (!x) fail_msg("%s", why);
    char *third = printed(x);
    assert_string_equal(first, third);
    mem_free(first), mem_free(second), mem_free(third), mem_free(v_bytes), mem_free(w_bytes);
    unit_free(u), unit_free(v), unit_free(w), unit_free(x);
}

static void everything_survives_the_round_trip(void **state)
{
    (void)state;
    size_t len;
    char *text = load("all.u", &len);
    round_trip(text, true);
    // every op is in that file
    Unit *u = parsed(text);
    for (uint32_t op = 0; op < OP_COUNT; op++) {
        bool found = false;
        vec_each (i, &u->ins) found |= u->ins.at[i].op == op;
        if (!found) fail_msg("all.u lacks %s", op_text((Op)op));
    }
    unit_free(u);
    mem_free(text);
}

static void hand_written_text_is_short(void **state)
{
    (void)state;
    size_t len;
    char *text = load("list.u", &len);
    round_trip(text, false);
    Unit *u = parsed(text);
    assert_int_equal(u->funcs.len, 5); // none, make, drop, malloc, free
    const Func *m = &u->funcs.at[3];
    assert_string_equal(name_text(u->names, m->name), "malloc");
    assert_int_equal(m->param_count, 1);
    assert_int_equal(u->params.at[m->first_param].mtype.bits, mtype(MT_INT, 64).bits);
    assert_int_equal(m->result.bits, mtype(MT_PTR, 8).bits);
    unit_free(u);
    mem_free(text);
    round_trip("", false);
    round_trip("func void @f() {\n  ret\n}\n", false);
    round_trip("func @f() { ret }", false);
    round_trip("pointer 4\nglobal @g\nfunc ptr @f() {\n  %x = alloca buf\n  bind p, %x\n"
               "  store %x, @g\n  %y = load %x\n  ret %y\n}\n",
               false);
    round_trip("global @g size 4 text \"\xc3\xa4\"\nglobal @h alias @g\n", false);
}

static void symbols_of_one_name_stay_apart(void **state)
{
    (void)state;
    round_trip("pointer 8\nglobal @x size 8\nglobal @x~2 size 4\ndeclare void @x~3()\n"
               "\nfunc void @\"\"() {\nb0:\n  call void @x~3()\n  store ptr @x, @x~2\n  ret\n}\n",
               true);
}

// Text, and where and what the first message must be.
static void bad_text_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"funk", "bad.u:1:1"},
        {"unit 5", "expected a string"},
        {"unit \"x", "string without an end"},
        {"unit \"\\q\"", "escape"},
        {"pointer 99999999999999999999999", "too large"},
        {"pointer 4294967296", "too large"},
        {"pointer 77", "pointers of 77 bytes"},
        {"type t1 = thing", "kind of a type"},
        {"type t1 = pointer { t2 }", "bad.u:1:21: error: no type t2"},
        {"type t1 = int\ntype t1 = int", "bad.u:2:6"},
        {"global @a\nglobal @a", "defined twice"},
        {"global @a alias @b", "no global @b"},
        {"global @a {\n 0: ptr %x\n}", "initialiser"},
        {"global @a {\n 0: ptr ptr 5\n}", "no integer"},
        {"declare void f()", "expected @NAME"},
        {"func void @f()", "expected '{'"},
        {"func void @f() {\n", "without its '}'"},
        {"func void @f() {\n}", "without blocks"},
        {"func void @f() {\n  walk\n}", "bad.u:2:3: error: expected an instruction"},
        {"func void @f() {\n  jump x\n}", "bad.u:2:8: error: no block x"},
        {"func void @f() {\n  %a = add i32 %b, 1\n  ret\n}", "bad.u:2:16: error: no value %b"},
        {"func void @f() {\n  %a = add i32 1, 1\n  %a = add i32 1, 1\n  ret\n}", "bad.u:3:3"},
        {"func void @f() {\na:\n  ret\na:\n  ret\n}", "bad.u:4:1: error: two blocks a"},
        {"func void @f(i32 %a, i32 %a) {\n  ret\n}", "one name"},
        {"func void @f() {\n  ret ret\n}", "bad.u:2:7"},
        {"func void @f() {\n  ret 5 6\n}", "bad.u:2:9"},
        {"func void @f() {\n  %x = ret\n}", "no result"},
        {"func void @f() {\n  store 5, 5\n  ret\n}", "address is a integer"},
        {"func void @f() {\n  call void @g(undef)\n  ret\n}", "type of this constant"},
        {"func void @f() {\n  ret ; here\n}", "FILE:LINE:COL"},
        {"func void @f() {\n  ret ; a.c:1:2/\x01\n}", "unexpected character"},
        {"func void @f(ptr %p) {\n  ret i32 %p\n}", "another type"},
        {"func i32 @f(ptr %p) {\n  ret %p\n}", "returned value has another type"},
        {"func void @f(ptr %p) {\n  %x = field %p, 4294967296\n  ret\n}", "offset"},
        {"annotate @f \"x\"", "no function @f"},
        {"constructor 5", "expected @NAME"},
        {"file a \"x\"\nfile a \"y\"", "listed twice"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Diag d = {0};
        catch_begin();
        Unit *u = unit_parse(bad[i].text, "bad.u", &d);
        const char *said = catch_end();
        if (u) fail_msg("accepted: %s", bad[i].text);
        if (!strstr(said, bad[i].message))
            fail_msg("%s\ngave '%s', not '%s'", bad[i].text, said, bad[i].message);
        assert_true(d.errors > 0);
    }
}

static void several_errors_are_told_at_once(void **state)
{
    (void)state;
    Diag d = {0};
    catch_begin();
    Unit *u = unit_parse("func void @f() {\n  walk\n  run\n  ret\n}\nfunc void @g() {\n  fly\n}\n",
                         "bad.u", &d);
    catch_end();
    assert_null(u);
    assert_int_equal(d.errors, 3);
}

// Any text is read or refused; what is read survives the round trip.
static void mutated_text_does_no_harm(void **state)
{
    (void)state;
    const char *files[] = {"all.u", "list.u"};
    const char *bits[] = {"%",    "@",    "\"",         "{",     "}",         "ptr ", "b0",
                          "b1: ", "-1",   ":",          "t1",    "0",         "; ",   "func",
                          "phi ", "i32",  "~9",         "none",  ",",         "\n",   "=",
                          "%0 ",  "size", "4294967295", "undef", "block @f 1"};
    uint32_t read = 0;
    catch_begin();
    for (int file = 0; file < 2; file++) {
        size_t len;
        char *text = load(files[file], &len);
        for (int round = 0; round < 4000; round++) {
            Chars m = {0};
            vec_append(&m, text, len);
            for (uint32_t n = 1 + any(3); n; n--) {
                uint32_t at = any(m.len), count = any(12);
                Chars out = {0};
                vec_append(&out, m.at, at);
                switch (any(4)) {
                case 0:
                    break; // drop
                case 1: {
                    const char *bit = bits[any(sizeof bits / sizeof *bits)];
                    vec_append(&out, bit, strlen(bit));
                    if (any(2)) count = 0;
                    break;
                }
                case 2: // a piece from elsewhere
                    vec_append(&out, text + any((uint32_t)len - 12), count);
                    break;
                default:
                    vec_push(&out, (char)(1 + any(255)));
                    count = 1;
                }
                if (at + count < m.len) vec_append(&out, m.at + at + count, m.len - at - count);
                vec_free(&m);
                m.at = out.at, m.len = out.len, m.cap = out.cap;
            }
            vec_push(&m, 0);
            Diag d = {0};
            Unit *u = unit_parse(m.at, "mutated.u", &d);
            assert_int_equal(u == NULL, d.errors != 0);
            if (u) {
                read++;
                char *first = printed(u);
                Unit *v = unit_parse(first, "again.u", &d);
                if (!v) fail_msg("printed but not read: %s", first);
                char *second = printed(v);
                assert_string_equal(first, second);
                Arena *a = arena_new("test");
                for (uint32_t f = 1; f < u->funcs.len; f++) cfg_build(a, u, &u->funcs.at[f]);
                arena_free(a);
                mem_free(first), mem_free(second);
                unit_free(v);
            }
            unit_free(u);
            vec_free(&m);
        }
        mem_free(text);
    }
    catch_end();
    assert_true(read > 100);
}

static void dot_is_well_formed(void **state)
{
    (void)state;
    size_t len, text_len;
    char *text = load("all.u", &len);
    Unit *u = parsed(text);
    Out *o = out_memory();
    for (uint32_t f = 1; f < u->funcs.len; f++) cfg_print_dot(o, u, &u->funcs.at[f]);
    char *dot = taken(o, &text_len);
    assert_non_null(strstr(dot, "b3 -> b4 [label=\"true\"];"));
    assert_non_null(strstr(dot, "b0 -> b2 [label=\"unwind\"];"));
    assert_non_null(strstr(dot, "b1 -> b4 [label=\"-2\"];"));
    assert_non_null(strstr(dot, "b4 -> b3 [style=bold];"));
    uint32_t quotes = 0;
    for (size_t i = 0; i < text_len; i++)
        quotes += dot[i] == '"' && (i == 0 || dot[i - 1] != '\\' || dot[i - 2] == '\\');
    assert_int_equal(quotes % 2, 0);
    mem_free(dot);
    mem_free(text);
    unit_free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_survives_the_round_trip),
        cmocka_unit_test(hand_written_text_is_short),
        cmocka_unit_test(symbols_of_one_name_stay_apart),
        cmocka_unit_test(bad_text_is_named),
        cmocka_unit_test(several_errors_are_told_at_once),
        cmocka_unit_test(mutated_text_does_no_harm),
        cmocka_unit_test(dot_is_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
