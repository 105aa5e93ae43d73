// Orders for a laboratory, and files of outcomes of a table of class lab (FORMAT.md, section 15).
import { hex, unhex, utf8 } from './bytes.js';
import { deckCards } from './cards.js';
import { H } from './hashes.js';
import { Refused, need, within } from './refused.js';
import { boundsOf } from './shapes.js';
import { Tape, shuffled } from './tape.js';
import { leafHash } from './tree.js';

const BYTES = [64, 10485760];
const DRAWS = [1, 80000];
const SHOES = [1, 3000];
const STEPS = ['asked', 'confirmed', 'done'];
const NUMBER = '(?:0|[1-9][0-9]*)';
const FORMS = {
  wheel: new RegExp(`^${NUMBER}$`), dice: new RegExp(`^${NUMBER}x${NUMBER}$`),
  lots: new RegExp(`^${NUMBER}(?:-${NUMBER})*$`),
};

/// What a table of class lab draws from: its bounds, or its deck; null: it is no such table.
function tableOf(text) {
  const found = /^lab\/[a-z0-9-]{1,64}\/[a-z0-9-]{1,64}\/([a-z]+)-([^:]*)$/.exec(text);
  if (found === null) return null;
  const [, kind, what] = found;
  try {
    if (kind === 'shoe') return { deck: deckCards(what) };
    if (!Object.hasOwn(FORMS, kind) || !FORMS[kind].test(what)) return null;
    const numbers = what.split(/[x-]/).map(Number);
    const drawn = { wheel: { kind, pockets: numbers[0] }, lots: { kind, bounds: numbers },
      dice: { kind, count: numbers[0], faces: numbers[1] } }[kind];
    return { bounds: boundsOf(drawn), first: kind === 'dice' ? 1 : 0 };
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/// What an `object` orders: samples, how many, for whom; null: nothing.
export function samplesOf(said) {
  const found = /^([^:]*):([1-9][0-9]{0,15}):(.+)$/s.exec(said);
  if (found === null) return null;
  const [, samples, digits, client] = found;
  const table = tableOf(samples);
  if (table === null && !/^(?:bits|raw-[0-7])$/.test(samples)) return null;
  const [least, most] = table === null ? BYTES : table.deck ? SHOES : DRAWS;
  const count = Number(digits);
  return count >= least && count <= most ? { samples, count, client, table } : null;
}

/// As a line says it; `asked`: leaf hash of the ACCESS that asked.
async function outcomeOf(table, bits, asked) {
  if (table.deck) {
    const tape = Tape.of(bits);
    const order = await within('wrong_mapping', () => shuffled(table.deck, tape));
    need(8 * tape.used === bits.length, 'wrong_mapping: bits are left over');
    return order.join(' ');
  }
  need(bits.length === 32, 'wrong_mapping: not the bits of one draw');
  const tape = await Tape.keyed(bits, 'lab', [asked]);
  return (await tape.digits(table.bounds)).map((digit) => digit + table.first).join(' ');
}

async function checkLines(text, { table, count }, asked) {
  const lines = text.split('\n');
  need(lines.pop() === '' && lines.length === count, 'lab_outcomes: not as many as were ordered');
  const seen = new Set();
  for (const [i, line] of lines.entries()) {
    const [, bits, rest] = /^((?:[0-9a-f]{2})+) (.*)$/.exec(line) ?? [];
    need(bits !== undefined, `lab_outcomes: line ${i + 1}: no bits`);
    need(!seen.has(bits), `lab_outcomes: line ${i + 1}: bits that were there before`);
    seen.add(bits);
    need(await outcomeOf(table, unhex(bits, bits.length / 2), asked) === rest,
      `wrong_mapping: line ${i + 1}: does not follow from its bits`);
  }
}

/// A laboratory file, in the place of all that is checked of play: the three steps of one order,
/// and its outcomes where they are shown. What was ordered.
export async function checkLaboratory({ records, bundle, claim, checked, notChecked }) {
  const { what, object = '', digest } = claim.body;
  const ordered = what.startsWith('sampling-order.') ? samplesOf(object) : null;
  need(ordered !== null && ordered.table !== null, 'lab_file: orders no laboratory\'s table');
  need(records.length === STEPS.length && records.at(-1) === claim,
    'lab_file: not the three steps of an order');
  for (const [i, { kind, seq, body, cites }] of records.entries()) {
    const fits = kind === 'ACCESS' && body.what === `sampling-order.${STEPS[i]}` &&
      body.result === 'allowed' && body.object === object &&
      (i === 0 || (cites.length === 1 && cites[0] === records[0].seq));
    need(fits, `lab_file: record ${seq}: another step, or of another order`);
  }
  need(JSON.stringify(claim.body.by) === JSON.stringify(records[1].body.by),
    'lab_file: other persons than asked and confirmed');
  const { outcomes } = bundle;
  if (outcomes === undefined) {
    notChecked.push('outcomes: this file does not show them');
    return ordered;
  }
  need(hex(await H(utf8(outcomes))) === digest, 'lab_outcomes: the digest of other outcomes');
  await checkLines(outcomes, ordered, await leafHash(utf8(bundle.records[0].record)));
  checked.push(`each of the ${ordered.count} outcomes follows from its bits, all different, by ` +
    'the mapping of play');
  return ordered;
}
