// What a contributor checks before it gives its number for a call (PROTOCOL.md, section 5b, OPEN).
// Each refusal begins with its code; docs/contribute.md has them in this order.
import { Again } from '../verify/again.js';
import { domain, hex, same, unbase64, unhex, utf8 } from '../verify/bytes.js';
import { candidatesCount, checkCandidates } from '../verify/candidates.js';
import { digestOf, statementOf } from '../verify/core.js';
import { H } from '../verify/hashes.js';
import { canonical } from '../verify/json.js';
import { beforeShoe } from '../verify/orders.js';
import { endsContent, isLapsed } from '../verify/records.js';
import { need } from '../verify/refused.js';
import { TableKey } from '../verify/table_key.js';

const RESULTS = ['SHOE_MIX', 'DRAW', 'VOID'];
const BETWEEN = ['SHOE_COMMIT', 'SHOE_RELEASE', 'SHUFFLE_REPORT', 'BATCH_COMMIT', 'BATCH_CLOSE'];
const COMMITS = ['SHOE_COMMIT', 'SHOE_RECOMMIT', 'BATCH_COMMIT'];

export const headOf = ({ record, leaf }) => H(domain('link'), unhex(record.link), leaf);
const number = (id) => Number(id.slice(id.indexOf('-') + 1));

const ended = ({ seq, kind, body }) => ({ seq, kind, missing: body.missing ?? [],
  cause: body.cause ?? '' });

/// `opening`: TABLE_OPEN, believed (log.js). `memory`: what the contributor keeps
/// (contributor.js).
export class Open {
  constructor(opening, memory) {
    this.opening = opening;
    this.memory = memory;
  }

  /// TABLE_OPEN is the one of the link.
  checkOpening() {
    const { record, leaf } = this.opening;
    need(record.kind === 'TABLE_OPEN' && hex(leaf) === this.memory.opening &&
      record.object === this.memory.table, 'other_table: not the table of the link');
  }

  /// From which record on the table's records are needed for this CALL, given what was committed
  /// to (believed records by seq).
  begin({ body: { core }, cites }, commit) {
    const { base, last } = this.memory;
    const before = core.use === 'mix' ? number(core.object) : 0;
    let from = Math.min(base.seq, ...cites.filter((seq) => seq >= before));
    if (core.round !== '0') from = Math.min(from, number(core.round));
    const known = last !== null && last.object === core.object && last.root === core.root;
    const picks = core.specification.candidates > 1;
    if (picks || (!known && commit?.record.body.root !== core.root)) from = Math.min(from, number(
      core.object));
    return Math.max(from, this.opening.record.seq);
  }

  /// `walk`: the table's records, believed and ascending, the last one CALL. `commit`: the record
  /// that opened the object of its core, believed. Gives the core, C (bytes), and t and commit that
  /// are asked for.
  async check(walk, commit) {
    this.checkOpening();
    const call = walk.at(-1).record;
    need(call.kind === 'CALL', 'core_mismatch: no CALL');
    const { core } = call.body;
    await this.checkLinks(walk, call, commit);
    await this.checkSignature(call);
    const { t, missed } = this.follow(walk);
    this.checkCore(call, core, walk);
    await this.checkHead(walk, core);
    await this.checkAgain(walk);
    const own = this.checkOwn(core, t);
    await this.checkRoot(walk, core, commit);
    const bets = await this.checkBets(walk, core);
    return { core, call, digest: await digestOf(core), t, commit: unhex(own.commit), bets, missed };
  }

  async checkLinks(walk, call, commit) {
    const { table, base } = this.memory;
    need(walk[0].record.seq <= this.begin(call, commit), 'link_gap: records are missing');
    for (const [i, one] of walk.entries()) {
      need(one.record.table === table, `link_gap: record ${one.record.seq} of another table`);
      if (i === 0) continue;
      need(one.record.prev === walk[i - 1].record.seq &&
        one.record.link === hex(await headOf(walk[i - 1])),
        `link_gap: record ${one.record.seq} does not follow the one before`);
    }
    const mine = walk.find(({ record }) => record.seq === base.seq);
    need(mine !== undefined && hex(mine.leaf) === base.leaf,
      'link_gap: the record that was last known here is another one now');
  }

  async checkSignature({ body: { core, signature } }) {
    const key = await TableKey.of(unbase64(this.opening.record.body.key));
    need(await key.signed(statementOf(core), unbase64(signature)),
      'call_signature: not by the key of the table');
  }

  /// The calls since the last known record: each ended before the next, turns rise, and every core
  /// that named this key has spent a t. `missed`: calls that ended without its number.
  follow(walk) {
    const { base, key, id, last } = this.memory;
    let { next: t } = this.memory;
    const missed = new Map();
    let open = null;
    let turn = 0;
    for (const { record } of walk) {
      const { kind, body, seq } = record;
      if (RESULTS.includes(kind) && open !== null && body.call === open) {
        open = null;
        if (missed.has(body.call)) Object.assign(missed.get(body.call), ended(record));
      }
      if (kind !== 'CALL' && !isLapsed(record)) continue;
      need(open === null, `turn_open: record ${open} has no result`);
      need(body.core.turn > turn, `turn_gap: record ${seq}`);
      turn = body.core.turn;
      if (kind === 'CALL') open = seq;
      if (seq <= base.seq || record === walk.at(-1).record) continue;
      const own = body.core.others.find((one) => one.key === key);
      if (own?.id === id && own.t === t) {
        t += 1;
        if (kind === 'CALL') missed.set(seq, { call: seq, turn, use: body.core.use, given: false });
      } else need(own === undefined || kind !== 'CALL', `t_gap: record ${seq}`);
    }
    need(last === null || turn > last.turn, 'turn_gap: not above that of the last call');
    return { t, missed: [...missed.values()] };
  }

  checkCore(call, core, walk) {
    const { record } = this.opening;
    const { game, variant, catalogue } = record.body;
    const wanted = { origin: record.origin, table: record.object, object: call.object, game,
      variant, catalogue, parameters: this.memory.parameters };
    for (const [member, value] of Object.entries(wanted)) {
      need(core[member] === value, `core_mismatch: another ${member}`);
    }
    let round = core.round;
    for (const { record: one } of walk) {
      if (one.kind === 'ROUND_OPEN') round = one.object;
      if (one.kind === 'ROUND_END') round = '0';
    }
    need(round === core.round, 'core_mismatch: another round');
  }

  async checkHead(walk, core) {
    const call = walk.at(-1).record;
    const ends = beforeShoe(call).length;
    need(ends <= 1 && call.cites.length - ends === (call.body.order === undefined ? 1 : 2),
      'head_wrong: cites more or less than it may');
    for (const before of walk.slice(0, -1).reverse()) {
      const { seq, kind, object } = before.record;
      if (call.cites.includes(seq)) {
        need(hex(await headOf(before)) === core.head, 'head_wrong: not that of its record');
        return;
      }
      need(BETWEEN.includes(kind) && object !== call.object,
        `head_wrong: record ${seq} stands between`);
    }
    need(false, 'head_wrong: no record of the table');
  }

  /// Not behind more VOIDs of its round, shoe or batch than the table allows, and with all whom the
  /// VOID before does not name missing; or by an order of two persons.
  async checkAgain(walk) {
    const call = walk.at(-1).record;
    const again = new Again(this.opening.record.body);
    let asked = null;
    for (const { record } of walk.slice(0, -1)) {
      const { kind, body } = record;
      if (kind === 'CALL') {
        asked = body.core;
        again.called(asked);
      } else if (isLapsed(record)) again.lapsed(body.core);
      else if (kind === 'VOID' && asked !== null) again.ended(asked, body.missing ?? []);
    }
    const heads = [];
    for (const before of walk.slice(0, -1).reverse()) {
      heads.push(hex(await headOf(before)));
      if (!BETWEEN.includes(before.record.kind)) break;
    }
    await again.check(call, heads, `record ${call.seq}`);
  }

  checkOwn(core, t) {
    const { key, id } = this.memory;
    const own = core.others.find((one) => one.id === id);
    need(own !== undefined, 'not_named: the call does not name this seat');
    need(own.key === key, 'not_named: the call names another key for this seat');
    need(core.others.filter((one) => one.key === key).length === 1,
      'duplicate: the call names this key twice');
    need(own.t === t, 't_gap: not the next number of this key');
    return own;
  }

  /// The root stands in a commitment, or was picked from one.
  async checkRoot(walk, core, commit) {
    const { last } = this.memory;
    const of = ({ record: { kind, object, table, body } }) => object === core.object &&
      table === this.memory.table && body.root === core.root &&
      (COMMITS.includes(kind) || body.picked !== undefined);
    const known = last !== null && last.object === core.object && last.root === core.root;
    const found = [...walk, ...(commit === undefined ? [] : [commit])].filter(of);
    need(known || found.length > 0, 'root_unknown: nobody committed to it before');
    if (core.use === 'mix') await this.checkPick(walk, core, found);
  }

  /// As many roots are to be picked from as the table's policy says, and no call of this shoe ended
  /// before one was picked.
  async checkPick(walk, core, found) {
    const commit = found.find(({ record }) => record.kind === 'SHOE_COMMIT')?.record.body;
    const wanted = commit === undefined ? 1 : candidatesCount(commit);
    if (commit !== undefined) {
      await checkCandidates(commit, this.opening.record.body.policy.candidates);
    }
    need(core.specification.candidates === wanted, 'candidate_wrong: another number of roots');
    const ends = ({ seq, kind, object, body }) => kind === 'VOID' &&
      seq > number(core.object) &&
      (object === core.object || body.core?.object === core.object);
    need(wanted === 1 || !walk.some(({ record }) => ends(record)),
      'candidate_wrong: a call of this shoe ended before its root was picked');
  }

  /// The bets of the round as they are logged, and whether the core rests on them; null: there are
  /// none yet.
  async checkBets(walk, core) {
    const none = hex(await H(domain('bets'), utf8('[]')));
    const pieces = walk.map(({ record }) => record)
      .filter(({ kind, object }) => kind === 'BETS_CLOSED' && object === core.round);
    if (core.round !== '0' && pieces.some(endsContent)) {
      const bets = pieces.flatMap(({ body }) => body.bets);
      const digest = hex(await H(domain('bets'), utf8(canonical(bets))));
      need(digest === core.bets, 'bets_other: the call rests on other bets than were closed');
      const { seat } = this.memory;
      return bets.filter((one) => one.seat === seat);
    }
    if (core.bets === none) return null;
    need(core.round === '0', 'bets_other: the bets of the round are not closed');
    need(this.memory.seat === null, 'bets_unseen: the call shows a digest of bets alone');
    return null;
  }
}

/// How a record ends the call of `last`, and whether its number is in it (`given`).
export function endOf({ record }, last) {
  const { kind, body } = record;
  need(RESULTS.includes(kind) && body.call === last.seq,
    'end_other: what is said to end the call does not');
  const given = kind !== 'VOID' && body.openings.some(({ value, signature }) =>
    same(unhex(value), unhex(last.value)) && signature === last.signature);
  return { call: last.seq, turn: last.turn, use: last.use, round: last.round, given,
    ...ended(record) };
}
