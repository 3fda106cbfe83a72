"""The manifest of the VS Code extension against the server and the Makefile."""
import json
import os
import re
import subprocess
import sys

root = os.environ["ROOT"]
here = os.path.join(root, "editors/vscode")
failed = []


def check(ok, text):
    if not ok:
        failed.append(text)


def read(*path):
    with open(os.path.join(root, *path)) as f:
        return f.read()


manifest = json.loads(read("editors/vscode/package.json"))
for member in ("name", "displayName", "description", "version", "publisher", "license", "engines", "main",
               "activationEvents", "contributes", "scripts"):
    check(manifest.get(member), "package.json lacks " + member)
version = re.search(r"^VERSION\s*:?=\s*(\S+)", read("Makefile"), re.M)
check(version and manifest["version"] == version[1], "the version differs from the Makefile's")
check(re.fullmatch(r"\^\d+\.\d+\.\d+", manifest["engines"]["vscode"]), "engines.vscode is no range")
check(manifest["license"] == "MIT" and "MIT" in read("LICENSE"), "the license differs")

# Each setting of the server is in the manifest with its type, and each of the manifest's is the server's.
types = {"TEXT": "string", "TEXTS": "array", "NUMBER": "integer", "YES_NO": "boolean"}
server = {n: types[t] for n, t in re.findall(r'\{"(\w+)", (\w+), offsetof', read("src/lsp/settings.c"))}
check(len(server) > 8, "the table of settings was not found")
server["enable"] = "boolean"
shown = {k: v for k, v in manifest["contributes"]["configuration"]["properties"].items()}
for name, kind in server.items():
    p = shown.pop("stanch." + name, None)
    check(p and p["type"] == kind and p.get("description") and "default" in p, "stanch.%s is not as the server has it" % name)
    check(p and p.get("scope") == "resource", "stanch.%s is not for each folder" % name)
check(list(shown) == ["stanch.path"], "settings that the server does not know: %s" % list(shown))
# A workspace must not choose what is executed.
check(shown.get("stanch.path", {}).get("scope") == "machine", "stanch.path can be set by a workspace")
doc = read("doc/editor.md")
for name in server:
    check("`%s`" % name in doc, "doc/editor.md does not tell of " + name)

# Commands: the server's, and those that the extension registers.
source = read("editors/vscode/extension.js")
known = set(re.findall(r'registerCommand\("([\w.]+)"', source)) | set(re.findall(r'"(stanch\.\w+)"', read("src/lsp/serve.c")))
commands = {c["command"] for c in manifest["contributes"]["commands"]}
check(commands == known, "commands: %s in the manifest, %s in the code" % (sorted(commands), sorted(known)))
check("--outfile=" + manifest["main"][2:] in manifest["scripts"]["build"], "main is not what build makes")
for used in re.findall(r'require\("([^."/]+)', source):
    check(used == "vscode" or used in manifest["devDependencies"], used + " is not among the dependencies")

lock = json.loads(read("editors/vscode/package-lock.json"))
check(lock["packages"][""]["devDependencies"] == manifest["devDependencies"], "package-lock.json is of another manifest")
check(subprocess.run(["node", "--check", os.path.join(here, "extension.js")]).returncode == 0, "extension.js does not parse")
if os.path.isdir(os.path.join(root, ".git")) or os.path.isfile(os.path.join(root, ".git")):
    tracked = subprocess.run(["git", "-C", root, "ls-files", "editors"], capture_output=True, text=True).stdout
    check(not re.search(r"node_modules|\.vsix|dist/", tracked), "what npm makes is in the repository")
for text in failed:
    print("FAIL", text)
sys.exit(1 if failed else 0)
