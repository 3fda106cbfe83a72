// A descriptor that is handed to code without source, which may close it: straight, through wrappers,
// behind `...`, inside a struct, and by the number of a system call.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct channel {
    int file;
    int state;
};

void hand_away(int file);
void hand_away_many(int count, ...);
void channel_end(struct channel *c);

static void end_one(int file)
{
    hand_away(file);
}

static void end_wide(long file)
{
    hand_away((int)file);
}

static void end_list(int file)
{
    hand_away_many(1, file);
}

static void end_field(struct channel *c)
{
    hand_away(c->file);
}

static void end_struct(int file)
{
    struct channel c = {file, 1};
    channel_end(&c);
}

static int close_by_number(int file)
{
    return (int)syscall(SYS_close, file);
}

// Only looks at it.
static int is_open(int file)
{
    return fcntl(file, F_GETFD) >= 0;
}

int by_wrapper(const char *name)
{
    int file = open(name, O_RDONLY); // OK
    if (file < 0)
        return -1;
    end_one(file);
    return 0;
}

int by_wide_wrapper(const char *name)
{
    int file = open(name, O_RDONLY); // OK
    if (file < 0)
        return -1;
    end_wide(file);
    return 0;
}

int behind_dots(const char *name)
{
    int file = open(name, O_RDONLY); // OK
    if (file < 0)
        return -1;
    end_list(file);
    return 0;
}

int in_field(const char *name)
{
    struct channel c = {.file = open(name, O_RDONLY)}; // OK
    if (c.file < 0)
        return -1;
    end_field(&c);
    return 0;
}

int in_struct(const char *name)
{
    int file = open(name, O_RDONLY); // OK
    if (file < 0)
        return -1;
    end_struct(file);
    return 0;
}

int by_number(const char *name)
{
    int file = open(name, O_RDONLY); // OK
    if (file < 0)
        return -1;
    return close_by_number(file);
}

int before_it(const char *name, int early)
{
    int file = open(name, O_RDONLY); // RESOURCE-LEAK early
    if (file < 0)
        return -1;
    if (early)
        return 1; // LOST early
    end_one(file);
    return 0;
}

int by_number_before(const char *name, int early)
{
    int file = open(name, O_RDONLY); // RESOURCE-LEAK number
    if (file < 0 || early)
        return -1; // LOST number
    return close_by_number(file);
}

int only_asked(const char *name)
{
    int file = open(name, O_RDONLY); // RESOURCE-LEAK asked
    return file >= 0 && is_open(file); // LOST asked
}
