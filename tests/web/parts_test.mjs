// The verifier's parts by themselves: canonical JSON, DER, tree proofs, tapes, spellings (FORMAT.md
// 1, 3, 7 and 11).
import { createHash } from 'node:crypto';

import { check, test } from './harness.mjs';
import { consistencyOf, pathOf, rootOf as slowRootOf } from './signed_log.mjs';

const verify = (name) => import(`../../rngd/web/verify/${name}.js`);

const CANONICAL = [
  '0', '-1', '9007199254740991', '-9007199254740991', 'true', 'false', '""', '[]', '{}', '"\u007f"',
  '"é€😀"',
  '"\\"\\\\/\\n\\u001f"', '{"":0,"A":1,"a":[1,2,{"b":false}]}', '{"10":1,"9":2}',
  '{"__proto__":1,"constructor":2}',
  '{"😀":1,"\ue000":2}',
];
const NOT_CANONICAL = [
  '', ' 0', '0 ', '00', '-0', '+1', '1.0', '1e3', '1E3', '0x1', '9007199254740992',
  '-9007199254740992', '-', '[1.5]',
  '99999999999999999999', 'null', 'NaN', 'Infinity', 'True', '"', '"\n"', '"\\u0041"', '"\\/"',
  '"\\u000a"',
  '"\\u001F"', '"\\x41"', '"\\ud800"', '"\ud800"', '"\\', '"\\u00', "'a'", '[1,]', '[,1]', '[1 ,2]',
  '[1', '[]]',
  '{"a":1,}', '{"a" :1}', '{"b":1,"a":2}', '{"a":1,"a":1}', '{"a"}', '{a:1}', '{"a":1', '{}{}',
  '{"a":null}', '{"a":-}',
  '{"\ue000":2,"😀":1}', '\ufeff{}', `${'['.repeat(40)}${']'.repeat(40)}`,
];

async function refusedBy(work) {
  const { Refused } = await verify('refused');
  try {
    await work();
    return false;
  } catch (error) {
    if (error instanceof Refused) return true;
    throw error;
  }
}

async function json(next) {
  const { canonical, parse } = await verify('json');
  for (const text of CANONICAL) check(canonical(parse(text)) === text,
    `another value than ${text}`);
  for (const text of NOT_CANONICAL) check(await refusedBy(() => parse(text)),
    `${JSON.stringify(text)} is taken`);
  const pieces = ['{', '}', '[', ']', ',', ':', '"', '"a"', '1', '-', '0', 'true', '\\', '\\u',
    '\u0000', '\ud800'];
  for (let i = 0; i < 3000; ++i) {
    const text = Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join('');
    if (!await refusedBy(() => parse(text))) {
      check(canonical(parse(text)) === text, `${text} has another spelling`);
    }
  }
}

async function garbage(next) {
  const { single } = await verify('der');
  const { parseCertificate } = await verify('certificate');
  const { rawSignature } = await verify('ecdsa');
  const { parseCheckpoint } = await verify('note');
  const tags = [0x30, 0x31, 0x02, 0x03, 0x06, 0xa0, 0xa3, 0x80, 0x82, 0x84, 0x17, 0x1f];
  for (let i = 0; i < 4000; ++i) {
    const bytes = Uint8Array.from({ length: next(60) }, (_, at) =>
      (i % 2 === 0 ? next(256) : at === 0 ? 0x30 : next(3) === 0 ? tags[next(tags.length)]
        : next(16)));
    check(await refusedBy(() => parseCertificate(bytes)), `garbage ${bytes} is a certificate`);
    await refusedBy(() => single(bytes, 0x30).integer());
    await refusedBy(() => rawSignature(bytes, 32));
    await refusedBy(() => parseCheckpoint(String.fromCharCode(...bytes)));
  }
  const notPairs = [
    '3006020100020100ff', '30070202000102010100', '300602018002010100', '30800201010201010000',
    '30810602010102010100',
    '30060201010201',
  ];
  for (const wrong of notPairs) {
    check(await refusedBy(() => rawSignature(Buffer.from(wrong, 'hex'), 32)),
      `${wrong} is a signature`);
  }
  check(Buffer.from(rawSignature(Buffer.from('3007020200ff020101', 'hex'), 2)).toString(
    'hex') === '00ff0001',
    'r and s');
}

async function trees() {
  const { consistent, leafHash, rootBehind, rootFromPath, rootOf } = await verify('tree');
  const same = (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)) === 0;
  const leaves = [];
  for (let size = 1; size <= 20; ++size) {
    leaves.push(createHash('sha256').update(Buffer.from([0, size])).digest());
    check(same(leaves.at(-1), await leafHash(Uint8Array.of(size))), 'a leaf');
    const root = slowRootOf(leaves);
    check(same(await rootOf(leaves), root), `root of ${size}`);
    for (let index = 0; index < size; ++index) {
      const path = pathOf(index, leaves);
      check(same(await rootFromPath(index, size, leaves[index], path), root),
        `path of ${index} in ${size}`);
      for (const wrong of [path.slice(1),
        [...path, root]].filter((one) => one.length !== path.length)) {
        check(await refusedBy(() => rootFromPath(index, size, leaves[index], wrong)),
          'a path of another length');
      }
      if (size > 1) {
        const beside = (index + 1) % size;
        const lengthFits = pathOf(beside, leaves).length === path.length;
        check(!lengthFits || !same(await rootFromPath(beside, size, leaves[index], path), root),
          'another place');
      }
      const left = [];
      for (let bit = 16, at = 0; bit >= 1; bit /= 2) {
        if ((index & bit) === 0) continue;
        left.push(slowRootOf(leaves.slice(at, at + bit)));
        at += bit;
      }
      check(same(await rootBehind(index, left, leaves.slice(index)), root),
        `leaves behind ${index} of ${size}`);
    }
    check(await refusedBy(() => rootFromPath(size, size, root, [])), 'an index outside');
    for (let old = 1; old <= size; ++old) {
      const proof = consistencyOf(old, leaves);
      const oldRoot = slowRootOf(leaves.slice(0, old));
      check(await consistent(old, oldRoot, size, root, proof), `${old} in ${size}`);
      check(!await consistent(old, leaves[0], size, root, proof) || old === 1, 'another old root');
      check(!await consistent(old, oldRoot, size, root, [...proof, root]), 'a proof too long');
      if (proof.length > 0) {
        check(await refusedBy(() => consistent(old, oldRoot, size, root, proof.slice(1))),
          'a proof too short');
      }
    }
  }
}

/// Test vectors of FORMAT.md section 11 that need no other module of the house.
async function vectors() {
  const { H, hmacKey } = await verify('hashes');
  const { concat, domain, field, hex, u32, utf8 } = await verify('bytes');
  const { shuffled, Tape } = await verify('tape');
  const bytes = (value) => new Uint8Array(32).fill(value);
  const is = (found, want, what) => check(hex(found) === want, what);
  is(await H(domain('parameters'), utf8('{}')),
    'b207062ea2d9011be0f2a06d8e9ad5c51110fc0fc37eba66ce2c69071d7f1086',
    'parameters');
  const mac = await hmacKey(bytes(1));
  is(await mac(domain('shoe-salt'), field('shoe-17'), u32(5)),
    '9adc66ea01f1445f3423d66682e1293f1a37eed49526b5c7acf3d99778f8e09a', 'salt_5');
  const known = ['casino.example/talla-1', 'shoe-17'].map(field);
  const mixKey = await H(domain('mix'), ...known, bytes(3), u32(416));
  is(mixKey, '17f440504457e286c23b06390c4bfe279a14ca84cdee5ece631fbafee9a0902f',
    'C of the mix of shoe-17');
  const mixTape = await Tape.keyed(mixKey, 'mix', [new Uint8Array(16).fill(4)]);
  const mix = await shuffled(Array.from({ length: 416 }, (_, leaf) => leaf), mixTape);
  check(mix.slice(0, 6).join() === '147,339,126,136,221,354', 'the mix of shoe-17');
  is(await H(Uint8Array.from(mix.flatMap((leaf) => [leaf >> 8, leaf & 0xff]))),
    '1054e71b2fbd1f1b2639726938718c40cd0b3fd2f23aa5d4ab3aa48fbf415a5e', 'all of its leaves');
  is(await H(mixTape.consumed()),
    '41f896550c837c4b9075bd68ede507442727b6259cbefdf475da98c2cee3deea', 'its tape');
  const digest = Buffer.from('0f9f2593963f388145cdcca0dce4ffc10a368e649e4811193d4a1486dbee255a',
    'hex');
  const drawn = async (bounds) => (await Tape.keyed(bytes(5), 'draw', [bytes(3), u32(3), digest]))
    .digits(bounds);
  check(String(await drawn([37])) === '35', 'a wheel');
  check(String(await drawn([6, 6])) === '5,4', 'two dice');
  check(String(await drawn([90, 89, 88, 4294967295])) === '86,43,65,794947334', 'lots');
  check(concat().length === 0, 'nothing');
}

async function spellings() {
  const { unbase64, unbase64url, unhex } = await verify('bytes');
  const { deckCards } = await verify('cards');
  const lists = [
    [unbase64, ['A', 'AA', 'AAA', 'AB==', 'AAB=', 'A===', 'AA= =', 'A-_=', ' AAAA', 'AAAA\n', 7]],
    [unbase64url, ['A', 'AB', 'AA==', 'A+', 'A/']],
    [(text) => unhex(text, null), ['0', 'AA', '0g', ' 00', null]],
    [deckCards, [
      'french52x0', 'french52x9', 'french52-x1', 'french52-32x1', 'french52-Bx1', 'french52+0jx1',
      'spanish40+1jx1',
      'spanish40-8x1', 'french52-A23456789TJQKx1', 'balls90x2', '',
    ]],
  ];
  for (const [read, wrong] of lists) {
    for (const text of wrong) check(await refusedBy(() => read(text)), `${text} is taken`);
  }
  check(deckCards('french52x8').length === 416 && deckCards('spanish40x2').length === 80, 'decks');
  check(deckCards('french52-234567x1').length === 28 && deckCards('french52+1jx1').length === 53,
    'decks with parts');
}

async function assessments() {
  const { isContext } = await verify('shapes');
  const digest = 'a'.repeat(64);
  const source = { model: 'k', class: 'raw_physical', millibits: 4000, verdict: 'healthy' };
  const context = (more, uncertified) => ({
    catalogue: digest, game: '', variant: '', parameters: digest, mapping: 'talla-map-v1',
    construction: 'rbg3-xor',
    uncertified, sources: [{ ...source, ...more }], reseeds: 1, generates: 1, software: digest,
    config: digest,
    rollback_protection: 'local', anchor_lag: 0, sealing: 'file',
  });
  const taken = async (more, uncertified = false) =>
    !await refusedBy(() => isContext(context(more, uncertified)));
  check(await taken({}), 'an assessment');
  check(await taken({ assessment: 'unit', assessment_digest: digest, serial: '7' }),
    'an assessment');
  check(await taken({ assessment: 'type', assessment_digest: digest }), 'an assessment');
  check(await taken({ assessment: 'assumed' }, true), 'an assessment');
  check(!await taken({ assessment: 'assumed' }), 'certified by a figure that is assumed');
  check(!await taken({ assessment: 'stated' }), 'an assessment');
  check(!await taken({ assessment: 'unit' }, true), 'a document without a digest');
  check(!await taken({ assessment: 'stated', assessment_digest: digest }, true), 'an assessment');
  check(!await taken({ assessment_digest: digest }, true), 'an assessment');
  check(!await taken({ assessment: 'best' }, true), 'an assessment');
}

/// Each code that this verifier can say has its sentence, and the line holds it.
async function codes() {
  const { CODES } = await import('../../rngd/web/verify_codes.js');
  const { lineIn } = await import('../../rngd/web/verify_lines.js');
  const { CODES: known } = await verify('certified');
  check(Object.keys(CODES).join() === known.map((code) => `certification_${code}`).join(),
    Object.keys(CODES).join());
  for (const [code, words] of Object.entries(CODES)) {
    const line = `not certified: ${code}, at record 5 (DRAW)`;
    check(lineIn('en', line).text === `${line}: ${words.en}`, lineIn('en', line).text);
    const spanish = lineIn('es', line);
    check(spanish.language === 'es' &&
      spanish.text === `sin certificar: ${code}, en el asiento 5 (DRAW): ${words.es}`,
      spanish.text);
  }
}

export async function partsTest(next) {
  await test('canonical JSON and nothing else', () => json(next));
  await test('garbage is refused and never hangs', () => garbage(next));
  await test('tree proofs of all sizes to 20', () => trees());
  await test('test vectors of the format', () => vectors());
  await test('spellings and decks', () => spellings());
  await test('why nothing is certified is said in both languages', () => codes());
  await test('a certified figure has a document, or is of an older record', () => assessments());
}
