// Follows each shoe from its commitment: mixes and opened cards must be what was committed.
import {
  Batch, Contributors, H, Shoe, ShoeRoot, Tape, candidatesCount, canonical, checkCandidates,
  digestOf, hex, need, pick, unbase64, valuesOf,
} from './house.js';
import { keyDigest, openCopy } from './covered.js';

/// The numbers of a core's contributors, each fixed before and signed for this call. `opening`:
/// {record, leaf} of TABLE_OPEN.
export async function openedBy({ record, leaf }, core, openings, name) {
  const others = new Contributors(record.body, leaf);
  await others.opened(core, await digestOf(core), openings, false, name);
  return valuesOf(openings);
}

/// The secret is that of the core's index in its batch, and gives the outcome; `values` null: of a
/// core that became no result, where nobody may know every number.
export async function checkOpened(commit, core, record, values) {
  const { body } = record;
  need(core.use === 'draw' && core.object === record.object && core.object === commit.object &&
    core.table === commit.body.table && core.root === commit.body.root &&
    commit.seq < record.seq, 'a draw from another batch');
  const batch = new Batch(null, commit.object);
  batch.body = commit.body;
  if (values === null) {
    await batch.wouldBe(core, body);
    return;
  }
  need(body.index === core.at && canonical(commit.client) === canonical(record.client),
    'a draw from another batch, or another client\'s');
  await batch.outcome(core, body, values);
}

const COMMITS = ['CALL', 'SHOE_COMMIT', 'SHOE_RECOMMIT', 'SHOE_MIX', 'CARD_DEAL'];

export class Shoes {
  /// `records(shoe)`: its records so far, verified. `signed(record)`: the core of a CALL.
  /// `opened(core, openings)`: checks them. `policy(table)`: of its TABLE_OPEN.
  constructor({ records, signed, opened, policy }) {
    Object.assign(this, { records, signed, opened, policy });
    this.roots = new Map();  // shoe: one ShoeRoot for each commitment, the oldest first
    this.calls = new Map();  // seq: core
  }

  async newest(shoe, before) {
    return (await this.of(shoe, before)).at(-1);
  }

  /// `before`: number of a record; of a program that was restarted the log knows what came first.
  async of(shoe, before = Infinity) {
    if (!this.roots.has(shoe)) {
      this.roots.set(shoe, []);
      for await (const record of this.records(shoe)) {
        if (record.seq >= before) break;
        if (record.kind === 'CALL') this.calls.set(record.seq, await this.signed(record));
        else if (COMMITS.includes(record.kind)) await this.take(record);
      }
      need(this.roots.get(shoe).length > 0, `${shoe}: nobody committed to it`);
    }
    return this.roots.get(shoe);
  }

  async take(record) {
    const { kind, body, seq, object: shoe } = record;
    if (kind === 'SHOE_COMMIT') {
      await checkCandidates(body, (await this.policy(body.table)).candidates);
      this.roots.set(shoe, [new ShoeRoot(shoe, body)]);
    }
    if (kind === 'SHOE_RECOMMIT') {
      const roots = await this.of(shoe, seq);
      if (roots.at(-1).body.root !== body.root) roots.push(new ShoeRoot(shoe, body));
    }
    if (kind === 'SHOE_MIX') await this.mix(await this.newest(shoe, seq), body);
    if (kind === 'CARD_DEAL') {
      const root = await this.newest(shoe, seq);
      need(root.mix !== null && body.position === root.dealt.length, 'not the next card');
      root.dealt.push(body);
      if (body.face === 'open') await root.open(body);
    }
    if (kind === 'CARD_OPEN') {
      const root = (await this.of(shoe, seq)).at(body.recommits ?? -1);
      need(root?.dealt[body.position]?.place === body.place, 'a card that was not dealt there');
      await root.open(body);
    }
  }

  async mix(root, body) {
    need(this.calls.has(body.call), 'a mix without its CALL');
    const core = this.calls.get(body.call);
    if (root.mixCall === body.call) return;  // read in the log before
    const { candidates, places } = core.specification;
    const dealt = root.dealt.length;
    // Again only for the bets of a round; that they are closed was known when it was signed.
    need(core.use === 'mix' && core.object === root.name && core.root === root.body.root &&
      core.at === dealt && (root.mix === null || core.round !== '0') &&
      candidates === candidatesCount(root.body) && places === root.count - dealt,
      'a mix of another root, or a second one');
    const values = await this.opened(core, body.openings);
    const tape = await Tape.keyed(await digestOf(core), 'mix', values);
    await pick(root, tape, body);
    need(body.root === root.body.root, 'a mix of another root');
    root.mix = await Shoe.prototype.mixed({ mix: root.mix, core }, tape);
    root.mixCall = body.call;
    await tape.check(body);
  }

  /// What the appliance gives this key of a covered card (`given`: of `/cards/{position}`), once it
  /// is the committed one; by seat.
  async look(shoe, given, recommits, pem, origin) {
    const roots = await this.of(shoe);
    const root = roots[recommits ?? roots.length - 1];
    const dealt = root?.dealt[given.position];
    need(dealt?.face === 'covered' && dealt.place === given.place && given.shoe === shoe,
      'the copies are of another card');
    const key = hex(await keyDigest(pem));
    const found = [];
    for (const { seat, ciphertext } of given.copies) {
      const copy = unbase64(ciphertext);
      const digest = hex(await H(copy));
      need(dealt.copies.some((one) => one.seat === seat && one.key === key &&
        one.ciphertext === digest), `seat ${seat}: not the copy that the log names`);
      const opening = await openCopy(pem, { origin, shoe, position: given.position, seat,
        recommits: roots.indexOf(root) }, copy);
      await root.open({ ...opening, position: given.position });
      found.push({ seat, place: dealt.place, ...opening });
    }
    need(found.length > 0, 'no copy is for this key');
    return found;
  }
}
