// The commands and options as data: main.c reads the command line by these tables, and help, the
// shells' completions and a test of the man page are made from them.
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *name;
    uint32_t bit;
    const char *synopsis, *help;
} CommandInfo;

typedef struct {
    int id;
    char letter;
    const char *name;  // without dashes
    const char *value; // what follows; null: nothing
    uint32_t commands; // bits
    const char *help;  // null: for tests, told to nobody
} OptionSpec;

typedef struct {
    const CommandInfo *commands;
    int command_count;
    const OptionSpec *options;
    int option_count;
} Tables;

// To standard output: one line for each command and for each option of it.
void options_table(const Tables *t);
// A completion script for "bash", "zsh" or "fish"; false for others.
bool options_completion(const Tables *t, const char *shell);

#endif
