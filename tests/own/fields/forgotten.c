// Functions that break what the rest of the program keeps to: the field 'name' of a person owns.
// run: --level=likely
#include "person.c"

// Looks at the home only.
int person_forget(struct person *p)
{
    int n = p->home->label[0];
    free(p); // LEAK forgets; LOST forgets
    return n;
}

// Looks at the name and frees the struct without it.
int person_look_and_forget(struct person *p)
{
    int n = p->name[0];
    free(p); // LEAK looks; LOST looks
    return n;
}

// Only on one way: whether it is a mistake depends on what the flag means.
void person_forget_sometimes(struct person *p, int borrowed)
{
    if (!borrowed) free(p->name);
    free(p);
}

// The name is what it was for whoever is next.
void person_leave_dangling(struct person *p)
{
    free(p->name);
}

void person_overwrite(struct person *p)
{
    p->name = strdup("nobody"); // OK
}
