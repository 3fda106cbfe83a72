// What a container lends: the address of one of its elements, or of its text. Adding to a vector moves the
// elements, and the end of a container ends them: whoever uses such an address afterwards uses freed memory.
//
// The address is known by the instruction that got it. State.lent has the container for each of those, and the call
// that took back what was lent. Addresses that went through memory or met others in a phi are not followed:
// errs towards a missed use. Where the container had room and nothing moved, the replay does not show it.
#include "lost/lost.h"

#include "lost/limits.h"

// The container's address, and the call that took it back, or 0.
static uint64_t lent_word(Term container, uint32_t taken_back)
{
    return (uint64_t)taken_back << 32 | container.id;
}
static Term lent_by(uint64_t word)
{
    return (Term){(uint32_t)word};
}
// Instructions count from 1 here.
static uint32_t taken_back_at(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

// Containers that were asked to make room have keys of their own.
static uint64_t room_key(Term container)
{
    return (uint64_t)1 << 32 | container.id;
}

static bool is_call(const Ins *i)
{
    return i->op == OP_CALL || i->op == OP_INVOKE;
}

// Whether what the call gives is used up before the container can change: in the same block, with no other
// call of the container in between.
static bool is_used_at_once(const Work *w, uint32_t ins)
{
    const Ins *lends = func_ins(w->unit, w->func, ins);
    if (w->global_value[ins]) return false;
    UseRange uses = w->uses[ins];
    uint32_t last = ins;
    for (uint32_t i = 0; i < uses.count; i++) {
        uint32_t at = w->use_ins[uses.first + i];
        Op op = (Op)func_ins(w->unit, w->func, at)->op;
        if (op == OP_FIELD || op == OP_INDEX || op == OP_RET || op == OP_PHI) return false;
        if (at > last) last = at;
    }
    uint32_t container = *func_extra(w->unit, w->func, lends->b);
    for (uint32_t at = ins + 1; at < last; at++) {
        const Ins *i = func_ins(w->unit, w->func, at);
        if (is_call(i) && i->c && *func_extra(w->unit, w->func, i->b) == container) return false;
    }
    return true;
}

static Term lent_object(Work *w, uint32_t ins, const char *by)
{
    Term h = term_leaf(&w->terms, T_HEAP, w->terms.pointer_bits, ins, made(MADE_LENT, 0), 0, 0);
    if (by && !obj_info(w, h)) {
        ObjInfo info = {.term = h, .ins = ins, .allocator = by, .pos = pos_of_ins(w, ins), .arena = true, .lent = true};
        map_set(&w->info_of, h.id, w->infos.len);
        vec_push(&w->infos, arena_copy(w->arena, &info, sizeof info));
    }
    return h;
}

void lend(Work *w, State *s, Term container, uint32_t ins, const char *by)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    if (!is_call(i) || mtype_class(i->type) != MT_PTR || !container.id || is_used_at_once(w, ins) ||
        pmap_size(s->lent) >= LENT_KEPT)
        return;
    s->lent = pmap_set(w->arena, s->lent, ins, lent_word(container, 0));
    story_add(w, s, STORY_NEW, ins, lent_object(w, ins, by), (Term){0}, false, NULL);
}

typedef struct {
    Work *w;
    State *s;
    Term container;
    uint32_t ins;
    const char *by;
} Taking;

static bool take_one(void *context, uint64_t key, uint64_t word)
{
    Taking *k = context;
    if (key >> 32 || taken_back_at(word) || !term_same(lent_by(word), k->container)) return true;
    k->s->lent = pmap_set(k->w->arena, k->s->lent, key, lent_word(k->container, k->ins + 1));
    Term h = lent_object(k->w, (uint32_t)key, NULL);
    story_add(k->w, k->s, STORY_FREE, k->ins, h, (Term){0}, false, k->by);
    k->w->silent = false;
    return true;
}

void take_back(Work *w, State *s, Term container, bool grows, uint32_t ins, const char *by)
{
    if (!s->lent || !container.id || (grows && pmap_get(s->lent, room_key(container), NULL))) return;
    Taking k = {w, s, container, ins, by};
    pmap_each(s->lent, take_one, &k);
}

void make_room(Work *w, State *s, Term container)
{
    if (container.id) s->lent = pmap_set(w->arena, s->lent, room_key(container), 1);
}

// The object that stands for what was lent and is gone, where the value is an address in it; none else.
static Term gone(Work *w, State *s, Ref value)
{
    while (ref_is_ins(value)) {
        uint64_t word;
        uint32_t ins = ref_index(value);
        const Ins *i = func_ins(w->unit, w->func, ins);
        if (i->op == OP_FIELD || i->op == OP_INDEX) {
            value = (Ref){i->a};
            continue;
        }
        if (!pmap_get(s->lent, ins, &word) || !taken_back_at(word)) return (Term){0};
        Term h = lent_object(w, ins, NULL);
        if (!obj_info(w, h)) return (Term){0};
        obj_set(w, s, h, (Obj){OBJ_FREED, 0, taken_back_at(word) - 1, {0}});
        s->lent = pmap_drop(w->arena, s->lent, ins); // said once a path
        return h;
    }
    return (Term){0};
}

void use_lent(Work *w, State *s, Ref address, uint32_t ins)
{
    Term h = s->lent ? gone(w, s, address) : (Term){0};
    if (!h.id) return;
    misuse(w, s, RULE_USE_AFTER_FREE, h, ins, NULL);
    obj_set(w, s, h, (Obj){OBJ_FREED, OBJF_ESCAPED, ins, {0}});
}

Term return_lent(Work *w, State *s, Ref value, Term result)
{
    Term h = s->lent ? gone(w, s, value) : (Term){0};
    return h.id ? h : result;
}
