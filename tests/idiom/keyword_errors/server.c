// A configuration keyword that allocates several things and can fail after each.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct server {
    struct server *next;
    char *id;
    char *address;
    int port;
};

static struct server *servers;

// Replaces *out by a new formatted text, and frees the old one.
static char *set_message(char **out, const char *fmt, ...) {
    va_list ap;
    char *p = malloc(200); // OK
    if (p == NULL)
        return NULL;
    va_start(ap, fmt);
    vsnprintf(p, 200, fmt, ap);
    va_end(ap);
    free(*out);
    *out = p;
    return p;
}

static int parse_port(const char *s) {
    const char *colon = strrchr(s, ':');
    return colon ? atoi(colon + 1) : -1;
}

int server_lost_on_two_exits(char **args, char **err) {
    struct server *s = calloc(1, sizeof *s); // LEAK server
    if (s == NULL)
        return -1;
    s->id = strdup(args[1]); // ALSO id
    if (s->id == NULL) {
        set_message(err, "out of memory");
        goto out; // LOST server
    }
    s->port = parse_port(args[2]);
    if (s->port < 0) {
        set_message(err, "'%s' has no port", args[2]);
        goto out; // LOST server; LOST id
    }
    s->next = servers;
    servers = s;
    return 0;
out:
    return -1; // LOST server; LOST id
}

int server_undone(char **args, char **err) {
    struct server *s = calloc(1, sizeof *s); // OK
    if (s == NULL)
        return -1;
    s->id = strdup(args[1]); // OK
    if (s->id == NULL) {
        set_message(err, "out of memory");
        goto fail;
    }
    s->address = strdup(args[2]); // OK
    if (s->address == NULL)
        goto fail;
    s->port = parse_port(args[2]);
    if (s->port < 0) {
        set_message(err, "'%s' has no port", args[2]);
        goto fail;
    }
    s->next = servers;
    servers = s;
    return 0;
fail:
    free(s->address);
    free(s->id);
    free(s);
    return -1;
}

void all_servers_freed(void) {
    while (servers != NULL) {
        struct server *s = servers;
        servers = s->next;
        free(s->id);
        free(s->address);
        free(s);
    }
}

int message_freed_by_the_caller(char **args) {
    char *err = NULL;
    int r = server_undone(args, &err);
    if (r < 0)
        fprintf(stderr, "%s\n", err ? err : "error");
    free(err);
    return r;
}
