// The page's files: what their Content-Security-Policy forbids, what they name, how long they are.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { root, web, walk, is_verify, test } from './page_parts.mjs';

const files = walk(web)
  .map((path) => ({ path, name: relative(root, path), text: readFileSync(path, 'utf8') }));

test('no file needs what its Content-Security-Policy forbids', () => {
  for (const { name, text } of files) {
    assert.doesNotMatch(text,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, name);
    assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)[^>]*>/i, `${name}: a script without src`);
    assert.doesNotMatch(text, /<script[^>]*>[^<\s]/i, `${name}: a script with a body`);
    assert.doesNotMatch(text, /<style|\bstyle\s*=\s*["'`]|['"]style['"]/i, `${name}: inline style`);
    assert.doesNotMatch(text, /\son[a-z]+\s*=\s*["']/i, `${name}: inline handler`);
    for (const [url] of text.matchAll(/\b(?:https?:)?\/\/[a-z][\w.-]*\.[a-z]{2,}[^\s"'`]*/gi)) {
      assert.match(url, /^http:\/\/www\.w3\.org\//, `${name}: ${url}`);
    }
  }
});

test('every file that another one names is there', () => {
  for (const { path, name, text } of files) {
    const named = [
      ...text.matchAll(/\b(?:import|from)\s*\(?\s*['"](\.[^'"]+)['"]/g),
      ...(path.endsWith('.html') ? text.matchAll(/\b(?:src|href)="(?!data:|#|\/)([^"?#]+)/g) : []),
      ...(path.endsWith('.js') ? text.matchAll(/href: [`'](?!#|\/)([^`'?#$]+)/g) : []),
      ...(path.endsWith('.css') ? text.matchAll(/url\(["']?(?!data:)([^"')]+)/g) : []),
    ].map(([, target]) => target);
    for (const target of named) {
      // A link made by a module is relative to the page, which lies in the folder itself.
      const base = path.endsWith('.js') && !target.startsWith('.') ? web : dirname(path);
      const full = resolve(base, target);
      if (is_verify(full)) continue;
      const file = target.endsWith('/') ? join(full, 'index.html') : full;
      assert.ok(statSync(file, { throwIfNoEntry: false })?.isFile(), `${name} names ${target}`);
    }
  }
});

test('modules are small, lines short, and each begins with what it is for', () => {
  for (const { path, name, text } of files.filter((one) => !is_verify(one.path))) {
    const lines = text.split('\n');
    assert.ok(lines.length <= 251, `${name}: ${lines.length} lines`);
    lines.forEach((line, i) => assert.ok([...line].length <= 120, `${name}:${i + 1} is too long`));
    if (!path.endsWith('.html')) assert.match(text, /^(\/\/ |\/\* )/, `${name}: no head comment`);
  }
});
