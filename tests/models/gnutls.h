// Headers and fixtures for the recipes of gnutls.own.
#include "run.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/dtls.h>
#include <gnutls/gnutls.h>
#include <gnutls/ocsp.h>
#include <gnutls/pkcs12.h>
#include <gnutls/pkcs7.h>
#include <gnutls/x509-ext.h>
#include <gnutls/x509.h>
#include <stdlib.h>

#define MADE(TYPE, NAME, MAKE, END)                                                                \
    static inline TYPE NAME(void)                                                                  \
    {                                                                                              \
        TYPE x = NULL;                                                                             \
        MAKE;                                                                                      \
        return OWN(x, END);                                                                        \
    }
static inline void end_hash(gnutls_hash_hd_t h) { gnutls_hash_deinit(h, NULL); }
static inline void end_hmac(gnutls_hmac_hd_t h) { gnutls_hmac_deinit(h, NULL); }
static inline void end_trust(gnutls_x509_trust_list_t l) { gnutls_x509_trust_list_deinit(l, 1); }
static inline void end_memory(void *p) { gnutls_free(p); }
static inline gnutls_datum_t *datum(const char *s)
{
    gnutls_datum_t *d = block(sizeof *d);
    d->data = (unsigned char *)S(s);
    d->size = (unsigned)strlen(s);
    return d;
}
static inline gnutls_datum_t *bytes(unsigned n)
{
    gnutls_datum_t *d = block(sizeof *d);
    d->data = block(n);
    d->size = n;
    return d;
}
MADE(gnutls_session_t, session, gnutls_init(&x, GNUTLS_CLIENT); gnutls_set_default_priority(x), gnutls_deinit)
MADE(gnutls_priority_t, priority, gnutls_priority_init(&x, "NORMAL", NULL), gnutls_priority_deinit)
MADE(gnutls_anon_server_credentials_t, anon_server, gnutls_anon_allocate_server_credentials(&x), gnutls_anon_free_server_credentials)
MADE(gnutls_anon_client_credentials_t, anon_client, gnutls_anon_allocate_client_credentials(&x), gnutls_anon_free_client_credentials)
MADE(gnutls_psk_server_credentials_t, psk_server, gnutls_psk_allocate_server_credentials(&x), gnutls_psk_free_server_credentials)
MADE(gnutls_psk_client_credentials_t, psk_client, gnutls_psk_allocate_client_credentials(&x), gnutls_psk_free_client_credentials)
MADE(gnutls_srp_server_credentials_t, srp_server, gnutls_srp_allocate_server_credentials(&x), gnutls_srp_free_server_credentials)
MADE(gnutls_srp_client_credentials_t, srp_client, gnutls_srp_allocate_client_credentials(&x), gnutls_srp_free_client_credentials)
MADE(gnutls_dh_params_t, dh, gnutls_dh_params_init(&x); gnutls_dh_params_generate2(x, 512), gnutls_dh_params_deinit)
MADE(gnutls_x509_privkey_t, key, gnutls_x509_privkey_init(&x); gnutls_x509_privkey_generate(x, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0), gnutls_x509_privkey_deinit)
MADE(gnutls_x509_privkey_t, empty_key, gnutls_x509_privkey_init(&x), gnutls_x509_privkey_deinit)
MADE(gnutls_privkey_t, empty_privkey, gnutls_privkey_init(&x), gnutls_privkey_deinit)
MADE(gnutls_pubkey_t, empty_pubkey, gnutls_pubkey_init(&x), gnutls_pubkey_deinit)
MADE(gnutls_x509_crt_t, empty_crt, gnutls_x509_crt_init(&x), gnutls_x509_crt_deinit)
MADE(gnutls_x509_crl_t, crl, gnutls_x509_crl_init(&x), gnutls_x509_crl_deinit)
MADE(gnutls_x509_crq_t, empty_crq, gnutls_x509_crq_init(&x), gnutls_x509_crq_deinit)
MADE(gnutls_x509_trust_list_t, trust, gnutls_x509_trust_list_init(&x, 0), end_trust)
MADE(gnutls_pkcs7_t, p7, gnutls_pkcs7_init(&x), gnutls_pkcs7_deinit)
MADE(gnutls_pkcs12_t, p12, gnutls_pkcs12_init(&x), gnutls_pkcs12_deinit)
MADE(gnutls_pkcs12_bag_t, bag, gnutls_pkcs12_bag_init(&x), gnutls_pkcs12_bag_deinit)
MADE(gnutls_ocsp_req_t, ocsp_req, gnutls_ocsp_req_init(&x), gnutls_ocsp_req_deinit)
MADE(gnutls_ocsp_resp_t, ocsp_resp, gnutls_ocsp_resp_init(&x), gnutls_ocsp_resp_deinit)
MADE(gnutls_tdb_t, tdb, gnutls_tdb_init(&x), gnutls_tdb_deinit)
MADE(gnutls_hash_hd_t, hash, gnutls_hash_init(&x, GNUTLS_DIG_SHA256), end_hash)
MADE(gnutls_hmac_hd_t, hmac, gnutls_hmac_init(&x, GNUTLS_MAC_SHA256, "key", 3), end_hmac)
MADE(gnutls_cipher_hd_t, cipher, gnutls_cipher_init(&x, GNUTLS_CIPHER_AES_128_CBC, bytes(16), bytes(16)), gnutls_cipher_deinit)
MADE(gnutls_aead_cipher_hd_t, aead, gnutls_aead_cipher_init(&x, GNUTLS_CIPHER_AES_128_GCM, bytes(16)), gnutls_aead_cipher_deinit)
static inline gnutls_x509_crt_t crt(void)
{
    gnutls_x509_crt_t x = empty_crt();
    gnutls_x509_privkey_t k = key();
    gnutls_x509_crt_set_version(x, 3);
    gnutls_x509_crt_set_serial(x, "\1", 1);
    gnutls_x509_crt_set_activation_time(x, 1000000000);
    gnutls_x509_crt_set_expiration_time(x, 2000000000);
    gnutls_x509_crt_set_dn_by_oid(x, GNUTLS_OID_X520_COMMON_NAME, 0, "text", 4);
    gnutls_x509_crt_set_key(x, k);
    gnutls_x509_crt_sign2(x, x, k, GNUTLS_DIG_SHA256, 0);
    return x;
}
static inline gnutls_datum_t *crt_bytes(void)
{
    gnutls_datum_t *d = block(sizeof *d);
    gnutls_x509_crt_export2(crt(), GNUTLS_X509_FMT_PEM, d);
    OWN(d->data, end_memory);
    return d;
}
static inline gnutls_x509_crt_t *crts(void)
{
    gnutls_x509_crt_t *a = block(sizeof *a);
    *a = crt();
    return a;
}
static inline gnutls_x509_crq_t crq(void)
{
    gnutls_x509_crq_t x = empty_crq();
    gnutls_x509_privkey_t k = key();
    gnutls_x509_crq_set_version(x, 1);
    gnutls_x509_crq_set_dn_by_oid(x, GNUTLS_OID_X520_COMMON_NAME, 0, "text", 4);
    gnutls_x509_crq_set_key(x, k);
    gnutls_x509_crq_sign2(x, k, GNUTLS_DIG_SHA256, 0);
    return x;
}
static inline gnutls_x509_dn_t dn(void)
{
    gnutls_x509_dn_t x;
    gnutls_x509_dn_init(&x);
    gnutls_datum_t d;
    gnutls_x509_crt_get_raw_dn(crt(), &d);
    gnutls_x509_dn_import(x, &d);
    gnutls_free(d.data);
    return OWN(x, gnutls_x509_dn_deinit);
}
static inline gnutls_datum_t *raw_dn(void)
{
    gnutls_datum_t *d = block(sizeof *d);
    gnutls_x509_crt_get_raw_dn(crt(), d);
    OWN(d->data, end_memory);
    return d;
}
static inline gnutls_privkey_t privkey(void)
{
    gnutls_privkey_t x = empty_privkey();
    gnutls_privkey_generate(x, GNUTLS_PK_RSA, 1024, 0);
    return x;
}
static inline gnutls_pubkey_t pubkey(void)
{
    gnutls_pubkey_t x = empty_pubkey();
    gnutls_pubkey_import_privkey(x, privkey(), 0, 0);
    return x;
}
static inline gnutls_datum_t *secret(gnutls_privkey_t k)
{
    gnutls_pubkey_t x = empty_pubkey();
    gnutls_pubkey_import_privkey(x, k, 0, 0);
    gnutls_datum_t *d = block(sizeof *d);
    gnutls_pubkey_encrypt_data(x, 0, datum("text"), d);
    OWN(d->data, end_memory);
    return d;
}
static inline gnutls_certificate_credentials_t empty_cred(void)
{
    gnutls_certificate_credentials_t x;
    gnutls_certificate_allocate_credentials(&x);
    return OWN(x, gnutls_certificate_free_credentials);
}
static inline gnutls_certificate_credentials_t cred(void)
{
    gnutls_certificate_credentials_t x = empty_cred();
    gnutls_x509_crt_t c = empty_crt();
    gnutls_x509_privkey_t k = key();
    gnutls_x509_crt_set_version(c, 3);
    gnutls_x509_crt_set_serial(c, "\1", 1);
    gnutls_x509_crt_set_activation_time(c, 1000000000);
    gnutls_x509_crt_set_expiration_time(c, 2000000000);
    gnutls_x509_crt_set_key(c, k);
    gnutls_x509_crt_sign2(c, c, k, GNUTLS_DIG_SHA256, 0);
    gnutls_certificate_set_x509_key(x, &c, 1, k);
    return x;
}
