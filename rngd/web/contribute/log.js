// The log that the link names, believed: its keys by the root certificate whose digest stands in
// the link, each record by its receipt (FORMAT.md, sections 3 to 5).
import { base64, hex, same, unbase64, utf8 } from '../verify/bytes.js';
import { parseRoots } from '../verify/chain.js';
import { H } from '../verify/hashes.js';
import { checkKeys } from '../verify/log_key.js';
import { checkCheckpoint, parseCheckpoint } from '../verify/note.js';
import { parseRecord } from '../verify/records.js';
import { Refused, need } from '../verify/refused.js';
import { each, isFilled, isObject, isText, oneOf, shape } from '../verify/shapes.js';
import { leafHash, rootFromPath } from '../verify/tree.js';

const KEYS = { v: oneOf(2), type: oneOf('talla-log-keys'), log_key: isObject, checkpoint: isText };
const RECEIPT = { proof: isText, record: isFilled };
const CODED = /^(not_in_log|other_origin|log_key): /;

/// PEM of the one certificate of `pem` that has this digest (hex); null where none has.
export async function rootOfDigest(pem, digest) {
  for (const { bytes } of parseRoots(pem)) {
    if (hex(await H(bytes)) !== digest) continue;
    const body = base64(bytes).match(/.{1,64}/g).join('\n');
    return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
  }
  return null;
}

export class Log {
  /// `origin`: of the link. `root`: PEM (rootOfDigest). `keys`: asks for `/v1/log-keys`.
  constructor(origin, root, keys) {
    this.origin = origin;
    this.roots = parseRoots(root);
    this.keys = keys;
    this.given = null;
    this.judged = null;
  }

  async fetchKeys() {
    const given = await this.keys();
    shape(given, KEYS, { key_changes: each(isObject) });
    const changes = given.key_changes ?? [];
    const ends = changes.map(({ checkpoint }) => parseCheckpoint(checkpoint).size);
    this.given = { ...given, changes, ends };
    this.judged = null;
  }

  /// The keys, by certificates that were valid at every time that was asked for so far.
  async keysAt(time) {
    if (this.given === null) await this.fetchKeys();
    if (this.judged === null || time < this.judged.from || time > this.judged.until) {
      const { changes, log_key: logKey, checkpoint } = this.given;
      const found = await this.checked(changes, logKey, checkpoint, time);
      need(found.every(({ statement }) => statement.origin === this.origin),
        'other_origin: the log is not the one of the link');
      const { from = time, until = time } = this.judged ?? {};
      this.judged = { found, from: Math.min(from, time), until: Math.max(until, time) };
    }
    return this.judged.found;
  }

  async checked(changes, logKey, checkpoint, time) {
    try {
      return await checkKeys(changes, logKey, checkpoint, this.roots, time);
    } catch (error) {
      if (error instanceof Refused) throw new Refused(`log_key: ${error.message}`);
      throw error;
    }
  }

  /// The key that signs checkpoints of this size.
  async keyOf(size, time) {
    const keys = await this.keysAt(time);
    const at = this.given.ends.findIndex((end) => size <= end);
    return keys[at < 0 ? keys.length - 1 : at];
  }

  async checkpoint(note, time) {
    const { size } = parseCheckpoint(note);
    try {
      const key = await this.keyOf(size, time);
      return await checkCheckpoint(note, key.statement, key.publicKey);
    } catch {
      await this.fetchKeys();  // it may have changed since
      const key = await this.keyOf(size, time);
      return checkCheckpoint(note, key.statement, key.publicKey);
    }
  }

  /// {record, leaf, text} of a receipt (parsed JSON) that is in the signed log.
  async believed(receipt) {
    try {
      return await this.proven(receipt);
    } catch (error) {
      if (!(error instanceof Refused) || CODED.test(error.message)) throw error;
      throw new Refused(`not_in_log: ${error.message}`);
    }
  }

  async proven(receipt) {
    shape(receipt, RECEIPT);
    const record = parseRecord(receipt.record, 'a record');
    const name = `not_in_log: record ${record.seq}`;
    need(record.origin === this.origin, `other_origin: record ${record.seq}`);
    const begin = receipt.proof.indexOf('\n\n');
    const [version, index, ...path] = receipt.proof.slice(0, begin).split('\n');
    need(version === 'c2sp.org/tlog-proof@v1' && index === `index ${record.seq}`,
      `${name}: a proof of another record`);
    const { size, root } = await this.checkpoint(receipt.proof.slice(begin + 2), record.time);
    const leaf = await leafHash(utf8(receipt.record));
    need(record.seq < size && same(await rootFromPath(record.seq, size, leaf, path.map(unbase64)),
                                   root), name);
    return { record, leaf, text: receipt.record };
  }
}
