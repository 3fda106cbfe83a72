// The log of an observed build: one record for each call of a tool.
//
// "record BYTES\n", then id, parent, through ("1" or "0"), directory, the environment values
// ("=VALUE", or empty when not set) and argv, each with a zero after it, BYTES in all.
#include "capture/capture_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static void put(Chars *c, const char *s)
{
    vec_append(c, s, strlen(s) + 1);
}

bool record_write(const char *log, const Record *r)
{
    Chars body = {0};
    put(&body, r->id);
    put(&body, r->parent);
    put(&body, r->through ? "1" : "0");
    put(&body, r->directory);
    for (int i = 0; i < CAPTURE_ENV_COUNT; i++) {
        if (r->env[i]) vec_push(&body, '=');
        put(&body, r->env[i] ? r->env[i] : "");
    }
    vec_each (i, &r->argv) put(&body, r->argv.at[i]);
    char head[40];
    int n = snprintf(head, sizeof head, "record %u\n", body.len);
    Chars all = {0};
    vec_append(&all, head, (size_t)n);
    vec_append(&all, body.at, body.len);
    vec_free(&body);
    int fd = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && flock(fd, LOCK_EX) == 0;
    off_t start = ok ? lseek(fd, 0, SEEK_END) : 0;
    for (size_t at = 0; ok && at < all.len;) {
        ssize_t w = write(fd, all.at + at, all.len - at);
        if (w < 0 && errno == EINTR) continue;
        if (w <= 0) {
            // A full disk: no half record for the next to follow.
            ok = false;
            if (ftruncate(fd, start) != 0) break;
        } else {
            at += (size_t)w;
        }
    }
    if (fd >= 0) close(fd);
    vec_free(&all);
    return ok;
}

bool records_read(Arena *a, const char *text, size_t len, Records *out)
{
    const char *at = text, *end = text + len;
    while (at < end) {
        char *digits_end;
        if (end - at < 9 || strncmp(at, "record ", 7) != 0) return false;
        unsigned long bytes = strtoul(at + 7, &digits_end, 10);
        if (*digits_end != '\n' || bytes > (size_t)(end - digits_end - 1)) return false;
        const char *s = digits_end + 1, *stop = s + bytes;
        if (!bytes || stop[-1]) return false;
        Record r = {0};
        for (uint32_t field = 0; s < stop; field++) {
            const char *word = arena_strdup(a, s);
            s += strlen(s) + 1;
            if (field == 0)
                r.id = word;
            else if (field == 1)
                r.parent = word;
            else if (field == 2)
                r.through = word[0] == '1';
            else if (field == 3)
                r.directory = word;
            else if (field < 4 + CAPTURE_ENV_COUNT)
                r.env[field - 4] = word[0] == '=' ? word + 1 : NULL;
            else
                vec_push(&r.argv, word);
        }
        vec_keep(&r.argv, a);
        if (!r.argv.len) return false;
        vec_push(out, r);
        at = stop;
    }
    return true;
}

const char *record_id(Arena *a)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return arena_printf(a, "%ld.%lld.%ld", (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
}

bool record_call(Arena *a, const char *log_dir, const char *root, Record *r)
{
    // Now, not later: build tools delete their response files.
    words_expand(a, r->directory, root, &r->argv);
    return record_write(arena_printf(a, "%s/" SHIM_LOG, log_dir), r);
}

bool record_is_script(const char *path)
{
    char magic[2] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, magic, 2);
    close(fd);
    return n == 2 && magic[0] == '#' && magic[1] == '!';
}
