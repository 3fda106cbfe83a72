// Atomic operations are loads and stores.
// expect: load atomic i32
// expect: store atomic i32
// expect: add i32 %*, 5
// expect: ptrtoint i64 %want
// expect: select i64 %*
// expect: branch
// expect: load volatile i32
// expect: slt i32
// absent: opaque
_Atomic int count;
_Atomic(void *) head;
volatile int port;
int add(void) { return __c11_atomic_fetch_add(&count, 5, __ATOMIC_SEQ_CST); }
int most(int n) { return __atomic_fetch_max((int *)&count, n, __ATOMIC_RELAXED); }
_Bool swap(void *want, void *with)
{
    return __c11_atomic_compare_exchange_strong(&head, &want, with, __ATOMIC_SEQ_CST,
                                                __ATOMIC_SEQ_CST);
}
_Bool swap_builtin(void **at, void *want, void *with)
{
    return __sync_bool_compare_and_swap(at, want, with);
}
void *take(void) { return __c11_atomic_exchange(&head, 0, __ATOMIC_ACQUIRE); }
int read_port(void) { return port; }
void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
