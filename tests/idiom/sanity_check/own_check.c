// A check of the program's own that reports the failed expression with file and line, and goes on: the program
// takes it to be impossible. A message with file and line is no such check.
#include <stdlib.h>

void report_check(const char *file, const char *function, int line, const char *expression, int dump);
void log_message(const char *file, const char *function, int line, const char *text, int n);
#define CHECK(x, otherwise) \
    do { \
        if (!(x)) { \
            report_check(__FILE__, __func__, __LINE__, #x, 0); \
            otherwise; \
        } \
    } while (0)
#define LOG(text, n) log_message(__FILE__, __func__, __LINE__, text, n)

struct item {
    const char *place;
    int kind;
};

struct item *never_without_place(const char *place)
{
    struct item *i = malloc(sizeof *i); // LEAK item AUDIT because UNEXPECTED
    if (!i)
        return NULL;
    CHECK(place != NULL, return NULL); // LOST item
    i->place = place;
    return i;
}

struct item *logged_without_place(const char *place)
{
    struct item *i = malloc(sizeof *i); // LEAK logged SURE
    if (!i)
        return NULL;
    if (!place) {
        LOG("there is no place -> nothing is made", 3);
        return NULL; // LOST logged
    }
    i->place = place;
    return i;
}

struct item *released_without_place(const char *place)
{
    struct item *i = malloc(sizeof *i); // OK
    if (!i)
        return NULL;
    CHECK(place != NULL, free(i); return NULL);
    i->place = place;
    return i;
}

int printf(const char *format, ...);
extern int stop_on_failure;
#define SHOULD(x) \
    do { \
        if (!(x)) { \
            printf("FAIL: %s:%d: %s: assert failed: " #x ": ", __FILE__, __LINE__, __func__); \
            if (stop_on_failure) \
                abort(); \
            return 1; \
        } \
    } while (0)
#define SHOULD_NOT_FAIL(x) \
    do { \
        if (!(x)) { \
            printf("%s:%d: %s: " #x " failed\n", __FILE__, __LINE__, __func__); \
            return 1; \
        } \
    } while (0)
struct item *parse(const char *text);

int tried(const char *text)
{
    char *copy = malloc(10); // LEAK copy AUDIT because UNEXPECTED
    if (!copy)
        return 0;
    SHOULD(parse(text) != NULL && // LOST copy
           parse(copy) == NULL);
    free(copy);
    return 0;
}

int told(const char *text)
{
    char *copy = malloc(10); // LEAK told SURE
    if (!copy)
        return 0;
    SHOULD_NOT_FAIL(parse(text) != NULL); // LOST told
    free(copy);
    return 0;
}
