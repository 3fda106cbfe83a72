// The command line.
#include <stdio.h>

int main(void)
{
    puts("stanch " STANCH_VERSION);
    return 0;
}
