// Other stories told with the records of the frozen bundles: a shoe given to a machine, and lies.
import { createHmac } from 'node:crypto';

import { sha256 } from './pki.mjs';
import { canonical, machineKey, relinked, withInserted } from './signed_log.mjs';

const copy = (value) => JSON.parse(JSON.stringify(value));
const u32 = (value) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);
const field = (bytes) => Buffer.concat([u32(bytes.length), Buffer.from(bytes)]);
const domain = (name) => Buffer.from(`talla/v2/${name}\0`);

function hmac(key, ...parts) {
  return createHmac('sha256', key).update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();
}

/// Fisher-Yates by an own, slow mapping; `word` gives the next word of a tape.
function shuffledBy(word, items) {
  const order = [...items];
  for (let bound = 2; bound <= order.length;) {
    const batch = [];
    for (let product = 1n; bound <= order.length && product * BigInt(bound) < 1n << 56n; ++bound) {
      product *= BigInt(bound);
      batch.push(BigInt(bound));
    }
    const product = batch.reduce((all, one) => all * one, 1n);
    let rest;
    let digits;
    do {
      rest = word();
      digits = [];
      for (const one of batch) {
        digits.push(Number((rest * one) >> 64n));
        rest = (rest * one) & ((1n << 64n) - 1n);
      }
    } while (rest < (1n << 64n) % product);
    digits.forEach((j, at) => {
      const i = Number(batch[at]) - 1;
      [order[i], order[j]] = [order[j], order[i]];
    });
  }
  return order;
}

/// Bytes of all cards of eight French decks in dealing order, from the tape that the close opens
/// and the call of its mix.
function dealingBytes(commit, call, close) {
  const tape = Buffer.from(close.body.tape, 'base64');
  let read = 0;
  const order = shuffledBy(() => tape.readBigUInt64BE(8 * read++),
    Array.from({ length: commit.body.cards }, (_, i) => i % 52));
  const key = sha256(domain('core'), Buffer.from(canonical(call.body.core)));
  let at = 0;
  const leaves = shuffledBy(() => {
    const block = hmac(key, Buffer.from('talla/v1/mix\0'), u32(Math.floor(at / 4)));
    return Buffer.from(block).readBigUInt64BE(8 * (at++ % 4));
  }, order.keys());
  return leaves.map((leaf) => order[leaf]);
}

/// A shoe whose order a machine was given, and which it reported as a match; `truth`: the codes are
/// those of the order.
export function releasedStory(bundle, truth) {
  const records = bundle.records.map((entry) => JSON.parse(entry.record));
  const find = (kind) => records.find((record) => record.kind === kind);
  const [commit, call, mix, close] = ['SHOE_COMMIT', 'CALL', 'SHOE_MIX', 'SHOE_CLOSE'].map(find);
  const name = field(commit.object);
  const secret = hmac(Buffer.from(close.body.key, 'hex'), domain('shuffle-report'), name);
  const codes = dealingBytes(commit, call, close).map((byte, place) =>
    field(hmac(secret, domain('shuffle-seen'), name, u32(place),
      [truth ? byte : 51 - byte]).subarray(0, 16)));
  const machine = { id: 'urn:talla:shuffler-1', spki: sha256(machineKey).toString('hex') };
  const around = { ...copy(mix), cites: [] };
  const release = {
    ...around, kind: 'SHOE_RELEASE',
    body: { ciphertext: '44'.repeat(32), machine: machine.id, order_known_to: machine.spki },
  };
  const report = {
    ...around, client: machine, kind: 'SHUFFLE_REPORT', cites: [mix.seq + 1],
    body: {
      key: machineKey.toString('base64'), number: 1,
      census: 'complete', recognised: commit.body.cards, result: 'match',
      seen: sha256(domain('shuffle-seen-list'), ...codes).toString('hex'),
    },
  };
  const shift = bundle.claim > mix.seq ? 2 : 0;
  return {
    bundle: { ...bundle, claim: bundle.claim + shift },
    records: withInserted(records, records.indexOf(mix), [release, report]),
  };
}

const otherHex = (text) => (text[0] === '0' ? '1' : '0') + text.slice(1);
const otherBase64 = (text) => (text[0] === 'A' ? 'B' : 'A') + text.slice(1);
const otherCard = (card) => (card === 'AC' ? 'KS' : 'AC');

/// Members whose every change is a lie that shows, and how to change them.
const CHANGES = {
  root: otherHex, secret: otherHex, tape_digest: otherHex, salt: otherHex,
  of: otherHex, digest: otherHex, key: otherHex,
  bets: (value) => (typeof value === 'string' ? otherHex(value) : [...value, value[0]]),
  tape: otherBase64, card: otherCard, leaf: (value) => value + 1,
  position: (value) => value + 1, words_used: (value) => value + 1,
  words_rejected: (value) => value + 1,
  index: (value) => value + 1, call: (value) => value + 1, openings: () => [{}],
  signature: otherBase64,
  core: (value) => ({ ...value, turn: value.turn + 1 }), chain: () => [], policy: () => ({}),
  dealt: (value) => value + 1,
  cards: (value) => value + 1,
  path: (value) => value.slice(1), outcome: (value) => ({ ...value, more: 1 }),
  first: (value) => value + 1, left: (value) => [...value, '00'.repeat(32)],
  secrets: (value) => [...value, '00'.repeat(32)],
  context: (value) => ({ ...value, catalogue: otherHex(value.catalogue) }), table: () => 'table-99',
  specification: () => ({ kind: 'dice', count: 9, faces: 6 }), mapping: () => 'talla-map-v2',
  returned: (value) => [...value, 1000],
};

/// Members of every record, around its body.
const AROUND = {
  v: () => 1, seq: (value) => value + 1, origin: () => 'another.example', boot: () => 0,
  time: () => -1,
  time_quality: () => 'perfect', object: () => 'shoe-99',
  kind: (value) => (value === 'TABLE_CLOSE' ? 'ROUND_END' : 'TABLE_CLOSE'),
  cites: (value) => [...value, 99],
  prev: (value) => value - 1, link: otherHex, table: () => 'table-99',
};
/// Those that place it in its chain: the link beside them stays.
const PLACES = ['seq', 'prev', 'link', 'table'];

/// [what, records]: one lie each.
export function lies(records) {
  const told = [];
  const tell = (i, what, change, kept = -1) => {
    const all = copy(records);
    change(all[i]);
    told.push([`record ${records[i].seq} (${records[i].kind}): ${what}`, relinked(all, kept)]);
  };
  records.forEach((record, i) => {
    for (const [name, other] of Object.entries(CHANGES)) {
      if (record.body[name] === undefined) continue;
      tell(i, `another ${name}`, (one) => { one.body[name] = other(one.body[name]); });
      tell(i, `no ${name}`, (one) => { delete one.body[name]; });
    }
    // Of the first record behind a gap nothing in the file says what stands before it.
    const gap = record.prev !== undefined && !records.some((one) => one.seq === record.prev);
    // What a round at another table made of a meter: nor what stands around it there.
    const elsewhere = record.kind === 'METER' && record.body.round !== undefined &&
      !records.some((one) => one.object === record.body.round);
    for (const [name, other] of Object.entries(AROUND)) {
      if (record[name] === undefined || (gap && ['prev', 'link'].includes(name)) ||
          (elsewhere && ['prev', 'link', 'cites'].includes(name))) continue;
      tell(i, `another ${name} around it`, (one) => { one[name] = other(one[name]); },
        PLACES.includes(name) ? i : -1);
    }
    tell(i, 'a member more', (one) => { one.body.constructor = 'x'; });
    tell(i, 'a member more around it', (one) => { one.toString = 'x'; });
    if (i > 0 && record.prev !== undefined && !elsewhere) {
      const all = copy(records);
      all.splice(i, 1);
      const goesOn = records.slice(i + 1).some((later) => later.object === record.object);
      if (goesOn) told.push([`without record ${record.seq}`, all]);
    }
  });
  return told;
}
