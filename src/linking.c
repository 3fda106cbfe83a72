// From capture's link steps, which speak of paths, to those of link, which speak of units and steps by
// their place.
#include "base/file.h"
#include "link/specs.h"
#include "run.h"

typedef struct {
    Names *paths;
    Map unit_of, step_of, failed; // by Name of a path
    VEC(const char *) needed;
} Linking;

// An object whose unit could not be made still asks for functions of the others. Where it does not
// tell for which, it may be any.
static void add_needed(Linking *l, Run *r, const char *object, LinkStep *step)
{
    CaptureNames names;
    if (capture_needed(r->arena, object, &names))
        vec_append(&l->needed, names.names, names.count);
    else
        step->open = true;
}

static LinkStep make_step(Linking *l, Run *r, const CaptureLink *from)
{
    static const LinkKind kinds[] = {[CAPTURE_PROGRAM] = LINK_PROGRAM,
                                     [CAPTURE_SHARED] = LINK_SHARED,
                                     [CAPTURE_ARCHIVE] = LINK_ARCHIVE,
                                     [CAPTURE_PARTIAL] = LINK_RELOCATABLE};
    StepInput *inputs = arena_array_of(r->arena, StepInput, from->input_count);
    LinkStep step = {.name = path_below(r->o->root, from->output),
                     .kind = kinds[from->kind],
                     .inputs = inputs,
                     .exports = from->exports.names,
                     .export_count = from->exports.count,
                     .exports_known = from->exports_known,
                     .open = from->open};
    for (uint32_t k = 0; k < from->input_count; k++) {
        if (from->inputs[k].kind == CAPTURE_IN_LIBRARY) continue;
        Name path = name_of(l->paths, from->inputs[k].path);
        const uint64_t *unit = map_get(&l->unit_of, path.id), *other = map_get(&l->step_of, path.id);
        if (unit)
            inputs[step.input_count++] = (StepInput){.index = (uint32_t)*unit};
        else if (other)
            inputs[step.input_count++] = (StepInput){
                .is_step = true, .whole = from->inputs[k].whole, .index = (uint32_t)*other};
        else if (map_get(&l->failed, path.id))
            add_needed(l, r, from->inputs[k].path, &step);
    }
    return step;
}

void run_link(Run *r)
{
    Linking l = {.paths = names_new()};
    VEC(LinkStep) steps = {0};
    vec_each (i, &r->made) {
        const MadeUnit *m = &r->made.at[i];
        const CaptureJob *job = &r->capture.jobs.at[i];
        for (uint32_t k = 0; k < job->object_count; k++) {
            Name path = name_of(l.paths, job->objects[k]);
            if (m->unit)
                map_set(&l.unit_of, path.id, m->number);
            else
                map_set(&l.failed, path.id, 1);
        }
    }
    vec_each (i, &r->capture.links)
        map_set(&l.step_of, name_of(l.paths, r->capture.links.at[i].output).id, i);
    vec_append(&l.needed, r->capture.needed.names, r->capture.needed.count);
    vec_each (i, &r->capture.links) vec_push(&steps, make_step(&l, r, &r->capture.links.at[i]));
    vec_each (i, &r->last_steps) vec_push(&steps, r->last_steps.at[i]);
    vec_append(&l.needed, r->last_needed.at, r->last_needed.len);
    vec_keep(&steps, r->arena);
    vec_keep(&l.needed, r->arena);
    r->links = (LinkInfo){.units = (const Unit *const *)r->units.at,
                          .unit_count = r->units.len,
                          .steps = steps.at,
                          .step_count = steps.len,
                          .needed = l.needed.at,
                          .needed_count = l.needed.len};
    r->programs = link_programs(r->arena, &r->links);
    map_free(&l.unit_of);
    map_free(&l.step_of);
    map_free(&l.failed);
    names_free(l.paths);
    if (r->specs) programs_forward(&r->programs, r->arena, r->specs);
    missing_say(r);
    if (!r->o->verbose) return;
    vec_each (i, &r->programs) {
        const Program *p = r->programs.at[i];
        if (p->duplicates)
            diag_note(r->d,
                      "%s%s%u symbols are defined more than once; the nearest definition is "
                      "taken, else the first",
                      p->name, *p->name ? ": " : "", p->duplicates);
    }
}
