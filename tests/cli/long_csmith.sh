#!/usr/bin/env bash
# Programs of a random generator (the Debian package csmith), where it is installed: analysed
# within 20 seconds of CPU time each, no crash, the same bytes for -j1 and -j2.
set -u
command -v csmith >/dev/null || { echo "csmith is not installed: nothing was tried"; exit 0; }
cd "$TMP" || exit 1
# What the generated programs call; their arithmetic stays undeclared, as old C may.
cat >csmith.h <<'C'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static void platform_main_begin(void) {}
static void platform_main_end(uint32_t crc, int flag) { printf("%x %d\n", crc, flag); }
void crc32_gentab(void);
extern uint32_t crc32_context;
void transparent_crc(uint64_t, char *, int);
C
bad=0
for seed in $(seq 1 "${COUNT:-500}"); do
    csmith --seed "$seed" --max-funcs 6 >"$seed.c"
    for j in 1 2; do
        (ulimit -t 20 && exec "$STANCH" check --no-cache -j$j --format=json "$seed.c" -- -I.) \
            >"$j.json" 2>"$j.err"
        status=$?
        case $status in 0 | 1 | 3) ;; *) echo "csmith --seed $seed: status $status: $(head -3 $j.err)"; bad=1 ;; esac
    done
    cmp -s 1.json 2.json || { echo "csmith --seed $seed: -j1 and -j2 differ"; bad=1; }
    rm -f "$seed.c"
done
exit $bad
