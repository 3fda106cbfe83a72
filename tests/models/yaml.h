// Headers and fixtures for the recipes of yaml.own.
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>

#define TEXT "a: [b, c]\n"
static inline yaml_parser_t *parser(void)
{
    yaml_parser_t *p = block(sizeof *p);
    yaml_parser_initialize(p);
    return OWN(p, yaml_parser_delete);
}
static inline yaml_parser_t *parsing(const char *s)
{
    yaml_parser_t *p = parser();
    yaml_parser_set_input_string(p, (const unsigned char *)s, strlen(s));
    return p;
}
static inline int swallow(void *data, unsigned char *buf, size_t n) { return 1; }
static inline int nothing(void *data, unsigned char *buf, size_t n, size_t *got)
{
    *got = 0;
    return 1;
}
static inline yaml_emitter_t *emitter(void)
{
    yaml_emitter_t *e = block(sizeof *e);
    yaml_emitter_initialize(e);
    return OWN(e, yaml_emitter_delete);
}
static inline yaml_emitter_t *emitting(void)
{
    yaml_emitter_t *e = emitter();
    yaml_emitter_set_output(e, swallow, NULL);
    return e;
}
static inline yaml_emitter_t *open_emitter(void)
{
    yaml_emitter_t *e = emitting();
    yaml_emitter_open(e);
    return e;
}
static inline yaml_document_t *document(void)
{
    yaml_document_t *d = block(sizeof *d);
    yaml_parser_load(parsing(TEXT), d);
    return OWN(d, yaml_document_delete);
}
static inline yaml_event_t *event(void)
{
    yaml_event_t *e = block(sizeof *e);
    return OWN(e, yaml_event_delete);
}
static inline yaml_event_t *start(void)
{
    yaml_event_t *e = event();
    yaml_stream_start_event_initialize(e, YAML_UTF8_ENCODING);
    return e;
}
static inline yaml_event_t *text_event(void)
{
    yaml_event_t *e = block(sizeof *e);
    yaml_alias_event_initialize(e, (const yaml_char_t *)"x");
    return e;
}
static inline yaml_token_t *token(void)
{
    yaml_token_t *t = block(sizeof *t);
    return OWN(t, yaml_token_delete);
}
static inline yaml_token_t *text_token(void)
{
    yaml_token_t *t = block(sizeof *t);
    yaml_parser_t *p = parsing(TEXT);
    for (int i = 0; i < 5; i++) {
        yaml_token_delete(t);
        yaml_parser_scan(p, t);
    }
    return t;
}
static inline FILE *stream(void) { return OWN(fopen("x.yaml", "w+"), fclose); }
