// A GValue that takes a boxed value over has it from then on; one that is only given it makes a copy.
typedef struct _GValue GValue;
char **g_strsplit(const char *text, const char *between, int most);
void g_strfreev(char **list);
void g_value_take_boxed(GValue *value, const void *boxed);
void g_value_set_boxed(GValue *value, const void *boxed);

void taken_over(GValue *value)
{
    char **list = g_strsplit("a b", " ", 0); // OK
    g_value_take_boxed(value, list);
}

void copied(GValue *value)
{
    char **list = g_strsplit("a b", " ", 0); // LEAK list
    g_value_set_boxed(value, list);
} // LOST list

void copied_and_freed(GValue *value)
{
    char **list = g_strsplit("a b", " ", 0); // OK
    g_value_set_boxed(value, list);
    g_strfreev(list);
}
