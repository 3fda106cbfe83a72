// A function that goes back early when it cannot take what it is given, and otherwise keeps it after many tests: the way
// back early is not joined with the others, so that what its caller loses then is seen.
#include <stdlib.h>

struct screen {
    int wide, high, count;
    const char **names;
};

struct style {
    int fore, back;
};

struct box {
    struct screen *on;
    int x, y, lines, style, mode, choice;
    struct style edge, inner, chosen;
    void (*done)(void *data, int choice);
    void *data;
};

void draw_begin(struct box *b);
void draw_end(struct box *b);
void set_style(struct style *s, int number, const char *of);
int default_lines(void);

static struct box *box_prepare(struct screen *s, int x, int y, int wide, int high, int lines,
                               int style, int first, void (*done)(void *, int), void *data)
{
    if (s->wide < wide + 4 || s->high < high + 2)
        return NULL;
    if (x + wide > s->wide)
        x = s->wide - wide;
    if (y + high > s->high)
        y = s->high - high;
    if (lines < 0)
        lines = default_lines();
    struct box *b = calloc(1, sizeof *b);
    if (!b)
        abort();
    b->on = s;
    b->lines = lines;
    b->style = style;
    draw_begin(b);
    set_style(&b->edge, style, "edge");
    set_style(&b->inner, style >> 8, "inner");
    set_style(&b->chosen, style >> 16, "chosen");
    if (~b->style & 1)
        b->mode |= 6;
    b->mode &= ~8;
    b->choice = -1;
    if (b->style & 1) {
        for (int at = 0; at < s->count; at++)
            if (s->names[at] && *s->names[at] != '-')
                b->choice = at;
    }
    if (first >= 0 && b->choice < first)
        b->choice = first;
    b->x = x;
    b->y = y;
    b->done = done;
    b->data = data;
    if (b->style & 2) {
        draw_begin(b);
        b->choice = 0;
        return b;
    }
    if (b->style & 4) {
        draw_begin(b);
        b->choice = 1;
        return b;
    }
    return b;
}

static int box_show(struct screen *s, int x, int y, int lines, int style,
                    void (*done)(void *, int), void *data)
{
    struct box *b = box_prepare(s, x, y, 20, 10, lines, style, 0, done, data);
    if (!b)
        return -1;
    draw_end(b);
    return 0;
}

struct request {
    int line;
};

static void answered(void *data, int choice)
{
    (void)choice;
    free(data);
}

void ask(struct screen *s, int line, int style)
{
    struct request *r = malloc(sizeof *r); // LEAK refused
    if (!r)
        abort();
    r->line = line;
    if (box_show(s, line, line, -1, style, answered, r) != 0)
        return; // LOST refused
}

void ask_and_clean(struct screen *s, int line, int style)
{
    struct request *r = malloc(sizeof *r); // OK
    if (!r)
        abort();
    r->line = line;
    if (box_show(s, line, line, -1, style, answered, r) != 0)
        free(r);
}
