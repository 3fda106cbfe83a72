// Objects deleted through a base: the virtual destructor releases the derived part.
struct shape {
    virtual ~shape() {
    }
    virtual int area() const = 0;
};

struct square : shape {
    int side;
    explicit square(int s) : side(s) {
    }
    int area() const override {
        return side * side;
    }
};

struct polygon : shape {
    int *points;
    explicit polygon(int n) : points(new int[n]) { // OK
    }
    ~polygon() override {
        delete[] points;
    }
    int area() const override {
        return points[0];
    }
};

int deleted_through_the_base(int n) {
    shape *s = n > 2 ? static_cast<shape *>(new polygon(n)) : new square(n); // OK
    int a = s->area();
    delete s;
    return a;
}

int forgotten_through_the_base(int n) {
    shape *s = new square(n); // LEAK shape
    return s->area();         // LOST shape
}

struct plain_base {
    int kind;
};

struct derived : plain_base {
    int *data;
};

int member_left_behind() {
    derived *d = new derived; // OK
    d->data = new int[3];     // LEAK data
    d->data[0] = 1;
    int r = d->data[0];
    delete d; // LOST data
    return r;
}
