// The Content-Security-Policy that the daemon sends with each file, read from its source.
import { readFileSync } from 'node:fs';

const source = readFileSync(
  new URL('../../rngd/web/include/web/pages.hpp', import.meta.url), 'utf8');
const plain = [...source.split('content_security_policy =')[1].split(';\n')[0]
  .matchAll(/"([^"]*)"/g)].map(([, text]) => text).join('');
const engines = /engine_pages\{([^}]*)\}/.exec(source)[1].split(',')
  .map((name) => new RegExp(`\\b${name.trim()} = "([^"]+)"`).exec(source)[1]);

/// Of the file with that path.
export const policyOf = (path) => (!engines.includes(path) ? plain
  : plain.replace("script-src 'self'", "$& 'wasm-unsafe-eval'"));
