// Finding a place in the log by time: records are in the order of their times (a clock that
// stepped back is told by the appliance), so halving finds it in some twenty questions.

import { get } from './api.js';
import { page_of_events } from './shape.js';

/// The first record a certificate sees at or after `seq`, or undefined.
async function first_from(seq) {
  for (let after = seq - 1, pages = 0; pages < 50; pages += 1) {
    const page = page_of_events(await get(`/v1/events?after=${after}&limit=1`));
    if (page.records.length > 0) return page.records[0];
    if (!page.more) return undefined;
    after = page.next;
  }
  return undefined;
}

/// The lowest sequence number whose record is not before `time` (microseconds); `size` when all
/// are.
export async function seq_at(time, size, read = first_from) {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const record = await read(middle);
    if (record === undefined || record.time >= time) high = middle;
    else low = Math.max(middle, record.seq) + 1;
  }
  return low;
}

/// Microseconds of what a reader wrote into a field of date and time ("2026-11-25T23:10"), in his
/// own time zone; undefined: nothing sensible.
export function time_of_field(text) {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return undefined;
  const at = new Date(text).getTime();
  return Number.isFinite(at) ? at * 1000 : undefined;
}
