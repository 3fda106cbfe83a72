// What only those need who run the program: floats, wide numbers, all bytes of large tables.
typedef float pair __attribute__((vector_size(8)));

// expect: global @third *defined zero size 16 *
// expect: 0: f80 bytes "abaaaaaaaaaaaaaafd3f"
long double third = 1.0L / 3;
// expect: 0: f32 float 1069547520
float f = 1.5f;
// expect: 0: f64 float 4609434218613702656
double d = 1.5;
// expect: 0: i128 bytes "ffffffffffffffffff00000000000000"
unsigned __int128 wide = ((unsigned __int128)255 << 64) | 0xffffffffffffffffULL;
// Zeros at the ends are left out.
// expect: data @v 2 "803f00000040"
pair v = {1, 2};

#define TEN(x) x, x, x, x, x, x, x, x, x, x
#define HUNDRED(x) TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x)
// Numbers left out of the scalars are there as bytes; a long gap of zeros is not.
// expect: global @table * partial *
// expect: data @table 0 "070007000700*
// count 2: data @table
short table[1000] = {HUNDRED(7), HUNDRED(7), HUNDRED(7), [999] = -1};
// expect: data @text 0 "61626361626361*
const char text[] =
    "abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc"
    "abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc"
    "abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc";

// expect: = opaque f64 fadd(%a, %b)
double add(double a, double b) { return a + b; }
// expect: = opaque i1 fcmp.olt(%a, %b)
int less(double a, double b) { return a < b; }
// expect: = opaque i1 fcmp.une(%a, %b)
int unlike(float a, float b) { return a != b; }
// expect: = opaque i32 fptosi(%a)
int whole(double a) { return (int)a; }
// expect: = opaque f64 uitofp(%a)
double real(unsigned a) { return a; }
// expect: = opaque f64 fpext(%a)
double longer(float a) { return a; }
// expect: = opaque i1 smul.over(%a, %b)
int overflows(int a, int b) { int r; return __builtin_mul_overflow(a, b, &r); }
// expect: = opaque i32 ctlz(%a, *
int zeros(unsigned a) { return __builtin_clz(a); }
// expect: = opaque f32 extract.f32(%*, 1)
float second(pair p) { return p[1]; }

struct big { long a[4]; };
int takes(int n, ...);
// A struct among variable arguments goes by value.
// expect: %* = load agg32 %*
int passes(struct big *b) { return takes(1, *b); }
