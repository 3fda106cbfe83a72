// Headers and fixtures for the recipes of ldap.own. No server is asked: the answer to the first request lies in a socket.
#include "run.h"

#include <lber.h>
#include <ldap.h>
#include <openldap.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static const unsigned char reply[] = "\x30\x1a\x02\x01\x01\x64\x15\x04\x03"
                                     "c=x\x30\x0e\x30\x0c\x04\x02"
                                     "cn\x31\x06\x04\x01"
                                     "a\x04\x01"
                                     "b"
                                     "\x30\x0c\x02\x01\x01\x65\x07\x0a\x01\x00\x04\x00\x04\x00";
static inline void drop_ldap(LDAP *l) { ldap_unbind_ext_s(l, NULL, NULL); }
static inline LDAP *directory(void)
{
    int s[2];
    LDAP *l = NULL;
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    (void)OWN(s[1], close);
    write(s[1], reply, sizeof reply - 1);
    ldap_init_fd(s[0], LDAP_PROTO_IPC, "ldapi://", &l);
    int version = 3;
    ldap_set_option(l, LDAP_OPT_PROTOCOL_VERSION, &version);
    return OWN(l, drop_ldap);
}
static inline LDAP *unconnected(void)
{
    LDAP *l = NULL;
    ldap_initialize(&l, "ldapi://%2fnone%2fx");
    return OWN(l, drop_ldap);
}
static LDAP *last;
static inline LDAPMessage *found(void)
{
    LDAPMessage *m = NULL;
    last = directory();
    ldap_search_ext_s(last, "c=x", LDAP_SCOPE_SUBTREE, NULL, NULL, 0, NULL, NULL, NULL, 0, &m);
    return OWN(m, ldap_msgfree);
}
static inline LDAPMessage *entry(void)
{
    LDAPMessage *m = found();
    return ldap_first_entry(last, m);
}
static inline LDAPMessage *done(void)
{
    LDAPMessage *m = NULL;
    last = directory();
    int id;
    ldap_search_ext(last, "c=x", LDAP_SCOPE_SUBTREE, NULL, NULL, 0, NULL, NULL, NULL, 0, &id);
    ldap_result(last, id, 0, NULL, &m);
    ldap_msgfree(m);
    ldap_result(last, id, 0, NULL, &m);
    return OWN(m, ldap_msgfree);
}
static inline void drop_ber(BerElement *b) { ber_free(b, 1); }
static inline void drop_iter(BerElement *b) { ber_free(b, 0); }
static inline BerElement *element(void)
{
    BerElement *b = OWN(ber_alloc_t(LBER_USE_DER), drop_ber);
    ber_printf(b, "{i}", 7);
    return b;
}
static inline struct berval *value(void)
{
    struct berval v = {4, "text"};
    return OWN(ber_bvdup(&v), ber_bvfree);
}
static inline LDAPControl *control(void)
{
    LDAPControl *c;
    ldap_control_create("1.2.3", 0, value(), 1, &c);
    return OWN(c, ldap_control_free);
}
static inline LDAPControl **controls(void)
{
    LDAPControl **c = ldap_controls_dup((LDAPControl *[]){control(), NULL});
    return OWN(c, ldap_controls_free);
}
static inline LDAPURLDesc *url(void)
{
    LDAPURLDesc *u;
    ldap_url_parse("ldap://host/c=x", &u);
    return OWN(u, ldap_free_urldesc);
}
static inline LDAPDN name(void)
{
    LDAPDN d;
    ldap_str2dn("cn=a,c=x", &d, LDAP_DN_FORMAT_LDAPV3);
    return OWN(d, ldap_dnfree);
}
static inline char **values(void)
{
    LDAPMessage *e = entry();
    return OWN(ldap_get_values(last, e, "cn"), ldap_value_free);
}
static inline struct berval **len_values(void)
{
    LDAPMessage *e = entry();
    return OWN(ldap_get_values_len(last, e, "cn"), ldap_value_free_len);
}
