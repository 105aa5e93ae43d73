// SHA-256 and HMAC-SHA-256 by the browser's WebCrypto (FORMAT.md, section 1).
import { concat } from './bytes.js';
import { need } from './refused.js';

/// WebCrypto is there on pages that came by https, from this machine or, in some browsers, from a
/// file.
export function subtle() {
  const found = globalThis.crypto?.subtle;
  need(found !== undefined, 'this browser offers no WebCrypto here: open the page by https, or ' +
                            'from localhost');
  return found;
}

export async function H(...parts) {
  return new Uint8Array(await subtle().digest('SHA-256', concat(...parts)));
}

/// A key that is used often is imported once.
export async function hmacKey(key) {
  const imported = await subtle().importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false,
                                            ['sign']);
  return async (...parts) => new Uint8Array(await subtle()
      .sign('HMAC', imported, concat(...parts)));
}
