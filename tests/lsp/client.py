"""A small language client for the tests: starts `stanch lsp` and talks to it."""
import json
import os
import select
import subprocess
import time

STANCH = os.environ["STANCH"]


def uri(path):
    return "file://" + os.path.abspath(path)


class Client:
    def __init__(self, **capabilities):
        self.p = subprocess.Popen([STANCH, "lsp", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.buffer = b""
        self.next = 0
        self.seen = []  # every message that came
        self.diagnostics = {}  # by path
        self.refuse_progress = False
        self.settings = None  # answer to workspace/configuration: a function of the item
        self.capabilities = capabilities

    # ---- out ----

    def raw(self, data):
        if not self.p.stdin.closed:
            self.p.stdin.write(data)
            self.p.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method, wait=True, **params):
        self.next += 1
        number = self.next
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self.answer(number) if wait else number

    # ---- in ----

    def read(self, seconds=300):
        """The next message; None at the end of the stream. Answers the server's requests."""
        end = time.time() + seconds
        while True:
            head, sep, rest = self.buffer.partition(b"\r\n\r\n")
            if sep:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return self.take(json.loads(rest[:length].decode()))
            left = end - time.time()
            if left <= 0 or not select.select([self.p.stdout], [], [], left)[0]:
                raise TimeoutError("no message within %d s" % seconds)
            data = os.read(self.p.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self.buffer += data

    def take(self, m):
        self.seen.append(m)
        if m.get("method") == "textDocument/publishDiagnostics":
            path = m["params"]["uri"][len("file://"):]
            self.diagnostics[path] = m["params"]["diagnostics"]
        if "method" in m and "id" in m:
            if m["method"] == "workspace/configuration":
                items = m["params"]["items"]
                self.send({"jsonrpc": "2.0", "id": m["id"],
                           "result": [self.settings(i) if self.settings else None for i in items]})
            elif m["method"] == "window/workDoneProgress/create" and self.refuse_progress:
                self.send({"jsonrpc": "2.0", "id": m["id"], "error": {"code": -32601, "message": "no"}})
            else:
                self.send({"jsonrpc": "2.0", "id": m["id"], "result": None})
        return m

    def until(self, test, seconds=300):
        """Reads until a message fits."""
        end = time.time() + seconds
        while True:
            m = self.read(max(0.1, end - time.time()))
            assert m is not None, "the server has ended"
            if test(m):
                return m

    def answer(self, number, seconds=300):
        return self.until(lambda m: m.get("id") == number and "method" not in m, seconds)

    def published(self, path, seconds=300):
        """The next diagnostics of a file."""
        self.until(lambda m: m.get("method") == "textDocument/publishDiagnostics"
                   and m["params"]["uri"] == uri(path), seconds)
        return self.diagnostics[os.path.abspath(path)]

    def quiet(self, seconds):
        """Reads what comes for a while; gives it."""
        end, got = time.time() + seconds, []
        while time.time() < end:
            try:
                got.append(self.read(max(0.01, end - time.time())))
            except TimeoutError:
                break
        return got

    # ---- a session ----

    def start(self, *folders, options=None, **more):
        params = {"processId": os.getpid(), "capabilities": self.capabilities,
                  "rootUri": uri(folders[0]) if folders else None, **more}
        if len(folders) > 1:
            params["workspaceFolders"] = [{"uri": uri(f), "name": os.path.basename(f)} for f in folders]
        if options is not None:
            params["initializationOptions"] = options
        result = self.request("initialize", **params)["result"]
        self.notify("initialized")
        return result

    def open(self, path, text=None):
        if text is None:
            with open(path) as f:
                text = f.read()
        self.notify("textDocument/didOpen",
                    textDocument={"uri": uri(path), "languageId": "c", "version": 1, "text": text})

    def save(self, path, text):
        """The whole text anew, written and saved."""
        self.notify("textDocument/didChange", textDocument={"uri": uri(path), "version": 2},
                    contentChanges=[{"text": text}])
        with open(path, "w") as f:
            f.write(text)
        self.notify("textDocument/didSave", textDocument={"uri": uri(path)})

    def end(self):
        """Shutdown and exit; the exit status."""
        answer = self.request("shutdown")
        assert answer["result"] is None
        self.notify("exit")
        return self.status()

    def status(self):
        self.p.stdin.close()
        while self.read() is not None:
            pass
        return self.p.wait(30)


def run(cases):
    """Runs functions in fresh directories; prints failures and the count."""
    import shutil
    import traceback
    top = os.environ["TMP"]
    passed = failed = 0
    for case in cases:
        where = os.path.join(top, case.__name__)
        shutil.rmtree(where, ignore_errors=True)
        os.makedirs(where)
        os.chdir(where)
        try:
            case()
            passed += 1
        except Exception:
            failed += 1
            print("FAIL", case.__name__)
            traceback.print_exc(limit=3)
            import sys
            sys.stdout.flush()
    os.chdir(top)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0
