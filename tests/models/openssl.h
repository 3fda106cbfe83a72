// Headers and fixtures for the recipes of openssl.own.
#include "run.h"

#define OPENSSL_SUPPRESS_DEPRECATED
#include <fcntl.h>
#include <openssl/asn1.h>
#include <openssl/asn1t.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cmac.h>
#include <openssl/cms.h>
#include <openssl/conf.h>
#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/dsa.h>
#include <openssl/ec.h>
#include <openssl/engine.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ocsp.h>
#include <openssl/param_build.h>
#include <openssl/kdf.h>
#include <openssl/md5.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/pkcs7.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/store.h>
#include <openssl/ts.h>
#include <openssl/ui.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static EVP_PKEY *the_key;
static X509 *the_cert;
static X509_REQ *the_req;
static X509_CRL *the_crl;

// One key and its certificate, made before all cases.
static inline void at_start(void)
{
    OPENSSL_init_ssl(0, NULL);
    the_key = EVP_RSA_gen(1024);
    the_cert = X509_new();
    X509_set_version(the_cert, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(the_cert), 1);
    X509_gmtime_adj(X509_getm_notBefore(the_cert), 0);
    X509_gmtime_adj(X509_getm_notAfter(the_cert), 86400);
    X509_set_pubkey(the_cert, the_key);
    X509_NAME *n = X509_get_subject_name(the_cert);
    X509_NAME_add_entry_by_txt(n, "CN", MBSTRING_ASC, (unsigned char *)"host", -1, -1, 0);
    X509_set_issuer_name(the_cert, n);
    X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, NULL, NID_basic_constraints, "critical,CA:TRUE");
    X509_add_ext(the_cert, e, -1);
    X509_EXTENSION_free(e);
    X509_sign(the_cert, the_key, EVP_sha256());
    the_req = X509_to_X509_REQ(the_cert, the_key, EVP_sha256());
    the_crl = X509_CRL_new();
    X509_CRL_set_issuer_name(the_crl, n);
    X509_CRL_set1_lastUpdate(the_crl, X509_get0_notBefore(the_cert));
    X509_CRL_set1_nextUpdate(the_crl, X509_get0_notAfter(the_cert));
    X509_CRL_sign(the_crl, the_key, EVP_sha256());
    FILE *f = fopen("cert.pem", "w");
    PEM_write_X509(f, the_cert);
    fclose(f);
    f = fopen("key.pem", "w");
    PEM_write_PrivateKey(f, the_key, NULL, NULL, 0, NULL, NULL);
    fclose(f);
    f = fopen("conf.cnf", "w");
    fputs("[s]\na = text\nn = 7\n", f);
    fclose(f);
    ERR_clear_error();
}
#define WARM_UP at_start()

static inline EVP_PKEY *key(void) { return OWN(EVP_PKEY_dup(the_key), EVP_PKEY_free); }
static inline X509 *cert(void) { return OWN(X509_dup(the_cert), X509_free); }
static inline X509_REQ *req(void) { return OWN(X509_REQ_dup(the_req), X509_REQ_free); }
static inline X509_CRL *crl(void) { return OWN(X509_CRL_dup(the_crl), X509_CRL_free); }
static inline X509_NAME *xname(void) { return OWN(X509_NAME_dup(X509_get_subject_name(the_cert)), X509_NAME_free); }
static inline X509_EXTENSION *extension(void) { return OWN(X509_EXTENSION_dup(X509_get_ext(the_cert, 0)), X509_EXTENSION_free); }
static inline RSA *rsa(void)
{
    EVP_PKEY *k = EVP_PKEY_dup(the_key);
    RSA *r = EVP_PKEY_get1_RSA(k);
    EVP_PKEY_free(k);
    return OWN(r, RSA_free);
}
static inline EVP_PKEY *key_of(int nid)
{
    EVP_PKEY *k = EVP_PKEY_new();
    if (nid == EVP_PKEY_EC) {
        EC_KEY *e = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
        EC_KEY_generate_key(e);
        EVP_PKEY_assign_EC_KEY(k, e);
    }
    return OWN(k, EVP_PKEY_free);
}
static inline EVP_MD *digest(void) { return OWN(EVP_MD_fetch(NULL, "SHA256", NULL), EVP_MD_free); }
static inline EVP_CIPHER *cipher(void) { return OWN(EVP_CIPHER_fetch(NULL, "AES-128-CBC", NULL), EVP_CIPHER_free); }
static inline SSL *ssl_with_bios(void)
{
    SSL *s = OWN(SSL_new(OWN(SSL_CTX_new(TLS_method()), SSL_CTX_free)), SSL_free);
    SSL_set_bio(s, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    return s;
}
static inline BIGNUM *bn(unsigned long w)
{
    BIGNUM *b = OWN(BN_new(), BN_free);
    BN_set_word(b, w);
    return b;
}
static inline BN_CTX *bnctx(void) { return OWN(BN_CTX_new(), BN_CTX_free); }
static inline BIO *bio(void)
{
    BIO *b = OWN(BIO_new(BIO_s_mem()), BIO_free);
    BIO_puts(b, "text\n");
    return b;
}
static inline BIO *empty(void) { return OWN(BIO_new(BIO_s_mem()), BIO_free); }
static inline BIO *pem_cert(void) { return OWN(BIO_new_file("cert.pem", "r"), BIO_free); }
static inline BIO *pem_key(void) { return OWN(BIO_new_file("key.pem", "r"), BIO_free); }
static inline FILE *file_of(const char *p) { return OWN(fopen(p, "r"), fclose); }
static inline FILE *writer(void) { return OWN(fopen("out", "w"), fclose); }
static inline EVP_MD_CTX *mdctx(void)
{
    EVP_MD_CTX *c = OWN(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_DigestInit_ex(c, EVP_sha256(), NULL);
    return c;
}
static inline EVP_CIPHER_CTX *cctx(void)
{
    EVP_CIPHER_CTX *c = OWN(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    EVP_EncryptInit_ex(c, EVP_aes_128_cbc(), NULL, (unsigned char *)"0123456789abcdef", (unsigned char *)"0123456789abcdef");
    return c;
}
static inline EVP_PKEY_CTX *pctx(void) { return OWN(EVP_PKEY_CTX_new(key(), NULL), EVP_PKEY_CTX_free); }
static inline SSL_CTX *sslctx(void) { return OWN(SSL_CTX_new(TLS_method()), SSL_CTX_free); }
static inline SSL *ssl(void) { return OWN(SSL_new(sslctx()), SSL_free); }
static inline SSL_SESSION *session(void) { return OWN(SSL_SESSION_new(), SSL_SESSION_free); }
static inline X509_STORE *store(void) { return OWN(X509_STORE_new(), X509_STORE_free); }
static inline X509_STORE_CTX *storectx(void)
{
    X509_STORE_CTX *c = OWN(X509_STORE_CTX_new(), X509_STORE_CTX_free);
    X509_STORE_CTX_init(c, store(), cert(), NULL);
    return c;
}
static inline X509_VERIFY_PARAM *vparam(void) { return OWN(X509_VERIFY_PARAM_new(), X509_VERIFY_PARAM_free); }
static inline ASN1_INTEGER *integer(void)
{
    ASN1_INTEGER *a = OWN(ASN1_INTEGER_new(), ASN1_INTEGER_free);
    ASN1_INTEGER_set(a, 7);
    return a;
}
static inline ASN1_STRING *string(void)
{
    ASN1_STRING *a = OWN(ASN1_STRING_new(), ASN1_STRING_free);
    ASN1_STRING_set(a, "text", 4);
    return a;
}
static inline ASN1_TIME *time_of(void) { return OWN(ASN1_TIME_set(NULL, 1600000000), ASN1_TIME_free); }
static inline ASN1_OBJECT *object(void) { return OWN(OBJ_txt2obj("1.2.3.4", 1), ASN1_OBJECT_free); }
static inline EC_KEY *eckey(void)
{
    EC_KEY *k = OWN(EC_KEY_new_by_curve_name(NID_X9_62_prime256v1), EC_KEY_free);
    EC_KEY_generate_key(k);
    return k;
}
static inline EC_GROUP *group(void) { return OWN(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), EC_GROUP_free); }
static inline EC_POINT *point(void) { return OWN(EC_POINT_new(group()), EC_POINT_free); }
static inline DH *dh(void) { return OWN(DH_get_2048_256(), DH_free); }
static inline HMAC_CTX *hmac(void)
{
    HMAC_CTX *h = OWN(HMAC_CTX_new(), HMAC_CTX_free);
    HMAC_Init_ex(h, "key", 3, EVP_sha256(), NULL);
    return h;
}
static inline OPENSSL_STACK *stack(void)
{
    OPENSSL_STACK *s = OWN(OPENSSL_sk_new_null(), OPENSSL_sk_free);
    OPENSSL_sk_push(s, "a");
    return s;
}
static inline void omem_free(void *p) { OPENSSL_free(p); }
static inline void *omem(size_t n) { return mine(OPENSSL_malloc(n), omem_free); }
// The text form of an object, and a pointer that moves on in it.
static int der_size;
static inline const unsigned char **der_(unsigned char *p, int n)
{
    const unsigned char **at = block(sizeof *at);
    mine(p, omem_free);
    *at = p;
    der_size = n;
    return at;
}
#define DER(type, object) ({ unsigned char *p_ = NULL; int n_ = i2d_##type(object, &p_); der_(p_, n_); })
#define WRONG_DER ({ const unsigned char **at_ = block(8); *at_ = (unsigned char *)S("\xff"); der_size = 1; at_; })
static inline void cert_stack_free(void *s) { OSSL_STACK_OF_X509_free((STACK_OF(X509) *)s); }
static inline int no_print(const char *s, size_t n, void *u) { return 1; }
static inline int pass_cb(char *buf, int n, int rw, void *u) { return 0; }
static inline void handler(void) {}
static inline CONF *conf(void)
{
    CONF *c = OWN(NCONF_new(NULL), NCONF_free);
    NCONF_load(c, "conf.cnf", NULL);
    return c;
}
static inline X509 *mail_cert(void)
{
    X509 *c = cert();
    X509_NAME_add_entry_by_txt(X509_get_subject_name(c), "emailAddress", MBSTRING_ASC, (unsigned char *)"a@b", -1, -1, 0);
    return c;
}
static inline void email_free(void *s) { X509_email_free(s); }
static inline void chain_free(void *s) { sk_X509_pop_free((STACK_OF(X509) *)s, X509_free); }
static inline X509_STORE_CTX *verified(void)
{
    X509_STORE *s = store();
    X509_STORE_add_cert(s, the_cert);
    X509_STORE_CTX *c = OWN(X509_STORE_CTX_new(), X509_STORE_CTX_free);
    X509_STORE_CTX_init(c, s, cert(), NULL);
    X509_verify_cert(c);
    return c;
}
