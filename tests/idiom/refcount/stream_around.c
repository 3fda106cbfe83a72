// A stream that is made around another one holds a reference to that: what lets go of its own reference may go on
// using it, as long as the outer one is there. Without an outer one it is gone.
// run: --level=likely
typedef struct Stream Stream;
Stream *g_memory_output_stream_new(void *data, unsigned long size, void *resize, void *destroy);
Stream *g_data_output_stream_new(Stream *base);
void *g_memory_output_stream_get_data(Stream *stream);
void g_object_unref(void *object);

int outer_one_is_there(void)
{
    Stream *inner = g_memory_output_stream_new(0, 0, 0, 0); // OK
    Stream *outer = g_data_output_stream_new(inner);
    g_object_unref(inner);
    int full = g_memory_output_stream_get_data(inner) != 0; // USE-AFTER-FREE LIKELY because HELD_BY_ANOTHER
    g_object_unref(outer);
    return full;
}

int no_outer_one(void)
{
    Stream *inner = g_memory_output_stream_new(0, 0, 0, 0);
    g_object_unref(inner);
    return g_memory_output_stream_get_data(inner) != 0; // USE-AFTER-FREE SURE
}
