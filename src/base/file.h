// Files and paths.
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/mem.h"

#include <stdbool.h>

// The whole file, zero-terminated after its length; null with errno set when it cannot be read or
// is larger than `limit` bytes (0: no limit; EFBIG). Free with mem_free.
char *file_read(const char *path, size_t limit, size_t *len);
// Writes it all, whatever interrupts it. 0 or an errno.
int file_write_all(int fd, const void *bytes, size_t len);
// These bytes of the file, from an offset; false when it does not have them all.
bool file_read_at(int fd, void *into, size_t len, uint64_t at);
bool file_exists(const char *path);
bool file_is_dir(const char *path);
// Makes the directory and its parents. 0 or an errno.
int file_make_dirs(const char *path);

// Purely textual: resolves ".", ".." and doubled slashes, without asking the file system, so that
// the result does not depend on symbolic links of the machine.
char *path_normal(Arena *a, const char *path);
// `path` itself when absolute, else below `dir`; normalised.
char *path_join(Arena *a, const char *dir, const char *path);
// `path` as seen from `dir` when it lies below it, else `path` itself. Both absolute.
const char *path_below(const char *dir, const char *path);
// The part after the last slash.
const char *path_base(const char *path);
// The extension without its dot, or "".
const char *path_extension(const char *path);
char *path_dir(Arena *a, const char *path);
// The working directory; dies when there is none.
char *path_cwd(Arena *a);

#endif
