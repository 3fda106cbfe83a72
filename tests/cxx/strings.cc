// std::string owns its text; what it lends must not be freed, and dies with it.
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

void text_of_a_string_freed() {
    std::string s("some text that is longer than the small buffer");
    free(const_cast<char *>(s.c_str())); // INVALID-FREE LIKELY; asan: mismatched-free
}

void short_text_freed() {
    std::string s("short");
    free(const_cast<char *>(s.c_str())); // INVALID-FREE
}

int copied_for_c_and_forgotten(const std::string &s) {
    char *c = strdup(s.c_str()); // LEAK copied
    return c ? c[0] : 0;
}

int copied_for_c_and_freed(const std::string &s) {
    char *c = strdup(s.c_str()); // OK
    int r = c ? c[0] : 0;
    free(c);
    return r;
}

int built_and_dropped(int n) {
    std::string s("some text");
    for (int i = 0; i < n; i++)
        s += "and some more of it";
    std::string t = s + s;
    return static_cast<int>(t.size());
}

int string_on_the_heap_forgotten() {
    std::string *s = new std::string("some text"); // LEAK heap
    return static_cast<int>(s->size());
}

int string_on_the_heap_deleted() {
    std::string *s = new std::string("some text"); // OK
    int r = static_cast<int>(s->size());
    delete s;
    return r;
}

int pointer_into_a_dead_string() {
    const char *p;
    {
        std::string s("some text that is longer than the small buffer");
        p = s.c_str();
    }
    return p[0]; // USE-AFTER-FREE
}

int pointer_into_a_living_string() {
    std::string s("some text that is longer than the small buffer");
    const char *p = s.c_str();
    return p[0];
}

int view_of_a_dead_string() {
    std::string_view v;
    {
        std::string s("some text that is longer than the small buffer");
        v = s;
    }
    return v[0]; // USE-AFTER-FREE
}

int view_of_a_literal() {
    std::string_view v("some text");
    return v[0];
}

char *given_to_the_caller(const std::string &s) { // asan: leak, by the caller
    char *c = new char[s.size() + 1]; // OK
    memcpy(c, s.c_str(), s.size() + 1);
    return c;
}

int buffer_for_the_text(const std::string &s) {
    char *c = new char[s.size() + 1]; // LEAK buffer
    strcpy(c, s.c_str());
    return c[0];
}

int buffer_for_the_text_deleted(const std::string &s) {
    char *c = new char[s.size() + 1]; // OK
    strcpy(c, s.c_str());
    int r = c[0];
    delete[] c;
    return r;
}

int words(const std::string &s) {
    std::vector<std::string> all;
    std::string word;
    for (char c : s) {
        if (c == ' ') {
            all.push_back(word);
            word.clear();
        } else {
            word.push_back(c);
        }
    }
    if (!word.empty()) all.push_back(word);
    return static_cast<int>(all.size());
}

std::string joined(const std::vector<std::string> &all) {
    std::string r;
    for (const auto &s : all)
        r.append(s).append(1, ' ');
    return r;
}

struct log_file {
    std::string path;
    FILE *file = nullptr;
    bool open_when_needed() {
        if (path.empty())
            return true;
        file = fopen(path.c_str(), "a"); // OK
        if (!file)
            return false;
        path.clear();
        return true;
    }
    bool write(int n) {
        for (int i = 0; i < n; i++)
            if (!open_when_needed() || !file)
                return false;
        return true;
    }
    ~log_file() {
        if (file)
            fclose(file);
    }
};

int opened_once(const char *path) {
    log_file log;
    log.path = path;
    return log.write(3) && log.open_when_needed();
}

int never_opened(int n) {
    log_file log;
    return log.write(n);
}

int empty_from_the_start(int n) {
    std::string s;
    int *p = new int(n); // OK
    if (s.empty())
        delete p;
    return n;
}

int cleared_and_filled(int n) { // n=3
    std::string s;
    int *p = new int(n); // LEAK filled LIKELY
    s = "text";
    if (s.empty())
        delete p;
    return n;
}
