// A library takes the parts of a key when it says so; callers ask for "not zero" or for one.
#include <stddef.h>

typedef struct bignum_st BIGNUM;
typedef struct rsa_st RSA;
BIGNUM *BN_dup(const BIGNUM *from);
void BN_clear_free(BIGNUM *a);
int RSA_set0_key(RSA *rsa, BIGNUM *n, BIGNUM *e, BIGNUM *d);

int parts_go_over(RSA *to, const BIGNUM *n, const BIGNUM *e)
{
    int r = -1;
    BIGNUM *n2 = BN_dup(n), *e2 = BN_dup(e); // OK
    if (n2 == NULL || e2 == NULL)
        goto out;
    if (!RSA_set0_key(to, n2, e2, NULL))
        goto out;
    n2 = e2 = NULL;
    r = 0;
out:
    BN_clear_free(n2);
    BN_clear_free(e2);
    return r;
}

int part_lost_when_refused(RSA *to, const BIGNUM *e)
{
    BIGNUM *e2 = BN_dup(e); // LEAK part
    if (e2 == NULL)
        return -1;
    if (RSA_set0_key(to, NULL, e2, NULL) != 1)
        return -1; // LOST part
    return 0;
}
