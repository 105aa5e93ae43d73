// The kinds of records and the members of each body (FORMAT.md, section 6). Kinds with more than
// one form: forms.js.
import { hex, unbase64 } from './bytes.js';
import { isCore } from './core.js';
import {
  between, each, few, idOf, isBase64, isCard, isContext, isContributorId, isDeck, isDigest,
  isFilled, isFilledBase64, isFraction, isIndex, isInteger, isObject, isOutcome, isPath, isPositive,
  isSeat, isSignature, isText, isTexts, oneOf, rising, shaped, some,
} from './shapes.js';
import { parseStatement } from './statement.js';

export const OPENING = { leaf: isIndex, card: isCard, salt: isDigest, path: isPath };
/// Running counts of a place.
export const COUNTS = { turns: isInteger, voids: isInteger, early_closes: isInteger };
const isLast = (v) => v === true || v === 'shoe' || between(2, 100)(v);
export const isPlace = (v) => isFilled(v) && v.length <= 64;
export const TAPE = { words_used: isInteger, words_rejected: isInteger, tape_digest: isDigest };

const COMMIT = {
  table: idOf('table'), number: isPositive, cards: between(1, 1024), deck: isDeck, root: isDigest,
  stop_depth: isIndex, burn: isText, disclosure: oneOf('public', 'covered'), context: isContext,
};
const CANDIDATE = shaped({ root: isDigest, tape_mac: isDigest });
export const DISCLOSURE = { key: isDigest, tape: isBase64, ...TAPE };
/// Secrets of candidates, all of them or all but one.
export const isOpened = (v) => some(shaped(DISCLOSURE))(v) && v.length <= 8;
const BET = shaped({ id: isFilled, seat: isInteger, kind: isFilled, stake: isInteger },
  { on: some(isFilled), box: isInteger });
const RESULT = shaped({
  bet: isFilled, seat: isInteger, kind: isFilled, stake: isInteger,
  result: oneOf('win', 'lose', 'push', 'half', 'prison', 'freed', 'void'), returned: isInteger,
  rule: isFilled,
}, { remainder: isFilled });
const SEAT_KEY = shaped({ seat: isSeat, spki: isFilledBase64 });
const METERS = (v) => isObject(v) && Object.keys(v).length > 0 && Object.keys(v).every(isFilled)
  && Object.values(v).every(idOf('meter'));
const isPositions = (v) => each(between(0, 1023))(v) && rising(v);
const OLDER = shaped({ recommits: isIndex, positions: (v) => isPositions(v) && v.length > 0 });

/// Lists of records with one entry for each seat are ascending by it.
export const bySeat = (check) => (v) => each(check)(v) && rising(v.map((one) => one.seat));

const isChain = (v) => some(isFilledBase64)(v) && v.length <= 8;
/// Hex compares as the bytes do.
const isKeys = (v) => few(isFilledBase64)(v) && rising(v.map((key) => hex(unbase64(key))));
const CALL_OPENINGS = each(shaped({ value: isDigest, signature: isSignature }));
const ORDERER = shaped({ id: isFilled, key: isFilledBase64, signature: isSignature });
const ORDER = shaped({ head: isDigest, by: (v) => each(ORDERER)(v) && v.length === 2 });
const POLICY = shaped({
  required: isKeys, mix: oneOf('shoe', 'round'), candidates: between(1, 8),
  max_voids: between(0, 16), open_within: between(1, 3600),
});

const machine = (required, optional = {}) => ({ object: null, opens: false, required, optional });
const opening = (object, required, optional = {}) => ({ object, opens: true, required, optional });
const event = (object, required, optional = {}) => ({ object, opens: false, required, optional });
/// Members that forms.js checks.
const formed = null;

export const KINDS = {
  POWER: machine(formed),
  KEY: machine(formed),
  SOFTWARE: machine({ version: isFilled, digest: isDigest }, { manifest: isDigest }),
  CONFIG: machine({ digest: isDigest, profile: oneOf('development', 'production') }, {
    rollback_limits: (v) => some(isFilled)(v) &&
      oneOf('disk-copy', 'authorisation-holder unproven-device',
      'pin-holder token-copy', 'witness-keys')(v.join(' ')),
    settings: isDigest, certifications: (v) => isPath(v) && v.length > 0,
  }),
  SELFTEST: machine({ test: isFilled, result: oneOf('pass', 'fail'), count: isInteger }),
  HEALTH: machine({
    source: isFilled, test: isFilled, level: oneOf(1, 2), dropped: isInteger,
    last_good_us: isInteger,
    alarm_us: isInteger, overlapping: isTexts,
  }),
  RESEED: machine({ counter: isInteger, cause: oneOf('startup', 'request', 'timer'),
    assessed_millibits: isInteger }),
  ACCESS: machine({ what: isFilled, result: oneOf('allowed', 'refused') },
    { object: isFilled, by: some(isFilled), digest: isDigest, key: isObject,
      order: shaped({ head: isDigest, key: isFilledBase64, signature: isSignature }) }),
  ANSWER: machine({
    core: isCore, opening: isDigest, id: isContributorId, value: isDigest, signature: isSignature,
  }),
  TABLE_OPEN: opening('table', {
    place: isPlace, opened: isPositive, ...COUNTS,
    key: isFilledBase64, chain: isChain, policy: POLICY,
    game: isText, variant: isText, catalogue: isDigest, parameters: isObject, currency: isText,
    unit: isFraction,
    chip: isPositive, rounding: oneOf('down', 'up', 'nearest'), min: isInteger, max: isInteger,
    settled_by: oneOf('appliance', 'client'),
  }, { predecessor: isFilled, continues: idOf('table'), carried: isDigest, meters: METERS }),
  TABLE_CLOSE: event('table', {
    place: isPlace, opened: isPositive, rounds: isInteger, reason: oneOf('closed', 'voided'),
    ...COUNTS,
  }),
  METER: event('table', {
    meter: isFilled, before: isInteger, contribution: isInteger, award: isInteger, after: isInteger,
  }, { round: idOf('round') }),
  METER_OPEN: opening('meter', {
    meter: isFilled, catalogue: isDigest, game: isFilled, variant: isText, currency: isFilled,
    unit: isFraction,
    terms: isObject, value: isInteger,
  }, { continues: idOf('meter') }),
  METER_CLOSE: event('meter', { value: isInteger }),
  ROUND_OPEN: opening('round', { table: idOf('table'), number: isPositive, state_before: isDigest },
    { shoe: idOf('shoe'), last: isLast, keys: (v) => bySeat(SEAT_KEY)(v) && v.length > 0 }),
  BETS_CLOSED: event('round', { bets: each(BET), digest: isDigest, withdrawn: isTexts }),
  ACTION: event('round', {
    seat: isInteger, do: isText, cause: oneOf('decision', 'time_out'), state_before: isDigest,
  }, { bet: isFilled, amount: isInteger, cards: some(isFilled), to: isFilled }),
  MISDEAL: event('round', { code: isFilled, effect: isFilled },
    { place: isFilled, amount: isPositive }),
  HAND_CONFIRMED: event('round', { state_before: isDigest }),
  SETTLEMENT: event('round',
    { results: each(RESULT), state_before: isDigest, state_after: isDigest }),
  ROUND_END: event('round', { state_after: isDigest, dealt: isIndex, ...COUNTS }),
  SHOE_COMMIT: opening('shoe', COMMIT, {
    tape_mac: isDigest, candidates: (v) => each(CANDIDATE)(v) && between(2, 8)(v.length),
  }),
  SHOE_MIX: event('shoe', { call: isInteger, openings: CALL_OPENINGS, root: isDigest, ...TAPE },
    { picked: between(0, 7), opened: isOpened }),
  CARD_DEAL: event('shoe', formed),
  CARD_OPEN: event('shoe', { position: isIndex, place: isFilled, ...OPENING },
    { recommits: isIndex }),
  SHOE_RECOMMIT: event('shoe', {
    ...COMMIT, tape_mac: isDigest, of: isDigest, positions: between(1, 1024), rule: isFilled,
    returned: isPositions,
  }, { older: (v) => some(OLDER)(v) && rising(v.map((one) => one.recommits)) }),
  SHOE_RELEASE: event('shoe', formed),
  SHUFFLE_REPORT: event('shoe', formed),
  SHOE_CLOSE: event('shoe', formed),
  BATCH_COMMIT: opening('batch', {
    table: idOf('table'), count: between(1, 256), root: isDigest, expires: isInteger,
    context: isContext,
  }),
  CALL: event('batch', { core: isCore, signature: isSignature }, { order: ORDER }),
  DRAW: event('batch', {
    call: isInteger, openings: CALL_OPENINGS, index: between(0, 255), secret: isDigest,
    path: isPath, outcome: isOutcome, ...TAPE,
  }),
  VOID: event('batch', formed),
  BATCH_CLOSE: event('batch', {
    reason: oneOf('expired', 'used', 'closed'), first: between(0, 256), left: isPath,
    secrets: each(isDigest),
  }),
};

export const LOG_KEY = {
  statement: (v) => isText(v) && isObject(parseStatement(v)), signature: isBase64,
  chain: isChain,
};
