// The text that a string lends: kept in variables, members and views while the string changes, moves or ends.
// run: --level=likely
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

struct named {
    const char *name;
    std::string_view view;
    const char *held() const { return name; }
};

int member_keeps_text(int n) {
    named r;
    {
        std::string s("some text that is longer than the small buffer");
        r.name = s.c_str();
    }
    return r.name[0] + n; // USE-AFTER-FREE
}

int member_keeps_living_text(int n) {
    named r;
    std::string s("some text that is longer than the small buffer");
    r.name = s.c_str();
    return r.name[0] + n;
}

int text_of_a_temporary(const std::string &a) {
    const char *p = (a + " and more that is long enough").c_str();
    return p[0]; // USE-AFTER-FREE
}

int text_of_a_temporary_at_once(const std::string &a) {
    return static_cast<int>(strlen((a + " and more").c_str()));
}

int text_of_a_stream(int n) {
    std::ostringstream o;
    o << "a number that is written in a long text: " << n;
    const char *p = o.str().c_str();
    return p[0]; // USE-AFTER-FREE
}

int text_of_a_stream_kept(int n) {
    std::ostringstream o;
    o << "a number that is written in a long text: " << n;
    std::string s = o.str();
    const char *p = s.c_str();
    return p[0];
}

int text_after_assignment(const std::string &other) {
    std::string s("x");
    const char *p = s.c_str();
    s = other;
    s += other;
    return static_cast<int>(strlen(s.c_str())) + (p == nullptr);
}

int text_of_a_deleted_string(int n) {
    auto *s = new std::string("some text that is longer than the small buffer");
    const char *p = s->c_str();
    delete s;
    return p[n]; // USE-AFTER-FREE
}

int text_after_reset(int n) {
    auto s = std::make_unique<std::string>("some text that is longer than the small buffer");
    const char *p = s->data();
    s.reset();
    return p[n]; // USE-AFTER-FREE
}

int text_of_an_owned_string(int n) {
    auto s = std::make_unique<std::string>("some text that is longer than the small buffer");
    const char *p = s->data();
    return p[n];
}

static std::string_view view_of(const std::string &s) { return s; }

int view_through_a_function(int n) {
    std::string_view v = view_of(std::string("some text that is longer than the small buffer"));
    return v[n]; // USE-AFTER-FREE
}

int view_of_a_parameter(const std::string &s) {
    std::string_view v = view_of(s);
    return v[0];
}

static const char *text_of_a_local(int n) {
    std::string s(100, static_cast<char>('a' + n));
    return s.c_str();
}

int returned_text(int n) {
    const char *p = text_of_a_local(n);
    return p[0]; // USE-AFTER-FREE
}

int grown_with_views(int n) {
    std::string s("some text that is longer than the small buffer");
    std::string_view v = s;
    for (int i = 0; i < 10 * n; i++)
        s.push_back('x');
    return v[0]; // USE-AFTER-FREE
}

int text_asked_again(int n) {
    std::string s("some text that is longer than the small buffer");
    const char *p = s.c_str();
    int r = p[0];
    for (int i = 0; i < 10 * n; i++)
        s.push_back('x');
    p = s.c_str();
    return r + p[0];
}

void text_deleted() {
    std::string s("some text that is longer than the small buffer");
    delete[] s.data(); // INVALID-FREE; asan: mismatched-free
}

int element_text_after_clear(int n) {
    std::vector<std::string> v;
    v.push_back("some text that is longer than the small buffer");
    const char *p = v[0].c_str();
    v.clear();
    return p[n]; // MISSED USE-AFTER-FREE (how many elements there are is not known behind a temporary)
}

int element_text(int n) {
    std::vector<std::string> v;
    v.push_back("some text that is longer than the small buffer");
    const char *p = v[0].c_str();
    return p[n];
}

int name_of_a_key(int n) {
    std::map<std::string, int> m;
    m["some text that is longer than the small buffer"] = n;
    const std::string &k = m.begin()->first;
    const char *p = k.c_str();
    return p[0] + m[k];
}

char *duplicated(const std::string &s) { // asan: leak, by the caller
    char *p = static_cast<char *>(malloc(s.size() + 1));
    if (p) memcpy(p, s.data(), s.size() + 1);
    return p;
}

int moved_text(int n) {
    std::string s("some text that is longer than the small buffer");
    const char *p = s.c_str();
    std::string t = std::move(s);
    return p[n] + t[0];
}

int swapped_text(int n) {
    std::string s("some text that is longer than the small buffer"), t("another text that is longer than the buffer");
    const char *p = s.c_str();
    s.swap(t);
    return p[n] + t[0] + s[0];
}

int optional_text(int n) {
    std::optional<std::string> o("some text that is longer than the small buffer");
    const char *p = o->c_str();
    o.reset();
    return p[n]; // MISSED USE-AFTER-FREE (what the callee ends it does not tell)
}

// Moved text lives on in the other string.
int moved_out_of_a_scope(int n) {
    std::string outer;
    const char *p;
    {
        std::string s("some text that is longer than the small buffer");
        p = s.c_str();
        outer = std::move(s);
    }
    return p[n] + outer[0];
}

int swapped_out_of_a_scope(int n) {
    std::string outer;
    const char *p;
    {
        std::string s("some text that is longer than the small buffer");
        p = s.c_str();
        outer.swap(s);
    }
    return p[n] + outer[0];
}

static std::string made(int n) {
    std::string s(40, 'x');
    const char *p = s.c_str();
    s[0] = p[n];
    return s;
}

int text_of_a_result(int n) {
    std::string s = made(n);
    const char *p = s.c_str();
    s[1] = 'y';
    return p[1];
}

int read_before_it_changes(int n) {
    std::string s("some text that is longer than the small buffer");
    const char *p = s.c_str();
    int r = p[n];
    s += "more";
    return r;
}

int one_way_changes(int n) {
    std::string s("some text that is longer than the small buffer");
    const char *p = s.c_str();
    if (n > 5) {
        s += "more";
        p = s.data();
    }
    return p[0];
}

int names_in_a_loop(const std::vector<std::string> &all) {
    const char *last = "";
    int sum = 0;
    for (const auto &s : all) {
        const char *p = s.c_str();
        sum += p == last;
        last = p;
    }
    return sum + last[0];
}

struct options {
    std::vector<std::string> words;
    std::vector<char *> argv;
    void build() {
        argv.clear();
        for (auto &w : words)
            argv.push_back(&w[0]);
        argv.push_back(nullptr);
    }
};

int arguments(int n) {
    options o;
    o.words.push_back("some text that is longer than the small buffer");
    o.build();
    return o.argv[0][n];
}

struct person {
    std::string name;
    const char *text() const { return name.c_str(); }
    void rename(const std::string &n) { name = n; }
};

int text_of_a_member(int n) {
    auto *p = new person{"some text that is longer than the small buffer"}; // OK
    const char *t = p->text();
    int r = t[n];
    delete p;
    return r;
}

int text_of_a_deleted_member(int n) {
    auto *p = new person{"some text that is longer than the small buffer"}; // OK
    const char *t = p->text();
    delete p;
    return t[n]; // USE-AFTER-FREE
}

int text_of_a_renamed_member(const std::string &s) {
    person p{"a"};
    const char *t = p.text();
    p.rename(s);
    t = p.text();
    return t[0];
}

int file_name_lent(const char *path) {
    std::string name(path);
    const char *p = name.c_str();
    FILE *f = fopen(p, "r"); // OK
    if (!f) {
        fprintf(stderr, "%s\n", p);
        return -1;
    }
    int c = fgetc(f);
    fclose(f);
    return c;
}
