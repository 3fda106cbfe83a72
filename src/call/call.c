// Calls of functions whose code we have: the summary's cases, each instantiated with the state at
// the call (Sparrow, section 2.2 and Fig. 2: aliases among the actual arguments are those of this
// state).
#include "call/call_int.h"

#include "base/hash.h"
#include "heap/elements.h"

#include <string.h>

static Term translate_leaf(Instance *k, const TermNode *n, Term x)
{
    Terms *t = &k->w->terms;
    switch ((TermKind)n->kind) {
    case T_INT:
        return term_int(t, n->width, n->value);
    case T_GLOBAL:
    case T_FUNC:
        return term_leaf(t, (TermKind)n->kind, n->width, n->a, 0, 0, 0);
    case T_PARAM: {
        if (n->a >= k->args->count) break;
        Term arg = k->args->at[n->a];
        uint32_t have = term_width(t, arg);
        if (have == n->width || n->width == 0) return arg;
        if (have == 0) break;
        return term_convert(t, have > n->width ? T_TRUNC : T_ZEXT, arg, n->width);
    }
    case T_INPUT: {
        Term base = translate(k, (Term){n->a});
        if (term_width(t, base) != t->pointer_bits) break;
        Term at = n->b ? term_index(t, base, translate(k, (Term){n->b}), 1) : base;
        at = term_field(t, at, elements_moved(t, base, n->value));
        State before = *k->before;
        if (!term_address(t, at).base.id) break; // null: this case cannot be the one
        MType type = mtype(MT_INT, n->width);
        if (n->width == 0) break;
        return mem_load(k->w, &before, at, (n->width + 7) / 8, type, k->ins);
    }
    case T_HEAP:
        // Those that the case hands out are in the memo already.
    default:
        break;
    }
    // What only the callee knew: an unknown of this call.
    bool merged = n->kind == T_MERGE || (n->kind == T_RESULT && made_is_joined(n->b)) ||
                  (n->kind == T_HAVOC && (n->a & BY_JOIN));
    uint32_t number = made(MADE_BY_CALLEE, x.id);
    if (n->kind == T_RESULT && made_is_opaque(n->b)) number = made_opaque(number);
    return bits_unknown(k->w, k->before, k->ins, merged ? made_joined(number) : number, n->width);
}

Term translate(Instance *k, Term x)
{
    if (!x.id) return x;
    if (k->memo[x.id].id) return k->memo[x.id];
    Terms *t = &k->w->terms;
    const TermNode *n = &k->sum->terms.nodes.at[x.id];
    Term r;
    switch ((TermKind)n->kind) {
    case T_ADDR: {
        Term base = translate(k, (Term){n->a});
        int64_t offset = elements_moved(t, base, n->value);
        if (n->b) base = term_index(t, base, translate(k, (Term){n->b}), 1);
        r = term_field(t, base, offset);
        break;
    }
    case T_NOT:
        r = term_not(t, translate(k, (Term){n->a}));
        break;
    case T_EQ: {
        Term a = translate(k, (Term){n->a}), b = translate(k, (Term){n->b});
        r = term_eq(t, a, b);
        break;
    }
    case T_ULT: {
        Term a = translate(k, (Term){n->a}), b = translate(k, (Term){n->b});
        bool truth;
        r = is_below_errors(k->w, OP_ULT, a, b, &truth) ? term_int(t, 1, truth)
                                                        : term_ult(t, a, b);
        break;
    }
    case T_SLT: {
        Term a = translate(k, (Term){n->a}), b = translate(k, (Term){n->b});
        r = term_slt(t, a, b);
        break;
    }
    case T_TRUNC:
    case T_ZEXT:
    case T_SEXT:
        r = term_convert(t, (TermKind)n->kind, translate(k, (Term){n->a}), n->width);
        break;
    case T_ITE: {
        Term c = translate(k, (Term){n->a}), a = translate(k, (Term){n->b}),
             b = translate(k, (Term){n->c});
        r = term_ite(t, c, a, b);
        break;
    }
    case T_PARTS: {
        Term agg = translate(k, (Term){n->a}), piece = translate(k, (Term){n->b});
        r = n->width ? term_tile(t, agg, piece, n->value, n->width) : term_setpart(t, agg, piece, n->value);
        break;
    }
    default:
        if (n->kind > T_ADDR) {
            Term a = translate(k, (Term){n->a}), b = translate(k, (Term){n->b});
            r = term_binary(t, (TermKind)n->kind, a, b);
        } else {
            TermNode copy = *n;
            r = translate_leaf(k, &copy, x);
        }
    }
    k->memo[x.id] = r;
    if (k->own && (k->sum->terms.nodes.at[x.id].flags & (TERM_HAS_HEAP | TERM_LOCAL_ONLY))) vec_push(k->own, x.id);
    return r;
}

// Whether the term speaks of what this call itself has made: such a condition asks nothing about
// the state before it.
static bool is_of_call(const Instance *k, Term x)
{
    const TermNode *n = term_node(&k->w->terms, x);
    switch ((TermKind)n->kind) {
    case T_INT:
        return true;
    case T_HEAP:
    case T_RESULT:
        return n->a == k->ins;
    case T_NOT:
        return is_of_call(k, (Term){n->a});
    case T_EQ:
    case T_ULT:
    case T_SLT:
        return is_of_call(k, (Term){n->a}) && is_of_call(k, (Term){n->b});
    default:
        return false;
    }
}

// What every case needs (a pointer that is followed) is no choice of this path.
static bool is_needed_anyway(const Summary *sum, const Guard *g)
{
    for (uint32_t i = 0; i < sum->case_count; i++)
        if (!ways_has_guard(&sum->cases[i], g)) return false;
    return true;
}

// That a pointer is not null which the case follows: of a path with null there would be nothing to
// tell, so that it is none is no condition.
static bool is_followed(const Instance *k, const Guard *g)
{
    const Terms *t = &k->sum->terms;
    const TermNode *n = term_node(t, g->term);
    int64_t truth;
    if (n->kind != T_EQ || !term_is_zero(t, (Term){n->b}) || !range_single(&g->range, 1, &truth) ||
        truth)
        return false;
    Term x = {n->a};
    for (uint32_t i = 0; i < k->c->touch_count; i++)
        if (term_same(k->c->touches[i], x)) return true;
    for (uint32_t i = 0; i < k->c->use_count; i++)
        if (term_same(k->c->uses[i], x)) return true;
    return false;
}

// A bit beside others in a variable of this function's, which unknown code may have written: such
// bits say how a struct is to be used (whether it copies, whether it owns), and stay as its maker
// set them most often.
static bool is_own_flag(void *context, Term x)
{
    const Terms *t = context;
    const TermNode *n = term_node(t, x);
    if (n->kind != T_AND || !term_is_int(t, (Term){n->b}, NULL)) return false;
    const TermNode *word = term_node(t, (Term){n->a});
    return word->kind == T_HAVOC && term_kind(t, (Term){word->b}) == T_LOCAL;
}

// The global whose first value the term is; or none.
static GlobalId global_of_guard(const Terms *t, Term x)
{
    const TermNode *n = term_node(t, x);
    if (n->kind != T_INPUT || n->b || n->value || term_kind(t, (Term){n->a}) != T_GLOBAL) return (GlobalId){0};
    return (GlobalId){term_node(t, (Term){n->a})->a};
}

// Conditions first: those that were open here are branches of the caller's story too. Which case it
// is, is one guess, however many joined values it asks for.
bool guards_hold(Instance *k)
{
    Work *w = k->w;
    uint32_t guesses = k->s->guesses;
    for (int conditions = 1; conditions >= 0; conditions--)
        for (uint32_t i = 0; i < k->c->guard_count; i++) {
            const Guard *g = &k->c->guards[i];
            Term x = translate(k, g->term);
            bool condition = term_width(&w->terms, x) == 1;
            if (condition != (conditions == 1)) continue;
            int64_t truth;
            bool open = condition && range_single(&g->range, 1, &truth) &&
                        cond_decide(&w->conds, k->s->facts, x) == COND_UNKNOWN;
            PMap facts = k->s->facts;
            if (!cond_restrict(&w->conds, &k->s->facts, x, &g->range)) return false;
            GlobalId global = global_of_guard(&k->sum->terms, g->term);
            if (global.id && !was_zero(w, k->s, global, x)) return false;
            if (k->sum->case_count > 1 && k->s->facts != facts && k->s->guesses == guesses &&
                !is_of_call(k, x))
                note_guess(w, k->s, x);
            if (open && k->s->guesses == guesses && term_any(&w->terms, x, is_own_flag, &w->terms))
                k->s->guesses++;
            if (open && !is_needed_anyway(k->sum, g) && !is_followed(k, g))
                story_add(w, k->s, STORY_BRANCH, k->ins, x, (Term){0}, truth != 0, NULL);
        }
    return true;
}

// Of several cases that became one, one has to be possible; where it is only one, it is that.
// Otherwise it is for the caller to tell.
static bool some_way(Instance *k, const Clauses *ways)
{
    Work *w = k->w;
    if (!ways->count) return true;
    PMap found = NULL;
    Clauses left = {.at = arena_array_of(w->arena, Clause, ways->count)};
    for (uint32_t i = 0; i < ways->count; i++) {
        PMap facts = k->s->facts;
        const Clause *way = &ways->at[i];
        Clause mine = {arena_array_of(w->arena, Guard, way->count), way->count};
        bool possible = true;
        for (uint32_t n = 0; possible && n < way->count; n++) {
            Term x = translate(k, way->guards[n].term);
            mine.guards[n] = (Guard){x, way->guards[n].range};
            possible = cond_restrict(&w->conds, &facts, x, &way->guards[n].range);
        }
        if (!possible) continue;
        if (!left.count) found = facts;
        left.at[left.count++] = mine;
    }
    w->steps += ways->count;
    if (left.count == 1) {
        k->s->facts = found;
    } else if (left.count) {
        k->s->choices = choice_new(w, k->s->choices, left, 0);
    }
    return left.count;
}

static bool is_element(const Instance *k, Term x)
{
    const TermNode *n = &k->sum->terms.nodes.at[x.id];
    return n->kind == T_INPUT && n->b != 0;
}

// Two elements that the callee could not tell to be one, t[i] and t[0]: it may have looked at the
// second after it was set to null, so that they are one object here is no double free. Errs towards
// a missed one.
static bool is_freed_element(Instance *k, uint32_t number)
{
    Term x = k->c->frees[number].base;
    for (uint32_t i = 0; i < number; i++) {
        Term y = k->c->frees[i].base;
        if ((is_element(k, x) || is_element(k, y)) && term_same(translate(k, x), translate(k, y)))
            return true;
    }
    return false;
}

// A block of the callee's making that would land in a variable of this function which is a number:
// after `...` the callee takes pointers of many types, and this is the case of another one. Errs
// towards a missed leak where addresses are kept in numbers.
static bool lands_in_number(Instance *k, Term address, Term value)
{
    Work *w = k->w;
    Address to = term_address(&w->terms, address), what = term_address(&w->terms, value);
    if (!what.base.id || term_kind(&w->terms, what.base) != T_HEAP || !to.base.id || to.index.id)
        return false;
    const TermNode *n = term_node(&w->terms, to.base);
    if (n->kind != T_LOCAL || n->a == 0 || n->a > w->func->local_count) return false;
    const TermNode *block = term_node(&w->terms, what.base);
    if (block->a != k->ins || block->width != w->terms.pointer_bits) return false;
    const char *path;
    TypeId type;
    const Local *local = &w->unit->locals.at[w->func->first_local + n->a - 1];
    if (!member_at(w->arena, w->unit, local->type, (uint64_t)to.offset, &path, &type)) return false;
    uint32_t kind = w->unit->types.at[type.id].kind;
    return kind == TYPE_INT || kind == TYPE_FLOAT || kind == TYPE_BOOL || kind == TYPE_ENUM;
}

// The callee released an element without knowing which; here it is known. This is looked at before
// all elements are let go for it.
static void check_element(Instance *k, const Release *r)
{
    Work *w = k->w;
    if (!is_element(k, r->base)) return;
    Address a = term_address(&w->terms, translate(k, r->base));
    if (!a.base.id || a.index.id || a.offset || term_kind(&w->terms, a.base) != T_HEAP) return;
    ObjState o = obj_get(k->s, a.base);
    const ObjInfo *info = obj_info(w, a.base);
    if (o.status == OBJ_ALLOCATED && !(o.flags & (OBJF_FAMILY | OBJF_ESCAPED)) &&
        !obj_failed(w, k->s, a.base) && !spec_family_fits(w->facts->specs, info->family, r->family))
        misuse(w, k->s, RULE_MISMATCHED_FREE, a.base, k->ins, k->args->name);
}

// A number that is one of several after the call may be the one that stood there before: a
// descriptor that the callee opens only where there is none yet. Errs towards a missed leak where
// each of the joined paths overwrites it.
static void may_have_stayed(Instance *k, Term address, Term value)
{
    Work *w = k->w;
    Address a = term_address(&w->terms, address);
    uint64_t old;
    if (a.index.id || term_width(&w->terms, value) == w->terms.pointer_bits ||
        !asks_joined(w, value) || !pmap_get(k->s->mem, cell_key(a.base, a.offset), &old))
        return;
    escape_term(w, k->s, cell_term(old), k->ins);
}

// A store through null is of one of the paths that were joined in the callee, not of the one that
// is taken here: what every path dereferences is in the case's `touches`. What would have been kept
// there is of that path too, and nothing is claimed of it. Errs towards a missed leak.
static void let_go_of(Instance *k, Term value)
{
    if (term_node(&k->w->terms, value)->flags & TERM_HAS_HEAP)
        escape_term(k->w, k->s, value, k->ins);
}

// Unknown code changes what is in some blocks: before the case releases them, and in others
// after it has released what they held.
static void let_unknown_change(Instance *k, bool released)
{
    const Case *c = k->c;
    for (uint32_t i = 0; i < c->havoc_count; i++) {
        bool freed = false;
        for (uint32_t n = 0; !freed && n < c->free_count; n++)
            freed = term_same(c->frees[n].base, c->havocs[i]);
        Address a = term_address(&k->w->terms, translate(k, c->havocs[i]));
        if (freed == released && a.base.id)
            escape_contents(k->w, k->s, a.base, k->ins, true);
    }
}

// The object that every case returns, of those that come back; none when they differ.
static const ObjInfo *always_returned(const Summary *sum)
{
    const ObjInfo *all = NULL;
    for (uint32_t i = 0; i < sum->case_count; i++) {
        const Case *c = &sum->cases[i];
        if (c->thrown) continue;
        const ObjInfo *one = NULL;
        for (uint32_t k = 0; k < c->object_count; k++)
            if (term_same(c->objects[k].term, c->result)) one = &c->objects[k];
        for (uint32_t k = 0; k < c->escape_count; k++)
            if (term_same(c->escapes[k], c->result)) one = NULL;
        if (!one || (all && memcmp(&all->family, &one->family, sizeof one->family) != 0))
            return NULL;
        if (!all) all = one;
    }
    return all;
}

// One case on a copy of the state; false when it cannot be the one here.
static bool apply_case(Instance *k, Term *result)
{
    Work *w = k->w;
    State *s = k->s;
    Terms *t = &w->terms;
    const Case *c = k->c;
    for (uint32_t i = 0; i < c->object_count; i++) {
        ObjInfo info = c->objects[i];
        info.size = translate(k, info.size);
        info.unborn = true;
        Term h = obj_new(w, s, k->ins,
                         number_by_target(w, k->sum->func.id, c->objects[i].term.id, false), &info,
                         k->sum->terms.nodes.at[c->objects[i].term.id].width);
        k->memo[c->objects[i].term.id] = h;
        if (k->own) vec_push(k->own, c->objects[i].term.id);
    }
    if (!guards_hold(k) || !some_way(k, &c->ways) || !some_way(k, &c->inherited)) return false;
    for (uint32_t i = 0; i < c->object_count; i++)
        if (!size_is_possible(w, s, translate(k, c->objects[i].size))) return false;
    for (uint32_t i = 0; i < c->object_count; i++)
        obj_born(w, translate(k, c->objects[i].term), &c->objects[i]);
    Term few[2 * FEW_EFFECTS], *addresses = few;
    if (c->effect_count > FEW_EFFECTS) addresses = mem_alloc(2 * c->effect_count * sizeof *addresses);
    Term *values = addresses + c->effect_count;
    for (uint32_t i = 0; i < c->effect_count; i++) {
        const TermNode *n = &k->sum->terms.nodes.at[c->effects[i].base.id];
        Term home = n->kind == T_ADDR ? (Term){n->a} : c->effects[i].base;
        Term base = translate(k, c->effects[i].base);
        addresses[i] = term_field(t, base, elements_moved(t, translate(k, home), c->effects[i].offset));
        values[i] = translate(k, c->effects[i].value);
    }
    bool alive = true;
    const char *name = k->args->name;
    for (uint32_t i = 0; alive && i < c->touch_count; i++)
        alive = touch(w, s, translate(k, c->touches[i]), k->ins);
    for (uint32_t i = 0; alive && i < c->use_count; i++)
        touch_if_any(w, s, translate(k, c->uses[i]), k->ins);
    for (uint32_t i = 0; alive && i < c->free_count; i++) check_element(k, &c->frees[i]);
    if (alive && c->escape_count) {
        VEC(Term) kept = {0};
        for (uint32_t i = 0; i < c->escape_count; i++) {
            Term x = translate(k, c->escapes[i]);
            if ((term_node(t, x)->flags & TERM_HAS_BASE) || is_number_input(t, unconverted(t, x)))
                vec_push(&kept, x);
        }
        escape_terms(w, s, kept.at, kept.len, k->ins);
        vec_free(&kept);
    }
    for (uint32_t i = 0; alive && i < c->loose_count; i++) {
        Address a = term_address(t, translate(k, c->loose[i]));
        if (a.base.id) loosen(w, s, a.base, k->ins);
    }
    // What moves does so before its old home is released.
    for (uint32_t i = 0; alive && i < c->move_count; i++)
        mem_copy(w, s, translate(k, c->moves[i].to), translate(k, c->moves[i].from),
                 bits_unknown(w, s, k->ins, made(MADE_MOVED, 0), t->pointer_bits), k->ins);
    if (alive) let_unknown_change(k, true);
    // Which of the joined paths does it is not known here: a wrong release is likely at most.
    Doubts before = s->doubts;
    if (c->joined) state_doubt(w, s, DOUBT_MERGED_RELEASE, k->ins);
    for (uint32_t i = 0; alive && i < c->free_count; i++) {
        if (is_freed_element(k, i)) continue;
        w->inside = c->frees[i].where;
        release(w, s, translate(k, c->frees[i].base), c->frees[i].family, false, k->ins, name);
    }
    w->inside = NULL;
    s->doubts = before;
    for (uint32_t i = 0; alive && i < c->scribble_count; i++) {
        // Where the callee's paths were joined, that may be all that happened there.
        mem_scribble(w, s, translate(k, c->scribbles[i]), 0, c->joined ? k->ins | BY_JOIN : k->ins);
    }
    if (alive) let_unknown_change(k, false);
    if (alive) note_moves(k, addresses, values);
    if (alive) note_endings(k, addresses, values);
    for (uint32_t i = 0; alive && i < c->effect_count; i++) {
        if (elements_ended(w, addresses[i], values[i], NULL) || elements_told(w, addresses[i], NULL)) continue;
        if (!term_address(t, addresses[i]).base.id)
            let_go_of(k, values[i]);
        else if (!fits_in(w, s, addresses[i], c->effects[i].size) ||
                 lands_in_number(k, addresses[i], values[i]))
            alive = false;
        else {
            may_have_stayed(k, addresses[i], values[i]);
            mem_store(w, s, addresses[i], c->effects[i].size, values[i], k->ins);
        }
    }
    *result = translate(k, c->result);
    if (addresses != few) mem_free(addresses);
    doubt_of_callee(w->arena, &s->doubts, &c->doubts, pos_of_ins(w, k->ins), k->args->name);
    if (c->joined) s->flags |= STATE_JOINED;
    // What the callee guessed on its way to an answer is one guess here; a block that it brings
    // rests on all of them, unless it brings one whatever they say.
    bool rests = c->object_count && !always_returned(k->sum);
    s->guesses += rests || c->guesses < 2 ? c->guesses : 1;
    return alive;
}

// Recursion deeper than it was followed: unknown code, except that what comes back is of the kind
// that comes back from the depths that are known.
static void call_deeper(Work *w, const State *before, uint32_t ins, const CallArgs *args,
                        const Summary *sum, CallOuts *outs)
{
    const Unit *unit = NULL;
    const Func *decl = program_decl(w->facts->program, sum->func, &unit);
    const ObjInfo *like = always_returned(sum);
    if (!like) {
        State s = *before;
        state_doubt(w, &s, DOUBT_DEEP_RECURSION, ins);
        call_unknown(w, &s, ins, args, sum->func, decl, unit, outs);
        return;
    }
    CallOuts own = {&(States){0}, &(States){0}, outs->block};
    call_unknown(w, before, ins, args, sum->func, decl, unit, &own);
    vec_each (i, own.out) {
        State *s = &own.out->at[i];
        Term h = obj_new(w, s, ins, made(MADE_RECURSIVE, 0), like, w->terms.pointer_bits);
        state_doubt(w, s, DOUBT_DEEP_RECURSION, ins);
        call_done(w, s, ins, h, false, outs);
    }
    vec_free(own.out);
    vec_free(own.thrown);
}

// None of the cases is the one here, and there are more than were kept: unknown code.
static void call_missing(Work *w, const State *before, uint32_t ins, const CallArgs *args,
                         const Summary *sum, CallOuts *outs)
{
    const Unit *unit = NULL;
    const Func *decl = program_decl(w->facts->program, sum->func, &unit);
    State s = *before;
    state_doubt(w, &s, DOUBT_OVER_BUDGET, ins); // perhaps there is none
    call_unknown(w, &s, ins, args, sum->func, decl, unit, outs);
}

// In steps: by what there is to be replaced and done.
static uint32_t case_cost(const Case *c)
{
    enum { PER_STEP = 4 };
    return 1 + (c->guard_count + c->effect_count + c->havoc_count + c->scribble_count +
                c->escape_count + c->touch_count + c->object_count) /
                   PER_STEP;
}

Term *fresh_memo(Work *w, const Summary *sum)
{
    uint32_t n = sum->terms.nodes.len;
    while (w->memo.len < n) vec_push(&w->memo, (Term){0});
    memset(w->memo.at, 0, n * sizeof *w->memo.at);
    return w->memo.at;
}

// What a callee with code does to what it is handed beyond the effects of its cases: all of it where
// behaviours are missing; else what it picks from after `...`.
static void hand_over(Work *w, State *s, uint32_t ins, const CallArgs *args, const Summary *sum)
{
    const Func *decl = program_decl(w->facts->program, sum->func, NULL);
    bool picks = decl && (decl->flags & FUNC_VARARGS) && !sum->incomplete;
    for (uint32_t j = sum->incomplete ? 0 : sum->param_count; j < args->count; j++) {
        bool rest = j >= sum->param_count;
        if (!rest && certainly_spared(w, s, ins, sum, j, args->at[j])) continue;
        if (picks && !sum->rest) continue;
        bool kept = !picks || ((sum->rest & REST_KEPT) && !is_text(w, args, sum->param_count, j));
        if (kept) escape_term(w, s, args->at[j], ins);
        // What hangs on the caller's own argument its callers must know of.
        Term home = args->at[j].id ? term_address(&w->terms, args->at[j]).base : (Term){0};
        if (!rest && home.id && term_width(&w->terms, home) == w->terms.pointer_bits)
            loosen(w, s, home, ins);
        if (rest) escape_contents(w, s, args->at[j], ins, true);
    }
}

// Tells the cases of the functions that a call may reach from each other, in a story.
static Term mark_of_case(const Instance *k)
{
    return (Term){(uint32_t)hash_mix(k->sum->func.id, (uint64_t)(k->c - k->sum->cases)) | 1};
}

static void end_elements(Instance *k, Term result, CallOuts *outs)
{
    States all = {0};
    // What the endings will release is not lost by the stores before them.
    PMap lost = k->s->lost;
    k->s->lost = NULL;
    vec_push(&all, *k->s);
    vec_each (n, &k->endings) elements_end(k->w, k->endings.at[n], k->ins, &all, outs);
    vec_each (n, &all) all.at[n].lost = lost;
    vec_each (n, &all) call_done(k->w, &all.at[n], k->ins, result, k->c->thrown, outs);
    vec_free(&all);
}

// One case on the state of the instance, and what comes of it. False: it cannot be the one here.
static bool take_case(Instance *k, bool several, CallOuts *outs)
{
    Work *w = k->w;
    State *s = k->s;
    const Case *c = k->c;
    Term result = {0};
    bool possible = apply_case(k, &result);
    if (possible) {
        note_declined(k);
        // What the library decides inside, nobody has read for the program.
        if ((several || c->joined) && facts_is_unread(w->facts, k->sum->func) &&
            !facts_is_library(w->facts, w->id) && case_does_anything(c))
            state_doubt(w, s, DOUBT_LIBRARY_CODE, k->ins);
        w->taken = c;
        if (several || c->why)
            story_add(w, s, STORY_CALL, k->ins, result, mark_of_case(k), !c->why, c->why ? c->why : c->test);
        w->taken = NULL;
        if (c->thrown) s->thrown = c->throws;
        if (k->endings.len)
            end_elements(k, result, outs);
        else
            call_done(w, s, k->ins, result, c->thrown, outs);
    }
    vec_free(&k->endings);
    k->endings.len = 0;
    return possible;
}

static void forget_own(Instance *k)
{
    vec_each (i, k->own) k->memo[k->own->at[i]] = (Term){0};
    vec_clear(k->own);
}

// A cycle of calls is followed once more where it is called from outside.
static bool is_of_same_cycle(const Work *w, FuncId f)
{
    const Program *p = w->facts->program;
    return p->funcs.at[f.id].scc.id == p->funcs.at[w->id.id].scc.id;
}

void call_summary(Work *w, const State *before, uint32_t ins, const CallArgs *args,
                  const Summary *sum, CallOuts *outs)
{
    bool any = false;
    // Those that would be joined at once are one.
    bool few = sum->few_count && effort_of(w) == EFFORT_LEAST;
    const Case *cases = few ? sum->few : sum->cases;
    uint32_t count = few ? sum->few_count : sum->case_count;
    State handed = *before;
    hand_over(w, &handed, ins, args, sum);
    // Inputs are the same in all cases, and so is what stands for them here.
    U32s own = {0};
    Term *memo = mem_alloc(sum->terms.nodes.len * sizeof *memo);
    States first = {0};
    for (uint32_t i = 0; i < count; i++) {
        State s = handed;
        Instance k = {.w = w,
                      .before = before,
                      .s = &s,
                      .sum = sum,
                      .c = &cases[i],
                      .args = args,
                      .ins = ins,
                      .memo = memo,
                      .own = &own};
        forget_own(&k);
        w->steps += case_cost(k.c);
        vec_clear(&first);
        vec_push(&first, s);
        if (!elements_end_early(&k, &first, outs)) first.len = 0;
        for (uint32_t n = 0; n < first.len; n++) {
            s = first.at[n];
            if (n) forget_own(&k);
            any |= take_case(&k, count > 1, outs);
        }
    }
    vec_free(&first);
    vec_free(&own);
    mem_free(memo);
    w->deeper |= sum->deeper;
    if (any) return;
    if (sum->incomplete)
        call_missing(w, before, ins, args, sum, outs);
    else if (sum->deeper && !is_of_same_cycle(w, sum->func))
        call_deeper(w, before, ins, args, sum, outs);
}

void call_done(Work *w, State *s, uint32_t ins, Term result, bool thrown, CallOuts *outs)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    if (thrown) {
        if (!(s->flags & STATE_UNWINDING))
            story_add(w, s, STORY_THROW, ins, (Term){0}, (Term){0}, false, s->thrown);
        s->flags |= STATE_UNWINDING;
    } else if (mtype_class(i->type) != MT_VOID) {
        Term x = result.id ? value_width(w, result, i->type) : value_unknown(w, s, ins, made(MADE_VALUE, 0), i->type);
        uint64_t old;
        if (pmap_get(s->env, ins, &old) && old != x.id) queue_lost(w, s, (Term){(uint32_t)old});
        s->env = pmap_set(w->arena, s->env, ins, x.id);
    }
    if (s->lost) lost_check(w, s, outs->block, ins);
    if (thrown)
        vec_push(outs->thrown, *s);
    else
        vec_push(outs->out, *s);
}

static bool global_cell(void *context, uint64_t key, uint64_t value)
{
    U32s *homes = context;
    (void)value;
    uint32_t base = cell_base(key).id;
    if (homes->len == 0 || vec_last(homes) != base) vec_push(homes, base);
    return true;
}

void escape_globals(Work *w, State *s, uint32_t ins)
{
    U32s homes = {0};
    pmap_each(s->mem, global_cell, &homes);
    const Program *p = w->facts->program;
    vec_each (i, &homes) {
        Term base = term_address(&w->terms, (Term){homes.at[i]}).base;
        const TermNode *n = term_node(&w->terms, base);
        if (n->kind != T_GLOBAL) continue;
        // A static global whose address is nowhere handed out is only changed by its own file.
        const ProgGlobal *g = &p->globals.at[n->a];
        if (g->flags & PROG_INTERNAL) continue;
        escape_contents(w, s, base, ins, true);
    }
    vec_free(&homes);
}

// Whether code without a body is given memory where it needs some: null there ends the program. A
// length beside the pointer may be 0, so those are not believed. False: no path comes back.
static bool given_memory(Work *w, State *s, const CallArgs *args, const SpecFunc *spec,
                         const Func *decl, const Unit *unit)
{
    Terms *t = &w->terms;
    bool sized = spec && spec->copy_count;
    for (uint32_t k = 0; spec && k < spec->param_count; k++)
        sized |= spec->params[k].length[0] != SPEC_NONE;
    for (uint32_t k = 0; k < args->count; k++) {
        bool said = spec && k < spec->param_count && spec->params[k].nonnull;
        bool declared = decl && !sized && k < decl->param_count &&
                        (unit->params.at[decl->first_param + k].flags & PARAM_NONNULL);
        Term x = args->at[k];
        if (!(said || declared) || !x.id || term_width(t, x) != t->pointer_bits) continue;
        if (!cond_assume(&w->conds, &s->facts, term_eq(t, x, term_null(t)), false)) return false;
    }
    return true;
}

// A member of a container of which nobody says what it does to all elements: unknown code, but the element that a
// place is given of may be known to end.
static void call_any(Work *w, const State *now, uint32_t ins, CallArgs *args, const SpecFunc *spec, FuncId f,
                     const Func *decl, const Unit *unit, CallOuts *outs)
{
    State given = *now;
    Term place = spec->removes >= 0 && (uint32_t)spec->removes < args->count ? args->at[spec->removes] : (Term){0};
    // What a container is given it copies with the pointers in it, whatever const says.
    for (uint32_t k = 1; k < args->count; k++)
        if (args->at[k].id && (term_node(&w->terms, args->at[k])->flags & TERM_HAS_BASE))
            escape_contents(w, &given, args->at[k], ins, false);
    if (!place.id) {
        call_unknown(w, &given, ins, args, f, decl, unit, outs);
        return;
    }
    touch_if_any(w, &given, place, ins);
    ObjState before = obj_get(&given, term_address(&w->terms, place).base);
    States after = {0};
    CallOuts own = {&after, outs->thrown, outs->block};
    call_unknown(w, &given, ins, args, f, decl, unit, &own);
    vec_each (i, &after) {
        if (!(before.flags & OBJF_ESCAPED)) element_removed(w, &after.at[i], place, ins, args->name);
        vec_push(outs->out, after.at[i]);
    }
    vec_free(&after);
}

void call_function(Work *w, const State *now, uint32_t ins, CallArgs *args, FuncId f,
                   CallOuts *outs)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    const Program *p = w->facts->program;
    const SpecFunc *spec = f.id ? facts_spec(w->facts, f) : NULL;
    const Unit *unit = NULL;
    const Func *decl = f.id ? program_decl(p, f, &unit) : NULL;
    bool code = f.id && program_has_code(p, f);
    args->name = f.id ? name_text(p->names, p->funcs.at[f.id].source) : "a function pointer";
    bool ends = (i->flags & INS_NORETURN) || (decl && (decl->flags & FUNC_NORETURN));
    const SpecFunc *elements = f.id ? facts_member(w->facts, f) : NULL;
    const SpecFunc *runs = f.id ? w->facts->member_of[f.id] : NULL;
    if (runs && runs->elements == SPEC_ELEMENTS_RUNS && call_held(w, now, ins, args, runs, decl, unit, outs)) return;
    // What is declared never to return ends the program: callers need not know more of it.
    const Summary *sum = code && !ends ? callee_summary(w->callees, f) : NULL;
    if (sum && sum->known) errors_at_call(w, now, ins, args, sum);
    if (elements) {
        if (call_elements(w, now, ins, args, elements, f, decl, unit, outs)) return;
        call_any(w, now, ins, args, elements, f, decl, unit, outs);
        return;
    }
    State given = *now;
    if (spec && (!code || spec_beats_code(spec))) {
        if (given_memory(w, &given, args, spec, decl, unit))
            call_spec(w, &given, ins, args, spec, outs);
        return;
    }
    if (code && !facts_may_return(w->facts, f)) return;
    if (sum && sum->known) {
        call_summary(w, now, ins, args, sum, outs);
        return;
    }
    // Recursion that is not summarised yet: no path comes back so far.
    if (code && !sum && facts_matters(w->facts, f) && callee_has_started(w->callees, f)) {
        w->deeper = true;
        return;
    }
    if (ends) return; // the program ends or the stack is left: nothing is lost by that
    if (!code && !given_memory(w, &given, args, NULL, decl, unit)) return;
    if (sum && sum->stuck) state_doubt(w, &given, DOUBT_NO_WAY_BACK, ins);
    call_unknown(w, &given, ins, args, f, decl, unit, outs);
}

// By its code, not by a spec.
bool is_evaluated(const Work *w, FuncId f)
{
    const SpecFunc *spec = facts_spec(w->facts, f);
    return program_has_code(w->facts->program, f) && !(spec && spec_beats_code(spec));
}

static bool takes_as_many(const Work *w, FuncId f, uint32_t arguments)
{
    const Unit *unit;
    const Func *decl = program_decl(w->facts->program, f, &unit);
    if (!decl) return true;
    return decl->param_count == arguments ||
           ((decl->flags & FUNC_VARARGS) && decl->param_count <= arguments);
}

// A call site can tell which function it is.
static bool is_callers_choice(const Work *w, Term callee)
{
    TermKind kind = term_kind(&w->terms, callee);
    return kind == T_PARAM || kind == T_INPUT;
}

// A call through a pointer goes on once for each function that it may reach, with the pointer
// known to be that function, so that a second call through it takes no other way. Where unknown
// code may be reached too and the caller chooses, those that are known are ways of their own and
// the rest is one more. False when they are too many or not all summarised yet; then it is unknown
// code.
static bool call_targets(Work *w, const State *now, uint32_t ins, Term callee, CallArgs *args,
                         CallOuts *outs)
{
    const Points *points = w->facts->points;
    if (!points) return false;
    U32s targets = {0};
    bool complete = points_callees(points, w->id, ins, &targets);
    if (!complete && !is_callers_choice(w, callee)) targets.len = 0;
    // Those that end the program are no way on; all of the others have to be known.
    uint32_t kept = 0;
    vec_each (k, &targets)
        if (!facts_ends_program(w->facts, (FuncId){targets.at[k]}))
            targets.at[kept++] = targets.at[k];
    targets.len = kept;
    bool usable = complete ? targets.len <= FEW_TARGETS : targets.len && targets.len <= FEW_OF_MANY;
    for (uint32_t k = 0; usable && k < targets.len; k++) {
        FuncId f = {targets.at[k]};
        if (is_evaluated(w, f) && !callee_summary(w->callees, f)) usable = false;
    }
    // Which of many it is does not matter to what they are passed.
    for (uint32_t k = 0; !usable && k < targets.len; k++) {
        FuncId f = {targets.at[k]};
        const Summary *sum = is_evaluated(w, f) ? callee_summary(w->callees, f) : NULL;
        if (sum && sum->known && takes_as_many(w, f, args->count))
            errors_at_call(w, now, ins, args, sum);
    }
    State rest = *now;
    for (uint32_t k = 0; usable && k < targets.len; k++) {
        State s = rest;
        Terms *t = &w->terms;
        Term func = term_leaf(t, T_FUNC, t->pointer_bits, targets.at[k], 0, 0, 0);
        if (!complete && !cond_assume(&w->conds, &rest.facts, term_eq(t, callee, func), false))
            complete = true; // it is this one
        if (!cond_assume(&w->conds, &s.facts, term_eq(t, callee, func), true) ||
            !table_has_row(w, &s, callee))
            continue;
        if (targets.len > 1 || !complete) note_guess(w, &s, callee);
        FuncId f = {targets.at[k]};
        // A union of function pointers, most often: the one with other parameters is not called
        // here, and what it would do to an argument that is not meant for it is not claimed. Errs
        // towards a missed leak where a function of fewer parameters is called on purpose.
        if (!takes_as_many(w, f, args->count)) {
            args->name = "a function pointer";
            call_unknown(w, &s, ins, args, (FuncId){0}, NULL, NULL, outs);
        } else {
            call_function(w, &s, ins, args, f, outs);
        }
    }
    if (usable && !complete) call_function(w, &rest, ins, args, (FuncId){0}, outs);
    vec_free(&targets);
    return usable;
}

void call(Work *w, const State *s, uint32_t block, uint32_t ins, States *out, States *thrown)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    State now = *s;
    if (w->unit->locs.at[i->loc].line) now.last_loc = i->loc;
    state_goes_on(&now);
    Term callee = operand(w, &now, (Ref){i->a});
    CallArgs args = {0};
    CallOuts outs = {out, thrown, block};
    Term few[16];
    args.at = i->c <= 16 ? few : arena_array_of(w->arena, Term, i->c);
    args.count = i->c;
    for (uint32_t k = 0; k < i->c; k++)
        args.at[k] = operand(w, &now, (Ref){*func_extra(w->unit, w->func, i->b + k)});
    // A value made for this call alone is gone after it.
    for (uint32_t k = 0; k < i->c; k++) {
        Ref r = {*func_extra(w->unit, w->func, i->b + k)};
        if (ref_is_ins(r) && w->uses[ref_index(r)].count == 1) queue_lost(w, &now, args.at[k]);
    }
    explain_run(w, &now, (Ref){i->a}, ins);
    if (text_reports_check(w, ins, &args)) state_doubt(w, &now, DOUBT_UNEXPECTED, ins);
    Address target = term_address(&w->terms, callee);
    FuncId f = {0};
    if (target.base.id && term_kind(&w->terms, target.base) == T_FUNC && !target.index.id &&
        !target.offset)
        f.id = term_node(&w->terms, target.base)->a;
    if (f.id || !(call_believed(w, &now, ins, &args, &outs) || call_variable(w, &now, ins, callee, &args, &outs) ||
                  call_targets(w, &now, ins, callee, &args, &outs)))
        call_function(w, &now, ins, &args, f, &outs);
}
