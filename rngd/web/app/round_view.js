// One round for people: when, what was drawn or dealt, who staked what and got what back, and the
// evidence of it. An ended round is read from its records, so its cards are still there.

import { element, facts, table } from './dom.js';
import { get } from './api.js';
import { both_times, number } from './format.js';
import { House } from './house.js';
import { money } from './money.js';
import { cards, hand_name, outcome } from './pieces.js';
import { page_of_events } from './shape.js';
import { table_name } from './sentence.js';
import { handsOf, netOf } from '../verify_pieces.js';

const pages_max = 40;  // of the log between a round's first and last record

/// A round of any age, rebuilt from the records of its table; throws a Refusal.
export async function load_round(id) {
  const first = Number(id.replace(/^round-/, ''));
  const { round } = await get(`/v1/rounds/${encodeURIComponent(id)}`);
  const last = round.records?.at(-1)?.seq;  // of an ended one
  const house = new House();
  const name = round.table ?? round.opening?.table;
  let after = first - 1;
  for (let page = 0; page < pages_max; page += 1) {
    const events = page_of_events(await get(
      `/v1/events?after=${after}&limit=200&table=${encodeURIComponent(name)}`));
    for (const record of events.records) {
      if (last !== undefined && record.seq > last) break;
      house.take(record);
    }
    after = events.next;
    if (!events.more || (last !== undefined && after >= last)) break;
  }
  const found = house.book(name).rounds.find((one) => one.id === id);
  return found && { ...found, table: name };
}

function bets_table(round, game, worth, t) {
  const on = new Map(round.bets.map((one) => [one.id, one.on]));
  if (round.results.length > 0) {
    return table(t('round.results'), [[t('round.seat'), true], [t('game.bet')],
      [t('round.stake'), true], [t('round.result')], [t('round.returned'), true],
      [t('round.net'), true], [t('game.cite')]],
    round.results.map((one) => [one.seat === 0 ? t('round.house') : String(one.seat),
      bet_words(one, on.get(one.bet), game), money(one.stake, worth, t),
      t.code('result', one.result), money(one.returned, worth, t),
      money(netOf(one), worth, t, true), one.rule ?? '']));
  }
  if (round.bets.length === 0) return element('p', { class: 'quiet' }, t('record.no_bets'));
  return table(t('game.bets'), [[t('round.seat'), true], [t('game.bet')],
                                [t('round.stake'), true]],
    round.bets.map((one) => [String(one.seat), bet_words(one, one.on, game),
                             money(one.stake, worth, t)]));
}

const bet_words = (one, on, game) => `${game?.bets.get(one.kind) ?? one.kind}` +
  (on ? ` (${on.join('-')})` : '');

function cards_part(round, t) {
  const hands = handsOf(round.cards);
  if (hands.length === 0) return null;
  return element('dl', { class: 'hands wide-hands' }, hands.map((one) =>
    element('div', {}, element('dt', {}, hand_name(one.name, t)),
            element('dd', {}, cards(one.cards, t)))));
}

function draws_part(round, game, t) {
  if (round.draws.length === 0) return null;
  return element('div', { class: 'strip large' }, round.draws.map((one) =>
    element('span', { class: one.voided ? 'voided' : undefined }, outcome(one.outcome, game, t),
            one.voided ? element('span', { class: 'quiet' }, ` ${t('round.voided')}`) : '')));
}

function actions_part(round, game, t) {
  if (round.actions.length === 0) return null;
  return element('details', {},
    element('summary', {}, t('round.actions', { count: number(round.actions.length, t) })),
    element('ol', {}, round.actions.map((one) => element('li', {}, t('record.action', {
      seat: one.seat,
      what: one.do === '' ? t('record.time_out') : game?.actions.get(one.do) ?? one.do,
    })))));
}

/// All of a round as elements. `worth`: unit and currency of its table.
export function round_parts(round, { table: owner, game, worth }, t) {
  const state = round.ended !== undefined ? t('round.ended')
    : t(round.results.length > 0 ? 'round.settled' : 'round.running');
  return [
    element('h2', {}, t('round.title', { number: number(round.number, t) }), ', ',
      element('a', { href: `#/table/${owner.id}` }, table_name(owner, t)),
      game ? `, ${game.text}` : ''),
    facts([
      [t('round.opened'), both_times(round.opened, t)],
      round.ended === undefined ? [t('round.state'), state]
        : [t('round.ended'), both_times(round.ended, t)],
      [t('round.record'), element('span', { class: 'code' }, round.id)],
    ]),
    draws_part(round, game, t),
    cards_part(round, t),
    bets_table(round, game, worth, t),
    actions_part(round, game, t),
  ].filter((one) => one !== null);
}

/// Links of a round: its evidence, its records.
export function round_links(round, t) {
  return element('p', { class: 'links' },
    round.settlement === undefined ? element('span', { class: 'quiet' }, t('round.no_evidence'))
      : element('a', { class: 'button',
        href: `verify.html?bundle=/v1/bundles/${round.settlement}` }, t('round.evidence')),
    element('a', { href: `#/log/${Number(round.id.replace(/^round-/, ''))}` },
            t('round.records')));
}

