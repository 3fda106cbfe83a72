// Reports: findings as text, gcc lines, JSON, SARIF 2.1.0, HTML and GitLab's code quality report.
//
// Comes in: findings after check_run, and the sources. Goes out: bytes. Promised: the same bytes
// for the same findings on every machine and in every directory as long as the sources lie below
// the root; no times, no absolute paths of files below the root. Source text is shown as it is,
// but never interpreted: control characters in it do not reach a terminal, and HTML is escaped.
//
// A new format is a row of formats.def, a file of this module with its writer, and its line in
// doc/report.md.
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/out.h"
#include "finding/finding.h"

typedef enum {
#define FORMAT(name, word, writer, for_people) FORMAT_##name,
#include "report/formats.def"
#undef FORMAT
} Format;

typedef struct {
    Format format;
    const char *root; // working directory, absolute: paths below it are shown relative to it
    bool color;       // text only
    bool quiet;       // text: no notes, no source, no summary
    bool verbose;     // text: all events, the stages that agreed
    bool seconds;     // text: the summary says how long it took (not stable from run to run)
    const char *category; // SARIF: what tells this analysis from others of the repository, or null
    Level level;          // HTML: what was asked for
    Impact impact;
    Sources *sources;
} ReportOptions;

bool format_find(const char *word, Format *format);
bool format_for_people(Format format); // not for scripts
// All words, as help shows them: "text|gcc|...".
#define FORMAT_WORDS (report_words + 1)
extern const char report_words[];

// Writes the report in o->format. The caller closes `out` and so learns of write errors.
// Returns the exit status that the findings call for (findings_status).
int report_write(const Findings *fs, const ReportOptions *o, Out *out);

#define FORMAT(name, word, writer, for_people) \
    void writer(Out *out, const Findings *fs, const ReportOptions *o);
#include "report/formats.def"
#undef FORMAT

// A path as shown: relative when below the root.
const char *report_path(const ReportOptions *o, const char *path);
// Where a finding is shown: the loss, or the allocation when the loss has no position.
Pos report_place(const Finding *f);
// Columns from there on that the finding is about; 0: not known.
uint32_t report_width(const Finding *f);
// The column counted in characters; positions count bytes.
uint32_t report_column(const ReportOptions *o, Pos p);
// Level and impact with the doubt that decides about each: "likely: paths were merged before this
// test, line 12".
const char *report_trust(Arena *a, const Finding *f, const ReportOptions *o);
// What came of `stanch confirm`, in words; null: it was not tried.
const char *report_confirmed(Arena *a, const Finding *f);
// The whole run that showed a finding (which has a witness), for `stanch show witness`.
void report_witness(Out *out, const Finding *f, const ReportOptions *o);
// How many are left out for their impact.
uint32_t report_rare(const Findings *fs);
// The run in one line: "2 findings (1 leak, 1 double-free); 3 of 3 units
// analysed". Shared by the formats.
char *report_summary(Arena *a, const Findings *fs, const ReportOptions *o);
// What the project's specifications replace, in words, one for each file and kind; null when there is
// no i-th. Every report says it: the repository could switch the analysis off.
const char *report_override(Arena *a, const Findings *fs, const ReportOptions *o, uint32_t i,
                            Pos *pos);

// Writes to `path`, or to standard output when it is null: reports an unwritable file, a full
// disk, a closed pipe. Returns the exit status: that of the findings, or 2 when the report could
// not be written, and then no part of a file is left behind.
int report_to(const Findings *fs, const ReportOptions *o, const char *path, Diag *d);

#endif
