#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int copy_name(const char *t, int c)
{
    char *s = strdup(t);
    if (!s) return 0;
	if (c < 0) {
		/* naïve: ü */ return -1;
    }
    puts(s);
    free(s);
    return 1;
}

void twice(char *p)
{
    free(p);
    if (p[0]) puts(p);
    free(p);
}

int lines(const char *path)
{
    FILE *f = fopen(path, "r");
    char *line = malloc(100);
    if (!line) return -1;
    fgets(line, 100, f);
    free(line + 1);
    fclose(f);
    return 0;
}
