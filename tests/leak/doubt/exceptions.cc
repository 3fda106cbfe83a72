// Exceptions that are only perhaps on their way: of a type that no handler here names, or out of a
// function whose code is not there.
struct Wanted {};
struct Other {};
void may_throw(int n);

// Of its bases nothing is to be seen.
struct Hidden {
    virtual ~Hidden();
};

int of_a_hidden_type(int n)
{
    char *p = new char[16]; // LEAK hidden LIKELY because UNCAUGHT
    try {
        if (n > 3) throw Hidden();
    } catch (Wanted &) {
        delete[] p;
        return 1;
    }
    delete[] p;
    return 0;
} // LOST hidden

int of_another_type(int n)
{
    char *p = new char[16]; // LEAK other
    try {
        if (n > 3) throw Other();
    } catch (Wanted &) {
        delete[] p;
        return 1;
    }
    delete[] p;
    return 0;
} // LOST other

int out_of_unknown_code(int n)
{
    char *p = new char[16]; // LEAK unknown LIKELY because MAY_THROW
    try {
        may_throw(n);
    } catch (Wanted &) {
        return 1; // LOST unknown
    }
    delete[] p;
    return 0;
} // LOST unknown

int whatever_it_is(int n)
{
    char *p = new char[16]; // OK
    try {
        may_throw(n);
    } catch (...) {
        delete[] p;
        return 1;
    }
    delete[] p;
    return 0;
}
