// Headers and fixtures for the recipes of ncurses.own. The terminal is a file.
#include "run.h"

#include <form.h>
#include <menu.h>
#include <ncurses.h>
#include <panel.h>
#include <stdlib.h>

#undef set_term
#undef box

static FILE *to, *from;
static inline void begin(void)
{
    to = fopen("/dev/null", "w");
    from = fopen("in", "r");
    set_term(newterm("vt100", to, from));
}
#define WARM_UP begin()
static inline WINDOW *window(void) { return OWN(newwin(5, 5, 1, 1), delwin); }
static inline WINDOW *pad(void) { return OWN(newpad(9, 9), delwin); }
static inline PANEL *panel(void) { return OWN(new_panel(window()), del_panel); }
static inline ITEM *item(void) { return OWN(new_item(S("one"), S("first")), free_item); }
static inline ITEM **items(void)
{
    ITEM **i = block(2 * sizeof *i);
    i[0] = item();
    return i;
}
static inline MENU *menu(void) { return OWN(new_menu(items()), free_menu); }
static inline FIELD *field(void) { return OWN(new_field(1, 5, 0, 0, 0, 0), free_field); }
static inline FIELD **fields(void)
{
    FIELD **f = block(2 * sizeof *f);
    f[0] = field();
    return f;
}
static inline FORM *form(void) { return OWN(new_form(fields()), free_form); }
static inline void unpost_m(MENU *m) { unpost_menu(m); }
static inline MENU *posted(void)
{
    MENU *m = menu();
    post_menu(m);
    return OWN(m, unpost_m);
}
static inline void unpost_f(FORM *f) { unpost_form(f); }
static inline FORM *posted_form(void)
{
    FORM *f = form();
    post_form(f);
    return OWN(f, unpost_f);
}
