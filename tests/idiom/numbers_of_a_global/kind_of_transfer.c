// A global that is only ever set to numbers for which a switch over it has a case: its default is
// for a programmer's error.
#include <stdio.h>
#include <stdlib.h>

enum { TEXT = 1, FOREIGN, BINARY, LOCAL };

static int asked, size;
static int kind = TEXT;

void set_kind(const char *word)
{
    switch (word[0]) {
    case 'A':
        asked = TEXT;
        break;
    case 'E':
        asked = FOREIGN;
        break;
    case 'I':
        asked = BINARY;
        break;
    case 'L':
        asked = LOCAL;
        size = atoi(word + 1);
        break;
    }
    switch (asked) {
    case TEXT:
        puts("text");
        kind = asked;
        break;
    case FOREIGN:
        puts("not here");
        break;
    case BINARY:
        kind = asked;
        break;
    case LOCAL:
        if (size == 8) {
            puts("local");
            kind = asked;
        }
        break;
    }
}

int send_block(const char *from, size_t n)
{
    char *block = malloc(n); // OK
    if (block == NULL)
        return -1;
    switch (kind) {
    case TEXT:
        for (size_t i = 0; i < n; i++)
            block[i] = from[i] & 0x7f;
        fwrite(block, 1, n, stdout);
        free(block);
        return 0;
    case BINARY:
    case LOCAL:
        fwrite(from, 1, n, stdout);
        free(block);
        return 0;
    default:
        printf("no such kind: %d\n", kind);
        return -1;
    }
}

static int level;

void set_level(const char *word)
{
    level = word[0] == '?' ? atoi(word + 1) : 1;
}

int send_slowly(const char *from, size_t n)
{
    char *block = malloc(n); // LEAK block
    if (block == NULL)
        return -1;
    switch (level) {
    case 0:
    case 1:
    case 2:
        block[0] = from[0];
        fwrite(block, 1, n, stdout);
        free(block);
        return 0;
    default:
        printf("no such level: %d\n", level);
        return -1; // LOST block
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        set_kind(argv[i]);
        set_level(argv[i]);
        if (send_block(argv[i], 1) || send_slowly(argv[i], 1))
            puts("failed");
    }
    return 0;
}
