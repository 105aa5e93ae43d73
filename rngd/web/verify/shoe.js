// A shoe, record by record: commitment, mix, cards, shuffles on the way, releases, close
// (FORMAT.md, section 7).
import { hex, unbase64 } from './bytes.js';
import { candidatesCount, checkCandidates, checkOpened, pick } from './candidates.js';
import { deckCards } from './cards.js';
import { valuesOf } from './contributors.js';
import { digestOf } from './core.js';
import { H } from './hashes.js';
import { endsContent, isLapsed } from './records.js';
import { need } from './refused.js';
import { checkSigned, releasedHead } from './reports.js';
import { ShoeRoot } from './shoe_root.js';
import { shuffled, Tape } from './tape.js';

const RECOMMITS_MAX = 48;
const SAME_SHOE = ['table', 'number', 'deck', 'stop_depth', 'disclosure'];

export class Shoe {
  constructor(evidence, name) {
    this.evidence = evidence;
    this.name = name;
    this.roots = [];
    this.counts = new Map();
    this.close = null;
    this.opened = false;
    this.eachRound = evidence.table.policy.mix === 'round';
    const { object } = evidence.tableRecord;
    this.bets = evidence.records.filter((one) => this.eachRound && one.table === object &&
      one.kind === 'BETS_CLOSED' && endsContent(one)).map((one) => one.seq);
    /// Roots that it was committed with, and whether a call ended before one was picked: of its
    /// own, or one that lapsed.
    this.candidates = 1;
    this.spoiled = false;
    this.lapse = evidence.records.find((one) => isLapsed(one) && one.body.core.use === 'mix' &&
      one.body.core.object === name && one.seq > Number(name.split('-')[1]))?.seq ?? Infinity;
  }

  get newest() {
    return this.roots.at(-1);
  }

  note(line) {
    this.evidence.notChecked.push(`${this.name}: ${line}`);
  }

  async step(record) {
    need(this.close === null, 'object_closed: the shoe was closed before');
    const { body } = record;
    // Closed bets ask for another mix.
    while (this.bets.length > 0 && this.bets[0] < record.seq) {
      this.bets.shift();
      if (this.roots.length > 0) this.newest.due = true;
    }
    if (this.lapse < record.seq) this.spoil();
    switch (record.kind) {
      case 'SHOE_COMMIT': return this.commit(body);
      case 'CALL': return this.call(body.core);
      case 'SHOE_MIX': return this.mix(body);
      case 'VOID': return this.voided();
      case 'CARD_DEAL': return this.deal(body);
      case 'CARD_OPEN': return this.turn(body);
      case 'SHOE_RECOMMIT': return this.recommit(body);
      case 'SHOE_RELEASE': return this.release(record, body);
      case 'SHUFFLE_REPORT': return this.report(record, body);
      case 'SHOE_CLOSE': return this.end(body);
      default: return need(false, 'a kind that no shoe of version 2 has');
    }
  }

  async commit(body) {
    this.deck = deckCards(body.deck);
    need(this.deck.length === body.cards, 'deck_cards: another number than the deck has');
    await checkCandidates(body, this.evidence.table.policy.candidates);
    this.candidates = candidatesCount(body);
    await this.take(new ShoeRoot(this.name, body));
    const { settled_by: by, parameters } = this.evidence.table;
    need(by !== 'client' || !Object.hasOwn(parameters, 'deck') || parameters.deck === body.deck,
      'deck_other: the table is opened for another deck');
  }

  async take(root) {
    const { body } = root;
    await this.evidence.context(body.context);
    need(body.stop_depth <= root.count, 'stop depth');
    this.roots.push(root);
  }

  /// None of its candidates was picked: it can only close.
  get unpicked() {
    return this.newest.body.candidates !== undefined;
  }

  spoil() {
    this.spoiled ||= this.unpicked;
  }

  /// What it binds of the shoe; what of the table, calls.js knows.
  call(core) {
    const root = this.newest;
    need(root.due, 'mix_twice: the root was mixed before');
    need(!this.spoiled, 'candidate_wrong: a call ended before a root was picked: the shoe closes');
    need(core.root === root.body.root, 'root_unknown: not the newest of the shoe');
    need(core.at === root.dealt.length, 'mix_at: another number of cards was dealt');
    const { candidates, places } = core.specification;
    need(candidates === candidatesCount(root.body) && places === root.count - core.at,
      'core_mismatch: not all leaves that are not dealt, or another number of roots');
    root.core = core;
  }

  async mix(body) {
    const root = this.newest;
    need(root.due, 'mix_twice: the root was mixed before');
    need(root.core !== null, 'mix_early: no CALL of this root');
    const tape = await Tape.keyed(await digestOf(root.core), 'mix',
      valuesOf(body.openings));
    await pick(root, tape, body);
    need(body.root === root.body.root, 'mix_root: the mix names another root');
    root.mix = await this.mixed(root, tape);
    await tape.check(body);
    root.core = null;
    root.due = false;
  }

  /// The leaves that are dealt stay; those that are left are mixed, in ascending order.
  async mixed({ mix, core: { at, specification } }, tape) {
    const stay = (mix ?? []).slice(0, at);
    const gone = new Set(stay);
    const left = Array.from({ length: at + specification.places }, (_, leaf) => leaf)
      .filter((leaf) => !gone.has(leaf));
    return [...stay, ...await shuffled(left, tape)];
  }

  /// The call is spent; the shoe stays as it is, but one of which a root was to be picked.
  voided() {
    this.newest.core = null;
    this.spoil();
  }

  async deal(body) {
    const root = this.newest;
    need(!root.due, 'mix_missing: not mixed yet, or not since the bets were closed');
    need(root.release === null || root.reports.length > 0,
      'report_missing: the machine has not reported its shuffle yet');
    need(body.position === root.dealt.length && body.position < root.count,
      'deal_order: not the next position');
    this.checkOutside(root, body);
    root.dealt.push(body);
    if (body.face === 'open') await this.open(root, body);
    if (body.face === 'covered') await this.checkCopies(body);
  }

  /// Where the appliance settles only burns stand outside rounds: behind a shuffle, before the
  /// first round.
  checkOutside(root, { round }) {
    root.played ||= round !== undefined;
    if (this.evidence.table.settled_by === 'client' || round !== undefined) return;
    need(!root.played, 'card_undue: a card outside rounds, behind one of a round');
    root.burned += 1;
  }

  async open(root, body) {
    await root.open(body);
    this.countUp(body.card, 1);
    const most = this.deck.filter((card) => card === body.card).length;
    need(this.counts.get(body.card) <= most, 'card_excess: more of a card than the deck has');
  }

  countUp(card, change) {
    this.counts.set(card, (this.counts.get(card) ?? 0) + change);
  }

  /// Each copy is for the key that ROUND_OPEN names for its seat, else for the table's.
  async checkCopies(body) {
    if (body.copies.length === 0) return;
    this.note('what the ciphertexts of covered cards hold');
    const chain = this.evidence.chainOf.get(body.round);
    if (body.round !== undefined && chain === undefined) {
      this.note('whose keys covered cards were encrypted to');
      return;
    }
    const named = new Map();
    for (const { seat, spki } of chain?.[0].body.keys ?? []) named.set(seat,
      hex(await H(unbase64(spki))));
    const ofTable = this.evidence.tableRecord.client?.spki;
    for (const { seat, key } of body.copies) {
      need(key === (named.get(seat) ?? ofTable),
        'copy_key: a copy is encrypted to another key than the seat\'s');
      if (!named.has(seat)) this.note(`covered cards of seat ${seat} went to the table's own key`);
    }
  }

  async turn(body) {
    const last = this.roots.length - 1;
    const index = body.recommits ?? last;
    need(body.recommits === undefined || index < last,
      'root_index: names no root that was replaced');
    const root = this.roots[index];
    const dealt = root.dealt[body.position];
    need(dealt !== undefined, 'not_covered: not dealt yet');
    need(!root.gone.has(body.position), 'card_gone: the card went back into the shoe');
    need(dealt.face === 'covered' && dealt.place === body.place &&
      !root.openings.has(body.position),
      'not_covered: no covered card lies there');
    await this.open(root, body);
  }

  async recommit(body) {
    const root = this.newest;
    const { returned, older = [] } = body;
    need(root.mix !== null && root.dealt.length > 0,
      'recommit_early: nothing was dealt under the root it replaces');
    need(body.of === root.body.root, 'recommit_root: replaces another root');
    need(SAME_SHOE.every((name) => body[name] === root.body[name]),
      'recommit_shoe: not of the same shoe');
    const back = older.reduce((sum, one) => sum + one.positions.length, returned.length);
    need(body.positions === body.cards && body.cards === root.count - root.dealt.length + back,
      'recommit_count: another number of cards');
    need(this.roots.length <= RECOMMITS_MAX, 'recommit_often: shuffled too often');
    this.putBack(root, returned);
    for (const { recommits, positions } of older) {
      need(recommits < this.roots.length - 1,
        'root_index: a card goes back from a root that was not replaced before');
      this.putBack(this.roots[recommits], positions);
    }
    await this.take(new ShoeRoot(this.name, body, { returned, older }));
  }

  putBack(root, positions) {
    for (const position of positions) {
      need(position < root.dealt.length && !root.gone.has(position),
        'returned_wrong: a card goes back that was not dealt, or went back');
      root.gone.add(position);
      if (root.openings.has(position)) this.countUp(root.openings.get(position).card, -1);
    }
  }

  async release(record, body) {
    const root = this.newest;
    need(!this.eachRound, 'release_early: each round mixes anew');
    need(root.release === null, 'release_twice: the order was released before');
    need(root.mix !== null, 'mix_missing: released before its mix');
    need(root.dealt.length === 0, 'release_late: cards were dealt before');
    need(body.form !== 'shelf' || this.roots.length === 1,
      'release_form: a shelf machine is fed a new deck');
    need(body.order_known_to !== hex(await H(unbase64(this.evidence.table.key))),
      'release_own: the table\'s own key');
    root.release = body;
    root.releaseSeq = record.seq;
    root.released = await releasedHead(record);
  }

  async report(record, body) {
    const root = this.newest;
    need(root.release !== null, 'report_undue: no machine has the order');
    need(record.client?.id === root.release.machine &&
      record.client?.spki === root.release.order_known_to,
      'report_client: another client than the machine reports');
    const byTargets = root.release.form === 'targets';
    need((body.targets !== undefined) === byTargets && (body.targets ?? 0) <= root.count,
      'report_count: count of targets');
    need(body.result !== 'match' ||
      (body.recognised === root.count && (body.targets ?? root.count) === root.count),
      'report_count: a match is of all cards');
    await checkSigned(record, root);
    root.reports.push(body);
  }

  /// Of a public shoe every root opens its secrets; `shuffles.js` runs them.
  async end(body) {
    this.close = body;
    need(body.dealt === this.newest.dealt.length, 'close_count: another count was dealt');
    const { mix, dealt, count } = this.newest;
    const over = mix === null || dealt.length === count;
    need(body.reason !== 'ended' || this.evidence.table.settled_by === 'appliance' || over,
      'ended_early: cards are left that could still come');
    need(body.reason !== 'stop_card' || this.stopCardCame(),
      'stop_card_early: no stop card can have come');
    const covered = this.newest.body.disclosure === 'covered';
    need(body.candidates === undefined || this.unpicked,
      'candidate_wrong: there are no candidates to open');
    if (this.unpicked) {
      await checkOpened(this.name, this.newest.body, null, body.candidates ?? []);
      return;
    }
    need((body.key !== undefined) === (!covered || this.untouched()),
      'disclosure_wrong: a public shoe and one of which no card was dealt open their secrets, ' +
      'another covered one does not');
    if (body.key === undefined) return;
    need((body.replaced ?? []).length === this.roots.length - 1,
      'roots_opened: not each replaced root is opened');
  }

  /// It was asked for under the newest root, or came out before a card of one before.
  stopCardCame() {
    const { dealt, count, body: { stop_depth: depth } } = this.newest;
    return depth > 0 && (dealt.length >= count - depth ||
      this.roots.some((root) => root.dealt.length > root.count - depth));
  }

  /// Nobody has a card of it: that it is a whole deck can still be seen.
  untouched() {
    const { dealt, release } = this.newest;
    return dealt.length === 0 && release === null && this.roots.length === 1;
  }
}
