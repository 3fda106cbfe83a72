// Headers and fixtures for the recipes of pq.own. No server is asked: the connection could not be made, and results are made here.
#include "run.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>

static inline PGconn *connection(void) { return OWN(PQconnectdb("host=/none user=x dbname=y"), PQfinish); }
static inline PGresult *result(void)
{
    PGresult *r = OWN(PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK), PQclear);
    static PGresAttDesc column = {"name", 0, 0, 0, 25, -1, 0};
    PQsetResultAttrs(r, 1, &column);
    PQsetvalue(r, 0, 0, "text", 4);
    return r;
}
static inline PQconninfoOption *infos(void) { return OWN(PQconndefaults(), PQconninfoFree); }
static inline const char **list(const char *one)
{
    const char **l = block(16);
    l[0] = one;
    return l;
}
static inline PGresAttDesc *column(void)
{
    PGresAttDesc *c = block(sizeof *c);
    c->name = S("name");
    return c;
}
