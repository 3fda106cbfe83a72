// One line for each warning and note, as editors parse them.
#include "report/report.h"

static void line(Out *out, const ReportOptions *o, Pos p, const char *kind, const char *text,
                 const char *rule)
{
    const char *path = pos_known(p) ? report_path(o, p.path) : "<unknown>";
    out_plain(out, path, strlen(path));
    if (pos_known(p)) out_printf(out, ":%u:%u", p.line, p.col ? p.col : 1);
    out_printf(out, ": %s: ", kind);
    out_plain(out, text, strlen(text));
    if (rule) out_printf(out, " [%s]", rule);
    out_char(out, '\n');
}

void report_gcc(Out *out, const Findings *fs, const ReportOptions *o)
{
    Arena *a = arena_new("gcc");
    vec_each (i, &fs->all) {
        const Finding *f = fs->all.at[i];
        if (!finding_shown(f)) continue;
        const char *kind = rule_is_note(f->rule) ? "note" : "warning";
        line(out, o, report_place(f), kind, finding_message(a, f), rule_info(f->rule)->word);
        if (o->quiet) continue;
        vec_each (k, &f->events) {
            const Event *e = &f->events.at[k];
            if (!e->folded || o->verbose) line(out, o, e->pos, "note", e->text, NULL);
        }
        const char *confirmed[] = {finding_witnessed(a, f), report_confirmed(a, f)};
        for (int k = 0; k < 2; k++)
            if (confirmed[k]) line(out, o, report_place(f), "note", confirmed[k], NULL);
        line(out, o, report_place(f), "note",
             arena_printf(a, "%s: %s; if this is a false positive, suppress it with: %s", finding_id(a, f),
                          report_trust(a, f, o), finding_settle(a, f)),
             NULL);
        arena_reset(a);
    }
    Pos pos;
    const char *text;
    for (uint32_t i = 0; (text = report_override(a, fs, o, i, &pos)); i++)
        line(out, o, pos, "note", text, NULL);
    arena_free(a);
}
