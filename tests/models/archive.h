// Headers and fixtures for the recipes of archive.own.
#include "run.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static inline struct archive_entry *entry(void)
{
    struct archive_entry *e = OWN(archive_entry_new(), archive_entry_free);
    archive_entry_set_pathname(e, "name");
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_perm(e, 0600);
    archive_entry_set_size(e, 4);
    return e;
}
static inline void make_file(void)
{
    struct archive *a = archive_write_new();
    archive_write_set_format_ustar(a);
    archive_write_open_filename(a, "x.tar");
    struct archive_entry *e = archive_entry_new();
    archive_entry_set_pathname(e, "name");
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_perm(e, 0600);
    archive_entry_set_size(e, 4);
    archive_write_header(a, e);
    archive_write_data(a, "text", 4);
    archive_entry_free(e);
    archive_write_free(a);
}
static inline struct archive *reader(void)
{
    struct archive *a = OWN(archive_read_new(), archive_read_free);
    archive_read_support_format_all(a);
    return a;
}
static inline struct archive *reading(void)
{
    make_file();
    struct archive *a = reader();
    archive_read_open_filename(a, "x.tar", 10240);
    return a;
}
static inline struct archive *at_entry(void)
{
    struct archive *a = reading();
    struct archive_entry *e;
    archive_read_next_header(a, &e);
    return a;
}
static inline struct archive *failing(void)
{
    struct archive *a = reader();
    archive_read_open_filename(a, "none", 10240);
    return a;
}
static inline struct archive *writer(void)
{
    struct archive *a = OWN(archive_write_new(), archive_write_free);
    archive_write_set_format_ustar(a);
    return a;
}
static inline struct archive *writing(void)
{
    struct archive *a = writer();
    archive_write_open_filename(a, "y.tar");
    return a;
}
static inline struct archive *in_entry(void)
{
    struct archive *a = writing();
    archive_write_header(a, entry());
    return a;
}
static inline struct archive *disk(void) { return OWN(archive_read_disk_new(), archive_read_free); }
static inline struct archive *to_disk(void) { return OWN(archive_write_disk_new(), archive_write_free); }
static inline int opened(const char *name, int flags)
{
    make_file();
    int fd = open(name, flags, 0600);
    return OWN(fd, close);
}
static inline FILE *stream(const char *name, const char *mode)
{
    make_file();
    return OWN(fopen(name, mode), fclose);
}
static inline struct archive_entry_linkresolver *links(void)
{
    return OWN(archive_entry_linkresolver_new(), archive_entry_linkresolver_free);
}
