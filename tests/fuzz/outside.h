// Writing outside of the working directory ends the process with a status of its own.
#ifndef FUZZ_OUTSIDE_H
#define FUZZ_OUTSIDE_H

enum { OUTSIDE_STATUS = 97 };

// From now on, for this process and those that it forks, below the working directory of this moment.
void outside_watch(void);

#endif
