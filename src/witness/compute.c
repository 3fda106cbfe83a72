// Computations that talk, order, jump and end: formats and output, sorting with callbacks, setjmp
// and longjmp, exit handlers, threads (run at once, when they are started).
#include "witness/witness_int.h"

// To a stream: only what goes to standard output is kept.
static bool is_output(Machine *m, uint64_t stream)
{
    MemBlock *b = stream ? wit_block_at(m, stream) : NULL;
    return b && b->kind == BLOCK_LIBRARY && b->of == COMPUTES_STREAM_OUT;
}

static void emit(Machine *m, const char *s, uint64_t n)
{
    if (m->output.len + n > (16u << 20)) {
        wit_stop(m, STOP_BYTES, "%s", "output");
        return;
    }
    for (uint64_t i = 0; i < n; i++) vec_push(&m->output, s[i]);
}

// Where the format and its arguments stand.
static const struct {
    Computes what;
    uint32_t format; // parameter; the arguments or the list follow
    bool list, output, stream;
} formats[] = {
    {COMPUTES_PRINT, 0, false, true, false},
    {COMPUTES_PRINT_LIST, 0, true, true, false},
    {COMPUTES_PRINT_TO, 1, false, false, true},
    {COMPUTES_PRINT_TO_LIST, 1, true, false, true},
    {COMPUTES_FORMAT, 1, false, false, false},
    {COMPUTES_FORMAT_LIST, 1, true, false, false},
    {COMPUTES_FORMAT_MAX, 2, false, false, false},
    {COMPUTES_FORMAT_MAX_LIST, 2, true, false, false},
    {COMPUTES_FORMAT_MAKE, 1, false, false, false},
    {COMPUTES_FORMAT_MAKE_LIST, 1, true, false, false},
};

static bool compute_format(Machine *m, Computes what, const Arg *args, uint32_t n, Value *out)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        uint32_t f = formats[i].format;
        if (formats[i].what != what) continue;
        if (f >= n || (formats[i].list && f + 1 >= n)) return false;
        ArgList l = {.m = m, .args = args, .count = n, .next = f + 1};
        if (formats[i].list) l.list = args[f + 1].value.lo;
        Chars text = {0};
        if (wit_format(m, args[f].value.lo, &l, &text)) {
            uint64_t len = text.len, to = args[0].value.lo;
            vec_push(&text, 0);
            if (formats[i].output || (formats[i].stream && is_output(m, to))) {
                emit(m, text.at, len);
            } else if (what == COMPUTES_FORMAT || what == COMPUTES_FORMAT_LIST) {
                wit_write(m, to, text.at, len + 1);
            } else if (what == COMPUTES_FORMAT_MAX || what == COMPUTES_FORMAT_MAX_LIST) {
                uint64_t room = args[1].value.lo;
                if (room) {
                    uint64_t part = len < room ? len : room - 1;
                    text.at[part] = 0;
                    wit_write(m, to, text.at, part + 1);
                }
            } else if (!formats[i].stream) {
                uint64_t made = wit_heap_new(m, len + 1, FAMILY_HEAP, true);
                if (made) wit_write(m, made, text.at, len + 1);
                if (!m->ended) wit_write(m, to, &made, 8);
            }
            *out = wit_word(len);
        }
        vec_free(&text);
        return true;
    }
    return false;
}

static bool compute_output(Machine *m, Computes what, const Arg *args, uint32_t n, Value *out)
{
    uint64_t a = args[0].value.lo;
    char c = (char)a;
    switch (what) {
    case COMPUTES_PRINT_LINE: {
        Chars text = {0};
        if (wit_text(m, a, UINT64_MAX, &text)) {
            vec_push(&text, '\n');
            emit(m, text.at, text.len);
        }
        *out = wit_word(text.len);
        vec_free(&text);
        return true;
    }
    case COMPUTES_PRINT_CHAR:
        emit(m, &c, 1);
        *out = wit_word((uint8_t)c);
        return true;
    case COMPUTES_PRINT_TEXT_TO: {
        Chars text = {0};
        if (wit_text(m, a, UINT64_MAX, &text) && n > 1 && is_output(m, args[1].value.lo))
            emit(m, text.at, text.len);
        vec_free(&text);
        *out = wit_word(1);
        return true;
    }
    case COMPUTES_PRINT_BYTES_TO: {
        if (n < 4 || (U128)args[1].value.lo * args[2].value.lo > m->max_bytes) return false;
        uint64_t count = args[1].value.lo * args[2].value.lo;
        uint8_t *bytes = wit_bytes(m, a, count, false);
        if (bytes && is_output(m, args[3].value.lo)) emit(m, (const char *)bytes, count);
        *out = args[2].value;
        return true;
    }
    case COMPUTES_PRINT_CHAR_TO:
        if (n > 1 && is_output(m, args[1].value.lo)) emit(m, &c, 1);
        *out = wit_word((uint8_t)c);
        return true;
    default: { // WRITE
        if (n < 3 || (a != 1 && a != 2)) return false;
        uint8_t *bytes = wit_bytes(m, args[1].value.lo, args[2].value.lo, false);
        if (bytes && a == 1) emit(m, (const char *)bytes, args[2].value.lo);
        *out = args[2].value;
        return true;
    }
    }
}

// ---- order

static bool order(Machine *m, uint64_t compare, uint64_t a, uint64_t b, int64_t *result)
{
    Arg args[2] = {{wit_word(a), mtype(MT_PTR, 8)}, {wit_word(b), mtype(MT_PTR, 8)}};
    Value v;
    if (!wit_call_back(m, compare, args, 2, &v)) return false;
    *result = (int64_t)wit_s(v, 32);
    return true;
}

// Merge sort, as glibc's: stable, and the callback sees elements where they lie or in a copy.
static bool sort_range(Machine *m, uint64_t base, uint64_t n, uint64_t size, uint64_t compare,
                       uint64_t room)
{
    if (n < 2) return true;
    uint64_t left = n / 2, right = n - left;
    if (!sort_range(m, base, left, size, compare, room) ||
        !sort_range(m, base + left * size, right, size, compare, room))
        return false;
    uint64_t a = base, b = base + left * size, to = room, a_end = b, b_end = base + n * size;
    while (a < a_end && b < b_end) {
        int64_t which;
        if (!order(m, compare, a, b, &which)) return false;
        uint64_t *from = which <= 0 ? &a : &b;
        if (!wit_copy(m, to, *from, size)) return false;
        *from += size;
        to += size;
    }
    if (!wit_copy(m, to, a, a_end - a)) return false;
    to += a_end - a;
    return wit_copy(m, base, room, to - room);
}

static void compute_sort(Machine *m, const Arg *args)
{
    uint64_t base = args[0].value.lo, n = args[1].value.lo, size = args[2].value.lo;
    U128 bytes = (U128)n * size;
    if (n < 2 || !size) return;
    if (bytes > m->max_bytes) {
        wit_stop(m, STOP_BYTES, "%s", "");
        return;
    }
    uint64_t room = wit_block_new(m, BLOCK_LIBRARY, (uint64_t)bytes, 16);
    if (room) sort_range(m, base, n, size, args[3].value.lo, room);
}

static void compute_search(Machine *m, const Arg *args, Value *out)
{
    uint64_t key = args[0].value.lo, base = args[1].value.lo, low = 0, high = args[2].value.lo,
             size = args[3].value.lo;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2, at = base + middle * size;
        int64_t which;
        if (!order(m, args[4].value.lo, key, at, &which)) return;
        if (which == 0) {
            *out = wit_word(at);
            return;
        }
        if (which < 0)
            high = middle;
        else
            low = middle + 1;
    }
}

// ---- control

static void jump_mark(Machine *m, uint64_t at)
{
    const Frame *f = &vec_last(&m->frames);
    JumpMark mark = {.at = at, .frame = m->frames.len - 1, .ins = f->at, .serial = f->serial};
    vec_each (i, &m->marks)
        if (m->marks.at[i].at == at) {
            m->marks.at[i] = mark;
            return;
        }
    vec_push(&m->marks, mark);
}

static void jump(Machine *m, uint64_t at, uint64_t value)
{
    vec_each (i, &m->marks) {
        JumpMark k = m->marks.at[i];
        if (k.at != at) continue;
        if (k.frame >= m->frames.len || m->frames.at[k.frame].serial != k.serial) break;
        for (uint32_t f = k.frame + 1; f < m->frames.len; f++)
            if (m->frames.at[f].boundary) {
                wit_stop(m, STOP_CALLBACK, "%s", "");
                return;
            }
        while (m->frames.len > k.frame + 1) wit_pop_frame(m);
        Frame *to = &vec_last(&m->frames);
        to->at = k.ins;
        to->block = func_block_of(to->u, to->f, k.ins);
        wit_finish_call(m, wit_word((uint32_t)value ? (uint32_t)value : 1));
        return;
    }
    wit_stop(m, STOP_LIBRARY, "%s", "a jump to where nobody waits");
}

void wit_exit(Machine *m, int status)
{
    while (m->at_exit.len && !m->ended) {
        AtExit e = vec_last(&m->at_exit);
        m->at_exit.len--;
        Arg arg = {wit_word(e.arg), mtype(MT_PTR, 8)};
        wit_call_back(m, e.func, &arg, e.has_arg, NULL);
    }
    wit_end(m, WITNESS_EXITED, status & 0xff);
}

static bool compute_control(Machine *m, Computes what, const Arg *args, uint32_t n, Value *out,
                            bool *moved)
{
    uint64_t a = args[0].value.lo, b = n > 1 ? args[1].value.lo : 0;
    switch (what) {
    case COMPUTES_JUMP_MARK:
        jump_mark(m, a);
        return true;
    case COMPUTES_JUMP:
        *moved = true;
        jump(m, a, b);
        return true;
    case COMPUTES_EXIT:
        wit_exit(m, (int)a);
        return true;
    case COMPUTES_EXIT_NOW:
        wit_end(m, WITNESS_EXITED, (int)a & 0xff);
        return true;
    case COMPUTES_AT_EXIT:
        vec_push(&m->at_exit, ((AtExit){a, 0, false}));
        return true;
    case COMPUTES_AT_EXIT_ARG:
        vec_push(&m->at_exit, ((AtExit){a, b, true}));
        return true;
    case COMPUTES_THREAD_START: {
        if (n < 4) return false;
        uint64_t id = ++m->serials;
        Arg arg = args[3];
        if (wit_write(m, a, &id, 8)) wit_call_back(m, args[2].value.lo, &arg, 1, NULL);
        *out = wit_word(0);
        return true;
    }
    default:
        *out = wit_word(0); // ENVIRONMENT, ZERO
        return true;
    }
}

bool wit_compute(Machine *m, Computes what, const Arg *args, uint32_t n, Value *out, bool *moved)
{
    static const Arg none[8];
    if (n == 0) args = none;
    *out = wit_word(0);
    if (what >= COMPUTES_TEXT_LENGTH && what <= COMPUTES_F_REMAINDER)
        return wit_compute_text(m, what, args, n, out);
    if (what >= COMPUTES_PRINT && what <= COMPUTES_FORMAT_MAKE_LIST)
        return compute_format(m, what, args, n, out);
    if (what >= COMPUTES_PRINT_LINE && what <= COMPUTES_WRITE)
        return compute_output(m, what, args, n, out);
    if (what == COMPUTES_SORT) {
        if (n < 4) return false;
        compute_sort(m, args);
        return true;
    }
    if (what == COMPUTES_SEARCH_SORTED) {
        if (n < 5) return false;
        compute_search(m, args, out);
        return true;
    }
    if (what >= COMPUTES_LIST_HOOK) return wit_compute_nodes(m, what, args, n, out);
    if (what >= COMPUTES_THROW_MAKE) return wit_compute_except(m, what, args, n, out, moved);
    return compute_control(m, what, args, n, out, moved);
}
