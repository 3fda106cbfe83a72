// Classes: virtual calls, two bases, exceptions through frames with destructors, containers.
#include <cstdio>
#include <vector>
#include <string>
#include <map>
#include <memory>
struct Base { virtual ~Base() { puts("~Base"); } virtual int f() { return 1; } int x = 3; };
struct Other { virtual ~Other() {} int y = 9; virtual void g() { printf("g %d\n", y); } };
struct Der : Base, Other { int f() override { return 2; } ~Der() { puts("~Der"); } int s = 4; };
struct Err { int code; Err(int c) : code(c) {} virtual ~Err() { printf("~Err %d\n", code); } };
struct Sub : Err { Sub(int c) : Err(c + 100) {} };
static int risky(int n) { if (n == 1) throw 5; if (n == 2) throw Sub(7); if (n == 3) throw "text"; return n; }
static int tryit(int n) {
  struct G { int n; ~G() { printf("~G %d\n", n); } } g{n};
  try { return risky(n); } catch (int e) { printf("int %d\n", e); } catch (const Err &e) { printf("err %d\n", e.code); if (n == 2) throw; }
  catch (const char *s) { printf("text %s\n", s); }
  return -1;
}
static int once() { static std::vector<int> v = {1, 2, 3}; v.push_back(4); return (int)v.size(); }
int main(int argc, char **argv)
{
  for (int i = 0; i < 4; i++) try { printf("tryit %d\n", tryit(i)); } catch (Err &e) { printf("outer %d\n", e.code); }
  Base *b = new Der; printf("%d\n", b->f());
  Other *o = dynamic_cast<Other *>(b); o->g();
  printf("%d %d\n", once(), once());
  std::vector<int> v; for (int i = 0; i < 10; i++) v.push_back(i);
  printf("%d %zu\n", v[3], v.size());
  auto p = std::make_shared<Der>(); auto q = p; printf("%ld\n", p.use_count());
  std::unique_ptr<int[]> arr(new int[4]);
  int *lost = new int[3]; lost[0] = 1;
  delete b;
  if (argc > 1) { int *z = new int; delete[] z; }
  return 0;
}
