// What lies on a table, drawn: cards, numbers of a wheel, dice. Each says itself in words too, for
// who does not see it.

import { element, svg_element } from './dom.js';
import { card_text } from './records.js';
import { cardPiece, diePiece, pocketPiece } from '../verify_pieces.js';

/// One card; `code` undefined: face down.
export const card = (code, t) =>
  cardPiece(code, code === undefined || code === null ? t('piece.covered') : card_text(code, t));

/// A row of them.
export function cards(list, t) {
  return element('span', { class: 'hand' }, list.map((one) => card(one.card, t)));
}

/// What stands on the pocket, in the colour that the catalogue's bets give it. Without names the
/// index is shown as what it is.
export function pocket(index, game, t) {
  const name = game?.pockets?.[index];
  if (name === undefined) {
    const words = t('outcome.pocket_index', { index });
    return pocketPiece(words, 'unnamed', words);
  }
  const colour = game.red.has(name) ? 'red' : game.black.has(name) ? 'black' : 'zero';
  return pocketPiece(name, colour, t(`piece.${colour}`, { name }));
}

/// One draw: a pocket, dice with their sum, or numbers.
export function outcome(value, game, t) {
  if (typeof value !== 'object' || value === null) {
    return element('span', { class: 'pocket unnamed' }, String(value ?? ''));
  }
  if (Number.isInteger(value.pocket)) return pocket(value.pocket, game, t);
  if (Array.isArray(value.dice)) {
    const sum = value.dice.reduce((total, one) => total + Number(one), 0);
    return element('span', { class: 'dice' }, value.dice.map(diePiece),
      value.dice.length > 1 ? element('span', { class: 'sum', title: t('piece.sum') },
                                      `= ${sum}`) : '');
  }
  if (Array.isArray(value.lots)) {
    return element('span', { class: 'lots' },
      value.lots.map((one) => element('span', { class: 'pocket' }, String(one))));
  }
  return element('span', { class: 'code' }, JSON.stringify(value).slice(0, 80));
}

/// The draw of a listed round, whose values are named as the game calls them: ["24"], ["3", "5"].
export function named_outcome(values, game, t) {
  if (game?.pockets) return values.map((one) => pocket(game.pockets.indexOf(one), game, t));
  return [outcome(game?.dice ? { dice: values.map(Number) } : { lots: values }, game, t)];
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
