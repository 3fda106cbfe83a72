#!/usr/bin/env bash
# Rows that are wrong on purpose: each must be noticed, and so must a row without a recipe.
set -u
mkdir "$TMP/models"
sed -e 's/^own char \*strdup(/char *strdup(/' \
    -e 's/^pure char \*strchr(\(.*\)) returns inside s or null/own char *strchr(\1) or null/' \
    -e 's/^void free(own void/void free(void/' \
    -e 's/^own(file) FILE \*fopen(/FILE *fopen(/' \
    -e 's/^own void \*malloc(size_t size) or null size size/& zeroed/' \
    -e 's/^int fflush(FILE/int fflush(nonnull FILE/' \
    -e 's/^int asprintf(\(.*\)when (return >= 0)/int asprintf(\1when (return < 0)/' \
    -e 's/^own char \*canonicalize_file_name(const char \*path) or null/own char *canonicalize_file_name(const char *path)/' \
    -e 's/^pure char \*getenv(const char \*name) returns static/char *getenv(const char *name) returns name/' \
    "$ROOT/models/libc.own" >"$TMP/models/libc.own"
echo 'own char *brand_new(int n) or null;' >>"$TMP/models/libc.own"
out=$(MODELS=$TMP/models "$ROOT/tests/models/drive" libc 80 "-lm -ldl -lpthread" \
    strdup strchr free fopen malloc fflush asprintf canonicalize_file_name getenv 2>&1)
failed=0
expect() { # text
    grep -qF -- "$1" <<<"$out" || { echo "not noticed: $1"; failed=1; }
}
expect 'strdup (clean): not all is released'
expect 'strchr (clean): the result is not a block of malloc'
expect 'free (clean): argument 1 is borrowed, and dead'
expect 'fopen (clean): 1 descriptors more than before'
expect 'malloc (clean): the result is not zeroed'
expect 'fflush (null): argument 1 may be null'
expect "asprintf (clean): the call was to succeed, and the row's conditions say it failed"
expect 'canonicalize_file_name (clean): the result is null'
expect 'getenv (clean): the result is not the argument that the row names'
expect 'brand_new has neither a recipe nor a reason in undriven'
[ $failed -eq 0 ] || echo "$out"
exit $failed
