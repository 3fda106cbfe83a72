// A pointer that nobody tests for null is counted on to be there.
// run: --level=audit
struct curl_slist;
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *s);
struct request {
    struct curl_slist *headers;
};

// Without a list the call would make one, and nobody would have it.
void counted_on_to_be_there(struct request *r)
{
    curl_slist_append(r->headers, "Accept:"); // OK
}
