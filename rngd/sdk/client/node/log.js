// The appliance's log, believed: by the key of client.toml under the trusted root, and not beyond
// its end where the root says that it has ended (FORMAT.md, sections 3 to 5).
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  H, Log, Refused, canonical, checkCheckpoint, checkSigner, concat, domain, each, hex, isBase64,
  isFilled, isInteger, isText, need, oneOf, parse, parseCheckpoint, shape, unbase64,
  utf8,
} from './house.js';

const END = {
  v: oneOf(2), type: oneOf('talla-log-end'), origin: isFilled, checkpoint: isText,
  keys: each(isBase64), made: isInteger, known: isInteger, reason: isFilled,
};
const SUCCESSOR = (value) => shape(value, { origin: isFilled, key: isBase64 });

/// Every file, and every *.json of a folder, by name.
function* endedFiles(paths) {
  for (const path of paths) {
    if (!statSync(path).isDirectory()) {
      yield path;
      continue;
    }
    const names = readdirSync(path).filter((name) => name.endsWith('.json')).sort();
    need(names.length > 0, `${path}: no statement about the end of a log is in it`);
    for (const name of names) yield join(path, name);
  }
}

/// What one file says, signed by a certificate for this under the root.
async function endOf(path, roots) {
  const signed = parse(readFileSync(path, 'utf8'));
  shape(signed, { statement: isText, signature: isBase64, chain: each(isBase64) });
  const said = parse(signed.statement);
  shape(said, END, { successor: SUCCESSOR });
  need(said.known <= said.made, `${path}: no end of a log`);
  await checkSigner(signed, roots, said.made, `talla:log-end:${said.origin}`,
    concat(domain('log-end'), utf8(signed.statement)));
  const { origin, size, root } = parseCheckpoint(said.checkpoint);
  need(origin === said.origin && size > 0, `${path}: its checkpoint is of another log`);
  for (const key of said.keys) {
    try {
      await checkCheckpoint(said.checkpoint, said, unbase64(key));
      return { origin, size, root: hex(root), reason: said.reason, successor: said.successor };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  return need(false, `${path}: its checkpoint is signed by none of its keys`);
}

function checkAgree(ends) {
  for (const one of ends) {
    for (const other of ends.filter(({ origin }) => origin === one.origin)) {
      const followed = one.successor === undefined || other.successor === undefined ||
        canonical(one.successor) === canonical(other.successor);
      need(one.size === other.size && one.root === other.root && followed,
        `statements about the end of ${one.origin} contradict each other`);
    }
  }
}

export class KnownLog extends Log {
  /// `logKey`: text of the file that client.toml names. `root`: PEM. `keys`: asks for
  /// `/v1/log-keys`. `ended`: paths of what the root says about the end of logs.
  static async open({ logKey, root, keys, ended }) {
    const given = JSON.parse(logKey);
    const known = JSON.parse((given.log_key ?? given).statement);
    const log = new KnownLog(known.origin, root, keys);
    log.known = known;
    log.ends = [];
    for (const path of endedFiles(ended)) log.ends.push(await endOf(path, log.roots));
    checkAgree(log.ends);
    return log;
  }

  /// The keys of the log, the one that is known here among them.
  async checked(...asked) {
    const found = await super.checked(...asked);
    need(found.some(({ statement }) => statement.public === this.known.public),
      'the log has another key than is known');
    return found;
  }

  async believed(receipt) {
    const found = await super.believed(receipt);
    this.checkEnded(receipt.proof.slice(receipt.proof.indexOf('\n\n') + 2));
    return found;
  }

  /// Of a log that has ended only its last checkpoint is believed; of a log that the root names as
  /// the next one, what the key that it names signs and follows.
  checkEnded(note) {
    const { size, root } = parseCheckpoint(note);
    for (const end of this.ends) {
      need(end.origin !== this.origin || (size === end.size && hex(root) === end.root),
        `the log ended with ${end.size} records (${end.reason}): this is not proven at its end`);
      const next = end.successor;
      need(next === undefined || next.origin !== this.origin ||
        this.judged.found.some(({ statement }) => statement.public === next.key),
        `the root named another key for the log that follows ${end.origin}`);
    }
  }

  /// SHA-256 of the trusted root certificate, the first of its file.
  rootDigest() {
    return H(this.roots[0].bytes);
  }
}
