// GnuTLS: a datum that a function fills has a block of the library; a length stands behind it. gnutls_free is a variable.
#include <stddef.h>

typedef struct {
    unsigned char *data;
    unsigned int size;
} gnutls_datum_t;
typedef struct gnutls_x509_crt_int *gnutls_x509_crt_t;
int gnutls_x509_crt_init(gnutls_x509_crt_t *cert);
void gnutls_x509_crt_deinit(gnutls_x509_crt_t cert);
int gnutls_x509_crt_import(gnutls_x509_crt_t cert, const gnutls_datum_t *data, int format);
int gnutls_x509_crt_get_dn2(gnutls_x509_crt_t cert, gnutls_datum_t *dn);
extern void (*gnutls_free)(void *);
int show(const unsigned char *text, unsigned n);

int shown(const gnutls_datum_t *bytes)
{
    gnutls_x509_crt_t c; // OK
    if (gnutls_x509_crt_init(&c) < 0)
        return -1;
    gnutls_datum_t dn = {NULL, 0};
    int r = gnutls_x509_crt_import(c, bytes, 0);
    if (r >= 0 && gnutls_x509_crt_get_dn2(c, &dn) == 0) {
        show(dn.data, dn.size);
        gnutls_free(dn.data);
    }
    gnutls_x509_crt_deinit(c);
    return r;
}

int not_a_certificate(const gnutls_datum_t *bytes)
{
    gnutls_x509_crt_t c;
    if (gnutls_x509_crt_init(&c) < 0) // LEAK c
        return -1;
    if (gnutls_x509_crt_import(c, bytes, 0) < 0)
        return -1; // LOST c
    gnutls_x509_crt_deinit(c);
    return 0;
}

int too_long(gnutls_x509_crt_t c)
{
    gnutls_datum_t dn = {NULL, 0};
    if (gnutls_x509_crt_get_dn2(c, &dn) < 0) // LEAK dn
        return -1;
    if (dn.size > 100)
        return -2; // LOST dn
    show(dn.data, dn.size);
    gnutls_free(dn.data);
    return 0;
}
