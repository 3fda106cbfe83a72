// The replay of a finding: its function is run from its entry, callees' code included, with inputs
// from a model of the path's facts, and what becomes of the block is looked at.
//
// Input memory is made on first touch: a parameter that is a pointer leads to a block of unknown
// content; what is read there first is what the model says of it, else a free choice. So are the
// results of unknown functions, and whether a call inside a callee fails. When a run leaves the path
// (a branch of the function goes another way than the finding's) or ends without an answer, the
// last free choice before that is changed and the function run again, a few times.
//
//   witnessed   a run made the path's choices, and the block was allocated and reached from
//               nowhere when the function returned; or the misuse happened at that place
//   refuted     runs made the path's choices and it never happened, and no free choice is left
//   undecided   everything else, with the reason of the first run
#include "witness/replay.h"
#include "finding/grounds.h"
#include "unit/cfg.h"
#include "witness/witness_int.h"

enum {
    RUNS = 24,
    STEPS = 20000, // of one run
    BYTES = 8 << 20,
    INPUT_BYTES = 4096,
    INPUT_BLOCKS = 64, // beyond these pointers are null
};

typedef struct {
    uint32_t count, pick;
} Free;

struct Replayed {
    const Finding *f;
    FuncId func;
    const Unit *u;
    const Func *body;
    VEC(PathInput) places; // of input blocks; value is not used
    VEC(Free) frees;
    U32s plan;
    uint32_t next; // choice of the path that comes next
    uint32_t blocks;
    Map results;  // instruction -> how often it was executed
    Map pointers; // number that the model gave a pointer -> address
    VEC(int64_t) hints; // numbers that branches compared with where runs left the path
    const Cfg *cfg;
};

static uint32_t choose(Replayed *r, uint32_t count)
{
    Free f = {count, r->frees.len < r->plan.len ? r->plan.at[r->frees.len] : 0};
    if (f.pick >= count) f.pick = 0;
    vec_push(&r->frees, f);
    return f.pick;
}

// The next run's choices: the last one that has another way gets it. False when none has.
static bool next_plan(Replayed *r)
{
    uint32_t i = r->frees.len;
    while (i && r->frees.at[i - 1].pick + 1 >= r->frees.at[i - 1].count) i--;
    if (!i) return false;
    vec_clear(&r->plan);
    for (uint32_t k = 0; k < i; k++) vec_push(&r->plan, r->frees.at[k].pick + (k == i - 1));
    return true;
}

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

// A pointer that comes from outside.
static uint64_t choose_pointer(Machine *m, const PathInput *path, const PathInput *given, bool deep)
{
    Replayed *r = m->replay;
    if (given) {
        if (!given->value) return 0;
        uint64_t *known = map_get(&r->pointers, (uint64_t)given->value);
        if (known) return *known;
        uint64_t at = input_block(m, path);
        map_set(&r->pointers, (uint64_t)given->value, at);
        return at;
    }
    if (r->blocks >= INPUT_BLOCKS) return 0;
    bool null = choose(r, 2) != deep;
    return null ? 0 : input_block(m, path);
}

static Value choose_number(Machine *m, const PathInput *given, uint32_t bits)
{
    static const int64_t tries[] = {0, 1, -1};
    Replayed *r = m->replay;
    if (given) return wit_v((U128)(S128)given->value, bits);
    uint32_t pick = choose(r, 3 + r->hints.len);
    return wit_v((U128)(S128)(pick < 3 ? tries[pick] : r->hints.at[pick - 3]), bits);
}

static Value choose_value(Machine *m, const PathInput *path, const PathInput *given, MType t,
                          bool deep)
{
    if (mtype_class(t) == MT_PTR) return wit_word(choose_pointer(m, path, given, deep));
    if (mtype_class(t) == MT_INT && mtype_size(t) <= 64) return choose_number(m, given, mtype_size(t));
    return wit_const(m, 0, &(Const){.kind = CONST_ZERO, .type = t.bits});
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
        path.offsets[path.depth++] = (int64_t)(addr - b->base);
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
    wit_record_content(m, addr, v, t);
}

// What the path needs of a global that has an initial value of its own. That the program stores
// such a value somewhere is believed: errs towards a witness.
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
        uint64_t had = 0, wanted = (uint64_t)x->value;
        memcpy(&had, b->bytes + at, n);
        bool pointer = x->bits == 64 && (had == 0 || had >= FUNC_BASE);
        if (pointer && (had != 0) == (wanted != 0)) continue;
        if (pointer && wanted) {
            wanted = choose_pointer(m, x, x, false);
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

Value wit_choose_result(Machine *m, MType t, const SpecFunc *spec)
{
    Replayed *r = m->replay;
    PathInput path = {.root = INPUT_RESULT, .number = vec_last(&m->frames).at};
    const PathInput *given = NULL;
    if (mtype_class(t) == MT_VOID) return wit_word(0);
    if (is_outermost(m)) {
        uint64_t *seen = map_at(&r->results, path.number, 0, NULL);
        given = find_input(r, &path, (uint32_t)(*seen)++);
    }
    Value v = choose_value(m, is_outermost(m) ? &path : NULL, given, t, false);
    if (!given && spec && spec->bounded && mtype_class(t) == MT_INT) {
        uint32_t bits = mtype_size(t);
        if (wit_s(v, bits) < spec->least) v = wit_v((U128)(S128)spec->least, bits);
    }
    if (spec && spec->nonnull && mtype_class(t) == MT_PTR && !v.lo)
        v = wit_word(input_block(m, NULL));
    return v;
}

bool wit_call_fails(Machine *m, const SpecFunc *spec)
{
    Replayed *r = m->replay;
    if (spec->fail == SPEC_NO_FAIL) return false;
    if (!is_outermost(m)) return choose(r, 2) == 1;
    uint32_t ins = vec_last(&m->frames).at;
    if (r->next < r->f->grounds->choices.len && r->f->grounds->choices.at[r->next].ins == ins) {
        // Its failure is a fact of its own.
        bool fails = r->f->grounds->choices.at[r->next].taken;
        r->next++;
        return fails;
    }
    PathInput path = {.root = INPUT_RESULT, .number = ins, .fresh = true};
    uint64_t *seen = map_at(&r->results, ins | (uint64_t)1 << 32, 0, NULL);
    const PathInput *given = find_input(r, &path, (uint32_t)(*seen)++);
    if (given) return given->value == 0;
    return ins + 1 != r->f->grounds->made_by && choose(r, 2) == 1;
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

// ---- the path

static Op choice_op(const Replayed *r, uint32_t i)
{
    uint32_t ins = r->f->grounds->choices.at[i].ins;
    return ins < r->body->ins_count ? (Op)func_ins(r->u, r->body, ins)->op : OP_NOP;
}

// What the evaluation settled at a call or a switch is not compared: only where it stood.
void wit_pass(Machine *m, uint32_t ins)
{
    Replayed *r = m->replay;
    while (r->next < r->f->grounds->choices.len && r->f->grounds->choices.at[r->next].ins == ins &&
           choice_op(r, r->next) != OP_BRANCH)
        r->next++;
}

// What the observed value should have been: the number that it was compared with, or one beside it.
static void note_hint(Replayed *r, uint32_t ins)
{
    enum { MOST = 6 };
    Ref on = {func_ins(r->u, r->body, ins)->a};
    if (!ref_is_ins(on)) return;
    const Ins *c = func_ins(r->u, r->body, ref_index(on));
    if (c->op < OP_EQ || c->op > OP_SLE) return;
    uint32_t sides[2] = {c->a, c->b};
    for (int i = 0; i < 2; i++) {
        Ref side = {sides[i]};
        const Const *k = ref_is_const(side) ? &r->u->consts.at[ref_index(side)] : NULL;
        if (!k || k->kind != CONST_INT) continue;
        int64_t numbers[3] = {k->value, (int64_t)((uint64_t)k->value + 1),
                              (int64_t)((uint64_t)k->value - 1)};
        for (int n = 0; n < (c->op >= OP_ULT ? 3 : 1); n++) {
            bool known = r->hints.len >= MOST || (numbers[n] >= -1 && numbers[n] <= 1);
            vec_each (h, &r->hints) known |= r->hints.at[h] == numbers[n];
            if (!known) vec_push(&r->hints, numbers[n]);
        }
    }
}

void wit_follow(Machine *m, uint32_t ins, bool taken)
{
    Replayed *r = m->replay;
    if (r->next >= r->f->grounds->choices.len || r->f->grounds->choices.at[r->next].ins != ins) return;
    if (r->f->grounds->choices.at[r->next].taken == taken) {
        r->next++;
        return;
    }
    note_hint(r, ins);
    // A loop that was generalised gets there in a later round.
    if (!r->cfg->loop_of[func_block_of(r->u, r->body, ins)]) wit_stop(m, STOP_LEFT_PATH, "%s", "");
}

// ---- one run

typedef enum { RUN_HAPPENED, RUN_NOT, RUN_OFF, RUN_UNKNOWN } Outcome;

static WitnessMisuse misuse_of(Rule rule)
{
    switch (rule) {
    case RULE_DOUBLE_FREE:
        return MISUSE_DOUBLE_FREE;
    case RULE_USE_AFTER_FREE:
        return MISUSE_USE_AFTER_FREE;
    case RULE_INVALID_FREE:
        return MISUSE_INVALID_FREE;
    case RULE_MISMATCHED_FREE:
        return MISUSE_MISMATCHED_FREE;
    default:
        return MISUSE_NONE;
    }
}

static void start(Machine *m)
{
    Replayed *r = m->replay;
    enum { MOST = 64 };
    Arg args[MOST] = {0};
    uint32_t n = r->body->param_count;
    if (n > MOST) {
        wit_stop(m, STOP_LIBRARY, "%s", "very many parameters");
        return;
    }
    for (uint32_t i = 0; i < n && !m->ended; i++) {
        const Param *p = &r->u->params.at[r->body->first_param + i];
        PathInput path = {.root = INPUT_PARAM, .number = i};
        const PathInput *given = find_input(r, &path, 0);
        args[i].type = p->mtype;
        if (p->flags & (PARAM_BYVAL | PARAM_SRET | PARAM_THIS))
            args[i].value = wit_word(input_block(m, &path));
        else
            args[i].value = choose_value(m, &path, given, p->mtype, false);
        wit_record_arg(m, i, args[i].value);
    }
    if (m->ended) return;
    wit_push_frame(m, r->func, args, n, false);
    wit_loop(m, 0);
}

static Outcome outcome_of(Machine *m)
{
    Replayed *r = m->replay;
    WitnessMisuse wanted = misuse_of(r->f->rule);
    bool followed = r->next >= r->f->grounds->choices.len;
    if (m->ended && m->end == WITNESS_MISUSED) {
        uint32_t at = m->frames.len ? m->frames.at[0].at : 0;
        if (wanted && m->misuse == wanted && r->f->grounds->lost_by == at + 1) return RUN_HAPPENED;
        if (m->misuse == MISUSE_NULL || m->misuse == MISUSE_OUT_OF_BOUNDS) {
            m->stop = STOP_WILD;
            return RUN_UNKNOWN;
        }
        return RUN_OFF;
    }
    if (m->ended && m->end == WITNESS_STOPPED)
        return m->stop == STOP_LEFT_PATH ? RUN_OFF : RUN_UNKNOWN;
    if (m->ended) {
        m->stop = STOP_ENDS;
        return RUN_UNKNOWN;
    }
    if (wanted) return followed ? RUN_NOT : RUN_OFF;
    bool made = false;
    bool lost = wit_lost(m, r->f->grounds->made_by - 1, &made);
    if (!made) return RUN_OFF;
    if (lost && followed) return RUN_HAPPENED;
    if (followed && m->kept.len) {
        m->kept.len = 0;
        if (wit_lost(m, r->f->grounds->made_by - 1, &made)) {
            m->stop = STOP_GIVEN;
            return RUN_UNKNOWN;
        }
    }
    return followed ? RUN_NOT : RUN_OFF;
}

// Runs the function once; `record` may be null.
static Outcome run_once(Machine *m, Replayed *r, Arena *scratch, const Program *p,
                        const SpecTable *specs, Recorder *record)
{
    WitnessOptions limits = {.steps = STEPS, .bytes = BYTES};
    wit_machine_init(m, scratch, p, specs, &limits);
    m->replay = r;
    m->record = record;
    r->next = r->blocks = 0;
    vec_clear(&r->frees);
    vec_clear(&r->places);
    map_clear(&r->results);
    map_clear(&r->pointers);
    if (!m->ended) start(m);
    return outcome_of(m);
}

// The run that showed it once more, for the record: the same choices, so the same run.
static Witness *tell(Arena *a, Replayed *r, const Program *p, const SpecTable *specs)
{
    Arena *scratch = arena_new("replay");
    Machine m;
    Outcome o = run_once(&m, r, scratch, p, specs, wit_record_new(a, p, r->func));
    if (o != RUN_HAPPENED) die("witness: a replay of '%s' differs from itself", r->f->function);
    Witness *w = wit_record_end(&m);
    wit_machine_free(&m);
    arena_free(scratch);
    return w;
}

WitnessReplay witness_replay(Arena *a, const Program *p, const SpecTable *specs, FuncId func,
                             const Finding *f)
{
    WitnessReplay result = {.verdict = REPLAY_UNDECIDED, .text = ""};
    Replayed r = {.f = f, .func = func};
    r.body = program_body(p, func, &r.u);
    bool leak = f->rule == RULE_LEAK || f->rule == RULE_RESOURCE_LEAK;
    if (!r.body || f->grounds->no_model || (!leak && !misuse_of(f->rule)) || (leak && !f->grounds->made_by)) {
        result.stop = STOP_NO_MODEL;
        return result;
    }
    bool unlike = false, open = false;
    Arena *shape = arena_new("replay");
    r.cfg = cfg_build(shape, r.u, r.body);
    for (uint32_t run = 0; run < RUNS; run++) {
        Arena *scratch = arena_new("replay");
        Machine m;
        Outcome o = run_once(&m, &r, scratch, p, specs, NULL);
        result.steps += m.steps;
        if (o == RUN_HAPPENED) result.verdict = REPLAY_WITNESSED;
        if (o == RUN_NOT) unlike = true;
        if (o == RUN_UNKNOWN) open = true;
        if (run == 0 && o != RUN_HAPPENED) {
            result.stop = o == RUN_UNKNOWN ? m.stop : STOP_LEFT_PATH;
            result.detail = arena_strdup(a, o == RUN_UNKNOWN ? m.detail : "");
        }
        wit_machine_free(&m);
        arena_free(scratch);
        if (o == RUN_HAPPENED) break;
        if (!next_plan(&r)) {
            if (unlike && !open) result.verdict = REPLAY_REFUTED;
            break;
        }
    }
    result.runs++;
    if (result.verdict != REPLAY_UNDECIDED) result.stop = STOP_NONE;
    if (result.verdict == REPLAY_WITNESSED) {
        result.witness = tell(a, &r, p, specs);
        result.text = witness_words(a, result.witness);
    }
    arena_free(shape);
    vec_free(&r.hints);
    vec_free(&r.places);
    vec_free(&r.frees);
    vec_free(&r.plan);
    map_free(&r.results);
    map_free(&r.pointers);
    return result;
}
