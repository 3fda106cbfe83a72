#!/usr/bin/env python3
"""What the evaluation reports as leaked, the value flow must not have proved freed: a sure `freed`
lets the evaluation be left out. One line for each disagreement; the last line counts verdicts."""
import collections, json, re, subprocess, sys

stanch, files = sys.argv[1], sys.argv[2:]
counts, bad = collections.Counter(), 0


def run(*words):
    return subprocess.run([stanch, *words], capture_output=True, text=True).stdout


for path in files:
    try:
        findings = json.loads(run('check', '--no-cache', '--each', '-q', '--format=json', path))['findings']
    except ValueError:
        continue
    verdicts = collections.defaultdict(set)
    for line, verdict in re.findall(r'^\S+: allocation at line (\d+): (\w+(?: \(may\))?)',
                                    run('show', 'slice', '--no-cache', path), re.M):
        verdicts[int(line)].add(verdict)
        counts[verdict] += 1
    for f in findings:
        if f['rule'] != 'leak':
            continue
        # The innermost place at which the flow begins: calls of wrappers stand for what is inside.
        places = [p['place']['line'] for p in f['path'] if p['kind'] == 'alloc']
        at = next((verdicts[p] for p in reversed(places) if p in verdicts), set())
        if at == {'freed'}:
            print(f'{path}:{places}: reported as leaked, but the flow is sure that it is freed')
            bad += 1
print(dict(sorted(counts.items())))
sys.exit(bad != 0)
