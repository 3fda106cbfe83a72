// annotate attributes, constructors, address-taken functions.
// expect: annotate @obtain "own.ret malloc, 1"
// expect: annotate @obtain "other"
// expect: annotate @outside "own.take malloc, 1"
// expect: constructor @early
// expect: constructor @late
// expect: @early() *constructor
// expect: @taken(*address_taken
// absent: @called(*address_taken
// absent: @llvm.
// absent: llvm.metadata
void *malloc(unsigned long);
__attribute__((annotate("own.ret malloc, 1"), annotate("other"))) void *obtain(unsigned long n)
{
    return malloc(n);
}
__attribute__((constructor(300))) static void late(void) { obtain(2); }
__attribute__((constructor(200))) static void early(void) { obtain(1); }
static int taken(int x) { return x; }
static int called(int x) { return x; }
__attribute__((used)) static int kept(int x) { return x; }
int (*chosen)(int) = taken;
int use(int (*f)(int)) { return f(called(1)); }
__attribute__((annotate("own.take malloc, 1"))) void outside(void *);
int go(void) { return outside(obtain(1)), use(taken); }
