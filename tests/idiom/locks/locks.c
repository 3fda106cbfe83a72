// A family that is `scoped` is to be released by the function that obtained it, on every way out: what leads to a
// lock lives on, so that the last pointer to it is never lost.
// run: --spec locks.own
struct lock {
    long state[4];
};
struct section;
void lock_take(struct lock *l);
int lock_try(struct lock *l);
void lock_drop(struct lock *l);
struct section *section_enter(const char *name);
void section_leave(struct section *s);

struct queue {
    struct lock lock;
    int len, room;
    int items[64];
};
static struct lock table_lock;
static int table[64];

int kept_on_the_early_return(struct queue *q, int item) {
    lock_take(&q->lock); // RESOURCE-LEAK queue
    if (q->len == q->room)
        return -1; // LOST queue
    q->items[q->len++] = item;
    lock_drop(&q->lock);
    return 0;
}

int dropped_on_both(struct queue *q, int item) {
    lock_take(&q->lock); // OK
    if (q->len == q->room) {
        lock_drop(&q->lock);
        return -1;
    }
    q->items[q->len++] = item;
    lock_drop(&q->lock);
    return 0;
}

int kept_in_a_global(int at) {
    lock_take(&table_lock); // RESOURCE-LEAK table
    if (at < 0)
        return -1; // LOST table
    int value = table[at & 63];
    lock_drop(&table_lock);
    return value;
}

int kept_when_tried(int at) {
    if (lock_try(&table_lock)) // RESOURCE-LEAK tried
        return -1;
    if (at < 0)
        return -2; // LOST tried
    int value = table[at & 63];
    lock_drop(&table_lock);
    return value;
}

int dropped_when_tried(int at) {
    if (lock_try(&table_lock)) // OK
        return -1;
    int value = at < 0 ? 0 : table[at & 63];
    lock_drop(&table_lock);
    return value;
}

// No way out drops it: that is what the function is for.
void begin(struct queue *q) {
    lock_take(&q->lock); // OK
    q->len = 0;
}

void end(struct queue *q) {
    lock_drop(&q->lock); // OK
}

int kept_between_begin_and_end(struct queue *q, int n) {
    begin(q); // RESOURCE-LEAK between
    if (n > q->room)
        return -1; // LOST between
    q->len = n;
    end(q);
    return 0;
}

// Dropped for a while and taken again: it is the caller's as it was before.
void waits(struct queue *q) {
    lock_drop(&q->lock);
    while (q->len == 0)
        ;
    lock_take(&q->lock); // OK
}

// Where it succeeds the caller has the lock, and only then.
int taken_for_the_caller(struct queue *q, const char *name) {
    struct section *s;
    lock_take(&q->lock); // OK
    s = section_enter(name);
    if (!s) {
        lock_drop(&q->lock);
        return -1;
    }
    section_leave(s);
    return 0;
}

int taken_where_there_is_room(struct queue *q) {
    lock_take(&q->lock); // OK
    if (q->len == q->room) {
        lock_drop(&q->lock);
        return -1;
    }
    return q->len;
}

int *slot_under_lock(struct queue *q) {
    lock_take(&q->lock); // OK
    if (q->len == q->room) {
        lock_drop(&q->lock);
        return 0;
    }
    return &q->items[q->len];
}

static struct section *current;

int section_kept(const char *name, int n) {
    current = section_enter(name); // RESOURCE-LEAK section
    if (!current)
        return -1;
    if (n < 0)
        return -2; // LOST section
    section_leave(current);
    return 0;
}

int section_left(const char *name, int n) {
    current = section_enter(name); // OK
    if (!current)
        return -1;
    n = n < 0 ? -2 : 0;
    section_leave(current);
    return n;
}
