// Switches, computed goto, asm goto, select, calls that end the program or return twice.
// expect: switch i32 %n, 1: b*, 2: b*, -7: b*, default: b*
// expect: goto %*, b*, b*
// expect: ptr block @computed
// expect: goto none, b*, b*
// expect: call noreturn void @exit(1)
// expect: call twice i32 @setjmp(
// expect: declare void @exit(i32 type *) noreturn
// expect: unreachable
// expect: asm
// expect: nop ; control.c:*
typedef long jmp_buf[32];
void exit(int) __attribute__((noreturn));
int setjmp(jmp_buf) __attribute__((returns_twice));
int choose(int n)
{
    switch (n) {
    case 1: return 10;
    case 2: return 20;
    case -7: n++;
    default: return n;
    }
}
int computed(int *code)
{
    static void *const labels[] = {&&add, &&stop};
    int sum = 0;
    goto *labels[*code];
add:
    sum += *code++;
    goto *labels[*code];
stop:
    return sum;
}
int jump(int x)
{
    asm goto("test %0, %0; jne %l1" : : "r"(x) : : out);
    return 1;
out:
    return 2;
}
int end(jmp_buf b, int fail)
{
    if (setjmp(b)) return 1;
    if (fail) exit(1);
    asm volatile("" : : : "memory");
    return 0;
}
