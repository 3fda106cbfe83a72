// Points-to and value flow on units, all as one program: seconds, memory, verdicts, slice sizes.
// Built and run by bench/flow; not part of stanch. Prints one JSON object.
#include "flow/flow.h"

#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static long peak_mib(void)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return r.ru_maxrss / 1024;
}

int main(int argc, char **argv)
{
    if (argc < 3) return fprintf(stderr, "usage: flow MODELS UNIT...\n"), 2;
    mem_keep_freed(); // as stanch itself
    SpecTable *specs = read_models(argv[1]);
    Arena *a = arena_new("bench");
    Program *p = read_program(a, argv + 2, argc - 2);
    long before = peak_mib();
    double t0 = now();
    Points *points = points_solve(p, specs);
    double t1 = now();
    Flow *flow = flow_new(p, points, specs);
    double modref = now() - t1;
    uint32_t verdicts[FLOW_VERDICTS] = {0}, unsure = 0, gave_up = 0;
    for (uint32_t i = 0; i < flow_source_count(flow); i++) {
        FlowResult r = flow_result(flow, i);
        verdicts[r.verdict]++;
        unsure += r.verdict == FLOW_FREED && !r.sure;
        gave_up += r.gave_up;
    }
    double slices = now() - t1 - modref;
    FlowHints hints = flow_hints(flow, a);
    double t2 = now();
    uint32_t functions = 0, idle = 0;
    uint64_t nodes = 0;
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const Unit *u;
        const Func *body = program_body(p, (FuncId){f}, &u);
        if (!body) continue;
        functions++;
        nodes += body->param_count + body->ins_count;
        idle += !bits_has(&hints.matters, f);
    }
    printf("{\"points\": %.4f, \"flow\": %.4f, \"modref\": %.4f, \"slicing\": %.4f, \"peak\": %ld, "
           "\"units_peak\": %ld, "
           "\"functions\": %u, \"nodes\": %llu, \"idle\": %u, \"unsure\": %u, \"gave_up\": %u",
           t1 - t0, t2 - t1, modref, slices, peak_mib(), before, functions,
           (unsigned long long)nodes, idle, unsure, gave_up);
    for (uint32_t v = 0; v < FLOW_VERDICTS; v++)
        printf(", \"%s\": %u", flow_verdict_text((FlowVerdict)v), verdicts[v]);
    printf(", \"slices\": [");
    for (uint32_t i = 0; i < flow_source_count(flow); i++) {
        FlowResult r = flow_result(flow, i);
        printf("%s[%u, %u]", i ? ", " : "", r.functions, r.nodes);
    }
    printf("]}\n");
    flow_free(flow);
    points_free(points);
    return 0;
}
