// What lies on a table, drawn as elements: cards, numbers of a wheel, dice. Both pages use it; the
// words that say each piece to who does not see it come from the caller.

const SUITS = { C: '\u2663', D: '\u2666', H: '\u2665', S: '\u2660' };
const RED = 'DHoc';
const SVG = 'http://www.w3.org/2000/svg';

function node(name, look, words, ...children) {
  const made = document.createElement(name);
  made.setAttribute('class', look);
  if (words !== undefined) {
    made.setAttribute('role', 'img');
    made.setAttribute('aria-label', words);
    made.setAttribute('title', words);
  }
  made.append(...children);
  return made;
}

/// A card by its code (8S, 7o, B17, Jk); null: face down.
export function cardPiece(code, words, claimed = false) {
  const covered = code === undefined || code === null;
  const french = !covered && code.slice(-1) in SUITS && code.length === 2;
  const face = covered ? [] : french
    ? [node('span', 'rank', undefined, code[0] === 'T' ? '10' : code[0]),
       node('span', 'suit', undefined, SUITS[code[1]])]
    : [node('span', 'words', undefined, words)];
  const look = ['playing', covered ? 'covered' : '',
    !covered && RED.includes(code.slice(-1)) ? 'red' : '', claimed ? 'claimed' : ''];
  return node('span', look.filter(Boolean).join(' '), words, ...face);
}

/// What stands on a pocket; `colour`: red, black, zero, or unnamed.
export const pocketPiece = (text, colour, words) => node('span', `pocket ${colour}`, words, text);

const SPOTS = {
  1: [[2, 2]], 2: [[1, 1], [3, 3]], 3: [[1, 1], [2, 2], [3, 3]],
  4: [[1, 1], [1, 3], [3, 1], [3, 3]], 5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]],
  6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]],
};

function drawn(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

export function diePiece(face) {
  if (!Object.hasOwn(SPOTS, face)) return pocketPiece(String(face), '', String(face));
  return drawn('svg', { class: 'die', viewBox: '0 0 40 40', role: 'img', 'aria-label': face },
    drawn('rect', { x: 1, y: 1, width: 38, height: 38, rx: 8 }),
    ...SPOTS[face].map(([x, y]) => drawn('circle', { cx: x * 10, cy: y * 10, r: 3.6 })));
}

/// What a result gives or takes: a stake in prison is neither won nor lost yet.
export const netOf = ({ result, stake, returned }) => (result === 'prison' ? 0 : returned - stake);

/// Which hand a card of this place belongs to: `punto-2` to `punto`, `box-3-1` to `box-3`.
export function handOf(place) {
  const text = String(place ?? '');
  const own = /^(?:box|seat)-\d+/.exec(text);
  return own ? own[0] : text.replace(/(?:-card)?-\d+$/, '');
}

/// Cards by hand, in the order in which the hands got their first one.
export function handsOf(cards) {
  const hands = new Map();
  for (const card of cards) {
    const name = handOf(card.place);
    if (!hands.has(name)) hands.set(name, []);
    hands.get(name).push(card);
  }
  return [...hands].map(([name, list]) => ({ name, cards: list }));
}
