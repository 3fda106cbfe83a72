#include "report/report.h"

#include "base/file.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

const char report_words[] = ""
#define FORMAT(name, word, writer, for_people) "|" word
#include "report/formats.def"
#undef FORMAT
    ;

typedef struct {
    const char *word;
    void (*write)(Out *out, const Findings *fs, const ReportOptions *o);
    bool for_people;
} FormatRow;

static const FormatRow formats[] = {
#define FORMAT(name, word, writer, for_people) {word, writer, for_people},
#include "report/formats.def"
#undef FORMAT
};

bool format_find(const char *word, Format *format)
{
    for (uint32_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].word, word) == 0) {
            *format = (Format)i;
            return true;
        }
    return false;
}

bool format_for_people(Format format)
{
    return formats[format].for_people;
}

const char *report_path(const ReportOptions *o, const char *path)
{
    if (!path) return "";
    return o->root ? path_below(o->root, path) : path;
}

Pos report_place(const Finding *f)
{
    return pos_known(f->lost) ? f->lost : f->alloc;
}

uint32_t report_width(const Finding *f)
{
    uint32_t width = 0;
    Pos place = report_place(f);
    vec_each (i, &f->events)
        if (pos_same(f->events.at[i].pos, place) && f->events.at[i].width > width) width = f->events.at[i].width;
    return width;
}

uint32_t report_column(const ReportOptions *o, Pos p)
{
    size_t n;
    const char *line = source_line(source_of(o->sources, p.path), p.line, &n);
    if (!line || !p.col) return p.col;
    uint32_t column = 1;
    for (size_t i = 0; i + 1 < p.col && i < n; i++)
        if (i + 1 == n || ((unsigned char)line[i + 1] & 0xc0) != 0x80) column++;
    return column;
}

static const char *doubted(Arena *a, const Finding *f, const ReportOptions *o, const char *word,
                           Axis axis)
{
    const DoubtNote *n = doubt_strongest(&f->doubts, axis);
    if (!n) return word;
    const char *text = arena_printf(a, "%s: %s", word, doubt_text(a, n));
    if (!pos_known(n->place)) return text;
    Pos shown = report_place(f);
    if (shown.path && strcmp(shown.path, n->place.path) == 0)
        return arena_printf(a, "%s, line %u", text, n->place.line);
    return arena_printf(a, "%s, %s:%u", text, report_path(o, n->place.path), n->place.line);
}

const char *report_trust(Arena *a, const Finding *f, const ReportOptions *o)
{
    const char *level = doubted(a, f, o, level_word(finding_level(f)), AXIS_TRUTH);
    Impact impact = finding_impact(f);
    if (impact == IMPACT_RECURS) return level;
    return arena_printf(a, "%s; %s", level, doubted(a, f, o, impact_word(impact), AXIS_IMPACT));
}

uint32_t report_rare(const Findings *fs)
{
    uint32_t rare = 0;
    vec_each (i, &fs->all) rare += fs->all.at[i]->state == FINDING_RARE;
    return rare;
}

// "1 unit", "2 units".
static char *counted(Arena *a, uint32_t n, const char *noun)
{
    return arena_printf(a, "%u %s%s", n, noun, n == 1 ? "" : "s");
}

char *report_summary(Arena *a, const Findings *fs, const ReportOptions *o)
{
    uint32_t by_rule[RULE_COUNT] = {0}, shown = 0, suppressed = 0, known = 0;
    vec_each (i, &fs->all) {
        const Finding *f = fs->all.at[i];
        suppressed += f->state == FINDING_SUPPRESSED;
        known += f->state == FINDING_KNOWN;
        if (!finding_shown(f)) continue;
        shown++;
        by_rule[f->rule]++;
    }
    char *text = shown ? counted(a, shown, "finding") : arena_strdup(a, "no findings");
    const char *between = " (";
    for (uint32_t r = 0; r < RULE_COUNT; r++)
        if (by_rule[r]) {
            text = arena_printf(a, "%s%s%u %s", text, between, by_rule[r], rule_info(r)->word);
            between = ", ";
        }
    if (shown) text = arena_printf(a, "%s)", text);
    uint32_t rare = report_rare(fs);
    if (rare)
        text = arena_printf(a, "%s; %u more that a process has %s (--impact=at-exit)", text, rare,
                            "at most a few times");
    if (suppressed) text = arena_printf(a, "%s; %u suppressed", text, suppressed);
    if (fs->has_baseline)
        text = arena_printf(a, "%s; %u in the baseline, %u fixed", text, known, fs->fixed.len);
    const RunFacts *r = &fs->run;
    text = arena_printf(a, "%s; %u of %s analysed", text, r->units_analysed,
                        counted(a, r->units_total, "unit"));
    if (r->given_up.len)
        text = arena_printf(a, "%s; %s given up", text, counted(a, r->given_up.len, "function"));
    if (o->seconds) text = arena_printf(a, "%s; %.1f s", text, r->seconds);
    return text;
}

enum { NAMED_OVERRIDES = 8 };

// Does a group begin here? They are told with the first of them.
static bool begins_group(const RunFacts *r, uint32_t at)
{
    const Override *x = &r->overrides.at[at];
    for (uint32_t i = 0; i < at; i++)
        if (r->overrides.at[i].code == x->code &&
            strcmp(r->overrides.at[i].pos.path, x->pos.path) == 0)
            return false;
    return true;
}

const char *report_override(Arena *a, const Findings *fs, const ReportOptions *o, uint32_t i,
                            Pos *pos)
{
    const RunFacts *r = &fs->run;
    uint32_t at = 0;
    for (; at < r->overrides.len; at++)
        if (begins_group(r, at) && i-- == 0) break;
    if (at == r->overrides.len) return NULL;
    const Override *first = &r->overrides.at[at];
    *pos = first->pos;
    const char *names = "";
    uint32_t count = 0;
    for (uint32_t k = at; k < r->overrides.len; k++) {
        const Override *x = &r->overrides.at[k];
        if (x->code != first->code || strcmp(x->pos.path, first->pos.path) != 0) continue;
        if (count++ < NAMED_OVERRIDES)
            names = arena_printf(a, "%s%s'%s'", names, *names ? ", " : "", x->function);
    }
    if (count > NAMED_OVERRIDES)
        names = arena_printf(a, "%s and %u more", names, count - NAMED_OVERRIDES);
    return arena_printf(a,
                        "the project's own specification %s replaces %s of %s "
                        "(--no-project-specs leaves it out)",
                        report_path(o, first->pos.path),
                        first->code ? "the code" : "the shipped model", names);
}

int report_write(const Findings *fs, const ReportOptions *o, Out *out)
{
    formats[o->format].write(out, fs, o);
    return findings_status(fs);
}

int report_to(const Findings *fs, const ReportOptions *o, const char *path, Diag *d)
{
    Out *out = path ? out_file(path) : out_fd(STDOUT_FILENO);
    const char *name = path ? path : "standard output";
    if (!out) {
        diag_error(d, "cannot write the report to '%s': %s", name, strerror(errno));
        return 2;
    }
    // A reader that went away shall give a message and a status, not end the process at once.
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    int status = report_write(fs, o, out);
    int error = out_close(out);
    sigaction(SIGPIPE, &before, NULL);
    if (!error) return status;
    diag_error(d, "cannot write the report to '%s': %s", name, strerror(error));
    return 2;
}
