// Bundles signed anew: their records as the leaves of a log of this test, so that a lie in a record
// is well signed.
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { sha256 } from './pki.mjs';

const leafOf = (text) => sha256([0], text);
const nodeOf = (left, right) => sha256([1], left, right);

function half(size) {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

export function rootOf(leaves) {
  if (leaves.length === 1) return leaves[0];
  const left = half(leaves.length);
  return nodeOf(rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left)));
}

export function pathOf(index, leaves) {
  if (leaves.length === 1) return [];
  const left = half(leaves.length);
  const [inside, beside] = [leaves.slice(0, left), leaves.slice(left)];
  return index < left ? [...pathOf(index, inside), rootOf(beside)]
    : [...pathOf(index - left, beside), rootOf(inside)];
}

/// RFC 6962, 2.1.2: that the first `size` leaves of a log were a log.
export function consistencyOf(size, leaves, whole = true) {
  if (size === leaves.length) return whole ? [] : [rootOf(leaves)];
  const left = half(leaves.length);
  const [inside, beside] = [leaves.slice(0, left), leaves.slice(left)];
  return size <= left ? [...consistencyOf(size, inside, whole), rootOf(beside)]
    : [...consistencyOf(size - left, beside, false), rootOf(inside)];
}

/// JSON with the members of every object in their order; enough for printable ASCII.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(
    value[key])}`).join(',')}}`;
}

export const recordsOf = (bundle) => bundle.records.map((entry) => JSON.parse(entry.record));

function leavesOf(texts, size) {
  const leaves = Array.from({ length: size }, (_, i) => leafOf(`a record of another object ${i}`));
  for (const { seq, text } of texts) leaves[seq] = leafOf(text);
  return leaves;
}

const tableKey = readFileSync(new URL('../unit/verify/frozen/table.key', import.meta.url));

/// A CALL that rests on another record than before, signed by the key of the frozen tables.
function signedAgain(record, head) {
  const { core } = record.body;
  if (core === undefined || head === undefined || core.head === head) return record;
  const own = { ...core, head };
  const statement = Buffer.from(`talla/v2/call\0${canonical(own)}`);
  const signed = sign('sha256', statement, { key: tableKey, dsaEncoding: 'ieee-p1363' });
  return { ...record, body: { core: own, signature: signed.toString('base64') } };
}

const machinePair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/// The SubjectPublicKeyInfo of a machine whose key is here.
export const machineKey = machinePair.publicKey.export({ type: 'spki', format: 'der' });

/// What that machine reports, signed for the release of this head.
function reportedAgain(record, head) {
  const { key, signature, ...report } = record.body;
  if (record.kind !== 'SHUFFLE_REPORT' || key !== machineKey.toString('base64')) return record;
  const { object, origin, table } = record;
  const said = canonical({ head, object, origin, report, table });
  const signed = sign('sha256', Buffer.from(`talla/v2/report\0${said}`),
    { key: machinePair.privateKey, dsaEncoding: 'ieee-p1363' });
  return { ...record, body: { ...record.body, signature: signed.toString('base64') } };
}

/// The records with the links that follow from them, and the heads in the cores of calls, so that a
/// lie in one holds in every other respect (but for what follows from another core); the link of
/// the record at `kept` stays.
export function relinked(records, kept = -1) {
  const heads = new Map();
  const headOf = new Map();
  const closes = new Map();
  return records.map((record, i) => {
    if (record.link === undefined) return record;
    const before = heads.get(record.table);
    const close = record.kind === 'TABLE_OPEN' ? record.cites.find((seq) => closes.has(seq))
      : undefined;
    let { link } = record;
    if (i !== kept && before !== undefined && before.seq === record.prev) link = before.head;
    if (i !== kept && close !== undefined) link = closes.get(close);
    const rested = headOf.get(record.cites[0]);
    const signed = record.kind === 'CALL' ? signedAgain(record, rested)
      : reportedAgain(record, rested);
    const own = { ...signed, link };
    const head = sha256('talla/v2/link\0', Buffer.from(link, 'hex'), leafOf(canonical(own)))
      .toString('hex');
    heads.set(record.table, { seq: record.seq, head });
    headOf.set(record.seq, head);
    if (record.kind === 'TABLE_CLOSE') closes.set(record.seq, head);
    return own;
  });
}

/// The text of a bundle with these records, in a log of `pki`. `more`: members of the bundle that
/// differ.
export function signedBundle(bundle, records, pki, more = {}) {
  const texts = records.map((record) => ({ seq: record.seq, text: canonical(record) }));
  const leaves = leavesOf(texts, Math.max(...texts.map((one) => one.seq)) + 2);
  const { checkpoint, log_key: logKey, ...rest } = bundle;
  return canonical({
    ...rest, checkpoint: pki.checkpoint(leaves.length, rootOf(leaves)), log_key: pki.logKey(),
    records: texts.map(({ seq, text }) => ({
      path: pathOf(seq, leaves).map((hash) => hash.toString('base64')), record: text,
    })), ...more,
  });
}

/// The same, in a log whose key has changed behind the last record; `keys`: of the old and the new
/// one.
export function rotatedBundle(bundle, records, pki, [oldKeys, newKeys]) {
  const texts = records.map((record) => ({ seq: record.seq, text: canonical(record) }));
  const seq = Math.max(...texts.map((one) => one.seq)) + 1;
  const { origin, time } = records.at(-1);
  const announcement = canonical({
    body: { log_key: pki.logKey(newKeys, oldKeys), purpose: 'log' }, boot: 1, cites: [],
    kind: 'KEY', origin, seq, time, time_quality: 'synced', v: 2,
  });
  const leaves = leavesOf([...texts, { seq, text: announcement }], seq + 3);
  const before = leaves.slice(0, seq + 1);
  const spell = (hashes) => hashes.map((hash) => hash.toString('base64'));
  const change = {
    checkpoint: pki.checkpoint(seq + 1, rootOf(before), oldKeys),
    consistency: spell(consistencyOf(seq + 1, leaves)), log_key: pki.logKey(oldKeys),
    path: spell(pathOf(seq, before)), record: announcement,
  };
  return {
    ...bundle, checkpoint: pki.checkpoint(leaves.length, rootOf(leaves), newKeys),
    key_changes: [change], log_key: pki.logKey(newKeys, oldKeys),
    records: texts.map((one) => ({ path: spell(pathOf(one.seq, leaves)), record: one.text })),
  };
}

/// Records with `inserted` behind the one at `at`: everything that counts records goes on from
/// there.
export function withInserted(records, at, inserted) {
  const from = records[at].seq;
  const shift = (seq) => (seq > from ? seq + inserted.length : seq);
  const later = records.slice(at + 1).map((record) => ({
    ...record, seq: shift(record.seq), cites: record.cites.map(shift),
    ...(record.prev === undefined ? {} : { prev: record.prev === from ? from + inserted.length
                                          : shift(record.prev) }),
  }));
  const between = inserted.map((record, i) => ({ ...record, seq: from + i + 1, prev: from + i }));
  return relinked([...records.slice(0, at + 1), ...between, ...later]);
}
