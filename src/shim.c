// What runs in a compiler's place while a build is observed: a program of its own because stanch
// itself takes twenty milliseconds to load its libraries, and a configure script calls a compiler
// a thousand times. See capture/wrap.c.
#include "capture/capture.h"

int main(int argc, char **argv)
{
    return capture_shim_main(argc, argv);
}
