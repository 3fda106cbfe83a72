// A program that waits for requests reads its settings before: what is lost for each line or each file
// of a folder is lost once, as long as nothing inside the waiting loop reads them again. What a request
// loses adds up, and so does what is lost in a loop of a program that does not wait afterwards.
#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_lines(FILE *f) {
    char line[64];
    while (fgets(line, sizeof line, f) != NULL) {
        char *copy = strdup(line); // LEAK line ONCE because STARTS_UP
        if (copy == NULL)
            return;
        if (copy[0] == '#')
            continue; // LOST line
        puts(copy);
        free(copy);
    }
}

static void read_folder(const char *name) {
    DIR *d = opendir(name);
    struct dirent *e;
    if (d == NULL)
        return;
    while ((e = readdir(d)) != NULL) {
        FILE *f = fopen(e->d_name, "r");
        if (f == NULL)
            continue;
        read_lines(f);
        fclose(f);
    }
    closedir(d);
}

static void read_again(FILE *f) {
    char line[64];
    while (fgets(line, sizeof line, f) != NULL) {
        char *copy = strdup(line); // LEAK again RECURS
        if (copy == NULL)
            return;
        if (copy[0] == '#')
            continue; // LOST again
        puts(copy);
        free(copy);
    }
}

static void write_lines(char **lines) {
    for (; *lines != NULL; lines++) {
        char *copy = strdup(*lines); // LEAK end ONCE because STARTS_UP
        if (copy == NULL)
            return;
        if (copy[0] == '#')
            continue; // LOST end
        puts(copy);
        free(copy);
    }
}

static int wait_for_one(struct pollfd *p) {
    return poll(p, 1, -1);
}

static void serve(FILE *f) {
    struct pollfd p = {fileno(f), POLLIN, 0};
    while (wait_for_one(&p) >= 0) {
        char *request = malloc(16); // LEAK request RECURS
        if (request == NULL)
            continue;
        if (getchar() == 0)
            continue; // LOST request
        if (p.revents == POLLPRI)
            read_again(f);
        free(request);
    }
}

static void convert(FILE *f) {
    char line[64];
    while (fgets(line, sizeof line, f) != NULL) {
        char *copy = strdup(line); // LEAK converted RECURS
        if (copy == NULL)
            return;
        if (copy[0] == '#')
            continue; // LOST converted
        puts(copy);
        free(copy);
    }
}

int main(int argc, char **argv) {
    read_folder("/etc/settings.d");
    read_again(stdin);
    if (argc > 1) {
        convert(stdin);
        return 0;
    }
    serve(stdin);
    write_lines(argv);
    return 0;
}
