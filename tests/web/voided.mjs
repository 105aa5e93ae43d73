// Calls of a house that end in VOID, and what two persons sign so that it is called for again.
import { sign } from 'node:crypto';

import { p256 } from './pki.mjs';
import { canonical, pathOf } from './signed_log.mjs';

/// Two persons void the open call.
function voidByOrder(house) {
  const { seq, core } = house.open;
  house.counts.voids += 1;
  house.end(house.put('VOID', { call: seq, cause: 'order', by: ['a', 'b'], outcome: 'unknown',
    secret: house.batches.secrets[core.at].toString('hex'),
    path: pathOf(core.at, house.batches.leaves).map((one) => one.toString('hex')) },
  { object: core.object, cites: [seq] }));
}

/// So many calls in which this seat has no part end in VOID.
export function voided(house, times) {
  house.addPanelist('seat-9');
  house.lie.core = (core) => ({ ...core, others: core.others.filter(({ id }) =>
    id === 'seat-9') });
  for (let i = 0; i < times; i += 1) {
    house.call();
    voidByOrder(house);
  }
  delete house.lie.core;
}

/// The next CALL carries what these two signed.
export function ordered(house, how = {}) {
  const { ids = ['urn:a', 'urn:b'], keys = [p256(), p256()], object, head } = how;
  const at = head ?? house.head(house.records.length - 1);
  const said = canonical({ act: 'call-again', digest: '', head: at,
    object: object ?? house.batches.id, origin: house.origin });
  const text = Buffer.concat([Buffer.from('talla/v2/order\0'), Buffer.from(said)]);
  const by = ids.map((id, i) => ({ id, key: keys[i].publicKey.export({ type: 'spki',
    format: 'der' }).toString('base64'), signature: sign('sha256', text, {
    key: keys[i].privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64') }));
  const put = house.put.bind(house);
  house.put = (kind, body, more) => {
    if (kind !== 'CALL') return put(kind, body, more);
    house.put = put;
    return put(kind, { ...body, order: { by, head: at } },
      { ...more, cites: [0, ...more.cites] });
  };
}
