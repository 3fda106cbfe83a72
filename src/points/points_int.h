// What the files of the module share: the constraint graph.
#ifndef POINTS_POINTS_INT_H
#define POINTS_POINTS_INT_H

#include "base/bits.h"
#include "base/map.h"
#include "points/limits.h"
#include "points/points.h"

typedef uint32_t Node; // a value, or the content of a cell (then it is the cell's id too)

enum { NODE_NONE = 0, NODE_UNKNOWN = POINTS_UNKNOWN, NODE_ESCAPED = 2 };

typedef enum {
    C_COPY,  // to >= from
    C_ADDR,  // to has cell `from`
    C_LOAD,  // to >= *from
    C_STORE, // *to >= from
    C_FIELD, // to >= from + value bytes
    C_INDEX, // to >= from + any multiple of value
    C_RLOAD, // to >= all pointers in value bytes at from (an aggregate in a register)
    C_RSTORE,
    C_MOVE, // value bytes at `from` are copied to `to`
    C_CALL, // from: callee pointer, to: site
} ConKind;

typedef struct {
    uint32_t kind;
    Node to, from;
    int32_t value;
} Con;

enum { ALL_BYTES = INT32_MAX };

// A constraint that waits for new members of a node.
typedef struct {
    uint32_t con, next; // in Points.cons; next link + 1
} ConLink;

typedef struct {
    uint32_t obj, off; // of a cell; obj 0: a value
    Node older;        // the cell of the object that was made before it
} CellInfo;

typedef struct {
    SBits pts, delta;
    uint32_t links, last_link; // first and last link + 1: what its members trigger
    bool wide;                 // its set is the unknown alone; what comes to it escapes
} NodeInfo;

typedef struct {
    uint32_t off;
    Node cell;
} ObjCell;

// Offsets of a type, or of the elements of an array, in one form, once they were asked for.
typedef struct {
    bool array;
    uint32_t size; // of an element; 0: large, or not known
    uint16_t at[]; // by offset: that offset in one form + 1
} Form;

typedef struct {
    PointsObj is;
    uint32_t unit;          // of `type`
    TypeId type;            // 0: untyped, as heap memory
    Form *form;             // of its type, once an offset was asked for
    uint64_t size;          // 0 unknown
    uint32_t start, stride; // untyped: an array of elements of stride bytes from `start` on
    VEC(ObjCell) cells;     // by offset
    Node newest;            // of all its cells so far
    uint32_t shape;         // how often cells were brought to another form
    uint32_t changed;       // when it last got a cell, another form or escaped
    U32s watchers;          // constraints over ranges, which new cells concern
} Obj;

// What a constraint over ranges has seen to.
typedef struct {
    SBits to, from; // members whose objects it watches
    uint32_t when;  // changes of objects up to then
    Node flat;      // through which it goes when sets are large
    uint64_t spent; // cells it has looked at, pair by pair
} RangeWatch;

typedef struct {
    FuncId caller;
    uint32_t ins;
    Node result;
    uint32_t first_arg, arg_count; // in Points.args
    const Func *type;              // declaration at hand for direct calls, else null
    bool unknown_done;
} PointsCall;

struct Points {
    const Program *program;
    const SpecTable *specs;
    const SpecFunc **spec; // by FuncId: what decides its calls
    Bits wrapper;          // by FuncId
    Node **slots;          // by FuncId: of parameters, then instructions; null: no code
    Node **values;         // by FuncId: of instructions, inside its slots
    Node *ret;             // by FuncId
    uint32_t *rest;        // by FuncId: object of the variable arguments
    uint32_t *func_obj, *global_obj;
    uint32_t strings;
    Bits *orderly;       // by unit and type: structs of many members that are in the order of their offsets
    VEC(CellInfo) cells; // by node
    U32s rep;            // by node: itself, or who has absorbed it
    VEC(NodeInfo) nodes; // none before the solution begins
    VEC(SBits) succ;     // by node; apart, since the order of all asks for nothing else
    U32s scratch;
    VEC(Obj) objs;
    VEC(Con) cons;
    VEC(ConLink) links;
    VEC(PointsCall) sites;
    U32s args;
    Map forms;            // unit and type -> Form
    Map addrs;            // cell -> value node that points to it
    Node **consts;        // by unit and constant: the value, once it was asked for
    Map heap;             // of call and place -> object
    Map met;              // site, function: connected
    bool online;          // constraints are applied at once
    VEC(uint64_t) queued; // bits by place in the sweep
    U32s place, at;       // node -> place, place -> node
    U32s pending;         // range constraints to look at again
    Map watching;         // object, constraint: it watches
    Map ranged;           // range constraint, member and side -> state of the object then
    Map range_of;         // range constraint -> place in ranges
    VEC(RangeWatch) ranges;
    uint32_t changes; // of objects: new cells, another form, escapes
    Map looked;       // edges whose ends were found equal before
    uint32_t lazy;    // such edges since cycles were looked for
    U32s hybrid;      // by node: unite its pointees with this one
    PointsCounts counts;
    Arena *arena;
};

// ---- object.c
static inline Node find(Points *p, Node n)
{
    while (p->rep.at[n] != n) {
        p->rep.at[n] = p->rep.at[p->rep.at[n]];
        n = p->rep.at[n];
    }
    return n;
}
void pts_find_orderly(Points *p);
Node pts_node_new(Points *p);
uint32_t pts_obj_new(Points *p, Obj o);
uint32_t pts_obj_of_func(Points *p, FuncId f);
uint32_t pts_obj_of_global(Points *p, GlobalId g);
uint32_t pts_obj_of_heap(Points *p, FuncId caller, uint32_t ins, int16_t which, FuncId maker);
// The cell at an offset, made when it is new; 0: outside the object.
Node pts_cell_at(Points *p, uint32_t obj, int64_t off);
Node pts_field_of(Points *p, Node cell, int32_t value); // the cell `value` bytes behind it
// Elements of `scale` bytes follow each other from this offset on.
void pts_obj_stride(Points *p, uint32_t obj, uint32_t off, uint32_t scale);
Node pts_addr_of(Points *p, Node cell); // a value that points to the cell

// ---- gen.c, call.c, wrap.c
void pts_gen_program(Points *p);
Node pts_value_of(Points *p, FuncId f, uint32_t unit, const Unit *u, Ref r);
void pts_gen_call(Points *p, FuncId caller, uint32_t unit, const Unit *u, const Func *f,
                  uint32_t ins);
void pts_connect(Points *p, uint32_t site, FuncId callee);
void pts_connect_unknown(Points *p, uint32_t site, const Func *decl, const Unit *du);
void pts_find_wrappers(Points *p);
bool pts_is_pointerish(MType t);

// ---- solve.c
// Adds a constraint: noted before the solution begins, applied at once later.
void pts_emit(Points *p, ConKind kind, Node to, Node from, int64_t value);
void pts_solve(Points *p);
void pts_unite(Points *p, Node a, Node b);
void pts_unite_all(Points *p, const Node *nodes, uint32_t count); // ascending
void pts_add_edge(Points *p, Node from, Node to);
void pts_add_member(Points *p, Node n, Node cell);
void pts_widen(Points *p, Node n);
void pts_queue(Points *p, Node n);

// ---- cycle.c
void pts_offline(Points *p);     // before the solution: equal values become one node
void pts_renumber(Points *p);    // then: only the nodes that are left have ids
void pts_find_hybrid(Points *p); // cycles that will come to be through a load and a store
void pts_order_nodes(Points *p); // collapses cycles of copies, gives places in topological order

#endif
