// Statistics of one table for people of the casino: what came out, how often, within which band
// chance keeps it, and in words whether somebody should look. The history is the log's own, read
// from the appliance for the time that the reader chose: whoever counts it again gets the same.

import { get, Refusal } from './api.js';
import { bars } from './bars.js';
import { Counts, picture, shoe_picture } from './counts.js';
import { element, say, table } from './dom.js';
import { date_time, number } from './format.js';
import { game_of, learn_game } from './games.js';
import { seq_at } from './log_search.js';
import { outcome } from './pieces.js';
import { problem_text } from './problem.js';
import { page_of_events } from './shape.js';
import { table_name } from './sentence.js';

const spans_us = { hour: 3600e6, day: 86_400e6, week: 7 * 86_400e6, all: Infinity };
const last_shown = 40;

/// The word for a picture: as expected, look, or too little to say.
export function verdict(one, t) {
  if (!one.enough) return ['quiet', t('numbers.too_few', { count: one.draws })];
  return one.look ? ['warn', t('numbers.look')] : ['good', t('numbers.expected')];
}

/// What to look at, a sentence each.
export function findings(one, t) {
  if (!one.enough) return [];
  return one.rows.filter((row) => row.out !== '').map((row) => t(`numbers.${row.out}`, {
    name: row.name, count: number(row.count, t), low: number(row.band[0], t),
    high: number(row.band[1], t),
  }));
}

export class Numbers {
  /// nodes: head, choice (select of spans), tables (select), progress, problem, view.
  constructor(nodes) {
    Object.assign(this, { nodes, turn: 0 });
    nodes.choice.addEventListener('change', () => this.read());
    nodes.tables.addEventListener('change', () => {
      location.hash = `#/numbers/${nodes.tables.value}`;
    });
  }

  /// `tables`: the open ones; `now` and `size` by the appliance.
  show(t, tables, now, size) {
    const same = this.shown === t;
    Object.assign(this, { t, shown: t, tables, now, size });
    const { choice, tables: list } = this.nodes;
    const span = choice.value || 'day';
    if (!same) {
      choice.replaceChildren(...Object.keys(spans_us).map((one) =>
        element('option', { value: one }, t(`numbers.${one}`))));
      choice.value = span;
    }
    const ids = (tables ?? []).map((one) => one.id).join();
    if (!same || ids !== this.ids) {
      list.replaceChildren(...(tables ?? []).map((one) =>
        element('option', { value: one.id }, table_name(one, t))));
      if (this.id) list.value = this.id;
    }
    this.ids = ids;
    if (!same && this.counts) this.draw();
  }

  open(id, t) {
    this.id = id ?? this.tables?.[0]?.id;
    this.t = t;
    this.nodes.tables.value = this.id ?? '';
    if (this.id === undefined) {
      this.nodes.view.replaceChildren(element('p', { class: 'quiet' }, t('floor.empty')));
      return undefined;
    }
    return this.read();
  }

  async read() {
    const { t, id } = this;
    if (!id || this.size === undefined) return;
    this.turn += 1;
    const { turn } = this;
    say(this.nodes.progress, [t('view.reading')]);
    const counts = new Counts();
    say(this.nodes.problem, []);
    try {
      const span = spans_us[this.nodes.choice.value];
      const opened = Number(id.replace(/^table-/, ''));
      const from = span === Infinity ? opened
        : Math.max(opened, await seq_at(this.now - span, this.size));
      for (let after = from - 1, more = true; more;) {
        const page = page_of_events(await get(
          `/v1/events?after=${after}&limit=1000&table=${encodeURIComponent(id)}`));
        if (turn !== this.turn) return;
        for (const record of page.records) counts.take(record);
        more = page.more && page.next > after;
        after = page.next;
        say(this.nodes.progress, more ? [t('numbers.reading', {
          done: number(after, t), all: number(this.size, t) })] : []);
      }
      say(this.nodes.progress, []);
      const context = [...counts.draws.values()][0]?.context;
      await learn_game(context?.catalogue, context?.game, t.language);
      if (turn !== this.turn) return;
      this.counts = counts;
      this.draw();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (turn !== this.turn) return;
      say(this.nodes.progress, []);
      say(this.nodes.problem, [element('p', { class: 'banner bad' },
                                       problem_text(error.problem, t))]);
    }
  }

  draw() {
    const { t, counts } = this;
    const parts = [...counts.draws.values()].flatMap((one) => this.draws_part(one));
    const shoe = shoe_picture(counts.shoe);
    if (shoe) parts.push(this.part(t('numbers.shoe'), shoe, [
      element('p', { class: 'quiet' }, t('numbers.shoe_meaning', {
        seen: number(shoe.n, t), all: number(counts.shoe.cards, t) }))]));
    if (parts.length === 0) parts.push(element('p', { class: 'quiet' }, t('numbers.nothing')));
    this.nodes.view.replaceChildren(...parts,
      element('p', { class: 'quiet' }, t('numbers.meaning')));
  }

  draws_part(one) {
    const { t } = this;
    const game = game_of(one.context?.catalogue, one.context?.game, t.language);
    const found = picture(one, game?.pockets);
    const strip = element('div', { class: 'strip', role: 'group', 'aria-label': t('floor.last') },
      one.values.slice(-last_shown).reverse().map((value) => outcome(value.outcome, game, t)));
    const since = element('p', { class: 'quiet' }, t('numbers.since', {
      count: number(one.values.length, t), from: date_time(one.values[0].time, t),
      to: date_time(one.values.at(-1).time, t) }));
    if (found === null) {
      return [element('section', { class: 'card' }, element('h3', {}, t('numbers.last')), since,
                      strip, element('p', { class: 'quiet' }, t('numbers.not_counted')))];
    }
    return [this.part(t(`numbers.${found.kind}`), found,
                      [since, element('h4', {}, t('numbers.last')), strip], game)];
  }

  part(title, found, more, game) {
    const { t } = this;
    const [tone, words] = verdict(found, t);
    const lines = findings(found, t);
    return element('section', { class: 'card numbers' },
      element('h3', {}, title, ' ', element('span', { class: `pill ${tone}` }, words)),
      lines.length === 0 ? null : element('ul', {}, lines.map((one) => element('li', {}, one))),
      ...more,
      bars(found, game, t),
      element('details', {}, element('summary', {}, t('numbers.figures')),
        table(title, [[t('numbers.name')], [t('numbers.count'), true],
                      [t('numbers.usual'), true], [t('numbers.band'), true], [t('numbers.says')]],
        found.rows.map((row) => [row.name, number(row.count, t),
          number(row.expected ?? found.expected, t, 1),
          `${number(row.band[0], t)} – ${number(row.band[1], t)}`,
          row.out === '' || !found.enough ? t('numbers.ok')
            : t(`numbers.short_${row.out}`)]))));
  }
}
