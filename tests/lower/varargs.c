// Variable arguments.
// expect: func i32 @sum(i32 %n type *) varargs
// expect: va.start %
// expect: va.copy %*, %*
// expect: va.end %
// expect: call i32 @sum(2, 1, 2)
// expect: declare i32 @vprintf(ptr const type *, ptr
// expect: type * = func varargs { t*, t* }
typedef __builtin_va_list va_list;
int vprintf(const char *, va_list);
int sum(int n, ...)
{
    va_list ap, copy;
    int s = 0;
    __builtin_va_start(ap, n);
    __builtin_va_copy(copy, ap);
    while (n--) s += __builtin_va_arg(ap, int);
    vprintf("%d", copy);
    __builtin_va_end(copy);
    __builtin_va_end(ap);
    return s;
}
int call(void) { return sum(2, 1, 2); }
