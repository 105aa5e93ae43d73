// A root, a log certificate and a log key made for a test, by Node's own crypto: nothing of the
// verifier under test.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';

const ORIGIN = 'casino.example/talla-1';
const OID = {
  sha256: '2a8648ce3d040302', commonName: '550403', unit: '55040b', subjectKeyId: '551d0e',
  keyUsage: '551d0f',
  alternativeName: '551d11', basicConstraints: '551d13', authorityKeyId: '551d23',
  extendedKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
};

const joined = (parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));

export const sha256 = (...parts) => createHash('sha256').update(joined(parts)).digest();

function der(tag, ...parts) {
  const content = joined(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size]
    : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts) => der(0x30, ...parts);
const oid = (name) => der(0x06, Buffer.from(OID[name], 'hex'));
const time = (date) => der(0x17, `${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`);
const algorithm = sequence(oid('sha256'));

function nameOf({ name, development }) {
  const part = (type, text) => der(0x31, sequence(oid(type), der(0x0c, text)));
  return sequence(part('commonName', name), ...(development ? [part('unit', 'development')] : []));
}

function extension(type, value, critical = false) {
  return sequence(oid(type), ...(critical ? [der(0x01, [0xff])] : []), der(0x04, value));
}

const CRITICAL_UNKNOWN = sequence(der(0x06, Buffer.from('2a0304', 'hex')), der(0x01, [0xff]),
  der(0x04, der(0x05)));

function extensionsOf(one, spki, issuerSpki) {
  const { authority = false, pathLength = null, uri = null, usage = authority ? 0x06 : 0x80,
    unknown = false, server = false } = one;
  const constraints = [...(authority ? [der(0x01, [0xff])] : []),
    ...(pathLength === null ? [] : [der(0x02, [pathLength])])];
  return sequence(
    extension('basicConstraints', sequence(...constraints), true),
    ...(usage === null ? []
      : [extension('keyUsage', der(0x03, [31 - Math.clz32(usage & -usage), usage]))]),
    ...(server ? [extension('extendedKeyUsage', sequence(oid('serverAuth')))] : []),
    extension('subjectKeyId', der(0x04, sha256(spki))),
    extension('authorityKeyId',
      sequence(der(0x80, sha256(one.wrongIssuerKey ? spki : issuerSpki)))),
    ...(uri === null ? [] : [extension('alternativeName', sequence(der(0x86, uri)))]),
    ...(unknown ? [CRITICAL_UNKNOWN] : []));
}

/// `one`: `name`, `development`, `notBefore`, `notAfter` and what its extensions say; `issuer`:
/// another, with `keys`.
export function certificate(one, keys, issuer = { ...one, keys }) {
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
  const issuerSpki = issuer.keys.publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(
    der(0xa0, der(0x02, [2])), der(0x02, [1]), algorithm, nameOf(issuer),
    sequence(time(one.notBefore), time(one.notAfter)), nameOf(one), spki,
    der(0xa3, extensionsOf(one, spki, issuerSpki)));
  return sequence(body, algorithm, der(0x03, [0], sign('sha256', body, issuer.keys.privateKey)));
}

export const p256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (bytes) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
const VALID = { notBefore: new Date('2025-12-31T00:00:00Z'),
  notAfter: new Date('2027-01-01T00:00:00Z') };

/// A root and a log certificate below it, perhaps an authority between; `root`, `middle`, `signer`:
/// what they say.
export class Pki {
  constructor({ root = {}, middle = null, signer = {}, development = true, statement = {} } = {}) {
    this.root = { name: 'root of a test', authority: true, development, ...VALID, ...root,
      keys: p256() };
    this.rootsPem = pem(certificate(this.root, this.root.keys));
    const authority = { name: 'authority of a test', authority: true, development, ...VALID };
    this.middle = middle && { ...authority, ...middle, keys: p256() };
    const uri = `talla:log:${ORIGIN}`;
    this.signer = { name: 'log of a test', uri, development, ...VALID, ...signer, keys: p256() };
    this.chain = [certificate(this.signer, this.signer.keys, this.middle ?? this.root)];
    if (this.middle) this.chain.push(certificate(this.middle, this.middle.keys, this.root));
    this.statement = { development, origin: ORIGIN, type: 'talla-log-key', v: 2, ...statement };
    this.logKeys = generateKeyPairSync('ed25519');
  }

  publicOf(keys = this.logKeys) {
    return keys.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  }

  /// `log_key` for these keys, perhaps with the `previous` ones.
  logKey(keys = this.logKeys, previous = null) {
    const said = {
      ...this.statement, public: this.publicOf(keys).toString('base64'),
      ...(previous ? { previous: this.publicOf(previous).toString('base64') } : {}),
    };
    const statement = JSON.stringify(Object.fromEntries(Object.entries(said).sort()));
    const signature = sign('sha256', Buffer.from(`talla/v2/log-key\0${statement}`),
      this.signer.keys.privateKey);
    const chain = this.chain.map((one) => one.toString('base64'));
    return { chain, signature: signature.toString('base64'), statement };
  }

  checkpoint(size, root, keys = this.logKeys) {
    const text = `${ORIGIN}\n${size}\n${root.toString('base64')}\n`;
    const id = sha256(ORIGIN, [0x0a, 0x01], this.publicOf(keys)).subarray(0, 4);
    const signature = Buffer.concat([id, sign(null, Buffer.from(text), keys.privateKey)])
      .toString('base64');
    return `${text}\n\u2014 ${ORIGIN} ${signature}\n`;
  }
}
