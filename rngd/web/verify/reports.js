// What a shuffling machine signs of what it reports of the order released to it (FORMAT.md,
// section 7).
import { concat, domain, hex, unbase64, unhex, utf8 } from './bytes.js';
import { hasSigned } from './contributors.js';
import { H } from './hashes.js';
import { canonical } from './json.js';
import { need } from './refused.js';
import { leafHash } from './tree.js';

/// What a report is signed for: the head with this SHOE_RELEASE.
export const releasedHead = async (record) =>
  hex(await H(domain('link'), unhex(record.link), await leafHash(utf8(canonical(record)))));

/// It is the next one of its release, and the machine has signed it for that.
export async function checkSigned({ origin, table, object, cites, body }, root) {
  const { key, signature, ...report } = body;
  need(cites.length === 1 && cites[0] === root.releaseSeq,
    'report_uncited: not of the release of its root');
  need(report.number === root.reports.length + 1, 'report_number: not the next of its release');
  need(hex(await H(unbase64(key))) === root.release.order_known_to,
    'report_key: another key than the order was given to');
  const said = canonical({ head: root.released, object, origin, report, table });
  need(await hasSigned(key, concat(domain('report'), utf8(said)), signature),
    'report_signature: not signed by its machine for this release');
}
