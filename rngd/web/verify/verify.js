// The verifier of evidence bundles: `verifyBundle` judges one file offline (FORMAT.md, section 9).
// No network, no clock: the same bytes and roots give the same verdict everywhere. What does not
// hold throws `Refused`.
import { textOf } from './bytes.js';
import { parseRoots } from './chain.js';
import { claimOf } from './claim.js';
import { Evidence } from './evidence.js';
import { Refused } from './refused.js';
import { summaryOf } from './summary.js';

export { Refused };

/// As other verifiers have it: 0 certified, 1 invalid (thrown), 3 uncertified, 4 lab.
export const VERDICTS = { 0: 'certified', 1: 'invalid', 3: 'uncertified', 4: 'lab' };

const asText = (value) => (typeof value === 'string' ? value : textOf(value));

/// Texts of `certification`; null where no root is in it.
function trustOf(certification) {
  const roots = Object.entries(certification?.roots ?? {});
  if (roots.length === 0) return null;
  const texts = (files) => (files ?? []).map(asText);
  return { roots: Object.fromEntries(roots.map(([kind, pem]) => [kind, asText(pem)])),
    more: texts(certification.more), withdrawals: texts(certification.withdrawals) };
}

async function judge(text,
  { roots, openings = null, certification = null, mine = null, settle = null }) {
  const evidence = new Evidence(asText(text), parseRoots(asText(roots)), openings === null ? null
                                : asText(openings), trustOf(certification));
  await evidence.verify(mine, settle);
  const code = evidence.code();
  const { development, certification: refusal, checked, notChecked, settled } = evidence;
  const verdict = VERDICTS[code] + (development ? ', development keys' : '');
  return { code, verdict, development, certification: refusal, claim: claimOf(evidence), settled,
    checked, notChecked: [...new Set(notChecked)], ...summaryOf(evidence) };
}

/// `text`, `roots` (PEM) and `openings`: texts, or their bytes. `mine`: SHA-256 of the reader's own
/// key in hex; refused unless its number is in all that the claim rests on. `certification`:
/// `roots` (PEM by kind, `type` and `installation`), `more` and `withdrawals` (files), as
/// certified.js has them. `settle`: takes the bundle's text, once its evidence holds, and runs the
/// rules of the games on its settlement: gives `{ alike, checked, refused, stopped }` as
/// settle/settle.js has them, or null. Without it no settlement is computed again.
export async function verifyBundle(text, options) {
  try {
    return await judge(text, options);
  } catch (error) {
    if (error instanceof Refused) throw error;
    // Whatever this reader did not foresee is no evidence either.
    throw new Refused(`the verifier failed: ${error?.message ?? error}`);
  }
}
