// The rounds that were settled at a seat's table: their SETTLEMENTs among the table's records, with
// what the seat's bets gave. Whether they hold the verifier says (session.js).
import { hex } from '../verify/bytes.js';
import { endsContent } from '../verify/records.js';
import { need } from '../verify/refused.js';
import { headOf } from './open.js';

const WALK_MAX = 512;

/// Of the records of `table` behind `from` and up to `last`, the oldest first; `believed` gives a
/// record of the log by its number, `seat` is whose results are named. A settlement's pieces stand
/// side by side (FORMAT.md, section 3); one whose first pieces are not seen is left out.
export async function settlementsOf({ believed, table, last, from, seat }) {
  const found = [];
  let open = null;
  let at = last;
  let link = null;  // of the record behind: its evidence binds it
  for (let steps = 0; at > from && steps < WALK_MAX; steps += 1) {
    const one = await believed(at);
    const { record } = one;
    need(record.table === table, `link_gap: record ${at} is not of this table`);
    need(link === null || link === hex(await headOf(one)),
      `link_gap: record ${at} is not the one that the next one follows`);
    link = record.link;
    if (record.kind === 'SETTLEMENT') {
      const { seq, object, body } = record;
      if (endsContent(record)) open = { seq, kind: 'SETTLEMENT', round: object, results: [] };
      if (open?.round === object) {
        open.results.unshift(...body.results);
        if ((body.part ?? 1) === 1) {
          found.unshift({ ...open, results: open.results.filter((one) => one.seat === seat) });
          open = null;
        }
      }
    }
    if (record.prev === undefined) break;
    at = record.prev;
  }
  return found;
}
