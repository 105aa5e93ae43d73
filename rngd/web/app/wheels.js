// Names of a wheel's pockets. A DRAW holds the index of the pocket; the catalogue that its context
// names, by digest, says what is written there. Each game is asked for once.

import { get } from './api.js';

const lists = new Map();  // "digest/game" to an array of names, or null: none, or not known
let catalogues;

const key_of = (context) => `${context?.catalogue}/${context?.game}`;

/// The names, or undefined.
export function pockets_of(record) {
  return lists.get(key_of(record.body?.context)) ?? undefined;
}

/// True when names are known now that were not before.
export async function learn_pockets(record) {
  const context = record.body?.context;
  if (record.body?.outcome?.pocket === undefined || !context?.game ||
      lists.has(key_of(context))) return false;
  lists.set(key_of(context), null);
  try {
    catalogues ??= (await get('/v1/catalogues')).catalogues;
    const catalogue = catalogues.find((one) => one.digest === context.catalogue);
    if (!catalogue) return false;
    const game = await get(
      `/v1/catalogues/${encodeURIComponent(catalogue.id)}/${encodeURIComponent(context.game)}`);
    const wheel = game.equipment.find((one) => one.kind === 'wheel');
    if (!wheel) return false;
    lists.set(key_of(context), wheel.pockets);
    return true;
  } catch {
    lists.delete(key_of(context));  // the next draw asks again
    return false;
  }
}
