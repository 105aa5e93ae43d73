// The root certificate that a reader trusts, remembered in this browser alone and known by its
// fingerprint. It never comes from the server that this page came from.

const STORAGE_NAME = 'talla.root';
const BYTES_MAX = 64 * 1024;

/// SHA-256 of the first certificate of a PEM text, in groups that people compare: "3F2A 91C4 ...";
/// null where there is none.
export async function fingerprintOf(pem) {
  const body = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(pem);
  if (body === null) return null;
  try {
    const bytes = Uint8Array.from(atob(body[1].replace(/\s/g, '')), (one) => one.charCodeAt(0));
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const text = [...digest].map((one) => one.toString(16).padStart(2, '0')).join('').toUpperCase();
    return text.match(/.{4}/g).join(' ');
  } catch {
    return null;
  }
}

/// {name, pem, since} or null. Storage may be forbidden, and what is in it may be anything.
export function rememberedRoot() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORAGE_NAME));
    const whole = typeof kept?.pem === 'string' && kept.pem.length <= BYTES_MAX &&
      typeof kept.name === 'string' && Number.isFinite(kept.since);
    return whole ? kept : null;
  } catch {
    return null;
  }
}

export function rememberRoot(name, pem) {
  try {
    if (pem.length <= BYTES_MAX) {
      localStorage.setItem(STORAGE_NAME, JSON.stringify({ name, pem, since: Date.now() }));
    }
  } catch {
    // Nothing is lost but the memory of it.
  }
}

export function forgetRoot() {
  try {
    localStorage.removeItem(STORAGE_NAME);
  } catch {
    // There is nothing to forget.
  }
}
