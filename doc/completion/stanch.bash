# bash completion for stanch(1)
_stanch() {
    local cur prev words cword
    cur=${COMP_WORDS[COMP_CWORD]}
    prev=${COMP_WORDS[COMP_CWORD - 1]}
    words=("${COMP_WORDS[@]}")
    cword=$COMP_CWORD
    # bash cuts words at '=': "--format=js" arrives as "--format" "=" "js".
    local option=$prev
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = && $cword -ge 2 ]]; then
        option=${words[cword - 2]}
    fi
    local i command=
    for ((i = 1; i < cword; i++)); do
        [[ ${words[i]} == -- ]] && { COMPREPLY=($(compgen -f -- "$cur")); return; }
        [[ -z $command && ${words[i]} != -* ]] && command=${words[i]}
    done
    local rules="leak leak-at-exit resource-leak double-free use-after-free invalid-free mismatched-free"
    case $option in
    --format) COMPREPLY=($(compgen -W "text gcc json sarif html" -- "$cur")); return ;;
    --level) COMPREPLY=($(compgen -W "sure likely audit" -- "$cur")); return ;;
    --color) COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    --rules)
        # A hyphen also stands inside of rules: only a sign at the beginning of a word counts.
        local before=; [[ $cur == *,* ]] && before=${cur%,*},
        local word=${cur#"$before"} sign=
        case $word in [+-]*) sign=${word:0:1} word=${word:1} ;; esac
        COMPREPLY=($(compgen -P "$before$sign" -W "$rules" -- "$word")); return ;;
    -p | --database | --cache-dir) COMPREPLY=($(compgen -d -- "$cur") $(compgen -G "$cur*.json")); return ;;
    -o | --output | --baseline | --write-baseline | --suppress | --spec) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    -j | --jobs | -n | --number) COMPREPLY=($(compgen -W "1 2 4 8 $(nproc 2>/dev/null)" -- "$cur")); return ;;
    esac
    if [[ -z $command ]]; then
        COMPREPLY=($(compgen -W "check run unit link show spec history lsp --help --version" -- "$cur"))
        return
    fi
    if [[ $cur == -* && $command == history ]]; then
        COMPREPLY=($(compgen -W "--number= -n --help" -- "$cur"))
        return
    fi
    if [[ $cur == -* && $command == show ]]; then
        COMPREPLY=($(compgen -W "--dot --indirect --output= --database= --help -o -p --" -- "$cur"))
        return
    fi
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "--format= --output= --jobs= --database= --level= --rules= --spec=
            --suppress= --baseline= --write-baseline= --color= --quiet --verbose --no-cache --no-record
            --cache-dir= --stats --help -o -j -p -q -v --" -- "$cur"))
        [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
        return 0
    fi
    case $command in
    show)
        if [[ $prev == show ]]; then
            COMPREPLY=($(compgen -W "units ir calls points flow slice cfg project summary heap owners" -- "$cur"))
            return
        fi ;;
    spec)
        if [[ $prev == spec ]]; then COMPREPLY=($(compgen -W "check" -- "$cur")); return; fi ;;
    esac
    COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _stanch stanch
