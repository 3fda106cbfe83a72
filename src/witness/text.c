// Computations on text and bytes in memory, character classes and numbers in text. All accesses go
// through the checked ones, so that misuse inside a library function is seen.
#include "witness/witness_int.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

static bool byte_at(Machine *m, uint64_t addr, uint8_t *c)
{
    if (++m->steps > m->max_steps) wit_stop(m, STOP_STEPS, "%s", "");
    return wit_read(m, addr, c, 1);
}

static uint64_t length(Machine *m, uint64_t s, uint64_t most)
{
    uint8_t c;
    uint64_t n = 0;
    while (n < most && byte_at(m, s + n, &c) && c) n++;
    return n;
}

static int64_t compare(Machine *m, uint64_t a, uint64_t b, uint64_t most, bool fold, bool text)
{
    for (uint64_t i = 0; i < most; i++) {
        uint8_t x, y;
        if (!byte_at(m, a + i, &x) || !byte_at(m, b + i, &y)) return 0;
        if (fold) x = (uint8_t)tolower(x), y = (uint8_t)tolower(y);
        if (x != y) return x < y ? -1 : 1;
        if (text && !x) return 0;
    }
    return 0;
}

static uint64_t find(Machine *m, uint64_t s, uint8_t what, uint64_t most, bool text, bool last,
                     bool end)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < most; i++) {
        uint8_t c;
        if (!byte_at(m, s + i, &c)) return 0;
        if (c == what) {
            found = s + i;
            if (!last) return found;
        }
        if (text && !c) return found ? found : end ? s + i : 0;
    }
    return found;
}

static uint64_t span(Machine *m, uint64_t s, uint64_t set, bool in)
{
    Chars chars = {0};
    uint64_t n = 0;
    uint8_t c;
    if (wit_text(m, set, UINT64_MAX, &chars))
        for (; byte_at(m, s + n, &c) && c; n++)
            if ((memchr(chars.at ? chars.at : "", c, chars.len) != NULL) != in) break;
    vec_free(&chars);
    return n;
}

static uint64_t search(Machine *m, uint64_t s, uint64_t what)
{
    Chars a = {0}, b = {0};
    uint64_t found = 0;
    if (wit_text(m, s, UINT64_MAX, &a) && wit_text(m, what, UINT64_MAX, &b)) {
        if (!b.len)
            found = s;
        else if (a.len) {
            const char *at = memmem(a.at, a.len, b.at, b.len);
            if (at) found = s + (uint64_t)(at - a.at);
        }
    }
    vec_free(&a);
    vec_free(&b);
    return found;
}

// The next piece of a text between characters of a set; *at is where the search goes on.
static uint64_t token(Machine *m, uint64_t s, uint64_t set, uint64_t *at)
{
    if (!s) s = *at;
    if (!s) return 0;
    uint64_t start = s + span(m, s, set, true);
    uint8_t c = 0;
    if (!byte_at(m, start, &c) || !c) {
        *at = start;
        return 0;
    }
    uint64_t end = start + span(m, start, set, false);
    if (!byte_at(m, end, &c)) return 0;
    *at = c ? end + 1 : end;
    c = 0;
    if (!m->ended) wit_write(m, end, &c, 1);
    return start;
}

static uint64_t duplicate(Machine *m, uint64_t s, uint64_t most)
{
    uint64_t n = length(m, s, most);
    if (m->ended) return 0;
    uint64_t to = wit_heap_new(m, n + 1, FAMILY_HEAP, true);
    if (to) wit_copy(m, to, s, n);
    return to;
}

static int char_class(Computes what, int c)
{
    switch (what) {
    case COMPUTES_IS_ALNUM:
        return isalnum(c) ? 8 : 0; // glibc's bits
    case COMPUTES_IS_ALPHA:
        return isalpha(c) ? 1024 : 0;
    case COMPUTES_IS_BLANK:
        return isblank(c) ? 1 : 0;
    case COMPUTES_IS_CNTRL:
        return iscntrl(c) ? 2 : 0;
    case COMPUTES_IS_DIGIT:
        return isdigit(c) ? 2048 : 0;
    case COMPUTES_IS_GRAPH:
        return isgraph(c) ? 32768 : 0;
    case COMPUTES_IS_LOWER:
        return islower(c) ? 512 : 0;
    case COMPUTES_IS_PRINT:
        return isprint(c) ? 16384 : 0;
    case COMPUTES_IS_PUNCT:
        return ispunct(c) ? 4 : 0;
    case COMPUTES_IS_SPACE:
        return isspace(c) ? 8192 : 0;
    case COMPUTES_IS_UPPER:
        return isupper(c) ? 256 : 0;
    case COMPUTES_IS_HEX:
        return isxdigit(c) ? 4096 : 0;
    case COMPUTES_TO_LOWER:
        return tolower(c);
    default:
        return toupper(c);
    }
}

// glibc's tables have 384 entries, the one of 0 at 128; the functions return the address of a
// pointer to it.
static uint64_t class_table(Machine *m, Computes what)
{
    bool classes = what == COMPUTES_CLASS_TABLE;
    uint32_t size = classes ? 2 : 4;
    uint64_t table = wit_block_new(m, BLOCK_LIBRARY, 384 * size, 16),
             place = wit_block_new(m, BLOCK_LIBRARY, 8, 16), middle = table + 128 * size;
    for (int i = -128; i < 256 && !m->ended; i++) {
        int c = i < -1 ? i + 256 : i;
        uint32_t word = 0;
        if (classes) {
            if (c >= 0)
                for (int k = COMPUTES_IS_ALNUM; k <= COMPUTES_IS_HEX; k++)
                    word |= (uint32_t)char_class((Computes)k, c);
        } else {
            word = (uint32_t)(c < 0 ? c : char_class(what == COMPUTES_LOWER_TABLE ? COMPUTES_TO_LOWER : COMPUTES_TO_UPPER, c));
        }
        wit_write(m, table + (uint64_t)(i + 128) * size, &word, size);
    }
    if (!m->ended) wit_write(m, place, &middle, 8);
    return place;
}

// The text of a number is copied to where the C library can read it; how far it read is the same.
static Value number(Machine *m, Computes what, uint64_t s, uint64_t end_at, int base)
{
    Chars text = {0};
    Value out = wit_word(0);
    if (wit_text(m, s, 4096, &text)) {
        vec_push(&text, 0);
        char *end;
        if (what == COMPUTES_NUMBER_FLOAT || what == COMPUTES_NUMBER_DOUBLE)
            out = wit_of_double(strtod(text.at, &end), 8);
        else if (what == COMPUTES_NUMBER_UNSIGNED)
            out = wit_word(strtoull(text.at, &end, base));
        else
            out = wit_word((uint64_t)strtoll(text.at, &end, base));
        uint64_t stopped = s + (uint64_t)(end - text.at);
        if (end_at) wit_write(m, end_at, &stopped, 8);
    }
    vec_free(&text);
    return out;
}

static bool float_function(Computes what, const Arg *args, uint32_t n, Value *out)
{
    if (!n || mtype_class(args[0].type) != MT_FLOAT) return false;
    uint32_t bytes = mtype_bytes(args[0].type);
    if (bytes != 4 && bytes != 8) return false;
    double a = wit_double(args[0].value, bytes), b = n > 1 ? wit_double(args[1].value, bytes) : 0;
    bool f = bytes == 4;
    double r = what == COMPUTES_F_ABS     ? fabs(a)
               : what == COMPUTES_F_ROOT  ? f ? sqrtf((float)a) : sqrt(a)
               : what == COMPUTES_F_FLOOR ? floor(a)
               : what == COMPUTES_F_CEIL  ? ceil(a)
               : what == COMPUTES_F_POWER ? f ? powf((float)a, (float)b) : pow(a, b)
                                          : fmod(a, b);
    *out = wit_of_double(r, bytes);
    return true;
}

static bool append(Machine *m, uint64_t to, uint64_t from, uint64_t most)
{
    uint64_t at = to + length(m, to, UINT64_MAX), n = length(m, from, most);
    uint8_t zero = 0;
    return !m->ended && wit_copy(m, at, from, n) && wit_write(m, at + n, &zero, 1);
}

// Bytes, and texts read as numbers.
static bool compute_bytes(Machine *m, Computes what, uint64_t a, uint64_t b, uint64_t c, Value *out)
{
    switch (what) {
    case COMPUTES_BYTES_COPY:
    case COMPUTES_BYTES_COPY_END:
        wit_copy(m, a, b, c);
        *out = wit_word(what == COMPUTES_BYTES_COPY ? a : a + c);
        return true;
    case COMPUTES_BYTES_FILL:
        wit_fill(m, a, (uint8_t)b, c);
        *out = wit_word(a);
        return true;
    case COMPUTES_BYTES_CLEAR:
        wit_fill(m, a, 0, b);
        return true;
    case COMPUTES_BYTES_COMPARE:
        *out = wit_word((uint64_t)compare(m, a, b, c, false, false));
        return true;
    case COMPUTES_BYTES_FIND:
        *out = wit_word(find(m, a, (uint8_t)b, c, false, false, false));
        return true;
    case COMPUTES_CLASS_TABLE:
    case COMPUTES_LOWER_TABLE:
    case COMPUTES_UPPER_TABLE:
        *out = wit_word(class_table(m, what));
        return true;
    case COMPUTES_NUMBER_SIGNED:
    case COMPUTES_NUMBER_UNSIGNED:
        if ((int)c < 0 || (int)c == 1 || (int)c > 36) return false;
        *out = number(m, what, a, b, (int)c);
        return true;
    case COMPUTES_NUMBER_FLOAT:
        *out = number(m, what, a, b, 0);
        return true;
    case COMPUTES_NUMBER_INT:
    case COMPUTES_NUMBER_LONG:
    case COMPUTES_NUMBER_DOUBLE:
        *out = number(m, what, a, 0, 10);
        return true;
    default:
        return false;
    }
}

bool wit_compute_text(Machine *m, Computes what, const Arg *args, uint32_t n, Value *out)
{
    uint64_t x[4] = {0};
    for (uint32_t i = 0; i < n && i < 4; i++) x[i] = args[i].value.lo;
    uint64_t a = x[0], b = x[1], c = x[2];
    uint64_t all = UINT64_MAX;
    switch (what) {
    case COMPUTES_TEXT_LENGTH:
        *out = wit_word(length(m, a, all));
        return true;
    case COMPUTES_TEXT_LENGTH_MAX:
        *out = wit_word(length(m, a, b));
        return true;
    case COMPUTES_TEXT_COMPARE:
        *out = wit_word((uint64_t)compare(m, a, b, all, false, true));
        return true;
    case COMPUTES_TEXT_COMPARE_MAX:
        *out = wit_word((uint64_t)compare(m, a, b, c, false, true));
        return true;
    case COMPUTES_TEXT_COMPARE_CASE:
        *out = wit_word((uint64_t)compare(m, a, b, all, true, true));
        return true;
    case COMPUTES_TEXT_COMPARE_CASE_MAX:
        *out = wit_word((uint64_t)compare(m, a, b, c, true, true));
        return true;
    case COMPUTES_TEXT_COPY:
    case COMPUTES_TEXT_COPY_END: {
        uint64_t len = length(m, b, all);
        if (!m->ended) wit_copy(m, a, b, len + 1);
        *out = wit_word(what == COMPUTES_TEXT_COPY ? a : a + len);
        return true;
    }
    case COMPUTES_TEXT_COPY_MAX: {
        uint64_t len = length(m, b, c);
        if (!m->ended && wit_copy(m, a, b, len)) wit_fill(m, a + len, 0, c - len);
        *out = wit_word(a);
        return true;
    }
    case COMPUTES_TEXT_COPY_SAFE: {
        uint64_t len = length(m, b, all), most = c ? c - 1 : 0, part = len < most ? len : most;
        if (!m->ended && c && wit_copy(m, a, b, part)) wit_fill(m, a + part, 0, 1);
        *out = wit_word(len);
        return true;
    }
    case COMPUTES_TEXT_APPEND:
        append(m, a, b, all);
        *out = wit_word(a);
        return true;
    case COMPUTES_TEXT_APPEND_MAX:
        append(m, a, b, c);
        *out = wit_word(a);
        return true;
    case COMPUTES_TEXT_FIND:
        *out = wit_word(find(m, a, (uint8_t)b, all, true, false, false));
        return true;
    case COMPUTES_TEXT_FIND_LAST:
        *out = wit_word(find(m, a, (uint8_t)b, all, true, true, false));
        return true;
    case COMPUTES_TEXT_FIND_END:
        *out = wit_word(find(m, a, (uint8_t)b, all, true, false, true));
        return true;
    case COMPUTES_TEXT_SEARCH:
        *out = wit_word(search(m, a, b));
        return true;
    case COMPUTES_TEXT_SPAN:
        *out = wit_word(span(m, a, b, true));
        return true;
    case COMPUTES_TEXT_SPAN_NOT:
        *out = wit_word(span(m, a, b, false));
        return true;
    case COMPUTES_TEXT_ANY: {
        uint64_t at = a + span(m, a, b, false);
        uint8_t found = 0;
        if (!m->ended) byte_at(m, at, &found);
        *out = wit_word(found ? at : 0);
        return true;
    }
    case COMPUTES_TEXT_TOKEN:
        *out = wit_word(token(m, a, b, &m->token_next));
        return true;
    case COMPUTES_TEXT_TOKEN_AT: {
        uint64_t at = 0;
        if (!a && !wit_read(m, c, &at, 8)) return true;
        *out = wit_word(token(m, a, b, &at));
        if (!m->ended) wit_write(m, c, &at, 8);
        return true;
    }
    case COMPUTES_TEXT_DUPLICATE:
        *out = wit_word(duplicate(m, a, all));
        return true;
    case COMPUTES_TEXT_DUPLICATE_MAX:
        *out = wit_word(duplicate(m, a, b));
        return true;
    case COMPUTES_ABSOLUTE: {
        uint32_t bits = n ? mtype_size(args[0].type) : 32;
        S128 s = n ? wit_s(args[0].value, bits) : 0;
        *out = wit_v((U128)(s < 0 ? -s : s), bits);
        return true;
    }
    default:
        if (compute_bytes(m, what, a, b, c, out)) return true;
        break;
    }
    if (what >= COMPUTES_IS_ALNUM && what <= COMPUTES_TO_UPPER) {
        int ch = (int)(uint32_t)a;
        if (ch < -1 || ch > 255) return false;
        *out = wit_word((uint64_t)(int64_t)char_class(what, ch));
        return true;
    }
    if (what >= COMPUTES_F_ABS && what <= COMPUTES_F_REMAINDER)
        return float_function(what, args, n, out);
    return false;
}
