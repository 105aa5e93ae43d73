// A real Chromium for tests, over its own debugging pipe: no package, no port. One page at a time;
// what it throws or logs as an error is kept.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const patience_ms = 60_000;
const close_patience_ms = 5_000;
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium',
  '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/// Where it is installed, or undefined.
export const chromium = programs.find((one) => existsSync(one));

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/// One family of letters for every machine that runs the tests.
const fonts = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/conf.d</include><reset-dirs/>
<dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>CACHE</cachedir></fontconfig>`;

class Pipe {
  constructor(process) {
    this.out = process.stdio[3];
    this.waiting = new Map();
    this.listeners = [];
    this.last = 0;
    let rest = '';
    process.stdio[4].setEncoding('utf8');
    process.stdio[4].on('data', (text) => {
      const parts = (rest + text).split('\0');
      rest = parts.pop();
      for (const part of parts) this.hear(JSON.parse(part));
    });
  }

  hear(message) {
    if (message.id === undefined) {
      for (const listener of this.listeners) listener(message);
      return;
    }
    const { resolve, reject } = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) reject(new Error(JSON.stringify(message.error)));
    else resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    this.last += 1;
    const id = this.last;
    this.out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
    });
  }
}

export class Browser {
  static async start() {
    const folder = mkdtempSync(join(tmpdir(), 'chromium-'));
    const config = join(folder, 'fonts.conf');
    writeFileSync(config, fonts.replace('CACHE', join(folder, 'fonts')));
    const process = spawn(chromium, ['--headless=new', '--no-sandbox', '--remote-debugging-pipe',
      '--hide-scrollbars', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
      '--force-color-profile=srgb', '--font-render-hinting=none', '--disable-lcd-text',
      '--disable-background-networking', '--disable-component-update',
      `--user-data-dir=${folder}`], {
        env: { ...globalThis.process.env, FONTCONFIG_FILE: config },
        stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    const browser = new Browser();
    Object.assign(browser, { folder, process, pipe: new Pipe(process), errors: [] });
    await browser.pipe.send('Target.setDiscoverTargets', { discover: true });
    return browser;
  }

  /// A fresh page without memory of others. look: width, height, language, dark, zone.
  async open(look = {}) {
    const { width = 1280, height = 900, language = 'en', dark = false,
      zone = 'Europe/Madrid', motion = false } = look;
    const { browserContextId } = await this.pipe.send('Target.createBrowserContext');
    const { targetId } = await this.pipe.send('Target.createTarget',
                                              { url: 'about:blank', browserContextId });
    const { sessionId } = await this.pipe.send('Target.attachToTarget',
                                               { targetId, flatten: true });
    const page = new Page(this, sessionId, browserContextId);
    page.width = width;
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride',
                    { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await page.send('Emulation.setTimezoneOverride', { timezoneId: zone });
    await page.send('Emulation.setLocaleOverride', { locale: language });
    await page.send('Network.setUserAgentOverride',
                    { userAgent: 'Talla test', acceptLanguage: language });
    await page.send('Emulation.setEmulatedMedia', { features: [
      { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
      { name: 'prefers-reduced-motion', value: motion ? 'no-preference' : 'reduce' }] });
    return page;
  }

  async stop() {
    // It may end before it has answered; one that does not end is killed.
    const { process, pipe } = this;
    const exited = process.exitCode !== null || process.signalCode !== null
      || new Promise((resolve) => { process.once('exit', resolve); });
    pipe.out.on('error', () => {});
    pipe.send('Browser.close').catch(() => {});
    const late = setTimeout(() => process.kill('SIGKILL'), close_patience_ms);
    await exited;
    clearTimeout(late);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(browser, session, context) {
    Object.assign(this, { browser, session, context, errors: [] });
    browser.pipe.listeners.push((message) => {
      if (message.sessionId !== session) return;
      const { method, params } = message;
      if (method === 'Runtime.exceptionThrown') {
        const { exceptionDetails: one } = params;
        this.errors.push(one.exception?.description ?? one.text);
      }
      if (method === 'Log.entryAdded' && params.entry.source === 'security') {
        this.errors.push(params.entry.text);
      }
    });
  }

  send(method, params) {
    return this.browser.pipe.send(method, params, this.session);
  }

  async go(url) {
    await this.send('Page.navigate', { url });
    await this.until('document.readyState === "complete"', `loaded ${url}`);
  }

  /// The value of an expression in the page.
  async value(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true, userGesture: true });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  async until(expression, what = expression) {
    for (const end = Date.now() + patience_ms; Date.now() < end;) {
      if (await this.value(expression)) return;
      await sleep(50);
    }
    throw new Error(`never: ${what}; the page says: ` +
      `${(await this.text('body')).slice(0, 1500)}; errors: ${this.errors}`);
  }

  text(selector) {
    return this.value(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);
  }

  click(selector) {
    return this.value(`document.querySelector(${JSON.stringify(selector)}).click()`);
  }

  /// As a person's key: Tab, Enter, a letter.
  async key(key) {
    const codes = { Tab: 9, Enter: 13 };
    const more = key === 'Enter' ? { text: '\r' } : {};
    const event = { key, code: key, windowsVirtualKeyCode: codes[key] ?? 0, ...more };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  /// Gives files to a field, as a person chooses them.
  async choose(selector, ...files) {
    const { root } = await this.send('DOM.getDocument');
    const { nodeId } = await this.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    await this.send('DOM.setFileInputFiles', { nodeId, files });
  }

  /// How many pixels the page is wider than the screen; 0: it fits. `innerWidth` cannot tell: on a
  /// phone it grows with what is too wide.
  async excess() {
    const wide = await this.value('document.documentElement.scrollWidth');
    return Math.max(0, wide - this.width);
  }

  /// PNG of the whole page, at most so high.
  async picture(height_max = 2400) {
    const height = Math.min(height_max, await this.value('document.documentElement.scrollHeight'));
    const width = await this.value('innerWidth');
    const { data } = await this.send('Page.captureScreenshot', { format: 'png',
      captureBeyondViewport: true, clip: { x: 0, y: 0, width, height, scale: 1 } });
    return Buffer.from(data, 'base64');
  }

  close() {
    return this.browser.pipe.send('Target.disposeBrowserContext',
                                  { browserContextId: this.context });
  }
}
