// Bodies whose members depend on what they say, and numbered parts (FORMAT.md, sections 2 and 6).
import { COUNTS, KINDS, LOG_KEY, OPENING, TAPE, bySeat } from './kinds.js';
import { need } from './refused.js';
import {
  idOf, isBase64, isBoolean, isDigest, isFilled, isInteger, isOutcome, isPath, isSeat, isText,
  isTexts, isTrue, oneOf, between, shape, shaped, some,
} from './shapes.js';

/// The list that numbered parts are pieces of.
export const PARTED = { BETS_CLOSED: 'bets', SETTLEMENT: 'results' };

const COPY = shaped({ seat: isSeat, key: isDigest, ciphertext: isDigest });
const ROOT_SECRETS = { key: isDigest, tape: isBase64 };
const DISCLOSURE = { ...ROOT_SECRETS, ...TAPE };

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
    draw: shaped(KINDS.DRAW.required), close: shaped(KINDS.BATCH_CLOSE.required),
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
    shape(body, { purpose: isText, log_key: shaped(LOG_KEY) }, { predecessor: isBase64 });
  } else if (body.purpose === 'predecessor') {
    predecessorKey(body);
  } else {
    shape(body, {
      purpose: oneOf('client'), id: isFilled, spki: isDigest, roles: isTexts,
      action: oneOf('enrol', 'revoke'),
    });
  }
}

function cardDeal(body) {
  shape(body, {
    position: isInteger, place: isFilled, face: oneOf('open', 'covered', 'unseen'),
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
  shape(body, { recognised: places, result: oneOf('match', 'mismatch', 'jam', 'lid') },
    { position: places, census: oneOf('complete', 'wrong'), seen: isDigest, targets: places });
  const has = (name) => Object.hasOwn(body, name);
  need(has('seen') === has('census'), 'census and seen stand together');
  need(body.result !== 'match' || (body.census === 'complete' && !has('position')),
       'a match is of all cards');
  need(body.result !== 'mismatch' || (has('seen') && has('position')), 'a mismatch is somewhere');
}

function shoeClose(body) {
  const opened = Object.hasOwn(body, 'key');
  shape(body, {
    dealt: isInteger, reason: oneOf('stop_card', 'ended', 'closed', 'voided'),
    ...(opened ? DISCLOSURE : {}),
  }, opened ? { replaced: some(shaped(DISCLOSURE)) } : {});
}

function voided(body) {
  const ordered = body.cause === 'order';
  shape(body, {
    intent: isInteger, cause: oneOf('order', 'unrecoverable'), by: isTexts,
    ...(ordered ? { outcome: isOutcome, secret: isDigest, path: isPath }
        : { outcome: oneOf('unrecoverable') }),
  });
}

const FORMS = {
  POWER: power, KEY: key, CARD_DEAL: cardDeal, SHOE_RELEASE: shoeRelease,
  SHUFFLE_REPORT: shuffleReport, SHOE_CLOSE: shoeClose, VOID: voided,
};

/// What a row of members cannot say of a kind.
const BESIDE = {
  TABLE_OPEN: (body) => {
    need(body.opened > 1 || Object.keys(COUNTS).every((name) => body[name] === 0),
      'counts of a first opening');
    need(Object.hasOwn(body, 'continues') === Object.hasOwn(body, 'carried'),
         'continues and carried stand together');
    need(!Object.hasOwn(body, 'meters') || body.settled_by === 'appliance',
      'meters of a table that the client settles');
  },
  METER: (body) => need(BigInt(body.before) +
                        BigInt(body.contribution) - BigInt(body.award) === BigInt(body.after),
    'before and contribution without award are not after'),
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
}
