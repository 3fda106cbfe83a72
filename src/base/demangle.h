// C++ symbols as programmers write them.
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

// "std::vector<int, std::allocator<int> >::push_back(int const&)" for its Itanium symbol; null for
// other names, broken ones and very long ones. The caller frees it by mem_free.
char *demangle(const char *symbol);

#endif
