// Covered cards: what the copy for one seat says, by the seat's own key (FORMAT.md, section 7).
import {
  createDecipheriv, createPrivateKey, createPublicKey, diffieHellman, hkdfSync,
} from 'node:crypto';
import {
  H, concat, domain, each, field, isInteger, isText, need, parse, shape, u32,
} from './house.js';

const SPKI_FRONT = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');
const EPHEMERAL = 65;
const TAG = 16;

/// SPKI digest of the public half: the `key` of the copies that are for it.
export function keyDigest(pem) {
  const spki = createPublicKey(createPrivateKey(pem)).export({ format: 'der', type: 'spki' });
  return H(spki);
}

function agree(pem, point) {
  let publicKey;
  try {
    publicKey = createPublicKey({ key: concat(SPKI_FRONT, point), format: 'der', type: 'spki' });
  } catch {
    need(false, 'a copy that begins with no point of P-256');
  }
  return diffieHellman({ privateKey: createPrivateKey(pem), publicKey });
}

/// Opening (`card`, `leaf`, `path`, `salt`) of a copy. `pem`: the seat's private key. `place`:
/// {origin, shoe, position, seat, recommits}: which card for whom.
export async function openCopy(pem, { origin, shoe, position, seat, recommits = 0 }, copy) {
  need(copy.length > EPHEMERAL + TAG && copy[0] === 4, 'no copy of a covered card');
  const point = copy.subarray(0, EPHEMERAL);
  const name = recommits > 0 ? 'covered-card-again' : 'covered-card';
  const info = concat(domain(name), field(origin), field(shoe),
    ...(recommits > 0 ? [u32(recommits)] : []), u32(position), u32(seat), await keyDigest(pem),
    point);
  const key = Buffer.from(hkdfSync('sha256', agree(pem, point), Buffer.alloc(0), info, 32));
  const open = createDecipheriv('aes-256-gcm', key, Buffer.alloc(12), { authTagLength: TAG });
  open.setAAD(info);
  open.setAuthTag(copy.subarray(copy.length - TAG));
  let text;
  try {
    text = Buffer.concat([open.update(copy.subarray(EPHEMERAL, copy.length - TAG)), open.final()]);
  } catch {
    need(false, 'the copy is not for this card, seat and key');
  }
  const opening = parse(text.toString('utf8'));
  shape(opening, { card: isText, leaf: isInteger, path: each(isText), salt: isText });
  return opening;
}
