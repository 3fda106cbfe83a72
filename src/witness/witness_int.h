// Shared by the files of this module: the machine.
#ifndef WITNESS_WITNESS_INT_H
#define WITNESS_WITNESS_INT_H

#include "finding/witness.h"
#include "link/specs.h"
#include "spec/computes.h"
#include "witness/limits.h"
#include "witness/witness.h"

typedef unsigned __int128 U128;
typedef __int128 S128;

// Of a replay: the free choices that a value depends on, and how.
typedef struct {
    uint64_t on;     // by bit; those from the 64th on share the last
    uint64_t made;   // of a byte in memory: those that its value is made of, not only whether it was stored
    uint32_t choice; // from 1: it is the number chosen there, plus `add`; 0: something else
    uint64_t mask;   // only these bits of it are left; 0: all
    int64_t add;
} Dependence;

// What a register holds: its bytes as they would lie in memory. More than 16 of them are in the
// run's arena, lo being their address. Integers are zero-extended.
typedef struct {
    uint64_t lo, hi;
    Dependence of;
} Value;

typedef enum {
    BLOCK_GLOBAL,
    BLOCK_LOCAL,
    BLOCK_HEAP,    // obtained through a specification: may leak
    BLOCK_LIBRARY, // the library's own: static storage, exceptions, handles that nobody owns
    BLOCK_INPUT,   // of a replay: memory that was there before
} BlockKind;

typedef enum { BLOCK_LIVE, BLOCK_FREED, BLOCK_DEAD } BlockState;

// Settled: made up, and the path has called it equal to something known.
enum { KNOWN_NOT, KNOWN, KNOWN_SETTLED };

typedef struct {
    uint64_t base, size;
    uint64_t start; // where the pointer to it leads: above base where it has grown downwards
    uint8_t *bytes; // null: a global that was not touched yet
    uint8_t *known; // by byte: KNOWN_*; null: all are known
    uint8_t kind, state;
    bool read_only;
    bool array;      // obtained by an array form (family tells)
    bool handle;     // BLOCK_HEAP: what lies in it only its library knows
    FamilyId family; // BLOCK_HEAP
    uint64_t pool;   // BLOCK_HEAP: the pool that it lives in; 0 none
    uint32_t of;     // BLOCK_GLOBAL: GlobalId
    uint32_t number; // BLOCK_HEAP: which allocation
    uint32_t references; // BLOCK_HEAP: beyond the first, where they are counted
    uint32_t place;  // of a replay: what leads to it, from 1; 0 nobody knows
    uint32_t outer;  // the outermost function's instruction when it was made
    WitnessPlace at, freed_at;
} MemBlock;

typedef struct {
    Value value;
    MType type;
} Arg;

typedef VEC(Arg) Args;

typedef struct {
    FuncId id;
    uint32_t unit;
    const Unit *u;
    const Func *f;
    uint32_t values; // its first value: parameters, then instructions
    uint32_t rest, rest_count; // its variable arguments, in Machine.rest
    uint32_t block, at;        // the instruction under way
    uint32_t stack;            // blocks of the stack below it
    uint64_t stack_top;
    uint64_t serial;  // no two frames of a run have the same
    uint64_t on;      // choices that its branches depended on
    bool boundary;    // called by a computation, which waits for it
    bool made_result; // boundary: what it returned is in Machine.result
} Frame;

typedef struct {
    uint64_t object, type, destroy;
    uint64_t adjusted; // what the handler is given
    uint32_t handlers;
    bool again; // rethrown from its handler
} Thrown;

typedef struct {
    uint64_t at; // of the jump buffer
    uint32_t frame, ins;
    uint64_t serial;
} JumpMark;

typedef struct {
    uint64_t func, arg;
    bool has_arg;
} AtExit;

// A resource that is a number.
typedef struct {
    int64_t value;
    FamilyId family;
    uint32_t outer, choice;
    bool open, seen;
    WitnessPlace at;
} OpenValue;

typedef struct Replayed Replayed;
typedef struct WitnessKept WitnessKept;
typedef struct Recorder Recorder;

typedef struct Machine {
    Arena *a; // what is handed out
    const Program *p;
    const SpecTable *specs;
    uint64_t steps, max_steps, bytes, max_bytes;

    VEC(MemBlock) blocks; // everything but the stack, by address
    VEC(MemBlock) stack;
    uint64_t top, stack_top; // next addresses
    uint32_t last_block;     // where the last access was
    uint32_t allocations;
    uint32_t *global_block; // GlobalId -> index + 1
    uint32_t *static_block; // FuncId -> index + 1 of the storage that it returns
    uint8_t *computes;      // FuncId -> Computes + 1, 0 not looked up

    VEC(Value) values;
    Args rest;
    VEC(Frame) frames;
    VEC(Value) phis; // scratch
    uint64_t serials;
    Value result; // of the last function that returned

    VEC(Thrown) thrown; // from the first; index + 1 is kept beside the object's address
    U32s caught;        // indices into thrown, innermost last
    uint32_t flying;    // index + 1 of the exception under way
    VEC(JumpMark) marks;
    VEC(AtExit) at_exit;
    uint64_t token_next; // strtok's place
    int64_t next_value;  // next descriptor

    VEC(uint64_t) kept; // pointers that code outside of the program has kept
    VEC(OpenValue) open;
    uint32_t library_calls; // that may have changed the library's storage
    bool failed;            // a call has failed, and nobody has set the number that says why
    Replayed *replay; // null: a plain run
    WitnessKept *read; // whose code and content was read; or null
    Recorder *record; // of a replay that is told; or null
    bool goes_on;     // of a loss: other misuse of the heap does not end the run
    bool unseen;      // code that nobody has seen was given memory to change
    bool reading;     // bytes are read by a computation
    uint64_t touched; // choices that the bytes read since it was cleared depend on
    uint64_t made_up; // of them, those that no answer of a comparison has settled

    Chars output;

    bool ended;
    WitnessEnd end;
    int status;
    WitnessStop stop;
    char detail[128];
    WitnessMisuse misuse;
    uint64_t misused;
    WitnessPlace place;
} Machine;

#define FUNC_BASE  0x0000100000000000ull
#define LABEL_BASE 0x0000200000000000ull // func << 24 | block << 2
#define HEAP_BASE  0x0000600000000000ull
#define STACK_BASE 0x00007f0000000000ull

// run.c
void wit_stop(Machine *m, WitnessStop why, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void wit_misuse(Machine *m, WitnessMisuse what); // of m->misused bytes, if it is a block
void wit_end(Machine *m, WitnessEnd end, int status);
WitnessPlace wit_place(const Machine *m);
Value wit_ref(Machine *m, const Frame *f, uint32_t ref);
MType wit_ref_type(const Frame *f, uint32_t ref);
// kept.c: notes whose code, or content, the run reads.
void wit_note_func(Machine *m, FuncId f);
void wit_note_global(Machine *m, GlobalId g);
void wit_push_frame(Machine *m, FuncId id, const Arg *args, uint32_t n, bool boundary);
void wit_pop_frame(Machine *m);
void wit_jump(Machine *m, uint32_t block);
void wit_loop(Machine *m, uint32_t depth); // until so few frames are left, or the end
// Calls a function of the program from a computation; false when the run ended or the callee was
// left by a jump.
bool wit_call_back(Machine *m, uint64_t func, const Arg *args, uint32_t n, Value *result);

// memory.c
uint64_t wit_block_new(Machine *m, BlockKind kind, uint64_t size, uint32_t align);
MemBlock *wit_block_at(Machine *m, uint64_t addr); // whose bytes hold the address; null
MemBlock *wit_block_near(Machine *m, uint64_t addr); // also one behind its end
// The bytes for an access, checked; null when the run has ended by it.
uint8_t *wit_bytes(Machine *m, uint64_t addr, uint64_t n, bool write);
bool wit_read(Machine *m, uint64_t addr, void *into, uint64_t n);
bool wit_write(Machine *m, uint64_t addr, const void *from, uint64_t n);
bool wit_copy(Machine *m, uint64_t to, uint64_t from, uint64_t n);
bool wit_fill(Machine *m, uint64_t to, uint8_t byte, uint64_t n);
bool wit_text(Machine *m, uint64_t addr, uint64_t most, Chars *into); // up to its zero
Value wit_load(Machine *m, uint64_t addr, MType t);
void wit_store(Machine *m, uint64_t addr, Value v, MType t);
uint64_t wit_global(Machine *m, GlobalId g);
uint64_t wit_func(FuncId f);
FuncId wit_func_at(const Machine *m, uint64_t addr); // 0: none
Value wit_const(Machine *m, uint32_t unit, const Const *c);
uint64_t wit_heap_new(Machine *m, uint64_t size, FamilyId family, bool zeroed);
bool wit_release(Machine *m, uint64_t addr, FamilyId family); // family 0: any
void wit_release_pool(Machine *m, uint64_t pool);              // all that lives in it

// value.c
Value wit_of_bytes(Machine *m, const uint8_t *bytes, uint32_t n);
const uint8_t *wit_bytes_of(const Value *v, uint32_t n);
U128 wit_u(Value v);
S128 wit_s(Value v, uint32_t bits);
Value wit_v(U128 n, uint32_t bits);
Value wit_word(uint64_t n);
bool wit_integer(Machine *m, Op op, uint32_t bits, Value a, Value b, Value *out);
bool wit_calc(Machine *m, const Frame *f, const Ins *ins, Value *out);
double wit_double(Value v, uint32_t bytes);
Value wit_of_double(double d, uint32_t bytes);

// wide.c: more than 128 bits
Value wit_resize(Machine *m, Value v, uint32_t from, uint32_t to, bool with_sign);
bool wit_wide(Machine *m, Op op, uint32_t bits, Value a, Value b, Value *out);

// call.c
void wit_call(Machine *m, const Ins *ins);
void wit_finish_call(Machine *m, Value result); // the instruction under way is the call
void wit_exit(Machine *m, int status);

// compute.c, text.c, format.c
typedef struct {
    Machine *m;
    const Arg *args; // of a variadic call
    uint32_t count, next;
    uint64_t list; // or a va_list
} ArgList;
uint64_t wit_next_word(ArgList *l);
double wit_next_double(ArgList *l, bool wide);
bool wit_format(Machine *m, uint64_t format, ArgList *l, Chars *into);
// True when done (the result in *out); a jump, an exception or a started call leave *out alone and
// set *moved.
bool wit_compute(Machine *m, Computes what, const Arg *args, uint32_t n, Value *out, bool *moved);
bool wit_compute_text(Machine *m, Computes what, const Arg *args, uint32_t n, Value *out);

// nodes.c: lists and trees of the C++ library
bool wit_compute_nodes(Machine *m, Computes what, const Arg *args, uint32_t n, Value *out);

// except.c
bool wit_compute_except(Machine *m, Computes what, const Arg *args, uint32_t n, Value *out,
                        bool *moved);
void wit_unwind(Machine *m, uint32_t from); // the exception under way leaves frames from `from` up
uint64_t wit_typeid(Machine *m, uint64_t info);

// What a run takes from its finding; only where m->replay is set.
// inputs.c
void wit_choose_content(Machine *m, uint64_t addr, MType t);
void wit_settle_byte(Machine *m, uint64_t addr, uint8_t byte, Dependence of);
void wit_set_global(Machine *m, uint32_t block);
Value wit_choose_result(Machine *m, MType t, const SpecFunc *spec);
bool wit_call_fails(Machine *m, const SpecFunc *spec, Dependence *of);
bool wit_path_answers(const Machine *m);
bool wit_choose_either(Machine *m);
uint64_t wit_choose_offset(Machine *m);
Value wit_choose_resource(Machine *m, uint32_t count);
void wit_show_storage(Machine *m, uint32_t block);
void wit_choose_error(Machine *m, uint64_t addr);
// search.c: what values depend on
void wit_carry(Machine *m, const Frame *f, const Ins *ins); // the instruction has been executed
void wit_carry_switch(Machine *m, Value on, Value other);
void wit_set_origin(Machine *m, uint64_t addr, Dependence o);
Dependence wit_origin_at(const Machine *m, uint64_t addr);
// The next address behind `after` where a number stands that was made of the choice; 0: none.
uint64_t wit_made_of(const Machine *m, uint32_t choice, uint64_t after);
void wit_copy_origins(Machine *m, uint64_t to, uint64_t from, uint64_t n);
// replay.c: the path
void wit_enter(Machine *m, uint32_t ins); // the outermost function comes to this instruction
void wit_pass(Machine *m, uint32_t ins);
void wit_follow(Machine *m, uint32_t ins, Value condition);
void wit_follow_switch(Machine *m, uint32_t ins, uint32_t to, uint64_t on);

// record.c: the record of a run (finding/witness.h). All but wit_record_new do nothing where
// m->record is null.
Recorder *wit_record_new(Arena *a, const Program *p, FuncId func);
void wit_record_arg(Machine *m, uint32_t param, Value v);
void wit_record_branch(Machine *m, bool taken);
void wit_record_switch(Machine *m, Value on, MType t);
void wit_record_call(Machine *m, FuncId callee, const Arg *args, uint32_t n, MType type);
void wit_record_how(Machine *m, CallHow how);
void wit_record_failure(Machine *m);
void wit_record_obtained(Machine *m, FamilyId family);           // by the call's result
void wit_record_taken(Machine *m, uint32_t arg, FamilyId family); // by the call
void wit_record_kept(Machine *m, uint32_t arg);
void wit_record_written(Machine *m, uint64_t addr, Value v, MType t); // by the call
void wit_record_result(Machine *m, Value v, MType t); // of the call that is over now
// The call makes the content unknown; a copy takes what is unknown along; content was chosen.
void wit_record_forgotten(Machine *m, uint64_t addr, uint64_t n);
void wit_record_copied(Machine *m, uint64_t to, uint64_t from, uint64_t n);
void wit_record_content(Machine *m, uint64_t addr, Value v, MType t);
// The whole, once the run is over; frees the recorder.
Witness *wit_record_end(Machine *m);

// main.c
void wit_machine_init(Machine *m, Arena *a, const Program *p, const SpecTable *specs,
                      const WitnessOptions *o);
void wit_machine_free(Machine *m);

// reach.c
// Whether something that this instruction of the outermost function obtained is lost now; *made:
// whether it obtained anything. With frames: functions are still active, and what they can still
// use holds it.
bool wit_lost(Machine *m, uint32_t outer, bool frames, bool held, bool *made);
uint8_t *wit_reached(Machine *m, bool frames); // by block; open values are marked; to be freed
void wit_forget(Machine *m, uint64_t addr, uint64_t n); // the content is unknown from here on
void wit_leaks(Machine *m, WitnessRun *r, bool frames);

#endif
