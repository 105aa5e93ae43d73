// One X.509 certificate of version 3, as far as a chain is judged by it (FORMAT.md, section 5; RFC
// 5280). What it holds and this reader does not know is refused where it is critical, and name
// constraints always.
import { hex, same, textOf } from './bytes.js';
import { Der, TAG, single } from './der.js';
import { CURVES, HASHES } from './ecdsa.js';
import { need } from './refused.js';

const EC_PUBLIC_KEY = '2a8648ce3d0201';
const ORGANIZATIONAL_UNIT = '55040b';
const EXTENSION = {
  subjectKeyId: '551d0e', keyUsage: '551d0f', subjectAltName: '551d11', basicConstraints: '551d13',
  nameConstraints: '551d1e', authorityKeyId: '551d23',
  extendedKeyUsage: '551d25',
};
/// What of them may be critical.
const MAY_BE_CRITICAL = [
  EXTENSION.keyUsage, EXTENSION.subjectAltName, EXTENSION.basicConstraints,
  EXTENSION.extendedKeyUsage,
];
const LONG_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;
const SHORT_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;
const URI = 0x86;  // [6], a name of this form in subjectAltName

/// Seconds since 1970 of a time in DER's only spelling: to the second, in UTC.
function timeOf(der) {
  const { tag, content } = der.element();
  const text = String.fromCharCode(...content);
  const long = tag === TAG.generalizedTime;
  need(long || tag === TAG.utcTime, 'a time of another form');
  const match = (long ? LONG_TIME : SHORT_TIME).exec(text);
  need(match !== null, 'a time of another form');
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  const whole = long ? year : year + (year < 50 ? 2000 : 1900);
  const date = new Date(0);
  date.setUTCFullYear(whole, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const real = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 &&
    minute < 60 && second < 60;
  need(real, 'a time that does not exist');
  return date.getTime() / 1000;
}

/// Text of a name's value: UTF8String, PrintableString, TeletexString, IA5String or BMPString.
function wordsOf({ tag, content }) {
  if (tag === 0x0c) return textOf(content);
  if (tag === 0x1e) {
    need(content.length % 2 === 0, 'a name of another form');
    return Array.from({ length: content.length / 2 }, (_, i) =>
      String.fromCharCode(256 * content[2 * i] + content[2 * i + 1])).join('');
  }
  need([0x13, 0x14, 0x16].includes(tag), 'a name of another form');
  return Array.from(content, (byte) => String.fromCharCode(byte)).join('');
}

function organizationalUnits(name) {
  const units = [];
  while (!name.empty) {
    const set = name.open(TAG.set);
    while (!set.empty) {
      const pair = set.open(TAG.sequence);
      const type = pair.oid();
      const value = pair.element();
      pair.end();
      if (type === ORGANIZATIONAL_UNIT) units.push(wordsOf(value));
    }
  }
  return units;
}

function publicKey(der) {
  const algorithm = der.open(TAG.sequence);
  need(algorithm.oid() === EC_PUBLIC_KEY,
    'a key that is not of an elliptic curve: this reader verifies ECDSA alone');
  const oid = algorithm.oid();
  algorithm.end();
  const point = der.bits();
  der.end();
  need(Object.hasOwn(CURVES, oid), 'a key of an unknown curve');
  const curve = CURVES[oid];
  need(point.length === 1 + 2 * curve.size && point[0] === 4, 'a public key in another form');
  return { curve, point };
}

function signatureHash(algorithm) {
  const oid = algorithm.oid();
  need(Object.hasOwn(HASHES, oid),
    'a signature that is not ECDSA with SHA-256, SHA-384 or SHA-512');
  algorithm.end();
  return HASHES[oid];
}

const READ = {
  [EXTENSION.subjectKeyId]: (value) => ({ subjectKeyId: hex(single(value, TAG.octets).bytes) }),
  [EXTENSION.authorityKeyId]: (value) => {
    const id = single(value, TAG.sequence).optional(0x80);
    return id === null ? {} : { authorityKeyId: hex(id.content) };
  },
  [EXTENSION.keyUsage]: (value) => {
    const bits = single(value, TAG.bits).bytes;
    need(bits.length >= 2 && bits.length <= 3 && bits[0] < 8, 'a key usage of another form');
    // Bits count from the left: 0 digitalSignature, 5 keyCertSign, 6 cRLSign.
    const [signs, signsCertificates, signsLists] =
      [0x80, 0x04, 0x02].map((bit) => (bits[1] & bit) !== 0);
    return { signs, signsCertificates, signsLists };
  },
  [EXTENSION.basicConstraints]: (value) => {
    const inside = single(value, TAG.sequence);
    const authority = inside.tag === TAG.boolean && inside.boolean();
    const pathLength = inside.empty ? Infinity : inside.number();
    inside.end();
    need(authority || pathLength === Infinity, 'a path length without an authority');
    return { authority, pathLength };
  },
  [EXTENSION.extendedKeyUsage]: () => ({ extended: true }),
  [EXTENSION.subjectAltName]: (value) => {
    const uris = [];
    for (const names = single(value, TAG.sequence); !names.empty;) {
      const name = names.element();
      if (name.tag === URI) uris.push(String.fromCharCode(...name.content));
    }
    return { uris };
  },
};

function extensionsOf(list) {
  // Without a key usage a key may nothing: whoever issues for a log says what it is for.
  const found = {
    uris: [], authority: false, pathLength: Infinity, extended: false,
    signs: false, signsCertificates: false, signsLists: false,
  };
  const seen = new Set();
  while (!list.empty) {
    const one = list.open(TAG.sequence);
    const oid = one.oid();
    const critical = one.tag === TAG.boolean && one.boolean();
    const value = one.content(TAG.octets);
    one.end();
    need(!seen.has(oid), 'an extension twice');
    seen.add(oid);
    need(oid !== EXTENSION.nameConstraints, 'name constraints, which this reader does not judge');
    need(!critical || MAY_BE_CRITICAL.includes(oid),
      'a critical extension that this reader does not know');
    if (Object.hasOwn(READ, oid)) Object.assign(found, READ[oid](value));
  }
  return found;
}

/// `bytes`: exactly one certificate.
export function parseCertificate(bytes) {
  const outer = single(bytes, TAG.sequence);
  const { content, whole } = outer.element(TAG.sequence);
  const outerAlgorithm = outer.element(TAG.sequence);
  const signature = outer.bits();
  outer.end();
  const body = new Der(content);
  const version = body.open(0xa0);
  need(version.number() === 2, 'a certificate of another version than 3');
  version.end();
  body.integer();
  const algorithm = body.element(TAG.sequence);
  need(same(algorithm.whole, outerAlgorithm.whole), 'two different signature algorithms');
  const issuer = body.element(TAG.sequence).whole;
  const validity = body.open(TAG.sequence);
  const notBefore = timeOf(validity);
  const notAfter = timeOf(validity);
  validity.end();
  const subject = body.element(TAG.sequence);
  const { content: keyContent, whole: spki } = body.element(TAG.sequence);
  const key = publicKey(new Der(keyContent));
  const list = single(body.content(0xa3), TAG.sequence);
  body.end();
  return {
    bytes, signed: whole, signature, hash: signatureHash(new Der(algorithm.content)), issuer,
    subject: subject.whole,
    notBefore, notAfter, key, spki, units: organizationalUnits(new Der(subject.content)),
    ...extensionsOf(list),
  };
}
