// Headers and fixtures for the recipes of expat.own.
#include "run.h"

#include <expat.h>
#include <stdlib.h>

static const char document[] = "<a b='c'>text</a>";
static inline XML_Parser parser(void) { return OWN(XML_ParserCreate(NULL), XML_ParserFree); }
static XML_Parser model_of;
static XML_Content *model;
static inline void declared(void *user, const XML_Char *name, XML_Content *m) { model = m; }
static inline XML_Parser with_model(void)
{
    XML_Parser p = parser();
    XML_SetElementDeclHandler(p, declared);
    model = NULL;
    const char *s = "<!DOCTYPE a [<!ELEMENT a (b|c)*>]><a/>";
    XML_Parse(p, s, strlen(s), 1);
    model_of = p;
    return p;
}
static inline void drop_model(XML_Content *m) { XML_FreeContentModel(model_of, m); }
static inline void drop_mem(void *p) { XML_MemFree(model_of, p); }
static inline XML_Parser allocating(void) { return model_of = parser(); }
static inline XML_Parser stopped(void);
static inline void stop(void *user, const XML_Char *name, const XML_Char **atts) { XML_StopParser(user, XML_TRUE); }
static inline XML_Parser stopped(void)
{
    XML_Parser p = parser();
    XML_UseParserAsHandlerArg(p);
    XML_SetStartElementHandler(p, stop);
    XML_Parse(p, document, strlen(document), 1);
    return p;
}
static inline XML_Parser based(void)
{
    XML_Parser p = parser();
    XML_SetBase(p, "x");
    return p;
}
static inline XML_Parser buffered(void)
{
    XML_Parser p = parser();
    memcpy(XML_GetBuffer(p, 64), document, strlen(document));
    return p;
}
static inline XML_Parser context_of(void)
{
    XML_Parser p = parser();
    XML_Parse(p, "<a>", 3, 0);
    return p;
}
