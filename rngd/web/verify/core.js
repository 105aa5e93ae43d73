// The core of a call: all that a result follows from (FORMAT.md, section 8).
import { concat, domain, utf8 } from './bytes.js';
import { H } from './hashes.js';
import { canonical } from './json.js';
import { need } from './refused.js';
import {
  between, few, idOf, isContributorId, isDigest, isFilled, isFilledBase64, isObject,
  isSpecification, isText, oneOf, shape, shaped,
} from './shapes.js';

const CONTRIBUTOR = shaped({
  id: isContributorId, key: isFilledBase64, t: between(1, 2 ** 32 - 1), commit: isDigest,
});
const CORE = {
  v: oneOf(2), type: oneOf('talla-call'), origin: isFilled, table: idOf('table'),
  turn: between(1, 2 ** 32 - 1), head: isDigest, use: oneOf('mix', 'draw'), object: isText,
  root: isDigest, at: between(0, 1023), round: (v) => v === '0' || idOf('round')(v),
  bets: isDigest, specification: isObject, game: isText, variant: isText, catalogue: isDigest,
  parameters: isDigest, value: isDigest, others: few(CONTRIBUTOR),
};
const MIX = { candidates: between(1, 8), places: between(1, 1024) };

export function isCore(core) {
  shape(core, CORE);
  const mix = core.use === 'mix';
  need(idOf(mix ? 'shoe' : 'batch')(core.object), 'an object of another use');
  if (mix) shape(core.specification, MIX);
  else need(isSpecification(core.specification) && core.at < 256, 'a draw of another form');
  return true;
}

/// What stands in the record, is signed and hashed.
const bytesOf = (core) => utf8(canonical(core));

/// C, which stands for the call.
export const digestOf = (core) => H(domain('core'), bytesOf(core));

/// What the table's key signs.
export const statementOf = (core) => concat(domain('call'), bytesOf(core));
