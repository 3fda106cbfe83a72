// `stanch lsp`: a language server on two file descriptors (Language Server Protocol 3.17).
//
// Comes in: messages of an editor, framed as the protocol says. Nothing in them is trusted: bad
// headers, bodies that are no JSON, wrong types and requests out of order are answered with the
// protocol's errors, and the server goes on. Goes out: diagnostics, code actions, hovers, progress.
//
// The analysis runs in a child, `stanch check --format=json`, so what crashes, hangs or is
// cancelled there costs one answer and never the server. Time and output of a child are bounded.
//
// Knows only base; doc/editor.md is the user's side.
#ifndef LSP_LSP_H
#define LSP_LSP_H

typedef struct {
    const char *self; // this executable, for the children
    int in, out;
} LspOptions;

// The exit status, as the protocol wants it: 0 after shutdown and exit, else 1.
int lsp_serve(const LspOptions *o);

#endif
