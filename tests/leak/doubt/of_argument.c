// A growing string is ended without its text, which somebody has taken before; or forgotten.
typedef struct {
    char *str;
    unsigned long len, allocated_len;
} GString;
GString *g_string_new(const char *init);
GString *g_string_append(GString *s, const char *text);
char *g_string_free(GString *s, int free_segment);
void g_free(void *mem);
void body_take(char *text, unsigned long len);

void text_is_handed_on(const char *a)
{
    GString *s = g_string_new(a);
    g_string_append(s, "x");
    body_take(s->str, s->len);
    g_string_free(s, 0); // LEAK? text AUDIT because OF_ARGUMENT: what it gives is not tied to s->str
}

void text_is_forgotten(const char *a)
{
    GString *s = g_string_new(a);
    char *text = g_string_free(s, 0); // LEAK named SURE
    if (text[0] == '-') return; // LOST named
    g_free(text);
}

void both_are_freed(const char *a)
{
    GString *s = g_string_new(a); // OK
    g_string_free(s, 1);
}
