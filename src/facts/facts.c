#include "facts/facts_int.h"

#include "base/hash.h"
#include "facts/believed.h"
#include "facts/switches.h"
#include "link/specs.h"

#include <string.h>

// ---- Globals that nobody writes.

static void taken(const Program *p, uint32_t unit, const Unit *u, Ref r, Bits *written)
{
    if (!ref_is_const(r)) return;
    const Const *c = &u->consts.at[ref_index(r)];
    if (c->kind == CONST_GLOBAL)
        bits_add(written, program_global(p, unit, (UGlobalId){c->target}).id);
}

static Bits find_constants(Facts *s, Arena *a)
{
    const Program *p = s->program;
    Arena *scratch = arena_new("constants");
    Bits written = bits_new(scratch, p->globals.len);
    bool whole = false;
    for (uint32_t f = 1; f < p->funcs.len; f++)
        whole |= (p->funcs.at[f].flags & PROG_DEFINED) && program_is_main(p, (FuncId){f});
    for (uint32_t k = 0; k < p->unit_count; k++) {
        const Unit *u = p->units[k];
        vec_each (i, &u->inits) taken(p, k, u, (Ref){u->inits.at[i].value}, &written);
        vec_each (f, &u->funcs) {
            const Func *fn = &u->funcs.at[f];
            for (uint32_t i = 0; i < fn->ins_count; i++) {
                const Ins *in = func_ins(u, fn, i);
                if (in->op == OP_LOAD || in->op == OP_BIND) continue;
                Operands o = ins_operands(u, fn, in);
                for (uint32_t n = 0; n < o.count; n++) taken(p, k, u, o.refs[n], &written);
                for (uint32_t n = 0; n < o.more_count; n++)
                    taken(p, k, u, (Ref){o.more[n * o.more_step]}, &written);
            }
        }
    }
    Const *numbers = arena_array_of(a, Const, UINT8_MAX + 1);
    for (int i = 0; i <= UINT8_MAX; i++)
        numbers[i] = (Const){.kind = CONST_INT, .type = mtype(MT_INT, 8).bits, .value = (int8_t)i};
    s->bytes = numbers;
    s->constant_globals = bits_new(a, p->globals.len);
    Bits named_here = bits_new(a, p->globals.len);
    for (uint32_t g = 1; g < p->globals.len; g++) {
        const ProgGlobal *pg = &p->globals.at[g];
        if (!(pg->flags & PROG_DEFINED) || (pg->flags & PROG_WEAK)) continue;
        const Global *u = &p->units[pg->unit]->globals.at[pg->global.id];
        bool constant = (u->flags & GLOBAL_CONST) != 0;
        // Declared without a value and never set: by code that is not here.
        bool hidden = (pg->flags & PROG_HIDDEN) != 0;
        bool ours = ((whole || hidden) && u->linkage != LINK_COMMON) || (pg->flags & PROG_INTERNAL);
        if (constant || (ours && !bits_has(&written, g))) bits_add(&s->constant_globals, g);
        if (ours) bits_add(&named_here, g);
    }
    written_find(&s->written, a, p, s->points, &named_here);
    switches_find(&s->idle, p, &s->written, &named_here);
    arena_free(scratch);
    return named_here;
}

GlobalInit facts_global_start(const Facts *s, GlobalId g, int64_t offset, uint32_t bytes,
                              const Unit **u, uint32_t *unit_index, const Const **c)
{
    const Program *p = s->program;
    const ProgGlobal *pg = &p->globals.at[g.id];
    const Unit *unit = p->units[pg->unit];
    const Global *d = &unit->globals.at[pg->global.id];
    if (!(d->flags & GLOBAL_DEFINED)) return GLOBAL_INIT_UNKNOWN;
    if (d->text.id) {
        const char *text = name_text(unit->names, d->text);
        size_t length = strlen(text);
        bool inside = offset >= 0 && (uint64_t)offset < length;
        if (d->size == length + 1 && bytes == 1 && inside) {
            *u = unit;
            *unit_index = pg->unit;
            *c = &s->bytes[(uint8_t)text[offset]];
            return GLOBAL_INIT_CONST;
        }
        if (d->size == length + 1)
            return bytes == 1 && offset == (int64_t)length ? GLOBAL_INIT_ZERO : GLOBAL_INIT_UNKNOWN;
    }
    for (uint32_t i = 0; i < d->init_count; i++) {
        const Init *init = &unit->inits.at[d->first_init + i];
        uint64_t size = mtype_bytes((MType){(uint16_t)init->type});
        if ((int64_t)init->offset == offset && size == bytes) {
            *u = unit;
            *unit_index = pg->unit;
            *c = &unit->consts.at[ref_index((Ref){init->value})];
            return GLOBAL_INIT_CONST;
        }
        if ((int64_t)init->offset < offset + bytes && offset < (int64_t)(init->offset + size))
            return GLOBAL_INIT_UNKNOWN;
    }
    bool rest_zero = (d->flags & GLOBAL_ZERO) && !(d->flags & GLOBAL_INIT_PARTIAL);
    return rest_zero && offset >= 0 ? GLOBAL_INIT_ZERO : GLOBAL_INIT_UNKNOWN;
}

static GlobalInit global_init(const Facts *s, GlobalId g, int64_t offset, uint32_t bytes,
                              const Unit **u, uint32_t *unit_index, const Const **c)
{
    if (!bits_has(&s->constant_globals, g.id) && !written_never(&s->written, s->program, g, offset, bytes))
        return GLOBAL_INIT_UNKNOWN;
    return facts_global_start(s, g, offset, bytes, u, unit_index, c);
}

static void note_read(Trace *trace, GlobalId g, int64_t offset, uint32_t bytes, GlobalInit init, const uint32_t *unit_index,
                      const Const **c)
{
    if (!trace) return;
    bool fresh, found = init == GLOBAL_INIT_CONST;
    map_at(&trace->globals, hash_mix(map_pair(g.id, bytes), (uint64_t)offset), trace->reads.len, &fresh);
    if (fresh)
        vec_push(&trace->reads,
                 ((GlobalRead){g, bytes, offset, init, found ? *unit_index : 0, found ? *c : NULL}));
}

GlobalInit facts_global_init(const Facts *f, Trace *trace, GlobalId g, int64_t offset,
                             uint32_t bytes, const Unit **u, uint32_t *unit_index, const Const **c)
{
    GlobalInit init = global_init(f, g, offset, bytes, u, unit_index, c);
    note_read(trace, g, offset, bytes, init, unit_index, c);
    return init;
}

bool facts_is_one_way(const Facts *f, Trace *trace, GlobalId g)
{
    bool is = f->one_way.words && bits_has(&f->one_way, g.id);
    note_read(trace, g, 0, 0, is ? GLOBAL_INIT_ZERO : GLOBAL_INIT_UNKNOWN, NULL, NULL);
    return is;
}

void trace_free(Trace *t)
{
    map_free(&t->numbers);
    map_free(&t->hashes);
    map_free(&t->funcs);
    map_free(&t->globals);
    vec_free(&t->reads);
}

// ---- Answers.

bool facts_is_freed(const Facts *f, FuncId func, uint32_t ins)
{
    const FlowHints *h = f->hints;
    return h && h->freed[func.id].words && bits_has(&h->freed[func.id], ins);
}

bool facts_matters(const Facts *f, FuncId func)
{
    // What a container's member does, its declaration says.
    if (facts_member(f, func)) return false;
    return !f->hints || bits_has(&f->hints->matters, func.id);
}

bool facts_may_return(const Facts *f, FuncId func)
{
    return !program_has_code(f->program, func) || bits_has(&f->may_return, func.id);
}

bool facts_is_handed_on(const Facts *f, GlobalId g)
{
    return bits_has(&f->marks.handed_on, g.id);
}

bool facts_is_sentinel(const Facts *f, Trace *trace, int64_t number)
{
    bool answer = map_get(&f->marks.sentinels, (uint64_t)number) != NULL;
    if (trace) map_set(&trace->numbers, (uint64_t)number, answer);
    return answer;
}

bool facts_default_is_idle(const Facts *f, FuncId func, uint32_t ins)
{
    return map_get(&f->idle, map_pair(func.id, ins)) != NULL;
}

bool facts_reads_set_field(const Facts *f, Trace *trace, FuncId func, uint32_t ins)
{
    if (trace) map_set(&trace->hashes, func.id, 1);
    return map_get(&f->set_loads, map_pair(func.id, ins)) != NULL;
}

bool facts_reads_end(const Facts *f, Trace *trace, FuncId func, uint32_t ins, QueueEnd *end)
{
    if (trace) map_set(&trace->hashes, func.id, 1);
    const uint64_t *word = map_get(&f->end_loads, map_pair(func.id, ins));
    if (!word) return false;
    *end = (QueueEnd){(int32_t)(uint32_t)(*word >> 2), *word & 1, *word >> 1 & 1};
    return true;
}

bool facts_reads_length(const Facts *f, Trace *trace, FuncId func, uint32_t ins, LengthBeside *beside)
{
    if (trace) map_set(&trace->hashes, func.id, 1);
    const uint64_t *word = map_get(&f->lengths, map_pair(func.id, ins));
    if (!word) return false;
    *beside = (LengthBeside){(int32_t)(uint32_t)(*word >> 8), (uint8_t)*word};
    return true;
}

bool facts_throw_is_odd(const Facts *f, Trace *trace, FuncId func, uint32_t ins)
{
    if (trace) map_set(&trace->hashes, func.id, 1);
    return map_get(&f->odd_throws, map_pair(func.id, ins)) != NULL;
}

// Mixes what is said of an instruction into the hash of its function.
static void mix_hash(Facts *f, FuncId func, uint32_t ins, uint64_t what)
{
    bool fresh;
    uint64_t *all = map_at(&f->hash_in, func.id, 0, &fresh);
    *all = hash_mix(hash_mix(*all, ins + 1), what);
}

void facts_note_load(Facts *f, FuncId func, uint32_t ins, QueueEnd end)
{
    uint64_t word = (uint64_t)(uint32_t)end.other << 2 | (end.last ? 1 : 0) | (end.other_last ? 2 : 0);
    map_set(&f->end_loads, map_pair(func.id, ins), word);
    mix_hash(f, func, ins, word);
}

void facts_note_set_load(Facts *f, FuncId func, uint32_t ins)
{
    map_set(&f->set_loads, map_pair(func.id, ins), 1);
    mix_hash(f, func, ins, UINT64_MAX);
}

void facts_note_length(Facts *f, FuncId func, uint32_t ins, LengthBeside beside)
{
    uint64_t word = (uint64_t)(uint32_t)beside.other << 8 | beside.bits;
    map_set(&f->lengths, map_pair(func.id, ins), word);
    mix_hash(f, func, ins, ~word);
}

void facts_note_odd_throw(Facts *f, FuncId func, uint32_t ins)
{
    map_set(&f->odd_throws, map_pair(func.id, ins), 1);
    mix_hash(f, func, ins, UINT64_MAX - 1);
}

uint64_t facts_hash_in(const Facts *f, FuncId func)
{
    const uint64_t *all = map_get(&f->hash_in, func.id);
    return all ? *all : 0;
}

// ---- All of them.

void facts_find(Facts *f, Arena *a)
{
    const Program *p = f->program;
    f->spec_of = arena_array_of(a, const SpecFunc *, p->funcs.len);
    f->member_of = arena_array_of(a, const SpecFunc *, p->funcs.len);
    for (uint32_t i = 1; i < p->funcs.len; i++)
        f->spec_of[i] = program_spec(p, f->specs, (FuncId){i});
    members_find(f, a);
    believed_find(f, a);
    Bits ours = find_constants(f, a);
    marks_find(&f->marks, a, p);
    f->may_return = may_return_find(a, f);
    one_way_find(f, a, &ours);
    set_fields_find(f);
    queue_ends_find(f, a);
    lengths_find(f);
    handlers_find(f);
}

void facts_free(Facts *f)
{
    map_free(&f->marks.sentinels);
    written_free(&f->written);
    map_free(&f->call_specs);
    map_free(&f->release_params);
    map_free(&f->idle);
    map_free(&f->set_loads);
    map_free(&f->end_loads);
    map_free(&f->lengths);
    map_free(&f->odd_throws);
    map_free(&f->hash_in);
}
