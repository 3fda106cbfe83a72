// Names of variables, parameters, fields and their types; positions of assignments and scope ends.
// expect: func ptr @fill(ptr %list type *, i64 %p1 "x" type *, i64 %p2 "x" type *, ptr %name const type
// expect: local copy size 40 align 8 type
// expect: var size type * ; names.c:43:0
// expect: var list param 1 type
// expect: field inbounds ptr %list, 0 "next"
// expect: field inbounds ptr %*, 8 "item"
// expect: field inbounds ptr %*, 8 "inner"
// expect: field inbounds ptr %*, 8 "text"
// expect: bind p, %* ; names.c:47:
// expect: bind p, null ; names.c:48:
// expect: bind p, none ; names.c:51:1/
// expect: bind size, 0 ; names.c:43:9/1
// expect: type * = struct "list" size 40 { * "next", * "item" at 64, * "low" at 256 bits 3, * "high" at 259 bits 5
// expect: int "unsigned int" unsigned size 4
// expect: int "char" size 1
// expect: bool "_Bool" size 1
// expect: float "double" size 8
// expect: array size 48 count 2 {
// expect: array size 24 count 3 {
// expect: global @fill.calls * static size 4 type * source "calls" ; names.c:42:0
// expect: declare * @strdup(ptr const type *) malloclike
// expect: declare void @borrow(ptr const type *) type
// expect: declare void @keep(ptr type *) type
typedef unsigned long size_t;
void *malloc(size_t);
char *strdup(const char *) __attribute__((malloc));
typedef const char *Text;
void borrow(Text volatile t);
void keep(char *t);
typedef struct {
    int n;
    struct {
        int a;
        char *text;
    } inner;
} Item;
struct list { struct list *next; Item item; unsigned low : 3, high : 5; };
struct pair { long a, b; };
struct list *fill(struct list *list, struct pair x, const char *const name)
{
    static int calls;
    int size = 0;
    struct list copy = *list;
    _Bool grow = calls++ > 3;
    double rate[2][3] = {{1}};
    char *p = malloc(4);
    p = 0, strdup(name);
    borrow(name), keep(copy.item.inner.text);
    return grow && rate[1][x.a] > x.b ? list->next : list;
}
int use_low(struct list *l, unsigned *u) { return l->low + *u; }
