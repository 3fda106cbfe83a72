// The tables of a unit and the validator: a good unit passes, each broken promise is named.
#include "unit/unit.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const MType void_type = {0};

// int max(int a, int b) { return a < b ? b : a; } with a phi.
static Unit *sample(void)
{
    Unit *u = unit_new();
    UnitBuilder *b = unit_builder_new(u);
    MType i32 = mtype(MT_INT, 32), i1 = mtype(MT_INT, 1);
    FileId file = unit_file(b, "/src/max.c");
    LocId loc = unit_loc(b, file, 1, 5, 0);
    Func f = {.name = name_of(u->names, "max"),
              .source = name_of(u->names, "max"),
              .loc = loc,
              .result = i32,
              .param_count = 2,
              .first_param = 0,
              .block_count = 3,
              .ins_count = 5,
              .extra_count = 4};
    vec_push(&u->params, ((Param){.name = name_of(u->names, "a"), .mtype = i32}));
    vec_push(&u->params, ((Param){.name = name_of(u->names, "b"), .mtype = i32}));
    vec_push(&u->ins, ((Ins){OP_SLT, 0, i1, ref_param(0).bits, ref_param(1).bits, 0, loc.id}));
    vec_push(&u->ins, ((Ins){OP_BRANCH, 0, void_type, ref_ins(0).bits, 1, 2, loc.id}));
    vec_push(&u->ins, ((Ins){OP_JUMP, 0, void_type, 2, 0, 0, loc.id}));
    vec_push(&u->ins, ((Ins){OP_PHI, 0, i32, 0, 0, 2, loc.id}));
    vec_push(&u->ins, ((Ins){OP_RET, 0, void_type, ref_ins(3).bits, 0, 0, loc.id}));
    uint32_t phi[] = {0, ref_param(0).bits, 1, ref_param(1).bits};
    vec_append(&u->extra, phi, 4);
    vec_push(&u->blocks, ((Block){0, 2}));
    vec_push(&u->blocks, ((Block){2, 1}));
    vec_push(&u->blocks, ((Block){3, 2}));
    vec_push(&u->funcs, f);
    unit_builder_free(b);
    return u;
}

static void a_good_unit_passes(void **state)
{
    (void)state;
    Unit *u = sample();
    Arena *a = arena_new("test");
    const char *wrong = unit_check(u, a);
    if (wrong) fail_msg("%s", wrong);
    arena_free(a);
    unit_free(u);
}

static void constants_are_interned(void **state)
{
    (void)state;
    Unit *u = unit_new();
    UnitBuilder *b = unit_builder_new(u);
    Ref one = unit_const_int(b, 32, 1);
    assert_true(ref_same(one, unit_const_int(b, 32, 1)));
    assert_false(ref_same(one, unit_const_int(b, 64, 1)));
    Ref minus = unit_const_int(b, 8, 255);
    assert_true(ref_same(minus, unit_const_int(b, 8, -1)));
    Ref yes = unit_const_int(b, 1, 1); // may move the constants
    assert_int_equal(u->consts.at[ref_index(yes)].value, -1);
    assert_true(ref_same(unit_const_null(b), unit_const_null(b)));
    LocId l = unit_loc(b, unit_file(b, "/a.c"), 1, 2, 0);
    assert_int_equal(l.id, unit_loc(b, unit_file(b, "/a.c"), 1, 2, 0).id);
    assert_int_not_equal(l.id, unit_loc(b, unit_file(b, "/b.c"), 1, 2, 0).id);
    unit_builder_free(b);
    b = unit_builder_new(u); // a second builder finds what the first made
    uint32_t consts = u->consts.len, locs = u->locs.len, files = u->files.len;
    assert_true(ref_same(one, unit_const_int(b, 32, 1)));
    assert_int_equal(l.id, unit_loc(b, unit_file(b, "/a.c"), 1, 2, 0).id);
    for (int i = 0; i < 5000; i++) unit_const_int(b, 32, i);
    assert_int_equal(u->consts.len, consts + 4999);
    assert_int_equal(u->locs.len, locs);
    assert_int_equal(u->files.len, files);
    unit_builder_free(b);
    unit_free(u);
}

static void operands_and_successors(void **state)
{
    (void)state;
    Unit *u = sample();
    const Func *f = &u->funcs.at[1];
    Operands o = ins_operands(u, f, func_ins(u, f, 0));
    assert_int_equal(o.count, 2);
    assert_true(ref_same(o.refs[1], ref_param(1)));
    o = ins_operands(u, f, func_ins(u, f, 3));
    assert_int_equal(o.count, 0);
    assert_int_equal(o.more_count, 2);
    assert_int_equal(o.more[o.more_step], ref_param(1).bits);
    U32s s = {0};
    assert_int_equal(block_successors(u, f, 0, &s), 2);
    assert_int_equal(block_successors(u, f, 1, &s), 1);
    assert_int_equal(block_successors(u, f, 2, &s), 0);
    assert_int_equal(s.len, 3);
    assert_int_equal(s.at[0], 1);
    vec_free(&s);
    unit_free(u);
}

// Each breaks one promise of the sample; the message must contain the words.
#define BROKEN(words, change)                                                                      \
    do {                                                                                           \
        Unit *u = sample();                                                                        \
        Func *f = &u->funcs.at[1];                                                                 \
        (void)f;                                                                                   \
        change;                                                                                    \
        Arena *a = arena_new("test");                                                              \
        const char *wrong = unit_check(u, a);                                                      \
        if (!wrong) fail_msg("accepted: %s", #change);                                             \
        if (!strstr(wrong, words)) fail_msg("'%s' does not say '%s'", wrong, words);               \
        arena_free(a);                                                                             \
        unit_free(u);                                                                              \
    } while (0)

static void broken_promises_are_named(void **state)
{
    (void)state;
    BROKEN("instructions", f->ins_count = UINT32_MAX);
    BROKEN("instructions", f->first_ins = UINT32_MAX - 2);
    BROKEN("blocks", f->first_block = 1);
    BROKEN("extra words", f->extra_count = 5);
    BROKEN("extra words", f->extra_count = 3);
    BROKEN("parameters", f->param_count = 3);
    BROKEN("parameter 1 of 1", f->param_count = 1);
    BROKEN("name", f->name.id = 1000);
    BROKEN("position", f->loc.id = 1000);
    BROKEN("type", f->type.id = 1);
    BROKEN("linkage", f->linkage = 77);
    BROKEN("flags", f->flags = 0x8000);
    BROKEN("alias", f->alias = 5);
    BROKEN("alias", f->alias = 1);
    BROKEN("begins", u->blocks.at[1].first = 1);
    BROKEN("empty", u->blocks.at[0].count = 0);
    BROKEN("outside", u->blocks.len = 2; f->block_count = 2; u->ins.at[1].c = 1);
    BROKEN("no such op", u->ins.at[0].op = OP_COUNT);
    BROKEN("no terminator", u->ins.at[2].op = OP_NOP; u->ins.at[2].a = 0);
    BROKEN("ended too early", u->ins.at[0].op = OP_UNREACHABLE);
    BROKEN("block 3 of 3", u->ins.at[2].a = 3);
    BROKEN("entry", u->ins.at[2].a = 0);
    BROKEN("has no value", u->ins.at[4].a = ref_ins(1).bits);
    BROKEN("instruction 9", u->ins.at[4].a = ref_ins(9).bits);
    BROKEN("constant", u->ins.at[4].a = ref_const(0).bits);
    BROKEN("no kind", u->ins.at[4].a = 0xc0000001);
    BROKEN("another type", u->ins.at[4].a = ref_ins(0).bits);
    BROKEN("another type", u->ins.at[4].a = 0);
    BROKEN("not i1", u->ins.at[0].type = mtype(MT_INT, 32));
    BROKEN("every path", u->ins.at[0].a = ref_ins(3).bits);
    BROKEN("every path", u->ins.at[3].type = u->ins.at[0].type; f->result = u->ins.at[3].type;
           u->extra.at[1] = u->extra.at[3] = ref_ins(0).bits; u->ins.at[1].a = ref_ins(3).bits);
    BROKEN("end of block 0", u->extra.at[1] = ref_ins(3).bits);
    BROKEN("predecessor", u->extra.at[0] = 2);
    BROKEN("two values", u->extra.at[0] = 1);
    BROKEN("1 of 2 predecessors", u->ins.at[3].c = 1);
    BROKEN("extra", u->ins.at[3].c = UINT32_MAX);
    BROKEN("extra", u->ins.at[3].b = UINT32_MAX);
    BROKEN("type", u->ins.at[3].type = (MType){0xffff});
    BROKEN("position", u->ins.at[3].loc = 2);
    BROKEN("file", u->locs.at[1].file = 2);
    BROKEN("function 0", u->funcs.at[0].block_count = 1);
    BROKEN("none entry", u->consts.len = 0);
    BROKEN("constructor", vec_push(&u->constructors, 7));
    BROKEN("annotation", vec_push(&u->annotations, ((Annotation){1, 3, {0}})));
    BROKEN("share", vec_push(&u->funcs, u->funcs.at[1]));
    BROKEN("bytes", vec_push(&u->consts, ((Const){.kind = CONST_BYTES,
                                                  .type = mtype(MT_AGG, 4).bits,
                                                  .value = 4})));
    BROKEN("3 bytes for a type of 4", vec_extend(&u->bytes, 4);
           vec_push(&u->consts, ((Const){.kind = CONST_BYTES,
                                         .type = mtype(MT_AGG, 4).bits,
                                         .value = 3})));
    BROKEN("wider than f32", vec_push(&u->consts, ((Const){.kind = CONST_FLOAT,
                                                           .type = mtype(MT_FLOAT, 4).bits,
                                                           .value = 1ll << 40})));
    BROKEN("data 0: global", vec_push(&u->runs, ((DataRun){.global = 1, .count = 1})));
    BROKEN("data 0: bytes", vec_push(&u->globals, ((Global){.size = 8}));
           vec_push(&u->runs, ((DataRun){.global = 1, .count = 1})));
    BROKEN("outside of its global", vec_push(&u->globals, ((Global){.size = 8}));
           vec_extend(&u->bytes, 4);
           vec_push(&u->runs, ((DataRun){.global = 1, .offset = 5, .count = 4})));
    BROKEN("out of order", vec_push(&u->globals, ((Global){.size = 8})); vec_extend(&u->bytes, 8);
           vec_push(&u->runs, ((DataRun){.global = 1, .offset = 0, .count = 4}));
           vec_push(&u->runs, ((DataRun){.global = 1, .first = 4, .offset = 2, .count = 4})));
}

static uint32_t add_type(Unit *u, TypeKind kind, uint32_t of)
{
    Type t = {.kind = kind, .first_elem = u->elems.len, .elem_count = 1};
    vec_push(&u->elems, ((Elem){.type = {of}}));
    vec_push(&u->types, t);
    return u->types.len - 1;
}

static void types_may_recur_only_through_records(void **state)
{
    (void)state;
    BROKEN("made of itself", add_type(u, TYPE_POINTER, 1));
    BROKEN("made of itself", add_type(u, TYPE_TYPEDEF, 2); add_type(u, TYPE_CONST, 1));
    BROKEN("contains itself", add_type(u, TYPE_STRUCT, 2); add_type(u, TYPE_ARRAY, 1));
    BROKEN("with 0 elements", add_type(u, TYPE_POINTER, 0); u->types.at[1].elem_count = 0);
    BROKEN("share", add_type(u, TYPE_STRUCT, 0); vec_push(&u->types, u->types.at[1]));
    Unit *u = sample();
    add_type(u, TYPE_STRUCT, 2); // struct list { struct list *next; }
    add_type(u, TYPE_POINTER, 1);
    Arena *a = arena_new("test");
    assert_null(unit_check(u, a));
    arena_free(a);
    unit_free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_unit_passes),
        cmocka_unit_test(constants_are_interned),
        cmocka_unit_test(operands_and_successors),
        cmocka_unit_test(broken_promises_are_named),
        cmocka_unit_test(types_may_recur_only_through_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
