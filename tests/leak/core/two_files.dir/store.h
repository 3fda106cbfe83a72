struct store;
struct store *store_open(const char *name);
int store_put(struct store *s, char *value);
void store_close(struct store *s);
