// Builtins and integer operations; floats and vectors are opaque.
// expect: add nsw i32 %a, %b
// expect: slt i32 %b, %a
// expect: ule i32 %d, %c
// expect: udiv i32
// expect: srem i32
// expect: ashr i32
// expect: opaque f64
// expect: opaque i32
// expect: select i32
// expect: sext i64
// expect: mul i64
// expect: opaque i1
// absent: call * @llvm.
// count 2: field inbounds ptr %*, 4096
int add(int a, int b) { return a + b; }
int greater(int a, int b) { return a > b; }
int at_least(unsigned c, unsigned d) { return c >= d; }
unsigned quotient(unsigned a, unsigned b) { return a / b; }
int rest(int a, int b) { return a % b >> 2; }
double mean(double a, double b) { return (a + b) / 2; }
int swap_bytes(int a) { return __builtin_bswap32(a); }
int magnitude(int a) { return __builtin_abs(a) + __builtin_popcount(a) + __builtin_expect(a, 1); }
int checked(long a, long b, long *r) { return __builtin_mul_overflow(a, b, r); }
typedef int v4 __attribute__((vector_size(16)));
v4 lanes(v4 a, v4 b) { return a * b; }
int lane(v4 a, int i) { return a[i]; }
__int128 wide(__int128 a) { return a * 3; }
char *page(char *p) { return p + 4096; }
struct wide_row { char pad[4096]; int x; };
int *column(struct wide_row *r, int i) { return &r[i].x; }
int fits(void *p) { return __builtin_object_size(p, 0) == (unsigned long)-1; }
char *down(char *p) { return __builtin_align_down(p, 16); }
