// What the sanitizers' report says about the finding: this block, at this place?
//
//     Direct leak of 64 byte(s) in 1 object(s) allocated from:
//         #0 0x4c95bf in malloc (...)
//         #1 0x509bb9 in load /src/p.c:12:15
#include "base/file.h"
#include "confirm/confirm_int.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

// Whether the line of a stack names the place. Files by their last part: a build may have compiled
// the same file by another path.
static bool names_place(const char *line, size_t n, Pos p)
{
    if (!pos_known(p)) return false;
    const char *base = path_base(p.path);
    size_t len = strlen(base);
    for (size_t i = 1; i + len + 1 < n; i++) {
        if (strncmp(line + i, base, len) != 0 || line[i + len] != ':') continue;
        if (line[i - 1] != '/' && line[i - 1] != ' ') continue;
        if (strtoul(line + i + len + 1, NULL, 10) == p.line) return true;
    }
    return false;
}

static const char *next_line(const char *s)
{
    s += strcspn(s, "\n");
    return *s ? s + 1 : s;
}

static bool is_frame(const char *s)
{
    s += strspn(s, " ");
    return s[0] == '#' && isdigit((unsigned char)s[1]);
}

// Any of the places in the stack that follows the line.
static bool stack_names(const char *line, const Pos *places, uint32_t count)
{
    for (const char *s = next_line(line); is_frame(s); s = next_line(s))
        for (uint32_t i = 0; i < count; i++)
            if (names_place(s, strcspn(s, "\n"), places[i])) return true;
    return false;
}

static const char *error_of(Rule rule)
{
    switch (rule) {
    case RULE_DOUBLE_FREE:
        return "attempting double-free";
    case RULE_USE_AFTER_FREE:
        return "heap-use-after-free";
    case RULE_INVALID_FREE:
        return "attempting free on address which was not malloc()-ed";
    case RULE_MISMATCHED_FREE:
        return "alloc-dealloc-mismatch";
    default:
        return NULL;
    }
}

static bool leak_is_told(const Finding *f, const char *text, bool *others)
{
    Pos places[16] = {f->alloc, f->source};
    uint32_t count = 2;
    const Witness *w = f->witness;
    for (uint32_t i = 0; i < w->block_count && count < 16; i++)
        if (w->blocks[i].is_lost) places[count++] = w->blocks[i].made;
    for (const char *s = text; *s; s = next_line(s)) {
        bool direct = strncmp(s, "Direct leak of", 14) == 0, behind = strncmp(s, "Indirect leak of", 16) == 0;
        if (!direct && !behind) continue;
        *others = true;
        if (stack_names(s, places, count)) return true;
    }
    // A number that stands for a resource: the program itself looks for it.
    for (uint32_t i = 0; i < w->block_count; i++)
        if (w->blocks[i].kind == MEMORY_HANDLE && w->blocks[i].is_lost) {
            char told[80];
            snprintf(told, sizeof told, "repro: handle %llu is still open",
                     (unsigned long long)w->blocks[i].size);
            if (strstr(text, told)) return true;
        }
    return false;
}

// "SEGV on unknown address", "heap-buffer-overflow ..." and where, in one line.
static const char *what_happened(Arena *a, const char *text)
{
    const char *error = strstr(text, "ERROR: AddressSanitizer: ");
    if (!error) return NULL;
    error += strlen("ERROR: AddressSanitizer: ");
    size_t n = strcspn(error, "\n(");
    while (n && error[n - 1] == ' ') n--;
    const char *what = arena_strndup(a, error, n < 80 ? n : 80);
    for (const char *s = next_line(error); *s; s = next_line(s)) {
        if (!is_frame(s)) continue;
        const char *in = strstr(s, " in ");
        if (!in || in > s + strcspn(s, "\n")) break;
        in += 4;
        return arena_printf(a, "%s in %.*s", what, (int)strcspn(in, " \n"), in);
    }
    return what;
}

void judge(Arena *a, const Finding *f, const Ran *ran, Confirmation *out)
{
    const char *text = ran->text, *wanted = error_of(f->rule);
    out->verdict = CONFIRM_COULD_NOT;
    out->why = "";
    if (!ran->started || (WIFEXITED(ran->status) && WEXITSTATUS(ran->status) == 127)) {
        out->why = "the program could not be started";
        return;
    }
    if (wanted) {
        Pos places[] = {f->lost, f->witness->end};
        const char *error = strstr(text, wanted);
        if (error && stack_names(error, places, 2)) {
            out->verdict = CONFIRM_CONFIRMED;
            return;
        }
        // The first line of the report is followed by one more before the stack.
        if (error && stack_names(next_line(error), places, 2)) {
            out->verdict = CONFIRM_CONFIRMED;
            return;
        }
        const char *other = what_happened(a, text);
        if (error) {
            out->verdict = CONFIRM_NOT;
            out->why = arena_printf(a, "it happens elsewhere: %s", other ? other : "");
            return;
        }
    } else {
        bool others = false;
        if (leak_is_told(f, text, &others)) {
            out->verdict = CONFIRM_CONFIRMED;
            return;
        }
        if (others) {
            out->verdict = CONFIRM_NOT;
            out->why = "LeakSanitizer reports other blocks";
            return;
        }
    }
    const char *left = strstr(text, "repro: left the path of the witness");
    const char *other = what_happened(a, text);
    if (ran->timed_out || (WIFSIGNALED(ran->status) && WTERMSIG(ran->status) == SIGXCPU))
        out->why = "it ran too long";
    else if (left)
        out->why = arena_strndup(a, left + 7, strcspn(left + 7, "\n"));
    else if (other)
        out->why = arena_printf(a, "it ended early: %s", other);
    else if (strstr(text, "LeakSanitizer has encountered a fatal error"))
        out->why = "LeakSanitizer cannot run here (it needs ptrace)";
    else if (WIFSIGNALED(ran->status))
        out->why = arena_printf(a, "it ended early: signal %d", WTERMSIG(ran->status));
    else if (!strstr(text, "repro: the function returned"))
        out->why = arena_printf(a, "it ended early: exit status %d", WEXITSTATUS(ran->status));
    else if (f->loss == LOSS_HELD)
        out->why = "something leads to it still: no sanitizer sees that it should have been released";
    else {
        out->verdict = CONFIRM_NOT;
        out->why = wanted ? "it ran to its end" : "it ran to its end, and nothing is lost";
    }
}
