// After case.def, object.def or error.def: their rows mean nothing again. No guard: it
// is included each time.
#undef LIST
#undef WAYS
#undef TERM
#undef FLAG
#undef NUMBER
#undef TEXT
#undef DOUBTS
#undef FAMILY
#undef PLACE
#undef ORIGIN
#undef FAIL
#undef VALUE
#undef TEMPORARY
#undef FUNC
