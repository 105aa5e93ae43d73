// The link by which a seat takes part: what it names, so that the page believes nobody else
// (docs/contribute.md has the form).
import { need } from '../verify/refused.js';
import { hex, unbase64url } from '../verify/bytes.js';

const FORM = new RegExp('^([A-Za-z0-9_-]{22})\\.(0|[1-9][0-9]{0,15})\\.([1-9][0-9]{0,9})' +
  '\\.([A-Za-z0-9_-]{43})\\.([A-Za-z0-9_-]{43})\\.(.+)$');
const ORIGIN = /^[!-*,-~]{1,200}$/;

/// `fragment`: what stands behind `#`. `opening` (leaf hash of TABLE_OPEN) and `root` (SHA-256 of
/// the root certificate) in hex.
export function parseLink(fragment) {
  const found = FORM.exec(fragment);
  need(found !== null, 'link: it is not whole');
  const [, token, table, seat, opening, root, name] = found;
  let origin;
  try {
    origin = decodeURIComponent(name);
  } catch {
    need(false, 'link: the name of the log is malformed');
  }
  need(ORIGIN.test(origin), 'link: the name of the log is malformed');
  return { token, table: `table-${table}`, tableSeq: Number(table), seat: Number(seat),
    id: `seat-${seat}`, opening: hex(unbase64url(opening)), root: hex(unbase64url(root)), origin };
}
