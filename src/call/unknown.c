// Calls of functions with neither code nor spec: what may have become of the arguments.
#include "call/call_int.h"

// Other call sites say that the function does not keep this argument, and it is memory that this
// function may still have to release. Inputs are handed on as before: whose they are the caller
// knows. The object is marked: what is found about it is `likely` at most.
static bool believed(Work *w, State *s, FuncId f, uint32_t param, Term x, uint32_t ins,
                     const char *name)
{
    const Beliefs *beliefs = w->facts->beliefs;
    Address a = term_address(&w->terms, x);
    if (!f.id || !beliefs || !beliefs->any || !a.base.id) return false;
    if (term_kind(&w->terms, a.base) != T_HEAP) return false;
    BeliefCounts c = belief_counts(beliefs, f, param, w->id);
    ObjState o = obj_get(s, a.base);
    if (!belief_borrows(c) || o.status != OBJ_ALLOCATED) return false;
    if (o.flags & OBJF_DOUBTED) return true;
    o.flags |= OBJF_BELIEVED;
    obj_set(w, s, a.base, o);
    uint32_t kept = c.count[SITE_KEPT];
    story_add(w, s, STORY_BELIEF, ins, a.base, (Term){0}, false,
              arena_printf(w->arena, BELIEF_SENTENCE, name, kept, kept + belief_against(c)));
    return true;
}

// Other call sites say that the function takes this argument over; whoever looks at its answer may
// keep it when it fails. To release it afterwards is then likely a double free. Nothing else is
// claimed: what was taken may still be used.
static void believed_taken(Work *w, State *s, FuncId f, uint32_t param, Term x, uint32_t ins,
                           const char *name)
{
    const Beliefs *beliefs = w->facts->beliefs;
    Address a = term_address(&w->terms, x);
    if (!f.id || !beliefs || !beliefs->any || !a.base.id) return;
    ObjState o = obj_get(s, a.base);
    if (term_kind(&w->terms, a.base) != T_HEAP || o.status != OBJ_ALLOCATED ||
        (o.flags & (OBJF_TAKEN | OBJF_ESCAPED | OBJF_FAMILY)) || w->uses[ins].count ||
        !belief_takes_for(beliefs, w->facts->program, f, param, w->id))
        return;
    BeliefCounts c = belief_counts(beliefs, f, param, w->id);
    o.flags |= OBJF_TAKEN;
    obj_set(w, s, a.base, o);
    uint32_t gone = c.count[SITE_GONE], all = gone + c.count[SITE_KEPT] + c.count[SITE_MIXED];
    story_add(w, s, STORY_BELIEF, ins, a.base, (Term){0}, false,
              arena_printf(w->arena, BELIEF_TAKEN_SENTENCE, name, gone, all));
}

// What a believed allocator gave is passed to the function that it is believed to end in. Nothing is claimed of it
// afterwards: neither that it is lost, nor that it may not be used.
static bool believed_released(Work *w, State *s, uint32_t param, Term x, uint32_t ins, const char *name)
{
    Address a = term_address(&w->terms, x);
    if (!a.base.id || a.index.id || a.offset || term_kind(&w->terms, a.base) != T_HEAP) return false;
    const ObjInfo *info = obj_info(w, a.base);
    ObjState o = obj_get(s, a.base);
    if (!info || !info->believed || o.status != OBJ_ALLOCATED || (o.flags & (OBJF_ESCAPED | OBJF_FAMILY)) ||
        !facts_call_releases(w->facts, w->id, ins, param))
        return false;
    story_add(w, s, STORY_FREE, ins, a.base, (Term){0}, false, name);
    obj_set(w, s, a.base, (ObjState){OBJ_FREED, o.flags | OBJF_MAYBE_FREED, ins, {0}});
    return true;
}

// A block that goes from the call that made it straight into this one, without ever having a name:
// where nobody could free it afterwards, the function was meant to keep it, whatever const says.
static bool is_nameless(const Work *w, Term x, uint32_t ins, uint32_t number)
{
    Term base = term_address(&w->terms, x).base;
    if (!base.id || term_kind(&w->terms, base) != T_HEAP || map_get(&w->name_of, base.id))
        return false;
    const Ins *i = func_ins(w->unit, w->func, ins);
    Ref r = {*func_extra(w->unit, w->func, i->b + number)};
    return ref_is_ins(r) && w->uses[ref_index(r)].count == 1 &&
           func_ins(w->unit, w->func, ref_index(r))->op == OP_CALL;
}

// Whether the function is one to release things with: a model's (free, g_free), or one of the program's
// that takes one pointer and gives nothing back, as destructors do.
static bool is_releaser(const Work *w, Term x)
{
    Address a = term_address(&w->terms, x);
    if (!a.base.id || term_kind(&w->terms, a.base) != T_FUNC) return false;
    FuncId f = {term_node(&w->terms, a.base)->a};
    const SpecFunc *spec = facts_spec(w->facts, f);
    if (spec) return spec->param_count && spec->params[0].mode == SPEC_TAKE;
    const Unit *u;
    const Func *decl = program_decl(w->facts->program, f, &u);
    return decl && decl->param_count == 1 && mtype_class(decl->result) == MT_VOID &&
           mtype_class(u->params.at[decl->first_param].mtype) == MT_PTR;
}

// A call that also gets a function to release with: `data` and its destructor belong together, and the
// callee keeps them both, whatever const says. Errs towards missed leaks.
static bool gets_releaser(Work *w, const CallArgs *args)
{
    for (uint32_t k = 1; k < args->count; k++)
        if (args->at[k].id && is_releaser(w, args->at[k])) return assumes(w, ASSUME_WITH_RELEASER);
    return false;
}

// A variable of the caller's with functions in it, behind a pointer to const: callbacks and the data that they get
// are copied out of it and kept (the table of a new type, `struct { void *data; void (*free)(void *); }`). What is in
// it goes with them. Errs towards missed leaks.
static bool brings_callbacks(Work *w, const State *s, Term x)
{
    if (term_kind(&w->terms, term_address(&w->terms, x).base) != T_LOCAL) return false;
    Reach r = {0};
    bool found = false;
    reach_term(w, s, x, &r);
    vec_each (i, &r.reached) found |= term_kind(&w->terms, (Term){r.reached.at[i]}) == T_FUNC;
    reach_free(&r);
    return found && assumes(w, ASSUME_WITH_RELEASER);
}

// Neither code nor spec (design, section spec): a pointer to const is borrowed, any other may have
// been kept and what it reaches may have been changed; nothing is taken to be freed. Errs towards
// missed leaks.
void call_unknown(Work *w, const State *before, uint32_t ins, const CallArgs *args, FuncId f,
                  const Func *decl, const Unit *unit, CallOuts *outs)
{
    State s = *before;
    const Ins *i = func_ins(w->unit, w->func, ins);
    bool pure = decl && (decl->flags & (FUNC_READNONE | FUNC_READONLY));
    bool code = f.id && program_has_code(w->facts->program, f);
    const Summary *sum = code ? callee_summary(w->callees, f) : NULL;
    bool releaser = !code && gets_releaser(w, args);
    for (uint32_t k = 0; k < args->count && !pure; k++) {
        Term x = args->at[k];
        if (!x.id) continue;
        // A number may be a descriptor, which unknown code may close.
        bool number = is_number_input(&w->terms, unconverted(&w->terms, x));
        if (number) escape_term(w, &s, x, ins);
        if (number || !(term_node(&w->terms, x)->flags & TERM_HAS_BASE)) continue;
        bool rest = decl && k >= decl->param_count;
        if (sum && certainly_spared(w, &s, ins, sum, k, x)) continue;
        // Text that a format asks for is read there and then, also if it never had a name.
        bool text = rest && (decl->flags & FUNC_VARARGS) && is_text(w, args, decl->param_count, k);
        if (text && !releaser) continue;
        bool borrowed =
            rest   ? (decl->flags & FUNC_VARARGS) && (text || is_const_input(w, x))
            : decl ? unit->params.at[decl->first_param + k].flags & PARAM_CONST_POINTEE
                   : !f.id && takes_const(w, &s, i, k);
        if (borrowed && !releaser && !code && brings_callbacks(w, &s, x)) escape_contents(w, &s, x, ins, false);
        if (borrowed && !releaser && !(is_nameless(w, x, ins, k) && assumes(w, ASSUME_NAMELESS))) continue;
        if (!borrowed && believed_released(w, &s, k, x, ins, args->name)) {
            escape_contents(w, &s, x, ins, true);
            continue;
        }
        if (!borrowed) believed_taken(w, &s, f, k, x, ins, args->name);
        if (borrowed || releaser || !believed(w, &s, f, k, x, ins, args->name)) escape_term(w, &s, x, ins);
        if (!borrowed) escape_contents(w, &s, x, ins, true);
    }
    // Globals that other code can name may hold something else now.
    if (!pure) escape_globals(w, &s, ins);
    Term result = {0};
    if (mtype_class(i->type) != MT_VOID) result = value_unknown(w, &s, ins, made(MADE_VALUE, 0), i->type);
    if (f.id && (w->facts->program->funcs.at[f.id].flags & PROG_ENDS)) return;
    throw_unknown(w, &s, ins, decl, outs);
    call_done(w, &s, ins, result, false, outs);
}
