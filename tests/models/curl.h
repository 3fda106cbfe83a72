// Headers and fixtures for the recipes of curl.own. Nothing is fetched from anywhere: transfers read files.
#include "run.h"

#include <curl/curl.h>
#include <curl/mprintf.h>
#include <stdlib.h>
#include <unistd.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_share_setopt
#undef curl_multi_setopt

static inline size_t swallow(char *p, size_t n, size_t m, void *d) { return n * m; }
static inline CURL *easy(void)
{
    CURL *c = OWN(curl_easy_init(), curl_easy_cleanup);
    char url[4200], cwd[4096];
    snprintf(url, sizeof url, "file://%s/in", getcwd(cwd, sizeof cwd));
    curl_easy_setopt(c, CURLOPT_URL, url);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, swallow);
    return c;
}
static inline CURLM *multi(void) { return OWN(curl_multi_init(), curl_multi_cleanup); }
static inline CURLSH *share(void) { return OWN(curl_share_init(), curl_share_cleanup); }
static inline CURLU *url(void)
{
    CURLU *u = OWN(curl_url(), curl_url_cleanup);
    curl_url_set(u, CURLUPART_URL, "http://host/path", 0);
    return u;
}
static inline curl_mime *mime(void) { return OWN(curl_mime_init(easy()), curl_mime_free); }
static inline curl_mimepart *part(void) { return curl_mime_addpart(mime()); }
static inline struct curl_slist *list(void) { return OWN(curl_slist_append(NULL, "text"), curl_slist_free_all); }
static inline void drop_form(struct curl_httppost **first) { curl_formfree(*first); }
static inline struct curl_httppost **form(void)
{
    struct curl_httppost **f = block(sizeof *f), **l = block(sizeof *l);
    return OWN(f, drop_form);
}
