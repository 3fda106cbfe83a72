#include "report/emit.h"

static void begin(Emit *e, const char *key)
{
    if (e->filled) out_char(e->out, ',');
    if (e->depth) out_char(e->out, '\n');
    for (uint32_t i = 0; i < e->depth; i++) out_char(e->out, ' ');
    if (key) {
        out_json(e->out, key);
        out_text(e->out, ": ");
    }
    e->filled = true;
}

void emit_open(Emit *e, const char *key, char bracket)
{
    begin(e, key);
    out_char(e->out, bracket);
    e->depth++;
    e->filled = false;
}

void emit_close(Emit *e, char bracket)
{
    e->depth--;
    if (e->filled) {
        out_char(e->out, '\n');
        for (uint32_t i = 0; i < e->depth; i++) out_char(e->out, ' ');
    }
    out_char(e->out, bracket);
    e->filled = true;
    if (!e->depth) out_char(e->out, '\n');
}

void emit_text(Emit *e, const char *key, const char *text)
{
    begin(e, key);
    if (text)
        out_json(e->out, text);
    else
        out_text(e->out, "null");
}

void emit_number(Emit *e, const char *key, uint64_t n)
{
    begin(e, key);
    out_printf(e->out, "%llu", (unsigned long long)n);
}

void emit_bool(Emit *e, const char *key, bool b)
{
    begin(e, key);
    out_text(e->out, b ? "true" : "false");
}
