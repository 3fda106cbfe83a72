// Headers and fixtures for the recipes of krb5.own.
#include "run.h"

#include <krb5.h>
#include <stdlib.h>

static krb5_context here; // each fixture is of the newest context
static inline krb5_context context(void)
{
    setenv("KRB5_CONFIG", "/dev/null", 1);
    krb5_init_context(&here);
    krb5_set_default_realm(here, "TEXT.ORG");
    return OWN(here, krb5_free_context);
}
#define ENDED(NAME, TYPE, CALL)                                                                    \
    static inline void NAME(TYPE x) { CALL(here, x); }
ENDED(end_principal, krb5_principal, krb5_free_principal)
ENDED(end_cache, krb5_ccache, krb5_cc_destroy)
ENDED(close_cache, krb5_ccache, krb5_cc_close)
ENDED(end_keytab, krb5_keytab, krb5_kt_close)
ENDED(end_name, char *, krb5_free_unparsed_name)
ENDED(end_message, const char *, krb5_free_error_message)
ENDED(end_auth, krb5_auth_context, krb5_auth_con_free)
ENDED(end_ticket, krb5_ticket *, krb5_free_ticket)
ENDED(end_creds, krb5_creds *, krb5_free_creds)
ENDED(end_key, krb5_keyblock *, krb5_free_keyblock)
ENDED(end_data, krb5_data *, krb5_free_data)
ENDED(end_opt, krb5_get_init_creds_opt *, krb5_get_init_creds_opt_free)
ENDED(end_enctypes, krb5_enctype *, krb5_free_enctypes)
static inline void end_cursor(krb5_cccol_cursor c) { krb5_cccol_cursor_free(here, &c); }
static inline krb5_principal principal(void)
{
    krb5_principal p = NULL;
    krb5_parse_name(here, "host/text@TEXT.ORG", &p);
    return OWN(p, end_principal);
}
static inline krb5_ccache cache(void)
{
    krb5_ccache c = NULL;
    krb5_cc_new_unique(here, "MEMORY", NULL, &c);
    krb5_cc_initialize(here, c, principal());
    return OWN(c, end_cache);
}
static inline krb5_keytab keytab(void)
{
    krb5_keytab k = NULL;
    krb5_kt_resolve(here, "MEMORY:x", &k);
    return OWN(k, end_keytab);
}
static inline krb5_auth_context auth(void)
{
    krb5_auth_context a = NULL;
    krb5_auth_con_init(here, &a);
    return OWN(a, end_auth);
}
static inline krb5_keyblock *key(void)
{
    krb5_keyblock *k = NULL;
    krb5_init_keyblock(here, ENCTYPE_AES128_CTS_HMAC_SHA1_96, 16, &k);
    return OWN(k, end_key);
}
static inline krb5_data *data(void)
{
    krb5_data *d = NULL, from = {.length = 4, .data = "text"};
    krb5_copy_data(here, &from, &d);
    return OWN(d, end_data);
}
static inline krb5_creds *creds(void)
{
    krb5_creds from, *c = NULL;
    memset(&from, 0, sizeof from);
    from.client = principal();
    from.server = principal();
    krb5_copy_creds(here, &from, &c);
    return OWN(c, end_creds);
}
static inline krb5_get_init_creds_opt *opt(void)
{
    krb5_get_init_creds_opt *o = NULL;
    krb5_get_init_creds_opt_alloc(here, &o);
    return OWN(o, end_opt);
}
static inline krb5_enctype *enctypes(void)
{
    krb5_enctype *e = NULL;
    krb5_get_permitted_enctypes(here, &e);
    return OWN(e, end_enctypes);
}
static inline char *name(void)
{
    char *s = NULL;
    krb5_unparse_name(here, principal(), &s);
    return OWN(s, end_name);
}
