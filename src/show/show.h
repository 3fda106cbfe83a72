// `stanch show`: what a stage understood, printed.
//
// Requires: a run with units (run.h), and for the three functions here an evaluation that is done
// (show_print in run.h chooses among all that can be shown). Gives: text, or Graphviz with `dot`.
// Promises: nothing of what it shows is changed.
#ifndef SHOW_SHOW_H
#define SHOW_SHOW_H

#include "base/out.h"
#include "summary/summary.h"

void show_summary_of(Out *o, Callees *callees, FuncId f, bool dot);
void show_heap_of(Out *o, Callees *callees, FuncId f, bool dot);
// The instructions that matter to the evaluation of a function, drawn.
void show_project_of(Out *o, Callees *callees, FuncId f, bool dot);

#endif
