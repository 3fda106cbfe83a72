// Exceptions: invoke, landing pads, resume, cleanups.
// expect: invoke void @_Z5risksi(%n) to b* unwind b*
// expect: landing agg16 cleanup(@_ZTIi)
// expect: = opaque i32 typeid(@_ZTIi)
// expect: resume %
// expect: call void @_ZN5GuardD1Ev(
// expect: call ptr @__cxa_begin_catch(
// expect: invoke noreturn void @__cxa_throw(
// expect: language "c++"
// expect: source "risks"
struct Guard { char *p; Guard(); ~Guard(); };
void risks(int);
int run(int n)
{
    Guard g;
    try {
        risks(n);
    } catch (int &e) {
        return e;
    }
    if (n == 3) throw n;
    return 0;
}
