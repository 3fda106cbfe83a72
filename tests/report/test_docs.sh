#!/usr/bin/env bash
# The man page, the reference and the completions name every rule and every option, and no others.
set -u
cd "$ROOT" || exit 1
bad=0
say() { echo "$1"; bad=1; }
man=doc/man/stanch.1
plain=$TMP/man.txt
mkdir "$TMP/completion"
bash=$TMP/completion/stanch.bash zsh=$TMP/completion/_stanch fish=$TMP/completion/stanch.fish
"$STANCH" help completion bash >"$bash" || say 'no completion for bash'
"$STANCH" help completion zsh >"$zsh" || say 'no completion for zsh'
"$STANCH" help completion fish >"$fish" || say 'no completion for fish'
"$STANCH" help table >"$TMP/table" || say 'no table'
sed -e 's/\\-/-/g' -e 's/\\f[A-Z]//g' "$man" >"$plain"

rules=$(sed -nE 's/^RULE\([A-Z_]+, "([a-z-]+)".*/\1/p' src/finding/rules.def)
[ "$(wc -w <<<"$rules")" -ge 7 ] || say "rules.def was not understood"
for rule in $rules; do
    for file in "$plain" doc/report.md doc/json.md "$TMP"/completion/*; do
        grep -qE "(^|[^a-z-])$rule([^a-z-]|\$)" "$file" || say "$file lacks the rule $rule"
    done
done
for kind in $(sed -nE 's/^EVENT\([A-Z_]+, "([a-z]+)"\).*/\1/p' src/finding/events.def); do
    grep -q "\`$kind\`" doc/json.md || say "doc/json.md lacks the event $kind"
done

long=$(sed -n '/^\.SH OPTIONS/,/^\.SH RULES/p' "$plain" | sed -n '/^\.TP/{n;p}' |
    grep -oE -- '--[a-z-]+' | sort -u)
for option in $long; do
    word=${option#--}
    [ "$word" = version ] && continue
    grep -q -- "$option" "$bash" || say "stanch.bash lacks $option"
    grep -q -- "$option" "$zsh" || say "_stanch lacks $option"
    grep -qE -- "-l $word( |\$)" "$fish" || say "stanch.fish lacks $option"
done
for option in $(grep -ohE -- '(^|[^a-z-])--[a-z][a-z-]+' "$bash" "$zsh" |
    grep -oE -- '--[a-z-]+' | sort -u); do
    grep -qx -- "$option" <<<"$long" || say "a completion offers $option, which $man lacks"
done
# What the program itself says it takes.
commands=$(sed -n 's/^command //p' "$TMP/table")
said=$(for command in $commands; do "$STANCH" $command --help; done |
    grep -oE -- '(^|[^a-z-])--[a-z][a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u)
for option in $said; do
    grep -qx -- "$option" <<<"$long" || say "$man lacks $option of stanch --help"
done
for option in $long; do
    grep -qx -- "$option" <<<"$said" || say "$man tells of $option, which stanch --help lacks"
done

# Every command and every letter, in the synopsis, in the section of commands, in every completion.
for command in $commands; do
    grep -qE "^stanch $command( |\$)" "$plain" || say "the synopsis of $man lacks $command"
    sed -n '/^\.SH COMMANDS/,/^\.SH OPTIONS/p' "$plain" | grep -qx "\.B $command" || say "the commands of $man lack $command"
    grep -qE "^    $command\)" "$bash" || say "bash does not know the options of $command"
    grep -qE "^        $command\)" "$zsh" || say "zsh does not know $command"
    grep -q -- "-a $command " "$fish" || say "fish does not offer $command"
    "$STANCH" --help | grep -q "^  stanch $command " || say "stanch --help lacks $command"
done
while read -r _ _ option letter _; do
    [ "$letter" = - ] || grep -qE -- "(^|[^-a-z])$letter[ ,\"]" "$plain" || say "$man lacks $letter of $option"
done < <(grep '^option' "$TMP/table")
offered=$(sed -nE 's/^    [a-z]+\) options="(.*)" ;;$/\1/p' "$bash" | tr ' ' '\n' | grep -oE -- '^--[a-z-]+' | sort -u)
[ "$offered" = "$(awk '$1 == "option" {print $3}' "$TMP/table" | sort -u)" ] || say "bash offers other options than the table"

if command -v groff >/dev/null; then
    for page in doc/man/*.1 doc/man/*.5; do groff -man -ww -Tascii "$page"; done 2>&1 >/dev/null | sed 's/^/groff: /' >"$TMP/groff"
    [ -s "$TMP/groff" ] && say "$(cat "$TMP/groff")"
fi
for shell in zsh fish; do
    file=$zsh
    [ $shell = fish ] && file=$fish
    if command -v $shell >/dev/null; then $shell -n $file || say "$file has an error"; fi
done

# The bash completion answers.
. "$bash"
offers() { # words of the command line, then -> and what is offered
    local want=()
    COMP_WORDS=()
    while [ "$1" != '->' ]; do COMP_WORDS+=("$1"); shift; done
    shift; want=("$@")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    _stanch
    [ "${COMPREPLY[*]}" = "${want[*]}" ] || say "'${COMP_WORDS[*]}' offers '${COMPREPLY[*]}', not '${want[*]}'"
}
offers stanch ch '->' check
offers stanch check --form '->' --format=
offers stanch check --format = s '->' sarif
offers stanch check --rules = leak,-dou '->' leak,-double-free
offers stanch history --nu '->' --number=
offers stanch show su '->' summary
offers stanch he '->' help
offers stanch help hist '->' history
offers stanch check --sin '->' --since=
offers stanch history --form '->' --format=
offers stanch history --format = h '->' html
offers stanch history --format = j '->'
offers stanch history --lev '->'
offers stanch check --rules = +use '->' +use-after-free
exit $bad
