// Setters of a struct that has been in use: the field is only ever given blocks made for it, others release
// what it holds before they set it anew, and this one does not look at it.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct conf {
    char *user, *mail, *home, *shell, *spool;
    char *note;
    const char *kind;
    int changes;
};

void conf_login(struct conf *c, const char *user, const char *mail)
{
    free(c->user);
    c->user = strdup(user); // OK
    c->mail = strdup(mail); // LEAK mail LIKELY because FIELD_FILLED
    c->changes++;
}

void conf_place(struct conf *c, const char *home, const char *spool)
{
    free(c->home);
    free(c->spool);
    c->home = strdup(home);   // OK
    c->spool = strdup(spool); // OK
    c->changes++;
}

void conf_reset(struct conf *c)
{
    free(c->user);
    free(c->mail);
    free(c->shell);
    c->user = NULL;
    c->mail = NULL;
    c->shell = NULL;
    c->home = NULL; // LEAK home LIKELY because FIELD_FILLED
}

// Looks at it first.
void conf_shell(struct conf *c, const char *shell)
{
    if (c->shell)
        free(c->shell);
    c->shell = strdup(shell); // OK
}

static void drop_spool(struct conf *c)
{
    free(c->spool);
}

// A function that is called before releases it.
void conf_move(struct conf *c, const char *home, const char *spool)
{
    free(c->home);
    c->home = strdup(home); // OK
    drop_spool(c);
    c->spool = strdup(spool); // OK
}

// For the first time, for all that is known here.
void conf_init(struct conf *c, const char *home, const char *note)
{
    c->home = strdup(home); // OK
    c->spool = strdup(home); // OK
    c->note = strdup(note); // OK
    c->kind = "plain";
}

// What was needed until now goes, and what is needed from now on comes.
void conf_started(struct conf *c, const char *shell)
{
    free(c->note);
    c->shell = strdup(shell); // OK
}

void conf_free(struct conf *c)
{
    free(c->user);
    free(c->mail);
    free(c->home);
    free(c->shell);
    free(c->spool);
    free(c->note);
    free(c);
}

// What it holds is lent by the caller in one place: nobody knows then.
struct label {
    char *text, *font;
};

void label_borrow(struct label *l, char *text)
{
    l->text = text;
}

void label_set(struct label *l, const char *text, const char *font)
{
    free(l->font);
    l->font = strdup(font); // OK
    l->text = strdup(text); // OK
}

void label_free(struct label *l, int own)
{
    free(l->font);
    if (own)
        free(l->text);
    free(l);
}

// All callers empty it first.
struct page {
    char *head, *body;
};

static void page_empty(struct page *p)
{
    free(p->head);
    free(p->body);
    p->head = NULL;
    p->body = NULL;
}

static void page_fill(struct page *p, const char *head, const char *body)
{
    free(p->head);
    p->head = strdup(head); // OK
    p->body = strdup(body); // OK
}

void page_write(struct page *p, const char *head, const char *body)
{
    page_empty(p);
    page_fill(p, head, body);
}
