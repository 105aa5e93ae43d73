// A round of the playground: what was staked, dealt and decided so far, run by the engines from its
// beginning each time as one scenario of `talla settle`. Nothing of a game is known here: the
// engines say what is due, and refuse what may not be.
import { deckCards } from '../verify/cards.js';

/// Below `bound`, each as likely: 32 bits, drawn again where they would favour some.
export function below(bound) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const [word] = crypto.getRandomValues(new Uint32Array(1));
    if (word < limit) return word % bound;
  }
}

const WAITS = 'cards_exhausted';  // a card is due and none was named: what the page asks for then
const STEPS_MAX = 400;

const needOf = (needs, name) => needs.find(({ need }) => need === name);

export class Round {
  /// `terms`: catalogue, game, currency, base (of a game on a borrowed base, else ''), min, params
  /// (what differs from the catalogue).
  constructor(engines, terms, language) {
    const { catalogue, game, currency, base, min, params = {} } = terms;
    const set = { ...(base === '' ? {} : { base }), ...params };
    this.engines = engines;
    this.language = language;
    this.head = { catalogue, game,
      table: { currency, min, unit: 1,
        ...(Object.keys(set).length === 0 ? {} : { params: set }) } };
    this.acts = [];  // each a step, or { card }
    this.deck = [];
    this.run();
    const shoe = needOf(this.needs, 'shoe');
    if (shoe !== undefined) this.deck = deckCards(shoe.deck);
  }

  get cards() {
    return this.acts.filter(({ card }) => card !== undefined).map(({ card }) => card);
  }

  /// As `talla settle` takes it.
  get scenario() {
    const { cards } = this;
    const steps = this.acts.filter(({ card }) => card === undefined);
    return { ...this.head, steps: [...(cards.length > 0 ? [{ cards }] : []), ...steps] };
  }

  run() {
    const answer = this.engines.runScenarios(JSON.stringify(this.scenario), this.language);
    this.outcome = answer[0] ?? { needs: [], settlements: [],
      error: { code: 'stopped', detail: answer.stopped ?? '' } };
  }

  get needs() {
    return this.outcome.needs ?? [];
  }

  /// What the rules refuse now, or null; a card that is due is no refusal.
  get refusal() {
    const { error } = this.outcome;
    return error === undefined || error.code === WAITS ? null : error;
  }

  /// Takes one act, or leaves all as it was and gives the refusal.
  take(act) {
    if (this.acts.length >= STEPS_MAX) return { code: 'too_long', detail: '' };
    this.acts.push(act);
    this.run();
    const { refusal } = this;
    if (refusal !== null) {
      this.acts.pop();
      this.run();
    }
    return refusal;
  }

  undo() {
    this.acts.pop();
    this.run();
  }

  stake({ kind, on, seat, amount }) {
    const id = `b${this.acts.filter(({ bet }) => bet !== undefined).length + 1}`;
    return this.take({ bet: { id, seat, kind, stake: amount, ...(on === null ? {} : { on }) } });
  }

  /// The card, number or dice that must come now; null: none.
  get due() {
    const deal = needOf(this.needs, 'deal');
    // At rest a deal stands among the needs as well: it is due where the engines stopped at it.
    if (deal !== undefined && this.outcome.error?.code === WAITS) {
      return { what: 'card', ...deal.cards[0] };
    }
    const draw = needOf(this.needs, 'draw');
    return draw === undefined ? null : { what: draw.kind, ...draw };
  }

  /// Cards that are still in the shoe, one of each.
  get left() {
    const left = [...this.deck];
    for (const card of this.cards) {
      const at = left.indexOf(card);
      if (at >= 0) left.splice(at, 1);
    }
    return left;
  }

  /// One thing by chance, for what is due.
  chance() {
    const { due } = this;
    if (due.what === 'card') {
      const { left } = this;
      return left[below(left.length)];
    }
    if (due.what === 'wheel') return due.pockets[below(due.pockets.length)];
    const values = [];
    while (values.length < due.count) {
      const one = 1 + below(due.faces);
      if (due.what === 'dice' || !values.includes(one)) values.push(one);
    }
    return values;
  }

  /// What was chosen, or came, for what is due.
  give(value) {
    const { what } = this.due;
    return this.take(what === 'card' ? { card: value } : { [what]: value });
  }

  /// By chance until somebody must decide, or it is over; the first refusal.
  giveAll() {
    for (let i = 0; i < STEPS_MAX && this.due !== null; ++i) {
      const refusal = this.give(this.chance());
      if (refusal !== null) return refusal;
    }
    return null;
  }
}

/// What a bet may stand on, as the engines take it; [] where it names nothing.
export function placesOf(bet) {
  const list = Array.isArray(bet.covers) ? bet.covers : [];
  const covers = [...list, ...(bet.covers_when ?? []).flatMap((one) => one.covers)];
  if (bet.on === 'set') return covers;
  if (bet.on === 'index') return covers.map((_, i) => [i + 1]);
  if (bet.on === 'pair') return covers.length === 0 ? [[1, 2], [2, 3]]
    : covers.slice(1).map((_, i) => [i + 1, i + 2]);
  return [];
}

/// The sentence of the rules that a settlement rests on; '' where the section has none of its own.
export function ruleWords(rules, { kind, rule }) {
  const own = rules.find((one) => one.part === 'bets' && one.id === kind);
  return (rules.find((one) => one.rule === rule && one.id === kind) ?? own ??
    rules.find((one) => one.rule === rule))?.text ?? '';
}
