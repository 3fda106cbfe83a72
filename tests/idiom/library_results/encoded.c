// Encoders that give a block only where there is none yet, and only where they succeed: asked for the
// length first they say the same when they write.
#include <stdlib.h>

typedef struct X509_st X509;
int i2d_X509(const X509 *a, unsigned char **out);
void sent(void *to, unsigned char *text, int length);
void read_only(const unsigned char *text, int length);

struct piece {
    unsigned char *at;
    size_t length;
};

int kept_where_it_succeeds(void *to, X509 *a)
{
    unsigned char *text = NULL;
    int length = i2d_X509(a, &text); // OK
    if (length <= 0)
        return 0;
    sent(to, text, length);
    return 1;
}

int lost_where_it_is_short(void *to, X509 *a)
{
    unsigned char *text = NULL;
    int length = i2d_X509(a, &text); // LEAK short
    if (length <= 100)
        return 0; // LOST short
    sent(to, text, length);
    return 1;
}

int lost_when_read(X509 *a)
{
    unsigned char *text = NULL;
    int length = i2d_X509(a, &text); // LEAK read
    if (length < 0)
        return -1;
    read_only(text, length);
    return 0; // LOST read
}

int into_a_buffer(X509 *a)
{
    unsigned char buffer[4096], *at = buffer;
    *at++ = 1;
    int length = i2d_X509(a, &at); // OK
    read_only(buffer, length + 1);
    return length;
}

struct piece measured_first(X509 *a)
{
    struct piece p = {NULL, 0};
    int length = i2d_X509(a, NULL);
    if (length >= 0) {
        p.length = (size_t)length;
        p.at = length ? malloc(p.length) : NULL;
        if (length && !p.at)
            abort();
        unsigned char *at = p.at;
        i2d_X509(a, &at); // OK
    }
    return p;
}

struct piece measured_another(X509 *a, X509 *b)
{
    struct piece p = {NULL, 0};
    int length = i2d_X509(b, NULL);
    if (length >= 0) {
        p.length = (size_t)length;
        p.at = length ? malloc(p.length) : NULL;
        if (length && !p.at)
            abort();
        unsigned char *at = p.at;
        i2d_X509(a, &at); // LEAK another
    } // LOST another
    return p;
}
