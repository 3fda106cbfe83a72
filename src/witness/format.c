// printf's formats, and variable arguments as a callee takes them.
#include "witness/witness_int.h"

#include <stdio.h>

// The next eight bytes that were passed in a general register or in memory (System V, AMD64).
static bool list_word(Machine *m, uint64_t list, bool vector, uint64_t *out)
{
    uint32_t offsets[2];
    uint64_t places[2];
    if (!wit_read(m, list, offsets, 8) || !wit_read(m, list + 8, places, 16)) return false;
    uint32_t *at = &offsets[vector], end = vector ? 176 : 48;
    if (*at < end) {
        if (!wit_read(m, places[1] + *at, out, 8)) return false;
        *at += vector ? 16 : 8;
        return wit_write(m, list, offsets, 8);
    }
    if (!wit_read(m, places[0], out, 8)) return false;
    places[0] += 8;
    return wit_write(m, list + 8, places, 8);
}

uint64_t wit_next_word(ArgList *l)
{
    uint64_t n = 0;
    if (l->list)
        list_word(l->m, l->list, false, &n);
    else if (l->next < l->count)
        n = l->args[l->next++].value.lo;
    else
        wit_stop(l->m, STOP_FORMAT, "%s", "more conversions than arguments");
    return n;
}

double wit_next_double(ArgList *l, bool wide)
{
    double d = 0;
    uint64_t n = 0;
    if (wide) {
        // On the list it lies in memory, aligned to 16.
        long double x = 0;
        if (l->list) {
            uint64_t at = 0;
            if (wit_read(l->m, l->list + 8, &at, 8)) {
                at = (at + 15) & ~15ull;
                wit_read(l->m, at, &x, 10);
                at += 16;
                if (!l->m->ended) wit_write(l->m, l->list + 8, &at, 8);
            }
        } else if (l->next < l->count) {
            memcpy(&x, &l->args[l->next++].value, 10);
        }
        return (double)x;
    }
    if (l->list) {
        list_word(l->m, l->list, true, &n);
    } else if (l->next < l->count) {
        Arg a = l->args[l->next++];
        if (mtype_class(a.type) == MT_FLOAT) return wit_double(a.value, mtype_bytes(a.type));
        n = a.value.lo;
    } else {
        wit_stop(l->m, STOP_FORMAT, "%s", "more conversions than arguments");
    }
    memcpy(&d, &n, 8);
    return d;
}

typedef struct {
    char flags[8];
    int width, precision; // -1: none
    char length[3];
    char what;
} Conversion;

static bool parse(const char **at, ArgList *l, Conversion *c)
{
    const char *s = *at;
    uint32_t n = 0;
    *c = (Conversion){.width = -1, .precision = -1};
    while (*s && strchr("-+ #0", *s) && n < 6) c->flags[n++] = *s++;
    for (int part = 0; part < 2; part++) {
        int *into = part ? &c->precision : &c->width;
        if (part) {
            if (*s != '.') break;
            s++;
            *into = 0;
        }
        if (*s == '*') {
            s++;
            *into = (int)(uint32_t)wit_next_word(l);
            if (!part && *into < 0) {
                if (n < 7) c->flags[n++] = '-';
                *into = *into > -100000 ? -*into : 0;
            }
            continue;
        }
        for (; *s >= '0' && *s <= '9'; s++) {
            if (*into < 0) *into = 0;
            if (*into < 100000) *into = *into * 10 + (*s - '0');
        }
    }
    n = 0;
    while (*s && strchr("hlLqjzt", *s) && n < 2) c->length[n++] = *s++;
    c->what = *s;
    if (*s) s++;
    *at = s;
    return c->width <= 100000 && c->precision <= 100000;
}

static void put(Chars *into, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) vec_push(into, s[i]);
}

static void put_text(Machine *m, uint64_t s, const Conversion *c, Chars *into)
{
    Chars text = {0};
    if (!s) {
        if (c->precision < 0 || c->precision >= 6) put(&text, "(null)", 6);
    } else {
        wit_text(m, s, c->precision >= 0 ? (uint64_t)c->precision : UINT64_MAX, &text);
    }
    uint32_t pad = c->width > 0 && (uint32_t)c->width > text.len ? (uint32_t)c->width - text.len : 0;
    bool left = strchr(c->flags, '-');
    for (uint32_t i = 0; !left && i < pad; i++) vec_push(into, ' ');
    put(into, text.at ? text.at : "", text.len);
    for (uint32_t i = 0; left && i < pad; i++) vec_push(into, ' ');
    vec_free(&text);
}

static uint64_t sized(uint64_t n, const char *length, bool is_signed)
{
    uint32_t bits = length[0] == 0                         ? 32
                    : length[0] == 'h' && length[1] == 'h' ? 8
                    : length[0] == 'h'                     ? 16
                                                           : 64;
    return is_signed ? (uint64_t)wit_s(wit_word(n), bits) : wit_v(n, bits).lo;
}

static bool convert(Machine *m, ArgList *l, const Conversion *c, Chars *into)
{
    char spec[64], text[512];
    int n = 0;
    if (c->width > 400 || c->precision > 400) {
        if (c->what != 's') return false;
    }
    char width[16] = "", precision[16] = "";
    if (c->width >= 0) snprintf(width, sizeof width, "%d", c->width);
    if (c->precision >= 0) snprintf(precision, sizeof precision, ".%d", c->precision);
    switch (c->what) {
    case 'd':
    case 'i':
        snprintf(spec, sizeof spec, "%%%s%s%slld", c->flags, width, precision);
        n = snprintf(text, sizeof text, spec, (long long)sized(wit_next_word(l), c->length, true));
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        snprintf(spec, sizeof spec, "%%%s%s%sll%c", c->flags, width, precision, c->what);
        n = snprintf(text, sizeof text, spec,
                     (unsigned long long)sized(wit_next_word(l), c->length, false));
        break;
    case 'c':
        if (c->length[0] == 'l') return false;
        snprintf(spec, sizeof spec, "%%%s%sc", c->flags, width);
        n = snprintf(text, sizeof text, spec, (int)(uint8_t)wit_next_word(l));
        break;
    case 'p':
        // Addresses differ from machine to machine; ours are as good as any.
        snprintf(spec, sizeof spec, "%%%s%sp", c->flags, width);
        n = snprintf(text, sizeof text, spec, (void *)(uintptr_t)wit_next_word(l));
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        snprintf(spec, sizeof spec, "%%%s%s%s%c", c->flags, width, precision, c->what);
        n = snprintf(text, sizeof text, spec, wit_next_double(l, c->length[0] == 'L'));
        break;
    case 's':
        if (c->length[0] == 'l') return false;
        put_text(m, wit_next_word(l), c, into);
        return true;
    case '%':
        vec_push(into, '%');
        return true;
    case 'n': {
        uint64_t to = wit_next_word(l);
        uint32_t written = into->len;
        return wit_write(m, to, &written, 4);
    }
    default:
        return false;
    }
    if (n < 0 || (size_t)n >= sizeof text) return false;
    put(into, text, (size_t)n);
    return true;
}

bool wit_format(Machine *m, uint64_t format, ArgList *l, Chars *into)
{
    Chars text = {0};
    bool good = wit_text(m, format, UINT64_MAX, &text);
    if (good) {
        vec_push(&text, 0);
        for (const char *s = text.at; *s && good && !m->ended;) {
            if (*s != '%') {
                vec_push(into, *s++);
                continue;
            }
            Conversion c;
            s++;
            good = parse(&s, l, &c) && convert(m, l, &c, into);
            if (!good) wit_stop(m, STOP_FORMAT, "%%%c", c.what >= ' ' && c.what < 127 ? c.what : '?');
            if (into->len > (1u << 20)) wit_stop(m, STOP_BYTES, "%s", "");
        }
    }
    vec_free(&text);
    return good && !m->ended;
}
