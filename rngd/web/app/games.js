// Games as their catalogues describe them: name in the reader's language, pockets of a wheel, which
// numbers are red. A table and a record name the catalogue by its digest; each is asked for once.

import { get } from './api.js';

const known = new Map();  // "language digest/game" to a game's facts, or a promise of them
const lists = new Map();  // language to a promise of the catalogues
const named_max = 1000;
const named = new Map();  // a batch or shoe to its game, by the newest commitment or call

/// Members of a bet's positions as texts: [[1], [3]] and [1, 3] alike.
const members = (bet) => new Set((bet?.covers ?? []).flat().map(String));

function facts_of(game, catalogue) {
  const wheel = game.equipment?.find((one) => one.kind === 'wheel');
  const bet = (id) => game.bets?.find((one) => one.id === id);
  return {
    text: game.text, family: game.family, currency: catalogue.currency, catalogue: catalogue.id,
    pockets: wheel?.pockets?.map(String),
    dice: game.equipment?.some((one) => one.kind === 'dice') ?? false,
    red: members(bet('rojo')), black: members(bet('negro')),
    bets: new Map((game.bets ?? []).map((one) => [one.id, one.text ?? one.id])),
    actions: new Map((game.actions ?? []).map((one) => [one.id, one.text ?? one.id])),
    deck: game.equipment?.find((one) => one.deck)?.deck,
  };
}

async function load(digest, id, language) {
  lists.has(language) || lists.set(language, get(`/v1/catalogues?language=${language}`));
  const catalogue = (await lists.get(language)).catalogues.find((one) => one.digest === digest);
  if (!catalogue) return null;
  const game = await get(`/v1/catalogues/${encodeURIComponent(catalogue.id)}/` +
    `${encodeURIComponent(id)}?language=${language}`);
  return facts_of(game, catalogue);
}

const key_of = (digest, id, language) => `${language} ${digest}/${id}`;

/// What is known now, or undefined.
export function game_of(digest, id, language) {
  const one = known.get(key_of(digest, id, language));
  return one instanceof Promise || one === null ? undefined : one;
}

/// Waits until the game is known; true for whoever asked for it first.
export async function learn_game(digest, id, language) {
  const key = key_of(digest, id, language);
  if (!digest || !id) return false;
  if (known.has(key)) {
    await known.get(key);  // somebody asked already: who waits here may use it afterwards
    return false;
  }
  const asked = load(digest, id, language);
  known.set(key, asked.catch(() => null));
  try {
    known.set(key, await asked);
    return known.get(key) !== null;
  } catch {
    known.delete(key);  // the next one asks again
    lists.delete(language);
    return false;
  }
}

/// Which catalogue and game a record is of: as it says, or as the call before it on that object.
export function game_named(record) {
  const said = record.body?.context ?? record.body?.core;
  if (said && record.object) {
    named.delete(record.object);
    named.set(record.object, { catalogue: said.catalogue, game: said.game });
    if (named.size > named_max) named.delete(named.keys().next().value);
  }
  return said ?? named.get(record.object);
}

/// Another appliance may stand behind the page after a restart.
export function forget_games() {
  known.clear();
  lists.clear();
  named.clear();
}
