// Draws: batches of secrets, calls and their outcomes (FORMAT.md, section 8).
import { concat, domain, field, same, u32, unhex } from './bytes.js';
import { valuesOf } from './contributors.js';
import { digestOf } from './core.js';
import { canonical } from './json.js';
import { isLapsed } from './records.js';
import { need } from './refused.js';
import { boundsOf } from './shapes.js';
import { Tape } from './tape.js';
import { leafHash, rootBehind, rootFromPath } from './tree.js';

function outcomeOf(kind, digits) {
  if (kind === 'wheel') return { pocket: digits[0] };
  return kind === 'dice' ? { dice: digits.map((digit) => digit + 1) } : { lots: digits };
}

export class Batch {
  constructor(evidence, name) {
    this.evidence = evidence;
    this.name = name;
    this.calls = new Map();
    this.next = 0;
    this.draws = 0;
    this.closed = false;
  }

  note(line) {
    this.evidence.notChecked.push(`${this.name}: ${line}`);
  }

  async step(record) {
    const { body, kind } = record;
    need(!this.closed, 'object_closed: the batch was closed before');
    switch (kind) {
      case 'BATCH_COMMIT': return this.commit(record, body);
      case 'CALL': return this.call(record, body.core);
      case 'DRAW': return this.draw(record);
      case 'VOID': return this.voided(record);
      case 'BATCH_CLOSE': return this.close(body);
      default: return need(false, 'a kind that no batch of version 2 has');
    }
  }

  async commit(record, body) {
    await this.evidence.context(body.context);
    this.body = body;
    this.client = record.client?.id ?? '';
  }

  /// What it binds of the batch; what of the table, calls.js knows.
  call(record, core) {
    need((record.client?.id ?? '') === this.client,
      'batch_client: the batch belongs to another client');
    need(core.root === this.body.root, 'root_unknown: not the root of the batch');
    need(core.at === this.next && core.at < this.body.count, 'secret_order: not the next secret');
    need(record.time < this.body.expires, 'batch_expired: the batch had expired');
    this.next += 1;
    const { settled_by: by, parameters } = this.evidence.table;
    const bound = by === 'client' && Object.hasOwn(parameters, 'range');
    need(!bound || canonical(parameters.range) === canonical(core.specification),
      'range_other: the table is opened for another range');
    this.calls.set(record.seq, core);
  }

  take({ body }) {
    need(this.calls.has(body.call), 'call_none: no such open CALL');
    const core = this.calls.get(body.call);
    this.calls.delete(body.call);
    return core;
  }

  async draw(record) {
    const { body } = record;
    const core = this.take(record);
    need(body.index === core.at, 'draw_index: another index than that of its CALL');
    await this.outcome(core, body, valuesOf(body.openings));
    this.draws += 1;
  }

  /// What a core opens that became no CALL: the next secret, which is spent.
  async lapsed({ body }) {
    const { core } = body;
    need(core.root === this.body.root, 'root_unknown: not the root of the batch');
    need(core.at === this.next && core.at < this.body.count, 'secret_order: not the next secret');
    this.next += 1;
    await this.wouldBe(core, body);
  }

  async voided(record) {
    if (isLapsed(record)) {
      await this.lapsed(record);
      return;
    }
    const { body } = record;
    const core = this.take(record);
    if (body.cause !== 'unrecoverable') {
      await this.wouldBe(core, body);
    } else {
      this.note('an outcome is unrecoverable by the appliance\'s word');
    }
  }

  leaf(index, secret) {
    return leafHash(concat(domain('batch-leaf'), field(this.name), u32(index), secret));
  }

  /// The secret is the committed one; what it would have given is said where every number is known.
  async wouldBe(core, opened) {
    const known = opened.openings ?? [];
    if (known.length === core.others.length) {
      await this.outcome(core, opened, valuesOf(known));
      return;
    }
    await this.secret(core, opened);
    need(opened.outcome === 'unknown',
      'outcome_undue: an outcome where not every number is opened');
  }

  async secret(core, opened) {
    const secret = unhex(opened.secret);
    const leaf = await this.leaf(core.at, secret);
    const root = await rootFromPath(core.at, this.body.count, leaf,
                                    opened.path.map((hash) => unhex(hash)));
    need(same(root, unhex(this.body.root)), 'secret_wrong: the secret does not open its leaf');
    return secret;
  }

  /// The outcome follows from the committed secret, the call and what was opened behind it.
  async outcome(core, opened, values) {
    const secret = await this.secret(core, opened);
    const tape = await Tape.keyed(secret, 'draw', [await digestOf(core), ...values]);
    const digits = await tape.digits(boundsOf(core.specification));
    if (opened.tape_digest !== undefined) await tape.check(opened);
    const found = outcomeOf(core.specification.kind, digits);
    need(canonical(found) === canonical(opened.outcome),
      'wrong_mapping: the outcome does not follow from the secret');
  }

  async close(body) {
    this.closed = true;
    need(body.first === this.next && body.secrets.length === this.body.count - this.next,
      'unused_count: not exactly the unused secrets');
    const leaves = await Promise.all(body.secrets.map((secret, i) =>
        this.leaf(this.next + i, unhex(secret))));
    const root = await rootBehind(this.next, body.left.map((hash) => unhex(hash)), leaves);
    need(same(root, unhex(this.body.root)),
      'unused_wrong: the secrets do not give the committed root');
  }

  conclude() {
    if (this.draws > 0) {
      this.evidence.checked.push(
        `${this.name}: ${this.draws} outcomes follow from secret and call`);
    }
    if (this.calls.size > 0) this.note(`${this.calls.size} draws are not completed here`);
  }
}
