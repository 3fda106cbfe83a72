#!/usr/bin/env python3
"""Edits a program at random and compares what a run that remembers says with what one says that does not.

    edits.py --stanch BINARY --dir DIR --count N --seed S [--link] [--given DIR...]

Writes a program of its own into DIR, or edits a copy of the C files of each given directory. After each
edit `check --no-cache` must print the bytes that `check` with the cache prints (with --link: `link` of unit
files, which are made anew where their source changed). Prints disagreements, and at the end how many
functions were not evaluated again.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys

FILES = 5
HEADER = """#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct node { struct node *next; char *text; int kind; %s};
extern struct node *all;
extern const int kinds[4];
extern int level;
typedef int (*Visit)(struct node *, int);
"""
TABLE = "const int kinds[4] = {%d, %d, %d, %d};\nint level = %d;\nstruct node *all;\n"


class Made:
    """A program whose functions take (struct node *n, int k) and give a node, a number or a string."""

    def __init__(self, rng, directory):
        self.rng, self.dir = rng, directory
        self.fields, self.numbers, self.level = [], [rng.randrange(4) for _ in range(4)], 0
        self.files = [[] for _ in range(FILES)]
        self.serial = 0
        for _ in range(22):
            self.add()

    def names(self, kind):
        return [f["name"] for file in self.files for f in file if f["kind"] == kind]

    def add(self):
        self.serial += 1
        kind = self.rng.choice("nis")
        f = {"name": f"{kind}{self.serial}", "kind": kind, "gap": 0}
        f["body"] = self.body(kind)
        file = self.rng.choice(self.files)
        file.insert(self.rng.randrange(len(file) + 1), f)

    def call(self, kind, default):
        names = self.names(kind)
        return f"{self.rng.choice(names)}(n, k)" if names and self.rng.random() < 0.8 else default

    def statement(self):
        r = self.rng
        return r.choice([
            lambda: f"    if (k > {r.randrange(9)}) {{ free(p); p = NULL; }}",
            lambda: f"    free(p);\n    p = {self.call('s', 'malloc(k + 1)')};",
            lambda: f"    if (n && n->kind == {r.randrange(4)}) return BAD;",
            lambda: "    if (n) { free(n->text); n->text = p; p = NULL; }",
            lambda: f"    if (all) all->text = {self.call('s', 'malloc(7)')};",
            lambda: f"    struct node *m{r.randrange(10**6)} = {self.call('n', 'NULL')};",
            lambda: f"    k += {self.call('i', 'level')};",
            lambda: f"    if (kinds[k & 3] == {r.randrange(4)}) return BAD;",
            lambda: "    for (int i = 0; i < k; i++) { char *q = malloc(i + 1); if (!q) break; free(q); }",
            lambda: f"    {{ Visit v = k > {r.randrange(5)} ? {self.pick('i')} : {self.pick('i')}; if (v) k += v(n, k); }}",
            lambda: f"    if (p) p[0] = {r.randrange(100)};",
        ])()

    def pick(self, kind):
        names = self.names(kind)
        return self.rng.choice(names) if names else "0"

    def body(self, kind):
        bad = {"n": "NULL", "i": "-1", "s": "NULL"}[kind]
        lines = [f"    char *p = {self.call('s', 'malloc(k + 2)')};"]
        lines += [self.statement().replace("BAD", bad) for _ in range(self.rng.randrange(1, 5))]
        lines += {
            "n": ["    struct node *r = malloc(sizeof *r);", "    if (!r) { free(p); return NULL; }",
                  "    r->text = p; r->next = n; r->kind = k;", "    return r;"],
            "i": ["    free(p);", "    return k;"],
            "s": ["    return p;"],
        }[kind]
        return "\n".join(lines)

    def edit(self):
        r = self.rng
        what = r.choice(["body", "body", "body", "line", "line", "add", "gap", "table", "field", "move", "level", "statement"])
        some = [f for file in self.files for f in file]
        if what in ("body", "statement") and some:
            f = r.choice(some)
            if what == "body":
                f["body"] = self.body(f["kind"])
            else:
                lines = f["body"].split("\n")
                bad = {"n": "NULL", "i": "-1", "s": "NULL"}[f["kind"]]
                lines.insert(1, self.statement().replace("BAD", bad))
                f["body"] = "\n".join(lines)
            return f"{what} of {f['name']}"
        if what in ("line", "gap"):
            f = r.choice(some)
            f["gap"] = r.randrange(4)
            return f"{f['gap']} lines before {f['name']}"
        if what == "add":
            self.add()
        elif what == "table":
            self.numbers[r.randrange(4)] = r.randrange(4)
        elif what == "level":
            self.level = 1 - self.level
        elif what == "field":
            self.fields = self.fields[1:] if self.fields and r.random() < 0.5 else self.fields + [f"int f{r.randrange(99)}{len(self.fields)}; "]
        elif what == "move":
            a, b = r.choice(self.files), r.choice(self.files)
            if a:
                b.insert(0, a.pop(r.randrange(len(a))))
        return what

    def write(self):
        types = {"n": "struct node *", "i": "int ", "s": "char *"}
        head = HEADER % "".join(self.fields)
        for file in self.files:
            for f in file:
                head += f"{types[f['kind']]}{f['name']}(struct node *n, int k);\n"
        put(os.path.join(self.dir, "p.h"), head)
        for i, file in enumerate(self.files):
            text = '#include "p.h"\n'
            if i == 0:
                text += TABLE % (*self.numbers, self.level)
                text += "int main(int argc, char **argv) { return argc > 2 ? %s : 0; }\n" % (
                    f"{self.names('i')[0]}(all, argc)" if self.names("i") else "1")
            for f in file:
                text += "\n" * f["gap"] + f"{types[f['kind']]}{f['name']}(struct node *n, int k)\n{{\n{f['body']}\n}}\n"
            put(os.path.join(self.dir, f"p{i}.c"), text)
        return [f"p{i}.c" for i in range(FILES)]


class Given:
    """A copy of somebody's files: statements are left out and brought back, lines are inserted."""

    def __init__(self, rng, directory, source):
        self.rng, self.dir, self.undo = rng, directory, []
        shutil.copytree(source, directory, dirs_exist_ok=True)
        self.names = sorted(n for n in os.listdir(directory) if n.endswith(".c"))

    def edit(self):
        if self.undo and self.rng.random() < 0.4:
            path, text = self.undo.pop()
            put(path, text)
            return f"{os.path.basename(path)} as it was"
        for _ in range(40):
            path = os.path.join(self.dir, self.rng.choice(self.names))
            text = open(path, encoding="latin-1").read()
            lines = text.split("\n")
            at = [i for i, l in enumerate(lines) if re.match(r"\s+[a-z_]\w*\(.*\);\s*$", l) or re.match(r"\s+return [^;]*;$", l)]
            if not at:
                continue
            i = self.rng.choice(at)
            what = self.rng.choice(["out", "line", "twice"])
            if what == "out" and "return" not in lines[i]:
                lines[i] = ";"
            elif what == "twice" and "return" not in lines[i]:
                lines[i] += " " + lines[i].strip()
            else:
                lines.insert(i, "")
            self.undo.append((path, text))
            put(path, "\n".join(lines))
            return f"{what} at {os.path.basename(path)}:{i + 1}"
        return "nothing"

    def write(self):
        return self.names


def put(path, text):
    old = open(path, encoding="latin-1").read() if os.path.exists(path) else None
    if old != text:
        with open(path, "w", encoding="latin-1") as f:
            f.write(text)


def run(args, directory, command):
    done = subprocess.run(command, cwd=directory, capture_output=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr.decode()[-2000:]}")
    return done.stdout, done.stderr.decode()


def compare(args, directory, program, what):
    files = program.write()
    options = ["--level=audit", "--impact=at-exit", "--format=json", "-j2"]
    if args.link:
        for f in files:
            run(args, directory, [args.stanch, "unit", f, "-o", f[:-2] + ".unit", "--", "-w"])
        units = [f[:-2] + ".unit" for f in files]
        cold, _ = run(args, directory, [args.stanch, "link", *options, "--no-cache", *units])
        warm, stats = run(args, directory, [args.stanch, "link", *options, "--stats", *units])
    else:
        cold, _ = run(args, directory, [args.stanch, "check", *options, "--no-cache", *files, "--", "-w"])
        warm, stats = run(args, directory, [args.stanch, "check", *options, "--stats", *files, "--", "-w"])
    kept = re.search(r"^kept +(\d+) of (\d+)", stats, re.M)
    if cold != warm:
        put(os.path.join(directory, "cold.json"), cold.decode())
        put(os.path.join(directory, "warm.json"), warm.decode())
        print(f"{directory}: after an edit ({what}) the report is not that of a run without memory: cold.json, warm.json")
        sys.exit(1)
    return int(kept.group(1)) if kept else 0


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--stanch", required=True)
    a.add_argument("--dir", required=True)
    a.add_argument("--count", type=int, default=10)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--link", action="store_true")
    a.add_argument("--given", nargs="*", default=[])
    args = a.parse_args()
    kept = 0
    for n, source in enumerate(args.given or [None]):
        rng = random.Random(args.seed + n)
        directory = os.path.join(args.dir, f"program{n}")
        os.makedirs(directory, exist_ok=True)
        program = Given(rng, directory, source) if source else Made(rng, directory)
        compare(args, directory, program, "first run")
        for i in range(args.count):
            what = program.edit()
            kept += compare(args, directory, program, f"{i + 1}: {what}")
    print(f"{kept} functions kept", file=sys.stderr)
    if args.count >= 5 and kept == 0:
        print("nothing was ever kept")
        sys.exit(1)


main()
