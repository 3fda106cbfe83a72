#!/usr/bin/env bash
# The recipes of doc/ci.md, as they stand there, on a small project: as far as they run without the
# service. What needs a tool that is not installed is left out here and run by the long tests.
set -u
bad=0
say() { echo "$1"; [ $# -lt 2 ] || sed 's/^/    /' "$2"; bad=1; }
# block NAME: the text of the fenced block behind "<!-- KIND: NAME -->".
block() {
    awk -v name="$1" '$0 ~ "^<!-- [a-z]+: " name " -->$" {found = 1; next}
        found && /^```/ {if (inside) exit; inside = 1; next} inside' "$ROOT/doc/ci.md"
}
mkdir -p "$TMP/bin"
ln -sf "$STANCH" "$TMP/bin/stanch"
ln -sf "$ROOT/$B/stanch-cc" "$TMP/bin/stanch-cc"
PATH=$TMP/bin:$(printf '%s' "$PATH" | tr : '\n' | grep -v '/ccache$' | paste -sd:)
export PATH XDG_CACHE_HOME=$TMP/cache GIT_CONFIG_GLOBAL=/dev/null
unset CC CXX
project() { # a program with one leak, built by make, CMake and Meson
    rm -rf "$TMP/project"
    mkdir -p "$TMP/project/src" && cd "$TMP/project" || exit 1
    printf '#include <stdlib.h>\n#include "make.h"\nchar *make(int n) { return malloc(n); }\n' >src/make.c
    printf 'char *make(int n);\n' >src/make.h
    printf '#include "make.h"\nint use(void)\n{\n    char *p = make(3);\n    return p == 0;\n}\nint main(void) { for (;;) if (use()) return 0; }\n' >src/main.c
    printf 'prog: src/main.o src/make.o\n\t$(CC) -o $@ $^\n' >Makefile
    printf 'cmake_minimum_required(VERSION 3.16)\nproject(p C)\nadd_executable(prog src/main.c src/make.c)\n' >CMakeLists.txt
    printf "project('p', 'c')\nexecutable('prog', 'src/main.c', 'src/make.c')\n" >meson.build
    mkdir build
    printf '[{"directory": "%s", "file": "src/main.c", "command": "cc -c src/main.c"},\n {"directory": "%s", "file": "src/make.c", "command": "cc -c src/make.c"}]\n' \
        "$PWD" "$PWD" >build/compile_commands.json
}
finds() { # NAME: the recipe ends with 1 and the leak in the report
    block "$1" >"$TMP/recipe"
    [ -s "$TMP/recipe" ] || { say "doc/ci.md has no recipe $1"; return; }
    timeout 120 sh -e "$TMP/recipe" >"$TMP/said" 2>&1
    local status=$?
    [ $status -eq "${2:-1}" ] || say "$1 ended with $status" "$TMP/said"
    [ "${2:-1}" -ne 1 ] || grep -q 'main.c:5:' "$TMP/said" || say "$1 does not show the leak" "$TMP/said"
}
for recipe in whole database file make; do project; finds $recipe; done
project
finds baseline 0
project
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
git init -q . && git add -A && git commit -qm one && git update-ref refs/remotes/origin/main HEAD
finds since 0
printf 'int more(void)\n{\n    char *p = make(4);\n    return p == 0;\n}\n' >>src/main.c
block since >"$TMP/recipe"
sh -e "$TMP/recipe" >"$TMP/said" 2>&1
[ $? = 1 ] && grep -q 'main.c:11:' "$TMP/said" && ! grep -q 'main.c:5:' "$TMP/said" || say 'since' "$TMP/said"
project
block launcher-make >"$TMP/recipe"
sh -e "$TMP/recipe" >"$TMP/said" 2>&1 # find gives 1 when what it runs fails
[ $? = 1 ] && grep -q 'main.c:5:' "$TMP/said" || say 'launcher-make' "$TMP/said"
if command -v cmake >/dev/null; then
    for recipe in cmake cmake-database launcher; do project; finds $recipe; done
    project
    block target >>CMakeLists.txt
    cmake -S . -B build >"$TMP/said" 2>&1 && cmake --build build --target leaks >"$TMP/said" 2>&1
    [ $? -ne 0 ] && grep -q 'main.c:5:' "$TMP/said" || say 'the CMake target' "$TMP/said"
fi
if command -v meson >/dev/null && command -v ninja >/dev/null; then
    project && rm -r build
    finds meson
    project && rm -r build
    awk '/^<!-- meson: target/ {f = 1; next} f && /^```/ {if (i) exit; i = 1; next} i' "$ROOT/doc/ci.md" >>meson.build
    meson setup build >"$TMP/said" 2>&1 && ninja -C build leaks >"$TMP/said" 2>&1
    [ $? -ne 0 ] && grep -q 'main.c:5:' "$TMP/said" || say 'the Meson target' "$TMP/said"
fi
# YAML: read by python's library where it is there, and what it says is run.
if python3 -c 'import yaml' 2>/dev/null; then
    for name in github gitlab pre-commit; do
        block $name | python3 -c 'import sys, yaml; yaml.safe_load(sys.stdin)' || say "$name is not YAML"
    done
    project
    block gitlab | python3 -c 'import sys, yaml; print("\n".join(yaml.safe_load(sys.stdin)["stanch"]["script"]))' >"$TMP/recipe"
    sh -e "$TMP/recipe" >"$TMP/said" 2>&1 || say 'gitlab' "$TMP/said"
    mkdir -p "$TMP/stub"
    for status in 0 1 3 2 4; do
        printf '#!/bin/sh\nexit %d\n' $status >"$TMP/stub/stanch" && chmod +x "$TMP/stub/stanch"
        (PATH=$TMP/stub:$PATH sh -e "$TMP/recipe") >"$TMP/said" 2>&1
        [ $(($? != 0)) = $((status == 2 || status == 4)) ] || say "gitlab, where stanch ends with $status" "$TMP/said"
    done
    python3 - <<'P' || say 'the report for GitLab' gl-code-quality.json
import json
issues = json.load(open("gl-code-quality.json"))
assert len(issues) == 1, issues
i = issues[0]
assert set(i) == {"description", "check_name", "fingerprint", "severity", "location"}, i
assert i["location"] == {"path": "src/main.c", "lines": {"begin": 5}}, i
assert i["severity"] in ("info", "minor", "major", "critical", "blocker") and i["check_name"] == "leak"
assert len(i["fingerprint"]) == 32
P
    # The action's own steps, with the runner's variables.
    project
    export GITHUB_ACTION_PATH=$ROOT GITHUB_OUTPUT=$TMP/output RUNNER_TEMP=$TMP
    python3 - "$ROOT/action.yml" >"$TMP/steps" <<'P' || say 'action.yml is not what an action is'
import sys, yaml
a = yaml.safe_load(open(sys.argv[1]))
assert a["runs"]["using"] == "composite" and a["name"] and a["description"]
given = {k: v["default"] for k, v in a["inputs"].items()}
given["fail"] = "true"
import re, shlex
def value(text): return re.sub(r"\$\{\{ *inputs\.(\w+) *\}\}", lambda m: given[m.group(1)], text)
for s in a["runs"]["steps"]:
    assert ("run" in s and s.get("shell") == "bash") or "uses" in s, s
    if "run" not in s: continue
    for k, v in s.get("env", {}).items(): print(f"export {k}={shlex.quote(value(v))}")
    print("( set -eo pipefail\n" + s["run"].rstrip() + "\n)")
    print("echo step", shlex.quote(s["name"]), "$?")
P
    bash "$TMP/steps" >"$TMP/said" 2>&1
    grep -q '^step Analyse 0$' "$TMP/said" && grep -q '^step Verdict 1$' "$TMP/said" || say 'the action' "$TMP/said"
    grep -q '^status=1$' "$TMP/output" && grep -q '"ruleId": "leak"' stanch.sarif || say 'what the action leaves' "$TMP/output"
    # The hook, called as pre-commit calls it, with a header among the files.
    project
    hook=$(python3 -c 'import sys, yaml; h = yaml.safe_load(open(sys.argv[1]))[0]; print(h["entry"], *h["args"])' "$ROOT/.pre-commit-hooks.yaml")
    eval "$hook src/main.c src/make.h" >"$TMP/said" 2>&1
    [ $? = 1 ] && grep -q 'main.c:5:' "$TMP/said" || say 'the hook' "$TMP/said"
    eval "$hook src/make.h" >"$TMP/said" 2>&1 || say 'the hook with a header alone' "$TMP/said"
    echo 'int unlisted;' >src/new.c
    eval "$hook src/new.c" >"$TMP/said" 2>&1 || say 'the hook with a file that the database does not list' "$TMP/said"
    eval "$hook src/new.c src/gone.c" >"$TMP/said" 2>&1 && say 'the hook with a file that is not there' "$TMP/said"
fi
# The line of the Jenkins recipe.
project
block jenkins | sed -n "s/^sh '\(.*\)'$/\1/p" >"$TMP/recipe"
sh -e "$TMP/recipe" >"$TMP/said" 2>&1 && grep -q '"ruleId": "leak"' stanch.sarif || say 'jenkins' "$TMP/said"
# CodeChecker and SonarQube, in whose place stand programs that look for the log.
project
printf '#!/bin/sh\nfor w; do case $w in *stanch.sarif) exec grep -q ruleId stanch.sarif ;; reports) seen=1 ;; esac; done\n[ -n "$seen" ]\n' >"$TMP/bin/report-converter"
chmod +x "$TMP/bin/report-converter"
cp "$TMP/bin/report-converter" "$TMP/bin/CodeChecker"
cp "$TMP/bin/report-converter" "$TMP/bin/sonar-scanner"
block codechecker >"$TMP/recipe"
sh -e "$TMP/recipe" >"$TMP/said" 2>&1 && grep -q '"ruleId": "leak"' stanch.sarif || say 'codechecker' "$TMP/said"
# Every recipe of the page is one of these: none is added without being run.
grep -oE '^<!-- [a-z]+: [a-z-]+ -->$' "$ROOT/doc/ci.md" | sort >"$TMP/there"
sort >"$TMP/run" <<'L'
<!-- cmake: target -->
<!-- hook: pre-commit -->
<!-- job: gitlab -->
<!-- meson: target -->
<!-- pipeline: jenkins -->
<!-- run: baseline -->
<!-- run: cmake -->
<!-- run: cmake-database -->
<!-- run: database -->
<!-- run: file -->
<!-- run: launcher -->
<!-- run: launcher-make -->
<!-- run: make -->
<!-- run: meson -->
<!-- run: since -->
<!-- run: whole -->
<!-- shell: codechecker -->
<!-- step: github-since -->
<!-- workflow: github -->
L
diff "$TMP/there" "$TMP/run" >"$TMP/said" || say 'recipes that are not run' "$TMP/said"
exit $bad
