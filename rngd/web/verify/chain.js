// The path from a signer's certificate to a trusted root, at a recorded time (FORMAT.md, section
// 5). The chain as given, then one root, is the whole path in this order; nothing is looked up
// elsewhere.
import { hex, same, unbase64 } from './bytes.js';
import { parseCertificate } from './certificate.js';
import { verifyEcdsa, verifyPair } from './ecdsa.js';
import { H } from './hashes.js';
import { Refused, need, within } from './refused.js';

const CHAIN_MAX = 8;
const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g;

/// Certificates of a PEM text; whatever stands between them is for people.
export function parseRoots(pem) {
  need(typeof pem === 'string', 'trusted roots: a PEM text is expected');
  const begins = pem.split('-----BEGIN CERTIFICATE-----').length - 1;
  const found = [...pem.matchAll(PEM)];
  need(found.length > 0 && found.length === begins,
    'trusted roots: no whole certificate in the file');
  return found.map(([, body], i) => {
    try {
      return parseCertificate(unbase64(body.replace(/\s/g, '')));
    } catch (error) {
      return need(false, `trusted roots, certificate ${i + 1}: ${error.message}`);
    }
  });
}

const selfIssued = (certificate) => same(certificate.issuer, certificate.subject);

function validAt(certificate, timeUs) {
  // A second that has begun is judged as a whole; both ends of the validity belong to it (RFC 5280,
  // 4.1.2.5).
  const second = Math.floor(timeUs / 1000000);
  return certificate.notBefore <= second && second <= certificate.notAfter;
}

/// Whether `issuer`, with `between` authorities under it on the way to the signer, may have issued
/// `certificate`.
async function check(certificate, issuer, between) {
  need(same(certificate.issuer, issuer.subject),
    'the chain is not in order, or leads to no trusted root');
  const named = certificate.authorityKeyId;
  need(named === undefined || issuer.subjectKeyId === undefined || named === issuer.subjectKeyId,
    'its issuer is named by another key');
  need(issuer.authority && issuer.signsCertificates, 'its issuer is no certificate authority');
  need(between <= issuer.pathLength, 'the path is longer than an authority allows');
  const holds = await verifyEcdsa(issuer.key, certificate.hash, certificate.signature,
    certificate.signed);
  need(holds, 'its signature is wrong');
}

async function checkPath(path, timeUs) {
  let between = 0;
  for (const [i, certificate] of path.entries()) {
    await within(`certificate ${i + 1}`, async () => {
      need(validAt(certificate, timeUs), 'not valid at the recorded time');
      if (i > 0 && !selfIssued(certificate) && i + 1 < path.length) between += 1;
      await check(certificate, path[i + 1] ?? certificate, between);
    });
  }
}

async function firstPath(chain, roots, timeUs) {
  const last = chain.at(-1);
  let why = new Error('it leads to no trusted root');
  for (const root of roots.filter((one) => same(one.subject, last.issuer) && selfIssued(one))) {
    try {
      await checkPath([...chain, root], timeUs);
      return;
    } catch (error) {
      why = error;
    }
  }
  need(false, `no valid chain to a trusted root at the recorded time: ${why.message}`);
}

/// Who signed `message` for the name `uri`, by `signed` (`chain`, `signature`): whether its first
/// certificate is a development certificate, and whether any is that the verdict rests on; `spki`
/// in hex. `fault`, where it is given, is called with the name of the check that fails, and the
/// signature is r || s.
export async function checkSigner(signed, roots, timeUs, uri, message, fault = null) {
  const asked = (name, holds, why) => {
    if (!holds) fault?.(name);
    need(holds, why);
  };
  const chain = await pathOf(signed, roots, timeUs, fault);
  const signer = chain[0];
  asked('name', signer.uris.includes(uri),
    'the certificate names another log, or is for something else');
  const more = signer.signsCertificates || signer.signsLists || signer.authority || signer.extended;
  asked('usage', signer.signs && !more, 'the first certificate\'s key is not for signatures alone');
  asked('usage', signer.key.curve.name === 'P-256', 'the first certificate\'s key is not P-256');
  const signature = unbase64(signed.signature);
  const verify = fault === null ? verifyEcdsa : verifyPair;
  asked('signature', await verify(signer.key, 'SHA-256', signature, message),
    'the statement\'s signature is wrong');
  const isDevelopment = (certificate) => certificate.units.includes('development');
  return { development: isDevelopment(signer), spki: hex(await H(signer.spki)),
    anyDevelopment: [...chain, ...roots].some(isDevelopment) };
}

/// The certificates of a valid chain to a root.
async function pathOf(signed, roots, timeUs, fault) {
  try {
    return await chainOf(signed, roots, timeUs);
  } catch (error) {
    if (error instanceof Refused) fault?.('untrusted');
    throw error;
  }
}

async function chainOf(signed, roots, timeUs) {
  need(signed.chain.length >= 1 && signed.chain.length <= CHAIN_MAX,
    '1 to 8 certificates are expected');
  const chain = [];
  for (const [i, text] of signed.chain.entries()) {
    chain.push(await within(`certificate_form: certificate ${i + 1}`,
      () => parseCertificate(unbase64(text))));
  }
  need(!chain.some((one) => roots.some((root) => same(one.bytes, root.bytes))),
    'the chain holds a root itself');
  await firstPath(chain, roots, timeUs);
  return chain;
}
