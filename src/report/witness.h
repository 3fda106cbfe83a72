// The run that showed a finding, for the formats that are JSON.
#ifndef REPORT_WITNESS_H
#define REPORT_WITNESS_H

#include "report/emit.h"
#include "report/report.h"

// Members "confirm" and "witness"; those that there are.
void emit_witness(Emit *e, const Finding *f, const ReportOptions *o, Arena *a);

#endif
