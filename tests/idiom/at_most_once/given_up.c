// The null of realloc overwrites the last pointer, and is what the function gives back: likely
// where all callers end the program on it, sure where one of them goes on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *joined(char *const *words, int count) {
    char *all = NULL;
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        size_t more = strlen(words[i]) + 1;
        if (all != NULL)
            all = realloc(all, length + more); // OK likely: both callers give up
        else
            all = malloc(more); // OK likely
        if (all == NULL)
            break;
        strcpy(all + length, words[i]);
        length += more;
        all[length - 1] = ',';
    }
    return all;
}

static char *glued(char *const *words, int count) {
    char *all = NULL;
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        size_t more = strlen(words[i]) + 1;
        if (all != NULL)
            all = realloc(all, length + more); // LEAK grown; LOST grown; LOST first
        else
            all = malloc(more); // LEAK first
        if (all == NULL)
            break;
        strcpy(all + length, words[i]);
        length += more;
        all[length - 1] = ',';
    }
    return all;
}

static void give_up(const char *what) {
    fprintf(stderr, "no memory for %s\n", what);
    exit(1);
}

void show(char *const *words, int count) {
    char *text = joined(words, count);
    if (text == NULL)
        give_up("words");
    puts(text);
    free(text);
}

void show_twice(char *const *words, int count) {
    for (int i = 0; i < 2; i++) {
        char *text = joined(words, count);
        if (!text)
            give_up("more words");
        puts(text);
        free(text);
    }
}

int try_to_show(char *const *words, int count) {
    char *text = glued(words, count);
    if (text == NULL)
        return -1;
    puts(text);
    free(text);
    return 0;
}

void show_or_give_up(char *const *words, int count) {
    char *text = glued(words, count);
    if (text == NULL)
        give_up("glued words");
    puts(text);
    free(text);
}
