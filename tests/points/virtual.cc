// Virtual calls: targets come from the initialisers of the vtables.
struct Shape {
    virtual int area() { return 0; }
    virtual ~Shape() {}
};
struct Square : Shape {
    int a = 2;
    int area() override { return a * a; }
};
struct Circle : Shape {
    int r = 3;
    int area() override { return 3 * r * r; }
};
static int square_only(Square *s) { return s->area(); }
static int any(Shape *s) { return s->area(); }
int main()
{
    Square s;
    Circle c;
    return square_only(&s) + any(&s) + any(&c);
}
