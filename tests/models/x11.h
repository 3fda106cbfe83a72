// Headers and fixtures for the recipes of x11.own. The server is Xvfb.
#include "run.h"

#include <X11/Xlib.h>
#include <X11/Xresource.h>
#include <X11/Xutil.h>
#include <X11/cursorfont.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#undef XDestroyImage

static Display *current;
static inline int ignore(Display *d, XErrorEvent *e) { return 0; }
static inline void drop_display(Display *d)
{
    XCloseDisplay(d);
    current = NULL;
}
static inline Display *dpy(void)
{
    if (current) return current;
    XSetErrorHandler(ignore);
    return current = OWN(XOpenDisplay(NULL), drop_display);
}
static inline Window root(void) { return DefaultRootWindow(dpy()); }
static inline Window window(void)
{
    Window w = XCreateSimpleWindow(dpy(), root(), 1, 1, 9, 9, 0, 0, 0);
    XStoreName(dpy(), w, "text");
    XSetIconName(dpy(), w, "text");
    XWMHints h = {.flags = InputHint};
    XSetWMHints(dpy(), w, &h);
    Atom a = XInternAtom(dpy(), "WM_DELETE_WINDOW", False);
    XSetWMProtocols(dpy(), w, &a, 1);
    char *v[] = {"one", "two"};
    XSetCommand(dpy(), w, v, 2);
    return w;
}
static inline Window child(void)
{
    Window w = window();
    XCreateSimpleWindow(dpy(), w, 1, 1, 3, 3, 0, 0, 0);
    return w;
}
static inline void drop_gc(GC g) { XFreeGC(current, g); }
static inline GC gc(void)
{
    Display *d = dpy();
    return OWN(XCreateGC(d, root(), 0, NULL), drop_gc);
}
static inline void drop_font(XFontStruct *f) { XFreeFont(current, f); }
static inline XFontStruct *font(void)
{
    Display *d = dpy();
    return OWN(XLoadQueryFont(d, "fixed"), drop_font);
}
static inline void drop_fontset(XFontSet f) { XFreeFontSet(current, f); }
static inline Region region(void) { return OWN(XCreateRegion(), XDestroyRegion); }
static inline XrmDatabase database(void)
{
    XrmInitialize();
    return OWN(XrmGetStringDatabase("a.b: c\n"), XrmDestroyDatabase);
}
static inline void drop_database(XrmDatabase *d) { XrmDestroyDatabase(*d); }
static inline XrmDatabase *place(void)
{
    XrmInitialize();
    XrmDatabase *p = block(sizeof *p);
    *p = XrmGetStringDatabase("x: y\n");
    return OWN(p, drop_database);
}
static inline void drop_property(XTextProperty *p)
{
    if (p->value) XFree(p->value);
}
static inline XTextProperty *property(void)
{
    XTextProperty *p = block(sizeof *p);
    return OWN(p, drop_property);
}
static inline XTextProperty *text(void)
{
    XTextProperty *p = property();
    char *v[] = {"one", "two"};
    XStringListToTextProperty(v, 2, p);
    return p;
}
static inline char **strings(void)
{
    char **l;
    int n;
    XTextPropertyToStringList(text(), &l, &n);
    return OWN(l, XFreeStringList);
}
static inline void drop_class(XClassHint *h)
{
    if (h->res_name) XFree(h->res_name);
    if (h->res_class) XFree(h->res_class);
}
static inline XClassHint *class(void)
{
    XClassHint *h = block(sizeof *h);
    return OWN(h, drop_class);
}
static inline XKeyEvent *key(void)
{
    XKeyEvent *e = block(sizeof(XEvent));
    e->type = KeyPress, e->display = dpy(), e->keycode = 38;
    return e;
}
static inline XEvent *event(void)
{
    XEvent *e = block(sizeof *e);
    e->xclient.type = ClientMessage, e->xclient.display = dpy(), e->xclient.window = root(), e->xclient.format = 32;
    return e;
}
static inline Display *with_event(void)
{
    XPutBackEvent(dpy(), event());
    return dpy();
}
static inline XVisualInfo *wanted(int screen)
{
    XVisualInfo *v = block(sizeof *v);
    v->screen = screen;
    return v;
}
