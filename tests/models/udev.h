// Headers and fixtures for the recipes of udev.own.
#include "run.h"

#include <libudev.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static inline struct udev *udev(void) { return OWN(udev_new(), udev_unref); }
static inline struct udev_device *device(void)
{
    return OWN(udev_device_new_from_subsystem_sysname(udev(), "mem", "null"), udev_device_unref);
}
static inline struct udev_enumerate *enumerate(void) { return OWN(udev_enumerate_new(udev()), udev_enumerate_unref); }
static inline struct udev_enumerate *scanned(void)
{
    struct udev_enumerate *e = enumerate();
    udev_enumerate_add_match_subsystem(e, "mem");
    udev_enumerate_scan_devices(e);
    return e;
}
static inline struct udev_list_entry *entry(void) { return udev_enumerate_get_list_entry(scanned()); }
static inline struct udev_monitor *monitor(void)
{
    return OWN(udev_monitor_new_from_netlink(udev(), "kernel"), udev_monitor_unref);
}
static inline struct udev_queue *queue(void) { return OWN(udev_queue_new(udev()), udev_queue_unref); }
static inline struct udev_monitor *receiving(void)
{
    struct udev_monitor *m = monitor();
    udev_monitor_enable_receiving(m);
    return m;
}
static inline struct udev_hwdb *hwdb(void) { return OWN(udev_hwdb_new(udev()), udev_hwdb_unref); }
