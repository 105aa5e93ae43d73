// Checkpoints: the signed note of a log, its origin, size and root (FORMAT.md, section 3).
// The log's own signature comes first; lines of others behind it (cosignatures) are counted and not
// judged here.
import { same, unbase64, utf8 } from './bytes.js';
import { H, subtle } from './hashes.js';
import { need } from './refused.js';

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const ORIGIN = '[!-*,-~]{1,200}';
const LINES = '(?:\u2014 [^\\s+\\u0000-\\u0020\\u0085]+ [A-Za-z0-9+/=]+\n){1,65}';
const NOTE = new RegExp(`^(${ORIGIN})\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/=]+)\n\n(${LINES})$`);

function signatureOf(line) {
  const [, name, data] = line.split(' ');
  const bytes = unbase64(data);
  need(bytes.length > 4, 'checkpoint: malformed signature line');
  return { name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

export function parseCheckpoint(note) {
  const match = NOTE.exec(note);
  need(match !== null, 'checkpoint: malformed');
  const [, origin, sizeText, rootText, lines] = match;
  const size = Number(sizeText);
  const root = unbase64(rootText);
  const signatures = lines.split('\n').slice(0, -1).map(signatureOf);
  const own = signatures[0];
  need(Number.isSafeInteger(size) && root.length === 32, 'checkpoint: malformed size or root');
  const named = signatures.filter((one) => one.name === origin);
  need(named.length === 1 && named[0] === own && own.signature.length === 64,
    'checkpoint: exactly the first signature is the log\'s own');
  return { origin, size, root, signatures, text: note.slice(0, note.indexOf('\n\n') + 1) };
}

async function ed25519Key(raw) {
  try {
    return await subtle().importKey('raw', raw, { name: 'Ed25519' }, false, ['verify']);
  } catch (error) {
    need(error?.name !== 'NotSupportedError' && error?.name !== 'SyntaxError',
      'this browser cannot verify Ed25519 signatures: nothing was verified; use a newer browser ' +
      'or `talla verify`');
    return need(false, 'checkpoint: the log\'s key is no Ed25519 key');
  }
}

/// Of two spellings of a signature only the one with S below the group order counts.
function belowOrder(signature) {
  const scalar = signature.subarray(32).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return scalar < ORDER;
}

/// The log's own signature, by the key of this statement.
export async function checkCheckpoint(note, statement, publicKey) {
  const checkpoint = parseCheckpoint(note);
  const { origin, text, signatures: [own] } = checkpoint;
  need(origin === statement.origin, 'checkpoint: its log and that of the log key differ');
  const id = await H(utf8(origin), Uint8Array.of(0x0a, 0x01), publicKey);
  need(same(own.keyId, id.subarray(0, 4)), 'checkpoint: signed by another key');
  const key = await ed25519Key(publicKey);
  const holds = belowOrder(own.signature)
    && await subtle().verify({ name: 'Ed25519' }, key, own.signature, utf8(text));
  need(holds, 'checkpoint: wrong signature');
  return checkpoint;
}
