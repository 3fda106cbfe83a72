// A descriptor that is opened when it is first needed and kept in a static variable.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct user {
    char *name, *home, *shell, *word, *old_word;
    int guest, in;
};

static void put_record(const char *record)
{
    static int fd = -1;
    if (fd < 0)
        fd = open("/var/log/records", O_WRONLY | O_APPEND); // OK
    if (fd >= 0) {
        if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
            sleep(1);
            flock(fd, LOCK_EX | LOCK_NB);
        }
        write(fd, record, strlen(record));
        flock(fd, LOCK_UN);
    }
}

void end_session(struct user *u)
{
    if (u->in)
        put_record(u->name ? "" : "-");
    free(u->name);
    free(u->home);
    free(u->shell);
    if (u->word) {
        memset(u->word, 0, strlen(u->word));
        free(u->word);
    }
    if (u->old_word) {
        memset(u->old_word, 0, strlen(u->old_word));
        free(u->old_word);
    }
    memset(u, 0, sizeof *u);
}

int begin_session(struct user *u)
{
    put_record(u->name);
    u->in = 1;
    if (u->guest && chroot(u->home) < 0)
        goto bad;
    return 0;
bad:
    end_session(u);
    return -1;
}

static int last = -1;

static void open_again(const char *name)
{
    last = open(name, O_RDONLY); // RESOURCE-LEAK last
}

int opened_twice(const char *one, const char *other)
{
    open_again(one); // RESOURCE-LEAK last
    open_again(other); // LOST last
    return last;
}
