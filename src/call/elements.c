// Members of containers whose code is a library's. What becomes of the cells is heap/elements.c.
//
// Elements that are objects are made and ended by the functions that the template's code uses for
// that (facts/members.c), called here at the place of the element. Where a function ends the
// elements of a container that it did not fill, it leaves the ending function in the cell ELEMENTS_ENDED: the
// caller, who may know the elements, ends them (elements_end).
#include "heap/elements.h"
#include "call/call_int.h"

// ---- Elements that are objects.

// The parameter of a making or ending function that is the element's place points to this type.
static TypeId placed_type(const Work *w, FuncId f, const Unit **u)
{
    const SpecFunc *s = w->facts->member_of[f.id];
    const Func *decl = program_decl(w->facts->program, f, u);
    if (!decl || s->element[0] >= (int32_t)decl->param_count) return (TypeId){0};
    TypeId type = (*u)->params.at[decl->first_param + (uint32_t)s->element[0]].type;
    const Type *t = &(*u)->types.at[plain_type(*u, type).id];
    if ((t->kind != TYPE_POINTER && t->kind != TYPE_REFERENCE) || !t->elem_count)
        return (TypeId){0};
    return plain_type(*u, (*u)->elems.at[t->first_elem].type);
}

// Elements that are numbers and raw pointers are recognised by their bits alone.
static bool is_object(const Work *w, FuncId f, uint32_t *size)
{
    const Unit *u;
    if (!f.id || facts_member(w->facts, f)) return false;
    TypeId type = placed_type(w, f, &u);
    if (!type.id || u->types.at[type.id].kind != TYPE_STRUCT) return false;
    uint64_t bytes = u->types.at[type.id].size;
    if (!bytes || bytes >= ELEMENTS_ROOM / 4) return false;
    *size = (uint32_t)bytes;
    return true;
}

// A making or ending function at a place, on every state of the list.
static void run(Work *w, uint32_t ins, FuncId f, Term at, const CallArgs *more, Term container,
                States *states, CallOuts *outs)
{
    const Unit *u;
    const SpecFunc *s = w->facts->member_of[f.id];
    const Func *decl = program_decl(w->facts->program, f, &u);
    uint32_t place = (uint32_t)s->element[0], count = decl->param_count;
    Term *args = arena_array_of(w->arena, Term, count);
    for (uint32_t i = 0; i < count; i++)
        args[i] = i == place  ? at
                  : i > place ? more && i - place < more->count ? more->at[i - place] : (Term){0}
                              : container;
    States next = {0};
    CallOuts inner = {&next, outs->thrown, outs->block};
    vec_each (i, states) {
        CallArgs call = {args, count, NULL};
        State now = states->at[i];
        call_function(w, &now, ins, &call, f, &inner);
    }
    vec_free(states);
    *states = next;
}

// All elements end; `states` begins with one state and has those that come of it.
static void end_all(const Elements *e, FuncId ender, Term container, States *states, CallOuts *outs)
{
    Work *w = e->w;
    Elements here = *e;
    int64_t count;
    here.s = &states->at[0];
    Keyed by_key = elements_keyed(&here);
    if (by_key == KEYED_OBJECTS) {
        elements_let_go_of(&here, false);
        return;
    }
    bool objects = by_key == NOT_KEYED && is_object(w, ender, &here.size);
    bool known = elements_known(&here, &count);
    if (objects && !known) {
        elements_let_go_of(&here, true);
        elements_let_go_of(&here, false);
    } else if (!objects) {
        elements_drop(&here);
    }
    if (!known && ender.id && elements_are_callers(&here)) {
        Term f = term_leaf(&w->terms, T_FUNC, w->terms.pointer_bits, ender.id, 0, 0, 0);
        mem_store(w, here.s, elements_place(&here, ELEMENTS_ENDED), w->terms.pointer_bits / 8, f, e->ins);
    }
    if (!objects || !known) return;
    for (int64_t i = 0; i < count; i++)
        run(w, e->ins, ender, elements_place(&here, ELEMENTS_FIRST + i * here.size), NULL, container, states, outs);
    vec_each (i, states) {
        here.s = &states->at[i];
        elements_let_go_of(&here, true);
        elements_drop(&here);
    }
}

bool is_freed_by(Instance *k, Term container)
{
    Term base = term_address(&k->w->terms, container).base;
    for (uint32_t i = 0; i < k->c->free_count; i++)
        if (term_same(term_address(&k->w->terms, translate(k, k->c->frees[i].base)).base, base)) return true;
    return false;
}

static bool ending_of(Instance *k, const Effect *e, Ending *end)
{
    Terms *t = &k->w->terms;
    Term home = translate(k, e->base);
    return elements_ended(k->w, term_field(t, home, elements_moved(t, home, e->offset)), translate(k, e->value), end);
}

bool elements_ended(Work *w, Term address, Term value, Ending *end)
{
    Address a = term_address(&w->terms, address);
    if (!a.base.id || a.index.id || !elements_is_ending(&w->terms, a.offset, value)) return false;
    int64_t at = a.offset - ELEMENTS_AT;
    if (end)
        *end = (Ending){term_field(&w->terms, a.base, at / ELEMENTS_ROOM * 8), {term_node(&w->terms, value)->a}};
    return true;
}

// Whether the cell is for what became of the elements of a container.
bool elements_told(Work *w, Term address, Term *container)
{
    Address a = term_address(&w->terms, address);
    int64_t at = a.offset - ELEMENTS_AT;
    if (!a.base.id || a.index.id || at < 0 || at % ELEMENTS_ROOM != ELEMENTS_MOVED ||
        at / ELEMENTS_ROOM >= ELEMENTS_MOST_OFFSET / 8)
        return false;
    if (container) *container = term_field(&w->terms, a.base, at / ELEMENTS_ROOM * 8);
    return true;
}

// Addresses of elements of the caller's containers that the callee has moved or ended.
void note_moves(Instance *k, const Term *addresses, const Term *values)
{
    Work *w = k->w;
    for (uint32_t i = 0; i < k->c->effect_count; i++) {
        Term container;
        int64_t what;
        if (elements_told(w, addresses[i], &container) && term_is_int(&w->terms, values[i], &what))
            take_back(w, k->s, container, what == ELEMENTS_GROW, k->ins, k->args->name);
    }
}

bool elements_end_early(Instance *k, States *states, CallOuts *outs)
{
    Work *w = k->w;
    bool any = false;
    PMap lost = states->at[0].lost;
    for (uint32_t i = 0; i < k->c->effect_count; i++) {
        Ending end;
        const Effect *e = &k->c->effects[i];
        if (e->offset < ELEMENTS_AT || !ending_of(k, e, &end) || !is_freed_by(k, end.container)) continue;
        if (!any && !guards_hold(k)) return false;
        if (!any) states->at[0].lost = NULL;
        any = true;
        elements_end(w, end, k->ins, states, outs);
    }
    for (uint32_t i = 0; any && i < states->len; i++) states->at[i].lost = lost;
    return true;
}

bool elements_touched(Work *w, Term container, Term address)
{
    Elements e;
    State none = {0};
    Address a = term_address(&w->terms, address);
    return elements_find(w, &none, container, 0, &e) && term_same(a.base, e.base) &&
           a.offset >= e.region && a.offset < e.region + ELEMENTS_ROOM;
}

void elements_let_go(Work *w, State *s, Term container, uint32_t ins)
{
    Elements e;
    if (elements_find(w, s, container, ins, &e)) elements_let_go_of(&e, false);
}

void elements_end(Work *w, Ending end, uint32_t ins, States *states, CallOuts *outs)
{
    States all = {0};
    const SpecFunc *by = facts_member(w->facts, end.ender);
    vec_each (i, states) {
        States one = {0};
        Elements e;
        if (by && by->elements == SPEC_ELEMENTS_COUNTS) {
            CallArgs call = {&end.container, 1, NULL};
            CallOuts inner = {&all, outs->thrown, outs->block};
            call_function(w, &states->at[i], ins, &call, end.ender, &inner);
            continue;
        }
        vec_push(&one, states->at[i]);
        if (elements_find(w, &one.at[0], end.container, ins, &e))
            end_all(&e, end.ender, end.container, &one, outs);
        vec_each (k, &one) vec_push(&all, one.at[k]);
        vec_free(&one);
    }
    vec_free(states);
    *states = all;
}

// Elements of the caller's containers that the callee has ended. They end after the other effects;
// where the callee has also put new ones there, nothing is claimed of the old ones.
void note_endings(Instance *k, const Term *addresses, const Term *values)
{
    Work *w = k->w;
    for (uint32_t i = 0; i < k->c->effect_count; i++) {
        Ending end;
        if (!elements_ended(w, addresses[i], values[i], &end) || is_freed_by(k, end.container)) continue;
        bool alone = true;
        for (uint32_t n = 0; n < k->c->effect_count; n++)
            alone &= n == i || elements_told(w, addresses[n], NULL) || !elements_touched(w, end.container, addresses[n]);
        if (alone)
            vec_push(&k->endings, end);
        else
            elements_let_go(w, k->s, end.container, k->ins);
    }
}

// The element at a known place goes, those behind it move up. False: it is not known which.
static bool erase(const Elements *e, FuncId ender, Term container, Term from, Term to,
                  States *states, CallOuts *outs)
{
    Work *w = e->w;
    int64_t count, first = -1, last = -1;
    Elements here = *e;
    here.s = &states->at[0];
    if (!elements_known(&here, &count)) return false;
    bool objects = is_object(w, ender, &here.size);
    for (int64_t i = 0; i <= count; i++) {
        Term at = elements_place(&here, ELEMENTS_FIRST + i * here.size);
        if (term_same(from, at)) first = i;
        if (to.id && term_same(to, at)) last = i;
    }
    if (!to.id) last = first + 1;
    if (first < 0 || last < first || last > count) return false;
    for (int64_t i = first; objects && i < last; i++)
        run(w, e->ins, ender, elements_place(&here, ELEMENTS_FIRST + i * here.size), NULL, container, states, outs);
    int64_t gone = last - first;
    vec_each (k, states) {
        here.s = &states->at[k];
        if (objects) elements_let_go_of(&here, true);
        elements_forget(&here, ELEMENTS_FIRST + first * here.size, gone * here.size, true);
        Cells c = elements_cells(&here);
        for (uint32_t i = 0; gone && i < c.keys.len; i++) {
            Address home = term_address(&w->terms, cell_base(c.keys.at[i]));
            int64_t at = home.offset + cell_offset(c.keys.at[i]) - here.region;
            if (home.index.id || at < ELEMENTS_FIRST + last * here.size || at >= ELEMENTS_ENDED) continue;
            here.s->mem = pmap_drop(w->arena, here.s->mem, c.keys.at[i]);
            mem_store(w, here.s, elements_place(&here, at - gone * here.size), cell_size(c.values.at[i]),
                      cell_term(c.values.at[i]), e->ins);
        }
        elements_cells_free(&c);
        elements_set_count(&here, term_int(&w->terms, w->terms.pointer_bits, count - gone));
    }
    return true;
}

// The last one goes. Where the caller knows how many there are, a raw one is overwritten.
static bool pop(const Elements *e, FuncId ender, Term container, bool objects, States *states,
                CallOuts *outs)
{
    int64_t count;
    Terms *t = &e->w->terms;
    Elements here = *e;
    here.s = &states->at[0];
    if (elements_known(&here, &count))
        return count && erase(&here, ender, container, elements_place(&here, ELEMENTS_FIRST + (count - 1) * here.size),
                              (Term){0}, states, outs);
    if (objects || here.size != t->pointer_bits / 8 || !elements_are_callers(&here)) return false;
    Term last = term_binary(t, T_ADD, elements_count(&here), term_int(t, t->pointer_bits, -1));
    mem_store(e->w, here.s, elements_at(&here, last, here.size), here.size, term_null(t), e->ins);
    elements_set_count(&here, last);
    return true;
}

// So many elements. False: it is not known how many there are or will be.
static bool resize(const Elements *e, FuncId ender, Term container, Term to, bool fresh,
                   States *states, CallOuts *outs)
{
    Work *w = e->w;
    Terms *t = &w->terms;
    int64_t count = 0, wanted;
    Elements here = *e;
    here.s = &states->at[0];
    if (!term_is_int(t, to, &wanted) || wanted < 0 || wanted > ELEMENTS_COUNTED) return false;
    if (!fresh && !elements_known(&here, &count)) return false;
    if (is_object(w, ender, &here.size) && wanted > count) return false;
    if (wanted < count)
        return erase(&here, ender, container, elements_place(&here, ELEMENTS_FIRST + wanted * here.size),
                     elements_place(&here, ELEMENTS_FIRST + count * here.size), states, outs);
    for (int64_t at = count * here.size; at < wanted * here.size; at += here.size < 8 ? here.size : 8) {
        uint32_t bytes = here.size < 8 ? here.size : 8;
        mem_store(w, here.s, elements_place(&here, ELEMENTS_FIRST + at), bytes, term_int(t, bytes * 8, 0), e->ins);
    }
    elements_set_count(&here, term_int(t, t->pointer_bits, wanted));
    mem_store(w, here.s, elements_place(&here, ELEMENTS_SIZE), t->pointer_bits / 8,
              term_int(t, t->pointer_bits, here.size), e->ins);
    return true;
}

static Term argument(const CallArgs *args, int32_t i)
{
    return i >= 0 && (uint32_t)i < args->count ? args->at[i] : (Term){0};
}

// What the members do that only ask, on the one state of `e`; false: it is none of them.
static bool ask(const Elements *e, const SpecFunc *spec, const Func *decl, const Unit *u, Term x,
                Term *result)
{
    Terms *t = &e->w->terms;
    switch (spec->elements) {
    case SPEC_ELEMENTS_AT:
        *result = elements_at(e, x, e->size);
        return true;
    case SPEC_ELEMENTS_FIRST:
        *result = elements_place(e, ELEMENTS_FIRST);
        return true;
    case SPEC_ELEMENTS_LAST:
        *result = elements_at(
            e, term_binary(t, T_ADD, elements_count(e), term_int(t, t->pointer_bits, -1)), e->size);
        return true;
    case SPEC_ELEMENTS_END:
        *result = elements_at(e, elements_count(e), e->size);
        return true;
    case SPEC_ELEMENTS_KEY:
        *result = elements_by_key(e, u, decl, spec->element[0], x);
        return true;
    case SPEC_ELEMENTS_COUNT:
        *result = elements_count(e);
        return true;
    case SPEC_ELEMENTS_EMPTY:
        *result = term_eq(t, elements_count(e), term_null(t));
        return true;
    case SPEC_ELEMENTS_STAY:
        return true;
    default:
        return false;
    }
}

// One more object, made by its constructor from the member's arguments.
static void make(const Elements *e, FuncId maker, const CallArgs *args, States *states,
                 CallOuts *outs)
{
    Work *w = e->w;
    Terms *t = &w->terms;
    Elements here = *e;
    here.s = &states->at[0];
    Term n = elements_count(&here), at = elements_at(&here, n, here.size);
    run(w, e->ins, maker, at, args, args->at[0], states, outs);
    vec_each (i, states) {
        here.s = &states->at[i];
        elements_set_count(&here, term_binary(t, T_ADD, n, term_int(t, t->pointer_bits, 1)));
        mem_store(w, here.s, elements_place(&here, ELEMENTS_SIZE), t->pointer_bits / 8,
                  term_int(t, t->pointer_bits, here.size), e->ins);
    }
}

// What the member lends, and what it takes back.
static void lends(Work *w, State *s, const SpecFunc *spec, Term container, Term given, uint32_t ins, const char *by)
{
    SpecElements what = spec->elements;
    bool grows = what == SPEC_ELEMENTS_ADD || what == SPEC_ELEMENTS_INSERT || what == SPEC_ELEMENTS_RESIZE;
    if (spec->withdraws || what == SPEC_ELEMENTS_DROP) take_back(w, s, container, grows, ins, by);
    if (spec->reserves) make_room(w, s, container);
    if (what == SPEC_ELEMENTS_AT || what == SPEC_ELEMENTS_FIRST || what == SPEC_ELEMENTS_LAST ||
        what == SPEC_ELEMENTS_KEY)
        lend(w, s, container, given, ins, by);
}

static bool copy_from(const Elements *e, const Elements *other, bool objects, bool moves)
{
    int64_t count;
    if (term_same(other->base, e->base) && other->region == e->region) return true;
    // Copies of objects would have to be made one by one.
    if (objects && !moves && elements_keyed(other) != KEYED && !(elements_known(other, &count) && !count))
        return false;
    elements_copy(e, other);
    if (moves) {
        elements_forget(other, 0, ELEMENTS_ROOM, false);
        elements_set_count(other, term_null(&e->w->terms));
    }
    return true;
}

bool call_elements(Work *w, const State *before, uint32_t ins, const CallArgs *args,
                   const SpecFunc *spec, FuncId f, const Func *decl, const Unit *u, CallOuts *outs)
{
    Terms *t = &w->terms;
    FuncId maker = w->facts->maker_of[f.id], ender = spec->keyed ? f : w->facts->ender_of[f.id];
    Elements e, other;
    Term x = argument(args, spec->element[0]), result = {0};
    State first = *before;
    if (spec->elements == SPEC_ELEMENTS_COUNTS)
        return decl && call_counted(w, before, ins, args, spec, f, decl, u, outs);
    if (spec->elements == SPEC_ELEMENTS_ANY || !decl ||
        !elements_find(w, &first, argument(args, 0), ins, &e))
        return false;
    uint32_t size = 0;
    bool made = is_object(w, maker, &size), objects = made || is_object(w, ender, &size);
    bool needs = !(made && spec->elements == SPEC_ELEMENTS_ADD) && spec->element[0] >= 0;
    if (needs && (!x.id || spec->element[0] >= (int32_t)decl->param_count)) return false;
    e.size = elements_size(&e, spec, u, decl);
    touch_if_any(w, &first, args->at[0], ins);
    if (objects) e.size = size;
    e.s = &first;
    objects &= elements_keyed(&e) == NOT_KEYED;
    States states = {0};
    vec_push(&states, first);
    e.s = &states.at[0];
    Term container = args->at[0];
    bool done = true;
    switch (spec->elements) {
    case SPEC_ELEMENTS_MAKE:
    case SPEC_ELEMENTS_DROP:
        end_all(&e, ender, container, &states, outs);
        for (uint32_t i = 0; spec->elements == SPEC_ELEMENTS_MAKE && i < states.len; i++) {
            e.s = &states.at[i];
            elements_set_count(&e, term_null(t));
        }
        break;
    case SPEC_ELEMENTS_COPY:
    case SPEC_ELEMENTS_MOVE:
        done = elements_find(w, e.s, x, ins, &other);
        other.size = e.size;
        if (!done || (term_same(other.base, e.base) && other.region == e.region)) break;
        end_all(&e, ender, container, &states, outs);
        vec_each (i, &states) {
            e.s = other.s = &states.at[i];
            done &= copy_from(&e, &other, objects, spec->elements == SPEC_ELEMENTS_MOVE);
        }
        result = args->at[0];
        break;
    case SPEC_ELEMENTS_SWAP:
        done = elements_find(w, e.s, x, ins, &other);
        if (done && !(term_same(other.base, e.base) && other.region == e.region)) elements_swap(&e, &other);
        break;
    case SPEC_ELEMENTS_ADD:
        if (made)
            make(&e, maker, args, &states, outs);
        else if (objects)
            done = false;
        else
            elements_add(&e, x);
        break;
    case SPEC_ELEMENTS_PREPEND:
        done = !objects && elements_prepend(&e, x);
        break;
    case SPEC_ELEMENTS_INSERT:
        done = !objects && elements_insert(&e, x, argument(args, spec->element[1]), argument(args, spec->element[2]));
        break;
    case SPEC_ELEMENTS_POP:
        done = pop(&e, ender, container, objects, &states, outs);
        break;
    case SPEC_ELEMENTS_SHIFT:
        done = erase(&e, ender, container, elements_place(&e, ELEMENTS_FIRST), (Term){0}, &states, outs);
        break;
    case SPEC_ELEMENTS_ERASE:
        done = erase(&e, ender, container, x, argument(args, spec->element[1]), &states, outs);
        result = x;
        break;
    case SPEC_ELEMENTS_PUT:
        done = elements_put(&e, u, decl, spec->element[0], x);
        break;
    case SPEC_ELEMENTS_REMOVE:
        done = elements_remove(&e, u, decl, spec->element[0], x);
        break;
    case SPEC_ELEMENTS_SHOWN:
        elements_show(&e);
        if (elements_are_callers(&e)) escape_contents(w, e.s, container, ins, true);
        break;
    case SPEC_ELEMENTS_FILL:
    case SPEC_ELEMENTS_RESIZE:
        done = resize(&e, ender, container, x, spec->elements == SPEC_ELEMENTS_FILL, &states, outs);
        break;
    default:
        done = ask(&e, spec, decl, u, x, &result);
    }
    for (uint32_t i = 0; done && i < states.len; i++) lends(w, &states.at[i], spec, container, result, ins, args->name);
    for (uint32_t i = 0; done && i < states.len; i++)
        call_done(w, &states.at[i], ins, result, false, outs);
    vec_free(&states);
    return done;
}
