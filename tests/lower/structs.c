// Structs by value, returned structs, copies, unions, bit fields, variable-length arrays.
// expect: func void @make_big(ptr %* sret*, i32 %n type
// expect: func i64 @take_big(ptr %b byval size 64 type
// expect: func i64 @take_pair(i64 %p* "p" type *, ptr %p* "p" type *)
// expect: copy %*, %*, 64
// expect: fill %*, 0, 64
// expect: copy volatile
// expect: local vla
// expect: alloca ptr vla, %
// expect: union "either" size 8 { * "number", * "text" }
// expect: and i8 %*, -16
// expect: func void @touch(i32 %first type *, ptr %b byval size 64 type
// absent: , 0 "number"
// expect: life.end %
struct big { long a[8]; };
struct pair { long a; char *b; };
union either { int number; char *text; };
struct bits { unsigned a : 4, b : 4; };
void sink(void *);
struct big make_big(int n) { struct big b = {{0}}; b.a[n] = 1; return b; }
long take_big(struct big b) { return b.a[1]; }
long take_pair(struct pair p) { return p.a; }
char *pick(union either e) { e.text++; sink(&e); return e.text; }
void set(struct bits *b) { b->a = 3; }
void touch(int first, struct big b) { struct big copy = b; sink(&copy); }
void copy_volatile(volatile struct big *a, struct big *b) { *a = *b; }
void vary(int n) { char vla[n]; sink(vla); }
long use(void) { struct pair p = {1, 0}; return take_big(make_big(2)) + take_pair(p); }
