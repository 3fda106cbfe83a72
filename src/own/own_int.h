// Private to src/own: types, the work on one function, interfaces.
#ifndef OWN_OWN_INT_H
#define OWN_OWN_INT_H

#include "base/hash.h"
#include "link/belief.h"
#include "own/limits.h"
#include "own/own.h"
#include "constraint/constraint.h"
#include "unit/cfg.h"

// Priorities, the surest first (Heine and Lam, section 2.3).
enum {
    PRIO_FACT,   // allocations, releases, moves, interfaces of callees, container specs
    PRIO_JOIN,   // where paths meet a pointer owns on all or on none
    PRIO_SCOPE,  // what goes out of scope or is overwritten owns nothing
    PRIO_BELIEF, // what was handed to a function that is believed to take it is gone
    PRIO_BORROW, // what is only lent owns nothing
    PRIO_FIELD,  // owning fields own at the boundaries of functions
    PRIO_MEMORY, // what is stored in or loaded from memory owns nothing
    PRIO_COUNT
};

typedef enum {
    CON_ALLOC,
    CON_TAKE,
    CON_MOVE,
    CON_CALL,  // a callee's interface
    CON_ELEM,  // elements of one container are all owned or all not
    CON_WHERE, // ref_type(T)
    CON_JOIN,
    CON_SCOPE,
    CON_OVERWRITE,
    CON_LENT,
    CON_STORE,
    CON_LOAD,
    CON_FORGET,   // its content or its count may change
    CON_UNKNOWN,  // handed to a function with neither code nor spec
    CON_BEHIND,   // a callee left it to memory or to unknown code
    CON_BELIEVED, // a function is believed to take it
    CON_OWNER,    // the struct goes, and with it the field
    CON_FIELD,    // an owning field owns at the boundary of a function
} ConstraintKind;

// ---- Structure: what a pointer points to (Heine and Lam, section 4.1).
//
// A node is a type variable until it is unified with a container or a function type. Ownership of
// the elements sits in the slots: one variable and one node for each type parameter. Nodes of one
// class (union-find) are one type.

typedef enum { NODE_VAR, NODE_CONTAINER, NODE_FUNC, NODE_BOTTOM } NodeKind;

enum {
    NODE_OPENED = 1,  // reached other than through container routines: anything may happen to it
    NODE_DRAINED = 2, // elements are handed out: an empty one may be freed shallowly
    NODE_PICKED = 8,  // some routine is told one of its elements: to find it or to take it out
    NODE_PLACED = 4,  // a global or a field leads to it: other functions may do the rest
};

typedef struct {
    uint32_t own; // variable
    uint32_t node;
} Slot;

typedef struct {
    uint32_t parent;
    uint8_t kind, flags;
    uint32_t id; // ContainerId; a function's symbol is not part of its type
    uint32_t first_slot, slot_count;
} Node;

// ---- Interfaces (section 2.2): variables are parameters' ownership at entry, the result's, and
// those of the slots.

typedef struct {
    uint64_t rows;
    uint32_t count, vars[CON_VARS];
} Relation;

enum { WEAK_NOT, WEAK_UNKNOWN /* in code that nobody knows */, WEAK_STORED };

// A parameter of functions with neither code nor spec.
typedef struct {
    uint32_t count;
    FuncId to[HANDED_TO];
    uint32_t param[HANDED_TO];
} Handed;

typedef struct {
    bool known;
    uint32_t param_count;
    Slot *params; // own: variable of the interface; node: 0 none
    Slot result;
    uint8_t *weak;    // by parameter: it takes ownership only by losing it in memory; WEAK_*
    bool weak_result; // the result owns only what was found in memory
    uint32_t *field;  // by parameter: the field that it is stored in, number + 1; 0: none
    bool *torn;       // by parameter: not taken on every way
    Handed *handed;   // by parameter: unknown functions that it is handed to, one on each way
    uint32_t var_count;
    Node *nodes; // entry 0 is none; parent unused
    uint32_t node_count;
    Slot *slots;
    uint32_t slot_count;
    Relation *relations;
    uint32_t relation_count;
    Relation *behind; // what holds besides when nothing is owned by memory or unknown code
    uint32_t behind_count;
} Interface;

// ---- How a call passes one argument.

typedef enum {
    PASS_BORROW,
    PASS_MOVE,    // may be transferred: slot.own says
    PASS_WEAK,    // as PASS_MOVE, but then it is lost in memory
    PASS_UNKNOWN, // nobody knows
    PASS_CONTENT, // address of a local cell whose content moves (a C++ reference)
    PASS_OUT,     // address of a local cell that receives slot.own
    PASS_FORGET,  // address of a local cell that may be changed
    PASS_COUNTED, // reference counts: not modelled by ownership
} PassHow;

typedef struct {
    Slot slot;
    uint8_t how;
    bool believed; // PASS_BORROW only because other call sites say so
    bool takes;    // PASS_UNKNOWN, and other call sites say that it takes
} Pass;

typedef struct {
    uint32_t ins;
    FuncId callee; // 0: indirect
    const SpecFunc *spec;
    Pass *args;
    uint32_t arg_count;
    Slot result; // own: VAR_ZERO when it owns nothing for sure
    bool result_weak;
    uint32_t shows; // node of the container whose element the result shows; 0 none
    uint32_t old;   // realloc: value number + 1 of the block that stays when the result is null
    int32_t alias;  // argument that the result may be, or -1
} CallInst;

// ---- One function.

// For show: a value has this variable after the instruction.
typedef struct {
    uint32_t value, ins, var;
} VarAt;

typedef enum {
    EV_USE, // only looked at: its scope lasts at least to here
    EV_MOVE,
    EV_CONTENT_IN,
    EV_FORGET,
    EV_HANDED, // a field whose struct is handed on
    EV_OWNER,  // a field whose struct is released
} EventDo;

typedef struct {
    uint32_t ins, value;
    uint32_t own; // what is moved away, or for EV_CONTENT_IN what comes in
    uint8_t what; // EventDo
    uint8_t con;  // ConKind
    uint8_t weak; // ownership that moves is lost: also a constraint of priority memory
    uint8_t over; // EV_CONTENT_IN: what was there is overwritten
    bool taken;   // EV_MOVE: what was owned is believed to be gone
} OwnEvent;

// A field of the struct that one pointer leads to (member.c).
typedef struct {
    uint32_t root, field;
    uint32_t next; // of the same root, + 1
    bool boundary; // owns when the function begins and when it ends
} StructMember;

typedef struct {
    Own *own;
    FuncId f;
    const Unit *unit;
    uint32_t unit_index;
    const Func *func;
    Arena *arena;
    Cfg *cfg; // edges and order; on_one_path and body_handed complete it
    System sys;
    VEC(Node) nodes;
    VEC(Slot) slots;
    uint32_t param_count, value_count;
    uint32_t *node_of; // by value
    uint32_t *look_of; // by value: container whose element it shows; 0 none
    uint32_t *born;    // by value: variable of its first version; 0 none
    uint32_t *inst_of; // by instruction: index + 1 into insts
    uint32_t *var_of;  // by instruction: VarId that it is bound to; 0 none
    VEC(CallInst) insts;
    VEC(StructMember) members;
    uint32_t first_member; // value of the first
    uint32_t *member_of;   // by value: first member + 1
    uint32_t *member_ins;  // by instruction: member that it loads or stores, + 1
    uint32_t *field_ins;   // by instruction: field that it loads or stores, + 1
    Map places;            // global or field -> node
    Bits cells;            // by instruction: allocas that hold one pointer
    Bits used;             // by instruction: those that are an operand of another
    VEC(OwnEvent) events;  // by instruction
    uint32_t *block_of;    // by instruction, set by body_flow
    Bits wanted;           // values whose ownership may move
    uint32_t at_ins;       // instruction that the structure phase is at
    uint32_t result_node;
    uint32_t result;       // variable of what the function returns; 0 none
    VEC(VarAt) versions; // kept when Own.keep_versions
    U32s asked;            // callees, each with 0 or, of unknown ones, its number of arguments
    uint64_t work;
    bool final; // of the rounds of a recursion, the last
    bool given_up;
} Body;

enum { NO_VALUE = UINT32_MAX };
// A constraint of an edge between a block with several exits and one with several entries: no
// instruction stands for it.
enum { NO_PATH = UINT32_MAX };

// Values of a function: parameters, then instructions, then the contents of cells by instruction,
// then members.
static inline uint32_t value_ins(const Body *b, uint32_t ins)
{
    return b->param_count + ins;
}
static inline uint32_t value_cell(const Body *b, uint32_t ins)
{
    return b->param_count + b->func->ins_count + ins;
}

// What call sites say of one parameter of a function, or of its result.
typedef struct {
    FuncId func;
    uint32_t param; // NO_VALUE: the result
    uint32_t given; // sites that hand over what they own and lose it in memory after the call,
                    // or that release the result
    Pos where;      // the first site of `given`
} Evidence;

// A field by the name of its struct and its own: how often ownership goes in and comes out
// (field.c).
typedef struct {
    const char *home, *name; // home: "" unknown
    uint32_t in, out;
    uint32_t with, forgotten; // structs that are released with what it points to, or without
    uint32_t filled, other;   // stores of fresh blocks, and of anything else but null (destroy.c)
    uint32_t released, apart; // functions that release it, and those that release nothing else
    uint32_t loose;           // of the latter: those that leave what was released in the field
    uint32_t renewed;         // functions that release it and set it anew
    uint32_t born;            // allocations of the struct that fill it at once
    uint32_t anew;            // copies of the struct as a whole that give it another value at once
    bool shared;              // its address or its value may be kept elsewhere
    bool lent;                // some function returns its value
} FieldUse;

// What a function does with one field of one struct (destroy.c).
typedef struct {
    uint32_t field; // + 1
    bool filled, cleared, released;
    bool handled;   // what it held may be anywhere now
    bool by_others; // released by another function than this one itself: no list that calls itself
    uint32_t param; // the struct that it was released of, + 1; 0: no parameter
    uint32_t ins;   // of the release
    Ref in;         // leads to the struct that it was released of; none when that is not plain
} Here;

// A field that a function reads, or releases without its struct.
typedef struct {
    FuncId func;
    uint32_t field; // + 1
} FieldIn;

// A field of a struct that was there before is given another value by a function that has not looked at
// the old one (left.c).
typedef struct {
    FuncId func;
    uint32_t field; // + 1
    uint32_t sibling; // field + 1 that the function releases of the same struct before; 0 none
    bool found;       // the struct was found by one of its fields
    bool seen;        // what the field holds was looked into before
    bool cleared;     // the new value is null
    Pos at;
    const char *function, *variable; // variable: or null
} Overwrite;

// A struct that a function was given and releases (destroy.c).
typedef struct {
    FuncId func;
    uint64_t home; // hash of the struct's name
    Ref in;        // leads to it, in that function
    Pos at;
    const char *function, *variable; // variable: or null
    const char **members; // of the struct
    uint32_t member_count;
    uint32_t *handled, handled_count; // fields + 1 whose blocks the function releases or moves
    uint32_t others;                  // fields that it releases
    bool fresh;                       // of a unit that is reported
    bool handed_on;                   // to other functions too
    bool unknown;                     // of which nobody knows what they do
    bool emptied; // its fields are released, it itself stays
    uint32_t *siblings; // fields + 1 that it releases, `others` of them
} Destroyed;

// A function that loads or stores a field, or releases a struct.
typedef struct {
    FuncId func;
    uint32_t field; // + 1; 0: a struct
    uint64_t home;  // hash of its name
} FieldTouch;

// A finding that rests on what a field owns: its level waits for the witnesses.
typedef struct {
    Finding *finding;
    uint32_t field;
} FieldClaim;

// Where parameters go (into.c), for drafts.
typedef struct {
    uint32_t param_count;
    uint32_t *many, *one; // by parameter: a bit for each parameter behind which it is stored, as
                          // one of many or as the only one
    uint32_t *set;        // likewise, what the other is directly set to
    uint32_t out;         // a bit for each parameter behind which something is released
    uint32_t out_self;    // by the function itself
    uint32_t result_in;   // a bit for each parameter behind which the fresh result is stored
    uint32_t result_from; // parameter that leads to the result; NO_VALUE: none
    bool opens;           // looks into structs itself
} Into;

// A finding of high priority that lies on one path: likely where the evaluation gave up.
typedef struct {
    Finding *finding;
    FuncId func;
} PlainClaim;

// A sure finding and a block that it needs.
typedef struct {
    Finding *finding;
    FuncId func;
    uint32_t block;
} Claim;

// What functions say of the elements of a container that a global or a field leads to (place.c).
enum { PLACE_SLOTS = 2 };

typedef struct {
    uint32_t count;
    Pos at; // the first that says so
    const char *function;
    bool shallow, taken, fresh;
    uint32_t func, ins; // where that is: a FuncId, and an instruction of it
} PlaceSays;

typedef struct {
    uint64_t key;
    uint32_t container, flags;      // ContainerId, NODE_*
    PlaceSays says[PLACE_SLOTS][2]; // by what they must own
} PlaceUse;

// What a function was inferred from (again.c): places in Own.asked.
typedef struct {
    bool known;
    uint32_t first, count; // whose interfaces it asked for
    uint32_t unknown;      // after them: functions that nobody knows, each with its number of arguments
    Hash128 answers;
} From;

struct Own {
    const Program *program;
    OwnOptions options;
    Arena *arena;
    VEC(Arena *) spare;     // of bodies that are closed, for the next ones
    Interface **interfaces; // by FuncId
    const SpecFunc **specs; // by FuncId, resolved
    bool *busy, *done;      // by FuncId: being worked on, finished
    uint32_t depth;
    Findings *into;
    VEC(Evidence) evidence;
    Map evidence_of;
    VEC(FieldUse) fields;
    Map field_of; // hash of struct and field -> index in fields
    VEC(FieldTouch) touches;
    VEC(FieldClaim) field_claims;
    VEC(Destroyed) destroyed;
    Map copied; // hash of struct names -> how many places copy one as a whole
    Map made;   // hash of struct names -> how many places allocate one
    VEC(Overwrite) overwrites;
    VEC(FieldIn) reads, apart;
    ProgRange *reads_of; // by FuncId: in `reads`
    VEC(PlainClaim) plain;
    VEC(Claim) claims;
    VEC(PlaceUse) places;
    Map place_of;
    VEC(FuncId) releasers; // functions that release structs they were given, for the sound mode
    bool collect;          // evidence
    Into **intos;          // by FuncId, when drafts are wanted
    Beliefs beliefs;
    Map calls_back;  // functions with neither code nor spec that are handed a function somewhere
    bool believe;    // second round: what call sites say of unknown functions is used
    ProgRange *told; // by FuncId: its findings in `into`
    Hash128 *content; // by FuncId: of its interface
    From *from;       // by FuncId
    U32s asked;
    bool keep_versions;
};

// destroy.c
void body_holds(Body *b);
void own_destroyers(Own *o);
bool is_null_ref(const Body *b, Ref r);
uint64_t home_hash(const char *home);
bool is_look(Body *b, uint32_t ins, uint32_t n);
bool is_shared(const FieldUse *f);
// Whether a copy of the struct as a whole leads to the field's block too.
bool is_copied(const Own *o, const FieldUse *f);

// left.c
bool same_pointer(const Body *b, Ref x, Ref y, int depth);
// The struct that a load or store of a field is about; none: it is about something else.
Ref struct_behind_field(const Body *b, uint32_t ins);
bool is_given(const Body *b, Ref r, int depth);
bool is_filled_before(Body *b, uint32_t field, uint32_t ins);
void body_leaves(Body *b, const Here *here, uint32_t here_count);
// Whether what the function calls with the pointer, or that calls, may read the field.
bool may_read_below(const Own *o, FuncId f, uint32_t field);
bool handed_to_unknown(Body *b, Ref in);
bool called_beside(const Own *o, FuncId f, FuncId other);
void own_overwrites(Own *o);

// type.c
uint32_t node_new(Body *b, NodeKind kind);
uint32_t node_find(const Body *b, uint32_t n);
uint32_t node_with(Body *b, NodeKind kind, uint32_t id, uint32_t slot_count); // slots open
void node_flag(Body *b, uint32_t n, uint8_t flags);
void node_unify(Body *b, uint32_t x, uint32_t y, uint32_t ins);
void slot_unify(Body *b, Slot x, Slot y, uint32_t ins);

// call.c
const SpecFunc *own_spec(const Own *o, FuncId f);
CallInst *inst_of(Body *b, uint32_t ins);
void call_inst(Body *b, uint32_t ins);
uint32_t func_node(Body *b, FuncId f, uint32_t ins);

// body.c: structure first, then events.
uint32_t root_value(const Body *b, Ref r); // NO_VALUE: constants, local objects
uint32_t direct_value(const Body *b, Ref r);
uint32_t node_of_ref(Body *b, Ref r);
bool is_cell(const Body *b, Ref r, uint32_t *cell);
void body_structure(Body *b);
void body_events(Body *b);
void body_event(Body *b, OwnEvent e);

// flow.c: versions along the control flow.
void body_flow(Body *b);

static inline bool is_member(const Body *b, uint32_t value)
{
    return value != NO_VALUE && value >= b->first_member;
}
static inline const StructMember *member_of(const Body *b, uint32_t value)
{
    return &b->members.at[value - b->first_member];
}

// own.c
// The interface of a function with code; null inside a recursion that has none yet. A function
// whose address is handed on is not a callee, so it may have to be looked at out of turn.
const Interface *own_interface(Own *o, FuncId f);
void own_drop(Own *o, const Map *gone); // findings, by their address
Body *body_open(Own *o, FuncId f);
void body_close(Body *b);
void body_solve(Body *b, Interface *into);
const char *value_name(const Body *b, uint32_t value);
Pos place_of(const Body *b, uint32_t ins);
// The finding's place in the program: the function at hand and the instructions that obtain and lose
// the block; UINT32_MAX: not known.
void report_grounds(const Body *b, Finding *f, uint32_t made, uint32_t lost);

void own_infer(Own *o, FuncId f, bool report);

// again.c
// A function asks for the interface of another (`unknown` 0), or for beliefs about so many arguments of one.
void again_asked(Body *b, FuncId callee, uint32_t unknown);
void again_note(Body *b, const Interface *face);
void own_infer_again(Own *o);

// report.c
void body_report(Body *b);
void report_release(Body *b, uint32_t ins, uint32_t value, uint32_t field);
Pos told_at(const Body *b, const Constraint *c);
const char *con_sentence(Body *b, const Constraint *c);
bool on_one_path(const Body *b, const Violation *v);
const Constraint *core_find(const Body *b, const Violation *v, ConstraintKind kind);

// evidence.c
void body_evidence(Body *b);
// Between the facts and the rules about memory: what each call of an unknown function must have
// done to its arguments.
void body_verdicts(Body *b);
void body_handed(Body *b, Interface *into);
const Evidence *own_evidence(const Own *o, FuncId f, uint32_t param); // null: none

// field.c
typedef void (*FieldRelease)(Body *b, uint32_t ins, uint32_t value, uint32_t field);
void body_vars(Body *b);
void body_fields(Body *b, Interface *into);
bool body_releases(Body *b, FieldRelease visit);
uint32_t field_of(Body *b, uint32_t ins);
uint32_t field_at(Body *b, Ref address);
TypeId struct_type(const Body *b, Ref address); // of what it points to; 0 none
// Whether the value is an argument of another call than `but`.
bool is_handed_on(Body *b, uint32_t value, uint32_t but);
uint32_t con_field(Body *b, const Constraint *c);
const char *field_text(const Own *o, uint32_t field);
bool field_owns(const FieldUse *f);
void print_fields_of(Out *out, Body *b);

const char *struct_name(const Body *b, Ref address); // that it points to; null: none
bool gives_raw_memory(Body *b, uint32_t call);

// member.c
bool field_owning(const Own *o, uint32_t field);
bool is_struct_release(const Body *b, const CallInst *inst, uint32_t arg);
void body_members(Body *b);
void members_born(Body *b);
void members_handed(Body *b, uint32_t ins, const CallInst *inst, uint32_t arg, Ref r);
void body_witnesses(Body *b);
void body_touches(Body *b);
bool report_member(Body *b, const Violation *v);
void own_field_claims(Own *o);
bool *own_touched(const Own *o); // by FuncId: owning fields are touched there; null: none are

// place.c
uint32_t place_node(Body *b, uint32_t ins); // of a load or store of a pointer; 0: no such place
void body_places(Body *b);
void own_places(Own *o);

// into.c
void body_into(Body *b);

// owners.c: a declaration in the specification language, as far as the interface says.
int face_forced(const Interface *face, uint32_t var); // -1: open
void print_declaration(Out *out, Own *o, FuncId f, const char *result, const char *const *words);

#endif
