// A page that is read once, at the start: what a line with the same mark overwrites is lost once. What
// is lost of every line without a mark adds up with the page.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *title;

static void read_page(const char *name) {
    char line[256], *start;
    FILE *f = fopen(name, "r");
    if (f == NULL)
        return;
    while (fgets(line, sizeof line, f)) {
        if ((start = strstr(line, "<title>")) != NULL) {
            title = strdup(start); // LEAK title ONCE because RUNS_ONCE; LOST title
        } else if (strstr(line, "<p>") == NULL) {
            char *other = strdup(line); // LEAK other RECURS
            if (other != NULL)
                puts(other);
        } // LOST other
    }
    fclose(f);
}

int main(void) {
    read_page("/etc/page");
    return title != NULL;
}
