// The page: page.html with its style, its script and the data filled in. The three parts are
// text files, turned into C strings by the Makefile.
//
// The policy lets nothing in but this one style and this one script, each named by its hash; no
// address can be loaded, no form sent, and the script itself cannot turn text into HTML. So even
// a mistake in escaping would not run what the analysed program's text says.
#include "base/sha256.h"
#include "report/html_int.h"

static const char page[] =
#include "page.html.inc"
    ;
static const char style[] =
#include "page.css.inc"
    ;
static const char script[] =
#include "page.js.inc"
    ;

static void hash_source(Out *out, const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char d[33] = {0}; // 32 bytes, and a zero for the last group of three
    sha256_bytes(text, strlen(text), d);
    out_text(out, "'sha256-");
    for (int i = 0; i < 33; i += 3) {
        uint32_t group = (uint32_t)d[i] << 16 | (uint32_t)d[i + 1] << 8 | d[i + 2];
        for (int j = 0; j < (i < 30 ? 4 : 3); j++)
            out_char(out, digits[group >> (18 - 6 * j) & 63]);
    }
    out_text(out, "='");
}

static void policy(Out *out)
{
    out_text(out, "default-src 'none'; script-src ");
    hash_source(out, script);
    out_text(out, "; style-src ");
    hash_source(out, style);
    out_text(out, "; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
                  "trusted-types 'none'");
}

static bool starts(const char *s, const char *mark)
{
    return strncmp(s, mark, strlen(mark)) == 0;
}

void html_page(Out *out, const char *title, const char *summary, const char *data, size_t len)
{
    for (const char *p = page; *p;) {
        size_t plain = strcspn(p, "@");
        out_bytes(out, p, plain);
        p += plain;
        if (!*p) break;
        if (starts(p, "@CSP@"))
            policy(out);
        else if (starts(p, "@TOOL@"))
            out_text(out, "stanch " STANCH_VERSION);
        else if (starts(p, "@TITLE@"))
            out_html(out, title, strlen(title));
        else if (starts(p, "@SUMMARY@"))
            out_html(out, summary, strlen(summary));
        else if (starts(p, "@STYLE@"))
            out_text(out, style);
        else if (starts(p, "@DATA@"))
            out_bytes(out, data, len);
        else if (starts(p, "@SCRIPT@"))
            out_text(out, script);
        else
            die("html_page: unknown mark in page.html at '%.20s'", p);
        p = strchr(p + 1, '@') + 1;
    }
}
