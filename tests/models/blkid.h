// Headers and fixtures for the recipes of blkid.own. A file with a table of partitions stands for a disk.
#include "run.h"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void make_disk(void)
{
    FILE *f = fopen("disk", "w");
    unsigned char sector[512] = {0};
    sector[440] = 1;
    memcpy(sector + 446, (unsigned char[]){0, 0, 2, 0, 0x83, 0, 3, 0, 1, 0, 0, 0, 0, 8, 0, 0}, 16);
    sector[510] = 0x55, sector[511] = 0xaa;
    fwrite(sector, 512, 1, f);
    fclose(f);
    truncate("disk", 2 << 20);
}
static inline blkid_probe probe(void)
{
    make_disk();
    return OWN(blkid_new_probe_from_filename("disk"), blkid_free_probe);
}
static inline blkid_probe probed(void)
{
    blkid_probe p = probe();
    blkid_probe_enable_partitions(p, 1);
    blkid_do_safeprobe(p);
    return p;
}
static inline blkid_partlist parts(void)
{
    blkid_probe p = probe();
    blkid_probe_enable_partitions(p, 1);
    return blkid_probe_get_partitions(p);
}
static inline blkid_partition part(void) { return blkid_partlist_get_partition(parts(), 0); }
static inline blkid_parttable parttable(void) { return blkid_partlist_get_table(parts()); }
static inline blkid_cache cache(void)
{
    blkid_cache c = NULL;
    blkid_get_cache(&c, "/dev/null");
    return OWN(c, blkid_put_cache);
}
static inline int opened(void)
{
    make_disk();
    int fd = open("disk", O_RDONLY);
    return OWN(fd, close);
}
static inline blkid_dev_iterate devs(void) { return OWN(blkid_dev_iterate_begin(cache()), blkid_dev_iterate_end); }
