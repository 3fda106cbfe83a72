// The findings of an analysis, kept in the cache: a run over the same units, link steps, specs and
// options has the same raw findings, so they need not be found again. What check makes of them
// (suppressions, baseline, ranking) is done anew in every run, since it reads other files.
//
// For runs in which something was edited, results of the evaluation stand by component of the call
// graph (recall/recall.h); here is what their keys begin with.
#include "base/below.h"
#include "base/file.h"
#include "finding/pack.h"
#include "run.h"

#include <sys/stat.h>
#include <unistd.h>

// ---- the key ----

static void key_of_spec(CacheKey *k, const char *name, char *text, size_t len)
{
    cache_key_text(k, name);
    cache_key_bytes(k, text ? text : "", text ? len : 0);
    mem_free(text);
}

// True when there are any.
static bool key_of_specs(Run *r, CacheKey *k, int dir)
{
    const char **names = dir >= 0 ? below_list(r->arena, dir, ".own") : NULL;
    bool any = names && *names;
    for (; any && *names; names++) {
        size_t len;
        char *text = below_read(dir, *names, SPEC_MAX_FILE, &len);
        key_of_spec(k, *names, text, len);
    }
    if (dir >= 0) close(dir);
    return any;
}

// The project's, which are read from a directory that is not trusted.
static int project_dir(const Run *r)
{
    int root = below_trust(r->o->root), dir = root >= 0 ? below_dir(root, ".stanch", false) : -1;
    if (root >= 0) close(root);
    return dir;
}

// What every analysis depends on: this build of stanch and the specs. False: the models are not
// there.
static bool key_begin(Run *r, CacheKey *k, const char *what)
{
    cache_key_text(k, what);
    cache_key_text(k, STANCH_VERSION);
    key_of_tool(k, r->o->self, r->o->store != NULL);
    bool ok = key_of_specs(r, k, below_trust(r->o->models));
    cache_key_text(k, "user");
    cache_key_text(k, r->o->no_project_specs ? "without" : "with");
    r->user_specs = !r->o->no_project_specs && key_of_specs(r, k, project_dir(r));
    r->user_specs = r->user_specs || r->o->specs.len != 0;
    vec_each (i, &r->o->specs) {
        size_t len;
        char *text = file_read(r->o->specs.at[i], SPEC_MAX_FILE, &len);
        key_of_spec(k, "", text, len);
    }
    return ok;
}

bool keep_key(Run *r, Hash128 *key)
{
    if (!r->cache_path || !r->o->models) return false;
    CacheKey k = {0};
    bool ok = key_begin(r, &k, "findings");
    uint32_t options[3] = {r->o->check.level, r->o->check.rules_off, r->o->prune};
    cache_key_bytes(&k, options, sizeof options);
    cache_key_bytes(&k, &r->o->check.without, sizeof r->o->check.without);
    vec_each (i, &r->owned_content)
        cache_key_bytes(&k, &r->owned_content.at[i], sizeof r->owned_content.at[i]);
    vec_each (i, &r->made) {
        if (!r->made.at[i].unit) continue;
        ok = ok && r->made.at[i].cached;
        cache_key_bytes(&k, &r->made.at[i].object, sizeof r->made.at[i].object);
    }
    for (uint32_t i = 0; i < r->links.step_count; i++) {
        const LinkStep *s = &r->links.steps[i];
        cache_key_text(&k, s->name);
        cache_key_bytes(&k, &s->kind, sizeof s->kind);
        uint32_t shown[3] = {s->exports_known, s->open, s->export_count};
        cache_key_bytes(&k, shown, sizeof shown);
        for (uint32_t n = 0; n < s->export_count; n++) cache_key_text(&k, s->exports[n]);
        for (uint32_t n = 0; n < s->input_count; n++) {
            uint32_t in[3] = {s->inputs[n].is_step, s->inputs[n].whole, s->inputs[n].index};
            cache_key_bytes(&k, in, sizeof in);
        }
    }
    for (uint32_t i = 0; i < r->links.needed_count; i++) cache_key_text(&k, r->links.needed[i]);
    *key = cache_key_end(&k);
    return ok;
}

// ---- both ways ----

static void pack_run(Pack *p, Findings *fs)
{
    pack_u32(p, &fs->run.functions);
    pack_u64(p, &fs->run.step_budget);
    pack_findings(p, fs, pack_pos);
}

void keep_write(Run *r, Hash128 key)
{
    Pack p = {0};
    Hash128 sum = {0};
    pack_bytes(&p, &sum, sizeof sum);
    pack_run(&p, r->findings);
    sum = hash128_bytes(p.out.at + sizeof sum, p.out.len - sizeof sum);
    memcpy(p.out.at, &sum, sizeof sum);
    cache_put(r->cache, key, p.out.at, p.out.len);
    vec_free(&p.out);
}

bool keep_read(Run *r, Hash128 key)
{
    size_t len;
    char *bytes = cache_get(r->cache, key, &len);
    if (!bytes) return false;
    Findings *read = findings_new();
    Pack p = {.reading = true, .at = bytes, .end = bytes + len, .arena = read->arena};
    Hash128 sum, is = {0};
    pack_bytes(&p, &sum, sizeof sum);
    if (!p.bad) is = hash128_bytes(p.at, (size_t)(p.end - p.at));
    if (!hash128_same(sum, is)) p.bad = true;
    if (!p.bad) pack_run(&p, read);
    if (!p.bad) {
        findings_append(r->findings, read);
        r->findings->run.step_budget = read->run.step_budget;
    }
    findings_free(read);
    mem_free(bytes);
    if (p.bad) cache_drop(r->cache, key);
    return !p.bad;
}

// ---- results by component ----

bool keep_results_key(Run *r, Hash128 *key)
{
    *key = (Hash128){0};
    if (!r->cache_path || !r->o->models) return false;
    CacheKey k = {0};
    bool ok = key_begin(r, &k, "evaluation");
    uint32_t pruned = r->o->prune;
    cache_key_bytes(&k, &pruned, sizeof pruned);
    cache_key_bytes(&k, &r->o->check.without, sizeof r->o->check.without);
    *key = cache_key_end(&k);
    return ok;
}
