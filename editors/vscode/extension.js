// Starts `stanch lsp` for C and C++ files and leaves the rest to the language client.
"use strict";
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

async function start() {
  const path = vscode.workspace.getConfiguration("stanch").get("path", "stanch");
  const server = { command: path, args: ["lsp"] };
  client = new LanguageClient("stanch", "stanch", server, {
    documentSelector: [
      { scheme: "file", language: "c" },
      { scheme: "file", language: "cpp" },
    ],
    synchronize: {
      configurationSection: "stanch",
      fileEvents: vscode.workspace.createFileSystemWatcher("**/compile_commands.json"),
    },
  });
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(
      `stanch cannot be started as '${path}': ${error}`, "Open Settings");
    if (choice) vscode.commands.executeCommand("workbench.action.openSettings", "stanch.path");
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old && old.needsStop()) await old.stop();
}

async function restart() {
  await stop();
  await start();
}

// A workspace decides what is compiled and with which headers, so it has to be trusted first.
exports.activate = async function (context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("stanch.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("stanch.path")) restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (!client) start();
    }));
  if (vscode.workspace.isTrusted) await start();
};

exports.deactivate = stop;
