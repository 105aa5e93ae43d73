// The calls of the claim's table: whose they are, what they bind, one at a time (FORMAT.md, section
// 9).
import { Again, subjectOf } from './again.js';
import { domain, hex, unbase64, unhex, utf8 } from './bytes.js';
import { Contributors } from './contributors.js';
import { digestOf, statementOf } from './core.js';
import { H } from './hashes.js';
import { canonical } from './json.js';
import { Orders, ShoesBefore, beforeShoe } from './orders.js';
import { classOf, endsContent, isLapsed } from './records.js';
import { Refused, need } from './refused.js';
import { TableKey } from './table_key.js';
import { leafHash } from './tree.js';

const BETWEEN = ['SHOE_COMMIT', 'SHOE_RELEASE', 'SHUFFLE_REPORT', 'BATCH_COMMIT', 'BATCH_CLOSE'];
const ENDS_OBJECT = ['SHOE_CLOSE', 'BATCH_CLOSE', 'SHOE_RECOMMIT'];
const RESULTS = ['SHOE_MIX', 'DRAW', 'VOID'];
const ENVELOPE = ['client', 'key', 'request'];

const MICROSECONDS = 1000000;

const agree = (one, other) => canonical(one ?? '') === canonical(other ?? '');

export class Calls {
  constructor(evidence) {
    this.evidence = evidence;
    this.opening = evidence.tableRecord;
    this.eachRound = evidence.table.policy.mix === 'round';
    this.text = new Map(evidence.records.map((record, i) => [
      record.seq, evidence.bundle.records[i].record,
    ]));
    this.whole = true;
    this.turns = 0;
    this.callKnown = true;
    this.open = null;
    this.roundKnown = true;
    this.round = '';
    this.bets = null;
    this.betsKnown = false;
    this.behind = [];
    this.calls = 0;
    this.batches = new Map();
  }

  async run() {
    this.noBets = hex(await H(domain('bets'), utf8('[]')));
    this.parameters = hex(await H(domain('parameters'),
      utf8(canonical(this.opening.body.parameters))));
    const opening = await leafHash(utf8(this.text.get(this.opening.seq)));
    this.contributors = new Contributors(this.opening.body, opening);
    this.again = new Again(this.opening.body);
    this.orders = new Orders(this.evidence, this.again);
    this.shoes = new ShoesBefore();
    await this.checkKey();
    let last = null;
    for (const record of this.evidence.records) {
      if (record.table !== this.opening.object || record.link === undefined) continue;
      if (last !== null && record.prev !== last.seq) this.gap();
      await this.step(record);
      this.behind.push(record);
      last = record;
    }
    await this.conclude();
  }

  async checkKey() {
    const { body, client } = this.opening;
    const spki = unbase64(body.key);
    this.key = await TableKey.of(spki);
    need(client?.spki === hex(await H(spki)), 'table_key: not that of its client');
    need(this.key.certifiedBy(unbase64(body.chain[0])),
      'table_key: its first certificate is of another key');
  }

  /// What stood before it is not known.
  gap() {
    this.whole = false;
    this.turns = null;
    this.callKnown = false;
    this.open = null;
    this.roundKnown = false;
    this.betsKnown = false;
    this.behind = [];
    for (const one of [this.contributors, this.again, this.orders, this.shoes]) one.forget();
  }

  async step(record) {
    const { kind, seq, body } = record;
    const name = `record ${seq}`;
    this.shoes.take(record);
    await this.orders.step(record, await this.heads(), name);
    if (this.open !== null) this.checkUndisturbed(record, name);
    if (kind === 'CALL') await this.call(record, name);
    if (isLapsed(record)) await this.lapsed(record, name);
    else if (RESULTS.includes(kind)) await this.result(record, name);
    this.batch(record);
    if (classOf(record) === 'round') this.takeRound(record);
    if (kind !== 'ROUND_END' && kind !== 'TABLE_CLOSE') return;
    const turns = body.turns - this.opening.body.turns;
    need(turns >= 0 && (this.turns === null || this.turns === turns),
      `totals_wrong: ${name}: other turns than the chain has`);
    this.turns = turns;
  }

  /// Nothing that the call is about is decided or ended while it has no result.
  checkUndisturbed(record, name) {
    const { kind, object } = record;
    // A mix that is called for before the bets are closed is none that follows them.
    const bets = kind === 'BETS_CLOSED' && this.eachRound && this.open.body.core.use === 'mix';
    const ends = kind === 'TABLE_CLOSE' || bets ||
      (ENDS_OBJECT.includes(kind) && object === this.open.object) ||
      (classOf(record) === 'round' && object === this.open.body.core.round);
    need(!ends, `turn_open: ${name}: record ${this.open.seq} has no result yet`);
  }

  /// Which secret of each batch that is open is the next one.
  batch(record) {
    const { kind, body, object } = record;
    if (kind === 'BATCH_COMMIT') this.batches.set(object, { ...body, next: 0 });
    else if (kind === 'BATCH_CLOSE') this.batches.delete(object);
    else if (this.batches.has(object) && (kind === 'CALL' || isLapsed(record))) {
      this.batches.get(object).next += 1;
    }
  }

  /// A core that became no CALL: answered, opened where it names the next secret, and counted.
  async lapsed(record, name) {
    const { core } = record.body;
    await this.signed(record, name);
    need(core.origin === record.origin && core.table === record.table,
      `core_mismatch: ${name}: another table`);
    const opened = record.object !== record.table;
    need(!opened || record.object === core.object, `core_mismatch: ${name}: another object`);
    need(record.cites.length === 0, `lapsed_cites: ${name}: a core that lapsed cites nothing`);
    this.contributors.lapsed(core);
    this.again.lapsed(core);
    const batch = this.batches.get(core.object);
    const next = batch !== undefined && core.root === batch.root && core.at === batch.next &&
      core.at < batch.count;
    need(next === opened || (!next && !this.evidence.chainOf.has(core.object)),
      `lapsed_wrong: ${name}: the next secret of an open batch is opened, and no other`);
    const draws = next && record.time < batch.expires;
    if (record.link === core.head && (core.use === 'mix' || draws)) {
      this.unexplained(record, name, draws);
    }
  }

  /// A core that rests on the record before, and says what the table does.
  unexplained(record, name, draws) {
    const { core } = record.body;
    try {
      this.checkCore(record, core, name);
    } catch (error) {
      if (error instanceof Refused) return;
      throw error;
    }
    const { settled_by: by, parameters, policy } = this.opening.body;
    const alone = core.others.length === 0 && policy.required.length === 0;
    if (draws && alone && by === 'client' && Object.hasOwn(parameters, 'range')) {
      need(canonical(parameters.range) !== canonical(core.specification),
        `lapsed_wrong: ${name}: its core could stand`);
      return;
    }
    this.evidence.notChecked.push(
      `${name}: why its core could not stand any more; it counts as a repetition`);
  }

  async call(record, name) {
    const { core } = record.body;
    await this.signed(record, name);
    this.contributors.named(core, name);
    await this.checkHead(record, core, name);
    this.shoes.check(record, name);
    this.checkCore(record, core, name);
    await this.again.check(record, await this.heads(), name);
    if (record.body.order !== undefined) await this.checkOrdered(record, name);
    this.again.called(core);
    this.open = record;
  }

  /// Those behind which nothing stands that a call could rest on; null: a gap hides some.
  async heads() {
    const out = [];
    for (const before of [...this.behind].reverse()) {
      out.push(await this.headOf(before));
      if (!BETWEEN.includes(before.kind)) return out;
    }
    return null;
  }

  async headOf({ seq, link }) {
    return hex(await H(domain('link'), unhex(link), await leafHash(utf8(this.text.get(seq)))));
  }

  /// The ACCESS that it cites is what the second of two persons confirmed.
  async checkOrdered({ cites, body: { core, order } }, name) {
    const [first, second] = order.by;
    const cited = this.evidence.records.filter(({ kind, seq }) =>
      kind === 'ACCESS' && cites.includes(seq));
    const said = { what: 'call-again.confirmed', result: 'allowed', by: [first.id, second.id],
      object: subjectOf(core),
      order: { head: order.head, key: second.key, signature: second.signature } };
    const client = { id: second.id, spki: hex(await H(unbase64(second.key))) };
    need(cited.length === 1 && agree(cited[0].client, client) &&
      Object.entries(said).every(([member, value]) => agree(cited[0].body[member], value)),
      `order_wrong: ${name}: does not cite the ACCESS of its order`);
  }

  /// The core of the next turn, signed by the table's key, while no other is open.
  async signed(record, name) {
    const { core, signature } = record.body;
    need(this.open === null, `turn_open: ${name}: record ${this.open?.seq} has no result yet`);
    need(this.turns === null || core.turn === this.turns + 1, `turn_gap: ${name}`);
    this.turns = core.turn;
    need(agree(record.client, this.opening.client),
      `call_signature: ${name}: of another client than the table's`);
    need(await this.key.signed(statementOf(core), unbase64(signature)),
      `call_signature: ${name}: not signed by the table's key`);
    this.callKnown = true;
    this.calls += 1;
  }

  async checkHead(record, core, name) {
    const { cites, object, seq, body } = record;
    const before = beforeShoe(record).length;
    need(before <= 1 && cites.length - before === (body.order === undefined ? 1 : 2),
      `head_wrong: ${name}: cites more or less than it may`);
    for (const before of [...this.behind].reverse()) {
      if (cites.includes(before.seq)) {
        need(await this.headOf(before) === core.head,
          `head_wrong: ${name}: not that of the record it cites`);
        return;
      }
      need(BETWEEN.includes(before.kind) && before.object !== object,
        `head_wrong: ${name}: record ${before.seq} stands between`);
    }
    const begin = this.behind[0]?.seq ?? seq;
    need(!this.whole && !this.evidence.chainOf.has(object) && cites[0] < begin,
      `head_wrong: ${name}: no record of the table`);
  }

  checkCore(record, core, name) {
    const { game, variant, catalogue } = this.opening.body;
    const { origin, table, object } = record;
    const same = { origin, table, object, game, variant, catalogue, parameters: this.parameters };
    if (this.roundKnown) same.round = this.round || '0';
    for (const [member, value] of Object.entries(same)) {
      need(core[member] === value, `core_mismatch: ${name}: another ${member}`);
    }
    if (core.round === '0') return;
    if (!this.betsKnown) {
      this.evidence.notChecked.push(`${name}: the bets of ${core.round} are not in the bundle`);
      return;
    }
    need(core.bets === (this.bets ?? this.noBets),
      `core_mismatch: ${name}: other bets than its round has`);
    need(this.bets !== null || core.use === 'mix' || core.specification.kind === 'lots',
      `core_mismatch: ${name}: the bets of its round are not closed`);
  }

  async result(record, name) {
    const { kind, body, object, cites } = record;
    const code = kind === 'SHOE_MIX' ? 'mix_early' : 'call_none';
    const begin = this.behind[0]?.seq ?? record.seq;
    if (this.open === null && !this.callKnown && body.call < begin) {
      this.callKnown = true;
      return;
    }
    const asked = this.open;
    need(asked !== null && body.call === asked.seq && object === asked.object,
      `${code}: ${name}: is not of the open CALL`);
    need(cites.includes(body.call), `call_uncited: ${name}: does not cite its CALL`);
    need(kind === 'VOID' || ENVELOPE.every((one) => agree(record[one], asked[one])),
      `request_other: ${name}: answers another request than its CALL`);
    await this.ended(record, asked, name);
    this.open = null;
  }

  /// Whether the claim rests on this result: a draw on itself, what is said of a shoe or batch on
  /// its results, what is said of a round on its draws and the mixes of the file, or on its own
  /// where each round is mixed.
  rests(record, core) {
    const { claim } = this.evidence;
    if (claim.kind === 'DRAW') return record === claim;
    if (classOf(claim) !== 'round') return record.object === claim.object;
    return (record.kind === 'SHOE_MIX' && !this.eachRound) || core.round === claim.object;
  }

  async ended(record, asked, name) {
    const { kind, body, time } = record;
    const { core } = asked.body;
    if (kind !== 'VOID') {
      await this.contributors.opened(core, await digestOf(core), body.openings,
        this.rests(record, core), name);
      return;
    }
    const given = this.opening.body.policy.open_within * MICROSECONDS;
    need(body.cause !== 'withheld' || time - asked.time >= given,
      `withheld_early: ${name}: before their time is up`);
    this.again.ended(core, body.missing ?? []);
    await this.contributors.ended(core, await digestOf(core), body, name);
  }

  /// `mine`: SHA-256 of a key, whose number is in all that the claim rests on.
  async checkMine(mine) {
    const { keys } = await this.contributors.conclude();
    need(keys.includes(mine), `not_mine: record ${this.evidence.claim.seq}: the key ${mine}`);
    this.evidence.checked.push(
      `the key ${mine} that you named has its number in every result that this rests on`);
  }

  takeRound(record) {
    const { kind, object, body } = record;
    if (kind === 'ROUND_OPEN') {
      this.bets = null;
      this.betsKnown = true;
    } else if (this.roundKnown && this.round !== object) {
      this.betsKnown = false;
    }
    this.roundKnown = true;
    this.round = kind === 'ROUND_END' ? '' : object;
    if (kind !== 'BETS_CLOSED' || !endsContent(record)) return;
    this.bets = body.digest;
    this.betsKnown = true;
  }

  async conclude() {
    if (this.calls === 0) return;
    const { object: table, client } = this.opening;
    const { joined, dropped } = await this.contributors.conclude();
    const honest = joined === '' ? 'if the appliance or that key was honest; contributors beside ' +
      'the appliance: the table alone' : 'if the appliance, that key or one of these was honest, ' +
      `each of whom fixed a number before and gave it behind the call: ${joined}`;
    this.evidence.checked.push(`${table}: each of ${this.calls} calls is signed by the key ` +
      `${client.spki} of ${client.id}, one a turn, and binds commitment, rules, bets and the ` +
      `table's number: uniform ${honest}; repetitions before, as far as this file shows: ` +
      `${this.evidence.repetitions}`);
    this.evidence.notChecked.push(
      `whether ${client.id} is whose key ${client.spki} is: its certificates`);
    if (joined !== '') {
      this.evidence.notChecked.push(`whose keys those are that contributed: ${joined}`);
    }
    if (dropped !== '') {
      this.evidence.notChecked.push(
        `without the numbers of these, whom a call had named: ${dropped}`);
    }
  }
}
