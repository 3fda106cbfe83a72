// Headers and fixtures for the recipes of glib.own.
#include "run.h"

#include <fcntl.h>
#include <glib-object.h>
#include <glib-unix.h>
#include <glib.h>
#include <glib/gprintf.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#undef g_strdup
static inline void *mem(gsize n) { return OWN(g_malloc(n), g_free); }
static inline char *gtext(const char *s) { return OWN((char *)(g_strdup)(s), g_free); }
static inline char **strv(void) { return OWN((g_strsplit)("a b", " ", 0), g_strfreev); }
static inline void drop_string(GString *s) { (g_string_free)(s, TRUE); }
static inline GString *gstring(void) { return OWN(g_string_new("text"), drop_string); }
static inline GList *list(void) { return OWN(g_list_append(g_list_append(NULL, "b"), "a"), g_list_free); }
static inline GSList *slist(void) { return OWN(g_slist_append(g_slist_append(NULL, "b"), "a"), g_slist_free); }
static inline GQueue *queue(void)
{
    GQueue *q = OWN(g_queue_new(), g_queue_free);
    g_queue_push_tail(q, "a");
    g_queue_push_tail(q, "b");
    return q;
}
static inline GPtrArray *pointers(void)
{
    GPtrArray *a = OWN(g_ptr_array_new(), g_ptr_array_unref);
    g_ptr_array_add(a, "b");
    g_ptr_array_add(a, "a");
    return a;
}
static inline GArray *array(void)
{
    GArray *a = OWN(g_array_new(FALSE, FALSE, sizeof(int)), g_array_unref);
    int one = 1;
    g_array_append_val(a, one);
    g_array_append_val(a, one);
    return a;
}
static inline GByteArray *bytes_array(void)
{
    GByteArray *a = OWN(g_byte_array_new(), g_byte_array_unref);
    g_byte_array_append(a, (const guint8 *)"text", 4);
    return a;
}
static inline GHashTable *table(void)
{
    GHashTable *t = OWN(g_hash_table_new(g_str_hash, g_str_equal), g_hash_table_unref);
    g_hash_table_insert(t, "key", "value");
    return t;
}
static inline GTree *tree(void)
{
    GTree *t = OWN(g_tree_new((GCompareFunc)g_strcmp0), g_tree_unref);
    g_tree_insert(t, "key", "value");
    return t;
}
static inline GSequence *sequence(void) { return OWN(g_sequence_new(NULL), g_sequence_free); }
static inline GAsyncQueue *async(void)
{
    GAsyncQueue *q = OWN(g_async_queue_new(), g_async_queue_unref);
    g_async_queue_push(q, "a");
    return q;
}
static inline GError *error(void) { return OWN(g_error_new_literal(1, 1, "text"), g_error_free); }
static inline GError **error_at(void)
{
    GError **p = block(sizeof *p);
    *p = error();
    return p;
}
static inline GDir *gdir(void) { return OWN(g_dir_open("dir", 0, NULL), g_dir_close); }
static inline GMappedFile *mapped(void) { return OWN(g_mapped_file_new("in", FALSE, NULL), g_mapped_file_unref); }
static inline GBytes *bytes(void) { return OWN(g_bytes_new("text", 4), g_bytes_unref); }
static inline GVariant *variant(void) { return OWN(g_variant_ref_sink(g_variant_new_string("text")), g_variant_unref); }
static inline GVariant *variant_of(const char *text)
{
    return OWN(g_variant_parse(NULL, text, NULL, NULL, NULL), g_variant_unref);
}
static inline GDateTime *date(void) { return OWN(g_date_time_new_from_unix_utc(1), g_date_time_unref); }
static inline GChecksum *checksum(void) { return OWN(g_checksum_new(G_CHECKSUM_MD5), g_checksum_free); }
static inline GTimer *gtimer(void) { return OWN(g_timer_new(), g_timer_destroy); }
static inline GRand *grand(void) { return OWN(g_rand_new_with_seed(1), g_rand_free); }
#define KEYS "[group]\nkey=value\nnumber=7\nflag=true\n"
static inline GKeyFile *keys(void)
{
    GKeyFile *k = OWN(g_key_file_new(), g_key_file_unref);
    g_key_file_load_from_data(k, KEYS, strlen(KEYS), 0, NULL);
    return k;
}
static inline GOptionContext *options(void) { return OWN(g_option_context_new("x"), g_option_context_free); }
static const GMarkupParser no_parser;
static inline GMarkupParseContext *markup(void)
{
    return OWN(g_markup_parse_context_new(&no_parser, 0, NULL, NULL), g_markup_parse_context_free);
}
static inline GRegex *gregex(void) { return OWN(g_regex_new("(?<n>b)", 0, 0, NULL), g_regex_unref); }
static inline GMatchInfo *match(void)
{
    GMatchInfo *m = NULL;
    g_regex_match(gregex(), "abc", 0, &m);
    return OWN(m, g_match_info_unref);
}
static inline GMainLoop *loop(void) { return OWN(g_main_loop_new(NULL, FALSE), g_main_loop_unref); }
static inline GSource *source(void) { return OWN(g_idle_source_new(), g_source_unref); }
static inline int fd_of(const char *p, int flags) { return OWN(open(p, flags, 0600), close); }
static inline GIOChannel *channel(void) { return OWN(g_io_channel_unix_new(fd_of("in", O_RDONLY)), g_io_channel_unref); }
static inline void *thread_body(void *d) { return NULL; }
static inline GThread *gthread(void) { return OWN(g_thread_new("x", thread_body, NULL), g_thread_join); }
static inline GMutex *gmutex(void)
{
    GMutex *m = block(sizeof *m);
    g_mutex_init(m);
    return OWN(m, g_mutex_clear);
}
static inline GRecMutex *rec_mutex(void)
{
    GRecMutex *m = block(sizeof *m);
    g_rec_mutex_init(m);
    return OWN(m, g_rec_mutex_clear);
}
static inline GCond *gcond(void)
{
    GCond *m = block(sizeof *m);
    g_cond_init(m);
    return OWN(m, g_cond_clear);
}
static inline GObject *object(void) { return OWN((GObject *)g_object_new(G_TYPE_OBJECT, NULL), g_object_unref); }
static inline GValue *gvalue(void)
{
    GValue *v = block(sizeof *v);
    g_value_init(v, G_TYPE_STRING);
    g_value_set_string(v, "text");
    return OWN(v, g_value_unset);
}
static inline GValue *gvalue_boxed(void)
{
    GValue *v = block(sizeof *v);
    g_value_init(v, G_TYPE_STRV);
    g_value_set_boxed(v, strv());
    return OWN(v, g_value_unset);
}
static inline GValue *gvalue_variant(void)
{
    GValue *v = block(sizeof *v);
    g_value_init(v, G_TYPE_VARIANT);
    return OWN(v, g_value_unset);
}
static inline GValue *gvalue_object(void)
{
    GValue *v = block(sizeof *v);
    g_value_init(v, G_TYPE_OBJECT);
    g_value_set_object(v, object());
    return OWN(v, g_value_unset);
}
static inline gint compare_data(const void *a, const void *b, void *d) { return g_strcmp0(a, b); }
static inline void each(void *p, void *d) {}
static inline void each_pair(void *k, void *v, void *d) {}
static inline gboolean yes_pair(void *k, void *v, void *d) { return TRUE; }
static inline gboolean no_pair(void *k, void *v, void *d) { return FALSE; }
static inline gboolean once(void *d) { return FALSE; }
static inline gboolean io_once(GIOChannel *c, GIOCondition k, void *d) { return FALSE; }
static inline void child_ended(GPid p, gint s, void *d) {}
static inline void *copy_text(const void *s, void *d) { return (void *)s; }
static inline void keep_it(void *p) {}
static inline void log_handler(const char *d, GLogLevelFlags l, const char *m, void *data) {}
static inline void weak_notify(void *d, GObject *o) {}
static inline GList *full_list(void) { return g_list_append(NULL, g_strdup("x")); }
static inline GSList *full_slist(void) { return g_slist_append(NULL, g_strdup("x")); }
static inline const char *file(const char *name)
{
    close(open(name, O_CREAT | O_RDWR | O_TRUNC, 0600));
    return name;
}
static inline const char *no_file(const char *name)
{
    unlink(name);
    rmdir(name);
    return name;
}
static inline void release_slice(void *p) { g_slice_free1(16, p); }
static inline void release_aligned(void *p) { g_aligned_free(p); }
#undef g_slice_free1
#undef g_clear_pointer
#undef g_clear_error

#define WARM_UP g_main_context_default()
