// What the records say of each table, kept as they come: rounds with their cards, draws and
// results, the live shoe, and how fast it goes. Pure: no element, no clock, no request. The newest
// round comes first.

const rounds_max = 200;
const hour_us = 3600 * 1e6;
const sane_span_us = 5 * 60 * 1e6;  // a shorter look says nothing about an hour

class Book {
  constructor(id) {
    Object.assign(this, { id, rounds: [], open: null, shoe: null, opened: undefined,
      from: undefined, money: {}, loose: [] });
  }

  opening(record) {
    const { body } = record;
    this.opened = record.time;
    this.catalogue = body.catalogue;
    this.game = body.game;
    this.place = body.place;
    this.money = { unit: body.unit, currency: body.currency };
  }

  begin(record) {
    this.open = { id: record.object, number: record.body.number, opened: record.time, cards: [],
      draws: [], bets: [], actions: [], results: [], seqs: [] };
    this.rounds.unshift(this.open);
    this.rounds.length = Math.min(this.rounds.length, rounds_max);
  }

  /// Outside of a round a draw or card stands for itself: the client settles.
  draw(record) {
    const one = { seq: record.seq, time: record.time, outcome: record.body.outcome,
      voided: record.kind === 'VOID' };
    if (this.open) this.open.draws.push(one);
    else this.keep({ draw: one });
  }

  keep(one) {
    this.loose.unshift(one);
    this.loose.length = Math.min(this.loose.length, rounds_max);
  }

  deal(record) {
    const { place, position, face, card } = record.body;
    const recommits = this.shoe?.recommits ?? 0;
    const one = { seq: record.seq, time: record.time, place, position, face, card, recommits };
    if (this.open) this.open.cards.push(one);
    else this.keep({ card: one });
    if (this.shoe) this.shoe.dealt = position + 1;
  }

  turn(record) {
    const { position, card, recommits = this.shoe?.recommits ?? 0 } = record.body;
    const among = this.open ? this.open.cards : this.loose.map((one) => one.card).filter(Boolean);
    const dealt = among.find((one) => one.position === position && one.recommits === recommits);
    if (dealt) Object.assign(dealt, { card, opened: record.seq });
  }

  shuffle(record, again) {
    const { cards, stop_depth, deck } = record.body;
    this.shoe = { id: record.object, cards, stop_depth, deck, dealt: 0,
      recommits: again ? (this.shoe?.recommits ?? 0) + 1 : 0 };
  }

  end(record) {
    if (!this.open) return;
    this.open.ended = record.time;
    this.open = null;
  }

  take(record) {
    this.from ??= record.time;
    this.last = record.time;
    if (this.open) this.open.seqs.push(record.seq);
    const { body } = record;
    switch (record.kind) {
      case 'TABLE_OPEN': this.opening(record); break;
      case 'ROUND_OPEN': this.begin(record); this.open.seqs.push(record.seq); break;
      case 'BETS_CLOSED': this.open?.bets.push(...(body.bets ?? [])); break;
      case 'ACTION': this.open?.actions.push({ ...body, seq: record.seq }); break;
      case 'CARD_DEAL': this.deal(record); break;
      case 'CARD_OPEN': this.turn(record); break;
      case 'DRAW': case 'VOID': this.draw(record); break;
      case 'SETTLEMENT':
        this.open?.results.push(...(body.results ?? []));
        if (this.open) this.open.settlement = record.seq;
        break;
      case 'ROUND_END': this.end(record); break;
      case 'SHOE_COMMIT': this.shuffle(record, false); break;
      case 'SHOE_RECOMMIT': this.shuffle(record, true); break;
      case 'SHOE_CLOSE': this.shoe = null; break;
      case 'TABLE_CLOSE': this.closed = record.time; break;
      default:
    }
  }

  /// Rounds (or draws of a client that settles itself) an hour, at `now`; `rough` where the look
  /// back is shorter than an hour. Null: not long enough to say.
  pace(now) {
    const since = now - hour_us;
    const times = [...this.rounds.map((one) => one.ended),
      ...this.loose.map((one) => one.draw?.time)].filter((time) => time !== undefined);
    const count = times.filter((time) => time > since && time <= now).length;
    const seen = Math.min(now - (this.from ?? now), hour_us);
    const span = times.length < rounds_max ? seen : Math.min(seen, now - Math.min(...times));
    if (span < sane_span_us || count === 0) return null;
    return { count: Math.round(count * hour_us / span), rough: span < hour_us * 0.99 };
  }

  /// What was drawn, newest first.
  draws(count) {
    const found = [];
    const all = this.rounds.length > 0 ? this.rounds.map((one) => one.draws)
      : this.loose.map((one) => (one.draw ? [one.draw] : []));
    for (const draws of all) {
      found.push(...[...draws].reverse().filter((one) => !one.voided));
      if (found.length >= count) break;
    }
    return found.slice(0, count);
  }

  /// The newest round that has cards.
  dealt_round() {
    return this.rounds.find((one) => one.cards.length > 0);
  }
}

/// Which table a record belongs to; '' for the machine's.
export const table_of = (record) => record.table ??
  (record.object?.startsWith('table-') ? record.object : '');

export class House {
  constructor() {
    this.clear();
  }

  clear() {
    this.books = new Map();
    this.newest = -1;
  }

  book(id) {
    if (!this.books.has(id)) this.books.set(id, new Book(id));
    return this.books.get(id);
  }

  /// True if it was new. Records come in the order of the log; what came already says nothing.
  take(record) {
    if (record.seq <= this.newest) return false;
    this.newest = record.seq;
    const table = table_of(record);
    if (table !== '') this.book(table).take(record);
    return true;
  }
}
