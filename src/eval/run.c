// The schedule of the run: independent components on several threads.
#include "eval/run.h"

#include "link/specs.h"

#include <stdlib.h>
#include <time.h>

void run_order(Shared *s)
{
    uint32_t n = s->program->sccs.len;
    s->rank = arena_array_of(s->arena, uint32_t, n);
    s->at_rank = arena_array_of(s->arena, uint32_t, n);
    s->done = arena_alloc(s->arena, n * sizeof *s->done);
    s->left_alone = arena_array_of(s->arena, bool, n);
    s->holds = arena_array_of(s->arena, bool, n);
    s->taken_up = arena_alloc(s->arena, n * sizeof *s->taken_up);
    s->made = arena_alloc(s->arena, n * sizeof *s->made);
    s->variables = bits_new(s->arena, s->program->globals.len);
    for (uint32_t g = 1; g < s->program->globals.len; g++)
        if (program_variable_spec(s->program, s->options.specs, (GlobalId){g})) bits_add(&s->variables, g);
    const SccId *order = s->options.points ? points_order(s->options.points, s->arena) : NULL;
    for (uint32_t r = 1; r < n; r++) {
        uint32_t scc = order ? order[r].id : r;
        s->at_rank[r] = scc;
        s->rank[scc] = r;
    }
}

// ---- who waits for whom

typedef struct {
    uint32_t rank, needs;
} Need;
typedef VEC(Need) Needs;

typedef void (*CalleeVisit)(void *context, uint32_t rank);

// All that the component may call, as far as that is known beforehand.
static void each_callee(const Shared *s, uint32_t rank, CalleeVisit visit, void *context)
{
    const Program *p = s->program;
    ProgRange r = p->sccs.at[s->at_rank[rank]];
    U32s targets = {0};
    for (uint32_t i = 0; i < r.count; i++) {
        FuncId f = p->order.at[r.first + i];
        ProgRange calls = p->funcs.at[f.id].calls;
        for (uint32_t k = 0; k < calls.count; k++) {
            CallSite site = p->calls.at[calls.first + k];
            if (site.callee.id) {
                visit(context, s->rank[p->funcs.at[site.callee.id].scc.id]);
                continue;
            }
            vec_clear(&targets);
            if (!s->options.points || !points_callees(s->options.points, f, site.ins, &targets)) continue;
            vec_each (t, &targets) visit(context, s->rank[p->funcs.at[targets.at[t]].scc.id]);
        }
    }
    vec_free(&targets);
}

typedef struct {
    Needs *needs;
    uint32_t *seen, rank;
} FindNeeds;

static void add_need(void *context, uint32_t other)
{
    FindNeeds *k = context;
    if (other >= k->rank || k->seen[other] == k->rank) return;
    k->seen[other] = k->rank;
    vec_push(k->needs, ((Need){k->rank, other}));
}

static void find_needs(const Shared *s, Needs *needs)
{
    uint32_t n = s->program->sccs.len;
    FindNeeds k = {needs, mem_alloc(n * sizeof *k.seen), 0};
    for (k.rank = 1; k.rank < n; k.rank++) each_callee(s, k.rank, add_need, &k);
    mem_free(k.seen);
}

// Counts and lists, by counting sort.
static void list_waiting(Shared *s)
{
    uint32_t n = s->program->sccs.len;
    Needs needs = {0};
    find_needs(s, &needs);
    s->waits = arena_array_of(s->arena, uint32_t, n);
    s->first_waiting = arena_array_of(s->arena, uint32_t, (size_t)n + 2);
    s->waiting = arena_array_of(s->arena, uint32_t, needs.len);
    vec_each (i, &needs) {
        s->waits[needs.at[i].rank]++;
        s->first_waiting[needs.at[i].needs + 2]++;
    }
    for (uint32_t r = 1; r < n + 2; r++) s->first_waiting[r] += s->first_waiting[r - 1];
    vec_each (i, &needs) s->waiting[s->first_waiting[needs.at[i].needs + 1]++] = needs.at[i].rank;
    vec_free(&needs);
}

// ---- the heap of ready components; the lock is held

static void make_ready(Shared *s, uint32_t rank)
{
    vec_push(&s->ready, rank);
    uint32_t i = s->ready.len - 1;
    for (; i && s->ready.at[(i - 1) / 2] > rank; i = (i - 1) / 2)
        s->ready.at[i] = s->ready.at[(i - 1) / 2];
    s->ready.at[i] = rank;
}

static uint32_t take_ready(Shared *s)
{
    uint32_t top = s->ready.at[0], last = vec_pop(&s->ready), i = 0;
    for (uint32_t child; (child = 2 * i + 1) < s->ready.len; i = child) {
        if (child + 1 < s->ready.len && s->ready.at[child + 1] < s->ready.at[child]) child++;
        if (s->ready.at[child] >= last) break;
        s->ready.at[i] = s->ready.at[child];
    }
    if (s->ready.len) s->ready.at[i] = last;
    return top;
}

static void is_done(Shared *s, uint32_t rank)
{
    atomic_store_explicit(&s->done[rank], true, memory_order_release);
    s->left--;
    if (s->options.progress)
        s->options.progress(s->options.progress_context, s->program->sccs.len - 1 - s->left,
                            s->program->sccs.len - 1);
    for (uint32_t i = s->first_waiting[rank]; i < s->first_waiting[rank + 1]; i++)
        if (--s->waits[s->waiting[i]] == 0) make_ready(s, s->waiting[i]);
    pthread_cond_broadcast(&s->changed);
}

// ---- the work

void run_take_up(Eval *e, uint32_t rank)
{
    Shared *s = e->shared;
    if (atomic_load_explicit(&s->made[rank], memory_order_acquire)) return;
    bool taken = atomic_exchange(&s->taken_up[rank], true);
    if (!taken) {
        Eval view = eval_view(s, e->arena, rank);
        eval_component(&view, s->at_rank[rank], false);
    }
    pthread_mutex_lock(&s->lock);
    if (!taken) {
        atomic_store_explicit(&s->made[rank], true, memory_order_release);
        pthread_cond_broadcast(&s->changed);
    }
    // Whoever took it needs components of lower ranks alone, so nobody waits for ever.
    while (!s->made[rank]) pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

typedef struct {
    const Shared *shared;
    uint32_t caller; // only what is before it is done
    Map seen;
    U32s open, found;
} LeftAlone;

static void note_left_alone(void *context, uint32_t rank)
{
    LeftAlone *k = context;
    const Shared *s = k->shared;
    bool fresh;
    if (rank >= k->caller || !s->left_alone[rank] || atomic_load_explicit(&s->made[rank], memory_order_acquire)) return;
    map_at(&k->seen, rank, 0, &fresh);
    if (!fresh) return;
    vec_push(&k->open, rank);
    vec_push(&k->found, rank);
}

static int by_rank(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// What was left alone and may be asked for from here, callees first: one at a time, where the evaluation would begin them
// inside of each other.
static void take_up_callees(Eval *e, uint32_t rank)
{
    LeftAlone k = {.shared = e->shared};
    vec_push(&k.open, rank);
    while (k.open.len) {
        k.caller = vec_pop(&k.open);
        each_callee(e->shared, k.caller, note_left_alone, &k);
    }
    if (k.found.len) qsort(k.found.at, k.found.len, sizeof *k.found.at, by_rank);
    vec_each (i, &k.found) run_take_up(e, k.found.at[i]);
    map_free(&k.seen);
    vec_free(&k.open);
    vec_free(&k.found);
}

static bool evaluate_rank(Shared *s, Arena *arena, uint32_t rank, bool patient)
{
    Eval view = eval_view(s, arena, rank);
    s->holds[rank] = component_holds(s, rank);
    s->left_alone[rank] = !s->holds[rank] && quiet_component(s, rank);
    if (s->left_alone[rank]) return true;
    take_up_callees(&view, rank);
    return eval_component(&view, s->at_rank[rank], patient);
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// Another machine is at it. It is tried again soon, then less often; a store that says so for ever is
// not believed. Only when something is done depends on this, never what comes out.
static void put_off(Shared *s, uint32_t rank, uint32_t tries)
{
    int64_t now = now_ms();
    uint32_t pause = PUT_OFF_MS << (tries < PUT_OFF_DOUBLED ? tries : PUT_OFF_DOUBLED);
    bool fresh;
    map_at(&s->put_off_until, rank, (uint64_t)now + 2 * recall_claim_ms(s->recall, s->at_rank[rank]),
           &fresh);
    vec_push(&s->put_off, ((PutOff){rank, tries + 1, now + pause}));
}

// What is due is tried; the lock is held.
static void bring_back(Shared *s)
{
    int64_t now = s->put_off.len ? now_ms() : 0;
    for (uint32_t i = 0; i < s->put_off.len;) {
        PutOff *p = &s->put_off.at[i];
        if (p->due > now) {
            i++;
            continue;
        }
        map_set(&s->tries, p->rank, p->tries);
        make_ready(s, p->rank);
        *p = vec_last(&s->put_off);
        s->put_off.len--;
    }
}

// Until something is ready or done, or due again; the lock is held.
static void wait_for_change(Shared *s)
{
    int64_t due = INT64_MAX;
    vec_each (i, &s->put_off)
        if (s->put_off.at[i].due < due) due = s->put_off.at[i].due;
    struct timespec until = {due / 1000, due % 1000 * 1000000};
    if (s->put_off.len)
        pthread_cond_timedwait(&s->changed, &s->lock, &until);
    else
        pthread_cond_wait(&s->changed, &s->lock);
    bring_back(s);
}

// The lock is held before and after.
static void take_and_evaluate(Shared *s, Arena *arena)
{
    uint32_t rank = take_ready(s);
    const uint64_t *until = map_get(&s->put_off_until, rank), *before = map_get(&s->tries, rank);
    uint32_t tries = before ? (uint32_t)*before : 0;
    bool patient = !until || now_ms() < (int64_t)*until;
    pthread_mutex_unlock(&s->lock);
    bool done = evaluate_rank(s, arena, rank, patient);
    pthread_mutex_lock(&s->lock);
    if (done)
        is_done(s, rank);
    else
        put_off(s, rank, tries);
    bring_back(s);
}

// Nobody waits for ever: the lowest rank that is not done waits for nothing, and whoever waits for
// a higher one may take it when it is ready.
void run_wait(Eval *e, uint32_t rank)
{
    Shared *s = e->shared;
    pthread_mutex_lock(&s->lock);
    while (!s->done[rank]) {
        if (s->ready.len && s->ready.at[0] <= rank)
            take_and_evaluate(s, e->arena);
        else
            wait_for_change(s);
    }
    pthread_mutex_unlock(&s->lock);
}

typedef struct {
    Shared *shared;
    Arena *arena;
    pthread_t thread;
    bool started;
} Worker;

static void *work(void *context)
{
    Worker *w = context;
    Shared *s = w->shared;
    pthread_mutex_lock(&s->lock);
    while (s->left) {
        if (s->ready.len)
            take_and_evaluate(s, w->arena);
        else
            wait_for_change(s);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

void run_all(Shared *s)
{
    uint32_t n = s->program->sccs.len, threads = s->options.threads;
    s->left = n ? n - 1 : 0;
    list_waiting(s);
    for (uint32_t r = 1; r < n; r++)
        if (!s->waits[r]) make_ready(s, r);
    if (threads > s->left) threads = s->left;
    Worker *workers = mem_alloc(sizeof *workers * (threads ? threads : 1));
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    for (uint32_t i = 1; i < threads; i++) {
        workers[i] = (Worker){.shared = s, .arena = arena_new("summaries")};
        workers[i].started = !pthread_create(&workers[i].thread, &attr, work, &workers[i]);
    }
    pthread_attr_destroy(&attr);
    work(&(Worker){.shared = s, .arena = s->arena});
    for (uint32_t i = 1; i < threads; i++) {
        if (workers[i].started) pthread_join(workers[i].thread, NULL);
        vec_push(&s->arenas, workers[i].arena);
    }
    mem_free(workers);
    vec_free(&s->ready);
    vec_free(&s->put_off);
    map_free(&s->put_off_until);
    map_free(&s->tries);
}
