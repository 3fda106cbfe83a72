// Tuning of the 0-1 constraints. What meets a limit says nothing: errs towards missed violations.
#ifndef CONSTRAINT_LIMITS_H
#define CONSTRAINT_LIMITS_H

enum {
    // Steps of the search inside a component of constraints; beyond it the component is consistent.
    SEARCH_STEPS = 20000,
    // Constraints that explain a violation: more are of no use to a reader.
    CORE_CONSTRAINTS = 200,
};

#endif
