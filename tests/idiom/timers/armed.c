// A timer is as wide as a pointer; one that is armed goes off, and is meant to live.
// run: --level=likely
#include <signal.h>
#include <time.h>

int timed(void)
{
    timer_t t;
    struct sigevent ev = {0};
    struct itimerspec its = {{1, 0}, {1, 0}};
    ev.sigev_notify = SIGEV_NONE;
    if (timer_create(CLOCK_MONOTONIC, &ev, &t) < 0) return -1; // OK
    timer_settime(t, 0, &its, NULL);
    timer_delete(t);
    return 0;
}
static timer_t watchdog;
int armed(void)
{
    if (timer_create(CLOCK_REALTIME, NULL, &watchdog) < 0) return -1; // OK
    struct itimerspec its = {{1, 0}, {1, 0}};
    return timer_settime(watchdog, 0, &its, NULL);
}
int armed_local(struct sigevent *ev)
{
    timer_t t;
    struct itimerspec its = {{1, 0}, {1, 0}};
    if (timer_create(CLOCK_REALTIME, ev, &t) < 0) return -1; // OK
    if (timer_settime(t, 0, &its, NULL) < 0) {
        timer_delete(t);
        return -1;
    }
    return 0;
}
int never_armed(void)
{
    timer_t t;
    if (timer_create(CLOCK_REALTIME, NULL, &t) < 0) return -1; // RESOURCE-LEAK timer
    return 0; // LOST timer
}
