// A string class of the program's own, as those of the 1990s: a block that grows by new and delete.
// run: --level=likely
#include <cstdio>
#include <cstring>

class text {
    char *ptr;
    int len, size;
    void grow1();

  public:
    text() : ptr(nullptr), len(0), size(0) {}
    text(const char *p);
    ~text() { delete[] ptr; }
    text(const text &) = delete;
    text &operator=(const text &) = delete;
    text &operator+=(char c) {
        if (len >= size) grow1();
        ptr[len++] = c;
        return *this;
    }
    void clear() { len = 0; }
    int length() const { return len; }
    const char *contents() const { return ptr; }
};

static char *allocate(int len, int *size) {
    if (len == 0) {
        *size = 0;
        return nullptr;
    }
    return new char[*size = len * 2];
}

static char *reallocate(char *ptr, int old_size, int old_len, int new_len, int *size) {
    if (old_size >= new_len) {
        *size = old_size;
        return ptr;
    }
    if (new_len == 0) {
        delete[] ptr;
        *size = 0;
        return nullptr;
    }
    char *p = new char[*size = new_len * 2];
    if (old_len < new_len && old_len != 0) memcpy(p, ptr, old_len);
    delete[] ptr;
    return p;
}

text::text(const char *p) {
    if (p == nullptr) {
        len = 0;
        ptr = nullptr;
        size = 0;
    } else {
        len = strlen(p);
        ptr = allocate(len, &size);
        if (len != 0) memcpy(ptr, p, len);
    }
}

void text::grow1() { ptr = reallocate(ptr, size, len, len + 1, &size); }

int line_read(FILE *f) {
    text line;
    int c;
    while ((c = getc(f)) != EOF)
        line += static_cast<char>(c);
    return line.length();
}

bool line_for_the_caller(FILE *f, text *line) {
    int c;
    line->clear();
    while ((c = getc(f)) != EOF) {
        *line += static_cast<char>(c);
        if (c == '\n') break;
    }
    return line->length() > 0;
}

int lines_read(FILE *f) {
    text line;
    int n = 0;
    while (line_for_the_caller(f, &line))
        n++;
    return n;
}

int two_letters(int n) {
    text t;
    t += 'a';
    if (n > 3) t += 'b';
    t += '\0';
    return t.contents()[0];
}

int made_from_a_literal(FILE *f) {
    text t("some text");
    int c;
    while ((c = getc(f)) != EOF)
        t += static_cast<char>(c);
    t += '\0';
    return t.length();
}

class leaky_text {
    char *ptr = nullptr;
    int len = 0, size = 0;

  public:
    ~leaky_text() { delete[] ptr; }
    leaky_text &operator+=(char c) {
        if (len >= size) {
            char *p = new char[size = len * 2 + 2];
            if (len) memcpy(p, ptr, len);
            ptr = p;
        }
        ptr[len++] = c;
        return *this;
    }
    int length() const { return len; }
};

int grown_and_forgotten(FILE *f) {
    leaky_text t;
    int c;
    while ((c = getc(f)) != EOF)
        t += static_cast<char>(c); // LEAK grown; LOST grown
    return t.length();
}
