// Small checks that the values of members must pass, and objects with exactly the members listed
// (FORMAT.md, sections 2, 6 and 8).
import { CARD_BYTES, deckCards } from './cards.js';
import { unbase64 } from './bytes.js';
import { need } from './refused.js';

export const isInteger = (v) => Number.isSafeInteger(v) && v >= 0;
export const isPositive = (v) => isInteger(v) && v >= 1;
export const between = (least, most) => (v) => isInteger(v) && least <= v && v <= most;
/// Of a card, a root or a draw.
export const isIndex = between(0, 2 ** 32 - 1);
export const isSeat = between(1, 2 ** 32 - 1);
export const isBoolean = (v) => typeof v === 'boolean';
export const isTrue = (v) => v === true;
export const isText = (v) => typeof v === 'string';
export const isFilled = (v) => isText(v) && v !== '';
export const matches = (pattern) => (v) => isText(v) && pattern.test(v);
export const isDigest = matches(/^[0-9a-f]{64}$/);
export const isSignature = (v) => isText(v) && unbase64(v).length === 64;
export const isBase64 = (v) => isText(v) && unbase64(v) !== null;
export const isFilledBase64 = (v) => isFilled(v) && isBase64(v);
export const isObject = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
/// `n` or `n/d` in lowest terms, positive.
export function isFraction(v) {
  const found = /^([1-9][0-9]{0,18})(?:\/([1-9][0-9]{0,18}))?$/.exec(v);
  if (found === null || found[2] === undefined) return found !== null;
  let [greater, lesser] = [BigInt(found[1]), BigInt(found[2])];
  if (lesser === 1n) return false;
  while (lesser !== 0n) [greater, lesser] = [lesser, greater % lesser];
  return greater === 1n;
}
export const isDeck = (v) => isText(v) && deckCards(v).length > 0;
export const isCard = (v) => isText(v) && Object.hasOwn(CARD_BYTES, v);
export const oneOf = (...words) => (v) => words.includes(v);
export const idOf = (kind) => matches(new RegExp(`^${kind}-(0|[1-9][0-9]*)$`));
export const each = (check) => (v) => Array.isArray(v) && v.every((item) => check(item));
export const some = (check) => (v) => each(check)(v) && v.length > 0;
export const isTexts = each(isFilled);
/// Of a contributor.
export const isContributorId = matches(/^[A-Za-z0-9:./_-]{1,128}$/);
/// As many as a call may have contributors.
export const few = (check) => (v) => each(check)(v) && v.length <= 64;
export const isPath = (v) => each(isDigest)(v) && v.length <= 64;
export const rising = (numbers) => numbers.every((number, i) => i === 0 || numbers[i - 1] < number);

/// `value` is an object with all of `required`, perhaps of `optional`, and nothing else.
export function shape(value, required, optional = {}) {
  need(isObject(value), 'an object is expected');
  for (const name of Object.keys(required)) need(Object.hasOwn(value, name), `${name} is missing`);
  for (const name of Object.keys(value)) {
    const rows = [required, optional].filter((row) => Object.hasOwn(row, name));
    need(rows.length > 0, `${name} is not known here`);
    need(rows[0][name](value[name]), `${name} is malformed`);
  }
  return true;
}

export const shaped = (required, optional) => (value) => shape(value, required, optional);

/// Bounds of a draw specification: one uniform integer is drawn below each.
export function boundsOf(specification) {
  need(isObject(specification), 'a draw specification is expected');
  const { kind } = specification;
  let bounds;
  if (kind === 'wheel') {
    shape(specification, { kind: isText, pockets: between(2, 1024) });
    bounds = [specification.pockets];
  } else if (kind === 'dice') {
    shape(specification, { kind: isText, count: between(1, 8), faces: between(2, 100) });
    bounds = Array(specification.count).fill(specification.faces);
  } else {
    need(kind === 'lots', 'an unknown kind of draw');
    shape(specification, { kind: isText, bounds: some(between(2, 2 ** 32 - 1)) });
    bounds = specification.bounds;
  }
  need(bounds.length <= 16, 'too many bounds');
  need(bounds.reduce((product, bound) => product * BigInt(bound), 1n) < 2n ** 128n,
       '2^128 outcomes or more');
  return bounds;
}

export const isSpecification = (v) => boundsOf(v).length > 0;

export function isOutcome(v) {
  if (!isObject(v) || Object.keys(v).length !== 1) return false;
  const [name] = Object.keys(v);
  if (name === 'pocket') return isIndex(v.pocket);
  return (name === 'dice' && some(between(1, 100))(v.dice)) ||
    (name === 'lots' && some(isIndex)(v.lots));
}

const SOURCE = {
  model: isFilled, class: oneOf('raw_physical', 'conditioned_physical', 'system', 'rdseed', 'lab'),
  millibits: isInteger, verdict: oneOf('healthy', 'startup', 'alarm', 'not_tested'),
};
const SOURCE_EXTRA = {
  serial: isFilled, assessment: oneOf('assumed', 'stated', 'unit', 'type'),
  assessment_digest: isDigest,
};

function isSource(v) {
  shape(v, SOURCE, SOURCE_EXTRA);
  need((v.assessment_digest !== undefined) === ['unit', 'type'].includes(v.assessment),
    'a digest stands with an assessment of origin unit or type, and with no other');
  return true;
}

const CONTEXT = {
  catalogue: isDigest, game: isText, variant: isText, parameters: isDigest,
  mapping: oneOf('talla-map-v1'),
  construction: oneOf('rbg3-xor', 'system'), uncertified: isBoolean, sources: each(isSource),
  reseeds: isInteger, generates: isInteger, software: isDigest, config: isDigest,
  rollback_protection: oneOf('local', 'tpm', 'hsm', 'witness'), anchor_lag: isInteger,
  sealing: oneOf('file', 'credential', 'tpm', 'hsm', 'passphrase'),
};

/// The context of a commitment; only a credited physical source in the full construction may leave
/// `uncertified` false.
export function isContext(v) {
  shape(v, CONTEXT);
  const counting = v.sources.filter((source) => source.class === 'raw_physical' &&
                                    source.millibits > 0);
  const credited = counting.some((source) => ['healthy', 'startup'].includes(source.verdict));
  const bare = counting.some((source) => ['assumed', 'stated'].includes(source.assessment));
  need(v.uncertified || (credited && !bare && v.construction === 'rbg3-xor'),
    'a context without a credited source, or with a figure that has no document, must say ' +
    'uncertified');
  return true;
}
