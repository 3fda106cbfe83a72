// Strings copied into a struct; one destroyer forgets a field.
#include <stdlib.h>
#include <string.h>

struct account {
    char *user;
    char *mail;
    char *shell;
    int uid;
};

static struct account *account_new(const char *user, const char *mail, const char *shell) {
    struct account *a = calloc(1, sizeof *a); // OK
    if (a == NULL)
        return NULL;
    a->user = strdup(user);   // OK
    a->mail = strdup(mail);   // OK
    a->shell = strdup(shell); // LEAK shell
    return a;
}

static void account_free(struct account *a) {
    if (a == NULL)
        return;
    free(a->user);
    free(a->mail);
    free(a->shell);
    free(a);
}

static void account_free_forgetful(struct account *a) {
    if (a == NULL)
        return;
    free(a->user);
    free(a->mail);
    free(a); // LOST shell
}

int made_and_destroyed(const char *name) {
    struct account *a = account_new(name, name, "/bin/sh");
    if (a == NULL)
        return -1;
    a->uid = 7;
    account_free(a);
    return 0;
}

int shell_forgotten(const char *name) {
    struct account *a = account_new(name, name, "/bin/sh");
    if (a == NULL)
        return -1;
    a->uid = 7;
    account_free_forgetful(a); // LOST shell
    return 0;
}
