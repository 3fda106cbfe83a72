// GitLab's code quality report: an array of issues, each with a fingerprint by which a merge request
// tells new ones from old (https://docs.gitlab.com/ci/testing/code_quality/).
#include "report/emit.h"
#include "report/report.h"

// blocker, critical, major, minor, info. A misuse is worse than a leak, and a doubt lowers it.
static const char *severity(const Finding *f)
{
    bool misuse = f->rule == RULE_DOUBLE_FREE || f->rule == RULE_USE_AFTER_FREE ||
                  f->rule == RULE_INVALID_FREE || f->rule == RULE_MISMATCHED_FREE;
    if (rule_is_note(f->rule) || finding_level(f) == LEVEL_AUDIT) return "info";
    if (finding_level(f) == LEVEL_LIKELY) return misuse ? "major" : "minor";
    return misuse ? "critical" : "major";
}

void report_gitlab(Out *out, const Findings *fs, const ReportOptions *o)
{
    Arena *a = arena_new("gitlab");
    Emit e = {.out = out};
    emit_open(&e, NULL, '[');
    vec_each (i, &fs->all) {
        const Finding *f = fs->all.at[i];
        if (!finding_shown(f)) continue;
        Pos p = report_place(f);
        emit_open(&e, NULL, '{');
        const char *told = finding_witnessed(a, f), *real = report_confirmed(a, f);
        emit_text(&e, "description",
                  arena_printf(a, "%s (%s)%s%s%s%s", finding_message(a, f), finding_id(a, f),
                               told ? "; " : "", told ? told : "", real ? "; " : "", real ? real : ""));
        emit_text(&e, "check_name", rule_info(f->rule)->word);
        emit_text(&e, "fingerprint", f->fingerprint);
        emit_text(&e, "severity", severity(f));
        emit_open(&e, "location", '{');
        emit_text(&e, "path", pos_known(p) ? report_path(o, p.path) : "");
        emit_open(&e, "lines", '{');
        emit_number(&e, "begin", pos_known(p) ? p.line : 1);
        emit_close(&e, '}');
        emit_close(&e, '}');
        emit_close(&e, '}');
        arena_reset(a);
    }
    emit_close(&e, ']');
    out_char(out, '\n');
    arena_free(a);
}
