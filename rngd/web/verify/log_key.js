// Who signed the log: the statement that binds its key to certificates, and the keys before it
// (FORMAT.md, section 5).
import { concat, domain, same, unbase64, utf8 } from './bytes.js';
import { checkSigner } from './chain.js';
import { LOG_KEY } from './kinds.js';
import { checkCheckpoint, parseCheckpoint } from './note.js';
import { need, within } from './refused.js';
import { parseRecord } from './records.js';
import { each, isBase64, isFilled, isObject, isText, shape } from './shapes.js';
import { parseStatement } from './statement.js';
import { consistent, leafHash, rootFromPath } from './tree.js';

const CHANGE = {
  log_key: isObject, checkpoint: isText, record: isFilled, path: each(isBase64),
  consistency: each(isBase64),
};

/// The statement and its key, judged at a recorded time.
function checkLogKey(logKey, roots, timeUs) {
  return within('log key', async () => {
    shape(logKey, LOG_KEY);
    const statement = parseStatement(logKey.statement);
    const message = concat(domain('log-key'), utf8(logKey.statement));
    const signer = await checkSigner(logKey, roots, timeUs, `talla:log:${statement.origin}`,
                                     message);
    need(signer.development === statement.development, 'development mark and certificate disagree');
    return { statement, publicKey: unbase64(statement.public), development: signer.anyDevelopment };
  });
}

/// One change: the old key's last checkpoint holds, as its last record, the announcement of the
/// next key.
async function checkChange(change, followingNote, roots, since) {
  shape(change, CHANGE);
  const record = parseRecord(change.record, 'the announcement');
  need(record.kind === 'KEY' && record.body.purpose === 'log', 'announces no log key');
  const key = await checkLogKey(change.log_key, roots, record.time);
  const { origin, size, root } = await checkCheckpoint(change.checkpoint, key.statement,
                                                       key.publicKey);
  const following = parseCheckpoint(followingNote);
  need(record.origin === origin && following.origin === origin, 'wrong_origin: of another log');
  need(size === record.seq + 1 && following.size > size,
    'key_change: not the last record under the old key');
  need(record.time >= since, 'time_back: time goes back');
  const leaf = await leafHash(utf8(change.record));
  need(same(await rootFromPath(record.seq, size, leaf, change.path.map(unbase64)), root),
    'the announcement is not there');
  need(await consistent(size, root, following.size, following.root,
                        change.consistency.map(unbase64)),
    'key_change: the log does not go on from the announcement');
  return { ...key, announced: parseStatement(record.body.log_key.statement).public,
          time: record.time };
}

/// Each key of the log, from its first one to that which signed `note`.
export async function checkKeys(changes, logKey, note, roots, timeUs) {
  const keys = [];
  let since = 0;
  const follows = (key) => {
    const before = keys.at(-1);
    need(key.statement.previous === before?.statement.public, 'log keys in another order, or ' +
        'some are missing');
    need(before === undefined || before.announced === key.statement.public,
         'a log key that was not announced');
    keys.push(key);
  };
  for (const [i, change] of changes.entries()) {
    const next = changes[i + 1]?.checkpoint ?? note;
    const key = await within(`key change ${i + 1}`, () => checkChange(change, next, roots, since));
    since = key.time;
    follows(key);
  }
  follows(await checkLogKey(logKey, roots, Math.max(timeUs, since)));
  return keys;
}
