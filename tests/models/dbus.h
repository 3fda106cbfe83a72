// Headers and fixtures for the recipes of dbus.own. No bus is asked: a server and a connection of this process talk.
#include "run.h"

#include <dbus/dbus.h>
#include <stdlib.h>

static inline void drop_server(DBusServer *s)
{
    dbus_server_disconnect(s);
    dbus_server_unref(s);
}
static inline DBusServer *server(void) { return OWN(dbus_server_listen("unix:tmpdir=/tmp", NULL), drop_server); }
static inline char *address(void) { return OWN(dbus_server_get_address(server()), dbus_free); }
static inline void drop_connection(DBusConnection *c)
{
    dbus_connection_close(c);
    dbus_connection_unref(c);
}
static inline DBusConnection *connection(void)
{
    DBusConnection *c = OWN(dbus_connection_open_private(address(), NULL), drop_connection);
    dbus_connection_set_exit_on_disconnect(c, FALSE);
    return c;
}
static inline DBusMessage *message(void)
{
    DBusMessage *m = OWN(dbus_message_new_method_call("org.x", "/a/b", "org.x.I", "M"), dbus_message_unref);
    const char *text = "text", *more[] = {"a", "b"}, **list = more;
    dbus_int32_t n = 7;
    dbus_message_append_args(m, DBUS_TYPE_STRING, &text, DBUS_TYPE_INT32, &n, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &list, 2,
                             DBUS_TYPE_INVALID);
    dbus_message_set_serial(m, 1);
    return m;
}
static inline DBusMessage *empty(void)
{
    return OWN(dbus_message_new_signal("/a/b", "org.x.I", "M"), dbus_message_unref);
}
static inline DBusMessage *answer(void)
{
    DBusMessage *m = OWN(dbus_message_new_error(message(), "org.x.E", "text"), dbus_message_unref);
    dbus_message_set_sender(m, "org.x");
    return m;
}
static inline DBusError *failed(void)
{
    DBusError *e = block(sizeof *e);
    dbus_error_init(e);
    dbus_set_error(e, "org.x.E", "%s", "text");
    return OWN(e, dbus_error_free);
}
static inline DBusError *error(void)
{
    DBusError *e = block(sizeof *e);
    dbus_error_init(e);
    return OWN(e, dbus_error_free);
}
static inline DBusMessageIter *iter(void)
{
    DBusMessageIter *i = block(sizeof *i);
    dbus_message_iter_init(message(), i);
    return i;
}
static inline DBusMessageIter *at_array(void)
{
    DBusMessageIter *i = iter();
    dbus_message_iter_next(i);
    dbus_message_iter_next(i);
    return i;
}
static inline DBusMessageIter *appending(void)
{
    DBusMessageIter *i = block(sizeof *i);
    dbus_message_iter_init_append(empty(), i);
    return i;
}
static inline DBusMessageIter *opened(DBusMessageIter *i)
{
    DBusMessageIter *sub = block(sizeof *sub);
    dbus_message_iter_open_container(i, DBUS_TYPE_ARRAY, "i", sub);
    return sub;
}
static inline DBusMessageIter *numbers(void)
{
    DBusMessage *m = empty();
    static dbus_int32_t n[] = {1, 2}, *p = n;
    dbus_message_append_args(m, DBUS_TYPE_ARRAY, DBUS_TYPE_INT32, &p, 2, DBUS_TYPE_INVALID);
    DBusMessageIter *i = block(sizeof *i), *sub = block(sizeof *sub);
    dbus_message_iter_init(m, i);
    dbus_message_iter_recurse(i, sub);
    return sub;
}
static inline DBusSignatureIter *signature(const char *s)
{
    DBusSignatureIter *i = block(sizeof *i);
    dbus_signature_iter_init(i, S(s));
    return i;
}
static inline DBusAddressEntry **entries(void)
{
    DBusAddressEntry **e;
    int n;
    dbus_parse_address("unix:path=/tmp/x", &e, &n, NULL);
    return OWN(e, dbus_address_entries_free);
}
static inline char **strings(void)
{
    char **s = dbus_malloc0(3 * sizeof *s);
    s[0] = dbus_malloc0(4), s[1] = dbus_malloc0(4);
    return OWN(s, dbus_free_string_array);
}
static inline DBusHandlerResult handle(DBusConnection *c, DBusMessage *m, void *data) { return DBUS_HANDLER_RESULT_HANDLED; }
static const DBusObjectPathVTable table = {NULL, handle};
static inline DBusConnection *registered(void)
{
    DBusConnection *c = connection();
    dbus_connection_register_object_path(c, "/a", &table, NULL);
    return c;
}
static inline DBusPendingCall *pending(void)
{
    DBusPendingCall *p = NULL;
    dbus_connection_send_with_reply(connection(), message(), &p, 1000);
    return OWN(p, dbus_pending_call_unref);
}
static inline DBusPendingCall *completed(void)
{
    DBusPendingCall *p = NULL;
    DBusConnection *c = connection();
    dbus_connection_send_with_reply(c, message(), &p, 1000);
    OWN(p, dbus_pending_call_unref);
    dbus_connection_close(c);
    while (dbus_connection_dispatch(c) == DBUS_DISPATCH_DATA_REMAINS) {}
    return p;
}
static inline dbus_int32_t *slot_of(dbus_bool_t (*allocate)(dbus_int32_t *), void (*drop)(dbus_int32_t *))
{
    dbus_int32_t *s = block(sizeof *s);
    *s = -1;
    allocate(s);
    return OWN(s, drop);
}
#define MSLOT slot_of(dbus_message_allocate_data_slot, dbus_message_free_data_slot)
#define CSLOT slot_of(dbus_connection_allocate_data_slot, dbus_connection_free_data_slot)
#define PSLOT slot_of(dbus_pending_call_allocate_data_slot, dbus_pending_call_free_data_slot)
static inline dbus_int32_t *no_slot(void (*drop)(dbus_int32_t *))
{
    dbus_int32_t *s = block(sizeof *s);
    *s = -1;
    return OWN(s, drop);
}
static inline char *marshalled(int *n)
{
    char *p;
    dbus_message_marshal(message(), &p, n);
    return OWN(p, dbus_free);
}
static DBusConnection *sending;
static inline void drop_send(DBusPreallocatedSend *s) { dbus_connection_free_preallocated_send(sending, s); }
#define WARM_UP dbus_message_unref(dbus_message_new(1)); dbus_threads_init_default()
