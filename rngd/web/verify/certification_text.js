// The texts of certifications and of their withdrawal: their members (FORMAT.md, section 14).
import { unbase64, utf8 } from './bytes.js';
import { parse } from './json.js';
import { need } from './refused.js';
import { each, isBase64, isDigest, isFilled, isFilledBase64, isInteger, isPositive, isText, matches,
  oneOf, rising, shape, shaped, some } from './shapes.js';

const LIST_MAX = 64;
const TEXT_BYTES_MAX = 60000;
const FILES_MAX = 16;
const CHAIN_MAX = 8;

const listed = (check, least) => (v) => each(check)(v) && least <= v.length &&
  v.length <= LIST_MAX && rising(v);
const isIssuer = matches(/^[a-z0-9.-]{1,64}$/);
const isNumber = matches(/^[ -~]{1,64}$/);
const isKey = (v) => isBase64(v) && unbase64(v).length === 32;
const isCandidates = (v) => isPositive(v) && v <= 8;
const isOrigin = matches(/^[!-*,-~]{1,200}$/);

const HEAD = { v: oneOf(2), type: isText, issuer: isIssuer, number: isNumber, made: isInteger };
const TERM = { from: isInteger, until: isInteger };
const SOURCE = shaped({
  model: isFilled, class: oneOf('raw_physical', 'conditioned_physical'), millibits: isPositive,
  assessments: listed(isDigest, 0),
});
const TYPE = {
  ...HEAD, ...TERM, manifests: listed(isDigest, 1), formats: listed(Number.isSafeInteger, 1),
  mappings: listed(isFilled, 1), catalogues: listed(isDigest, 1),
  sources: (v) => some(SOURCE)(v) && v.length <= LIST_MAX, rollback: listed(isFilled, 1),
  sealing: listed(isFilled, 1),
  policy: shaped({ candidates: isCandidates, mix: oneOf('shoe', 'round') }),
};
const INSTALLATION = {
  ...HEAD, ...TERM, types: listed(isDigest, 1), origin: isOrigin, log_key: isKey,
  serials: listed(isDigest, 1), independent: listed(isDigest, 0),
  assessments: listed(isDigest, 0), manifests: listed(isDigest, 1), settings: listed(isDigest, 1),
};
const WITHDRAWAL = {
  ...HEAD, of: oneOf('type', 'installation'), reason: oneOf('superseded', 'false', 'stolen'),
};
const BY_REASON = {
  superseded: { certification: isDigest, from: isInteger },
  false: { certification: isDigest },
  stolen: { key: isDigest, counts: listed(isDigest, 0) },
};

/// Kind and members of a text.
export function parseText(statement) {
  need(utf8(statement).length <= TEXT_BYTES_MAX, 'a certification of more than 60,000 bytes');
  const said = parse(statement);
  switch (said?.type) {
    case 'talla-type-certification':
      shape(said, TYPE);
      need(said.from < said.until, 'a certification without a term');
      return { kind: 'type', said };
    case 'talla-installation-certification':
      shape(said, INSTALLATION);
      need(said.from < said.until, 'a certification without a term');
      need(said.independent.every((one) => said.serials.includes(one)),
        'independent devices that are not of the installation');
      return { kind: 'installation', said };
    default:
      need(said?.type === 'talla-certification-withdrawal', 'a text that is no certification');
      need(Object.hasOwn(BY_REASON, said.reason), 'a withdrawal for another reason');
      shape(said, { ...WITHDRAWAL, ...BY_REASON[said.reason] });
      return { kind: 'withdrawal', said };
  }
}

function isFile(value) {
  shape(value, {
    statement: isText, signature: (v) => isBase64(v) && unbase64(v).length === 64,
    chain: (v) => some(isFilledBase64)(v) && v.length <= CHAIN_MAX,
  });
  parseText(value.statement);
  return true;
}

export const TEXTS = {
  file: isFile,
  /// Member `certifications` of a bundle.
  carried: (v) => some(isFile)(v) && v.length <= FILES_MAX &&
    v.every((one) => parseText(one.statement).kind !== 'withdrawal'),
};
