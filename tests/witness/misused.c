// The first misuse of memory ends the run, as AddressSanitizer ends the program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *p = malloc(10);
    puts("before");
    free(p);
    memset(p, 0, 3);
    puts("after");
    return 0;
}
