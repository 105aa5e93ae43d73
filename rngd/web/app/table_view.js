// One table: what it plays and under which limits, the round on it now, and all its rounds, the
// older ones by pages and by the time of day.

import { get, Refusal } from './api.js';
import { element, facts, say, table as table_of_rows } from './dom.js';
import { both_times, number, time_of_day } from './format.js';
import { last_seen, pace_words, state_words } from './floor.js';
import { game_of, learn_game } from './games.js';
import { money } from './money.js';
import { time_of_field } from './log_search.js';
import { named_outcome, outcome, shoe_bar } from './pieces.js';
import { problem_text } from './problem.js';
import { load_round, round_links, round_parts } from './round_view.js';
import { table_name } from './sentence.js';
import { rounds_of } from './shape.js';
import { netOf } from '../verify_pieces.js';

const page_size = 25;
const minute = 60_000_000;  // microseconds; a reader's clock has no seconds

/// A table as its records tell it: an open one, or one of the past.
async function load_table(id) {
  const { table } = await get(`/v1/tables/${encodeURIComponent(id)}`);
  if (table.opening === undefined) return table;
  const { opening } = table;
  return { id, state: 'closed', game: opening.game, catalogue: opening.catalogue,
    place: opening.place, currency: opening.currency, unit: opening.unit, min: opening.min,
    max: opening.max, settled_by: opening.settled_by, rounds: table.closing?.rounds ?? 0 };
}

/// Its unit stands in its first record.
async function worth_of(table, house) {
  const known = house.book(table.id).money;
  if (known.unit !== undefined) return known;
  if (table.unit !== undefined) return { unit: table.unit, currency: table.currency };
  const seq = Number(table.id.replace(/^table-/, ''));
  const { events } = await get(`/v1/events?after=${seq - 1}&limit=1`);
  const { body } = JSON.parse(events[0].record);
  return { unit: body.unit, currency: body.currency };
}

export class TableView {
  /// nodes: head, problem, rounds; search, a form with time, a field in it.
  constructor(nodes, house) {
    Object.assign(this, { nodes, house, rows: [], more: false });
    nodes.search.addEventListener('submit', (event) => {
      event.preventDefault();
      const time = time_of_field(nodes.time.value);
      if (time !== undefined) this.from_the_end(time + minute);
    });
    nodes.search.addEventListener('reset', () => this.from_the_end());
  }

  /// Rounds from the newest on, or from the newest that was open before `until` (microseconds).
  async from_the_end(until) {
    Object.assign(this, { until, rows: [], more: false, next: undefined, listed: false, made: '' });
    if (this.table?.settled_by === 'appliance') await this.older();
  }

  async open(id, t) {
    Object.assign(this, { id, t, table: undefined, rows: [], more: false, worth: {},
      listed: false, made: '', until: undefined, next: undefined });
    this.nodes.time.value = '';
    this.nodes.search.hidden = true;
    this.nodes.head.replaceChildren(element('p', { class: 'quiet' }, t('view.reading')));
    this.nodes.rounds.replaceChildren();
    await this.ask(async () => {
      const table = await load_table(id);
      const worth = await worth_of(table, this.house);
      await learn_game(table.catalogue, table.game, t.language);
      if (this.id !== id) return;
      Object.assign(this, { table, worth });
      this.draw();
      this.nodes.search.hidden = table.settled_by !== 'appliance';
      if (table.settled_by === 'appliance') await this.older();
    });
  }

  async ask(question) {
    try {
      say(this.nodes.problem, []);
      await question();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      say(this.nodes.problem,
          [element('p', { class: 'banner bad' }, problem_text(error.problem, this.t))]);
    }
  }

  get game() {
    return game_of(this.table?.catalogue, this.table?.game, this.t.language);
  }

  /// New records of this table: the list of open tables is newer than what was asked for.
  update(table, now) {
    this.now = now;
    if (this.table === undefined) return;
    if (table) this.table = { ...this.table, ...table };
    this.draw();
  }

  draw() {
    const { t, table } = this;
    const book = this.house.book(table.id);
    const [tone, words] = state_words(table, book.open, t);
    const shoe = book.shoe && table.shoe === book.shoe.id
      ? shoe_bar({ ...book.shoe, dealt: table.position ?? book.shoe.dealt }, t) : null;
    const limit = (units) => money(units, this.worth, t);
    this.nodes.head.replaceChildren(...[
      element('h2', {}, table_name(table, t), ' ', element('span', { class: `pill ${tone}` },
                                                           words)),
      facts([
        [t('record.game'), this.game?.text ?? (table.game || t('record.no_game'))],
        table.min ? [t('table.min'), limit(table.min)] : null,
        table.max ? [t('table.max'), limit(table.max)] : null,
        [t('floor.pace_name'), pace_words(book, this.now ?? book.last, t)],
        [t('round.record'), element('span', { class: 'code' }, table.id)],
        [t('settled_by.name'), t.code('settled_by', table.settled_by)],
      ]),
      last_seen(book, this.game, t, 40),
      shoe,
      element('p', { class: 'links' },
        element('a', { class: 'button', href: `#/numbers/${table.id}` }, t('numbers.of_table')),
        element('a', { href: `#/log/table/${table.id}` }, t('round.records'))),
    ].filter((one) => one !== null));
    this.draw_rounds();
  }

  async older() {
    await this.ask(async () => {
      const { id, until } = this;
      const to = until === undefined ? '' : `&to=${until}`;
      let page;
      do {  // a reply passes by so many rounds behind the time only
        const last = page?.next ?? this.next;
        const before = last === undefined ? '' : `&before=${encodeURIComponent(last)}`;
        page = rounds_of(await get(`/v1/tables/${encodeURIComponent(id)}/rounds?limit=` +
          `${page_size}${to}${before}`));
        if (id !== this.id || until !== this.until) return;
      } while (page.more && page.rounds.length === 0 && page.next !== undefined);
      this.listed = true;
      this.rows.push(...page.rounds);
      this.more = page.more;
      this.next = page.next ?? page.rounds.at(-1)?.id;
      this.draw_rounds();
    });
  }

  /// Rounds that came since the list was asked for stand above it, but for one of the past.
  all_rows() {
    if (this.until !== undefined) return this.rows;
    const listed = new Set(this.rows.map((one) => one.id));
    const fresh = this.house.book(this.id).rounds.filter((one) => !listed.has(one.id) &&
      (this.rows.length === 0 || one.number > this.rows[0].number));
    return [...fresh, ...this.rows];
  }

  draw_rounds() {
    if (!this.listed && this.table.settled_by === 'appliance') return;
    const { t } = this;
    const known = new Map(this.house.book(this.id).rounds.map((one) => [one.id, one]));
    const rows = this.all_rows();
    const made = JSON.stringify([rows.length, rows[0], known.get(rows[0]?.id)?.seqs.length,
                                 t.language, this.game?.text, this.more]);
    if (made === this.made) return;
    this.made = made;
    const button = element('button', { type: 'button' }, t('view.older'));
    button.addEventListener('click', () => this.older());
    this.nodes.rounds.replaceChildren(rows.length === 0
      ? element('p', { class: 'quiet' }, t('floor.nothing_yet'))
      : table_of_rows(t('table.rounds'), [[t('round.number'), true], [t('round.opened')],
        [t('round.drawn')], [t('round.paid'), true], [t('draws.evidence')]],
      rows.map((one) => this.row({ ...one, ...known.get(one.id) }))),
      this.more ? button : '');
  }

  row(round) {
    const { t } = this;
    const net = round.results?.length > 0
      ? round.results.reduce((sum, one) => sum + netOf(one), 0)
      : round.settlement === undefined || round.staked === undefined ? undefined
        : round.returned - round.staked;
    const paid = net === undefined ? '' : money(net, this.worth, t, true);
    const drawn = round.draws !== undefined || round.outcome === undefined
      ? (round.draws ?? []).map((one) => outcome(one.outcome, this.game, t))
      : named_outcome(round.outcome, this.game, t);
    return [
      element('a', { href: `#/round/${round.id}` }, number(round.number, t)),
      element('span', { title: both_times(round.opened, t) }, time_of_day(round.opened, t)),
      element('span', { class: 'strip' }, drawn),
      paid,
      round.settlement === undefined ? '' : element('a',
        { href: `verify.html?bundle=/v1/bundles/${round.settlement}`,
          'aria-label': t('draws.evidence_of', { seq: round.settlement }) }, t('draws.evidence')),
    ];
  }
}

export class RoundView {
  /// nodes: view, problem, ticket; `ticket(round, worth)` makes the ticket's part.
  constructor(nodes, house, ticket) {
    Object.assign(this, { nodes, house, ticket });
  }

  async open(id, t) {
    this.id = id;
    say(this.nodes.problem, []);
    this.nodes.view.replaceChildren(element('p', { class: 'quiet' }, t('view.reading')));
    this.nodes.ticket.replaceChildren();
    try {
      const round = await load_round(id);
      if (!round) throw new Refusal({ kind: 'problem', status: 404, code: 'not_found' });
      const table = await load_table(round.table);
      const worth = await worth_of(table, this.house);
      await learn_game(table.catalogue, table.game, t.language);
      if (this.id !== id) return;
      const game = game_of(table.catalogue, table.game, t.language);
      this.nodes.view.replaceChildren(...round_parts(round, { table, game, worth }, t),
                                      round_links(round, t));
      if (round.settlement !== undefined) this.ticket(round, t, this.nodes.ticket);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.nodes.view.replaceChildren();
      say(this.nodes.problem, [element('p', { class: 'banner bad' },
                                       problem_text(error.problem, t))]);
    }
  }
}
