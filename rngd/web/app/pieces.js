// What lies on a table, drawn: cards, numbers of a wheel, dice. Each says itself in words too, for
// who does not see it.

import { element, svg_element } from './dom.js';
import { card_text } from './records.js';

const suits = { C: '\u2663', D: '\u2666', H: '\u2665', S: '\u2660' };
const red_suits = 'DHoc';

/// One card; `code` undefined: face down. `small` for strips.
export function card(code, t, { claimed = false } = {}) {
  const covered = code === undefined || code === null;
  const words = covered ? t('piece.covered') : card_text(code, t);
  const french = !covered && code.slice(-1) in suits && code.length <= 3;
  const red = !covered && red_suits.includes(code.slice(-1));
  const face = covered ? [] : french
    ? [element('span', { class: 'rank' }, code[0] === 'T' ? '10' : code.slice(0, -1)),
       element('span', { class: 'suit' }, suits[code.slice(-1)])]
    : [element('span', { class: 'words' }, words)];
  const look = ['playing', covered ? 'covered' : '', red ? 'red' : '', claimed ? 'claimed' : ''];
  return element('span', { class: look.filter(Boolean).join(' '), role: 'img',
                          'aria-label': words, title: words }, ...face);
}

/// A row of them.
export function cards(list, t) {
  return element('span', { class: 'hand' }, list.map((one) => card(one.card, t)));
}

/// What stands on the pocket, in the colour that the catalogue's bets give it. Without names the
/// index is shown as what it is.
export function pocket(index, game, t) {
  const name = game?.pockets?.[index];
  if (name === undefined) {
    return element('span', { class: 'pocket unnamed' }, t('outcome.pocket_index', { index }));
  }
  const colour = game.red.has(name) ? 'red' : game.black.has(name) ? 'black' : 'zero';
  const words = t(`piece.${colour}`, { name });
  return element('span', { class: `pocket ${colour}`, role: 'img', 'aria-label': words,
                          title: words }, name);
}

const spots = {
  1: [[2, 2]], 2: [[1, 1], [3, 3]], 3: [[1, 1], [2, 2], [3, 3]],
  4: [[1, 1], [1, 3], [3, 1], [3, 3]], 5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]],
  6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]],
};

export function die(face) {
  if (!(face in spots)) return element('span', { class: 'pocket' }, String(face));
  return svg_element('svg', { class: 'die', viewBox: '0 0 40 40', role: 'img',
                             'aria-label': String(face) },
    svg_element('rect', { x: 1, y: 1, width: 38, height: 38, rx: 8 }),
    spots[face].map(([x, y]) => svg_element('circle', { cx: x * 10, cy: y * 10, r: 3.6 })));
}

/// One draw: a pocket, dice with their sum, or numbers.
export function outcome(value, game, t) {
  if (typeof value !== 'object' || value === null) {
    return element('span', { class: 'pocket unnamed' }, String(value ?? ''));
  }
  if (Number.isInteger(value.pocket)) return pocket(value.pocket, game, t);
  if (Array.isArray(value.dice)) {
    const sum = value.dice.reduce((total, one) => total + Number(one), 0);
    return element('span', { class: 'dice' }, value.dice.map(die),
      value.dice.length > 1 ? element('span', { class: 'sum', title: t('piece.sum') },
                                      `= ${sum}`) : '');
  }
  if (Array.isArray(value.lots)) {
    return element('span', { class: 'lots' },
      value.lots.map((one) => element('span', { class: 'pocket' }, String(one))));
  }
  return element('span', { class: 'code' }, JSON.stringify(value).slice(0, 80));
}

/// How far a shoe is dealt, with the place of the stop card.
export function shoe_bar(shoe, t) {
  const { cards: all, dealt, stop_depth: behind = 0 } = shoe;
  if (!(all > 0) || !(dealt >= 0) || dealt > all) return null;
  const stop = all - Math.min(behind, all);
  const words = t('piece.shoe', { dealt, all, left: Math.max(0, stop - dealt) });
  return element('div', { class: 'shoe' },
    svg_element('svg', { viewBox: '0 0 100 6', preserveAspectRatio: 'none', role: 'img',
                        'aria-label': words },
      svg_element('rect', { class: 'ground', x: 0, y: 0, width: 100, height: 6 }),
      svg_element('rect', { class: dealt >= stop ? 'dealt over' : 'dealt', x: 0, y: 0,
                           width: (100 * dealt / all).toFixed(2), height: 6 }),
      behind > 0 ? svg_element('rect', { class: 'stop', x: (100 * stop / all - 0.4).toFixed(2),
                                        y: 0, width: 0.8, height: 6 }) : null),
    element('span', { class: 'quiet' }, words));
}

/// "casilla 3", "banca", "punto": the hand's name as people of the table say it.
export function hand_name(name, t) {
  const numbered = /^(box|seat|pano)-?(\d+)$/.exec(name);
  if (numbered) return t(`hand.${numbered[1]}`, { number: numbered[2] });
  return t.code('hand', name);
}
