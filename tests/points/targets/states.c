// A state machine whose states return the next one, an undo stack, and what is chosen at the start.
#include <stddef.h>
struct parser;
typedef struct state {
    struct state (*next)(struct parser *);
} State;
struct parser {
    const char *at;
    int depth;
};
static State in_text(struct parser *p), in_tag(struct parser *p), in_end(struct parser *p);
static State in_text(struct parser *p) { return *p->at++ == '<' ? (State){in_tag} : (State){in_text}; }
static State in_tag(struct parser *p) { return *p->at++ == '>' ? (State){in_text} : (State){in_end}; }
static State in_end(struct parser *p) { return p->depth ? (State){in_text} : (State){NULL}; }
static State never(struct parser *p) { return p->depth ? (State){never} : (State){NULL}; }
static State (*spare)(struct parser *) = never;
static void undo_insert(struct parser *p) { p->at--; }
static void undo_delete(struct parser *p) { p->at++; }
static void redo(struct parser *p) { p->depth++; }
static void (*undo[8])(struct parser *);
static int undos;
static void report_short(struct parser *p) { p->depth = 1; }
static void report_long(struct parser *p) { p->depth = 2; }
static void (*report)(struct parser *);
static void (*again)(struct parser *) = redo;
static void parse(struct parser *p)
{
    State s = {in_text};
    while (s.next) s = s.next(p); // CALLS in_text, in_tag, in_end
    undo[undos++] = undo_insert;
    undo[undos++] = undo_delete;
}
static void undo_all(struct parser *p)
{
    while (undos) undo[--undos](p); // CALLS undo_insert, undo_delete
    again(p); // CALLS redo
}
int main(int argc, char **argv)
{
    struct parser p = {argv[0], argc};
    report = argc > 1 ? report_long : report_short;
    parse(&p);
    undo_all(&p);
    report(&p); // CALLS report_long, report_short
    if (argc > 3) spare(&p); // CALLS never
    return p.depth;
}
