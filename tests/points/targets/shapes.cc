// Virtual calls: two hierarchies with the same signatures, an interface, and a strategy object.
struct Shape {
    virtual int area() const = 0;
    virtual ~Shape() {}
};
struct Square : Shape {
    int side = 1;
    int area() const override { return side * side; }
};
struct Circle : Shape {
    int radius = 1;
    int area() const override { return 3 * radius * radius; }
};
struct Meter {
    virtual int value() const = 0;
};
struct Clock : Meter {
    int value() const override { return 12; }
};
struct Scale : Meter {
    int value() const override { return 70; }
};
struct Visitor {
    virtual void visit(int) = 0;
};
struct Summing : Visitor {
    int sum = 0;
    void visit(int n) override { sum += n; }
};
struct Counting : Visitor {
    int count = 0;
    void visit(int) override { count++; }
};
static int total(Shape **v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum += v[i]->area(); // CALLS Square::area, Circle::area
    return sum;
}
static int only_square(const Square *s) { return s->area(); } // CALLS Square::area
static int read_clock(const Meter &m) { return m.value(); } // CALLS Clock::value
static int read_scale(const Meter &m) { return m.value(); } // CALLS Scale::value
static void each(const int *v, int n, Visitor &w)
{
    for (int i = 0; i < n; i++) w.visit(v[i]); // CALLS Summing::visit, Counting::visit
}
static void add_one(Summing &s) { s.visit(1); } // CALLS Summing::visit
int main()
{
    Square s;
    Circle c;
    Clock clock;
    Scale scale;
    Summing sum;
    Counting count;
    Shape *all[] = {&s, &c};
    int v[] = {1, 2, 3};
    each(v, 3, sum);
    each(v, 3, count);
    add_one(sum);
    return total(all, 2) + only_square(&s) + read_clock(clock) + read_scale(scale);
}
