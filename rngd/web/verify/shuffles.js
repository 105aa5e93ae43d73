// Every shuffle of a shoe run again, from the opened secrets of each root (FORMAT.md, section 7;
// shuffle/README.md). A public shoe opens them at its close; of a covered one an auditor may have
// them in a file beside (section 9).
import { concat, domain, field, hex, same, u32, unbase64, unhex } from './bytes.js';
import { CARD_BYTES } from './cards.js';
import { H, hmacKey } from './hashes.js';
import { parse } from './json.js';
import { Refused, need, within } from './refused.js';
import { idOf, isBase64, isDigest, isFilled, isInteger, oneOf, shape, shaped,
  some } from './shapes.js';
import { shuffled, Tape } from './tape.js';
import { rootOf } from './tree.js';

const CODE_BYTES = 16;
const ROOTS_MAX = 49;
const ROOT = shaped({ key: isDigest, tape: isBase64 });

export function parseOpenings(text) {
  const openings = parse(text);
  shape(openings, {
    v: oneOf(2), type: oneOf('talla-openings'), origin: isFilled, shoe: idOf('shoe'),
    close: isInteger,
    roots: some(ROOT),
  });
  need(openings.roots.length <= ROOTS_MAX, 'more roots than a shoe may have');
  return openings;
}

/// At the SHOE_CLOSE of a public shoe.
export function runAtClose(shoe) {
  return runAll(shoe, [...(shoe.close.replaced ?? []), shoe.close]);
}

/// By the auditor's file; a bundle without the SHOE_CLOSE has fewer records, and perhaps fewer
/// roots.
export async function runByOpenings(shoe, openings) {
  const last = shoe.evidence.chainOf.get(shoe.name).at(-1);
  const closed = shoe.close !== null;
  const { origin, close, roots } = openings;
  need(origin === last.origin, 'openings_other: openings of another log');
  need(closed ? close === last.seq : close > last.seq,
    'openings_other: openings of another close');
  need(closed ? roots.length === shoe.roots.length : roots.length >= shoe.roots.length,
    'roots_opened: openings of other roots');
  shoe.opened = true;
  shoe.evidence.checked.push(`${shoe.name}: what follows is by the auditor's openings`);
  await runAll(shoe, roots);
}

async function runAll(shoe, secrets) {
  const orders = [];
  for (const [i, root] of shoe.roots.entries()) {
    const start = i === 0 ? shoe.deck : startOf(shoe, root, orders);
    orders.push(await within(`root ${i}`, () => runRoot(shoe, root, secrets[i], start)));
  }
  const replaced = shoe.roots.length - 1;
  const again = replaced > 0 ? `, and ${replaced} shuffles on the way,` : '';
  shoe.orders = orders;
  shoe.evidence.checked.push(
    `${shoe.name}: the whole shuffle${again} was run again and gives the committed order`);
}

/// The cards not dealt, then those of `returned`, then those of `older`, each in its order of
/// dealing.
function startOf(shoe, root, orders) {
  const before = shoe.roots[orders.length - 1];
  const order = orders.at(-1);
  const left = Array.from({ length: before.count - before.dealt.length },
    (_, i) => before.dealt.length + i);
  return [
    ...[...left, ...root.returned].map((position) => before.at(order, position)),
    ...root.older.flatMap(({ recommits, positions }) =>
      positions.map((position) => shoe.roots[recommits].at(orders[recommits], position))),
  ];
}

/// Shuffles; the tape is exactly what that takes, as its account has it.
async function spent(opened, tapeBytes, start) {
  const { tape_digest: digest } = opened;
  need(digest === undefined || hex(await H(tapeBytes)) === digest,
    'tape_digest: the digest is of another tape');
  const tape = Tape.of(tapeBytes);
  const why = 'tape_account: the tape is not exactly what the shuffle took';
  let order;
  try {
    order = await shuffled(start, tape);
  } catch (error) {
    if (error instanceof Refused) throw new Refused(why);
    throw error;
  }
  const { words_used: used = tape.used, words_rejected: rejected = tape.rejected } = opened;
  need(tape.consumed().length === tapeBytes.length && used === tape.used &&
    rejected === tape.rejected, why);
  return order;
}

/// The order that one root committed to.
export async function runRoot(shoe, root, opened, start) {
  const name = field(shoe.name);
  const tapeBytes = unbase64(opened.tape);
  const mac = await hmacKey(unhex(opened.key));
  need(hex(await mac(domain('shoe-tape'), name, tapeBytes)) === root.body.tape_mac,
    'tape_wrong: key and tape are not the committed ones');
  const order = await spent(opened, tapeBytes, start);
  need(order.length === root.count, 'recommit_count: another number of cards');
  const salts = await Promise.all(order.map((_, i) => mac(domain('shoe-salt'), name, u32(i))));
  const leaves = await Promise.all(order.map((card, i) => root.leaf(i, card, salts[i])));
  need(same(await rootOf(leaves), root.root), 'wrong_commitment: the order leads to another root');
  for (const { leaf, card, salt } of root.openings.values()) {
    need(order[leaf] === card && hex(salts[leaf]) === salt,
      'wrong_opening: a dealt card is not the one of the order');
  }
  await checkReports(shoe, root, order, mac);
  return order;
}

/// A match that a machine reported says exactly the codes of the order.
async function checkReports(shoe, root, order, mac) {
  const matches = root.reports.filter((report) => report.result === 'match');
  if (matches.length === 0) return;
  const name = field(shoe.name);
  const code = await hmacKey(await mac(domain('shuffle-report'), name));
  const codes = await Promise.all(order.map(async (_, i) => {
    const seen = await code(domain('shuffle-seen'), name, u32(i),
      Uint8Array.of(CARD_BYTES[root.at(order, i)]));
    return field(seen.subarray(0, CODE_BYTES));
  }));
  const seen = hex(await H(domain('shuffle-seen-list'), concat(...codes)));
  for (const report of matches) {
    need(report.seen === seen,
      'report_seen: the machine did not report this order as a match');
    shoe.evidence.checked.push(
      `${shoe.name}: the machine reported each of ${root.count} cards at its place`);
  }
}
