"""Scripted sessions with the language server."""
import json
import os
import subprocess
import sys
import time

from client import STANCH, Client, run, uri

LEAKY = """#include <stdlib.h>
#include <string.h>
int use(const char *);
int load(const char *path, int depth)
{
    char *copy = strdup(path);
    if (copy == NULL)
        return -1;
    if (depth > 8)
        return -1;
    int n = use(copy);
    free(copy);
    return n;
}
"""
CLEAN = LEAKY.replace("    if (depth > 8)\n        return -1;\n", "")
RELATED = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}


def write(path, text):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def database(*files, where="."):
    write(os.path.join(where, "compile_commands.json"),
          json.dumps([{"directory": os.getcwd(), "file": f, "arguments": ["cc", "-c", f]} for f in files]))


def the_life_of_a_session():
    c = Client()
    result = c.start(".")
    assert result["capabilities"]["positionEncoding"] == "utf-16", result
    assert result["serverInfo"]["name"] == "stanch"
    assert c.end() == 0


def exit_without_shutdown_is_1():
    c = Client()
    c.start(".")
    c.notify("exit")
    assert c.status() == 1


def end_of_input_is_1():
    c = Client()
    c.start(".")
    assert c.status() == 1


def requests_out_of_order():
    c = Client()
    assert c.request("textDocument/hover")["error"]["code"] == -32002
    c.notify("textDocument/didOpen")  # dropped
    c.start(".")
    assert c.request("initialize", capabilities={})["error"]["code"] == -32600
    assert c.request("no/such")["error"]["code"] == -32601
    c.notify("$/unknown")
    assert c.request("$/unknown")["error"]["code"] == -32601
    assert c.request("shutdown")["result"] is None
    assert c.request("textDocument/hover")["error"]["code"] == -32600
    c.notify("exit")
    assert c.status() == 0


def open_shows_a_finding_with_its_path():
    write("a.c", LEAKY)
    database("a.c")
    c = Client(**RELATED)
    c.start(".")
    c.open("a.c")
    (d,) = c.published("a.c")
    assert d["range"] == {"start": {"line": 9, "character": 8}, "end": {"line": 9, "character": 14}}, d
    assert d["severity"] == 2 and d["code"] == "leak" and d["source"] == "stanch", d
    assert "strdup" in d["message"] and "depth" in d["message"], d
    assert d["codeDescription"]["href"].endswith("/401.html"), d
    places = [(r["location"]["uri"], r["location"]["range"]["start"]["line"]) for r in d["relatedInformation"]]
    assert places[0] == (uri("a.c"), 5) and places[-1] == (uri("a.c"), 9), places
    assert c.end() == 0
    # An editor leaves neither a history nor another last run behind.
    assert not os.path.exists(".stanch/history.db")
    assert not os.path.exists(".stanch/cache/v1/last")


def without_related_information_the_path_is_in_the_message():
    write("a.c", LEAKY)
    database("a.c")
    c = Client()
    c.start(".")
    c.open("a.c")
    (d,) = c.published("a.c")
    assert "relatedInformation" not in d and "a.c:6: " in d["message"], d
    assert c.end() == 0


def save_takes_findings_away_and_brings_them():
    write("a.c", LEAKY)
    database("a.c")
    c = Client(**RELATED)
    c.start(".")
    c.open("a.c")
    assert len(c.published("a.c")) == 1
    c.save("a.c", CLEAN)
    assert c.published("a.c") == []
    c.save("a.c", LEAKY)
    assert len(c.published("a.c")) == 1
    assert c.end() == 0


def the_whole_program_is_seen():
    write("make.c", "#include <string.h>\nchar *make(const char *s) { return strdup(s); }\n")
    write("src/use.c", 'char *make(const char *);\nint use(void)\n{\n    return make("x") != 0;\n}\n')
    database("make.c", "src/use.c", where="build")
    c = Client(**RELATED)
    c.start(".")
    c.open("src/use.c")
    (d,) = c.published("src/use.c")
    assert d["range"]["start"]["line"] == 3, d
    assert uri("make.c") in [r["location"]["uri"] for r in d["relatedInformation"]] or "make" in d["message"], d
    assert c.end() == 0


def the_last_run_is_used_without_a_database():
    write("a.c", LEAKY)
    subprocess.run([STANCH, "check", "-q", "a.c"], stdout=subprocess.DEVNULL, check=False)
    c = Client()
    c.start(".")
    c.open("a.c")
    assert len(c.published("a.c")) == 1
    assert any("last run" in m["params"]["message"] for m in c.seen if m.get("method") == "window/logMessage")
    assert c.end() == 0


def a_file_by_itself():
    write("a.c", LEAKY.replace("#include <stdlib.h>", '#include "more/mine.h"'))
    write("inc/more/mine.h", "#include <stdlib.h>\n")
    c = Client()
    c.start(".", options={"flags": ["-Iinc"]})
    c.open("a.c")
    assert len(c.published("a.c")) == 1
    assert not os.path.exists(".stanch")
    assert c.end() == 0


def a_file_that_no_list_has_is_analysed_by_itself():
    write("a.c", CLEAN)
    write("new.c", LEAKY.replace("load", "fresh"))
    database("a.c")
    c = Client()
    c.start(".")
    c.open("a.c")
    c.open("new.c")
    assert len(c.published("new.c")) == 1
    assert c.end() == 0
    os.remove("compile_commands.json")
    subprocess.run([STANCH, "check", "-q", "a.c"], stdout=subprocess.DEVNULL, check=False)
    c = Client()
    c.start(".")
    c.open("new.c")
    assert len(c.published("new.c")) == 1
    assert c.end() == 0


def a_file_that_does_not_compile_keeps_its_findings():
    write("a.c", LEAKY)
    write("b.c", CLEAN.replace("load", "other"))
    database("a.c", "b.c")
    c = Client(**RELATED)
    c.start(".")
    c.open("a.c")
    c.open("b.c")
    (before,) = c.published("a.c")
    c.save("a.c", LEAKY + "int typing( {\n")
    kept, note = c.published("a.c")
    assert kept == before, kept
    assert note["severity"] == 3 and note["code"] == "not-analysed", note
    assert note["range"]["start"]["line"] == 14 and "expected" in note["message"], note
    c.save("b.c", LEAKY.replace("load", "other"))  # the others go on
    assert len(c.published("b.c")) == 1
    assert len(c.diagnostics[os.path.abspath("a.c")]) == 2
    c.save("a.c", LEAKY)
    assert c.published("a.c") == [before]
    assert c.end() == 0


def a_single_file_that_does_not_compile():
    write("a.c", LEAKY)
    c = Client()
    c.start(".")
    c.open("a.c")
    assert len(c.published("a.c")) == 1
    c.save("a.c", LEAKY + "int typing( {\n")
    assert [d["severity"] for d in c.published("a.c")] == [2, 3]
    assert c.end() == 0


def findings_move_with_unsaved_lines():
    write("a.c", LEAKY)
    database("a.c")
    c = Client(**RELATED)
    c.start(".")
    c.open("a.c")
    c.published("a.c")
    change = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "\n\n"}
    c.notify("textDocument/didChange", textDocument={"uri": uri("a.c"), "version": 2}, contentChanges=[change])
    h = c.request("textDocument/hover", textDocument={"uri": uri("a.c")}, position={"line": 11, "character": 9})
    assert "strdup" in h["result"]["contents"]["value"], h
    h = c.request("textDocument/hover", textDocument={"uri": uri("a.c")}, position={"line": 9, "character": 9})
    assert h["result"] is None, h
    assert c.end() == 0


def columns_count_utf16_units_or_bytes():
    line = '    if (depth > 8) { use("\U0001F600\u00e9"); return -1; }\n'
    text = LEAKY.replace("    if (depth > 8)\n        return -1;\n", line)
    write("a.c", text)
    database("a.c")
    at = line.index("return")
    for offered, column in ((None, at + 1), (["utf-16", "utf-8"], at + 3 + 1)):
        c = Client(**(RELATED if not offered else {"general": {"positionEncodings": offered}}))
        c.start(".")
        c.open("a.c")
        (d,) = c.published("a.c")
        assert d["range"]["start"] == {"line": 8, "character": column}, (d["range"], column)
        # The same units in what the client sends: put a blank in front of the return.
        where = {"line": 8, "character": column}
        c.notify("textDocument/didChange", textDocument={"uri": uri("a.c"), "version": 2},
                 contentChanges=[{"range": {"start": where, "end": where}, "text": "\n"}])
        a = c.request("textDocument/codeAction", textDocument={"uri": uri("a.c")},
                      range={"start": where, "end": where}, context={"diagnostics": []})
        assert a["result"], a
        assert c.end() == 0


def apply(text, edit):
    lines = text.splitlines(True)
    s, e = edit["range"]["start"], edit["range"]["end"]
    assert s == e and s["character"] == 0, edit
    lines.insert(s["line"], edit["newText"])
    return "".join(lines)


def the_code_action_suppresses():
    write("a.c", LEAKY)
    database("a.c")
    c = Client(**RELATED)
    c.start(".")
    c.open("a.c")
    (d,) = c.published("a.c")
    for context, line in (({"diagnostics": [d]}, 9), ({"diagnostics": []}, 9), ({"diagnostics": []}, 5)):
        at = {"line": line, "character": 0}
        a = c.request("textDocument/codeAction", textDocument={"uri": uri("a.c")},
                      range={"start": at, "end": at}, context=context)["result"]
        assert len(a) == 1 and a[0]["kind"] == "quickfix", a
        assert a[0].get("diagnostics") == ([d] if context["diagnostics"] else None), a
        (edit,) = a[0]["edit"]["changes"][uri("a.c")]
        fixed = apply(LEAKY, edit)
        assert "stanch: ignore[leak]" in fixed.splitlines()[line], fixed
        c.save("a.c", fixed)
        assert c.published("a.c") == [], fixed
        c.save("a.c", LEAKY)
        assert c.published("a.c") == [d]
    a = c.request("textDocument/codeAction", textDocument={"uri": uri("a.c")}, range={"start": at, "end": at},
                  context={"diagnostics": [d], "only": ["refactor"]})["result"]
    assert a == [], a
    assert c.end() == 0


def no_comment_inside_a_macro():
    text = LEAKY.replace("    if (depth > 8)\n        return -1;\n",
                         "#define CHECK \\\n    if (depth > 8) \\\n        return -1;\n    CHECK\n")
    write("a.c", text)
    database("a.c")
    c = Client(**RELATED)
    c.start(".")
    c.open("a.c")
    (d,) = c.published("a.c")
    line = d["range"]["start"]["line"]
    at = {"line": line, "character": 0}
    a = c.request("textDocument/codeAction", textDocument={"uri": uri("a.c")}, range={"start": at, "end": at},
                  context={"diagnostics": [d]})["result"]
    inside = text.splitlines()[line - 1].endswith("\\")
    assert bool(a) != inside, (line, a)
    assert c.end() == 0


def progress_is_asked_for_begun_and_ended():
    write("a.c", LEAKY)
    database("a.c")
    c = Client(window={"workDoneProgress": True})
    c.start(".")
    c.open("a.c")
    create = c.until(lambda m: m.get("method") == "window/workDoneProgress/create")
    kinds = []
    while not kinds or kinds[-1]["kind"] != "end":
        m = c.until(lambda m: m.get("method") == "$/progress")
        assert m["params"]["token"] == create["params"]["token"], m
        kinds.append(m["params"]["value"])
    assert kinds[0]["kind"] == "begin" and kinds[0]["cancellable"] is True, kinds
    assert "1 finding" in kinds[-1]["message"], kinds
    # Who waits for the end has the findings then.
    assert len(c.diagnostics[os.path.abspath("a.c")]) == 1
    assert c.end() == 0


def refused_progress_is_not_reported():
    write("a.c", LEAKY)
    database("a.c")
    c = Client(window={"workDoneProgress": True})
    c.refuse_progress = True
    c.start(".")
    c.open("a.c")
    c.published("a.c")
    assert not [m for m in c.seen if m.get("method") == "$/progress"]
    assert c.end() == 0


def slow_program():
    """Many units, so that an analysis takes a while."""
    names = []
    for i in range(12):
        names.append("slow%d.c" % i)
        write(names[-1], "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint f%d(void) { return %d; }\n" % (i, i))
    return names


def a_save_cancels_a_running_analysis():
    write("a.c", LEAKY)
    database("a.c", *slow_program())
    c = Client(window={"workDoneProgress": True})
    c.start(".")
    c.open("a.c")
    c.until(lambda m: m.get("method") == "$/progress")
    c.save("a.c", CLEAN)
    m = c.until(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end")
    assert m["params"]["value"]["message"] == "cancelled", m
    m = c.until(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end")
    assert "0 findings" in m["params"]["value"]["message"], m
    assert not c.diagnostics.get(os.path.abspath("a.c"))
    assert c.end() == 0


def frequent_saves_do_not_starve_the_analysis():
    write("a.c", LEAKY)
    database("a.c", *slow_program())
    c = Client(window={"workDoneProgress": True})
    c.start(".")
    c.open("a.c")
    ends = []
    while len(ends) < 3:
        m = c.until(lambda m: m.get("method") == "$/progress")
        if m["params"]["value"]["kind"] == "begin":
            c.save("a.c", LEAKY + "\n" * len(ends))
        elif m["params"]["value"]["kind"] == "end":
            ends.append(m["params"]["value"]["message"])
    assert ends == ["cancelled", "cancelled", "1 finding"], ends
    assert c.end() == 0


def the_client_cancels_an_analysis():
    write("a.c", LEAKY)
    database("a.c", *slow_program())
    c = Client(window={"workDoneProgress": True})
    c.start(".")
    c.open("a.c")
    m = c.until(lambda m: m.get("method") == "$/progress")
    c.notify("window/workDoneProgress/cancel", token="no such token")
    c.notify("window/workDoneProgress/cancel", token=m["params"]["token"])
    m = c.until(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end")
    assert m["params"]["value"]["message"] == "cancelled", m
    assert c.request("workspace/executeCommand", command="stanch.analyse")["result"] is None
    assert len(c.published("a.c")) == 1
    assert c.request("workspace/executeCommand", command="rm")["error"]["code"] == -32602
    assert c.end() == 0


def children_end_with_the_server():
    write("a.c", LEAKY)
    database("a.c", *slow_program())
    c = Client(window={"workDoneProgress": True})
    c.start(".")
    c.open("a.c")
    c.until(lambda m: m.get("method") == "$/progress")
    children = open("/proc/%d/task/%d/children" % (c.p.pid, c.p.pid)).read().split()
    assert children
    c.p.kill()
    c.p.wait()
    end = time.time() + 10
    while any(os.path.exists("/proc/" + k) and "Z" not in open("/proc/%s/stat" % k).read().split(")")[1][:3]
              for k in children):
        assert time.time() < end, "a child lives on"
        time.sleep(0.05)


def settings_by_options_push_and_pull():
    write("a.c", LEAKY)
    database("a.c")
    c = Client()
    c.start(".", options={"rules": "double-free"})
    c.open("a.c")
    c.quiet(2)
    assert not c.diagnostics.get(os.path.abspath("a.c")), c.diagnostics
    c.notify("workspace/didChangeConfiguration", settings={"stanch": {"rules": "leak"}})
    assert len(c.published("a.c")) == 1
    c.notify("workspace/didChangeConfiguration", settings={"stanch": {"enable": False}})
    assert c.published("a.c") == []
    c.notify("workspace/didChangeConfiguration", settings={"stanch": {"enable": True, "jobs": "many"}})
    m = c.until(lambda m: m.get("method") == "window/showMessage")
    assert "jobs must be a number" in m["params"]["message"], m
    assert len(c.published("a.c")) == 1
    assert c.end() == 0
    c = Client(workspace={"configuration": True})
    c.settings = lambda item: {"rules": "double-free"} if "scopeUri" in item else None
    c.start(".")
    c.open("a.c")
    c.until(lambda m: m.get("method") == "workspace/configuration")
    c.quiet(2)
    c.settings = lambda item: {}
    c.notify("workspace/didChangeConfiguration", settings=None)
    assert len(c.published("a.c")) == 1
    assert c.end() == 0


def a_setting_that_stanch_refuses_is_said():
    write("a.c", LEAKY)
    database("a.c")
    c = Client()
    c.start(".", options={"level": "certainly"})
    c.open("a.c")
    m = c.until(lambda m: m.get("method") == "window/showMessage")
    assert "level" in m["params"]["message"], m
    assert c.end() == 0


def several_folders():
    for folder in ("one", "two"):
        write(folder + "/a.c", LEAKY)
        os.chdir(folder)
        database("a.c")
        os.chdir("..")
    c = Client()
    c.start("one", "two")
    c.open("one/a.c")
    assert len(c.published("one/a.c")) == 1
    c.open("two/a.c")
    assert len(c.published("two/a.c")) == 1
    assert os.path.isdir("one/.stanch") and os.path.isdir("two/.stanch")
    c.notify("textDocument/didClose", textDocument={"uri": uri("two/a.c")})
    c.notify("workspace/didChangeWorkspaceFolders",
             event={"added": [], "removed": [{"uri": uri("two"), "name": "two"}]})
    assert c.published("two/a.c") == []
    assert len(c.diagnostics[os.path.abspath("one/a.c")]) == 1
    c.notify("workspace/didChangeWorkspaceFolders",
             event={"added": [{"uri": uri("two"), "name": "two"}], "removed": []})
    c.open("two/a.c")
    assert len(c.published("two/a.c")) == 1
    assert c.end() == 0


def odd_names_and_spellings():
    name = "with blank %25 and \u00e9.c"
    write(name, LEAKY)
    database(name)
    os.symlink(name, "link.c")
    c = Client()
    c.start(".")
    spelled = "file://" + os.getcwd() + "/with%20blank%20%2525%20and%20%c3%a9.c"
    c.notify("textDocument/didOpen", textDocument={"uri": spelled, "languageId": "c", "version": 1, "text": LEAKY})
    m = c.until(lambda m: m.get("method") == "textDocument/publishDiagnostics")
    assert m["params"]["uri"] == spelled and len(m["params"]["diagnostics"]) == 1, m
    for bad in ("untitled:x", "file://other/x.c", "file:///a%00b.c", "file:///%zz", "file:", "", "file:///dev"):
        c.notify("textDocument/didOpen", textDocument={"uri": bad, "languageId": "c", "version": 1, "text": ""})
    assert c.end() == 0


def hover_tells_of_the_owner():
    write("a.c", LEAKY)
    database("a.c")
    c = Client()
    c.start(".")
    c.open("a.c")
    c.published("a.c")
    h = c.request("textDocument/hover", textDocument={"uri": uri("a.c")}, position={"line": 5, "character": 18})
    value = h["result"]["contents"]["value"]
    assert "**leak**" in value and "a.c:10" in value, value
    c.save("a.c", CLEAN)
    c.published("a.c")
    h = c.request("textDocument/hover", textDocument={"uri": uri("a.c")}, position={"line": 5, "character": 18})
    value = h["result"]["contents"]["value"]
    assert "strdup" in value and "a.c:10" in value and "free" in value, value
    h = c.request("textDocument/hover", textDocument={"uri": uri("a.c")}, position={"line": 4, "character": 0})
    assert h["result"] is None, h
    number = c.request("textDocument/hover", wait=False, textDocument={"uri": uri("a.c")},
                       position={"line": 5, "character": 18})
    c.notify("$/cancelRequest", id=number)
    assert c.answer(number)["error"]["code"] == -32800
    c.notify("$/cancelRequest", id="never asked")
    assert c.end() == 0


def hover_tells_of_a_finding():
    write("a.c", LEAKY)
    database("a.c")
    c = Client()
    c.start(".")
    c.open("a.c")
    c.published("a.c")
    for line, character in ((5, 18), (9, 8)):
        h = c.request("textDocument/hover", textDocument={"uri": uri("a.c")},
                      position={"line": line, "character": character})
        value = h["result"]["contents"]["value"]
        assert "**leak**" in value and "a.c:10" in value, value
    h = c.request("textDocument/hover", textDocument={"uri": uri("a.c")}, position={"line": 4, "character": 0})
    assert h["result"] is None, h
    assert c.end() == 0


def only_open_files():
    write("a.c", LEAKY)
    write("b.c", LEAKY.replace("load", "other"))
    database("a.c", "b.c")
    c = Client()
    c.start(".", options={"openFilesOnly": True})
    c.open("a.c")
    c.published("a.c")
    c.quiet(0.5)
    assert os.path.abspath("b.c") not in c.diagnostics
    c.open("b.c")
    assert len(c.published("b.c")) == 1
    c.notify("textDocument/didClose", textDocument={"uri": uri("b.c")})
    assert c.published("b.c") == []
    assert c.end() == 0


def a_hanging_analysis_is_ended():
    write("a.c", LEAKY)
    database("a.c", *slow_program())
    c = Client()
    c.start(".", options={"timeout": 1, "jobs": 1})
    # The compiler waits for a name that never comes: a pipe instead of a header.
    os.mkfifo("never.h")
    write("slow0.c", '#include "never.h"\n')
    c.open("a.c")
    m = c.until(lambda m: m.get("method") == "window/showMessage")
    assert "too long" in m["params"]["message"], m
    os.unlink("never.h")
    write("slow0.c", "int f0;\n")
    c.notify("workspace/didChangeConfiguration", settings={"stanch": {"timeout": 100}})
    assert len(c.published("a.c")) == 1
    assert c.end() == 0


def broken_headers():
    c = Client()
    c.start(".")
    ping = b'{"jsonrpc":"2.0","id":"p","method":"no/such"}'

    def alive():
        c.raw(b"Content-Length: %d\r\n\r\n" % len(ping) + ping)
        assert c.until(lambda m: m.get("id") == "p")["error"]["code"] == -32601

    for junk in (b"Content-Length: x\r\n\r\n", b"\r\n", b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
                 b"GET / HTTP/1.1\r\n\r\n", b"Content-Length: -1\r\n\r\n", b"\0\0\0\n\r\n", b"A" * 100000,
                 b"Content-Length: 3\r\nContent-Type: text; charset=latin1\r\n\r\nabc"):
        c.raw(junk)
        alive()
    errors = [m for m in c.seen if "error" in m and m["error"]["code"] == -32700]
    assert len(errors) >= 7 and all(m["id"] is None for m in errors), errors
    c.raw(b"content-length: %d\nX-More: yes\r\nContent-Type: a/b; charset=utf8\n\n" % len(ping) + ping)
    c.until(lambda m: m.get("id") == "p")
    body = b"z" * (65 << 20)
    c.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    m = c.until(lambda m: m.get("error", {}).get("code") == -32700)
    assert "too large" in m["error"]["message"], m
    alive()
    assert c.end() == 0


def broken_bodies():
    c = Client()
    c.start(".")

    def body(b, code):
        c.raw(b"Content-Length: %d\r\n\r\n" % len(b) + b)
        m = c.until(lambda m: "error" in m)
        assert m["error"]["code"] == code, (b[:40], m)

    body(b"", -32700)
    body(b"{", -32700)
    body(b'"\xff"', -32700)
    body(b'{"jsonrpc":"2.0","id":1,"method":"\xc3("}', -32700)
    body(b'{"jsonrpc":"2.0","id":1,"method":"a\\u0000b"}', -32700)
    body(b"[" * 100000, -32700)
    body(b'{"a":' * 100000, -32700)
    body(b"[]", -32600)
    body(b'{"jsonrpc":"1.0","id":1,"method":"x"}', -32600)
    body(b'{"jsonrpc":"2.0","id":[],"method":"x"}', -32600)
    body(b'{"jsonrpc":"2.0","id":1,"method":5}', -32600)
    body(b'{"jsonrpc":"2.0","id":1}', -32600)
    body(b'{"jsonrpc":"2.0","id":99999999999999999999,"method":"x"}', -32700)
    for params in ("null", "5", '"x"', "[]", "{}", '{"textDocument":5}', '{"textDocument":{"uri":7}}',
                   '{"textDocument":{"uri":"file:///x"},"position":{"line":-1,"character":0}}',
                   '{"textDocument":{"uri":"file:///x"},"position":{"line":"a","character":1.5}}'):
        for method in ("textDocument/hover", "textDocument/codeAction", "workspace/executeCommand"):
            body(b'{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}' % (method.encode(), params.encode()), -32602)
        for method in ("initialized", "textDocument/didOpen", "textDocument/didChange", "textDocument/didSave",
                       "textDocument/didClose", "workspace/didChangeConfiguration", "$/cancelRequest",
                       "workspace/didChangeWorkspaceFolders", "window/workDoneProgress/cancel"):
            b = b'{"jsonrpc":"2.0","method":"%s","params":%s}' % (method.encode(), params.encode())
            c.raw(b"Content-Length: %d\r\n\r\n" % len(b) + b)
    c.send({"jsonrpc": "2.0", "id": 77, "result": None})  # an answer to nothing
    assert c.end() == 0


def changes_that_make_no_sense():
    write("a.c", LEAKY)
    c = Client()
    c.start(".")
    c.open("a.c")
    big = 2 ** 31 - 1
    for start, end, text in (((5, 0), (1, 0), "x"), ((big, big), (big, big), "tail"), ((0, big), (1, 0), ""),
                             ((-1, 0), (0, 0), "x"), ((0, 0), (big, 0), ""), ((0, 0), (0, 0), "\r\n\r\r\n")):
        c.notify("textDocument/didChange", textDocument={"uri": uri("a.c"), "version": 2}, contentChanges=[
            {"range": {"start": {"line": start[0], "character": start[1]},
                       "end": {"line": end[0], "character": end[1]}}, "text": text}])
    c.notify("textDocument/didChange", textDocument={"uri": uri("a.c")}, contentChanges={"text": 1})
    c.notify("textDocument/didChange", textDocument={"uri": uri("a.c")}, contentChanges=[{"text": 1}, 5, None])
    assert c.request("textDocument/hover", textDocument={"uri": uri("a.c")},
                     position={"line": 9, "character": 9})["id"]
    assert c.end() == 0


CASES = [f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == "__main__"
         and f.__name__ not in ("write", "database", "apply", "slow_program")]
if __name__ == "__main__":
    wanted = sys.argv[1:]
    sys.exit(run([f for f in CASES if not wanted or f.__name__ in wanted]))
