// Whether what the page shows is now. An answer counts if it came a short while ago and the
// appliance's own clock went on since the one before; otherwise nobody knows, and the page says so.

/// Milliseconds without a good answer after which nothing is "now" any more.
export const stale_ms = 12_000;
const stuck_answers = 3;  // as many answers with the same time are no sign of life

export class Freshness {
  constructor() {
    this.heard = undefined;  // by the browser's monotonic clock
    this.time = undefined;  // what the appliance said
    this.same = 0;
    this.refusal = null;
  }

  answered(time, now) {
    this.same = time === this.time ? this.same + 1 : 0;
    this.time = time;
    this.refusal = null;
    if (this.same < stuck_answers) this.heard = now;
  }

  refused(refusal) {
    this.refusal = refusal;
  }

  /// '', or why what stands on the page is not now: refused, silent, stuck, never.
  why_stale(now) {
    if (this.refusal !== null) return 'refused';
    if (this.heard === undefined) return 'never';
    if (this.same >= stuck_answers) return 'stuck';
    return now - this.heard > stale_ms ? 'silent' : '';
  }
}
