// @talla/client: what a program of a table uses (index.d.ts says how).
export { Lapsed, Misused, NotBelieved, Refused, Unanswered, Withheld } from './errors.js';
export { keyDigest, openCopy } from './covered.js';
export { betsDigest, requestDigest } from './evidence.js';
export { Table, makeLink } from './table.js';
export { VERDICTS, verifyBundle } from './house.js';
