// Goal: the browser's verifier refuses the lies about a table's chain that unit_verify tells, each
//   by its code, and takes the true files beside them.
// Method: a folder of bundles named chain-CODE-WHAT.talla and true_chain-WHAT.talla.
//   usage: node chain_lies_test.mjs FOLDER ROOTS (verify_bundle_test.py makes and gives it)
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto;
const { verifyBundle } = await import('../../rngd/web/verify/verify.js');

const [folder, rootsFile] = process.argv.slice(2);
const roots = readFileSync(rootsFile);
const files = readdirSync(folder).filter((name) => /^(true_)?chain-.*\.talla$/.test(name));
let failures = 0;

async function judge(name) {
  try {
    const text = readFileSync(join(folder, name));
    const beside = join(folder, name.replace(/talla$/, 'mine'));
    const mine = existsSync(beside) ? readFileSync(beside, 'utf8') : null;
    const given = join(folder, name.replace(/talla$/, 'openings'));
    const openings = existsSync(given) ? readFileSync(given, 'utf8') : null;
    const { code } = await verifyBundle(text, { roots, openings, mine });
    return `taken with code ${code}`;
  } catch (error) {
    return error.message;
  }
}

for (const name of files) {
  const said = await judge(name);
  const wanted = name.startsWith('true_') ? 'taken with code 3' : name.split('-')[1];
  if (said.includes(wanted)) continue;
  failures += 1;
  console.log(`FAILED ${name}: ${said}`);
}
console.log(`${files.length} files, ${failures} failures`);
process.exit(failures > 0 || files.length < 20 ? 1 : 0);
