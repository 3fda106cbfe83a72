// Headers and fixtures for the recipes of gio.own.
#include "run.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <gio/gunixsocketaddress.h>
#include <stdlib.h>
#include <unistd.h>

#define WARM_UP                                                                                    \
    g_setenv("GIO_USE_VFS", "local", TRUE), g_setenv("GSETTINGS_BACKEND", "memory", TRUE),         \
        g_object_unref(g_file_new_for_path("in")), g_object_unref(g_cancellable_new()),            \
        g_date_time_unref(g_date_time_new_now_local()), warm()

static inline void warm(void)
{
    GFile *f = g_file_new_for_path("in");
    GTask *t = g_task_new(f, NULL, NULL, NULL);
    g_task_return_new_error(t, G_IO_ERROR, 1, "x");
    g_object_unref(t);
    g_object_unref(g_file_query_info(f, "*", 0, NULL, NULL));
    g_object_unref(f);
    GError *e = g_dbus_error_new_for_dbus_error("a.b", "x");
    g_free(g_dbus_error_encode_gerror(e));
    g_error_free(e);
}

static inline GFile *file(void) { return OWN(g_file_new_for_path("in"), g_object_unref); }
static inline GFile *other(void) { return OWN(g_file_new_for_path("new/y.gio"), g_object_unref); }
static inline GFile *folder(void) { return OWN(g_file_new_for_path("."), g_object_unref); }
static inline GFileInfo *info(void)
{
    return OWN(g_file_query_info(file(), "*", G_FILE_QUERY_INFO_NONE, NULL, NULL), g_object_unref);
}
static inline GFileEnumerator *entries(void)
{
    return OWN(g_file_enumerate_children(folder(), "standard::name", 0, NULL, NULL), g_object_unref);
}
static inline GInputStream *input(void)
{
    return OWN(g_memory_input_stream_new_from_data("text\nmore", 9, NULL), g_object_unref);
}
static inline GDataInputStream *lines(void) { return OWN(g_data_input_stream_new(input()), g_object_unref); }
static inline GOutputStream *output(void) { return OWN(g_memory_output_stream_new_resizable(), g_object_unref); }
static inline GOutputStream *closed(void)
{
    GOutputStream *o = output();
    g_output_stream_write_all(o, "text", 4, NULL, NULL, NULL);
    g_output_stream_close(o, NULL, NULL);
    return o;
}
static inline GUnixFDList *descriptors(void)
{
    GUnixFDList *l = OWN(g_unix_fd_list_new(), g_object_unref);
    int fd = open("in", O_RDONLY);
    g_unix_fd_list_append(l, fd, NULL);
    close(fd);
    return l;
}
static inline int opened(void) { return OWN(open("in", O_RDONLY), close); }
static inline GCancellable *cancellable(void) { return OWN(g_cancellable_new(), g_object_unref); }
static inline GTask *task(void) { return OWN(g_task_new(NULL, NULL, NULL, NULL), g_object_unref); }
static inline GTask *pointer_task(void)
{
    GTask *t = task();
    g_task_return_pointer(t, NULL, NULL);
    return t;
}
static inline GTask *failed_task(void)
{
    GTask *t = task();
    g_task_return_new_error(t, G_IO_ERROR, 1, "x");
    return t;
}
static inline GSocket *sock(void) { return OWN(g_socket_new(G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, 0, NULL), g_object_unref); }
static inline GInetAddress *inet(void) { return OWN(g_inet_address_new_loopback(G_SOCKET_FAMILY_IPV4), g_object_unref); }
static inline GSocketAddress *address(void) { return OWN(g_inet_socket_address_new(inet(), 0), g_object_unref); }
static inline GDBusMessage *message(void)
{
    return OWN(g_dbus_message_new_method_call("a.b", "/a", "a.b", "C"), g_object_unref);
}
static inline GVariant *variant(const char *s)
{
    return OWN(g_variant_ref_sink(g_variant_new_parsed(s)), g_variant_unref);
}
static inline GVariantIter *iter(void) { return OWN(g_variant_iter_new(variant("['a', 'b']")), g_variant_iter_free); }
static inline GVariantBuilder *builder(void)
{
    return OWN(g_variant_builder_new(G_VARIANT_TYPE("as")), g_variant_builder_unref);
}
static inline GDateTime *date(void) { return OWN(g_date_time_new_from_unix_utc(1000000000), g_date_time_unref); }
static inline GTimeZone *zone(void) { return OWN(g_time_zone_new_utc(), g_time_zone_unref); }
static inline GMainContext *main_context(void) { return OWN(g_main_context_new(), g_main_context_unref); }
static inline GHmac *hmac(void) { return OWN(g_hmac_new(G_CHECKSUM_SHA256, (const guchar *)"key", 3), g_hmac_unref); }
static inline GDBusNodeInfo *node(void)
{
    return OWN(g_dbus_node_info_new_for_xml("<node><interface name='a.b'/></node>", NULL), g_dbus_node_info_unref);
}
static inline GError *error(void) { return OWN(g_error_new_literal(G_IO_ERROR, 1, "x"), g_error_free); }
static inline GIOStream *both(void) { return OWN(g_file_open_readwrite(file(), NULL, NULL), g_object_unref); }
static inline GVariantType *type(void) { return OWN(g_variant_type_new("s"), g_variant_type_free); }
static inline GVariantDict *dict(void) { return OWN(g_variant_dict_new(variant("{'a': <1>}")), g_variant_dict_unref); }
static inline GBytes *bytes(void) { return OWN(g_bytes_new("text", 4), g_bytes_unref); }
static inline GValue *value(GType t) { return OWN(g_value_init(block(sizeof(GValue)), t), g_value_unset); }
