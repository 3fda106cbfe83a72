// Tuning of the points-to analysis. Beyond each limit sets become larger than they need be: that errs
// towards more targets and escapes, and so towards a missed leak, never towards a wrong proof.
#ifndef POINTS_LIMITS_H
#define POINTS_LIMITS_H

enum {
    // A set of more members says nothing useful: it becomes the unknown cell. Larger costs time where
    // a table of all functions or strings goes everywhere.
    WIDE = 1000,
    // Pairs of cells of a copied range beyond which offsets are given up, and cells that one such
    // range may look at over all its visits. Larger keeps the fields of large structs apart.
    FLAT_PRODUCT = 256,
    FLAT_WORK = 8192,
    // Untyped objects with more fields than this are one cell; reached by large structs and where a
    // pointer is stepped on by way of memory, so that the cycle is not seen as one: each field costs a
    // sweep then.
    MAX_CELLS = 96,
    // Objects of larger types have no map of their fields, and are laid out as they are used.
    FORM_BYTES = 8192,
    // Structs of more members are searched by halves where those are in order.
    FEW_MEMBERS = 8,
    // Parameters that a function handed to a library is called with.
    CALLBACK_PARAMS = 6,
    // Known targets that come before their caller although others may be unknown: more order costs
    // cycles in the schedule.
    FEW_OF_MANY = 3,
};

#endif
