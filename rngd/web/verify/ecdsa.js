// ECDSA by WebCrypto, for certificates and the log key statement (FORMAT.md, section 5).
// A certificate spells a signature as a DER pair of integers, WebCrypto as r and s of fixed size
// one behind the other.
import { concat } from './bytes.js';
import { TAG, single } from './der.js';
import { subtle } from './hashes.js';
import { need } from './refused.js';

/// Identifier of a curve (hex): its name and the bytes of a coordinate.
export const CURVES = {
  '2a8648ce3d030107': { name: 'P-256', size: 32 },
  '2b81040022': { name: 'P-384', size: 48 },
  '2b81040023': { name: 'P-521', size: 66 },
};

/// Identifiers of ecdsa-with-SHA256, -SHA384 and -SHA512.
export const HASHES = {
  '2a8648ce3d040302': 'SHA-256',
  '2a8648ce3d040303': 'SHA-384',
  '2a8648ce3d040304': 'SHA-512',
};

function coordinate(content, size) {
  const digits = content[0] === 0 ? content.subarray(1) : content;
  need(content[0] < 0x80 && digits.length > 0 && digits.length <= size,
       'a signature with numbers out of range');
  return concat(new Uint8Array(size - digits.length), digits);
}

export function rawSignature(der, size) {
  const pair = single(der, TAG.sequence);
  const raw = concat(coordinate(pair.integer(), size), coordinate(pair.integer(), size));
  pair.end();
  return raw;
}

/// `key`: `curve` (of CURVES) and `point`, uncompressed; `signature`: DER.
export async function verifyEcdsa(key, hash, signature, message) {
  return verifyPair(key, hash, rawSignature(signature, key.curve.size), message);
}

/// The same with a signature r || s.
export async function verifyPair(key, hash, raw, message) {
  const algorithm = { name: 'ECDSA', namedCurve: key.curve.name };
  let imported;
  try {
    imported = await subtle().importKey('raw', key.point, algorithm, false, ['verify']);
  } catch {
    need(false,
         `a public key that is no ${key.curve.name} key, or a curve that this browser lacks`);
  }
  return subtle().verify({ name: 'ECDSA', hash }, imported, raw, message);
}
