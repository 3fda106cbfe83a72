// A small driver for headless Chromium: its debugging protocol over two pipes, so that the
// browser test needs no package beyond the browser and node.
'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

class Chrome {
  constructor() {
    this.home = fs.mkdtempSync(path.join(os.tmpdir(), 'chrome-'));
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
      '--disable-dev-shm-usage', '--hide-scrollbars=false', '--remote-debugging-pipe',
      `--user-data-dir=${this.home}`, 'about:blank'];
    this.child = spawn('chromium', flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true });
    this.next = 1;
    this.waiting = new Map();
    this.listeners = [];
    let rest = '';
    this.child.stdio[4].setEncoding('utf8');
    this.child.stdio[4].on('data', chunk => {
      const parts = (rest + chunk).split('\0');
      rest = parts.pop();
      for (const part of parts) this.take(JSON.parse(part));
    });
    this.child.on('exit', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('chromium ended'));
    });
  }

  take(message) {
    if (!message.id) {
      for (const listener of this.listeners) listener(message);
      return;
    }
    const { resolve, reject } = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) reject(new Error(JSON.stringify(message.error)));
    else resolve(message.result);
  }

  send(method, params = {}, sessionId) {
    const id = this.next++;
    this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  // A page of the given size; its `problems` collect console errors, exceptions, refused
  // resources and requests for anything but the file itself.
  async page(width, height, colors = 'light') {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'Audits', 'DOM'])
      await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await page.colors(colors);
    return page;
  }

  async close() {
    await this.send('Browser.close').catch(() => {});
    if (this.child.exitCode === null)
      await Promise.race([new Promise(done => this.child.on('exit', done)), new Promise(done => setTimeout(done, 3000))]);
    if (this.child.exitCode === null) process.kill(-this.child.pid, 'SIGKILL');
    fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(chrome, session) {
    this.chrome = chrome;
    this.session = session;
    this.problems = [];
    this.loaded = () => {};
    chrome.listeners.push(m => {
      if (m.sessionId !== session) return;
      const p = m.params;
      if (m.method === 'Page.loadEventFired') this.loaded();
      if (m.method === 'Runtime.exceptionThrown')
        this.problems.push(`exception: ${(p.exceptionDetails.exception || {}).description || p.exceptionDetails.text}`);
      if (m.method === 'Runtime.consoleAPICalled') this.problems.push(`console: ${JSON.stringify(p.args)}`);
      if (m.method === 'Log.entryAdded') this.problems.push(`log: ${p.entry.text}`);
      if (m.method === 'Audits.issueAdded' && p.issue.code === 'ContentSecurityPolicyIssue') this.problems.push(`issue: ${JSON.stringify(p.issue)}`);
      if (m.method === 'Network.requestWillBeSent' && p.request.url.split('#')[0] !== this.url)
        this.problems.push(`request: ${p.request.url}`);
      if (m.method === 'Page.javascriptDialogOpening') this.problems.push('a dialog opened');
    });
  }

  send(method, params) { return this.chrome.send(method, params, this.session); }

  async open(file, hash = '') {
    this.url = `file://${encodeURI(file)}`;
    const loaded = new Promise(done => { this.loaded = done; });
    await this.send('Page.navigate', { url: this.url + hash });
    await loaded;
  }

  // The value of an expression in the page; promises are waited for.
  async get(expression) {
    const r = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true, allowUnsafeEvalBlockedByCSP: false });
    if (r.exceptionDetails) throw new Error(`${expression}: ${r.exceptionDetails.exception.description}`);
    return r.result.value;
  }

  async settled() { await this.get('new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))'); }

  async key(key, text = key.length === 1 ? key : undefined) {
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
    await this.settled();
  }

  async type(text) { for (const c of text) await this.key(c); }

  async click(selector) {
    const at = await this.get(`(() => { const e = document.querySelector(${JSON.stringify(selector)});
      if (!e) return null;
      e.scrollIntoView({ block: 'nearest' });
      const b = e.getBoundingClientRect();
      return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; })()`);
    if (!at) throw new Error(`nothing to click: ${selector}`);
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 });
    await this.settled();
  }

  async colors(value) {
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
  }

  async shot(file) {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }
}

module.exports = { Chrome };
