// What a verdict says first: in words what is proven, then what is not (FORMAT.md, section 9).
import { CLAUSES } from './clauses.js';

const OF_KIND = { SHOE_MIX: 'mix', SHOE_CLOSE: 'close', DRAW: 'draw', VOID: 'void',
  BATCH_CLOSE: 'unused', SETTLEMENT: 'cited', ACCESS: 'laboratory' };

function kindOf({ kind, body }, settled) {
  if (settled?.alike) return 'settled';
  if (['CARD_DEAL', 'CARD_OPEN'].includes(kind)) return body.card === undefined ? 'place' : 'card';
  return OF_KIND[kind] ?? 'recorded';
}

/// Clauses of one list in each language, one behind the other.
function said(clauses) {
  const filled = (language) => clauses.map(([key, values = {}]) =>
    CLAUSES[key][language].replace(/\{(\w+)\}/g, (_, name) => values[name])).join('; ');
  return { en: filled('en'), es: filled('es') };
}

/// Of evidence that holds: `proven` and `notProven`, each in `en` and `es`.
export function summaryOf(evidence) {
  const { claim, joined, unopened, shownFrom, unknownCatalogue, development, certification,
    settled } = evidence;
  const code = evidence.code();
  const proven = [[`proven_${kindOf(claim, settled)}`]];
  const lacks = [];
  if (joined !== null && !['void', 'unused', 'recorded'].includes(kindOf(claim))) {
    proven.push(joined.size > 0 ? ['proven_joined', { count: joined.size }] : ['proven_alone']);
    lacks.push([joined.size > 0 ? 'unproven_people' : 'unproven_together']);
  }
  if (claim.kind === 'SETTLEMENT' && !settled?.alike) lacks.push(['unproven_rules']);
  if (unknownCatalogue !== '') lacks.push(['unproven_catalogue']);
  if (unopened) lacks.push(['unproven_cards']);
  if (shownFrom !== null) lacks.push(['unproven_before', { first: shownFrom }]);
  if (!evidence.isLaboratory) lacks.push(['unproven_later']);
  else if (evidence.bundle.outcomes === undefined) lacks.push(['unproven_follows']);
  lacks.push(['unproven_history']);
  if (code === 0) proven.push(['proven_certified']);
  if (code === 4) lacks.push([evidence.isLaboratory ? 'unproven_lab_table' : 'unproven_lab']);
  if (code === 3) lacks.push([certification === '' ? 'unproven_unasked' : 'unproven_uncertified']);
  if (development) lacks.push(['unproven_development']);
  return { proven: said(proven), notProven: said(lacks) };
}
