// A program that tells its exceptions apart names them in its handlers. One that none names reports what
// is taken to be impossible: what is lost on its way is not sure. Unless a call of the system has failed.
#include <unistd.h>

struct error {};
struct internal_error : error {};
struct input_error : error {};
struct network_error : error {};
struct timeout : network_error {};

struct item {
    int value = 0;
};

static void must_be_small(int n) {
    if (n > 1000) throw internal_error(); // DOUBLE-FREE? (audit: the runtime has what is thrown)
}

static void must_be_a_number(int n) {
    if (n < 0) throw input_error(); // DOUBLE-FREE? (audit: the runtime has what is thrown)
}

static void must_answer(int n) {
    if (n == 0) throw timeout(); // DOUBLE-FREE? (audit: the runtime has what is thrown)
}

static void must_be_read(int file) {
    char c;
    if (read(file, &c, 1) < 0) throw internal_error(); // DOUBLE-FREE? (audit: the runtime has what is thrown)
}

int guarded(int n) {
    try {
        must_be_a_number(n);
        must_answer(n);
    } catch (const input_error &) {
        return -1;
    } catch (const network_error &) {
        return -2;
    }
    return n;
}

int no_handler_names_it(int n) { // n=1001
    item *i = new item; // LEAK odd AUDIT because ODD_EXCEPTION
    must_be_small(n); // LOST odd
    int r = i->value;
    delete i;
    return r;
}

int a_handler_names_it(int n) { // n=-1
    item *i = new item; // LEAK input
    must_be_a_number(n); // LOST input
    int r = i->value;
    delete i;
    return r;
}

int a_handler_names_its_base(int n) { // n=0
    item *i = new item; // LEAK late
    must_answer(n); // LOST late
    int r = i->value;
    delete i;
    return r;
}

int a_call_has_failed(int n) { // n=-1
    item *i = new item; // LEAK failed
    must_be_read(n); // LOST failed
    int r = i->value;
    delete i;
    return r;
}

int all_is_deleted(int n) {
    item *i = new item; // OK
    try {
        must_be_small(n);
    } catch (...) {
        delete i;
        throw;
    }
    int r = i->value;
    delete i;
    return r;
}
