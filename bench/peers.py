"""Gives each compiled file to each peer; called by bench/peers NAME COMMANDS WORK."""
import concurrent.futures
import os
import re
import resource
import subprocess
import sys

TIMEOUT = int(os.environ.get('PEER_TIMEOUT', '60'))
MEMORY = int(os.environ.get('PEER_MEMORY', '2048'))
JOBS = int(os.environ.get('PEER_JOBS', '2'))
PEERS = os.environ.get('PEERS', 'clang gcc cppcheck').split()
CPPCHECK = ('memleak', 'memleakOnRealloc', 'resourceLeak', 'leakNoVarFunctionCall', 'leakUnsafeArgAlloc',
            'leakReturnValNotUsed', 'doubleFree', 'deallocuse', 'deallocret', 'mismatchAllocDealloc',
            'autovarInvalidDeallocation', 'publicAllocationError', 'unsafeClassCanLeak')
# What each peer prints: file:line:column: warning: words [kind]
KINDS = {
    'clang': re.compile(r'\[(unix\.Malloc|unix\.Stream|unix\.MismatchedDeallocator|'
                        r'cplusplus\.NewDelete(?:Leaks)?)\]$'),
    'gcc': re.compile(r'\[-Wanalyzer-((?:malloc|file|fd)-leak|double-f(?:ree|close)|fd-double-close|'
                      r'use-after-free|fd-use-after-close|free-of-non-heap|mismatching-deallocation)\]$'),
    'cppcheck': re.compile(r'\[(%s)\]$' % '|'.join(CPPCHECK)),
}
# Of unix.Stream only what is about a file that stays open or was closed before.
OTHER = re.compile(r'File position of the stream|in EOF state|[Ss]tream pointer might be NULL|'
                   r'Stream might be invalid')
LINE = re.compile(r'^(.*?):(\d+):(?:\d+:)? (?:warning|error): (.*)$')


def commands(path):
    """(directory, file, flags) of each compilation, each file once."""
    words, seen, found = open(path, 'rb').read().decode(errors='replace').split('\0'), set(), []
    while words:
        end = words.index('') if '' in words else len(words)
        directory, *args = words[:end] or ['']
        words = words[end + 1:]
        flags, file, skip = [], None, None
        for a in args:
            if skip is not None:
                if skip:
                    flags += [skip, a]
                skip = None
            elif a in ('-I', '-D', '-U', '-include', '-isystem', '-iquote'):
                skip = a
            elif a in ('-o', '-MF', '-MT', '-MQ', '-x'):
                skip = ''
            elif re.match(r'-(I|D|U|std=|isystem|iquote|f(no-)?(signed|unsigned)-char)', a):
                flags.append(a)
            elif re.search(r'\.(c|cc|cpp|cxx|C)$', a):
                file = a
        if file and (directory, file) not in seen and not os.path.basename(file).startswith('conftest'):
            seen.add((directory, file))
            found.append((directory, file, flags))
    return found


def call(peer, file, flags):
    cxx = not file.endswith('.c')
    if peer == 'clang':
        return ['clang++-19' if cxx else 'clang-19', '--analyze', '--analyzer-output', 'text',
                '-Xclang', '-analyzer-config', '-Xclang', 'crosscheck-with-z3=false',
                '-Wno-everything', *flags, file, '-o', '/dev/null']
    if peer == 'gcc':
        return None if cxx else ['gcc', '-fanalyzer', '-fdiagnostics-path-format=none', *flags,
                                 '-c', file, '-o', '/dev/null']
    plain = [f for f in flags if re.match(r'-[IDU]', f)]
    return ['cppcheck', '-q', '--enable=warning', '--inconclusive', '--library=posix', '--template',
            '{file}:{line}:{column}: warning: {message} [{id}]', '--max-configs=1', *plain, file]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT, TIMEOUT))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY << 20, MEMORY << 20))


def run(job):
    peer, (directory, file, flags) = job
    args = call(peer, file, flags)
    if not args:
        return [], None
    p = subprocess.run(args, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, preexec_fn=limit, text=True, errors='replace')
    lines = []
    for line in p.stdout.splitlines():
        m, kind = LINE.match(line), KINDS[peer].search(line)
        if m and kind and not OTHER.search(line):
            where = os.path.relpath(os.path.join(directory, m[1]))
            lines.append(f'{where}:{m[2]}\t{kind[1]}\t{m[3]}')
    # A compiler's driver outlives the process that was ended by a limit, and says so in words.
    ended = p.returncode < 0 or re.search('CPU time limit|Killed|out of memory|bad_alloc|Aborted|'
                                          'virtual memory exhausted', p.stdout)
    failed = not ended and p.returncode != 0
    return lines, f'{file}\t{"limit" if ended else "error"}' if ended or failed else None


def main():
    name, log, work = sys.argv[1:]
    jobs = commands(log)
    os.chdir(os.path.join(work, name))
    said = []
    for peer in PEERS:
        out, late = set(), []
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            for lines, stopped in pool.map(run, [(peer, j) for j in jobs]):
                out.update(lines)
                late += [stopped] if stopped else []
        for end, lines in ('txt', sorted(out)), ('stopped', late):
            with open(os.path.join(work, f'{name}.{peer}.{end}'), 'w') as f:
                f.writelines(line + '\n' for line in lines)
        said.append(f'{peer} {len(out)} ({len(late)})')
    print(f'{name:12} {len(jobs):6}  {", ".join(said)}', flush=True)
    return 0 if jobs else 1


sys.exit(main())
