// The program has functions of its own under the names of a library: their code counts, not the model.
#include <stdlib.h>

struct DBusMessage {
    int serial;
};
typedef struct DBusMessage DBusMessage;

static int serial;
static DBusMessage last;

DBusMessage *dbus_message_new(int type)
{
    last.serial = ++serial + type;
    return &last;
}

void dbus_message_unref(DBusMessage *m)
{
    m->serial = 0;
}

int nothing_is_allocated(void)
{
    DBusMessage *m = dbus_message_new(1); // OK
    return m->serial;
}

int nothing_is_freed(void)
{
    DBusMessage *m = malloc(sizeof *m); // LEAK message
    if (m == NULL)
        return -1;
    dbus_message_unref(m);
    return 0; // LOST message
}

// Not the library's, which is in its header.
void json_decref(void *p)
{
    (void)p;
}

int not_the_one_of_the_header(void)
{
    char *p = malloc(8); // LEAK block
    json_decref(p);
    return 0; // LOST block
}
