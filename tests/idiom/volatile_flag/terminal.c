// A flag that signal handlers look at is set and asked for again: it still has its value.
#include <fcntl.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

static volatile sig_atomic_t needs_closing;
static int fd = -1;
static struct termios old;

static void close_terminal(void) {
    if (needs_closing)
        close(fd);
    needs_closing = 0;
    fd = -1;
}

int closed_again(int standard_input) {
    if (fd < 0)
        fd = standard_input ? 0 : open("/dev/tty", O_RDWR); // OK
    if (fd < 0)
        return -1;
    needs_closing = !standard_input;
    if (tcgetattr(fd, &old) < 0) {
        close_terminal();
        return -1;
    }
    return 0;
}

int left_open(const char *path) {
    int file = open(path, O_RDWR); // RESOURCE-LEAK file
    if (file < 0)
        return -1;
    if (tcgetattr(file, &old) < 0)
        return -1; // LOST file
    close(file);
    return 0;
}
