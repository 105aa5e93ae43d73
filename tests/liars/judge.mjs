// What the browser's verifier says of the files named on standard input, as JSON.
import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';

globalThis.crypto ??= webcrypto;
const { Refused, verifyBundle } = await import('../../rngd/web/verify/verify.js');

async function judge([path, openingsPath], roots, mine) {
  const openings = openingsPath === null ? null : readFileSync(openingsPath, 'utf8');
  try {
    const { code, notChecked, checked } =
      await verifyBundle(readFileSync(path), { roots, openings, mine });
    const [, said] =
      /; repetitions before, as far as this file shows: (\d+)$/m.exec(checked.join('\n')) ?? [];
    return { code, notChecked, repetitions: said === undefined ? null : Number(said) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { code: 1, why: error.message };
  }
}

const { files, roots, mine = null } = JSON.parse(readFileSync(0, 'utf8'));
const trusted = readFileSync(roots);
const verdicts = [];
for (const file of files) verdicts.push(await judge(file, trusted, mine));
console.log(JSON.stringify(verdicts));
