// What of a table two persons have to order, and whether they did; and what the first call of a
// shoe rests on: the end of the one before (FORMAT.md, sections 6 and 8).
import { hex, unbase64 } from './bytes.js';
import { H } from './hashes.js';
import { canonical } from './json.js';
import { need } from './refused.js';

const FOLLOWS = ['VOID', 'BATCH_CLOSE', 'SHOE_CLOSE', 'ROUND_END', 'TABLE_CLOSE'];

const agree = (one, other) => canonical(one ?? '') === canonical(other ?? '');

/// By two persons or more, each once.
function checkOrdered({ cause, by }) {
  const people = new Set(by).size;
  need(cause !== 'order' || (people >= 2 && people === by.length),
    'void_persons: ordered by fewer than two persons, or by one twice');
}

/// Of one table, record by record. `again`: checks what two persons signed (again.js).
export class Orders {
  constructor(evidence, again) {
    this.evidence = evidence;
    this.again = again;
    this.forget();
    this.begins = false;
  }

  /// Records of the table are missing before the next one.
  forget() {
    this.run = null;
    this.reported = false;
    this.begins = true;
    this.left = false;
  }

  /// `heads`: what an order may have been signed for; null: not known.
  async step(record, heads, name) {
    const { kind, body, table, object } = record;
    need(!this.left || kind === 'TABLE_CLOSE', `early_close: ${name}: behind a shoe closed early ` +
      'without an order stands no TABLE_CLOSE');
    this.left = false;
    if (!FOLLOWS.includes(kind)) this.run = null;
    if (kind === 'VOID' && body.cause === 'order') {
      checkOrdered(body);
      const acts = { 'draw-void': object, 'table-void': table };
      await this.check(record, { acts, by: body.by, call: body.call }, heads,
        `void_order: ${name}`);
    }
    if (kind === 'SHOE_CLOSE') await this.shoe(record, heads, `early_close: ${name}`);
    if (kind === 'TABLE_CLOSE' && body.reason === 'voided') {
      await this.check(record, { acts: { 'table-void': table } }, heads, `early_close: ${name}`);
    }
    this.begins = false;
    this.reported = kind === 'SHUFFLE_REPORT' && body.result !== 'match';
  }

  async shoe(record, heads, name) {
    const { body: { reason }, table, object } = record;
    const ordered = this.accessOf(record) !== undefined;
    if (reason === 'voided') {
      if (!ordered && (this.reported || this.begins)) return;  // its machine's report voids it
      await this.check(record, { acts: { 'table-void': table } }, heads, name);
    } else if (ordered) {
      await this.check(record, { acts: { 'shoe-close': object } }, heads, name);
    } else {
      this.left = reason === 'closed' && this.evidence.table.settled_by === 'appliance';
    }
  }

  accessOf({ cites }) {
    return cites.map((seq) => this.evidence.bySeq.get(seq)).find((one) => one?.kind === 'ACCESS');
  }

  /// `acts`: those that may order it, each with the object that it is about.
  async check(record, wanted, heads, name) {
    const { acts, by } = wanted;
    const confirmed = this.accessOf(record);
    need(confirmed !== undefined, `${name}: the ACCESS of its order is not cited, or not there`);
    const { body: step, seq } = confirmed;
    const act = Object.keys(acts).find((one) => step.what === `${one}.confirmed` &&
      step.object === acts[one]);
    need(act !== undefined && step.result === 'allowed',
      `${name}: an ACCESS that does not order it`);
    need(by === undefined || agree(step.by, by), `${name}: others than those who ordered it`);
    if (this.run === seq) return;
    await this.persons(record, confirmed, { ...wanted, act, about: acts[act] }, heads, name);
    this.run = seq;
  }

  /// One asked and another confirmed, both signed, for this state of the table.
  async persons({ origin }, confirmed, { act, about, call }, heads, name) {
    const asked = this.accessOf(confirmed);
    need(asked !== undefined, `${name}: the ACCESS that asked for it is not cited, or not there`);
    const { body: first } = asked;
    const { body: second } = confirmed;
    need(first.what === `${act}.asked` && first.object === about && first.result === 'allowed' &&
      asked.client !== undefined && confirmed.client !== undefined &&
      first.order !== undefined && first.order.head === second.order?.head,
      `${name}: its ACCESS are not of one act`);
    need(act !== 'draw-void' || asked.cites.includes(call), `${name}: was asked for another CALL`);
    need(agree(first.by, [asked.client.id]) &&
      agree(second.by, [asked.client.id, confirmed.client.id]),
      `${name}: others than who asked and confirmed`);
    const by = [];
    for (const { client, body: { order } } of [asked, confirmed]) {
      need(client.spki === hex(await H(unbase64(order.key))),
        `${name}: its ACCESS is of another key than signed it`);
      by.push({ ...order, id: client.id });
    }
    await this.again.checkOrder({ head: first.order.head, by }, { act, object: about, origin },
      heads, name);
  }
}

/// What a CALL of a mix cites from before its shoe.
export function beforeShoe({ cites, body: { core: { use, object } } }) {
  const own = Number(object.slice(object.indexOf('-') + 1));
  return use === 'mix' ? cites.filter((seq) => seq < own) : [];
}

/// The end of the shoe before, which the first call of a shoe cites.
export class ShoesBefore {
  constructor() {
    this.forget();
  }

  forget() {
    this.close = null;
    this.shoe = null;
  }

  take({ kind, seq, object, body }) {
    if (kind === 'SHOE_CLOSE') this.close = seq;
    if (kind !== 'SHOE_COMMIT') return;
    this.shoe = object;
    this.number = body.number;
    this.before = this.close;
    this.called = false;
  }

  /// A CALL, before it is taken.
  check(record, name) {
    if (record.body.core.use !== 'mix') return;
    const own = record.object === this.shoe;
    const first = own && !this.called;
    const cited = beforeShoe(record);
    if (own) this.called = true;
    if (!first || this.number === 1) {
      need(cited.length === 0, `shoe_before: ${name}: not the first of a shoe behind another`);
      return;
    }
    need(this.before !== null && cited.length === 1 && cited[0] === this.before,
      `shoe_before: ${name}: the SHOE_CLOSE before its shoe is not cited, or not there`);
  }
}
