// A variable that a loop gives new blocks is overwritten after it: whichever it holds is lost, so how often the loop ran
// is no condition.
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *joined(const char *a, const char *b)
{
    char *p = malloc(strlen(a) + strlen(b) + 1);
    if (!p) abort();
    strcpy(p, a);
    strcat(p, b);
    return p;
}

void whichever(int n, const char **words)
{
    char *text = joined("begin", ""), *next; // LEAK text; ALWAYS
    for (int i = 0; i < n; i++) {
        next = joined(text, words[i]); // ALSO later
        free(text);
        text = next;
    }
    next = joined("end", "");
    text = joined(text, next); // LOST text
    free(next);
    puts(text);
    free(text);
}

void only_without_words(int n, const char **words)
{
    char *text = joined("begin", ""); // LEAK none; ONLY WHEN: n <= 0
    for (int i = 0; i < n; i++) {
        free(text);
        text = NULL;
        puts(words[i]);
    }
    text = joined("end", ""); // LOST none
    puts(text);
    free(text);
}
