// What OpenSSL makes where the caller has nothing yet, and descriptors that a BIO takes over or not.
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

typedef struct bignum_st BIGNUM;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct bio_st BIO;
typedef struct conf_st CONF;
int EVP_PKEY_get_bn_param(const EVP_PKEY *key, const char *name, BIGNUM **bn);
int BN_num_bits(const BIGNUM *a);
void BN_free(BIGNUM *a);
BIO *BIO_new_fd(int fd, int close);
int BIO_free(BIO *bio);
CONF *NCONF_new(void *method);
void NCONF_free(CONF *conf);
int NCONF_load(CONF *conf, const char *file, long *line);
char *NCONF_get_string(const CONF *conf, const char *group, const char *name);
int use(const char *s);

int parameter_forgotten(const EVP_PKEY *key)
{
    BIGNUM *n = NULL;
    if (!EVP_PKEY_get_bn_param(key, "n", &n)) // LEAK n
        return -1;
    return BN_num_bits(n); // LOST n
}

int parameter_freed(const EVP_PKEY *key)
{
    BIGNUM *n = NULL;
    if (!EVP_PKEY_get_bn_param(key, "n", &n)) // OK
        return -1;
    int bits = BN_num_bits(n);
    BN_free(n);
    return bits;
}

int descriptor_closed_with_the_bio(const char *path)
{
    int fd = open(path, O_RDONLY); // OK
    if (fd < 0) return -1;
    BIO *bio = BIO_new_fd(fd, 1);
    if (!bio) {
        close(fd);
        return -1;
    }
    BIO_free(bio);
    return 0;
}

int descriptor_left_open(const char *path)
{
    int fd = open(path, O_RDONLY); // RESOURCE-LEAK fd
    if (fd < 0) return -1;
    BIO *bio = BIO_new_fd(fd, 0);
    if (bio) BIO_free(bio);
    return 0; // LOST fd
}

int configuration_forgotten_on_error(const char *file)
{
    CONF *conf = NCONF_new(NULL); // LEAK conf
    if (!conf) return -1;
    if (NCONF_load(conf, file, NULL) <= 0) return -1; // LOST conf
    int status = use(NCONF_get_string(conf, "s", "a"));
    NCONF_free(conf);
    return status;
}

int configuration_freed(const char *file)
{
    CONF *conf = NCONF_new(NULL); // OK
    if (!conf) return -1;
    int status = -1;
    if (NCONF_load(conf, file, NULL) > 0) status = use(NCONF_get_string(conf, "s", "a"));
    NCONF_free(conf);
    return status;
}
