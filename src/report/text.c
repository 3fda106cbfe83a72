// Findings for a person at a terminal:
//
//     src/name.c:14:9: warning: 's' leaks memory from strdup when c < 0 [leak]
//        14 |         return -1;
//           |         ^
//     src/name.c:9:15: note: memory allocated by strdup
//         9 |     char *s = strdup(t);
//           |               ^
//       = sure; if this is a false positive, suppress it with: // stanch: ignore[leak] REASON
#include "report/report.h"

typedef struct {
    Out *out;
    const ReportOptions *o;
    const Findings *fs;
    Arena *arena;
} Text;

// Longer source lines are shown around the caret only.
enum { SHOWN_BYTES = 160, SHOWN_BEFORE = 60 };

static const char bold[] = "\033[1m", magenta[] = "\033[1;35m", cyan[] = "\033[1;36m",
                  green[] = "\033[1;32m", dim[] = "\033[2m", plain[] = "\033[0m";

static void paint(Text *t, const char *code)
{
    if (t->o->color) out_text(t->out, code);
}

static void words(Text *t, const char *s)
{
    out_plain(t->out, s, strlen(s));
}

static bool continues(char c) // inside a UTF-8 sequence
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

// `width`: columns from the place on that are meant; 0: the place alone.
static void source_text(Text *t, Pos p, uint32_t width)
{
    if (!pos_known(p)) return;
    const Source *src = source_of(t->o->sources, p.path);
    const char *doubt = source_doubt(src, p.line, t->fs->run.compiled_at);
    size_t n;
    const char *s = source_line(src, p.line, &n);
    if (s && !src->hidden) {
        size_t col = p.col ? p.col - 1 : 0, from = 0;
        if (col > n) col = n;
        if (n > SHOWN_BYTES) {
            from = col > SHOWN_BEFORE ? col - SHOWN_BEFORE : 0;
            while (from < col && continues(s[from])) from++;
            if (n - from > SHOWN_BYTES) n = from + SHOWN_BYTES;
            while (n > col + 1 && continues(s[n])) n--;
        }
        paint(t, dim);
        out_printf(t->out, "%5u | ", p.line);
        paint(t, plain);
        out_plain(t->out, s + from, n - from);
        out_char(t->out, '\n');
        paint(t, dim);
        out_text(t->out, "      | ");
        paint(t, plain);
        // Tabs are repeated, so that the caret is under its column whatever the tab width.
        for (size_t i = from; i < col; i++)
            if (!continues(s[i])) out_char(t->out, s[i] == '\t' ? '\t' : ' ');
        paint(t, green);
        out_char(t->out, '^');
        for (size_t i = col + 1; i < n && i < col + width; i++)
            if (!continues(s[i])) out_char(t->out, '~');
        paint(t, plain);
        out_char(t->out, '\n');
    }
    if (doubt) out_printf(t->out, "      = %s\n", doubt);
}

static void head(Text *t, Pos p, const char *kind, const char *code, const char *text,
                 const char *rule)
{
    paint(t, bold);
    if (pos_known(p)) {
        words(t, report_path(t->o, p.path));
        out_printf(t->out, ":%u:%u: ", p.line, p.col ? p.col : 1);
    } else {
        out_text(t->out, "<unknown>: ");
    }
    paint(t, plain);
    paint(t, code);
    out_printf(t->out, "%s: ", kind);
    paint(t, plain);
    if (rule) paint(t, bold);
    words(t, text);
    if (rule) {
        paint(t, plain);
        out_text(t->out, " [");
        paint(t, code);
        out_text(t->out, rule);
        paint(t, plain);
        out_char(t->out, ']');
    }
    out_char(t->out, '\n');
}

static void stages(Text *t, uint32_t set)
{
    static const char *const names[] = {"eval", "flow", "own"};
    const char *between = ", found by ";
    for (uint32_t i = 0; i < 3; i++)
        if (set >> i & 1) {
            out_printf(t->out, "%s%s", between, names[i]);
            between = " and ";
        }
}

static void finding(Text *t, const Finding *f)
{
    bool note = rule_is_note(f->rule);
    Pos place = report_place(f);
    head(t, place, note ? "note" : "warning", note ? cyan : magenta, finding_message(t->arena, f),
         rule_info(f->rule)->word);
    if (t->o->quiet) return;
    source_text(t, place, report_width(f));
    uint32_t folded = 0, same = 0;
    vec_each (i, &f->events) {
        const Event *e = &f->events.at[i];
        if (e->folded && !t->o->verbose) {
            if (e->kind == EVENT_SAME)
                same++;
            else
                folded++;
            continue;
        }
        head(t, e->pos, "note", cyan, e->text, NULL);
        source_text(t, e->pos, e->width);
    }
    if (folded)
        out_printf(t->out, "  = %u step%s of the path %s left out (-v shows all)\n", folded,
                   folded == 1 ? "" : "s", folded == 1 ? "is" : "are");
    if (same)
        out_printf(t->out, "  = %u more place%s like these %s left out (-v shows all)\n", same,
                   same == 1 ? "" : "s", same == 1 ? "is" : "are");
    if (f->merged > 1)
        out_printf(t->out, "  = seen on %u paths, the shortest is shown\n", f->merged);
    const char *confirmed[] = {finding_witnessed(t->arena, f), report_confirmed(t->arena, f)};
    for (int i = 0; i < 2; i++) {
        if (!confirmed[i]) continue;
        out_text(t->out, "  = ");
        words(t, confirmed[i]);
        out_char(t->out, '\n');
    }
    out_text(t->out, "  = ");
    out_text(t->out, finding_id(t->arena, f));
    if (f->fingerprint[0]) out_text(t->out, ": ");
    words(t, report_trust(t->arena, f, t->o));
    if (t->o->verbose) stages(t, f->stages);
    out_text(t->out, "; if this is a false positive, suppress it with: ");
    words(t, finding_settle(t->arena, f));
    out_text(t->out, "\n\n");
}

static void left_out(Text *t)
{
    const RunFacts *r = &t->fs->run;
    vec_each (i, &r->failed) {
        words(t, report_path(t->o, r->failed.at[i].path));
        out_text(t->out, ": not analysed: ");
        words(t, r->failed.at[i].reason);
        out_char(t->out, '\n');
    }
    vec_each (i, &r->given_up) {
        const GivenUp *g = &r->given_up.at[i];
        head(t, g->pos, "note", cyan,
             arena_printf(t->arena, "'%s' was given up: %s", g->function, g->reason), NULL);
    }
}

void report_text(Out *out, const Findings *fs, const ReportOptions *o)
{
    Text t = {out, o, fs, arena_new("text")};
    vec_each (i, &fs->all) {
        if (!finding_shown(fs->all.at[i])) continue;
        finding(&t, fs->all.at[i]);
        arena_reset(t.arena);
    }
    vec_each (i, &fs->fixed) {
        const Fixed *f = &fs->fixed.at[i];
        words(&t, arena_printf(t.arena, "fixed: %s: in '%s': %s [%s]", f->path, f->function,
                               f->message, f->rule));
        out_char(out, '\n');
    }
    Pos pos;
    const char *text;
    for (uint32_t i = 0; (text = report_override(t.arena, fs, o, i, &pos)); i++)
        head(&t, pos, "note", cyan, text, NULL);
    if (!o->quiet) {
        if (o->verbose) left_out(&t);
        words(&t, report_summary(t.arena, fs, o));
        out_char(out, '\n');
    }
    arena_free(t.arena);
}
