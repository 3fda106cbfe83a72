// The replay of a finding: its function is run from its entry, callees' code included, with inputs
// from a model of the path's facts, and what becomes of the block is looked at.
//
// Input memory is made on first touch: a parameter that is a pointer leads to a block of unknown
// content; what is read there first is what the model says of it, else a free choice. So are the
// results of unknown functions, and whether a call inside a callee fails. When a run leaves the path
// (a branch of the function goes another way than the finding's) or ends without an answer, the
// last free choice before that is changed and the function run again, a few times. First loops take the
// path's rounds; where no such run shows it they may take others.
//
//   witnessed   a run made the path's choices, and the block was allocated and reached from
//               nowhere when the function returned; or the misuse happened at that place
//   refuted     runs made the path's choices and it never happened, and no free choice is left
//   undecided   everything else, with the reason of the first run
#include "witness/replay_int.h"

// ---- the path

static const PathChoice *next_choice(const Replayed *r, uint32_t ins)
{
    if (r->next >= r->f->grounds->choices.len) return NULL;
    const PathChoice *c = &r->f->grounds->choices.at[r->next];
    return c->ins == ins ? c : NULL;
}

// After a branch that went another way: the path goes on where the run comes to it again.
static void find_path(Replayed *r, uint32_t ins)
{
    for (uint32_t i = r->next; r->strayed && i < r->f->grounds->choices.len; i++)
        if (r->f->grounds->choices.at[i].ins == ins) {
            r->next = i;
            return;
        }
}

void wit_enter(Machine *m, uint32_t ins)
{
    Replayed *r = m->replay;
    r->at = ins;
    if (ins + 1 == r->f->grounds->made_by) {
        r->passed |= r->obtained && r->f->grounds->made_by == r->f->grounds->lost_by;
        r->obtained = true;
    } else if (r->obtained && ins + 1 == r->f->grounds->lost_by) {
        r->passed = true;
    }
}

// What the evaluation settled at a call is not compared: only where it stood.
void wit_pass(Machine *m, uint32_t ins)
{
    while (next_choice(m->replay, ins)) m->replay->next++;
}

static void went(Machine *m, uint32_t ins, bool right, uint64_t on)
{
    Replayed *r = m->replay;
    if (right) {
        r->next++;
        r->blame = r->since = 0;
        return;
    }
    r->blame |= on;
    // A loop that was generalised may get there in a later round. And where paths were merged, facts
    // and choices need not be of the same one: then the facts decide.
    if (r->tolerant && r->cfg->loop_of[func_block_of(r->u, r->body, ins)]) return;
    // Options that a later comparison added were not there when the run that showed it passed here.
    if (!r->telling && search_has(r, on)) {
        wit_stop(m, STOP_LEFT_PATH, "%s", "");
        return;
    }
    r->strayed = true;
    r->next++;
}

void wit_follow(Machine *m, uint32_t ins, Value condition)
{
    Replayed *r = m->replay;
    find_path(r, ins);
    const PathChoice *c = next_choice(r, ins);
    r->since |= condition.of.on;
    if (c) went(m, ins, c->taken == (condition.lo & 1), condition.of.on);
}

// Of a switch the path knows where it leads to, and maybe more, which is not compared.
void wit_follow_switch(Machine *m, uint32_t ins, uint32_t to, uint64_t on)
{
    Replayed *r = m->replay;
    r->since |= on;
    find_path(r, ins);
    while (next_choice(r, ins) && !next_choice(r, ins)->to) r->next++;
    const PathChoice *c = next_choice(r, ins);
    if (c) went(m, ins, c->to == to + 1, on);
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
    Arg args[PARAMS_MAX] = {0};
    uint32_t n = r->body->param_count;
    if (n > PARAMS_MAX) {
        wit_stop(m, STOP_LIBRARY, "%s", "very many parameters");
        return;
    }
    for (uint32_t i = 0; i < n && !m->ended; i++) {
        args[i].type = r->u->params.at[r->body->first_param + i].mtype;
        args[i].value = input_param(m, i);
        wit_record_arg(m, i, args[i].value);
    }
    if (m->ended) return;
    wit_push_frame(m, r->func, args, n, false);
    wit_loop(m, 0);
}

// What the finding's instruction brought is lost: nothing leads to it, or it should not be held any more.
static bool is_lost(Machine *m, bool frames, bool *made)
{
    const Finding *f = m->replay->f;
    return wit_lost(m, f->grounds->made_by - 1, frames, f->loss == LOSS_HELD && !frames, made);
}

// The run ended before the function returned: what is lost by then is lost.
static bool lost_early(Machine *m)
{
    Replayed *r = m->replay;
    bool made = false;
    return r->passed && rule_piles_up(r->f->rule) && is_lost(m, true, &made);
}

// What the instruction that ended the run, and the branches that led to it, depend on.
static uint64_t blame_here(Machine *m)
{
    if (!m->frames.len) return 0;
    const Frame f = vec_last(&m->frames);
    const Ins *ins = func_ins(f.u, f.f, f.at);
    uint64_t on = f.on;
    uint32_t count = ins->op == OP_LOAD ? 1 : ins->op == OP_STORE ? 2 : 0;
    if (ins->op == OP_COPY || ins->op == OP_FILL) count = 3;
    uint32_t refs[3] = {ins->a, ins->b, ins->c};
    for (uint32_t i = 0; i < count; i++) on |= wit_ref(m, &f, refs[i]).of.on;
    if (ins->op == OP_CALL || ins->op == OP_INVOKE)
        for (uint32_t i = 0; i < ins->c; i++)
            on |= wit_ref(m, &f, *func_extra(f.u, f.f, ins->b + i)).of.on;
    return on;
}

static Outcome ended_early(Machine *m)
{
    Replayed *r = m->replay;
    if (m->end != WITNESS_STOPPED || m->stop != STOP_LEFT_PATH) r->blame |= blame_here(m);
    WitnessMisuse wanted = misuse_of(r->f->rule);
    if (m->end == WITNESS_MISUSED) {
        uint32_t at = m->frames.len ? m->frames.at[0].at : 0;
        if (wanted && m->misuse == wanted && r->f->grounds->lost_by == at + 1) return RUN_HAPPENED;
    }
    if (lost_early(m)) return RUN_HAPPENED;
    if (m->end == WITNESS_MISUSED && m->misuse != MISUSE_NULL && m->misuse != MISUSE_OUT_OF_BOUNDS)
        return RUN_OFF;
    if (m->end == WITNESS_MISUSED) {
        m->stop = STOP_WILD;
        search_smaller(r, r->blame);
    }
    if (m->end != WITNESS_STOPPED && m->end != WITNESS_MISUSED) m->stop = STOP_ENDS;
    return m->stop == STOP_LEFT_PATH ? RUN_OFF : RUN_UNKNOWN;
}

// The path's choices were made and it did not happen. Where code that nobody has seen could change
// memory, that says nothing.
static Outcome not_shown(Machine *m)
{
    if (!m->unseen) return RUN_NOT;
    m->stop = STOP_UNSEEN;
    return RUN_UNKNOWN;
}

static Outcome outcome_of(Machine *m)
{
    Replayed *r = m->replay;
    bool followed = r->next >= r->f->grounds->choices.len && !r->strayed;
    if (m->ended) return ended_early(m);
    if (misuse_of(r->f->rule)) return followed ? not_shown(m) : RUN_OFF;
    bool made = false;
    bool lost = is_lost(m, false, &made);
    if (!made) return RUN_OFF;
    if (lost && (followed || r->passed)) return RUN_HAPPENED;
    if (followed && m->kept.len) {
        m->kept.len = 0;
        if (is_lost(m, false, &made)) {
            m->stop = STOP_GIVEN;
            return RUN_UNKNOWN;
        }
    }
    return followed ? not_shown(m) : RUN_OFF;
}

static void begin_run(Replayed *r)
{
    r->next = r->blocks = r->made = r->at = 0;
    r->obtained = r->passed = r->strayed = false;
    r->blame = r->since = r->making = r->between = 0;
    vec_clear(&r->places);
    vec_clear(&r->origin);
    map_clear(&r->results);
    map_clear(&r->pointers);
    map_clear(&r->origins);
}

// Runs the function once; `record` may be null.
static Outcome run_once(Machine *m, Replayed *r, Arena *scratch, Recorder *record)
{
    WitnessOptions limits = {.steps = STEPS, .bytes = BYTES};
    wit_machine_init(m, scratch, r->facts->program, r->facts->specs, &limits);
    m->replay = r;
    m->read = r->read;
    m->goes_on = rule_piles_up(r->f->rule);
    m->record = record;
    begin_run(r);
    if (!m->ended) start(m);
    return outcome_of(m);
}

// The run that showed it once more, for the record: the same choices, so the same run.
static Witness *tell(Arena *a, Replayed *r)
{
    Arena *scratch = arena_new("replay");
    Machine m;
    r->kept = r->made;
    r->telling = true;
    Outcome o = run_once(&m, r, scratch, wit_record_new(a, r->facts->program, r->func));
    if (o != RUN_HAPPENED) die("witness: a replay of '%s' differs from itself", r->f->function);
    Witness *w = wit_record_end(&m);
    wit_machine_free(&m);
    arena_free(scratch);
    return w;
}

// Where a run ended, for people: the line of the outermost function.
static const char *place_text(Arena *a, const Machine *m)
{
    const Replayed *r = m->replay;
    uint32_t at = m->frames.len ? m->frames.at[0].at : 0;
    Loc l = at < r->body->ins_count ? r->u->locs.at[func_ins(r->u, r->body, at)->loc] : (Loc){0};
    return l.line ? arena_printf(a, "line %u", l.line) : "";
}

WitnessReplay witness_replay(Arena *a, const Facts *facts, FuncId func, const Finding *f, bool brief,
                             WitnessKept *kept)
{
    WitnessReplay result = {.verdict = REPLAY_UNDECIDED, .text = ""};
    Replayed r = {.facts = facts, .f = f, .func = func, .read = kept};
    r.body = program_body(facts->program, func, &r.u);
    bool leak = rule_piles_up(f->rule);
    if (!r.body || f->grounds->no_model || (!leak && !misuse_of(f->rule)) || (leak && !f->grounds->made_by)) {
        result.stop = STOP_NO_MODEL;
        return result;
    }
    bool unlike = false, open = false, left = true;
    int64_t furthest = -1; // the run that got furthest tells why it is undecided
    Arena *shape = arena_new("replay");
    r.cfg = cfg_build(shape, r.u, r.body);
    uint32_t runs = brief ? SHORT_RUNS : RUNS, steps = brief ? SHORT_STEPS : ALL_STEPS;
    while (left && result.runs < runs && result.steps < steps) {
        if (!r.tolerant && result.runs >= runs / 2) search_again(&r);
        Arena *scratch = arena_new("replay");
        Machine m;
        Outcome o = run_once(&m, &r, scratch, NULL);
        result.steps += m.steps;
        result.runs++;
        if (o == RUN_HAPPENED) result.verdict = REPLAY_WITNESSED;
        if (o == RUN_NOT) unlike = true;
        if (o == RUN_UNKNOWN) open = true;
        if (o != RUN_HAPPENED && furthest < (int64_t)r.next) {
            furthest = r.next;
            result.stop = o == RUN_UNKNOWN ? m.stop : o == RUN_NOT ? STOP_NOT_SHOWN : STOP_LEFT_PATH;
            result.detail = o == RUN_UNKNOWN && *m.detail ? arena_strdup(a, m.detail)
                            : o == RUN_NOT                ? ""
                                                          : place_text(a, &m);
        }
        WitnessStop stop = m.stop;
        wit_machine_free(&m);
        arena_free(scratch);
        if (o == RUN_OFF && !r.blame) r.blame = r.obtained ? r.making : r.since;
        if (o == RUN_NOT || (o == RUN_UNKNOWN && stop == STOP_UNSEEN)) r.blame = r.between;
        left = o != RUN_HAPPENED && (search_next(&r) || search_again(&r));
    }
    if (!left && !r.spent && result.verdict != REPLAY_WITNESSED && unlike && !open)
        result.verdict = REPLAY_REFUTED;
    if (result.verdict != REPLAY_UNDECIDED) result.stop = STOP_NONE;
    if (result.verdict == REPLAY_WITNESSED) {
        result.witness = tell(a, &r);
        result.text = witness_words(a, result.witness);
    }
    arena_free(shape);
    vec_free(&r.places);
    map_free(&r.results);
    map_free(&r.pointers);
    search_free(&r);
    return result;
}
