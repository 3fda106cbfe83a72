// A chain of labels undoes what was done, in reverse; one jump to the wrong label leaks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct device {
    char *name;
    unsigned char *rx, *tx;
};

extern int probe(const char *name);

struct device *undone_step_by_step(const char *name) {
    struct device *d = calloc(1, sizeof *d); // OK
    if (!d)
        goto fail;
    d->name = strdup(name); // OK
    if (!d->name)
        goto free_device;
    d->rx = malloc(4096); // OK
    if (!d->rx)
        goto free_name;
    d->tx = malloc(4096); // OK
    if (!d->tx)
        goto free_rx;
    if (probe(name) < 0)
        goto free_tx;
    return d;

free_tx:
    free(d->tx);
free_rx:
    free(d->rx);
free_name:
    free(d->name);
free_device:
    free(d);
fail:
    return NULL;
}

struct device *one_label_too_far(const char *name) {
    struct device *d = calloc(1, sizeof *d); // OK
    if (!d)
        goto fail;
    d->name = strdup(name); // OK
    if (!d->name)
        goto free_device;
    d->rx = malloc(4096); // OK
    if (!d->rx)
        goto free_name;
    d->tx = malloc(4096); // LEAK tx
    if (!d->tx)
        goto free_rx;
    if (probe(name) < 0)
        goto free_rx;
    return d;

free_rx:
    free(d->rx);
free_name:
    free(d->name);
free_device:
    free(d); // LOST tx
fail:
    return NULL;
}

int one_label_for_all(const char *path) {
    int result = -1;
    char *line = NULL, *copy = NULL;
    FILE *f = fopen(path, "r"); // OK
    if (f == NULL)
        goto out;
    line = malloc(256); // OK
    if (line == NULL)
        goto out;
    if (fgets(line, 256, f) == NULL)
        goto out;
    copy = strdup(line); // OK
    if (copy == NULL)
        goto out;
    result = probe(copy);
out:
    free(copy);
    free(line);
    if (f != NULL)
        fclose(f);
    return result;
}

int returned_past_the_label(const char *path) {
    int result = -1;
    char *line = NULL;
    FILE *f = fopen(path, "r"); // RESOURCE-LEAK file
    if (f == NULL)
        return -1;
    line = malloc(256); // OK
    if (line == NULL)
        return -1; // LOST file
    if (fgets(line, 256, f) == NULL)
        goto out;
    result = probe(line);
out:
    free(line);
    fclose(f);
    return result;
}
