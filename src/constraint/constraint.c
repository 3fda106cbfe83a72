// Propagation over tables with a trail and reasons, as in satisfiability solvers; search by
// chronological backtracking inside a component.
#include "constraint/constraint.h"

#include "constraint/limits.h"

static const uint64_t column[CON_VARS] = {0xaaaaaaaaaaaaaaaau, 0xccccccccccccccccu,
                                          0xf0f0f0f0f0f0f0f0u, 0xff00ff00ff00ff00u,
                                          0xffff0000ffff0000u, 0xffffffff00000000u};

static uint64_t all_rows(uint32_t count)
{
    return count == CON_VARS ? UINT64_MAX : ((uint64_t)1 << (1u << count)) - 1;
}

void system_init(System *s)
{
    *s = (System){.var_count = 2};
}

void system_free(System *s)
{
    vec_free(&s->cons);
    vec_free(&s->cores);
    vec_free(&s->violations);
    vec_free(&s->trail);
    mem_free(s->value);
    mem_free(s->reason);
    mem_free(s->first);
    mem_free(s->uses);
    mem_free(s->group);
    mem_free(s->active);
}

uint32_t system_var(System *s)
{
    return s->var_count++;
}

// Keeps the rows in which column k is `one` and closes the gap that the column leaves.
static uint64_t without_column(uint64_t rows, uint32_t count, uint32_t k, bool one)
{
    uint64_t kept = 0;
    for (uint32_t r = 0; r < 1u << count; r++)
        if ((rows >> r & 1) && (r >> k & 1) == one) {
            uint32_t low = r & ((1u << k) - 1), high = r >> (k + 1);
            kept |= (uint64_t)1 << (high << k | low);
        }
    return kept;
}

// Two columns of one variable: only rows in which they agree.
static uint64_t where_equal(uint64_t rows, uint32_t j, uint32_t k)
{
    return rows & ~(column[j] ^ column[k]);
}

void system_add(System *s, ConTag tag, uint64_t rows, uint32_t count, const uint32_t *vars)
{
    Constraint c = {.prio = tag.prio, .kind = tag.kind, .place = tag.place, .value = tag.value};
    c.path = tag.path ? tag.path : tag.place;
    if (count > CON_VARS) die("a constraint over %u variables", count);
    c.rows = rows & all_rows(count);
    uint32_t n = count;
    memcpy(c.vars, vars, n * sizeof *vars);
    for (uint32_t k = n; k-- > 0;) {
        uint32_t same = UINT32_MAX;
        for (uint32_t j = 0; j < k; j++)
            if (c.vars[j] == c.vars[k]) same = j;
        bool constant = c.vars[k] <= VAR_ONE;
        if (!constant && same == UINT32_MAX) continue;
        if (constant) {
            c.rows = without_column(c.rows, n, k, c.vars[k] == VAR_ONE);
        } else {
            uint64_t agree = where_equal(c.rows, same, k);
            c.rows = without_column(agree, n, k, false) | without_column(agree, n, k, true);
        }
        n--;
        memmove(c.vars + k, c.vars + k + 1, (n - k) * sizeof *c.vars);
    }
    c.count = (uint8_t)n;
    if (c.rows == all_rows(n)) return;
    vec_push(&s->cons, c);
}

void system_equal(System *s, ConTag tag, uint32_t a, uint32_t b)
{
    system_add(s, tag, 0x9, 2, (uint32_t[]){a, b});
}

void system_is(System *s, ConTag tag, uint32_t a, bool one)
{
    system_add(s, tag, one ? 0x2 : 0x1, 1, &a);
}

void system_split(System *s, ConTag tag, uint32_t whole, uint32_t part, uint32_t rest)
{
    system_add(s, tag, 1 << 0 | 1 << 3 | 1 << 5, 3, (uint32_t[]){whole, part, rest});
}

void system_at_most(System *s, ConTag tag, uint32_t a, uint32_t b)
{
    system_add(s, tag, 1 << 0 | 1 << 2 | 1 << 3, 2, (uint32_t[]){a, b});
}

// ---- propagation ----

static uint64_t rows_now(const System *s, const Constraint *c)
{
    uint64_t rows = c->rows;
    for (uint32_t k = 0; k < c->count; k++) {
        int8_t v = s->value[c->vars[k]];
        if (v >= 0) rows &= v ? column[k] : ~column[k];
    }
    return rows;
}

static void assign(System *s, uint32_t var, bool one, uint32_t reason)
{
    s->value[var] = one;
    s->reason[var] = reason;
    vec_push(&s->trail, var);
}

// Looks at one constraint; false: it has no row left.
static bool look(System *s, uint32_t index)
{
    const Constraint *c = &s->cons.at[index];
    uint64_t rows = rows_now(s, c);
    if (!rows) return false;
    for (uint32_t k = 0; k < c->count; k++) {
        if (s->value[c->vars[k]] >= 0) continue;
        if (!(rows & column[k]))
            assign(s, c->vars[k], false, index + 1);
        else if (!(rows & ~column[k]))
            assign(s, c->vars[k], true, index + 1);
    }
    return true;
}

// From place `from` of the trail. Returns the constraint in conflict + 1, or 0.
static uint32_t propagate(System *s, uint32_t from)
{
    for (uint32_t i = from; i < s->trail.len; i++) {
        uint32_t var = s->trail.at[i];
        for (uint32_t k = s->first[var]; k < s->first[var + 1]; k++) {
            uint32_t con = s->uses[k];
            s->steps++;
            if (s->active[con] && !look(s, con)) return con + 1;
        }
    }
    return 0;
}

static void undo(System *s, uint32_t mark)
{
    while (s->trail.len > mark) {
        uint32_t var = vec_pop(&s->trail);
        s->value[var] = -1;
        s->reason[var] = 0;
    }
}

static uint32_t root(System *s, uint32_t var)
{
    while (s->group[var] != var) {
        s->group[var] = s->group[s->group[var]];
        var = s->group[var];
    }
    return var;
}

uint32_t system_component(System *s, uint32_t var)
{
    return root(s, var);
}

// The chain of forced values behind the conflict: all constraints that took part, newest first.
static void core_of(System *s, uint32_t conflict, Violation *v)
{
    v->first_core = s->cores.len;
    v->exact = true;
    U32s todo = {0};
    vec_push(&todo, conflict);
    for (uint32_t i = 0; i < todo.len; i++) {
        const Constraint *c = &s->cons.at[todo.at[i]];
        if (todo.at[i] != v->con) vec_push(&s->cores, todo.at[i]);
        for (uint32_t k = 0; k < c->count; k++) {
            uint32_t reason = s->reason[c->vars[k]];
            if (!reason) continue;
            bool seen = false;
            vec_each (j, &todo) seen |= todo.at[j] == reason - 1;
            if (!seen && todo.len < CORE_CONSTRAINTS) vec_push(&todo, reason - 1);
        }
    }
    v->core_count = s->cores.len - v->first_core;
    vec_free(&todo);
}

static void violated(System *s, uint32_t con, uint32_t conflict)
{
    Violation v = {.con = con, .first_core = s->cores.len};
    if (conflict) core_of(s, conflict - 1, &v);
    vec_push(&s->violations, v);
    s->cons.at[con].excluded = true;
}

// ---- search ----

typedef struct {
    uint32_t *vars; // by component
    uint32_t *start;
    uint32_t *of; // variable -> component number
    uint32_t count;
} Parts;

// Variables in lists, one for each component; the order inside is that of the variables.
static Parts parts_of(System *s)
{
    Parts p = {.vars = mem_alloc((s->var_count + 1) * sizeof(uint32_t)),
               .start = mem_alloc((s->var_count + 2) * sizeof(uint32_t)),
               .of = mem_alloc((s->var_count + 1) * sizeof(uint32_t))};
    uint32_t *number = mem_alloc((s->var_count + 1) * sizeof(uint32_t));
    for (uint32_t v = 2; v < s->var_count; v++) {
        uint32_t r = root(s, v);
        if (!number[r]) number[r] = ++p.count;
        p.of[v] = number[r] - 1;
        p.start[p.of[v] + 2]++;
    }
    for (uint32_t i = 1; i <= p.count + 1; i++) p.start[i] += p.start[i - 1];
    for (uint32_t v = 2; v < s->var_count; v++) p.vars[p.start[p.of[v] + 1]++] = v;
    mem_free(number);
    return p;
}

static void parts_free(Parts *p)
{
    mem_free(p->vars);
    mem_free(p->start);
    mem_free(p->of);
}

// Completes the assignment of the variables in the list: 1 done (the trail holds it), 0 there is
// no solution, -1 steps spent.
static int search(System *s, const uint32_t *vars, uint32_t count)
{
    typedef struct {
        uint32_t mark, at;
        bool second;
    } Level;
    VEC(Level) levels = {0};
    uint64_t limit = s->steps + SEARCH_STEPS + 20ull * count;
    uint32_t at = 0;
    int result = -1;
    while (s->steps < limit) {
        while (at < count && s->value[vars[at]] >= 0) at++;
        if (at == count) {
            result = 1;
            break;
        }
        vec_push(&levels, ((Level){s->trail.len, at, false}));
        bool one = false, failed = true;
        while (failed) {
            assign(s, vars[at], one, 0);
            failed = propagate(s, s->trail.len - 1) != 0;
            s->steps++;
            while (failed) {
                Level *l = &vec_last(&levels);
                undo(s, l->mark);
                if (!l->second) {
                    l->second = true;
                    at = l->at;
                    one = true;
                    break;
                }
                levels.len--;
                if (!levels.len) {
                    vec_free(&levels);
                    return 0;
                }
            }
        }
    }
    vec_free(&levels);
    return result;
}

// Is the component satisfiable as it stands? Leaves the assignment as it was.
static bool satisfiable(System *s, const uint32_t *vars, uint32_t count)
{
    uint32_t mark = s->trail.len;
    int r = search(s, vars, count);
    undo(s, mark);
    return r != 0;
}

// ---- the order of priority ----

static void prepare(System *s)
{
    uint32_t n = s->var_count;
    s->value = mem_alloc(n);
    memset(s->value, -1, n);
    s->value[VAR_ZERO] = 0;
    s->value[VAR_ONE] = 1;
    s->reason = mem_alloc(n * sizeof(uint32_t));
    s->first = mem_alloc((n + 2) * sizeof(uint32_t));
    s->group = mem_alloc(n * sizeof(uint32_t));
    s->active = mem_alloc(s->cons.len + 1);
    for (uint32_t v = 0; v < n; v++) s->group[v] = v;
    uint32_t total = 0;
    vec_each (i, &s->cons) {
        const Constraint *c = &s->cons.at[i];
        total += c->count;
        for (uint32_t k = 0; k < c->count; k++) {
            s->first[c->vars[k] + 2]++;
            uint32_t a = root(s, c->vars[0]), b = root(s, c->vars[k]);
            if (a != b) s->group[a > b ? a : b] = a > b ? b : a;
        }
    }
    s->uses = mem_alloc((total + 1) * sizeof(uint32_t));
    for (uint32_t v = 1; v <= n + 1; v++) s->first[v] += s->first[v - 1];
    vec_each (i, &s->cons)
        for (uint32_t k = 0; k < s->cons.at[i].count; k++)
            s->uses[s->first[s->cons.at[i].vars[k] + 1]++] = i;
}

static void take(System *s, uint32_t i)
{
    uint32_t mark = s->trail.len, conflict = 0;
    s->active[i] = true;
    if (!look(s, i))
        conflict = i + 1;
    else
        conflict = propagate(s, mark);
    if (!conflict) return;
    violated(s, i, conflict);
    s->active[i] = false;
    undo(s, mark);
}

// What propagation alone did not see: the component has no solution. Its newest constraints are
// taken back, those that seemed to contradict too, and tried one by one.
static void repair(System *s, const uint32_t *vars, uint32_t count, uint32_t prio)
{
    U32s newest = {0};
    uint32_t part = root(s, vars[0]);
    vec_each (i, &s->cons) {
        const Constraint *c = &s->cons.at[i];
        if (c->prio == prio && c->count && root(s, c->vars[0]) == part) {
            vec_push(&newest, i);
            s->active[i] = false;
            s->cons.at[i].excluded = false;
        }
    }
    uint32_t kept = 0;
    vec_each (i, &s->violations)
        if (s->cons.at[s->violations.at[i].con].excluded)
            s->violations.at[kept++] = s->violations.at[i];
    s->violations.len = kept;
    // Values that the constraints taken back had forced are open again: all are worked out anew.
    undo(s, 0);
    vec_each (i, &s->cons)
        if (s->active[i] && !look(s, i)) die("ownership: an accepted constraint fails");
    if (propagate(s, 0)) die("ownership: accepted constraints fail");
    vec_each (i, &newest) {
        uint32_t before = s->violations.len, mark = s->trail.len;
        take(s, newest.at[i]);
        if (s->violations.len > before) continue;
        if (satisfiable(s, vars, count)) continue;
        s->active[newest.at[i]] = false;
        undo(s, mark);
        violated(s, newest.at[i], 0);
    }
    vec_free(&newest);
}

void system_solve(System *s, uint32_t prio_end)
{
    if (!s->value) prepare(s);
    Parts parts = parts_of(s);
    bool *touched = mem_alloc(parts.count + 1);
    for (uint32_t prio = s->next_prio; prio < prio_end; prio++) {
        memset(touched, 0, parts.count + 1);
        vec_each (i, &s->cons) {
            if (s->cons.at[i].prio != prio) continue;
            take(s, i);
            if (s->cons.at[i].count) touched[parts.of[s->cons.at[i].vars[0]]] = true;
        }
        for (uint32_t p = 0; p < parts.count; p++) {
            const uint32_t *vars = parts.vars + parts.start[p];
            uint32_t count = parts.start[p + 1] - parts.start[p];
            if (touched[p] && !satisfiable(s, vars, count)) repair(s, vars, count, prio);
        }
    }
    s->next_prio = prio_end;
    mem_free(touched);
    parts_free(&parts);
}

void system_settle(System *s)
{
    Parts parts = parts_of(s);
    for (uint32_t p = 0; p < parts.count; p++)
        search(s, parts.vars + parts.start[p], parts.start[p + 1] - parts.start[p]);
    parts_free(&parts);
}

int system_forced(const System *s, uint32_t var)
{
    return s->value[var];
}

bool system_value(const System *s, uint32_t var)
{
    return s->value[var] == 1;
}

static U32s members(System *s, uint32_t part)
{
    U32s vars = {0};
    for (uint32_t v = 2; v < s->var_count; v++)
        if (root(s, v) == part) vec_push(&vars, v);
    return vars;
}

uint64_t system_project(System *s, uint32_t count, const uint32_t *vars)
{
    uint64_t rows = 0;
    uint32_t mark = s->trail.len;
    U32s inside = members(s, root(s, vars[0]));
    for (uint32_t r = 0; r < 1u << count; r++) {
        bool possible = true;
        for (uint32_t k = 0; k < count && possible; k++) {
            bool one = r >> k & 1;
            int8_t now = s->value[vars[k]];
            if (now >= 0) {
                possible = now == one;
                continue;
            }
            assign(s, vars[k], one, 0);
            possible = propagate(s, s->trail.len - 1) == 0;
        }
        if (possible && search(s, inside.at, inside.len) != 0) rows |= (uint64_t)1 << r;
        undo(s, mark);
    }
    vec_free(&inside);
    return rows;
}
