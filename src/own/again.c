// The second round: with what call sites say of unknown functions, and with the fields that own.
//
// A component of functions that call each other is gone through once more as soon as one of them has a
// reason. What was inferred of a function depends on its code, on the interfaces that it asked for, and in this
// round on beliefs and owning fields. Where none of these is other than it was when the function was
// inferred, it would come to the same, and only its findings are told again in their place: of some
// thousand functions of an editor that all call each other it is a third that differs.
#include "own/own_int.h"

// ---- what a function was inferred from ----

static void put(U32s *words, const void *bytes, size_t size)
{
    uint32_t at = words->len, count = (uint32_t)((size + 3) / 4);
    vec_extend(words, count);
    if (size) memcpy(words->at + at, bytes, size);
}

static void put_relations(U32s *words, const Relation *all, uint32_t count)
{
    vec_push(words, count);
    for (uint32_t i = 0; i < count; i++) {
        put(words, &all[i].rows, sizeof all[i].rows);
        vec_push(words, all[i].count);
        put(words, all[i].vars, all[i].count * sizeof *all[i].vars);
    }
}

// All that callers may read of it.
static Hash128 content_of(const Interface *face)
{
    U32s words = {0};
    vec_push(&words, face->param_count);
    vec_push(&words, face->var_count);
    put(&words, &face->result, sizeof face->result);
    vec_push(&words, face->weak_result);
    for (uint32_t i = 0; i < face->param_count; i++) {
        put(&words, &face->params[i], sizeof face->params[i]);
        vec_push(&words, face->weak[i] + 8u * face->torn[i]);
        vec_push(&words, face->field[i]);
        const Handed *h = &face->handed[i];
        vec_push(&words, h->count);
        put(&words, h->to, h->count * sizeof *h->to);
        put(&words, h->param, h->count * sizeof *h->param);
    }
    vec_push(&words, face->node_count);
    for (uint32_t i = 0; i < face->node_count; i++) {
        const Node *n = &face->nodes[i];
        vec_push(&words, n->kind + 256u * n->flags);
        vec_push(&words, n->id);
        vec_push(&words, n->first_slot);
        vec_push(&words, n->slot_count);
    }
    vec_push(&words, face->slot_count);
    put(&words, face->slots, face->slot_count * sizeof *face->slots);
    put_relations(&words, face->relations, face->relation_count);
    put_relations(&words, face->behind, face->behind_count);
    Hash128 h = hash128_bytes(words.at, words.len * sizeof *words.at);
    vec_free(&words);
    return h;
}

// Of the interfaces as they are now; 0: there is none yet.
static Hash128 answers(const Own *o, const uint32_t *asked, uint32_t count)
{
    U32s words = {0};
    for (uint32_t i = 0; i < count; i++) put(&words, &o->content[asked[i]], sizeof(Hash128));
    Hash128 h = hash128_bytes(words.at, words.len * sizeof *words.at);
    vec_free(&words);
    return h;
}

void again_asked(Body *b, FuncId callee, uint32_t unknown)
{
    if (b->own->believe) return;
    vec_push(&b->asked, callee.id);
    vec_push(&b->asked, unknown);
}

// Before its content is that of the new one: a function may ask for itself.
static void note_from(Body *b)
{
    Own *o = b->own;
    From *from = &o->from[b->f.id];
    *from = (From){.known = !b->given_up, .first = o->asked.len};
    for (uint32_t i = 0; i < b->asked.len; i += 2)
        if (!b->asked.at[i + 1]) vec_push(&o->asked, b->asked.at[i]);
    from->count = o->asked.len - from->first;
    from->answers = answers(o, o->asked.at + from->first, from->count);
    for (uint32_t i = 0; i < b->asked.len; i += 2)
        for (uint32_t k = 0; k < 2 && b->asked.at[i + 1]; k++) vec_push(&o->asked, b->asked.at[i + k]);
    from->unknown = o->asked.len - from->first - from->count;
}

void again_note(Body *b, const Interface *face)
{
    if (!b->own->believe) note_from(b);
    b->own->content[b->f.id] = content_of(face);
}

static bool is_as_before(const Own *o, FuncId f, const bool *touched)
{
    const From *from = &o->from[f.id];
    if (!from->known || !touched || touched[f.id]) return false;
    const uint32_t *unknown = o->asked.at + from->first + from->count;
    for (uint32_t i = 0; i < from->unknown; i += 2)
        for (uint32_t k = 0; k < unknown[i + 1]; k++)
            if (belief_borrows(belief_counts(&o->beliefs, (FuncId){unknown[i]}, k, f)) ||
                belief_takes_for(&o->beliefs, o->program, (FuncId){unknown[i]}, k, f))
                return false;
    return hash128_same(from->answers, answers(o, o->asked.at + from->first, from->count));
}

// The same findings where those of this round come.
static void tell_again(Own *o, ProgRange told)
{
    for (uint32_t k = 0; k < told.count; k++) {
        Finding *f = o->into->all.at[told.first + k];
        o->into->all.at[told.first + k] = NULL;
        vec_push(&o->into->all, f);
    }
}

// ---- the round ----

static bool same_interface(const Interface *a, const Interface *b)
{
    if (a->param_count != b->param_count || a->var_count != b->var_count ||
        a->weak_result != b->weak_result || a->result.own != b->result.own ||
        a->node_count != b->node_count || a->relation_count != b->relation_count)
        return false;
    for (uint32_t i = 0; i < a->param_count; i++)
        if (a->params[i].own != b->params[i].own || a->params[i].node != b->params[i].node ||
            a->weak[i] != b->weak[i])
            return false;
    for (uint32_t i = 0; i < a->relation_count; i++) {
        const Relation *x = &a->relations[i], *y = &b->relations[i];
        if (x->rows != y->rows || x->count != y->count ||
            memcmp(x->vars, y->vars, x->count * sizeof *x->vars) != 0)
            return false;
    }
    return true;
}

static bool calls_believed(const Own *o, FuncId f)
{
    const Program *p = o->program;
    ProgRange calls = p->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < calls.count; i++) {
        FuncId callee = p->calls.at[calls.first + i].callee;
        if (!callee.id || program_has_code(p, callee)) continue;
        const Unit *u;
        uint32_t count = program_decl(p, callee, &u)->param_count;
        for (uint32_t k = 0; k < count; k++)
            if (belief_borrows(belief_counts(&o->beliefs, callee, k, f)) ||
                belief_takes_for(&o->beliefs, p, callee, k, f))
                return true;
    }
    return false;
}

static bool calls_any(const Program *p, FuncId f, const bool *changed)
{
    ProgRange calls = p->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < calls.count; i++)
        if (changed[p->calls.at[calls.first + i].callee.id]) return true;
    return false;
}

void own_infer_again(Own *o)
{
    const Program *p = o->program;
    bool *changed = arena_array_of(o->arena, bool, p->funcs.len);
    Bits dropped = bits_new(o->arena, o->into ? o->into->all.len + 1 : 1);
    uint32_t before = o->into ? o->into->all.len : 0;
    o->believe = true;
    const bool *touched = o->options.discover ? NULL : own_touched(o);
    for (uint32_t s = 1; s < p->sccs.len; s++) {
        ProgRange r = p->sccs.at[s];
        bool again = false;
        for (uint32_t i = 0; i < r.count && !again; i++) {
            FuncId f = p->order.at[r.first + i];
            again = o->interfaces[f.id] && (calls_believed(o, f) || (touched && touched[f.id]) ||
                                            calls_any(p, f, changed));
        }
        for (uint32_t i = 0; i < r.count && again; i++) {
            FuncId f = p->order.at[r.first + i];
            const Interface *old = o->interfaces[f.id];
            if (!old) continue;
            if (is_as_before(o, f, touched)) {
                tell_again(o, o->told[f.id]);
                continue;
            }
            for (uint32_t k = 0; k < o->told[f.id].count; k++)
                bits_add(&dropped, o->told[f.id].first + k);
            own_infer(o, f, true);
            changed[f.id] = !same_interface(old, o->interfaces[f.id]);
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; o->into && i < o->into->all.len; i++) {
        Finding *f = o->into->all.at[i];
        if (!f) continue;
        if (i < before && bits_has(&dropped, i))
            finding_drop(f);
        else
            o->into->all.at[kept++] = f;
    }
    if (o->into) o->into->all.len = kept;
}
