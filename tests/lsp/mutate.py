"""1,000 mutated messages: the server may refuse them, it may not crash or stop answering.

    mutate.py [COUNT [SEED]]
"""
import copy
import json
import os
import random
import sys

from client import Client, uri

count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
r = random.Random(seed)
os.chdir(os.environ["TMP"])
with open("real.c", "w") as f:
    f.write("#include <stdlib.h>\nint f(int n)\n{\n    char *p = malloc(n);\n    return p != 0;\n}\n")
REAL, NONE = uri("real.c"), "file:///no/such/file.c"
POINT = {"line": 3, "character": 15}
RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 2}}


def message(method, number=None, **params):
    m = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        m["id"] = number
    return m


MESSAGES = [
    message("initialize", 1, processId=None, rootUri=uri("."), capabilities={"window": {"workDoneProgress": True}}),
    message("initialized"),
    message("textDocument/didOpen", textDocument={"uri": REAL, "languageId": "c", "version": 1, "text": "int x;\n"}),
    message("textDocument/didOpen", textDocument={"uri": NONE, "languageId": "c", "version": 1, "text": "a\r\nb\u00e9\n"}),
    message("textDocument/didChange", textDocument={"uri": REAL, "version": 2},
            contentChanges=[{"range": RANGE, "text": "char *p;\n\U0001F600"}, {"text": "whole\ntext\n"}]),
    message("textDocument/didChange", textDocument={"uri": NONE, "version": 2},
            contentChanges=[{"range": {"start": POINT, "end": POINT}, "text": "\r"}]),
    message("textDocument/didSave", textDocument={"uri": NONE}),
    message("textDocument/didClose", textDocument={"uri": NONE}),
    message("textDocument/hover", 7, textDocument={"uri": REAL}, position=POINT),
    message("textDocument/codeAction", "x", textDocument={"uri": REAL}, range=RANGE,
            context={"diagnostics": [{"range": RANGE, "message": "m", "data": {"fingerprint": "f"}}], "only": ["quickfix"]}),
    message("workspace/executeCommand", 9, command="stanch.analyse", arguments=[]),
    message("workspace/didChangeConfiguration", settings={"stanch": {
        "level": "sure", "rules": "leak", "flags": ["-DX"], "specs": [], "suppress": [], "jobs": 1, "timeout": 5,
        "enable": True, "openFilesOnly": False, "baseline": "", "compilationDatabase": "", "cacheDirectory": ""}}),
    message("workspace/didChangeWorkspaceFolders",
            event={"added": [{"uri": uri("."), "name": "x"}], "removed": [{"uri": NONE, "name": "y"}]}),
    message("workspace/didChangeWatchedFiles", changes=[{"uri": REAL, "type": 2}]),
    message("$/cancelRequest", id=7),
    message("window/workDoneProgress/cancel", token="stanch-1"),
    {"jsonrpc": "2.0", "id": 1, "result": [None, {"level": "likely"}]},
    {"jsonrpc": "2.0", "id": 2, "error": {"code": 1, "message": "no"}},
    message("shutdown", 11),
]
ODD = [None, True, 0, -1, 2 ** 31, 2 ** 62, 1.5, "", "x" * 5000, "\u0000", "\ud7ff\U0010ffff", [], {}, [[]], {"a": {}},
       "file:///", "file://" + "/a" * 3000, REAL, NONE, "file:///%", [{}] * 50]


def places(value, into, path=()):
    into.append(path)
    for k in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        places(value[k], into, path + (k,))
    return into


def mutate_values(m):
    m = copy.deepcopy(m)
    for _ in range(r.randint(1, 3)):
        path = r.choice(places(m, []))
        if not path:
            return r.choice(ODD)
        at = m
        for k in path[:-1]:
            at = at[k]
        what = r.random()
        if what < 0.25 and isinstance(at, dict):
            del at[path[-1]]
        elif what < 0.35 and isinstance(at, list):
            at.append(copy.deepcopy(at[path[-1]]))
        else:
            at[path[-1]] = copy.deepcopy(r.choice(ODD))
    return m


def mutate_bytes(data):
    data = bytearray(data)
    for _ in range(r.randint(1, 4)):
        at = r.randrange(len(data)) if data else 0
        what = r.random()
        if what < 0.4 and data:
            data[at] = r.choice([0, 9, 10, 13, 34, 44, 58, 91, 93, 123, 125, 0x80, 0xff, r.randrange(256)])
        elif what < 0.6:
            data[at:at] = bytes(r.randrange(256) for _ in range(r.randint(1, 9)))
        elif what < 0.8:
            del data[at:at + r.randint(1, 20)]
        else:
            data[at:at] = data[at:at + r.randint(1, 60)]
    return bytes(data)


def frame(body, length=None):
    return b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length) + body


def one():
    body = json.dumps(mutate_values(r.choice(MESSAGES)) if r.random() < 0.8 else r.choice(MESSAGES)).encode()
    what = r.random()
    if what < 0.6:
        return frame(body)
    if what < 0.8:
        return frame(mutate_bytes(body))
    if what < 0.9:
        return mutate_bytes(frame(body))
    return frame(body, max(0, len(body) + r.choice([-5, -1, 1, 3])))


PING = frame(b'{"jsonrpc":"2.0","id":"ping","method":"no/such"}')


class Dead(Exception):
    pass


def ended(c):
    """The exit status of a server that went away; 0 and 1 are the protocol's."""
    status = c.status()
    if status not in (0, 1):
        raise Dead("the server ended with status %d" % status)


def alive(c):
    # A length that was too long swallows the first of them, or more.
    for _ in range(40):
        c.raw(PING)
        try:
            while True:
                m = c.read(0.5)
                if m is None:
                    return False
                if m.get("id") == "ping":
                    return True
        except TimeoutError:
            pass
    raise Dead("the server does not answer")


def session(budget):
    c = Client(window={"workDoneProgress": True})
    sent = []
    try:
        if r.random() < 0.9:
            c.start(".")
        while budget:
            batch = min(budget, r.randint(1, 30))
            for _ in range(batch):
                sent.append(one())
                c.raw(sent[-1])
            budget -= batch
            if not alive(c):
                break
            if r.random() < 0.2:
                break
    except BrokenPipeError:
        pass
    except Dead:
        with open("last-messages", "wb") as f:
            f.write(b"\n\n".join(sent[-40:]))
        raise
    try:
        ended(c)
    except BrokenPipeError:
        pass
    return len(sent)


done = sessions = 0
while done < count:
    done += session(count - done)
    sessions += 1
print("%d mutated messages in %d sessions" % (done, sessions))
