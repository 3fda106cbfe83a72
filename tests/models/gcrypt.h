// Headers and fixtures for the recipes of gcrypt.own.
#include "run.h"

#include <gcrypt.h>

#define WARM_UP                                                                                    \
    gcry_check_version(NULL), gcry_control(GCRYCTL_DISABLE_SECMEM, 0),                             \
        gcry_control(GCRYCTL_ENABLE_QUICK_RANDOM, 0), gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0), \
        gcry_free(gcry_random_bytes(8, GCRY_WEAK_RANDOM)), gcry_sexp_release(ec_key()), gcry_ctx_release(ec_context())

static inline gcry_sexp_t sexp(const char *s)
{
    gcry_sexp_t x = NULL;
    gcry_sexp_sscan(&x, NULL, s, strlen(s));
    return OWN(x, gcry_sexp_release);
}
static inline gcry_sexp_t list(void) { return sexp("(text (a x) b)"); }
static inline gcry_sexp_t ec_key(void)
{
    gcry_sexp_t p = NULL, x = NULL;
    gcry_sexp_build(&p, NULL, "(genkey (ecc (curve Ed25519) (flags eddsa)))");
    gcry_pk_genkey(&x, p);
    gcry_sexp_release(p);
    return x;
}
static inline gcry_ctx_t ec_context(void)
{
    gcry_ctx_t c = NULL;
    gcry_mpi_ec_new(&c, NULL, "NIST P-256");
    return c;
}
static inline gcry_sexp_t key(void) { return OWN(ec_key(), gcry_sexp_release); }
static inline gcry_ctx_t context(void) { return OWN(ec_context(), gcry_ctx_release); }
static inline gcry_sexp_t text(void) { return sexp("(data (flags eddsa) (hash-algo sha512) (value 4:text))"); }
static inline gcry_mpi_t number(void) { return OWN(gcry_mpi_set_ui(NULL, 7), gcry_mpi_release); }
static inline gcry_mpi_point_t point(void)
{
    gcry_mpi_point_t p = gcry_mpi_point_set(NULL, number(), number(), number());
    return OWN(p, gcry_mpi_point_release);
}
static inline gcry_md_hd_t digest(void)
{
    gcry_md_hd_t h = NULL;
    gcry_md_open(&h, GCRY_MD_SHA256, 0);
    return OWN(h, gcry_md_close);
}
static inline gcry_cipher_hd_t cipher(void)
{
    gcry_cipher_hd_t h = NULL;
    gcry_cipher_open(&h, GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_CBC, 0);
    gcry_cipher_setkey(h, "0123456789abcdef", 16);
    return OWN(h, gcry_cipher_close);
}
static inline gcry_mac_hd_t mac(void)
{
    gcry_mac_hd_t h = NULL;
    gcry_mac_open(&h, GCRY_MAC_HMAC_SHA256, 0, NULL);
    gcry_mac_setkey(h, "0123456789abcdef", 16);
    return OWN(h, gcry_mac_close);
}
static inline void *memory(void) { return OWN(gcry_malloc(8), gcry_free); }
