// Draws: batches of secrets, intents and their outcomes (FORMAT.md, section 8).
import { concat, domain, field, hex, same, u32, unhex, utf8 } from './bytes.js';
import { H } from './hashes.js';
import { canonical } from './json.js';
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
    this.intents = new Map();
    this.nonces = new Set();
    this.next = 0;
    this.draws = 0;
    this.closed = false;
  }

  note(line) {
    this.evidence.notChecked.push(`${this.name}: ${line}`);
  }

  async step(record) {
    const { body, kind } = record;
    need(!this.closed || kind === 'DRAW' || kind === 'VOID', 'the batch was closed before');
    switch (kind) {
      case 'BATCH_COMMIT': return this.commit(record, body);
      case 'INTENT': return this.intent(record, body);
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

  async intent(record, body) {
    need((record.client?.id ?? '') === this.client, 'the batch belongs to another client');
    need(['table', 'root', 'context'].every((name) => canonical(body[name]) === canonical(
      this.body[name])),
      'table, root or context differ from those of the batch');
    need(body.index === this.next && body.index < this.body.count, 'not the next secret');
    need(record.time < this.body.expires, 'the batch had expired');
    this.next += 1;
    need(!this.nonces.has(body.nonce), 'a nonce used before');
    this.nonces.add(body.nonce);
    const { settled_by: by, parameters } = this.evidence.table;
    const bound = by === 'client' && Object.hasOwn(parameters, 'range');
    need(!bound || canonical(parameters.range) === canonical(body.specification),
      'the table is opened for another range');
    await this.checkBets(record, body);
    need(hex(await this.digest(record, body)) === body.digest, 'another draw digest');
    this.intents.set(record.seq, body);
  }

  digest(record, body) {
    const { game, variant, catalogue, parameters } = body.context;
    return H(domain('draw'), field(record.origin), field(this.client), field(body.table),
             field(body.round),
      field(game), field(variant), unhex(catalogue), unhex(parameters), unhex(body.bets),
      unhex(body.root), u32(body.index), field(unhex(body.nonce, null)));
  }

  /// An INTENT of a round rests on its bets; lots that say who gets the bank may stand before them.
  async checkBets(record, body) {
    if (body.round === '0') return;
    const cited = record.cites.map((seq) => this.evidence.bySeq.get(seq));
    const ofRound = (kind) => cited.find((one) => one?.kind === kind && one.object === body.round);
    const closed = ofRound('BETS_CLOSED');
    if (closed !== undefined) {
      need(closed.body.digest === body.bets, 'other bets than those of the BETS_CLOSED it cites');
    } else if (ofRound('ROUND_OPEN') !== undefined && body.specification.kind === 'lots') {
      need(body.bets === hex(await H(domain('bets'), utf8('[]'))), 'lots before the bets rest on ' +
          'no bets');
      const chain = this.evidence.chainOf.get(body.round);
      need(!chain.some((one) => one.kind === 'BETS_CLOSED' && one.seq < record.seq),
           'the bets were closed before');
    } else {
      need(cited.includes(undefined), 'does not cite the BETS_CLOSED of its round');
      this.note(`the bets of ${body.round} are not in the bundle`);
    }
  }

  take({ body, cites }) {
    const seq = body.intent;
    need(cites.includes(seq), 'does not cite its INTENT');
    need(this.intents.has(seq), 'no such open INTENT');
    const intent = this.intents.get(seq);
    this.intents.delete(seq);
    return intent;
  }

  async draw(record) {
    const { body } = record;
    const intent = this.take(record);
    const asked = this.evidence.bySeq.get(body.intent);
    need(['client', 'key', 'request'].every((name) => canonical(record[name] ?? '') === canonical(
      asked[name] ?? '')), 'answers another request than its INTENT');
    need(body.index === intent.index && canonical(body.context) === canonical(intent.context),
      'index or context differ from those of the INTENT');
    const tape = await this.outcome(intent, body);
    await tape.check(body);
    this.draws += 1;
  }

  async voided(record) {
    const { body } = record;
    const intent = this.take(record);
    if (body.cause === 'order') {
      const people = new Set(body.by).size;
      need(people >= 2 && people === body.by.length,
           'ordered by fewer than two persons, or by one twice');
      await this.outcome(intent, body);
    } else {
      this.note('an outcome is unrecoverable by the appliance\'s word');
    }
  }

  leaf(index, secret) {
    return leafHash(concat(domain('batch-leaf'), field(this.name), u32(index), secret));
  }

  /// The outcome follows from the committed secret and the draw digest.
  async outcome(intent, opened) {
    const secret = unhex(opened.secret);
    const leaf = await this.leaf(intent.index, secret);
    const root = await rootFromPath(intent.index, this.body.count, leaf,
                                    opened.path.map((hash) => unhex(hash)));
    need(same(root, unhex(this.body.root)), 'the secret does not open its leaf');
    const tape = await Tape.keyed(secret, 'draw', [unhex(intent.root), u32(intent.index),
                                                   unhex(intent.digest)]);
    const found = outcomeOf(intent.specification.kind,
                            await tape.digits(boundsOf(intent.specification)));
    need(canonical(found) === canonical(opened.outcome), 'the outcome does not follow from the ' +
                                                         'secret');
    return tape;
  }

  async close(body) {
    this.closed = true;
    need(body.first === this.next && body.secrets.length === this.body.count - this.next,
      'not exactly the unused secrets');
    const leaves = await Promise.all(body.secrets.map((secret, i) =>
        this.leaf(this.next + i, unhex(secret))));
    const root = await rootBehind(this.next, body.left.map((hash) => unhex(hash)), leaves);
    need(same(root, unhex(this.body.root)), 'the secrets do not give the committed root');
  }

  conclude() {
    if (this.draws > 0) {
      this.evidence.checked.push(
        `${this.name}: ${this.draws} outcomes follow from secret, nonce and bets`);
    }
    if (this.intents.size > 0) this.note(`${this.intents.size} draws are not completed here`);
  }
}
