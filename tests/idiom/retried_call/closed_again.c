// A folder is closed again when closing it was interrupted: what POSIX leaves open, as it may not be closed then. Where the
// call is not repeated because it failed, or another one follows it, it is closed twice.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>

void until_closed(DIR *d) {
    while (closedir(d) == -1 && errno == EINTR) continue; // DOUBLE-FREE LIKELY because TRIED_AGAIN
}

void in_each_round(DIR *d, int n) {
    for (int i = 0; i < n; i++) closedir(d); // DOUBLE-FREE
}

void by_two_calls(DIR *d) {
    if (closedir(d) == -1) closedir(d); // DOUBLE-FREE
}
