// The text form, read: bodies of functions.
//
// While a body is read, a block is in the tables as the number of its label, and a value that
// is used before its definition as a Ref of the fourth kind whose index counts the pending uses;
// both are replaced at the end. What a hand-written text leaves out is filled in here: types that
// follow from operands, functions that are only called, locals and variables that are only used.
#include "unit/read_int.h"

enum { REF_PENDING = 3 };

static Func *func(UnitReader *r)
{
    return &r->u->funcs.at[r->func];
}

static bool is_pending(Ref r)
{
    return r.bits >> 30 == REF_PENDING;
}

// Void when not known yet.
static MType known_type(UnitReader *r, Ref ref)
{
    return is_pending(ref) ? mtype(MT_VOID, 0) : ref_type(r->u, func(r), ref);
}

static bool read_value(UnitReader *r, MType want, uint32_t *bits)
{
    const Tok *k = &r->lex.tok;
    MType said = {0};
    bool spelled = ut_tok_mtype(r, &said), is_const;
    Ref ref;
    if (k->kind == TOK_BAD) return false;
    if (!spelled && ut_tok_is(r, "none")) {
        *bits = 0;
        ut_next(r);
        return true;
    }
    if (!ut_const(r, want, &ref, &is_const)) return false;
    if (!is_const) {
        if (k->kind == TOK_BAD) return false;
        if (k->kind != TOK_VALUE) return ut_error(r, k, "expected a value");
        uint64_t *known = map_get(&r->values, map_pair(r->func, ut_tok_label(r)));
        if (known) {
            ref.bits = (uint32_t)*known;
            MType t = known_type(r, ref);
            if (spelled && t.bits != said.bits)
                return ut_error(r, k, "%%%.*s has another type", (int)k->len, k->text);
        } else {
            if (r->pending.len >= 1u << 30) die("read_value: 2^30 pending values");
            ref.bits = (uint32_t)REF_PENDING << 30 | r->pending.len;
            vec_push(&r->pending, *k);
        }
        ut_next(r);
    }
    *bits = ref.bits;
    return true;
}

// The number of a block's label, which stands for the block until the end of the body.
static bool read_block(UnitReader *r, uint32_t *label)
{
    const Tok *k = &r->lex.tok;
    if (k->kind == TOK_BAD) return false;
    if (k->kind != TOK_WORD) return ut_error(r, k, "expected the label of a block");
    bool fresh;
    *label = (uint32_t)*map_at(&r->block_of, ut_tok_label(r), r->blocks.len, &fresh);
    if (fresh) vec_push(&r->blocks, ((BlockLabel){UINT32_MAX, *k}));
    ut_next(r);
    return true;
}

// A function that is called and nowhere else mentioned is declared by that.
static void declare_callee(UnitReader *r, MType result)
{
    const Tok *k = &r->lex.tok;
    Name name = name_of_n(r->u->names, k->text, k->len);
    bool fresh;
    map_at(&r->symbols, map_pair(name.id, (uint32_t)k->number),
           map_pair(SYMBOL_FUNC, r->u->funcs.len), &fresh);
    if (!fresh) return;
    Func f = {.name = name, .source = name, .result = result, .first_param = UINT32_MAX};
    vec_push(&r->u->funcs, f);
}

static void declare_params(UnitReader *r, const Ins *ins, const U32s *args)
{
    Ref callee = {ins->a};
    if (!ref_is_const(callee) || r->u->consts.at[ref_index(callee)].kind != CONST_FUNC) return;
    Func *f = &r->u->funcs.at[r->u->consts.at[ref_index(callee)].target];
    if (f->first_param != UINT32_MAX) return;
    f->first_param = r->u->params.len;
    f->param_count = args->len;
    vec_each (i, args) {
        MType t = known_type(r, (Ref){args->at[i]});
        if (!t.bits) t = mtype(MT_PTR, r->u->pointer_bytes);
        vec_push(&r->u->params, ((Param){.mtype = t}));
    }
}

static void put_extra(UnitReader *r, Ins *ins, const U32s *words)
{
    ins->b = r->u->extra.len - func(r)->first_extra;
    vec_append(&r->u->extra, words->at, words->len);
}

static bool read_arguments(UnitReader *r, Ins *ins, U32s *words)
{
    if (!ut_mark(r, '(')) return false;
    while (!ut_tok_is_mark(r, ')')) {
        uint32_t arg;
        if (words->len && !ut_mark(r, ',')) return false;
        if (!read_value(r, mtype(MT_VOID, 0), &arg)) return false;
        vec_push(words, arg);
    }
    ut_next(r);
    ins->c = words->len;
    return true;
}

static bool read_call(UnitReader *r, Ins *ins, bool typed, bool labelled, U32s *words)
{
    const Tok *k = &r->lex.tok;
    bool called = ins->op == OP_CALL || ins->op == OP_INVOKE;
    MType ptr = mtype(MT_PTR, r->u->pointer_bytes);
    if (!typed && labelled) ins->type = ptr;
    if (called) {
        if (k->kind == TOK_SYMBOL) declare_callee(r, ins->type);
        if (!read_value(r, ptr, &ins->a)) return false;
        Ref callee = {ins->a};
        if (!typed && ref_is_const(callee)) {
            const Const *c = &r->u->consts.at[ref_index(callee)];
            if (c->kind == CONST_FUNC) ins->type = r->u->funcs.at[c->target].result;
        }
    }
    if (!read_arguments(r, ins, words)) return false;
    if (called) declare_params(r, ins, words);
    if (ins->op == OP_INVOKE) {
        uint32_t to;
        if (!ut_tok_is(r, "to")) return ut_error(r, k, "expected 'to'");
        ut_next(r);
        if (!read_block(r, &to)) return false;
        vec_push(words, to);
        if (!ut_tok_is(r, "unwind")) return ut_error(r, k, "expected 'unwind'");
        ut_next(r);
        if (!read_block(r, &to)) return false;
        vec_push(words, to);
    }
    put_extra(r, ins, words);
    return true;
}

// "opaque f64 fadd(%x, %y)", "opaque f32 extract.f32(%v, 1)", "landing agg16 cleanup(@t)"; both
// the word and, of a landing, the list may be left out.
static bool read_opaque(UnitReader *r, Ins *ins, bool typed, bool labelled, U32s *words)
{
    const Tok *k = &r->lex.tok;
    if (!typed && labelled && ins->op == OP_OPAQUE) ins->type = mtype(MT_PTR, r->u->pointer_bytes);
    if (k->kind == TOK_WORD && !k->starts_line && ins->op == OP_LANDING) {
        if (!ut_tok_is(r, "cleanup")) return ut_error(r, k, "expected 'cleanup'");
        ins->a = LANDING_CLEANUP;
        ut_next(r);
    } else if (k->kind == TOK_WORD && !k->starts_line) {
        Calc calc = CALC_NONE;
        MType elem = mtype(MT_VOID, 0);
        if (!ut_tok_calc(r, &calc, &elem)) return ut_error(r, k, "no such computation");
        ins->a = calc_word(calc, elem);
        ut_next(r);
    }
    if (ins->op == OP_LANDING && (k->starts_line || !ut_tok_is_mark(r, '('))) {
        put_extra(r, ins, words);
        return true;
    }
    return read_arguments(r, ins, words) && (put_extra(r, ins, words), true);
}

static bool read_phi(UnitReader *r, Ins *ins, bool typed, U32s *words)
{
    const Tok *k = &r->lex.tok;
    while (!k->starts_line && k->kind != TOK_POSITION) {
        uint32_t block, value;
        if (words->len && !ut_mark(r, ',')) return false;
        if (!read_block(r, &block) || !ut_mark(r, ':')) return false;
        if (!read_value(r, ins->type, &value)) return false;
        if (!typed && !ins->type.bits) ins->type = known_type(r, (Ref){value});
        vec_push(words, block);
        vec_push(words, value);
    }
    if (!ins->type.bits) ins->type = mtype(MT_PTR, r->u->pointer_bytes);
    ins->c = words->len / 2;
    put_extra(r, ins, words);
    return true;
}

static bool read_switch(UnitReader *r, Ins *ins, MType spelled, U32s *words)
{
    if (!read_value(r, spelled, &ins->a)) return false;
    if (!spelled.bits) spelled = known_type(r, (Ref){ins->a});
    for (;;) {
        uint32_t value, block;
        if (!ut_mark(r, ',')) return false;
        if (ut_tok_is(r, "default")) break;
        if (!read_value(r, spelled, &value) || !ut_mark(r, ':') || !read_block(r, &block))
            return false;
        vec_push(words, value);
        vec_push(words, block);
    }
    uint32_t block;
    ut_next(r);
    if (!ut_mark(r, ':') || !read_block(r, &block)) return false;
    ins->c = words->len / 2;
    vec_push(words, block);
    put_extra(r, ins, words);
    return true;
}

// The label of a local or a variable; one that was not listed is made.
static bool read_object(UnitReader *r, bool local, uint32_t *number)
{
    const Tok *k = &r->lex.tok;
    Unit *u = r->u;
    if (k->kind == TOK_BAD) return false;
    if (k->kind != TOK_WORD)
        return ut_error(r, k, "expected the label of a %s", local ? "local" : "variable");
    Func *f = func(r);
    uint32_t next = (local ? f->local_count : f->var_count) + 1;
    bool fresh;
    *number = (uint32_t)*map_at(local ? &r->locals : &r->vars, ut_tok_label(r), next, &fresh);
    if (fresh) {
        Name name = {0};
        if (!unit_text_made_up(name_text(r->labels, (Name){ut_tok_label(r)}), local ? 'l' : 'v'))
            name = name_of_n(u->names, k->text, k->len);
        if (local) {
            vec_push(&u->locals, ((Local){.name = name, .size = u->pointer_bytes}));
            f->local_count++;
        } else {
            vec_push(&u->vars, ((Var){.name = name}));
            f->var_count++;
        }
    }
    ut_next(r);
    return true;
}

// "local x size 8 align 8 type t3 ; a.c:1:2" or "var n param 1 type t3 ; a.c:1:2".
static bool read_object_line(UnitReader *r, bool local)
{
    const Tok *k = &r->lex.tok;
    Tok start = *k;
    Func *f = func(r);
    uint32_t before = local ? f->local_count : f->var_count, number;
    ut_next(r);
    if (!read_object(r, local, &number)) return false;
    if (number != before + 1) return ut_error(r, &start, "listed twice");
    Local *l = local ? &vec_last(&r->u->locals) : NULL;
    Var *v = local ? NULL : &vec_last(&r->u->vars);
    while (!k->starts_line && !ut_tok_is_mark(r, '}')) {
        bool good = true;
        if (k->kind == TOK_STRING)
            good = ut_name(r, local ? &l->name : &v->name);
        else if (ut_tok_is(r, "type"))
            ut_next(r), good = ut_type_label(r, local ? &l->type : &v->type);
        else if (local && ut_tok_is(r, "size"))
            ut_next(r), good = ut_u64(r, &l->size);
        else if (local && ut_tok_is(r, "align"))
            ut_next(r), good = ut_u32(r, &l->align);
        else if (!local && ut_tok_is(r, "param"))
            ut_next(r), good = ut_u32(r, &v->param);
        else if (k->kind == TOK_POSITION) {
            *(local ? &l->loc : &v->loc) = ut_tok_position(r);
            ut_next(r);
        } else {
            good = k->kind != TOK_BAD && ut_error(r, k, "unexpected in this line");
        }
        if (!good) return false;
    }
    return true;
}

// The type of an instruction whose text does not say it, before its operands are read.
static MType default_type(UnitReader *r, Op op)
{
    switch (op) {
    case OP_ALLOCA:
    case OP_FIELD:
    case OP_INDEX:
    case OP_INTTOPTR:
    case OP_LOAD:
    case OP_PART:
    case OP_VA_ARG:
        return mtype(MT_PTR, r->u->pointer_bytes);
    case OP_TRUNC:
    case OP_ZEXT:
    case OP_SEXT:
        return mtype(MT_INT, 32);
    case OP_PTRTOINT:
        return mtype(MT_INT, 8 * r->u->pointer_bytes);
    case OP_LANDING:
        return mtype(MT_AGG, 2 * r->u->pointer_bytes);
    default:
        return mtype(MT_VOID, 0);
    }
}

// a, b and c of the forms that hold nothing but values.
static bool read_plain(UnitReader *r, Ins *ins, uint32_t count, MType *spelled, bool typed)
{
    uint32_t *fields[] = {&ins->a, &ins->b, &ins->c};
    bool compares = unit_op_spells_operand(ins->op);
    bool follows = compares || (ins->op >= OP_ADD && ins->op <= OP_XOR) || ins->op == OP_SETPART;
    for (uint32_t i = 0; i < count; i++) {
        if (i && !ut_mark(r, ',')) return false;
        MType want = compares ? *spelled : unit_operand_wants(r->u, func(r), ins, i);
        if (!read_value(r, want, fields[i])) return false;
        if (typed) continue;
        // without a type: that of the first operand, of a stored value, of a choice's values
        MType t = known_type(r, (Ref){*fields[i]});
        bool here = follows ? i == 0 : (ins->op == OP_STORE || ins->op == OP_SELECT) && i == 1;
        if (here && compares)
            *spelled = t;
        else if (here)
            ins->type = t;
    }
    if (compares) ins->type = mtype(MT_INT, 1);
    return true;
}

static bool read_operands(UnitReader *r, Ins *ins, bool typed, bool labelled, U32s *words)
{
    const Tok *k = &r->lex.tok;
    MType spelled = ins->type;
    switch (op_form(ins->op)) {
    case FORM_NONE:
        return true;
    case FORM_A:
        if (ins->op == OP_RET &&
            (k->starts_line || k->kind == TOK_POSITION || ut_tok_is_mark(r, '}')))
            return true;
        return read_plain(r, ins, 1, &spelled, typed);
    case FORM_AB:
        return read_plain(r, ins, 2, &spelled, typed);
    case FORM_ABC:
        return read_plain(r, ins, 3, &spelled, typed);
    case FORM_FIELD: {
        Name name = {0};
        if (!read_plain(r, ins, 1, &spelled, typed) || !ut_mark(r, ',')) return false;
        if (k->kind != TOK_NUMBER || k->number > (uint64_t)INT32_MAX + k->negative)
            return ut_error(r, k, "expected an offset");
        ins->b = (uint32_t)(k->negative ? 0 - k->number : k->number);
        ut_next(r);
        if (k->kind == TOK_STRING && !k->starts_line && !ut_name(r, &name)) return false;
        ins->c = name.id;
        return true;
    }
    case FORM_INDEX:
        if (!read_plain(r, ins, 2, &spelled, typed)) return false;
        ins->c = 1;
        if (!ut_tok_is_mark(r, '*')) return true;
        ut_next(r);
        return ut_u32(r, &ins->c);
    case FORM_PART:
        return read_plain(r, ins, 1, &spelled, typed) && ut_mark(r, ',') && ut_u32(r, &ins->b);
    case FORM_SETPART:
        return read_plain(r, ins, 2, &spelled, typed) && ut_mark(r, ',') && ut_u32(r, &ins->c);
    case FORM_LOCAL:
        if (!read_object(r, true, &ins->b)) return false;
        ins->a = unit_const_int(r->b, 32, 1).bits;
        if (!ut_tok_is_mark(r, ',')) return true;
        ut_next(r);
        return read_value(r, mtype(MT_INT, 32), &ins->a);
    case FORM_VAR:
        return read_object(r, false, &ins->b) && ut_mark(r, ',') &&
               read_value(r, mtype(MT_VOID, 0), &ins->a);
    case FORM_OPAQUE:
        return read_opaque(r, ins, typed, labelled, words);
    case FORM_CALL:
    case FORM_INVOKE:
        return read_call(r, ins, typed, labelled, words);
    case FORM_PHI:
        return read_phi(r, ins, typed, words);
    case FORM_JUMP:
        return read_block(r, &ins->a);
    case FORM_BRANCH:
        return read_value(r, mtype(MT_INT, 1), &ins->a) && ut_mark(r, ',') &&
               read_block(r, &ins->b) && ut_mark(r, ',') && read_block(r, &ins->c);
    case FORM_SWITCH:
        ins->type = mtype(MT_VOID, 0);
        return read_switch(r, ins, spelled, words);
    case FORM_GOTO:
        if (!read_value(r, mtype(MT_VOID, 0), &ins->a)) return false;
        while (ut_tok_is_mark(r, ',')) {
            uint32_t block;
            ut_next(r);
            if (!read_block(r, &block)) return false;
            vec_push(words, block);
        }
        ins->c = words->len;
        put_extra(r, ins, words);
        return true;
    }
    return false;
}

// Whether a type may be after the op; "ret i32 5" has none of its own, there the word belongs
// to the operand.
static bool spells_type(Op op)
{
    if (op_is_terminator(op)) return op == OP_INVOKE || op == OP_SWITCH;
    return op != OP_COPY && op != OP_FILL && op != OP_LIFE_START && op != OP_LIFE_END &&
           op != OP_VA_START && op != OP_VA_END && op != OP_VA_COPY && op != OP_BIND;
}

static bool read_ins(UnitReader *r, U32s *words)
{
    const Tok *k = &r->lex.tok;
    Unit *u = r->u;
    Tok label = {0};
    uint32_t label_id = 0, flags = 0;
    bool labelled = k->kind == TOK_VALUE;
    if (k->kind == TOK_BAD) return false;
    if (labelled) {
        label = *k;
        label_id = ut_tok_label(r);
        ut_next(r);
        if (!ut_mark(r, '=')) return false;
    }
    Tok start = *k;
    uint64_t *op = k->kind == TOK_WORD ? map_get(&r->ops, ut_tok_label(r)) : NULL;
    if (!op) return ut_error(r, k, "expected an instruction");
    Ins ins = {.op = (uint8_t)*op};
    ut_next(r);
    while (ut_tok_flag(r, unit_ins_words, &flags)) continue;
    ins.flags = (uint8_t)flags;
    bool typed = !k->starts_line && ut_tok_mtype(r, &ins.type);
    bool has_type = spells_type(ins.op);
    if (typed && has_type)
        ut_next(r);
    else {
        typed = typed && has_type;
        ins.type = default_type(r, ins.op);
    }
    vec_clear(words);
    if (!read_operands(r, &ins, typed, labelled, words)) return false;
    if (k->kind == TOK_POSITION) {
        ins.loc = ut_tok_position(r).id;
        ut_next(r);
    }
    if (k->kind == TOK_BAD) return false;
    if (!k->starts_line && !ut_tok_is_mark(r, '}'))
        return ut_error(r, k, "unexpected after an instruction");
    uint32_t at = func(r)->ins_count++;
    if (at >= 1u << 30) die("read_ins: 2^30 instructions");
    vec_push(&u->ins, ins);
    if (!labelled) return true;
    if (!ins_has_result(&ins)) return ut_error(r, &start, "this has no result to name");
    bool fresh;
    map_at(&r->values, map_pair(r->func, label_id), ref_ins(at).bits, &fresh);
    return fresh || ut_error(r, &label, "%%%.*s is defined twice", (int)label.len, label.text);
}

static bool fix_value(UnitReader *r, uint32_t *bits)
{
    if (!is_pending((Ref){*bits})) return true;
    const Tok *use = &r->pending.at[*bits & 0x3fffffff];
    uint32_t label = name_of_n(r->labels, use->text, use->len).id;
    uint64_t *known = map_get(&r->values, map_pair(r->func, label));
    if (!known) return ut_error(r, use, "no value %%%.*s", (int)use->len, use->text);
    *bits = (uint32_t)*known;
    return true;
}

static bool fix_block(UnitReader *r, uint32_t *block)
{
    BlockLabel *l = &r->blocks.at[*block];
    if (l->place == UINT32_MAX)
        return ut_error(r, &l->tok, "no block %.*s", (int)l->tok.len, l->tok.text);
    *block = l->place;
    return true;
}

// Labels become numbers, now that all are known.
static void fix_ins(UnitReader *r, Ins *ins)
{
    OpForm form = op_form(ins->op);
    uint32_t *x = NULL;
    if (form == FORM_CALL || form == FORM_OPAQUE || form == FORM_INVOKE || form == FORM_PHI || form == FORM_SWITCH ||
        form == FORM_GOTO)
        if (r->u->extra.at) x = r->u->extra.at + func(r)->first_extra + ins->b;
    switch (form) {
    case FORM_NONE:
        break;
    case FORM_A:
    case FORM_FIELD:
    case FORM_PART:
    case FORM_LOCAL:
    case FORM_VAR:
        fix_value(r, &ins->a);
        break;
    case FORM_ABC:
        fix_value(r, &ins->c); // fall through
    case FORM_AB:
    case FORM_INDEX:
    case FORM_SETPART:
        fix_value(r, &ins->a);
        fix_value(r, &ins->b);
        break;
    case FORM_OPAQUE:
        for (uint32_t i = 0; i < ins->c; i++) fix_value(r, &x[i]);
        break;
    case FORM_CALL:
    case FORM_INVOKE:
        fix_value(r, &ins->a);
        for (uint32_t i = 0; i < ins->c; i++) fix_value(r, &x[i]);
        if (ins->op == OP_INVOKE) fix_block(r, &x[ins->c]), fix_block(r, &x[ins->c + 1]);
        break;
    case FORM_PHI:
        for (uint32_t i = 0; i < ins->c; i++) fix_block(r, &x[2 * i]), fix_value(r, &x[2 * i + 1]);
        break;
    case FORM_JUMP:
        fix_block(r, &ins->a);
        break;
    case FORM_BRANCH:
        fix_value(r, &ins->a);
        fix_block(r, &ins->b);
        fix_block(r, &ins->c);
        break;
    case FORM_SWITCH:
        fix_value(r, &ins->a);
        for (uint32_t i = 0; i < ins->c; i++) fix_value(r, &x[2 * i]), fix_block(r, &x[2 * i + 1]);
        fix_block(r, &x[2 * ins->c]);
        break;
    case FORM_GOTO:
        fix_value(r, &ins->a);
        for (uint32_t i = 0; i < ins->c; i++) fix_block(r, &x[i]);
        break;
    }
}

static bool open_block(UnitReader *r)
{
    const Tok *k = &r->lex.tok;
    bool fresh;
    uint64_t at = *map_at(&r->block_of, ut_tok_label(r), r->blocks.len, &fresh);
    if (fresh) vec_push(&r->blocks, ((BlockLabel){UINT32_MAX, *k}));
    if (r->blocks.at[at].place != UINT32_MAX)
        return ut_error(r, k, "two blocks %.*s", (int)k->len, k->text);
    r->blocks.at[at].place = func(r)->block_count++;
    vec_push(&r->u->blocks, ((Block){func(r)->ins_count, 0}));
    ut_next(r);
    return ut_mark(r, ':');
}

static bool read_line(UnitReader *r, U32s *words)
{
    const Tok *k = &r->lex.tok;
    if (k->kind == TOK_BAD) return false;
    if (ut_tok_is(r, "local") && !k->label_next) return read_object_line(r, true);
    if (ut_tok_is(r, "var") && !k->label_next) return read_object_line(r, false);
    if (k->kind == TOK_WORD && k->label_next) return open_block(r);
    if (func(r)->block_count == 0) { // the entry needs no label
        func(r)->block_count++;
        vec_push(&r->u->blocks, ((Block){0, 0}));
    }
    return read_ins(r, words);
}

bool ut_body(UnitReader *r)
{
    Unit *u = r->u;
    const Tok *k = &r->lex.tok;
    uint32_t errors = r->errors;
    Tok head = *k;
    Func *f = func(r);
    f->first_block = u->blocks.len;
    f->first_ins = u->ins.len;
    f->first_extra = u->extra.len;
    f->first_local = u->locals.len;
    f->first_var = u->vars.len;
    vec_clear(&r->pending);
    vec_clear(&r->blocks);
    map_clear(&r->block_of);
    map_clear(&r->locals);
    map_clear(&r->vars);
    U32s words = {0};
    ut_next(r);
    while (!ut_tok_is_mark(r, '}') && k->kind != TOK_END && r->errors < MOST_ERRORS) {
        if (read_line(r, &words)) continue;
        do ut_next(r);
        while (!k->starts_line && !ut_tok_is_mark(r, '}'));
    }
    vec_free(&words);
    f = func(r);
    f->extra_count = u->extra.len - f->first_extra;
    if (r->errors != errors) return false;
    if (!f->block_count) return ut_error(r, &head, "a body without blocks");
    for (uint32_t b = 0; b < f->block_count; b++) {
        Block *block = &u->blocks.at[f->first_block + b];
        uint32_t end = b + 1 < f->block_count ? block[1].first : f->ins_count;
        block->count = end - block->first;
    }
    for (uint32_t i = 0; i < f->ins_count; i++) fix_ins(r, &u->ins.at[f->first_ins + i]);
    return r->errors == errors;
}
