// Goal: the browser's verifier says of every bundle what the Python verifier says, and takes no
//   damage and no lie.
// Method: the frozen bundles as they are, with changed bytes, cut short, and signed anew with lies;
//   what it takes but the frozen ones the Python verifier must take too. usage: node
//   verify_test.mjs (Node 18 or later, python3, openssl)
import { execFile } from 'node:child_process';
import { generateKeyPairSync, webcrypto } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { check, failures, interpreter, numbers, test } from './harness.mjs';
import { partsTest } from './parts_test.mjs';
import { Pki } from './pki.mjs';
import { canonical, recordsOf, rotatedBundle, signedBundle } from './signed_log.mjs';
import { lies, releasedStory } from './stories.mjs';

globalThis.crypto ??= webcrypto;
const { Refused, verifyBundle } = await import('../../rngd/web/verify/verify.js');

const here = dirname(fileURLToPath(import.meta.url));
const frozen = join(here, '..', 'unit', 'verify', 'frozen');
const python = join(here, '..', 'verify_bundle.py');
const CHANGES = 300;  // of bytes, for each bundle
const LIES = 120;  // told of each bundle, at even distances through all that are known
const folder = mkdtempSync(join(tmpdir(), 'verify-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let written = 0;
function file(content) {
  const path = join(folder, String(written++));
  writeFileSync(path, content);
  return path;
}

/// Exit code and lines of the Python verifier.
function byPython(text, roots, openings = null) {
  const beside = openings === null ? [] : ['--openings', file(openings)];
  return new Promise((resolve) => {
    execFile(interpreter, [python, file(text), file(roots), ...beside], (error, out) => {
      resolve({ code: error === null ? 0 : error.code, lines: out.split('\n') });
    });
  });
}

/// The verdict, or the refusal; anything else than `Refused` is a fault of the verifier.
async function judge(text, roots, openings = null) {
  try {
    return await verifyBundle(text, { roots, openings });
  } catch (error) {
    check(error instanceof Refused, `not refused but thrown: ${error.stack}`);
    check(!error.message.startsWith('the verifier failed'), error.message);
    return { code: 1, why: error.message };
  }
}

async function refused(text, roots, what, openings = null) {
  const { code } = await judge(text, roots, openings);
  check(code === 1, `${what} is taken`);
}

function starting(lines, start) {
  return lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
}

async function agrees(text, roots, openings = null) {
  const [mine, theirs] =
    await Promise.all([judge(text, roots, openings), byPython(text, roots, openings)]);
  check(mine.code === theirs.code,
    `code ${mine.code} (${mine.why ?? ''}), Python ${theirs.code} ${theirs.lines[0]}`);
  if (mine.code === 1) return mine;
  const first = [`verified: ${mine.verdict}. Proven: ${mine.proven.en}`,
    `NOT proven: ${mine.notProven.en}`, `claim: ${mine.claim.words}`];
  check(first.join('\n') === theirs.lines.slice(0, 3).join('\n'),
    `${first}, Python ${theirs.lines.slice(0, 3)}`);
  const [checked, theirChecked] = [mine.checked, starting(theirs.lines, 'checked: ')]
    .map((lines) => lines.join('\n'));
  check(checked === theirChecked, `checked:\n${checked}\nPython:\n${theirChecked}`);
  const missing = starting(theirs.lines, 'not checked: ')
    .filter((line) => !mine.notChecked.includes(line));
  check(missing.length === 0, `not said to be unchecked: ${missing}`);
  check(mine.notChecked.some((line) => line.startsWith('end of logs')),
    'ended logs are not said to be unchecked');
  return mine;
}

/// One byte changed at each of many places, in many ways.
async function damage(bytes, roots, next) {
  let taken = 0;
  for (let i = 0; i < CHANGES; ++i) {
    const changed = Buffer.from(bytes);
    const begin = Math.floor((i * bytes.length) / CHANGES);
    const end = Math.floor(((i + 1) * bytes.length) / CHANGES);
    const at = begin + next(end - begin);
    changed[at] ^= i % 2 === 0 ? 1 << next(8) : 1 + next(255);
    const { code } = await judge(changed, roots);
    if (code === 1) continue;
    taken += 1;
    check((await byPython(changed, roots)).code === code,
      `byte ${at} changed is taken, but not by Python`);
  }
  return `${CHANGES} changed bytes, ${taken} of no meaning`;
}

async function misshapen(bytes, roots) {
  const text = bytes.toString();
  for (let i = 0; i < 20; ++i) {
    await refused(bytes.subarray(0, Math.floor((i * bytes.length) / 20)), roots, 'a cut file');
  }
  await refused(bytes.subarray(0, bytes.length - 1), roots, 'a file cut by one byte');
  await refused(`${text}\n`, roots, 'a file with a line end');
  await refused(`\ufeff${text}`, roots, 'a byte order mark');
  await refused(text.replace('{"', '{"checkpoint":"x","'), roots, 'a member twice');
  await refused(text.replace(/}$/, ',"v":2}'), roots, 'v twice');
  await refused(text.replace(/}$/, ',"w":1}'), roots, 'a member unknown');
  await refused(text.replace('"v":2}', '"v":1}'), roots, 'another version');
  await refused(text.replace('"seq\\":', '"seq\\":1,\\"seq\\":'), roots,
    'a member of a record twice');
  const bundle = JSON.parse(text);
  const [first, second] = bundle.records;
  const swapped = { ...bundle, records: [second, first, ...bundle.records.slice(2)] };
  await refused(canonical(swapped), roots, 'swapped records');
  const crossed = [{ ...first, path: second.path }, { ...second, path: first.path },
    ...bundle.records.slice(2)];
  await refused(canonical({ ...bundle, records: crossed }), roots, 'paths of other records');
  const missing = { ...bundle, records: bundle.records.slice(1) };
  await refused(canonical(missing), roots, 'a bundle without TABLE_OPEN');
  const wrongPath = [{ ...first, path: [...first.path].reverse() }, ...bundle.records.slice(1)];
  await refused(canonical({ ...bundle, records: wrongPath }), roots, 'a path in another order');
  const longPath = [{ ...first, path: [...first.path, first.path[0]] }, ...bundle.records.slice(1)];
  await refused(canonical({ ...bundle, records: longPath }), roots, 'a path too long');
}

/// What a chain may have wrong, and a piece of the refusal that it must meet.
const FAULTY_CHAINS = {
  'an expired certificate': ['certificate 1: not valid at',
    { signer: { notAfter: new Date('2025-12-31T12:00:00Z') } }],
  'an expired root': ['certificate 2: not valid at',
    { root: { notAfter: new Date('2025-12-31T12:00:00Z') } }],
  'a certificate of the future': [
    'certificate 1: not valid at', { signer: { notBefore: new Date('2026-06-01T00:00:00Z') } },
  ],
  'a certificate of another log': ['names another log',
    { signer: { uri: 'talla:log:casino.example/talla-2' } }],
  'a certificate without a name': ['names another log', { signer: { uri: null } }],
  'a key that is not for signatures': ['not for signatures', { signer: { usage: 0x20 } }],
  'a key that is for nothing': ['not for signatures', { signer: { usage: null } }],
  'a key that signs certificates too': ['for signatures alone', { signer: { usage: 0x84 } }],
  'an authority that signs for a log': ['for signatures alone',
    { signer: { authority: true, usage: 0x86 } }],
  'a server that signs for a log': ['for signatures alone', { signer: { server: true } }],
  'an unknown critical extension': ['critical extension', { signer: { unknown: true } }],
  'another issuer key': ['another key', { signer: { wrongIssuerKey: true } }],
  'an issuer that is no authority': ['no certificate authority', { middle: { authority: false } }],
  'a root that signs no certificates': ['no certificate authority', { root: { usage: 0x80 } }],
  'a path longer than allowed': ['longer than', { middle: {}, root: { pathLength: 0 } }],
  'a development mark that disagrees': ['development mark', { statement: { development: false } }],
};

const read = (name) => readFileSync(join(frozen, name));
const frozenRoots = read('roots.pem');
const names = readdirSync(frozen).filter((name) => name.endsWith('.talla')).sort();
const pki = new Pki();
const other = new Pki();

await partsTest(numbers(7));
check(names.length > 0, 'no frozen bundle');
const next = numbers(20260101);
for (const name of names) {
  const bytes = read(name);
  await test(`${name} as it is`, async () => {
    const { code, verdict } = await agrees(bytes, frozenRoots);
    check(code === 3, `code ${code}`);
    return verdict;
  });
  await test(`${name} with another root`, () => refused(bytes, other.rootsPem, 'a foreign root'));
  await test(`${name} damaged`, () => damage(bytes, frozenRoots, next));
  await test(`${name} misshapen`, () => misshapen(bytes, frozenRoots));
}
for (const name of ['shoe.talla', 'spin.talla']) {
  const bundle = JSON.parse(read(name));
  const again = signedBundle(bundle, recordsOf(bundle), pki);
  await test(`${name} signed anew`, async () => (await agrees(again, pki.rootsPem)).verdict);
}
const shoe = JSON.parse(read('shoe.talla'));
await test('a chain with an authority between', async () => {
  const long = new Pki({ middle: { pathLength: 0 }, development: false });
  const { verdict } = await agrees(signedBundle(shoe, recordsOf(shoe), long), long.rootsPem);
  check(verdict === 'uncertified', verdict);
});
for (const [what, [words, terms]] of Object.entries(FAULTY_CHAINS)) {
  const faulty = new Pki(terms);
  await test(what, async () => {
    const { code, why } =
      await agrees(signedBundle(shoe, recordsOf(shoe), faulty), faulty.rootsPem);
    check(code === 1 && why.includes(words), `${code}, ${why}`);
  });
}
await test('a statement signed for another log key', () =>
  refused(signedBundle(shoe, recordsOf(shoe), pki, { log_key: other.logKey() }), other.rootsPem,
    'another log key'));
await test('trusted roots that are none', async () => {
  for (const roots of ['', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    frozenRoots.subarray(0, 300)]) {
    await refused(read('shoe.talla'), roots, 'a broken root file');
  }
});
await test('a log whose key has changed', async () => {
  const keys = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const rotated = rotatedBundle(shoe, recordsOf(shoe), pki, keys);
  await agrees(canonical(rotated), pki.rootsPem);
  const { key_changes: [change], ...hidden } = rotated;
  await refused(canonical(hidden), pki.rootsPem, 'a change that is not shown');
  await refused(canonical({ ...rotated, log_key: pki.logKey(keys[1]) }), pki.rootsPem,
    'a key that follows none');
  const wrongs = [
    { consistency: [] }, { consistency: change.consistency.map(() => change.path[0]) },
    { consistency: [...change.consistency, change.path[0]] }, { path: change.path.slice(1) },
    { log_key: pki.logKey(keys[1]) }, { record: change.record.replace('"boot":1', '"boot":2') },
  ];
  for (const wrong of wrongs) {
    const lie = { ...rotated, key_changes: [{ ...change, ...wrong }] };
    await refused(canonical(lie), pki.rootsPem, Object.keys(wrong)[0]);
  }
});
await test('a covered shoe with its openings', async () => {
  const openings = JSON.parse(read('covered-again.openings'));
  const bundle = JSON.parse(read('covered-again.talla'));
  const text = signedBundle(bundle, recordsOf(bundle), pki);
  await agrees(text, pki.rootsPem);
  const { checked } = await agrees(text, pki.rootsPem, canonical(openings));
  check(checked.some((line) => line.includes('was run again')), 'not run again');
  const [first, ...rest] = openings.roots;
  const otherTape = { ...first, tape: (first.tape[0] === 'A' ? 'B' : 'A') + first.tape.slice(1) };
  const wrongs = [
    { close: openings.close + 1 }, { origin: 'another' }, { shoe: 'shoe-99' }, { roots: rest },
    { roots: [otherTape, ...rest] }, { roots: [...rest, first] }, { v: 1 },
  ];
  for (const wrong of wrongs) {
    await refused(text, pki.rootsPem, Object.keys(wrong)[0], canonical({ ...openings, ...wrong }));
  }
});
await test('a shoe released to a machine', async () => {
  for (const truth of [true, false]) {
    const { bundle, records } = releasedStory(JSON.parse(read('shoe.talla')), truth);
    const { code } = await agrees(signedBundle(bundle, records, pki), pki.rootsPem);
    check(code === (truth ? 3 : 1), `a ${truth ? 'true' : 'false'} match: code ${code}`);
  }
});
for (const name of names) {
  const bundle = JSON.parse(read(name));
  await test(`${name}: lies, well signed`, async () => {
    const all = lies(recordsOf(bundle));
    const bin = (i) => Math.floor((i * LIES) / all.length);
    const told = all.filter((_, i) => bin(i) !== bin(i - 1));
    for (const [what, records] of told) await refused(signedBundle(bundle, records, pki),
      pki.rootsPem, what);
    return `${told.length} of ${all.length} lies`;
  });
}
console.log(failures() === 0 ? 'all hold' : `${failures()} failures`);
process.exit(failures() === 0 ? 0 : 1);
