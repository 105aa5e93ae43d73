// What a verified bundle means for the person who holds the ticket, in sentences of one language:
// which round at which table, what came, who won how much, and where it was checked. Pure: words
// in, words out. It says what the records hold, and whether the rules give the same.

import { gameName } from './verify_games.js';
import { moneyText } from './verify_money.js';
import { handsOf, netOf } from './verify_pieces.js';
import { say } from './verify_words.js';

const SUITS = { C: '\u2663', D: '\u2666', H: '\u2665', S: '\u2660' };
const BANK = ['dealer', 'bank', 'banca'];
const SEAT = /^[1-9]\d{0,9}$/;

/// The seat that a link names, or null.
export const seatOf = (text) => (SEAT.test(text ?? '') ? Number(text) : null);

const first = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/// A card's code as people read it.
export function cardText(language, card) {
  if (card === 'Jk') return say(language, 'joker');
  if (/^B\d/.test(card)) return say(language, 'ball', { value: card.slice(1) });
  const rank = card[0] === 'T' ? '10' : card[0];
  const suit = card[1];
  return suit in SUITS ? rank + SUITS[suit] : `${rank} de ${say(language, 'suits')[suit]}`;
}

/// "box-3" as "casilla 3", "dealer" as "banca".
export function handName(language, name) {
  const numbered = /^(box|seat|pano)-?(\d+)$/.exec(name);
  if (numbered) return say(language, `hand_${numbered[1]}`, { number: numbered[2] });
  return say(language, `hand_${name}`) ?? name;
}

/// "Mesa 7", or the table's own number.
export function placeName(language, { place, table }) {
  return place && place !== table ? place
    : say(language, 'story_table', { number: table.replace(/^table-/, '') });
}

function whereText(language, setting) {
  const game = setting.game === '' ? '' : gameName(language, setting.game);
  return [setting.round === null ? '' : say(language, 'story_round', { number: setting.round }),
    placeName(language, setting), game].filter(Boolean).join(', ');
}

/// One draw in words: the number on the pocket where the catalogue is known, never its place.
export function drawnText(language, { outcome, voided }, pockets) {
  if (outcome === null) return say(language, 'unrecoverable');
  const [[kind, value]] = Object.entries(outcome);
  const name = kind === 'pocket' ? pockets?.[value] : undefined;
  const text = name !== undefined ? say(language, 'story_number', { number: name })
    : say(language, kind, { value: Array.isArray(value) ? value.join(' + ') : value });
  return voided ? say(language, 'voided', { value: text }) : text;
}

/// What came: numbers and dice; of cards the bank's hand, or all where there is none.
function cameText(language, claim) {
  const drawn = claim.drawn.map((one) => drawnText(language, one, claim.setting.pockets));
  const hands = handsOf(claim.cards.filter((one) => one.card !== null));
  const bank = hands.filter((one) => BANK.includes(one.name));
  const told = (bank.length > 0 && bank.length < hands.length && !hands.some((one) =>
    one.name === 'punto') ? bank : hands).slice(0, 3).map((one) =>
    `${handName(language, one.name)} ${one.cards.map((card) =>
      cardText(language, card.card)).join(' ')}`);
  return [...drawn, ...told].join('; ');
}

/// Net units of each seat that had a bet, ascending.
export function netsOf(results) {
  const nets = new Map();
  for (const one of results) {
    if (one.seat > 0) nets.set(one.seat, (nets.get(one.seat) ?? 0) + netOf(one));
  }
  return [...nets].sort(([a], [b]) => a - b);
}

function amountText(language, units, setting) {
  return moneyText(units, setting, language) ?? say(language, 'story_units', { count: units });
}

function netText(language, who, net, setting) {
  const key = net > 0 ? 'wins' : net < 0 ? 'loses' : 'even';
  return say(language, `story_${who === null ? 'you' : 'seat'}_${key}`,
             { seat: who, amount: amountText(language, Math.abs(net), setting) });
}

function wonText(language, { results, setting }, seat) {
  const nets = netsOf(results);
  if (seat !== null) {
    const own = nets.find(([one]) => one === seat);
    return own === undefined ? say(language, 'story_no_bet', { seat })
      : netText(language, null, own[1], setting);
  }
  return nets.map(([one, net]) => netText(language, one, net, setting)).join(' ');
}

/// Sentences, the most important first. `here`: 'phone' or 'browser'.
export function storyOf(language, { claim, code, development, settled: again }, seat, here) {
  if (claim.laboratory !== undefined) {
    return [say(language, 'story_laboratory', claim.laboratory),
      say(language, 'story_checked_only', { here: say(language, `here_${here}`) })];
  }
  const came = cameText(language, claim);
  const settled = claim.kind === 'SETTLEMENT';
  const checked = code === 0 && !development ? 'story_checked' : 'story_checked_only';
  return [
    `${first(whereText(language, claim.setting))}${came ? `: ${came}` : ''}.`,
    settled ? wonText(language, claim, seat) : '',
    again?.alike ? say(language, 'settled_again', { here: say(language, `here_${here}`) }) : '',
    say(language, checked, { here: say(language, `here_${here}`) }),
  ].filter(Boolean);
}
