// Findings over time as one HTML page: a column for each run, the runs with what changed in them, and what is open.
//
// The page has no script and loads nothing; what comes from the project (paths, messages, command lines) is escaped.
#include "check/check.h"
#include "check/history.h"

#include <string.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

static const char style[] =
    "<style>\n"
    ":root { --bg: #f7f6f3; --panel: #fff; --line: #e2dfd8; --text: #1d2125; --muted: #5a6169;"
    " --open: #9fb6c4; --new: #b3261e; --fixed: #22693a; color-scheme: light dark; }\n"
    "@media (prefers-color-scheme: dark) { :root { --bg: #131619; --panel: #191d21; --line: #2b3137; --text: #e3e6e8;"
    " --muted: #9ba4ac; --open: #4d6675; --new: #ff938a; --fixed: #7fd096; } }\n"
    "body { margin: 0 auto; max-width: 1080px; padding: 16px; background: var(--bg); color: var(--text);"
    " font: 14px/1.5 system-ui, sans-serif; }\n"
    "h1 { font-size: 20px; margin: 0 0 4px; } h2 { font-size: 16px; margin: 24px 0 8px; }\n"
    "p { margin: 0 0 12px; color: var(--muted); }\n"
    "code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .92em; overflow-wrap: anywhere; }\n"
    "svg { display: block; width: 100%; height: auto; background: var(--panel); border: 1px solid var(--line);"
    " border-radius: 6px; }\n"
    "svg text { fill: var(--muted); font-size: 12px; } svg line { stroke: var(--line); }\n"
    ".open { fill: var(--open); background: var(--open); } .new { fill: var(--new); background: var(--new); }"
    " .fixed { fill: var(--fixed); background: var(--fixed); }\n"
    ".legend span { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin: 0 6px 0 14px; }"
    " .legend span:first-child { margin-left: 0; }\n"
    "details, .row { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 6px 10px;"
    " margin: 0 0 6px; }\n"
    "summary { cursor: pointer; } ul { margin: 6px 0 2px; padding: 0 0 0 18px; } li { margin: 2px 0; }\n"
    ".was-new::marker { color: var(--new); } .was-fixed::marker { color: var(--fixed); }\n"
    ".muted { color: var(--muted); }\n"
    "</style>\n";

static void text(Out *o, const char *s)
{
    out_html(o, s, strlen(s));
}

// "3 findings"
static void counted(Out *o, int n, const char *noun)
{
    out_printf(o, "%d %s%s", n, noun, n == 1 ? "" : "s");
}

// ---- the chart: a column for each run, oldest first; what was fixed hangs below the line

enum { WIDE = 1000, HIGH = 240, LEFT = 44, TOP = 14, BELOW = 22, WIDEST = 46 };

static void bar(Out *o, const char *class, double x, double y, double w, double h)
{
    if (h > 0) out_printf(o, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", class, x, y, w, h);
}

static void chart(Out *o, Arena *a, const History *h)
{
    int most = 1, least = 0;
    vec_each (i, &h->runs) {
        if (h->runs.at[i].found > most) most = h->runs.at[i].found;
        if (h->runs.at[i].fixed > least) least = h->runs.at[i].fixed;
    }
    double step = (double)(WIDE - LEFT - 8) / h->runs.len, unit = (double)(HIGH - TOP - BELOW) / (most + least);
    if (step > WIDEST) step = WIDEST;
    double width = step > 3 ? step * 0.7 : step, zero = TOP + unit * most;
    out_printf(o, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"findings of each run\">\n", WIDE, HIGH);
    out_printf(o, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDE - 8, zero, zero);
    out_printf(o, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">0</text>", LEFT - 6, zero + 4);
    out_printf(o, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>", LEFT - 6, TOP + 10, most);
    for (uint32_t i = h->runs.len; i-- > 0;) {
        const HistoryRun *r = &h->runs.at[i];
        double x = LEFT + step * (h->runs.len - 1 - i) + (step - width) / 2;
        int fresh = r->fresh < r->found ? r->fresh : r->found;
        out_printf(o, "\n<g class=\"run\"><title>run %lld, %s UTC: ", (long long)r->id, history_time(a, r->time));
        counted(o, r->found, "finding");
        out_printf(o, ", %d new, %d fixed</title>", r->fresh, r->fixed);
        bar(o, "open", x, zero - unit * (r->found - fresh), width, unit * (r->found - fresh));
        bar(o, "new", x, zero - unit * r->found, width, unit * fresh);
        bar(o, "fixed", x, zero, width, unit * r->fixed);
        out_text(o, "</g>");
    }
    out_printf(o, "\n<text x=\"%d\" y=\"%d\">run %lld</text>", LEFT, HIGH - 6, (long long)vec_last(&h->runs).id);
    if (h->runs.len > 3)
        out_printf(o, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"end\">run %lld</text>", LEFT + step * h->runs.len,
                   HIGH - 6, (long long)h->runs.at[0].id);
    out_text(o, "\n</svg>\n<p class=\"legend\"><span class=\"open\"></span>found before"
                "<span class=\"new\"></span>new<span class=\"fixed\"></span>fixed</p>\n");
}

// ---- lists

static void change(Out *o, const HistoryChange *c, const char *class)
{
    out_printf(o, "<li class=\"%s\">", class);
    text(o, c->message);
    out_text(o, " <code>");
    text(o, c->path);
    out_printf(o, ":%lld</code> <span class=\"muted\">[", (long long)c->line);
    text(o, c->rule);
    out_text(o, "]");
}

static void run(Out *o, Arena *a, const HistoryRun *r)
{
    bool more = r->changes.len;
    out_text(o, more ? "<details class=\"run\"><summary>" : "<div class=\"row run\">");
    out_printf(o, "run %lld, %s UTC: ", (long long)r->id, history_time(a, r->time));
    counted(o, r->found, "finding");
    out_printf(o, ", %d new, %d fixed <span class=\"muted\">%d of ", r->fresh, r->fixed, r->units);
    counted(o, r->units_total, "unit");
    if (r->given_up) {
        out_text(o, ", ");
        counted(o, r->given_up, "function");
        out_text(o, " given up");
    }
    out_text(o, "</span> <code>");
    text(o, r->title);
    out_text(o, more ? "</code></summary>\n<ul>\n" : "</code></div>\n");
    vec_each (i, &r->changes) {
        const HistoryChange *c = &r->changes.at[i];
        change(o, c, c->fixed ? "was-fixed" : "was-new");
        out_text(o, c->fixed ? ", fixed</span></li>\n" : ", new</span></li>\n");
    }
    if (more) out_text(o, "</ul></details>\n");
}

static void open_findings(Out *o, Arena *a, const History *h)
{
    if (!h->open.len) return;
    out_text(o, "<h2>Open findings, oldest first</h2>\n<ul id=\"open\">\n");
    vec_each (i, &h->open) {
        const HistoryOpen *f = &h->open.at[i];
        change(o, &f->what, "was-open");
        out_printf(o, ", since run %lld", (long long)f->run);
        if (f->since) out_printf(o, ", %s UTC", history_time(a, f->since));
        out_text(o, "</span></li>\n");
    }
    out_text(o, "</ul>\n");
}

bool history_page(Out *o, const char *dir, const char *project, uint32_t limit, Diag *d)
{
    Arena *a = arena_new("history page");
    History h;
    bool ok = history_read(dir, limit, a, &h, d);
    if (ok) {
        out_text(o, head);
        out_text(o, "<title>stanch history: ");
        text(o, project);
        out_text(o, "</title>\n");
        out_text(o, style);
        out_text(o, "</head>\n<body>\n<h1>Findings over time: ");
        text(o, project);
        out_text(o, "</h1>\n<p id=\"summary\">");
        if (h.runs.len) {
            counted(o, (int)h.open.len, "open finding");
            out_text(o, "; ");
            counted(o, (int)h.runs.len, "run");
            out_printf(o, ", the last on %s UTC; stanch " STANCH_VERSION, history_time(a, h.runs.at[0].time));
        } else {
            out_text(o, "no runs recorded");
        }
        out_text(o, "</p>\n");
        if (h.runs.len) chart(o, a, &h);
        open_findings(o, a, &h);
        if (h.runs.len) out_text(o, "<h2>Runs, newest first</h2>\n");
        vec_each (i, &h.runs) run(o, a, &h.runs.at[i]);
        out_text(o, "</body>\n</html>\n");
    }
    history_free(&h);
    arena_free(a);
    return ok;
}
