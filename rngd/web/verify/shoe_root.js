// One commitment of a shoe: its mix, what was dealt under it, what of that was opened, and what
// went back since (FORMAT.md, section 7: a shoe that is shuffled again has several).
import { concat, domain, field, same, u32, unhex } from './bytes.js';
import { CARD_BYTES } from './cards.js';
import { need } from './refused.js';
import { leafHash, rootFromPath } from './tree.js';

export class ShoeRoot {
  constructor(name, body, { returned = [], older = [] } = {}) {
    this.name = name;
    this.body = body;
    this.count = body.cards;
    this.root = unhex(body.root);
    this.returned = returned;
    this.older = older;
    this.mix = null;
    /// A mix, before the next card.
    this.due = true;
    this.core = null;
    /// Cards dealt outside rounds, and whether one was dealt in a round.
    this.burned = 0;
    this.played = false;
    this.dealt = [];
    this.openings = new Map();
    this.gone = new Set();
    this.release = null;
    this.released = null;  // head of the table with it
    this.reports = [];
  }

  /// What lies at a dealt position of an order of leaves.
  at(order, position) {
    return order[this.mix[position]];
  }

  leaf(index, card, salt) {
    const byte = Uint8Array.of(CARD_BYTES[card]);
    return leafHash(concat(domain('shoe-leaf'), field(this.name), u32(this.count), u32(index), byte,
      salt));
  }

  /// The card of this opening is the committed one at its position.
  async open(opening) {
    need(opening.leaf === this.mix[opening.position],
      'wrong_position: leaf, position and mix disagree');
    const leaf = await this.leaf(opening.leaf, opening.card, unhex(opening.salt));
    const path = opening.path.map((hash) => unhex(hash));
    need(same(await rootFromPath(opening.leaf, this.count, leaf, path), this.root),
      'wrong_opening: the card does not open its leaf');
    this.openings.set(opening.position, opening);
  }

  /// Cards that nobody saw where they are now, when this is the newest root or was replaced.
  unopened(newest) {
    if (newest) return this.count - this.openings.size;
    return this.dealt.filter((_, position) => !this.gone.has(position) &&
      !this.openings.has(position)).length;
  }
}
