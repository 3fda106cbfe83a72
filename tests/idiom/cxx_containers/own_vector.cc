// A growing array written by hand, with and without the release of the old room.
#include <cstring>

class ints {
    int *data = nullptr;
    int n = 0, room = 0;

  public:
    void push(int x) {
        if (n == room) {
            int more = room ? room * 2 : 4;
            int *p = new int[more]; // OK
            if (n)
                memcpy(p, data, n * sizeof *p);
            delete[] data;
            data = p;
            room = more;
        }
        data[n++] = x;
    }
    ~ints() {
        delete[] data;
    }
};

void pushed() {
    ints v;
    v.push(1);
    v.push(2);
}

struct leaky_ints {
    int *data = nullptr;
    int n = 0, room = 0;

    void push(int x) {
        if (n == room) {
            int more = room + 1;
            int *p = new int[more]; // LEAK old
            if (n)
                memcpy(p, data, n * sizeof *p);
            data = p; // LOST old
            room = more;
        }
        data[n++] = x;
    }
    ~leaky_ints() {
        delete[] data;
    }
};

void old_room_lost() {
    leaky_ints v;
    v.push(1);
    v.push(2); // LOST old
}
