// A container of a library that the ownership stage follows: what becomes of its elements is up to
// functions that it was given, which this stage does not ask.
// run: --level=likely
typedef void *gpointer;
typedef struct _GSList GSList;
GSList *g_slist_prepend(GSList *list, gpointer data);
void g_slist_free(GSList *list);
void g_slist_free_full(GSList *list, void (*release)(gpointer));
gpointer g_malloc(unsigned long n);
void g_free(gpointer mem);

void shallow(void)
{
    GSList *list = 0;
    list = g_slist_prepend(list, g_malloc(8)); // LEAK element LIKELY because LIBRARY_CONTAINER
    g_slist_free(list); // LOST element
}

void full(void)
{
    GSList *list = 0;
    list = g_slist_prepend(list, g_malloc(8)); // OK
    g_slist_free_full(list, g_free);
}
