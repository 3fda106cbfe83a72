#!/usr/bin/env python3
"""What the value flow lets the evaluation leave out must not cost a finding: each file is checked
with and without it, at level audit, and the findings must be the same ones. Their conditions too, but
where nodes are idle: a branch that governs nothing else is in no condition then.

    prune.py STANCH FILE...      C and C++ files
                                 (against --no-prune, the whole evaluation in full)
    prune.py STANCH --last DIR   the units of the last run in DIR, as one program and from scratch
                                 (bench/flow --prune; against --no-flow-prune, and what differs from
                                 --no-prune is counted: the evaluation's own economy is not exact)
"""
import concurrent.futures, json, os, re, subprocess, sys


def last_units(where):
    where = os.path.abspath(where)
    last = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'bench', 'last')
    done = subprocess.run([last, where, os.path.join(where, '.stanch', 'bench-units')], stdout=subprocess.PIPE,
                          text=True, check=True)
    return [line.split('\t')[0] for line in done.stdout.splitlines()]


def findings(stanch, where, command, *words):
    done = subprocess.run([stanch, command, '-q', '--format=json', '--level=audit', '--each', '--no-cache', '--stats', *words],
                          cwd=where, capture_output=True, text=True)
    report = json.loads(done.stdout)
    run = report['run']
    run['idle'] = int(re.search(r'(\d+) stores and calls idle', done.stderr)[1])
    return {(f['fingerprint'], f['level'], f.get('condition')): f for f in report['findings']}, run


def told_otherwise(some, others):
    """Those of some that are none of the others by more than their condition."""
    plain = {key[:2] for key in others}
    return {key: f for key, f in some.items() if key not in others and key[:2] in plain}


def compare(stanch, name, where, words):
    against = '--no-flow-prune' if where else '--no-prune'
    try:
        less, run = findings(stanch, where, *words)
        all_, whole = findings(stanch, where, words[0], against, *words[1:])
    except ValueError:
        return f'{name}: no report', 0  # it does not compile by itself
    # Against the evaluation in full silent functions count too, whose cases are joined: a condition
    # may say less then.
    otherwise = told_otherwise(less, all_) if run['idle'] or not where else {}
    if otherwise:
        all_ = {key: f for key, f in all_.items() if key not in told_otherwise(all_, less)} | otherwise
    lines = [f"{name}: {sign} {f['rule']} in {f['function']}"
             for sign, a, b in (('lost', all_, less), ('gained', less, all_))
             for key, f in sorted(a.items(), key=str) if key not in b]
    skipped = whole['functions'] - run['functions']
    lines.append(f"{name}: {len(all_)} findings, {skipped} of {whole['functions']} functions left out, "
                 f"{run['idle']} nodes; {len(otherwise)} conditions are shorter or others")
    bad = len(lines) > 1
    if where:
        full, _ = findings(stanch, where, words[0], '--no-prune', *words[1:])
        lines.append(f'{name}: in full, {len(full.keys() - less.keys())} more and '
                     f'{len(less.keys() - full.keys())} fewer')
    return '\n'.join(lines), bad


def main():
    stanch, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    if words[:1] == ['--last']:
        jobs = [(d, d, ['link', *last_units(d)]) for d in words[1:]]
    else:
        jobs = [(w, None, ['check', w]) for w in words]
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for text, failed in pool.map(lambda j: compare(stanch, *j), jobs):
            bad += failed
            if failed or len(jobs) < 10:
                print(text)
    print(f'{len(jobs)} compared, {bad} differ')
    sys.exit(bad != 0)


main()
