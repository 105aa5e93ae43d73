// client.toml, as `talla keys` writes it: where the appliance is, and by which files it and the
// table know each other.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Misused } from './errors.js';

const LINE = /^\s*([A-Za-z0-9_-]+)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*'|[0-9]+)\s*(?:#.*)?$/;
const TEXTS = ['host', 'server_name', 'certificate', 'key', 'root', 'log_key'];

function valueOf(text) {
  if (text.startsWith("'")) return text.slice(1, -1);
  return JSON.parse(text);
}

/// One member a line: texts and whole numbers, nothing else of TOML.
function parseToml(path) {
  const found = {};
  for (const [i, line] of readFileSync(path, 'utf8').split(/\r?\n/).entries()) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const match = LINE.exec(line);
    if (match === null) throw new Misused(`${path}:${i + 1}: name = "text", or a number`);
    found[match[1]] = valueOf(match[2]);
  }
  return found;
}

/// {host, port, serverName, paths, pem}: `pem` the texts of certificate, key and root.
export function readClientFile(folder) {
  const file = join(folder, 'client.toml');
  const toml = parseToml(file);
  for (const name of TEXTS) {
    if (typeof toml[name] !== 'string') throw new Misused(`${file}: ${name} is missing`);
  }
  if (!Number.isInteger(toml.port)) throw new Misused(`${file}: port is missing`);
  const path = (name) => resolve(folder, toml[name]);
  const pem = Object.fromEntries(['certificate', 'key', 'root', 'log_key'].map((name) =>
    [name, readFileSync(path(name), 'utf8')]));
  return { host: toml.host, port: toml.port, serverName: toml.server_name, pem,
    ended: toml.ended === undefined ? [] : [path('ended')] };
}
