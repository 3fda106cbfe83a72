#!/bin/bash
# C++ functions without debug information go by the names that they have in the source.
failed=0
cd "$TMP" || exit 1
cat >names.cc <<'EOT'
namespace a {
template <class T> T *make(T x);
struct S {
    S(int);
    ~S();
    void operator()(int) const;
    operator bool() const;
    S &operator<<(int);
    bool operator<(const S &) const;
    S *operator->();
    template <class U> U get(U) const;
    int plain(int (*)(int));
};
}
namespace { int hidden(int (*)(int)); }
int one(int);
int *all(a::S &s)
{
    a::S u(3);
    a::make<long>(3);
    s(1);
    if (s) s << 2;
    if (u < s) s.operator->();
    s.get<int *>(nullptr);
    delete[] new char[3];
    return s.plain(one) + hidden(one) ? new int : nullptr;
}
EOT
"$STANCH" show ir --no-cache names.cc >ir.txt 2>err || { cat err; exit 1; }
for name in 'a::S::S' 'a::S::~S' 'a::S::operator()' 'a::S::operator bool' 'a::S::operator<<' 'a::S::operator<' \
    'a::S::operator->' 'a::S::get<int*>' 'a::S::plain' '(anonymous namespace)::hidden' 'operator new' 'operator new[]' \
    'operator delete[]'; do
    grep -qF "source \"$name\"" ir.txt || { echo "no $name:"; grep ^declare ir.txt; failed=1; break; }
done
echo 'void lose() { int *p = new int; *p = 1; }' >lose.cc
"$STANCH" check --no-cache -q --format=gcc lose.cc | grep -q "leaks memory from operator new" ||
    { echo "a finding names new by its symbol"; failed=1; }
exit $failed
