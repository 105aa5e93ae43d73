// Bodies whose members depend on what they say, and numbered parts (FORMAT.md, sections 2 and 6).
import { deckCards } from './cards.js';
import { isCore } from './core.js';
import { COUNTS, DISCLOSURE, KINDS, LOG_KEY, OPENING, bySeat, isOpened, isPlace } from './kinds.js';
import { need } from './refused.js';
import {
  between, few, idOf, isBase64, isBoolean, isContributorId, isDeck, isDigest, isFilled,
  isFilledBase64, isIndex, isInteger, isOutcome, isPath, isPositive, isSeat, isSignature,
  isSpecification, isText, isTexts, isTrue, oneOf, rising, shape, shaped, some,
} from './shapes.js';

/// The list that numbered parts are pieces of.
export const PARTED = { BETS_CLOSED: 'bets', SETTLEMENT: 'results' };

const COPY = shaped({ seat: isSeat, key: isDigest, ciphertext: isDigest });
const ROOT_SECRETS = { key: isDigest, tape: isBase64 };

/// The last part has all but the list, the others nothing but a piece of it.
function checkPart(kind, body) {
  const list = PARTED[kind];
  const row = KINDS[kind].required;
  need(between(2, 64)(body.parts) && between(1, body.parts)(body.part), 'part of parts');
  const last = body.part === body.parts;
  shape(body, { ...(last ? row : { [list]: row[list] }), part: isInteger, parts: isInteger });
  need((body[list].length === 0) === last, 'the last part, and no other, has an empty list');
}

function power(body) {
  shape(body, { event: oneOf('start', 'stop'), ...(body.event === 'start' ? { clean: isBoolean }
                                                   : {}) });
}

/// What a log opens of the secrets of the one it follows.
function predecessorKey(body) {
  const opened = {
    draw: (v) => checkBody('DRAW', v), close: (v) => checkBody('BATCH_CLOSE', v),
    root: shaped(ROOT_SECRETS),
  };
  const name = body.result === 'opened' ? Object.keys(opened)
      .find((one) => Object.hasOwn(body, one)) ?? 'root' : null;
  shape(body, {
    purpose: isText, origin: isFilled, object: isFilled, commit: isInteger,
    result: oneOf('opened', 'kept', 'lost'),
    ...(name === null ? {} : { [name]: opened[name] }),
  });
}

function key(body) {
  if (body.purpose === 'log') {
    shape(body, { purpose: isText, log_key: shaped(LOG_KEY) }, { predecessor: isFilledBase64 });
  } else if (body.purpose === 'predecessor') {
    predecessorKey(body);
  } else if (body.purpose === 'place') {
    shape(body, {
      purpose: isText, origin: isFilled, place: isPlace, opened: isPositive, ...COUNTS,
    });
  } else {
    shape(body, {
      purpose: oneOf('client'), id: isFilled, spki: isDigest, roles: isTexts,
      action: oneOf('enrol', 'revoke'),
    });
  }
}

function cardDeal(body) {
  shape(body, {
    position: isIndex, place: isFilled, face: oneOf('open', 'covered', 'unseen'),
    ...(body.face === 'open' ? OPENING : {}),
    ...(body.face === 'covered' ? { copies: bySeat(COPY) } : {}),
  }, { round: idOf('round') });
}

function shoeRelease(body) {
  const shelf = body.form === 'shelf';
  shape(body, {
    machine: isFilled, ciphertext: isDigest, order_known_to: isDigest,
    ...(shelf ? { compartments: between(2, 256) } : {}),
  }, { form: oneOf('targets', 'shelf'), ...(shelf ? { reverses: isTrue } : {}) });
}

function shuffleReport(body) {
  const places = between(0, 4096);
  shape(body, {
    number: isPositive, recognised: places, result: oneOf('match', 'mismatch', 'jam', 'lid'),
    key: isFilledBase64, signature: isSignature,
  }, { position: places, census: oneOf('complete', 'wrong'), seen: isDigest, targets: places });
  const has = (name) => Object.hasOwn(body, name);
  need(has('seen') === has('census'), 'census and seen stand together');
  need(body.result !== 'match' || (body.census === 'complete' && !has('position')),
       'a match is of all cards');
  need(body.result !== 'mismatch' || (has('seen') && has('position')), 'a mismatch is somewhere');
}

function shoeClose(body) {
  const opened = Object.hasOwn(body, 'key');
  shape(body, {
    dealt: isIndex, reason: oneOf('stop_card', 'ended', 'closed', 'voided'),
    ...(opened ? DISCLOSURE : {}),
  }, opened ? { replaced: some(shaped(DISCLOSURE)) } : { candidates: isOpened });
}

const OPENED_BEFORE = shaped({ id: isContributorId, value: isDigest, signature: isSignature });
const isOpenedBefore = (v) => some(OPENED_BEFORE)(v) && rising(v.map(({ id }) => id));

function voided(body) {
  const lapsed = body.cause === 'lapsed';
  const ordered = body.cause === 'order';
  const withheld = body.cause === 'withheld';
  const opens = Object.hasOwn(body, 'secret');
  const said = opens && !withheld && body.outcome !== 'unknown';
  shape(body, {
    cause: oneOf('order', 'unrecoverable', 'lapsed', 'withheld'),
    outcome: said ? isOutcome : oneOf('unknown'),
    ...(lapsed ? { core: isCore, signature: isSignature } : { call: isInteger }),
    ...(ordered ? { by: isTexts } : {}),
    ...(withheld ? { missing: (v) => few(isContributorId)(v) && v.length > 0 && rising(v) } : {}),
    ...(opens ? { secret: isDigest, path: isPath } : {}),
  }, ordered ? { openings: isOpenedBefore } : {});
  need(!opens || body.cause !== 'unrecoverable', 'a secret that does not unseal is not opened');
  need(!lapsed || !opens || body.core.use === 'draw', 'a mix opens no secret');
}

const FORMS = {
  POWER: power, KEY: key, CARD_DEAL: cardDeal, SHOE_RELEASE: shoeRelease,
  SHUFFLE_REPORT: shuffleReport, SHOE_CLOSE: shoeClose, VOID: voided,
};

function tableOpen(body) {
  const { settled_by: by, opened, game, parameters, policy } = body;
  const has = (name) => Object.hasOwn(body, name);
  const mine = by === 'appliance';
  need(opened > 1 || Object.keys(COUNTS).every((name) => body[name] === 0),
    'counts of a first opening');
  need(has('continues') === has('carried'), 'continues and carried stand together');
  need(!has('predecessor') || (opened > 1 && !has('continues')),
    'a predecessor of a first opening, or of a table that continues one');
  need(mine || !(has('continues') || has('meters')),
    'what only a table that the appliance settles has');
  need(mine || policy.mix === 'shoe', 'a client that settles has no rounds to mix in');
  need(!mine || game !== '', 'a table that the appliance settles has a game');
  const bound = (name, check) => mine || !Object.hasOwn(parameters, name) || check(
    parameters[name]);
  need(bound('range', isSpecification) && bound('deck', isDeck), 'range or deck');
}

function commit(body) {
  need(body.cards <= deckCards(body.deck).length, 'more cards than the deck has');
  need(body.stop_depth <= body.cards, 'a stop card behind more cards than there are');
  need((body.positions ?? body.cards) === body.cards, 'positions are those of the cards');
  const several = Object.hasOwn(body, 'candidates');
  need(several !== Object.hasOwn(body, 'tape_mac'), 'candidates, or a tape_mac');
  need(!several || body.disclosure === 'covered', 'candidates of a covered shoe');
}

function action(body) {
  need((body.do === '') === (body.cause === 'time_out'), 'do is empty exactly for a time-out');
  const decided = ['bet', 'amount', 'cards', 'to'].some((name) => Object.hasOwn(body, name));
  need(body.do !== '' || !decided, 'a time-out decides nothing');
}

/// What a row of members cannot say of a kind.
const BESIDE = {
  ACCESS: (body) => !Object.hasOwn(body, 'key') || checkBody('KEY', body.key),
  ACTION: action,
  ANSWER: ({ core, id }) => need(core.others.some((one) => one.id === id),
    'an answer of nobody in its core'),
  BATCH_CLOSE: ({ first, left }) => need(
    left.length === first.toString(2).replaceAll('0', '').length,
    'not one hash for each set bit'),
  METER: (body) => need(BigInt(body.before) +
                        BigInt(body.contribution) - BigInt(body.award) === BigInt(body.after),
    'before and contribution without award are not after'),
  SHOE_COMMIT: commit,
  SHOE_MIX: ({ picked, opened }) => need((picked === undefined) === (opened === undefined) &&
    (picked ?? 0) <= (opened?.length ?? 0), 'picked and opened stand together'),
  SHOE_RECOMMIT: commit,
  TABLE_OPEN: tableOpen,
};

/// `kind`: one of KINDS.
export function checkBody(kind, body) {
  if (Object.hasOwn(PARTED, kind) && (Object.hasOwn(body, 'part') ||
                                      Object.hasOwn(body, 'parts'))) {
    checkPart(kind, body);
  } else if (Object.hasOwn(FORMS, kind)) {
    FORMS[kind](body);
  } else {
    shape(body, KINDS[kind].required, KINDS[kind].optional);
    if (Object.hasOwn(BESIDE, kind)) BESIDE[kind](body);
  }
  return true;
}
