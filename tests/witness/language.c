// What C has: sorting with a callback, jumps, computed goto, variable arguments, tables with floats
// and addresses, wide numbers, bit fields, structs by value, formats. Run natively and interpreted.
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    int a;
    double d;
    const char *p;
} rows[] = {{1, 2.5, "x"}, {2, 3.5, "yy"}};
struct big {
    long a[5];
};
struct pair {
    float x, y;
};
struct bits {
    unsigned a : 3;
    int b : 7;
    unsigned long c : 40;
};
struct wide {
    unsigned long a : 50, b : 60, c : 61;
    int d : 9;
} __attribute__((packed));
static jmp_buf back;

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void deep(int n)
{
    if (!n) longjmp(back, 7);
    deep(n - 1);
}

static double sum(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    double s = 0;
    for (int i = 0; i < n; i++) s += i % 2 ? va_arg(ap, double) : va_arg(ap, int);
    struct big b = va_arg(ap, struct big);
    long double wide = va_arg(ap, long double);
    va_end(ap);
    return s + b.a[4] + (double)wide;
}

static struct pair twice(struct pair p)
{
    return (struct pair){2 * p.x, 2 * p.y};
}

static struct big moved(struct big b)
{
    b.a[0]++;
    return b;
}

static int join(char *to, size_t n, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int r = vsnprintf(to, n, format, ap);
    va_end(ap);
    return r;
}

static void text(void)
{
    char a[40] = "one,two,,three", *rest = NULL, *piece = strtok_r(a, ",", &rest);
    for (; piece; piece = strtok_r(NULL, ",", &rest)) printf("[%s]", piece);
    printf(" %zu %d %s\n", strspn("aabc", "ab"), strcmp("b", "a") > 0, strstr("haystack", "st"));
    char b[16];
    printf("%d ", join(b, sizeof b, "%-5s|%05d|%x|%.2f", "ab", 42, 255, 3.14159));
    printf("%s %c%c %ld\n", b, toupper('q'), isalpha('1') ? 'y' : 'n', strtol("0x1fz", NULL, 0));
}

static void numbers(int n)
{
    unsigned __int128 w = (unsigned __int128)0xfedcba9876543210u * 0x123456789abcdefu;
    printf("%lx %lx\n", (unsigned long)(w >> 64), (unsigned long)w);
    struct bits b = {.a = 9, .b = -5, .c = 1ul << 39};
    b.c += (unsigned long)n;
    printf("%u %d %lx\n", b.a, b.b, (unsigned long)b.c);
    struct wide w2 = {.a = 1ul << 49, .b = 3, .c = 77, .d = -200};
    w2.b += (unsigned long)n << 50;
    w2.c ^= 1ul << 60;
    printf("%lx %lx %lx %d\n", (unsigned long)w2.a, (unsigned long)w2.b, (unsigned long)w2.c, w2.d);
    unsigned _BitInt(200) big = 5;
    big = (big << 150) + (unsigned)n;
    printf("%lx %lx %d\n", (unsigned long)(big >> 140), (unsigned long)big, big > 7);
    float f = 1;
    for (int i = 0; i < 10; i++) f /= 3;
    long double l = 1;
    for (int i = 0; i < 10; i++) l /= 3;
    int r;
    printf("%.9g %.17g %d %d\n", f, (double)l, __builtin_mul_overflow(1 << 20, 1 << 20, &r), r);
    printf("%d %u %d\n", -7 / 2, (unsigned)-7 % 5, (signed char)200 >> 1);
    printf("%d %d %d\n", (int)-2.7, 0.1 + 0.2 == 0.3, (int)(unsigned char)3.9e2f);
}

int main(int argc, char **argv)
{
    int a[] = {5, 3, 9, 1}, key = 9;
    qsort(a, 4, sizeof *a, by_number);
    for (int i = 0; i < 4; i++) printf("%d ", a[i]);
    printf("%td\n", (int *)bsearch(&key, a, 4, sizeof *a, by_number) - a);
    printf("%s %f %d %s\n", rows[1].p, rows[1].d * 1.1, argc, argv[1] ? "more" : "none");
    int r = setjmp(back);
    if (!r) deep(3);
    printf("back with %d\n", r);
    struct big b = {{1, 2, 3, 4, 5}};
    printf("%g\n", sum(12, 1, 2.5, 3, 4.5, 5, 6.5, 7, 8.5, 9, 10.5, 11, 12.5, moved(b), 0.5L));
    struct pair p = twice((struct pair){1.5f, 2.5f});
    printf("%g %g\n", p.x, p.y);
    static const void *const ways[] = {&&one, &&two};
    goto *ways[argc > 1];
one:
    puts("one");
two:
    puts("two");
    text();
    numbers(argc);
    char *s = malloc(10);
    strcpy(s, "hello");
    s = realloc(s, 100);
    strcat(s, " world");
    puts(s);
    char *lost = strdup("lost");
    lost = calloc(3, 7);
    lost = s;
    free(lost);
    return 3;
}
