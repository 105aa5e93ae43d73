// The floor: a board of all open tables, each with what a pit boss looks for. A tile is a link to
// its table and stays the same element while its content changes, so that nobody loses his place.

import { element, say } from './dom.js';
import { number, time_of_day } from './format.js';
import { game_of } from './games.js';
import { cards, hand_name, outcome, shoe_bar } from './pieces.js';
import { table_name } from './sentence.js';
import { handsOf } from '../verify_pieces.js';

const strip_length = 12;
const tiles_max = 300;

/// What of a table is searched for: its sign, id, game.
export function matches(table, game_text, wanted) {
  const text = `${table.place ?? ''} ${table.id} ${table.game} ${game_text}`.toLowerCase();
  return wanted.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/// [tone, words] of a table's state.
export function state_words(table, open_round, t) {
  if (table.state === 'suspended') return ['bad', t('floor.suspended')];
  if (table.state === 'closed') return ['quiet', t('floor.closed')];
  if (open_round) return ['busy', t('floor.playing', { number: number(open_round.number, t) })];
  return ['calm', t(table.round === undefined ? 'floor.waiting' : 'floor.betting')];
}

/// What was drawn last, newest first; else the hands of the last round that was dealt.
export function last_seen(book, game, t, count = strip_length) {
  const draws = book.draws(count);
  if (draws.length > 0) {
    return element('div', { class: 'strip', role: 'group', 'aria-label': t('floor.last') },
                   draws.map((one) => outcome(one.outcome, game, t)));
  }
  const round = book.dealt_round();
  if (!round) return element('p', { class: 'quiet' }, t('floor.nothing_yet'));
  const hands = handsOf(round.cards).filter((one) => one.cards.some((card) =>
    card.card !== undefined || card.face === 'covered'));
  return element('dl', { class: 'hands' }, hands.slice(0, 3).map((one) =>
    element('div', {}, element('dt', {}, hand_name(one.name, t)),
            element('dd', {}, cards(one.cards, t)))),
  hands.length > 3 ? element('div', { class: 'quiet' },
                             t('floor.more_hands', { count: hands.length - 3 })) : null);
}

export function pace_words(book, now, t) {
  const pace = book.pace(now);
  if (pace === null) return t('floor.no_pace');
  return t(pace.rough ? 'floor.pace_rough' : 'floor.pace', { count: number(pace.count, t) });
}

export class Floor {
  /// nodes: list, search, only (select of states), count.
  constructor(nodes, house) {
    this.nodes = nodes;
    this.house = house;
    this.tiles = new Map();
    nodes.search.addEventListener('input', () => this.draw());
    nodes.only.addEventListener('change', () => this.draw());
  }

  /// `tables` undefined: this certificate sees none; `now` is the appliance's own time.
  show(tables, now, t) {
    Object.assign(this, { tables, now, t });
    this.nodes.search.setAttribute('placeholder', t('floor.search'));
    this.nodes.search.setAttribute('aria-label', t('floor.search'));
    this.nodes.only.setAttribute('aria-label', t('floor.only'));
    const chosen = this.nodes.only.value || 'all';
    this.nodes.only.replaceChildren(...['all', 'playing', 'halted'].map((one) =>
      element('option', { value: one }, t(`floor.only_${one}`))));
    this.nodes.only.value = chosen;
    this.draw();
  }

  wanted(table) {
    const only = this.nodes.only.value;
    const book = this.house.book(table.id);
    if (only === 'playing' && !book.open && table.round === undefined) return false;
    if (only === 'halted' && table.state !== 'suspended') return false;
    const game = game_of(table.catalogue, table.game, this.t.language);
    return matches(table, game?.text ?? '', this.nodes.search.value);
  }

  draw() {
    const { t, tables } = this;
    if (!t) return;
    if (tables === undefined) {
      this.nodes.list.replaceChildren(element('li', { class: 'quiet' }, t('floor.not_yours')));
      return;
    }
    const shown = tables.filter((one) => this.wanted(one));
    // Who waits for a person comes first, then by the sign.
    shown.sort((a, b) => Number(b.state === 'suspended') - Number(a.state === 'suspended') ||
      table_name(a, t).localeCompare(table_name(b, t), t.language, { numeric: true }));
    say(this.nodes.count, [t('floor.shown', { shown: number(shown.length, t),
                                             all: number(tables.length, t) })]);
    const ids = new Set();
    const nodes = shown.slice(0, tiles_max).map((table) => {
      ids.add(table.id);
      return this.tile(table);
    });
    for (const id of this.tiles.keys()) if (!ids.has(id)) this.tiles.delete(id);
    if (nodes.length === 0) nodes.push(element('li', { class: 'quiet' },
      t(tables.length === 0 ? 'floor.empty' : 'floor.none_found')));
    const same = nodes.length === this.nodes.list.children.length &&
      nodes.every((node, i) => node === this.nodes.list.children[i]);
    if (!same) this.nodes.list.replaceChildren(...nodes);
  }

  tile(table) {
    if (!this.tiles.has(table.id)) {
      const link = element('a', { class: 'tile', href: `#/table/${table.id}` });
      this.tiles.set(table.id, { node: element('li', {}, link), link, made: '' });
    }
    const tile = this.tiles.get(table.id);
    const book = this.house.book(table.id);
    const game = game_of(table.catalogue, table.game, this.t.language);
    const made = JSON.stringify([table.state, table.position, table.rounds, table.round, book.last,
      this.t.language, pace_words(book, this.now, this.t), game?.text]);
    if (made !== tile.made) tile.link.replaceChildren(...this.content(table, book, game));
    tile.made = made;
    return tile.node;
  }

  content(table, book, game) {
    const { t } = this;
    const [tone, words] = state_words(table, book.open, t);
    const shoe = book.shoe && table.shoe === book.shoe.id
      ? { ...book.shoe, dealt: table.position ?? book.shoe.dealt } : null;
    return [
      element('span', { class: 'tile-head' },
        element('span', { class: 'sign' }, table_name(table, t)),
        element('span', { class: `pill ${tone}` }, words)),
      element('span', { class: 'quiet' }, game?.text ?? (table.game || t('record.no_game'))),
      last_seen(book, game, t),
      shoe ? shoe_bar(shoe, t) : null,
      element('span', { class: 'quiet tile-foot' },
        element('span', {}, pace_words(book, this.now, t)),
        element('span', {}, t('floor.rounds', { count: number(table.rounds, t) })),
        book.last === undefined ? null
          : element('span', {}, t('floor.last_at', { time: time_of_day(book.last, t) }))),
    ].filter((one) => one !== null);
  }
}
