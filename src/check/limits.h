// Tuning of what is shown of a finding.
#ifndef CHECK_LIMITS_H
#define CHECK_LIMITS_H

enum {
    // A longer condition is not read at a glance: the evaluation's shorter words are shown.
    QUOTE_BYTES = 72,
    // So many findings that look alike have one cause; two may be a coincidence.
    SAME_CAUSE = 3,
    // Places of the same cause in the short form.
    SAME_LISTED = 3,
    // Lines around a branch in which its if, while or for must begin and end.
    QUOTE_LINES = 8,
    // Brackets, negations and macros around an operand that are looked through.
    QUOTE_NESTING = 12,
    // Labels of one case that are read; three of those without a number that is known are listed.
    SWITCH_LABELS = 3,
};

#endif
