// What lies on the playground's table, as elements: bets, cards and numbers, settlements with their
// rules, odds. Text only ever becomes text nodes.
import { cardPiece, diePiece, pocketPiece } from '../verify_pieces.js';
import { cardText } from '../verify_story.js';
import { element } from '../verify_view.js';
import { say as sayOfEvidence } from '../verify_words.js';
import { percent_text } from './odds_text.js';
import { ruleWords } from './round.js';
import { say } from './words.js';

/// What the catalogue calls a bet, place or action.
export const named = (list, id) => list?.find((one) => one.id === id)?.text ?? id;

const onText = (on) => (on === undefined || on === null ? '' : ` ${[on].flat().join('-')}`);

export function betsView(language, { acts, head }, game) {
  const bets = acts.filter(({ bet }) => bet !== undefined).map(({ bet }) => bet);
  if (bets.length === 0) return [];
  return [element('h3', {}, say(language, 'bets')),
    element('ul', {}, ...bets.map(({ kind, on, stake, seat }) => element('li', {},
      say(language, 'bet_line', { bet: named(game.bets, kind), on: onText(on), stake, seat,
        currency: head.table.currency }))))];
}

/// A card, a number or dice as it lies there.
function piecesOf(language, act) {
  if (act.card !== undefined) return [cardPiece(act.card, cardText(language, act.card))];
  if (act.wheel !== undefined) return [pocketPiece(String(act.wheel), 'unnamed', act.wheel)];
  if (act.dice !== undefined) return act.dice.map(diePiece);
  return (act.balls ?? act.lots ?? []).map((one) => pocketPiece(String(one), 'unnamed', one));
}

export function cameView(language, { acts }) {
  const pieces = acts.flatMap((act) => piecesOf(language, act));
  if (pieces.length === 0) return [];
  return [element('h3', {}, say(language, 'came')),
    element('div', { class: 'strip large' }, ...pieces)];
}

export function settledView(language, round, { game, rules }) {
  const { settlements } = round.outcome;
  if (settlements.length === 0) return [element('p', {}, say(language, 'none_yet'))];
  return settlements.map((one) => {
    const words = ruleWords(rules, one);
    const result = sayOfEvidence(language, `result_${one.result}`) ?? one.result;
    const won = one.returned > one.stake ? 'good' : one.returned < one.stake ? 'bad' : 'warn';
    return element('div', { class: `banner ${won} settlement` },
      say(language, 'settled_line', { ...one, result, bet: named(game.bets, one.kind),
        currency: round.head.table.currency }),
      element('p', {}, `${one.rule}${words === '' ? '' : `: ${words}`}`));
  });
}

export function rulesView(rules) {
  return [element('ul', {}, ...rules.map(({ rule, text }) =>
    element('li', {}, element('span', { class: 'code' }, rule), ` ${text}`)))];
}

/// `odds`: what OddsDesk told of the game at the table's values (`own`: some are not the
/// catalogue's); null: it is being worked out.
export function oddsView(language, odds, game, own) {
  const line = (key, values) => [element('p', {}, say(language, key, values))];
  if (odds === null) return line('odds_wait');
  if (odds.stopped !== undefined) return line('odds_stopped');
  if (odds.refused !== undefined) {
    return own ? line('odds_refused', { why: odds.refused.detail || odds.refused.code })
      : line('no_odds');
  }
  const percent = (fraction) => percent_text(fraction, { language });
  const head = ['odds_bet', 'odds_win', 'odds_edge'].map((key, i) =>
    element('th', { scope: 'col', class: i === 0 ? '' : 'figure' }, say(language, key)));
  const cell = (fraction) => element('td', { class: 'figure' },
    fraction === undefined ? '' : percent(fraction));
  const rows = odds.bets.map((one) => {
    const beside = [...(one.with ?? []).map((bet) => named(game.bets, bet)),
      ...(one.play ?? []).map((play) => odds.plays?.[play]?.[language] ?? play)];
    return element('tr', {},
      element('td', {}, [named(game.bets, one.bet), ...beside].join(' + ')),
      cell(one.win), cell(one.house_edge));
  });
  const others = odds.others.map(({ bet }) => named(game.bets, bet)).join(', ');
  const lost = odds.bets.filter((one) => String(one.house_edge ?? '').startsWith('-'))
    .map(({ bet }) => named(game.bets, bet));
  return [...(lost.length === 0 ? [] : [element('p', { class: 'banner bad' },
    say(language, 'odds_lost', { bets: [...new Set(lost)].join(', ') }))]),
  element('div', { class: 'wide', tabindex: '0' },
    element('table', { class: 'percents' }, element('thead', {}, element('tr', {}, ...head)),
      element('tbody', {}, ...rows))),
  ...(others === '' ? [] : line('odds_others', { bets: others })),
  element('p', { class: 'quiet' }, say(language, 'odds_meaning'))];
}
