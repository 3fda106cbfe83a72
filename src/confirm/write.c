// The program that makes a finding happen, from the record of its witness, and the commands that
// build it.
//
// The project's files are compiled as the build did, with AddressSanitizer, and linked; static
// functions and variables that the program needs are made global in the object. Calls of what the
// witness did not run as code go to the script (repro.h). What nobody defines and the witness did
// not call stays unresolved: it is not reached.
#include "base/file.h"
#include "confirm/confirm_int.h"

// ---- names that come from the project

static bool is_symbol(const char *s)
{
    static const char ok[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";
    return s && *s && s[strspn(s, ok)] == 0;
}

// For a comment to the end of the line: no way to end it, nor to go on in the next line.
static void comment(Out *o, const char *text)
{
    for (const char *s = text; *s; s++) {
        bool odd = (unsigned char)*s < ' ' || *s == 127 || *s == '\\' || (*s == '?' && s[1] == '?');
        out_char(o, odd ? '_' : *s);
    }
}

static uint32_t place_in(const Strings *list, const char *word)
{
    uint32_t i = 0;
    while (i < list->len && strcmp(list->at[i], word) != 0) i++;
    return i;
}

static void need_symbol(Repro *r, const char *symbol)
{
    if (!is_symbol(symbol))
        r->why = "a symbol has characters that no assembler takes";
    else if (place_in(&r->globalized, symbol) == r->globalized.len)
        vec_push(&r->globalized, symbol);
}

// ---- what belongs to it

static void need_unit(Repro *r, const ConfirmTools *t, const char *source)
{
    vec_each (i, &r->units)
        if (strcmp(r->units.at[i]->source, source) == 0) return;
    for (uint32_t i = 0; i < t->job_count; i++)
        if (strcmp(t->jobs[i].source, source) == 0) {
            vec_push(&r->units, &t->jobs[i]);
            return;
        }
    r->why = arena_printf(r->arena, "how %s was compiled is not known", path_base(source));
}

static void need_word(Repro *r, const WitnessWord *w)
{
    if (w->kind == WORD_GLOBAL || w->kind == WORD_FUNCTION) need_symbol(r, w->name);
}

// Whether the script decides about it.
static bool is_scripted(const WitnessStep *s)
{
    return s->kind == WITNESS_STEP_CALL && s->how != CALL_CODE && (s->symbol || s->through);
}

static bool is_real(const WitnessStep *s)
{
    if (s->how == CALL_COMPUTED) return true;
    return s->how == CALL_SPEC && !s->fails && !s->handles && (s->obtains || (s->takes && !s->returns));
}

static bool writes(const Witness *w, uint32_t step)
{
    for (uint32_t i = 0; i < w->effect_count; i++)
        if (w->effects[i].step == step) return true;
    return false;
}

static void plan_calls(Repro *r)
{
    const Witness *w = r->w;
    for (uint32_t i = 0; i < w->step_count; i++) {
        const WitnessStep *s = &w->steps[i];
        if (s->kind != WITNESS_STEP_CALL || s->how == CALL_CODE || !s->symbol) continue;
        // What is computed each time is the real function anyway.
        bool plain = true;
        for (uint32_t k = 0; k < w->step_count && plain; k++)
            plain = w->steps[k].kind != WITNESS_STEP_CALL || !w->steps[k].symbol ||
                    strcmp(w->steps[k].symbol, s->symbol) != 0 || w->steps[k].how == CALL_COMPUTED;
        if (plain || place_in(&r->wrapped, s->symbol) < r->wrapped.len) continue;
        if (!is_symbol(s->symbol)) r->why = "a symbol has characters that no assembler takes";
        vec_push(&r->wrapped, s->symbol);
    }
    for (uint32_t i = 0; i < w->effect_count; i++) {
        const WitnessEffect *e = &w->effects[i];
        if (e->arg == EFFECT_ELSEWHERE)
            r->why = arena_printf(r->arena, "%s() writes to memory that no argument leads to",
                                  w->steps[e->step].function ? w->steps[e->step].function : "a call");
        need_word(r, &e->word);
    }
}

void repro_plan(Repro *r, const ConfirmTools *t)
{
    const Witness *w = r->w;
    if (w->cut) r->why = "the witness is too long";
    need_unit(r, t, w->source);
    need_symbol(r, w->symbol);
    for (uint32_t i = 0; i < w->step_count; i++)
        if (w->steps[i].kind == WITNESS_STEP_CALL && w->steps[i].source) need_unit(r, t, w->steps[i].source);
    for (uint32_t i = 0; i < w->block_count; i++) {
        const WitnessBlock *b = &w->blocks[i];
        if (b->kind == MEMORY_GLOBAL && b->source) need_unit(r, t, b->source);
        if (b->kind == MEMORY_GLOBAL) need_symbol(r, b->symbol);
        for (uint32_t k = 0; k < b->count; k++) need_word(r, &w->cells[b->first + k].word);
    }
    for (uint32_t i = 0; i < w->arg_count; i++) {
        const WitnessCell *c = &w->args[i];
        need_word(r, &c->word);
        if (c->pass == PASS_OTHER || (c->pass == PASS_COPY && c->copied <= 16))
            r->why = arena_printf(r->arena, "argument %u is passed in a way that is not imitated", i + 1);
    }
    plan_calls(r);
    // A line break would end a line of the Makefile.
    vec_each (i, &r->units) {
        const CaptureJob *job = r->units.at[i];
        bool broken = strchr(job->directory, '\n') || strchr(job->source, '\n');
        for (uint32_t k = 0; k < job->flag_count; k++) broken |= strchr(job->flags[k], '\n') != NULL;
        if (broken) r->why = "a path or flag has a line break";
    }
}

// ---- the program

// The name of a global or a function in the program.
static const char *label(Repro *r, const char *symbol)
{
    return arena_printf(r->arena, "symbol_%u", place_in(&r->globalized, symbol));
}

static void number(Out *o, uint64_t n)
{
    out_printf(o, n < 10 ? "%llu" : "0x%llx", (unsigned long long)n);
}

// As an initialiser of a ReproWord.
static void script_word(Repro *r, Out *o, const WitnessStep *s, const WitnessWord *x)
{
    const WitnessBlock *b = x->kind == WORD_BLOCK ? &r->w->blocks[x->block - 1] : NULL;
    if (s && s->same_as) {
        out_printf(o, "ARGUMENT(%u)", s->same_as - 1);
    } else if (b && b->kind == MEMORY_HEAP) {
        out_printf(o, "FRESH(%u, %llu)", x->block, (unsigned long long)b->size);
    } else if (b) {
        out_printf(o, "MEMORY(%u, %lld)", x->block, (long long)x->value);
    } else if (x->kind == WORD_GLOBAL || x->kind == WORD_FUNCTION) {
        out_printf(o, "ADDRESS(%s, %lld)", label(r, x->name), (long long)x->value);
    } else {
        out_text(o, "NUMBER(");
        number(o, x->kind == WORD_NUMBER ? (uint64_t)x->value : 0);
        out_text(o, ")");
    }
}

// As an expression.
static void plain_word(Repro *r, Out *o, const WitnessWord *x)
{
    if (x->kind == WORD_BLOCK) {
        out_printf(o, "(uint64_t)repro_memory[%u]", x->block);
        if (x->value) out_printf(o, " + %lld", (long long)x->value);
    } else if (x->kind == WORD_GLOBAL || x->kind == WORD_FUNCTION) {
        out_printf(o, "(uint64_t)%s", label(r, x->name));
        if (x->value) out_printf(o, " + %lld", (long long)x->value);
    } else {
        number(o, x->kind == WORD_NUMBER ? (uint64_t)x->value : 0);
    }
}

static uint32_t function_of(const Repro *r, const WitnessStep *s)
{
    if (s->symbol) return place_in(&r->wrapped, s->symbol);
    return r->wrapped.len + s->through;
}

static bool in_script(const Repro *r, const WitnessStep *s)
{
    return is_scripted(s) && (s->through || place_in(&r->wrapped, s->symbol) < r->wrapped.len);
}

static void write_functions(Repro *r, Out *o)
{
    const Witness *w = r->w;
    vec_each (i, &r->wrapped)
        out_printf(o, "extern char real_%u[] __asm__(\"%s\") __attribute__((weak));\n", i,
                   r->wrapped.at[i]);
    out_text(o, "ReproFunction repro_functions[] = {\n");
    vec_each (i, &r->wrapped) out_printf(o, "    {\"%s\", real_%u, 0},\n", r->wrapped.at[i], i);
    for (uint32_t b = 0; b <= w->block_count; b++) out_printf(o, "    {\"a pointer\", 0, 0},\n");
    out_text(o, "};\n");
    vec_each (i, &r->wrapped) out_printf(o, "REPRO_WRAPPER(\"__wrap_%s\", %u);\n", r->wrapped.at[i], i);
    for (uint32_t i = 0; i < w->step_count; i++) {
        const WitnessStep *s = &w->steps[i];
        if (s->kind != WITNESS_STEP_CALL || !s->through || s->nth != 1) continue;
        out_printf(o, "REPRO_WRAPPER(\"repro_pointer_%u\", %u);\nextern char repro_pointer_%u[];\n",
                   s->through, r->wrapped.len + s->through, s->through);
    }
}

static void write_script(Repro *r, Out *o, const ConfirmTools *t)
{
    const Witness *w = r->w;
    uint32_t *place = arena_array_of(r->arena, uint32_t, w->step_count + 1), count = 0, effects = 0;
    out_text(o, "\n// What the project's calls of other code do, in the order of the witness.\n"
                "const ReproCall repro_script[] = {\n");
    for (uint32_t i = 0; i < w->step_count; i++) {
        const WitnessStep *s = &w->steps[i];
        if (!in_script(r, s)) continue;
        place[i] = count++;
        bool real = is_real(s) && !writes(w, i);
        out_text(o, "    // ");
        if (pos_known(s->pos)) {
            comment(o, path_below(t->root, s->pos.path));
            out_printf(o, ":%u: ", s->pos.line);
        }
        comment(o, s->function ? s->function : "through a pointer");
        out_printf(o, "()%s%s\n", s->fails ? " fails" : "", real ? ", the real one" : "");
        out_printf(o, "    {%u, %u, %s, 0x%x, 0x%x, ", function_of(r, s), s->nth,
                   real ? "REPRO_REAL" : s->fails ? "REPRO_FAILS" : "0", s->takes, s->keeps);
        script_word(r, o, s, &s->word);
        out_text(o, "},\n");
    }
    out_printf(o, "    {0, 0, 0, 0, 0, NUMBER(0)}\n};\nconst uint32_t repro_script_length = %u;\n", count);
    out_text(o, "\n// What they write, as far as it is read.\nconst ReproEffect repro_effects[] = {\n");
    for (uint32_t i = 0; i < w->effect_count; i++) {
        const WitnessEffect *e = &w->effects[i];
        if (!in_script(r, &w->steps[e->step]) || !e->word.bits) continue;
        effects++;
        out_printf(o, "    {%u, %d, %u, %llu, ", place[e->step],
                   e->arg == EFFECT_RESULT ? -1 : (int)e->arg, (e->word.bits + 7) / 8,
                   (unsigned long long)e->offset);
        script_word(r, o, NULL, &e->word);
        out_text(o, "},\n");
    }
    out_printf(o, "    {0, 0, 0, 0, NUMBER(0)}\n};\nconst uint32_t repro_effects_length = %u;\n", effects);
}

static bool is_memory(const WitnessBlock *b)
{
    return b->kind == MEMORY_INPUT || b->kind == MEMORY_LIBRARY;
}

static bool is_called(const Witness *w, uint32_t block)
{
    for (uint32_t i = 0; i < w->step_count; i++)
        if (w->steps[i].kind == WITNESS_STEP_CALL && w->steps[i].through == block) return true;
    return false;
}

static void write_cells(Repro *r, Out *o, const WitnessBlock *b, const char *base)
{
    for (uint32_t k = 0; k < b->count; k++) {
        const WitnessCell *c = &r->w->cells[b->first + k];
        if (c->word.kind == WORD_LOCAL || c->word.kind == WORD_UNKNOWN || !c->word.bits) continue;
        out_printf(o, "    repro_put(%s, %lld, %u, ", base, (long long)c->offset,
                   (c->word.bits + 7) / 8);
        plain_word(r, o, &c->word);
        out_text(o, ");");
        if (c->name || c->type) out_text(o, " // ");
        if (c->type) comment(o, c->type);
        if (c->name && c->type) out_char(o, ' ');
        if (c->name) comment(o, c->name);
        out_char(o, '\n');
    }
}

static void write_memory(Repro *r, Out *o)
{
    const Witness *w = r->w;
    out_printf(o, "\nvoid *repro_memory[%u];\nstatic const uint32_t sizes[%u] = {0", w->block_count + 1,
               w->block_count + 1);
    for (uint32_t i = 0; i < w->block_count; i++) {
        const WitnessBlock *b = &w->blocks[i];
        bool bytes = is_memory(b) && !is_called(w, i + 1);
        out_printf(o, ", %llu", bytes ? (unsigned long long)b->size : 0ull);
    }
    out_text(o, "};\nuint64_t repro_handles[64] = {");
    for (uint32_t i = 0, n = 0; i < w->block_count && n < 60; i++)
        if (w->blocks[i].kind == MEMORY_HANDLE)
            n++, out_printf(o, "%llu, ", (unsigned long long)w->blocks[i].size);
    out_text(o, "0};\nuint64_t repro_closed[64], repro_result[16];\n");
    out_text(o, "\n// Memory that was there before the call, and the globals that are not as the program starts "
                "with them.\nstatic void inputs(void)\n{\n");
    for (uint32_t i = 0; i < w->block_count; i++) {
        const WitnessBlock *b = &w->blocks[i];
        if (!is_memory(b)) continue;
        if (is_called(w, i + 1))
            out_printf(o, "    repro_memory[%u] = (void *)repro_pointer_%u;", i + 1, i + 1);
        else
            out_printf(o, "    repro_memory[%u] = repro_input(%llu, %u);", i + 1, (unsigned long long)b->size,
                       b->before);
        if (b->name || b->type) out_text(o, " // ");
        if (b->type) comment(o, b->type);
        if (b->name && b->type) out_text(o, " at ");
        if (b->name) comment(o, b->name);
        out_char(o, '\n');
    }
    for (uint32_t i = 0; i < w->block_count; i++) {
        const WitnessBlock *b = &w->blocks[i];
        if (is_memory(b) && !is_called(w, i + 1))
            write_cells(r, o, b, arena_printf(r->arena, "repro_memory[%u]", i + 1));
        else if (b->kind == MEMORY_GLOBAL && b->count)
            write_cells(r, o, b, label(r, b->symbol));
    }
    out_text(o, "}\n");
}

static const char *integer_type(const WitnessCell *c)
{
    uint32_t bits = c->word.bits;
    const char *sign = c->is_signed && bits > 1 ? "" : "u";
    static const char *const types[] = {"int8_t", "int16_t", "int32_t", "int64_t"};
    static const char *const both[] = {"uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    int size = bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3;
    return *sign ? both[size] : types[size];
}

static const char *param_type(Repro *r, uint32_t i)
{
    const WitnessCell *c = &r->w->args[i];
    if (c->pass == PASS_COPY) return arena_printf(r->arena, "struct copy_%u", i);
    if (c->pass == PASS_FLOAT) return c->word.bits == 32 ? "float" : "double";
    return integer_type(c);
}

static const char *result_type(const Witness *w)
{
    if (!w->has_result) return "void";
    if (w->result_pass == PASS_FLOAT) return "double";
    if (w->result_pass == PASS_OTHER) return "struct pair";
    return integer_type(&(WitnessCell){.word.bits = w->result.bits});
}

static void write_main(Repro *r, Out *o)
{
    const Witness *w = r->w;
    out_text(o, "\nstruct pair { uint64_t words[2]; };\n");
    for (uint32_t i = 0; i < w->arg_count; i++)
        if (w->args[i].pass == PASS_COPY)
            out_printf(o, "struct copy_%u { unsigned char bytes[%llu]; };\n", i,
                       (unsigned long long)w->args[i].copied);
    out_printf(o, "%s function(", result_type(w));
    for (uint32_t i = 0; i < w->arg_count; i++) out_printf(o, "%s%s", i ? ", " : "", param_type(r, i));
    out_printf(o, "%s) __asm__(\"%s\");\n\nint main(void)\n{\n    inputs();\n", w->arg_count ? "" : "void",
               strcmp(w->symbol, "main") == 0 ? "repro_project_main" : w->symbol);
    for (uint32_t i = 0; i < w->arg_count; i++) {
        const WitnessCell *c = &w->args[i];
        out_printf(o, "    %s arg_%u", param_type(r, i), i);
        if (c->pass == PASS_COPY) {
            out_printf(o, ";\n    memcpy(&arg_%u, repro_memory[%u], sizeof arg_%u);", i, c->word.block, i);
        } else if (c->pass == PASS_FLOAT) {
            out_printf(o, ";\n    repro_put(&arg_%u, 0, sizeof arg_%u, ", i, i);
            plain_word(r, o, &c->word);
            out_text(o, ");");
        } else {
            out_text(o, " = ");
            plain_word(r, o, &c->word);
            out_text(o, ";");
        }
        if (c->name || c->type) out_text(o, " // ");
        if (c->type) comment(o, c->type);
        if (c->name && c->type) out_char(o, ' ');
        if (c->name) comment(o, c->name);
        out_char(o, '\n');
    }
    out_text(o, w->has_result ? "    *(__typeof__(function(" : "    function(");
    for (uint32_t i = 0; i < w->arg_count; i++) out_printf(o, "%sarg_%u", i ? ", " : "", i);
    if (w->has_result) {
        out_text(o, ")) *)repro_result = function(");
        for (uint32_t i = 0; i < w->arg_count; i++) out_printf(o, "%sarg_%u", i ? ", " : "", i);
    }
    out_printf(o, ");\n    repro_end(sizes, %u);\n    return 0;\n}\n", w->block_count + 1);
}

const char *repro_program(Repro *r, const Finding *f, const ConfirmTools *t)
{
    Out *o = out_memory();
    Pos at = pos_known(f->lost) ? f->lost : f->alloc;
    out_text(o, "// Made by stanch to make this finding happen:\n//\n//   ");
    if (pos_known(at)) {
        comment(o, path_below(t->root, at.path));
        out_printf(o, ":%u: ", at.line);
    }
    comment(o, finding_message(r->arena, f));
    out_printf(o, " [%s]\n//\n// It calls ", rule_info(f->rule)->word);
    comment(o, r->w->function);
    out_text(o, "() of the project's own file");
    const char *words = witness_words(r->arena, r->w);
    if (*words) out_text(o, " with ");
    comment(o, words);
    out_text(o, ".\n// `make run` builds it with clang and AddressSanitizer and runs it.\n"
                "#include \"repro.h\"\n\n");
    vec_each (i, &r->globalized) {
        if (i == 0) continue; // the function itself
        const char *s = r->globalized.at[i];
        const WitnessBlock *outside = NULL;
        for (uint32_t k = 0; k < r->w->block_count; k++) {
            const WitnessBlock *b = &r->w->blocks[k];
            if (b->kind == MEMORY_GLOBAL && !b->source && b->count && strcmp(b->symbol, s) == 0) outside = b;
        }
        // Of a global that nobody here defines there is one at least.
        if (outside)
            out_printf(o, "unsigned char symbol_%u[%llu] __asm__(\"%s\") __attribute__((weak, aligned(16)));\n",
                       i, (unsigned long long)outside->size, s);
        else
            out_printf(o, "extern unsigned char symbol_%u[] __asm__(\"%s\") __attribute__((weak));\n", i, s);
    }
    write_functions(r, o);
    write_script(r, o, t);
    write_memory(r, o);
    write_main(r, o);
    const char *text = arena_strdup(r->arena, out_content(o, NULL));
    out_discard(o);
    return text;
}

// ---- the commands

static const char *const sanitized[] = {
    "-O0", "-g", "-fsanitize=address", "-fno-omit-frame-pointer", "-U_FORTIFY_SOURCE", "-fcommon", "-w",
    "-fno-color-diagnostics", "-fno-crash-diagnostics",
};

const char **repro_compile(const Repro *r, const ConfirmTools *t, uint32_t unit, const char *object)
{
    const CaptureJob *job = r->units.at[unit];
    Strings w = {0};
    vec_push(&w, t->clang);
    vec_push(&w, "--no-default-config");
    for (uint32_t i = 0; i < job->flag_count; i++) {
        bool include = strncmp(job->flags[i], "-include", 8) == 0;
        if (include) {
            vec_push(&w, "-Xclang");
            vec_push(&w, "-include");
            vec_push(&w, "-Xclang");
        }
        vec_push(&w, job->flags[i] + (include ? 8 : 0));
    }
    for (size_t i = 0; i < sizeof sanitized / sizeof *sanitized; i++) vec_push(&w, sanitized[i]);
    vec_push(&w, "-c");
    vec_push(&w, "-o");
    vec_push(&w, object);
    vec_push(&w, "-x");
    vec_push(&w, job->language == CAPTURE_CXX ? "c++" : "c");
    vec_push(&w, "--");
    vec_push(&w, job->source);
    vec_push(&w, NULL);
    vec_keep(&w, r->arena);
    return w.at;
}

const char **repro_globalize(const Repro *r, const ConfirmTools *t, const char *object)
{
    Strings w = {0};
    vec_push(&w, t->objcopy);
    // What is hidden and defined in another file of the project may stay undefined like anything else.
    vec_push(&w, "--wildcard");
    vec_push(&w, "--set-symbol-visibility=*=default");
    vec_each (i, &r->globalized)
        vec_push(&w, arena_printf(r->arena, "--globalize-symbol=%s", r->globalized.at[i]));
    // Not by the linker's --wrap: that would reach the sanitizer's own calls too.
    vec_each (i, &r->wrapped) {
        const char *s = r->wrapped.at[i];
        vec_push(&w, "--redefine-sym");
        vec_push(&w, arena_printf(r->arena, "%s=__wrap_%s", s, s));
    }
    vec_push(&w, "--redefine-sym");
    vec_push(&w, "main=repro_project_main");
    vec_push(&w, object);
    vec_push(&w, NULL);
    vec_keep(&w, r->arena);
    return w.at;
}

const char **repro_compile_program(const Repro *r, const ConfirmTools *t, const char *dir)
{
    Strings w = {0};
    vec_push(&w, t->clang);
    vec_push(&w, "--no-default-config");
    for (size_t i = 0; i < sizeof sanitized / sizeof *sanitized; i++) vec_push(&w, sanitized[i]);
    vec_push(&w, "-c");
    vec_push(&w, "-o");
    vec_push(&w, arena_printf(r->arena, "%srepro.o", dir));
    vec_push(&w, arena_printf(r->arena, "%srepro.c", dir));
    vec_push(&w, NULL);
    vec_keep(&w, r->arena);
    return w.at;
}

const char **repro_link(const Repro *r, const ConfirmTools *t, const char *dir)
{
    bool cxx = false;
    Strings w = {0};
    vec_each (i, &r->units) cxx |= r->units.at[i]->language == CAPTURE_CXX;
    vec_push(&w, t->clang);
    vec_push(&w, "--no-default-config");
    if (cxx) vec_push(&w, "--driver-mode=g++");
    vec_push(&w, "-fsanitize=address");
    vec_push(&w, "-no-pie");
    vec_push(&w, "-Wl,--unresolved-symbols=ignore-all,-z,muldefs");
    vec_push(&w, "-o");
    vec_push(&w, arena_printf(r->arena, "%srepro", dir));
    vec_push(&w, arena_printf(r->arena, "%srepro.o", dir));
    vec_each (i, &r->units) vec_push(&w, arena_printf(r->arena, "%sunit%u.o", dir, i));
    vec_push(&w, "-lm");
    vec_push(&w, "-lpthread");
    vec_push(&w, NULL);
    vec_keep(&w, r->arena);
    return w.at;
}

// ---- for who builds it by hand

// One word of a recipe: for the shell, inside of a Makefile.
static void quoted(Out *o, const char *s)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (*s && !s[strspn(s, plain)]) {
        out_text(o, s);
        return;
    }
    out_char(o, '\'');
    for (; *s; s++) {
        if (*s == '\'')
            out_text(o, "'\\''");
        else if (*s == '$')
            out_text(o, "$$");
        else
            out_char(o, *s);
    }
    out_char(o, '\'');
}

static void recipe(Out *o, const char *tool, const char *const *argv)
{
    out_text(o, tool);
    for (uint32_t i = 1; argv[i]; i++) {
        out_char(o, ' ');
        quoted(o, argv[i]);
    }
    out_char(o, '\n');
}

const char *repro_makefile(const Repro *r, const ConfirmTools *t)
{
    Out *o = out_memory();
    out_text(o, "# make run: builds the program and runs it; AddressSanitizer tells what happens.\n"
                "CLANG = clang-19\nOBJCOPY = llvm-objcopy-19\n\n.PHONY: run clean\nrun: repro\n\t./repro\n\n"
                "repro: repro.c repro.h Makefile\n");
    vec_each (i, &r->units) {
        const char *object = arena_printf(r->arena, "unit%u.o", i);
        // The compiler runs where the build ran it, since flags may be relative to that.
        out_text(o, "\there=\"$$PWD\" && cd ");
        quoted(o, r->units.at[i]->directory);
        out_text(o, " && ");
        const char **argv = repro_compile(r, t, i, "stanch-object");
        out_text(o, "$(CLANG)");
        for (uint32_t k = 1; argv[k]; k++) {
            out_char(o, ' ');
            if (strcmp(argv[k], "stanch-object") == 0)
                out_printf(o, "\"$$here\"/%s", object);
            else
                quoted(o, argv[k]);
        }
        out_text(o, "\n\t");
        recipe(o, "$(OBJCOPY)", repro_globalize(r, t, object));
    }
    out_text(o, "\t");
    recipe(o, "$(CLANG)", repro_compile_program(r, t, ""));
    out_text(o, "\t");
    recipe(o, "$(CLANG)", repro_link(r, t, ""));
    out_text(o, "\nclean:\n\trm -f repro *.o\n");
    const char *text = arena_strdup(r->arena, out_content(o, NULL));
    out_discard(o);
    return text;
}
