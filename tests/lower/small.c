// A 32-bit target: pointers of four bytes, size_t of 32 bits.
// flags: -m32 -ffreestanding
// expect: pointer 4
// expect: declare ptr @malloc(i32 type
// expect: index inbounds ptr %*, %* * 8
// expect: field inbounds ptr %*, 4 "next"
// expect: ptrtoint i32
void *malloc(__SIZE_TYPE__);
struct node { int value; struct node *next; };
int sum(struct node *n, int i)
{
    struct node *m = malloc(sizeof *m);
    m->next = &n[i];
    return (int)m + m->next->value;
}
