// Blocks at addresses of our own. The heap and the stack are two rising sequences, so that the
// block of an address is found by halving; blocks of the heap keep their address for ever, those
// of the stack go with their frame. Globals get an address when it is asked for and their content
// when it is touched: a program has thousands, a run sees few.
#include "witness/witness_int.h"

static uint64_t aligned(uint64_t n, uint64_t align)
{
    return (n + align - 1) & ~(align - 1);
}

static bool charge(Machine *m, uint64_t size)
{
    if (size > m->max_bytes - m->bytes) {
        wit_stop(m, STOP_BYTES, "%s", "");
        return false;
    }
    m->bytes += size;
    return true;
}

uint64_t wit_block_new(Machine *m, BlockKind kind, uint64_t size, uint32_t align)
{
    bool local = kind == BLOCK_LOCAL;
    if (align < 16 || align & (align - 1)) align = align > 16 ? 4096 : 16;
    if (!charge(m, size + 64)) return 0;
    uint64_t *top = local ? &m->stack_top : &m->top;
    uint64_t room = kind == BLOCK_INPUT ? INPUT_ROOM : 0;
    MemBlock b = {.base = aligned(*top + REDZONE + room, align), .size = size, .kind = (uint8_t)kind};
    b.start = b.base;
    *top = aligned(b.base + size + room + REDZONE, 16);
    if (kind != BLOCK_GLOBAL) b.bytes = mem_alloc(size + 1);
    b.at = wit_place(m);
    if (m->frames.len) b.outer = m->frames.at[0].at;
    if (local)
        vec_push(&m->stack, b);
    else
        vec_push(&m->blocks, b);
    return b.base;
}

// The last block that does not begin behind the address.
static MemBlock *search(MemBlock *at, uint32_t n, uint64_t addr)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (at[middle].base <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &at[low - 1] : NULL;
}

MemBlock *wit_block_near(Machine *m, uint64_t addr)
{
    bool stack = addr >= STACK_BASE;
    MemBlock *at = stack ? m->stack.at : m->blocks.at;
    uint32_t n = stack ? m->stack.len : m->blocks.len;
    if (!stack && m->last_block < n) {
        MemBlock *b = &at[m->last_block];
        if (addr >= b->base && addr - b->base < b->size) return b;
    }
    MemBlock *b = search(at, n, addr);
    if (!b || addr - b->base >= b->size + REDZONE) return NULL;
    if (!stack) m->last_block = (uint32_t)(b - at);
    return b;
}

MemBlock *wit_block_at(Machine *m, uint64_t addr)
{
    MemBlock *b = wit_block_near(m, addr);
    return b && addr - b->base < b->size ? b : NULL;
}

static void fill_global(Machine *m, uint32_t index);

// Memory from outside has the size that the run asks for, also below the pointer that led to it (a
// member of a larger struct). Null: no such block has its room there.
static MemBlock *grown(Machine *m, uint64_t addr, uint64_t n)
{
    if (!m->replay || addr < HEAP_BASE || addr >= STACK_BASE || n > INPUT_ROOM) return NULL;
    MemBlock *b = search(m->blocks.at, m->blocks.len, addr);
    uint32_t i = b ? (uint32_t)(b - m->blocks.at) : 0;
    for (uint32_t last = i + 2; i < last && i < m->blocks.len; i++) {
        b = &m->blocks.at[i];
        if (b->kind != BLOCK_INPUT || addr + INPUT_ROOM < b->start ||
            addr + n > b->start + INPUT_ROOM)
            continue;
        uint64_t from = addr < b->base ? addr & ~(uint64_t)15 : b->base;
        uint64_t end = b->base + b->size, to = addr + n > end ? aligned(addr + n, 16) : end;
        if (!charge(m, to - from - b->size)) return NULL;
        uint8_t *bytes = mem_alloc(to - from + 1), *known = mem_alloc(to - from + 1);
        memcpy(bytes + (b->base - from), b->bytes, b->size);
        memcpy(known + (b->base - from), b->known, b->size);
        mem_free(b->bytes);
        mem_free(b->known);
        b->bytes = bytes, b->known = known;
        b->base = from, b->size = to - from;
        return b;
    }
    return NULL;
}

// Finds the block of an access and sees misuse.
static MemBlock *checked(Machine *m, uint64_t addr, uint64_t n, bool write)
{
    if (m->ended) return NULL;
    MemBlock *b = wit_block_near(m, addr);
    m->misused = b && b->kind == BLOCK_HEAP ? b->size : 0;
    bool outside = !b || addr - b->base > b->size || n > b->size - (addr - b->base);
    MemBlock *larger = outside ? grown(m, addr, n) : NULL;
    if (larger) b = larger;
    if (outside && !larger) {
        if (b && b->state == BLOCK_FREED && addr - b->base < b->size && !m->goes_on)
            wit_misuse(m, MISUSE_USE_AFTER_FREE);
        else
            wit_misuse(m, addr < 4096               ? MISUSE_NULL
                          : addr >= STACK_BASE && !b ? MISUSE_DEAD_LOCAL
                                                     : MISUSE_OUT_OF_BOUNDS);
        return NULL;
    }
    if (b->state != BLOCK_LIVE && !(b->state == BLOCK_FREED && m->goes_on)) {
        wit_misuse(m, b->state == BLOCK_FREED ? MISUSE_USE_AFTER_FREE : MISUSE_DEAD_LOCAL);
        return NULL;
    }
    if (write && b->read_only) {
        wit_misuse(m, MISUSE_READ_ONLY);
        return NULL;
    }
    if (!b->bytes) {
        uint32_t index = (uint32_t)(b - m->blocks.at);
        fill_global(m, index);
        if (m->replay && !m->ended) wit_set_global(m, index);
        if (m->ended) return NULL;
        b = &m->blocks.at[index];
    }
    return b;
}

uint8_t *wit_bytes(Machine *m, uint64_t addr, uint64_t n, bool write)
{
    static uint8_t nothing[1];
    if (n == 0) return nothing;
    MemBlock *b = checked(m, addr, n, write);
    if (!b) return NULL;
    uint64_t at = addr - b->base;
    if (b->known) {
        if (write) {
            memset(b->known + at, 1, n);
        } else {
            for (uint64_t i = at; i < at + n; i++)
                if (!b->known[i] && m->replay) {
                    m->reading = true;
                    wit_choose_content(m, b->base + i, mtype(MT_INT, 8));
                    m->reading = false;
                    if (m->ended) return NULL;
                    b = wit_block_at(m, addr);
                } else if (!b->known[i]) {
                    wit_stop(m, STOP_UNKNOWN_CONTENT, "%s",
                             b->kind == BLOCK_GLOBAL
                                 ? name_text(m->p->names, m->p->globals.at[b->of].name)
                                 : "");
                    return NULL;
                }
        }
    }
    for (uint64_t i = 0; m->replay && !write && i < n && i < 16; i++) {
        Dependence of = wit_origin_at(m, addr + i);
        m->touched |= of.on;
        if (!b->known || b->known[at + i] != KNOWN_SETTLED) m->made_up |= of.made;
    }
    return b->bytes + at;
}

bool wit_read(Machine *m, uint64_t addr, void *into, uint64_t n)
{
    uint8_t *at = wit_bytes(m, addr, n, false);
    if (at && n) memcpy(into, at, n);
    return at != NULL;
}

bool wit_write(Machine *m, uint64_t addr, const void *from, uint64_t n)
{
    uint8_t *at = wit_bytes(m, addr, n, true);
    if (at && n) memcpy(at, from, n);
    return at != NULL;
}

bool wit_copy(Machine *m, uint64_t to, uint64_t from, uint64_t n)
{
    if (!n) return true;
    MemBlock *s = checked(m, from, n, false);
    if (!s) return false;
    // What is unknown stays so: a copy asks for no content.
    uint8_t *bytes = s->bytes + (from - s->base), *known = s->known ? s->known + (from - s->base) : NULL;
    MemBlock *d = checked(m, to, n, true);
    if (!d) return false;
    uint64_t at = to - d->base;
    memmove(d->bytes + at, bytes, n);
    if (known) wit_record_copied(m, to, from, n);
    if (known && !d->known) {
        d->known = mem_alloc(d->size + 1);
        memset(d->known, 1, d->size);
    }
    if (d->known) {
        if (known)
            memmove(d->known + at, known, n);
        else
            memset(d->known + at, 1, n);
    }
    if (m->replay) wit_copy_origins(m, to, from, n);
    m->steps += n / 16;
    return true;
}

bool wit_fill(Machine *m, uint64_t to, uint8_t byte, uint64_t n)
{
    uint8_t *at = wit_bytes(m, to, n, true);
    if (!at) return false;
    memset(at, byte, n);
    m->steps += n / 16;
    return true;
}

bool wit_text(Machine *m, uint64_t addr, uint64_t most, Chars *into)
{
    for (uint64_t i = 0; i < most; i++) {
        uint8_t *c = wit_bytes(m, addr + i, 1, false);
        if (!c) return false;
        if (!*c) break;
        vec_push(into, (char)*c);
        if (++m->steps > m->max_steps) {
            wit_stop(m, STOP_STEPS, "%s", "");
            return false;
        }
    }
    return true;
}

Value wit_load(Machine *m, uint64_t addr, MType t)
{
    uint32_t n = mtype_bytes(t);
    if (!n) {
        wit_stop(m, STOP_OPAQUE, "%s", "a value of unknown size");
        return (Value){0};
    }
    if (m->replay) {
        // What is read as a whole is chosen as a whole.
        MemBlock *b = checked(m, addr, n, false);
        bool unknown = b && b->known;
        for (uint64_t i = 0; unknown && i < n; i++) unknown = !b->known[addr - b->base + i];
        if (unknown) wit_choose_content(m, addr, t);
    }
    uint8_t *at = wit_bytes(m, addr, n, false);
    if (!at) return (Value){0};
    Value v = wit_of_bytes(m, at, n);
    if (mtype_class(t) == MT_INT && n <= 16) v = wit_v(wit_u(v), mtype_size(t));
    if (m->replay) v.of = wit_origin_at(m, addr);
    return v;
}

void wit_store(Machine *m, uint64_t addr, Value v, MType t)
{
    uint32_t n = mtype_bytes(t);
    if (!n)
        wit_stop(m, STOP_OPAQUE, "%s", "a value of unknown size");
    else if (wit_write(m, addr, wit_bytes_of(&v, n), n) && m->replay) {
        wit_set_origin(m, addr, v.of);
        if (m->failed && wit_block_at(m, addr)->kind == BLOCK_LIBRARY) m->failed = false;
    }
}

// ---- functions and globals

uint64_t wit_func(FuncId f)
{
    return FUNC_BASE + (uint64_t)f.id * 16;
}

FuncId wit_func_at(const Machine *m, uint64_t addr)
{
    if (addr < FUNC_BASE || addr >= LABEL_BASE || addr % 16) return (FuncId){0};
    uint64_t id = (addr - FUNC_BASE) / 16;
    return (FuncId){id < m->p->funcs.len ? (uint32_t)id : 0};
}

uint64_t wit_global(Machine *m, GlobalId g)
{
    const Program *p = m->p;
    for (uint32_t i = 0; i < 64; i++) {
        const ProgGlobal *pg = &p->globals.at[g.id];
        uint32_t alias = p->units[pg->unit]->globals.at[pg->global.id].alias;
        if (!alias) break;
        g = program_global(p, pg->unit, (UGlobalId){alias});
    }
    if (m->global_block[g.id]) return m->blocks.at[m->global_block[g.id] - 1].base;
    wit_note_global(m, g);
    const ProgGlobal *pg = &p->globals.at[g.id];
    uint64_t size = pg->size;
    const Global *d = &p->units[pg->unit]->globals.at[pg->global.id];
    // Of an incomplete type (extern char **environ is complete, extern struct s x may not be).
    if (!(d->flags & GLOBAL_DEFINED) && size < 64) size = 64;
    uint64_t at = wit_block_new(m, BLOCK_GLOBAL, size, size >= 32 ? 32 : 16);
    if (!at) return 0;
    vec_last(&m->blocks).of = g.id;
    vec_last(&m->blocks).read_only = (d->flags & GLOBAL_CONST) && (d->flags & GLOBAL_DEFINED);
    m->global_block[g.id] = m->blocks.len;
    return at;
}

static void fill_global(Machine *m, uint32_t index)
{
    const Program *p = m->p;
    uint32_t id = m->blocks.at[index].of;
    uint64_t size = m->blocks.at[index].size;
    const ProgGlobal *pg = &p->globals.at[id];
    const Unit *u = p->units[pg->unit];
    const Global *g = &u->globals.at[pg->global.id];
    uint8_t *bytes = mem_alloc(size + 1);
    m->blocks.at[index].bytes = bytes;
    if (!(g->flags & GLOBAL_DEFINED) && g->linkage != LINK_COMMON) {
        Computes what = spec_computes(m->specs, name_text(p->names, pg->name));
        uint8_t *known = m->blocks.at[index].known = mem_alloc(size + 1);
        if (what == COMPUTES_TRUE) {
            bytes[0] = known[0] = 1;
        } else if (what >= COMPUTES_STREAM_IN && what <= COMPUTES_STREAM_ERR) {
            // A stream of the library: its place tells which, its content nobody knows.
            uint64_t stream = wit_block_new(m, BLOCK_LIBRARY, 256, 16);
            if (!stream) return;
            MemBlock *b = &vec_last(&m->blocks);
            b->known = mem_alloc(b->size + 1);
            b->of = what;
            memcpy(bytes, &stream, 8);
            memset(known, 1, 8);
        }
        return;
    }
    uint32_t first, runs = global_runs(u, pg->global.id, &first);
    if (g->text.id && !g->init_count && !runs) {
        size_t n = name_len(u->names, g->text);
        memcpy(bytes, name_text(u->names, g->text), n < size ? n : size);
        return;
    }
    for (uint32_t i = 0; i < runs; i++) {
        const DataRun *r = &u->runs.at[first + i];
        if (r->offset <= size && r->count <= size - r->offset)
            memcpy(bytes + r->offset, u->bytes.at + r->first, r->count);
    }
    for (uint32_t i = 0; i < g->init_count; i++) {
        const Init *n = &u->inits.at[g->first_init + i];
        const Const *c = &u->consts.at[ref_index((Ref){n->value})];
        MType t = {(uint16_t)n->type};
        uint32_t count = mtype_bytes(t);
        if (n->offset > size || count > size - n->offset) continue;
        if (c->kind == CONST_OPAQUE) {
            MemBlock *b = &m->blocks.at[index];
            if (!b->known) {
                b->known = mem_alloc(size + 1);
                memset(b->known, 1, size);
            }
            memset(b->known + n->offset, 0, count);
            continue;
        }
        Value v = wit_const(m, pg->unit, c); // may make blocks, not change this one
        if (m->ended) return;
        memcpy(bytes + n->offset, wit_bytes_of(&v, count), count);
    }
}

Value wit_const(Machine *m, uint32_t unit, const Const *c)
{
    const Program *p = m->p;
    MType t = {(uint16_t)c->type};
    switch ((ConstKind)c->kind) {
    case CONST_INT:
        if (mtype_size(t) > 128)
            return wit_resize(m, wit_word((uint64_t)c->value), 64, mtype_size(t), true);
        if (mtype_size(t) > 64) return wit_v((U128)(S128)c->value, mtype_size(t));
        return wit_v((uint64_t)c->value, mtype_size(t));
    case CONST_NULL:
        return wit_word(0);
    case CONST_GLOBAL: {
        GlobalId g = program_global(p, unit, (UGlobalId){c->target});
        return wit_word(wit_global(m, g) + (uint64_t)c->value);
    }
    case CONST_FUNC: {
        FuncId f = program_func(p, unit, (UFuncId){c->target});
        return wit_word(wit_func(f));
    }
    case CONST_BLOCK: {
        FuncId f = program_func(p, unit, (UFuncId){c->target});
        return wit_word(LABEL_BASE + ((uint64_t)f.id << 24 | (uint64_t)c->value << 2));
    }
    case CONST_FLOAT:
        return wit_word((uint64_t)c->value);
    case CONST_BYTES:
        return wit_of_bytes(m, p->units[unit]->bytes.at + c->target, (uint32_t)c->value);
    case CONST_UNDEF:
    case CONST_ZERO:
        if (mtype_bytes(t) > 16) {
            uint8_t *zero = arena_alloc(m->a, mtype_bytes(t));
            return wit_word((uintptr_t)zero);
        }
        return wit_word(0);
    case CONST_OPAQUE:
    case CONST_NONE:
        break;
    }
    wit_stop(m, STOP_OPAQUE, "%s", "a constant");
    return wit_word(0);
}

void wit_forget(Machine *m, uint64_t addr, uint64_t n)
{
    MemBlock *b = checked(m, addr, 1, true);
    if (!b) return;
    uint64_t at = addr - b->base;
    if (n > b->size - at) n = b->size - at;
    if (!b->known) {
        b->known = mem_alloc(b->size + 1);
        memset(b->known, 1, b->size);
    }
    memset(b->known + at, 0, n);
    wit_record_forgotten(m, addr, n);
}

// ---- what specifications obtain and release

uint64_t wit_heap_new(Machine *m, uint64_t size, FamilyId family, bool zeroed)
{
    if (size > m->max_bytes) {
        wit_stop(m, STOP_BYTES, "%s", "");
        return 0;
    }
    // Real allocators round up: what is a little too small is another error.
    if (m->goes_on) size = aligned(size + 8, 16);
    uint64_t at = wit_block_new(m, BLOCK_HEAP, size, 16);
    if (!at) return 0;
    MemBlock *b = &vec_last(&m->blocks);
    b->family = family;
    b->number = ++m->allocations;
    if (!zeroed) memset(b->bytes, 0xbe, size); // as AddressSanitizer does: nothing to rely on
    return at;
}

void wit_release_pool(Machine *m, uint64_t pool)
{
    vec_each (i, &m->blocks) {
        MemBlock *b = &m->blocks.at[i];
        if (!b->pool || b->pool != pool || b->state != BLOCK_LIVE) continue;
        b->state = BLOCK_FREED;
        b->freed_at = wit_place(m);
    }
}

bool wit_release(Machine *m, uint64_t addr, FamilyId family)
{
    if (m->ended) return false;
    MemBlock *b = wit_block_near(m, addr);
    m->misused = b && b->kind == BLOCK_HEAP ? b->size : 0;
    if (!b || b->start != addr || (b->kind != BLOCK_HEAP && b->kind != BLOCK_INPUT)) {
        wit_misuse(m, MISUSE_INVALID_FREE);
        return false;
    }
    if (b->state == BLOCK_FREED) {
        if (m->goes_on) return true;
        wit_misuse(m, MISUSE_DOUBLE_FREE);
        return false;
    }
    if (family.id && b->family.id && !spec_family_fits(m->specs, b->family, family)) {
        wit_misuse(m, MISUSE_MISMATCHED_FREE);
        return false;
    }
    b->state = BLOCK_FREED;
    b->freed_at = wit_place(m);
    m->bytes -= b->size < m->bytes ? b->size : m->bytes;
    wit_release_pool(m, addr);
    return true;
}
