// SipHash-2-4 with 128 bits of result (Aumasson and Bernstein, "SipHash: a fast short-input PRF",
// INDOCRYPT 2012): a hash under a secret key. Whoever does not know the key cannot forge the
// hash of any bytes. For tables and keys use base/hash.h, which is faster and keeps no secrets.
#ifndef BASE_SIPHASH_H
#define BASE_SIPHASH_H

#include "base/hash.h"

Hash128 siphash(Hash128 key, const void *bytes, size_t n);

#endif
