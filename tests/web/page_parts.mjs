// What the tests of the page share: its modules, loaded in a document of a few lines, its files and
// its cases.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { failures, test as run } from './harness.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const web = join(root, 'rngd/web');

export const load = (name) => import(pathToFileURL(join(web, 'app', name)).href);

/// Every file of the page below a folder.
export function walk(folder) {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return walk(path);
    return ['.html', '.css', '.js'].includes(extname(path)) ? [path] : [];
  });
}
/// Whether it is of the verifier and not of the page.
export function is_verify(path) {
  return relative(web, path).startsWith('verify');
}

const running = [];
/// A case; all run when the file that has it is loaded.
export const test = (name, body) => running.push(run(name, body));
/// True when every case passed.
export async function all_passed() {
  await Promise.all(running);
  return failures() === 0;
}

// A document of elements that only remember what they were given.
export class Node {
  constructor(name, space) {
    Object.assign(this,
      { name, space, attributes: {}, children: [], dataset: {}, clientWidth: 600, listeners: {} });
  }
  setAttribute(name, value) { this.attributes[name] = value; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  addEventListener(name, listener) { this.listeners[name] = listener; }
  closest() { return null; }
  get textContent() { return this.children.map((one) => one.textContent ?? String(one)).join(''); }
  set textContent(text) { this.children = [text]; }
  get value() { return this.chosen; }
  set value(value) {
    this.chosen = value;
    this.selectedIndex = this.children.findIndex((one) => one.attributes.value === value);
  }
  all(name) {
    return this.children.filter((one) => one instanceof Node)
      .flatMap((one) => [...(one.name === name ? [one] : []), ...one.all(name)]);
  }
}
globalThis.document = {
  createElement: (name) => new Node(name),
  createElementNS: (space, name) => new Node(name, space),
};

export const { words } = await load('words.js');
export const language = await load('language.js');
export const scale = await load('scale.js');
export const format = await load('format.js');
export const { problem_text } = await load('problem.js');
export const records = await load('records.js');
export const { History, figures_of } = await load('history.js');
export const shape = { ...await load('shape.js'), ...await load('api.js') };
export const { draw_plot } = await load('plot.js');
export const state = await load('state.js');
export const statistics = await load('statistics.js');
export const returns = await load('returns.js');
export const month = await load('month.js');
export const game = await load('game.js');
export const [chance, counts, house, money, qr, router, search] = await Promise.all(
  ['chance', 'counts', 'house', 'money', 'qr', 'router', 'log_search']
    .map((one) => load(`${one}.js`)));
export const spoken_language =
  await import(pathToFileURL(join(web, 'verify_language.js')).href);
export const pieces = await import(pathToFileURL(join(web, 'verify_pieces.js')).href);
export const [en, es] = ['en', 'es'].map(language.words_of);

export const openapi = JSON.parse(readFileSync(join(root, 'rngd/openapi.json'), 'utf8'));
export const schemas = openapi.components.schemas;
export const format_page = readFileSync(join(root, 'certs/FORMAT.md'), 'utf8');
