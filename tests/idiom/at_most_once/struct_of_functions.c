// The functions in a struct are called where the program calls them, and by nobody else: a library function
// that releases the struct, or copies its bytes, does not know that it holds any. main opens one
// input; each frame is read by another function.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct handle {
    FILE *file;
};

struct input {
    int (*open)(const char *name, struct handle **handle);
    int (*read)(struct handle *handle);
    void (*error)(int number);
};

static int open_plain(const char *name, struct handle **handle) {
    struct handle *h = malloc(sizeof *h); // LEAK opened ONCE because RUNS_ONCE
    if (h == NULL) return -1;
    h->file = fopen(name, "r");
    if (h->file == NULL) return -1; // LOST opened
    *handle = h;
    return 0;
}

static int read_plain(struct handle *handle) {
    char *line = malloc(80); // LEAK read
    if (line == NULL || fgets(line, 80, handle->file) == NULL) return -1; // LOST read
    fputs(line, stdout);
    free(line);
    return 0;
}

static void report(int number) {
    FILE *log = fopen("/tmp/log", "a"); // RESOURCE-LEAK reported
    if (log != NULL) fprintf(log, "%d\n", number);
} // LOST reported

static const struct input plain = {open_plain, read_plain, report};

int main(int argc, char **argv) {
    struct handle *h = NULL;
    struct input *input = malloc(sizeof *input);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    if (argc < 2 || input == NULL) return 1;
    memcpy(input, &plain, sizeof *input);
    action.sa_handler = input->error;
    sigaction(SIGHUP, &action, NULL);
    if (input->open(argv[1], &h)) {
        free(input);
        return 1;
    }
    for (int left = 1000000; left--;)
        if (input->read(h)) break;
    fclose(h->file);
    free(h);
    free(input);
    return 0;
}
