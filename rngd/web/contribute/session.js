// One seat's part in the calls of its table, step by step: commitments are handed in, each call is
// checked and answered, each end is verified from its evidence. It draws nothing.
import { hex, unbase64 } from '../verify/bytes.js';
import { H } from '../verify/hashes.js';
import { canonical } from '../verify/json.js';
import { Refused, need } from '../verify/refused.js';
import { VERDICTS, verifyBundle } from '../verify/verify.js';
import { AHEAD_MAX, Contributor } from './contributor.js';
import { Log, rootOfDigest } from './log.js';
import { Open, endOf } from './open.js';
import { settlementsOf } from './settlements.js';

const WALK_MAX = 4096;
const HISTORY_MAX = 30;
const number = (id) => Number(id.slice(id.indexOf('-') + 1));

export class Session {
  /// `link`: parseLink. `store`: read and write (store.js). `freshHands`: makes key and seed.
  /// `look(bets, view)`: before a number is given; it throws to keep it. `changed`: something is
  /// to be shown.
  constructor({ link, api, store, freshHands, rootPem, look, changed }) {
    Object.assign(this, { link, api, store, freshHands, rootPem, look, changed });
    this.contributor = null;
    this.log = null;
    this.opening = null;
    this.history = [];
    this.records = new Map();
    this.judged = new Set();
    this.followed = null;
    this.sent = null;
    this.answering = false;
    this.refused = new Map();
    this.shown = { joined: false, other: false, closed: false, refusal: null, call: null,
      verdicts: new Map() };
  }

  show(more) {
    Object.assign(this.shown, more);
    this.changed(this.shown, this.history);
  }

  // ---- What is believed

  async known() {
    if (this.opening !== null) return;
    const pem = await this.rootPem(this.api, (text) => rootOfDigest(text, this.link.root));
    need(pem !== null, 'other_root: the root certificate of the link is not here');
    this.root = pem;
    this.log = new Log(this.link.origin, pem, () => this.api.get('/v1/log-keys'));
    const opening = await this.believed(this.link.tableSeq);
    const open = new Open(opening, { opening: this.link.opening, table: this.link.table });
    open.checkOpening();
    this.opening = opening;
    const kept = await this.store.read();
    if (kept === null) return;
    this.history = kept.history;
    this.hands = kept.hands;
    this.contributor = new Contributor(kept.hands, opening, kept.memory,
      (memory) => this.keep(memory));
  }

  async believed(seq) {
    if (!this.records.has(seq)) {
      const found = await this.log.believed(await this.api.get(`/v1/receipts/${seq}`));
      need(found.record.seq === seq, `not_in_log: record ${seq}: another one was given`);
      this.records.set(seq, found);
    }
    return this.records.get(seq);
  }

  keep(memory) {
    return this.store.write({ hands: this.hands, memory, history: this.history });
  }

  // ---- Steps

  /// Everything that is due now. Refused: what must not be gone on from.
  async step() {
    const { table: view } = await this.api.get(`/v1/tables/${this.link.table}`);
    await this.known();
    const mine = (view.contributors ?? []).find(({ id }) => id === this.link.id);
    const key = this.contributor?.memory.key;
    this.show({ joined: this.contributor !== null, closed: view.state === 'closed',
      other: mine !== undefined && mine.key !== key });
    if (this.contributor === null) return undefined;
    if (view.state === 'closed') {  // while it is still said
      return this.endOfLast().then(() => this.settled(view.last)).catch(() => {});
    }
    await this.endOfLast();
    await this.settled(view.last);
    if (this.shown.other) return undefined;
    if (view.call !== undefined) await this.answer(view.call);
    return this.handIn(mine);
  }

  /// With a key and a seed of its own; in the place of another device where there is one.
  async join() {
    const { table: view } = await this.api.get(`/v1/tables/${this.link.table}`);
    await this.known();
    this.hands = await this.freshHands();
    this.history = [];
    const made = await Contributor.fresh({ hands: this.hands, opening: this.opening,
      base: await this.believed(view.last), id: this.link.id, seat: this.link.seat,
      keep: (memory) => this.keep(memory) });
    await this.api.post(`/v1/tables/${this.link.table}/commitments`,
                        await made.commitments(1, AHEAD_MAX));
    this.contributor = made;
    this.show({ joined: true, other: false, refusal: null });
  }

  async handIn(mine) {
    const ahead = mine?.ahead ?? 0;
    if (ahead > AHEAD_MAX / 2) return undefined;
    const from = mine === undefined ? this.contributor.memory.next : mine.t + ahead;
    const send = async (t) => this.api.post(`/v1/tables/${this.link.table}/commitments`,
      await this.contributor.commitments(t, AHEAD_MAX - ahead));
    try {
      await send(from);
    } catch (error) {
      // A core that lapsed has bound this key to another id: it serves no more.
      if (error.code === 'duplicate') return this.join();
      // Calls that named this key meanwhile have spent theirs; a commitment tells nothing.
      if (error.code !== 't_gap' || !Number.isSafeInteger(error.next)) throw error;
      await send(error.next);
    }
    return undefined;
  }

  /// The table's records up to this CALL, as far back as is asked for.
  async walk(seq) {
    const walk = [await this.believed(seq)];
    const call = walk[0].record;
    need(call.kind === 'CALL' && call.table === this.link.table, 'core_mismatch: no CALL of here');
    const commit = await this.believed(number(call.body.core.object));
    const from = new Open(this.opening, this.contributor.memory).begin(call, commit);
    while (walk[0].record.seq > from) {
      need(walk.length < WALK_MAX, 'link_gap: too many records since the last call');
      need(walk[0].record.prev !== undefined, 'link_gap: no record before');
      walk.unshift(await this.believed(walk[0].record.prev));
    }
    for (const old of [...this.records.keys()].slice(0, -WALK_MAX)) this.records.delete(old);
    return [walk, commit];
  }

  async answer(seq) {
    if (this.sent === seq || this.refused.has(seq)) return;
    this.answering = true;
    try {
      const [walk, commit] = await this.walk(seq);
      const call = walk.at(-1).record;
      this.show({ call: { seq, turn: call.body.core.turn, use: call.body.core.use } });
      const body = await this.contributor.answer(walk, commit,
        (bets) => this.look(bets, this.opening.record.body, seq), (ends) => this.addEnds(ends));
      await this.api.post(`/v1/calls/${seq}/openings`, body);
      this.sent = seq;
      this.show({ refusal: null });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused.set(seq, error.message);
      this.show({ refusal: error.message });
    } finally {
      this.answering = false;
    }
  }

  // ---- Ends

  addEnds(ends) {
    this.history = [...this.history, ...ends].slice(-HISTORY_MAX);
  }

  async endOfLast() {
    const { memory } = this.contributor;
    const { last } = memory;
    if (last !== null && !this.history.some(({ call }) => call === last.seq)) {
      const { ended } = await this.api.get(`/v1/calls/${last.seq}`);
      if (!ended) return;
      const end = await this.believed(ended.seq);
      this.addEnds([endOf(end, last)]);
      await this.keep(memory);
    }
    const newest = this.history.at(-1);
    if (newest !== undefined && !this.judged.has(newest.seq)) await this.judge(newest);
  }

  /// What was settled behind the first end that is known here, each once.
  async settled(last) {
    const [first] = this.history;
    if (first === undefined || last === this.followed) return;
    const from = Math.max(first.seq, this.followed ?? 0);
    const found = await settlementsOf({ believed: (seq) => this.believed(seq), last, from,
      table: this.link.table, seat: this.link.seat });
    this.followed = last;
    for (const one of found) {
      if (this.history.some(({ seq }) => seq === one.seq)) continue;
      // A number that an end before it has must be in the settled round too.
      const given = this.history.some((end) => end.given && end.round === one.round);
      this.addEnds([{ ...one, given, missing: [], cause: '' }]);
      await this.keep(this.contributor.memory);
      await this.judge(this.history.at(-1));
    }
  }

  /// The end's evidence by this browser's own verifier: that it is of this record and, of a result,
  /// that the number is in it.
  async judge({ seq, given }) {
    const { key } = this.contributor.memory;
    const mine = given ? hex(await H(unbase64(key))) : null;
    const { record } = await this.believed(seq);
    const bundle = await this.api.ask(`/v1/bundles/${seq}`);
    let verdict;
    try {
      const { code, development, claim, checked, notChecked, proven, notProven } =
        await verifyBundle(bundle, { roots: this.root, mine });
      need(canonical(claim.record) === canonical(record),
        `end_other: the evidence is of another ${claim.words}`);
      verdict = { code, words: VERDICTS[code], development, checked, notChecked, proven,
        notProven };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      verdict = { code: 1, words: 'invalid', why: error.message, checked: [], notChecked: [] };
    }
    this.judged.add(seq);
    this.shown.verdicts.set(seq, verdict);
    this.show({});
  }
}
