// Functions that refuse null alone, and of files those that append: what was tested before cannot be refused.
#include <glob.h>
#include <stddef.h>

typedef struct bignum_st BIGNUM;
typedef struct DSA_SIG_st DSA_SIG;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct rsa_st RSA;
BIGNUM *BN_dup(const BIGNUM *a);
void BN_free(BIGNUM *a);
DSA_SIG *DSA_SIG_new(void);
void DSA_SIG_free(DSA_SIG *sig);
int DSA_SIG_set0(DSA_SIG *sig, BIGNUM *r, BIGNUM *s);
EVP_PKEY *EVP_PKEY_new(void);
void EVP_PKEY_free(EVP_PKEY *key);
int EVP_PKEY_assign(EVP_PKEY *key, int type, void *part);
RSA *RSA_new(void);

DSA_SIG *both_are_there(BIGNUM *r, BIGNUM *s)
{
    if (!r || !s) return NULL;
    DSA_SIG *sig = DSA_SIG_new(); // OK
    if (!sig) return NULL;
    if (!DSA_SIG_set0(sig, r, s)) return NULL;
    return sig;
}

DSA_SIG *one_may_be_missing(const BIGNUM *a, const BIGNUM *b)
{
    BIGNUM *r = BN_dup(a); // LEAK r
    BIGNUM *s = BN_dup(b); // LEAK s
    DSA_SIG *sig = DSA_SIG_new();
    if (!sig || !DSA_SIG_set0(sig, r, s)) {
        DSA_SIG_free(sig);
        return NULL; // LOST r, LOST s
    }
    return sig;
}

EVP_PKEY *key_may_be_missing(void)
{
    EVP_PKEY *key = EVP_PKEY_new(); // OK
    RSA *rsa = RSA_new(); // LEAK rsa
    if (!rsa) {
        EVP_PKEY_free(key);
        return NULL;
    }
    if (!EVP_PKEY_assign(key, 6, rsa)) return NULL; // LOST rsa
    return key;
}

int globbed_twice(const char *a, const char *b)
{
    glob_t g;
    if (glob(a, 0, NULL, &g)) return -1; // OK
    if (glob(b, GLOB_APPEND, NULL, &g)) { // OK
        globfree(&g);
        return -1;
    }
    int found = (int)g.gl_pathc;
    globfree(&g);
    return found;
}

int globbed_and_forgotten(const char *a)
{
    glob_t g;
    if (glob(a, 0, NULL, &g)) return -1; // LEAK g
    return (int)g.gl_pathc; // LOST g
}
