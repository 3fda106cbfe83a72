// Positions in texts, and file: URIs.
#include "lsp/lsp_int.h"

#include "base/file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

// ---- positions ----

size_t text_line(const char *text, size_t n, uint32_t line)
{
    size_t at = 0;
    for (; line > 0 && at < n; line--) {
        at += text_line_length(text, n, at);
        if (at < n && text[at] == '\r') at += at + 1 < n && text[at + 1] == '\n';
        if (at < n) at++;
    }
    return line ? n : at;
}

size_t text_line_length(const char *text, size_t n, size_t start)
{
    size_t end = start;
    while (end < n && text[end] != '\n' && text[end] != '\r') end++;
    return end - start;
}

// Bytes of the character at `s`; 1 for what is not UTF-8. `*wide`: two UTF-16 units.
static size_t character(const char *s, size_t n, bool *wide)
{
    const unsigned char *u = (const unsigned char *)s;
    *wide = false;
    size_t more = u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 1 : u[0] < 0xf0 ? 2 : u[0] < 0xf5 ? 3 : 0;
    if (more >= n) return 1;
    for (size_t i = 1; i <= more; i++)
        if ((u[i] & 0xc0) != 0x80) return 1;
    // Overlong forms, surrogates and what lies beyond Unicode.
    if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
        (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f))
        return 1;
    *wide = more == 3;
    return more + 1;
}

uint32_t text_units(const char *s, size_t n, Units units)
{
    if (units == UNITS_UTF8) return (uint32_t)n;
    uint32_t count = 0;
    bool wide;
    for (size_t i = 0; i < n; i += character(s + i, n - i, &wide)) {
        character(s + i, n - i, &wide);
        count += 1u + wide;
    }
    return count;
}

size_t text_bytes(const char *s, size_t n, uint32_t count, Units units)
{
    if (units == UNITS_UTF8) {
        size_t at = count < n ? count : n; // never into the middle of a character
        while (at > 0 && at < n && ((unsigned char)s[at] & 0xc0) == 0x80) at--;
        return at;
    }
    size_t i = 0;
    while (i < n && count) {
        bool wide;
        size_t len = character(s + i, n - i, &wide);
        if (wide && count == 1) break; // inside a surrogate pair: in front of it
        count -= 1u + wide;
        i += len;
    }
    return i;
}

size_t text_offset(const char *text, size_t n, uint32_t line, uint32_t chr, Units units)
{
    size_t start = text_line(text, n, line);
    return start + text_bytes(text + start, text_line_length(text, n, start), chr, units);
}

// ---- URIs ----

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10 : -1;
}

char *uri_to_path(Arena *a, const char *uri)
{
    if (strncasecmp(uri, "file://", 7) != 0) return NULL;
    uri += 7;
    if (strncasecmp(uri, "localhost/", 10) == 0) uri += 9;
    if (*uri != '/') return NULL; // another machine
    char *path = arena_raw(a, strlen(uri) + 1), *out = path;
    for (; *uri && *uri != '?' && *uri != '#'; uri++) {
        if (*uri != '%') {
            *out++ = *uri;
            continue;
        }
        int high = hex(uri[1]), low = high < 0 ? -1 : hex(uri[2]);
        if (low < 0 || (high == 0 && low == 0)) return NULL;
        *out++ = (char)(high * 16 + low);
        uri += 2;
    }
    *out = 0;
    return path_normal(a, path);
}

char *path_to_uri(Arena *a, const char *path)
{
    char *uri = arena_raw(a, 3 * strlen(path) + 8), *out = uri + 7;
    memcpy(uri, "file://", 7);
    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("/-._~", *path))
            *out++ = *path;
        else
            out += sprintf(out, "%%%02X", (unsigned char)*path);
    *out = 0;
    return uri;
}

// ---- paths ----

char *path_real(Arena *a, const char *path)
{
    char *real = realpath(path, NULL);
    char *kept = arena_strdup(a, real ? real : path);
    free(real);
    return kept;
}

bool path_inside(const char *dir, const char *path)
{
    size_t n = strlen(dir);
    while (n && dir[n - 1] == '/') n--;
    return strncmp(dir, path, n) == 0 && (path[n] == '/' || !path[n]);
}
