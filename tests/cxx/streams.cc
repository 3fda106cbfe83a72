// Streams of the library close themselves; those of C do not.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

struct item {
    int value = 0;
};

int stream_closes_itself(const char *path) {
    std::ifstream in(path);
    std::string line;
    int n = 0;
    while (std::getline(in, line))
        n++;
    return n;
}

int early_return_from_a_stream(const char *path) {
    std::ifstream in(path);
    if (!in.is_open()) return -1;
    std::string word;
    in >> word;
    return static_cast<int>(word.size());
}

int stream_on_the_heap_forgotten(const char *path) {
    std::ifstream *in = new std::ifstream(path); // LEAK stream
    int n = 0;
    *in >> n;
    return n;
}

int stream_on_the_heap_deleted(const char *path) {
    std::ifstream *in = new std::ifstream(path); // OK
    int n = 0;
    *in >> n;
    delete in;
    return n;
}

int c_stream_forgotten(const char *path) { // asan: none, the C library still has it
    FILE *f = fopen(path, "r"); // RESOURCE-LEAK file
    if (!f) return -1;
    std::string text;
    text.push_back(static_cast<char>(fgetc(f)));
    return static_cast<int>(text.size());
}

int c_stream_closed(const char *path) {
    FILE *f = fopen(path, "r"); // OK
    if (!f) return -1;
    std::string text;
    text.push_back(static_cast<char>(fgetc(f)));
    fclose(f);
    return static_cast<int>(text.size());
}

std::string written(int n) {
    std::ostringstream out;
    out << "n = " << n << std::endl;
    return out.str();
}

int printed_and_forgotten(int n) {
    item *i = new item; // LEAK printed
    i->value = n;
    std::cout << i->value << "\n";
    return n;
}

int printed_and_deleted(int n) {
    item *i = new item; // OK
    i->value = n;
    std::cout << i->value << "\n";
    delete i;
    return n;
}

int read_into_an_object(std::istream &in) {
    auto i = std::make_unique<item>(); // OK
    in >> i->value;
    if (!in) return -1;
    return i->value;
}

int read_into_a_raw_object(std::istream &in) {
    item *i = new item; // LEAK read
    in >> i->value;
    if (!in) return -1;
    int r = i->value;
    delete i;
    return r;
}
