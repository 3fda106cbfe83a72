// Results and units shared by machines, in Redis or what speaks its protocol.
//
// Nothing here is needed: a server that cannot be reached, is slow, loses what it was given or lies
// costs time. Requests have a deadline, answers a limit of size, and after a failure nothing is asked for
// a while. What is stored carries a seal under a secret that the machines share (from the environment):
// whoever can only write to the server cannot make stanch believe anything, he can only withhold.
//
// Values are written without waiting for the answer, which is read before the next request on the same
// connection. Several threads have connections of their own.
#include "base/sha256.h"
#include "cache/cache_int.h"
#include "cache/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Bytes of a secret: fewer can be guessed.
enum { LEAST_SECRET = 16 };

typedef struct {
    redisContext *redis;
    uint32_t unread; // answers that are still to come
} ServerLink;

struct Remote {
    char *host, *user, *password;
    int port, database;
    char keep[24]; // seconds
    Hash128 secret;
    pthread_mutex_t lock;
    VEC(ServerLink) idle;
    int64_t paused_until; // of the clock below
    int64_t pause;
    RemoteCounts counts;
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// ---- answers ----

typedef struct {
    int type;
    char *text; // of a string
    size_t len;
} Answer;

static void *new_answer(const redisReadTask *task, int type, const char *text, size_t len)
{
    (void)task;
    Answer *a = mem_alloc(sizeof *a);
    a->type = type;
    a->text = mem_alloc(len + 1);
    if (len) memcpy(a->text, text, len);
    a->len = len;
    return a;
}
static void *new_string(const redisReadTask *task, char *text, size_t len)
{
    return new_answer(task, task->type, text, len);
}
// Nothing that is asked here is answered by a list: whoever sends one is not what we take him for.
#if HIREDIS_MAJOR >= 1
typedef size_t Elements;
#else
typedef int Elements;
#endif
static void *new_array(const redisReadTask *task, Elements elements)
{
    (void)task, (void)elements;
    return NULL;
}
static void *new_integer(const redisReadTask *task, long long value)
{
    (void)value;
    return new_answer(task, REDIS_REPLY_INTEGER, "", 0);
}
static void *new_nil(const redisReadTask *task)
{
    return new_answer(task, REDIS_REPLY_NIL, "", 0);
}
static void free_answer(void *answer)
{
    Answer *a = answer;
    if (a) mem_free(a->text);
    mem_free(a);
}
static const redisReplyObjectFunctions answers = {new_string, new_array, new_integer, new_nil,
                                            free_answer};

// Null: it did not come in time, is too long, or makes no sense.
static Answer *read_answer(ServerLink *l)
{
    int64_t deadline = now_ms() + ANSWER_MS;
    for (;;) {
        void *answer = NULL;
        if (redisGetReplyFromReader(l->redis, &answer) != REDIS_OK) return NULL;
        if (answer) return answer;
        if (l->redis->reader->len > (size_t)MOST_VALUE + 4096 || now_ms() > deadline) return NULL;
        if (redisBufferRead(l->redis) != REDIS_OK) return NULL;
    }
}

// Our own, since that of the library raises SIGPIPE when the server has gone.
static bool send_command(ServerLink *l, int count, const char **words, const size_t *lens)
{
    char *bytes = NULL;
    int len = redisFormatCommandArgv(&bytes, count, words, lens);
    if (len < 0) return false;
    int64_t deadline = now_ms() + ANSWER_MS;
    bool ok = true;
    for (int at = 0; ok && at < len;) {
        ssize_t n = send(l->redis->fd, bytes + at, (size_t)(len - at), MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        ok = n > 0 && now_ms() <= deadline;
        if (ok) at += (int)n;
    }
    redisFreeCommand(bytes);
    return ok;
}

static bool read_unread(ServerLink *l)
{
    for (; l->unread; l->unread--) {
        Answer *a = read_answer(l);
        if (!a) return false;
        free_answer(a);
    }
    return true;
}

static Answer *ask(ServerLink *l, int count, const char **words, const size_t *lens)
{
    return send_command(l, count, words, lens) && read_unread(l) ? read_answer(l) : NULL;
}

static bool is_ok(ServerLink *l, int count, const char **words)
{
    size_t lens[4];
    for (int i = 0; i < count; i++) lens[i] = strlen(words[i]);
    Answer *a = ask(l, count, words, lens);
    bool ok = a && a->type == REDIS_REPLY_STATUS;
    free_answer(a);
    return ok;
}

// ---- connections ----

static void hang_up(ServerLink *l)
{
    if (l->redis) redisFree(l->redis);
    *l = (ServerLink){0};
}

static bool dial(Remote *m, ServerLink *l)
{
    struct timeval connect = {CONNECT_MS / 1000, CONNECT_MS % 1000 * 1000},
                   answer = {ANSWER_MS / 1000, ANSWER_MS % 1000 * 1000};
    *l = (ServerLink){.redis = redisConnectWithTimeout(m->host, m->port, connect)};
    if (!l->redis || l->redis->err) return false;
    l->redis->reader->fn = (redisReplyObjectFunctions *)&answers; // which it only reads
    fcntl(l->redis->fd, F_SETFD, FD_CLOEXEC); // clang has no use for it
    if (redisSetTimeout(l->redis, answer) != REDIS_OK) return false;
    char number[16];
    snprintf(number, sizeof number, "%d", m->database);
    const char *with_user[] = {"AUTH", m->user, m->password}, *without[] = {"AUTH", m->password},
               *select[] = {"SELECT", number};
    if (m->password && !(m->user ? is_ok(l, 3, with_user) : is_ok(l, 2, without))) return false;
    return !m->database || is_ok(l, 2, select);
}

// One that nobody uses, or a new one. False: not now.
static bool take(Remote *m, ServerLink *l)
{
    *l = (ServerLink){0};
    pthread_mutex_lock(&m->lock);
    bool paused = now_ms() < m->paused_until;
    if (!paused && m->idle.len) *l = vec_pop(&m->idle);
    pthread_mutex_unlock(&m->lock);
    return !paused && (l->redis || dial(m, l));
}

// Afterwards: an idle connection of before the failure is not trusted either.
static void give_back(Remote *m, ServerLink *l, bool ok)
{
    pthread_mutex_lock(&m->lock);
    if (ok) {
        m->pause = 0;
        vec_push(&m->idle, *l);
    } else {
        m->counts.failed++;
        m->pause = m->pause ? 2 * m->pause : PAUSE_MS;
        if (m->pause > MOST_PAUSE_MS) m->pause = MOST_PAUSE_MS;
        m->paused_until = now_ms() + m->pause;
        hang_up(l);
        vec_each (i, &m->idle) hang_up(&m->idle.at[i]);
        vec_clear(&m->idle);
    }
    pthread_mutex_unlock(&m->lock);
}

static bool is_paused(Remote *m)
{
    pthread_mutex_lock(&m->lock);
    bool paused = now_ms() < m->paused_until;
    pthread_mutex_unlock(&m->lock);
    return paused;
}

// ---- values ----

static void name_of_key(char kind, Hash128 key, char name[48])
{
    char text[33];
    hash128_text(key, text);
    snprintf(name, 48, "stanch:1:%c:%s", kind, text);
}

static char letter_of(EntryKind kind)
{
    return kind == ENTRY_RESULT ? 'r' : kind == ENTRY_OBJECT ? 'o' : 'p';
}

static void count(Remote *m, uint32_t *what)
{
    pthread_mutex_lock(&m->lock);
    ++*what;
    pthread_mutex_unlock(&m->lock);
}

char *remote_get(Remote *m, EntryKind kind, Hash128 key, size_t *len)
{
    ServerLink l;
    *len = 0;
    if (is_paused(m)) return NULL;
    char name[48];
    name_of_key(letter_of(kind), key, name);
    const char *words[] = {"GET", name};
    size_t lens[] = {3, strlen(name)};
    Answer *a = take(m, &l) ? ask(&l, 2, words, lens) : NULL;
    bool ok = a != NULL && a->type != REDIS_REPLY_ERROR;
    give_back(m, &l, ok);
    char *bytes = NULL;
    Seal seal;
    if (ok && a->type == REDIS_REPLY_STRING && a->len >= sizeof seal) {
        size_t n = a->len - sizeof seal;
        memcpy(&seal, a->text + n, sizeof seal);
        if (cache_sealed(m->secret, kind, key, a->text, n, &seal)) {
            bytes = a->text;
            bytes[n] = 0;
            a->text = NULL;
            *len = n;
        } else {
            count(m, &m->counts.refused);
        }
    }
    free_answer(a);
    count(m, bytes ? &m->counts.read : &m->counts.missed);
    return bytes;
}

void remote_put(Remote *m, EntryKind kind, Hash128 key, const void *bytes, size_t len)
{
    ServerLink l;
    if (len > MOST_VALUE || is_paused(m)) return;
    char name[48];
    name_of_key(letter_of(kind), key, name);
    Seal seal = cache_seal(m->secret, kind, key, bytes, len);
    Chars value = {0};
    vec_append(&value, (const char *)bytes, len);
    vec_append(&value, (const char *)&seal, sizeof seal);
    const char *words[] = {"SET", name, value.at, "EX", m->keep};
    size_t lens[] = {3, strlen(name), value.len, 2, strlen(m->keep)};
    bool ok = take(m, &l) && send_command(&l, 5, words, lens);
    if (ok) l.unread++;
    if (ok && l.unread >= MOST_UNREAD) ok = read_unread(&l);
    give_back(m, &l, ok);
    if (ok) count(m, &m->counts.stored);
    vec_free(&value);
}

bool remote_claim(Remote *m, Hash128 key, uint32_t ms)
{
    ServerLink l;
    if (is_paused(m)) return true;
    char name[48], time[16];
    name_of_key('c', key, name);
    snprintf(time, sizeof time, "%u", ms);
    const char *words[] = {"SET", name, "", "NX", "PX", time};
    size_t lens[] = {3, strlen(name), 0, 2, 2, strlen(time)};
    Answer *a = take(m, &l) ? ask(&l, 6, words, lens) : NULL;
    bool ok = a != NULL && a->type != REDIS_REPLY_ERROR;
    give_back(m, &l, ok);
    bool mine = !ok || a->type != REDIS_REPLY_NIL;
    free_answer(a);
    if (!mine) count(m, &m->counts.elsewhere);
    return mine;
}

// ---- the address ----

static bool read_number(const char **at, long most, int *into)
{
    char *end;
    if (**at < '0' || **at > '9') return false;
    long n = strtol(*at, &end, 10);
    if (n > most) return false;
    *at = end;
    *into = (int)n;
    return true;
}

// redis://HOST[:PORT][/N]; an address of IPv6 is written in brackets.
static bool read_address(Remote *m, const char *url)
{
    static const char scheme[] = "redis://";
    if (strncmp(url, scheme, strlen(scheme)) != 0) return false;
    const char *at = url + strlen(scheme), *end;
    if (*at == '[') {
        end = strchr(++at, ']');
        if (!end) return false;
        m->host = mem_printf("%.*s", (int)(end - at), at);
        at = end + 1;
    } else {
        end = at + strcspn(at, ":/@");
        m->host = mem_printf("%.*s", (int)(end - at), at);
        at = end;
    }
    m->port = 6379;
    if (*at == ':' && (at++, !read_number(&at, 65535, &m->port))) return false;
    if (*at == '/' && at[1] && (at++, !read_number(&at, 1000000, &m->database))) return false;
    if (*at == '/') at++;
    return *m->host && !*at;
}

static char *from_environment(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? mem_strdup(value) : NULL;
}

// Half of a SHA-256: whoever reads values cannot get from them to the text.
static Hash128 secret_of(const char *text)
{
    unsigned char digest[32];
    char *salted = mem_printf("stanch store 1:%s", text);
    sha256_bytes(salted, strlen(salted), digest);
    mem_free(salted);
    Hash128 secret;
    memcpy(&secret, digest, sizeof secret);
    return secret;
}

void remote_free(Remote *m)
{
    if (!m) return;
    vec_each (i, &m->idle) {
        read_unread(&m->idle.at[i]); // so that what was stored is there when we have ended
        hang_up(&m->idle.at[i]);
    }
    vec_free(&m->idle);
    mem_free(m->host);
    mem_free(m->user);
    mem_free(m->password);
    pthread_mutex_destroy(&m->lock);
    mem_free(m);
}

Remote *remote_new(const char *url, const char **why)
{
    Remote *m = mem_alloc(sizeof *m);
    pthread_mutex_init(&m->lock, NULL);
    const char *secret = getenv("STANCH_STORE_SECRET"), *keep = getenv("STANCH_STORE_TTL");
    int seconds = KEEP_SECONDS;
    *why = NULL;
    if (!read_address(m, url))
        *why = "the address of a store is redis://HOST[:PORT][/N]; user and password come from "
               "STANCH_STORE_USER and STANCH_STORE_PASSWORD";
    else if (!secret || strlen(secret) < LEAST_SECRET)
        *why = "STANCH_STORE_SECRET must be set, to the same text of at least 16 characters on all "
               "machines: nothing in the store is believed that was not written with it";
    else if (keep && *keep && (!read_number(&keep, 1000000000, &seconds) || *keep || !seconds))
        *why = "STANCH_STORE_TTL is a number of seconds";
    if (*why) {
        remote_free(m);
        return NULL;
    }
    snprintf(m->keep, sizeof m->keep, "%d", seconds);
    m->secret = secret_of(secret);
    m->user = from_environment("STANCH_STORE_USER");
    m->password = from_environment("STANCH_STORE_PASSWORD");
    return m;
}

RemoteCounts remote_counts(const Remote *m)
{
    return m->counts;
}
