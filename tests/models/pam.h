// Headers and fixtures for the recipes of pam.own. The service of the tests permits everything.
#include "run.h"

#include <security/pam_appl.h>
#include <security/pam_ext.h>
#include <security/pam_misc.h>
#include <security/pam_modules.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline int answer(int n, const struct pam_message **m, struct pam_response **r, void *data)
{
    *r = calloc(n, sizeof **r);
    for (int i = 0; i < n; i++) (*r)[i].resp = strdup("text");
    return PAM_SUCCESS;
}
static const struct pam_conv conversation = {answer, NULL};
static inline char *directory(void)
{
    FILE *f = fopen("permits", "w");
    for (const char **k = (const char *[]){"auth", "account", "session", "password", NULL}; *k; k++)
        fprintf(f, "%s required pam_permit.so\n", *k);
    fclose(f);
    char *d = getcwd(NULL, 0);
    return OWN(d, free);
}
static inline void drop_handle(pam_handle_t *h) { pam_end(h, PAM_SUCCESS); }
static inline pam_handle_t *handle(void)
{
    pam_handle_t *h = NULL;
    pam_start_confdir("permits", "root", &conversation, directory(), &h);
    pam_putenv(h, "NAME=value");
    return OWN(h, drop_handle);
}
