// The chains of objects: no gap, one table, bets and meters that go on from what was before
// (FORMAT.md, sections 2, 6 and 9).
import { domain, hex, utf8 } from './bytes.js';
import { H } from './hashes.js';
import { canonical } from './json.js';
import { KINDS } from './kinds.js';
import { need } from './refused.js';
import { endsContent, isParted } from './records.js';

const METER_OF = ['catalogue', 'game', 'variant', 'currency', 'unit'];

/// Records of each object, in their order.
export function chainsOf(records) {
  const chains = new Map();
  for (const record of records) {
    if (record.object === undefined) continue;
    if (!chains.has(record.object)) chains.set(record.object, []);
    chains.get(record.object).push(record);
  }
  for (const [name, chain] of chains) checkChain(name, chain);
  return chains;
}

function checkChain(name, chain) {
  const { kind } = chain[0];
  need(Object.hasOwn(KINDS, kind) && KINDS[kind].opens, `${name}: its opening record is missing`);
  for (let i = 1; i < chain.length; ++i) {
    // Behind METER_OPEN, and only there, the play of other rounds is left out.
    const shared = i === 1 && kind === 'METER_OPEN';
    need(chain[i].prev === chain[i - 1].seq || shared,
         `${name}: a gap before record ${chain[i].seq}`);
  }
}

const tableOf = (opening) => (opening.kind === 'TABLE_OPEN' ? opening.object : opening.body.table);

/// TABLE_OPEN of the claim's table; every object of the file belongs to it.
export function tableOfAll(chains, claim) {
  const id = tableOf(chains.get(claim.object)[0]);
  const opened = chains.get(id)?.[0];
  need(opened?.kind === 'TABLE_OPEN', 'TABLE_OPEN of the claim is missing');
  for (const [name, [opening]] of chains) {
    if (opening.kind === 'METER_OPEN') {
      checkSharedMeter(name, opening, opened);
    } else {
      need(tableOf(opening) === id && opening.seq >= opened.seq,
           `${name}: a record of another table`);
    }
  }
  return opened;
}

function checkSharedMeter(name, opening, opened) {
  const { meters = {} } = opened.body;
  const { meter } = opening.body;
  need(Object.hasOwn(meters, meter) && meters[meter] === name && opened.cites.includes(opening.seq),
    `${name}: a meter that the table does not share`);
  need(METER_OF.every((member) => opening.body[member] === opened.body[member]),
    `${name}: a meter of another game or money`);
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
        `record ${record.seq}: a numbered part is missing before it`);
    } else {
      need(part === 1, `record ${record.seq}: a numbered part without those before it`);
    }
    before = isParted(record) ? record : null;
    if (kind !== 'BETS_CLOSED') continue;
    bets.push(...body.bets);
    if (!endsContent(record)) continue;
    closed += 1;
    const digest = hex(await H(domain('bets'), utf8(canonical(bets))));
    need(digest === body.digest, `record ${record.seq}: another bets digest`);
  }
  need(closed <= 1, 'bets closed twice');
}

/// `before` of a METER is what the last one of that meter left.
export function checkMeters(chain, notChecked) {
  const [opening] = chain;
  const values = new Map();
  if (opening.kind === 'METER_OPEN') {
    const { meter, value } = opening.body;
    values.set(meter, value);
    need(chain.slice(1).every((one) => one.kind === 'METER' && one.body.meter === meter),
      `${opening.object}: a meter that was closed, or another`);
    if (chain.length > 1 && chain[1].prev !== opening.seq) {
      values.clear();
      notChecked.push(`what other rounds made of ${opening.object} before`);
    }
  }
  for (const { kind, seq, body } of chain) {
    if (kind !== 'METER') continue;
    need((values.get(body.meter) ?? body.before) === body.before,
         `record ${seq}: a meter that stood elsewhere`);
    values.set(body.meter, body.after);
  }
}
