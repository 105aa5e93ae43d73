// What the browser's verifier says of the files named on standard input, as JSON.
import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

globalThis.crypto ??= webcrypto;
const { Refused, verifyBundle } = await import('../../rngd/web/verify/verify.js');
const { storyOf } = await import('../../rngd/web/verify_story.js');

async function judge([path, openingsPath], roots, mine, settle) {
  const openings = openingsPath === null ? null : readFileSync(openingsPath, 'utf8');
  try {
    const result = await verifyBundle(readFileSync(path), { roots, openings, mine, settle });
    const { code, notChecked, checked, settled } = result;
    // What the page says first, of what is no play.
    const story = code === 4 ? ['en', 'es'].map((one) => storyOf(one, result, null, 'browser')[0])
      : null;
    const [, said] =
      /; repetitions before, as far as this file shows: (\d+)$/m.exec(checked.join('\n')) ?? [];
    const repetitions = said === undefined ? null : Number(said);
    return { code, notChecked, settled, story, repetitions };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { code: 1, why: error.message };
  }
}

/// The engines of the page, from the folder where rngd/packaging/settle left them; null: none.
async function settling(folder) {
  if (folder === null) return null;
  const { MODULE } = await import(pathToFileURL(join(folder, 'digest.js')));
  const { enginesOf } = await import('../../rngd/web/settle/settle.js');
  const engines = await enginesOf(readFileSync(join(folder, 'settle.wasm.gz')), MODULE);
  return async (text) => engines.settleBundle(text);
}

const { files, roots, mine = null, engines = null } = JSON.parse(readFileSync(0, 'utf8'));
const trusted = readFileSync(roots);
const settle = await settling(engines);
const verdicts = [];
for (const file of files) verdicts.push(await judge(file, trusted, mine, settle));
console.log(JSON.stringify(verdicts));
