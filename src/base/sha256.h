// SHA-256 (FIPS 180-4) of bytes: for content-security policies, which ask for this very hash.
// For keys and tables use base/hash.h, which is many times faster.
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>

void sha256_bytes(const void *bytes, size_t n, unsigned char digest[32]);

#endif
