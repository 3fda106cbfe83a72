// What functions do that the analysis cannot see: the specification language (doc/spec.md), its
// parser and the table of what was declared.
//
// In: spec files (models/*.own, the user's *.own), which may be wrong or hostile. Out: a table
// that answers "what does this function do to its arguments, what does it hand back", the
// families of resources, and the container specifications of Heine and Lam (polymorphic Clouseau,
// sections 3 to 5). Promised: wrong text gives messages with a position and is skipped up to the
// next semicolon; nothing in a file crashes; the table does not depend on the machine.
//
// A new library function is a line in models/*.own, a new library a file there, which is found by
// itself; no code: doc/spec.md has the words.
//
// A later declaration of a function replaces an earlier one; what the user says replaces what the
// models say. Reading the table (spec_find and everything const) is safe from several threads.
#ifndef SPEC_SPEC_H
#define SPEC_SPEC_H

#include "base/diag.h"
#include "base/name.h"
#include "base/out.h"

DEFINE_ID(FamilyId);    // 0: none
#define FAMILY_HEAP ((FamilyId){1}) // plain memory, which is always there
DEFINE_ID(ContainerId); // 0: none

typedef struct SpecTable SpecTable;
typedef struct SpecType SpecType;

// Parameters are meant by index from 0; these two stand for something else.
enum { SPEC_NONE = -1, SPEC_RETURN = -2 };

// ---- Conditions: "when (return >= 0)", "when (n == 0)", "when (flags & 4)".

typedef enum {
    SPEC_ALWAYS, // no condition
    SPEC_EQ,
    SPEC_NE,
    SPEC_LT,
    SPEC_LE,
    SPEC_GT,
    SPEC_GE,
    SPEC_MASK, // subject & value is not zero
} SpecOp;

typedef struct {
    SpecOp op;
    int16_t subject; // SPEC_RETURN, or a parameter: its value when the call begins
    int64_t value;   // `null` is 0
} SpecCond;

// ---- Families: what may be released by whom ("own(file) FILE *").

typedef enum {
    SPEC_POINTER,  // the resource is memory or is named by a pointer
    SPEC_VALUE,    // it is named by an integer or another plain value (a descriptor)
    SPEC_EMBEDDED, // it sits inside a struct of the caller (regex_t), reached by its address
} SpecRepr;

typedef struct {
    Name name;
    Name noun;     // for messages: "descriptor", "directory stream"; 0: "memory"
    Name by;       // the usual releasing function, for advice; 0 when not said
    FamilyId like; // another family with which mixing is harmless; 0
    SpecRepr repr;
    bool resource; // a lost one is no leak of memory: its noun chooses the rule (rules.def)
    bool arena;    // never a leak by itself; still may be used after it was freed
    bool deep;     // the releasing function knows the type: what is stored in one goes with it
    bool runs;     // obtaining one runs code of its own (a library's constructors)
    bool scoped;   // to be released by the function that obtained it, whatever leads to it (a lock)
    bool partial;  // may be released piecewise or through a pointer inside it (munmap)
    bool declared; // false: only mentioned so far
} SpecFamily;

// ---- Types, as far as ownership needs them.

typedef enum {
    SPEC_T_BASE,      // int, struct stat, FILE: `name` is its text without qualifiers
    SPEC_T_VAR,       // a type variable declared by `type T;`: `name`
    SPEC_T_POINTER,   // `to`; also arrays (of parameters)
    SPEC_T_REFERENCE, // C++ T &: as a pointer, but what counts is `to`
    SPEC_T_CONTAINER, // `container`<args>
    SPEC_T_FUNCTION,  // `to` is the result, `args` the parameters
} SpecTypeKind;

// The ownership written at a pointer inside a type.
typedef enum { SPEC_H_NONE, SPEC_H_OWN, SPEC_H_REF } SpecHold;

struct SpecType {
    SpecTypeKind kind;
    SpecHold hold;   // SPEC_T_POINTER, SPEC_T_REFERENCE
    FamilyId family; // with SPEC_H_OWN
    bool is_const;   // this type itself is const; `const char *` is a pointer to a const base
    bool variadic;   // SPEC_T_FUNCTION
    Name name;
    ContainerId container;
    const SpecType *to;
    const SpecType *const *args;
    uint16_t arg_count;
};

typedef struct {
    Name name; // may be 0
    const SpecType *type;
} SpecField;

typedef struct {
    Name name;        // of a C container also the type's name, without "struct"
    const Name *vars; // its type parameters, in order
    uint16_t var_count;
    uint16_t field_count;
    const SpecField *fields;
    const char *file; // where it was declared
} SpecContainer;

// ---- Values handed out: the result, or what an `out` parameter receives.

typedef enum {
    SPEC_PLAIN,  // owns nothing and points to nothing we know (an int, an unknown pointer)
    SPEC_OWN,    // fresh: the caller owns it now (one reference of it, when it is counted)
    SPEC_ALIAS,  // equal to parameter `param`
    SPEC_INSIDE, // points into the object that parameter `param` points to (or is equal to it)
    SPEC_REF_OF, // points to something that parameter `param` owns and that dies with it
    SPEC_STATIC, // points to storage of the library that nobody frees
    SPEC_NULL,   // null, or the number `number`
    SPEC_POLY,   // of type T: owned or not as the container's instance says
} SpecGives;

// Why a function fails. Unsaid: one that hands out memory alone, by its result, for want of it.
typedef enum { SPEC_FAILS_UNSAID, SPEC_FAILS_WITHOUT_MEMORY, SPEC_FAILS_ON_INPUT } SpecFails;
// "waits": for a request, an event, a signal. "waits always": again and again, a library's main loop. "sleeps": for a
// moment.
typedef enum { SPEC_WAITS_NOT, SPEC_SLEEPS, SPEC_WAITS, SPEC_WAITS_ALWAYS } SpecWaits;

// "throws without memory", "throws once": why a function may leave by an exception. Once: for an error that a
// process meets a few times at most (a lock, a thread, a stream).
typedef enum { SPEC_THROWS_NEVER, SPEC_THROWS_WITHOUT_MEMORY, SPEC_THROWS_ONCE } SpecThrows;

// How a failing function shows it: "or null", "or negative", "or -1".
typedef enum { SPEC_NO_FAIL, SPEC_OR_NULL, SPEC_OR_NEGATIVE, SPEC_OR_VALUE } SpecFail;

typedef struct {
    SpecGives gives;
    FamilyId family; // SPEC_OWN
    bool deep;       // SPEC_OWN: owns what it reaches; all of it is released with it
    int16_t param;   // SPEC_ALIAS, SPEC_INSIDE, SPEC_REF_OF
    bool deref;      // they mean what that parameter points to when the call begins: `returns *p`
    int64_t number;  // SPEC_NULL
    int16_t in;      // SPEC_OWN: lives in the arena that this parameter is; else SPEC_NONE
    SpecCond when;
} SpecValue;

// ---- Parameters.

typedef enum {
    SPEC_REF,     // borrowed: neither kept nor released
    SPEC_TAKE,    // `own`: taken and released; the pointer is dead afterwards
    SPEC_HOLD,    // `hold`: taken, and stays alive in its new home (`in`); the home releases it
    SPEC_KEEP,    // `keep`: the pointer may be stored beyond the call; who owns it is unknown
    SPEC_REF_INC, // `ref+`: one reference more
    SPEC_REF_DEC, // `ref-`: one reference less; the last one frees
    SPEC_BY_TYPE, // of type T: taken or borrowed as the container's instance says
} SpecMode;

// What the mode is about: the argument itself, or the one that it points to.
typedef enum {
    SPEC_ITSELF, // own T *p
    SPEC_IN,     // in own T **p:    *p before the call is taken
    SPEC_OUT,    // out own T **p:   *p after the call is `value`; what was in it is overwritten
    SPEC_INOUT,  // inout own T **p: *p is given (or null) and may be exchanged, like realloc
} SpecPlace;

// What happens to the memory behind a pointer, apart from `out`.
typedef enum {
    SPEC_READS,   // nothing
    SPEC_RENEWS,  // its state is another one, which its own functions alone know (a string)
    SPEC_CLEARS,  // likewise, and pure functions of it say what they say `when cleared`
    SPEC_WRITES,  // plain data may change; pointers stored there stay
    SPEC_FILLS,   // overwritten with plain data: pointers stored there are lost
    SPEC_CHANGES, // everything reachable from it may change, pointers too
    SPEC_EMPTIES, // what it holds is released, itself lives on (clearing a table or an arena)
} SpecEffect;

typedef struct {
    Name name; // may be 0
    const SpecType *type;
    SpecMode mode;
    SpecPlace place;
    SpecEffect effect;
    FamilyId family;    // SPEC_TAKE, SPEC_HOLD, SPEC_REF_DEC, SPEC_REF_INC: of what; 0: of any
    bool deep;          // SPEC_TAKE, SPEC_REF_DEC: releases all that it reaches
    bool or_null;       // SPEC_OUT: *p may be null although the condition holds
    bool or_inside;     // SPEC_INOUT: *p moves on in its block where it was not null
    bool then_null;     // SPEC_IN: *p is null afterwards
    bool else_null;     // SPEC_OUT with a condition: *p is null where that does not hold
    bool then_positive; // SPEC_FILLS: the number *p is above 0 afterwards
    bool bounded;       // SPEC_OUT of a family of values: no number there is less than `least`
    bool called;        // a function that the callee calls before it returns
    bool once;          // a function that is called at most once in a process: at its end, say
    bool starts;        // a function with which each call begins a thread or a process
    bool opaque;        // a pure function asks for the state of this object alone
    bool nonnull;       // null here ends the program
    int16_t in; // SPEC_HOLD, SPEC_KEEP, SPEC_BY_TYPE: parameter (or SPEC_RETURN) it now lives
                // in; SPEC_NONE: somewhere
    int16_t to; // handed to the function in this parameter when that is called; SPEC_NONE
    int16_t length[2]; // SPEC_FILLS: so many bytes (the product of two parameters); SPEC_NONE
    uint16_t count;    // out own int fd[2]: so many elements; else 1
    int64_t least;
    SpecCond when;   // when the mode (or the out) takes place; else borrowed, untouched
    SpecValue value; // SPEC_OUT, SPEC_INOUT: what *p receives
} SpecParam;

// ---- Functions.

typedef enum {
    SPEC_RETURNS,
    SPEC_EXITS,  // the program ends (exit, err)
    SPEC_ABORTS, // it ends at once, as for an error (abort, assert)
    SPEC_JUMPS,  // goes on somewhere else (longjmp, throw)
    SPEC_ENDS_THREAD,
} SpecNoreturn;

// "copies s to d (n)": the bytes at `from`, with the pointers in them, appear at `to`.
typedef struct {
    int16_t from, to;  // parameters; `to` may be SPEC_RETURN
    int16_t length[2]; // SPEC_NONE: all of it
} SpecCopy;

// "elements add x": what a member function of a container does to the sequence of its elements. The
// container is the first parameter. Such a declaration speaks to the evaluation alone and holds
// where there is code too; it is found by spec_find_elements.
typedef enum {
    SPEC_NO_ELEMENTS,
    SPEC_ELEMENTS_MAKE,    // there are none
    SPEC_ELEMENTS_DROP,    // they are gone
    SPEC_ELEMENTS_COPY,    // copies of those of the parameter
    SPEC_ELEMENTS_MOVE,    // those of the parameter, which has none then
    SPEC_ELEMENTS_ADD,     // a copy of what the parameter points to after the last
    SPEC_ELEMENTS_PREPEND, // before the first
    SPEC_ELEMENTS_INSERT,  // at the place that the parameter is, so many times
    SPEC_ELEMENTS_AT,      // the result is the address of the one of this number
    SPEC_ELEMENTS_FIRST,
    SPEC_ELEMENTS_LAST,
    SPEC_ELEMENTS_END,   // of the place after the last
    SPEC_ELEMENTS_KEY,   // of the one that belongs to the number which the parameter points to
    SPEC_ELEMENTS_PUT,   // what belongs to the first member of the pair that the parameter points to is the second
    SPEC_ELEMENTS_REMOVE, // the one that belongs to what the parameter points to is gone
    SPEC_ELEMENTS_POP,   // the last is gone
    SPEC_ELEMENTS_SHIFT, // the first is gone
    SPEC_ELEMENTS_COUNT, // the result is their number
    SPEC_ELEMENTS_EMPTY, // whether there are none
    SPEC_ELEMENTS_SWAP,  // those of the parameter, which has these then
    SPEC_ELEMENTS_ERASE, // the one at the place that the parameter is, or all up to another place
    SPEC_ELEMENTS_FILL,  // so many that are all zero
    SPEC_ELEMENTS_RESIZE, // so many: the last are gone, or more come that are all zero
    SPEC_ELEMENTS_STAY,  // nothing happens to them
    SPEC_ELEMENTS_SHOWN, // they stay, but through the result anybody may get at what they hold
    SPEC_ELEMENTS_ANY,   // anything may
    // Not members: the functions by which the members' code makes an element at the place that the
    // parameter is, from the arguments behind it, and ends one there.
    SPEC_ELEMENTS_CONSTRUCT,
    SPEC_ELEMENTS_DESTROY,
    // "counts": not a member of a container; counts the owners of the first parameter (SpecCount).
    SPEC_ELEMENTS_COUNTS,
    // "runs": not a member of a container; calls the function that a member of the first parameter holds, as libstdc++'s
    // callables do (SpecCount).
    SPEC_ELEMENTS_RUNS,
    // "walked": not a member of a container; the code is what the library promises, and is walked through.
    SPEC_ELEMENTS_WALKED,
} SpecElements;

// "counts down users calls 2": one owner of the first parameter less, by the number in this member; the
// virtual function with this number is called at zero. "counts up users": one more, unless there are none;
// the result says whether there were any.
// "runs manager with 3": with the first parameter, itself again, and the number. "runs invoker": with the first
// parameter and references to the others.
typedef struct {
    Name member;
    int16_t slot; // SPEC_NONE: up; runs with the parameters
} SpecCount;

enum { SPEC_MAX_COUNTS = 2, SPEC_MAX_SLOT = 1000 };

// "where { ref_type(T) }": elements of type T are not owned (own_type: are owned).
typedef struct {
    Name var;
    bool own; // own_type
} SpecWhere;

typedef enum { SPEC_FROM_MODEL, SPEC_FROM_USER } SpecOrigin;

typedef struct SpecFunc SpecFunc;
struct SpecFunc {
    Name name;    // symbol, C++ source name or pattern
    bool quoted;  // written in quotes
    bool pattern; // has a `*`
    bool qualified; // a C++ name with its scope, in quotes: std::terminate
    bool in_header; // `inline`: the library's header has the code; the row says more than that
    SpecOrigin origin;
    bool project; // it came with the project: nobody has vetted it
    const char *file;
    uint32_t line, col;
    Name alias_of; // declared by `alias`: the function whose row this shares; 0
    // Another library's function of the same name, told by its number of parameters: json_object_get of
    // json-c and of Jansson. Only among the models.
    const SpecFunc *other;

    const SpecType *result_type;
    const SpecParam *params;
    uint16_t param_count;
    bool variadic;
    SpecParam rest; // what happens to the arguments after `...`

    // The result: the first of `cases` whose condition holds when the call begins, else `result`.
    SpecValue result;
    const SpecValue *cases;
    uint16_t case_count, copy_count, where_count;
    SpecFail fail;      // how failure shows; SPEC_NO_FAIL with SPEC_OWN: never null
    int64_t fail_value; // SPEC_OR_VALUE
    SpecFails fails;    // why
    SpecThrows throws;
    Name thrown;        // symbol of its type information; 0: not said
    bool or_static;     // a result inside an argument may be a constant of the library instead, which
                        // the analysis does not tell apart: it errs towards a missed leak
    bool nonnull;       // the result is never null
    bool bounded;       // a number that is never less than `least`
    bool limited;       // and never more than `most`
    int64_t least, most;
    int64_t never;      // the result is not this, unless one of these holds
    SpecCond unless[2]; // the first SPEC_ALWAYS: nothing is said; the second: it is only one

    bool pure;     // changes nothing; the result depends on the arguments and what they point to
    int16_t measures; // the parameter on which alone the number that is returned depends; SPEC_NONE
    bool twice;    // may return more than once (setjmp)
    bool zeroed;   // fresh memory is all zero
    bool nonempty; // it begins with a pointer that is not null: a list with one entry at least
    bool unexpected; // reports what the program itself calls impossible
    bool letters;  // gives the letter of an option, one at each call
    SpecWaits waits; // for something from outside the process
    bool forks;      // begins a process, a copy of this one, and gives 0 in it
    Name forwards; // the library's own version only calls this function, which a program may replace; 0
    Name ends;     // what there is no more of where it gives null or -1: "entries"; 0: that is a failure
    bool tells_failure; // the number that the result points to is above 0 once a call has failed
    bool tells_cleared; // a pure function: the result is `when_cleared` while its opaque argument is cleared
    int64_t when_cleared;
    bool prints;   // the last parameter before `...` is a format; the result counts its bytes
    int16_t same;        // after the call its object, the first parameter, says what this one does; SPEC_NONE
    int16_t compares[2]; // the result says whether these two say the same: a bool, or 0 where they do; SPEC_NONE
    bool differs;        // compares: true where they say something else
    int16_t removes; // the parameter that leads to an element which has ended, whichever it is; SPEC_NONE
    bool withdraws; // elements are moved or ended: addresses of them that were asked for before are dead
    bool reserves; // likewise, and from here on adding to them moves none
    bool inferred; // worked out from code, which says more: holds where there is none
    bool
        realloc; // the one `own` parameter is exchanged: when it succeeds the old block is gone and
                 // the result is fresh, with the old contents; when it fails the old block stays
    SpecCond realloc_frees; // realloc: then the block is released and the result is null
    SpecNoreturn noreturn;
    SpecCond noreturn_when;   // SPEC_ALWAYS: always
    bool noreturn_on_success; // exec: returns only when it fails
    int16_t size[2];          // bytes of fresh memory: product of these parameters; SPEC_NONE
    const SpecCopy *copies;
    const SpecWhere *wheres;
    SpecElements elements;
    bool keyed;         // the elements are asked by key, and end together with their keys
    int16_t element[3]; // what is added or asked for, how often, and where; SPEC_NONE
    // The second is counted when the first has come to zero.
    SpecCount counts[SPEC_MAX_COUNTS];
    uint16_t count_count;

    // Declared nowhere: what the program's calls make us believe, as a sentence, and the name of the function
    // or pointer; null.
    const char *belief, *called;

    // Worked out by the checker:
    bool harmless; // keeps, frees, allocates and overwrites no pointer, calls nothing back, returns
    bool generic;  // its types mention a type variable or a container
};

// ---- The table.

enum { SPEC_MAX_FILE = 32 << 20 }; // bytes; nobody writes a larger one by hand

SpecTable *spec_new(Names *names);
void spec_free(SpecTable *t);
// -v: says which declaration replaces which.
void spec_verbose(SpecTable *t, bool on);

// Whether a declaration says what the exception is, and its base or null; both by symbol.
bool spec_exception(const SpecTable *t, const char *symbol, const char **base);

// Adds all declarations of a file. What is wrong is said and skipped. False when the file could
// not be read or had errors.
bool spec_add_file(SpecTable *t, const char *path, SpecOrigin origin, Diag *diag);
// All *.own files of a directory in order of their names. A missing directory is false and silent.
bool spec_add_dir(SpecTable *t, const char *dir, SpecOrigin origin, Diag *diag);
// The project's own, in .stanch below `root`: no links are followed there, and only regular files
// are read.
bool spec_add_project(SpecTable *t, const char *root, Diag *diag);
// Whether the project declares anything.
bool spec_has_project(const SpecTable *t);
// The project's declaration that is taken in place of the i-th shipped one; null when there is none.
// The shipped ones count from 0; *name is what it speaks of, null after the last.
const SpecFunc *spec_project_replaces(const SpecTable *t, uint32_t i, const char **name);
bool spec_add_text(SpecTable *t, const char *file, const char *text, size_t len, SpecOrigin origin,
                   Diag *diag);
// `stanch spec check FILE...`: each file is read together with those before it; the models in
// `models` (may be null) are there first, so that their families and containers are known.
// Returns an exit status: 0, or 2 when a file is wrong.
int spec_check_files(const char *const *paths, uint32_t count, const char *models, Diag *diag);

// What is declared of a function; null when nothing is. `symbol` is the linker's name, `source`
// (may be null) the qualified C++ name, with or without its parameter list:
// "std::vector<int*>::push_back". User before models, whole names before patterns.
const SpecFunc *spec_find(const SpecTable *t, const char *symbol, const char *source);
// The declaration with an `elements` clause; null when there is none. `demangled` (may be null) is
// the symbol as C++ programmers write it, with its parameters.
const SpecFunc *spec_find_elements(const SpecTable *t, const char *symbol, const char *demangled);
// Does the declaration hold even where the program has code for the function? True of the user's
// own that do not say `inferred`, and of patterns of C++ names; a program that defines its own
// `getline` is believed, and the containers of the C++ library are seen by evaluation as the code
// they are (the ownership stage takes their specification all the same).
bool spec_beats_code(const SpecFunc *f);
// The parameter's memory is changed by moving what is in it (`copies base to base`): nothing comes
// from elsewhere, nothing is kept.
bool spec_rearranges(const SpecFunc *f, uint32_t param);

const Names *spec_names(const SpecTable *t);
uint32_t spec_func_count(const SpecTable *t); // in order of declaration, without replaced ones
const SpecFunc *spec_func(const SpecTable *t, uint32_t i);

uint32_t spec_family_count(const SpecTable *t); // ids are 1 .. count
const SpecFamily *spec_family(const SpecTable *t, FamilyId id);
FamilyId spec_family_find(const SpecTable *t, const char *name); // id 0: not there
// May what was obtained as `got` be released by something that takes `taken`? Family 0 fits all.
bool spec_family_fits(const SpecTable *t, FamilyId got, FamilyId taken);
const char *spec_family_noun(const SpecTable *t, FamilyId id); // "memory" where none is said

uint32_t spec_container_count(const SpecTable *t); // ids are 1 .. count
const SpecContainer *spec_container(const SpecTable *t, ContainerId id);
ContainerId spec_container_find(const SpecTable *t, const char *name);

// ---- Printing in canonical form; what is printed can be read again and prints the same.

void spec_print(Out *o, const SpecTable *t);
void spec_print_func(Out *o, const SpecTable *t, const SpecFunc *f);
void spec_print_type(Out *o, const SpecTable *t, const SpecType *type, const char *name);

#endif
