// Virtual tables, inheritance, templates, qualified names, constructors of globals.
// expect: global @_ZTVN2ns6CircleE
// expect:   32: ptr @_ZN2ns6Circle4areaEi
// expect: source "ns::Circle::area"
// expect: ptr %this nonnull this type
// expect: struct "ns::Circle" size 16 { t* base, t* "radius" at 96 }
// expect: field inbounds ptr %*, * "radius"
// expect: source "ns::pick<int>"
// expect: field inbounds ptr %*, * "second"
// expect: constructor @_GLOBAL__sub_I_classes.cc
// expect: setpart agg16
// expect: linkonce
// expect: func i32 @_Z9by_memberPN2ns5ShapeEb(ptr %s type *, i1 %c type
// expect: reference size 8
// expect: (anonymous namespace)::hidden
// expect: call i32 %*(%s, 3)
namespace ns {
struct Shape { virtual ~Shape(); virtual int area(int scale); int sides; };
struct Circle : Shape { int area(int scale) override; int radius; };
int Circle::area(int scale) { return radius * scale; }
template <class T> struct Two { T first, second; };
template <class T> T pick(const Two<T> &t) { return t.second; }
int use(Shape *s, Two<int> &t) { return s->area(3) + pick(t); }
}
namespace { int hidden() { return 1; } }
ns::Circle global;
typedef int (ns::Shape::*Method)(int);
int call(ns::Shape *s, Method m) { return (s->*m)(hidden()); }
int by_member(ns::Shape *s, bool c) { return call(s, c ? &ns::Shape::area : nullptr); }
ns::Shape *make() { return new ns::Circle; }
void drop(ns::Shape *s) { delete s; }
