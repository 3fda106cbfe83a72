// Whether a program would load a preloaded library, read from its ELF headers. Runs between vfork
// and exec in processes of the build: no heap, no state.
#include "capture/capture_int.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 4096, DYNAMIC_MAX = 256 };

typedef struct {
    int fd;
    size_t len; // of head
    _Alignas(16) char head[HEAD_BYTES];
    const ElfW(Phdr) * segments;
    unsigned segment_count;
} ElfHead;

// The class, byte order and machine of this very code.
static bool is_ours(const ElfW(Ehdr) * h)
{
    static const ElfW(Half) machine =
#if defined __x86_64__
        EM_X86_64;
#elif defined __aarch64__
        EM_AARCH64;
#elif defined __i386__
        EM_386;
#elif defined __arm__
        EM_ARM;
#elif defined __riscv
        EM_RISCV;
#elif defined __powerpc64__
        EM_PPC64;
#elif defined __s390x__
        EM_S390;
#else
        EM_NONE; // nothing is preloaded; shims do the work
#endif
    static const unsigned char order =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    return h->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
           h->e_ident[EI_DATA] == order && h->e_machine == machine;
}

static const ElfW(Phdr) * segment(const ElfHead *e, ElfW(Word) type)
{
    for (unsigned i = 0; i < e->segment_count; i++)
        if (e->segments[i].p_type == type) return &e->segments[i];
    return NULL;
}

// The text at this place of the file, zero-terminated.
static bool read_text(const ElfHead *e, off_t at, char *text, size_t size)
{
    ssize_t n = pread(e->fd, text, size - 1, at);
    if (n <= 0) return false;
    text[n] = 0;
    return true;
}

// Another C library's loader would refuse to start the program with ours in its list.
static bool is_glibc(const ElfHead *e)
{
    const ElfW(Phdr) *interp = segment(e, PT_INTERP);
    char text[256];
    if (!interp || !read_text(e, (off_t)interp->p_offset, text, sizeof text)) return false;
    const char *base = strrchr(text, '/');
    base = base ? base + 1 : text;
    return strncmp(base, "ld-linux", 8) == 0 || strncmp(base, "ld64.so", 7) == 0;
}

// AddressSanitizer's runtime ends a program in whose list of libraries it is not the first.
static bool needs_to_be_first(const ElfHead *e)
{
    const ElfW(Phdr) *dynamic = segment(e, PT_DYNAMIC);
    if (!dynamic) return false;
    ElfW(Dyn) table[DYNAMIC_MAX];
    size_t bytes = dynamic->p_filesz < sizeof table ? dynamic->p_filesz : sizeof table;
    ssize_t n = pread(e->fd, table, bytes, (off_t)dynamic->p_offset);
    if (n <= 0) return false;
    size_t count = (size_t)n / sizeof *table;
    ElfW(Addr) strings = 0;
    for (size_t i = 0; i < count; i++)
        if (table[i].d_tag == DT_STRTAB) strings = table[i].d_un.d_ptr;
    const ElfW(Phdr) *load = NULL;
    for (unsigned i = 0; i < e->segment_count; i++) {
        const ElfW(Phdr) *p = &e->segments[i];
        if (p->p_type == PT_LOAD && strings >= p->p_vaddr && strings - p->p_vaddr < p->p_filesz)
            load = p;
    }
    if (!load) return false;
    off_t base = (off_t)(strings - load->p_vaddr + load->p_offset);
    for (size_t i = 0; i < count && table[i].d_tag != DT_NULL; i++) {
        char name[24];
        if (table[i].d_tag == DT_NEEDED &&
            read_text(e, base + (off_t)table[i].d_un.d_val, name, sizeof name) &&
            (strncmp(name, "libasan.so", 10) == 0 || strncmp(name, "libclang_rt.asan", 16) == 0))
            return true;
    }
    return false;
}

static ElfFit fit_of(ElfHead *e)
{
    ssize_t n = pread(e->fd, e->head, sizeof e->head, 0);
    if (n < (ssize_t)sizeof(ElfW(Ehdr)) || memcmp(e->head, ELFMAG, SELFMAG) != 0)
        return ELF_TAKES; // a script, whose interpreter is another program
    const ElfW(Ehdr) *h = (const void *)e->head;
    if (!is_ours(h)) return ELF_BREAKS;
    if (h->e_phentsize != sizeof(ElfW(Phdr)) || h->e_phoff % _Alignof(ElfW(Phdr)) != 0 ||
        h->e_phoff > (size_t)n || h->e_phnum > ((size_t)n - h->e_phoff) / sizeof(ElfW(Phdr)))
        return ELF_TAKES; // nothing is known against it
    e->segments = (const void *)(e->head + h->e_phoff);
    e->segment_count = h->e_phnum;
    if (!segment(e, PT_INTERP)) return ELF_IGNORES;
    if (!is_glibc(e) || needs_to_be_first(e)) return ELF_BREAKS;
    return ELF_TAKES;
}

ElfFit elf_fit(const char *path)
{
    struct stat st;
    ElfHead e;
    e.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (e.fd < 0) return ELF_TAKES;
    ElfFit fit = ELF_TAKES;
    if (fstat(e.fd, &st) == 0 && S_ISREG(st.st_mode)) {
        fit = fit_of(&e);
        // The loader ignores the list where a program runs with other rights than its caller.
        if (fit == ELF_TAKES && (st.st_mode & (S_ISUID | S_ISGID))) fit = ELF_IGNORES;
    }
    close(e.fd);
    return fit;
}
