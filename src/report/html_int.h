// Private to the HTML report: html.c writes the data, html_page.c the page around it.
#ifndef REPORT_HTML_INT_H
#define REPORT_HTML_INT_H

#include "report/report.h"

// The page with `data` (JSON, safe inside a script element) in it.
void html_page(Out *out, const char *title, const char *summary, const char *data, size_t len);

#endif
