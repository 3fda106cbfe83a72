#!/usr/bin/env bash
# The VS Code extension is built and packed by npm, as its README says. Needs the network.
set -eu
cd "$ROOT"
command -v npm >/dev/null || tools/deps tests/lsp/packages-vscode
mkdir "$TMP/vscode"
git ls-files editors/vscode | while read -r f; do cp -L "$f" "$TMP/vscode/"; done
cd "$TMP/vscode"
npm ci --no-audit --no-fund >npm.log 2>&1 || { cat npm.log; exit 1; }
npm run package >npm.log 2>&1 || { cat npm.log; exit 1; }
python3 - <<'END'
import json, zipfile
z = zipfile.ZipFile("stanch.vsix")
names = set(z.namelist())
for wanted in ("extension.vsixmanifest", "extension/package.json", "extension/dist/extension.js"):
    assert wanted in names, (wanted, sorted(names))
assert not [n for n in names if "node_modules" in n], sorted(names)
assert json.loads(z.read("extension/package.json"))["name"] == "stanch"
assert b"vscode-languageclient" in z.read("extension/dist/extension.js") or b"LanguageClient" in z.read("extension/dist/extension.js")
END
