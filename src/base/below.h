// Files below a directory that a stranger may have filled: a repository's .stanch, a cache.
//
// Comes in: a directory that is trusted (the working directory, or one that the user named), and
// names below it that are not. Promised: no symbolic link is followed at any component below it,
// only regular files are read and written, nothing waits on a FIFO or a device, no more than
// `limit` bytes are read, and a file is replaced whole or not at all.
#ifndef BASE_BELOW_H
#define BASE_BELOW_H

#include "base/mem.h"

#include <stdbool.h>

// The descriptor of a directory that is trusted; links are followed. -1 with errno.
int below_trust(const char *path);
// The directory at `path` (relative, without ".."; "" is the directory itself) below `dir`, made
// where it is missing if `make`. -1 with errno.
int below_dir(int dir, const char *path, bool make);

// A regular file, opened with these flags beside O_NOFOLLOW and the like. -1 with errno.
int below_open(int dir, const char *name, int flags);
// As file_read: null with errno. A limit there must be.
char *below_read(int dir, const char *name, size_t limit, size_t *len);
// Writes it beside its name, then renames. 0 or an errno.
int below_write(int dir, const char *name, const void *bytes, size_t len);
// A lock that other runs respect, within five seconds: a descriptor to close, or -1 with errno.
int below_lock(int dir, const char *name);
// The names in the directory that end in `end`, in order, in the arena; null after the last.
const char **below_list(Arena *a, int dir, const char *end);
// Removes a directory with the files in it. Directories in it stay, and so does it then.
void below_remove(int dir, const char *name);

// Why one of these failed.
const char *below_why(int error);

#endif
