// What the appliance's replies rest on, checked: every record is in the signed log, is about the
// request, and what it says follows.
import { Misused } from './errors.js';
import {
  H, TableKey, canonical, domain, field, hex, isLapsed, need, statementOf, unbase64, utf8,
} from './house.js';
import { Caller } from './caller.js';
import { Shoes, checkOpened, openedBy } from './shoes.js';
import { now } from './connection.js';

const RESULTS = ['DRAW', 'SHOE_MIX', 'VOID'];
/// What opens an object, and how a reply calls it.
const NAMED = { TABLE_OPEN: 'table', SHOE_COMMIT: 'shoe', ROUND_OPEN: 'round',
  BATCH_COMMIT: 'batch' };
const ON_THE_WAY = 5;  // seconds: a batch that may expire meanwhile is not drawn from

const number = (id) => Number(id.slice(id.indexOf('-') + 1));
const agree = (one, other) => one !== undefined && other !== undefined &&
  canonical(one) === canonical(other);

export const betsDigest = async (bets) => hex(await H(domain('bets'), utf8(canonical(bets))));
export const requestDigest = async (method, path, body) =>
  hex(await H(domain('request'), field(method), field(path), field(body)));

/// The reply names the object that the record opens, and a table is opened as it was asked for.
function checkNamed({ kind, body, object }, sent, reply) {
  need(!(kind in NAMED) || reply[NAMED[kind]].id === object, 'the reply names another object');
  if (kind !== 'TABLE_OPEN') return;
  const { parameters, policy } = body;
  const wished = [[sent.settled_by, body.settled_by], [sent.game, body.game],
    [sent.range, parameters.range], [sent.deck, parameters.deck],
    [sent.table?.currency, body.currency], [sent.table?.min, body.min],
    [sent.table?.max, body.max], [sent.open_within, policy.open_within],
    [sent.candidates, policy.candidates], [sent.mix, policy.mix]];
  need(wished.every(([asked, opened]) => asked === undefined || agree(asked, opened)) &&
    canonical([...sent.required ?? []].sort()) === canonical([...policy.required].sort()),
    'the table was opened otherwise than asked for');
}

export class Evidence {
  /// `log`: KnownLog. `get(path)`: asks. `key`: CallKey.
  constructor({ log, get, key }) {
    Object.assign(this, { log, get, key });
    this.shoes = new Shoes({ records: (name) => this.recordsOf(name),
      signed: (record) => this.signed(record),
      opened: (core, openings) => this.opened(core, openings),
      policy: async (table) => (await this.opening(table)).record.body.policy });
    this.openings = new Map();  // object: {record, leaf}
    this.callers = new Map();   // table
    this.batches = new Map();   // table: the batch it draws from, its next secret, until when
    this.bets = new Map();      // round: digest
    this.wheels = new Map();    // table: the numbers on its pockets
    this.closed = new Set();
  }

  /// The records of a reply to {path, body, key}.
  async check(reply, asked) {
    const found = [];
    for (const receipt of reply.receipts ?? []) found.push(await this.log.believed(receipt));
    // a draft of bets makes no record, nor does an invitation or a machine's single target
    need(found.length > 0 || /\/(bets|invitations|targets)$/.test(asked.path),
      'a reply without receipts');
    const digest = await requestDigest('POST', asked.path, asked.body);
    const sent = JSON.parse(asked.body);
    for (const { record } of found) {
      const mine = record.key === asked.key && record.request === digest;
      need(mine || (record.kind === 'VOID' && !isLapsed(record)),
        `record ${record.seq} is not about this request`);
    }
    for (const one of found) {
      checkNamed(one.record, sent, reply);
      await this.takeTable(one);
    }
    const kinds = new Map(found.map(({ record }) => [record.seq, record.kind]));
    for (const { record } of found) await this.take(record, sent, kinds, reply);
    this.checkWhole(found.map(({ record }) => record), sent, reply);
    for (const { record } of found) await this.checkRound(record, reply);
    return found.map(({ record }) => record);
  }

  /// Each card that the reply shows is in a record of it, and each call that was made has its
  /// result there.
  checkWhole(records, sent, reply) {
    const of = (kind) => records.filter((record) => record.kind === kind).map(({ body }) => body);
    const shown = (cards, bodies, ...members) => (cards ?? []).length === bodies.length &&
      bodies.every((body) => cards.some((card) => members.every((name) =>
        card[name] === body[name])));
    need(shown(reply.cards, of('CARD_DEAL'), 'position', 'place', 'face', 'card') &&
      shown(reply.revealed, of('CARD_OPEN'), 'position', 'place', 'card'),
      'the reply shows a card that the log does not say');
    need(('lapsed' in reply) === records.some(isLapsed),
      'reply and log do not agree on whether the call lapsed');
    const caller = this.callers.get(sent.core?.table);
    if (caller === undefined || caller.waiting === null) return;
    need(reply.call !== undefined && sent.core.others.length > 0 && caller.call !== null,
      'the reply holds no result of the call');
  }

  /// A round that was drawn for is told with what was drawn, as its game calls it.
  async checkRound({ kind, body, table }, reply) {
    if (kind !== 'DRAW' || this.shoes.calls.get(body.call).round === '0') return;
    const [[form, value]] = Object.entries(body.outcome);
    // dice count from 1 in records too, lots from 0
    const drawn = form === 'pocket' ? [(await this.numbersOf(table))[value]]
      : value.map((one) => String(one + (form === 'lots' ? 1 : 0)));
    need(agree(reply.round?.outcome, drawn), 'the round shows another outcome than the log');
  }

  /// The numbers of its wheel in the order of the pockets, as the appliance tells of the catalogue
  /// that the table was opened with.
  async numbersOf(table) {
    if (!this.wheels.has(table)) {
      const { catalogue, game } = (await this.opening(table)).record.body;
      const { catalogues } = await this.get('/v1/catalogues');
      const known = catalogues.find(({ digest }) => digest === catalogue);
      need(known !== undefined, 'the appliance does not have the table\'s catalogue');
      const { equipment } = await this.get(`/v1/catalogues/${known.id}/${game}`);
      const wheel = equipment.find(({ pockets }) => pockets !== undefined);
      need(wheel !== undefined, 'the table\'s game has no wheel');
      this.wheels.set(table, wheel.pockets);
    }
    return this.wheels.get(table);
  }

  /// Whether the open call of the table waits for its contributors.
  waits(table) {
    return (this.callers.get(table)?.call ?? null) !== null;
  }

  /// The record that ends a call which its contributors were waited for; of a result its reply.
  async checkEnd(receipt, core) {
    const found = await this.log.believed(receipt);
    const { record } = found;
    const { kind, body, seq, object } = record;
    const { call } = this.callers.get(core.table);
    need(RESULTS.includes(kind) && body.call === call && record.table === core.table,
      'what is said to end the call does not');
    await this.takeTable(found);
    if (kind === 'VOID') {
      if (core.use === 'draw' && (body.secret !== undefined || body.cause !== 'unrecoverable')) {
        await checkOpened((await this.opening(core.object)).record, core, record, null);
      }
      return { record };
    }
    const { index, outcome, root } = body;
    const reply = { receipts: [receipt], ...(kind === 'DRAW'
      ? { draw: { batch: object, call, index, outcome, seq } }
      : { shoe: { id: object, mixed: seq, root, table: record.table } }) };
    await this.take(record, {}, new Map([[call, 'CALL']]), reply);
    return { record, reply };
  }

  async opened(core, openings) {
    return openedBy(await this.opening(core.table), core, openings, core.object);
  }

  /// What a table's chain says of its calls.
  async takeTable(found) {
    const { kind, object, table } = found.record;
    if (kind === 'TABLE_OPEN') {
      if (!this.callers.has(object)) this.callers.set(object, await Caller.of(this.key, found));
      this.openings.set(object, found);
    } else if (kind === 'TABLE_CLOSE') {
      this.callers.delete(object);
      this.closed.add(object);
    } else if (this.callers.has(table)) {
      await this.callers.get(table).take(found);
    }
  }

  /// Of a table that this program opened, or whose seed its journal kept (`kept`: by table).
  async caller(table, kept) {
    if (!this.callers.has(table)) {
      if (kept[table] === undefined) {
        throw new Misused(`${table}: this program has no seed of its calls, so it signs none ` +
          'there: close the table and open it again, and keep a journal');
      }
      const made = await Caller.of(this.key, await this.opening(table), kept[table]);
      this.callers.set(table, made);
      if (made.waiting === null) await this.restOnNewest(made);  // else its reply is to come
    }
    return this.callers.get(table);
  }

  /// Others may have made records: seats, and the two persons of an order.
  async restOnNewest(caller) {
    const { table: picture } = await this.get(`/v1/tables/${caller.table}`);
    if (caller.last === null || picture.last > caller.last) {
      const receipt = await this.get(`/v1/receipts/${picture.last}`);
      await caller.restOn(await this.log.believed(receipt));
    }
    return picture;
  }

  keptCalls(before) {
    const all = { ...before };
    for (const [table, caller] of this.callers) all[table] = caller.kept();
    for (const table of this.closed) delete all[table];
    return all;
  }

  /// The core of a CALL or of a VOID that carries one, signed by the key that its table was opened
  /// for.
  async signed({ table, body, object, kind }) {
    const { core, signature } = body;
    const { record } = await this.opening(table);
    const key = await TableKey.of(unbase64(record.body.key));
    need(table === core.table && (kind === 'VOID' || object === core.object) &&
      await key.signed(statementOf(core), unbase64(signature)),
      `a ${kind} of a core that this client did not sign`);
    return core;
  }

  async take(record, sent, kinds, reply) {
    const { kind, body, object, seq } = record;
    if (kind === 'BATCH_COMMIT') await this.takeBatch(record, reply);
    else if (kind === 'CALL') await this.takeCall(record);
    else if (kind === 'DRAW') {
      need(kinds.get(body.call) === 'CALL', 'a draw without its CALL');
      const core = this.shoes.calls.get(body.call);
      const values = await this.opened(core, body.openings);
      await checkOpened((await this.opening(object)).record, core, record, values);
      need(agree(reply.draw.outcome, body.outcome) && reply.draw.seq === seq, 'another outcome');
    } else if (isLapsed(record)) await this.takeLapsed(record);
    else if (kind === 'BETS_CLOSED' && !isNumbered(body)) await this.takeBets(record, sent, reply);
    else if (kind === 'SETTLEMENT' && !isNumbered(body)) {
      need(agree(reply.round.results, body.results), 'the reply pays what the log does not say');
    } else {
      if (kind === 'SHOE_COMMIT') need(reply.shoe.root === body.root, 'another shoe');
      await this.shoes.take(record);
    }
  }

  async takeBatch(record, reply) {
    const { body, object, time } = record;
    need(reply.batch.root === body.root, 'another batch');
    this.openings.set(object, { record });
    this.batches.set(body.table, { id: object, root: body.root, count: body.count, index: 0,
      goodUntil: now() + (body.expires - time) / 1e6 - ON_THE_WAY });
  }

  async takeCall(record) {
    const core = await this.signed(record);
    this.shoes.calls.set(record.seq, core);
    const batch = this.batches.get(core.table);
    if (core.use === 'draw' && batch?.id === core.object) batch.index = core.at + 1;
  }

  /// A core that became no CALL: what it opens is committed; what opens nothing ends the batch.
  async takeLapsed(record) {
    const core = await this.signed(record);
    const opens = record.body.secret !== undefined;
    if (opens) await checkOpened((await this.opening(record.object)).record, core, record, null);
    const batch = this.batches.get(core.table);
    if (batch?.id === core.object) batch.index = opens ? core.at + 1 : batch.count;
  }

  async takeBets({ body, object }, sent, reply) {
    need(await betsDigest(body.bets) === body.digest, 'another digest of the bets');
    need(agree(sent.bets ?? reply.round.bets, body.bets), 'other bets were closed');
    this.bets.set(object, body.digest);
  }

  /// Digest of the bets that a call must rest on; a shoe is mixed, and lots for the bank are drawn,
  /// before the bets too.
  async betsOf(round, beforeBets) {
    if (round === '0') return betsDigest([]);
    if (!this.bets.has(round)) {  // closed before this program was restarted, or not yet
      for await (const { kind, body } of this.recordsOf(round)) {
        if (kind === 'BETS_CLOSED' && body.digest !== undefined) this.bets.set(round, body.digest);
      }
    }
    need(this.bets.has(round) || beforeBets, 'a draw before its bets were closed');
    return this.bets.get(round) ?? betsDigest([]);
  }

  /// The verified record that opened table-N, shoe-N, batch-N or round-N: N is its number in the
  /// log.
  async opening(name) {
    if (!this.openings.has(name)) {
      const found = await this.log.believed(await this.get(`/v1/receipts/${number(name)}`));
      need(found.record.object === name && found.record.seq === number(name),
        `${name} was opened by another record`);
      this.openings.set(name, found);
    }
    return this.openings.get(name);
  }

  /// Every record of an object so far, each verified: what a client that was restarted reads
  /// again.
  async* recordsOf(name) {
    let after = number(name) - 1;
    for (let more = true; more;) {
      const page = await this.get(`/v1/events?after=${after}&limit=1000`);
      for (const { object, seq } of page.events) {
        if (object !== name) continue;
        const { record } = await this.log.believed(await this.get(`/v1/receipts/${seq}`));
        need(record.seq === seq && record.object === name, `record ${seq}: another one was given`);
        yield record;
      }
      more = page.more;
      need(!more || page.next > after, 'a list of events that leads nowhere');
      after = page.next;
    }
  }
}

/// A list beyond 60,000 bytes comes in parts, which are not checked here.
const isNumbered = (body) => body.part !== undefined;
