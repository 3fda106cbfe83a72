// The program's own 'basename' takes a number and gives memory; the library's, which a specification
// describes, takes a string and gives a part of it. What is meant is told by the parameters.
#include <stdlib.h>

char *basename(int number);

char *label(int number)
{
    return basename(number);
}
