// What came out at a table, counted: numbers of a wheel, sums of dice, single numbers, cards of a
// shoe by rank. Each count has its band of chance. Pure: records in, figures out.

import { binomial_band, dice_sums, hypergeometric_band, judged, look_risk } from './chance.js';

const fewest = 30;  // draws below which nothing is said

/// Draws of one kind are counted together: a table that draws other things counts apart.
const key_of = (specification) => JSON.stringify(specification);

export class Counts {
  constructor() {
    this.draws = new Map();  // key to {specification, values: [], context}
    this.shoe = null;
    this.asked = new Map();  // seq of a CALL to its core
    this.batches = new Map();
    this.from = undefined;
    this.to = undefined;
  }

  take(record) {
    const { kind, body } = record;
    if (kind === 'CALL') this.asked.set(record.seq, body.core);
    if (kind === 'DRAW') this.draw(record);
    if (kind === 'SHOE_COMMIT') {
      this.shoe = { id: record.object, deck: body.deck, cards: body.cards, seen: [], dealt: 0,
        again: false };
    }
    if (kind === 'SHOE_RECOMMIT' && this.shoe) this.shoe.again = true;
    if (this.shoe?.id !== record.object) return;
    if (kind === 'CARD_DEAL') {
      this.shoe.dealt = body.position + 1;
      if (body.card !== undefined) this.shoe.seen.push(body.card);
    }
    if (kind === 'CARD_OPEN') this.shoe.seen.push(body.card);
  }

  draw(record) {
    const { outcome, call } = record.body;
    const context = this.asked.get(call);  // names catalogue and game
    const specification = context?.specification ?? shape_of(outcome);
    const key = key_of([specification.kind, specification.pockets, specification.count,
                        specification.faces, specification.bounds]);
    if (!this.draws.has(key)) this.draws.set(key, { specification, values: [], context });
    this.draws.get(key).values.push({ seq: record.seq, time: record.time, outcome });
    this.from ??= record.time;
    this.to = record.time;
  }
}

/// Without what was asked for, only the kind is known.
function shape_of(outcome) {
  if (outcome?.dice) return { kind: 'dice', count: outcome.dice.length };
  return { kind: outcome?.lots ? 'lots' : 'wheel' };
}

const tally = (values, of) => {
  const found = new Map();
  for (const one of values) for (const name of of(one.outcome)) {
    found.set(name, (found.get(name) ?? 0) + 1);
  }
  return found;
};

function even(values, count, name, of) {
  const found = tally(values, of);
  const n = [...found.values()].reduce((sum, one) => sum + one, 0);
  const band = binomial_band(n, 1 / count, look_risk / count);
  return { n, expected: n / count, ...judged(Array.from({ length: count }, (_, i) =>
    ({ key: i, name: name(i), count: found.get(i) ?? 0, band }))) };
}

/// One picture: kind, how many draws, rows with their bands, whether to look. Null: cannot be
/// counted (nobody knows what was possible).
export function picture({ specification, values }, pockets) {
  const { kind } = specification;
  const draws = values.length;
  if (kind === 'wheel') {
    const count = pockets?.length ?? specification.pockets;
    if (!(count >= 2)) return null;
    const of = (one) => [one.pocket];
    return { kind, draws, enough: draws >= fewest,
      ...even(values, count, (i) => pockets?.[i] ?? `#${i}`, of) };
  }
  if (kind === 'dice' && specification.faces >= 2) {
    const { faces, count } = specification;
    const sums = tally(values, (one) => [one.dice.reduce((sum, face) => sum + face, 0)]);
    const [least, chances] = dice_sums(count, faces);
    const rows = chances.map((chance, i) => ({
      key: least + i, name: String(least + i), count: sums.get(least + i) ?? 0,
      expected: draws * chance,
      band: binomial_band(draws, chance, look_risk / chances.length),
    }));
    return { kind, draws, enough: draws >= fewest, n: draws, ...judged(rows) };
  }
  if (kind === 'lots' && specification.bounds?.length === 1) {
    const of = (one) => one.lots;
    return { kind, draws, enough: draws >= fewest,
      ...even(values, specification.bounds[0], String, of) };
  }
  return null;
}

/// `french52x6` has 6 packs of 13 ranks in 4 suits; other decks are not counted here.
const packs_of = (deck) => Number(/^french52x(\d+)$/.exec(deck ?? '')?.[1] ?? NaN);
const ranks = [...'A23456789TJQK'];

/// Ranks of the cards seen so far from a shoe of whole packs. Null: nothing to say.
export function shoe_picture(shoe) {
  const packs = packs_of(shoe?.deck);
  if (!(packs >= 1) || shoe.cards !== 52 * packs || shoe.again) return null;
  const n = shoe.seen.length;
  const each = 4 * packs;
  const band = hypergeometric_band(n, each, shoe.cards, look_risk / ranks.length);
  const count = (rank) => shoe.seen.filter((one) => one.slice(0, -1) === rank).length;
  return { kind: 'shoe', draws: n, n, enough: n >= fewest, each, expected: n / ranks.length,
    ...judged(ranks.map((rank) => ({ key: rank, name: rank === 'T' ? '10' : rank,
      count: count(rank), band, left: each - count(rank) }))) };
}
