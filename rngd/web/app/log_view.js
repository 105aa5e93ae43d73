// The log for people: what comes now, or a page of the past found by number, by time of day, by
// table and by kind of record.

import { get, Refusal } from './api.js';
import { element, say } from './dom.js';
import { both_times, number, time_of_day } from './format.js';
import { game_named, game_of, learn_game } from './games.js';
import { seq_at, time_of_field } from './log_search.js';
import { problem_text } from './problem.js';
import { has_evidence, is_alert, is_outcome, kinds, record_text } from './records.js';
import { page_of_events } from './shape.js';

const rows_max = 200;
const page_size = 50;
const window_size = 5000;  // records looked through at a time where few are wanted
const windows_max = 20;

/// One record as a row of the list; `name_of(table)` says what stands on its sign.
export function record_row(record, t, name_of) {
  const context = game_named(record);
  const pockets = game_of(context?.catalogue, context?.game, t.language)?.pockets;
  const look = is_alert(record) ? 'alert' : is_outcome(record) ? 'drawn' : undefined;
  const link = has_evidence(record)
    ? element('a', { href: `verify.html?bundle=/v1/bundles/${record.seq}`,
      'aria-label': t('draws.evidence_of', { seq: record.seq }) }, t('draws.evidence'))
    : '';
  const object = record.object ?? '';
  const owner = record.table && name_of(record.table);
  const place = object.startsWith('round-')
    ? element('a', { href: `#/round/${object}` }, object)
    : element('span', { class: 'quiet' }, object);
  return element('li', { class: look, 'data-seq': record.seq },
    element('span', { class: 'told' }, number(record.seq, t)),
    element('span', { class: 'told', title: both_times(record.time, t) },
            time_of_day(record.time, t)),
    element('span', { class: 'what' },
      element('span', { class: 'kind' }, t.code('kind', record.kind)), ' ',
      record_text(record, t, pockets), ' ',
      owner ? element('a', { href: `#/table/${record.table}` }, owner) : '', ' ', place),
    element('span', {}, link));
}

export class LogView {
  /// nodes: list, state, problem, pause, outcomes, table, kind, time, go, live, older, newer.
  constructor(nodes, name_of) {
    Object.assign(this, { nodes, name_of, live: [], page: null, paused: false, size: 0,
      state: 'draws.waiting', refusal: null, turn: 0 });
    nodes.pause.addEventListener('click', () => this.toggle());
    nodes.outcomes.addEventListener('change', () => this.draw());
    nodes.table.addEventListener('change', () => this.filter());
    nodes.kind.addEventListener('change', () => this.filter());
    nodes.go.addEventListener('click', () => this.find());
    nodes.live.addEventListener('click', () => this.to_live());
    nodes.older.addEventListener('click', () => this.move(-1));
    nodes.newer.addEventListener('click', () => this.move(1));
  }

  show(t, tables) {
    this.t = t;
    const fill = (node, first, options) => {
      const chosen = node.value;
      node.replaceChildren(element('option', { value: '' }, first),
        ...options.map(([value, words]) => element('option', { value }, words)));
      node.value = options.some(([value]) => value === chosen) ? chosen : '';
    };
    const known = (tables ?? []).map((one) => [one.id, this.name_of(one.id)]);
    const { asked } = this;
    if (asked && !known.some(([id]) => id === asked)) known.push([asked, asked]);
    fill(this.nodes.table, t('log.all_tables'), known);
    if (asked) this.nodes.table.value = asked;
    fill(this.nodes.kind, t('log.all_kinds'), kinds.map((one) => [one, t.code('kind', one)]));
    this.draw();
  }

  /// Records as they come, oldest first.
  take(records) {
    for (const record of records) {
      this.live.unshift(record);
      const context = game_named(record);
      if (record.body?.outcome?.pocket !== undefined && this.t) {
        learn_game(context?.catalogue, context?.game, this.t.language)
          .then((learnt) => learnt && this.draw());
      }
    }
    this.live.length = Math.min(this.live.length, rows_max);
    if (!this.page && !this.paused) this.draw_soon();
  }

  /// Many records at once are one drawing, and none while nobody looks.
  draw_soon() {
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      if (!this.nodes.list.closest('section').hidden) this.draw();
    }, 100);
  }

  restart() {
    this.live = [];
    this.page = null;
    this.turn += 1;
  }

  tell(state, refusal) {
    Object.assign(this, { state, refusal });
    this.draw_state();
  }

  toggle() {
    this.paused = !this.paused;
    this.held = this.paused ? [...this.live] : undefined;
    this.draw();
  }

  to_live() {
    this.turn += 1;
    Object.assign(this, { page: null, asked: undefined });
    for (const one of ['time', 'table', 'kind']) this.nodes[one].value = '';
    this.say_problem('');
    this.draw();
  }

  get filtered() {
    return this.nodes.table.value !== '' || this.nodes.kind.value !== '';
  }

  /// From a link: a record's number, or a table.
  open(kind, value) {
    this.asked = kind === 'table' ? value : undefined;
    if (kind === 'seq') return this.read(Number(value));
    if (kind !== 'table') return this.draw();
    this.nodes.table.value = value;
    return this.before(this.size);
  }

  filter() {
    if (this.page) return this.read(this.page.from);
    return this.filtered ? this.before(this.size) : this.draw();
  }

  async find() {
    const time = time_of_field(this.nodes.time.value);
    if (time === undefined) return this.say_problem(this.t('log.no_time'));
    return this.ask(async () => this.read(await seq_at(time, this.size)));
  }

  move(by) {
    if (by < 0) return this.before(this.page?.from ?? this.live.at(-1)?.seq ?? this.size);
    return this.page ? this.read(this.page.next) : this.to_live();
  }

  page_after(after, limit) {
    const { table, kind } = this.nodes;
    return get(`/v1/events?after=${after}&limit=${limit}` +
      `${table.value ? `&table=${table.value}` : ''}${kind.value ? `&kind=${kind.value}` : ''}`)
      .then(page_of_events);
  }

  /// The first ones from a number on.
  read(from) {
    return this.ask(async (turn) => {
      const records = [];
      let after = from - 1;
      let more = true;
      for (let pages = 0; more && records.length < page_size && pages < windows_max; pages += 1) {
        const page = await this.page_after(after, page_size - records.length);
        records.push(...page.records);
        more = page.more && page.next > after;
        after = page.next;
      }
      await this.show_page({ from, next: after + 1, records, more }, turn);
    });
  }

  /// The last ones before a number.
  before(end) {
    return this.ask(async (turn) => {
      let found = [];
      let low = end;
      for (let windows = 0; low > 0 && found.length < page_size && windows < windows_max;
        windows += 1) {
        const high = low;
        low = Math.max(0, low - (this.filtered ? window_size : page_size));
        const part = [];
        for (let after = low - 1, more = true; more && after < high - 1;) {
          const page = await this.page_after(after, 1000);
          part.push(...page.records.filter((one) => one.seq < high));
          more = page.more && page.next > after;
          after = page.next;
        }
        found = [...part, ...found];
      }
      const records = found.slice(-page_size);
      await this.show_page({ from: records[0]?.seq ?? low, next: end, records,
        more: end < this.size }, turn);
    });
  }

  async show_page(page, turn) {
    page.records.toSorted((one, other) => one.seq - other.seq).forEach(game_named);
    await Promise.all(page.records.map((one) => learn_game(game_named(one)?.catalogue,
      game_named(one)?.game, this.t.language)));
    if (turn !== this.turn) return;
    this.page = page;
    this.draw();
  }

  async ask(question) {
    this.turn += 1;
    const { turn } = this;
    try {
      this.say_problem('');
      await question(turn);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.say_problem(problem_text(error.problem, this.t));
    }
  }

  say_problem(text) {
    say(this.nodes.problem, text ? [element('p', { class: 'banner bad' }, text)] : []);
  }

  draw_state() {
    const { t } = this;
    if (!t) return;
    const state = this.page ? 'log.past' : this.paused ? 'draws.paused'
      : this.state === 'draws.live' && this.live.length === 0 ? 'draws.empty' : this.state;
    this.nodes.state.textContent = t(state);
    if (this.refusal) this.say_problem(problem_text(this.refusal, t));
  }

  draw() {
    const { t, nodes } = this;
    if (!t) return;
    nodes.pause.textContent = t(this.paused ? 'draws.continue' : 'draws.pause');
    nodes.pause.hidden = this.page !== null;
    nodes.live.hidden = this.page === null;
    nodes.newer.disabled = this.page !== null && !this.page.more;
    nodes.older.disabled = this.page?.from === 0;
    const rows = this.page ? this.page.records : this.held ?? this.live;
    const shown = rows.filter((one) => !nodes.outcomes.checked || is_outcome(one));
    nodes.list.replaceChildren(...(shown.length === 0 && this.page
      ? [element('li', { class: 'quiet' }, t('log.nothing'))]
      : shown.map((one) => record_row(one, t, this.name_of))));
    this.draw_state();
  }
}
