// What a run takes from outside: parameters, memory that was there before, results of unknown code,
// calls that fail. The model of the path's facts decides where it says something, a free choice
// where it does not.
//
// Input memory is made on first touch: a pointer from outside leads to a block of unknown content.
// Pointers of which nothing else is known lead to blocks of their own, as the evaluation has it;
// that two of them are equal is tried where a comparison asks for it.
#include "witness/replay_int.h"

static bool same_path(const PathInput *a, const PathInput *b)
{
    if (a->root != b->root || a->number != b->number || a->part != b->part ||
        a->depth != b->depth || a->fresh != b->fresh)
        return false;
    if (a->root == INPUT_GLOBAL && strcmp(a->global, b->global) != 0) return false;
    for (uint32_t i = 0; i < a->depth; i++)
        if (a->offsets[i] != b->offsets[i]) return false;
    return true;
}

// The nth of those in rounds of loops.
static const PathInput *find_input(const Replayed *r, const PathInput *path, uint32_t nth)
{
    vec_each (i, &r->f->grounds->inputs) {
        const PathInput *x = &r->f->grounds->inputs.at[i];
        if (same_path(x, path) && !nth--) return x;
    }
    return NULL;
}

// ---- memory

static uint64_t input_block(Machine *m, const PathInput *path)
{
    Replayed *r = m->replay;
    uint64_t at = wit_block_new(m, BLOCK_INPUT, INPUT_BYTES, 16);
    if (!at) return 0;
    MemBlock *b = &vec_last(&m->blocks);
    b->known = mem_alloc(b->size + 1);
    r->blocks++;
    if (path && path->depth < INPUT_DEPTH) {
        vec_push(&r->places, *path);
        b->place = r->places.len;
    }
    return at;
}

// Numbers of results that tell whether one which may be null is (the evaluation's; see PathInput).
enum { RESULT_OR_NULL = 2, RESULT_INSIDE_OR_NULL = 3 };

enum { POINTER_NULL, POINTER_FRESH }; // options below any address

// Where another pointer of the model that is close to this number leads; 0: there is none.
static int64_t near_pointer(const Replayed *r, int64_t number)
{
    for (uint32_t i = r->pointers.len; i-- > 0;) {
        int64_t distance = number - (int64_t)r->pointers.entries[i].key;
        if (distance > -NEAR && distance < NEAR)
            return (int64_t)r->pointers.entries[i].value + distance;
    }
    return 0;
}

// A pointer that comes from outside.
static Value choose_pointer(Machine *m, const PathInput *path, const PathInput *given, bool deep)
{
    Replayed *r = m->replay;
    int64_t options[3] = {POINTER_NULL, POINTER_FRESH};
    uint32_t n = 2;
    if (given && !given->value) {
        n = 1;
    } else if (given) {
        int64_t near = near_pointer(r, given->value);
        options[0] = POINTER_FRESH;
        n = 1;
        if (near) options[n++] = near;
    } else if (r->blocks >= INPUT_BLOCKS) {
        n = 1;
    } else if (!deep) {
        options[0] = POINTER_FRESH;
        options[1] = POINTER_NULL;
    }
    uint32_t index = choose(r, options, n, 64, !given || (given->value && r->tolerant));
    int64_t pick = chosen(r, index);
    Value v = wit_word((uint64_t)pick);
    if (pick == POINTER_FRESH) v = wit_word(input_block(m, path));
    if (given && given->value && pick == POINTER_FRESH)
        map_set(&r->pointers, (uint64_t)given->value, v.lo);
    v.of = choice_origin(index, true);
    return v;
}

static Value choose_number(Machine *m, const PathInput *given, uint32_t bits)
{
    static const int64_t tries[] = {0, 1, -1}, letters[] = {0, 'a', ' ', '1'};
    Replayed *r = m->replay;
    // What no fact bounds the model spaces like addresses; a small number does as well and costs less.
    int64_t said[2] = {given ? given->value : 0};
    uint32_t count = 1;
    if (said[0] >= SPACED && said[0] % SPACED == 0) said[1] = said[0], said[0] /= SPACED, count = 2;
    uint32_t index = given ? choose(r, said, count, bits, r->tolerant)
                     : bits == 8 ? choose(r, letters, m->reading ? 1 : 4, bits, true)
                                 : choose(r, tries, bits == 1 ? 2 : 3, bits, true);
    Value v = wit_v((U128)(S128)chosen(r, index), bits);
    r->choices.at[index].number = true;
    v.of = choice_origin(index, true);
    return v;
}

static Value choose_value(Machine *m, const PathInput *path, const PathInput *given, MType t,
                          bool deep)
{
    if (mtype_class(t) == MT_PTR) return choose_pointer(m, path, given, deep);
    if (mtype_class(t) == MT_INT && mtype_size(t) <= 64) return choose_number(m, given, mtype_size(t));
    return wit_const(m, 0, &(Const){.kind = CONST_ZERO, .type = t.bits});
}

Value input_param(Machine *m, uint32_t i)
{
    Replayed *r = m->replay;
    const Param *p = &r->u->params.at[r->body->first_param + i];
    PathInput path = {.root = INPUT_PARAM, .number = i};
    if (p->flags & (PARAM_BYVAL | PARAM_SRET | PARAM_THIS)) return wit_word(input_block(m, &path));
    return choose_value(m, &path, find_input(r, &path, 0), p->mtype, false);
}

void wit_choose_content(Machine *m, uint64_t addr, MType t)
{
    MemBlock *b = wit_block_at(m, addr);
    uint32_t n = mtype_bytes(t);
    PathInput path = {0};
    const PathInput *given = NULL;
    bool deep = true;
    if (b->place) {
        path = m->replay->places.at[b->place - 1];
        deep = path.depth > 0;
        path.offsets[path.depth++] = (int64_t)(addr - b->start);
        given = find_input(m->replay, &path, 0);
    } else if (b->kind == BLOCK_GLOBAL) {
        path = (PathInput){.root = INPUT_GLOBAL, .depth = 1};
        path.global = name_text(m->p->names, m->p->globals.at[b->of].name);
        path.offsets[0] = (int64_t)(addr - b->base);
        given = find_input(m->replay, &path, 0);
        deep = false;
    }
    Value v = choose_value(m, path.depth ? &path : NULL, given, t, deep);
    if (m->ended) return;
    b = wit_block_at(m, addr);
    memset(b->known + (addr - b->base), 1, n);
    memcpy(b->bytes + (addr - b->base), wit_bytes_of(&v, n), n);
    wit_set_origin(m, addr, v.of);
    wit_record_content(m, addr, v, t);
}

void wit_settle_byte(Machine *m, uint64_t addr, uint8_t byte, Dependence of)
{
    MemBlock *b = wit_block_at(m, addr);
    b->bytes[addr - b->base] = byte;
    b->known[addr - b->base] = KNOWN_SETTLED;
    wit_set_origin(m, addr, (Dependence){.on = of.on});
    wit_record_content(m, addr, wit_word(byte), mtype(MT_INT, 8));
}

// Whether nothing in the program ever writes the bytes: the initial value is the only one.
static bool never_written(const Replayed *r, GlobalId g, int64_t offset, uint64_t bytes)
{
    const Facts *f = r->facts;
    if (bits_has(&f->constant_globals, g.id)) return true;
    if (bits_has(&f->written.whole, g.id)) return false;
    // What is written is known by the offset of the scalar, of at most a word.
    for (int64_t at = offset - 7; at < offset + (int64_t)bytes; at++)
        if (at >= 0 && map_get(&f->written.fields, map_pair(g.id, (uint32_t)at))) return false;
    return true;
}

// What the path needs of a global that has an initial value of its own. That the program stores
// such a value somewhere is believed where it writes there at all: errs towards a witness.
void wit_set_global(Machine *m, uint32_t index)
{
    MemBlock *b = &m->blocks.at[index];
    const char *name = name_text(m->p->names, m->p->globals.at[b->of].name);
    if (b->read_only) return;
    vec_each (i, &m->replay->f->grounds->inputs) {
        const PathInput *x = &m->replay->f->grounds->inputs.at[i];
        if (x->root != INPUT_GLOBAL || x->depth != 1 || strcmp(x->global, name) != 0) continue;
        uint64_t n = x->bits / 8, at = (uint64_t)x->offsets[0];
        if (!n || n > 8 || at > b->size || n > b->size - at) continue;
        if (never_written(m->replay, (GlobalId){b->of}, x->offsets[0], n)) continue;
        uint64_t had = 0, wanted = (uint64_t)x->value;
        memcpy(&had, b->bytes + at, n);
        bool pointer = x->bits == 64 && (had == 0 || had >= FUNC_BASE);
        if (pointer && !had && !wanted) continue;
        if (pointer && wanted) {
            // Which value the path means is not known: the initial one is tried first.
            if (had && !wit_choose_either(m)) continue;
            wanted = choose_pointer(m, x, x, false).lo;
            b = &m->blocks.at[index];
        }
        memcpy(b->bytes + at, &wanted, n);
        if (b->known) memset(b->known + at, 1, n);
        if (wanted != had)
            wit_record_content(m, b->base + at, wit_word(wanted),
                               pointer ? mtype(MT_PTR, 8) : mtype(MT_INT, x->bits));
    }
}

// ---- calls

static bool is_outermost(const Machine *m)
{
    return m->frames.len == 1;
}

// What the path says of a result of the call under way, in its round; null: nothing.
static const PathInput *of_result(Machine *m, uint32_t part, bool fresh)
{
    Replayed *r = m->replay;
    if (!is_outermost(m)) return NULL;
    PathInput path = {.root = INPUT_RESULT,
                      .number = vec_last(&m->frames).at,
                      .part = part,
                      .fresh = fresh};
    uint64_t key = path.number | (uint64_t)(part + 1) << 32 | (uint64_t)fresh << 63;
    uint64_t *seen = map_at(&r->results, key, 0, NULL);
    return find_input(r, &path, (uint32_t)(*seen)++);
}

Value wit_choose_result(Machine *m, MType t, const SpecFunc *spec)
{
    PathInput path = {.root = INPUT_RESULT, .number = vec_last(&m->frames).at};
    if (mtype_class(t) == MT_VOID) return wit_word(0);
    const PathInput *given = of_result(m, 0, false);
    Value v = choose_value(m, is_outermost(m) ? &path : NULL, given, t, false);
    if (!given && spec && spec->bounded && mtype_class(t) == MT_INT) {
        uint32_t bits = mtype_size(t);
        if (wit_s(v, bits) < spec->least) v = wit_v((U128)(S128)spec->least, bits);
        if (spec->limited && wit_s(v, bits) > spec->most) v = wit_v((U128)(S128)spec->most, bits);
    }
    if (spec && spec->nonnull && mtype_class(t) == MT_PTR && !v.lo)
        v = wit_word(input_block(m, NULL));
    if (mtype_class(t) == MT_INT && mtype_size(t) > 1 && mtype_size(t) <= 64 && !(spec && spec->pure) &&
        wit_s(v, mtype_size(t)) < 0)
        m->failed = true;
    return v;
}

// The number that says why a call failed is above 0 then.
void wit_choose_error(Machine *m, uint64_t addr)
{
    MType number = mtype(MT_INT, 32);
    MemBlock *b = wit_block_at(m, addr);
    if (!b || !b->known || b->known[addr - b->base]) return;
    wit_choose_content(m, addr, number);
    if (m->ended || wit_s(wit_load(m, addr, number), 32) > 0) return;
    wit_write(m, addr, wit_bytes_of(&(Value){.lo = 1}, 4), 4);
}

static bool is_failure(const SpecFunc *spec, const PathInput *x)
{
    int64_t n = x->bits && x->bits < 64 ? (int64_t)wit_s(wit_word((uint64_t)x->value), x->bits) : x->value;
    switch (spec->fail) {
    case SPEC_NO_FAIL:
        return false;
    case SPEC_OR_NEGATIVE:
        return n < 0;
    case SPEC_OR_VALUE:
        return n == spec->fail_value;
    case SPEC_OR_NULL:
        break;
    }
    return n == 0;
}

bool wit_call_fails(Machine *m, const SpecFunc *spec, Dependence *of)
{
    static const int64_t both[] = {0, 1};
    Replayed *r = m->replay;
    *of = (Dependence){0};
    r->fresh = NULL;
    if (spec->fail == SPEC_NO_FAIL) return false;
    uint32_t ins = vec_last(&m->frames).at;
    if (is_outermost(m)) {
        if (r->next < r->f->grounds->choices.len && r->f->grounds->choices.at[r->next].ins == ins) {
            // Its failure is a fact of its own.
            bool fails = r->f->grounds->choices.at[r->next].taken;
            r->next++;
            return fails;
        }
        const PathInput *given = r->fresh = of_result(m, 0, true);
        if (given) return is_failure(spec, given);
        // A result that is an argument, or points into it, or is null.
        for (uint32_t part = RESULT_OR_NULL; part <= RESULT_INSIDE_OR_NULL; part++)
            if ((given = of_result(m, part, false))) return !given->value;
        if (ins + 1 == r->f->grounds->made_by) return false;
    }
    uint32_t index = choose(r, both, 2, 1, false);
    *of = choice_origin(index, false);
    return chosen(r, index) == 1;
}

// Whether the path says what the call under way answers.
bool wit_path_answers(const Machine *m)
{
    const Replayed *r = m->replay;
    uint32_t ins = vec_last(&m->frames).at;
    if (!is_outermost(m)) return false;
    vec_each (i, &r->f->grounds->inputs) {
        const PathInput *x = &r->f->grounds->inputs.at[i];
        if (x->root == INPUT_RESULT && x->number == ins && !x->fresh && !x->depth &&
            x->part <= RESULT_INSIDE_OR_NULL)
            return true;
    }
    return false;
}

bool wit_choose_either(Machine *m)
{
    static const int64_t both[] = {0, 1};
    uint32_t index = choose(m->replay, both, 2, 1, false);
    m->touched |= choice_bit(index);
    return chosen(m->replay, index) == 1;
}

// How far inside an argument the result points.
uint64_t wit_choose_offset(Machine *m)
{
    const PathInput *given = of_result(m, 1, false);
    return given && given->value > 0 && given->value < NEAR ? (uint64_t)given->value : 0;
}

// The number of a resource that is obtained: one that looks like nothing else, or the path's.
Value wit_choose_resource(Machine *m, uint32_t count)
{
    int64_t options[2] = {RESOURCE + count};
    const PathInput *given = m->replay->fresh;
    m->replay->fresh = NULL;
    if (given) options[1] = given->value;
    uint32_t index = choose(m->replay, options, given ? 2 : 1, 32, true);
    Value v = wit_v((U128)(S128)chosen(m->replay, index), 32);
    v.of = choice_origin(index, true);
    return v;
}

// Storage of the library (errno): what is in it is unknown after any other call of the library.
void wit_show_storage(Machine *m, uint32_t block)
{
    Replayed *r = m->replay;
    MemBlock *b = &m->blocks.at[block];
    if (is_outermost(m)) {
        PathInput path = {.root = INPUT_RESULT, .number = vec_last(&m->frames).at};
        vec_push(&r->places, path);
        b->place = r->places.len;
    }
    if (b->known && b->number == m->library_calls) return;
    b->number = m->library_calls;
    wit_forget(m, b->base, b->size);
}
