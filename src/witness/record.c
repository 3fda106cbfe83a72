// The record of a run: inputs, decisions, calls and the heap at the end, in the program's own terms.
//
// What a run reads before anybody has written it is an input. Where the bytes came to it by a copy
// of something unknown, the input is the place that was copied; where a library function has
// filled them, they are that call's doing. So every such touch is kept in the order of the run, and
// a read looks back through it.
#include "unit/types.h"
#include "witness/witness_int.h"

// What is known of the type of a block or a cell, and what the program calls it.
typedef struct {
    const Unit *u; // null: nothing
    TypeId type;
    const char *name; // or null
} TypedCell;

typedef struct {
    uint32_t block; // of the record, from 0
    WitnessCell cell;
} Filled;

typedef struct {
    uint64_t to, n;
    bool copy;
    uint64_t from;   // copy
    uint32_t step;   // else the call
    uint32_t arg;
    uint64_t offset; // of `to` from what the argument points to
} Touch;

struct Recorder {
    Arena *a;
    const Program *p;
    const Unit *u;
    const Func *body;
    Witness *w;
    VEC(WitnessCell) args;
    VEC(Filled) filled;
    VEC(WitnessBlock) blocks;
    VEC(TypedCell) typed; // by block
    VEC(WitnessStep) steps;
    VEC(WitnessWord) words;
    VEC(WitnessEffect) effects;
    VEC(Touch) touches;
    U32s open;  // call under way by depth, from 1
    Map by_base; // address of a machine's block -> block of the record, from 1
    Map counts; // FuncId -> calls
    uint32_t decisions, deep_decisions, calls;
};

static Pos place_of(const Recorder *r, WitnessPlace at)
{
    const Unit *u;
    const Func *f = at.func.id ? program_body(r->p, at.func, &u) : NULL;
    if (!f || at.ins >= f->ins_count) return (Pos){0};
    const Loc *l = &u->locs.at[func_ins(u, f, at.ins)->loc];
    if (!l->file) return (Pos){0};
    return (Pos){name_text(u->names, u->files.at[l->file].path), l->line, l->col};
}

static const char *source_of_unit(const Unit *u)
{
    return name_text(u->names, u->source);
}

Recorder *wit_record_new(Arena *a, const Program *p, FuncId func)
{
    Recorder *r = mem_alloc(sizeof *r);
    *r = (Recorder){.a = a, .p = p, .w = arena_alloc(a, sizeof(Witness))};
    r->body = program_body(p, func, &r->u);
    const Loc *l = &r->u->locs.at[r->body->loc.id];
    *r->w = (Witness){.function = name_text(p->names, p->funcs.at[func.id].source),
                      .symbol = name_text(p->names, p->funcs.at[func.id].name),
                      .source = source_of_unit(r->u),
                      .is_cxx = strcmp(name_text(r->u->names, r->u->language), "c") != 0};
    if (l->file) r->w->at = (Pos){name_text(r->u->names, r->u->files.at[l->file].path), l->line, l->col};
    return r;
}

// ---- names and types

static bool is_unsigned(const Unit *u, TypeId t)
{
    const Type *y = &u->types.at[plain_type(u, t).id];
    return (y->flags & TYPE_UNSIGNED) || y->kind == TYPE_BOOL || y->kind == TYPE_POINTER;
}

// The bytes at `offset` behind a pointer `base`.
static TypedCell typed_at(Recorder *r, const TypedCell *base, uint64_t offset)
{
    if (!base->u || !base->type.id || offset > INT64_MAX) return (TypedCell){0};
    uint64_t size = base->u->types.at[plain_type(base->u, base->type).id].size, nth = 0;
    if (size) nth = offset / size, offset %= size;
    const char *path = "";
    TypedCell t = {base->u, base->type, NULL};
    if (!member_at(r->a, base->u, base->type, offset, &path, &t.type)) return (TypedCell){0};
    if (!base->name) return t;
    bool array = *path == '[';
    if (nth)
        t.name = arena_printf(r->a, "%s[%llu]%s%s", base->name, (unsigned long long)nth,
                              *path && !array ? "." : "", path);
    else if (array)
        t.name = arena_printf(r->a, "(*%s)%s", base->name, path);
    else if (*path)
        t.name = arena_printf(r->a, "%s->%s", base->name, path);
    else
        t.name = arena_printf(r->a, "*%s", base->name);
    return t;
}

static TypedCell typed_in_global(Recorder *r, GlobalId g, uint64_t offset)
{
    const ProgGlobal *pg = &r->p->globals.at[g.id];
    const Unit *u = r->p->units[pg->unit];
    const char *path = "", *name = name_text(r->p->names, pg->source);
    TypedCell t = {u, u->globals.at[pg->global.id].type, name};
    if (!t.type.id || !member_at(r->a, u, t.type, offset, &path, &t.type)) return (TypedCell){.name = name};
    t.name = arena_printf(r->a, "%s%s%s", name, *path && *path != '[' ? "." : "", path);
    return t;
}

static TypedCell typed_behind(const TypedCell *pointer)
{
    if (!pointer->u) return (TypedCell){.name = pointer->name};
    return (TypedCell){pointer->u, pointee(pointer->u, pointer->type), pointer->name};
}

// ---- blocks and words

static const char *symbol_of(const Recorder *r, FuncId f)
{
    return name_text(r->p->names, r->p->funcs.at[f.id].name);
}

// `pointer`: of what leads there, or null.
static uint32_t block_of(Machine *m, const MemBlock *b, const TypedCell *pointer)
{
    Recorder *r = m->record;
    bool fresh;
    uint64_t *at = map_at(&r->by_base, b->start, 0, &fresh);
    if (*at) return (uint32_t)*at;
    *at = r->blocks.len + 1;
    WitnessBlock w = {.size = b->size};
    TypedCell t = pointer ? typed_behind(pointer) : (TypedCell){0};
    switch ((BlockKind)b->kind) {
    case BLOCK_HEAP:
        w.kind = MEMORY_HEAP;
        w.made = place_of(r, b->at);
        w.resource = b->family.id && spec_family(m->specs, b->family)->noun.id;
        break;
    case BLOCK_LIBRARY:
        w.kind = MEMORY_LIBRARY;
        break;
    case BLOCK_GLOBAL: {
        const ProgGlobal *pg = &r->p->globals.at[b->of];
        const Unit *u = r->p->units[pg->unit];
        w.kind = MEMORY_GLOBAL;
        w.symbol = name_text(r->p->names, pg->name);
        t = (TypedCell){u, u->globals.at[pg->global.id].type, name_text(r->p->names, pg->source)};
        if (pg->flags & PROG_DEFINED) w.source = source_of_unit(u);
        break;
    }
    default:
        w.kind = MEMORY_INPUT;
    }
    w.name = t.name;
    if (t.u && t.type.id) w.type = type_words(r->a, t.u, t.type);
    vec_push(&r->blocks, w);
    vec_push(&r->typed, t);
    return r->blocks.len;
}

static WitnessWord word_of(Machine *m, Value v, MType t, const TypedCell *typed)
{
    Recorder *r = m->record;
    MClass c = mtype_class(t);
    uint32_t bits = c == MT_INT ? mtype_size(t) : 8 * mtype_size(t);
    if (bits > 64 || c == MT_VOID || (c != MT_INT && !mtype_size(t)))
        return (WitnessWord){.kind = WORD_UNKNOWN, .bits = bits > 64 ? 64 : bits};
    WitnessWord w = {.bits = bits};
    if (bits == 64 && c != MT_FLOAT && v.lo >= FUNC_BASE) {
        FuncId f = wit_func_at(m, v.lo);
        MemBlock *b = f.id ? NULL : wit_block_near(m, v.lo);
        if (f.id) {
            w.kind = WORD_FUNCTION;
            w.name = symbol_of(r, f);
            return w;
        }
        if (b) {
            w.value = (int64_t)(v.lo - b->start);
            w.kind = b->kind == BLOCK_LOCAL ? WORD_LOCAL : b->kind == BLOCK_GLOBAL ? WORD_GLOBAL : WORD_BLOCK;
            if (w.kind == WORD_GLOBAL)
                w.name = name_text(r->p->names, r->p->globals.at[b->of].name);
            if (w.kind == WORD_BLOCK) w.block = block_of(m, b, typed);
            return w;
        }
    }
    bool with_sign = bits > 1 && !(typed && typed->u && is_unsigned(typed->u, typed->type));
    w.value = with_sign ? (int64_t)wit_s(v, bits) : (int64_t)wit_u(v);
    return w;
}

void wit_record_arg(Machine *m, uint32_t param, Value v)
{
    Recorder *r = m->record;
    if (!r) return;
    const Param *p = &r->u->params.at[r->body->first_param + param];
    const char *name = name_text(r->u->names, p->name);
    TypedCell t = {r->u, p->type, *name ? name : p->flags & PARAM_THIS ? "this" : NULL};
    WitnessCell c = {.name = t.name, .is_signed = !is_unsigned(r->u, p->type)};
    if (p->type.id) c.type = type_words(r->a, r->u, p->type);
    MClass class = mtype_class(p->mtype);
    if (p->flags & PARAM_BYVAL) {
        c.pass = PASS_COPY;
        c.copied = p->byval_size;
        // The type is the struct's own, and the word leads to it.
        MemBlock *b = wit_block_near(m, v.lo);
        if (b && !*map_at(&r->by_base, b->start, 0, NULL)) {
            uint32_t block = block_of(m, b, NULL);
            r->blocks.at[block - 1].name = t.name;
            r->blocks.at[block - 1].type = c.type;
            r->typed.at[block - 1] = t;
        }
    } else if (class == MT_FLOAT && mtype_size(p->mtype) <= 8) {
        c.pass = PASS_FLOAT;
    } else if ((class != MT_INT || mtype_size(p->mtype) > 64) && class != MT_PTR) {
        c.pass = PASS_OTHER;
    }
    if (p->flags & PARAM_SRET) r->w->result_copied = 1;
    c.word = word_of(m, v, p->mtype, &t);
    vec_push(&r->args, c);
}

// ---- decisions

static void decide(Machine *m, WitnessStep s)
{
    Recorder *r = m->record;
    s.depth = m->frames.len - 1;
    bool full = s.depth ? r->deep_decisions++ >= DEEP_DECISIONS_MAX : r->decisions++ >= DECISIONS_MAX;
    s.pos = place_of(r, wit_place(m));
    if (full)
        r->w->left_out++;
    else
        vec_push(&r->steps, s);
}

void wit_record_branch(Machine *m, bool taken)
{
    if (m->record) decide(m, (WitnessStep){.kind = WITNESS_STEP_BRANCH, .taken = taken});
}

void wit_record_switch(Machine *m, Value on, MType t)
{
    if (m->record) decide(m, (WitnessStep){.kind = WITNESS_STEP_SWITCH, .word = word_of(m, on, t, NULL)});
}

// ---- calls

static WitnessStep *call_under_way(Machine *m)
{
    Recorder *r = m->record;
    uint32_t depth = m->frames.len - 1;
    if (!r || depth >= r->open.len || !r->open.at[depth]) return NULL;
    return &r->steps.at[r->open.at[depth] - 1];
}

void wit_record_call(Machine *m, FuncId callee, const Arg *args, uint32_t n, MType type)
{
    Recorder *r = m->record;
    if (!r) return;
    uint32_t depth = m->frames.len - 1;
    while (r->open.len <= depth) vec_push(&r->open, 0);
    r->open.at[depth] = 0;
    if (r->calls++ >= CALLS_MAX) {
        r->w->cut = true;
        return;
    }
    WitnessStep s = {.kind = WITNESS_STEP_CALL, .depth = depth, .pos = place_of(r, wit_place(m)),
                     .how = CALL_SPEC, .first = r->words.len, .count = n};
    const Unit *u = NULL;
    if (callee.id) {
        const ProgFunc *pf = &r->p->funcs.at[callee.id];
        const Func *decl = program_decl(r->p, callee, &u);
        s.function = name_text(r->p->names, pf->source);
        s.symbol = symbol_of(r, callee);
        s.nth = (uint32_t)++*map_at(&r->counts, callee.id, 0, NULL);
        if (program_has_code(r->p, callee)) {
            s.how = CALL_CODE;
            s.source = source_of_unit(r->p->units[pf->unit]);
        }
        s.fills_result =
            decl && decl->param_count && (u->params.at[decl->first_param].flags & PARAM_SRET);
    }
    const Frame *f = &vec_last(&m->frames);
    uint64_t to = wit_ref(m, f, func_ins(f->u, f->f, f->at)->a).lo;
    const MemBlock *b = callee.id ? NULL : wit_block_at(m, to);
    if (b && b->kind == BLOCK_INPUT) {
        s.through = block_of(m, b, NULL);
        s.nth = (uint32_t)++*map_at(&r->counts, (uint64_t)1 << 32 | s.through, 0, NULL);
    }
    s.floats = mtype_class(type) == MT_FLOAT;
    for (uint32_t i = 0; i < n; i++) {
        WitnessWord w = word_of(m, args[i].value, args[i].type, NULL);
        vec_push(&r->words, w);
    }
    vec_push(&r->steps, s);
    r->open.at[depth] = r->steps.len;
}

void wit_record_how(Machine *m, CallHow how)
{
    WitnessStep *s = call_under_way(m);
    if (s) s->how = how;
}

void wit_record_failure(Machine *m)
{
    WitnessStep *s = call_under_way(m);
    if (s) s->fails = true;
}

static bool is_memory(const Machine *m, FamilyId f)
{
    return !f.id || !spec_family(m->specs, f)->noun.id;
}

void wit_record_obtained(Machine *m, FamilyId family)
{
    WitnessStep *s = call_under_way(m);
    if (s && is_memory(m, family)) s->obtains = true;
}

void wit_record_taken(Machine *m, uint32_t arg, FamilyId family)
{
    WitnessStep *s = call_under_way(m);
    if (!s || arg >= 32) return;
    s->takes |= 1u << arg;
    if (!is_memory(m, family)) s->handles = true;
}

void wit_record_kept(Machine *m, uint32_t arg)
{
    WitnessStep *s = call_under_way(m);
    if (s && arg < 32) s->keeps |= 1u << arg;
}

void wit_record_result(Machine *m, Value v, MType t)
{
    WitnessStep *s = call_under_way(m);
    if (!s) return;
    Recorder *r = m->record;
    uint32_t at = r->open.at[m->frames.len - 1] - 1;
    r->open.at[m->frames.len - 1] = 0;
    if (mtype_class(t) == MT_VOID) return;
    // The type of what unknown functions return tells what lies there.
    TypedCell typed = {0};
    Frame *f = &vec_last(&m->frames);
    const Ins *ins = func_ins(f->u, f->f, f->at);
    FuncId callee = program_callee(m->p, f->unit, f->u, (Ref){ins->a});
    const Unit *u = NULL;
    const Func *decl = callee.id ? program_decl(m->p, callee, &u) : NULL;
    if (decl && decl->type.id && u->types.at[decl->type.id].elem_count) {
        typed.u = u;
        typed.type = u->elems.at[u->types.at[decl->type.id].first_elem].type;
        typed.name = arena_printf(r->a, "%s()", name_text(m->p->names, m->p->funcs.at[callee.id].source));
    }
    WitnessWord w = word_of(m, v, t, &typed);
    for (uint32_t i = 0; mtype_class(t) == MT_PTR && v.lo && i < ins->c; i++) {
        uint32_t ref = *func_extra(f->u, f->f, ins->b + i);
        if (mtype_class(wit_ref_type(f, ref)) != MT_PTR || wit_ref(m, f, ref).lo != v.lo) continue;
        r->steps.at[at].same_as = i + 1;
        break;
    }
    r->steps.at[at].returns = true;
    r->steps.at[at].word = w;
}

// ---- content

// Which argument of the call under way leads to the address.
static uint32_t arg_of(Machine *m, const WitnessStep *s, uint64_t addr, uint64_t *offset)
{
    const Frame *f = &vec_last(&m->frames);
    const Ins *ins = func_ins(f->u, f->f, f->at);
    MemBlock *b = wit_block_near(m, addr);
    for (uint32_t i = 0; i < s->count && i < ins->c; i++) {
        uint32_t ref = *func_extra(f->u, f->f, ins->b + i);
        if (mtype_class(wit_ref_type(f, ref)) != MT_PTR) continue;
        uint64_t at = wit_ref(m, f, ref).lo;
        if (at > addr || !b || wit_block_near(m, at) != b) continue;
        *offset = addr - at;
        return i;
    }
    *offset = 0;
    return b && b->kind == BLOCK_LIBRARY ? EFFECT_RESULT : EFFECT_ELSEWHERE;
}

void wit_record_forgotten(Machine *m, uint64_t addr, uint64_t n)
{
    WitnessStep *s = call_under_way(m);
    if (!s) return;
    Recorder *r = m->record;
    Touch t = {.to = addr, .n = n, .step = r->open.at[m->frames.len - 1] - 1};
    t.arg = arg_of(m, s, addr, &t.offset);
    vec_push(&r->touches, t);
}

void wit_record_copied(Machine *m, uint64_t to, uint64_t from, uint64_t n)
{
    if (!m->record) return;
    Touch t = {.to = to, .n = n, .copy = true, .from = from};
    vec_push(&m->record->touches, t);
}

static void add_effect(Recorder *r, const Touch *t, uint64_t addr, WitnessWord w)
{
    WitnessEffect e = {t->step, t->arg, t->offset + (addr - t->to), w};
    if (r->effects.len < CELLS_MAX)
        vec_push(&r->effects, e);
    else
        r->w->cut = true;
}

void wit_record_written(Machine *m, uint64_t addr, Value v, MType t)
{
    WitnessStep *s = m->ended ? NULL : call_under_way(m);
    if (!s) return;
    Recorder *r = m->record;
    Touch touch = {.to = addr, .n = 8, .step = r->open.at[m->frames.len - 1] - 1};
    touch.arg = arg_of(m, s, addr, &touch.offset);
    add_effect(r, &touch, addr, word_of(m, v, t, NULL));
}

void wit_record_content(Machine *m, uint64_t addr, Value v, MType t)
{
    Recorder *r = m->record;
    if (!r) return;
    for (uint32_t i = r->touches.len; i--;) {
        const Touch *touch = &r->touches.at[i];
        if (addr < touch->to || addr - touch->to >= touch->n) continue;
        if (!touch->copy) {
            WitnessWord w = word_of(m, v, t, NULL);
            add_effect(r, touch, addr, w);
            return;
        }
        addr = touch->from + (addr - touch->to);
    }
    const MemBlock *b = wit_block_near(m, addr);
    if (!b || b->kind == BLOCK_LOCAL) return; // a local that its function left unset
    uint64_t offset = addr - b->start;
    uint32_t block = block_of(m, b, NULL);
    TypedCell typed = b->kind == BLOCK_GLOBAL
                      ? typed_in_global(r, (GlobalId){b->of}, offset)
                      : typed_at(r, &r->typed.at[block - 1], offset);
    WitnessCell c = {.name = typed.name, .offset = offset, .word = word_of(m, v, t, &typed)};
    if (c.word.kind == WORD_UNKNOWN) return; // zero
    if (typed.u) {
        c.type = type_words(r->a, typed.u, typed.type);
        c.is_signed = !is_unsigned(typed.u, typed.type);
    }
    if (r->filled.len < CELLS_MAX)
        vec_push(&r->filled, ((Filled){block - 1, c}));
    else
        r->w->cut = true;
}

// ---- the end

// The function that an instruction calls, as the program writes it.
static const char *callee_at(const Recorder *r, WitnessPlace at)
{
    const Unit *u;
    const Func *f = at.func.id ? program_body(r->p, at.func, &u) : NULL;
    if (!f || at.ins >= f->ins_count) return NULL;
    const Ins *ins = func_ins(u, f, at.ins);
    if (ins->op != OP_CALL && ins->op != OP_INVOKE) return NULL;
    FuncId id = program_callee(r->p, r->p->funcs.at[at.func.id].unit, u, (Ref){ins->a});
    return id.id ? name_text(r->p->names, r->p->funcs.at[id.id].source) : NULL;
}

static void tell_heap(Machine *m)
{
    Recorder *r = m->record;
    bool misused = m->ended && m->end == WITNESS_MISUSED;
    uint8_t *seen = misused ? NULL : wit_reached(m, m->ended);
    vec_each (i, &m->blocks) {
        const MemBlock *b = &m->blocks.at[i];
        // A global that others can name: its unit belongs to the run.
        if (b->kind == BLOCK_GLOBAL && b->bytes && !(r->p->globals.at[b->of].flags & PROG_INTERNAL))
            block_of(m, b, NULL);
        if (b->kind != BLOCK_HEAP && b->kind != BLOCK_INPUT) continue;
        uint32_t block = block_of(m, b, NULL);
        WitnessBlock *w = &r->blocks.at[block - 1];
        if (b->kind == BLOCK_INPUT) w->size = b->size, w->before = (uint32_t)(b->start - b->base);
        w->is_freed = b->state == BLOCK_FREED;
        if (w->is_freed) w->freed = place_of(r, b->freed_at);
        if (b->kind != BLOCK_HEAP) continue;
        if (!w->name || strchr(w->name, '(')) w->name = callee_at(r, b->at);
        w->is_lost = seen && b->state == BLOCK_LIVE && !seen[i];
    }
    mem_free(seen);
    vec_each (i, &m->open) {
        const OpenValue *v = &m->open.at[i];
        WitnessBlock w = {.kind = MEMORY_HANDLE, .size = (uint64_t)v->value, .made = place_of(r, v->at),
                          .name = callee_at(r, v->at), .is_freed = !v->open,
                          .type = spec_family_noun(m->specs, v->family)};
        w.is_lost = !misused && v->open && !v->seen;
        vec_push(&r->blocks, w);
    }
}

// Cells by block, in the order in which they were read.
static void lay_out(Recorder *r)
{
    VEC(WitnessCell) cells = {0};
    vec_each (b, &r->blocks) {
        r->blocks.at[b].first = cells.len;
        vec_each (i, &r->filled)
            if (r->filled.at[i].block == b) vec_push(&cells, r->filled.at[i].cell);
        r->blocks.at[b].count = cells.len - r->blocks.at[b].first;
    }
    Witness *w = r->w;
    vec_keep(&cells, r->a);
    vec_keep(&r->args, r->a);
    vec_keep(&r->blocks, r->a);
    vec_keep(&r->steps, r->a);
    vec_keep(&r->words, r->a);
    vec_keep(&r->effects, r->a);
    w->cells = cells.at, w->cell_count = cells.len;
    w->args = r->args.at, w->arg_count = r->args.len;
    w->blocks = r->blocks.at, w->block_count = r->blocks.len;
    w->steps = r->steps.at, w->step_count = r->steps.len;
    w->words = r->words.at, w->word_count = r->words.len;
    w->effects = r->effects.at, w->effect_count = r->effects.len;
}

Witness *wit_record_end(Machine *m)
{
    Recorder *r = m->record;
    Witness *w = r->w;
    MType t = r->body->result;
    if (m->ended && m->end == WITNESS_MISUSED) {
        w->end = place_of(r, m->place);
    } else if (mtype_class(t) != MT_VOID) {
        w->has_result = true;
        w->result = word_of(m, m->result, t, NULL);
        bool plain = mtype_class(t) == MT_PTR || (mtype_class(t) == MT_INT && mtype_size(t) <= 64);
        bool real = mtype_class(t) == MT_FLOAT && mtype_size(t) <= 8;
        w->result_pass = plain ? PASS_INTEGER : real ? PASS_FLOAT : PASS_OTHER;
    }
    tell_heap(m);
    lay_out(r);
    // Strings of the program live longer than a finding's list need; it owns its own.
    w = witness_copy(r->a, w);
    vec_free(&r->filled);
    vec_free(&r->typed);
    vec_free(&r->touches);
    vec_free(&r->open);
    map_free(&r->by_base);
    map_free(&r->counts);
    mem_free(r);
    m->record = NULL;
    return w;
}
