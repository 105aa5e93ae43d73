// What bets were paid at each place, beside what they are worth: theory, practice and the band that
// chance keeps it in, with the alarms that stand. Asked for while somebody looks.

import { get, Refusal } from './api.js';
import { element, say, table } from './dom.js';
import { number } from './format.js';
import { money } from './money.js';
import { problem_text } from './problem.js';
import { returns_of } from './shape.js';

const readers = ['table', 'operator', 'auditor', 'security-officer', 'inspector', 'lab'];

/// "97.2973 %" in the reader's figures.
const percent = (text, t) => `${number(parseFloat(text), t, 2)}\u00a0%`;

/// "400.0000" units: in money where that is exact.
function amount(text, bet, t) {
  const units = Number(text);
  return Number.isSafeInteger(units) ? money(units, bet, t)
    : t('money.units', { count: number(units, t, 2) });
}

const alarmed = (bet) => ['process', 'detector'].some((side) => bet[side]?.alarm);

/// "docena (1 and such: 3)": bets on several places of the cloth that are worth the same.
function bet_text(bet, t) {
  if (bet.places === undefined) return bet.bet;
  return `${bet.bet} (${bet.places === 1 ? bet.on
    : t('returns.places', { on: bet.on, count: number(bet.places, t) })})`;
}

function row_of(bet, t) {
  const state = element('span', { class: bet.within ? undefined : 'warn' },
                        t(bet.within ? 'returns.within' : 'returns.outside'));
  return [bet_text(bet, t), percent(bet.theory, t), percent(bet.practice, t), state,
    `${percent(bet.low, t)} – ${percent(bet.high, t)}`, number(bet.rounds, t),
    amount(bet.staked, bet, t), amount(bet.paid, bet, t)];
}

/// A table for each game of each place, in their order.
function tables_of(bets, t) {
  const groups = new Map();
  for (const bet of bets) {
    const name = t('returns.of', { place: bet.place, game: bet.game });
    groups.has(name) ? groups.get(name).push(bet) : groups.set(name, [bet]);
  }
  const columns = [[t('returns.bet')], [t('returns.theory'), true], [t('returns.practice'), true],
    [t('returns.state')], [t('returns.band'), true], [t('returns.rounds'), true],
    [t('returns.staked'), true], [t('returns.paid'), true]];
  return [...groups].map(([name, some]) => table(name, columns, some.map((bet) => row_of(bet, t))));
}

/// Above the tables: every alarm that stands, a line each.
function alarms(found, t) {
  const lines = [
    ...found.bets.filter(alarmed).map((bet) => t('returns.alarm', {
      bet: bet_text(bet, t), of: t('returns.of', { place: bet.place, game: bet.game }) })),
    ...(found.together ?? []).filter(alarmed).map((one) =>
      t('returns.together', { name: one.monitor })),
  ];
  return lines.map((line) => element('p', { class: 'banner bad' }, line));
}

/// What stands below the tables.
function remarks(found, t) {
  const lines = [];
  if (found.unwatched > 0)
    lines.push(t('returns.unwatched', { count: number(found.unwatched, t) }));
  const others = found.not_watched.map((one) => `${one.game} (${one.place})`);
  if (others.length > 0) lines.push(t('returns.not_watched', { games: others.join(', ') }));
  return lines.map((line) => element('p', {}, line));
}

export class Returns {
  /// Nodes: box (details), problem, view.
  constructor(nodes) {
    this.nodes = nodes;
    nodes.box.addEventListener('toggle', () => this.refresh());
  }

  /// Whoever has no role for it is not shown where it would stand.
  show(t, me) {
    this.t = t;
    this.nodes.box.hidden = !(me.roles ?? []).some((role) => readers.includes(role));
    return this.refresh();
  }

  async refresh() {
    if (this.nodes.box.hidden || !this.nodes.box.open || this.asking || !this.t) return;
    this.asking = true;
    try {
      this.draw(returns_of(await get('/v1/return')));
      say(this.nodes.problem, []);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      say(this.nodes.problem, [element('p', { class: 'banner bad' },
                                       problem_text(error.problem, this.t))]);
    } finally {
      this.asking = false;
    }
  }

  draw(found) {
    const { t } = this;
    const none = found.watched ? 'returns.none' : 'statistics.off';
    this.nodes.view.replaceChildren(
      ...alarms(found, t),
      ...(found.bets.length === 0 ? [element('p', {}, t(none))] : tables_of(found.bets, t)),
      ...remarks(found, t));
  }
}
