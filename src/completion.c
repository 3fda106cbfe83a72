// Completion scripts for the shells, out of the tables of commands and options.
#include "finding/finding.h"
#include "options.h"
#include "stage.h"

#include <ctype.h>
#include <stdio.h>

// What kind of word an option's value is, read from how the help writes it.
typedef enum { VALUE_NONE, VALUE_WORDS, VALUE_RULES, VALUE_DIR, VALUE_FILE, VALUE_REF, VALUE_OTHER } ValueKind;

static ValueKind value_kind(const OptionSpec *o)
{
    if (!o->value) return VALUE_NONE;
    if (strstr(o->value, "RULE")) return VALUE_RULES;
    if (islower((unsigned char)o->value[0]) && strchr(o->value, '|')) return VALUE_WORDS;
    if (strcmp(o->value, "DIR") == 0) return VALUE_DIR;
    if (strstr(o->value, "FILE")) return VALUE_FILE;
    if (strcmp(o->value, "REF") == 0) return VALUE_REF;
    return VALUE_OTHER;
}

// "a|b|c" as "a b c".
static void print_words(const char *value)
{
    for (; *value; value++) putchar(*value == '|' ? ' ' : *value);
}

static void print_rules(void)
{
    for (int r = 0; r < RULE_COUNT; r++) printf("%s%s", r ? " " : "", rule_info((Rule)r)->word);
}

static void print_shows(void)
{
    for (uint32_t i = 0; stage_show_word(i); i++) printf("%s%s", i ? " " : "", stage_show_word(i));
}

static void print_commands(const Tables *t)
{
    for (int i = 0; i < t->command_count; i++) printf("%s%s", i ? " " : "", t->commands[i].name);
}

// ---- bash ----

static void bash_pattern(const char *command, const OptionSpec *o)
{
    if (o->letter) printf("%s,-%c | ", command, o->letter);
    printf("%s,--%s", command, o->name);
}

// The one command that has the option; "*" where several have it.
static const char *only_command(const Tables *t, const OptionSpec *o)
{
    for (int i = 0; i < t->command_count; i++)
        if (o->commands == t->commands[i].bit) return t->commands[i].name;
    return "*";
}

static void bash_values(const Tables *t)
{
    static const char *const generate[] = {[VALUE_DIR] = "-d", [VALUE_FILE] = "-f"};
    for (int i = 0; i < t->option_count; i++) {
        const OptionSpec *o = &t->options[i];
        ValueKind kind = o->help ? value_kind(o) : VALUE_NONE;
        if (kind == VALUE_NONE) continue;
        fputs("    ", stdout);
        bash_pattern(only_command(t, o), o);
        fputs(") ", stdout);
        if (kind == VALUE_RULES)
            fputs("_stanch_rules \"$cur\"", stdout);
        else if (kind == VALUE_REF)
            fputs("COMPREPLY=($(compgen -W \"$(git for-each-ref --format='%(refname:short)' "
                  "2>/dev/null)\" -- \"$cur\"))",
                  stdout);
        else if (kind == VALUE_DIR || kind == VALUE_FILE)
            printf("COMPREPLY=($(compgen %s -- \"$cur\"))", generate[kind]);
        else if (kind == VALUE_WORDS) {
            fputs("COMPREPLY=($(compgen -W \"", stdout);
            print_words(o->value);
            fputs("\" -- \"$cur\"))", stdout);
        } else {
            fputs("COMPREPLY=()", stdout);
        }
        puts("; return ;;");
    }
}

static void bash(const Tables *t)
{
    fputs("# bash completion for stanch(1); made by stanch help completion bash\n"
          "_stanch_rules() {\n"
          "    # Rules contain hyphens too: only a sign at the beginning of a word counts.\n"
          "    local before=; [[ $1 == *,* ]] && before=${1%,*},\n"
          "    local word=${1#\"$before\"} sign=\n"
          "    case $word in [+-]*) sign=${word:0:1} word=${word:1} ;; esac\n"
          "    COMPREPLY=($(compgen -P \"$before$sign\" -W \"",
          stdout);
    print_rules();
    fputs("\" -- \"$word\"))\n}\n\n"
          "_stanch() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} i command= options=\n"
          "    # bash cuts words at '=': \"--format=js\" arrives as \"--format\" \"=\" \"js\".\n"
          "    local option=$prev\n"
          "    if [[ $cur == = ]]; then\n"
          "        cur=\n"
          "    elif [[ $prev == = && $COMP_CWORD -ge 2 ]]; then\n"
          "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        [[ ${COMP_WORDS[i]} == -- ]] && { COMPREPLY=($(compgen -f -- \"$cur\")); return; }\n"
          "        [[ -z $command && ${COMP_WORDS[i]} != -* ]] && command=${COMP_WORDS[i]}\n"
          "    done\n"
          "    case $command,$option in\n",
          stdout);
    bash_values(t);
    fputs("    esac\n    if [[ -z $command ]]; then\n        COMPREPLY=($(compgen -W \"", stdout);
    print_commands(t);
    fputs(" --help --version\" -- \"$cur\"))\n        return\n    fi\n    case $command in\n", stdout);
    for (int c = 0; c < t->command_count; c++) {
        printf("    %s) options=\"", t->commands[c].name);
        for (int i = 0; i < t->option_count; i++) {
            const OptionSpec *o = &t->options[i];
            if (!o->help || !(o->commands & t->commands[c].bit)) continue;
            printf("--%s%s ", o->name, o->value ? "=" : "");
            if (o->letter) printf("-%c ", o->letter);
        }
        puts("--\" ;;");
    }
    fputs("    esac\n    if [[ $cur == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
          "        [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
          "        return 0\n    fi\n"
          "    case $command,$prev in\n    show,show) COMPREPLY=($(compgen -W \"",
          stdout);
    print_shows();
    fputs("\" -- \"$cur\")); return ;;\n"
          "    spec,spec) COMPREPLY=($(compgen -W \"check infer\" -- \"$cur\")); return ;;\n"
          "    help,help) COMPREPLY=($(compgen -W \"",
          stdout);
    print_commands(t);
    fputs("\" -- \"$cur\")); return ;;\n    esac\n"
          "    COMPREPLY=($(compgen -f -- \"$cur\"))\n}\n"
          "complete -o filenames -F _stanch stanch\n",
          stdout);
}

// ---- zsh ----

// Within single quotes and brackets of _arguments.
static void zsh_text(const char *s)
{
    for (; *s; s++) {
        if (*s == '\'')
            fputs("'\\''", stdout);
        else {
            if (strchr("[]:\\", *s)) putchar('\\');
            putchar(*s);
        }
    }
}

static void zsh_option(const OptionSpec *o)
{
    static const char *const after[] = {[VALUE_NONE] = "",
                                        [VALUE_WORDS] = NULL,
                                        [VALUE_RULES] = ":rules:_stanch_rules",
                                        [VALUE_DIR] = ":directory:_directories",
                                        [VALUE_FILE] = ":file:_files",
                                        [VALUE_REF] = ":revision:",
                                        [VALUE_OTHER] = ":value:"};
    const char *sign = o->value ? "=" : "";
    if (o->letter)
        printf("            '(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->name, o->letter,
               o->value ? "+" : "", o->name, sign);
    else
        printf("            '*--%s%s[", o->name, sign);
    zsh_text(o->help);
    putchar(']');
    ValueKind kind = value_kind(o);
    if (kind == VALUE_WORDS) {
        fputs(":word:(", stdout);
        print_words(o->value);
        putchar(')');
    } else {
        fputs(after[kind], stdout);
    }
    puts("' \\");
}

static void zsh(const Tables *t)
{
    fputs("#compdef stanch\n# zsh completion for stanch(1); made by stanch help completion zsh\n\n"
          "_stanch_rules() {\n    local -a rules\n    rules=(",
          stdout);
    print_rules();
    fputs(")\n    compset -P '*,'\n    compset -P '[+-]'\n"
          "    _describe -t rules 'rule' rules -S ''\n}\n\n_stanch() {\n"
          "    local -a commands\n    commands=(\n",
          stdout);
    for (int c = 0; c < t->command_count; c++) {
        printf("        '%s:", t->commands[c].name);
        zsh_text(t->commands[c].help);
        puts("'");
    }
    fputs("    )\n    if (( CURRENT == 2 )); then\n        _describe -t commands 'command' commands\n"
          "        return\n    fi\n    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
          "    case $command in\n",
          stdout);
    for (int c = 0; c < t->command_count; c++) {
        const char *name = t->commands[c].name;
        printf("        %s) _arguments -s \\\n", name);
        for (int i = 0; i < t->option_count; i++)
            if (t->options[i].help && t->options[i].commands & t->commands[c].bit)
                zsh_option(&t->options[i]);
        if (strcmp(name, "show") == 0) {
            fputs("            '1:what:(", stdout);
            print_shows();
            puts(")' '*:function or file:_files' ;;");
        } else if (strcmp(name, "run") == 0) {
            puts("            '*::build command:_normal' ;;");
        } else {
            puts("            '*:file:_files' ;;");
        }
    }
    fputs("    esac\n}\n\n_stanch \"$@\"\n", stdout);
}

// ---- fish ----

static void fish_text(const char *s)
{
    for (; *s; s++) {
        if (*s == '\'' || *s == '\\') putchar('\\');
        putchar(*s);
    }
}

static void fish_option(const Tables *t, const OptionSpec *o)
{
    fputs("complete -c stanch -n '__fish_seen_subcommand_from", stdout);
    for (int c = 0; c < t->command_count; c++)
        if (o->commands & t->commands[c].bit) printf(" %s", t->commands[c].name);
    putchar('\'');
    if (o->letter) printf(" -s %c", o->letter);
    printf(" -l %s", o->name);
    ValueKind kind = value_kind(o);
    if (kind == VALUE_DIR || kind == VALUE_FILE)
        fputs(" -r", stdout);
    else if (kind != VALUE_NONE)
        fputs(" -x", stdout);
    if (kind == VALUE_WORDS) {
        fputs(" -a '", stdout);
        print_words(o->value);
        putchar('\'');
    } else if (kind == VALUE_RULES) {
        fputs(" -a '", stdout);
        print_rules();
        putchar('\'');
    }
    fputs(" -d '", stdout);
    fish_text(o->help);
    puts("'");
}

static void fish(const Tables *t)
{
    fputs("# fish completion for stanch(1); made by stanch help completion fish\nset -l commands ", stdout);
    print_commands(t);
    puts("\ncomplete -c stanch -n \"not __fish_seen_subcommand_from $commands\" -f");
    for (int c = 0; c < t->command_count; c++) {
        printf("complete -c stanch -n \"not __fish_seen_subcommand_from $commands\" -a %s -d '",
               t->commands[c].name);
        fish_text(t->commands[c].help);
        puts("'");
    }
    fputs("complete -c stanch -n '__fish_seen_subcommand_from show' -a '", stdout);
    print_shows();
    puts("'\ncomplete -c stanch -n '__fish_seen_subcommand_from spec' -a 'check infer'");
    for (int i = 0; i < t->option_count; i++)
        if (t->options[i].help) fish_option(t, &t->options[i]);
}

// ---- both ----

void options_table(const Tables *t)
{
    for (int c = 0; c < t->command_count; c++) {
        printf("command %s\n", t->commands[c].name);
        for (int i = 0; i < t->option_count; i++) {
            const OptionSpec *o = &t->options[i];
            if (!o->help || !(o->commands & t->commands[c].bit)) continue;
            printf("option %s --%s %s %s\n", t->commands[c].name, o->name,
                   o->letter ? (char[]){'-', o->letter, 0} : "-", o->value ? o->value : "-");
        }
    }
}

bool options_completion(const Tables *t, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        bash(t);
    else if (strcmp(shell, "zsh") == 0)
        zsh(t);
    else if (strcmp(shell, "fish") == 0)
        fish(t);
    else
        return false;
    return true;
}
