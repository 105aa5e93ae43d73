// N: how often somebody could try again before the claim, as far as the file shows (FORMAT.md,
// section 9, "Repetitions").
import { endsContent } from './records.js';

export const EARLY = ['closed', 'voided'];

/// Fed with the records of the table's chain in order, without the claim.
export class Repetitions {
  constructor() {
    this.number = 0;
    /// A SHOE_MIX or DRAW was seen, or may stand in the gap.
    this.dealtFrom = false;
    /// Of the open round, as far as it was seen.
    this.settled = true;
    this.unsettled = new Set();
    /// Of the newest root; not known behind a gap.
    this.mixed = true;
    this.cards = null;
    /// A gap stands before the next record.
    this.begins = false;
  }

  /// Records were left out before the next one.
  gap() {
    this.dealtFrom = true;
    this.mixed = true;
    this.cards = null;
    this.begins = true;
  }

  take(record) {
    if (record.kind === 'VOID' || (this.dealtFrom && this.again(record))) this.number += 1;
    this.begins = false;
    this.remember(record);
  }

  again({ kind, body }) {
    switch (kind) {
      case 'MISDEAL':
      case 'SHOE_RECOMMIT': return true;
      case 'ROUND_END': return !this.settled || this.unsettled.size > 0;
      case 'SHOE_CLOSE': return this.thrownAway(body);
      case 'TABLE_CLOSE': return body.reason === 'voided';
      default: return false;
    }
  }

  /// A shoe that could have been played on. Of one from before the gap nobody knows what was left
  /// behind its stop card; of one whose end the file begins with, nothing.
  thrownAway({ reason, dealt }) {
    if (EARLY.includes(reason)) return true;
    if (!this.mixed || this.begins) return false;
    if (this.cards === null) return reason !== 'stop_card';
    const left = this.cards - dealt;
    return reason === 'stop_card' ? 2 * left > this.cards : left !== 0;
  }

  remember(record) {
    const { kind, body } = record;
    this.dealtFrom ||= kind === 'SHOE_MIX' || kind === 'DRAW';
    if (kind === 'SHOE_COMMIT' || kind === 'SHOE_RECOMMIT') {
      this.mixed = false;
      this.cards = body.cards;
    } else if (kind === 'SHOE_MIX') {
      this.mixed = true;
    } else if (kind === 'ROUND_OPEN' || kind === 'ROUND_END') {
      this.settled = kind === 'ROUND_END';
      this.unsettled.clear();
    } else if (kind === 'BETS_CLOSED') {
      for (const { id } of body.bets) this.unsettled.add(id);
    } else if (kind === 'SETTLEMENT') {
      for (const { bet } of body.results) this.unsettled.delete(bet);
      this.settled = endsContent(record);
    }
  }
}
