// Intrusive lists of three kinds, global and local: emptied by a safe walk, one by one with calls in
// between, searched, sorted, reversed.
// run: --level=likely
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD_INIT(n) { &(n), &(n) }
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
#define list_entry container_of
#define list_for_each_entry_safe(pos, n, head, member) \
    for (pos = list_entry((head)->next, __typeof__(*pos), member), \
        n = list_entry(pos->member.next, __typeof__(*pos), member); \
        &pos->member != (head); \
        pos = n, n = list_entry(n->member.next, __typeof__(*n), member))
static void INIT_LIST_HEAD(struct list_head *h) { h->next = h->prev = h; }
static int list_empty(const struct list_head *h) { return h->next == h; }
static void list_add_tail(struct list_head *n, struct list_head *h)
{
    n->prev = h->prev;
    n->next = h;
    h->prev->next = n;
    h->prev = n;
}
static void list_del(struct list_head *e)
{
    e->prev->next = e->next;
    e->next->prev = e->prev;
    e->next = e->prev = NULL;
}

struct item { int id; char *name; struct list_head node; };
static struct list_head items = LIST_HEAD_INIT(items);

int item_add(const char *name)
{
    struct item *i = calloc(1, sizeof *i); // OK
    if (!i) return -1;
    i->name = strdup(name); // OK
    if (!i->name) {
        free(i);
        return -1;
    }
    list_add_tail(&i->node, &items);
    return 0;
}
void item_free(struct item *i)
{
    free(i->name);
    free(i);
}
void items_clear(void)
{
    struct item *i, *n;
    list_for_each_entry_safe(i, n, &items, node) {
        list_del(&i->node);
        item_free(i);
    }
}
void items_clear_while(void)
{
    while (!list_empty(&items)) {
        struct item *i = list_entry(items.next, struct item, node);
        list_del(&i->node);
        puts(i->name);
        item_free(i);
    }
}
int items_remove(int id)
{
    struct item *i, *n;
    list_for_each_entry_safe(i, n, &items, node) {
        if (i->id != id) continue;
        list_del(&i->node);
        item_free(i);
        return 1;
    }
    return 0;
}
int add_two(void)
{
    if (item_add("a") < 0) return -1;
    if (item_add("b") < 0) return -1;
    items_clear();
    return 0;
}
int local_list(int n)
{
    struct list_head l;
    INIT_LIST_HEAD(&l);
    for (int k = 0; k < n; k++) {
        struct item *i = calloc(1, sizeof *i); // OK
        if (!i) break;
        list_add_tail(&i->node, &l);
    }
    struct item *i, *m;
    list_for_each_entry_safe(i, m, &l, node) {
        list_del(&i->node);
        item_free(i);
    }
    return 0;
}

struct conn { int fd; char *host; TAILQ_ENTRY(conn) link; };
TAILQ_HEAD(conns, conn);
static struct conns all = TAILQ_HEAD_INITIALIZER(all);

struct conn *conn_new(const char *host)
{
    struct conn *c = calloc(1, sizeof *c); // OK
    if (!c) return NULL;
    c->host = strdup(host); // OK
    if (!c->host) {
        free(c);
        return NULL;
    }
    TAILQ_INSERT_TAIL(&all, c, link);
    return c;
}
void conn_free(struct conn *c)
{
    TAILQ_REMOVE(&all, c, link);
    free(c->host);
    free(c);
}
void conns_free(void)
{
    struct conn *c;
    while ((c = TAILQ_FIRST(&all)) != NULL) conn_free(c);
}
void conns_free_inline(void)
{
    struct conn *c;
    while (!TAILQ_EMPTY(&all)) {
        c = TAILQ_FIRST(&all);
        TAILQ_REMOVE(&all, c, link);
        printf("%s\n", c->host);
        free(c->host);
        free(c);
    }
}
int conn_use(void)
{
    struct conn *a = conn_new("a"), *b = conn_new("b");
    if (!a || !b) {
        if (a) conn_free(a);
        if (b) conn_free(b);
        return -1;
    }
    conn_free(a);
    conn_free(b);
    return 0;
}

struct node { struct node *next; char *text; };
struct stack { struct node *head, **tail; int count; };
int stack_push(struct stack *s, const char *t)
{
    struct node *n = malloc(sizeof *n); // OK
    if (!n) return -1;
    if (!(n->text = strdup(t))) { // OK
        free(n);
        return -1;
    }
    n->next = NULL;
    *s->tail = n;
    s->tail = &n->next;
    s->count++;
    return 0;
}
void stack_clear(struct stack *s)
{
    struct node *n, *next;
    for (n = s->head; n; n = next) {
        next = n->next;
        free(n->text);
        free(n);
    }
    s->head = NULL;
    s->tail = &s->head;
    s->count = 0;
}
int stack_use(void)
{
    struct stack s = {NULL, NULL, 0};
    s.tail = &s.head;
    if (stack_push(&s, "a") < 0 || stack_push(&s, "b") < 0) {
        stack_clear(&s);
        return -1;
    }
    stack_clear(&s);
    return 0;
}
struct node *insert_sorted(struct node *head, struct node *n)
{
    struct node **pp = &head;
    while (*pp && strcmp((*pp)->text, n->text) < 0) pp = &(*pp)->next;
    n->next = *pp;
    *pp = n;
    return head;
}
struct node *read_sorted(FILE *f)
{
    char line[256];
    struct node *head = NULL;
    while (fgets(line, sizeof line, f)) {
        struct node *n = malloc(sizeof *n); // OK
        if (!n) break;
        n->text = strdup(line); // OK
        if (!n->text) {
            free(n);
            break;
        }
        head = insert_sorted(head, n);
    }
    return head;
}
void unlink_one(struct node **list, struct node *n)
{
    for (struct node **pp = list; *pp; pp = &(*pp)->next)
        if (*pp == n) {
            *pp = n->next;
            free(n->text);
            free(n);
            return;
        }
}
static struct node *reverse(struct node *l)
{
    struct node *r = NULL;
    while (l) {
        struct node *next = l->next;
        l->next = r;
        r = l;
        l = next;
    }
    return r;
}
int reversed(const char *a, const char *b)
{
    struct stack s = {NULL, NULL, 0};
    s.tail = &s.head;
    stack_push(&s, a);
    stack_push(&s, b);
    s.head = reverse(s.head);
    stack_clear(&s);
    return 0;
}

int forgets_name(int id)
{
    struct item *i, *n;
    list_for_each_entry_safe(i, n, &items, node) {
        if (i->id == id) {
            char *copy = strdup(i->name); // LEAK copy
            list_del(&i->node);
            item_free(i);
            return copy != NULL; // LOST copy
        }
    }
    return 0;
}
int twice(int id)
{
    struct item *i, *n;
    list_for_each_entry_safe(i, n, &items, node) {
        if (i->id == id) {
            list_del(&i->node);
            item_free(i);
            free(i); // DOUBLE-FREE
            return 1;
        }
    }
    return 0;
}
