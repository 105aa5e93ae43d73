// A table's side of the appliance: asks until it is answered, and believes nothing that it has not
// checked.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallKey } from './caller.js';
import { readClientFile } from './client_file.js';
import { Connection, now } from './connection.js';
import { Lapsed, Misused, Refused, Unanswered, Withheld, believing } from './errors.js';
import { Evidence } from './evidence.js';
import { candidatesCount, need } from './house.js';
import { Journal } from './journal.js';
import { KnownLog } from './log.js';

const LOOK_PAUSE = 100;  // milliseconds between two looks at a call that is waited for
const WAIT_S = 5;  // seconds that a question for the end of a call is left with the appliance

/// What the rules of a round ask to be drawn now.
function drawDue(needs) {
  const due = needs.find((one) => one.need === 'draw');
  need(due !== undefined, 'no draw is due');
  const { kind, pockets, count, faces } = due;
  if (kind === 'wheel') return { kind, pockets: pockets.length };
  return kind === 'dice' ? { kind, count, faces } : { kind, bounds: [faces] };
}

/// The link by which a seat takes part (rngd/docs/contribute.md); `opening` and `root` 32 bytes.
export function makeLink(base, token, table, seat, opening, root, origin) {
  const text = (bytes) => Buffer.from(bytes).toString('base64url');
  const name = encodeURI(origin).replace(/[#]/g, encodeURIComponent);
  return `${base}/web/contribute.html#${token}.${table.split('-')[1]}.${seat}.${text(opening)}.` +
    `${text(root)}.${name}`;
}

export class Table {
  /// index.d.ts says what each option is.
  static async open(folder, options = {}) {
    const { journal, timeout = 10, patience = 120, onReply = () => {}, ended = [] } = options;
    const table = new Table();
    const file = readClientFile(folder);
    table.connection = new Connection(file, timeout, patience);
    const get = (path) => table.get(path);
    const log = await believing(() => KnownLog.open({ logKey: file.pem.log_key,
      root: file.pem.root, keys: () => get('/v1/log-keys'),
      ended: [...file.ended, ...[ended].flat()] }));
    Object.assign(table, { file, patience, onReply, journal: new Journal(journal),
      evidence: new Evidence({ log, get, key: new CallKey(file.pem.key) }) });
    return table;
  }

  // ---- Asking

  get(path) {
    return this.connection.get(path);
  }

  /// Path of the request that is pending, or null.
  get pending() {
    return this.journal.pending?.path ?? null;
  }

  async post(path, body = {}) {
    this.free();
    this.keep({ path, body: JSON.stringify(body), key: randomBytes(16).toString('hex') });
    return this.resume();
  }

  free() {
    if (this.pending !== null) throw new Misused(`${this.pending} is not answered yet: resume()`);
  }

  /// Asks for what is pending until it is answered; null when nothing is. The reply is checked
  /// before anybody sees it.
  async resume() {
    const asked = this.journal.pending;
    if (asked === null) return null;
    const { core } = JSON.parse(asked.body);
    if (core !== undefined) await this.caller(core.table);  // that an earlier life called for
    let text;
    try {
      text = await this.connection.untilAnswered('POST', asked.path, asked.body, asked.key);
    } catch (error) {
      if (error instanceof Refused) this.keep(null);
      throw error;
    }
    const { reply, records } = await believing(() => this.checked(JSON.parse(text), asked, core));
    await this.onReply(reply, records);
    this.keep(null);
    const last = records.at(-1);
    if (last?.kind === 'VOID' && last.body.core === undefined) {
      const { cause, missing = [] } = last.body;
      throw new Withheld({ code: missing.length > 0 ? 'withheld' : 'voided', cause, missing });
    }
    if (reply.lapsed !== undefined) throw new Lapsed(reply.lapsed);
    return reply;
  }

  async checked(reply, asked, core) {
    const records = await this.evidence.check(reply, asked);
    if (core === undefined || !this.evidence.waits(core.table)) return { reply, records };
    const ended = await this.wait(reply.call.seq, core);
    return { reply: ended.reply ?? reply, records: [...records, ended.record] };
  }

  /// Until the contributors of a call have opened, or their time is up.
  async wait(seq, core) {
    const end = now() + this.patience;
    const wait = Math.floor(Math.min(WAIT_S, this.connection.timeout / 2));
    const path = `/v1/calls/${seq}${wait > 0 ? `?wait=${wait}` : ''}`;
    while (true) {
      const { ended } = await this.get(path);
      if (ended) return this.evidence.checkEnd(ended.receipt, core);
      if (now() > end) throw new Unanswered(`call ${seq}: its contributors are waited for`);
      await sleep(LOOK_PAUSE);
    }
  }

  /// Before the first byte leaves, the request is in the journal, with what the tables keep of
  /// their calls; once answered it is not.
  keep(pending) {
    this.journal.keep(pending, this.evidence.keptCalls(this.journal.calls));
  }

  caller(table) {
    return believing(() => this.evidence.caller(table, this.journal.calls));
  }

  // ---- Playing: what a table does most

  /// All there is to know when one comes back: state, `needs`, live shoe with its next position,
  /// open round, batches.
  async picture(table) {
    return (await this.get(`/v1/tables/${table}`)).table;
  }

  /// Signed only now that the receipt of the shoe's commitment is verified.
  async mix(shoe) {
    this.free();
    const { body, dealt } = await believing(() => this.evidence.shoes.newest(shoe));
    const caller = await this.caller(body.table);
    const wish = await believing(async () => {
      const { round = '0' } = await this.evidence.restOnNewest(caller);
      return { use: 'mix', object: shoe, root: body.root, at: dealt.length, round,
        bets: await this.evidence.betsOf(round, true),
        specification: { candidates: candidatesCount(body), places: body.cards - dealt.length } };
    });
    return this.call(caller, `/v1/shoes/${shoe}/mix`, wish);
  }

  /// A result from the table's committed batch. A call that was refused is never made otherwise:
  /// close the table and open it again.
  async draw(table, { round = '0', bets } = {}) {
    this.free();
    const caller = await this.caller(table);
    const what = await believing(() => this.wished(caller, round, bets));
    let batch = this.evidence.batches.get(table);
    // one that an earlier life of this program took is left to expire
    if (batch === undefined || batch.index >= batch.count || now() >= batch.goodUntil) {
      await this.post(`/v1/tables/${table}/batches`, { count: 16 });
      batch = this.evidence.batches.get(table);
    }
    return this.call(caller, '/v1/draws', { use: 'draw', object: batch.id, root: batch.root,
      at: batch.index, round, ...what });
  }

  async wished(caller, round, bets) {
    const { settled_by: by, parameters } = caller.body;
    if (by === 'client') {
      return { specification: parameters.range, bets: bets ?? await this.evidence.betsOf('0') };
    }
    const { needs } = await this.evidence.restOnNewest(caller);
    const specification = drawDue(needs);
    const found = await this.evidence.betsOf(round, specification.kind === 'lots');
    return { specification, bets: found };
  }

  /// Core and signature leave once, and are the same ever after. Who was invited and has handed in
  /// a commitment is to open behind it.
  async call(caller, path, wish) {
    const { contributors = [] } = caller.invites ? await this.picture(caller.table) : {};
    return this.post(path, await believing(() => caller.make(wish,
      caller.invites ? caller.others(contributors, wish) : [])));
  }

  /// From now on the calls of the table name everybody who has handed in commitments, also
  /// programs that came with a certificate of their own.
  async nameContributors(table) {
    (await this.caller(table)).invites = true;
  }

  /// The link by which a seat takes part in the calls of the table, to be shown as a QR code to the
  /// person there and to nobody else.
  async invite(table, seat, base) {
    const token = randomBytes(16).toString('base64url');
    await this.nameContributors(table);
    await this.post(`/v1/tables/${table}/invitations`,
      { seat, token: createHash('sha256').update(token).digest('hex') });
    const { log } = this.evidence;
    const { leaf } = await believing(() => this.evidence.opening(table));
    return makeLink(base, token, table, seat, leaf, await log.rootDigest(), log.origin);
  }

  /// The covered card at this position, for every seat whose copy is for this table's own key.
  async look(shoe, position, recommits) {
    const query = recommits === undefined ? '' : `?recommits=${recommits}`;
    const { card } = await this.get(`/v1/shoes/${shoe}/cards/${position}${query}`);
    return believing(() => {
      need(card.position === position, 'the copies are of another card');
      return this.evidence.shoes.look(shoe, card, recommits, this.file.pem.key,
        this.evidence.log.origin);
    });
  }

  /// The log's records as they come, behind number `after`, for ever; a broken stream goes on
  /// behind the last one seen.
  async* events(after = -1) {
    for (let last = after; ;) {
      try {
        const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(last) };
        let event = {};
        for await (const line of this.connection.lines('/v1/events', headers)) {
          const at = line.indexOf(': ');
          if (at > 0) event[line.slice(0, at)] = line.slice(at + 2);
          if (line !== '' || event.data === undefined) continue;
          const { id, event: kind, data } = event;
          event = {};
          last = Number(id);
          yield { seq: last, kind, record: JSON.parse(data) };
        }
      } catch (lost) {
        if (lost instanceof SyntaxError) throw lost;  // not a lost connection
      }
      await sleep(100 + 400 * Math.random());
    }
  }

  /// Ends its connection; what is pending stays in the journal.
  close() {
    this.connection.close();
  }
}
