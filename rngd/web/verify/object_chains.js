// The chains of objects: no gap, one table, bets and meters that go on from what was before
// (FORMAT.md, sections 2, 6 and 9).
import { domain, hex, utf8 } from './bytes.js';
import { H } from './hashes.js';
import { canonical } from './json.js';
import { KINDS } from './kinds.js';
import { need } from './refused.js';
import { classOf, endsContent, isParted } from './records.js';

const METER_OF = ['catalogue', 'game', 'variant', 'currency', 'unit'];

const isOpening = ({ kind }) => Object.hasOwn(KINDS, kind) && KINDS[kind].opens;

/// Records of each object, in their order. A TABLE_CLOSE that TABLE_OPEN cites is of another table.
export function chainsOf(records, claim) {
  const chains = new Map();
  for (const record of records) {
    const placeBefore = record.kind === 'TABLE_CLOSE' && record.table !== claim.table;
    if (record.object === undefined || placeBefore) continue;
    if (!chains.has(record.object)) chains.set(record.object, []);
    chains.get(record.object).push(record);
  }
  leaveHeadless(chains, records, claim);
  return chains;
}

/// What was opened before the file's part of the table: nothing may rest on it.
function leaveHeadless(chains, records, claim) {
  const begin = records.find((one) => one.table === claim.table && one.kind !== 'TABLE_OPEN');
  for (const [name, [first]] of chains) {
    if (isOpening(first)) continue;
    const kind = classOf(first);
    const chained = kind !== undefined && kind !== 'meter' && first.table === claim.table;
    need(chained && name !== claim.object && begin !== undefined &&
         Number(name.slice(name.indexOf('-') + 1)) < begin.seq,
      `gap: ${name}: its opening record is missing`);
    chains.delete(name);
  }
}

/// What other tables did to a meter that they share may be left out between.
function checkMeterChain(name, chain) {
  for (let i = 1; i < chain.length; ++i) {
    need(chain[i].meter_prev >= chain[i - 1].seq,
         `meter_passed: ${name}: record ${chain[i].seq} passes over one before`);
  }
}

/// TABLE_OPEN of the claim's table.
export function tableOpenOf(chains, claim) {
  const opened = chains.get(claim.table)?.[0];
  need(opened?.kind === 'TABLE_OPEN', 'gap: TABLE_OPEN of the claim is missing');
  return opened;
}

/// Every object of the file belongs to the table.
export function checkTables(chains, opened) {
  for (const [name, chain] of chains) {
    const [opening] = chain;
    if (opening.kind === 'METER_OPEN') {
      checkSharedMeter(name, opening, opened);
      checkMeterChain(name, chain);
    } else {
      need(opening.table === opened.object,
        `object_foreign: ${name}: a record of another table`);
    }
  }
}

function checkSharedMeter(name, opening, opened) {
  const { meters = {} } = opened.body;
  const { meter } = opening.body;
  need(Object.hasOwn(meters, meter) && meters[meter] === name && opened.cites.includes(opening.seq),
    `meter_foreign: ${name}: a meter that the table does not share`);
  need(METER_OF.every((member) => opening.body[member] === opened.body[member]),
    `meter_terms: ${name}: a meter of another game or money`);
}

/// One BETS_CLOSED, perhaps in numbered parts directly one behind the other; so a SETTLEMENT.
export async function checkParts(chain) {
  let before = null;
  let closed = 0;
  const bets = [];
  for (const record of chain) {
    const { kind, body } = record;
    const part = isParted(record) ? body.part ?? 1 : 1;
    if (before !== null && !endsContent(before)) {
      need(kind === before.kind && part === before.body.part + 1 &&
           body.parts === before.body.parts,
        `part_missing: record ${record.seq}: a numbered part is missing before it`);
    } else {
      need(part === 1,
        `part_missing: record ${record.seq}: a numbered part without those before it`);
    }
    before = isParted(record) ? record : null;
    if (kind !== 'BETS_CLOSED') continue;
    need(closed === 0, `bets_twice: record ${record.seq}: the bets were closed before`);
    bets.push(...body.bets);
    if (!endsContent(record)) continue;
    closed += 1;
    const digest = hex(await H(domain('bets'), utf8(canonical(bets))));
    need(digest === body.digest, `bets_digest: record ${record.seq}: another bets digest`);
  }
}

/// `before` of a METER is what the last one of that meter left.
export function checkMeters(chain, notChecked) {
  const [opening] = chain;
  const values = new Map();
  if (opening.kind === 'METER_OPEN') {
    const { meter, value } = opening.body;
    values.set(meter, value);
    need(chain.slice(1).every((one) => one.kind === 'METER'),
      `meter_over: ${opening.object}: it was closed`);
    need(chain.slice(1).every((one) => one.body.meter === meter),
      `meter_stood: ${opening.object}: another meter`);
  }
  for (const [i, { kind, seq, body, meter_prev: before }] of chain.entries()) {
    if (kind !== 'METER') continue;
    if (opening.kind === 'METER_OPEN' && before !== chain[i - 1].seq) {
      values.clear();
      const line = `what other rounds made of ${opening.object} before`;
      if (!notChecked.includes(line)) notChecked.push(line);
    }
    need((values.get(body.meter) ?? body.before) === body.before,
         `meter_stood: record ${seq}: a meter that stood elsewhere`);
    values.set(body.meter, body.after);
  }
}
