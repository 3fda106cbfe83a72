// C++ symbols as programmers write them.
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include "base/mem.h"

// "std::vector<int, std::allocator<int> >::push_back(int const&)" for its Itanium symbol; null for
// other names, broken ones and very long ones. The caller frees it by mem_free.
char *demangle(const char *symbol);
// Names in a text as programmers write them: "std::vector<int>" for "std::vector<int, std::allocator<int> >",
// std::string, lambdas without their directory. The text itself where there is nothing to shorten.
const char *demangle_plain(Arena *a, const char *text);

#endif
