// Tapes and the digits drawn from them: talla-tape-v1 and talla-map-v1 (shuffle/README.md;
// FORMAT.md, sections 7, 8). Words have 64 bits and products up to 120: all of it is BigInt.
import { concat, field, hex, u32, utf8 } from './bytes.js';
import { H, hmacKey } from './hashes.js';
import { need } from './refused.js';

const PRODUCT_END = 2n ** 56n;
const WORD_BITS = 64n;
const WORD_END = 2n ** WORD_BITS;
const REDRAWS_MAX = 64;

export class Tape {
  /// `more` gives the next bytes, or null for a tape of given bytes.
  constructor(data, more) {
    this.data = data;
    this.more = more;
    this.used = 0;
    this.rejected = 0;
  }

  static of(bytes) {
    return new Tape(bytes, null);
  }

  /// Blocks of HMAC, as many as are asked for.
  static async keyed(key, purpose, inputs) {
    const mac = await hmacKey(key);
    const tail = concat(...inputs.map(field));
    const head = utf8(`talla/v1/${purpose}\0`);  // of talla-tape-v1
    let block = 0;
    return new Tape(new Uint8Array(0), () => mac(head, u32(block++), tail));
  }

  async word() {
    const end = 8 * (this.used + 1);
    if (this.data.length < end && this.more !== null) {
      this.data = concat(this.data, await this.more());
    }
    need(this.data.length >= end, 'the tape is too short');
    this.used += 1;
    return new DataView(this.data.buffer, this.data.byteOffset + end - 8, 8).getBigUint64(0);
  }

  consumed() {
    return this.data.subarray(0, 8 * this.used);
  }

  /// One uniform integer below each bound, bounds taken together as long as their product stays
  /// below 2^56.
  async digits(bounds) {
    const out = [];
    for (let at = 0; at < bounds.length;) {
      const batch = [];
      let product = 1n;
      while (at < bounds.length &&
        (batch.length === 0 || product * BigInt(bounds[at]) < PRODUCT_END)) {
        product *= BigInt(bounds[at]);
        batch.push(BigInt(bounds[at++]));
      }
      out.push(...await this.batch(batch, product));
    }
    return out;
  }

  async batch(bounds, product) {
    const refusedBelow = WORD_END % product;
    for (let redraws = 0; redraws <= REDRAWS_MAX; ++redraws) {
      let rest = await this.word();
      const digits = bounds.map((bound) => {
        const scaled = rest * bound;
        rest = scaled % WORD_END;
        return Number(scaled / WORD_END);
      });
      if (rest >= refusedBelow) return digits;
      this.rejected += 1;
    }
    return need(false, 'the tape refuses more often than a generator may');
  }

  /// Compares with what a record says of its tape.
  async check(body) {
    const fits = this.used === body.words_used && this.rejected === body.words_rejected
      && hex(await H(this.consumed())) === body.tape_digest;
    need(fits, 'tape_other: another account of the tape');
  }
}

/// A copy in the order of Fisher-Yates (MAPPING.md, "Shuffle").
export async function shuffled(start, tape) {
  const order = [...start];
  const digits = await tape.digits(Array.from({ length: order.length - 1 }, (_, i) => i + 2));
  digits.forEach((j, at) => {
    const i = at + 1;
    [order[i], order[j]] = [order[j], order[i]];
  });
  return order;
}
