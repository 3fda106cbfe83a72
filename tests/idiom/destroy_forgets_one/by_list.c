// A destructor that forgets a field, of objects that come from a list: no path leads from the
// constructor to it, but the field is only ever given blocks made for it, and nobody else releases
// them.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct user {
    struct user *next;
    char *name, *home, *shell;
    const char *kind;
    char *last;
};

static struct user *users;

int user_add(const char *name, const char *home, const char *kind)
{
    struct user *u = calloc(1, sizeof *u); // OK
    if (!u)
        return -1;
    u->name = strdup(name); // OK
    u->home = strdup(home); // OK
    u->kind = kind;
    u->next = users;
    users = u;
    return 0;
}

void user_free(struct user *u)
{
    free(u->name);
    free(u->shell);
    free(u); // LEAK home LIKELY because FIELD_FILLED
}

// Set once for each, and released by whoever set it.
int user_shell(struct user *u, const char *shell)
{
    free(u->shell);
    u->shell = strdup(shell); // OK
    return u->shell ? 0 : -1;
}

void users_free(void)
{
    while (users) {
        struct user *u = users;
        users = u->next;
        user_free(u);
    }
}

int user_is(const struct user *u, const char *name)
{
    return strcmp(u->name, name) == 0 && strlen(u->home) > 1;
}

// All of them, and one that is emptied before.
struct job {
    struct job *next;
    char *command, *output;
};

static struct job *jobs;

int job_add(const char *command)
{
    struct job *j = calloc(1, sizeof *j); // OK
    if (!j)
        return -1;
    j->command = strdup(command); // OK
    j->output = strdup("");       // OK
    j->next = jobs;
    jobs = j;
    return 0;
}

void job_done(struct job *j)
{
    free(j->output);
    j->output = NULL;
}

void job_free(struct job *j)
{
    free(j->command);
    free(j); // the output was released before
}

void jobs_free(void)
{
    while (jobs) {
        struct job *j = jobs;
        jobs = j->next;
        job_done(j);
        job_free(j);
    }
}

// A name that is handed on.
struct file {
    struct file *next;
    char *name, *path;
};

static struct file *files;
static char *newest;

int file_add(const char *path)
{
    struct file *f = calloc(1, sizeof *f); // OK
    if (!f)
        return -1;
    f->name = strdup(path); // OK
    f->path = strdup(path); // OK
    f->next = files;
    files = f;
    return 0;
}

void file_free(struct file *f)
{
    newest = f->name;
    free(f->path);
    free(f);
}

void files_free(void)
{
    while (files) {
        struct file *f = files;
        files = f->next;
        file_free(f);
    }
    free(newest);
}
