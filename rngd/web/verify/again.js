// Calls behind the VOIDs of their round, shoe or batch: how many there may be, and whom the next
// one has to name (FORMAT.md, section 8).
import { concat, domain, utf8 } from './bytes.js';
import { hasSigned } from './contributors.js';
import { canonical } from './json.js';
import { need } from './refused.js';

/// The round that a core is for; outside rounds its shoe or batch.
export const subjectOf = ({ round, object }) => (round === '0' ? object : round);

/// Of one TABLE_OPEN.
export class Again {
  constructor(table) {
    this.table = table;
    this.voids = new Map();
    this.kept = new Map();
  }

  /// Behind a gap: whom the last call named is not known.
  forget() {
    this.kept.clear();
  }

  called(core) {
    this.kept.delete(subjectOf(core));
  }

  ended(core, missing) {
    this.lapsed(core);
    this.kept.set(subjectOf(core), core.others.filter(({ id }) => !missing.includes(id)));
  }

  /// It counts; whom it named says nothing.
  lapsed(core) {
    const subject = subjectOf(core);
    this.voids.set(subject, (this.voids.get(subject) ?? 0) + 1);
  }

  /// `heads`: what an order may have been signed for; null: not known.
  async check({ origin, body: { core, order } }, heads, name) {
    const subject = subjectOf(core);
    if (order !== undefined) {
      await this.checkOrder(order, { act: 'call-again', object: subject, origin }, heads,
        `order_wrong: ${name}`);
      return;
    }
    const voids = this.voids.get(subject) ?? 0;
    need(voids <= this.table.policy.max_voids, `void_limit: ${name}: ${subject} ended in VOID ` +
      `${voids} times, and no two persons ordered another call`);
    const named = ({ id, key }) =>
      core.others.some((other) => other.id === id && other.key === key);
    need((this.kept.get(subject) ?? []).every(named),
      `contributor_dropped: ${name}: leaves out one whom the VOID before does not name`);
  }

  /// Two persons have signed it for this act, object and log.
  async checkOrder({ head, by }, said, heads, name) {
    const [first, second] = by;
    need(first.id !== second.id && first.key !== second.key, `${name}: of one person`);
    const statement = concat(domain('order'), utf8(canonical({ ...said, digest: '', head })));
    for (const { id, key, signature } of by) {
      need(key !== this.table.key && await hasSigned(key, statement, signature),
        `${name}: not signed by a key of ${id}`);
    }
    need(heads === null || heads.includes(head), `${name}: of another state of the table`);
  }
}
