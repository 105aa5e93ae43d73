// Cards as bytes, and decks by their names (FORMAT.md, section 7; the starting order is that of
// shuffle/README.md).
import { need } from './refused.js';

const RANKS = { french52: 'A23456789TJQK', spanish48: '123456789SCR', spanish40: '1234567SCR' };
const SUITS = { french52: 'CDHS', spanish48: 'oceb', spanish40: 'oceb' };
const BALLS = Array.from({ length: 90 }, (_, i) => `B${i + 1}`);

const deckOf = (family, removed) => [...SUITS[family]].flatMap((suit) =>
  [...RANKS[family]].filter((rank) => !removed.includes(rank)).map((rank) => rank + suit));

/// Byte of each card, by its code.
export const CARD_BYTES = Object.fromEntries([
  ...deckOf('french52', '').map((card, i) => [card, i]),
  ['Jk', 52],
  ...deckOf('spanish48', '').map((card, i) => [card, 64 + i]),
  ...BALLS.map((ball, i) => [ball, 128 + i]),
]);

/// All cards of a shoe in their order before the shuffle.
export function deckCards(specification) {
  if (specification === 'balls90x1') return [...BALLS];
  const match = /^(french52|spanish40|spanish48)(?:-([A-Za-z0-9]+))?(?:\+([1-4])j)?x([1-8])$/.exec(
    specification);
  need(match !== null, 'deck: malformed');
  const [, family, removed = '', jokers, decks] = match;
  need(family === 'french52' || jokers === undefined, 'deck: jokers are French');
  need([...RANKS[family]].filter((rank) => removed.includes(rank)).join('') === removed,
    'deck: removed ranks are not those of the deck, in its order');
  const deck = [...deckOf(family, removed), ...Array(Number(jokers ?? 0)).fill('Jk')];
  need(deck.length > 0, 'deck: no card is left');
  return Array(Number(decks)).fill(deck).flat();
}
