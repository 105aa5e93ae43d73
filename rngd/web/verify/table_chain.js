// The chain of the claim's table: links, its place, one round and one shoe at a time, counts
// (FORMAT.md, section 2).
import { domain, hex, same, unbase64, unhex, utf8 } from './bytes.js';
import { H } from './hashes.js';
import { canonical } from './json.js';
import { classOf, endsContent, isLapsed } from './records.js';
import { need } from './refused.js';
import { EARLY, Repetitions } from './repetitions.js';
import { leafHash } from './tree.js';

const COUNTS = ['turns', 'voids', 'early_closes'];
/// Kinds of the table's client alone.
const OWN = ['ROUND_OPEN', 'BETS_CLOSED', 'CARD_DEAL', 'CARD_OPEN', 'SHOE_COMMIT',
  'SHOE_RECOMMIT', 'SHOE_RELEASE'];
const EVENTS = ['SHOE_MIX', 'CARD_DEAL', 'CARD_OPEN', 'SHOE_CLOSE'];

const countsOf = (body) => Object.fromEntries(COUNTS.map((name) => [name, body[name]]));
const hasPurpose = (record, purpose) => record?.kind === 'KEY' && record.body.purpose === purpose;
/// A KEY that says what the log before left of a place, and the one that names that log: the first
/// record of its own.
const isPlaceKey = (record) => hasPurpose(record, 'place');
const namesPredecessor = (record) => hasPurpose(record, 'log') && record.seq === 0 &&
  record.body.predecessor !== undefined;
const agree = (one, other) => canonical(one) === canonical(other);

/// The round or shoe that is open at this point; not known where the file begins behind what would
/// say it.
class Live {
  constructor(known = false, number = null) {
    this.known = known;
    this.id = '';
    this.number = number;
  }
}

export class TableChain {
  constructor(evidence) {
    this.evidence = evidence;
    this.claim = evidence.claim;
    this.opening = evidence.tableRecord;
    this.text = new Map(evidence.records.map((record, i) => [
      record.seq, evidence.bundle.records[i].record,
    ]));
    this.last = this.opening;
    this.first = null;
    this.whole = true;
    this.end = null;
    this.round = new Live(true, 0);
    this.shoe = new Live(true, 0);
    /// Cards dealt under the newest root of the live shoe, 0 without one; null: not known.
    this.dealt = 0;
    this.closed = false;
    /// A SETTLEMENT stands, and the ROUND_END of its round not yet.
    this.settled = false;
    this.repetitions = new Repetitions();
    this.stated = this.opening;
    this.left = null;
    this.changed = false;
    this.unmixed = false;
    this.settledState = null;
    this.claimed = this.claimedRound();
    this.claimedOpen = false;
  }

  /// The round that the claim belongs to; empty: none.
  claimedRound() {
    let named = this.claim;
    if (isLapsed(named)) return '';  // nothing shows that it says its round
    if (['DRAW', 'VOID'].includes(named.kind)) {
      named = { body: this.evidence.bySeq.get(named.body.call)?.body.core ?? {} };
    } else if (classOf(named) === 'round') {
      return named.object;
    } else if (named.kind !== 'CARD_DEAL') {
      return '';
    }
    const round = named?.body.round ?? '';
    return round === '0' ? '' : round;
  }

  /// What the chain is with a record: the link of the one behind it.
  async headOf(record) {
    const leaf = await leafHash(utf8(this.text.get(record.seq)));
    return hex(await H(domain('link'), unhex(record.link), leaf));
  }

  async run() {
    await this.checkPlace();
    this.counts = countsOf(this.opening.body);
    for (const record of this.evidence.records) {
      const own = record.table === this.opening.object && record.link !== undefined;
      if (!own || record === this.opening) continue;
      await this.step(record);
      this.last = record;
    }
    need(this.claimed === '' || this.claimedOpen,
      'link_gap: the ROUND_OPEN of the claim\'s round is missing');
    this.evidence.repetitions = this.repetitions.number;
    this.conclude();
  }

  /// The KEY of a place is of the log that the KEY it cites names.
  checkPlaceKey({ seq, cites, body }) {
    const first = cites.map((one) => this.evidence.bySeq.get(one)).find(namesPredecessor);
    need(first !== undefined,
      'predecessor_wrong: the KEY that names the log before is not cited, or not there');
    const named = unbase64(first.body.predecessor);
    const end = named.indexOf(10);
    need(same(end < 0 ? named : named.slice(0, end), utf8(body.origin)),
      `predecessor_wrong: record ${seq}: is of another log than the first KEY names`);
  }

  async checkPlace() {
    const { body, cites, link } = this.opening;
    const before = cites.map((seq) => this.evidence.bySeq.get(seq))
      .filter((one) => one?.kind === 'TABLE_CLOSE' || isPlaceKey(one));
    need(before.length <= 1, 'place_gap: two ends of one place');
    if (body.opened === 1) {
      need(before.length === 0 && body.continues === undefined && /^0+$/.test(link),
        'place_gap: the first opening of a place follows none');
      return;
    }
    need(before.length === 1 || body.predecessor === undefined,
      'predecessor_wrong: the KEY of its place in the log before is not cited');
    need(before.length === 1, 'place_gap: the TABLE_CLOSE before at its place is missing');
    const [close] = before;
    const origin = isPlaceKey(close) ? close.body.origin : undefined;
    if (isPlaceKey(close)) this.checkPlaceKey(close);
    need(body.predecessor === origin,
      `predecessor_wrong: goes on from ${origin ?? 'this log'}, names ${body.predecessor}`);
    need(close.body.place === body.place && close.body.opened + 1 === body.opened &&
         (body.continues ?? close.table) === close.table,
      'place_gap: does not follow the opening before at its place');
    need(link === (isPlaceKey(close) ? '0'.repeat(64) : await this.headOf(close)),
      'link_gap: its link is not that behind the opening before');
    need(agree(countsOf(close.body), countsOf(body)),
      'totals_wrong: not the counts of the close before');
    if (isPlaceKey(close)) return;
    this.repetitions.number += close.body.reason === 'voided' ? 2 : 1;
  }

  async follow(record) {
    const name = `record ${record.seq}`;
    const first = this.first === null;
    need(record.kind !== 'TABLE_OPEN', `link_gap: ${name} opens the table again`);
    need(!this.closed, `link_gap: ${name}: the table was closed before`);
    need(record.seq <= this.claim.seq, `link_gap: ${name} stands behind the claim`);
    if (first) this.first = record;
    if (record.prev === this.last.seq) {
      need(record.link === await this.headOf(this.last),
        `link_gap: ${name}: its link is not that of the record before`);
      return;
    }
    need(first && (record.prev ?? -1) > this.last.seq,
      `link_gap: ${name}: the record before of its table is missing`);
    this.whole = false;
    this.repetitions.gap();
    this.counts = null;
    this.round = new Live();
    this.shoe = new Live();
    this.dealt = null;
  }

  async step(record) {
    await this.follow(record);
    this.checkAsked(record);
    this.count(record);
    this.checkBehindSettlement(record);
    if (record !== this.claim) this.repetitions.take(record);
    this.keepState(record);
    const kind = classOf(record);
    if (kind === 'round') this.stepRound(record);
    if (kind === 'shoe') this.stepShoe(record);
    if (record.kind === 'TABLE_CLOSE') this.stepClose(record);
  }

  /// What decides a round or lies in it is asked for by the client of the table alone: seats act, a
  /// person confirms a hand or a misdeal, a machine reports, and what ends may be ordered.
  checkAsked({ seq, kind, client }) {
    need(!OWN.includes(kind) ||
         (client !== undefined && client.id === this.opening.client?.id),
      `client_other: record ${seq}: is not of the client of its table`);
  }

  /// A round is settled once, by its last act: then come METERs of the table, and its end.
  checkBehindSettlement(record) {
    const { seq, kind } = record;
    need(!this.settled || kind === 'METER' || kind === 'ROUND_END',
      `round_settled: record ${seq}: the round was settled before`);
    if (kind === 'SETTLEMENT' || kind === 'ROUND_END') {
      this.settled = kind === 'SETTLEMENT' && endsContent(record);
    }
  }

  count(record) {
    const { kind, body } = record;
    if (this.counts === null) return;
    if (kind === 'CALL' || isLapsed(record)) this.counts.turns += 1;
    if (kind === 'VOID') this.counts.voids += 1;
    if (kind === 'SHOE_CLOSE' && EARLY.includes(body.reason)) this.counts.early_closes += 1;
    if (kind === 'TABLE_CLOSE' && body.reason === 'voided') this.counts.early_closes += 1;
  }

  /// What of the records between two rounds changes the engine's state, and what a round settled.
  /// A shoe that nobody mixed was never in play: its close is no event.
  keepState(record) {
    const { kind, body } = record;
    if (kind === 'SHOE_COMMIT' || kind === 'SHOE_MIX') this.unmixed = kind === 'SHOE_COMMIT';
    this.changed ||= EVENTS.includes(kind) && !this.unmixed;
    if (kind === 'SETTLEMENT' && endsContent(record)) this.settledState = body.state_after;
  }

  /// The round begins with what the one before left, unless a shoe was an event between.
  goesOn({ seq, object, body }) {
    this.settledState = null;
    if (this.left === null) return;
    need(this.changed || this.left === body.state_before,
      `state_jump: record ${seq}: does not begin with what the ROUND_END before left`);
    if (this.changed && object === this.claimed) {
      this.evidence.notChecked.push(`whether ${object} begins with what the round before left: ` +
        'a shoe changed the state between');
    }
  }

  /// Nothing is played between a SETTLEMENT and the end of its round.
  leaves({ seq, body }) {
    need(this.settledState === null || this.settledState === body.state_after,
      `state_jump: record ${seq}: leaves another state than its SETTLEMENT`);
    this.settledState = null;
    this.left = body.state_after;
    this.changed = false;
  }

  compare(record) {
    const { seq, body } = record;
    const said = countsOf(body);
    this.stated = record;
    need(this.counts === null || agree(this.counts, said),
      `totals_wrong: record ${seq}: not the counts of the chain`);
    this.counts = said;
  }

  stepRound(record) {
    const name = `record ${record.seq}`;
    const live = this.round;
    if (record.kind === 'ROUND_OPEN') {
      this.openRound(record, live, name);
    } else {
      need(!live.known || live.id === record.object,
        `two_rounds: ${name}: ${live.id || 'no round'} is open`);
    }
    live.known = true;
    live.id = record.object;
    if (record.kind !== 'ROUND_END') return;
    this.leaves(record);
    live.id = '';
    this.end = record.seq;
    need(this.dealt === null || this.dealt === record.body.dealt,
      `dealt_wrong: ${name}: ${this.dealt} cards lie under the newest root`);
    this.dealt = record.body.dealt;
    this.compare(record);
  }

  openRound(record, live, name) {
    const { body, cites, object } = record;
    need(!live.known || live.id === '', `two_rounds: ${name}: ${live.id} is open`);
    need(cites.includes(this.opening.seq), `round_uncited: ${name}: does not cite its TABLE_OPEN`);
    need(live.number === null || body.number === live.number + 1,
      `number_gap: ${name}: not the next round`);
    need(this.end === null || cites.includes(this.end),
      `round_uncited: ${name}: does not cite the ROUND_END before`);
    need(!this.shoe.known || (body.shoe ?? this.shoe.id) === this.shoe.id,
      `two_live: ${name}: names another shoe than the live one`);
    this.goesOn(record);
    live.number = body.number;
    if (object !== this.claimed) return;
    need(this.whole || this.end !== null, `link_gap: ${name}: the ROUND_END before it is missing`);
    this.claimedOpen = true;
  }

  stepShoe({ seq, kind, object, body }) {
    const name = `record ${seq}`;
    const live = this.shoe;
    if (kind === 'SHOE_COMMIT') {
      need(!live.known || live.id === '', `two_live: ${name}: ${live.id} is live`);
      need(live.number === null || body.number === live.number + 1,
        `number_gap: ${name}: not the next shoe`);
      live.number = body.number;
    } else {
      need(!live.known || live.id === object, `two_live: ${name}: ${live.id || 'no shoe'} is live`);
    }
    live.known = true;
    live.id = kind === 'SHOE_CLOSE' ? '' : object;
    // Positions and the close's count are the shoe's own matter.
    if (kind === 'CARD_DEAL') this.dealt = body.position + 1;
    else if (['SHOE_COMMIT', 'SHOE_RECOMMIT', 'SHOE_CLOSE'].includes(kind)) this.dealt = 0;
  }

  stepClose(record) {
    const name = `record ${record.seq}`;
    const { body } = record;
    const { place, opened } = this.opening.body;
    this.closed = true;
    need(body.place === place && body.opened === opened,
      `place_gap: ${name}: names another opening than its TABLE_OPEN`);
    need(!this.round.known || this.round.id === '',
      `two_rounds: ${name}: ${this.round.id} is open`);
    need(!this.shoe.known || this.shoe.id === '', `two_live: ${name}: ${this.shoe.id} is live`);
    need(this.round.number === null || this.round.number === body.rounds,
      `totals_wrong: ${name}: another number of rounds`);
    this.compare(record);
  }

  conclude() {
    const { checked, notChecked } = this.evidence;
    const { object: table, body } = this.opening;
    if (this.first !== null) {
      checked.push(`every record of ${table} from ${this.first.seq} to ${this.last.seq} is ` +
        'there, linked to the one before: one round and one shoe at a time');
    }
    if (!this.whole) {
      this.evidence.shownFrom = this.first.seq;
      notChecked.push(`what ${table} did between its opening and record ${this.first.seq}`);
    }
    const opening = `place "${body.place}", opening ${body.opened}`;
    if (body.predecessor !== undefined) {
      notChecked.push(`${opening}: what came before there in the log ${body.predecessor}, and ` +
        'its counts, as the appliance states them');
    } else if (this.whole && body.opened === 1) {
      notChecked.push(`${opening}: that nothing came before there, and that no other table was ` +
        'open there meanwhile: archives of the log show it');
    } else {
      notChecked.push(`${opening}: what came before there, and its counts, as the appliance ` +
        'states them');
    }
    this.sayCounts();
  }

  /// The totals of the place as the newest record with them has them, where something is counted;
  /// and how many turns the file does not show.
  sayCounts() {
    const { notChecked, records } = this.evidence;
    const { object: table, body: { place } } = this.opening;
    const { seq, body: said } = this.stated;
    if (COUNTS.some((name) => said[name] > 0)) {
      notChecked.push(`place "${place}" since its first opening: ${said.turns} turns, ` +
        `${said.voids} voids and ${said.early_closes} early closes up to record ${seq}, ` +
        'as stated there');
    }
    const called = records.find((one) => one.table === table && one.body.core !== undefined);
    if (!this.whole && called?.body.core.turn > 1) {
      notChecked.push(`${table}: what became of the ${called.body.core.turn - 1} turns before ` +
        `record ${called.seq}, the first call in this file`);
    }
  }
}
