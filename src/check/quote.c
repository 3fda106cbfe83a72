// Conditions as the source has them.
//
// The evaluation names a branch by its terms: `ocets != 0`, `rc == 12`, `strcmp() == 0`. The source says more:
// `ocets > 0`, `rc == EXISTS`, `strcmp(arg, "--cafile") == 0`. This pass finds the condition in the source that a
// branch belongs to, in the parentheses of an if, while or for, narrows it to the operand of && and || that
// was tested, and quotes that.
//
// Requires: ranked findings. Gives: branch events and parts of conditions in the source's own words, and the
// columns that they cover. Whether the operand was true or false is worked out by comparing it with
// the evaluation's own words; where that is not certain (a macro, say), those words stay. So the pass
// errs towards the plainer text, never towards a wrong one.
#include "check/check_int.h"
#include "check/limits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *at;
    size_t len;
} Span;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static Span trim(Span s)
{
    while (s.len && isspace((unsigned char)s.at[0])) s.at++, s.len--;
    while (s.len && isspace((unsigned char)s.at[s.len - 1])) s.len--;
    return s;
}

// Past the token at `i`: a comment, a literal, a word, or one character.
static size_t token_end(Span s, size_t i)
{
    char c = s.at[i];
    if (c == '/' && i + 1 < s.len && s.at[i + 1] == '/') {
        while (i < s.len && s.at[i] != '\n') i++;
        return i;
    }
    if (c == '/' && i + 1 < s.len && s.at[i + 1] == '*') {
        const char *end = memmem(s.at + i + 2, s.len - i - 2, "*/", 2);
        return end ? (size_t)(end - s.at) + 2 : s.len;
    }
    if (c == '"' || c == '\'') {
        for (i++; i < s.len && s.at[i] != c && s.at[i] != '\n'; i++)
            if (s.at[i] == '\\') i++;
        return i < s.len ? i + 1 : s.len;
    }
    if (!is_word(c)) return i + 1;
    while (i < s.len && is_word(s.at[i])) i++;
    return i;
}

static bool opens(char c)
{
    return c == '(' || c == '[' || c == '{';
}

static bool closes(char c)
{
    return c == ')' || c == ']' || c == '}';
}

// Where the bracket at `i` is closed; s.len when it is not.
static size_t match_of(Span s, size_t i)
{
    uint32_t depth = 0;
    for (size_t k = i; k < s.len; k = token_end(s, k)) {
        if (opens(s.at[k])) depth++;
        if (closes(s.at[k]) && --depth == 0) return k;
    }
    return s.len;
}

// ---- the condition that a place is in ----

static bool governs(Span word)
{
    static const char *const words[] = {"if", "while", "for"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word.len == strlen(words[i]) && memcmp(word.at, words[i], word.len) == 0) return true;
    return false;
}

// The innermost parentheses of an if, while or for around `target`; empty when there are none.
static Span condition_around(Span s, size_t target)
{
    Span found = {0}, word = {0};
    for (size_t i = 0; i < s.len && i <= target; i = token_end(s, i)) {
        char c = s.at[i];
        if (is_word(c)) {
            word = (Span){s.at + i, token_end(s, i) - i};
        } else if (c == '(' && governs(word)) {
            size_t end = match_of(s, i);
            if (end < s.len && target > i && target < end) found = (Span){s.at + i + 1, end - i - 1};
            word = (Span){0};
        } else if (!isspace((unsigned char)c)) {
            word = (Span){0};
        }
    }
    return found;
}

// The part between separators outside of brackets that `target` is in: the last one for what comes after it, as the
// branch on `b` in `(a && b) || c` has the place of the `||`. `separator` has one or two characters.
static Span part_of(Span s, const char *separator, const char *target, bool *several)
{
    size_t from = 0, width = strlen(separator);
    Span part = {0};
    *several = false;
    for (size_t i = 0; i <= s.len;) {
        bool end = i == s.len;
        if (end || (i + width <= s.len && memcmp(s.at + i, separator, width) == 0)) {
            if (!part.at && target < s.at + i + (end ? 1 : width))
                part = (Span){s.at + from, i - from};
            if (end) break;
            *several = true;
            from = i += width;
        } else if (opens(s.at[i])) {
            i = match_of(s, i);
            if (i < s.len) i++;
        } else {
            i = token_end(s, i);
        }
    }
    return part.at ? part : (Span){s.at + from, s.len - from};
}

static bool in_brackets(Span s)
{
    return s.len > 1 && s.at[0] == '(' && match_of(s, 0) == s.len - 1;
}

static bool is_negation(Span s)
{
    return s.len > 1 && s.at[0] == '!' && s.at[1] != '=';
}

static bool has_word(const char *text, Span word)
{
    for (const char *p = text; (p = memmem(p, strlen(p), word.at, word.len)); p++)
        if ((p == text || !is_word(p[-1])) && !is_word(p[word.len])) return true;
    return false;
}

// Of a side that the evaluation has no name for it says "@": only the source has the words.
static bool is_nameless(const char *text)
{
    return strchr(text, '@') != NULL;
}

// What a macro or function of one argument is given, where the text does not name it: unlikely(x). What the macro makes
// of a plain name is not known: FAILED(x) may ask for x->error.
static Span argument_of(Span s, const char *target, const char *text)
{
    size_t name = 0;
    while (name < s.len && is_word(s.at[name])) name++;
    size_t open = name;
    while (open < s.len && isspace((unsigned char)s.at[open])) open++;
    if (!name || open == s.len || s.at[open] != '(' || match_of(s, open) != s.len - 1 ||
        has_word(text, (Span){s.at, name}))
        return (Span){0};
    Span inner = {s.at + open + 1, s.len - open - 2};
    bool several;
    inner = part_of(inner, ",", target > inner.at ? target : inner.at, &several);
    Span plain = trim(inner);
    size_t skip = text[0] == '!' && text[1] != '=', end = skip;
    bool bare = plain.len && !is_negation(plain);
    for (size_t i = 0; i < plain.len && bare; i++) bare = is_word(plain.at[i]) || strchr(".->", plain.at[i]);
    while (text[end] && text[end] != ' ') end++;
    bool same = plain.len == end - skip && memcmp(plain.at, text + skip, plain.len) == 0;
    return bare && !same ? (Span){0} : inner;
}

// The operand that was tested.
static Span operand_at(Span s, const char *target, const char *text)
{
    bool several;
    part_of(s, ";", target, &several);
    if (several) { // for: the one in the middle
        Span rest = part_of(s, ";", s.at, &several);
        const char *first = rest.at + rest.len + 1;
        s = part_of((Span){first, s.len - (size_t)(first - s.at)}, ";", first, &several);
    }
    for (uint32_t round = 0; round < QUOTE_NESTING; round++) {
        s = trim(s);
        if (in_brackets(s)) {
            s = (Span){s.at + 1, s.len - 2};
            continue;
        }
        static const char *const separators[] = {",", "||", "&&"};
        several = false;
        for (size_t i = 0; i < 3 && !several; i++) s = part_of(s, separators[i], target, &several);
        if (several) continue;
        Span inner = is_negation(s) ? trim((Span){s.at + 1, s.len - 1}) : (Span){0};
        if (inner.len && in_brackets(inner)) {
            bool both, either;
            Span content = {inner.at + 1, inner.len - 2};
            part_of(content, "&&", target, &both);
            part_of(content, "||", target, &either);
            if (both || either) {
                s = content;
                continue;
            }
        }
        inner = argument_of(s, target, text);
        if (!inner.len) break;
        s = inner;
    }
    return trim(s);
}

// ---- true or false ----

typedef enum { CMP_NONE, CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE } Cmp;

static const char *const cmp_words[] = {"", "==", "!=", "<", "<=", ">", ">="};
static const Cmp cmp_not[] = {CMP_NONE, CMP_NE, CMP_EQ, CMP_GE, CMP_GT, CMP_LE, CMP_LT};

typedef struct {
    Cmp op;
    Span left, right;
    bool plain; // nothing is in the way of turning the operator around
} Compared;

// The comparison outside of brackets, of which there must be one at most.
static Compared compared(Span s)
{
    Compared c = {.left = trim(s), .plain = true};
    for (size_t i = 0; i < s.len;) {
        char a = s.at[i], b = i + 1 < s.len ? s.at[i + 1] : 0;
        Cmp op = CMP_NONE;
        size_t width = 1;
        if ((a == '<' && b == '<') || (a == '>' && b == '>') || (a == '-' && b == '>')) {
            i += 2;
            continue;
        }
        if (b == '=' && (a == '=' || a == '!' || a == '<' || a == '>')) {
            op = a == '=' ? CMP_EQ : a == '!' ? CMP_NE : a == '<' ? CMP_LE : CMP_GE;
            width = 2;
        } else if (a == '<' || a == '>') {
            op = a == '<' ? CMP_LT : CMP_GT;
        } else if (a == '=' || a == '?') {
            c.plain = false;
        }
        if (op != CMP_NONE) {
            if (c.op != CMP_NONE) c.plain = false;
            c.op = op;
            c.left = trim((Span){s.at, i});
            c.right = trim((Span){s.at + i + width, s.len - i - width});
            i += width;
        } else if (opens(a)) {
            i = match_of(s, i);
            if (i < s.len) i++;
        } else {
            i = token_end(s, i);
        }
    }
    return c;
}

static bool same_text(Span a, Span b)
{
    return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

static bool is_zero(Span s)
{
    return s.len == 1 && s.at[0] == '0';
}

// Whether the two speak of the same thing: a word of the source is in the text.
static bool share_word(Span s, const char *text)
{
    for (size_t i = 0; i < s.len; i = token_end(s, i))
        if (is_word(s.at[i]) && !isdigit((unsigned char)s.at[i]) &&
            has_word(text, (Span){s.at + i, token_end(s, i) - i}))
            return true;
    return false;
}

typedef enum { SENSE_UNKNOWN, SENSE_SAME, SENSE_OPPOSITE } Sense;

static Sense sense(bool same)
{
    return same ? SENSE_SAME : SENSE_OPPOSITE;
}

static bool is_upward(Cmp c)
{
    return c == CMP_GT || c == CMP_GE;
}

static bool is_call(Span s)
{
    return s.len > 1 && s.at[s.len - 1] == ')' && s.at[0] != '(';
}

// The same, or a constant and its number.
static bool same_side(Span source, Span told)
{
    bool number = told.len && (isdigit((unsigned char)told.at[0]) || told.at[0] == '-');
    bool constant = source.len && (isdigit((unsigned char)source.at[0]) || isupper((unsigned char)source.at[0]) ||
                                   source.at[0] == '-' || source.at[0] == '\'');
    return same_text(source, told) || (number && constant) || (is_call(source) && is_call(told));
}

// The same, or a call that the evaluation names without its arguments.
static bool same_thing(Span source, Span told)
{
    size_t name = 0;
    while (name < told.len && is_word(told.at[name])) name++;
    bool call = name && told.len == name + 2 && told.at[name] == '(';
    return same_text(source, told) || (told.len == 1 && *told.at == '@') || (call && is_call(source) && source.len > name + 1 && source.at[name] == '(' &&
                                       match_of(source, name) == source.len - 1 && memcmp(source.at, told.at, name) == 0);
}

// The number that a literal stands for: 12, 0x1f, 'a', '\n'.
static bool literal_value(Span s, int64_t *value)
{
    static const char escapes[] = "n\nt\tr\r0\0a\ab\bf\fv\v\\\\''\"\"";
    char text[32], *end;
    if (!s.len || s.len >= sizeof text) return false;
    memcpy(text, s.at, s.len);
    text[s.len] = '\0';
    if (text[0] != '\'') {
        *value = strtoll(text, &end, 0);
        while (*end && strchr("uUlL", *end)) end++;
        return end != text && !*end;
    }
    if (s.len == 3) {
        *value = (signed char)text[1];
        return true;
    }
    if (s.len != 4 || text[1] != '\\') return false;
    for (size_t i = 0; i + 1 < sizeof escapes; i += 2)
        if (escapes[i] == text[2]) {
            *value = escapes[i + 1];
            return true;
        }
    return false;
}

// Whether the test in the source is the one that the evaluation speaks of, by its place alone: its comparison's operator
// stands there, or a plain name or member begins there. A name in capitals or a call may be a macro with tests of its own.
static bool is_tested_at(Span s, const Compared *x, const char *target)
{
    if (x->op != CMP_NONE) {
        size_t width = strlen(cmp_words[x->op]);
        return target == x->right.at - width || (target < x->right.at && target >= x->left.at + x->left.len &&
                                                 memcmp(target, cmp_words[x->op], width) == 0);
    }
    bool small = false;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_word(s.at[i]) && !strchr(".->", s.at[i])) return false;
        small |= islower((unsigned char)s.at[i]) != 0;
    }
    return small && target >= s.at && target < s.at + s.len;
}

// A test for nothing, zero or null.
static bool is_zero_test(const Compared *t)
{
    bool null = t->right.len == 4 && memcmp(t->right.at, "NULL", 4) == 0;
    return t->op == CMP_NONE || ((t->op == CMP_EQ || t->op == CMP_NE) && (is_zero(t->right) || null));
}

static bool is_order(Cmp op)
{
    return op >= CMP_LT;
}

static bool is_constant(Span s)
{
    return s.len && (isdigit((unsigned char)s.at[0]) || isupper((unsigned char)s.at[0]) || s.at[0] == '-' || s.at[0] == '\'');
}

// Whether two comparisons, of which one side may have different names, are of one kind and have the other side in common.
static bool is_alike(const Compared *x, const Compared *t)
{
    bool right = same_text(x->right, t->right) || (is_constant(x->right) && is_constant(t->right));
    return is_order(x->op) == is_order(t->op) && (right || same_text(x->left, t->left));
}

static Sense sense_of_comparison(const Compared *x, const Compared *t, bool nothing, bool there)
{
    bool equal = t->op == CMP_EQ || (t->op == CMP_NONE && nothing);
    bool unequal = t->op == CMP_NE || (t->op == CMP_NONE && !nothing);
    if (x->op == CMP_EQ || x->op == CMP_NE) {
        bool numbers = x->right.len && isdigit((unsigned char)x->right.at[0]) && t->right.len &&
                       isdigit((unsigned char)t->right.at[0]);
        int64_t mine, theirs;
        if (numbers && !same_text(x->right, t->right)) return SENSE_UNKNOWN;
        if (literal_value(x->right, &mine) && literal_value(t->right, &theirs) && mine != theirs) return SENSE_UNKNOWN;
        return equal || unequal ? sense(equal == (x->op == CMP_EQ)) : SENSE_UNKNOWN;
    }
    if (equal || unequal) { // n > 0 of what is never negative
        if (!is_zero(x->right) || (x->op != CMP_GT && x->op != CMP_LE)) return SENSE_UNKNOWN;
        return sense(unequal == (x->op == CMP_GT));
    }
    // Both sides must be the same thing: of a loop's counter the evaluation may speak in terms of its end.
    bool straight = same_thing(x->left, t->left) && same_side(x->right, t->right);
    bool swapped = same_text(x->right, t->left) && same_side(x->left, t->right);
    if (straight == swapped && !there) return SENSE_UNKNOWN;
    if (straight == swapped) swapped = false;
    return sense((is_upward(x->op) == is_upward(t->op)) != swapped);
}

// A call or macro that the evaluation does not name: what it asks is not known. A name in capitals is a macro.
static bool is_unknown_call(Span s, const char *text)
{
    size_t name = 0, open;
    bool small = false;
    for (; name < s.len && is_word(s.at[name]); name++) small |= islower((unsigned char)s.at[name]) != 0;
    for (open = name; open < s.len && isspace((unsigned char)s.at[open]);) open++;
    if (!name || open == s.len || s.at[open] != '(' || match_of(s, open) != s.len - 1) return false;
    return !small && !has_word(text, (Span){s.at, name});
}

// Of `x = f()` the variable, which is what is tested; else the text itself.
static Span assigned(Span s)
{
    size_t i = 0;
    while (i < s.len && s.at[i] != '=') {
        if (!is_word(s.at[i]) && !strchr(".->*[] ", s.at[i])) return s;
        i = opens(s.at[i]) ? match_of(s, i) + 1 : i + 1;
    }
    bool assigns = i && i + 1 < s.len && s.at[i + 1] != '=' && !strchr("<>!-*", s.at[i - 1]);
    return assigns ? trim((Span){s.at, i}) : s;
}

// Whether the operand is true when the evaluation's text is.
static Sense sense_of(Span s, const char *target, const char *text)
{
    bool flipped = false;
    for (s = trim(s);;) {
        if (is_negation(s)) {
            s = trim((Span){s.at + 1, s.len - 1});
            flipped = !flipped;
        } else if (in_brackets(s)) {
            s = assigned(trim((Span){s.at + 1, s.len - 2}));
        } else {
            break;
        }
    }
    bool nothing = text[0] == '!' && text[1] != '=';
    Compared x = compared(s), t = compared((Span){text + nothing, strlen(text + nothing)});
    bool here = is_tested_at(s, &x, target), there = here && is_zero_test(&x) && is_zero_test(&t);
    // One that the evaluation has another name for: the operator stands right there.
    there |= here && x.op != CMP_NONE && t.op != CMP_NONE && is_alike(&x, &t);
    if ((!there && !share_word(s, text) && !is_nameless(text)) || !x.plain || !t.plain || is_unknown_call(s, text))
        return SENSE_UNKNOWN;
    Sense found = SENSE_UNKNOWN;
    if (x.op != CMP_NONE)
        found = sense_of_comparison(&x, &t, nothing, there);
    else if (t.op == CMP_NONE)
        found = sense(!nothing);
    else if ((t.op == CMP_EQ || t.op == CMP_NE) && is_zero(t.right))
        found = sense(t.op == CMP_NE);
    if (found == SENSE_UNKNOWN || !flipped) return found;
    return found == SENSE_SAME ? SENSE_OPPOSITE : SENSE_SAME;
}

// ---- words ----

// On one line, without comments; null when it is too long to be read at a glance.
static const char *one_line(Arena *a, Span s)
{
    char *text = arena_array_of(a, char, s.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < s.len;) {
        size_t end = token_end(s, i);
        bool comment = s.at[i] == '/' && end > i + 1;
        if (comment || isspace((unsigned char)s.at[i])) {
            if (n && text[n - 1] != ' ') text[n++] = ' ';
        } else {
            if (memchr(s.at + i, '\n', end - i) || iscntrl((unsigned char)s.at[i]) || s.at[i] == '#') return NULL;
            memcpy(text + n, s.at + i, end - i);
            n += end - i;
        }
        i = end;
    }
    while (n && text[n - 1] == ' ') n--;
    text[n] = '\0';
    return n <= QUOTE_BYTES ? text : NULL;
}

static const char *denied(Arena *a, const char *text)
{
    Span s = {text, strlen(text)};
    if (is_negation(s)) {
        Span inner = trim((Span){s.at + 1, s.len - 1});
        if (in_brackets(inner)) inner = (Span){inner.at + 1, inner.len - 2};
        return arena_printf(a, "%.*s", (int)inner.len, inner.at);
    }
    Compared c = compared(s);
    if (c.op != CMP_NONE && c.plain)
        return arena_printf(a, "%.*s %s %.*s", (int)c.left.len, c.left.at, cmp_words[cmp_not[c.op]],
                            (int)c.right.len, c.right.at);
    bool simple = c.plain;
    for (size_t i = 0; i < s.len && simple; i = opens(s.at[i]) ? match_of(s, i) + 1 : token_end(s, i))
        simple = !strchr("+*/%&|^ ", s.at[i]);
    return arena_printf(a, simple ? "!%s" : "!(%s)", text);
}

// ---- switches ----

// The labels of a switch that lead to one place.
typedef struct {
    Span switched;
    Span labels[SWITCH_LABELS];
    uint32_t count; // of the labels in front of the statement; more than SWITCH_LABELS are not kept
    bool has_default;
} Labels;

// Past a label that begins at `i` with `case` or `default`; 0: it is none. Its text is empty for the default.
static size_t label_end(Span s, size_t i, Span *text)
{
    size_t end = token_end(s, i);
    Span word = {s.at + i, end - i};
    bool named = word.len == 4 && memcmp(word.at, "case", 4) == 0;
    if (!named && !(word.len == 7 && memcmp(word.at, "default", 7) == 0)) return 0;
    size_t from = end;
    for (; end < s.len && s.at[end] != ';'; end = opens(s.at[end]) ? match_of(s, end) + 1 : token_end(s, end)) {
        if (s.at[end] != ':') continue;
        if (end + 1 < s.len && s.at[end + 1] == ':') { // a name of C++
            end++;
            continue;
        }
        *text = named ? trim((Span){s.at + from, end - from}) : (Span){0};
        return end + 1;
    }
    return 0;
}

// Reads the labels in front of `target`, which is in the switch that `s` begins with.
static bool labels_before(Span s, size_t target, Labels *l)
{
    size_t i = 0;
    while (i < s.len && s.at[i] != '(') i = token_end(s, i);
    size_t end = i < s.len ? match_of(s, i) : s.len;
    if (end >= s.len) return false;
    l->switched = trim((Span){s.at + i + 1, end - i - 1});
    for (i = end + 1; i < s.len && s.at[i] != '{'; i = token_end(s, i))
        if (s.at[i] == ';') return false;
    end = i < s.len ? match_of(s, i) : s.len;
    if (end >= s.len) return false;
    bool together = false; // nothing but labels since the last one
    for (i++; i < end;) {
        Span text;
        size_t past = is_word(s.at[i]) ? label_end(s, i, &text) : 0;
        if (past) {
            if (!text.len) l->has_default = true;
            if (i <= target) {
                l->count = together ? l->count : 0;
                if (text.len && l->count < SWITCH_LABELS) l->labels[l->count] = text;
                if (text.len) l->count++;
            }
            together = true;
            i = past;
            continue;
        }
        size_t next = opens(s.at[i]) ? match_of(s, i) + 1 : token_end(s, i);
        bool comment = s.at[i] == '/' && next > i + 1;
        if (!comment && !isspace((unsigned char)s.at[i])) together = false;
        i = next;
    }
    return true;
}

// The operand of the source at a branch.
typedef struct {
    const char *text;
    const char *words, *sentence; // what is no expression: as a condition, as a step of the path; or null
    bool truth;
    bool by_place;       // the evaluation has other words for the same test
    bool assigns;        // it is an assignment, which reads badly as a condition
    uint32_t line, col, width; // where it is, when all of it is on one line
} Quoted;

static const char *in_parentheses(Arena *a, const char *text)
{
    bool simple = true;
    Span s = {text, strlen(text)};
    for (size_t i = 0; i < s.len && simple; i = opens(s.at[i]) ? match_of(s, i) + 1 : token_end(s, i))
        simple = !strchr("+*/%&|^=?:<", s.at[i]);
    return simple ? text : arena_printf(a, "(%s)", text);
}

// A switch at `s`: `said` compares its value with that of the case which is taken, or with one that is not.
static bool quote_switch(Arena *a, Span s, const char *said, size_t label, Quoted *q)
{
    Labels l = {0};
    Compared c = compared((Span){said, strlen(said)});
    if (!labels_before(s, label, &l) || c.op == CMP_NONE) return false;
    const char *switched = one_line(a, l.switched);
    if (!switched) return false;
    q->truth = true;
    q->width = (uint32_t)(l.switched.at + l.switched.len + 1 - s.at);
    if (memchr(s.at, '\n', q->width)) q->width = 0;
    if (c.op == CMP_NE) {
        const char *form = l.has_default ? "the switch on %s%s%s takes the default" : "no case of the switch on %s%s%s matches";
        q->text = said;
        q->words = arena_printf(a, form, "", switched, "");
        q->sentence = arena_printf(a, form, "'", switched, "'");
        return true;
    }
    if (c.op != CMP_EQ || !label || !l.count) return false;
    int64_t value, one;
    bool known = literal_value(c.right, &value);
    const char *subject = in_parentheses(a, switched);
    for (uint32_t i = 0; i < l.count && i < SWITCH_LABELS; i++) {
        bool literal = literal_value(l.labels[i], &one);
        if (l.count > 1 && !(known && literal && one == value)) continue;
        if (known && literal && one != value) return false; // another switch than was thought
        const char *text = one_line(a, l.labels[i]);
        if (!text) return false;
        q->text = arena_printf(a, "%s == %s", subject, text);
        return true;
    }
    if (l.count > SWITCH_LABELS) return false;
    const char *list = "";
    for (uint32_t i = 0; i < l.count; i++) {
        const char *text = one_line(a, l.labels[i]);
        if (!text || literal_value(l.labels[i], &one)) return false;
        list = arena_printf(a, "%s%s%s", list, i == 0 ? "" : i + 1 < l.count ? ", " : " or ", text);
    }
    q->text = said;
    q->words = arena_printf(a, "%s is %s", subject, list);
    q->sentence = arena_printf(a, "'%s' is %s", subject, list);
    return true;
}

// The evaluation's words, calls without what they are given: the source has other names for that.
static const char *without_arguments(Arena *a, const char *said)
{
    Span s = {said, strlen(said)};
    char *text = arena_array_of(a, char, s.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < s.len;) {
        size_t end = token_end(s, i);
        bool call = s.at[i] == '(' && i && is_word(s.at[i - 1]);
        memcpy(text + n, s.at + i, end - i);
        n += end - i;
        i = call ? match_of(s, i) : end;
    }
    text[n] = '\0';
    return text;
}

static bool is_switch(Span s)
{
    return s.len > 6 && memcmp(s.at, "switch", 6) == 0 && !is_word(s.at[6]);
}

static bool quote(Arena *a, Sources *sources, Pos p, Pos label, const char *said, bool taken, Quoted *q)
{
    *q = (Quoted){0};
    if (!pos_known(p) || !p.col) return false;
    said = without_arguments(a, said);
    const Source *src = source_of(sources, p.path);
    if (src->hidden || p.line > src->lines) return false;
    uint32_t first = p.line > QUOTE_LINES ? p.line - QUOTE_LINES : 1;
    uint32_t last = p.line + QUOTE_LINES < src->lines ? p.line + QUOTE_LINES : src->lines;
    size_t from = src->starts[first - 1], line = src->starts[p.line - 1] - from;
    Span around = {src->text + from, src->starts[last] - from};
    size_t target = line + p.col - 1;
    if (target >= around.len) return false;
    Span rest = {around.at + target, src->starts[src->lines] - from - target};
    if (taken && is_switch(rest)) {
        bool there = pos_known(label) && label.line <= src->lines && strcmp(label.path, p.path) == 0;
        size_t at = there ? src->starts[label.line - 1] + label.col - 1 : 0;
        q->line = p.line;
        q->col = p.col;
        return quote_switch(a, rest, said, at > from + target ? at - from - target : 0, q);
    }
    Span s = condition_around(around, target);
    if (!s.len) return false;
    s = operand_at(s, around.at + target, said);
    Sense how = s.len ? sense_of(s, around.at + target, said) : SENSE_UNKNOWN;
    if (how == SENSE_UNKNOWN) return false;
    q->text = one_line(a, s);
    q->by_place = !share_word(s, said);
    Span inner = is_negation(s) ? trim((Span){s.at + 1, s.len - 1}) : s;
    if (in_brackets(inner)) inner = trim((Span){inner.at + 1, inner.len - 2});
    q->assigns = assigned(inner).len != inner.len;
    q->truth = taken == (how == SENSE_SAME);
    size_t start = from + (size_t)(s.at - around.at);
    uint32_t at = first;
    while (at < last && src->starts[at] <= start) at++;
    bool on_line = start + s.len <= src->starts[at];
    q->line = at;
    q->col = on_line ? (uint32_t)(start - src->starts[at - 1]) + 1 : 0;
    q->width = on_line ? (uint32_t)s.len : 0;
    return q->text != NULL;
}

// ---- what a place is about ----

// How far the expression or statement goes that begins at `i` on the line: a call with its arguments, a return
// with its value, the rest of an assignment. 0: the place alone.
static size_t extent(Span line, size_t i)
{
    size_t end = i;
    if (i >= line.len) return 0;
    bool assigns = line.at[i] == '=' && i + 1 < line.len && line.at[i + 1] != '=';
    Span word = {line.at + i, is_word(line.at[i]) ? token_end(line, i) - i : 0};
    bool leaves = (word.len == 6 && memcmp(word.at, "return", 6) == 0) || (word.len == 4 && memcmp(word.at, "goto", 4) == 0);
    if (assigns || leaves) {
        while (end < line.len && line.at[end] != ';' && !closes(line.at[end]))
            end = opens(line.at[end]) ? match_of(line, end) + 1 : token_end(line, end);
        return trim((Span){line.at + i, (end < line.len ? end : line.len) - i}).len;
    }
    // A name, with what it is a member of, and the arguments that it is called with.
    while (end < line.len && is_word(line.at[end])) {
        end = token_end(line, end);
        while (end < line.len && line.at[end] == '[') end = match_of(line, end) + 1;
        if (end > line.len) end = line.len;
        size_t rest = line.len - end;
        bool member = rest > 2 && (memcmp(line.at + end, "->", 2) == 0 || memcmp(line.at + end, "::", 2) == 0);
        if (member)
            end += 2;
        else if (rest > 1 && line.at[end] == '.')
            end++;
        else
            break;
    }
    if (end == i) return 0;
    size_t open = end;
    while (open < line.len && line.at[open] == ' ') open++;
    if (open < line.len && line.at[open] == '(') end = match_of(line, open) + 1;
    return trim((Span){line.at + i, (end < line.len ? end : line.len) - i}).len;
}

static void underline(Sources *sources, Event *e)
{
    if (!pos_known(e->pos) || !e->pos.col || e->width) return;
    const Source *src = source_of(sources, e->pos.path);
    size_t n;
    const char *line = src->hidden ? NULL : source_line(src, e->pos.line, &n);
    if (line) e->width = (uint32_t)extent((Span){line, n}, e->pos.col - 1);
}

static void quote_events(Arena *a, Sources *sources, Finding *f)
{
    Quoted q;
    uint32_t kept = 0;
    vec_each (i, &f->events) {
        Event *e = &f->events.at[kept];
        *e = f->events.at[i];
        bool branch = e->kind == EVENT_BRANCH && e->cond;
        bool quoted = branch && quote(a, sources, e->pos, e->label, e->cond, e->taken, &q);
        kept += quoted || !branch || !is_nameless(e->cond);
        if (!quoted) continue;
        // "strdup() fails" says more than the name of the variable that has its result.
        if (!(q.by_place && e->text[0] != '\'')) finding_retell_branch(f, e, q.text, q.truth);
        if (q.sentence) e->text = q.sentence;
        if (!q.col) continue;
        e->pos.line = q.line;
        e->pos.col = q.col;
        e->width = q.width;
    }
    f->events.len = kept;
    vec_each (i, &f->events) underline(sources, &f->events.at[i]);
}

// Whether the two are the same thing compared with the same, and cannot both hold.
static bool contradict(const char *a, const char *b)
{
    bool none_a = a[0] == '!' && a[1] != '=', none_b = b[0] == '!' && b[1] != '=';
    Span s = trim((Span){a + none_a, strlen(a + none_a)}), o = trim((Span){b + none_b, strlen(b + none_b)});
    if (none_a && in_brackets(s)) s = trim((Span){s.at + 1, s.len - 2});
    if (none_b && in_brackets(o)) o = trim((Span){o.at + 1, o.len - 2});
    Compared x = compared(s), y = compared(o);
    if (!same_text(x.left, y.left) || !same_text(x.right, y.right)) return false;
    return x.op == CMP_NONE ? none_a != none_b : x.op == cmp_not[y.op];
}

// Parts in words ("fopen() fails") stay, and what is said twice is said once. A variable that is set anew and asked
// again has the last word.
static void quote_when(Arena *a, Sources *sources, Finding *f)
{
    uint32_t kept = 0;
    vec_each (i, &f->when) {
        When w = f->when.at[i];
        Quoted q;
        if (w.expr && strncmp(w.text, "!(", 2) == 0 && in_brackets((Span){w.text + 1, strlen(w.text) - 1}))
            w.text = denied(a, denied(a, w.text));
        if (w.expr && quote(a, sources, w.at, w.label, w.text, true, &q)) {
            w.expr = !q.words;
            if (!q.assigns || is_nameless(w.text))
                w.text = q.words ? q.words : q.truth ? q.text : denied(a, q.text);
        } else if (w.expr && is_nameless(w.text)) {
            continue;
        }
        uint32_t same = 0;
        while (same < kept && strcmp(f->when.at[same].text, w.text) != 0) same++;
        if (same == kept) f->when.at[kept++] = w;
    }
    f->when.len = kept, kept = 0;
    vec_each (i, &f->when) {
        uint32_t later = i + 1;
        while (later < f->when.len && !contradict(f->when.at[i].text, f->when.at[later].text)) later++;
        if (later == f->when.len) f->when.at[kept++] = f->when.at[i];
    }
    f->when.len = kept;
}

void check_quote(Findings *fs, Sources *sources)
{
    vec_each (i, &fs->all) {
        Finding *f = fs->all.at[i];
        if (f->state == FINDING_BELOW) continue;
        quote_when(fs->arena, sources, f);
        quote_events(fs->arena, sources, f);
    }
}
