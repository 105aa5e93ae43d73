// A table's own side of its calls: one core a turn, signed once and never otherwise.
import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import { Misused } from './errors.js';
import {
  Contributors, H, base64, canonical, domain, headOf, hex, hmacKey, isCore, isLapsed, need,
  same, statementOf, u32, unbase64, unhex, utf8,
} from './house.js';

/// The key that signs the calls of this client's tables: that of its certificate.
export class CallKey {
  constructor(pem) {
    this.key = createPrivateKey(pem);
    this.spki = new Uint8Array(createPublicKey(this.key).export({ format: 'der', type: 'spki' }));
  }

  /// r || s in base64.
  sign(message) {
    return base64(sign('sha256', message, { key: this.key, dsaEncoding: 'ieee-p1363' }));
  }
}

/// The number of a seed for a turn under one TABLE_OPEN (`opening`: its leaf hash).
export async function contribution(seed, opening, turn) {
  const mac = await hmacKey(seed);
  return mac(domain('contribution'), opening, u32(turn));
}

const RESULTS = ['DRAW', 'SHOE_MIX', 'VOID'];
/// What a call is about: its round, or its object.
const subject = (core) => (core.round === '0' ? core.object : core.round);

/// It is answered by its CALL, or by a VOID that carries it and spends the turn. A call that got
/// neither leaves it waiting: the table is closed and opened again, with another seed.
export class Caller {
  /// `opening`: {record, leaf} of TABLE_OPEN, believed. `kept`: of an earlier life.
  static async of(key, opening, kept) {
    const { record, leaf } = opening;
    const { body } = record;
    need(record.kind === 'TABLE_OPEN' && same(unbase64(body.key), key.spki),
      'the table was opened for another key');
    const caller = new Caller();
    const parameters = hex(await H(domain('parameters'), utf8(canonical(body.parameters))));
    Object.assign(caller, { key, leaf, body, table: record.object, turn: 1, waiting: null,
      call: null, invites: false, counted: new Map(), left: {}, seed: randomBytes(32),
      fixed: { v: 2, type: 'talla-call', origin: record.origin, table: record.object,
        game: body.game, variant: body.variant, catalogue: body.catalogue, parameters } });
    await caller.restOn(opening);
    if (kept !== undefined) caller.restore(kept);
    return caller;
  }

  restore(kept) {
    this.seed = unhex(kept.seed);
    this.turn = kept.turn;
    this.waiting = kept.waiting ?? null;
    this.last = null;
    this.invites = kept.counted !== undefined;
    this.counted = new Map(Object.entries(kept.counted ?? {}));
    this.left = kept.left ?? {};
  }

  kept() {
    return { seed: hex(this.seed), turn: this.turn,
      ...(this.waiting === null ? {} : { waiting: this.waiting }),
      ...(this.invites ? { counted: Object.fromEntries(this.counted), left: this.left } : {}) };
  }

  /// The newest verified record of the table, whoever made it.
  async restOn(found) {
    need(found.record.table === this.table, `no record of ${this.table}`);
    this.last = found.record.seq;
    this.head = hex(await headOf(found));
  }

  /// A verified record of a reply: it follows the one before, a CALL is the core that was signed,
  /// a result is of the open call.
  async take(found) {
    const { record } = found;
    const { kind, body, seq } = record;
    const old = this.last !== null && seq <= this.last;
    if (record.table !== this.table || old || kind === 'TABLE_OPEN') return;
    need(this.last === null || record.prev !== this.last || record.link === this.head,
      `record ${seq} does not follow the record of this table before it`);
    if (kind === 'CALL') this.takeCall(record);
    else if (isLapsed(record)) this.takeLapsed(body);
    else if (RESULTS.includes(kind)) this.takeResult(kind, body);
    await this.restOn(found);
  }

  takeCall({ seq, body, object }) {
    need(this.waiting !== null && canonical(this.waiting) === canonical(body) &&
      object === body.core.object, 'a CALL that this table did not sign');
    this.call = seq;
    this.count(body.core);
    delete this.left[subject(body.core)];
  }

  takeLapsed({ core, signature }) {
    need(this.call === null && this.waiting !== null &&
      canonical(this.waiting) === canonical({ core, signature }),
      'a VOID of a core that this table did not sign, or that is a CALL');
    this.count(core);
    this.end();
  }

  takeResult(kind, body) {
    need(this.call !== null && body.call === this.call,
      'a result of another call than the open one');
    if (kind === 'VOID' && body.missing !== undefined) this.leaveOut(body.missing);
    this.end();
  }

  end() {
    Object.assign(this, { waiting: null, call: null });
    this.turn += 1;
  }

  count(core) {
    for (const { id, key, t } of core.others) this.counted.set(key, { id, t });
  }

  /// The next call of this round or object goes without those who withheld, also where they have
  /// handed in anew; behind it they may be named again.
  leaveOut(missing) {
    const { core } = this.waiting;
    need(missing.every((one) => core.others.some(({ id }) => id === one)),
      'a VOID names one who was not to open');
    this.left[subject(core)] = [...missing].sort();
  }

  /// Of the table's picture: what the next core says of them. A number that was handed in is fixed
  /// by it; whose keys they are nobody here knows.
  others(contributors, wish) {
    const out = this.left[subject(wish)] ?? [];
    const named = contributors.filter(({ id, commit }) => commit && !out.includes(id))
      .map(({ id, key, t, commit }) => ({ id, key, t, commit }));
    const counts = new Contributors(this.body, this.leaf);
    counts.counted = new Map(this.counted);
    counts.named({ others: named }, `the next call of ${this.table}`);
    return named;
  }

  /// {core, signature}. `others`: who is to open behind it.
  async make(wish, others = []) {
    if (this.waiting !== null) {
      throw new Misused(`the call of turn ${this.turn} at ${this.table} has no result: nothing ` +
        'else is signed there; close the table and open it again');
    }
    const value = hex(await contribution(this.seed, this.leaf, this.turn));
    const core = { ...this.fixed, turn: this.turn, head: this.head, value, others, ...wish };
    isCore(core);
    this.waiting = { core, signature: this.key.sign(statementOf(core)) };
    return this.waiting;
  }
}
