// Library destructors that release their members, also through wrappers of the program's.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

typedef struct bignum_st BIGNUM;
typedef struct rsa_st RSA;
typedef struct dsa_st DSA;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct x509_st X509;
RSA *RSA_new(void);
void RSA_free(RSA *);
int RSA_set0_key(RSA *, BIGNUM *, BIGNUM *, BIGNUM *);
DSA *DSA_new(void);
void DSA_free(DSA *);
BIGNUM *BN_new(void);
void BN_free(BIGNUM *);
BIGNUM *BN_bin2bn(const unsigned char *, int, BIGNUM *);
int BN_hex2bn(BIGNUM **, const char *);
int BN_num_bits(const BIGNUM *);
int i2d_X509(const X509 *, unsigned char **);
int i2d_PUBKEY(const EVP_PKEY *, unsigned char **);
EVP_PKEY *EVP_PKEY_new(void);
void EVP_PKEY_free(EVP_PKEY *);
int EVP_PKEY_assign(EVP_PKEY *, int, void *);
void *CRYPTO_malloc(size_t, const char *, int);
void CRYPTO_free(void *, const char *, int);
#define OPENSSL_malloc(n) CRYPTO_malloc(n, __FILE__, __LINE__)
#define OPENSSL_free(p) CRYPTO_free(p, __FILE__, __LINE__)
#define EVP_PKEY_assign_RSA(k, r) EVP_PKEY_assign(k, 6, r)

void fatal(const char *, ...) __attribute__((noreturn));

enum { KEY_RSA, KEY_DSA };
struct key {
    int type;
    RSA *rsa;
    DSA *dsa;
};

struct key *key_new(int type)
{
    struct key *k = calloc(1, sizeof *k);
    if (k == NULL) fatal("key_new");
    k->type = type;
    switch (type) {
    case KEY_RSA:
        if ((k->rsa = RSA_new()) == NULL) fatal("RSA_new");
        break;
    case KEY_DSA:
        if ((k->dsa = DSA_new()) == NULL) fatal("DSA_new");
        break;
    default:
        fatal("bad type");
    }
    return k;
}

void key_free(struct key *k)
{
    if (k == NULL) return;
    switch (k->type) {
    case KEY_RSA:
        if (k->rsa != NULL) RSA_free(k->rsa);
        k->rsa = NULL;
        break;
    case KEY_DSA:
        if (k->dsa != NULL) DSA_free(k->dsa);
        k->dsa = NULL;
        break;
    }
    free(k);
}

int read_rsa(const unsigned char *b, int len, int bad)
{
    struct key *k = key_new(KEY_RSA);
    BIGNUM *n = BN_bin2bn(b, len, NULL), *e = BN_bin2bn(b, len, NULL); // OK
    if (n == NULL || e == NULL) {
        BN_free(n);
        BN_free(e);
        key_free(k);
        return -1;
    }
    if (!RSA_set0_key(k->rsa, n, e, NULL)) {
        BN_free(n);
        BN_free(e);
        key_free(k);
        return -1;
    }
    if (bad) {
        key_free(k);
        return -1;
    }
    key_free(k);
    return 0;
}

int bin_into(const unsigned char *b, int len)
{
    BIGNUM *n = BN_new(); // OK
    if (n == NULL) return -1;
    if (BN_bin2bn(b, len, n) == NULL) {
        BN_free(n);
        return -1;
    }
    int r = BN_num_bits(n);
    BN_free(n);
    return r;
}

BIGNUM *bin_again(const unsigned char *b, int len)
{
    BIGNUM *n = BN_new(); // OK
    if (n == NULL) return NULL;
    BIGNUM *r = BN_bin2bn(b, len, n);
    if (r == NULL) BN_free(n);
    return r;
}

int hex(const char *s)
{
    BIGNUM *n = NULL;
    if (!BN_hex2bn(&n, s)) return -1;
    int r = BN_num_bits(n);
    BN_free(n);
    return r;
}

int lost_number(const unsigned char *b, int len)
{
    BIGNUM *n = BN_bin2bn(b, len, NULL); // LEAK number
    if (n == NULL) return -1;
    return BN_num_bits(n); // LOST number
}

int der(X509 *x, unsigned char **out)
{
    unsigned char *p = NULL;
    int n = i2d_X509(x, &p); // OK
    if (n < 0) return -1;
    *out = p;
    return n;
}

int der_into(X509 *x, unsigned char *buf)
{
    unsigned char *p = buf;
    return i2d_X509(x, &p);
}

int der_twice(X509 *x)
{
    int len = i2d_X509(x, NULL);
    if (len <= 0) return -1;
    unsigned char *buf = malloc(len), *p = buf; // OK
    if (buf == NULL) return -1;
    i2d_X509(x, &p);
    int first = buf[0];
    free(buf);
    return first;
}

int der_lost(X509 *x)
{
    unsigned char *p = NULL;
    int n = i2d_X509(x, &p); // LEAK der
    return n; // LOST der
}

int pkey_der(EVP_PKEY *k)
{
    int len = i2d_PUBKEY(k, NULL);
    unsigned char *buf, *p;
    if (len <= 0) return -1;
    p = buf = OPENSSL_malloc(len); // OK
    if (!buf) return -1;
    len = i2d_PUBKEY(k, &p);
    OPENSSL_free(buf);
    return len;
}

EVP_PKEY *wrap(const unsigned char *b, int len)
{
    EVP_PKEY *pk = EVP_PKEY_new(); // OK
    RSA *r = RSA_new(); // OK
    if (!pk || !r) goto err;
    if (!EVP_PKEY_assign_RSA(pk, r)) goto err;
    return pk;
err:
    EVP_PKEY_free(pk);
    RSA_free(r);
    return NULL;
}
