// Headers and fixtures for the recipes of libxml2.own.
#include "run.h"

#include <fcntl.h>
#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/hash.h>
#include <libxml/list.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/uri.h>
#include <libxml/valid.h>
#include <libxml/xinclude.h>
#include <libxml/xmlreader.h>
#include <libxml/xmlschemas.h>
#include <libxml/xmlwriter.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdlib.h>
#include <unistd.h>

#define XML "<?xml version=\"1.0\"?><!DOCTYPE a [<!ELEMENT a ANY>]><a x=\"1\"><b>text</b><c/></a>"
#define SCHEMA "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"><xs:element name=\"a\"/></xs:schema>"
#define X(s) ((xmlChar *)S(s))

static inline void quiet(void *c, const char *m, ...) {}
static inline void at_start(void)
{
    xmlInitParser();
    xmlSetGenericErrorFunc(NULL, quiet);
    FILE *f = fopen("x.xml", "w");
    fputs(XML, f);
    fclose(f);
}
#define WARM_UP at_start()
static inline xmlDocPtr doc(void) { return OWN(xmlReadMemory(XML, strlen(XML), "x", NULL, 0), xmlFreeDoc); }
static inline xmlNodePtr root(void) { return xmlDocGetRootElement(doc()); }
static inline xmlNodePtr node(void) { return OWN(xmlNewNode(NULL, (xmlChar *)"n"), xmlFreeNode); }
static inline xmlNodePtr child(void) { return xmlFirstElementChild(root()); }
static inline xmlAttrPtr property(xmlNodePtr n) { return xmlNewProp(n, (xmlChar *)"p", (xmlChar *)"v"); }
static inline xmlParserCtxtPtr parser(void) { return OWN(xmlNewParserCtxt(), xmlFreeParserCtxt); }
static inline void drop_pushing(xmlParserCtxtPtr c)
{
    xmlFreeDoc(c->myDoc);
    xmlFreeParserCtxt(c);
}
static inline xmlParserCtxtPtr pushing(void) { return OWN(xmlCreatePushParserCtxt(NULL, NULL, NULL, 0, "x"), drop_pushing); }
static inline xmlBufferPtr buffer(void)
{
    xmlBufferPtr b = OWN(xmlBufferCreate(), xmlBufferFree);
    xmlBufferCCat(b, "text");
    return b;
}
static inline xmlTextWriterPtr writer(void) { return OWN(xmlNewTextWriterMemory(buffer(), 0), xmlFreeTextWriter); }
static inline xmlTextWriterPtr in_element(void)
{
    xmlTextWriterPtr w = writer();
    xmlTextWriterStartElement(w, (xmlChar *)"a");
    return w;
}
static inline xmlTextReaderPtr reader(void)
{
    xmlTextReaderPtr r = OWN(xmlReaderForMemory(S(XML), strlen(XML), "x", NULL, 0), xmlFreeTextReader);
    xmlTextReaderRead(r);
    xmlTextReaderRead(r);
    return r;
}
// On the text inside an element.
static inline xmlTextReaderPtr at_value(void)
{
    xmlTextReaderPtr r = reader();
    xmlTextReaderRead(r);
    xmlTextReaderRead(r);
    return r;
}
static inline xmlXPathContextPtr xpath(void) { return OWN(xmlXPathNewContext(doc()), xmlXPathFreeContext); }
static inline xmlXPathObjectPtr found(void) { return OWN(xmlXPathEval((xmlChar *)"//b", xpath()), xmlXPathFreeObject); }
static inline xmlXPathCompExprPtr compiled(void) { return OWN(xmlXPathCompile((xmlChar *)"//b"), xmlXPathFreeCompExpr); }
static inline xmlSchemaParserCtxtPtr schema_parser(void)
{
    return OWN(xmlSchemaNewMemParserCtxt(SCHEMA, strlen(SCHEMA)), xmlSchemaFreeParserCtxt);
}
static inline xmlSchemaPtr schema(void) { return OWN(xmlSchemaParse(schema_parser()), xmlSchemaFree); }
static inline xmlSchemaValidCtxtPtr schema_valid(void) { return OWN(xmlSchemaNewValidCtxt(schema()), xmlSchemaFreeValidCtxt); }
static inline xmlValidCtxtPtr valid(void) { return OWN(xmlNewValidCtxt(), xmlFreeValidCtxt); }
static inline xmlDictPtr dict(void) { return OWN(xmlDictCreate(), xmlDictFree); }
static inline void drop_hash(xmlHashTablePtr h) { xmlHashFree(h, NULL); }
static inline xmlHashTablePtr hash(void)
{
    xmlHashTablePtr h = OWN(xmlHashCreate(4), drop_hash);
    xmlHashAddEntry(h, (xmlChar *)"key", "value");
    return h;
}
static inline void scan(void *p, void *d, const xmlChar *n) {}
static inline void no_release(void *p, const xmlChar *n) {}
static inline int compare(const void *a, const void *b) { return strcmp(a, b); }
static inline xmlListPtr xlist(void) { return OWN(xmlListCreate(NULL, compare), xmlListDelete); }
static inline xmlURIPtr uri(void) { return OWN(xmlParseURI("http://h/p"), xmlFreeURI); }
static inline void *mem(size_t n) { return OWN(xmlMalloc(n), *xmlFree); }
static inline void free_xml(void *p) { xmlFree(p); }
static inline xmlChar *xtext(const char *s) { return mine(xmlCharStrdup(s), free_xml); }
static inline int fd_of(const char *p, int flags) { return OWN(open(p, flags, 0600), close); }
static inline FILE *out(void) { return OWN(fopen("out", "w"), fclose); }
static inline void drop_doc(void *d) { xmlFreeDoc(d); }
static int given_once;
static inline int read_once(void *c, char *buf, int n)
{
    if (given_once++) return 0;
    return snprintf(buf, n, "<a/>");
}
static inline int close_it(void *c) { return 0; }
