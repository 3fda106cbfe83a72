// Headers and fixtures for the recipes of pcap.own. Captures are read from a file; no device is opened.
#include "run.h"

#include <pcap.h>
#include <stdio.h>
#include <stdlib.h>

static char errors[PCAP_ERRBUF_SIZE];
static inline pcap_t *nothing(void) { return OWN(pcap_open_dead(DLT_EN10MB, 96), pcap_close); }
static inline void make_file(void)
{
    pcap_t *p = pcap_open_dead(DLT_EN10MB, 96);
    pcap_dumper_t *d = pcap_dump_open(p, "x.pcap");
    struct pcap_pkthdr h = {.caplen = 20, .len = 20};
    unsigned char data[20] = {0};
    pcap_dump((u_char *)d, &h, data);
    pcap_dump((u_char *)d, &h, data);
    pcap_dump_close(d);
    pcap_close(p);
}
static inline pcap_t *capture(void)
{
    make_file();
    return OWN(pcap_open_offline("x.pcap", errors), pcap_close);
}
static inline FILE *file(void)
{
    make_file();
    return OWN(fopen("x.pcap", "r"), fclose);
}
static inline FILE *other_file(void) { return OWN(fopen("in", "r"), fclose); }
static inline pcap_dumper_t *dumper(void) { return OWN(pcap_dump_open(nothing(), "y.pcap"), pcap_dump_close); }
static inline void each(u_char *user, const struct pcap_pkthdr *h, const u_char *data) {}
static inline struct bpf_program *program(void)
{
    struct bpf_program *b = block(sizeof *b);
    pcap_compile(nothing(), b, "ip", 1, 0);
    return OWN(b, pcap_freecode);
}
static inline pcap_if_t *devices(void)
{
    pcap_if_t *d = NULL;
    pcap_findalldevs(&d, errors);
    return OWN(d, pcap_freealldevs);
}
static inline int *datalinks(void)
{
    int *l;
    pcap_list_datalinks(nothing(), &l);
    return OWN(l, pcap_free_datalinks);
}
