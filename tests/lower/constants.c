// Constant expressions, initialisers, strings, aliases, ifuncs, thread locals, weak symbols.
// expect: global @table defined zero size 32 type
// expect:   8: ptr @one
// expect:   16: ptr @numbers + 8
// expect:   24: i64 -1
// expect: declare i32 @one(*) address_taken
// expect: load i32 @numbers + 12
// expect: global @numbers defined zero size 16
// expect:   4: i32 2
// expect: text "short"
// expect: ptrtoint i64 @numbers
// expect: inttoptr ptr i64 -1
// expect: global @large * partial
// expect: global @per_thread thread defined
// expect: func * @target
// expect: alias @target
// expect: declare i32 @dispatch(i32) ifunc alias @resolve
// expect: weak
// expect: common
// expect: global @also_numbers * alias @numbers
// expect: ptr @numbers + 4
// flags: -fcommon
typedef unsigned long size_t;
int one(void);
int numbers[4] = {1, 2, 0, 4};
struct row { void *zero; int (*f)(void); int *at; void *bad; };
struct row table = {0, one, &numbers[2], (void *)-1};
const char *text = "short";
int large[1000] = {1, 2, 3, 4, 5, 6, [999] = 7};
struct row many[200] = {[150] = {0, one, numbers + 1, 0}, {0}};
char bytes[400] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, [399] = 9};
__thread int per_thread;
int common_one;
int target(int x) { return x + numbers[3] + per_thread + common_one; }
int other_name(int) __attribute__((alias("target")));
int weak_one(int) __attribute__((weak));
static int (*resolve(void))(int) { return target; }
int dispatch(int) __attribute__((ifunc("resolve")));
extern int also_numbers[4] __attribute__((alias("numbers")));
size_t address(void) { return (size_t)numbers; }
int is_bad(void *p) { return p == (void *)-1; }
int *either(int c) { return c ? numbers + 1 : (int *)8; }
int calls(void) { return other_name(1) + dispatch(2) + (weak_one ? weak_one(3) : 0) + also_numbers[1]; }
