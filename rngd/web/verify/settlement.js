// What a SETTLEMENT rests on: state, bets, decisions and outcomes that it must cite (FORMAT.md,
// section 9). The rules of the games are not here: who has them hands in what runs them, and
// without it the verdict says that results and state after are not computed again.
import { domain, hex, utf8 } from './bytes.js';
import { H } from './hashes.js';
import { canonical } from './json.js';
import { Refused, need, within } from './refused.js';
import { endsContent, isLapsed, isParted } from './records.js';

const DECISIONS = ['BETS_CLOSED', 'ACTION', 'MISDEAL', 'HAND_CONFIRMED'];
const NOT_AGAIN = 'settlement: results and state after not computed again (rules of the games)';
const COMMITS = ['SHOE_COMMIT', 'SHOE_RECOMMIT'];

/// How a refusal begins that the rules have given.
export const SETTLED_AGAIN = 'settled again:';

class Settlement {
  constructor(evidence) {
    this.evidence = evidence;
    this.claim = evidence.claim;
    this.opening = evidence.chainOf.get(this.claim.object)[0];
    this.closed = null;
    this.dealt = false;
  }

  async checkState() {
    const { bundle, table } = this.evidence;
    need(bundle.catalogue !== undefined && bundle.state_before !== undefined,
      'rules_unavailable: a settlement needs catalogue and state');
    need(hex(await H(utf8(bundle.catalogue))) === table.catalogue,
      'catalogue_other: another catalogue than the table\'s');
    const before = hex(await H(domain('state'), utf8(canonical(bundle.state_before))));
    need(before === this.opening.body.state_before && before === this.claim.body.state_before,
      'state_other: another state before');
  }

  isOwn(record) {
    return record.object === this.claim.object && (!isParted(record) || endsContent(record));
  }

  /// Whether the settlement rests on this record, which stands before it.
  restsOn(record) {
    const { kind, body } = record;
    if (kind === 'METER') return this.restsOnMeter(record);
    if (kind === 'CARD_DEAL') return this.restsOnCard(record);
    if (kind === 'CARD_OPEN') return record.seq > this.opening.seq;
    if (isLapsed(record)) return false;
    if (kind === 'DRAW' || kind === 'VOID') {
      const call = this.evidence.bySeq.get(body.call);
      need(call?.kind === 'CALL', 'cited_missing: the CALL of a draw is not there');
      return call.body.core.use === 'draw' && call.body.core.round === this.claim.object;
    }
    return this.isOwn(record) && DECISIONS.includes(kind);
  }

  restsOnMeter(record) {
    if (record.body.round !== this.claim.object) return false;
    const before = this.evidence.bySeq.get(record.meter_prev);
    need(before?.object === record.object, 'meter_passed: what a meter held before is not there');
    return true;
  }

  /// A card of this round: its shoe was mixed before the bets were closed, or committed after. The
  /// first cites the bets.
  restsOnCard(record) {
    if (record.seq < this.opening.seq) return false;
    need(record.body.round === this.claim.object,
      'wrong_settlement: a card of another round, or of none');
    need(this.evidence.chainOf.has(record.object),
      'object_before: a card of a shoe that was opened before what the file holds');
    if (this.closed === null) return true;
    const before = this.evidence.chainOf.get(record.object).filter((one) => one.seq < record.seq);
    const committed = before.filter((one) => COMMITS.includes(one.kind)).at(-1).seq;
    const mix = before.find((one) => one.kind === 'SHOE_MIX' && one.seq > committed);
    const eachRound = this.evidence.table.policy.mix === 'round';  // shoe.js's
    need(eachRound ||
      (mix !== undefined && (mix.seq < this.closed || committed > this.closed)),
      'mixed_late: the shoe was mixed after the bets');
    need(this.dealt || record.cites.includes(this.closed),
      'bets_uncited: the first card does not cite the bets');
    this.dealt = true;
    if (committed > this.closed) this.noteAsked(record.object);
    return true;
  }

  noteAsked(shoe) {
    const { notChecked } = this.evidence;
    const line = `whether the rules asked for ${shoe}, which was committed behind the bets`;
    if (!notChecked.includes(line)) notChecked.push(line);
  }

  checkRecord(record) {
    const { cites } = this.claim;
    if (this.isOwn(record) && record.kind === 'BETS_CLOSED') this.closed = record.seq;
    need(!this.restsOn(record) || cites.includes(record.seq),
      `wrong_citation: does not cite record ${record.seq}`);
  }
}

/// Of a batch that is not there the round could have had any number of draws, and one could have
/// been picked.
function checkDraws({ claim, records, chainOf, notChecked }) {
  const calls = records.filter(({ kind, body }) =>
    kind === 'CALL' && body.core.round === claim.object);
  for (const { seq, object } of calls) {
    need(chainOf.has(object), `batch_missing: the opening record of ${object}, of a call of the ` +
      `claim's round (record ${seq})`);
  }
  const seqs = new Set(calls.map(({ seq }) => seq));
  const { length } = records.filter(({ kind, body }) => kind === 'DRAW' && seqs.has(body.call));
  if (length > 1) notChecked.push(`${claim.object}: whether the rules ask for ${length} draws`);
}

/// Seats with bets of the round whose own key is in none of its results.
function sayKeyless({ claim, chainOf, joined, notChecked }) {
  const ids = new Set(joined?.values() ?? []);
  const seats = chainOf.get(claim.object).filter(({ kind }) => kind === 'BETS_CLOSED')
    .flatMap(({ body }) => body.bets.map(({ seat }) => seat));
  const keyless = [...new Set(seats)].filter((seat) => seat > 0 && !ids.has(`seat-${seat}`))
    .sort((one, other) => one - other);
  if (keyless.length === 0) return;
  notChecked.push(`seats that bet and have no key of their own in it: ${keyless.join(', ')}`);
}

export async function checkSettlement(evidence) {
  const { claim, records, bySeq } = evidence;
  await within(`settlement, record ${claim.seq}`, async () => {
    need(endsContent(claim), 'unsupported_claim: a part alone proves nothing');
    checkDraws(evidence);
    const settlement = new Settlement(evidence);
    await settlement.checkState();
    need(claim.cites.every((seq) => bySeq.has(seq)), 'cited_missing: a cited record is missing');
    for (const record of records.filter((one) => one.seq < claim.seq)) settlement.checkRecord(
      record);
    need(settlement.closed !== null, 'bets_missing: the bets were never closed');
  });
  sayKeyless(evidence);
  evidence.checked.push(
    'the settlement cites the bets, decisions and outcomes it rests on; its state before fits');
  evidence.notChecked.push(NOT_AGAIN);
}

/// What stays open in a verdict only until the rules have run.
function openUntilSettled({ claim, chainOf }) {
  const burns = [...chainOf].filter(([, chain]) => !chain.some(({ kind }) =>
    kind === 'SHOE_RECOMMIT')).map(([name]) => `${name}: whether the `);
  return (line) => line === NOT_AGAIN ||
    line.startsWith(`${claim.object}: whether the rules ask for `) ||
    line.startsWith('whether the rules asked for ') ||
    (line.endsWith(' cards dealt outside rounds are those that the rules burn') &&
      burns.some((start) => line.startsWith(start)));
}

/// Behind all other checks: `settle` runs the rules on the same text (verify.js).
export async function settleAgain(evidence, settle) {
  const answer = await settle(evidence.text);
  evidence.settled = answer;
  if (answer === null) return;
  if (answer.stopped !== undefined) {
    evidence.notChecked.push(`settlement: the engines did not run here: ${answer.stopped}`);
    return;
  }
  if (answer.alike !== true) {
    throw new Refused(`${SETTLED_AGAIN} ${answer.refused.code}: ${answer.refused.detail}`);
  }
  const open = openUntilSettled(evidence);
  evidence.notChecked = evidence.notChecked.filter((line) => !open(line));
  evidence.notChecked.push('earlier rounds not re-run');
  evidence.checked.push(...answer.checked);
}
