// The same question asked twice has one answer while memory is unchanged; globals that are filled when
// they are first needed, volatile ones too.
// run: --level=likely
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int from_file(const char *f)
{
    FILE *in = strcmp(f, "-") ? fopen(f, "r") : stdin; // OK
    if (in == NULL) return -1;
    int c = getc(in);
    if (strcmp(f, "-")) fclose(in);
    return c;
}

int from_file_in_words(const char *f)
{
    FILE *in;
    if (strcmp(f, "-") == 0)
        in = stdin;
    else if ((in = fopen(f, "r")) == NULL) // OK
        return -1;
    char line[256];
    while (fgets(line, sizeof line, in)) puts(line);
    if (strcmp(f, "-") != 0) fclose(in);
    return 0;
}

static int is_stdin(const char *f)
{
    return f[0] == '-' && f[1] == '\0';
}

int by_helper(const char *f)
{
    int fd = is_stdin(f) ? 0 : open(f, O_RDONLY); // OK
    if (fd < 0) return -1;
    char b[64];
    long n = read(fd, b, sizeof b);
    if (!is_stdin(f)) close(fd);
    return (int)n;
}

int wants(const char *a, const char *b)
{
    char *p = NULL;
    if (!strcmp(a, "x") || !strcmp(b, "y")) p = malloc(10); // OK
    puts(a);
    if (!strcmp(a, "x") || !strcmp(b, "y")) free(p);
    return 0;
}

void in_loop(char **names, int n, int v, int w)
{
    for (int i = 0; i < n; i++) {
        char *p = NULL;
        if (v || w) p = strdup(names[i]); // OK
        puts(names[i]);
        if (v || w) free(p);
    }
}

void in_loop_text(char **names, int n)
{
    for (int i = 0; i < n; i++) {
        FILE *f = strcmp(names[i], "-") ? fopen(names[i], "r") : stdin; // OK
        if (!f) continue;
        printf("%d\n", getc(f));
        if (strcmp(names[i], "-")) fclose(f);
    }
}

int env_asked(void)
{
    char *p = NULL;
    if (getenv("DEBUG")) p = malloc(10); // OK
    if (getenv("DEBUG")) free(p);
    return 0;
}

struct cfg { char *path; int kind; };

int field(struct cfg *c)
{
    FILE *f = strcmp(c->path, "-") ? fopen(c->path, "w") : stdout; // OK
    if (!f) return -1;
    fputs("x", f);
    if (strcmp(c->path, "-")) fclose(f);
    return 0;
}

static const char *out_name;
int global_name(void)
{
    FILE *f = stdout;
    if (out_name && strcmp(out_name, "-")) {
        f = fopen(out_name, "w"); // OK
        if (!f) return -1;
    }
    fprintf(f, "hello %d\n", 1);
    if (out_name && strcmp(out_name, "-")) fclose(f);
    return 0;
}

int changed_between(char *f)
{
    FILE *in = strcmp(f, "-") ? fopen(f, "r") : stdin; // RESOURCE-LEAK in
    if (in == NULL) return -1;
    strcpy(f, "-");
    if (strcmp(f, "-")) fclose(in);
    return 0; // LOST in
}

// lazily filled
static char *cache;
const char *get_cache(void)
{
    if (!cache) cache = strdup("x"); // OK
    return cache;
}
void use_cache(void)
{
    puts(get_cache());
    puts(get_cache());
}

static volatile char *vcache;
const char *get_vcache(void)
{
    if (!vcache) vcache = strdup("x"); // OK
    return (const char *)vcache;
}
void use_vcache(void)
{
    puts(get_vcache());
    puts(get_vcache());
}

const char *home_dir(void)
{
    static char *home;
    if (home == NULL) {
        const char *h = getenv("HOME");
        home = strdup(h ? h : "/"); // OK
    }
    return home;
}
int twice_home(void)
{
    return home_dir() == home_dir();
}

static char *bufs[4];
char *rotating(size_t n)
{
    static int i;
    i = (i + 1) % 4;
    free(bufs[i]);
    bufs[i] = malloc(n); // OK
    return bufs[i];
}

static char *line_buf;
static size_t line_cap;
char *grow(size_t n)
{
    if (n > line_cap) {
        char *q = realloc(line_buf, n); // OK
        if (!q) return NULL;
        line_buf = q;
        line_cap = n;
    }
    return line_buf;
}

volatile int dev_fd = -1;
int dev_open(void)
{
    if (dev_fd < 0) dev_fd = open("/dev/null", O_RDWR); // OK
    return dev_fd;
}
void dev_close(void)
{
    if (dev_fd >= 0) {
        close(dev_fd);
        dev_fd = -1;
    }
}
int dev_use(void)
{
    int fd = dev_open();
    if (fd < 0) return -1;
    long n = write(fd, "x", 1);
    dev_close();
    return (int)n;
}
