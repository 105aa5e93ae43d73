// Who takes part in the calls of one table: a key, a seed, and what it must never forget (PROTOCOL
// .md, section 5b). It knows no network and no screen.
import { base64, domain, hex, same, u32, unhex, utf8 } from '../verify/bytes.js';
import { commitOf, statementOf } from '../verify/contributors.js';
import { H } from '../verify/hashes.js';
import { canonical } from '../verify/json.js';
import { need } from '../verify/refused.js';
import { Open } from './open.js';

/// Commitments that may wait at the appliance.
export const AHEAD_MAX = 16;

/// `hands`: `spki` (base64), `sign(bytes)` gives r || s, `mac(...parts)` is HMAC under the seed.
/// `keep(memory)`: resolves once it is durable.
export class Contributor {
  constructor(hands, opening, memory, keep) {
    Object.assign(this, { hands, opening, memory, keep });
  }

  /// `base`: the newest record of the table, believed. `seat`: null for who has no bets.
  static async fresh({ hands, opening, base, id, seat, keep }) {
    const { record, leaf } = opening;
    const parameters = H(domain('parameters'), utf8(canonical(record.body.parameters)));
    const memory = { origin: record.origin, table: record.object, opening: hex(leaf), id, seat,
      key: hands.spki, parameters: hex(await parameters), next: 1, last: null,
      base: { seq: base.record.seq, leaf: hex(base.leaf) } };
    const made = new Contributor(hands, opening, memory, keep);
    await keep(memory);
    return made;
  }

  value(t) {
    return this.hands.mac(domain('contribution'), unhex(this.memory.opening), u32(t));
  }

  async commit(t) {
    return commitOf(unhex(this.memory.opening), this.memory.id, t, await this.value(t));
  }

  /// Body of a request that hands in commitments for `from` and those behind it.
  async commitments(from, count) {
    const commits = [];
    for (let t = from; t < from + count; t += 1) commits.push(hex(await this.commit(t)));
    const { id, key } = this.memory;
    return { id, key, from, commits };
  }

  /// The number for the call at the end of `walk`, once all of it is checked (open.js) and the
  /// answer is durable. The same call: the same bytes. `look(bets)`: is asked before the number is
  /// given; it throws to keep it. `missed`: is told of calls that ended without the number.
  async answer(walk, commit, look = async () => {}, missed = () => {}) {
    const { last } = this.memory;
    const call = walk.at(-1);
    if (last !== null && last.seq === call.record.seq) {
      need(last.leaf === hex(call.leaf), 'core_other: another call than was answered');
      return this.opened();
    }
    need(last === null || call.record.seq > last.seq, 'turn_gap: a call from before the last one');
    const open = new Open(this.opening, this.memory);
    const found = await open.check(walk, commit);
    const { core, digest, t } = found;
    need(same(await this.commit(t), found.commit),
      'commit_mismatch: not what was handed in for this number');
    await look(found.bets);
    missed(found.missed);
    const value = await this.value(t);
    const signature = await this.hands.sign(statementOf(digest, this.memory.id, t, value));
    this.memory = { ...this.memory, next: t + 1,
      base: { seq: call.record.seq, leaf: hex(call.leaf) },
      last: { seq: call.record.seq, leaf: hex(call.leaf), turn: core.turn, t, core: hex(digest),
        use: core.use, round: core.round, object: core.object, root: core.root,
        value: hex(value), signature: base64(signature) } };
    await this.keep(this.memory);
    return this.opened();
  }

  /// Body of a request that opens the number of the last call.
  opened() {
    const { id, last: { value, signature } } = this.memory;
    return { id, value, signature };
  }
}
