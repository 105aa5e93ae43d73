// A month of the appliance, counted from its log: outcomes, stakes and returns of each table,
// voids, withheld contributions, latches, alarms. Asked for while somebody looks; a long log is
// counted a piece a question, so it is asked again until all is counted.

import { get, Refusal } from './api.js';
import { element, facts, say, table } from './dom.js';
import { date_time, number } from './format.js';
import { game_of, learn_game } from './games.js';
import { money } from './money.js';
import { problem_text } from './problem.js';
import { specification_text } from './records.js';
import { month_report_of } from './shape.js';

const readers = ['operator', 'auditor', 'security-officer', 'inspector', 'lab'];
const months_back = 24;
const pause_ms = 200;

/// YYYY-MM of the month of that time, in UTC, and of so many before it, the newest first.
export function months_before(time_us, count = months_back) {
  const now = new Date(time_us / 1000);
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString()
      .slice(0, 7));
}

const joined = (counts, t) => Object.entries(counts)
  .map(([name, count]) => `${name}: ${number(count, t)}`).join(', ');

function table_name(id, one, t) {
  const game = game_of(one.catalogue, one.game, t.language)?.text ?? one.game;
  return `${one.place || id}${game === '' ? '' : `: ${game}`}`;
}

function table_rows(report, t) {
  return Object.entries(report.tables).map(([id, one]) => [
    table_name(id, one, t), number(one.rounds, t), money(one.staked, one, t),
    money(one.returned, one, t), number(one.misdeals, t), joined(one.voids, t),
    joined(one.withheld, t)]);
}

function draw_rows(report, t) {
  return Object.entries(report.tables).flatMap(([id, one]) => one.draws.map((draw) => [
    one.place || id, specification_text(draw.specification, t), number(draw.draws, t),
    joined(draw.results, t), draw.p ?? '']));
}

function machine_facts(report, t) {
  const told = (name, counts) => [t(name), joined(counts, t) || t('month.none'), ''];
  return facts([
    [t('month.records'), number(report.log.records_of_month, t), ''],
    told('month.power', report.power), told('month.selftests', report.selftests),
    [t('month.reseeds'), number(report.reseeds, t), ''],
    told('month.resets', report.latch_resets),
    [t('month.refused'), number(report.accesses_refused, t), ''],
  ]);
}

/// Latches and alarms, a line each.
function events_of(title, events, words, t) {
  const lines = events.map((one) => element('li', {},
    `${one.seq}: ${words(one)} (${date_time(one.time_us, t, 'UTC')})`));
  return [element('h3', {}, title),
    lines.length === 0 ? element('p', {}, t('month.none')) : element('ul', {}, lines)];
}

export class Month {
  /// Nodes: box (details), of (select), problem, view.
  constructor(nodes) {
    this.nodes = nodes;
    nodes.box.addEventListener('toggle', () => this.ask());
    nodes.of.addEventListener('change', () => this.ask());
  }

  /// Whoever has no role for it is not shown where it would stand. `time`: the appliance's.
  show(t, me, time) {
    this.t = t;
    this.nodes.box.hidden = !(me.roles ?? []).some((role) => readers.includes(role));
    const months = months_before(time);
    if (this.newest === months[0]) return;
    this.newest = months[0];
    this.nodes.of.replaceChildren(...months.map((one) => element('option', { value: one }, one)));
  }

  /// Until all is counted, the box is closed or another month is chosen.
  async ask() {
    const month = this.nodes.of.value;
    if (this.nodes.box.hidden || !this.nodes.box.open || !this.t || this.asking === month) return;
    this.asking = month;
    try {
      for (let whole = false; !whole && this.nodes.box.open && this.asking === month;) {
        const report = month_report_of(await get(`/v1/month?month=${month}`));
        await Promise.all(Object.values(report.tables).map((one) =>
          learn_game(one.catalogue, one.game, this.t.language)));
        if (this.asking !== month) return;
        whole = !report.faults.some((one) => one.what === 'unfinished');
        this.draw(report);
        if (!whole) await new Promise((go) => { setTimeout(go, pause_ms); });
      }
      say(this.nodes.problem, []);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      say(this.nodes.problem, [element('p', { class: 'banner bad' },
                                       problem_text(error.problem, this.t))]);
    } finally {
      if (this.asking === month) this.asking = undefined;
    }
  }

  draw(report) {
    const { t } = this;
    const unfinished = report.faults.some((one) => one.what === 'unfinished');
    const tables = table_rows(report, t);
    const draws = draw_rows(report, t);
    this.nodes.view.replaceChildren(
      ...(unfinished ? [element('p', { class: 'banner warn' }, t('month.unfinished', {
        count: number(report.log.below, t) }))] : []),
      ...(tables.length === 0 ? [element('p', {}, t('month.no_tables'))] : [
        table(t('month.tables'), [[t('month.table')], [t('month.rounds'), true],
          [t('month.staked'), true], [t('month.returned'), true], [t('month.misdeals'), true],
          [t('month.voids')], [t('month.withheld')]], tables)]),
      ...(draws.length === 0 ? [] : [
        table(t('month.draws'), [[t('month.table')], [t('month.what')], [t('month.count'), true],
          [t('month.results')], [t('month.chance'), true]], draws)]),
      ...events_of(t('month.latches'), report.latches, (one) => one.what, t),
      ...events_of(t('month.alarms'), report.alarms,
                   (one) => `${one.source} ${one.test}, ${one.level}`, t),
      machine_facts(report, t));
  }
}
