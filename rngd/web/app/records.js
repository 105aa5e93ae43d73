// A committed record in one line of words: what it says, by its kind (certs/FORMAT.md section 6).
// Pure: no element, no clock, no request, so that the tests can read every kind.

import { number, thousandths } from './format.js';

const french_suits = { C: '\u2663', D: '\u2666', H: '\u2665', S: '\u2660' };

/// `8S` is 8 of spades, `7o` the seven of coins, `B17` ball 17, `Jk` a joker.
export function card_text(code, t) {
  if (code === 'Jk') return t('card.joker');
  if (/^B\d+$/.test(code)) return t('card.ball', { number: code.slice(1) });
  const rank = code.slice(0, -1);
  const suit = code.slice(-1);
  if (suit in french_suits) return `${rank === 'T' ? '10' : rank}${french_suits[suit]}`;
  if (!t.has(`card.suit_${suit}`)) return code;
  return t('card.spanish', { rank: t.code('card.rank', rank), suit: t(`card.suit_${suit}`) });
}

/// What was drawn. `pockets` are the names of the wheel's pockets in their order, where the
/// catalogue is known: a record holds the index alone.
export function outcome_text(outcome, t, pockets) {
  if (typeof outcome !== 'object' || outcome === null) return String(outcome ?? '');
  if (outcome.pocket !== undefined) {
    const name = pockets?.[outcome.pocket];
    return name === undefined
      ? t('outcome.pocket_index', { index: outcome.pocket })
      : t('outcome.pocket', { name });
  }
  if (outcome.dice) return t('outcome.dice', { dice: outcome.dice.join(' + ') });
  if (outcome.lots) return t('outcome.lots', { lots: outcome.lots.join(', ') });
  return JSON.stringify(outcome);
}

/// What a batch will be asked for.
/// "wheel of 37".
export function specification_text(specification, t) {
  if (specification?.kind === 'wheel') {
    return t('specification.wheel', { pockets: specification.pockets });
  }
  if (specification?.kind === 'dice') {
    return t('specification.dice', { count: specification.count, faces: specification.faces });
  }
  if (specification?.kind === 'lots') {
    return t('specification.lots', { bounds: specification.bounds.join(', ') });
  }
  return '';
}

const short_list = (items, t, count = 4) =>
  items.slice(0, count).join('; ') +
    (items.length > count ? t('record.more', { count: items.length - count }) : '');

function part_text(body, t) {
  return body.part === undefined ? ''
    : ` ${t('record.part', { part: body.part, parts: body.parts })}`;
}

function card_deal(body, t) {
  const where = { place: body.place, position: body.position };
  if (body.face === 'open') {
    return t('record.card_open', { card: card_text(body.card, t), ...where });
  }
  return t(body.face === 'covered' ? 'record.card_covered' : 'record.card_unseen', where);
}

function bets_text(body, t) {
  const bets = body.bets.map((bet) => t('record.bet', {
    seat: bet.seat, kind: bet.kind + (bet.on ? ` ${bet.on.join('/')}` : ''),
    stake: number(bet.stake, t),
  }));
  return (bets.length > 0 ? short_list(bets, t) : t('record.no_bets')) + part_text(body, t);
}

function results_text(body, t) {
  const results = body.results.map((one) => t('record.result', {
    seat: one.seat, kind: one.kind, result: t.code('result', one.result),
    returned: number(one.returned, t),
  }));
  return (results.length > 0 ? short_list(results, t) : t('record.no_results')) +
    part_text(body, t);
}

function action_text(body, t) {
  const what = body.do === '' ? t('record.time_out') : body.do;
  const amount = body.amount === undefined ? '' : ` ${number(body.amount, t)}`;
  return t('record.action', { seat: body.seat, what: `${what}${amount}` });
}

function key_text(body, t) {
  if (body.purpose === 'client') {
    const key = body.action === 'revoke' ? 'record.client_revoked' : 'record.client_enrolled';
    return t(key, { id: body.id, roles: (body.roles ?? []).join(', ') });
  }
  if (body.purpose === 'place') {
    return t('record.place_before', { place: body.place, origin: body.origin });
  }
  return body.purpose === 'log' ? t('record.log_key')
    : t('record.predecessor', { origin: body.origin ?? '' });
}

const shoe_text = (body, t) => t('record.shoe', {
  cards: body.cards, deck: body.deck, disclosure: t.code('disclosure', body.disclosure),
});

const table_words = (body, t) => [
  body.game || t('record.no_game'),
  body.currency ? t('record.money', { unit: body.unit, currency: body.currency }) : '',
  t.code('settled_by', body.settled_by),
].filter(Boolean).join(', ');

const by_kind = {
  POWER: (body, t) => t(`record.power_${body.event === 'start' ? 'start' : 'stop'}`) +
    (body.event === 'start' && body.clean === false ? ` ${t('record.power_unclean')}` : ''),
  SOFTWARE: (body, t) => t('record.software', { version: body.version }),
  CONFIG: (body, t) => t('record.config', { profile: t.code('profile', body.profile) }),
  KEY: key_text,
  SELFTEST: (body, t) => t(body.result === 'pass' ? 'record.selftest_pass' : 'record.selftest_fail',
    { test: body.test }),
  HEALTH: (body, t) =>
    t('record.health', { source: body.source, test: body.test, level: body.level }),
  RESEED: (body, t) => t('record.reseed', {
    counter: number(body.counter, t), bits: thousandths(body.assessed_millibits, t, 0),
  }),
  ACCESS: (body, t) => [body.what, body.object, t.code('access', body.result),
    /\.(asked|confirmed)$/.test(body.what) && t(body.order ? 'access.signed' : 'access.alone'),
  ].filter(Boolean).join(', '),
  ANSWER: (body, t) => t('record.answer', {
    id: body.id, turn: body.core.turn, table: body.core.table, origin: body.core.origin,
  }),
  TABLE_OPEN: table_words,
  ROUND_OPEN: (body, t) => t('record.round', { number: body.number, table: body.table }),
  BETS_CLOSED: bets_text,
  ACTION: action_text,
  MISDEAL: (body) => [body.code, body.place, body.effect].filter(Boolean).join(', '),
  HAND_CONFIRMED: () => '',
  SETTLEMENT: results_text,
  ROUND_END: () => '',
  TABLE_CLOSE: (body, t) => t('record.table_close', {
    rounds: number(body.rounds, t), reason: t.code('reason', body.reason),
  }),
  METER: (body, t) => t('record.meter', {
    meter: body.meter, before: number(body.before, t), after: number(body.after, t),
    award: number(body.award, t),
  }),
  METER_OPEN: (body, t) =>
    t('record.meter_value', { meter: body.meter, value: number(body.value, t) }),
  METER_CLOSE: (body, t) => t('record.meter_left', { value: number(body.value, t) }),
  SHOE_COMMIT: shoe_text,
  SHOE_RECOMMIT: shoe_text,
  SHOE_MIX: (body, t) => t('record.mix', { call: body.call }),
  CARD_DEAL: card_deal,
  CARD_OPEN: (body, t) => t('record.card_open', {
    card: card_text(body.card, t), place: body.place, position: body.position,
  }),
  SHOE_RELEASE: (body, t) => t('record.release', { machine: body.machine }),
  SHUFFLE_REPORT: (body, t) => t('record.report', {
    result: t.code('report', body.result), recognised: number(body.recognised, t),
  }),
  SHOE_CLOSE: (body, t) =>
    t('record.shoe_close', { dealt: body.dealt, reason: t.code('reason', body.reason) }),
  BATCH_COMMIT: (body, t) => t('record.batch', { count: body.count }),
  CALL: (body, t) => (body.core.use === 'mix'
    ? t('record.call_mix', { turn: body.core.turn, places: body.core.specification.places })
    : t('record.call', {
      turn: body.core.turn, what: specification_text(body.core.specification, t),
    })),
  DRAW: (body, t, pockets) => outcome_text(body.outcome, t, pockets),
  VOID: (body, t, pockets) => {
    if (body.cause === 'unrecoverable') return t('record.void_lost');
    if (body.outcome === 'unknown') return t('record.void_lapsed');
    return t('record.void', { outcome: outcome_text(body.outcome, t, pockets) });
  },
  BATCH_CLOSE: (body, t) => t('record.batch_close', {
    first: body.first, reason: t.code('reason', body.reason), left: body.secrets.length,
  }),
};

export const kinds = Object.keys(by_kind);

/// The words; a record that this page cannot read is no reason to stop: it says so.
export function record_text(record, t, pockets) {
  try {
    return by_kind[record.kind] ? by_kind[record.kind](record.body, t, pockets)
      : t('record.unknown');
  } catch {
    return t('record.unknown');
  }
}

const with_evidence =
  new Set(['CARD_DEAL', 'CARD_OPEN', 'SHOE_MIX', 'SHOE_CLOSE', 'DRAW', 'VOID', 'BATCH_CLOSE',
  'SETTLEMENT', 'TABLE_OPEN', 'ROUND_OPEN', 'SHOE_COMMIT', 'BATCH_COMMIT']);

/// Whether the appliance makes a bundle that claims this record (FORMAT section 9); of numbered
/// parts the last counts.
export function has_evidence(record) {
  return with_evidence.has(record.kind) && record.body?.part === record.body?.parts;
}

const outcomes = new Set(['CARD_DEAL', 'CARD_OPEN', 'DRAW', 'VOID', 'SETTLEMENT']);

/// What was dealt, drawn or paid; the other records are the work around it.
export function is_outcome(record) {
  return outcomes.has(record.kind);
}

/// What a person should look at.
export function is_alert(record) {
  const { kind, body } = record;
  return kind === 'HEALTH' || kind === 'VOID' || (kind === 'SELFTEST' && body?.result === 'fail') ||
    (kind === 'ACCESS' && body?.what === 'generator-latch') ||
    (kind === 'SHUFFLE_REPORT' && body?.result !== 'match');
}
