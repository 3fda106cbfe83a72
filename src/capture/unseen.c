// What a build links and nobody was seen to make: archives are looked into, since their members tell
// which objects they hold whoever put them there (an ar that was not seen, `ar -M`, a copy); what is
// left is said, because a program without its library looks like one without leaks.
#include "base/file.h"
#include "capture/capture_int.h"

#include <ar.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MEMBERS_MAX = 1 << 16, NAMES_BYTES = 16 << 20, SAID_MAX = 3 };

// ---- the members of an archive ----

// A header's name: "x.o/", or "/123" for a place in the table of long names.
static const char *member_name(Arena *a, const struct ar_hdr *h, const char *names, size_t names_len)
{
    char text[sizeof h->ar_name + 1];
    memcpy(text, h->ar_name, sizeof h->ar_name);
    text[sizeof h->ar_name] = 0;
    const char *from = text;
    size_t len = sizeof h->ar_name;
    if (text[0] == '/' && text[1] >= '0' && text[1] <= '9') {
        size_t at = strtoul(text + 1, NULL, 10);
        if (!names || at >= names_len) return NULL;
        from = names + at;
        len = names_len - at;
    } else if (text[0] == '/') {
        return NULL; // the symbol table
    }
    size_t n = 0;
    while (n < len && from[n] != '\n' && from[n] && !(from[n] == '/' && (n + 1 == len || from[n + 1] == '\n' || from[n + 1] == ' ' || !from[n + 1]))) n++;
    while (n && from[n - 1] == ' ') n--;
    return n ? arena_strndup(a, from, n) : NULL;
}

// False: it is no archive. Damage ends the list.
static bool read_members(Arena *a, const char *path, Words *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char magic[SARMAG];
    bool ok = fd >= 0 && file_read_at(fd, magic, sizeof magic, 0);
    bool thin = ok && memcmp(magic, "!<thin>\n", SARMAG) == 0;
    ok = thin || (ok && memcmp(magic, ARMAG, SARMAG) == 0);
    char *names = NULL;
    size_t names_len = 0;
    struct ar_hdr h;
    for (off_t at = SARMAG; ok && out->len < MEMBERS_MAX && file_read_at(fd, &h, sizeof h, at);) {
        if (memcmp(h.ar_fmag, ARFMAG, sizeof h.ar_fmag) != 0) break;
        char digits[sizeof h.ar_size + 1] = {0};
        memcpy(digits, h.ar_size, sizeof h.ar_size);
        off_t size = strtol(digits, NULL, 10);
        if (size < 0) break;
        bool table = strncmp(h.ar_name, "// ", 3) == 0;
        bool special = h.ar_name[0] == '/' && (h.ar_name[1] < '0' || h.ar_name[1] > '9');
        if (table && !names && size <= NAMES_BYTES) {
            names = mem_alloc((size_t)size + 1);
            names_len = (size_t)size;
            if (!file_read_at(fd, names, names_len, at + (off_t)sizeof h)) break;
        } else if (!special) {
            const char *name = member_name(a, &h, names, names_len);
            if (name) vec_push(out, name);
        }
        at += (off_t)sizeof h + (thin && !special ? 0 : size + (size & 1));
    }
    mem_free(names);
    if (fd >= 0) close(fd);
    return ok;
}

// ---- known objects by their last name ----

// The object of that name in the archive's directory, else the only one of that name.
static const char *find_object(const Collector *c, const Map *by_base, const char *archive,
                               const char *member)
{
    const char *beside = path_join(c->a, path_dir(c->a, archive), member);
    Name near = name_find(c->names, beside);
    const uint64_t *at = near.id ? map_get(&c->object_of, near.id) : NULL;
    if (!at) {
        Name base = name_find(c->names, path_base(member));
        at = base.id ? map_get(by_base, base.id) : NULL;
        if (at && !*at) at = NULL;
    }
    if (!at) return NULL;
    const Object *o = &c->objects.at[*at - 1];
    return arena_strdup(c->a, name_text(c->names, o->stands_for.id ? o->stands_for : o->path));
}

static bool look_into(Collector *c, const Map *by_base, const char *archive)
{
    Words members = {0};
    VEC(CaptureInput) inputs = {0};
    bool open = false;
    if (read_members(c->a, archive, &members))
        vec_each (i, &members) {
            const char *object = find_object(c, by_base, archive, members.at[i]);
            if (object)
                vec_push(&inputs, ((CaptureInput){CAPTURE_IN_OBJECT, object, false}));
            else
                open = true;
        }
    vec_free(&members);
    bool any = inputs.len != 0;
    if (any) {
        vec_keep(&inputs, c->a);
        collect_link(c, (CaptureLink){.output = archive, .kind = CAPTURE_ARCHIVE, .inputs = inputs.at, .input_count = inputs.len, .open = open}, false);
    } else {
        vec_free(&inputs);
    }
    return any;
}

// ---- what is left ----

typedef struct {
    uint32_t count;
    const char *names[SAID_MAX];
} Said;

static void add(Said *s, const char *path)
{
    if (s->count < SAID_MAX) s->names[s->count] = path;
    s->count++;
}

static const char *list(Arena *a, const Said *s, const char *root)
{
    const char *text = "";
    for (uint32_t i = 0; i < s->count && i < SAID_MAX; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", path_below(root, s->names[i]));
    return s->count > SAID_MAX ? arena_printf(a, "%s and %u more", text, s->count - SAID_MAX) : text;
}

void collect_unseen(Collector *c, const char *root, int64_t since)
{
    Map by_base = {0}, seen = {0};
    vec_each (i, &c->objects) {
        bool fresh;
        const char *base = path_base(name_text(c->names, c->objects.at[i].path));
        uint64_t *at = map_at(&by_base, name_of(c->names, base).id, i + 1, &fresh);
        // libtool's x.o and .libs/x.o are one job.
        if (!fresh && *at && c->objects.at[*at - 1].job != c->objects.at[i].job) *at = 0;
    }
    Said objects = {0}, archives = {0};
    uint32_t old = 0;
    for (uint32_t l = 0; l < c->links.len; l++) {
        if (!file_exists(c->links.at[l].output)) continue; // a probe
        for (uint32_t i = 0; i < c->links.at[l].input_count; i++) {
            CaptureInput in = c->links.at[l].inputs[i];
            bool fresh;
            struct stat st;
            if (in.kind != CAPTURE_IN_OBJECT && in.kind != CAPTURE_IN_ARCHIVE) continue;
            map_at(&seen, name_of(c->names, in.path).id, 1, &fresh);
            Name name = name_find(c->names, in.path);
            if (!fresh || map_get(&c->object_of, name.id) || map_get(&c->link_of, name.id) ||
                map_get(&c->other_of, name.id))
                continue;
            if (stat(in.path, &st) != 0 || !S_ISREG(st.st_mode)) continue;
            bool ours = path_below(root, in.path) != in.path;
            if (in.kind == CAPTURE_IN_ARCHIVE && look_into(c, &by_base, in.path)) continue;
            if (st.st_mtim.tv_sec >= since)
                add(in.kind == CAPTURE_IN_OBJECT ? &objects : &archives, in.path);
            else
                old += ours;
        }
    }
    map_free(&by_base);
    map_free(&seen);
    if (objects.count)
        diag_warn(c->d,
                  "%u object file%s %s linked that no command in sight compiled, and what %s made "
                  "from is not analysed: %s",
                  objects.count, objects.count == 1 ? "" : "s", objects.count == 1 ? "was" : "were",
                  objects.count == 1 ? "it was" : "they were", list(c->a, &objects, root));
    if (archives.count)
        diag_warn(c->d, "%u archive%s %s linked of which nothing was seen to be compiled: %s",
                  archives.count, archives.count == 1 ? "" : "s",
                  archives.count == 1 ? "was" : "were", list(c->a, &archives, root));
    if (old)
        diag_warn(c->d,
                  "%u file%s that the build links %s older than the build and not analysed; start "
                  "it from a clean tree",
                  old, old == 1 ? "" : "s", old == 1 ? "is" : "are");
    c->out->counts.unseen = objects.count + archives.count + old;
}
