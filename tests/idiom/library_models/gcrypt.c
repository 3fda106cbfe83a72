// libgcrypt: expressions and numbers belong to whom they are given; some results are parts of what was asked.
typedef struct gcry_sexp *gcry_sexp_t;
typedef struct gcry_mpi *gcry_mpi_t;
int gcry_sexp_new(gcry_sexp_t *r, const void *buffer, unsigned long n, int autodetect);
gcry_sexp_t gcry_sexp_find_token(gcry_sexp_t list, const char *token, unsigned long n);
const char *gcry_sexp_nth_data(const gcry_sexp_t list, int number, unsigned long *n);
gcry_mpi_t gcry_sexp_nth_mpi(gcry_sexp_t list, int number, int format);
void gcry_sexp_release(gcry_sexp_t s);
void gcry_mpi_release(gcry_mpi_t a);
unsigned gcry_mpi_get_nbits(gcry_mpi_t a);

int bits_of(const void *key, unsigned long n)
{
    gcry_sexp_t s; // OK
    if (gcry_sexp_new(&s, key, n, 0))
        return -1;
    gcry_sexp_t l = gcry_sexp_find_token(s, "n", 0);
    gcry_sexp_release(s);
    if (!l)
        return -1;
    gcry_mpi_t m = gcry_sexp_nth_mpi(l, 1, 0);
    gcry_sexp_release(l);
    if (!m)
        return -1;
    int bits = (int)gcry_mpi_get_nbits(m);
    gcry_mpi_release(m);
    return bits;
}

int without_a_name(const void *key, unsigned long n)
{
    gcry_sexp_t s;
    if (gcry_sexp_new(&s, key, n, 0)) // LEAK s
        return -1;
    unsigned long length;
    const char *name = gcry_sexp_nth_data(s, 1, &length);
    if (!name)
        return -1; // LOST s
    int c = *name;
    gcry_sexp_release(s);
    return c;
}
