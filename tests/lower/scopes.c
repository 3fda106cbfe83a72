// Ways out of a scope stay apart; every way tells where its variables end.
// absent: switch
// expect: bind kept, none ; scopes.c:22:
// count 3: bind q, none ; scopes.c:19:5/
// count 2: bind i, none
// expect: ret %
void use(char *);
char *obtain(int);
int leave(int n)
{
    char *kept = obtain(n);
    for (int i = 0; i < n; i++) {
        char *q = obtain(i);
        if (i == 3) {
            use(q);
            continue;
        }
        if (i == 4) return 1;
    }
    use(kept);
    return 0;
}
