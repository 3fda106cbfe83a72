// Memory that comes only for a null pointer, which the function never asks for.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int into_the_callers_buffer(char *buf, size_t size) {
    if (getcwd(buf, size) == NULL) // OK: the buffer is the caller's
        return -1;
    return 0;
}

int into_new_memory(void) {
    char *directory = getcwd(NULL, 0); // LEAK directory
    if (directory == NULL)
        return -1;
    puts(directory);
    return 0; // LOST directory
}

char *shared_room(size_t size);

static char *in_room(char *room, size_t size) {
    return getcwd(room, size);
}

int into_the_shared_room(size_t size) {
    char *room = shared_room(size);
    return in_room(room, size) != NULL; // OK: the room is there
}
