// The key that signs the calls of a table: on P-256, by its SubjectPublicKeyInfo (FORMAT.md,
// section 8).
import { same } from './bytes.js';
import { Der, TAG, single } from './der.js';
import { subtle } from './hashes.js';
import { Refused, need } from './refused.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
const SPKI_FRONT = Uint8Array.of(
  0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
  0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04);
const POINT_BYTES = 64;

/// SubjectPublicKeyInfo of exactly one certificate.
function spkiOf(certificate) {
  const outer = single(certificate, TAG.sequence);
  const body = new Der(outer.content(TAG.sequence));
  body.optional(0xa0);  // version
  body.integer();
  for (const skipped of ['signature', 'issuer', 'validity', 'subject']) {
    need(body.element(TAG.sequence).whole.length > 0, skipped);
  }
  return body.element(TAG.sequence).whole;
}

export class TableKey {
  /// Refuses what is no key on P-256 with an uncompressed point.
  static async of(spki) {
    const size = SPKI_FRONT.length;
    need(spki.length === size + POINT_BYTES && same(spki.subarray(0, size), SPKI_FRONT),
      'table_key: no key on P-256');
    const key = new TableKey();
    key.spki = spki;
    try {
      key.imported = await subtle().importKey('raw', spki.subarray(size - 1), ALGORITHM, false,
        ['verify']);
    } catch {
      need(false, 'table_key: a point that is not on P-256');
    }
    return key;
  }

  certifiedBy(certificate) {
    try {
      return same(spkiOf(certificate), this.spki);
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
  }

  /// `signature`: r and s, one behind the other.
  signed(message, signature) {
    return subtle().verify({ name: 'ECDSA', hash: 'SHA-256' }, this.imported, signature, message);
  }
}
