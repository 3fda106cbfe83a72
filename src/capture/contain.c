// What clang and the lowering of one unit may do: read the system's files and the project's, write
// the scratch directory, and compute. Landlock holds the files, seccomp the calls; both are for
// ever and for everything that is started afterwards, so they are taken on in the child.
//
// Which headers a unit reads is not known before. So what is kept away is what no program is made
// of: the home directory but for the tree that holds the project, /etc, /root, /run, /var and the
// like. Of the flags nothing is taken for this: a build database could name ~/.ssh with -I.
#include "base/file.h"
#include "capture/capture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// ---- files ----

enum {
    LOOK = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    RUN = LOOK | LANDLOCK_ACCESS_FS_EXECUTE,
    // Of the first version, which every kernel with Landlock has.
    WRITE = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
            LANDLOCK_ACCESS_FS_MAKE_REG,
    ALL = RUN | WRITE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_CHAR |
          LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_SOCK |
          LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM,
};
// Of the third version; the headers of the system may be older than its kernel.
#define CUT_FILES ((uint64_t)1 << 14)

static void allow(int rules, const char *path, uint64_t what)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return;
    struct landlock_path_beneath_attr rule = {.allowed_access = what, .parent_fd = fd};
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

// What is below the root directory, but for places where people and services keep their own.
static void allow_system(int rules)
{
    static const char *const away[] = {"home", "root", "etc", "proc", "sys",        "run",
                                       "dev",  "boot", "var", "srv",  "lost+found", NULL};
    static const char *const programs[] = {"usr", "lib", "lib32", "lib64", "bin", "opt", "nix",
                                           NULL};
    static const char *const more[] = {"/etc/alternatives", "/etc/ld.so.cache", "/dev/zero",
                                       "/dev/urandom",      "/dev/random",      NULL};
    DIR *d = opendir("/");
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.' || is_one_of(e->d_name, away)) continue;
        char *path = mem_printf("/%s", e->d_name);
        allow(rules, path, is_one_of(e->d_name, programs) ? RUN : LOOK);
        mem_free(path);
    }
    if (d) closedir(d);
    // A single file has no entries to read.
    for (int i = 0; more[i]; i++) allow(rules, more[i], i ? LANDLOCK_ACCESS_FS_READ_FILE : LOOK);
    allow(rules, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
}

// The tree of `path`: below the home directory the first part of the way, so that neighbours of the
// project can be read (../include), unless that is hidden.
static const char *tree_of(Arena *a, const char *path)
{
    const char *home = getenv("HOME");
    if (!home || home[0] != '/' || !home[1]) return path;
    const char *below = path_below(path_normal(a, home), path);
    if (below == path || below[0] == '.') return path;
    return arena_printf(a, "%s/%.*s", home, (int)strcspn(below, "/"), below);
}

int contain_prepare(Arena *a, const CaptureJob *jobs, uint32_t count, const char *root,
                    const char *scratch, const char *clang)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return -1;
    struct landlock_ruleset_attr attr = {.handled_access_fs = ALL | (version >= 3 ? CUT_FILES : 0)};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
    if (rules < 0) return -1;
    allow_system(rules);
    allow(rules, tree_of(a, root), LOOK);
    // Jobs are sorted by source: neighbours are equal more often than not.
    const char *last = "";
    for (uint32_t i = 0; i < count; i++) {
        const char *places[] = {jobs[i].directory, path_dir(a, jobs[i].source)};
        for (int k = 0; k < 2; k++) {
            const char *tree = tree_of(a, places[k]);
            if (strcmp(tree, last) != 0) allow(rules, tree, LOOK);
            last = tree;
        }
    }
    char *real = realpath(clang, NULL);
    allow(rules, path_dir(a, real ? real : clang), RUN);
    allow(rules, path_dir(a, clang), RUN);
    free(real);
    allow(rules, scratch, LOOK | WRITE | (version >= 3 ? CUT_FILES : 0));
    return rules;
}

int contain_prepare_hold(Arena *a, const char *dir)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return -1;
    struct landlock_ruleset_attr attr = {.handled_access_fs = ALL | (version >= 3 ? CUT_FILES : 0)};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
    if (rules < 0) return -1;
    allow_system(rules);
    (void)a;
    allow(rules, dir, RUN);
    // LeakSanitizer reads its own threads and mappings there.
    allow(rules, "/proc", LOOK);
    return rules;
}

// ---- calls ----

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#ifdef MACHINE
#define REFUSE(call)                                                                               \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1),                                         \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

// No way to other privileges or views of the system.
#define REFUSE_ALWAYS                                                                              \
    REFUSE(mount), REFUSE(umount2), REFUSE(pivot_root), REFUSE(chroot), REFUSE(setns),             \
        REFUSE(unshare), REFUSE(bpf), REFUSE(perf_event_open), REFUSE(userfaultfd),                \
        REFUSE(add_key), REFUSE(request_key), REFUSE(keyctl), REFUSE(init_module),                 \
        REFUSE(finit_module), REFUSE(kexec_load), REFUSE(io_uring_setup), REFUSE(open_by_handle_at)
#define BEGIN_FILTER                                                                               \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),                       \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),                                        \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),                                       \
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))

static bool take_on(struct sock_filter *filter, size_t count)
{
    struct sock_fprog program = {(unsigned short)count, filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// No network, no look into other processes.
static bool limit_calls(void)
{
    struct sock_filter filter[] = {
        BEGIN_FILTER,
        REFUSE(socket),
        REFUSE(socketpair),
        REFUSE(connect),
        REFUSE(bind),
        REFUSE(ptrace),
        REFUSE(process_vm_readv),
        REFUSE(process_vm_writev),
        REFUSE_ALWAYS,
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return take_on(filter, sizeof filter / sizeof *filter);
}

// No network, no files but those of the rules, no signals to others. A process may look into its own
// threads: LeakSanitizer stops them that way.
static bool hold_calls(void)
{
    struct sock_filter filter[] = {
        BEGIN_FILTER,
        REFUSE(socket),
        REFUSE(connect),
        REFUSE(bind),
        REFUSE(process_vm_writev),
        REFUSE_ALWAYS,
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return take_on(filter, sizeof filter / sizeof *filter);
}
#else
static bool limit_calls(void)
{
    return false;
}

static bool hold_calls(void)
{
    return false;
}
#endif

void contain_enter(int rules)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    if (rules >= 0) syscall(SYS_landlock_restrict_self, rules, 0);
    limit_calls();
}

void contain_hold(int rules)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    if (rules >= 0) syscall(SYS_landlock_restrict_self, rules, 0);
    hold_calls();
}

const char *contain_words(int rules)
{
#ifdef MACHINE
    bool calls = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
#else
    bool calls = false;
#endif
    if (rules >= 0) return calls ? "files by Landlock, calls by seccomp" : "files by Landlock";
    return calls ? "calls by seccomp; no Landlock here, so files only by the user's rights"
                 : "neither Landlock nor seccomp here: only by limits and the user's rights";
}
