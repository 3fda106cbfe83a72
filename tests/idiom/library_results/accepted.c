// The length of a peer's address is never 0 after accept(): the branch for that is not taken with a
// descriptor.
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

void serve(int s);

int no_address(int listener)
{
    struct sockaddr_storage from;
    socklen_t length = sizeof from;
    int s = accept(listener, (struct sockaddr *)&from, &length); // OK
    if (s == -1 || length <= 0)
        return errno == EINVAL ? 0 : -1;
    serve(s);
    close(s);
    return 1;
}

int too_long(int listener)
{
    struct sockaddr_storage from;
    socklen_t length = sizeof from;
    int s = accept(listener, (struct sockaddr *)&from, &length); // RESOURCE-LEAK long
    if (s == -1 || length > 64)
        return -1; // LOST long
    serve(s);
    close(s);
    return 1;
}
