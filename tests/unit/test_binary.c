// The binary form: what is written is read back, and nothing that is not a whole, intact, valid
// unit is accepted, whatever the bytes.
#include "base/hash.h"
#include "unit/unit.h"

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

// One of everything the tables hold.
static Unit *sample(void)
{
    Unit *u = unit_new();
    UnitBuilder *b = unit_builder_new(u);
    u->source = name_of(u->names, "/src/a.c");
    u->language = name_of(u->names, "c");
    MType i32 = mtype(MT_INT, 32), ptr = mtype(MT_PTR, 8), none = mtype(MT_VOID, 0);
    LocId loc = unit_loc(b, unit_file(b, "/src/a.c"), 1, 5, 2);
    vec_push(&u->types, ((Type){.kind = TYPE_INT, .name = name_of(u->names, "int"), .size = 4}));
    vec_push(&u->types,
             ((Type){.kind = TYPE_POINTER, .size = 8, .first_elem = 0, .elem_count = 1}));
    vec_push(&u->elems, ((Elem){.type = {1}}));
    vec_push(&u->params, ((Param){.name = name_of(u->names, "n"), .type = {1}, .mtype = i32}));
    vec_push(&u->params, ((Param){.mtype = mtype(MT_INT, 64)}));
    vec_push(&u->funcs, ((Func){.name = name_of(u->names, "f"),
                                .loc = loc,
                                .result = ptr,
                                .param_count = 1,
                                .block_count = 3,
                                .ins_count = 9,
                                .extra_count = 8,
                                .first_local = 1,
                                .local_count = 1,
                                .first_var = 1,
                                .var_count = 1}));
    vec_push(
        &u->funcs,
        ((Func){
            .name = name_of(u->names, "get"), .result = ptr, .first_param = 1, .param_count = 1}));
    vec_push(&u->locals, ((Local){.name = name_of(u->names, "x"), .size = 8}));
    vec_push(&u->vars, ((Var){.name = name_of(u->names, "n"), .param = 1}));
    Ref get = unit_const(b, (Const){.kind = CONST_FUNC, .type = ptr.bits, .target = 2});
    Ref one = unit_const_int(b, 32, 1), null = unit_const_null(b);
    vec_push(
        &u->globals,
        ((Global){
            .name = name_of(u->names, "g"), .size = 8, .flags = GLOBAL_DEFINED, .init_count = 1}));
    vec_push(&u->inits, ((Init){0, get.bits, ptr.bits}));
    Ins body[] = {
        {OP_ALLOCA, 0, ptr, one.bits, 1, 0, loc.id},
        {OP_BIND, 0, none, ref_param(0).bits, 1, 0, loc.id},
        {OP_SWITCH, 0, none, ref_param(0).bits, 0, 1, loc.id},
        {OP_CALL, 0, ptr, get.bits, 3, 1, loc.id},
        {OP_STORE, 0, ptr, ref_ins(0).bits, ref_ins(3).bits, 0, loc.id},
        {OP_JUMP, 0, none, 2, 0, 0, loc.id},
        {OP_PHI, 0, ptr, 0, 4, 2, loc.id},
        {OP_LOAD, INS_VOLATILE, ptr, ref_ins(0).bits, 0, 0, loc.id},
        {OP_RET, 0, none, ref_ins(7).bits, 0, 0, loc.id},
    };
    vec_append(&u->ins, body, 9);
    uint32_t extra[] = {one.bits, 1,         2, unit_const_int(b, 64, 16).bits,
                        0,        null.bits, 1, ref_ins(3).bits};
    vec_append(&u->extra, extra, 8);
    Block blocks[] = {{0, 3}, {3, 3}, {6, 3}};
    vec_append(&u->blocks, blocks, 3);
    vec_push(&u->annotations, ((Annotation){2, 0, name_of(u->names, "own.ret")}));
    vec_push(&u->constructors, 1);
    unit_builder_free(b);
    return u;
}

static char *bytes_of(const Unit *u, size_t *len)
{
    Out *o = out_memory();
    unit_write(o, u);
    const char *content = out_content(o, len);
    char *copy = mem_alloc(*len + 1);
    memcpy(copy, content, *len);
    out_close(o);
    return copy;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    Unit *u = sample();
    Arena *a = arena_new("test");
    const char *wrong = unit_check(u, a), *why;
    if (wrong) fail_msg("%s", wrong);
    size_t len, again_len;
    char *bytes = bytes_of(u, &len);
    Unit *read = unit_read(bytes, len, &why);
    if (!read) fail_msg("%s", why);
    char *again = bytes_of(read, &again_len);
    assert_int_equal(len, again_len);
    assert_memory_equal(bytes, again, len);
    assert_string_equal(name_text(read->names, read->funcs.at[1].name), "f");
    assert_int_equal(name_of(read->names, "get").id, read->funcs.at[2].name.id);
    assert_int_equal(name_find(read->names, "nobody").id, 0);
    // not aligned in memory
    char *odd = mem_alloc(len + 1);
    memcpy(odd + 1, bytes, len);
    Unit *odd_read = unit_read(odd + 1, len, &why);
    assert_non_null(odd_read);
    unit_free(odd_read);
    mem_free(odd);
    unit_free(read);
    unit_free(u);
    mem_free(bytes);
    mem_free(again);
    arena_free(a);
}

// Reads from a block of exactly this size, so that a sanitizer sees each byte too far.
static void read_any(const char *bytes, size_t len, bool must_fail)
{
    char *exact = malloc(len ? len : 1);
    memcpy(exact, bytes, len);
    const char *why;
    Unit *u = unit_read(exact, len, &why);
    if (u && must_fail) fail_msg("a damaged unit was read");
    if (!u) assert_non_null(why);
    if (u) { // valid by chance: every walk must work
        U32s succs = {0};
        for (uint32_t f = 1; f < u->funcs.len; f++) {
            const Func *func = &u->funcs.at[f];
            for (uint32_t i = 0; i < func->ins_count; i++) {
                Operands o = ins_operands(u, func, func_ins(u, func, i));
                for (uint32_t k = 0; k < o.count; k++) ref_type(u, func, o.refs[k]);
                for (uint32_t k = 0; k < o.more_count; k++)
                    ref_type(u, func, (Ref){o.more[k * o.more_step]});
            }
            for (uint32_t i = 0; i < func->block_count; i++) block_successors(u, func, i, &succs);
        }
        vec_free(&succs);
        // and so must the way through the text
        Out *first = out_memory(), *second = out_memory();
        Diag d = {0};
        unit_print(first, u);
        Unit *again = unit_parse(out_content(first, &(size_t){0}), "printed.u", &d);
        if (!again) fail_msg("printed but not read: %s", out_content(first, &(size_t){0}));
        unit_print(second, again);
        assert_string_equal(out_content(first, &(size_t){0}), out_content(second, &(size_t){0}));
        unit_free(again);
        out_close(first);
        out_close(second);
    }
    unit_free(u);
    free(exact);
}

static void truncated_units_are_refused(void **state)
{
    (void)state;
    Unit *u = sample();
    size_t len;
    char *bytes = bytes_of(u, &len);
    for (size_t n = 0; n < len; n++) read_any(bytes, n, true);
    char *longer = mem_alloc(len + 8);
    memcpy(longer, bytes, len);
    read_any(longer, len + 8, true);
    mem_free(longer);
    mem_free(bytes);
    unit_free(u);
}

static void flipped_bits_are_found(void **state)
{
    (void)state;
    Unit *u = sample();
    size_t len;
    char *bytes = bytes_of(u, &len);
    for (size_t bit = 0; bit < len * 8; bit++) {
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        read_any(bytes, len, true);
        bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    mem_free(bytes);
    unit_free(u);
}

// A hostile writer: any words with the right checksum.
static void wrong_words_with_a_right_checksum(void **state)
{
    (void)state;
    Unit *u = sample();
    size_t len;
    char *bytes = bytes_of(u, &len), *bad = mem_alloc(len);
    const uint32_t odd[] = {0,          1,          2,          3,          0x7fffffff, 0x80000000,
                            0xffffffff, 0xfffffffe, 0x40000000, 0x40000001, 0x3fffffff, 0x80000001};
    uint32_t accepted = 0;
    for (int round = 0; round < 20000; round++) {
        memcpy(bad, bytes, len);
        for (uint32_t n = 1 + any(3); n; n--) {
            size_t at = 32 + 4 * (size_t)any((uint32_t)(len - 32) / 4);
            uint32_t word;
            memcpy(&word, bad + at, 4);
            switch (any(3)) {
            case 0:
                word = odd[any(sizeof odd / sizeof *odd)];
                break;
            case 1:
                word += any(7) - 3;
                break;
            default:
                word ^= 1u << any(32);
                break;
            }
            memcpy(bad + at, &word, 4);
        }
        uint64_t sum = hash_bytes(bad + 32, len - 32, 0);
        memcpy(bad + 24, &sum, 8);
        const char *why;
        Unit *read = unit_read(bad, len, &why);
        accepted += read != NULL;
        unit_free(read);
        read_any(bad, len, false);
    }
    assert_true(accepted < 15000); // most words matter
    mem_free(bad);
    mem_free(bytes);
    unit_free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(truncated_units_are_refused),
        cmocka_unit_test(flipped_bits_are_found),
        cmocka_unit_test(wrong_words_with_a_right_checksum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
