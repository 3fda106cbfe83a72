#include "kept.h"

#include "base/file.h"
#include "finding/pack.h"

enum { KEPT_FORMAT = 1 };

// ---- how the units were compiled

static void pack_job(Pack *p, CaptureJob *j)
{
    pack_text(p, &j->directory);
    pack_text(p, &j->source);
    j->language = (CaptureLanguage)pack_enum(p, j->language, CAPTURE_CXX + 1);
    j->flag_count = pack_len(p, j->flag_count, 5);
    if (p->reading) j->flags = arena_array_of(p->arena, const char *, j->flag_count + 1);
    for (uint32_t i = 0; i < j->flag_count; i++) {
        pack_text(p, &j->flags[i]);
        if (!j->flags[i]) p->bad = true, j->flags[i] = "";
    }
    if (!j->directory || !j->source) p->bad = true, j->directory = j->source = "";
}

static bool records(const Run *r)
{
    return r->cache_path && !r->o->no_record;
}

void kept_save_jobs(Run *r)
{
    if (!records(r) || !r->capture.jobs.len) return;
    Pack p = {0};
    uint32_t format = KEPT_FORMAT, count = r->capture.jobs.len;
    pack_u32(&p, &format);
    pack_u32(&p, &count);
    vec_each (i, &r->capture.jobs) pack_job(&p, &r->capture.jobs.at[i]);
    cache_put_named(r->cache, "jobs", p.out.at, p.out.len);
    vec_free(&p.out);
}

static void load_jobs(Run *r, Kept *k)
{
    size_t len;
    char *bytes = cache_get_named(r->cache, "jobs", &len);
    if (!bytes) return;
    Pack p = {.reading = true, .at = bytes, .end = bytes + len, .arena = r->arena};
    uint32_t format = 0;
    pack_u32(&p, &format);
    uint32_t count = pack_len(&p, 0, 13);
    if (format != KEPT_FORMAT) p.bad = true;
    for (uint32_t i = 0; i < count && !p.bad; i++) {
        CaptureJob job = {0};
        pack_job(&p, &job);
        vec_push(&k->jobs, job);
    }
    if (p.bad) vec_clear(&k->jobs);
    mem_free(bytes);
}

// ---- findings

static void pack_words(Pack *p, const char **word)
{
    pack_text(p, word);
    if (!*word) *word = "";
}

static void pack_kept(Pack *p, Kept *k)
{
    uint32_t format = KEPT_FORMAT;
    pack_u32(p, &format);
    if (format != KEPT_FORMAT) p->bad = true;
    pack_i64(p, &k->findings->run.compiled_at);
    pack_vec(p, &k->sources, 5);
    vec_each (i, &k->sources) pack_words(p, &k->sources.at[i]);
    pack_vec(p, &k->others, 10);
    vec_each (i, &k->others) {
        pack_words(p, &k->others.at[i].fingerprint);
        pack_words(p, &k->others.at[i].why);
    }
    pack_findings(p, k->findings, pack_pos);
    vec_each (i, &k->findings->all) {
        Finding *f = k->findings->all.at[i];
        pack_bytes(p, f->fingerprint, sizeof f->fingerprint);
        f->fingerprint[sizeof f->fingerprint - 1] = 0;
    }
}

void kept_save_findings(Run *r)
{
    if (!records(r)) return;
    Kept k = {.findings = findings_new()};
    k.findings->run.compiled_at = r->findings->run.compiled_at;
    vec_each (i, &r->findings->run.sources) vec_push(&k.sources, r->findings->run.sources.at[i]);
    vec_each (i, &r->findings->all) {
        const Finding *f = r->findings->all.at[i];
        if (f->witness)
            finding_copy(k.findings, f);
        else if (f->state == FINDING_NEW || f->state == FINDING_KNOWN || f->state == FINDING_SAME)
            vec_push(&k.others, ((Unwitnessed){f->fingerprint, f->replay_text}));
    }
    Pack p = {0};
    pack_kept(&p, &k);
    cache_put_named(r->cache, "findings", p.out.at, p.out.len);
    vec_free(&p.out);
    kept_free(&k);
}

bool kept_load(Run *r, Kept *k)
{
    *k = (Kept){.findings = findings_new()};
    size_t len;
    char *bytes = cache_get_named(r->cache, "findings", &len);
    Pack p = {.reading = true, .at = bytes, .end = bytes + len, .arena = k->findings->arena};
    if (bytes) pack_kept(&p, k);
    mem_free(bytes);
    if (!bytes || p.bad) {
        diag_error(r->d, "no findings of an earlier run are remembered in %s; run stanch check or stanch run first",
                   r->cache_path ? path_below(r->o->root, r->cache_path) : "a cache");
        kept_free(k);
        return false;
    }
    load_jobs(r, k);
    return true;
}

void kept_free(Kept *k)
{
    findings_free(k->findings);
    vec_free(&k->others);
    vec_free(&k->sources);
    vec_free(&k->jobs);
}

// ---- verdicts

typedef struct {
    const char *fingerprint, *why;
    Confirmed verdict;
} Verdict;

typedef VEC(Verdict) Verdicts;

static void pack_verdicts(Pack *p, Verdicts *v)
{
    uint32_t format = KEPT_FORMAT;
    pack_u32(p, &format);
    if (format != KEPT_FORMAT) p->bad = true;
    pack_vec(p, v, 12);
    vec_each (i, v) {
        pack_words(p, &v->at[i].fingerprint);
        pack_words(p, &v->at[i].why);
        v->at[i].verdict = (Confirmed)pack_enum(p, v->at[i].verdict, CONFIRM_COUNT);
    }
}

static void load_verdicts(Run *r, Verdicts *v)
{
    size_t len;
    char *bytes = cache_get_named(r->cache, "confirmed", &len);
    Pack p = {.reading = true, .at = bytes, .end = bytes + len, .arena = r->arena};
    if (bytes) pack_verdicts(&p, v);
    if (p.bad) vec_clear(v);
    mem_free(bytes);
}

void kept_confirm(Run *r, const Finding *f, Confirmed verdict, const char *why)
{
    Verdicts all = {0};
    load_verdicts(r, &all);
    uint32_t at = 0;
    while (at < all.len && strcmp(all.at[at].fingerprint, f->fingerprint) != 0) at++;
    if (at == all.len) vec_extend(&all, 1);
    all.at[at] = (Verdict){f->fingerprint, why, verdict};
    Pack p = {0};
    pack_verdicts(&p, &all);
    cache_put_named(r->cache, "confirmed", p.out.at, p.out.len);
    vec_free(&p.out);
    vec_free(&all);
}

void kept_confirmed(Run *r, Findings *fs)
{
    Verdicts all = {0};
    load_verdicts(r, &all);
    vec_each (i, &fs->all) {
        Finding *f = fs->all.at[i];
        vec_each (k, &all)
            if (f->fingerprint[0] && strcmp(all.at[k].fingerprint, f->fingerprint) == 0) {
                f->confirmed = all.at[k].verdict;
                f->confirmed_why = arena_strdup(fs->arena, all.at[k].why);
            }
    }
    vec_free(&all);
}
