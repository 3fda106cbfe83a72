// A whole program from its constructors to its exit handlers, and what is said of the run.
#include "witness/witness_int.h"

void wit_machine_free(Machine *m)
{
    vec_each (i, &m->blocks) {
        mem_free(m->blocks.at[i].bytes);
        mem_free(m->blocks.at[i].known);
    }
    vec_each (i, &m->stack) {
        mem_free(m->stack.at[i].bytes);
        mem_free(m->stack.at[i].known);
    }
    vec_free(&m->blocks);
    vec_free(&m->stack);
    vec_free(&m->values);
    vec_free(&m->rest);
    vec_free(&m->frames);
    vec_free(&m->phis);
    vec_free(&m->thrown);
    vec_free(&m->caught);
    vec_free(&m->marks);
    vec_free(&m->at_exit);
    vec_free(&m->kept);
    vec_free(&m->open);
    vec_free(&m->output);
    mem_free(m->global_block);
    mem_free(m->static_block);
    mem_free(m->computes);
}

void wit_machine_init(Machine *m, Arena *a, const Program *p, const SpecTable *specs,
                      const WitnessOptions *o)
{
    *m = (Machine){.a = a, .p = p, .specs = specs};
    m->max_steps = o && o->steps ? o->steps : 50000000;
    m->max_bytes = o && o->bytes ? o->bytes : 256u << 20;
    m->top = HEAP_BASE;
    m->stack_top = STACK_BASE;
    m->next_value = 2;
    m->global_block = mem_alloc((p->globals.len + 1) * sizeof *m->global_block);
    m->static_block = mem_alloc((p->funcs.len + 1) * sizeof *m->static_block);
    m->computes = mem_alloc(p->funcs.len + 1);
    for (uint32_t i = 0; i < p->unit_count; i++)
        if (p->units[i]->pointer_bytes != 8) wit_stop(m, STOP_TARGET, "%s", "");
}

static FuncId find_main(const Program *p)
{
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if (program_has_code(p, (FuncId){f}) && program_is_main(p, (FuncId){f})) return (FuncId){f};
    return (FuncId){0};
}

static uint64_t make_argv(Machine *m, const WitnessOptions *o)
{
    static const char *const only[] = {"program"};
    const char *const *args = o && o->arg_count ? o->args : only;
    uint32_t n = o && o->arg_count ? o->arg_count : 1;
    uint64_t list = wit_block_new(m, BLOCK_LIBRARY, (n + 1) * 8ull, 16);
    for (uint32_t i = 0; i < n && !m->ended; i++) {
        size_t len = strlen(args[i]) + 1;
        uint64_t text = wit_block_new(m, BLOCK_LIBRARY, len, 16);
        if (text && wit_write(m, text, args[i], len)) wit_write(m, list + i * 8ull, &text, 8);
    }
    return list;
}

static void run_all(Machine *m, const WitnessOptions *o)
{
    const Program *p = m->p;
    FuncId id = find_main(p);
    if (!id.id) {
        wit_stop(m, STOP_NO_MAIN, "%s", "");
        return;
    }
    for (uint32_t i = 0; i < p->unit_count; i++) {
        const Unit *u = p->units[i];
        vec_each (k, &u->constructors) {
            FuncId f = program_func(p, i, (UFuncId){u->constructors.at[k]});
            if (program_has_code(p, f)) wit_call_back(m, wit_func(f), NULL, 0, NULL);
        }
    }
    if (m->ended) return;
    uint64_t argv = make_argv(m, o);
    uint64_t env = wit_block_new(m, BLOCK_LIBRARY, 8, 16);
    uint32_t n = o && o->arg_count ? o->arg_count : 1;
    Arg args[3] = {{wit_word(n), mtype(MT_INT, 32)},
                   {wit_word(argv), mtype(MT_PTR, 8)},
                   {wit_word(env), mtype(MT_PTR, 8)}};
    if (m->ended) return;
    wit_push_frame(m, id, args, 3, false);
    wit_loop(m, 0);
    if (!m->ended) wit_exit(m, (int)(uint32_t)m->result.lo);
}

WitnessRun witness_run_main(Arena *a, const Program *p, const SpecTable *specs,
                            const WitnessOptions *o)
{
    Machine m;
    wit_machine_init(&m, a, p, specs, o);
    if (!m.ended) run_all(&m, o);
    WitnessRun r = {.end = m.end,
                    .status = m.status,
                    .stop = m.stop,
                    .detail = arena_strdup(a, m.detail),
                    .misuse = m.misuse,
                    .misused = m.misused,
                    .place = m.place,
                    .steps = m.steps,
                    .allocations = m.allocations,
                    .output_len = m.output.len};
    r.output = m.output.len ? arena_copy(a, m.output.at, m.output.len) : "";
    if (m.end == WITNESS_EXITED) wit_leaks(&m, &r, true);
    wit_machine_free(&m);
    return r;
}

static void print_place(Out *o, const Program *p, WitnessPlace at)
{
    const Unit *u;
    const Func *f = at.func.id ? program_body(p, at.func, &u) : NULL;
    if (!f || at.ins >= f->ins_count) {
        out_text(o, "?");
        return;
    }
    const Loc *l = &u->locs.at[func_ins(u, f, at.ins)->loc];
    const char *path = l->file ? name_text(u->names, u->files.at[l->file].path) : "";
    const char *base = strrchr(path, '/');
    out_plain(o, base ? base + 1 : path, strlen(base ? base + 1 : path));
    out_printf(o, ":%u ", l->line);
    const char *name = name_text(p->names, p->funcs.at[at.func.id].source);
    out_plain(o, name, strlen(name));
}

void witness_print_run(Out *o, const Program *p, const WitnessRun *r)
{
    out_bytes(o, r->output, r->output_len);
    if (r->output_len && r->output[r->output_len - 1] != '\n') out_char(o, '\n');
    switch (r->end) {
    case WITNESS_RETURNED:
    case WITNESS_EXITED:
        out_printf(o, "exit %d\n", r->status);
        break;
    case WITNESS_ABORTED:
        out_printf(o, "signal %d at ", r->status);
        print_place(o, p, r->place);
        out_char(o, '\n');
        break;
    case WITNESS_MISUSED:
        out_printf(o, "%s", witness_misuse_text(r->misuse));
        if (r->misused) out_printf(o, " of %llu bytes", (unsigned long long)r->misused);
        out_text(o, " at ");
        print_place(o, p, r->place);
        out_char(o, '\n');
        break;
    case WITNESS_STOPPED:
        out_printf(o, "undecided: %s", witness_stop_text(r->stop));
        if (*r->detail) out_printf(o, ": %s", r->detail);
        out_text(o, " at ");
        print_place(o, p, r->place);
        out_char(o, '\n');
        break;
    }
    for (uint32_t i = 0; i < r->leak_count; i++) {
        out_printf(o, "leak of %llu bytes at ", (unsigned long long)r->leaks[i].size);
        print_place(o, p, r->leaks[i].at);
        out_char(o, '\n');
    }
}
