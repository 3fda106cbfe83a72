#ifndef CONFIG_H
#define CONFIG_H

struct entry {
    char *key, *value;
    struct entry *next;
};

struct config {
    struct entry *first;
    unsigned count, errors;
    int strict;
};

int config_read(struct config *c, const char *path);
void config_drop(struct config *c);
const char *config_get(const struct config *c, const char *key);

#endif
