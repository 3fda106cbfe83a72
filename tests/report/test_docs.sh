#!/usr/bin/env bash
# The man page, the reference and the completions name every rule and every option, and no others.
set -u
cd "$ROOT" || exit 1
bad=0
say() { echo "$1"; bad=1; }
man=doc/man/stanch.1
plain=$TMP/man.txt
sed -e 's/\\-/-/g' -e 's/\\f[A-Z]//g' "$man" >"$plain"

rules=$(sed -nE 's/^RULE\([A-Z_]+, "([a-z-]+)".*/\1/p' src/finding/rules.def)
[ "$(wc -w <<<"$rules")" -ge 7 ] || say "rules.def was not understood"
for rule in $rules; do
    for file in "$plain" doc/report.md doc/json.md doc/completion/*; do
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
    grep -q -- "$option" doc/completion/stanch.bash || say "stanch.bash lacks $option"
    grep -q -- "$option" doc/completion/_stanch || say "_stanch lacks $option"
    grep -qE -- "-l $word( |\$)" doc/completion/stanch.fish || say "stanch.fish lacks $option"
done
for option in $(grep -ohE -- '(^|[^a-z-])--[a-z][a-z-]+' doc/completion/stanch.bash doc/completion/_stanch |
    grep -oE -- '--[a-z-]+' | sort -u); do
    grep -qx -- "$option" <<<"$long" || say "a completion offers $option, which $man lacks"
done
# What the program itself says it takes.
said=$(for command in check run unit link show spec history; do "$STANCH" $command --help; done |
    grep -oE -- '(^|[^a-z-])--[a-z][a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u)
for option in $said; do
    grep -qx -- "$option" <<<"$long" || say "$man lacks $option of stanch --help"
done
for option in $long; do
    grep -qx -- "$option" <<<"$said" || say "$man tells of $option, which stanch --help lacks"
done

if command -v groff >/dev/null; then
    groff -man -ww -Tascii "$man" 2>&1 >/dev/null | sed 's/^/groff: /' >"$TMP/groff"
    [ -s "$TMP/groff" ] && say "$(cat "$TMP/groff")"
fi
for shell in zsh fish; do
    file=doc/completion/_stanch
    [ $shell = fish ] && file=doc/completion/stanch.fish
    if command -v $shell >/dev/null; then $shell -n $file || say "$file has an error"; fi
done

# The bash completion answers.
. doc/completion/stanch.bash
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
exit $bad
