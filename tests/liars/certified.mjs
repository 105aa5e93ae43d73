// What the browser's verifier says of certifications, for the cases on standard input, as JSON.
import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';

globalThis.crypto ??= webcrypto;
const { Refused, verifyBundle } = await import('../../rngd/web/verify/verify.js');

async function judge({ text, roots, certification, more, withdrawals }) {
  const pem = Object.fromEntries(Object.entries(certification).map(([kind, path]) =>
    [kind, readFileSync(path, 'utf8')]));
  try {
    const verdict = await verifyBundle(text, {
      roots: readFileSync(roots, 'utf8'), certification: { roots: pem, more, withdrawals },
    });
    return { code: verdict.code, certification: verdict.certification };
  } catch (error) {
    if (!(error instanceof Refused) || error.message.startsWith('the verifier failed')) throw error;
    return { code: 1, why: error.message };
  }
}

const verdicts = [];
for (const one of JSON.parse(readFileSync(0, 'utf8'))) verdicts.push(await judge(one));
console.log(JSON.stringify(verdicts));
