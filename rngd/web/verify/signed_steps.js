// What persons asked for, confirmed and signed of the acts that a log holds (FORMAT.md, section 6,
// ACCESS).
import { concat, domain, field, hex, unbase64, utf8 } from './bytes.js';
import { hasSigned } from './contributors.js';
import { H } from './hashes.js';
import { canonical } from './json.js';
import { samplesOf } from './laboratory.js';
import { Refused, need } from './refused.js';
import { TableKey } from './table_key.js';
import { leafHash } from './tree.js';

const OF_TABLES = ['call-again', 'draw-void', 'table-void', 'shoe-close'];

/// ACT and STEP; no step: empty.
function partsOf(what) {
  const dot = what.lastIndexOf('.');
  return dot < 0 ? [what, ''] : [what.slice(0, dot), what.slice(dot + 1)];
}

const isSameAct = (one, other) => partsOf(one.what)[0] === partsOf(other.what)[0] &&
  one.object === other.object && one.digest === other.digest;

/// Whether this is a key on P-256, and that client's.
async function isKeyOf(client, key) {
  try {
    await TableKey.of(unbase64(key));
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
  return client !== undefined && client.spki === hex(await H(unbase64(key)));
}

/// The request that a step is about: that of a succession cites the KEY of its log too.
function requestOf({ cites }, act) {
  return cites.length === (act.startsWith('succession') ? 2 : 1) ? cites.at(-1) : undefined;
}

/// The steps of one log, in their order. One without `order` came over the connection alone.
class Steps {
  constructor() {
    this.asked = new Map();  // by seq: leaf hash and record
    this.over = new Set();
    this.heads = new Set();
    this.given = new Set();
    this.alone = 0;
  }

  /// The next record that the reader has, of any kind; `text`: its bytes.
  async take(record, text) {
    const { seq, kind, body } = record;
    this.given.add(seq);
    if (kind !== 'ACCESS') return;
    const [act, step] = partsOf(body.what);
    const name = `record ${seq}`;
    const ofPerson = step === 'asked' || step === 'confirmed';
    const ofTable = OF_TABLES.includes(act);
    const { object = '', digest } = body;
    need(act === 'sampling-order'
      ? samplesOf(object) !== null && (digest !== undefined) === (step === 'done')
      : !object.startsWith('lab/'),
    `lab_order: ${name}: orders no samples, or not as an order does`);
    const request = requestOf(record, act);
    if (ofPerson) this.persons(record, step, name);
    need(body.key === undefined ||
      body.digest === hex(await H(domain('key'), utf8(canonical(body.key)))),
      `access_digest: ${name}: of another key than it asks for`);
    if (step === 'confirmed' && !ofTable) this.confirmed(record, request, name);
    if (body.order !== undefined) {
      await this.signature(record, act, name);
      if (!ofTable) await this.head(record, step, name);  // else its table's chain tells
    } else if (ofPerson) this.alone += 1;
    if (step === 'asked') {
      this.asked.set(seq, { leaf: hex(await leafHash(utf8(text))), record });
    } else if (this.asked.has(request)) this.over.add(request);
  }

  /// A step has a client, the last of those it names; who confirms is another one than who asked,
  /// with another key.
  persons({ client, cites, body: { by = [] } }, step, name) {
    const others = `access_person: ${name}: names others than its client and who asked`;
    const same = `access_person: ${name}: of who asked for it`;
    need(client !== undefined && by.length === (step === 'asked' ? 1 : 2) &&
      by.at(-1) === client.id, others);
    if (step === 'asked') return;
    need(by[0] !== client.id, same);
    for (const seq of cites.filter((one) => this.asked.has(one))) {
      const first = this.asked.get(seq).record.client;
      need(first.id !== client.id && first.spki !== client.spki, same);
      need(by[0] === first.id, others);
    }
  }

  /// It is of one request, which nobody has confirmed and nobody has ended.
  confirmed({ body }, request, name) {
    need(request !== undefined, `access_step: ${name}: does not cite its request`);
    const asked = this.asked.get(request);
    if (asked === undefined) {
      need(!this.given.has(request), `access_step: ${name}: cites what is no request`);
      return;
    }
    need(isSameAct(asked.record.body, body), `access_step: ${name}: of another act than it cites`);
    need(!this.over.has(request), `access_step: ${name}: of a request that was over`);
  }

  async signature({ origin, client, body }, act, name) {
    const { object = '', digest = '', order: { head, key, signature } } = body;
    const statement = concat(domain('order'),
      utf8(canonical({ act, digest, head, object, origin })));
    need(await isKeyOf(client, key), `access_key: ${name}: of another key than its client's`);
    need(await hasSigned(key, statement, signature), `access_signature: ${name}: ${act}`);
  }

  /// What its person signed is for this request, once.
  async head({ client, key = '', cites, body: { order: { head } } }, step, name) {
    let own = false;
    if (step === 'asked') {
      const once = `${client.spki} ${head}`;
      own = head === hex(await H(domain('request-key'), field(key))) && !this.heads.has(once);
      this.heads.add(once);
    } else if (step === 'confirmed') {
      own = (this.asked.get(cites.at(-1))?.leaf ?? head) === head;
    }
    need(own, `access_head: ${name}: signed for another request`);
  }
}

/// `texts`: the bytes of the records. Gives what a verdict says of steps that nobody has signed.
export async function checkSteps(records, texts) {
  const steps = new Steps();
  for (const [i, record] of records.entries()) await steps.take(record, texts[i]);
  return steps.alone === 0 ? [] : [
    `who asked for or confirmed the acts of ${steps.alone} records: nobody signed these, they ` +
      'came over the connection alone, as the appliance says'];
}
