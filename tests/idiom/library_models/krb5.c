// Kerberos: an error number says whether something was made.
typedef struct ctx *krb5_context;
typedef struct principal *krb5_principal;
typedef const struct principal *krb5_const_principal;
int krb5_parse_name(krb5_context c, const char *name, krb5_principal *p);
int krb5_unparse_name(krb5_context c, krb5_const_principal p, char **name);
void krb5_free_principal(krb5_context c, krb5_principal p);
void krb5_free_unparsed_name(krb5_context c, char *name);
const char *krb5_get_error_message(krb5_context c, int code);
void krb5_free_error_message(krb5_context c, const char *message);
void tell(const char *s);

int whole_name(krb5_context c, const char *s)
{
    krb5_principal p; // OK
    int r = krb5_parse_name(c, s, &p);
    if (r) {
        const char *m = krb5_get_error_message(c, r);
        tell(m);
        krb5_free_error_message(c, m);
        return r;
    }
    char *name;
    r = krb5_unparse_name(c, p, &name);
    if (r == 0) {
        tell(name);
        krb5_free_unparsed_name(c, name);
    }
    krb5_free_principal(c, p);
    return r;
}

int no_name(krb5_context c, const char *s)
{
    krb5_principal p;
    int r = krb5_parse_name(c, s, &p); // LEAK p
    if (r)
        return r;
    char *name;
    r = krb5_unparse_name(c, p, &name);
    if (r)
        return r; // LOST p
    tell(name);
    krb5_free_unparsed_name(c, name);
    krb5_free_principal(c, p);
    return 0;
}
