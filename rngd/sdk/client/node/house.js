// The rules that the browser's verifier owns, taken from it: bytes, records, proofs, calls, draws,
// shoes (rngd/web/verify, rngd/web/contribute). The package ships those files; nothing is copied.
import { webcrypto } from 'node:crypto';

export { base64, concat, domain, field, hex, same, u32, unbase64, unhex, utf8 } from
  '../../../web/verify/bytes.js';
export { Batch } from '../../../web/verify/batch.js';
export { candidatesCount, checkCandidates, pick } from '../../../web/verify/candidates.js';
export { checkSigner, parseRoots } from '../../../web/verify/chain.js';
export { Contributors, valuesOf } from '../../../web/verify/contributors.js';
export { digestOf, isCore, statementOf } from '../../../web/verify/core.js';
export { H, hmacKey } from '../../../web/verify/hashes.js';
export { canonical, parse } from '../../../web/verify/json.js';
export { checkCheckpoint, parseCheckpoint } from '../../../web/verify/note.js';
export { endsContent, isLapsed, isParted } from '../../../web/verify/records.js';
export { Refused, need } from '../../../web/verify/refused.js';
export { each, isBase64, isFilled, isInteger, isText, oneOf, shape } from
  '../../../web/verify/shapes.js';
export { Shoe } from '../../../web/verify/shoe.js';
export { ShoeRoot } from '../../../web/verify/shoe_root.js';
export { TableKey } from '../../../web/verify/table_key.js';
export { Tape } from '../../../web/verify/tape.js';
export { verifyBundle, VERDICTS } from '../../../web/verify/verify.js';
export { headOf } from '../../../web/contribute/open.js';
export { Log } from '../../../web/contribute/log.js';

// Node 18 has WebCrypto, but not by this name.
globalThis.crypto ??= webcrypto;
