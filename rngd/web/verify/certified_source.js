// The sources of a commitment against what laboratory and inspector have found (FORMAT.md, section
// 14).
import { domain, field, hex, utf8 } from './bytes.js';
import { H } from './hashes.js';

const PHYSICAL = ['raw_physical', 'conditioned_physical'];

const serialOf = async ({ model, serial }) => hex(await H(domain('certification-serial'),
  field(utf8(model)), field(utf8(serial))));

/// The first check that does not hold, or null.
export async function sourceObjection(kind, here, context) {
  if (context.uncertified) return 'uncertified';
  const used = context.sources.filter((one) => PHYSICAL.includes(one.class) && one.millibits > 0);
  const found = used.map((use) => kind.sources.find((one) => one.model === use.model &&
    one.class === use.class && use.millibits <= one.millibits));
  if (found.includes(undefined)) return 'source';
  const documented = used.every(({ assessment_digest: digest }, i) =>
    digest !== undefined && [...found[i].assessments, ...here.assessments].includes(digest));
  if (!documented) return 'assessment';
  if (used.some(({ serial }) => serial === undefined)) return 'serial';
  const serials = await Promise.all(used.map(serialOf));
  if (!serials.every((one) => here.serials.includes(one))) return 'serial';
  const adds = used.length < 2 || serials.every((one) => here.independent.includes(one));
  return adds ? null : 'independent';
}
