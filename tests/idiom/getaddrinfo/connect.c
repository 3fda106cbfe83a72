// getaddrinfo's list goes with freeaddrinfo; the socket with close.
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int connected(const char *host, const char *port) {
    struct addrinfo hints, *list, *a;
    int fd = -1;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, port, &hints, &list) != 0) // OK
        return -1;
    for (a = list; a != NULL; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol); // OK
        if (fd < 0)
            continue;
        if (connect(fd, a->ai_addr, a->ai_addrlen) == 0)
            break;
        close(fd);
        fd = -1;
    }
    freeaddrinfo(list);
    return fd;
}

int list_forgotten_on_success(const char *host, const char *port) {
    struct addrinfo *list;
    if (getaddrinfo(host, port, NULL, &list) != 0) // LEAK list
        return -1;
    int fd = socket(list->ai_family, list->ai_socktype, 0); // OK
    if (fd < 0) {
        freeaddrinfo(list);
        return -1;
    }
    return fd; // LOST list
}

int socket_forgotten_on_failure(const char *host, const char *port) {
    struct addrinfo *list;
    if (getaddrinfo(host, port, NULL, &list) != 0) // OK
        return -1;
    int fd = socket(list->ai_family, list->ai_socktype, 0); // RESOURCE-LEAK fd
    if (fd >= 0 && connect(fd, list->ai_addr, list->ai_addrlen) < 0) {
        freeaddrinfo(list);
        return -1; // LOST fd
    }
    freeaddrinfo(list);
    return fd;
}
