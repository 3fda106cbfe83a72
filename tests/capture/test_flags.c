// Command lines taken apart: what reaches clang, what is a source, what is dropped.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/file.h"
#include "capture/capture_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static Arena *arena;

static int make_arena(void **state)
{
    (void)state;
    arena = arena_new("test");
    return 0;
}

static int drop_arena(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static Command parse(const char *text)
{
    Words w = {0};
    assert_true(words_split(arena, text, strlen(text), QUOTE_SHELL, &w));
    Command c;
    command_parse(arena, "/d", &w, &c);
    vec_free(&w);
    return c;
}

// The flags for C (or C++) with a bar behind each, without the one about optimisation.
static const char *flags(const char *text, bool cxx)
{
    Command c = parse(text);
    const char *all = "";
    vec_each (i, &c.flags) {
        const Flag *f = &c.flags.at[i];
        if (!(cxx ? f->cxx : f->c) || strcmp(f->text, "-U__OPTIMIZE__") == 0) continue;
        all = arena_printf(arena, "%s%s|", all, f->text);
    }
    return all;
}

#define FLAGS(text, expected)     assert_string_equal(flags(text, false), expected)
#define FLAGS_CXX(text, expected) assert_string_equal(flags(text, true), expected)

static void words_are_read_as_a_shell_reads_them(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
        Quoting quoting;
    } cases[] = {
        {"a  b\tc\n", "a|b|c|", QUOTE_SHELL},
        {"-DX='a b' -DY=\"c \\\" d\"", "-DX=a b|-DY=c \" d|", QUOTE_SHELL},
        {"a\\ b '' \"\"", "a b|||", QUOTE_SHELL},
        {"'a\\b' \"a\\b\"", "a\\b|a\\b|", QUOTE_SHELL},
        {"'a\\'b'", "a'b|", QUOTE_RESPONSE},
        {"\"a\\b\"", "ab|", QUOTE_RESPONSE},
        {"x\\\ny", "xy|", QUOTE_SHELL},
        {"", "", QUOTE_SHELL},
        {"a\\", "a\\|", QUOTE_SHELL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Words w = {0};
        const char *all = "";
        assert_true(words_split(arena, cases[i].text, strlen(cases[i].text), cases[i].quoting, &w));
        vec_each (k, &w) all = arena_printf(arena, "%s%s|", all, w.at[k]);
        assert_string_equal(all, cases[i].expected);
        vec_free(&w);
    }
    Words w = {0};
    assert_false(words_split(arena, "a 'b", 4, QUOTE_SHELL, &w));
    vec_free(&w);
}

static void meaningful_flags_are_kept(void **state)
{
    (void)state;
    FLAGS("gcc -c -I a -Ib -isystem c -isysteme -iquote f -idirafter g x.c",
          "-Ia|-Ib|-isystemc|-isysteme|-iquotef|-idirafterg|");
    FLAGS("gcc -D A -DB=1 -D'C=a b' -U D -UE -include f.h -imacros g.h x.c",
          "-DA|-DB=1|-DC=a b|-UD|-UE|-includef.h|-imacrosg.h|");
    FLAGS("gcc -m32 -funsigned-char -fshort-enums -fshort-wchar -fpack-struct=2 -pthread x.c",
          "-m32|-funsigned-char|-fshort-enums|-fshort-wchar|-fpack-struct=2|-pthread|");
    FLAGS(
        "gcc -nostdinc -ffreestanding -fno-builtin -fno-builtin-printf -fwrapv -fms-extensions x.c",
        "-nostdinc|-ffreestanding|-fno-builtin|-fno-builtin-printf|-fwrapv|-fms-extensions|");
    FLAGS("gcc --sysroot=/s --sysroot /t -isysroot /u -march=armv7-a -mavx2 x.c",
          "--sysroot=/s|--sysroot=/t|-isysroot/u|-march=armv7-a|-mavx2|");
    FLAGS("gcc -fplan9-extensions -Wp,-DA=1,-MD,x.d -Xpreprocessor -DB x.c",
          "-fms-extensions|-DA=1|-DB|");
    FLAGS("arm-linux-gnueabihf-gcc -c x.c", "--target=arm-linux-gnueabihf|");
    FLAGS("x86_64-linux-gnu-gcc-12 -c x.c", "");
}

static void all_else_is_dropped(void **state)
{
    (void)state;
    FLAGS("gcc -O2 -Wall -Werror -g3 -MD -MF x.d -MT x -MP -o x.o -c -pipe -fPIE x.c", "");
    FLAGS("gcc -fplugin=evil.so -fplugin evil -fplugin-arg-evil-x=y -fpass-plugin=e.so x.c", "");
    FLAGS("gcc -B . -B/evil -wrapper sh,-c,id -specs=evil -specs evil x.c", "");
    FLAGS("clang -Xclang -load -Xclang evil.so -Xclang -plugin -Xclang e -mllvm -x x.c", "");
    FLAGS("clang --config evil.cfg --config=evil.cfg --config-user-dir=. -ivfsoverlay e x.c", "");
    FLAGS("gcc -save-temps -fdump-tree-all -fcallgraph-info -fsanitize=address -flto x.c", "");
    FLAGS("gcc -fno-tree-vectorize -mtune=native -mindirect-branch=thunk --param a=b x.c", "");
    FLAGS("gcc -D__clang_analyzer__ -D __clang_analyzer__=1 -I- -I '' -D '' x.c", "");
    FLAGS("gcc -march='x -load y' --target='a b' -std=evil x.c", "");
    FLAGS("gcc -include", "");
    FLAGS("gcc -D", "");
}

static void operands_are_not_eaten_or_invented(void **state)
{
    (void)state;
    Command c = parse("gcc -c -MF a.c -B b.c -aux-info c.c -T d.c -wrapper e.c x.c -u y.c z.S");
    assert_int_equal(c.operands.len, 2);
    assert_string_equal(c.operands.at[0].text, "x.c");
    assert_int_equal(c.operands.at[1].kind, OPERAND_ASSEMBLER);
}

static void standards_are_those_of_clang(void **state)
{
    (void)state;
    FLAGS("gcc -std=gnu99 x.c", "-std=gnu99|");
    FLAGS("gcc -std=c90 x.c", "-std=c90|");
    FLAGS("gcc -std=gnu18 -std=gnu2x x.c", "-std=gnu2x|");
    FLAGS("gcc -std=gnu29 x.c", "-std=gnu23|");
    FLAGS("gcc -std=c++11 x.c", "");
    FLAGS("gcc -ansi x.c", "-std=c89|");
    FLAGS_CXX("g++ -std=c++0x -std=gnu11 x.cc", "-std=c++0x|");
    FLAGS_CXX("g++ -std=gnu++29 x.cc", "-std=gnu++26|");
    FLAGS_CXX("g++ -fno-rtti -fgnu89-inline -stdlib=libc++ x.cc", "-fno-rtti|-stdlib=libc++|");
}

static OperandKind kind_of(const char *text)
{
    Command c = parse(text);
    assert_true(c.operands.len > 0);
    return vec_last(&c.operands).kind;
}

static void languages_come_from_driver_name_and_x(void **state)
{
    (void)state;
    assert_int_equal(kind_of("gcc -c x.c"), OPERAND_C);
    assert_int_equal(kind_of("g++ -c x.c"), OPERAND_CXX);
    assert_int_equal(kind_of("clang++-19 -c x.c"), OPERAND_CXX);
    assert_int_equal(kind_of("/opt/x86_64-linux-gnu-g++-12 -c x.c"), OPERAND_CXX);
    assert_int_equal(kind_of("ccache c++ -c x.c"), OPERAND_CXX);
    assert_int_equal(kind_of("libtool --mode=compile gcc -c x.c"), OPERAND_C);
    assert_int_equal(kind_of("gcc -c x.cpp"), OPERAND_CXX);
    assert_int_equal(kind_of("gcc -x c++ -c x.c"), OPERAND_CXX);
    assert_int_equal(kind_of("gcc -xc -c x.inc"), OPERAND_C);
    assert_int_equal(kind_of("gcc -x c -x none -c x.o"), OPERAND_OBJECT);
    assert_int_equal(kind_of("gcc -x c-header x.h"), OPERAND_HEADER);
    assert_int_equal(kind_of("gcc x.m"), OPERAND_OTHER);
    assert_int_equal(kind_of("gcc x.f90"), OPERAND_OTHER);
    assert_int_equal(kind_of("gcc -E -"), OPERAND_STDIN);
    assert_int_equal(kind_of("gcc x.o -lm"), OPERAND_LIBRARY);
}

static void tools_are_known_by_name(void **state)
{
    (void)state;
    static const char *const compilers[] = {
        "cc",  "gcc",     "gcc-12",   "/usr/bin/g++",        "clang-19",
        "c99", "clang++", "musl-gcc", "x86_64-linux-gnu-cc", "arm-none-eabi-gcc-13.2",
        "icc", "c89-gcc"};
    static const char *const others[] = {
        "gcc-nm", "gccgo", "clang-format", "stanch",       "cpp",        "c++filt",
        "",       "-",     "12",           "ccc-analyzer", "gcc-ranlib", "test_observe"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
        assert_int_equal(tool_kind(compilers[i]), TOOL_COMPILER);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(tool_kind(others[i]), TOOL_NONE);
    assert_int_equal(tool_kind("gcc-ar-12"), TOOL_AR);
    assert_int_equal(tool_kind("llvm-ar"), TOOL_AR);
    assert_int_equal(tool_kind("x86_64-linux-gnu-ld.bfd"), TOOL_LD);
    assert_int_equal(tool_kind("/usr/bin/ccache"), TOOL_LAUNCHER);
}

static void precompiled_headers_become_headers(void **state)
{
    (void)state;
    FLAGS("clang -Xclang -include-pch -Xclang p.h.pch -Xclang -include -Xclang p.h x.c",
          "-includep.h|");
    FLAGS("clang -include-pch p.h.pch x.c", "-includep.h|");
    FLAGS("gcc -include p.h.gch x.c", "-includep.h|");
}

static void gcc_headers_give_way_to_those_of_clang(void **state)
{
    (void)state;
    FLAGS("gcc -nostdinc -isystem /usr/lib/gcc/x86_64-linux-gnu/12/include -Ik x.c",
          "-nostdlibinc|-Ik|");
}

static void optimisation_decides_the_macro(void **state)
{
    (void)state;
    Command c = parse("gcc -O2 -c x.c");
    assert_int_equal(c.flags.len, 0);
    c = parse("gcc -O2 -O0 -c x.c");
    assert_int_equal(c.flags.len, 1);
    c = parse("gcc -c x.c");
    assert_string_equal(c.flags.at[0].text, "-U__OPTIMIZE__");
}

static void environment_directories_come_last(void **state)
{
    (void)state;
    Command c = parse("gcc -O1 -Ia -c x.c");
    const char *env[CAPTURE_ENV_COUNT] = {"/p::/q", "/c", "/cxx"};
    command_add_env(arena, &c, env);
    assert_int_equal(c.flags.len, 5);
    assert_string_equal(c.flags.at[1].text, "-I/p");
    assert_string_equal(c.flags.at[2].text, "-I/q");
    assert_true(c.flags.at[3].c && !c.flags.at[3].cxx);
    assert_true(!c.flags.at[4].c && c.flags.at[4].cxx);
}

static void put_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void response_files_stay_in_the_tree(void **state)
{
    (void)state;
    char dir[] = "/tmp/stanch-test.XXXXXX";
    assert_non_null(mkdtemp(dir));
    put_file(arena_printf(arena, "%s/a.rsp", dir), "-DA='x y' @b.rsp\n-DZ @/etc/passwd");
    put_file(arena_printf(arena, "%s/b.rsp", dir), "-DB \"-DC=\\\"q\\\"\"");
    put_file(arena_printf(arena, "%s/loop.rsp", dir), "-DL @loop.rsp @loop.rsp @loop.rsp");
    assert_int_equal(symlink("/etc/passwd", arena_printf(arena, "%s/link.rsp", dir)), 0);
    Words w = {0};
    vec_push(&w, "gcc");
    vec_push(&w, "@a.rsp");
    vec_push(&w, "@link.rsp");
    vec_push(&w, "@../../etc/passwd");
    vec_push(&w, "@missing");
    vec_push(&w, "@");
    vec_push(&w, "x.c");
    assert_int_equal(words_expand(arena, dir, NULL, &w), 4);
    const char *all = "";
    vec_each (i, &w) all = arena_printf(arena, "%s%s|", all, w.at[i]);
    assert_string_equal(all, "gcc|-DA=x y|-DB|-DC=\"q\"|-DZ|@|x.c|");
    vec_clear(&w);
    vec_push(&w, "@loop.rsp");
    assert_true(words_expand(arena, dir, NULL, &w) > 0);
    assert_true(w.len < 1000);
    // Nobody's tree is the root directory.
    vec_clear(&w);
    vec_push(&w, "@/etc/passwd");
    assert_int_equal(words_expand(arena, "/", "/", &w), 1);
    vec_free(&w);
    static const char *const names[] = {"a.rsp", "b.rsp", "loop.rsp", "link.rsp"};
    for (int i = 0; i < 4; i++) unlink(arena_printf(arena, "%s/%s", dir, names[i]));
    rmdir(dir);
}

static void dependency_files_are_read_with_escapes(void **state)
{
    (void)state;
    char path[] = "/tmp/stanch-test.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    put_file(path, "unit: a.c /x/b\\ c.h \\\n  d$$e.h f\\#g.h a.c \\\r\n ../h:i.h\nother: z.c\n");
    CaptureDeps deps;
    assert_true(capture_read_deps(arena, path, "/d/e", &deps));
    static const char *const expected[] = {"/d/e/a.c", "/x/b c.h", "/d/e/d$e.h", "/d/e/f#g.h",
                                           "/d/h:i.h"};
    assert_int_equal(deps.count, 5);
    for (int i = 0; i < 5; i++) assert_string_equal(deps.paths[i], expected[i]);
    put_file(path, "");
    assert_true(capture_read_deps(arena, path, "/d", &deps));
    assert_int_equal(deps.count, 0);
    put_file(path, "unit: \\");
    assert_true(capture_read_deps(arena, path, "/d", &deps));
    unlink(path);
    assert_false(capture_read_deps(arena, path, "/d", &deps));
}

static const char *links(const Capture *c)
{
    const char *all = "";
    vec_each (i, &c->links) {
        const CaptureLink *l = &c->links.at[i];
        all = arena_printf(arena, "%s%d %s:", all, l->kind, path_base(l->output));
        for (uint32_t n = 0; n < l->input_count; n++)
            all = arena_printf(arena, "%s %d%s", all, l->inputs[n].kind,
                               path_below("/d", l->inputs[n].path));
        all = arena_printf(arena, "%s|", all);
    }
    return all;
}

static void link_steps_are_kept(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "gcc -c a.c",
        "gcc -c b.c -o .libs/b.o -fPIC -DPIC",
        "gcc -c b.c -o b.o",
        "gcc -c c.c d.c",
        "ar cr lib1.a a.o",
        "gcc-ar -rcs lib1.a b.o a.o",
        "ar x lib1.a",
        "ar rcT lib2.a a.o c.o",
        "ar t lib2.a",
        "gcc -shared -o l.so .libs/b.o -Wl,-soname,l.so.1",
        "ld -r -m elf_x86_64 -T script.lds -o part.o c.o d.o",
        "gcc -r -o part2.o c.o",
        "gcc -o prog main.c a.o part.o lib2.a -L. -lm -Wl,-rpath,/x -Wl,--start-group,lib1.a",
        "gcc --version",
        "gcc -lm",
        "gcc -E a.c",
    };
    Capture out;
    Diag d = {0};
    Collector c;
    collect_begin(&c, arena, &d, &out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        Words w = {0};
        words_split(arena, commands[i], strlen(commands[i]), QUOTE_SHELL, &w);
        if (tool_kind(w.at[0]) == TOOL_AR) {
            collect_ar(&c, i == 6 ? "/d/x" : "/d", &w);
            if (i == 6) { // with its own directory, and the archive's name as libtool gives it
                w.at[2] = "/d/lib1.a";
                collect_ar(&c, "/d/x", &w);
            }
        } else if (tool_kind(w.at[0]) == TOOL_LD) {
            collect_ld(&c, "/d", &w);
        } else {
            Command command;
            command_parse(arena, "/d", &w, &command);
            collect_command(&c, &command);
        }
        vec_free(&w);
    }
    assert_string_equal(collect_original(&c, "/d/x/b.o"), "/d/b.o");
    collect_end(&c);
    assert_int_equal(out.jobs.len, 5);
    assert_int_equal(out.counts.merged, 1);
    assert_int_equal(out.counts.preprocessed, 1);
    assert_int_equal(out.jobs.at[1].object_count, 2);
    assert_string_equal(out.jobs.at[1].objects[0], "/d/.libs/b.o");
    assert_string_equal(out.jobs.at[4].objects[0], "/d/prog///d/main.c");
    assert_string_equal(links(&out), "1 l.so: 0.libs/b.o|2 lib1.a: 0a.o 0b.o|2 lib2.a: 0a.o 0c.o|"
                                     "3 part.o: 0c.o 0d.o|3 part2.o: 0c.o|"
                                     "0 prog: 0prog///d/main.c 0a.o 0part.o 1lib2.a 3m 1lib1.a|");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_read_as_a_shell_reads_them),
        cmocka_unit_test(meaningful_flags_are_kept),
        cmocka_unit_test(all_else_is_dropped),
        cmocka_unit_test(operands_are_not_eaten_or_invented),
        cmocka_unit_test(standards_are_those_of_clang),
        cmocka_unit_test(languages_come_from_driver_name_and_x),
        cmocka_unit_test(tools_are_known_by_name),
        cmocka_unit_test(precompiled_headers_become_headers),
        cmocka_unit_test(gcc_headers_give_way_to_those_of_clang),
        cmocka_unit_test(optimisation_decides_the_macro),
        cmocka_unit_test(environment_directories_come_last),
        cmocka_unit_test(response_files_stay_in_the_tree),
        cmocka_unit_test(dependency_files_are_read_with_escapes),
        cmocka_unit_test(link_steps_are_kept),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
